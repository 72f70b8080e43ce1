//! Reads the tags and moves of one game.

use super::game::{Line, Note, PgnGame, PgnMove, play};
use super::lexer::{self, DOUBLE_FORFEIT, Lexer, Token, is_blank};
use super::sections::Tag;
use super::spelling::{self, ENGLISH, LANGUAGES};
use super::start::start_position;
use enroque::chess::{Board, CastlingRules, Move};
use enroque::util::text::shortened;

/// We refuse variations that are nested more deeply than this, because the writer recurses once for each level.
const MAX_NESTING: usize = 60;

/// Reads one game. `start` is its start position if the tags contain none.
///
/// A move that we cannot read is reported in [`PgnGame::errors`], and the game ends there. Tag names may be in any
/// case; names that programs look up get their standard spelling.
///
/// # Errors
/// Returns an error message if the start position is invalid or the variant unknown.
pub fn read(text: &str, rules: CastlingRules, start: Option<&Board>) -> Result<PgnGame, String> {
    let mut header = Header::default();
    let movetext = header.read(text);
    let start = start_position(&header.tags, rules, start)?;
    // Without a termination marker, a game has the result of its `Result` tag.
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
    let (game, knows_all_moves) = read_in(ENGLISH);
    if knows_all_moves {
        return Ok(game);
    }
    // We accept another language only if every move can be read in it.
    let translated = LANGUAGES.into_iter().filter(|&letters| letters != ENGLISH).map(read_in);
    let found = translated.into_iter().find_map(|(game, knows_all_moves)| knows_all_moves.then_some(game));
    Ok(found.unwrap_or(game))
}

/// Returns the tags of a game, even of one that [`read`] refuses.
pub fn tags(text: &str) -> Vec<(String, String)> {
    let mut header = Header::default();
    header.read(text);
    header.tags
}

/// Tags that programs look up, in their standard spelling.
const TAG_NAMES: [&str; 17] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "Result",
    "FEN",
    "SetUp",
    "Variant",
    "WhiteElo",
    "BlackElo",
    "ECO",
    "Opening",
    "Annotator",
    "Section",
    "Stage",
];

/// What we read before the moves: tags, the comments among them, and errors.
#[derive(Default)]
struct Header {
    tags: Vec<(String, String)>,
    comments: Vec<String>,
    errors: Vec<String>,
}

impl Header {
    /// Reads the tags and returns the text after the last one. Comments after the last tag belong to the moves.
    fn read<'a>(&mut self, text: &'a str) -> &'a str {
        let (mut at, mut line_end, mut movetext) = (0, 0, 0);
        let mut comments = Vec::new();
        while let Some(c) = text[at..].chars().next() {
            if at >= line_end {
                line_end = text[at..].find('\n').map_or(text.len(), |length| at + length + 1);
            }
            let (rest, line) = (&text[at..], &text[at..line_end]);
            let is_escaped = c == '%' && (at == 0 || text[..at].ends_with('\n'));
            if let Some(tag) = Tag::read_line(line, true) {
                self.comments.append(&mut comments);
                self.add(&tag, line);
                at += tag.length;
                movetext = at;
            } else if is_escaped {
                at += line.len();
            } else if let Some(comment) = line.strip_prefix(';') {
                comments.push(one_line(comment));
                at += line.len();
            } else if let Some((comment, _)) = rest.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
                comments.push(one_line(comment));
                at += comment.len() + 2;
            } else if is_blank(c) {
                at += c.len_utf8();
            } else {
                break;
            }
        }
        &text[movetext..]
    }

    fn add(&mut self, tag: &Tag<'_>, line: &str) {
        if tag.name.is_empty() {
            self.errors.push(format!("tag '{}': expected [Name \"value\"]", shortened(line.trim_end())));
            self.comments.push(format!("not read: {}", line.trim_end()));
            return;
        }
        let standard = TAG_NAMES.into_iter().find(|name| name.eq_ignore_ascii_case(tag.name));
        let value = tag.value.replace("\\\"", "\"").replace("\\\\", "\\");
        self.tags.push((standard.unwrap_or(tag.name).to_owned(), value));
    }
}

/// Replaces each run of blanks and line ends by a single space.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Replaces braces by parentheses, because the text will be part of a comment.
fn without_braces(text: &str) -> String {
    text.replace('{', "(").replace('}', ")")
}

/// A line of moves that we are reading: the game, or a variation that is still open.
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

    /// Returns the position before the last move of the line; `None` if there is no move.
    fn before(&self) -> Option<Board> {
        let last = self.line.moves.last()?;
        let mut board = self.board.clone();
        match last.mv {
            Some(mv) => board.unmake_move(mv),
            None => board.unmake_null_move(),
        }
        // Without this, each variation late in a long game would copy the history of the whole game.
        board.trim_history();
        Some(board)
    }

    /// Returns the number of the next move, `2.` or `2...`.
    fn next_number(&self) -> String {
        format!("{}.{}", self.board.fullmove_number(), ["", ".."][self.board.side_to_move().index()])
    }
}

/// Reads the moves of one game, with the piece letters of one language.
struct Movetext<'a> {
    game: PgnGame,
    text: &'a str,
    letters: [char; 5],
    /// The open lines: first the game, then variations, each within the one before.
    frames: Vec<Frame>,
    /// Whether we could read every move so far with `letters`.
    knows_all_moves: bool,
    /// The rest of a variation, which we skip because of an error in that variation.
    skipped: Option<Skipped>,
}

