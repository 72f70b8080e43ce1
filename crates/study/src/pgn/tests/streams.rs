//! Files of games that we read as streams.

use std::cell::Cell;
use std::io::{self, BufReader, Read};

use super::*;
use crate::encoding::TextError;

/// Repeats a text without end, and counts how many bytes have been read.
struct Endless<'a> {
    text: &'a [u8],
    read: &'a Cell<usize>,
}

impl Read for Endless<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let from = self.read.get() % self.text.len();
        let count = (&self.text[from..]).read(buffer)?;
        self.read.set(self.read.get() + count);
        Ok(count)
    }
}

#[test]
fn files_of_any_size_take_little_memory() {
    let game = "[White \"A\"]\n\n1. e4 {a {b} e5 *\n\n";
    let open = "[White \"A\"]\n\n1. e4 {open\n\n[White \"B\"]\n\n1. d4 *\n\n";
    // No brace ever closes the comments of the second file.
    for (text, limit) in [(game, 10_000), (open, 2_000_000)] {
        let read = Cell::new(0);
        let mut sections = Sections::new(BufReader::new(Endless { text: text.as_bytes(), read: &read }));
        let mut taken = 0;
        for _ in 0..10_000 {
            taken += sections.next().unwrap().unwrap().text.len();
            assert!(read.get() < taken + limit, "{} bytes read for {taken}", read.get());
        }
    }
}

#[test]
fn streams_and_texts_have_the_same_games() {
    let text =
        "\u{FEFF}[White \"Grünfeld\"]\n\n1. e4 {é\n\n[Site \"x\"]\n} e5 1-0\n\n[White \"B\"]\n\n1. d4 *\n";
    let expected = sections(text);
    assert_eq!(expected.iter().map(|section| section.line).collect::<Vec<_>>(), [1, 8]);
    let latin1: Vec<u8> = text.chars().skip(1).map(|c| c as u8).collect();
    let crlf = text.replace('\n', "\r\n").into_bytes();
    let cr = text.replace('\n', "\r").into_bytes();
    for bytes in [text.as_bytes().to_vec(), latin1.clone(), crlf, cr] {
        for capacity in [1, 7, 100] {
            let mut stream = Sections::new(BufReader::with_capacity(capacity, &bytes[..]));
            let found: Vec<Section> = stream.by_ref().map(Result::unwrap).collect();
            assert_eq!(stream.was_latin1(), bytes == latin1);
            let lines = |sections: &[Section]| sections.iter().map(|s| s.line).collect::<Vec<_>>();
            assert_eq!(lines(&found), lines(&expected));
            for (found, expected) in found.iter().zip(&expected) {
                assert_eq!(found.text.replace('\r', ""), expected.text);
            }
        }
    }
    let mut binary = Sections::new(&b"[White \"A\"]\n\n1. e4 *\n\n[White \"B\"]\n\x01"[..]);
    assert_eq!(binary.next().unwrap().unwrap().text, "[White \"A\"]\n\n1. e4 *\n\n");
    assert!(matches!(binary.next(), Some(Err(TextError::Binary))) && binary.next().is_none());
}
