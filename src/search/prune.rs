//! The predicates, margins and reductions of the search, by name. Depths are plies, margins centipawns.

use once_cell::sync::Lazy;

use super::params;
use super::score::Score;

const LOGARITHMS: usize = 256;

/// Natural logarithms, so that reductions need no floating point.
static LN: Lazy<[f32; LOGARITHMS]> = Lazy::new(|| std::array::from_fn(|n| (n.max(1) as f32).ln()));

/// 1024ths of a ply.
pub const PLY: i32 = 1024;

/// Late move reduction of the `number`th move, counted from 1, before anything else is looked at; 1024ths.
#[inline]
pub fn base_reduction(depth: i32, number: usize, is_quiet: bool) -> i32 {
    let ln = |n: usize| LN[n.min(LOGARITHMS - 1)];
    let product = ln(depth.max(1) as usize) * ln(number);
    let (base, slope) = if is_quiet {
        (params::lmr_quiet_base(), params::lmr_quiet_slope())
    } else {
        (params::lmr_noisy_base(), params::lmr_noisy_slope())
    };
    base + (slope as f32 * product) as i32
}

/// Reverse futility pruning: an evaluation so far above beta is believed.
#[inline]
pub fn rfp_margin(depth: i32, improving: bool) -> Score {
    params::rfp_slope() * depth - if improving { params::rfp_improving() } else { 0 }
}

/// Razoring: an evaluation so far below alpha is only checked by quiescence.
#[inline]
pub fn razor_margin(depth: i32) -> Score {
    params::razor_base() + params::razor_slope() * depth * depth
}

/// Null move pruning: plies by which the search after passing is shallower.
#[inline]
pub fn null_move_reduction(depth: i32, above_beta: Score) -> i32 {
    let by_depth = (params::nmp_base() + params::nmp_slope() * depth) / 1000;
    by_depth + (above_beta / params::nmp_eval_divisor()).clamp(0, 3)
}

/// Late move pruning: after so many moves the quiet ones left are not looked at.
#[inline]
pub fn late_move_limit(depth: i32, improving: bool) -> usize {
    let limit = params::lmp_base() + params::lmp_slope() * depth * depth;
    (limit / if improving { 100 } else { 200 }) as usize
}

/// Futility pruning: a quiet move is not looked at when even so much would not lift the evaluation to alpha.
#[inline]
pub fn futility_margin(depth: i32) -> Score {
    params::futility_base() + params::futility_slope() * depth
}

/// History pruning: a quiet move with a history below this is not looked at.
#[inline]
pub fn history_limit(depth: i32) -> i32 {
    -params::history_prune_slope() * depth
}

/// How far below the table's score every other move must stay for the table move to be singular.
#[inline]
pub fn singular_margin(depth: i32) -> Score {
    params::singular_slope() * depth / 16
}

/// What a move that refuted a node of this depth earns in the histories.
#[inline]
pub fn history_bonus(depth: i32) -> i32 {
    (params::bonus_slope() * depth - params::bonus_offset()).clamp(0, params::bonus_limit())
}

/// What the moves tried before it lose.
#[inline]
pub fn history_malus(depth: i32) -> i32 {
    (params::malus_slope() * depth - params::malus_offset()).clamp(0, params::malus_limit())
}
