//! Games: what each move cost, in annotated PGN.

use serde::Serialize;

use super::live::Style;
use super::pgn::{self, PgnGame};
use super::variation::{Variation, numbered};
use super::{AnalyseError, Analyst, Status, graph, json};
use crate::chess::{Board, Color};
use crate::console::interrupt;
use crate::console::{OutputError, note, say};
use crate::files;
use crate::uci::format::NAME;

/// A mistake by what it loses of the expectation, 0 to 1: its mark, the glyph's number, and from which loss on.
struct Mark {
    text: &'static str,
    nag: u8,
    loss: f64,
}

/// Worst first. The losses are those of lichess: 10, 20 and 30 % on a scale from -1 to 1.
const MARKS: [Mark; 3] = [
    Mark { text: "??", nag: 4, loss: 0.15 },
    Mark { text: "?", nag: 2, loss: 0.10 },
    Mark { text: "?!", nag: 6, loss: 0.05 },
];

/// Glyphs that judge a move: those of an earlier analysis give way to the new.
const JUDGEMENTS: std::ops::RangeInclusive<u8> = 1..=6;
/// Plies of a better line that are shown.
const SHOWN_PLIES: usize = 10;
/// Characters of a line of PGN.
const WIDTH: usize = 80;

/// What was found of a move.
#[derive(Serialize)]
struct Judgement {
    san: String,
    /// The evaluation after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<Variation>,
    /// What the mover may expect less than before, 0 to 1.
    loss: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    mark: Option<&'static str>,
    /// What was better.
    #[serde(skip_serializing_if = "Option::is_none")]
    better: Option<Vec<String>>,
}

#[derive(Serialize)]
struct GameReport<'a> {
    white: &'a str,
    black: &'a str,
    result: &'a str,
    /// Of White and of Black, per cent; none without moves.
    accuracy: [Option<f64>; 2],
    moves: &'a [Judgement],
}

impl Analyst<'_> {
    /// Analyses the games of a file.
    pub(super) fn games(&mut self, file: &str, text: &str) -> Result<Status, AnalyseError> {
        let mut status = Status::Good;
        let sections = pgn::sections(text);
        if sections.is_empty() {
            note(&format!("enroque: {file}: no games"));
            return Ok(Status::BadInput);
        }
        if let Some(path) = &self.arguments.graph {
            graph::check(path)?;
        }
        let mut drawn = 0;
        for (index, section) in sections.iter().enumerate() {
            let game = match pgn::read(section.text, self.arguments.castling) {
                Ok(game) => game,
                Err(error) => {
                    note(&format!("enroque: {file}, game {} at line {}: {error}", index + 1, section.line));
                    status = Status::BadInput;
                    continue;
                }
            };
            let (judgements, expectations) = self.judge(&game, index + 1, sections.len())?;
            if interrupt::happened() {
                // What is judged so far is shown; the rest of the game is left as it was.
                self.show(&game, &judgements)?;
                return Ok(Status::Interrupted);
            }
            self.show(&game, &judgements)?;
            if let Some(path) = self.arguments.graph.as_ref().filter(|_| !game.moves.is_empty()) {
                drawn += 1;
                let path = graph::numbered_path(path, drawn);
                graph::check(&path)?;
                files::replace(&path, graph::svg(&game, &expectations).as_bytes())
                    .map_err(|reason| AnalyseError::Graph { path, reason })?;
            }
        }
        Ok(status)
    }

    /// Judges the moves of a game, as far as Ctrl-C lets it; with White's expectation in each position.
    fn judge(
        &mut self,
        game: &PgnGame,
        number: usize,
        games: usize,
    ) -> Result<(Vec<Judgement>, Vec<f64>), OutputError> {
        let length = game.moves.len() as u64;
        let mut progress = crate::console::progress::Progress::new(length, "moves", 0);
        let title = format!("game {number}/{games}: {} - {}", game.tag("White"), game.tag("Black"));
        self.engine.new_game();
        let mut board = game.start.clone();
        let mut judgements = Vec::new();
        let mut before = if game.moves.is_empty() { None } else { self.evaluate(&board)? };
        let mut expectations = vec![for_white(&board, before.as_ref())];
        for (index, played) in game.moves.iter().enumerate() {
            let san = board.san(played.mv);
            let expected = expectation(&board, before.as_ref());
            let line = before.as_ref().map(|line| line.san.clone()).unwrap_or_default();
            board.make_move(played.mv);
            let after = self.evaluate(&board)?;
            if interrupt::happened() {
                break;
            }
            let is_best = line.first() == Some(&san);
            let loss =
                if is_best { 0.0 } else { (expected + expectation(&board, after.as_ref()) - 1.0).max(0.0) };
            let mark = MARKS.iter().find(|mark| loss >= mark.loss).map(|mark| mark.text);
            let better = mark.map(|_| line[..line.len().min(SHOWN_PLIES)].to_vec());
            expectations.push(for_white(&board, after.as_ref()));
            judgements.push(Judgement { san, after: after.clone(), loss, mark, better });
            before = after;
            progress.set(index as u64 + 1, || title.clone());
        }
        progress.finish();
        Ok((judgements, expectations))
    }

    /// The best line, if there is a legal move.
    fn evaluate(&mut self, board: &Board) -> Result<Option<Variation>, OutputError> {
        Ok(self.search(board, Style::Silent)?.into_iter().next())
    }

    fn show(&self, game: &PgnGame, judgements: &[Judgement]) -> Result<(), OutputError> {
        let accuracy = Color::ALL.map(|color| accuracy(game, judgements, color));
        if self.arguments.json {
            say(&json(&GameReport {
                white: game.tag("White"),
                black: game.tag("Black"),
                result: &game.result,
                accuracy,
                moves: judgements,
            }))
        } else {
            say(&annotated(game, judgements, accuracy))
        }
    }
}

