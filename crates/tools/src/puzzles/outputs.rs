//! Outputs of a set of puzzles: page, EPD and PGN.

use std::path::{Path, PathBuf};

use super::arguments::Arguments;
use super::error::PuzzlesError;
use super::line::{opponent_move, solution};
use super::page;
use super::puzzle::{POSITION_FIELDS, Played, Puzzle};
use crate::explain::color_name;
use enroque::chess::FenStyle;
use enroque_runs::files;
use enroque_runs::manifest;
use enroque_study::pgn::{self, Line, Note, PgnGame, PgnMove};

/// Beginning of the names of the positions in EPD.
const EPD_NAME: &str = "Enroque puzzle ";
/// Event of the puzzles in PGN.
const PGN_EVENT: &str = "Enroque puzzles";

fn at(path: &Path) -> impl Fn(std::io::Error) -> PuzzlesError + '_ {
    move |reason| PuzzlesError::File { path: path.to_owned(), reason }
}

/// Checks that the output files are different ones, none of them an input, and do not exist or are earlier outputs.
///
/// # Errors
/// Returns an error if an output would replace another file.
pub fn check(arguments: &Arguments) -> Result<(), PuzzlesError> {
    let Arguments { file, games, page, epd, pgn, .. } = arguments;
    let written = [Some(file.clone()), Some(manifest::path(file)), page.clone(), epd.clone(), pgn.clone()];
    files::ensure_distinct(games, &written.into_iter().flatten().collect::<Vec<PathBuf>>())?;
    let check = |path: &Option<PathBuf>, beginning: String| {
        let is_ours = |bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes);
            text.lines().next().is_some_and(|line| line.contains(&beginning))
        };
        path.as_ref().map_or(Ok(()), |path| files::ensure_overwritable(path, is_ours).map_err(at(path)))
    };
    if let Some(path) = page {
        files::ensure_overwritable(path, page::is_beginning).map_err(at(path))?;
    }
    check(epd, format!(" id \"{EPD_NAME}"))?;
    check(pgn, format!("[Event \"{PGN_EVENT}"))
}

/// Writes the outputs.
///
/// # Errors
/// Returns an error if a file cannot be written.
pub fn write(puzzles: &[(Puzzle, Played)], arguments: &Arguments) -> Result<(), PuzzlesError> {
    let Arguments { page, epd, pgn, .. } = arguments;
    if let Some(path) = page {
        files::replace(path, page::html(puzzles).as_bytes()).map_err(at(path))?;
    }
    for (path, text) in [(epd, as_epd as fn(usize, &Puzzle, &Played) -> String), (pgn, as_pgn)] {
        let Some(path) = path else { continue };
        let texts =
            puzzles.iter().enumerate().map(|(index, (puzzle, played))| text(index + 1, puzzle, played));
        files::replace(path, texts.collect::<String>().as_bytes()).map_err(at(path))?;
    }
    Ok(())
}

fn as_epd(number: usize, puzzle: &Puzzle, played: &Played) -> String {
    let fen = played.board.fen(FenStyle::XFen);
    let position = fen.split(' ').take(POSITION_FIELDS).collect::<Vec<_>>().join(" ");
    let moves = solution(played);
    let (first, line) = (&moves[0], moves.join(" "));
    let &Puzzle { nodes, .. } = puzzle;
    let (halfmoves, move_number) = (played.board.halfmove_clock(), played.board.fullmove_number());
    format!(
        "{position} hmvc {halfmoves}; fmvn {move_number}; bm {first}; pv {line}; acn {nodes}; \
         id \"{EPD_NAME}{number}\"; c1 \"grade {}\";\n",
        puzzle.grade()
    )
}

fn as_pgn(number: usize, puzzle: &Puzzle, played: &Played) -> String {
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
        ("FEN", played.board.fen(FenStyle::XFen)),
    ];
    let comment = format!(
        "{} to move after {}. {} nodes. From {}.",
        color_name(played.board.side_to_move()),
        opponent_move(&played.before, played.last),
        puzzle.nodes,
        puzzle.source
    );
    let moves = played.moves.iter().map(|&mv| PgnMove { mv: Some(mv), notes: Vec::new() });
    pgn::write(&PgnGame {
        tags: tags.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
        start: played.board.clone(),
        line: Line { before: vec![Note::Comment(comment)], moves: moves.collect() },
        result: "*".to_owned(),
        errors: Vec::new(),
    })
}
