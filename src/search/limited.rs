//! The root at limited strength: a search that thinks about moves as a person does.
//!
//! A player forms a first impression of every move: what it takes or saves, and whether it castles or gives check. Then
//! the player looks at the moves in that order, first one ply deep at all of them, then two plies deep at the better
//! half, three plies deep at the best third, and so on, until attention runs out. What each look finds is misjudged by
//! a random amount that shrinks with depth. At the end we play the move that seems best. That can be a move that the
//! player hasn't looked at, if those that the player knows more about are bad enough.
//!
//! People have habits, too: they seldom take a move back, bring a piece home or give up castling. Where several moves
//! look alike, a search does so as often as anything else.
//!
//! So an error is as likely as the better move is hard to find: what can be seen at a glance is rarely missed, a reply
//! only in haste, and a combination that shows at depth 5 always by those who don't get so far.
//!
//! A sacrifice looks bad at depth 1 and gets no second look as a move of our own, at any level; we see it as a reply.
//!
//! The search depends on nothing but the position, the moves before it, the level and the seed. It begins with empty
//! tables, and helper threads, time and tablebases don't add to what it knows.

use super::evaluation::evaluate;
use super::score::{MAX_DEPTH, Score, is_mate};
use super::strength::Handicap;
use super::worker::Worker;
use crate::chess::see::see_value;
use crate::chess::{Bitboard, Board, Move, PieceKind, Rank, Square};
use crate::util::random::Random;

/// At first sight, castling and checks look as good as a capture of this many centipawns.
const APPEAL: Score = 100;
/// A move seems at least this many centipawns worse than the position until the player has looked at it.
const DISTRUST: Score = 100;
/// A move that needs a good reason looks this many centipawns worse than its score.
const RELUCTANCE: Score = 40;
/// We go on comparing at least this many moves, however deep we look.
const MIN_WIDTH: usize = 2;
/// Attention ends when the player has tired this many times. The larger this is, the less attention varies.
const PATIENCE: u64 = 3;
/// Attention never lasts longer than this many times its mean, so that even the strongest level is soon done.
const MAX_ATTENTION: u64 = 2;

/// Returns our pieces that the opponent could win if we passed: the capture must gain at least a pawn. In check, when
/// nobody can pass, there are none.
fn hanging_pieces(board: &Board) -> Bitboard {
    if board.in_check() {
        return Bitboard::EMPTY;
    }
    let mut passed = board.clone();
    passed.make_null_move();
    let wins = |mv: &&Move| mv.is_capture() && passed.see_at_least(**mv, see_value(PieceKind::Pawn));
    passed.legal_moves().iter().filter(wins).map(|mv| mv.to()).collect()
}

/// Returns what a move seems to gain at first sight, centipawns. To save a piece looks as good as to capture one.
fn first_impression(board: &Board, mv: Move, hanging: Bitboard) -> Score {
    // A capture of nothing is en passant.
    let value =
        |square: Square| see_value(board.piece_on(square).map_or(PieceKind::Pawn, |piece| piece.kind()));
    let captured = if mv.is_capture() { value(mv.to()) } else { 0 };
    let saved = if hanging.has(mv.from()) { value(mv.from()) } else { 0 };
    let promoted = mv.promotion().map_or(0, |kind| see_value(kind) - see_value(PieceKind::Pawn));
    let appeals = mv.is_castle() || board.gives_check(mv, &board.check_info());
    captured + saved + promoted + if appeals { APPEAL } else { 0 }
}

/// Returns `true` if people make such a move only for a good reason: it takes back one of the last moves, puts a knight,
/// a bishop or the queen on its own first rank, or gives up castling although the opponent has a queen.
fn needs_reason(board: &Board, mv: Move) -> bool {
    if mv.is_capture() || mv.is_castle() || board.in_check() {
        return false;
    }
    let us = board.side_to_move();
    let kind = board.piece_on(mv.from()).map(|piece| piece.kind());
    let goes_home = matches!(kind, Some(PieceKind::Knight | PieceKind::Bishop | PieceKind::Queen))
        && mv.to().relative_rank(us) == Rank::First;
    let gives_up_castling = || {
        let mut after = board.clone();
        after.make_move(mv);
        after.castling_rights() != board.castling_rights()
    };
    let has_enemy_queen = board.pieces(!us, PieceKind::Queen).non_empty();
    goes_home || board.takes_back(mv) || has_enemy_queen && gives_up_castling()
}

