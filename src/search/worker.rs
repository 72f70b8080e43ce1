//! A search thread: its position, tables and counters, the check whether it must stop, and the small steps that main
//! search and quiescence search share, such as making a move, probing the TT and evaluating.

use std::sync::{Arc, Weak};

use super::control::Control;
use super::evaluation::{KNOWN_WIN, evaluate_with};
use super::history::{Histories, PieceTo, PreviousMoves, landing_square};
use super::job::{CHECK_INTERVAL, FIRST_ITERATION_NODES, SearchJob};
use super::move_list::MoveStack;
use super::root::RootState;
use super::score::*;
use super::stack::Stack;
use super::tt::{Probe, TranspositionTable};
use crate::chess::{Board, Move};
use crate::nnue::{Accumulators, Network};
use crate::tablebase::Wdl;

/// What a search thread keeps from one search to the next.
pub struct ThreadData {
    histories: Histories,
    stack: Box<Stack>,
    moves: MoveStack,
    accumulators: Option<Accumulators>,
    /// The network that the accumulators belong to; weak, so that we don't keep an old network in memory.
    network: Weak<Network>,
    /// Best score of the last search; if it has fallen since, we take more time.
    last_score: Option<Score>,
    /// The transposition table for searches at limited strength, from the first such search on.
    limited_tt: Option<TranspositionTable>,
}

/// Size of the transposition table for searches at limited strength, MiB.
const LIMITED_HASH: usize = 1;

impl ThreadData {
    /// Returns `None` if the memory cannot be allocated.
    pub fn new() -> Option<Self> {
        Some(Self {
            histories: Histories::new()?,
            stack: Stack::new(),
            moves: MoveStack::new()?,
            accumulators: None,
            network: Weak::new(),
            last_score: None,
            limited_tt: None,
        })
    }

    /// Prepares for a search at limited strength, which begins with an empty transposition table and empty histories. So
    /// a level knows nothing from analysis or from earlier moves, and plays the same with any `Hash`.
    fn forget(&mut self) {
        self.histories.clear();
        if self.limited_tt.is_none() {
            self.limited_tt = TranspositionTable::new(LIMITED_HASH);
        }
        if let Some(tt) = &self.limited_tt {
            tt.clear();
            tt.new_search();
        }
    }

    /// Forgets what earlier searches learned, for a new game.
    pub fn clear_histories(&mut self) {
        // Before the first search the histories are zero. If we wrote to them, the system would have to provide their
        // memory, which takes ten seconds with 1,024 threads.
        if self.accumulators.is_some() {
            self.histories.clear();
            self.last_score = None;
        }
    }
}

/// What the search found at a node, for a [`NodeObserver`].
#[derive(Clone, Copy, Debug)]
pub struct SearchedNode {
    pub depth: i32,
    pub score: Score,
    pub bound: Bound,
    /// The last move that raised alpha; `None` if none did.
    pub best_move: Option<Move>,
}

pub trait NodeObserver {
    /// Receives every node whose moves were searched, except the root, quiescence nodes and singular searches.
    fn on_node(&mut self, board: &Board, node: SearchedNode);
}

/// A search thread at work on a [`SearchJob`].
pub struct Worker<'a> {
    id: usize,
    pub(super) job: &'a SearchJob,
    pub(super) tt: &'a TranspositionTable,
    pub(super) control: &'a Control,
    pub(super) network: &'a Network,
    pub(super) histories: &'a mut Histories,
    pub(super) stack: &'a mut Stack,
    pub(super) moves: &'a MoveStack,
    accumulators: &'a mut Accumulators,

    pub(super) board: Board,
    /// What a draw is worth for White and for Black.
    draw_scores: [Score; 2],
    pub(super) root: RootState,
    /// Best score of the previous search. If this search scores lower, it takes more time; its end updates the score.
    pub(super) last_score: &'a mut Option<Score>,
    /// While we verify a null-move cutoff, we make no null moves at plies less than this.
    pub(super) null_move_min_ply: usize,
    pub(super) sel_depth: usize,
    pub(super) nodes: u64,
    pub(super) tb_hits: u64,
    next_check: u64,
    /// Under a node limit, this thread must reserve more nodes from the job when it has searched this many.
    reserved_nodes: u64,
    pub(super) stopped: bool,
    pub(super) observer: Option<&'a mut dyn NodeObserver>,
}

