//! The page of a sweep.

use crate::workbench::page;

const TEMPLATE: &str = include_str!("page.html");

/// The page that shows `everything`, found with so much `effort` a position.
pub fn html(mut everything: serde_json::Value, effort: &str) -> String {
    everything["effort"] = effort.into();
    page::fill(TEMPLATE, &everything)
}

/// `true` when a file that begins like this is a page of a sweep.
pub fn is_beginning(bytes: &[u8]) -> bool {
    page::is_beginning(TEMPLATE, bytes)
}
