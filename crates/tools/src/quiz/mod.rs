//! `enroque-tools quiz`: writes a page that asks whether a castling is legal and explains every answer.

mod arguments;

use anyhow::Result;
use serde_json::json;

pub use self::arguments::Arguments;
use crate::page;
use enroque::terminal::eprint_line;
use enroque::util::random::Random;
use enroque_study::quiz::{MAX_GRADE, graded_questions, questions};

const PAGE: &str = include_str!("page.html");

/// If the user gives no seed, we draw one below this limit, short enough to write down.
const SEED_LIMIT: u64 = 1_000_000;

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