impl<'a> Worker<'a> {
    /// Returns worker `id` of the job. Worker 0 is the main thread, which reports and watches the clock; the others are
    /// helpers.
    pub fn new(id: usize, data: &'a mut ThreadData, job: &'a SearchJob) -> Self {
        let is_limited = id == 0 && job.options.handicap.is_some();
        if is_limited {
            data.forget();
        }
        let ThreadData { histories, stack, moves, accumulators, network, last_score, limited_tt } = data;
        let shared = &job.shared;
        // If there's no memory for a table of our own, we take the one that other searches use.
        let tt = limited_tt.as_ref().filter(|_| is_limited).unwrap_or(&shared.tt);
        let is_same_network = std::ptr::eq(network.as_ptr(), Arc::as_ptr(&shared.network));
        if !is_same_network {
            *network = Arc::downgrade(&shared.network);
            *accumulators = None;
        }
        let accumulators = accumulators.get_or_insert_with(|| Accumulators::new(&shared.network, &job.board));
        accumulators.reset(&job.board);
        Self {
            id,
            job,
            tt,
            control: &shared.control,
            network: &shared.network,
            histories,
            stack,
            moves,
            accumulators,
            board: job.board.clone(),
            draw_scores: draw_scores(job.options.draw_odds),
            root: RootState::new(job.root_moves.clone()),
            last_score,
            null_move_min_ply: 0,
            sel_depth: 0,
            nodes: 0,
            tb_hits: 0,
            next_check: 0,
            reserved_nodes: job.first_reservation(id),
            stopped: false,
            observer: None,
        }
    }

    pub fn set_observer(&mut self, observer: &'a mut dyn NodeObserver) {
        self.observer = Some(observer);
    }

    pub(super) fn is_main(&self) -> bool {
        self.id == 0
    }

    /// Whether we look for a mate (`go mate`). Then we skip step 7, node pruning, and extend checks instead of singular
    /// moves.
    #[inline]
    pub(super) fn seeks_mate(&self) -> bool {
        self.job.limits.mate.is_some()
    }

    /// From which ply on we search no further. In `go mate` we need no line that is longer than the mate.
    #[inline]
    pub(super) fn max_ply(&self) -> usize {
        let longest = |moves: i32| 2 * moves.clamp(0, MAX_PLY as i32) as usize + 1;
        self.job.limits.mate.map_or(MAX_PLY, |moves| longest(moves).min(MAX_PLY))
    }

    /// Whether the search must stop. We look at clock, node limit and `stop` only every [`CHECK_INTERVAL`] nodes.
    #[inline]
    pub(super) fn must_stop(&mut self) -> bool {
        if self.nodes >= self.next_check {
            self.check_limits();
        }
        self.stopped
    }

    #[cold]
    fn check_limits(&mut self) {
        self.publish_counters();
        self.control.poll_host();
        let is_pondering = self.control.is_pondering();
        if self.nodes >= self.reserved_nodes {
            self.reserved_nodes = self.nodes + self.job.reserve_nodes(is_pondering);
        }
        let node_limit_reached = self.nodes >= self.reserved_nodes;
        // So that every root move gets searched, the main thread completes the first iteration unless that takes too
        // long.
        let may_stop =
            !self.is_main() || self.root.completed_depth > 0 || self.nodes >= FIRST_ITERATION_NODES;
        if node_limit_reached || may_stop && self.control.is_stopped() {
            self.stopped = true;
        }
        if self.is_main() && !is_pondering {
            let is_over =
                self.root.stops_on_ponderhit || self.job.time.hard_limit_reached(self.job.total_nodes());
            if node_limit_reached || may_stop && is_over {
                self.stopped = true;
                self.control.end();
            }
        }
        self.next_check = (self.nodes + CHECK_INTERVAL).min(self.reserved_nodes.max(self.nodes + 1));
    }

    pub(super) fn publish_counters(&self) {
        self.job.publish_counters(self.id, self.nodes, self.tb_hits);
    }

    #[inline]
    pub(super) fn make_move(&mut self, ply: usize, mv: Move) {
        let landing = landing_square(&self.board, mv);
        let frame = &mut self.stack[ply];
        frame.mv = Some(mv);
        frame.piece_to = PieceTo::new(self.board.expect_piece(mv.from()), landing);
        self.nodes += 1;
        self.accumulators.make_move(&mut self.board, mv);
    }

    #[inline]
    pub(super) fn unmake_move(&mut self, mv: Move) {
        self.board.unmake_move(mv);
        self.accumulators.unmake_move();
    }

    pub(super) fn make_null_move(&mut self, ply: usize) {
        let frame = &mut self.stack[ply];
        (frame.mv, frame.piece_to) = (None, PieceTo::NONE);
        self.nodes += 1;
        self.board.make_null_move();
    }

