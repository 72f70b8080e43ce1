//! Quiescence search: at the horizon we search only captures and promotions, so that we evaluate only quiet positions.
//!
//! The side to move may stand pat on its static eval, except in check, where we search evasions. Delta pruning, SEE and
//! a limit on the number of moves keep the tree small.

use super::history::HistoryContext;
use super::move_scoring::capture_value;
use super::movepick::{MovePicker, QuietLimit};
use super::params::parameters;
use super::score::*;
use super::stats::{self, Counter, Site};
use super::tt::{Probe, TtEntry};
use super::worker::Worker;
use crate::chess::board::Threats;

parameters! {
    // Delta pruning: we skip a capture if stand-pat score + value of the victim + this is at most alpha, centipawns.
    qs_futility = 205, 0, 10000, 20;
    // We skip captures with a lower SEE than this, centipawns.
    qs_see = -45, -200, 100, 20;
    // After this many moves we stop at the first move that gives no check.
    qs_moves = 3, 1, 300, 1;
}

/// Softens a fail high: returns the midpoint between beta and the score, because quiescence search is inexact. Decisive
/// scores stay as they are.
fn fail_medium(score: Score, beta: Score) -> Score {
    if is_decisive(score) || is_decisive(beta) { score } else { score.midpoint(beta) }
}

