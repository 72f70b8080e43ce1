//! Decides which positions become samples: quiet and undecided ones, from games and from inside the search tree.

use super::{MAX_PIECES, Sample};
use enroque::chess::{Board, Move};
use enroque::search::evaluation::is_known_ending;
use enroque::search::score::Score;
use enroque::search::{NodeObserver, SearchedNode};

/// We train on positions from games with scores within ± this, in centipawns. Self-play ends a game long before it is
/// so decided, so this leaves out little more than mates.
const MAX_GAME_SCORE: Score = 10_000;
/// We train on positions from inside the search tree with scores within ± this, in centipawns. The tree is full of
/// lopsided positions, and no game result corrects their scores.
const MAX_TREE_SCORE: Score = 5_000;
/// We skip a position with a halfmove clock of this or more, because its score depends too much on the fifty-move rule.
const MAX_HALFMOVE_CLOCK: u16 = 30;

/// Whether a position can teach the network something: it must be quiet, with a score within ± `max_score`, far from a
/// draw by the fifty-move rule, and not an ending that the engine evaluates without the network. It must also fit in a
/// [`Sample`]. `best_move` is `None` if the search found no best move.
fn is_instructive(board: &Board, best_move: Option<Move>, score: Score, max_score: Score) -> bool {
    !board.in_check()
        && best_move.is_none_or(Move::is_quiet)
        && score.abs() < max_score
        && board.halfmove_clock() < MAX_HALFMOVE_CLOCK
        && board.occupied().count() as usize <= MAX_PIECES
        && !is_known_ending(board)
}

/// Whether we train on a position from a game, given the move played there and its score.
pub fn is_usable(board: &Board, mv: Move, score: i16) -> bool {
    is_instructive(board, Some(mv), score.into(), MAX_GAME_SCORE)
}

/// Collects tree samples from the nodes that the search shows us.
pub struct TreeCollector {
    /// We only sample nodes with at least this much depth left, in plies; `None` samples none.
    pub min_depth: Option<i32>,
    pub samples: Vec<Sample>,
}

impl NodeObserver for TreeCollector {
    fn on_node(&mut self, board: &Board, node: SearchedNode) {
        let is_collected = self.min_depth.is_some_and(|min_depth| node.depth >= min_depth)
            && is_instructive(board, node.best_move, node.score, MAX_TREE_SCORE)
            // One bit of the key selects half of the positions, because successive positions in a line are much alike.
            && board.key() & (1 << 17) == 0;
        if is_collected {
            self.samples.extend(Sample::of_tree(board, node.score, node.bound));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decided_positions_are_unusable() {
        let is_usable = |fen: &str| {
            let board = Board::from_fen(fen, Default::default()).unwrap();
            is_usable(&board, board.parse_move("e1e2").unwrap(), 100)
        };
        assert!(is_usable("4k3/p7/8/8/8/8/7P/R3K3 w - - 29 40"));
        assert!(!is_usable("4k3/p7/8/8/8/8/7P/R3K3 w - - 30 40"), "soon drawn");
        assert!(!is_usable("4k3/8/8/8/8/8/7P/R3K3 w - - 0 40"), "known to be won");
        assert!(is_usable("4k3/8/8/8/8/8/7P/4K3 w - - 0 40"), "not known");
    }
}
