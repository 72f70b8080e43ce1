//! Static eval: what the network says, damped as the halfmove clock rises, or a mop-up eval against a bare king.
//!
//! Driving a bare king to the edge takes up to thirty plies. Shallow self-play doesn't manage that, so the network
//! learns that such endings are often drawn. The mop-up eval shows the way, and scores endings with too little material
//! as drawn. It matters in self-play, analysis and fast games; deeper searches find the mate without it.

use super::score::{DRAW, EVAL_LIMIT, Score};
use crate::chess::board::draws::FIFTY_MOVES;
use crate::chess::see::see_value;
use crate::chess::{Bitboard, Board, Color, PieceKind, Square};
use crate::nnue::Network;

/// We scale the network's eval by (this − halfmove clock) / this, so just over half of it is left after 100 plies.
const FIFTY_MOVE_DAMPING: Score = 220;

/// Bonus for a won ending against a bare king, on top of the material, centipawns.
pub(super) const KNOWN_WIN: Score = 2_000;
/// Bonus per step of the bare king away from the centre or, against bishop and knight, towards a corner where they can
/// mate, centipawns. This and [`KING_PROXIMITY_BONUS`] are ten times the values in Chess 4.5 (Slate and Atkin 1977).
const EDGE_BONUS: Score = 47;
/// Bonus per step by which the kings are closer to each other than [`MAX_DISTANCE`], centipawns.
const KING_PROXIMITY_BONUS: Score = 16;
const MAX_DISTANCE: i32 = 14;
/// With this many knights a side can force mate against a bare king.
const MATING_KNIGHTS: u32 = 3;

/// Returns the static eval for the side to move, centipawns, before the search corrects it by its histories.
pub fn evaluate(network: &Network, board: &Board) -> Score {
    evaluate_with(board, || crate::nnue::evaluate(network, board))
}

/// Returns the static eval for the side to move. Calls `network` unless the mop-up eval knows the ending.
#[inline]
pub(super) fn evaluate_with(board: &Board, network: impl FnOnce() -> Score) -> Score {
    mop_up(board).unwrap_or_else(|| damp_by_fifty_moves(network(), board))
}

/// Whether the mop-up eval knows the ending. Then we never call the network, so training can leave the position out.
pub fn is_known_ending(board: &Board) -> bool {
    mop_up(board).is_some()
}

/// The longer a side makes no progress, the less its advantage counts. The result is never decisive.
#[inline]
fn damp_by_fifty_moves(eval: Score, board: &Board) -> Score {
    let clock = Score::from(board.halfmove_clock().min(FIFTY_MOVES));
    eval.clamp(-EVAL_LIMIT, EVAL_LIMIT) * (FIFTY_MOVE_DAMPING - clock) / FIFTY_MOVE_DAMPING
}

/// Returns the mop-up eval for the side to move if one side has a bare king and the result is known.
#[inline]
fn mop_up(board: &Board) -> Option<Score> {
    let us = board.side_to_move();
    let is_bare = |side: Color| !board.by_color(side).more_than_one();
    if is_bare(!us) {
        evaluate_bare_king(board, us)
    } else if is_bare(us) {
        evaluate_bare_king(board, !us).map(|score| -score)
    } else {
        None
    }
}

#[cold]
fn evaluate_bare_king(board: &Board, winner: Color) -> Option<Score> {
    use PieceKind::*;
    let pieces = |kind| board.pieces(winner, kind);
    let (knights, bishops) = (pieces(Knight), pieces(Bishop));
    let has_major = (pieces(Rook) | pieces(Queen)).non_empty();
    let has_both_bishops = bishops.intersects(Bitboard::LIGHT) && bishops.intersects(!Bitboard::LIGHT);
    let mates_in_corner = !has_major && !has_both_bishops && bishops.non_empty() && knights.non_empty();
    if !has_major && !has_both_bishops && !mates_in_corner && knights.count() < MATING_KNIGHTS {
        // These pieces can't force mate. If there are pawns, the network judges whether one can promote.
        return pieces(Pawn).is_empty().then_some(DRAW);
    }
    let (own, bare) = (board.king(winner), board.king(!winner));
    let steps = if mates_in_corner { corner_proximity(bare, bishops) } else { distance_from_centre(bare) };
    let proximity = MAX_DISTANCE - manhattan_distance(own, bare);
    let material: Score = [Pawn, Knight, Bishop, Rook, Queen]
        .into_iter()
        .map(|kind| see_value(kind) * pieces(kind).count() as Score)
        .sum();
    Some((KNOWN_WIN + material + EDGE_BONUS * steps + KING_PROXIMITY_BONUS * proximity).min(EVAL_LIMIT))
}

