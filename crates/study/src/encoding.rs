//! Decodes text files line by line: UTF-8 or Windows-1252, with or without byte order marks, with any line ends.

use std::io::{self, BufRead};

use thiserror::Error;

/// Why a file can't be read as text.
#[derive(Debug, Error)]
pub enum TextError {
    /// The file can't be read at all.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is compressed, by a program with this name.
    #[error("compressed by {0}; unpack it first")]
    Compressed(&'static str),
    /// The file is UTF-16, with or without a byte order mark.
    #[error("UTF-16 text; save it as UTF-8")]
    Utf16,
    /// The file has control characters that no text has.
    #[error("not a text file")]
    Binary,
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
/// The byte order marks of UTF-16, little and big endian.
const UTF16_MARKS: [&[u8]; 2] = [&[0xff, 0xfe], &[0xfe, 0xff]];
/// How many byte pairs we look at to recognise UTF-16 that has no byte order mark.
const UTF16_SAMPLE: usize = 50;
/// We never take a file with fewer byte pairs than this for UTF-16.
const UTF16_MIN_PAIRS: usize = 2;
/// In UTF-16, mostly Latin text has a high byte of 0 in nearly every byte pair. We take a file for UTF-16 only if at
/// least this percentage of the pairs have one.
const UTF16_MIN_ZERO_PERCENT: usize = 90;

/// What the bytes 0x80 to 0x9F mean in Windows-1252. All other bytes are the Unicode character with their number.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}', '\u{90}',
    '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
];
const BYTE_ORDER_MARK: char = '\u{FEFF}';

/// A decoded file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text {
    /// Without byte order marks.
    pub text: String,
    /// `true` if some bytes were not valid UTF-8, so that we decoded them as Windows-1252.
    pub was_latin1: bool,
}

/// Decodes UTF-8, and reads bytes that aren't valid UTF-8 as Windows-1252.
///
/// # Errors
/// If the bytes aren't such text, the error says what they seem to be.
pub fn decode(bytes: &[u8]) -> Result<Text, TextError> {
    let mut lines = Lines::new(bytes);
    let mut text = String::with_capacity(bytes.len());
    while lines.read_onto(&mut text)? {}
    Ok(Text { text, was_latin1: lines.was_latin1() })
}

/// How the lines of a file end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LineEnd {
    /// `\n` or `\r\n`.
    LineFeed,
    /// `\r` alone, as old Macs write it.
    CarriageReturn,
}

/// Reads and decodes a file line by line, so that files of any size take little memory.
pub struct Lines<R> {
    input: R,
    /// Whether control characters that no text has are errors.
    refuses_binary: bool,
    /// How the first line ended; `None` before its end.
    line_end: Option<LineEnd>,
    was_latin1: bool,
    /// The bytes of the current line.
    line: Vec<u8>,
}

impl<'a> Lines<&'a [u8]> {
    /// Reads the lines of a text in memory, which may have any characters.
    pub(crate) fn of_text(text: &'a str) -> Self {
        Self { refuses_binary: false, ..Self::new(text.as_bytes()) }
    }
}

impl<R: BufRead> Lines<R> {
    /// Reads the lines of a file.
    pub fn new(input: R) -> Self {
        Self { input, refuses_binary: true, line_end: None, was_latin1: false, line: Vec::new() }
    }

    /// Whether some bytes so far were not valid UTF-8, so that we decoded them as Windows-1252.
    pub fn was_latin1(&self) -> bool {
        self.was_latin1
    }

    /// Appends the next line to `text`, with its line end and without byte order marks; also the empty lines after the
    /// first line if carriage returns end them. A carriage return that ends a line alone becomes a line feed. Returns
    /// `false` at the end of the file.
    ///
    /// # Errors
    /// Fails if the file can't be read, or isn't text.
    pub fn read_onto(&mut self, text: &mut String) -> Result<bool, TextError> {
        self.line.clear();
        if !self.read_bytes()? {
            return Ok(false);
        }
        let begin = text.len();
        // Somebody may have joined files in UTF-8 and Windows-1252, so we read only the invalid bytes as Windows-1252.
        for chunk in self.line.utf8_chunks() {
            text.push_str(chunk.valid());
            self.was_latin1 |= !chunk.invalid().is_empty();
            text.extend(chunk.invalid().iter().map(|&byte| from_windows_1252(byte)));
        }
        // In joined files, later lines can begin with a byte order mark, too.
        let marks = text[begin..].len() - text[begin..].trim_start_matches(BYTE_ORDER_MARK).len();
        text.drain(begin..begin + marks);
        Ok(true)
    }

