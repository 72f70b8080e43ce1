//! Reader for games in PGN.

use super::game::{Line, Note, PgnGame, PgnMove, play};
use super::lexer::{self, Lexer, Token};
use super::sections::is_tag;
use super::spelling::{self, ENGLISH, LANGUAGES};
use super::start::start_position;
use enroque::chess::{Board, CastlingRules, Move};

/// Maximum nesting depth of variations.
const MAX_NESTING: usize = 60;

/// Reads the game of a section. `start` is the start position of games that do not contain their own.
///
/// A parse error in the moves is reported in [`PgnGame::errors`], and the game ends at that place.
///
/// # Errors
/// Returns an error message if the start position is invalid or the variant unknown.
pub fn read(text: &str, rules: CastlingRules, start: Option<&Board>) -> Result<PgnGame, String> {
    let mut header = Header::default();
    let movetext = header.read(text);
    let start = start_position(&header.tags, rules, start)?;
    // A game without a termination marker has the result of its tag.
    let result = header.tags.iter().find(|(name, _)| name == "Result").map_or("", |(_, value)| value.trim());
    let result = lexer::result(result).unwrap_or("*");
    let read_in = |letters| {
        let game = PgnGame {
            tags: header.tags.clone(),
            start: start.clone(),
            line: Line {
                before: header.comments.iter().cloned().map(Note::Comment).collect(),
                moves: vec![],
            },
            result: result.to_owned(),
            errors: header.errors.clone(),
        };
        Movetext::new(game, movetext, letters).read()
    };
    let is_understood = |game: &PgnGame| game.errors.len() == header.errors.len();
    let game = read_in(ENGLISH);
    if is_understood(&game) {
        return Ok(game);
    }
    // Another language is accepted only if it explains the whole game.
    let mut translated = LANGUAGES.into_iter().filter(|&letters| letters != ENGLISH).map(read_in);
    Ok(translated.find(is_understood).unwrap_or(game))
}

/// Returns the tags of a section, also of one that cannot be read as a game.
pub fn tags(text: &str) -> Vec<(String, String)> {
    let mut header = Header::default();
    header.read(text);
    header.tags
}

/// Tags and comments before the moves.
#[derive(Default)]
struct Header {
    tags: Vec<(String, String)>,
    comments: Vec<String>,
    errors: Vec<String>,
}

impl Header {
    /// Reads the tags and returns the text after them.
    fn read<'a>(&mut self, text: &'a str) -> &'a str {
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let trimmed = line.trim();
            if is_tag(line) {
                self.read_tags(trimmed);
            } else if let Some(comment) = line.strip_prefix(';') {
                self.comments.push(comment.trim().to_owned());
            } else if !trimmed.is_empty() && !line.starts_with('%') {
                break;
            }
            at += line.len();
        }
        &text[at..]
    }

    /// Reads one or more tags, `[Name "value"]`, on a line.
    fn read_tags(&mut self, line: &str) {
        let mut rest = line;
        while !rest.is_empty() {
            let value_begin = rest.find('"').map_or(rest.len(), |quote| quote + 1);
            let mut ends = rest.match_indices(']').map(|(at, _)| at).filter(|&at| {
                let (before, after) = (rest[..at].trim_end(), rest[at + 1..].trim_start());
                before.len() > value_begin
                    && before.ends_with('"')
                    && (after.is_empty() || after.starts_with('['))
            });
            // A last backslash may be one that should have been escaped.
            let end = ends.clone().find(|&at| ends_unescaped(rest[..at].trim_end())).or_else(|| ends.next());
            // The value may contain quotation marks that should have been escaped.
            let tag = end.and_then(|end| {
                let inside = rest[..end].trim_end().strip_prefix('[')?.strip_suffix('"')?;
                let (name, value) = inside.split_once('"')?;
                let name = name.trim();
                is_tag_name(name).then(|| (name.to_owned(), unescaped(value), end))
            });
            let Some((name, value, end)) = tag else {
                self.errors.push(format!("tag '{rest}': expected [Name \"value\"]"));
                self.comments.push(format!("not read: {rest}"));
                return;
            };
            self.tags.push((name, value));
            rest = rest[end + 1..].trim_start();
        }
    }
}

/// Returns `true` for names that can be written in a tag and read again.
fn is_tag_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.contains(['[', ']', '{', '}'])
}

/// Returns `true` if no backslash escapes the quotation mark at the end of a text.
fn ends_unescaped(text: &str) -> bool {
    let rest = text.strip_suffix('"').unwrap_or(text);
    (rest.len() - rest.trim_end_matches('\\').len()).is_multiple_of(2)
}

fn unescaped(value: &str) -> String {
    value.replace("\\\"", "\"").replace("\\\\", "\\")
}

/// Line being read: the game or an open variation.
struct Frame {
    line: Line,
    board: Board,
}

impl Frame {
    fn at(board: Board) -> Self {
        Self { line: Line::default(), board }
    }

    fn notes(&mut self) -> &mut Vec<Note> {
        self.line.moves.last_mut().map_or(&mut self.line.before, |played| &mut played.notes)
    }

    fn add(&mut self, mv: Option<Move>) {
        play(&mut self.board, mv);
        self.line.moves.push(PgnMove { mv, notes: Vec::new() });
    }

    /// Returns the position before the last move of the line.
    fn before(&self) -> Option<Board> {
        let last = self.line.moves.last()?;
        let mut board = self.board.clone();
        match last.mv {
            Some(mv) => board.unmake_move(mv),
            None => board.unmake_null_move(),
        }
        // Many variations late in a long game would copy its whole history.
        board.trim_history();
        Some(board)
    }

    /// Returns the number of the next move, `2.` or `2...`.
    fn next_number(&self) -> String {
        format!("{}.{}", self.board.fullmove_number(), ["", ".."][self.board.side_to_move().index()])
    }
}

