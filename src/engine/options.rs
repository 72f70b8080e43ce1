//! The UCI options. To add one, add a row to [`OPTIONS`]: name, type, default, range, effect, and a description, from
//! which docs/options.md and the manual page are made.

use std::ops::RangeInclusive;
use std::path::Path;

use thiserror::Error;

use super::{Engine, EngineError};
use crate::chess::{CastlingRules, Color};
use crate::nnue::NetworkError;
use crate::search::strength::{ELO_RANGE, Handicap, MAX_SKILL_LEVEL};
use crate::tablebase::TablebaseError;
use crate::util::debug_log;
use crate::util::parallel::available_threads;
use crate::util::version::ABOUT;

/// The largest transposition table, MiB.
pub const MAX_HASH: usize = 33_554_432;
/// The most threads that a search, or a tool that searches in parallel, may have.
pub const MAX_THREADS: usize = 1024;
/// The most PVs that a search may look for.
pub const MAX_MULTI_PV: usize = 256;

/// Every option, in the order in which `uci` prints them.
pub static OPTIONS: &[UciOption] = &[
    spin(
        "Hash",
        DEFAULTS.hash as u64,
        1..=MAX_HASH as u64,
        |engine, value| Ok(engine.set_hash(value as usize).map(|()| None)?),
        "size of the transposition table, MiB",
    ),
    spin(
        "Threads",
        DEFAULTS.threads as u64,
        1..=MAX_THREADS as u64,
        |engine, value| Ok(engine.set_threads(value as usize).map(|()| too_many_threads(value as usize))?),
        "threads that search",
    ),
    UciOption {
        name: "Clear Hash",
        kind: OptionKind::Button(Engine::clear_hash),
        description: "clears the transposition table",
    },
    check(
        "Ponder",
        DEFAULTS.ponder,
        |options, value| options.ponder = value,
        "the engine also thinks on the opponent's time, so it spends a little more of its own",
    ),
    spin(
        "MultiPV",
        DEFAULTS.multi_pv as u64,
        1..=MAX_MULTI_PV as u64,
        |engine, value| keep(&mut engine.options.multi_pv, value as usize),
        "number of principal variations",
    ),
    spin(
        "Move Overhead",
        DEFAULTS.move_overhead,
        0..=5000,
        |engine, value| keep(&mut engine.options.move_overhead, value),
        "milliseconds lost per move between engine and clock; the engine keeps eight times as many, or more if no increment pays for them",
    ),
    spin(
        "nodestime",
        DEFAULTS.nodes_time,
        0..=10_000,
        |engine, value| keep(&mut engine.options.nodes_time, value),
        "nodes that count as a millisecond, in place of the clock; 0 uses the clock",
    ),
    check(
        "UCI_Chess960",
        DEFAULTS.chess960,
        |options, value| options.chess960 = value,
        "castling moves as king takes rook",
    ),
    UciOption {
        name: "CastlingRules",
        kind: OptionKind::Combo {
            default: DEFAULTS.castling_rules.name(),
            words: CASTLING_RULES,
            set: |options, word| {
                options.castling_rules = CastlingRules::from_name(word).unwrap_or_default();
            },
        },
        description: "which castling moves exist: those of Chess960 and orthodox chess, of Chess2880, of Chess480, or none",
    },
    UciOption {
        name: "DrawOdds",
        kind: OptionKind::Combo {
            default: NO_ODDS,
            words: DRAW_ODDS,
            set: |options, word| {
                let colors = Color::ALL.into_iter().zip(&DRAW_ODDS[1..]);
                options.draw_odds =
                    colors.into_iter().find(|(_, name)| **name == word).map(|(color, _)| color);
            },
        },
        description: "a draw counts as a win for this side, as in an armageddon game; set it before `ucinewgame`",
    },
    check(
        "UCI_ShowWDL",
        DEFAULTS.show_wdl,
        |options, value| options.show_wdl = value,
        "shows the chances of winning, drawing and losing, in thousandths",
    ),
    check(
        "UCI_AnalyseMode",
        DEFAULTS.analyse_mode,
        |options, value| options.analyse_mode = value,
        "searches even a forced move instead of playing it at once",
    ),
    check(
        "UCI_LimitStrength",
        DEFAULTS.limit_strength,
        |options, value| options.limit_strength = value,
        "plays like a weaker player, of the strength `UCI_Elo`",
    ),
    spin(
        "UCI_Elo",
        DEFAULTS.elo as u64,
        ELO_RANGE.0 as u64..=ELO_RANGE.1 as u64,
        |engine, value| keep(&mut engine.options.elo, value as u32),
        "strength, if `UCI_LimitStrength` is on; at 1000 the engine plays like Stockfish 15.1 at its weakest `UCI_Elo`, 1350",
    ),
    spin(
        "Skill Level",
        DEFAULTS.skill_level as u64,
        0..=MAX_SKILL_LEVEL as u64,
        |engine, value| keep(&mut engine.options.skill_level, value as u32),
        "strength in equal steps of Elo, from 0 (the lowest `UCI_Elo`) to 19 (the highest), and 20 (full strength), if `UCI_LimitStrength` is off",
    ),
    string(
        "SyzygyPath",
        NO_PATH,
        |engine, folders| Ok(engine.set_tablebases(folders)?),
        "folders with Syzygy tablebases, joined by `:` (`;` on Windows)",
    ),
    spin(
        "SyzygyProbeDepth",
        DEFAULTS.syzygy_probe_depth as u64,
        1..=100,
        |engine, value| keep(&mut engine.options.syzygy_probe_depth, value as i32),
        "minimum depth for probing positions with as many pieces as the largest table",
    ),
    check(
        "Syzygy50MoveRule",
        DEFAULTS.syzygy_50_move_rule,
        |options, value| options.syzygy_50_move_rule = value,
        "tablebase wins that take longer than fifty moves count as draws",
    ),
    spin(
        "SyzygyProbeLimit",
        DEFAULTS.syzygy_probe_limit as u64,
        0..=7,
        |engine, value| keep(&mut engine.options.syzygy_probe_limit, value as u32),
        "maximum number of pieces of a probed position",
    ),
    string(
        "EvalFile",
        INTERNAL_NETWORK,
        load_network,
        "network file; a file that does not fit is refused, and the old network stays",
    ),
    string(
        "Debug Log File",
        NO_PATH,
        open_debug_log,
        "file to which every line in and out is appended, with the time",
    ),
    UciOption {
        name: "UCI_EngineAbout",
        kind: OptionKind::Constant(ABOUT),
        description: "name and version of the program",
    },
];

