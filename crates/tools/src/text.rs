//! Text for people: decodes files of unknown encoding, wraps lines, quotes words for the shell, escapes XML.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};
use clap::builder::{PathBufValueParser, TypedValueParser};
use console::measure_text_width;
use encoding_rs::WINDOWS_1252;

use enroque::terminal::{OutputError, print_line};

/// We wrap printed lines at this many columns.
pub const WIDTH: usize = 80;
/// When we wrap a line, we indent the rest by at most this many columns, so that enough room is left for text.
const MAX_INDENT: usize = 48;

pub fn print(text: &str) -> Result<(), OutputError> {
    print_line(&fit(text))
}

/// Wraps lines longer than [`WIDTH`] at blanks. Two or more blanks separate columns, and the rest of a long line is
/// indented to where its last column begins.
pub fn fit(text: &str) -> String {
    text.split('\n').map(fit_line).collect::<Vec<_>>().join("\n")
}

fn fit_line(line: &str) -> String {
    if measure_text_width(line) <= WIDTH {
        return line.to_owned();
    }
    let begins = line.match_indices(' ').map(|(at, _)| at + 1);
    let columns = begins.filter(|&at| line[..at].ends_with("  ") && !line[at..].starts_with(' '));
    let mut columns = columns.map(|at| (at, measure_text_width(&line[..at])));
    let (begin, indent) = columns.rfind(|&(_, width)| width <= MAX_INDENT).unwrap_or((0, 0));
    let (mut lines, mut column) = (line[..begin].to_owned(), indent);
    for (index, word) in line[begin..].split(' ').enumerate() {
        let width = measure_text_width(word);
        if index > 0 && column + 1 + width > WIDTH {
            let _ = write!(lines, "\n{:indent$}", "");
            column = indent;
        } else if index > 0 {
            lines.push(' ');
            column += 1;
        }
        lines.push_str(word);
        column += width;
    }
    lines
}

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

