//! `enroque-tools quiz`: writes a page that asks whether a castling is legal and explains every answer.

use std::path::PathBuf;

use anyhow::Result;
use serde_json::json;

use crate::page;
use enroque::terminal::eprint_line;
use enroque::util::random::Random;
use enroque_study::quiz::{MAX_GRADE, graded_questions, questions};

const PAGE: &str = include_str!("page.html");
const MAX_COUNT: u64 = 10_000;

/// If the user gives no seed, we draw one below this limit, short enough to write down.
const SEED_LIMIT: u64 = 1_000_000;

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
    output: PathBuf,
    /// Number of questions
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u64).range(1..=MAX_COUNT))]
    count: u64,
    /// Seed that decides the questions; default: random
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Ask questions on fifty selected positions in four grades, the easiest first
    #[arg(long, conflicts_with_all = ["count", "seed"])]
    graded: bool,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    page::check(&arguments.output, PAGE)?;
    let seed = arguments.seed.unwrap_or_else(|| Random::from_entropy().below(SEED_LIMIT));
    let (questions, origin) = if arguments.graded {
        (graded_questions(), "graded".to_owned())
    } else {
        (questions(arguments.count as usize, &mut Random::new(seed)), format!("seed {seed}"))
    };
    page::write(&arguments.output, PAGE, json!({ "grades": MAX_GRADE, "questions": questions }))?;
    eprint_line(&format!("{}: {} questions, {origin}", arguments.output.display(), questions.len()));
    Ok(())
}