impl Worker<'_> {
    /// Returns the score of the position `ply` plies from the root. As in [`Self::search`], a score outside the window
    /// is a bound, and once the search is stopped, the score means nothing.
    pub(super) fn qsearch<const PV: bool>(&mut self, ply: usize, window: Window) -> Score {
        let Window { mut alpha, beta } = window;
        debug_assert!(alpha < beta);
        stats::count(Site::QUIESCENCE, Counter::Calls);
        if PV {
            self.stack.clear_pv(ply);
        }

        // 1. Return if the search is stopped, the game is drawn, or this is the maximum ply.
        if self.must_stop() {
            return DRAW;
        }
        self.sel_depth = self.sel_depth.max(ply);
        if self.is_draw(ply) {
            return self.draw_score();
        }
        let in_check = self.board.in_check();
        if ply >= MAX_PLY {
            return if in_check { DRAW } else { self.raw_eval() };
        }
        alpha = self.at_least_repetition(ply, alpha);
        if alpha >= beta {
            return alpha;
        }

        // 2. Probe the TT, for a cutoff.
        let Probe { entry: tt_hit, eval: stored_eval } = self.probe_tt(ply);
        if let Some(hit) = tt_hit.filter(|hit| !PV && hit.bound.causes_cutoff(hit.score, alpha, beta)) {
            return hit.score;
        }

        // 3. Stand pat on the static eval, unless in check.
        let previous_moves = self.stack.previous_moves(ply);
        let raw_eval = if in_check {
            None
        } else {
            self.histories.prefetch_correction(&self.board, previous_moves);
            Some(self.raw_eval_with(stored_eval))
        };
        let mut best = mated_in(ply);
        let mut futility = best;
        if let Some(raw_eval) = raw_eval {
            let static_eval = self.corrected(raw_eval, previous_moves);
            best = tt_hit.map_or(static_eval, |hit| hit.refine(static_eval));
            if best >= beta {
                return fail_medium(best, beta);
            }
            alpha = alpha.max(best);
            futility = best + qs_futility();
        }

        // 4. Search captures and promotions that don't lose much; in check, all moves until one escapes a forced loss.
        let tt_move = tt_hit.and_then(|hit| hit.mv);
        let mut picker = if in_check {
            MovePicker::new(&self.board, self.moves, tt_move)
        } else {
            MovePicker::noisy_only(&self.board, self.moves, tt_move, qs_see())
        };
        // We order evasions without the squares that the opponent attacks, because these take time to compute.
        let context = HistoryContext { previous_moves, threats: Threats::default() };
        let mut best_move = None;
        let mut move_count = 0;
        while let Some(mv) = picker.next(&self.board, self.histories, self.tt, &context) {
            move_count += 1;
            if best > -DECISIVE_RANGE {
                if in_check {
                    // Once we have an evasion that doesn't lose by force, we search only captures.
                    picker.limit_quiets(QuietLimit::None);
                    if mv.is_quiet() {
                        continue;
                    }
                } else if !picker.gives_check(&self.board, mv) {
                    if move_count > qs_moves() as usize {
                        break;
                    }
                    // Delta pruning: even if nothing recaptures, the move doesn't beat alpha.
                    let optimistic = futility + capture_value(&self.board, mv);
                    if optimistic <= alpha {
                        best = best.max(optimistic);
                        continue;
                    }
                }
                // The picker has compared all moves but the TT move with the SEE threshold.
                let loses = picker.is_at_bad_moves()
                    || !picker.is_at_good_moves() && !self.board.see_at_least(mv, qs_see());
                if loses {
                    continue;
                }
            }
            self.make_move(ply, mv);
            let score = -self.qsearch::<PV>(ply + 1, -Window { alpha, beta });
            self.unmake_move(mv);
            if self.stopped {
                return DRAW;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if PV {
                        self.stack.update_pv(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }

        // 5. Store the result in the TT, always as a bound, because we don't search all moves.
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        if bound == Bound::Lower {
            best = fail_medium(best, beta);
        }
        let tt_pv = tt_hit.is_some_and(|hit| hit.tt_pv);
        let hit = TtEntry { mv: best_move, score: best, bound, eval: raw_eval, depth: 0, tt_pv };
        self.tt.store(self.board.key(), ply, hit);
        best
    }
}

#[cfg(test)]
mod tests {
    use super::super::worker::tests::with_worker;
    use super::*;

    fn quiescence(fen: &str) -> (Score, Score, u64) {
        let mut result = (0, 0, 0);
        with_worker(fen, &[], |worker| {
            let stand_pat = if worker.board.in_check() { 0 } else { worker.raw_eval() };
            result = (worker.qsearch::<true>(1, Window::FULL), stand_pat, worker.nodes);
        });
        result
    }

    #[test]
    fn only_hanging_pieces_are_captured() {
        let (score, stand_pat, _) = quiescence("4k3/ppp5/8/3q4/4P3/8/PPP5/4K3 w - - 0 1");
        assert!(score > stand_pat + 500, "{score} {stand_pat}");
        let (after_capture, ..) = quiescence("4k3/ppp5/8/3P4/8/8/PPP5/4K3 b - - 0 1");
        assert_eq!(score, -after_capture);
        // The only capture loses the queen for a pawn, so White stands pat.
        let (score, stand_pat, nodes) = quiescence("4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1");
        assert_eq!((score, nodes), (stand_pat, 0));
    }

    #[test]
    fn fail_high_returns_midpoint() {
        // In the first position White fails high by standing pat, in the second by a capture.
        for fen in ["4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1", "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1"] {
            let (exact, stand_pat, _) = quiescence(fen);
            let beta = exact.max(stand_pat) - 100;
            with_worker(fen, &[], |worker| {
                let score = worker.qsearch::<false>(1, Window::null_below(beta));
                assert!((beta..beta + 100).contains(&score), "{fen}: {score}, exact {exact}, beta {beta}");
            });
        }
        assert_eq!(fail_medium(300, 100), 200);
        assert_eq!(fail_medium(mate_in(3), 100), mate_in(3));
        assert_eq!(fail_medium(-100, mated_in(4)), -100);
    }

    #[test]
    fn no_stand_pat_in_check() {
        let (score, ..) = quiescence("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1");
        assert_eq!(score, mated_in(1), "one ply from the root");
        let (score, ..) = quiescence("4r1k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
        assert!(!is_mate(score), "the king steps aside");
    }
}
