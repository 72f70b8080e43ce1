//! The arguments of `enroque-tools draw` and its subcommands.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgGroup, Args, Subcommand};

use super::event::{MAX_ROUNDS, uniform_method};
use enroque::chess::startpos::StartSet;
use enroque_study::dice::{METHODS, Method};

/// Draw the starts of an event, so that anybody can verify them
///
/// Starts come from dice, coins or a random seed. The event file keeps every throw and seed, so that anybody can draw
/// the starts again. docs/events.md shows an event from the first command to the last.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  enroque-tools draw init spring.draw --event 'Spring Open' --rounds 9
  enroque-tools draw round spring.draw 1 --method one-die --rolls 4 3 3 1 4
  enroque-tools draw round spring.draw 2 --random   from a seed in the file
  enroque-tools draw hall spring.draw hall.html     diagram and countdown
  enroque-tools draw sheet spring.draw sheets.html  sheets to print
  enroque-tools draw verify spring.draw")]
pub struct Arguments {
    #[command(subcommand)]
    pub command: DrawCommand,
}

#[derive(Subcommand, Debug)]
pub enum DrawCommand {
    Init(InitArguments),
    Round(RoundArguments),
    Undo(UndoArguments),
    Verify(VerifyArguments),
    Show(ShowArguments),
    Hall(HallArguments),
    Sheet(SheetArguments),
    Score(ScoreArguments),
}

/// Add up the points of the games in PGN files, some of which count more than others
#[derive(Args, Debug)]
#[command(after_help = "\
Every game counts one point unless --weight says otherwise; a draw gives each player half. The first weight that fits \
a game counts.

Examples:
  enroque-tools draw score match.pgn
  enroque-tools draw score match.pgn --weight rapid=2 --weight blitz=1")]
pub struct ScoreArguments {
    /// PGN files
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Points for a game whose tag Event, Round, Stage, Section or TimeControl contains WORD
    #[arg(long = "weight", value_name = "WORD=POINTS", value_parser = super::score::weight)]
    pub weights: Vec<super::score::Weight>,
}

/// Start an event: write the event file
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  enroque-tools draw init spring.draw --event 'Spring Open 2026' --rounds 9
  enroque-tools draw init cup.draw --event Cup --rounds 5 --exclude 518,chess90
  enroque-tools draw init fair.draw --event Fair --rounds 7 \\
      --exclude 'abs>0.4' --scores all.csv
  enroque-tools draw init double.draw --event Double --rounds 7 --set dfrc")]
pub struct InitArguments {
    /// Event file to write; it must not exist yet
    pub file: PathBuf,
    /// Name of the event
    #[arg(long, value_name = "NAME")]
    pub event: String,
    /// Number of rounds
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_ROUNDS as u64))]
    pub rounds: u64,
    /// Set of start positions to draw from; to list them: enroque-tools startpos sets
    #[arg(long, default_value = "chess960", value_parser = crate::text::start_set())]
    pub set: &'static StartSet,
    /// Starts to reject: numbers, sets, or conditions such as score>0.5 (on abs, score, win, draw or loss; > >= < <=)
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    pub exclude: Vec<String>,
    /// Sweep results that the conditions test: White's score in pawns, and White's win, draw and loss in per cent
    #[arg(long, value_name = "FILE")]
    pub scores: Option<PathBuf>,
    /// Allow the same start in more than one round
    #[arg(long)]
    pub repeats: bool,
    /// Play two games from each start, the second with colours reversed
    #[arg(long)]
    pub reversed: bool,
    /// Turn White's back rank around for Black (a1 to h8) instead of mirroring it
    #[arg(long)]
    pub turned: bool,
}

/// Draw the next round and add it to the event file
#[derive(Args, Debug)]
#[command(after_help = "\
The file keeps a throw that gives an excluded start, or one of an earlier round. The exit code is 1; throw again and \
type the new rolls for the same round. With --random the generator goes on by itself.

Examples:
  enroque-tools draw round spring.draw 1 --method one-die --rolls 4 3 3 1 4
  enroque-tools draw round spring.draw 2 --method ten-coins --rolls THTHTTHHTT
  enroque-tools draw round spring.draw 3 --random
  enroque-tools draw round spring.draw 4 --random --seed 'Lotto 6 17 23 31'
  enroque-tools draw round spring.draw 5 --agreed 518
  enroque-tools draw round double.draw 1 --method dice-4-12-20 \\
      --rolls 3 2 19 : 1 7 20        White's rolls, a colon, Black's")]
