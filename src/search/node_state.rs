//! Input of the search techniques: the state of a node and the move about to be searched in it.

use super::score::Score;
use super::tt::TtEntry;
use crate::chess::Move;

/// State of a node before its first move.
pub(super) struct Node {
    /// Plies from the root.
    pub(super) ply: usize,
    /// Depth to search, plies; after step 6 with the adjustments of the node.
    pub(super) depth: i32,
    /// Static evaluation before correction; `None` in check and in a singular search.
    pub(super) raw_eval: Option<Score>,
    /// Corrected static evaluation; `None` in check.
    pub(super) static_eval: Option<Score>,
    /// Static evaluation, or the score of the transposition table if that is more exact; `-INFINITE` in check.
    pub(super) eval: Score,
    /// Absolute correction of the static evaluation, centipawns.
    pub(super) complexity: Score,
    /// `true` if the static evaluation is above that of the side's previous turn.
    pub(super) improving: bool,
    /// `true` on the principal variation.
    pub(super) is_pv: bool,
    /// `true` on the principal variation, of this search or of one stored in the transposition table.
    pub(super) tt_pv: bool,
    /// `true` if the node is expected to fail high.
    pub(super) cut_node: bool,
    /// `true` in the search of all moves but the tt move, which tests whether that one is singular.
    pub(super) is_singular_search: bool,
    pub(super) tt_hit: Option<TtEntry>,
    /// Move of the transposition table; at the root the best move so far.
    pub(super) tt_move: Option<Move>,
}

impl Node {
    /// Returns `true` if the node is expected to fail low.
    pub(super) fn is_all(&self) -> bool {
        !self.is_pv && !self.cut_node
    }
}

/// Move about to be searched.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) mv: Move,
    /// Place among the moves of the node, from 1.
    pub(super) move_count: usize,
    /// Sum of the quiet histories of the move, or its capture history.
    pub(super) history: i32,
    pub(super) gives_check: bool,
    /// Depth less the late move reduction by depth and move count alone, plies; at least 0.
    pub(super) lmr_depth: i32,
    /// `true` for a capture or promotion that loses material by static exchange evaluation.
    pub(super) is_losing_noisy: bool,
    /// `true` if an earlier move of the node raised alpha.
    pub(super) alpha_raised: bool,
    /// Width of the window as a share of the root's, 1024ths.
    pub(super) window_share: i32,
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::chess::Board;

    /// Returns a cut node at ply 3 with this depth and evaluation and without a hit in the transposition table.
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

    /// Returns the move `text` of `board`, in coordinates, as move number `move_count` of its node.
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
            window_share: 0,
        }
    }
}
