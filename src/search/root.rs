//! The root: iterative deepening, aspiration windows, MultiPV, and the choice of the move to play.

use std::sync::PoisonError;
use std::time::Duration;

use super::line;
use super::report::{Info, Outcome, ScoreBound};
use super::score::*;
use super::strength::{self, Handicap};
use super::{Worker, params};
use crate::chess::Move;
use crate::chess::random::Random;

/// A move at the root and what was found of it.
#[derive(Clone, Debug)]
pub struct RootMove {
    /// The move.
    pub mv: Move,
    /// Its score in this iteration, `-INFINITE` while it has not raised alpha.
    pub score: Score,
    /// What that score bounds: a search that is stopped may leave it outside its window.
    pub bound: ScoreBound,
    /// Its score in the iteration before.
    pub previous_score: Score,
    /// Its line in the iteration before.
    pub previous_pv: Vec<Move>,
    /// Deepest ply reached below it.
    pub sel_depth: usize,
    /// Nodes spent on it in this search.
    pub nodes: u64,
    /// The line that begins with it.
    pub pv: Vec<Move>,
}

impl RootMove {
    /// A move not looked at yet.
    pub fn new(mv: Move) -> Self {
        Self {
            mv,
            score: -INFINITE,
            bound: ScoreBound::Exact,
            previous_score: -INFINITE,
            previous_pv: Vec::new(),
            sel_depth: 0,
            nodes: 0,
            pv: vec![mv],
        }
    }
}

/// Before this long a search does not tell of bounds and current moves.
const QUIET_START: Duration = Duration::from_secs(3);

/// Below this depth the window is open.
const ASPIRATION_DEPTH: i32 = 4;

impl Worker {
    /// Searches the job taken up to its end. A helper leaves what it found with the job; worker 0 waits until
    /// an answer may be given, and stops the helpers.
    pub fn run(&mut self) {
        if !self.root_moves.is_empty() {
            self.deepen();
        } else if self.is_main() {
            self.job.reporter().no_moves(self.job.board.in_check());
        }
        self.publish_counters();
        if self.is_main() {
            self.job.control.wait_until_released();
            self.job.control.stop();
        } else if self.completed_depth > 0 {
            let finding = self.outcome();
            self.job.findings.lock().unwrap_or_else(PoisonError::into_inner).push(finding);
        }
    }

    /// The outcome, once all helpers have ended: what most threads, weighted by depth and score, found best.
    pub fn conclude(&self) -> Outcome {
        if let Some(handicap) = self.job.handicap {
            return self.weakened(handicap);
        }
        let own = self.outcome();
        let findings = std::mem::take(&mut *self.job.findings.lock().unwrap_or_else(PoisonError::into_inner));
        if findings.is_empty() || self.job.multi_pv > 1 || self.job.limits.depth.is_some() {
            return own;
        }
        let (nodes, own_move) = (own.nodes, own.best_move);
        let mut chosen = elect(own, findings);
        chosen.nodes = nodes;
        if chosen.best_move != own_move {
            self.report_chosen(&chosen);
        }
        chosen
    }

    /// The outcome of an engine that plays below its strength.
    fn weakened(&self, handicap: Handicap) -> Outcome {
        let scored = self.root_moves.iter().take_while(|root| root.score != -INFINITE).take(strength::LINES);
        let place = handicap.choose(&self.root_moves[..scored.count()], &mut Random::new(self.job.seed));
        let outcome = self.outcome_of(place);
        if place > 0 {
            self.report_chosen(&outcome);
        }
        outcome
    }

    /// Tells of a line that the main thread did not find best: the last line shown must begin with the move played.
    fn report_chosen(&self, chosen: &Outcome) {
        self.job.reporter().info(&Info {
            board: &self.job.board,
            depth: chosen.depth,
            sel_depth: chosen.pv.len(),
            multi_pv: 1,
            score: chosen.score,
            bound: ScoreBound::Exact,
            nodes: chosen.nodes,
            hashfull: self.job.table.hashfull(),
            tb_hits: self.job.total_tb_hits(),
            time: self.job.time.elapsed(),
            pv: &chosen.pv,
        });
    }

    fn deepen(&mut self) {
        let job = self.job.clone();
        let shown = job.multi_pv.min(self.root_moves.len());
        let choice = if job.handicap.is_some() { strength::LINES } else { 1 };
        let multi_pv = shown.max(choice.min(self.root_moves.len()));
        let max_depth = job.limits.depth.unwrap_or(i32::MAX).clamp(1, MAX_PLY as i32 - 1);
        self.completed_depth = 0;
        for depth in 1..=max_depth {
            self.root_depth = depth;
            for root in &mut self.root_moves {
                root.previous_score = root.score;
                root.previous_pv.clone_from(&root.pv);
            }
            for index in 0..multi_pv {
                self.pv_index = index;
                self.sel_depth = 0;
                self.search_line(depth);
                // Stable: moves that have no score of this iteration keep their order.
                self.root_moves[..=index].sort_by_key(|root| std::cmp::Reverse(root.score));
                if self.stopped {
                    break;
                }
            }
            if self.is_main() && (!self.stopped || depth == 1) {
                self.report_lines(shown);
            }
            if self.stopped {
                self.settle_interrupted();
                break;
            }
            self.completed_depth = depth;
            if self.is_main() && self.is_done() {
                break;
            }
            self.note_stability();
        }
        if self.is_main() && self.stopped && self.completed_depth > 0 {
            self.report_lines(shown);
        }
    }

