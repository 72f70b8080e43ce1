//! The root at limited strength: a search that thinks about moves as a person does.
//!
//! A player forms a first impression of every move, by what it takes and whether it castles or gives check. Then the
//! player looks at the moves in that order, first one ply deep at all of them, then two plies deep at the better half,
//! three plies deep at the best third, and so on, until attention runs out. What each look finds is misjudged by a
//! random amount that shrinks with depth. At the end we play the move that seems best. That can be a move that the
//! player hasn't looked at, if those that the player knows more about are bad enough.
//!
//! So an error is as likely as the better move is hard to find: what can be seen at a glance is rarely missed, a reply
//! only in haste, and a combination that shows at depth 5 always by those who don't get so far.
//!
//! A sacrifice looks bad at depth 1 and gets no second look as a move of our own, at any level; we see it as a reply.
//!
//! The search depends on nothing but the position, the level and the seed. It begins with empty tables, and helper
//! threads, time and tablebases don't add to what it knows.

use super::evaluation::evaluate;
use super::score::{MAX_DEPTH, Score, is_mate};
use super::strength::Handicap;
use super::worker::Worker;
use crate::chess::see::see_value;
use crate::chess::{Board, Move, PieceKind};
use crate::util::random::Random;

/// At first sight, castling and checks look as good as a capture of this many centipawns.
const APPEAL: Score = 100;
/// A move seems at least this many centipawns worse than the position until the player has looked at it.
const DISTRUST: Score = 100;
/// We go on comparing at least this many moves, however deep we look.
const MIN_WIDTH: usize = 2;
/// Attention ends when the player has tired this many times. The larger this is, the less attention varies.
const PATIENCE: u64 = 3;
/// Attention never lasts longer than this many times its mean, so that even the strongest level is soon done.
const MAX_ATTENTION: u64 = 2;

/// Returns what a move seems to gain at first sight, centipawns.
fn first_impression(board: &Board, mv: Move) -> Score {
    let victim = board.piece_on(mv.to()).map_or(PieceKind::Pawn, |piece| piece.kind());
    let captured = if mv.is_capture() { see_value(victim) } else { 0 };
    let promoted = mv.promotion().map_or(0, |kind| see_value(kind) - see_value(PieceKind::Pawn));
    let appeals = mv.is_castle() || board.gives_check(mv, &board.check_info());
    captured + promoted + if appeals { APPEAL } else { 0 }
}