    /// Reads the bytes of the next line. Returns `false` at the end of the file.
    fn read_bytes(&mut self) -> Result<bool, TextError> {
        loop {
            let chunk = match self.input.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error.into()),
            };
            if chunk.is_empty() {
                return Ok(!self.line.is_empty());
            }
            let end = match self.line_end {
                None => chunk.iter().position(|byte| b"\r\n".contains(byte)),
                Some(LineEnd::LineFeed) => chunk.iter().position(|&byte| byte == b'\n'),
                Some(LineEnd::CarriageReturn) => chunk.iter().position(|&byte| byte == b'\r'),
            };
            let length = end.map_or(chunk.len(), |end| end + 1);
            if self.refuses_binary {
                let begin = if self.line_end.is_none() { Some(&*self.line) } else { None };
                check(begin, chunk, length)?;
            }
            self.line.extend_from_slice(&chunk[..length]);
            self.input.consume(length);
            if end.is_some() && self.is_line_end()? {
                return Ok(true);
            }
        }
    }

    /// Whether a line ends with the last byte that we read. The first line end of a file shows how all its lines end.
    fn is_line_end(&mut self) -> Result<bool, TextError> {
        if self.line.ends_with(b"\r") {
            if self.line_end.is_none() {
                // Before a line feed, a carriage return is the first half of the line end. Careless programs double it.
                if self.input.fill_buf()?.first().is_none_or(|next| b"\r\n".contains(next)) {
                    return Ok(false);
                }
                self.line_end = Some(LineEnd::CarriageReturn);
            }
            self.line.iter_mut().filter(|byte| **byte == b'\r').for_each(|byte| *byte = b'\n');
        }
        self.line_end.get_or_insert(LineEnd::LineFeed);
        Ok(true)
    }
}

/// Fails if a part of a file isn't text. `begin` is the text before `chunk` if that is still the first line, and
/// `length` says how much of the chunk belongs to the line.
fn check(begin: Option<&[u8]>, chunk: &[u8], length: usize) -> Result<(), TextError> {
    let sample = || {
        let first = begin.unwrap_or_default().iter().chain(chunk);
        first.take(2 * UTF16_SAMPLE).copied().collect::<Vec<_>>()
    };
    if begin.is_some() {
        let sample = sample();
        if let Some((name, _)) = COMPRESSED_FORMATS.iter().find(|(_, magic)| sample.starts_with(magic)) {
            return Err(TextError::Compressed(name));
        }
        if UTF16_MARKS.iter().any(|mark| sample.starts_with(mark)) {
            return Err(TextError::Utf16);
        }
    }
    let is_binary = |&&byte: &&u8| byte < b' ' && !TEXT_CONTROLS.contains(&byte);
    let Some(&control) = chunk[..length].iter().find(is_binary) else { return Ok(()) };
    // A control character means a binary file or, if it is a zero byte, maybe UTF-16 without a byte order mark.
    let sample = sample();
    let pairs = || sample.chunks_exact(2);
    let zeros = |place: usize| pairs().filter(|pair| pair[place] == 0).count();
    let is_mostly_zero = |count: usize| count * 100 >= pairs().len() * UTF16_MIN_ZERO_PERCENT;
    let is_utf16 = begin.is_some()
        && control == 0
        && pairs().len() >= UTF16_MIN_PAIRS
        && is_mostly_zero(zeros(0).max(zeros(1)));
    Err(if is_utf16 { TextError::Utf16 } else { TextError::Binary })
}

fn from_windows_1252(byte: u8) -> char {
    match byte {
        0x80..=0x9F => WINDOWS_1252[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_recognised() {
        let read = |bytes: &[u8]| decode(bytes).map_err(|error| error.to_string());
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
        let utf16 = || Err("UTF-16 text; save it as UTF-8".to_owned());
        assert_eq!(read(&wide), utf16());
        assert_eq!(read(&[&[0xff, 0xfe], &wide[..]].concat()), utf16());
        let big: Vec<u8> = "[White \"A\"]".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(read(&big), utf16());
        assert_eq!(read(&[0x1f, 0x8b, 8, 0]), Err("compressed by gzip; unpack it first".to_owned()));
        assert_eq!(read(b"PK\x03\x04abc"), Err("compressed by zip; unpack it first".to_owned()));
        assert_eq!(read(b"1. e4 \0 e5"), Err("not a text file".to_owned()));
        assert_eq!(read(b""), text("", false));
    }

    #[test]
    fn windows_1252_matches_the_standard() {
        let all: Vec<u8> = (0x80..=0xFF).collect();
        let (expected, _) = encoding_rs::WINDOWS_1252.decode_without_bom_handling(&all);
        assert_eq!(all.iter().map(|&byte| from_windows_1252(byte)).collect::<String>(), expected);
    }

    /// A line may be cut anywhere by the buffer of the reader.
    #[test]
    fn buffers_of_any_size_give_the_same_lines() {
        for (text, expected) in [
            ("\u{FEFF}é\r\n\r\nb\r\n", "é\r\n\r\nb\r\n"),
            ("a\rb\r\r\u{FEFF}c\r", "a\nb\n\nc\n"),
            ("a\r\r\nb\rc\n", "a\r\r\nb\rc\n"),
            ("\u{FEFF}\u{FEFF}ab\n\u{FEFF}", "ab\n"),
            ("a\r", "a\r"),
            ("a\r\rb\rc", "a\n\nb\nc"),
        ] {
            for capacity in 1..=8 {
                let mut lines = Lines::new(io::BufReader::with_capacity(capacity, text.as_bytes()));
                let mut read = String::new();
                while lines.read_onto(&mut read).unwrap() {}
                assert_eq!(read, expected, "{text:?} in steps of {capacity}");
            }
        }
        // Whoever reads a binary file without a line end must not fill the memory first.
        let endless = io::BufReader::new(io::Read::chain(&b"a"[..], io::repeat(1)));
        assert!(matches!(Lines::new(endless).read_onto(&mut String::new()), Err(TextError::Binary)));
    }
}