    /// A best move whose search was stopped outside its window goes back to what the iteration before knew of
    /// it, if that knew it.
    fn settle_interrupted(&mut self) {
        let best = &mut self.root_moves[0];
        if best.bound != ScoreBound::Exact && best.previous_score != -INFINITE {
            best.bound = ScoreBound::Exact;
            best.score = best.previous_score;
            best.pv.clone_from(&best.previous_pv);
        }
    }

    /// `true` when another iteration is not to begin.
    fn is_done(&self) -> bool {
        let best = &self.root_moves[0];
        if let (Some(wanted), Some(found)) = (self.job.limits.mate, moves_to_mate(best.score))
            && 0 < found
            && found <= wanted
        {
            return true;
        }
        if self.job.control.is_pondering() {
            return false;
        }
        let nodes = self.job.total_nodes().max(self.nodes);
        if self.job.limits.soft_nodes.is_some_and(|limit| nodes >= limit) {
            return true;
        }
        let is_forced =
            self.root_moves.len() == 1 && self.job.time.is_limited() && self.job.plays_forced_moves;
        is_forced || self.job.time.is_enough(nodes, self.time_scale())
    }

    /// How much of the usual time this position deserves: less when one move takes all nodes, has long been
    /// best and keeps its score, more when not.
    fn time_scale(&self) -> f64 {
        let percent = |value: i32| f64::from(value) / 100.0;
        let best = &self.root_moves[0];
        let share = best.nodes as f64 / self.nodes.max(1) as f64;
        let by_nodes = percent(params::time_node_base()) - percent(params::time_node_slope()) * share;
        let settled = self.stable_iterations.min(8);
        let by_stability = percent(params::time_stability_base())
            - percent(params::time_stability_slope()) * f64::from(settled);
        let fall = f64::from((self.earlier_score - best.score).clamp(-20, 60));
        let by_score = 1.0 + percent(params::time_score_slope()) * fall / 10.0;
        by_nodes.max(0.3) * by_stability.max(0.5) * by_score
    }

    /// Takes note of how stable the best move and its score are.
    fn note_stability(&mut self) {
        let best = &self.root_moves[0];
        if self.stable_move == Some(best.mv) {
            self.stable_iterations += 1;
        } else {
            self.stable_move = Some(best.mv);
            self.stable_iterations = 0;
        }
        // A running mean, so that one iteration's fall counts for a few more.
        self.earlier_score =
            if self.completed_depth <= 1 { best.score } else { (3 * self.earlier_score + best.score) / 4 };
    }

