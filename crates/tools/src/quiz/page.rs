//! Page of the castling quiz for the browser.

use serde_json::json;

use crate::page;
use enroque::util::version::GENERATOR;
use enroque_study::quiz::{MAX_GRADE, Question};

const TEMPLATE: &str = include_str!("page.html");

/// Returns the page with these questions.
pub fn html(questions: &[Question]) -> String {
    page::fill(TEMPLATE, &json!({ "made": GENERATOR, "grades": MAX_GRADE, "questions": questions }))
}

/// `true` if `bytes` are the beginning of a quiz page.
pub fn is_beginning(bytes: &[u8]) -> bool {
    page::is_beginning(TEMPLATE, bytes)
}