/// The rest of a variation that we stopped reading after an error.
struct Skipped {
    /// Byte offset of the error, where the rest begins.
    begin: usize,
    /// How many variations within the skipped text are still open.
    depth: usize,
}

impl<'a> Movetext<'a> {
    fn new(game: PgnGame, text: &'a str, letters: [char; 5]) -> Self {
        let mut frame = Frame::at(game.start.clone());
        frame.line = game.line.clone();
        Self { game, text, letters, frames: vec![frame], knows_all_moves: true, skipped: None }
    }

    /// Returns the game, and whether we could read all its moves with `letters`.
    fn read(mut self) -> (PgnGame, bool) {
        let mut has_ended = false;
        for (at, token) in Lexer::new(self.text) {
            if self.skip(at, token) {
                continue;
            }
            let token = match token {
                Token::Word(word) if self.is_double_forfeit(word, at) => Token::Result(DOUBLE_FORFEIT),
                token => token,
            };
            match token {
                Token::StrayBrace => {
                    self.complain("a closing brace without an opening one");
                    continue;
                }
                Token::NestedComment(_) => self.complain("a brace opens a comment within a comment"),
                _ => {}
            }
            if has_ended && !matches!(token, Token::Comment(_) | Token::NestedComment(_) | Token::Nag(_)) {
                self.report_error("the game has ended, and more follows".to_owned(), at);
                break;
            }
            let read = match token {
                Token::Result(result) if !self.is_in_variation() => {
                    result.clone_into(&mut self.game.result);
                    has_ended = true;
                    Ok(())
                }
                // A result within a variation has no meaning.
                Token::Result(_) | Token::Number => Ok(()),
                token => self.read_token(token),
            };
            if let Err(reason) = read {
                self.knows_all_moves &= !matches!(token, Token::Word(_));
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
        (self.game, self.knows_all_moves)
    }

    /// Whether `word` is the result `0-0` and not castling. Nothing but comments may follow it, and either the Result
    /// tag is `0-0`, too, or the game has neither moves nor another result.
    fn is_double_forfeit(&self, word: &str, at: usize) -> bool {
        let has_moves = self.is_in_variation() || !self.frames[0].line.moves.is_empty();
        let may_be = lexer::result(word) == Some(DOUBLE_FORFEIT)
            && !self.is_in_variation()
            && (self.game.result == DOUBLE_FORFEIT || self.game.result == "*" && !has_moves);
        let mut rest = Lexer::new(&self.text[at + word.len()..]);
        may_be
            && rest.all(|(_, token)| {
                matches!(token, Token::Comment(_) | Token::NestedComment(_) | Token::Nag(_))
            })
    }

    /// Reports an error after which we can read on. If the same error occurs several times in a row, we report it once.
    fn complain(&mut self, reason: &str) {
        let error = self.located(reason);
        if self.game.errors.last() != Some(&error) {
            self.game.errors.push(error);
        }
    }

    /// Says where an error is, and then its reason: `move 2... in a variation: REASON`.
    fn located(&mut self, reason: &str) -> String {
        let context = if self.is_in_variation() { " in a variation" } else { "" };
        format!("move {}{context}: {reason}", self.frame().next_number())
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
            Token::Comment(text) => self.frame().notes().push(Note::Comment(one_line(text))),
            Token::NestedComment(text) => {
                self.frame().notes().push(Note::Comment(one_line(&without_braces(text))));
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
            Token::Number | Token::Result(_) | Token::StrayBrace => {}
        }
        Ok(())
    }

    fn read_word(&mut self, word: &str) -> Result<(), String> {
        let word = &*spelling::plain(word);
        let letters = self.letters;
        let frame = self.frame();
        let nags = match spelling::null_move(word) {
            Some(nags) if !frame.board.in_check() => {
                frame.add(None);
                nags
            }
            _ => {
                let (bare, nags) = spelling::split_signs(word);
                if !bare.is_empty() && !spelling::is_en_passant_suffix(bare) {
                    let mv = spelling::parse_move(bare, letters, &frame.board)?;
                    frame.add(Some(mv));
                }
                nags
            }
        };
        frame.notes().extend(nags.into_iter().map(Note::Nag));
        Ok(())
    }

    fn close(&mut self) {
        if let Some(Frame { line, .. }) = self.frames.pop() {
            self.frame().notes().push(Note::Variation(line));
        }
    }

    /// Skips the token and returns `true` if it belongs to a variation in which we found an error.
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

    /// Reports an error and stops reading the current line: the game or a variation.
    fn report_error(&mut self, reason: String, at: usize) {
        let error = self.located(&reason);
        self.game.errors.push(error);
        if self.is_in_variation() {
            self.skipped = Some(Skipped { begin: at, depth: 0 });
        } else {
            self.keep_unread(at, self.text.len());
        }
    }

    /// Puts text that we did not read into a comment, so that nothing is lost.
    fn keep_unread(&mut self, begin: usize, end: usize) {
        let rest = one_line(&without_braces(&self.text[begin..end]));
        self.frame().notes().push(Note::Comment(format!("not read from here: {rest}")));
    }

    /// After an error in the main line, looks for the result of the game in the text that we do not read.
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
