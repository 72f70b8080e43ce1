//! The arguments of `enroque-tools quiz`.

use std::path::PathBuf;

const MAX_COUNT: u64 = 10_000;

/// Write a quiz on Chess960 castling as a page for the browser
#[derive(clap::Args, Debug)]
#[command(after_help = "\
The page is a single file without external resources. It explains each answer, ends with the result and the wrong answers, and \
prints as a sheet of questions with the answers at the end. The command prints the seed; the same seed and count give the same \
questions.

Examples:
  enroque-tools quiz castling.html
  enroque-tools quiz club-evening.html --count 20 --seed 960
  enroque-tools quiz course.html --graded")]
pub struct Arguments {
    /// HTML page to write
    #[arg(value_name = "FILE.html")]
    pub output: PathBuf,
    /// Number of questions
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u64).range(1..=MAX_COUNT))]
    pub count: u64,
    /// Seed that decides the questions; default: random
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Ask questions on fifty selected positions in four grades, the easiest first
    #[arg(long, conflicts_with_all = ["count", "seed"])]
    pub graded: bool,
}
