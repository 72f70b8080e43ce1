//! The predicates, margins and reductions of the search, by name.

use once_cell::sync::Lazy;

use super::params;

const TABLE_SIZE: usize = 64;

static REDUCTIONS: Lazy<[[i32; TABLE_SIZE]; TABLE_SIZE]> = Lazy::new(|| {
    let (base, divisor) = (f64::from(params::lmr_base()) / 100.0, f64::from(params::lmr_divisor()) / 100.0);
    let mut table = [[0; TABLE_SIZE]; TABLE_SIZE];
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (number, reduction) in row.iter_mut().enumerate().skip(1) {
            *reduction = (base + (depth as f64).ln() * (number as f64).ln() / divisor) as i32;
        }
    }
    table
});

/// Late move reduction in plies for the `number`th move, counted from 1.
#[inline]
pub fn late_move_reduction(depth: i32, number: usize) -> i32 {
    REDUCTIONS[(depth.max(0) as usize).min(TABLE_SIZE - 1)][number.min(TABLE_SIZE - 1)]
}

/// Null move pruning: plies by which the search after passing is shallower.
#[inline]
pub fn null_move_reduction(depth: i32) -> i32 {
    params::nmp_base() + depth / params::nmp_depth_divisor()
}

/// What a quiet move that refuted a node of this depth earns in the histories.
#[inline]
pub fn history_bonus(depth: i32) -> i32 {
    (150 * depth).min(1500)
}
