//! Text from people and for people: parses names on the command line, quotes words for the shell, escapes XML.

use std::path::{Path, PathBuf};

use clap::builder::{PathBufValueParser, PossibleValuesParser, TypedValueParser};

use enroque::chess::CastlingRules;
use enroque::chess::startpos::{START_SETS, StartSet};

/// Puts a word in single quotes unless a POSIX shell reads it as one plain word anyway.
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "+-.,:@_".contains(c) || std::path::is_separator(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Parses the name of an SVG file. We refuse names such as `round.pdf`, because nobody would expect SVG in them.
pub fn svg_path() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        let extension = path.extension().unwrap_or_default();
        // Devices and pipes such as `/dev/stdout` have no extension.
        if extension.is_empty() || extension.eq_ignore_ascii_case("svg") {
            return Ok(path);
        }
        Err("expected a name with the ending .svg; a browser prints such a file, or saves it as PDF")
    })
}

/// Parses the name of castling rules. clap shows the names in help and completions and refuses all other names, so
/// `unwrap_or` never applies.
pub fn castling_rules() -> impl TypedValueParser<Value = CastlingRules> {
    PossibleValuesParser::new(CastlingRules::ALL.map(CastlingRules::name))
        .map(|name| CastlingRules::from_name(&name).unwrap_or(CastlingRules::Fischer))
}

/// Parses the name of a set of start positions.
pub fn start_set() -> impl TypedValueParser<Value = &'static StartSet> {
    PossibleValuesParser::new(START_SETS.iter().map(|set| set.name))
        .map(|name| StartSet::by_name(&name).unwrap_or(&START_SETS[0]))
}

/// Parses the address of a web page that shows a board. Our links append `#` and a position, so the address must not
/// have a fragment.
pub fn board_address(text: &str) -> Result<String, String> {
    if text.is_empty() || text.contains('#') {
        return Err("expected an address without #, such as enroque.html".to_owned());
    }
    Ok(text.to_owned())
}

/// Escapes text for XML, and replaces the characters that XML does not allow by U+FFFD.
pub fn escaped(text: &str) -> String {
    let is_allowed = |c: char| !c.is_control() && !matches!(c, '\u{FFFE}' | '\u{FFFF}');
    let text: String =
        text.chars().map(|c| if is_allowed(c) { c } else { char::REPLACEMENT_CHARACTER }).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Whether a file name has this extension (given without the dot), ignoring case.
pub fn has_extension(file: &str, extension: &str) -> bool {
    Path::new(file).extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_words_stay_one_word() {
        for (word, expected) in [
            ("0..5,518", "0..5,518"),
            ("ab cd", "'ab cd'"),
            ("abs>1", "'abs>1'"),
            ("it's", r"'it'\''s'"),
            ("", "''"),
        ] {
            assert_eq!(quoted(word), expected);
            assert_eq!(shlex::split(&quoted(word)), Some(vec![word.to_owned()]));
        }
    }

    #[test]
    fn names_are_valid_xml() {
        assert_eq!(escaped("<A & \"B\">"), "&lt;A &amp; &quot;B&quot;&gt;");
        assert_eq!(escaped("a\x0bb\u{fffe}c\u{9b}"), "a\u{fffd}b\u{fffd}c\u{fffd}");
    }
}
