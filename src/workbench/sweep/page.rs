//! Page of a sweep for the browser.

use super::summary;
use crate::workbench::page;

const TEMPLATE: &str = include_str!("page.html");

/// Returns the page that shows `data`, with the search limits of each position in words.
pub fn html(mut data: serde_json::Value, limits: &str) -> String {
    data["limits"] = limits.into();
    data["reference"] = summary::REFERENCE.map(|(_, value)| value).as_slice().into();
    data["sets"] = summary::SETS.into();
    page::fill(TEMPLATE, &data)
}

/// `true` if `bytes` are the beginning of a sweep page.
pub fn is_beginning(bytes: &[u8]) -> bool {
    page::is_beginning(TEMPLATE, bytes)
}
