//! Names of SVG files, and text in them.

use std::path::PathBuf;

use clap::builder::{PathBufValueParser, TypedValueParser};

/// Returns the parser of the name of an SVG file, which refuses other endings.
pub fn path() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        let extension = path.extension().unwrap_or_default();
        // A device or a pipe has no ending.
        if extension.is_empty() || extension.eq_ignore_ascii_case("svg") {
            return Ok(path);
        }
        Err("expected a name with the ending .svg; a browser prints such a file, or saves it as PDF")
    })
}

/// Escapes the special characters of XML and replaces those that it does not allow.
pub fn escaped(text: &str) -> String {
    let is_allowed = |c: char| !c.is_control() && !matches!(c, '\u{FFFE}' | '\u{FFFF}');
    let text: String =
        text.chars().map(|c| if is_allowed(c) { c } else { char::REPLACEMENT_CHARACTER }).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_valid_xml() {
        assert_eq!(escaped("<A & \"B\">"), "&lt;A &amp; &quot;B&quot;&gt;");
        assert_eq!(escaped("a\x0bb\u{fffe}c\u{9b}"), "a\u{fffd}b\u{fffd}c\u{fffd}");
    }
}
