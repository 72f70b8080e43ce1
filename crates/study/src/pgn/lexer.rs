//! Splits PGN movetext into tokens.

use std::collections::HashMap;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Token<'a> {
    /// `{...}` or `;...` without the delimiters, or a draw offer, `(=)`.
    Comment(&'a str),
    /// `{... {...} ...}`: a comment within a comment, without the outer braces.
    NestedComment(&'a str),
    /// A closing brace that closes no comment.
    StrayBrace,
    /// A comment that is never closed, up to the end of the text.
    OpenComment(&'a str),
    /// A numeric annotation glyph, `$N`.
    Nag(u8),
    /// `(`, which begins a variation.
    Open,
    /// `)`, which ends a variation.
    Close,
    /// A move number, `12.`, `12...` or `...`.
    Number,
    /// A game termination marker in its standard spelling.
    Result(&'static str),
    /// Any other word: a move, `0-0` for castling or a double forfeit, or an error.
    Word(&'a str),
}

/// En passant suffixes, which we must not take for variations.
const EN_PASSANT: [&str; 2] = ["(ep)", "(e.p.)"];
/// A draw offer as the Laws of Chess (appendix C) write it, which we must not take for a variation.
const DRAW_OFFER: &str = "(=)";
/// A null move, which we must not take for a number.
const NULL_MOVE: &str = "0000";

/// The result if both players lost. `0-0` can also mean castling; the PGN reader finds out which.
pub const DOUBLE_FORFEIT: &str = "0-0";

/// Spellings of one player's points. `1` and `0` come last, because other spellings begin with them.
const POINTS: [(&str, Points); 6] = [
    ("1/2", Points::Half),
    ("½", Points::Half),
    ("0.5", Points::Half),
    ("0,5", Points::Half),
    ("1", Points::One),
    ("0", Points::Zero),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Points {
    Zero,
    Half,
    One,
}

/// Whether a character takes no room: zero-width spaces, marks of the writing direction, byte order marks and the like.
pub fn is_invisible(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}')
        || matches!(c, '\u{FE0E}' | '\u{FE0F}' | '\u{FEFF}')
}

/// Whether a character separates words: white space, or an invisible character.
#[inline]
pub fn is_blank(c: char) -> bool {
    c.is_whitespace() || !c.is_ascii() && is_invisible(c)
}

/// Whether a character is one of the many hyphens, dashes and minus signs.
pub fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{FE63}' | '\u{FF0D}')
}

/// Returns the standard spelling of a result; `None` for any other text.
pub fn result(text: &str) -> Option<&'static str> {
    let text = text.trim_matches(is_blank);
    if text == "*" {
        return Some("*");
    }
    result_at(text).filter(|&(length, _)| length == text.len()).map(|(_, result)| result)
}

fn points(text: &str) -> Option<(Points, &str)> {
    POINTS.into_iter().find_map(|(written, points)| Some((points, text.strip_prefix(written)?)))
}

/// If `text` begins with a result, such as `1-0`, `½ – ½`, `0:1` or `1/2`, returns its length in bytes and its standard
/// spelling.
fn result_at(text: &str) -> Option<(usize, &'static str)> {
    let (white, rest) = points(text)?;
    let separated = rest.trim_start_matches(is_blank).strip_prefix(|c| is_dash(c) || c == ':');
    let (black, rest) = match separated {
        Some(after) => points(after.trim_start_matches(is_blank))?,
        None if white == Points::Half => (white, rest),
        None => return None,
    };
    let result = match (white, black) {
        (Points::One, Points::Zero) => "1-0",
        (Points::Zero, Points::One) => "0-1",
        (Points::Half, Points::Half) => "1/2-1/2",
        (Points::Zero, Points::Zero) => DOUBLE_FORFEIT,
        (Points::Half, Points::Zero) => "1/2-0",
        (Points::Zero, Points::Half) => "0-1/2",
        _ => return None,
    };
    let is_whole = rest.chars().next().is_none_or(|c| is_blank(c) || is_delimiter(c));
    is_whole.then_some((text.len() - rest.len(), result))
}

/// Whether a character ends a word and begins another token.
fn is_delimiter(c: char) -> bool {
    matches!(c, '{' | '}' | '(' | ')' | ';' | '$')
}

pub struct Lexer<'a> {
    text: &'a str,
    at: usize,
    /// For each opening brace in the text, the offset of the brace that closes it if comments nest. We find all pairs
    /// in one pass when we first need a pair, because a pass for each comment would take quadratic time.
    braces: Option<HashMap<usize, usize>>,
}

impl<'a> Lexer<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0, braces: None }
    }

    /// Returns the byte offset of the end of the last token.
    pub fn at(&self) -> usize {
        self.at
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

    /// Skips white space, and lines that begin with `%`, which PGN programs must ignore.
    fn skip_blanks(&mut self) {
        loop {
            let rest = self.rest();
            let begins_line = self.at == 0 || self.text[..self.at].ends_with('\n');
            if begins_line && rest.starts_with('%') {
                self.take_line();
            } else if let Some(blank) = rest.chars().next().filter(|&c| is_blank(c)) {
                self.at += blank.len_utf8();
            } else {
                return;
            }
        }
    }

    /// If the comment at the current place contains other comments, returns the byte offset of the brace that closes
    /// it. `comment` is the text of that comment up to the first closing brace. Returns `None` if the comment contains
    /// no other comment, or if the braces do not match.
    fn nested_end(&mut self, comment: &str) -> Option<usize> {
        if !comment.contains('{') {
            return None;
        }
        let text = self.text;
        let braces = self.braces.get_or_insert_with(|| {
            let (mut open, mut pairs) = (Vec::new(), HashMap::new());
            for (at, brace) in text.match_indices(['{', '}']) {
                match open.pop() {
                    Some(begin) if brace == "}" => {
                        pairs.insert(begin, at);
                    }
                    last => open.extend(last.into_iter().chain((brace == "{").then_some(at))),
                }
            }
            pairs
        });
        braces.get(&self.at).copied()
    }

    /// Returns the length in bytes of the word at the current place. White space and delimiters end the word, but not
    /// the parentheses of `a8=(Q)`.
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
            if c.is_whitespace() || is_delimiter(c) {
                break;
            }
            length = at + c.len_utf8();
        }
        length.max(rest.chars().next().map_or(0, char::len_utf8))
    }
}

