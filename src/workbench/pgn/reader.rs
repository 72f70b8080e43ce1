//! From text to a game.

use super::lexer::{Lexer, Token};
use super::words::{self, ENGLISH, LANGUAGES};
use super::{Line, Note, PgnGame, PgnMove, is_tag};
use crate::chess::{Board, CastlingRules, Move};

/// Variations within variations that are still read.
const MAX_NESTING: usize = 60;

/// Names of the variants whose rules are chess, in small letters without blanks, dashes and underscores.
const ORTHODOX: [&str; 6] = ["", "standard", "chess", "normal", "classical", "fromposition"];
/// The same of Chess960.
const CHESS960: [&str; 10] = [
    "chess960",
    "960",
    "frc",
    "fischerandom",
    "fischerrandom",
    "fischerrandomchess",
    "fischerandomchess",
    "freestyle",
    "freestylechess",
    "doublefischerrandom",
];

/// Reads the game of a section.
///
/// What cannot be read of the moves is told in [`PgnGame::faults`]; the game then ends where it was met.
///
/// # Errors
/// When it is not known where the game begins or by which rules: what is wrong, in words.
pub fn read(text: &str, rules: CastlingRules) -> Result<PgnGame, String> {
    let mut header = Header::default();
    let movetext = header.read(text);
    let (start, remarks) = start(&header.tags, rules)?;
    let read_in = |letters| {
        let game = PgnGame {
            tags: header.tags.clone(),
            start: start.clone(),
            line: Line {
                before: header.comments.iter().cloned().map(Note::Comment).collect(),
                moves: vec![],
            },
            result: "*".to_owned(),
            faults: header.faults.clone(),
            remarks: remarks.clone(),
        };
        Movetext::new(game, movetext, letters).read()
    };
    let is_understood = |game: &PgnGame| game.faults.len() == header.faults.len();
    let game = read_in(ENGLISH);
    if is_understood(&game) {
        return Ok(game);
    }
    // Another language, if the whole game is written in it.
    let mut others = LANGUAGES.into_iter().filter(|&letters| letters != ENGLISH).map(read_in);
    Ok(others.find(is_understood).unwrap_or(game))
}

/// What stands before the moves.
#[derive(Default)]
struct Header {
    tags: Vec<(String, String)>,
    comments: Vec<String>,
    faults: Vec<String>,
}

impl Header {
    /// Reads the tags; gives what comes after them.
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

    /// `[Name "value"]`, once or several times.
    fn read_tags(&mut self, line: &str) {
        let mut rest = line;
        while !rest.is_empty() {
            let split = rest.match_indices(']').map(|(at, _)| at).find(|&at| {
                let (before, after) = (rest[..at].trim_end(), rest[at + 1..].trim_start());
                before.ends_with('"') && (after.is_empty() || after.starts_with('[')) && before.len() > 1
            });
            // The value may hold quotation marks that should have been escaped.
            let tag = split.and_then(|end| {
                let inside = rest[..end].trim_end().strip_prefix('[')?.strip_suffix('"')?;
                let (name, value) = inside.split_once('"')?;
                Some((name.trim().to_owned(), unescaped(value), end))
            });
            let Some((name, value, end)) = tag else {
                self.faults.push(format!("tag '{rest}': expected [Name \"value\"]"));
                self.comments.push(format!("not read: {rest}"));
                return;
            };
            self.tags.push((name, value));
            rest = rest[end + 1..].trim_start();
        }
    }
}

fn unescaped(value: &str) -> String {
    value.replace("\\\"", "\"").replace("\\\\", "\\")
}

/// Where a game begins, and what is to be said of that.
fn start(tags: &[(String, String)], rules: CastlingRules) -> Result<(Board, Vec<String>), String> {
    let tag = |name| tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.trim());
    let name = tag("Variant").unwrap_or("");
    let bare: String = name.chars().filter(|c| !" -_".contains(*c)).map(|c| c.to_ascii_lowercase()).collect();
    let is_chess960 = CHESS960.contains(&bare.as_str());
    if !is_chess960 && !ORTHODOX.contains(&bare.as_str()) {
        return Err(format!("tag Variant: '{name}' is neither chess nor Chess960"));
    }
    let Some(fen) = tag("FEN").filter(|fen| !fen.is_empty()) else {
        let remark =
            format!("the variant is {name}, but no tag FEN says where the game begins: taken as orthodox");
        return Ok((Board::startpos(), if is_chess960 { vec![remark] } else { Vec::new() }));
    };
    let board = Board::from_fen(fen, rules).map_err(|error| format!("tag FEN: {error}"))?;
    Ok((board, Vec::new()))
}

/// A line that is being read.
struct Frame {
    line: Line,
    board: Board,
    /// The position before its last move.
    before: Option<Board>,
}

impl Frame {
    fn at(board: Board) -> Self {
        Self { line: Line::default(), board, before: None }
    }

