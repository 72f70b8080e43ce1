//! Placement game: two players place their back-rank pieces in turn, White first, to create a start position.
//!
//! A placement is legal if the rank can still become one of the 960: bishops on opposite colours, the king between the
//! rooks.

use std::io::BufRead;

use thiserror::Error;

use crate::chess::square::File;
use crate::chess::startpos::{self, BackRank, StartCastling};
use crate::chess::{Board, CastlingRules, Color, PieceKind};
use crate::terminal::{OutputError, print_line};
use crate::workbench::explain::color_name;

/// Error of the placement game.
#[derive(Debug, Error)]
pub enum PlacingError {
    /// End of input, with the number of pieces that remain.
    #[error("the game ended with {0} pieces still to be placed")]
    Unfinished(usize),
    /// Input that cannot be read.
    #[error("cannot read the placements: {0}")]
    Read(std::io::Error),
    /// Standard output that cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}

/// Pieces of both sides.
const PIECE_COUNT: usize = 16;

/// Back rank of one side, by file.
type Partial = [Option<PieceKind>; 8];

/// Plays the game with placements such as `Nb` or `Nb1` from `input`, one a line.
///
/// # Errors
/// Returns an error if the input ends before the game.
pub fn play(input: impl BufRead) -> Result<Board, PlacingError> {
    let mut ranks = [[None; 8]; 2];
    let mut placed: Vec<(Color, usize)> = Vec::new();
    print_line(
        "Two players place their pieces in turn: a piece and a file, such as Nb. 'undo' takes back the last piece,\n\
         '?' lists the legal placements. The bishops stand on opposite colours, the king between the rooks.",
    )?;
    let mut lines = input.lines();
    while placed.len() < PIECE_COUNT {
        let color = if placed.len().is_multiple_of(2) { Color::White } else { Color::Black };
        print_line(&format!("\n{}\n{} places:", picture(&ranks), color_name(color)))?;
        let Some(line) = lines.next() else {
            return Err(PlacingError::Unfinished(PIECE_COUNT - placed.len()));
        };
        let rank = &mut ranks[color.index()];
        match line.map_err(PlacingError::Read)?.trim() {
            "undo" => match placed.pop() {
                Some((color, file)) => ranks[color.index()][file] = None,
                None => print_line("There is nothing to take back.")?,
            },
            "?" => print_line(&legal_placements(rank))?,
            text => match placement(text) {
                Some((kind, file)) if is_legal(rank, kind, file) => {
                    rank[file] = Some(kind);
                    placed.push((color, file));
                }
                Some((kind, file)) => print_line(&format!("Illegal: {}", illegal_reason(rank, kind, file)))?,
                None => print_line("Expected a piece and a file, such as Nb, or '?' or 'undo'.")?,
            },
        }
    }
    let [white, black] = ranks.map(|rank| complete(&rank));
    match white.zip(black) {
        Some((white, black)) => {
            Ok(startpos::board_from_back_ranks(&white, &black, StartCastling::Rules(CastlingRules::Fischer)))
        }
        // Unreachable: the last legal placement completes both ranks.
        None => Err(PlacingError::Unfinished(0)),
    }
}

/// Parses `Nb`, `nb1` or `N b`.
fn placement(text: &str) -> Option<(PieceKind, usize)> {
    let mut letters = text.chars().filter(|c| !c.is_whitespace());
    let kind = PieceKind::from_letter(letters.next()?).filter(|&kind| kind != PieceKind::Pawn)?;
    let file = letters.next()?.to_ascii_lowercase();
    let file = ('a'..='h').position(|letter| letter == file)?;
    let rest: String = letters.collect();
    ["", "1", "8"].contains(&rest.as_str()).then_some((kind, file))
}

/// Returns the Chess960 ranks that contain the placed pieces.
fn completions(rank: &Partial) -> impl Iterator<Item = BackRank> + '_ {
    (0..startpos::CHESS960_COUNT).filter_map(startpos::back_rank).filter(|full| {
        rank.iter().zip(full).all(|(placed, kind)| placed.is_none_or(|placed| placed == *kind))
    })
}