#[command(
    group = ArgGroup::new("source").required(true).args(["method", "random", "agreed", "placed"]),
    override_usage = "enroque-tools draw round <FILE> <ROUND> --method METHOD --rolls ROLL...\n       \
        enroque-tools draw round <FILE> <ROUND> --random [--seed TEXT]\n       \
        enroque-tools draw round <FILE> <ROUND> --agreed POSITION\n       \
        enroque-tools draw round <FILE> <ROUND> --placed POSITION"
)]
pub struct RoundArguments {
    /// Event file
    pub file: PathBuf,
    /// Number of the round to draw, which must be the next
    pub round: usize,
    /// Draw with dice, cards or coins thrown in the hall; enroque-tools startpos roll explains the methods
    #[arg(long, value_name = "METHOD", value_parser = method(), requires = "rolls")]
    pub method: Option<&'static Method>,
    /// What the dice, cards or coins showed, in order
    #[arg(long, value_name = "ROLL", num_args = 1.., requires = "method")]
    pub rolls: Vec<String>,
    /// Draw with the program's random generator
    #[arg(long)]
    pub random: bool,
    /// Seed of the generator: a number, or a line of text such as the numbers of a lottery draw agreed on before;
    /// default: random. docs/events.md says how a text becomes a number
    #[arg(long, value_name = "TEXT", requires = "random")]
    pub seed: Option<String>,
    /// Start that the players agreed on: a number, back rank or FEN
    #[arg(long, value_name = "POSITION")]
    pub agreed: Option<String>,
    /// Start that the players made by placing pieces in turn, as with enroque-tools startpos place
    #[arg(long, value_name = "POSITION")]
    pub placed: Option<String>,
}

/// Undo the last draw, for example because a throw was typed wrongly
#[derive(Args, Debug)]
#[command(after_help = "\
The draw stays in the file and on the sheets, marked as undone, with the reason. Then draw the round again.

Examples:
  enroque-tools draw undo spring.draw 3 --reason 'third die typed as 2, was 3'
  enroque-tools draw undo spring.draw 1 --reason 'drawn before the players came'")]
pub struct UndoArguments {
    /// Event file
    pub file: PathBuf,
    /// Number of the round drawn last
    pub round: usize,
    /// Why the draw doesn't count
    #[arg(long, value_name = "TEXT")]
    pub reason: String,
}

/// Check an event file: draw every round again from its throws or its seed
#[derive(Args, Debug)]
#[command(after_help = "\
Exit code 1 if a start differs, is excluded or comes twice; the message names the round.

Examples:
  enroque-tools draw verify spring.draw
  enroque-tools draw verify fair.draw --scores all.csv")]
pub struct VerifyArguments {
    /// Event file
    pub file: PathBuf,
    /// Sweep results that the conditions test, to check which starts the conditions exclude
    #[arg(long, value_name = "FILE")]
    pub scores: Option<PathBuf>,
}

/// Print the throws, seeds and starts so far
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  enroque-tools draw show spring.draw
  enroque-tools draw show spring.draw >rounds.txt")]
pub struct ShowArguments {
    /// Event file
    pub file: PathBuf,
}

/// Write a full-screen page for the hall: diagram, number, countdown to the start of play
#[derive(Args, Debug)]
#[command(after_help = "\
Keys on the page: Space starts and stops the countdown, R resets it, F is full screen. After the next round give the \
same command again: the open page takes up the new start by itself.

Examples:
  enroque-tools draw hall spring.draw hall.html      the last round, 15 minutes
  enroque-tools draw hall spring.draw hall.html --round 2 --minutes 10
  enroque-tools draw hall spring.draw hall.html --at 14:30")]
pub struct HallArguments {
    /// Event file
    pub file: PathBuf,
    /// HTML page to write
    pub page: PathBuf,
    /// Round to show; default: the last one drawn
    #[arg(long, value_name = "N")]
    pub round: Option<usize>,
    /// Minutes from the draw to the start of the clocks
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..=180))]
    pub minutes: u32,
    /// Time of day at which the clocks start, by the clock of the computer in the hall; the page counts down to it
    #[arg(long, value_name = "HH:MM", value_parser = time_of_day, conflicts_with = "minutes")]
    pub at: Option<String>,
}

/// Write printable sheets: diagram, where king and rook castle to, how to castle by hand, score sheet lines
#[derive(Args, Debug)]
#[command(after_help = "\
One A4 sheet for each round; print it from the browser.

Examples:
  enroque-tools draw sheet spring.draw sheets.html   every round drawn so far
  enroque-tools draw sheet spring.draw round3.html --round 3
  enroque-tools draw sheet spring.draw strips.html --round 3 --strips 40")]
pub struct SheetArguments {
    /// Event file
    pub file: PathBuf,
    /// HTML page to write
    pub page: PathBuf,
    /// Round to print; default: all that have been drawn
    #[arg(long, value_name = "N")]
    pub round: Option<usize>,
    /// Print only strips for score sheets, this many for each round
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub strips: Option<u32>,
}

/// Parses a time of day and returns it as `HH:MM`.
fn time_of_day(text: &str) -> Result<String, &'static str> {
    let time = chrono::NaiveTime::parse_from_str(text, "%H:%M");
    time.map(|time| time.format("%H:%M").to_string()).map_err(|_| "expected a time from 00:00 to 23:59")
}

fn method() -> impl TypedValueParser<Value = &'static Method> {
    let names = METHODS.iter().map(|method| method.name).filter(|name| uniform_method(name).is_some());
    PossibleValuesParser::new(names).try_map(|name| uniform_method(&name).ok_or("not a uniform method"))
}