impl Worker<'_> {
    /// Sorts the root moves by how good they look to a player with this handicap, the move to play first.
    pub(super) fn search_with_handicap(&mut self, handicap: Handicap) {
        let mut random = Random::new(self.job.options.seed);
        let board = &self.job.board;
        let eval = evaluate(self.network, board);
        let hanging = hanging_pieces(board);
        for root in &mut self.root.moves {
            let distrust = DISTRUST + handicap.misjudge(0, &mut random).abs();
            root.reluctance = if needs_reason(board, root.mv) { RELUCTANCE } else { 0 };
            root.impression = eval + first_impression(board, root.mv, hanging) - distrust - root.reluctance;
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
                root.impression = if is_mate(score) { score } else { score + error - root.reluctance };
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

    /// Returns which share of the moves in ten openings of this level need a good reason, in percent.
    fn share_without_habit(searcher: &mut LocalSearcher, elo: u32) -> usize {
        let mut random = Random::new(5);
        let mut count = 0;
        for game in 0..10 {
            let mut board = crate::chess::startpos::chess960(96 * game).unwrap();
            for _ in 0..40 {
                let mv = searcher.search_limited(&board, Handicap::from_elo(elo), random.bits()).best_move;
                let Some(mv) = mv else { break };
                count += usize::from(needs_reason(&board, mv));
                board.make_move(mv);
            }
        }
        count / 4
    }

    #[test]
    fn habits_of_people() {
        let mut searcher = searcher();
        for elo in [600, 1200, 1800] {
            let share = share_without_habit(&mut searcher, elo);
            assert!(share <= 4, "level {elo}: {share} %");
        }
    }

    #[test]
    fn moves_that_need_a_reason() {
        let board: Board = "r3k2r/8/8/3q4/8/2N5/5P2/R3K2R w KQkq - 0 1".parse().unwrap();
        let reasons = |moves: &str| {
            let needs = |mv: &str| needs_reason(&board, board.parse_move(mv).unwrap());
            moves.split(' ').map(needs).collect::<Vec<_>>()
        };
        // Home, the king, a rook with its right; not: forward, castling, a capture, a pawn.
        assert_eq!(
            reasons("c3b1 e1e2 a1b1 c3b5 e1h1 c3d5 f2f3"),
            [true, true, true, false, false, false, false]
        );
    }

    #[test]
    fn attacked_piece_is_seen() {
        // A pawn attacks the queen. Her retreat looks as good as if it took a queen.
        let board: Board =
            "r1b1k2r/pp1nbppp/2p2n2/1Q2p3/4P3/P1NP1N2/1PP2PPP/R1B1K2R w KQkq - 0 9".parse().unwrap();
        let hanging = hanging_pieces(&board);
        assert_eq!(hanging, Bitboard::of(Square::parse("b5").unwrap()));
        let impression = |mv: &str| first_impression(&board, board.parse_move(mv).unwrap(), hanging);
        assert_eq!([impression("b5a4"), impression("h2h3")], [see_value(PieceKind::Queen), 0]);
        let mut searcher = searcher();
        let lost = (0..100).filter(|&seed| {
            let outcome = searcher.search_limited(&board, Handicap::from_elo(1200), seed);
            let mut after = board.clone();
            after.make_move(outcome.best_move.unwrap());
            let wins_queen = |mv: &Move| mv.is_capture() && after.see_at_least(*mv, 500);
            after.legal_moves().iter().any(wins_queen)
        });
        assert_eq!(lost.count(), 0);
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
