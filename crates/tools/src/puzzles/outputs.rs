//! Writes a set of puzzles as an HTML page, as EPD and as PGN.

use std::path::PathBuf;

use anyhow::Result;
use serde_json::{Value, json};

use super::arguments::Arguments;
use super::puzzle::{Goal, MAX_GRADE, Played, Puzzle, position_of};
use crate::page;
use enroque::chess::{Board, Color, FenStyle, Move};
use enroque_runs::files::{self, AtPath};
use enroque_runs::manifest;
use enroque_study::castling::color_name;
use enroque_study::line::{numbered, san_line};
use enroque_study::motif;
use enroque_study::pgn::{self, Line, Note, PgnGame, PgnMove};

const PAGE: &str = include_str!("page.html");
/// Every `id` in the EPD file begins like this.
const EPD_NAME: &str = "Enroque puzzle ";
const PGN_EVENT: &str = "Enroque puzzles";

/// Fails if two outputs are the same file, if one is also an input, or if one exists but isn't from an earlier run.
pub fn check(arguments: &Arguments) -> Result<()> {
    let Arguments { file, games, page, epd, pgn, .. } = arguments;
    let written = [Some(file.clone()), Some(manifest::path(file)), page.clone(), epd.clone(), pgn.clone()];
    files::ensure_distinct(games, &written.into_iter().flatten().collect::<Vec<PathBuf>>())?;
    if let Some(path) = page {
        page::check(path, PAGE)?;
    }
    for (path, mark) in [(epd, format!(" id \"{EPD_NAME}")), (pgn, format!("[Event \"{PGN_EVENT}"))] {
        let Some(path) = path else { continue };
        let is_ours = |bytes: &[u8]| {
            String::from_utf8_lossy(bytes).lines().next().is_some_and(|line| line.contains(&mark))
        };
        files::ensure_overwritable(path, is_ours).at(path)?;
    }
    Ok(())
}

pub fn write(puzzles: &[Played], arguments: &Arguments) -> Result<()> {
    let Arguments { page, epd, pgn, .. } = arguments;
    if let Some(path) = page {
        let questions: Vec<Value> = puzzles.iter().map(question).collect();
        page::write(path, PAGE, json!({ "grades": MAX_GRADE, "puzzles": questions }))?;
    }
    for (path, text) in [(epd, as_epd as fn((usize, &Played)) -> String), (pgn, as_pgn)] {
        let Some(path) = path else { continue };
        let texts: String = (1..).zip(puzzles).map(text).collect();
        files::replace(path, texts.as_bytes()).at(path)?;
    }
    Ok(())
}

fn as_epd((number, played): (usize, &Played)) -> String {
    let Played { puzzle, board, moves, .. } = played;
    let (moves, line) = (san_line(board, moves), san_line(board, &played.line()));
    let rest = match &line[moves.len()..] {
        [] => String::new(),
        rest => format!(" c3 \"then {}\";", rest.join(" ")),
    };
    format!(
        "{} hmvc {}; fmvn {}; bm {}; pv {}; acn {}; id \"{EPD_NAME}{number}\"; c1 \"grade {}\"; c2 \"{}\";{}\n",
        position_of(board, FenStyle::XFen),
        board.halfmove_clock(),
        board.fullmove_number(),
        moves[0],
        moves.join(" "),
        puzzle.nodes,
        puzzle.grade(),
        theme(puzzle),
        rest
    )
}

/// Says what the solution achieves, with which motif, in which phase, and the score: `wins; fork; middlegame; +4.10`.
fn theme(puzzle: &Puzzle) -> String {
    format!("{}; {}; {}; {}", puzzle.goal.verb(), puzzle.motif.name(), puzzle.phase.name(), puzzle.score)
}