/// Returns the length in bytes of the number at the start of `text`: `12.`, `12...` or dots alone. 0 if there is none.
fn dotted_number_length(text: &str) -> usize {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let dots: usize = text[digits..].chars().take_while(|&c| c == '.' || c == '…').map(char::len_utf8).sum();
    if dots > 0 { digits + dots } else { 0 }
}

impl<'a> Iterator for Lexer<'a> {
    /// The byte offset of a token, and the token.
    type Item = (usize, Token<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        self.skip_blanks();
        let begin = self.at;
        let rest = self.rest();
        let token = match rest.chars().next()? {
            '{' => match rest.find('}') {
                Some(end) => match self.nested_end(&rest[1..end]) {
                    Some(end) => Token::NestedComment(&self.take(end + 1 - begin)[1..end - begin]),
                    None => Token::Comment(&self.take(end + 1)[1..end]),
                },
                None => Token::OpenComment(&self.take(rest.len())[1..]),
            },
            '}' => {
                self.take(1);
                Token::StrayBrace
            }
            ';' => Token::Comment(&self.take_line()[1..]),
            '(' if rest.starts_with(DRAW_OFFER) => Token::Comment(self.take(DRAW_OFFER.len())),
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
                if let Some((length, result)) = result_at(rest) {
                    let word = self.take(length);
                    let may_castle = result == DOUBLE_FORFEIT && !word.contains(|c| is_blank(c) || c == ':');
                    let token = if may_castle { Token::Word(word) } else { Token::Result(result) };
                    return Some((begin, token));
                }
                // A move number ends after its dots, even if no space follows: `1.e4` is two tokens.
                let number = dotted_number_length(rest);
                if number > 0 {
                    self.take(number);
                    return Some((begin, Token::Number));
                }
                let word = self.word_length();
                match self.take(word).trim_end_matches(is_invisible) {
                    "*" => Token::Result("*"),
                    word if word != NULL_MOVE && word.bytes().all(|byte| byte.is_ascii_digit()) => {
                        Token::Number
                    }
                    word => Token::Word(word),
                }
            }
        };
        Some((begin, token))
    }
}