/// Parser for the movetext of one game.
struct Movetext<'a> {
    game: PgnGame,
    text: &'a str,
    letters: [char; 5],
    /// Stack of open lines: the game, then nested variations.
    frames: Vec<Frame>,
    /// Variation whose rest is being skipped after an error.
    skipped: Option<Skipped>,
}

/// Rest of a variation after an error.
struct Skipped {
    /// Byte offset of the error.
    begin: usize,
    /// Number of variations open within it.
    depth: usize,
}

impl<'a> Movetext<'a> {
    fn new(game: PgnGame, text: &'a str, letters: [char; 5]) -> Self {
        let mut frame = Frame::at(game.start.clone());
        frame.line = game.line.clone();
        Self { game, text, letters, frames: vec![frame], skipped: None }
    }

    fn read(mut self) -> PgnGame {
        let mut has_ended = false;
        for (at, token) in Lexer::new(self.text) {
            if self.skip(at, token) {
                continue;
            }
            if has_ended && !matches!(token, Token::Comment(_) | Token::Nag(_)) {
                self.report_error("the game has ended, and more follows".to_owned(), at);
                break;
            }
            let read = match token {
                Token::Result(result) if !self.is_in_variation() => {
                    result.clone_into(&mut self.game.result);
                    has_ended = true;
                    Ok(())
                }
                // The result of a variation has no meaning.
                Token::Result(_) | Token::Number => Ok(()),
                token => self.read_token(token),
            };
            if let Err(reason) = read {
                self.report_error(reason, at);
                if !self.is_in_variation() {
                    self.read_final_result(at);
                    break;
                }
            }
        }
        if let Some(Skipped { begin, .. }) = self.skipped.take() {
            self.keep_unread(begin, self.text.len());
        }
        while self.is_in_variation() {
            let number = self.frames[self.frames.len() - 2].next_number();
            self.game.errors.push(format!("move {number}: a variation before it is not closed"));
            self.close();
        }
        if let Some(frame) = self.frames.pop() {
            self.game.line = frame.line;
        }
        self.game
    }

    fn is_in_variation(&self) -> bool {
        self.frames.len() > 1
    }

    fn frame(&mut self) -> &mut Frame {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    fn read_token(&mut self, token: Token<'_>) -> Result<(), String> {
        match token {
            Token::Comment(text) => {
                let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
                self.frame().notes().push(Note::Comment(text));
            }
            Token::OpenComment(_) => return Err("a comment is not closed".to_owned()),
            Token::Nag(nag) => self.frame().notes().push(Note::Nag(nag)),
            Token::Open => {
                let board = self.frame().before().ok_or("a variation before any move")?;
                if self.frames.len() > MAX_NESTING {
                    return Err(format!("more than {MAX_NESTING} variations within each other"));
                }
                self.frames.push(Frame::at(board));
            }
            Token::Close if !self.is_in_variation() => return Err("')' without '('".to_owned()),
            Token::Close => self.close(),
            Token::Word(word) => self.read_word(word)?,
            Token::Number | Token::Result(_) => {}
        }
        Ok(())
    }

    fn read_word(&mut self, word: &str) -> Result<(), String> {
        if let Some(nag) = spelling::nag_of(word) {
            self.frame().notes().push(Note::Nag(nag));
            return Ok(());
        }
        if spelling::is_en_passant_suffix(word) {
            return Ok(());
        }
        let letters = self.letters;
        let frame = self.frame();
        let (bare, nag) = spelling::split_symbol(word);
        if spelling::is_null_move(bare) && !frame.board.in_check() {
            frame.add(None);
        } else {
            let mv = spelling::parse_move(bare, letters, &frame.board)?;
            frame.add(Some(mv));
        }
        frame.notes().extend(nag.map(Note::Nag));
        Ok(())
    }

    fn close(&mut self) {
        if let Some(Frame { line, .. }) = self.frames.pop() {
            self.frame().notes().push(Note::Variation(line));
        }
    }

    /// Skips a token of a variation given up after an error. Returns `false` if there is no such variation.
    fn skip(&mut self, at: usize, token: Token<'_>) -> bool {
        let Some(skipped) = &mut self.skipped else { return false };
        match token {
            Token::Open => skipped.depth += 1,
            Token::Close if skipped.depth > 0 => skipped.depth -= 1,
            Token::Close => {
                let begin = skipped.begin;
                self.skipped = None;
                self.keep_unread(begin, at);
                self.close();
            }
            _ => {}
        }
        true
    }

    /// Reports an error and gives up the line being read: the game or a variation.
    fn report_error(&mut self, reason: String, at: usize) {
        let number = self.frame().next_number();
        let context = if self.is_in_variation() { " in a variation" } else { "" };
        self.game.errors.push(format!("move {number}{context}: {reason}"));
        if self.is_in_variation() {
            self.skipped = Some(Skipped { begin: at, depth: 0 });
        } else {
            self.keep_unread(at, self.text.len());
        }
    }

    /// Keeps text that was not read in a comment.
    fn keep_unread(&mut self, begin: usize, end: usize) {
        let rest = self.text[begin..end].split_whitespace().collect::<Vec<_>>().join(" ");
        let rest = rest.replace('{', "(").replace('}', ")");
        self.frame().notes().push(Note::Comment(format!("not read from here: {rest}")));
    }

    /// Reads the result from the rest of a game given up after an error.
    fn read_final_result(&mut self, at: usize) {
        let result = Lexer::new(&self.text[at..]).filter_map(|(_, token)| match token {
            Token::Result(result) => Some(result),
            _ => None,
        });
        if let Some(result) = result.last() {
            result.clone_into(&mut self.game.result);
        }
    }
}
