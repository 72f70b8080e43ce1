//! Builds the HTML pages: self-contained files that share a style sheet, a board and some scripts.

use std::path::Path;

use anyhow::Result;
use serde_json::Value;

use enroque::util::version::GENERATOR;
use enroque_runs::files::{self, AtPath};
use enroque_study::board::OUTLINES;

const STYLE: &str = include_str!("style.css");
const COMMON: &str = include_str!("common.js");
const LIST_STYLE: &str = include_str!("list.css");
const LIST: &str = include_str!("list.js");
const COURSE_STYLE: &str = include_str!("course.css");
const COURSE: &str = include_str!("course.html");
const COURSE_SCRIPT: &str = include_str!("course.js");

/// Fails if `path` is a file that is neither empty nor an older page made from this template.
pub fn check(path: &Path, template: &str) -> Result<()> {
    files::ensure_overwritable(path, |bytes| is_beginning(template, bytes)).at(path)
}

/// Fills the template with `data` and our version (the field `made`), and writes the page, unless [`check`] fails.
pub fn write(path: &Path, template: &str, mut data: Value) -> Result<()> {
    check(path, template)?;
    data["made"] = GENERATOR.into();
    files::replace(path, fill(template, &data).as_bytes()).at(path)
}

/// Fills a page template. The placeholders are:
///
/// - `@STYLE@`: the common style sheet,
/// - `@COMMON@`: the common script,
/// - `@LIST_STYLE@`, `@LIST@`: style and script of a list of positions,
/// - `@COURSE_STYLE@`, `@COURSE@`, `@COURSE_SCRIPT@`: style, body and script of a page that asks questions,
/// - `@DATA@`: the data of the page as JSON.
pub fn fill(template: &str, data: &Value) -> String {
    let (before, after) = frame(template);
    before + &script_text(data) + &after
}

/// Fills all placeholders except `@DATA@`, and returns the text before `@DATA@` and the text after it.
pub fn frame(template: &str) -> (String, String) {
    let common = COMMON.replace("@OUTLINES@", &script_text(&serde_json::json!(OUTLINES)));
    let parts = [
        ("@STYLE@", STYLE),
        ("@COMMON@", &common),
        ("@LIST_STYLE@", LIST_STYLE),
        ("@LIST@", LIST),
        ("@COURSE_STYLE@", COURSE_STYLE),
        ("@COURSE@", COURSE),
        ("@COURSE_SCRIPT@", COURSE_SCRIPT),
    ];
    let filled = parts.iter().fold(template.to_owned(), |page, (name, part)| page.replace(name, part));
    let (before, after) = filled.split_once("@DATA@").unwrap_or((&filled, ""));
    (before.to_owned(), after.to_owned())
}

/// Returns JSON that is safe inside a `<script>`: we escape everything that could end the element or begin a comment.
pub fn script_text(value: &Value) -> String {
    script_safe(&value.to_string())
}

/// Like [`script_text`], for a value that is already JSON text.
pub fn script_safe(json: &str) -> String {
    json.replace("</", "<\\/").replace("<!--", "\\u003c!--")
}

/// Whether a file that begins with `bytes` may be a page made from this template. We compare it with the text before
/// the first placeholder.
pub fn is_beginning(template: &str, bytes: &[u8]) -> bool {
    let prefix = template.split('@').next().unwrap_or(template).as_bytes();
    let length = prefix.len().min(bytes.len());
    bytes[..length] == prefix[..length]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_cannot_end_script() {
        let template = "<!DOCTYPE html><p>x@STYLE@<script>@COMMON@const data = @DATA@;</script>";
        let page = fill(template, &serde_json::json!({ "a": "</script><!-- @DATA@ @STYLE@" }));
        assert_eq!(page.matches("</script>").count(), 1);
        assert!(page.contains("@DATA@ @STYLE@") && !page.contains("<!--"));
        assert!(is_beginning(template, page.as_bytes()) && is_beginning(template, b"<!DOC"));
        assert!(!is_beginning(template, b"<!DOCTYPE html><p>y"));
    }

    #[test]
    fn foreign_texts_are_escaped_in_markup() {
        assert!(COMMON.contains("aria-label=\"Board: ${escaped(fen)}\""));
        let analysis = include_str!("../analyse/page.html");
        assert!(analysis.contains("<title>${escaped("));
    }
}