fn coordinates(square: Square) -> [i32; 2] {
    [square.file().index(), square.rank().index()].map(|index| index as i32)
}

fn manhattan_distance(a: Square, b: Square) -> i32 {
    let ([file_a, rank_a], [file_b, rank_b]) = (coordinates(a), coordinates(b));
    (file_a - file_b).abs() + (rank_a - rank_b).abs()
}

/// Returns the Manhattan distance to the nearest central square, 0 to 6.
fn distance_from_centre(square: Square) -> i32 {
    coordinates(square).into_iter().map(|index| (3 - index).max(index - 4)).sum()
}

/// Returns how close a square is to a corner of the bishops' colour: 7 in such a corner, 0 on the long diagonal that
/// joins the other two corners.
fn corner_proximity(square: Square, bishops: Bitboard) -> i32 {
    let [file, rank] = coordinates(square);
    if bishops.intersects(Bitboard::LIGHT) { (file - rank).abs() } else { (7 - file - rank).abs() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mop_up(fen: &str) -> Option<Score> {
        super::mop_up(&fen.parse().unwrap())
    }

    #[test]
    fn bare_king_loses_to_mating_material() {
        let against = |pieces: &str, side| {
            mop_up(&format!("4k3/8/8/8/8/8/{pieces}{}/4K3 {side} - - 0 1", 8 - pieces.len()))
        };
        for won in ["R", "Q", "BB", "BN", "NNN", "RP", "QB", "BNP", "BBP"] {
            let score = against(won, 'w').unwrap();
            assert!(score > KNOWN_WIN, "{won}: {score}");
            assert_eq!(against(won, 'b'), Some(-score), "{won}");
        }
        assert_eq!(against("NN", 'w'), Some(DRAW));
        for open in ["P", "NP", "BP", "NNP", "PPP"] {
            assert_eq!(against(open, 'w'), None, "{open}");
        }
        assert_eq!(mop_up("4k3/p7/8/8/8/8/Q7/4K3 w - - 0 1"), None, "not bare");
    }

    #[test]
    fn bare_king_is_driven_to_mate() {
        let better = |better: &str, worse: &str| {
            let score = |placement: &str| mop_up(&format!("{placement} w - - 0 1")).unwrap();
            assert!(score(better) > score(worse), "{better} {worse}");
        };
        better("k7/8/8/8/8/8/1R6/4K3", "8/8/8/4k3/8/8/1R6/4K3");
        better("4k3/8/4K3/8/8/8/1R6/8", "4k3/8/8/8/8/8/1R6/4K3");
        // A dark-squared bishop and a knight mate on a1 or h8, a light-squared bishop and a knight on a8 or h1.
        better("8/8/8/8/8/3K4/8/k1B2N2", "k7/8/8/8/8/3K4/8/2B2N2");
        better("k7/8/8/8/8/3K4/8/3B1N2", "8/8/8/8/8/3K4/8/k2B1N2");
    }

    #[test]
    fn halfmove_clock_damps_network_evaluation() {
        let eval = |fen: &str| evaluate_with(&fen.parse().unwrap(), || 220);
        assert_eq!(eval("4k3/p7/8/8/8/8/Q7/4K3 w - - 0 1"), 220);
        assert_eq!(eval("4k3/p7/8/8/8/8/Q7/4K3 w - - 60 60"), 160);
        assert_eq!(eval("4k3/p7/8/8/8/8/Q7/4K3 w - - 99 60"), 121);
        assert_eq!(eval("4k3/8/8/8/8/8/Q7/4K3 w - - 60 60"), eval("4k3/8/8/8/8/8/Q7/4K3 w - - 0 1"));
    }
}
