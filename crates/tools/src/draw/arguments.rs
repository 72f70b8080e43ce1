//! Arguments of `enroque-tools draw`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgGroup, Args, Subcommand};

use super::event::{MAX_ROUNDS, uniform_method};
use crate::startpos::methods::{METHODS, Method};
use enroque::chess::startpos::StartSet;

/// Draw the starts of an event with dice, coins or a random seed, and verify them
///
/// One file keeps the rounds with every throw or seed, from which anybody recomputes the starts. docs/events.md shows an
/// event from the first command to the last.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  enroque-tools draw init spring.draw --event 'Spring Open' --rounds 9 --exclude 518
  enroque-tools draw round spring.draw 1 --method one-die --rolls 4 3 3 1 4
  enroque-tools draw round spring.draw 2 --random   from a seed that the file shows
  enroque-tools draw hall spring.draw hall.html     full screen: diagram, countdown
  enroque-tools draw sheet spring.draw sheets.html  to print, with score sheet lines
  enroque-tools draw verify spring.draw")]
pub struct Arguments {
    #[command(subcommand)]
    pub(super) command: DrawCommand,
}

#[derive(Subcommand, Debug)]
pub enum DrawCommand {
    Init(Init),
    Round(RoundArguments),
    Verify(Verify),
    /// Print the throws, the seeds and the starts so far
    #[command(after_help = "\
Examples:
  enroque-tools draw show spring.draw
  enroque-tools draw show spring.draw >rounds.txt")]
    Show {
        /// File of the event
        file: PathBuf,
    },
    Hall(Hall),
    Sheet(Sheet),
}

/// Start an event: write its file
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  enroque-tools draw init spring.draw --event 'Spring Open 2026' --rounds 9
  enroque-tools draw init club.draw --event Club --rounds 5 --exclude 518,chess90
  enroque-tools draw init fair.draw --event Fair --rounds 7 \\
      --exclude 'abs>0.4' --scores all.csv
  enroque-tools draw init double.draw --event Double --rounds 7 --set dfrc")]
pub struct Init {
    /// File to write; it must not exist
    pub file: PathBuf,
    /// Name of the event
    #[arg(long, value_name = "NAME")]
    pub event: String,
    /// Number of rounds
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_ROUNDS as u64))]
    pub rounds: u64,
    /// Set of start positions; `enroque-tools startpos --sets` lists them
    #[arg(long, default_value = "chess960", value_parser = crate::start_set())]
    pub set: &'static StartSet,
    /// Starts that are drawn again: numbers, sets, or conditions on abs, score, win, draw and loss with > >= < <=
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    pub exclude: Vec<String>,
    /// Results of `enroque-tools sweep` for the conditions: scores in pawns for White, win, draw and loss in per cent
    #[arg(long, value_name = "FILE")]
    pub scores: Option<PathBuf>,
    /// Allow a start in more than one round
    #[arg(long)]
    pub repeats: bool,
}

/// Draw the next round and add it to the file
#[derive(Args, Debug)]
#[command(after_help = "\
The file keeps a throw that gives an excluded start, or one of an earlier round. The exit code is 1; throw again and \
type the new rolls for the same round. With --random the generator goes on by itself.

Examples:
  enroque-tools draw round spring.draw 1 --method one-die --rolls 4 3 3 1 4
  enroque-tools draw round spring.draw 2 --method ten-coins --rolls THTHTTHHHT
  enroque-tools draw round spring.draw 3 --random
  enroque-tools draw round double.draw 1 --method dice-4-12-20 \\
      --rolls 3 2 19 : 1 7 20        White's rolls, a colon, Black's")]
#[command(group = ArgGroup::new("source").required(true).args(["method", "random"]))]
pub struct RoundArguments {
    /// File of the event
    pub file: PathBuf,
    /// Number of the round, which must be the next
    pub round: usize,
    /// Draw with dice, cards or coins thrown in the hall; `enroque-tools startpos --methods` prints the rules
    #[arg(long, value_name = "METHOD", value_parser = method(), requires = "rolls")]
    pub method: Option<&'static Method>,
    /// Results of the dice, cards or coins in order
    #[arg(long, value_name = "ROLL", num_args = 1.., requires = "method")]
    pub rolls: Vec<String>,
    /// Draw with the random generator of the program
    #[arg(long)]
    pub random: bool,
    /// Seed of the generator, such as a lottery number announced before; default: random
    #[arg(long, value_name = "N", requires = "random")]
    pub seed: Option<u64>,
}

/// Recompute every round from its throws or its seed
#[derive(Args, Debug)]
#[command(after_help = "\
Exit code 1 if a start differs, is excluded or comes twice; the message names the round.

Examples:
  enroque-tools draw verify spring.draw
  enroque-tools draw verify fair.draw --scores all.csv")]
pub struct Verify {
    /// File of the event
    pub file: PathBuf,
    /// Results of the sweep behind the conditions, to check their starts as well
    #[arg(long, value_name = "FILE")]
    pub scores: Option<PathBuf>,
}

/// Write a full-screen page for the hall: diagram, number, countdown to the clocks
#[derive(Args, Debug)]
#[command(after_help = "\
Keys on the page: Space starts and stops the countdown, R resets it, F is full screen.

Examples:
  enroque-tools draw hall spring.draw hall.html      the last round, fifteen minutes
  enroque-tools draw hall spring.draw hall.html --round 2 --minutes 10")]
pub struct Hall {
    /// File of the event
    pub file: PathBuf,
    /// Page to write
    pub page: PathBuf,
    /// Round to show; default: the last
    #[arg(long, value_name = "N")]
    pub round: Option<usize>,
    /// Minutes from the draw to the start of the clocks
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..=180))]
    pub minutes: u32,
}

/// Write printable sheets: diagram, castlings of this start, procedure by hand, score sheet lines
#[derive(Args, Debug)]
#[command(after_help = "\
One A4 sheet for each round; print it from the browser.

Examples:
  enroque-tools draw sheet spring.draw sheets.html   every round drawn so far
  enroque-tools draw sheet spring.draw round3.html --round 3")]
pub struct Sheet {
    /// File of the event
    pub file: PathBuf,
    /// Page to write
    pub page: PathBuf,
    /// Round to print; default: all that have been drawn
    #[arg(long, value_name = "N")]
    pub round: Option<usize>,
}

fn method() -> impl TypedValueParser<Value = &'static Method> {
    let names = METHODS.iter().map(|method| method.name).filter(|name| uniform_method(name).is_some());
    PossibleValuesParser::new(names).try_map(|name| uniform_method(&name).ok_or("not a uniform method"))
}
