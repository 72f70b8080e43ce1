//! Pages for the browser: one file each that needs nothing else, with the same look and the same board.

use serde_json::Value;

use crate::terminal::board::OUTLINES;

const STYLE: &str = include_str!("style.css");
const COMMON: &str = include_str!("common.js");

/// The page that a template and its data make. In a template `@STYLE@` stands for what all pages look like, `@COMMON@`
/// for what their scripts share, and `@DATA@` for what the page shows.
pub fn fill(template: &str, data: &Value) -> String {
    let [outlines, data] = [serde_json::json!(OUTLINES), data.clone()].map(|value| script_text(&value));
    let common = COMMON.replace("@OUTLINES@", &outlines);
    // The data last: it may hold anything.
    template.replace("@STYLE@", STYLE).replace("@COMMON@", &common).replacen("@DATA@", &data, 1)
}

/// Within a script no text may look like the end of it.
fn script_text(value: &Value) -> String {
    value.to_string().replace("</", "<\\/").replace("<!--", "<\\!--")
}

/// `true` when a file that begins like this is a page made from this template.
pub fn is_beginning(template: &str, bytes: &[u8]) -> bool {
    let constant = template.split('@').next().unwrap_or(template).as_bytes();
    let length = constant.len().min(bytes.len());
    bytes[..length] == constant[..length]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_cannot_end_the_script() {
        let template = "<!DOCTYPE html><p>x@STYLE@<script>@COMMON@const data = @DATA@;</script>";
        let page = fill(template, &serde_json::json!({ "a": "</script><!-- @DATA@ @STYLE@" }));
        assert_eq!(page.matches("</script>").count(), 1);
        assert!(page.contains("@DATA@ @STYLE@") && !page.contains("<!--"));
        assert!(is_beginning(template, page.as_bytes()) && is_beginning(template, b"<!DOC"));
        assert!(!is_beginning(template, b"<!DOCTYPE html><p>y"));
    }
}
