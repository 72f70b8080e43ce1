//! Reads the tags and moves of one game.

use super::error::{Cursor, PgnError, PgnErrorKind, Place, Turn};
use super::export::{result_in_termination, tag_name};
use super::game::{Line, Note, PgnGame, PgnMove, play};
use super::lexer::{self, DOUBLE_FORFEIT, Lexer, Token, is_blank};
use super::spelling::{self, ENGLISH, LANGUAGES, MoveError};
use super::start::start_position;
use super::tag::Tag;
use enroque::chess::{Board, CastlingRules, Move};
use enroque::util::text::shortened;

/// We skip variations that are nested more deeply than this, because the writer recurses once for each level.
const MAX_NESTING: usize = 60;

/// Reads one game. `start` is its start position if the tags contain none.
///
/// A move that we cannot read is reported in [`PgnGame::errors`], and the game ends there. Tag names may be in any
/// case; names that programs look up get their standard spelling. Lines of errors are counted from the begin of `text`;
/// [`Section::read`](super::Section::read) counts them from the begin of the file.
///
/// # Errors
/// Fails if the start position is invalid or missing, or the variant unknown.
pub fn read(text: &str, rules: CastlingRules, start: Option<&Board>) -> Result<PgnGame, PgnError> {
    let mut header = Header::new(text);
    let movetext = header.read();
    let start = start_position(&header.tags, rules, start)
        .map_err(|kind| PgnError { at: Place { line: 1, column: 1, turn: None }, kind })?;
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
        Movetext::new(game, text, movetext, letters).read()
    };
    let (mut game, knows_all_moves) = read_in(ENGLISH);
    if !knows_all_moves {
        // We accept another language only if every move can be read in it.
        let translated = LANGUAGES.into_iter().filter(|&letters| letters != ENGLISH).map(read_in);
        let found =
            translated.into_iter().find_map(|(game, knows_all_moves)| knows_all_moves.then_some(game));
        game = found.unwrap_or(game);
    }
    if game.result == "*"
        && let Some(result) = result_in_termination(&game.tags)
    {
        result.clone_into(&mut game.result);
    }
    Ok(game)
}

/// Returns the tags of a game, even of one that [`read`] refuses.
pub fn tags(text: &str) -> Vec<(String, String)> {
    let mut header = Header::new(text);
    header.read();
    header.tags
}

/// Tags that programs look up, in their standard spelling.
const TAG_NAMES: [&str; 18] = [
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
    "Termination",
];

/// What we read before the moves: tags, the comments among them, and errors.
struct Header<'a> {
    text: &'a str,
    tags: Vec<(String, String)>,
    comments: Vec<String>,
    errors: Vec<PgnError>,
    cursor: Cursor<'a>,
}

impl<'a> Header<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, tags: Vec::new(), comments: Vec::new(), errors: Vec::new(), cursor: Cursor::new(text) }
    }

    /// Reads the tags and returns where the last one ends. Comments after the last tag belong to the moves.
    fn read(&mut self) -> usize {
        let text = self.text;
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
                self.add(&tag, at, line);
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
        movetext
    }

    /// Adds the tag at the byte offset `at`.
    fn add(&mut self, tag: &Tag<'_>, at: usize, line: &str) {
        if tag.name.is_empty() {
            let kind = PgnErrorKind::Tag(shortened(line.trim_end()));
            self.errors.push(PgnError { at: self.cursor.place(at, None), kind });
            self.comments.push(format!("not read: {}", line.trim_end()));
            return;
        }
        let name = tag_name(tag.name);
        let standard = TAG_NAMES.into_iter().find(|standard| standard.eq_ignore_ascii_case(&name));
        let value = tag.value.replace("\\\"", "\"").replace("\\\\", "\\");
        self.tags.push((standard.map_or(name, str::to_owned), value));
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
}

/// Reads the moves of one game, with the piece letters of one language.
struct Movetext<'a> {
    game: PgnGame,
    text: &'a str,
    /// Byte offset of the moves.
    begin: usize,
    letters: [char; 5],
    /// The open lines: first the game, then variations, each within the one before.
    frames: Vec<Frame>,
    /// Whether we could read every move so far with `letters`.
    knows_all_moves: bool,
    /// The text that we skip because of an error in a variation.
    skipped: Option<Skipped>,
    /// The last token, if it is a result.
    last_result: Option<&'static str>,
    cursor: Cursor<'a>,
}

/// Text that we skip after an error in a variation: the rest of the variation, or a variation within it.
struct Skipped {
    /// Byte offset of the error.
    begin: usize,
    /// How many variations within the skipped text are still open.
    depth: usize,
    /// Whether the current line ends with the skipped text.
    ends_line: bool,
}

impl<'a> Movetext<'a> {
    fn new(game: PgnGame, text: &'a str, begin: usize, letters: [char; 5]) -> Self {
        let mut frame = Frame::at(game.start.clone());
        frame.line = game.line.clone();
        Self {
            game,
            text,
            begin,
            letters,
            frames: vec![frame],
            knows_all_moves: true,
            skipped: None,
            last_result: None,
            cursor: Cursor::new(text),
        }
    }