fn as_pgn((number, played): (usize, &Played)) -> String {
    let Played { puzzle, board, moves, .. } = played;
    let tags = [
        ("Event", PGN_EVENT.to_owned()),
        ("Site", "?".to_owned()),
        ("Date", "????.??.??".to_owned()),
        ("Round", number.to_string()),
        ("White", format!("Puzzle {number}")),
        ("Black", format!("Grade {}", puzzle.grade())),
        ("Result", "*".to_owned()),
        ("Variant", "Chess960".to_owned()),
        ("SetUp", "1".to_owned()),
        ("FEN", board.fen(FenStyle::XFen)),
    ];
    let comment = format!("{} {} nodes. From {}.", task(played), puzzle.nodes, puzzle.source);
    // The game is the solution; a comment at its end has the rest of the line.
    let mut moves: Vec<PgnMove> =
        moves.iter().map(|&mv| PgnMove { mv: Some(mv), notes: Vec::new() }).collect();
    if let Some(last) = moves.last_mut() {
        last.notes.push(Note::Comment(outcome(played)));
    }
    pgn::write(&PgnGame {
        tags: tags.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
        start: board.clone(),
        line: Line { before: vec![Note::Comment(comment)], moves },
        result: "*".to_owned(),
        errors: Vec::new(),
    })
}

/// Says who is to move, after which move, and what to look for: `White to move after 7... Nxe4.`
fn task(Played { before, last, board, puzzle, .. }: &Played) -> String {
    let task = format!("{} to move after {}.", color_name(board.side_to_move()), numbered(before, &[*last]));
    match puzzle.goal {
        Goal::Win => task,
        Goal::Draw => task + " Save the draw.",
    }
}

/// Says what the solution achieves and what follows: `It wins (+4.10): fork. Then 9. Kd1 Nxa1.`
fn outcome(played: &Played) -> String {
    let Played { puzzle, board, moves, continuation, .. } = played;
    let end = motif::positions(board, moves).pop();
    let then = match end.filter(|_| !continuation.is_empty()) {
        Some(end) => format!(" Then {}.", numbered(&end, continuation)),
        None => String::new(),
    };
    format!("It {} ({}): {}.{then}", puzzle.goal.verb(), puzzle.score, puzzle.motif.name())
}

/// Returns a puzzle as JSON for the page.
fn question(played: &Played) -> Value {
    let Played { puzzle, board, moves, .. } = played;
    let solution = numbered(board, moves);
    let [best, second] = puzzle.chances;
    let (steps, end) = steps(played);
    json!({
        "fen": board.fen(FenStyle::XFen),
        "grade": puzzle.grade(),
        "turned": board.side_to_move() == Color::Black,
        "ask": task(played),
        "answer": board.san(moves[0]),
        "why": format!(
            "{solution}\n\n{}\nChance to win {best} %, with any other move at most {second} %.\n\
             Found after {} nodes. From {}.",
            outcome(played),
            puzzle.nodes,
            puzzle.source
        ),
        "phase": puzzle.phase.name(),
        // The printed list of answers shows the whole solution.
        "key": format!("{} {}: {}", numbered(board, &played.line()), puzzle.score, puzzle.motif.name()),
        "steps": steps,
        "end": end,
    })
}

/// Returns what the page needs for each move of the solver, and the final position.
fn steps(played: &Played) -> (Vec<Value>, Value) {
    let (mut before, mut board, mut last) = (played.before.clone(), played.board.clone(), played.last);
    let mut steps = Vec::new();
    for (index, &mv) in played.moves.iter().enumerate() {
        if index % 2 == 0 {
            let mut step = picture(&board, last);
            step["moves"] =
                board.legal_moves().iter().map(|&mv| json!([board.san(mv), mv.to_string()])).collect();
            step["move"] = mv.to_string().into();
            step["reply"] = format!("The answer is {}.", numbered(&before, &[last])).into();
            steps.push(step);
        }
        before = board.clone();
        board.make_move(mv);
        last = mv;
    }
    (steps, picture(&board, last))
}

/// Returns a position, and the squares of the last move, for a diagram on the page.
fn picture(board: &Board, last: Move) -> Value {
    json!({ "fen": board.fen(FenStyle::XFen), "last": [last.from().to_string(), last.to().to_string()] })
}
