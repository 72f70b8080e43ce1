//! The static evaluation of the search: what the network says, but against a bare king a mop-up evaluation; damped by the
//! fifty-move counter.
//!
//! Mop-up evaluation: an ending that is won by driving a bare king to the edge asks for a plan of thirty plies, which
//! shallow self-play does not find: king and rook against king won 5 of 20 random positions at 400 nodes a move, and so the
//! network took such positions for 0.60 points. With a mop-up evaluation it won 17. Where nobody can win it says so.
//!
//! Worth nothing at 3,000 nodes a move, −0.4 ± 2.7 (2,794 games), where the mate was found in time before; it is there for
//! self-play, analysis and fast games.

use super::score::{DRAW, EVAL_LIMIT, Score};
use crate::chess::see::see_value;
use crate::chess::{Bitboard, Board, Color, PieceKind, Square};
use crate::nnue::Network;

/// Plies without progress from which on nothing would be left of an evaluation.
const FIFTY_MOVE_DAMPING: Score = 220;

/// A won ending is worth so much and its pieces, centipawns.
const KNOWN_WIN: Score = 2_000;
/// For each step of the bare king from the middle, or towards the corner in which a bishop and a knight mate, and for each
/// step of the kings towards each other: ten times what Chess 4.5 gave (Slate and Atkin 1977).
const EDGE: Score = 47;
/// See [`EDGE`].
const KINGS: Score = 16;

/// What is to be said of `board`, for the side to move; for one position alone.
pub fn evaluate(network: &Network, board: &Board) -> Score {
    evaluate_with(board, || crate::nnue::evaluate(network, board))
}

/// The same, where the network is asked by `network` if it has to be.
#[inline]
pub(super) fn evaluate_with(board: &Board, network: impl FnOnce() -> Score) -> Score {
    mop_up(board).unwrap_or_else(|| damped_by_fifty_moves(network(), board))
}

/// `true` when the network is not asked about `board`, because it is known how it ends.
pub fn is_known(board: &Board) -> bool {
    mop_up(board).is_some()
}

/// What the network says, damped by the fifty-move counter: a position in which nothing happens for long is worth less.
/// Never decisive, whatever the network.
#[inline]
fn damped_by_fifty_moves(eval: Score, board: &Board) -> Score {
    let clock = Score::from(board.halfmove_clock().min(100));
    eval.clamp(-EVAL_LIMIT, EVAL_LIMIT) * (FIFTY_MOVE_DAMPING - clock) / FIFTY_MOVE_DAMPING
}

/// The evaluation for the side to move when a side has nothing but its king and it is known who wins.
#[inline]
fn mop_up(board: &Board) -> Option<Score> {
    let us = board.side_to_move();
    let is_bare = |side: Color| !board.by_color(side).more_than_one();
    if is_bare(!us) {
        bare_king(board, us)
    } else if is_bare(us) {
        bare_king(board, !us).map(|score| -score)
    } else {
        None
    }
}

/// What is known for `winner` against a bare king.
#[cold]
fn bare_king(board: &Board, winner: Color) -> Option<Score> {
    use PieceKind::*;
    let pieces = |kind| board.pieces(winner, kind);
    let (knights, bishops) = (pieces(Knight), pieces(Bishop));
    let has_major = (pieces(Rook) | pieces(Queen)).non_empty();
    let has_both_bishops = bishops.intersects(Bitboard::LIGHT) && bishops.intersects(!Bitboard::LIGHT);
    let mates_in_corner = !has_major && !has_both_bishops && bishops.non_empty() && knights.non_empty();
    if !has_major && !has_both_bishops && !mates_in_corner && knights.count() < 3 {
        // Pawns may promote; two knights cannot force mate.
        return pieces(Pawn).is_empty().then_some(DRAW);
    }
    let (own, bare) = (board.king(winner), board.king(!winner));
    let driven = if mates_in_corner { nearness_to_corner(bare, bishops) } else { distance_from_centre(bare) };
    let material: Score = [Pawn, Knight, Bishop, Rook, Queen]
        .into_iter()
        .map(|kind| see_value(kind) * pieces(kind).count() as Score)
        .sum();
    Some((KNOWN_WIN + material + EDGE * driven + KINGS * (14 - distance(own, bare))).min(EVAL_LIMIT))
}

/// File and rank, 0 to 7.
fn coordinates(square: Square) -> [i32; 2] {
    [square.file().index(), square.rank().index()].map(|index| index as i32)
}

/// Steps of a rook that moves square by square.
fn distance(a: Square, b: Square) -> i32 {
    let ([file_a, rank_a], [file_b, rank_b]) = (coordinates(a), coordinates(b));
    (file_a - file_b).abs() + (rank_a - rank_b).abs()
}

/// Such steps to the nearest of the four squares in the middle, 0 to 6.
fn distance_from_centre(square: Square) -> i32 {
    coordinates(square).into_iter().map(|index| (3 - index).max(index - 4)).sum()
}

/// How near a square is to a corner of the bishops' colour: 7 in it, 0 on the diagonal between the other two.
fn nearness_to_corner(square: Square, bishops: Bitboard) -> i32 {
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
    fn a_bare_king_is_lost_or_not_by_what_can_mate_it() {
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
    fn the_bare_king_is_driven_to_where_it_is_mated() {
        let better = |better: &str, worse: &str| {
            let score = |placement: &str| mop_up(&format!("{placement} w - - 0 1")).unwrap();
            assert!(score(better) > score(worse), "{better} {worse}");
        };
        better("k7/8/8/8/8/8/1R6/4K3", "8/8/8/4k3/8/8/1R6/4K3");
        better("4k3/8/4K3/8/8/8/1R6/8", "4k3/8/8/8/8/8/1R6/4K3");
        // A bishop on dark squares mates in a1 or h8, one on light squares in a8 or h1.
        better("8/8/8/8/8/3K4/8/k1B2N2", "k7/8/8/8/8/3K4/8/2B2N2");
        better("k7/8/8/8/8/3K4/8/3B1N2", "8/8/8/8/8/3K4/8/k2B1N2");
    }

    #[test]
    fn the_fifty_move_counter_damps_what_the_network_says_and_no_known_win() {
        let eval = |fen: &str| evaluate_with(&fen.parse().unwrap(), || 220);
        assert_eq!(eval("4k3/p7/8/8/8/8/Q7/4K3 w - - 0 1"), 220);
        assert_eq!(eval("4k3/p7/8/8/8/8/Q7/4K3 w - - 60 60"), 160);
        assert_eq!(eval("4k3/p7/8/8/8/8/Q7/4K3 w - - 99 60"), 121);
        assert_eq!(eval("4k3/8/8/8/8/8/Q7/4K3 w - - 60 60"), eval("4k3/8/8/8/8/8/Q7/4K3 w - - 0 1"));
    }
}
