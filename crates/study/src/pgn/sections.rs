//! Splits a PGN file into the texts of its games.

use std::collections::HashSet;
use std::io::BufRead;

use super::PgnGame;
use super::error::PgnError;
use super::lexer::{Lexer, Token, is_blank};
use super::reader::read;
use super::tag::Tag;
use crate::encoding::{Lines, TextError};
use enroque::chess::{Board, CastlingRules};

/// The text of one game in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    /// The number of the game in the file, counted from 1.
    pub number: usize,
    /// The line of the file on which the game begins, counted from 1.
    pub line: usize,
    /// Tags and movetext.
    pub text: String,
    /// How many moves the game seems to have: the words of its main line. We don't look whether they are legal moves,
    /// which makes this much faster than [`read`].
    pub moves: usize,
}

impl Section {
    /// Reads the game, as [`read`] does. The lines of its errors are those of the file.
    ///
    /// # Errors
    /// Fails if the start position is invalid or missing, or the variant unknown.
    pub fn read(&self, rules: CastlingRules, start: Option<&Board>) -> Result<PgnGame, PgnError> {
        let in_file = |error: &mut PgnError| error.at.line += self.line - 1;
        let mut game = read(&self.text, rules, start);
        match &mut game {
            Ok(game) => game.errors.iter_mut().for_each(in_file),
            Err(error) => in_file(error),
        }
        game
    }
}

/// Splits a text into games, as [`Sections`] does.
pub fn sections(text: &str) -> Vec<Section> {
    // A text in memory can always be read.
    Sections::of_lines(Lines::of_text(text)).map_while(Result::ok).collect()
}

/// The longest comment, in bytes. We assume that a longer one isn't closed, so that a missing brace doesn't make us
/// hold the rest of the file in memory.
const MAX_COMMENT: usize = 1 << 20;

/// Splits a PGN file into games, so that an error in one game does not affect the next game. Holds little more than one
/// game in memory.
///
/// A game begins with the first tag after movetext, even on the same line. After a game without moves, the next game
/// begins with a second tag `Event`, or when any other tag is repeated after a blank line. Tags within a comment do not
/// count, unless the brace that should close the comment seems to be missing.
///
/// Games without tags may follow each other. After the result of a game, the next one begins with move number 1, and
/// after a blank line also with any move or with another result. Without a result, the next game begins where the move
/// numbers begin again at 1 after a blank line or after a higher number. A comment after the blank line belongs to the
/// next game.
pub struct Sections<R> {
    lines: Lines<R>,
    /// The text of the current game, and what we have read beyond its end.
    buffer: String,
    /// Byte offset of the current game in `buffer`. We don't remove a game from `buffer` at once, because to move the
    /// rest of a long buffer for each game would take quadratic time.
    begin: usize,
    /// How many games we have returned.
    games: usize,
    /// Line numbers of the game and of the current line, counted from 1.
    begin_line: usize,
    line: usize,
    /// Byte offset of the next character that we look at.
    at: usize,
    /// Byte offsets of the current line.
    line_begin: usize,
    line_end: usize,
    /// Byte offset of the next opening bracket on the current line, or of its end, if that is after `at`.
    bracket: usize,
    /// There is no closing brace between the last opening one and this byte offset.
    no_brace_before: usize,
    /// Whether the line before this offset is blank.
    is_blank_before_that: bool,
    /// Whether the last complete line was blank.
    is_after_blank: bool,
    /// Whether there has been nothing but tags, comments and blanks on the current line.
    has_only_tags: bool,
    /// The names, in lower case, of the current game's tags since the last movetext.
    names: HashSet<String>,
    /// The movetext after the last tag.
    movetext: Movetext,
    /// Whether there is a blank line after the last tag.
    has_paused: bool,
    has_failed: bool,
}

impl<R: BufRead> Sections<R> {
    /// Reads the games of a file, which is in UTF-8 or Windows-1252.
    pub fn new(input: R) -> Self {
        Self::of_lines(Lines::new(input))
    }

    fn of_lines(lines: Lines<R>) -> Self {
        Self {
            lines,
            buffer: String::new(),
            begin: 0,
            games: 0,
            begin_line: 1,
            line: 0,
            at: 0,
            line_begin: 0,
            line_end: 0,
            bracket: 0,
            no_brace_before: 0,
            is_blank_before_that: false,
            is_after_blank: true,
            has_only_tags: true,
            names: HashSet::new(),
            movetext: Movetext::default(),
            has_paused: false,
            has_failed: false,
        }
    }

    /// Whether some bytes so far were not valid UTF-8, so that we decoded them as Windows-1252.
    pub fn was_latin1(&self) -> bool {
        self.lines.was_latin1()
    }