    /// Returns the game, and whether we could read all its moves with `letters`.
    fn read(mut self) -> (PgnGame, bool) {
        let mut has_ended = false;
        for (at, token) in Lexer::new(&self.text[self.begin..]) {
            let at = self.begin + at;
            self.last_result = if let Token::Result(result) = token { Some(result) } else { None };
            if self.skip(at, token) {
                continue;
            }
            let token = match token {
                Token::Word(word) if self.is_double_forfeit(word, at) => Token::Result(DOUBLE_FORFEIT),
                token => token,
            };
            match token {
                Token::StrayBrace => {
                    self.complain(PgnErrorKind::StrayBrace, at);
                    continue;
                }
                Token::NestedComment(_) => self.complain(PgnErrorKind::NestedComment, at),
                _ => {}
            }
            if has_ended && !matches!(token, Token::Comment(_) | Token::NestedComment(_) | Token::Nag(_)) {
                self.report_error(PgnErrorKind::AfterEnd, at);
                self.keep_unread(at, self.text.len());
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
            if let Err(kind) = read {
                self.knows_all_moves &= !matches!(token, Token::Word(_));
                // An error that comes with a variation costs no more than this variation.
                let is_variation = token == Token::Open;
                self.report_error(kind, at);
                if is_variation {
                    self.skipped = Some(Skipped { begin: at, depth: 0, ends_line: false });
                } else if self.is_in_variation() {
                    self.skipped = Some(Skipped { begin: at, depth: 0, ends_line: true });
                } else {
                    self.keep_unread(at, self.text.len());
                    self.read_final_result(at);
                    break;
                }
            }
        }
        self.close_all();
        if let Some(frame) = self.frames.pop() {
            self.game.line = frame.line;
        }
        (self.game, self.knows_all_moves)
    }

    /// At the end of the text, closes what is still open.
    fn close_all(&mut self) {
        let is_open = self.skipped.is_some() || self.is_in_variation();
        if let Some(Skipped { begin, .. }) = self.skipped.take() {
            self.keep_unread(begin, self.text.len());
        }
        if !is_open {
            return;
        }
        while self.is_in_variation() {
            self.close();
        }
        let turn = Turn::on(&self.frame().board, false);
        let at = self.cursor.place(self.text.len(), Some(turn));
        self.game.errors.push(PgnError { at, kind: PgnErrorKind::OpenVariation });
        if let Some(result) = self.last_result {
            result.clone_into(&mut self.game.result);
        }
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
    fn complain(&mut self, kind: PgnErrorKind, at: usize) {
        let error = self.located(kind, at);
        let is_same = |last: &PgnError| last.to_string() == error.to_string();
        if !self.game.errors.last().is_some_and(is_same) {
            self.game.errors.push(error);
        }
    }

    /// Returns an error at a byte offset, with the move that would come next.
    fn located(&mut self, kind: PgnErrorKind, at: usize) -> PgnError {
        let turn = Turn::on(&self.frames[self.frames.len() - 1].board, self.is_in_variation());
        PgnError { at: self.cursor.place(at, Some(turn)), kind }
    }

    fn is_in_variation(&self) -> bool {
        self.frames.len() > 1
    }

    fn frame(&mut self) -> &mut Frame {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    fn read_token(&mut self, token: Token<'_>) -> Result<(), PgnErrorKind> {
        match token {
            Token::Comment(text) => self.frame().notes().push(Note::Comment(one_line(text))),
            Token::NestedComment(text) => {
                self.frame().notes().push(Note::Comment(one_line(&without_braces(text))));
            }
            Token::OpenComment(_) => return Err(PgnErrorKind::OpenComment),
            Token::Nag(nag) => self.frame().notes().push(Note::Nag(nag)),
            Token::Open => {
                let board = self.frame().before().ok_or(PgnErrorKind::VariationBeforeMove)?;
                if self.frames.len() > MAX_NESTING {
                    return Err(PgnErrorKind::TooDeep(MAX_NESTING));
                }
                self.frames.push(Frame::at(board));
            }
            Token::Close if !self.is_in_variation() => return Err(PgnErrorKind::StrayParenthesis),
            Token::Close => self.close(),
            Token::Word(word) => self.read_word(word)?,
            Token::Number | Token::Result(_) | Token::StrayBrace => {}
        }
        Ok(())
    }

    fn read_word(&mut self, word: &str) -> Result<(), MoveError> {
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
                if !bare.is_empty() && !spelling::adds_nothing(bare) {
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

    /// Skips the token and returns `true` if it belongs to text that we skip because of an error.
    fn skip(&mut self, at: usize, token: Token<'_>) -> bool {
        let Some(skipped) = &mut self.skipped else { return false };
        match token {
            Token::Open => skipped.depth += 1,
            Token::Close if skipped.depth > 0 => skipped.depth -= 1,
            Token::Close => {
                let Skipped { begin, ends_line, .. } = *skipped;
                self.skipped = None;
                if ends_line {
                    self.keep_unread(begin, at);
                    self.close();
                } else {
                    self.keep_unread(begin, at + 1);
                }
            }
            _ => {}
        }
        true
    }

    fn report_error(&mut self, kind: PgnErrorKind, at: usize) {
        let error = self.located(kind, at);
        self.game.errors.push(error);
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
