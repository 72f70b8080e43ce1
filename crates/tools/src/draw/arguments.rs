//! Arguments of `enroque-tools draw`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::event::MAX_NODES;
use super::ledger::MAX_ROUNDS;
use enroque::chess::startpos::StartSet;

/// Draw the starts of an event so that everybody can verify them
///
/// A secret is fixed before the event by published hashes. Each round reveals its share of the secret and mixes it with
/// words and dice of the players, so that neither side decides alone. docs/events.md has the whole scheme.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  enroque-tools draw init spring.draw --event 'Spring Open' --rounds 9 --exclude 518
  enroque-tools draw round spring.draw 1 --words coffee harbour --dice 4 6 1
  enroque-tools draw hall spring.draw hall.html     full screen: diagram, countdown
  enroque-tools draw sheet spring.draw sheets.html  to print, with score sheet lines
  enroque-tools draw verify spring.draw             on any machine, without the secret")]
pub struct Arguments {
    #[command(subcommand)]
    pub(super) command: DrawCommand,
}

#[derive(Subcommand, Debug)]
pub enum DrawCommand {
    Init(Box<Init>),
    Round(RoundArguments),
    Verify(Verify),
    /// Print the table of the rounds drawn so far
    #[command(after_help = "\
Examples:
  enroque-tools draw show spring.draw
  enroque-tools draw show spring.draw >rounds.txt")]
    Show {
        /// Public file of the event
        file: PathBuf,
    },
    Hall(Hall),
    Sheet(Sheet),
}

/// Start an event: write its public file and its secret
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  enroque-tools draw init spring.draw --event 'Spring Open 2026' --rounds 9
  enroque-tools draw init club.draw --event Club --rounds 5 --exclude 518,chess90
  enroque-tools draw init fair.draw --event Fair --rounds 7 \\
      --exclude 'abs>0.4' --scores all.csv
  enroque-tools draw init double.draw --event Double --rounds 7 \\
      --set dfrc --balance 0.30")]
pub struct Init {
    /// Public file to write
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
    /// Draw again unless two searches find the score within this many pawns of 0
    #[arg(long, value_name = "PAWNS", value_parser = parse_pawns)]
    pub balance: Option<i32>,
    /// Nodes of the first search; the second has twice as many
    #[arg(
        long,
        value_name = "N",
        default_value_t = 100_000,
        requires = "balance",
        value_parser = clap::value_parser!(u64).range(1..=MAX_NODES)
    )]
    pub nodes: u64,
    /// Allow a start in more than one round
    #[arg(long)]
    pub repeats: bool,
    /// Words mixed into the secret beside the system's random numbers
    #[arg(long, value_name = "WORD", num_args = 1..)]
    pub seed_words: Vec<String>,
    /// Secret file to write; default: the public file with the ending .secret
    #[arg(long, value_name = "FILE")]
    pub secret: Option<PathBuf>,
}

/// Draw the next round and append it to the public file
#[derive(Args, Debug)]
#[command(after_help = "\
The words and dice are collected in the hall just before the draw, in the sight of the players.

Examples:
  enroque-tools draw round spring.draw 1 --words coffee 'blue harbour'
  enroque-tools draw round spring.draw 2 --dice 4 6 1 3 3")]
#[command(group = clap::ArgGroup::new("contributions").required(true).multiple(true).args(["words", "dice"]))]
pub struct RoundArguments {
    /// Public file of the event
    pub file: PathBuf,
    /// Number of the round, which must be the next
    pub round: usize,
    /// Words of the players, one argument each
    #[arg(long, value_name = "WORDS", num_args = 1..)]
    pub words: Vec<String>,
    /// Results of dice thrown by the players
    #[arg(long, value_name = "N", num_args = 1..)]
    pub dice: Vec<u32>,
    /// Secret file; default: the public file with the ending .secret
    #[arg(long, value_name = "FILE")]
    pub secret: Option<PathBuf>,
}

/// Verify every share, number and hash of a public file
#[derive(Args, Debug)]
#[command(after_help = "\
Exit code 1 and the first wrong line if anything was changed. The searches of --balance are repeated, which takes the \
program and network that the file names; --recorded takes their scores from the file.

Examples:
  enroque-tools draw verify spring.draw
  enroque-tools draw verify copy.draw --fingerprint 5d41402a
                                   compares the announced fingerprint, too")]
pub struct Verify {
    /// Public file of the event
    pub file: PathBuf,
    /// Fingerprint that was announced, or its first digits
    #[arg(long, value_name = "DIGITS", value_parser = parse_digits)]
    pub fingerprint: Option<String>,
    /// Seal of the last round on a sheet or page, or its first digits
    #[arg(long, value_name = "DIGITS", value_parser = parse_digits)]
    pub seal: Option<String>,
    /// Results of the sweep behind the conditions, to check their starts as well
    #[arg(long, value_name = "FILE")]
    pub scores: Option<PathBuf>,
    /// Take the scores of --balance from the file
    #[arg(long)]
    pub recorded: bool,
}

/// Write a full-screen page for the hall: diagram, number, countdown to the clocks
#[derive(Args, Debug)]
#[command(after_help = "\
Keys on the page: Space starts and stops the countdown, R resets it, F is full screen.

Examples:
  enroque-tools draw hall spring.draw hall.html      the last round, fifteen minutes
  enroque-tools draw hall spring.draw hall.html --round 2 --minutes 10")]
pub struct Hall {
    /// Public file of the event
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
    /// Public file of the event
    pub file: PathBuf,
    /// Page to write
    pub page: PathBuf,
    /// Round to print; default: all that have been drawn
    #[arg(long, value_name = "N")]
    pub round: Option<usize>,
}

/// Parses a limit in pawns with at most two decimals as centipawns.
fn parse_pawns(text: &str) -> Result<i32, String> {
    const MAX_PAWNS: f64 = 10.0;
    let pawns = text.parse().ok().filter(|pawns: &f64| (0.0..=MAX_PAWNS).contains(pawns));
    let centipawns = pawns.map(|pawns| 100.0 * pawns).filter(|value| (value - value.round()).abs() < 1e-6);
    centipawns.map(|value| value.round() as i32).ok_or_else(|| "expected 0.00 to 10.00 pawns".to_owned())
}

/// Parses the first digits of a hash, in either case.
fn parse_digits(text: &str) -> Result<String, String> {
    const MIN_DIGITS: usize = 8;
    const MAX_DIGITS: usize = 64;
    let is_valid =
        (MIN_DIGITS..=MAX_DIGITS).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_hexdigit());
    is_valid
        .then(|| text.to_ascii_lowercase())
        .ok_or_else(|| format!("expected {MIN_DIGITS} to {MAX_DIGITS} hexadecimal digits"))
}
