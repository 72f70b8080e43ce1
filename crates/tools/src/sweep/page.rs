//! Pages of a sweep for the browser.

use super::difficulty::{GOOD_MARGIN, SETTLED_MARGIN};
use super::summary;
use crate::page;

/// Template of the page of scores.
pub const SCORES: &str = include_str!("page.html");
/// Template of the page of difficulties.
pub const DIFFICULTY: &str = include_str!("difficulty.html");

/// Returns the page that shows `data` by a template, with the search limits of each position in words and the address of the
/// board page that it links to.
pub fn html(template: &str, mut data: serde_json::Value, limits: &str, board: Option<&str>) -> String {
    data["limits"] = limits.into();
    data["board"] = board.into();
    data["reference"] = summary::REFERENCE.map(|(_, value)| value).as_slice().into();
    data["sets"] = summary::SETS.into();
    data["margins"] = serde_json::json!({ "good": GOOD_MARGIN, "settled": SETTLED_MARGIN });
    page::fill(template, &data)
}

/// `true` if `bytes` are the beginning of a page with this template.
pub fn is_beginning(template: &str, bytes: &[u8]) -> bool {
    page::is_beginning(template, bytes)
}