impl Worker<'_> {
    /// Sorts the root moves by how good they look to a player with this handicap, the move to play first.
    pub(super) fn search_with_handicap(&mut self, handicap: Handicap) {
        let mut random = Random::new(self.job.options.seed);
        let board = &self.job.board;
        let eval = evaluate(self.network, board);
        for root in &mut self.root.moves {
            let distrust = DISTRUST + handicap.misjudge(0, &mut random).abs();
            root.impression = eval + first_impression(board, root.mv) - distrust;
        }
        self.sort_by_impression();
        self.look_deeper(handicap, &mut random);
        self.sort_by_impression();
        self.root.pv_index = 0;
        self.root.completed_depth = self.root.moves[0].line.depth;
        self.report_pvs(self.job.options.multi_pv.min(self.root.moves.len()));
    }

    fn sort_by_impression(&mut self) {
        self.root.moves.sort_by_key(|root| std::cmp::Reverse(root.impression));
    }

    /// Looks at moves, deeper and deeper at fewer and fewer of them, until attention or another limit ends that.
    fn look_deeper(&mut self, handicap: Handicap, random: &mut Random) {
        let job = self.job;
        let attention = job.limits.soft_nodes.unwrap_or(u64::MAX).min(MAX_ATTENTION * handicap.nodes);
        let max_depth = job.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        let count = self.root.moves.len();
        let mut patience = PATIENCE;
        for depth in 1..=max_depth {
            let width = (count / depth as usize).max(MIN_WIDTH.min(count));
            for index in 0..width {
                let nodes_before = self.nodes;
                self.look(index, depth);
                if self.stopped {
                    return;
                }
                let root = &mut self.root.moves[index];
                let score = root.line.score;
                let error = handicap.misjudge(depth, random);
                root.impression = if is_mate(score) { score } else { score + error };
                self.root.completed_depth = depth;
                // On average the player tires once in `nodes / PATIENCE` nodes.
                if random.below(handicap.nodes) < PATIENCE * (self.nodes - nodes_before) {
                    patience -= 1;
                }
                if patience == 0 || self.nodes >= attention || job.time.soft_limit_reached(self.nodes, 1.0) {
                    return;
                }
            }
            if count == 1 {
                return;
            }
            self.sort_by_impression();
        }
    }

    /// Searches a single root move to `depth`.
    fn look(&mut self, index: usize, depth: i32) {
        // The root searches the moves from `pv_index` on, so we put the move last.
        let last = self.root.moves.len() - 1;
        self.root.moves.swap(index, last);
        self.root.pv_index = last;
        self.root.depth = depth;
        self.sel_depth = 0;
        self.root.moves[last].begin_iteration(depth);
        self.aspiration_search(depth);
        if self.stopped {
            self.root.moves[last].restore_unfinished();
        }
        self.root.moves.swap(index, last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::local::LocalSearcher;
    use crate::nnue::Network;
    use crate::search::limits::Limits;
    use crate::search::strength::ELO_RANGE;

    fn searcher() -> LocalSearcher {
        LocalSearcher::new(Network::embedded(), 1).unwrap()
    }

    fn choice(searcher: &mut LocalSearcher, fen: &str, elo: u32, seed: u64) -> String {
        let outcome = searcher.search_limited(&fen.parse().unwrap(), Handicap::from_elo(elo), seed);
        outcome.best_move.unwrap().to_string()
    }

    #[test]
    fn move_depends_on_seed_alone() {
        let fen = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
        let choices = |searcher: &mut LocalSearcher| -> Vec<String> {
            (0..20).map(|seed| choice(searcher, fen, 1000, seed)).collect()
        };
        let mut fresh = searcher();
        let expected = choices(&mut fresh);
        assert!(expected.iter().any(|mv| mv != &expected[0]), "{expected:?}");
        // An analysis of the position leaves nothing behind that the level could use.
        let mut used = searcher();
        used.search(&fen.parse().unwrap(), Limits::nodes(20_000));
        assert_eq!(choices(&mut used), expected);
    }

    #[test]
    fn what_is_easy_to_see_is_seen() {
        let mut searcher = searcher();
        let mut share = |fen: &str, elo: u32, best: &str| {
            (0..100).filter(|&seed| choice(&mut searcher, fen, elo, seed) == best).count()
        };
        // A mate in one, and a recapture of a queen.
        assert!(share("6k1/5ppp/8/8/8/2N5/1PP2PPP/R5K1 w - - 0 1", 800, "a1a8") >= 95);
        let recapture = "r1b1kb1r/ppp2ppp/2p2n2/8/4P3/8/PPP2PPP/RNBqKB1R w KQkq - 0 7";
        assert!(share(recapture, 1000, "e1d1") >= 95);
    }

    #[test]
    fn weakest_level_mates_bare_king() {
        let mut searcher = searcher();
        let weakest = Handicap::from_elo(ELO_RANGE.0);
        for fen in ["8/8/8/4k3/8/8/8/R3K3 w - - 0 1", "8/8/3k4/8/8/4K3/8/6Q1 w - - 0 1"] {
            for seed in 0..3 {
                let mut board: Board = fen.parse().unwrap();
                let mut random = Random::new(seed);
                while board.has_legal_move() && !board.is_fifty_move_draw() {
                    let mv = searcher.search_limited(&board, weakest, random.bits()).best_move.unwrap();
                    board.make_move(mv);
                }
                assert!(!board.has_legal_move() && board.in_check(), "{fen} {seed}: {board}");
            }
        }
    }
}
