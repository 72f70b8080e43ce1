//! What the conditions for pruning, reducing and extending look at: [`Node`], a node before its first move, and
//! [`Candidate`], the move that we are about to search in that node.

use super::score::{INFINITE, Score};
use super::tt::TtEntry;
use crate::chess::Move;

/// What we expect of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NodeKind {
    /// On the PV: we need an exact score, so the window is open.
    Pv,
    /// Expected to fail high. Like all nodes off the PV, it is searched in a null window.
    Cut,
    /// Expected to fail low.
    All,
}

impl NodeKind {
    /// Returns the kind of the child nodes that we search in a null window.
    #[inline(always)]
    pub(super) fn child(self) -> Self {
        if self == Self::Cut { Self::All } else { Self::Cut }
    }

    /// Returns the kind of a search of the same node in a null window.
    #[inline(always)]
    pub(super) fn in_null_window(self) -> Self {
        if self == Self::Cut { Self::Cut } else { Self::All }
    }
}

/// What we know about a node before its first move.
pub(super) struct Node {
    pub(super) kind: NodeKind,
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
    /// Whether the node is on the PV, or the TT says that it once was.
    pub(super) tt_pv: bool,
    /// Whether this is a singular search, which leaves out the TT move.
    pub(super) is_singular_search: bool,
    pub(super) tt_hit: Option<TtEntry>,
    /// TT move; at the root the best move so far.
    pub(super) tt_move: Option<Move>,
}

impl Node {
    /// Returns a node that isn't evaluated and isn't in the TT.
    #[inline(always)]
    pub(super) fn new(kind: NodeKind, ply: usize, depth: i32) -> Self {
        Self {
            kind,
            ply,
            depth,
            raw_eval: None,
            static_eval: None,
            eval: -INFINITE,
            complexity: 0,
            improving: false,
            tt_pv: false,
            is_singular_search: false,
            tt_hit: None,
            tt_move: None,
        }
    }

    pub(super) fn is_pv(&self) -> bool {
        self.kind == NodeKind::Pv
    }

    pub(super) fn is_cut(&self) -> bool {
        self.kind == NodeKind::Cut
    }

    pub(super) fn is_all(&self) -> bool {
        self.kind == NodeKind::All
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
    /// Late move reduction by depth, move count and whether the move is quiet, 1024ths of a ply.
    pub(super) base_reduction: i32,
    /// Node depth less the base reduction, plies; at least 0.
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
        let (raw_eval, static_eval) = (Some(eval), Some(eval));
        Node { raw_eval, static_eval, eval, ..Node::new(NodeKind::Cut, 3, depth) }
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
            base_reduction: 0,
            lmr_depth,
            is_losing_noisy: false,
            alpha_raised: false,
            window_share: None,
        }
    }
}
