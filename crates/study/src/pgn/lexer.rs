//! Lexer for PGN movetext.

/// Token of movetext.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Token<'a> {
    /// Comment, `{...}` or `;...`, without its delimiters.
    Comment(&'a str),
    /// Comment without its closing brace, up to the end of the text.
    OpenComment(&'a str),
    /// Numeric annotation glyph, `$N`.
    Nag(u8),
    /// Start of a variation, `(`.
    Open,
    /// End of a variation, `)`.
    Close,
    /// Move number, `12.`, `12...` or `...`.
    Number,
    /// Game termination marker in its standard spelling.
    Result(&'static str),
    /// Any other word: a move or an error.
    Word(&'a str),
}

/// En passant suffixes that could be taken for a variation.
const EN_PASSANT: [&str; 2] = ["(ep)", "(e.p.)"];
/// A null move that could be taken for a number.
const NULL_MOVE: &str = "0000";

/// Spellings of game termination markers, each with the standard one.
const RESULTS: [(&str, &str); 9] = [
    ("1-0", "1-0"),
    ("0-1", "0-1"),
    ("1/2-1/2", "1/2-1/2"),
    ("1/2", "1/2-1/2"),
    ("½-½", "1/2-1/2"),
    ("½", "1/2-1/2"),
    ("1–0", "1-0"),
    ("0–1", "0-1"),
    ("*", "*"),
];

/// Returns a result in its standard spelling; `None` if the text is none.
pub fn result(text: &str) -> Option<&'static str> {
    RESULTS.iter().find(|(written, _)| *written == text).map(|&(_, standard)| standard)
}

/// Iterator over the tokens of movetext.
pub struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    /// Creates a lexer at the start of `text`.
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn take(&mut self, length: usize) -> &'a str {
        let taken = &self.text[self.at..self.at + length];
        self.at += length;
        taken
    }

    fn take_line(&mut self) -> &'a str {
        let rest = self.rest();
        self.take(rest.find('\n').unwrap_or(rest.len()))
    }

    /// Skips white space and lines escaped by `%`.
    fn skip_blanks(&mut self) {
        loop {
            let rest = self.rest();
            let begins_line = self.at == 0 || self.text[..self.at].ends_with('\n');
            if begins_line && rest.starts_with('%') {
                self.take_line();
            } else if let Some(blank) = rest.chars().next().filter(|c| c.is_whitespace()) {
                self.at += blank.len_utf8();
            } else {
                return;
            }
        }
    }

    /// Returns the length of the word at the current place in bytes. White space and delimiters end it, except the parentheses
    /// of `a8=(Q)`.
    fn word_length(&self) -> usize {
        let rest = self.rest();
        let mut length = 0;
        for (at, c) in rest.char_indices() {
            if at < length {
                continue;
            }
            if c == '(' && at > 0 {
                let piece = rest[at + 1..].chars().next().map_or(0, char::len_utf8);
                let is_promotion = rest[..at].ends_with(['1', '8', '='])
                    && rest[at + 1..].chars().next().is_some_and(char::is_alphanumeric)
                    && rest[at + 1 + piece..].starts_with(')');
                if is_promotion {
                    length = at + 1 + piece + 1;
                    continue;
                }
            }
            if c.is_whitespace() || "{}();$".contains(c) {
                break;
            }
            length = at + c.len_utf8();
        }
        length.max(rest.chars().next().map_or(0, char::len_utf8))
    }
}

/// Returns the length in bytes of a move number with its dots, or of dots alone, at the start of `text`; 0 if there is none.
fn dotted_number_length(text: &str) -> usize {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let dots: usize = text[digits..].chars().take_while(|&c| c == '.' || c == '…').map(char::len_utf8).sum();
    if dots > 0 { digits + dots } else { 0 }
}

impl<'a> Iterator for Lexer<'a> {
    /// Byte offset of the token, and the token.
    type Item = (usize, Token<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        self.skip_blanks();
        let begin = self.at;
        let rest = self.rest();
        let token = match rest.chars().next()? {
            '{' => match rest.find('}') {
                Some(end) => {
                    let comment = &rest[1..end];
                    self.take(end + 1);
                    Token::Comment(comment)
                }
                None => Token::OpenComment(&self.take(rest.len())[1..]),
            },
            ';' => Token::Comment(&self.take_line()[1..]),
            '(' => match EN_PASSANT.iter().find(|suffix| rest.starts_with(**suffix)) {
                Some(suffix) => Token::Word(self.take(suffix.len())),
                None => {
                    self.take(1);
                    Token::Open
                }
            },
            ')' => {
                self.take(1);
                Token::Close
            }
            '$' => {
                let digits = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
                match rest[1..=digits].parse() {
                    Ok(nag) => {
                        self.take(1 + digits);
                        Token::Nag(nag)
                    }
                    Err(_) => {
                        self.take(1);
                        let length = self.word_length();
                        self.take(length);
                        Token::Word(&rest[..1 + length])
                    }
                }
            }
            _ => {
                // Dots end a number: a text of numbers alone, without blanks, is read in linear time.
                let number = dotted_number_length(rest);
                if number > 0 {
                    self.take(number);
                    return Some((begin, Token::Number));
                }
                let word = self.word_length();
                let word = self.take(word);
                match result(word) {
                    Some(result) => Token::Result(result),
                    None if word != NULL_MOVE && word.bytes().all(|byte| byte.is_ascii_digit()) => {
                        Token::Number
                    }
                    None => Token::Word(word),
                }
            }
        };
        Some((begin, token))
    }
}