    fn notes(&mut self) -> &mut Vec<Note> {
        self.line.moves.last_mut().map_or(&mut self.line.before, |played| &mut played.notes)
    }

    fn add(&mut self, mv: Option<Move>) {
        self.before = Some(self.board.clone());
        match mv {
            Some(mv) => self.board.make_move(mv),
            None => self.board.make_null_move(),
        }
        self.line.moves.push(PgnMove { mv, notes: Vec::new() });
    }

    /// `2.` or `2...`, where the next move belongs.
    fn place(&self) -> String {
        format!("{}.{}", self.board.fullmove_number(), ["", ".."][self.board.side_to_move().index()])
    }
}

struct Movetext<'a> {
    game: PgnGame,
    text: &'a str,
    letters: [char; 5],
    /// The game, and the variations that are open within it.
    frames: Vec<Frame>,
    /// Variations within one that is not read any more.
    skipped: Option<Skipped>,
}

/// The rest of a variation that was given up.
struct Skipped {
    begin: usize,
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
                self.fault("the game has ended, and more follows".to_owned(), at);
                break;
            }
            let read = match token {
                Token::Result(result) if self.frames.len() == 1 => {
                    result.clone_into(&mut self.game.result);
                    has_ended = true;
                    Ok(())
                }
                // The result of a variation says nothing.
                Token::Result(_) | Token::Number => Ok(()),
                token => self.take(token),
            };
            if let Err(reason) = read {
                self.fault(reason, at);
                if self.frames.len() == 1 {
                    self.result_of_rest(at);
                    break;
                }
            }
        }
        if let Some(Skipped { begin, .. }) = self.skipped.take() {
            self.keep_unread(begin, self.text.len());
        }
        while self.frames.len() > 1 {
            let place = self.frames[self.frames.len() - 2].place();
            self.game.faults.push(format!("move {place}: a variation before it is not closed"));
            self.close();
        }
        if let Some(frame) = self.frames.pop() {
            self.game.line = frame.line;
        }
        self.game
    }

    fn frame(&mut self) -> &mut Frame {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    fn take(&mut self, token: Token<'_>) -> Result<(), String> {
        match token {
            Token::Comment(text) => {
                let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
                self.frame().notes().push(Note::Comment(text));
            }
            Token::OpenComment(_) => return Err("a comment is not closed".to_owned()),
            Token::Nag(nag) => self.frame().notes().push(Note::Nag(nag)),
            Token::Open => {
                let board = self.frame().before.clone().ok_or("a variation before any move")?;
                if self.frames.len() > MAX_NESTING {
                    return Err(format!("more than {MAX_NESTING} variations within each other"));
                }
                self.frames.push(Frame::at(board));
            }
            Token::Close if self.frames.len() == 1 => return Err("')' without '('".to_owned()),
            Token::Close => self.close(),
            Token::Word(word) => self.take_word(word)?,
            Token::Number | Token::Result(_) => {}
        }
        Ok(())
    }

    fn take_word(&mut self, word: &str) -> Result<(), String> {
        if let Some(nag) = words::nag_of(word) {
            self.frame().notes().push(Note::Nag(nag));
            return Ok(());
        }
        if words::is_idle(word) {
            return Ok(());
        }
        let is_variation = self.frames.len() > 1;
        let letters = self.letters;
        let frame = self.frame();
        let (bare, nag) = words::split_sign(word);
        if is_variation && words::is_null(bare) && !frame.board.in_check() {
            frame.add(None);
        } else {
            let mv = words::parse_move(bare, letters, &frame.board)?;
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

    /// `true` while the rest of a variation is passed over.
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

    /// Gives up the line that is being read: the game, or a variation.
    fn fault(&mut self, reason: String, at: usize) {
        let place = self.frame().place();
        let whose = if self.frames.len() > 1 { " in a variation" } else { "" };
        self.game.faults.push(format!("move {place}{whose}: {reason}"));
        if self.frames.len() > 1 {
            self.skipped = Some(Skipped { begin: at, depth: 0 });
        } else {
            self.keep_unread(at, self.text.len());
        }
    }

    /// What was not read is kept in a comment.
    fn keep_unread(&mut self, begin: usize, end: usize) {
        let rest = self.text[begin..end].split_whitespace().collect::<Vec<_>>().join(" ");
        let rest = rest.replace('{', "(").replace('}', ")");
        self.frame().notes().push(Note::Comment(format!("not read from here: {rest}")));
    }

    /// A game that is not read to its end still has a result.
    fn result_of_rest(&mut self, at: usize) {
        let result = Lexer::new(&self.text[at..]).filter_map(|(_, token)| match token {
            Token::Result(result) => Some(result),
            _ => None,
        });
        if let Some(result) = result.last() {
            result.clone_into(&mut self.game.result);
        }
    }
}