/// What the side to move may expect, 0 to 1; without a legal move what the rules give it.
fn expectation(board: &Board, line: Option<&Variation>) -> f64 {
    match line {
        Some(line) => line.expectation(),
        None if board.in_check() => 0.0,
        None => 0.5,
    }
}

fn for_white(board: &Board, line: Option<&Variation>) -> f64 {
    let own = expectation(board, line);
    if board.side_to_move() == Color::White { own } else { 1.0 - own }
}

/// The mean accuracy of a side's moves in per cent, each by the formula of lichess: 103.1668 e^(-0.04354 x) - 3.1669,
/// where x is the loss in per cent.
fn accuracy(game: &PgnGame, judgements: &[Judgement], color: Color) -> Option<f64> {
    let first = usize::from(game.start.side_to_move() != color);
    let each: Vec<f64> = judgements
        .iter()
        .skip(first)
        .step_by(2)
        .map(|judgement| (103.1668 * (-0.04354 * 100.0 * judgement.loss).exp() - 3.1669).clamp(0.0, 100.0))
        .collect();
    if each.is_empty() { None } else { Some(each.iter().sum::<f64>() / each.len() as f64) }
}

/// The game in PGN with evaluations, marks and better lines.
fn annotated(game: &PgnGame, judgements: &[Judgement], accuracy: [Option<f64>; 2]) -> String {
    let mut text = String::new();
    let added = ["Annotator", "WhiteAccuracy", "BlackAccuracy"];
    for (name, value) in game.tags.iter().filter(|(name, _)| !added.contains(&name.as_str())) {
        text += &tag(name, value);
    }
    text += &tag("Annotator", NAME);
    for (name, accuracy) in [added[1], added[2]].into_iter().zip(accuracy) {
        if let Some(accuracy) = accuracy {
            text += &tag(name, &format!("{accuracy:.1}"));
        }
    }
    text.push('\n');
    let mut words = Words::default();
    let mut board = game.start.clone();
    let mut needs_number = true;
    for (index, played) in game.moves.iter().enumerate() {
        let judgement = judgements.get(index);
        let number = board.fullmove_number();
        if board.side_to_move() == Color::White {
            words.push(&format!("{number}."));
        } else if needs_number {
            words.push(&format!("{number}..."));
        }
        words.push(&board.san(played.mv));
        let old_nags =
            played.nags.iter().copied().filter(|nag| judgement.is_none() || !JUDGEMENTS.contains(nag));
        let mark =
            judgement.and_then(|judgement| MARKS.iter().find(|mark| judgement.mark == Some(mark.text)));
        for nag in old_nags.chain(mark.map(|mark| mark.nag)) {
            words.push(&format!("${nag}"));
        }
        let before = board.clone();
        board.make_move(played.mv);
        let eval = judgement.and_then(|judgement| judgement.after.as_ref()).map(|line| eval(line, &board));
        needs_number = eval.is_some() || !played.comment.is_empty();
        if needs_number {
            words.push("{");
            // A command must not be broken over two lines.
            eval.iter().for_each(|eval| words.push(eval));
            words.push_all(&played.comment.replace('}', ")"));
            words.push("}");
        }
        if let Some(better) = judgement.and_then(|judgement| judgement.better.as_ref()) {
            words.push_all(&format!("( {} )", numbered(&before, better)));
            needs_number = true;
        }
    }
    words.push(&game.result);
    text + &words.finish() + "\n"
}

/// `[%eval 0.17]` or `[%eval #-3]`, for White.
fn eval(line: &Variation, board: &Board) -> String {
    format!("[%eval {}]", line.score_for_white(board.side_to_move()).trim_start_matches('+'))
}

fn tag(name: &str, value: &str) -> String {
    format!("[{name} \"{}\"]\n", value.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Words set in lines of at most [`WIDTH`] characters.
#[derive(Default)]
struct Words {
    lines: Vec<String>,
    line: String,
}

impl Words {
    fn push(&mut self, word: &str) {
        if !self.line.is_empty() && self.line.len() + 1 + word.len() > WIDTH {
            self.lines.push(std::mem::take(&mut self.line));
        }
        if !self.line.is_empty() {
            self.line.push(' ');
        }
        self.line.push_str(word);
    }

    fn push_all(&mut self, words: &str) {
        words.split_whitespace().for_each(|word| self.push(word));
    }

    fn finish(mut self) -> String {
        self.lines.push(self.line);
        self.lines.join("\n") + "\n"
    }
}