/// Escapes text for XML, and replaces the characters that XML does not allow by U+FFFD.
pub fn escaped(text: &str) -> String {
    let is_allowed = |c: char| !c.is_control() && !matches!(c, '\u{FFFE}' | '\u{FFFF}');
    let text: String =
        text.chars().map(|c| if is_allowed(c) { c } else { char::REPLACEMENT_CHARACTER }).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Compressed formats, and the bytes that their files begin with.
const COMPRESSED_FORMATS: [(&str, &[u8]); 6] = [
    ("gzip", &[0x1f, 0x8b]),
    ("zstd", &[0x28, 0xb5, 0x2f, 0xfd]),
    ("bzip2", b"BZh"),
    ("zip", b"PK\x03\x04"),
    ("xz", &[0xfd, b'7', b'z', b'X', b'Z']),
    ("7-Zip", &[b'7', b'z', 0xbc, 0xaf]),
];

/// Control characters that occur in text files: tab, line feed, carriage return, vertical tab, form feed, and the
/// end-of-file mark of DOS.
const TEXT_CONTROLS: &[u8] = b"\t\n\r\x0b\x0c\x1a";
const UTF16: &str = "UTF-16 text; save it as UTF-8";
/// The byte order marks of UTF-16, little and big endian.
const UTF16_MARKS: [&[u8]; 2] = [&[0xff, 0xfe], &[0xfe, 0xff]];
/// How many byte pairs we look at to recognise UTF-16 that has no byte order mark.
const UTF16_SAMPLE: usize = 50;
/// We never take a file with fewer byte pairs than this for UTF-16.
const UTF16_MIN_PAIRS: usize = 2;
/// In UTF-16, mostly Latin text has a high byte of 0 in nearly every byte pair. We take a file for UTF-16 only if at
/// least this percentage of the pairs have one.
const UTF16_MIN_ZERO_PERCENT: usize = 90;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text {
    /// Without byte order marks.
    pub text: String,
    /// `true` if some bytes were not valid UTF-8, so that we decoded them as Windows-1252.
    pub was_latin1: bool,
}

/// Decodes UTF-8, and reads bytes that aren't valid UTF-8 as Windows-1252. If the bytes aren't such text, the error
/// says what they seem to be.
pub fn decode(bytes: Vec<u8>) -> Result<Text> {
    if let Some((name, _)) = COMPRESSED_FORMATS.iter().find(|(_, magic)| bytes.starts_with(magic)) {
        bail!("compressed by {name}; unpack it first");
    }
    ensure!(!UTF16_MARKS.iter().any(|mark| bytes.starts_with(mark)), UTF16);
    let is_binary = |&byte: &u8| byte < b' ' && !TEXT_CONTROLS.contains(&byte);
    if let Some(at) = bytes.iter().position(is_binary) {
        // A control character means a binary file, or, if it is a zero byte, maybe UTF-16 without a byte order mark.
        let pairs = || bytes.chunks_exact(2).take(UTF16_SAMPLE);
        let zeros = |place: usize| pairs().filter(|pair| pair[place] == 0).count();
        let is_mostly_zero = |count: usize| count * 100 >= pairs().len() * UTF16_MIN_ZERO_PERCENT;
        let is_utf16 =
            bytes[at] == 0 && pairs().len() >= UTF16_MIN_PAIRS && is_mostly_zero(zeros(0).max(zeros(1)));
        bail!(if is_utf16 { UTF16 } else { "not a text file" });
    }
    let (mut text, was_latin1) = match String::from_utf8(bytes) {
        Ok(text) => (text, false),
        // Somebody may have joined files in UTF-8 and Windows-1252, so we read only the invalid bytes as Windows-1252.
        Err(error) => {
            let decode = |bytes| WINDOWS_1252.decode_without_bom_handling(bytes).0;
            let chunks = error.as_bytes().utf8_chunks();
            let text = chunks.flat_map(|chunk| [chunk.valid().into(), decode(chunk.invalid())]);
            (text.collect(), true)
        }
    };
    let begin = text.len() - text.trim_start_matches('\u{FEFF}').len();
    text.drain(..begin);
    // In joined files, later lines can begin with a byte order mark too.
    if text.contains("\n\u{FEFF}") {
        text = text.replace("\n\u{FEFF}", "\n");
    }
    Ok(Text { text, was_latin1 })
}

/// Whether a file name has this extension (given without the dot), ignoring case.
pub fn has_extension(file: &str, extension: &str) -> bool {
    Path::new(file).extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken_below_their_column() {
        for blanks in [2, 3, 15] {
            let first = format!("  by hand{:blanks$}", "");
            let text = fit(&format!("short\n{first}{}", "word ".repeat(30).trim_end()));
            let (begin, rest) = text.split_once(&first).unwrap();
            let expected = format!("{:1$}word", "", first.len());
            assert!(
                begin == "short\n" && rest.lines().skip(1).all(|line| line.starts_with(&expected)),
                "{text}"
            );
            assert!(text.lines().count() > 3 && text.lines().all(|line| line.len() <= WIDTH), "{text}");
        }
        // A line without columns continues at the left margin, and a word that is too long for a line stays whole.
        let words = fit(&format!("one {} two", "x".repeat(90)));
        assert_eq!(words.lines().map(str::len).collect::<Vec<_>>(), [3, 90, 3]);
    }

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

    #[test]
    fn encodings_are_recognised() {
        let read = |bytes: &[u8]| decode(bytes.to_vec()).map_err(|error| error.to_string());
        let text = |text: &str, was_latin1| Ok(Text { text: text.to_owned(), was_latin1 });
        assert_eq!(read("[White \"Grünfeld\"]\r\n".as_bytes()), text("[White \"Grünfeld\"]\r\n", false));
        assert_eq!(read("\u{FEFF}1. e4".as_bytes()), text("1. e4", false));
        let joined = "\u{FEFF}1. e4 *\n\u{FEFF}[White \"A\"]\n";
        assert_eq!(read(joined.as_bytes()), text("1. e4 *\n[White \"A\"]\n", false));
        assert_eq!(read(b"Gr\xfcnfeld \x96 Sch\xf6n"), text("Grünfeld – Schön", true));
        // Only the bytes that aren't valid UTF-8 are decoded as Windows-1252.
        let mixed =
            [&b"\xef\xbb\xbfGr\xc3\xbcnfeld \xe9 Sch\xf6n \xc5\x81\n\xef\xbb\xbf"[..], b"\xe2\x82 \xc3\xa9"]
                .concat();
        assert_eq!(read(&mixed), text("Grünfeld é Schön Ł\nâ‚ é", true));
        let wide: Vec<u8> = "[White \"A\"]".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(read(&wide), Err(UTF16.to_owned()));
        assert_eq!(read(&[&[0xff, 0xfe], &wide[..]].concat()), Err(UTF16.to_owned()));
        let big: Vec<u8> = "[White \"A\"]".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(read(&big), Err(UTF16.to_owned()));
        assert_eq!(read(&[0x1f, 0x8b, 8, 0]), Err("compressed by gzip; unpack it first".to_owned()));
        assert_eq!(read(b"PK\x03\x04abc"), Err("compressed by zip; unpack it first".to_owned()));
        assert_eq!(read(b"1. e4 \0 e5"), Err("not a text file".to_owned()));
        assert_eq!(read(b""), text("", false));
    }
}
