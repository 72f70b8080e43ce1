//! Scores of positions for White in centipawns, and the chances to win that they mean.

use super::variation::Variation;
use enroque::chess::Board;
use enroque_study::judgement::{MAX_CENTIPAWNS, sign_of, win_percent};

/// Returns the score of a line for the side to move in centipawns, within ± `MAX_CENTIPAWNS`.
fn own_centipawns(line: &Variation) -> f64 {
    match line.mate {
        Some(moves) => MAX_CENTIPAWNS * f64::from(moves.signum()),
        None => f64::from(line.cp.unwrap_or(0)).clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS),
    }
}

/// Returns the win percentage of the side to move by its best line.
pub fn own_win_percent(line: &Variation) -> f64 {
    win_percent(own_centipawns(line))
}

/// Returns the score of a position for White in centipawns, within ± `MAX_CENTIPAWNS`. A position without a line is
/// checkmate or stalemate.
pub fn centipawns(board: &Board, line: Option<&Variation>) -> f64 {
    let own = match line {
        Some(line) => own_centipawns(line),
        None if board.in_check() => -MAX_CENTIPAWNS,
        None => 0.0,
    };
    sign_of(board.side_to_move()) * own
}
