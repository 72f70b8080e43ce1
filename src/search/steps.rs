//! The steps of a node: what prunes it whole, what prunes, extends and reduces a single move, and what is learnt
//! at its end. `alphabeta` says when each is taken.

use super::Worker;
use super::history::Situation;
use super::movepick::{MovePicker, Quiets};
use super::score::*;
use super::tt::{Bound, Entry};
use super::{params, prune};
use crate::chess::see::see_value;
use crate::chess::{Board, Move, PieceKind};
use crate::tablebase::Verdict;

/// What a node knows of itself once it has looked at the table and at its evaluation.
pub(super) struct Node {
    pub(super) ply: usize,
    pub(super) depth: i32,
    /// The evaluation before any correction, for the table; `NO_EVAL` in check and with a move left out.
    pub(super) raw_eval: Score,
    /// The corrected static evaluation; `None` in check.
    pub(super) static_eval: Option<Score>,
    /// The static evaluation, or what the table knows better.
    pub(super) eval: Score,
    /// The side to move stands better than two plies ago.
    pub(super) improving: bool,
    /// On the principal variation, now or once.
    pub(super) was_pv: bool,
    /// Expected to fail high.
    pub(super) cut_node: bool,
    pub(super) entry: Option<Entry>,
    pub(super) table_move: Option<Move>,
}

/// A move about to be searched.
pub(super) struct Candidate {
    pub(super) mv: Move,
    /// Its place among the moves of its node, counted from 1.
    pub(super) number: usize,
    /// What the histories know of it.
    pub(super) history: i32,
}

/// What the test for singularity says.
pub(super) enum Singularity {
    /// Search the table move so many plies deeper.
    Extend(i32),
    /// The node is settled with this score.
    CutOff(Score),
}

impl Worker {
    /// What the tablebases say of the position, as a score and what it bounds.
    pub(super) fn probe_tablebases(&mut self, ply: usize, depth: i32) -> Option<(Score, Bound)> {
        let probing = self.job.probing.as_ref()?;
        let men = self.board.occupied().count();
        let is_wanted = men < probing.most_men || men == probing.most_men && depth >= probing.least_depth;
        if !is_wanted || self.board.halfmove_clock() > 0 || !self.board.castling_rights().is_empty() {
            return None;
        }
        let verdict = probing.tables.probe(&self.board)?.under(probing.fifty_move_rule);
        self.tb_hits += 1;
        let bound = match verdict {
            Verdict::Win => Bound::Lower,
            Verdict::Loss => Bound::Upper,
            _ => Bound::Exact,
        };
        Some((score_of(verdict, ply), bound))
    }

    /// What is to be known of a node before any move is made in it.
    pub(super) fn look_at<const PV: bool>(
        &mut self,
        ply: usize,
        depth: i32,
        cut_node: bool,
        entry: Option<Entry>,
        table_move: Option<Move>,
        situation: &Situation,
    ) -> Node {
        let in_check = self.board.in_check();
        let is_looked_at_again = self.stack[ply].excluded.is_some();
        let raw_eval =
            if in_check || is_looked_at_again { Entry::NO_EVAL } else { self.raw_eval_with(entry) };
        let static_eval = if in_check {
            None
        } else if is_looked_at_again {
            self.stack[ply].eval
        } else {
            Some(self.corrected(raw_eval, situation))
        };
        let mut eval = static_eval.unwrap_or(-INFINITE);
        if let (Some(entry), Some(_)) = (entry, static_eval) {
            let score = from_table(entry.score, ply, self.board.halfmove_clock());
            if !is_decisive(score) && entry.bound.settles(score, eval.min(score), eval.max(score)) {
                eval = score;
            }
        }
        let before = [2, 4].into_iter().find_map(|plies| self.stack.before(ply, plies).eval);
        Node {
            ply,
            depth,
            raw_eval,
            static_eval,
            eval,
            improving: static_eval.zip(before).is_some_and(|(now, before)| now > before),
            was_pv: PV || entry.is_some_and(|entry| entry.was_pv),
            cut_node,
            entry,
            table_move,
        }
    }

    /// By how much deeper a node deserves to be searched than the reduction of the move before told: its position
    /// is worse for the mover, or better, than was thought.
    pub(super) fn hindsight(&self, node: &Node) -> i32 {
        let before = self.stack.before(node.ply, 1);
        let Some((ours, theirs)) = node.static_eval.zip(before.eval) else { return 0 };
        let sum = ours + theirs;
        if before.reduction >= params::hindsight_deeper() && sum <= 0 {
            1
        } else if before.reduction >= 2 && node.depth >= 2 && sum > params::hindsight_shallower() {
            -1
        } else {
            0
        }
    }