    #[inline]
    pub(super) fn probe_tt(&self, ply: usize) -> Probe {
        self.tt.probe(self.board.key(), ply, self.board.halfmove_clock())
    }

    /// Updates the NNUE accumulators while the TT entry is loading. If this node doesn't need them, its children do.
    #[inline]
    pub(super) fn update_accumulators(&mut self) {
        self.accumulators.bring_up_to_date(self.network, &self.board);
    }

    /// Computes the static eval, without the correction histories.
    pub(super) fn raw_eval(&mut self) -> Score {
        let Self { board, accumulators, network, .. } = self;
        evaluate_with(board, || accumulators.evaluate(network, board))
    }

    /// Returns the static eval without the correction histories: the one `stored` in the TT; otherwise computes it and
    /// stores it there.
    #[inline]
    pub(super) fn raw_eval_with(&mut self, stored: Option<Score>) -> Score {
        stored.unwrap_or_else(|| {
            let eval = self.raw_eval();
            self.tt.store_evaluation(self.board.key(), eval);
            eval
        })
    }

    /// Adds the correction histories to a raw eval. The result is never decisive.
    #[inline]
    pub(super) fn corrected(&self, raw_eval: Score, previous_moves: PreviousMoves) -> Score {
        // The mop-up eval grows in small steps towards mate, and a correction would drown them out.
        if raw_eval.abs() >= KNOWN_WIN {
            return raw_eval;
        }
        let corrected = raw_eval + self.histories.correction(&self.board, previous_moves);
        corrected.clamp(-EVAL_LIMIT, EVAL_LIMIT)
    }

    /// Returns alpha, raised to a draw if the side to move can repeat a position, because that secures at least a draw.
    /// This saves a lot of search in fortresses.
    #[inline]
    pub(super) fn at_least_repetition(&self, ply: usize, alpha: Score) -> Score {
        let draw = self.draw_score();
        if alpha < draw && self.board.has_upcoming_repetition(ply) { draw } else { alpha }
    }

    /// Returns what a draw is worth for the side to move.
    #[inline]
    pub(super) fn draw_score(&self) -> Score {
        self.draw_scores[self.board.side_to_move().index()]
    }

    /// Returns the score for a tablebase result `ply` plies from the root.
    pub(super) fn tablebase_score(&self, wdl: Wdl, ply: usize) -> Score {
        let is_won_or_lost = matches!(wdl, Wdl::Win | Wdl::Loss);
        if is_won_or_lost || self.job.options.draw_odds.is_none() {
            score_of(wdl, ply)
        } else {
            self.draw_score()
        }
    }

    /// Whether the node is a draw by rule. A position that repeats one from this search is drawn at once, without a
    /// third occurrence.
    #[inline]
    pub(super) fn is_draw(&self, ply: usize) -> bool {
        self.board.is_repetition(ply)
            || self.board.is_fifty_move_draw()
            || self.board.has_insufficient_material()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::chess::notation::fen::START_FEN;
    use crate::search::limits::{Limits, TimeOptions};
    use crate::search::report::Silent;
    use crate::search::{JobOptions, Shared};
    use crate::util::host::Instant;

    /// Calls `test` with a main thread whose root is the position after `fen` and `moves`.
    pub fn with_worker(fen: &str, moves: &[&str], test: impl FnOnce(&mut Worker<'_>)) {
        let mut board: Board = fen.parse().unwrap();
        for text in moves {
            board.make_move(board.parse_move(text).unwrap());
        }
        with_worker_under(Limits::default(), TimeOptions::default(), board, test);
    }

    pub fn with_worker_under(
        limits: Limits,
        options: TimeOptions,
        board: Board,
        test: impl FnOnce(&mut Worker<'_>),
    ) {
        let tt = Arc::new(TranspositionTable::new(1).unwrap());
        let shared = Shared { network: Network::embedded(), tt, control: Arc::default() };
        let options = JobOptions { time: options, ..JobOptions::default() };
        let job = shared.begin(board, Arc::new(limits), Instant::now(), options, Box::new(Silent));
        test(&mut Worker::new(0, &mut ThreadData::new().unwrap(), &job));
    }

    #[test]
    fn repetition_raises_alpha_to_draw() {
        // After all these moves, Ng8 repeats the start position; after the first two, no move can repeat a position.
        let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"];
        for (moves, raised) in [(&shuffle[..], DRAW), (&shuffle[..2], -50)] {
            with_worker(START_FEN, moves, |worker| {
                assert_eq!(worker.at_least_repetition(1, -50), raised);
                assert_eq!(worker.at_least_repetition(1, 50), 50);
            });
        }
    }
}