    /// One line of one iteration: a window around the last score, wider each time the result falls outside.
    fn search_line(&mut self, depth: i32) {
        let expected = self.root_moves[self.pv_index].previous_score;
        let mut width = params::aspiration_window();
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        let mut failed_high = 0;
        if depth >= ASPIRATION_DEPTH && !is_mate(expected) {
            alpha = (expected - width).max(-INFINITE);
            beta = (expected + width).min(INFINITE);
        }
        loop {
            let score = self.search::<true>(0, (depth - failed_high).max(1), alpha, beta, false);
            // Stable: the moves that were not the best keep their order.
            self.root_moves[self.pv_index..].sort_by_key(|root| std::cmp::Reverse(root.score));
            if self.stopped {
                return;
            }
            let bound = if score <= alpha {
                beta = alpha.midpoint(beta);
                alpha = (score - width).max(-INFINITE);
                failed_high = 0;
                ScoreBound::Upper
            } else if score >= beta {
                beta = (score + width).min(INFINITE);
                // What beats the window is probably good: one ply less settles it sooner.
                failed_high += 1;
                ScoreBound::Lower
            } else {
                return;
            };
            width += width / 2;
            if is_mate(score) {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
            if self.is_main() && self.job.multi_pv == 1 && self.job.time.elapsed() >= QUIET_START {
                self.report_line(self.pv_index, bound);
            }
        }
    }

    /// Takes down what the search of a root move brought.
    pub(super) fn update_root_move(
        &mut self,
        mv: Move,
        score: Score,
        (alpha, beta): (Score, Score),
        nodes: u64,
    ) {
        let sel_depth = self.sel_depth;
        let is_first = self.root_moves[self.pv_index].mv == mv;
        let Some(root) = self.root_moves.iter_mut().find(|root| root.mv == mv) else { return };
        root.nodes += nodes;
        // Scores at or below alpha are mere bounds: such a move sorts behind those with a true score.
        if is_first || score > alpha {
            root.score = score;
            root.bound = if score <= alpha {
                ScoreBound::Upper
            } else if score >= beta {
                ScoreBound::Lower
            } else {
                ScoreBound::Exact
            };
            root.sel_depth = sel_depth;
            root.pv.clear();
            root.pv.push(mv);
            root.pv.extend(self.stack.line(1));
        } else {
            root.score = -INFINITE;
        }
    }

    /// Tells which root move is being looked at, once the search has lasted a while.
    pub(super) fn report_current_move(&self, mv: Move, number: usize) {
        if self.is_main() && self.root_depth > 1 && self.job.time.elapsed() >= QUIET_START {
            let number = number + self.pv_index;
            self.job.reporter().current_move(&self.job.board, self.root_depth, mv, number);
        }
    }

    fn report_lines(&self, shown: usize) {
        self.publish_counters();
        for index in 0..shown {
            self.report_line(index, self.root_moves[index].bound);
        }
    }

    fn report_line(&self, index: usize, bound: ScoreBound) {
        let root = &self.root_moves[index];
        let score = self.score_of(root);
        let unfinished = root.score == -INFINITE && self.root_depth > 1;
        let pv = line::presentable(&self.job.board, &root.pv, score, &self.job.table);
        self.job.reporter().info(&Info {
            board: &self.job.board,
            depth: self.root_depth - i32::from(unfinished),
            sel_depth: root.sel_depth,
            multi_pv: index + 1,
            score,
            bound,
            nodes: self.job.total_nodes(),
            hashfull: self.job.table.hashfull(),
            tb_hits: self.job.total_tb_hits(),
            time: self.job.time.elapsed(),
            pv: &pv,
        });
    }

    /// The score to tell of a root move: the tablebases' where they know it and no mate is found, else the last
    /// one found; before any, the static evaluation.
    fn score_of(&self, root: &RootMove) -> Score {
        let found = [root.score, root.previous_score]
            .into_iter()
            .find(|&score| score != -INFINITE)
            .unwrap_or_else(|| if self.job.board.in_check() { DRAW } else { self.root_eval() });
        self.job.known_score.filter(|_| !is_mate(found)).unwrap_or(found)
    }

    fn root_eval(&self) -> Score {
        crate::nnue::evaluate(&self.job.network, &self.job.board)
    }

    fn outcome(&self) -> Outcome {
        self.outcome_of(0)
    }

    /// The outcome if the move at this place is played.
    fn outcome_of(&self, place: usize) -> Outcome {
        let Some(best) = self.root_moves.get(place) else { return Outcome::default() };
        let score = self.score_of(best);
        let pv = line::presentable(&self.job.board, &best.pv, score, &self.job.table);
        let ponder_move = pv.get(1).copied().or_else(|| self.ponder_from_table(best.mv));
        Outcome {
            best_move: Some(best.mv),
            ponder_move,
            score,
            depth: self.completed_depth,
            nodes: self.job.total_nodes(),
            time: self.job.time.elapsed(),
            pv,
        }
    }

    fn ponder_from_table(&self, best: Move) -> Option<Move> {
        let mut board = self.job.board.clone();
        board.make_move(best);
        self.job.table.get(board.key())?.mv.filter(|&mv| board.is_legal(mv))
    }
}

/// The outcome whose move gathers most votes, each thread's weighted by its depth and by how much better its
/// score is than the worst; a mate found goes before all.
fn elect(own: Outcome, others: Vec<Outcome>) -> Outcome {
    /// What a vote weighs beside its score, centipawns.
    const BASE_WEIGHT: i64 = 14;
    let mut all = others;
    all.insert(0, own);
    let worst = all.iter().map(|outcome| outcome.score).min().unwrap_or(DRAW);
    let weight =
        |outcome: &Outcome| (i64::from(outcome.score - worst) + BASE_WEIGHT) * i64::from(outcome.depth);
    let votes = |outcome: &Outcome| -> i64 {
        all.iter().filter(|other| other.best_move == outcome.best_move).map(weight).sum()
    };
    let rank = |outcome: &Outcome| {
        let decisive = if is_decisive(outcome.score) { outcome.score } else { 0 };
        (decisive.max(0), votes(outcome), weight(outcome))
    };
    let mut best = 0;
    for i in 1..all.len() {
        if rank(&all[i]) > rank(&all[best]) {
            best = i;
        }
    }
    all.swap_remove(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(code: u16, score: Score, depth: i32) -> Outcome {
        Outcome { best_move: Move::from_code(code), score, depth, ..Outcome::default() }
    }

    #[test]
    fn threads_vote_by_depth_and_score() {
        let chosen = |own, others| elect(own, others).best_move.map(Move::code);
        assert_eq!(
            chosen(outcome(100, 20, 10), vec![outcome(200, 20, 10)]),
            Some(100),
            "a tie is the main thread's"
        );
        assert_eq!(chosen(outcome(100, 20, 10), vec![outcome(200, 20, 12)]), Some(200));
        let two = vec![outcome(200, 20, 9), outcome(200, 21, 9)];
        assert_eq!(chosen(outcome(100, 22, 10), two), Some(200));
        assert_eq!(chosen(outcome(100, 900, 20), vec![outcome(200, mate_in(5), 8)]), Some(200));
    }
}
