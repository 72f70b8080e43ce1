//! Decoding of text files: UTF-8, or Windows-1252 as written by older programs.

use std::path::Path;

use encoding_rs::WINDOWS_1252;
use thiserror::Error;

/// Error of decoding a text file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum TextError {
    /// UTF-16, with or without a byte order mark.
    #[error("UTF-16 text; save it as UTF-8")]
    Utf16,
    /// Compressed file, with the name of the format.
    #[error("compressed by {0}; unpack it first")]
    Compressed(&'static str),
    /// Control characters that no text has.
    #[error("not a text file")]
    Binary,
}

/// Names and first bytes of compressed formats.
const COMPRESSED_FORMATS: [(&str, &[u8]); 6] = [
    ("gzip", &[0x1f, 0x8b]),
    ("zstd", &[0x28, 0xb5, 0x2f, 0xfd]),
    ("bzip2", b"BZh"),
    ("zip", b"PK\x03\x04"),
    ("xz", &[0xfd, b'7', b'z', b'X', b'Z']),
    ("7-Zip", &[b'7', b'z', 0xbc, 0xaf]),
];

/// Control characters that occur in text files: tab, line feed, carriage return, vertical tab, form feed, end of file.
const TEXT_CONTROLS: &[u8] = b"\t\n\r\x0b\x0c\x1a";
/// Byte order marks of UTF-16, little and big endian.
const UTF16_MARKS: [&[u8]; 2] = [&[0xff, 0xfe], &[0xfe, 0xff]];
/// Byte pairs examined to recognise UTF-16 without a mark.
const UTF16_SAMPLE: usize = 50;
/// Smallest number of byte pairs that can be recognised as UTF-16.
const UTF16_MIN_PAIRS: usize = 2;
/// Per cent of the pairs whose high byte is 0 in UTF-16 text of mostly Latin letters.
const UTF16_MIN_ZERO_PERCENT: usize = 90;

/// Decoded text of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text {
    /// Content without a byte order mark.
    pub text: String,
    /// `true` if the file was not UTF-8 and was decoded as Windows-1252.
    pub was_latin1: bool,
}

/// Decodes the bytes of a file as text.
///
/// # Errors
/// Returns an error if the bytes are compressed, UTF-16 or binary.
pub fn decode(bytes: Vec<u8>) -> Result<Text, TextError> {
    if let Some((name, _)) = COMPRESSED_FORMATS.iter().find(|(_, magic)| bytes.starts_with(magic)) {
        return Err(TextError::Compressed(name));
    }
    if UTF16_MARKS.iter().any(|mark| bytes.starts_with(mark)) {
        return Err(TextError::Utf16);
    }
    let is_binary = |&byte: &u8| byte < b' ' && !TEXT_CONTROLS.contains(&byte);
    if let Some(at) = bytes.iter().position(is_binary) {
        // Without a mark, the high byte of nearly every UTF-16 character is 0.
        let pairs = || bytes.chunks_exact(2).take(UTF16_SAMPLE);
        let zeros = |place: usize| pairs().filter(|pair| pair[place] == 0).count();
        let is_mostly_zero = |count: usize| count * 100 >= pairs().len() * UTF16_MIN_ZERO_PERCENT;
        let is_utf16 =
            bytes[at] == 0 && pairs().len() >= UTF16_MIN_PAIRS && is_mostly_zero(zeros(0).max(zeros(1)));
        return Err(if is_utf16 { TextError::Utf16 } else { TextError::Binary });
    }
    Ok(match String::from_utf8(bytes) {
        Ok(mut text) => {
            let begin = text.len() - text.trim_start_matches('\u{FEFF}').len();
            text.drain(..begin);
            // Files that were joined have marks inside.
            if text.contains("\n\u{FEFF}") {
                text = text.replace("\n\u{FEFF}", "\n");
            }
            Text { text, was_latin1: false }
        }
        Err(error) => {
            let (text, ..) = WINDOWS_1252.decode(error.as_bytes());
            Text { text: text.into_owned(), was_latin1: true }
        }
    })
}

/// Returns `true` if a file name has the given extension, ignoring case.
pub fn has_extension(file: &str, extension: &str) -> bool {
    Path::new(file).extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_recognised() {
        let read = |bytes: &[u8]| decode(bytes.to_vec());
        let text = |text: &str, was_latin1| Ok(Text { text: text.to_owned(), was_latin1 });
        assert_eq!(read("[White \"Grünfeld\"]\r\n".as_bytes()), text("[White \"Grünfeld\"]\r\n", false));
        assert_eq!(read("\u{FEFF}1. e4".as_bytes()), text("1. e4", false));
        let joined = "\u{FEFF}1. e4 *\n\u{FEFF}[White \"A\"]\n";
        assert_eq!(read(joined.as_bytes()), text("1. e4 *\n[White \"A\"]\n", false));
        assert_eq!(read(b"Gr\xfcnfeld \x96 Sch\xf6n"), text("Grünfeld – Schön", true));
        let wide: Vec<u8> = "[White \"A\"]".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(read(&wide), Err(TextError::Utf16));
        assert_eq!(read(&[&[0xff, 0xfe], &wide[..]].concat()), Err(TextError::Utf16));
        let big: Vec<u8> = "[White \"A\"]".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(read(&big), Err(TextError::Utf16));
        assert_eq!(read(&[0x1f, 0x8b, 8, 0]), Err(TextError::Compressed("gzip")));
        assert_eq!(read(b"PK\x03\x04abc"), Err(TextError::Compressed("zip")));
        assert_eq!(read(b"1. e4 \0 e5"), Err(TextError::Binary));
        assert_eq!(read(b""), text("", false));
    }
}