    /// Returns the next game; `None` at the end of the file.
    fn read(&mut self) -> Result<Option<Section>, TextError> {
        loop {
            if self.at >= self.line_end && !self.begin_next_line()? {
                let end = self.buffer.len();
                let is_game = !self.buffer[self.begin..].chars().all(is_blank);
                return Ok(is_game.then(|| self.split_at(end, self.line)));
            }
            let rest = &self.buffer[self.at..self.line_end];
            if self.at == self.line_begin && rest.starts_with('%') {
                self.at = self.line_end;
                continue;
            }
            let tag = if self.has_only_tags {
                Tag::read_line(rest, !self.movetext.has_any || self.is_after_blank)
            } else {
                Tag::read(rest)
            };
            if let Some(Tag { name, length, .. }) = tag {
                let name = name.to_ascii_lowercase();
                let is_repeated = self.names.contains(&name) && (self.has_paused || name == "event");
                if self.movetext.has_any || is_repeated {
                    return Ok(Some(self.split_at(self.at, self.line)));
                }
                self.names.insert(name);
                self.has_paused = false;
                self.at += length;
                continue;
            }
            match rest.chars().next() {
                None | Some(';') => self.at = self.line_end,
                Some('{') => self.at = self.end_of_comment()?,
                Some(c) if is_blank(c) => self.at += c.len_utf8(),
                Some(c) => {
                    self.has_only_tags = false;
                    // A tag may begin anywhere, even where the movetext has no blank before it.
                    if self.bracket <= self.at {
                        let next = rest[c.len_utf8()..].find('[');
                        self.bracket = next.map_or(self.line_end, |next| self.at + c.len_utf8() + next);
                    }
                    let mut lexer = Lexer::new(&rest[..self.bracket - self.at]);
                    let token = lexer.next();
                    let (length, rest) = (lexer.at().max(c.len_utf8()), &rest[lexer.at()..]);
                    let Some((begin, token)) = token else {
                        self.at += length;
                        continue;
                    };
                    let text = &self.buffer[self.at + begin..self.at + length];
                    if self.movetext.is_begun_again(token, text, rest) {
                        let (end, line) = self.movetext.paragraph.unwrap_or((self.at, self.line));
                        return Ok(Some(self.split_at(end, line)));
                    }
                    self.movetext.add(token, text);
                    self.at += length;
                }
            }
        }
    }

    /// Goes on to the line after the current one, even if the last comment ended beyond that line. Returns `false` at
    /// the end of the file.
    fn begin_next_line(&mut self) -> Result<bool, TextError> {
        loop {
            if self.line > 0 {
                self.is_after_blank = self.buffer[self.line_begin..self.line_end].chars().all(is_blank);
                self.has_paused |= self.is_after_blank;
            }
            if self.line_end == self.buffer.len() && !self.lines.read_onto(&mut self.buffer)? {
                return Ok(false);
            }
            let length = self.buffer[self.line_end..].find('\n').map(|length| length + 1);
            self.line += 1;
            self.line_begin = self.line_end;
            self.line_end = length.map_or(self.buffer.len(), |length| self.line_begin + length);
            self.has_only_tags = true;
            if self.is_after_blank && self.at == self.line_begin {
                self.movetext.paragraph.get_or_insert((self.line_begin, self.line));
            }
            if self.at < self.line_end {
                return Ok(true);
            }
        }
    }

    /// Returns where the comment ends whose opening brace is at the current place.
    ///
    /// If a tag begins a paragraph, and another comment opens before the next closing brace, we assume that the comment
    /// should have ended before the tag. A comment that is never closed hides only the rest of its line.
    fn end_of_comment(&mut self) -> Result<usize, TextError> {
        let is_tag = |line: &str| Tag::read_line(line.trim_start_matches(is_blank), false).is_some();
        let mut paragraph = None;
        // First comes the rest of the line on which the comment begins. If an earlier brace made us look further ahead,
        // we go on from there.
        let (mut from, mut to, mut is_after_blank) = (self.at + 1, self.line_end, false);
        if self.no_brace_before > to {
            (from, to) = (self.no_brace_before, self.no_brace_before);
            is_after_blank = self.is_blank_before_that;
        }
        loop {
            let line = &self.buffer[from..to];
            if is_after_blank && paragraph.is_none() && is_tag(line) {
                paragraph = Some(from);
            }
            for (length, brace) in line.match_indices(['{', '}']) {
                match paragraph {
                    _ if brace == "}" => return Ok(from + length + 1),
                    Some(paragraph) => return Ok(paragraph),
                    None => {}
                }
            }
            if from < to {
                is_after_blank = from > self.at + 1 && line.chars().all(is_blank);
            }
            (from, self.no_brace_before, self.is_blank_before_that) = (to, to, is_after_blank);
            if from - self.at > MAX_COMMENT {
                return Ok(paragraph.unwrap_or(self.line_end));
            }
            if from == self.buffer.len() && !self.lines.read_onto(&mut self.buffer)? {
                return Ok(self.line_end);
            }
            let length = self.buffer[from..].find('\n').map(|length| length + 1);
            to = length.map_or(self.buffer.len(), |length| from + length);
        }
    }

