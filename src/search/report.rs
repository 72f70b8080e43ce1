//! Search reports: the [`Reporter`] that receives them, the PVs and the outcome that it gets, and how we keep PVs
//! legal.

use std::time::Duration;

use super::score::{Bound, MAX_PLY, Score, moves_to_mate};
use super::tt::TranspositionTable;
use crate::chess::{Board, Move};

/// One PV, with everything that UCI's `info` line shows.
#[derive(Clone, Debug)]
pub struct Info<'a> {
    pub board: &'a Board,
    pub depth: i32,
    /// Selective depth: the deepest ply reached, quiescence included.
    pub sel_depth: usize,
    /// Which of the MultiPV lines this is, from 1.
    pub multi_pv: usize,
    /// Score for the side to move, centipawns or a mate.
    pub score: Score,
    pub bound: Bound,
    /// Nodes searched so far, summed over all threads.
    pub nodes: u64,
    /// How full the TT is, in thousandths.
    pub hashfull: usize,
    /// Nodes whose result the tablebases gave, summed over all threads.
    pub tb_hits: u64,
    pub time: Duration,
    /// Legal from the first to the last move.
    pub pv: &'a [Move],
}

/// The best move of a search, and the line and score that speak for it.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Best move; `None` if there is no legal move.
    pub best_move: Option<Move>,
    /// The reply that we expect and could ponder on; `None` if there is none.
    pub ponder_move: Option<Move>,
    /// Score of the best move for the side to move.
    pub score: Score,
    /// Usually exact. A search that was stopped may only know a bound.
    pub bound: Bound,
    /// Depth of the last complete iteration.
    pub depth: i32,
    /// Nodes searched, summed over all threads.
    pub nodes: u64,
    pub time: Duration,
    pub pv: Vec<Move>,
}

/// Receives what a search reports. By default every method does nothing.
///
/// ```
/// use std::sync::mpsc::{Sender, channel};
///
/// use enroque::engine::Engine;
/// use enroque::search::limits::Limits;
/// use enroque::search::report::{Info, Reporter};
///
/// /// Sends the depth of each PV.
/// struct Depths(Sender<i32>);
///
/// impl Reporter for Depths {
///     fn info(&mut self, info: &Info<'_>) {
///         self.0.send(info.depth).unwrap();
///     }
/// }
///
/// let (sender, depths) = channel();
/// let mut engine = Engine::new()?;
/// engine.search(Limits::depth(3), Box::new(Depths(sender)));
/// assert!(depths.try_iter().eq([1, 2, 3]));
/// # Ok::<(), enroque::engine::EngineError>(())
/// ```
pub trait Reporter: Send {
    /// Whether anybody reads what `info` receives. If not, we save the time of building the PVs.
    fn is_enabled(&self) -> bool {
        true
    }

    fn info(&mut self, _info: &Info<'_>) {}

    /// The iteration to `depth` now searches root move number `move_count`, counted from 1.
    fn current_move(&mut self, _board: &Board, _depth: i32, _mv: Move, _move_count: usize) {}

    /// The root has no legal moves: checkmate if `in_check`, otherwise stalemate.
    fn no_moves(&mut self, _in_check: bool) {}

    fn finished(&mut self, _board: &Board, _outcome: &Outcome) {}
}

pub struct Silent;

impl Reporter for Silent {
    fn is_enabled(&self) -> bool {
        false
    }
}

/// Whether a PV ends in this position, because the game is over or a player may claim a draw.
fn is_game_over(board: &Board) -> bool {
    board.is_threefold()
        || board.is_fifty_move_draw()
        || board.has_insufficient_material()
        || !board.has_legal_move()
}

/// Returns `pv` up to its first illegal move or the end of the game. If the score announces a mate that the PV doesn't
/// reach, we continue with moves from the TT.
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
        // The PV ends where a position occurs for the third time, because a player may claim a draw there.
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
