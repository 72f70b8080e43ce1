//! Values of the UCI options, with their defaults.

use crate::chess::CastlingRules;
use crate::search::strength::{ELO_RANGE, Handicap, MAX_SKILL_LEVEL};

/// Values of the options that keep one.
#[derive(Clone, Debug)]
pub struct OptionValues {
    /// `Hash`: size of the transposition table, MiB.
    pub hash: usize,
    /// `Threads`: number of search threads.
    pub threads: usize,
    /// `Ponder`: the engine may think on the opponent's time.
    pub ponder: bool,
    /// `MultiPV`: number of principal variations reported.
    pub multi_pv: usize,
    /// `Move Overhead`: time lost per move between engine and clock, milliseconds.
    pub move_overhead: u64,
    /// `nodestime`: nodes that count as a millisecond; 0 for the clock.
    pub nodes_time: u64,
    /// `UCI_Chess960`: castling moves are written as king takes rook.
    pub chess960: bool,
    /// `CastlingRules`: castling rules of positions set from now on.
    pub castling_rules: CastlingRules,
    /// `UCI_ShowWDL`: reports include the chances of a win, a draw and a loss.
    pub show_wdl: bool,
    /// `UCI_AnalyseMode`: forced moves are searched, not played at once.
    pub analyse_mode: bool,
    /// `UCI_LimitStrength`: the engine plays at about the strength of `elo`.
    pub limit_strength: bool,
    /// `UCI_Elo`: strength under `limit_strength`, within [`ELO_RANGE`].
    pub elo: u32,
    /// `Skill Level`: strength from 0 to [`MAX_SKILL_LEVEL`], which is full strength.
    pub skill_level: u32,
    /// `SyzygyProbeDepth`: least depth at which positions with the most pieces are probed.
    pub syzygy_probe_depth: i32,
    /// `Syzygy50MoveRule`: tablebase wins that take longer than fifty moves count as draws.
    pub syzygy_50_move_rule: bool,
    /// `SyzygyProbeLimit`: largest number of pieces at which positions are probed.
    pub syzygy_probe_limit: u32,
}

/// Defaults of the options, also those that the option table lists.
pub(super) const DEFAULTS: OptionValues = OptionValues {
    hash: 16,
    threads: 1,
    ponder: false,
    multi_pv: 1,
    move_overhead: 10,
    nodes_time: 0,
    chess960: false,
    castling_rules: CastlingRules::Fischer,
    show_wdl: false,
    analyse_mode: false,
    limit_strength: false,
    elo: ELO_RANGE.1,
    skill_level: MAX_SKILL_LEVEL,
    syzygy_probe_depth: 1,
    syzygy_50_move_rule: true,
    syzygy_probe_limit: 7,
};

impl Default for OptionValues {
    fn default() -> Self {
        DEFAULTS
    }
}

impl OptionValues {
    /// Returns the handicap of a limited strength; `None` at full strength.
    pub fn handicap(&self) -> Option<Handicap> {
        if self.limit_strength {
            Some(Handicap::from_elo(self.elo))
        } else {
            Handicap::from_skill_level(self.skill_level)
        }
    }
}