    /// A score when the node need not be searched: it stands too badly or too well.
    pub(super) fn prune_node(&mut self, node: &Node, alpha: Score, beta: Score) -> Option<Score> {
        let &Node { ply, depth, eval, .. } = node;
        let static_eval = node.static_eval?;

        // Razoring: so far below alpha only a capture could help.
        if eval < alpha - prune::razor_margin(depth) && !is_decisive(alpha) {
            return Some(self.qsearch::<false>(ply, alpha, beta));
        }

        // Reverse futility pruning (RFP): so far above beta nothing the opponent does at once helps.
        if depth <= params::rfp_depth()
            && eval >= beta + prune::rfp_margin(depth, node.improving)
            && !is_decisive(eval)
            && !is_decisive(beta)
        {
            return Some(beta.midpoint(eval));
        }

        // Null move pruning (NMP): who stands well even after passing need not be searched in full. Zugzwang
        // makes that wrong where only pawns are left; deep in the tree a search without null moves verifies.
        if node.cut_node
            && depth >= params::nmp_depth()
            && eval >= beta
            && static_eval + 15 * depth - 60 >= beta
            && !is_decisive(beta)
            && self.stack.before(ply, 1).mv.is_some()
            && ply >= self.null_moves_from
            && self.board.has_pieces(self.board.side_to_move())
        {
            let reduced = depth - prune::null_move_reduction(depth, eval - beta);
            let frame = &mut self.stack[ply];
            (frame.mv, frame.arrival) = (None, None);
            self.nodes += 1;
            self.board.make_null_move();
            let score = -self.search::<false>(ply + 1, reduced, -beta, 1 - beta, false);
            self.board.unmake_null_move();
            if self.stopped {
                return None;
            }
            if score >= beta {
                let score = if is_decisive(score) { beta } else { score };
                if depth < params::nmp_verify_depth() || self.null_moves_from > 0 {
                    return Some(score);
                }
                self.null_moves_from = ply + (3 * reduced.max(0) / 4) as usize + 1;
                let verified = self.search::<false>(ply, reduced, beta - 1, beta, true);
                self.null_moves_from = 0;
                if verified >= beta && !self.stopped {
                    return Some(score);
                }
            }
        }

        // ProbCut: a capture that beats beta by a margin in a shallower search would beat beta in a full one.
        let beyond = beta + params::probcut_margin();
        let table_says_no = node.entry.is_some_and(|entry| {
            entry.depth >= depth - 3 && from_table(entry.score, ply, self.board.halfmove_clock()) < beyond
        });
        if depth >= params::probcut_depth() && !is_decisive(beta) && !table_says_no {
            return self.probcut(node, static_eval, beyond);
        }
        None
    }

    pub(super) fn probcut(&mut self, node: &Node, static_eval: Score, beyond: Score) -> Option<Score> {
        let ply = node.ply;
        let reduced = node.depth - 4;
        let mut picker = MovePicker::noisy_only(&self.board, node.table_move, beyond - static_eval);
        while let Some(mv) = picker.next(&self.board, &self.histories, &Situation::default()) {
            if picker.is_at_bad_moves() {
                break;
            }
            if !self.board.see_at_least(mv, beyond - static_eval) {
                continue;
            }
            self.make_move(ply, mv);
            let mut score = -self.qsearch::<false>(ply + 1, -beyond, 1 - beyond);
            if score >= beyond && reduced > 0 && !self.stopped {
                score = -self.search::<false>(ply + 1, reduced, -beyond, 1 - beyond, !node.cut_node);
            }
            self.unmake_move(mv);
            if self.stopped {
                return None;
            }
            if score >= beyond {
                let entry = Entry {
                    mv: Some(mv),
                    score: to_table(score, ply),
                    eval: Entry::NO_EVAL,
                    depth: reduced + 1,
                    bound: Bound::Lower,
                    was_pv: node.was_pv,
                };
                self.job.table.put(self.board.key(), entry);
                return Some(score);
            }
        }
        None
    }

    /// `true` when a move is not worth searching.
    pub(super) fn is_futile(
        &mut self,
        node: &Node,
        candidate: &Candidate,
        alpha: Score,
        picker: &mut MovePicker,
    ) -> bool {
        let &Candidate { mv, number, history } = candidate;
        let is_quiet = mv.is_quiet();
        let is_check = picker.gives_check(&self.board, mv);
        // Late move pruning: after so many moves no quiet one but a check is likely to do better.
        if is_quiet
            && node.depth <= params::lmp_depth()
            && number > prune::late_move_limit(node.depth, node.improving)
        {
            picker.limit_quiets(Quiets::Checks);
            if !is_check {
                return true;
            }
        }
        let reduction = prune::base_reduction(node.depth, number, is_quiet) / prune::PLY;
        let lmr_depth = (node.depth - reduction).max(0);
        // The evaluation knows little of what a check brings: it goes by the exchange alone.
        if is_quiet && !is_check {
            // Futility pruning: nothing quiet lifts the evaluation so far.
            if let Some(eval) = node.static_eval
                && lmr_depth <= params::futility_depth()
                && eval + prune::futility_margin(lmr_depth) <= alpha
            {
                picker.limit_quiets(Quiets::Checks);
                return true;
            }
            // History pruning: such moves never did well.
            if lmr_depth <= params::history_prune_depth() && history < prune::history_limit(lmr_depth) {
                return true;
            }
        }
        // SEE pruning: the exchange that follows loses too much.
        let may_lose = if is_check {
            params::see_check_slope() * node.depth
        } else if is_quiet {
            params::see_quiet_slope() * lmr_depth
        } else {
            params::see_noisy_slope() * node.depth
        };
        !self.board.see_at_least(mv, -may_lose)
    }