    /// Ends the current game at a byte offset on the line with this number, and begins the next one there.
    fn split_at(&mut self, end: usize, line: usize) -> Section {
        self.games += 1;
        let text = self.buffer[self.begin..end].to_owned();
        let section = Section { number: self.games, line: self.begin_line, text, moves: self.movetext.moves };
        (self.begin, self.begin_line) = (end, line);
        self.names.clear();
        (self.movetext, self.has_paused) = (Movetext::default(), false);
        if self.begin > self.buffer.len() / 2 {
            self.buffer.drain(..self.begin);
            let Self { at, line_begin, line_end, bracket, no_brace_before, .. } = self;
            for offset in [at, line_begin, line_end, bracket, no_brace_before] {
                *offset = offset.saturating_sub(self.begin);
            }
            self.begin = 0;
        }
        section
    }
}

/// What we remember of a game's movetext to find out where it ends.
#[derive(Default)]
struct Movetext {
    has_any: bool,
    /// How many words there are in the main line.
    moves: usize,
    /// Whether the main line has a move number greater than 1.
    has_later_number: bool,
    /// Whether there has been a result in the main line.
    has_ended: bool,
    /// Whether the last token is a result.
    is_after_result: bool,
    /// How many variations are open.
    depth: usize,
    /// Byte offset and line number of the first line that follows a blank line after the last token.
    paragraph: Option<(usize, usize)>,
}

impl Movetext {
    /// Whether another game begins with this token. `text` is the token as written, and `rest` the text after it.
    fn is_begun_again(&self, token: Token<'_>, text: &str, rest: &str) -> bool {
        let is_paragraph = self.paragraph.is_some();
        match token {
            // A missing parenthesis may have kept us from seeing that the result ended the game.
            Token::Number if is_first_number(text, rest) => {
                let has_restarted = self.moves > 0 && (is_paragraph || self.has_later_number);
                self.has_ended || self.depth == 0 && has_restarted || self.is_after_result && is_paragraph
            }
            Token::Word(word) => self.has_ended && is_paragraph && looks_like_move(word),
            Token::Result(_) => self.has_ended && is_paragraph,
            _ => false,
        }
    }

    fn add(&mut self, token: Token<'_>, text: &str) {
        let is_main_line = self.depth == 0;
        (self.has_any, self.paragraph, self.is_after_result) = (true, None, false);
        match token {
            Token::Open => self.depth += 1,
            Token::Close => self.depth = self.depth.saturating_sub(1),
            Token::Result(_) => {
                self.has_ended |= is_main_line;
                self.is_after_result = true;
            }
            Token::Word(_) => self.moves += usize::from(is_main_line),
            Token::Number => {
                let is_later = number(text).is_some_and(|number| number > 1);
                self.has_later_number |= is_main_line && is_later;
            }
            _ => {}
        }
    }
}

fn number(text: &str) -> Option<u32> {
    text.trim_end_matches(|c: char| !c.is_ascii_digit()).parse().ok()
}

/// Whether a move number is that of White's first move: `1.` or `1`, but not `1...` or `1. ...`.
fn is_first_number(text: &str, rest: &str) -> bool {
    let is_dot = |c| c == '.' || c == '…';
    number(text) == Some(1)
        && text.matches(is_dot).count() <= 1
        && !text.contains('…')
        && !rest.trim_start_matches(is_blank).starts_with(is_dot)
}

/// Whether a word may be a move rather than prose.
fn looks_like_move(word: &str) -> bool {
    let has_square = word.as_bytes().windows(2).any(|pair| matches!(pair, [b'a'..=b'h', b'1'..=b'8']));
    has_square || ["O-O", "0-0"].iter().any(|castling| word.starts_with(castling))
}

impl<R: BufRead> Iterator for Sections<R> {
    type Item = Result<Section, TextError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_failed {
            return None;
        }
        let section = self.read().transpose();
        self.has_failed = matches!(section, Some(Err(_)));
        section
    }
}