/// The value of `EvalFile` that stands for the built-in network.
const INTERNAL_NETWORK: &str = "<internal>";

/// How UCI writes an empty string.
const NO_PATH: &str = "<empty>";

const NO_ODDS: &str = "none";

/// Nobody, White, or Black, in the order of [`Color::ALL`].
const DRAW_ODDS: &[&str] = &[NO_ODDS, "white", "black"];

const CASTLING_RULES: &[&str] = &[
    CastlingRules::Fischer.name(),
    CastlingRules::NearestRook.name(),
    CastlingRules::Orthodox480.name(),
    CastlingRules::None.name(),
];

/// A row of [`OPTIONS`].
pub struct UciOption {
    /// GUIs may write the name in upper or lower case.
    pub name: &'static str,
    pub kind: OptionKind,
    /// What the option does, for docs/options.md and the manual page.
    pub description: &'static str,
}

/// Type of an option, with its default, range and effect.
pub enum OptionKind {
    /// `true` or `false`.
    Check { default: bool, set: fn(&mut OptionValues, bool) },
    /// An integer in `range`.
    Spin { default: u64, range: RangeInclusive<u64>, set: fn(&mut Engine, u64) -> Applied },
    /// One of `words`, in upper or lower case. `set` gets the word as spelled in `words`.
    Combo { default: &'static str, words: &'static [&'static str], set: fn(&mut OptionValues, &str) },
    /// An action without a value.
    Button(fn(&mut Engine)),
    /// Any text, usually a path.
    String { default: &'static str, set: fn(&mut Engine, &str) -> Applied },
    /// A text that GUIs can show; we ignore attempts to change it.
    Constant(&'static str),
}

/// What setting an option returns: an optional note for the user, or the reason why the engine refuses the value.
pub type Applied = Result<Option<String>, ApplyError>;

const fn spin(
    name: &'static str,
    default: u64,
    range: RangeInclusive<u64>,
    set: fn(&mut Engine, u64) -> Applied,
    description: &'static str,
) -> UciOption {
    UciOption { name, kind: OptionKind::Spin { default, range, set }, description }
}

const fn check(
    name: &'static str,
    default: bool,
    set: fn(&mut OptionValues, bool),
    description: &'static str,
) -> UciOption {
    UciOption { name, kind: OptionKind::Check { default, set }, description }
}

const fn string(
    name: &'static str,
    default: &'static str,
    set: fn(&mut Engine, &str) -> Applied,
    description: &'static str,
) -> UciOption {
    UciOption { name, kind: OptionKind::String { default, set }, description }
}

/// Stores the value of a `spin` option that has no other effect.
fn keep<T>(field: &mut T, value: T) -> Applied {
    *field = value;
    Ok(None)
}

fn load_network(engine: &mut Engine, file: &str) -> Applied {
    let path = Some(file).filter(|file| !file.is_empty() && *file != INTERNAL_NETWORK);
    engine
        .set_network(path.map(Path::new))
        .map_err(|reason| ApplyError::Network { file: file.to_owned(), reason })?;
    Ok(Some(path.map_or_else(|| "the built-in network".to_owned(), |file| format!("network {file}"))))
}

fn open_debug_log(_: &mut Engine, file: &str) -> Applied {
    let path = Some(file).filter(|file| !file.is_empty());
    debug_log::set(path.map(Path::new))
        .map_err(|reason| ApplyError::Log { file: file.to_owned(), reason })?;
    Ok(None)
}

fn too_many_threads(threads: usize) -> Option<String> {
    let cores = available_threads();
    (threads > cores).then(|| format!("{threads} threads share {cores} cores, which slows the search down"))
}

impl UciOption {
    /// Returns the default value as UCI writes it; empty for a button.
    pub fn default(&self) -> String {
        match &self.kind {
            OptionKind::Check { default, .. } => default.to_string(),
            OptionKind::Spin { default, .. } => default.to_string(),
            OptionKind::Combo { default, .. } | OptionKind::String { default, .. } => (*default).to_owned(),
            OptionKind::Constant(text) => (*text).to_owned(),
            OptionKind::Button(_) => String::new(),
        }
    }

    fn value_error(&self, expected: impl Into<String>, found: &str) -> OptionError {
        OptionError::Value { name: self.name, expected: expected.into(), found: found.to_owned() }
    }
}

/// Why the engine cannot apply the value of an option.
#[derive(Debug, Error)]
pub enum ApplyError {
    #[error("{0}; the old value stays")]
    Engine(#[from] EngineError),
    #[error("{file}: {reason}; the old network stays")]
    Network { file: String, reason: NetworkError },
    #[error("{file}: {reason}; no lines are written there")]
    Log { file: String, reason: std::io::Error },
    #[error(transparent)]
    Tablebases(#[from] TablebaseError),
}

/// Why [`Engine::set_option`] failed.
#[derive(Debug, Error)]
pub enum OptionError {
    #[error("no such option: '{0}'")]
    Unknown(String),
    #[error("option {name}: expected {expected}, found '{found}'")]
    Value { name: &'static str, expected: String, found: String },
    #[error("option {name}: {reason}")]
    Refused { name: &'static str, reason: ApplyError },
}

impl Engine {
    /// Sets an option, as UCI's `setoption` does. Returns a note for the user, if there is one. A running search is
    /// stopped first.
    ///
    /// # Errors
    /// Returns an error if there is no such option or the value is invalid. The option then keeps its old value.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<Option<String>, OptionError> {
        #[cfg(feature = "tune")]
        if let Some(parameter) = find_parameter(name) {
            self.stop_and_wait();
            return set_parameter(parameter, value).map(|()| None);
        }
        let option = OPTIONS
            .iter()
            .find(|option| option.name.eq_ignore_ascii_case(name))
            .ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
        self.stop_and_wait();
        let applied = match &option.kind {
            OptionKind::Check { set, .. } => {
                let value = match value {
                    "true" | "True" | "TRUE" => true,
                    "false" | "False" | "FALSE" => false,
                    _ => return Err(option.value_error("true or false", value)),
                };
                set(&mut self.options, value);
                Ok(None)
            }
            OptionKind::Spin { range, set, .. } => {
                let number = value.parse().ok().filter(|number| range.contains(number));
                let expected = || format!("a number from {} to {}", range.start(), range.end());
                set(self, number.ok_or_else(|| option.value_error(expected(), value))?)
            }
            OptionKind::Combo { words, set, .. } => {
                let word = words.iter().find(|word| word.eq_ignore_ascii_case(value));
                let expected = || format!("one of {}", words.join(", "));
                set(&mut self.options, word.ok_or_else(|| option.value_error(expected(), value))?);
                Ok(None)
            }
            OptionKind::Button(press) => {
                press(self);
                Ok(None)
            }
            OptionKind::String { set, .. } => set(self, value),
            OptionKind::Constant(_) => Ok(None),
        };
        applied.map_err(|reason| OptionError::Refused { name: option.name, reason })
    }
}

/// The current values of the options. Those that act at once and store nothing, such as `Clear Hash`, are left out.
#[derive(Clone, Debug)]
pub struct OptionValues {
    /// Size of the transposition table, MiB.
    pub hash: usize,
    pub threads: usize,
    pub ponder: bool,
    pub multi_pv: usize,
    /// Milliseconds per move that we reserve for delays between the engine and the GUI's clock.
    pub move_overhead: u64,
    /// How many nodes count as a millisecond (`nodestime`); 0 means real time.
    pub nodes_time: u64,
    /// Whether the GUI wants castling moves as king takes rook.
    pub chess960: bool,
    pub castling_rules: CastlingRules,
    /// The side for which a draw counts as a win.
    pub draw_odds: Option<Color>,
    pub show_wdl: bool,
    pub analyse_mode: bool,
    /// Whether the engine plays at the strength `elo`.
    pub limit_strength: bool,
    /// Within [`ELO_RANGE`]; has an effect only if `limit_strength` is set.
    pub elo: u32,
    /// From 0 to [`MAX_SKILL_LEVEL`], which is full strength.
    pub skill_level: u32,
    pub syzygy_probe_depth: i32,
    pub syzygy_50_move_rule: bool,
    pub syzygy_probe_limit: u32,
}

const DEFAULTS: OptionValues = OptionValues {
    hash: 16,
    threads: 1,
    ponder: false,
    multi_pv: 1,
    move_overhead: 10,
    nodes_time: 0,
    chess960: false,
    castling_rules: CastlingRules::Fischer,
    draw_odds: None,
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
    /// Returns the handicap if the strength is limited; `UCI_LimitStrength` takes precedence over `Skill Level`.
    pub fn handicap(&self) -> Option<Handicap> {
        if self.limit_strength {
            Some(Handicap::from_elo(self.elo))
        } else {
            Handicap::from_skill_level(self.skill_level)
        }
    }
}

#[cfg(feature = "tune")]
use crate::search::params::{self, Parameter};

#[cfg(feature = "tune")]
fn find_parameter(name: &str) -> Option<&'static Parameter> {
    params::all().into_iter().find(|parameter| parameter.name.eq_ignore_ascii_case(name))
}

#[cfg(feature = "tune")]
fn set_parameter(parameter: &'static Parameter, value: &str) -> Result<(), OptionError> {
    let Parameter { name, min, max, .. } = *parameter;
    let number = value.parse().ok().filter(|number| (min..=max).contains(number));
    let number = number.ok_or_else(|| OptionError::Value {
        name,
        expected: format!("a number from {min} to {max}"),
        found: value.to_owned(),
    })?;
    parameter.value.store(number, std::sync::atomic::Ordering::Relaxed);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_accepted() {
        let mut engine = Engine::new().unwrap();
        for option in OPTIONS {
            let value = if option.default() == "<empty>" { String::new() } else { option.default() };
            assert!(engine.set_option(option.name, &value).is_ok(), "{}", option.name);
        }
    }
}
