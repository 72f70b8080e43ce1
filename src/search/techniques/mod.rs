//! The techniques of the search node, one file each: what it is and why it works, where it is wrong, what it was worth
//! here, its parameters, its whole condition, its tests. `node` says when each is asked.
//!
//! Every file of this folder is a module: a new technique is a new file and its line in the node.
//!
//! What a technique was worth is what its removal cost, in matches of the engine against itself at 8,000 nodes a move,
//! 70 % double Chess960 and 30 % orthodox openings, unless the file says otherwise. Elo with 95 % intervals.

automod::dir!(pub(super) "src/search/techniques");

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
