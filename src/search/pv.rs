//! PVs for reports: legal moves only, no longer than the game.

use super::score::{MAX_PLY, Score, moves_to_mate};
use super::tt::TranspositionTable;
use crate::chess::{Board, Move};

/// Whether the game is over or a player may claim a draw.
fn is_game_over(board: &Board) -> bool {
    board.is_threefold()
        || board.is_fifty_move_draw()
        || board.has_insufficient_material()
        || !board.has_legal_move()
}

/// Returns the legal part of `pv`, cut at the end of the game. If the score announces a mate that it doesn't reach, the TT
/// supplies further moves.
pub fn legal_pv(board: &Board, pv: &[Move], score: Score, tt: &TranspositionTable) -> Vec<Move> {
    let mut board = board.clone();
    let mut legal = Vec::with_capacity(pv.len());
    for &mv in pv {
        if !board.is_legal(mv) {
            break;
        }
        board.make_move(mv);
        legal.push(mv);
        if is_game_over(&board) {
            return legal;
        }
    }
    let mate_plies = moves_to_mate(score).map_or(0, |moves| moves.unsigned_abs() as usize * 2);
    while legal.len() < mate_plies.min(MAX_PLY) {
        let Some(mv) = tt.probe_move(board.key()).filter(|&mv| board.is_legal(mv)) else { break };
        board.make_move(mv);
        legal.push(mv);
        if is_game_over(&board) {
            break;
        }
    }
    legal
}

#[cfg(test)]
mod tests {
    use super::super::score::{Bound, mate_in};
    use super::super::tt::TtEntry;
    use super::*;

    fn moves(board: &Board, names: &[&str]) -> Vec<Move> {
        let mut board = board.clone();
        let mut moves = Vec::new();
        for name in names {
            let mv = board.parse_move(name).unwrap_or_else(|| panic!("{name}"));
            board.make_move(mv);
            moves.push(mv);
        }
        moves
    }

    #[test]
    fn pv_ends_at_illegal_move() {
        let tt = TranspositionTable::new(1).unwrap();
        let board = Board::startpos();
        let good = moves(&board, &["e2e4", "e7e5", "g1f3"]);
        let mut bad = good.clone();
        bad.insert(2, good[0]);
        assert_eq!(legal_pv(&board, &good, 20, &tt), good);
        assert_eq!(legal_pv(&board, &bad, 20, &tt), good[..2]);
        // The third occurrence of a position allows a draw claim.
        let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6"];
        assert_eq!(legal_pv(&board, &moves(&board, &shuffle), 0, &tt).len(), 8);
    }

    #[test]
    fn table_extends_pv_to_mate() {
        let tt = TranspositionTable::new(1).unwrap();
        let board: Board = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1".parse().unwrap();
        let mate = moves(&board, &["a1a6", "b7a6", "b6b7"]);
        let mut later = board.clone();
        for &mv in &mate {
            let entry =
                TtEntry { mv: Some(mv), score: 0, bound: Bound::Exact, eval: None, depth: 1, tt_pv: true };
            tt.store(later.key(), 0, entry);
            later.make_move(mv);
        }
        assert_eq!(legal_pv(&board, &mate[..1], mate_in(3), &tt), mate);
        assert_eq!(legal_pv(&board, &mate[..1], 300, &tt), mate[..1]);
    }
}