    /// Searches all moves but the table's with a window below its score, to see whether it is alone.
    pub(super) fn singular<const PV: bool>(&mut self, node: &Node, mv: Move, beta: Score) -> Singularity {
        let &Node { ply, depth, .. } = node;
        let Some(entry) = node.entry else { return Singularity::Extend(0) };
        let table_score = from_table(entry.score, ply, self.board.halfmove_clock());
        let applies = depth >= params::singular_depth()
            && entry.depth >= depth - 3
            && entry.bound != Bound::Upper
            && !is_decisive(table_score)
            && ply < 2 * self.root_depth as usize;
        if !applies {
            return Singularity::Extend(0);
        }
        let limit = table_score - prune::singular_margin(depth);
        self.stack[ply].excluded = Some(mv);
        let score = self.search::<false>(ply, (depth - 1) / 2, limit - 1, limit, node.cut_node);
        self.stack[ply].excluded = None;
        if self.stopped {
            return Singularity::Extend(0);
        }
        if score < limit {
            let far = |margin| !PV && score < limit - margin;
            let plies = 1
                + i32::from(far(params::double_extension_margin()))
                + i32::from(far(params::triple_extension_margin()) && mv.is_quiet());
            return Singularity::Extend(plies);
        }
        // Multicut: even without the table move something beats beta.
        if limit >= beta && !is_decisive(limit) {
            return Singularity::CutOff(limit);
        }
        // Negative extension: the table move is not alone, and others will do.
        if table_score >= beta {
            Singularity::Extend(-2)
        } else if node.cut_node {
            Singularity::Extend(-1)
        } else {
            Singularity::Extend(0)
        }
    }

    /// The depth to which a late move is searched first; the move is made already.
    pub(super) fn reduced_depth<const PV: bool>(
        &self,
        node: &Node,
        candidate: &Candidate,
        new_depth: i32,
    ) -> i32 {
        let &Candidate { mv, number, history } = candidate;
        let mut reduction = prune::base_reduction(node.depth, number, mv.is_quiet());
        let mut adjust = |condition: bool, amount: i32| reduction += if condition { amount } else { 0 };
        adjust(node.was_pv, -params::lmr_was_pv());
        adjust(node.cut_node, params::lmr_cut_node());
        adjust(!node.improving, params::lmr_not_improving());
        adjust(self.board.in_check(), -params::lmr_check());
        adjust(node.table_move.is_some_and(Move::is_noisy), params::lmr_table_noisy());
        adjust(self.stack[node.ply + 1].cutoffs > 2, params::lmr_child_cutoffs());
        reduction -= history * params::lmr_history() / 100;
        (new_depth - reduction.div_euclid(prune::PLY)).clamp(1.min(new_depth), new_depth + i32::from(PV))
    }

    /// Rewards the move that refuted a node and punishes those tried before it.
    pub(super) fn learn_cutoff(
        &mut self,
        node: &Node,
        mv: Move,
        quiets: &[Move],
        captures: &[Move],
        situation: &Situation,
    ) {
        let (bonus, malus) = (prune::history_bonus(node.depth), prune::history_malus(node.depth));
        if mv.is_quiet() {
            self.histories.update_quiet(&self.board, mv, situation, bonus);
            for &other in quiets {
                self.histories.update_quiet(&self.board, other, situation, -malus);
            }
        } else {
            self.histories.update_noisy(&self.board, mv, bonus);
        }
        for &other in captures {
            self.histories.update_noisy(&self.board, other, -malus);
        }
    }

    /// Rewards the quiet move that led to a node where nothing helps the side to move.
    pub(super) fn learn_unrefuted(&mut self, ply: usize, depth: i32) {
        let before = *self.stack.before(ply, 1);
        if let (Some(mv), Some(arrival)) = (before.mv, before.arrival)
            && mv.is_quiet()
        {
            let situation = self.stack.situation(ply - 1, Default::default());
            self.histories.update_continuations(arrival, &situation, prune::history_bonus(depth));
        }
    }
}

/// The most that a capture or promotion can win at once.
pub(super) fn greatest_gain(board: &Board, mv: Move) -> Score {
    let victim = if mv.is_capture() {
        board.piece_on(mv.to()).map_or(see_value(PieceKind::Pawn), |piece| see_value(piece.kind()))
    } else {
        0
    };
    victim + mv.promotion().map_or(0, |kind| see_value(kind) - see_value(PieceKind::Pawn))
}
