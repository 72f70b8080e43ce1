//! What the conditions for pruning, reducing and extending look at: [`Node`], a node before its first move, and
//! [`Candidate`], the move that we are about to search in that node.

use super::score::Score;
use super::tt::TtEntry;
use crate::chess::Move;

/// What we know about a node before its first move.
pub(super) struct Node {
    /// Plies from the root.
    pub(super) ply: usize,
    /// Depth to search, plies. Hindsight and internal iterative reduction change it in step 6 of the search.
    pub(super) depth: i32,
    /// Static eval before the correction histories change it; `None` in check and in a singular search.
    pub(super) raw_eval: Option<Score>,
    /// Corrected static eval; `None` in check.
    pub(super) static_eval: Option<Score>,
    /// Static eval, or the TT score if that tells us more; `-INFINITE` in check.
    pub(super) eval: Score,
    /// How much the correction histories changed the static eval, centipawns. The more, the less we trust it.
    pub(super) complexity: Score,
    /// Whether the static eval has risen since our last turn; `false` in check.
    pub(super) improving: bool,
    pub(super) is_pv: bool,
    /// Whether the node is on the PV, or the TT says that it once was.
    pub(super) tt_pv: bool,
    /// Whether we expect the node to fail high.
    pub(super) cut_node: bool,
    /// Whether this is a singular search, which leaves out the TT move.
    pub(super) is_singular_search: bool,
    pub(super) tt_hit: Option<TtEntry>,
    /// TT move; at the root the best move so far.
    pub(super) tt_move: Option<Move>,
}

impl Node {
    /// Whether we expect the node to fail low.
    pub(super) fn is_all(&self) -> bool {
        !self.is_pv && !self.cut_node
    }

    pub(super) fn in_check(&self) -> bool {
        self.static_eval.is_none()
    }
}

/// The move that we are about to prune, extend or search.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) mv: Move,
    /// Place in the move order, from 1. Moves that we pruned count, too.
    pub(super) move_count: usize,
    /// Sum of the quiet histories for a quiet move, otherwise the capture history.
    pub(super) history: i32,
    pub(super) gives_check: bool,
    /// Node depth less the basic late move reduction (by depth, move count and whether the move is quiet); at least 0.
    pub(super) lmr_depth: i32,
    /// Whether the move is a capture or promotion that loses material by SEE.
    pub(super) is_losing_noisy: bool,
    /// Whether an earlier move of the node raised alpha.
    pub(super) alpha_raised: bool,
    /// Width of the window relative to the root's: [`super::root::WHOLE_WINDOW`] if both are equal. The narrower the
    /// window, the more we reduce. `None` off the PV and in `go mate`, where the PV is reduced like any other line.
    pub(super) window_share: Option<i32>,
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::chess::Board;

    /// Returns a cut node at ply 3 with this depth and evaluation and without a TT hit.
    pub fn node(depth: i32, eval: Score) -> Node {
        Node {
            ply: 3,
            depth,
            raw_eval: Some(eval),
            static_eval: Some(eval),
            eval,
            complexity: 0,
            improving: false,
            is_pv: false,
            tt_pv: false,
            cut_node: true,
            is_singular_search: false,
            tt_hit: None,
            tt_move: None,
        }
    }

    /// Returns a candidate without history for the move `text`, such as `e2e4`.
    pub fn candidate(board: &Board, text: &str, move_count: usize, lmr_depth: i32) -> Candidate {
        let mv: Move = board.parse_move(text).unwrap_or_else(|| panic!("{text}"));
        let gives_check = board.gives_check(mv, &board.check_info());
        Candidate {
            mv,
            move_count,
            history: 0,
            gives_check,
            lmr_depth,
            is_losing_noisy: false,
            alpha_raised: false,
            window_share: None,
        }
    }
}
