//! Reading games in PGN, through the crate `pgn-reader`.

use std::io::Cursor;
use std::ops::ControlFlow;

use pgn_reader::{Nag, Outcome, RawComment, RawTag, Reader, SanPlus, Skip, Visitor};

use crate::chess::{Board, CastlingRules, Move};

/// A move of a game.
pub struct PgnMove {
    /// The move.
    pub mv: Move,
    /// Numeric annotation glyphs.
    pub nags: Vec<u8>,
    /// What its writer said of it.
    pub comment: String,
}

pub struct PgnGame {
    /// Names and values, in order.
    pub tags: Vec<(String, String)>,
    /// Where it begins.
    pub start: Board,
    /// What was played; variations are left out.
    pub moves: Vec<PgnMove>,
    /// As the movetext ends: `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
}

impl PgnGame {
    /// The value of a tag, or a question mark.
    pub fn tag(&self, name: &str) -> &str {
        self.tags.iter().find(|(tag, _)| tag == name).map_or("?", |(_, value)| value)
    }
}

/// The text of one game and the line, counted from 1, at which it begins.
pub struct Section<'a> {
    pub line: usize,
    /// Tags and moves.
    pub text: &'a str,
}

/// Cuts a file into games, so that one broken game leaves the next ones whole. A game begins with the first tag after
/// moves.
pub fn sections(text: &str) -> Vec<Section<'_>> {
    let mut sections = Vec::new();
    let (mut begin, mut begin_line) = (0, 1);
    let mut has_moves = false;
    let mut at = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let is_tag = is_tag(line);
        if is_tag && has_moves {
            sections.push(Section { line: begin_line, text: &text[begin..at] });
            (begin, begin_line, has_moves) = (at, index + 1, false);
        } else if !is_tag && !line.trim().is_empty() {
            has_moves = true;
        }
        at += line.len();
    }
    if !text[begin..].trim().is_empty() {
        sections.push(Section { line: begin_line, text: &text[begin..] });
    }
    sections
}

/// `[Name "value"]`, not a command within a comment.
fn is_tag(line: &str) -> bool {
    let rest = line.trim_start().strip_prefix('[');
    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()) && rest.contains('"'))
}

/// Reads the game of a section.
///
/// # Errors
/// What is wrong with it, in words.
pub fn read(text: &str, rules: CastlingRules) -> Result<PgnGame, String> {
    let mut reader = Reader::new(Cursor::new(text));
    let read = reader.read_game(&mut Builder { rules }).map_err(|error| error.to_string())?;
    read.unwrap_or_else(|| Err("no game".to_owned()))
}

struct Builder {
    rules: CastlingRules,
}

type Read = Result<PgnGame, String>;

/// A game and the position it is at.
struct Movetext {
    game: PgnGame,
    board: Board,
}

impl Visitor for Builder {
    type Tags = Vec<(String, String)>;
    type Movetext = Movetext;
    type Output = Read;

    fn begin_tags(&mut self) -> ControlFlow<Read, Self::Tags> {
        ControlFlow::Continue(Vec::new())
    }

    fn tag(&mut self, tags: &mut Self::Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Read> {
        let name = String::from_utf8_lossy(name).into_owned();
        tags.push((name, value.decode_utf8_lossy().into_owned()));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Self::Tags) -> ControlFlow<Read, Movetext> {
        match start(&tags, self.rules) {
            Ok(start) => {
                let game = PgnGame { tags, start: start.clone(), moves: Vec::new(), result: "*".to_owned() };
                ControlFlow::Continue(Movetext { game, board: start })
            }
            Err(error) => ControlFlow::Break(Err(error)),
        }
    }

    fn san(&mut self, movetext: &mut Movetext, san: SanPlus) -> ControlFlow<Read> {
        let Movetext { game, board } = movetext;
        match board.parse_san(&san.to_string()) {
            Ok(mv) => {
                board.make_move(mv);
                game.moves.push(PgnMove { mv, nags: Vec::new(), comment: String::new() });
                ControlFlow::Continue(())
            }
            Err(error) => {
                let dots = ["", ".."][board.side_to_move().index()];
                ControlFlow::Break(Err(format!("move {}.{dots}: {error}", board.fullmove_number())))
            }
        }
    }

    fn nag(&mut self, movetext: &mut Movetext, nag: Nag) -> ControlFlow<Read> {
        if let Some(last) = movetext.game.moves.last_mut() {
            last.nags.push(nag.0);
        }
        ControlFlow::Continue(())
    }

    fn comment(&mut self, movetext: &mut Movetext, comment: RawComment<'_>) -> ControlFlow<Read> {
        if let Some(last) = movetext.game.moves.last_mut() {
            let text = without_evals(&String::from_utf8_lossy(comment.as_bytes()));
            if !last.comment.is_empty() && !text.is_empty() {
                last.comment.push(' ');
            }
            last.comment.push_str(&text);
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut Movetext) -> ControlFlow<Read, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn outcome(&mut self, movetext: &mut Movetext, outcome: Outcome) -> ControlFlow<Read> {
        movetext.game.result = outcome.to_string();
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, movetext: Movetext) -> Read {
        Ok(movetext.game)
    }
}

/// Chess and its variants of castling; other variants have other rules.
fn start(tags: &[(String, String)], rules: CastlingRules) -> Result<Board, String> {
    let tag = |name| tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str());
    let known = [
        "",
        "standard",
        "chess",
        "from position",
        "chess960",
        "fischerandom",
        "fischerrandom",
        "fischer random",
        "chess 960",
    ];
    if let Some(variant) = tag("Variant")
        && !known.contains(&variant.to_ascii_lowercase().as_str())
    {
        return Err(format!("tag Variant: '{variant}' is neither chess nor Chess960"));
    }
    match tag("FEN") {
        Some(fen) => Board::from_fen(fen, rules).map_err(|error| format!("tag FEN: {error}")),
        None => Ok(Board::startpos()),
    }
}

/// A comment without the evaluations of an earlier analysis, which would contradict the new ones.
fn without_evals(comment: &str) -> String {
    let mut text = comment.to_owned();
    while let Some(begin) = text.find("[%eval") {
        let end = text[begin..].find(']').map_or(text.len(), |length| begin + length + 1);
        text.replace_range(begin..end, "");
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_broken_game_leaves_the_others_whole() {
        let text = "[White \"A\"]\n\n1. e4 {a\n[%clk 1:00] b} e5 *\n\n[White \"B\"]\n\n1. e4 e4 {open\n\n[White \"C\"]\n\n1. d4 $1 (1. c4) d5 1/2-1/2\n";
        let sections = sections(text);
        assert_eq!(sections.iter().map(|section| section.line).collect::<Vec<_>>(), [1, 6, 10]);
        let games: Vec<Read> =
            sections.iter().map(|section| read(section.text, CastlingRules::Fischer)).collect();
        let first = games[0].as_ref().unwrap();
        assert_eq!((first.moves.len(), first.moves[0].comment.as_str()), (2, "a [%clk 1:00] b"));
        assert!(games[1].as_ref().is_err_and(|error| error.contains("move 1...")));
        let third = games[2].as_ref().unwrap();
        assert_eq!((third.moves.len(), third.result.as_str(), third.tag("White")), (2, "1/2-1/2", "C"));
        assert_eq!(third.moves[0].nags, [1]);
    }

    #[test]
    fn old_evaluations_go() {
        assert_eq!(without_evals(" good [%eval 0.3,12] move [%clk 0:01] "), "good move [%clk 0:01]");
    }
}