fn is_legal(rank: &Partial, kind: PieceKind, file: usize) -> bool {
    let mut next = *rank;
    rank[file].is_none() && {
        next[file] = Some(kind);
        completions(&next).next().is_some()
    }
}

fn complete(rank: &Partial) -> Option<BackRank> {
    let full: Vec<PieceKind> = rank.iter().copied().flatten().collect();
    full.try_into().ok()
}

fn legal_placements(rank: &Partial) -> String {
    let line = |kind: PieceKind| {
        let files: String =
            (0..8).filter(|&file| is_legal(rank, kind, file)).map(|file| File::ALL[file].letter()).collect();
        if files.is_empty() { String::new() } else { format!("{} on {files}\n", kind.letter()) }
    };
    PieceKind::ALL.map(line).concat().trim_end().to_owned()
}

fn illegal_reason(rank: &Partial, kind: PieceKind, file: usize) -> String {
    let count = |kind| rank.iter().filter(|placed| **placed == Some(kind)).count();
    let most = if matches!(kind, PieceKind::King | PieceKind::Queen) { 1 } else { 2 };
    if rank[file].is_some() {
        format!("{}1 is occupied.", File::ALL[file].letter())
    } else if count(kind) == most {
        format!("no {} is left.", kind.name())
    } else {
        "it leaves no set-up with bishops on opposite colours and the king between the rooks.".to_owned()
    }
}

fn picture(ranks: &[Partial; 2]) -> String {
    let row = |rank: &Partial| -> String {
        rank.map(|placed| format!("{} ", placed.map_or('.', PieceKind::letter))).concat()
    };
    format!("Black  {}\nWhite  {}\n       a b c d e f g h", row(&ranks[1]).to_lowercase(), row(&ranks[0]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::random::Random;

    #[test]
    fn whatever_is_legal_can_be_finished() {
        let mut random = Random::new(9);
        for _ in 0..20 {
            let mut rank: Partial = [None; 8];
            for _ in 0..8 {
                let choices: Vec<(PieceKind, usize)> = PieceKind::ALL
                    .into_iter()
                    .flat_map(|kind| (0..8).map(move |file| (kind, file)))
                    .filter(|&(kind, file)| is_legal(&rank, kind, file))
                    .collect();
                let (kind, file) = choices[random.below(choices.len() as u64) as usize];
                rank[file] = Some(kind);
            }
            assert!(startpos::scharnagl_number(&complete(&rank).unwrap()).is_some_and(|number| number < 960));
        }
    }

    #[test]
    fn game_builds_start_position() {
        let white = ["Ra", "Nb", "Bc", "Qd", "Ke", "Bf1", "Ng", "Rh"];
        let moves: String = white
            .iter()
            .map(|placed| format!("{placed}\n{placed}\n").replace("Bf1\nBf1", "Bf1\nbf8"))
            .collect();
        // An occupied square, a king in the corner, bishops on one colour, and undone placements.
        let input = format!("Ra\nRa\nKa\nundo\nBc\nundo\nundo\n{}", moves);
        let board = play(input.as_bytes()).unwrap();
        assert_eq!(board, Board::startpos());
        assert!(matches!(play(&b"Ra\n"[..]), Err(PlacingError::Unfinished(15))));
        let rank = [Some(PieceKind::Bishop), None, None, None, None, None, None, None];
        assert!(!is_legal(&rank, PieceKind::Bishop, 2) && is_legal(&rank, PieceKind::Bishop, 3));
        assert!(!is_legal(&rank, PieceKind::King, 7) && !is_legal(&rank, PieceKind::Knight, 0));
        assert_eq!(
            (placement("N b"), placement("x"), placement("Pa")),
            (Some((PieceKind::Knight, 1)), None, None)
        );
    }
}
