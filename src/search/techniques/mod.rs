//! The techniques of the search node, one file each: the idea, when it is wrong, parameters, condition and tests.
//!
//! The numbered steps of `node` apply them. A new technique is a file here, its line below and its place in a step.

// The window of the node.
pub(super) mod mate_distance;
pub(super) mod tablebase_probe;
pub(super) mod upcoming_repetition;

// The depth of the node.
pub(super) mod hindsight;
pub(super) mod internal_iterative_reduction;

// Pruning of the node.
pub(super) mod null_move;
pub(super) mod probcut;
pub(super) mod razoring;
pub(super) mod reverse_futility;

// Pruning of a move.
pub(super) mod futility;
pub(super) mod history_pruning;
pub(super) mod late_move_pruning;
pub(super) mod see_pruning;

// The depth of a move.
pub(super) mod late_move_reductions;
pub(super) mod singular_extension;

#[cfg(test)]
pub(super) mod test_nodes {
    use crate::chess::{Board, Move};
    use crate::search::node::{Candidate, Node};
    use crate::search::score::Score;

    /// A cut node of this depth and evaluation that knows nothing else.
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
            tt_hit: None,
            tt_move: None,
        }
    }

    /// The move of `board` in coordinates, as the node's move number `move_count`.
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
            alpha_raised: 0,
        }
    }
}
