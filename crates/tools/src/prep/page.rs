//! Preparation as a page for the browser and the printer, one A4 side for each start.

use serde_json::json;

use super::sheet::Sheet;
use crate::page;
use enroque::util::version::GENERATOR;

const TEMPLATE: &str = include_str!("page.html");

/// Returns the page of these starts.
pub fn html(sheets: &[Sheet]) -> String {
    page::fill(TEMPLATE, &json!({ "made": GENERATOR, "sheets": sheets }))
}

/// `true` if `bytes` are the beginning of such a page.
pub fn is_beginning(bytes: &[u8]) -> bool {
    page::is_beginning(TEMPLATE, bytes)
}
