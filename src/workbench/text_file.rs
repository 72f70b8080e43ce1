//! Text files from everywhere: UTF-8, or the Latin-1 of older programs.

use std::path::Path;

use encoding_rs::WINDOWS_1252;
use thiserror::Error;

/// Why a file is no text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum TextError {
    /// Two bytes a character.
    #[error("UTF-16 text; save it as UTF-8")]
    Utf16,
    /// An archive.
    #[error("compressed by {0}; unpack it first")]
    Compressed(&'static str),
    /// Anything else.
    #[error("not a text file")]
    Binary,
}

/// How compressed files begin.
const ARCHIVES: [(&str, &[u8]); 6] = [
    ("gzip", &[0x1f, 0x8b]),
    ("zstd", &[0x28, 0xb5, 0x2f, 0xfd]),
    ("bzip2", b"BZh"),
    ("zip", b"PK\x03\x04"),
    ("xz", &[0xfd, b'7', b'z', b'X', b'Z']),
    ("7-Zip", &[b'7', b'z', 0xbc, 0xaf]),
];

/// A text, and whether it was Latin-1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text {
    /// Without a byte order mark.
    pub text: String,
    /// It was not UTF-8.
    pub was_latin1: bool,
}

/// Reads the bytes of a file as text.
///
/// # Errors
/// When they are none.
pub fn decode(bytes: Vec<u8>) -> Result<Text, TextError> {
    if let Some((name, _)) = ARCHIVES.iter().find(|(_, magic)| bytes.starts_with(magic)) {
        return Err(TextError::Compressed(name));
    }
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(TextError::Utf16);
    }
    let is_binary = |&byte: &u8| byte < b' ' && !b"\t\n\r\x0b\x0c\x1a".contains(&byte);
    if let Some(at) = bytes.iter().position(is_binary) {
        // Without its mark UTF-16 still shows: every other byte of plain letters is 0.
        let pairs = || bytes.chunks_exact(2).take(50);
        let zeros = |place: usize| pairs().filter(|pair| pair[place] == 0).count();
        let is_utf16 =
            bytes[at] == 0 && pairs().len() > 1 && zeros(0).max(zeros(1)) * 10 >= pairs().len() * 9;
        return Err(if is_utf16 { TextError::Utf16 } else { TextError::Binary });
    }
    Ok(match String::from_utf8(bytes) {
        Ok(text) => Text { text: text.trim_start_matches('\u{FEFF}').to_owned(), was_latin1: false },
        Err(error) => {
            let (text, ..) = WINDOWS_1252.decode(error.as_bytes());
            Text { text: text.into_owned(), was_latin1: true }
        }
    })
}

/// Whether a file's name ends like this, in whatever case.
pub fn has_ending(file: &str, ending: &str) -> bool {
    Path::new(file).extension().is_some_and(|found| found.eq_ignore_ascii_case(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_told_from_what_is_none() {
        let read = |bytes: &[u8]| decode(bytes.to_vec());
        let text = |text: &str, was_latin1| Ok(Text { text: text.to_owned(), was_latin1 });
        assert_eq!(read("[White \"Grünfeld\"]\r\n".as_bytes()), text("[White \"Grünfeld\"]\r\n", false));
        assert_eq!(read("\u{FEFF}1. e4".as_bytes()), text("1. e4", false));
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
