//! The page of a sweep: one file that needs nothing else.

use crate::console::board::OUTLINES;

const TEMPLATE: &str = include_str!("page.html");

/// The page that shows `everything`, found with so much `effort` a position.
pub fn html(everything: &serde_json::Value, effort: &str) -> String {
    // Within a script no text may look like the end of it.
    let data = everything.to_string().replace("</", "<\\/");
    let outlines = serde_json::json!(OUTLINES).to_string();
    TEMPLATE.replace("@EFFORT@", effort).replace("@OUTLINES@", &outlines).replace("@DATA@", &data)
}

/// `true` when a file that begins like this is a page of a sweep.
pub fn is_beginning(bytes: &[u8]) -> bool {
    let constant = TEMPLATE.split('@').next().unwrap_or(TEMPLATE).as_bytes();
    let length = constant.len().min(bytes.len());
    bytes[..length] == constant[..length]
}
