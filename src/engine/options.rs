//! The options: one declarative table of names, types, ranges and effects.

use std::path::Path;

use thiserror::Error;

use super::{Engine, EngineError};
use crate::chess::CastlingRules;
use crate::search::strength::{ELO_RANGE, FULL_SKILL, Handicap};

/// The options' values.
#[derive(Clone, Debug)]
pub struct OptionValues {
    /// Size of the table, MiB.
    pub hash: usize,
    /// Search threads.
    pub threads: usize,
    /// The engine thinks on the opponent's time.
    pub ponder: bool,
    /// Lines to report.
    pub multi_pv: usize,
    /// Milliseconds lost between engine and clock, per move.
    pub move_overhead: u64,
    /// Nodes that count as a millisecond; 0 for the real clock.
    pub nodes_time: u64,
    /// Castling is written king takes rook.
    pub chess960: bool,
    /// How castling is laid out in positions to come.
    pub castling_rules: CastlingRules,
    /// Lines of analysis show the chances of winning, drawing and losing.
    pub show_wdl: bool,
    /// The user analyses rather than plays.
    pub analyse_mode: bool,
    /// The engine plays at about the strength below.
    pub limit_strength: bool,
    /// That strength.
    pub elo: u32,
    /// Strength on a scale without figures, where the above does not limit it.
    pub skill_level: u32,
    /// Depth from which positions with the most pieces that the tables have are looked up.
    pub syzygy_probe_depth: i32,
    /// Tablebase wins that take longer than fifty moves are draws.
    pub syzygy_50_move_rule: bool,
    /// Positions with more pieces are not looked up.
    pub syzygy_probe_limit: u32,
}

impl Default for OptionValues {
    fn default() -> Self {
        Self {
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
            skill_level: FULL_SKILL,
            syzygy_probe_depth: 1,
            syzygy_50_move_rule: true,
            syzygy_probe_limit: 7,
        }
    }
}

impl OptionValues {
    /// What holds the engine back, if anything.
    pub fn handicap(&self) -> Option<Handicap> {
        if self.limit_strength {
            Some(Handicap::of_elo(self.elo))
        } else {
            Handicap::of_skill(self.skill_level)
        }
    }
}

/// An option's type, default and effect.
pub enum Kind {
    /// `true` or `false`.
    Check(fn(&mut Engine, bool)),
    /// A number in a range.
    Spin {
        /// The least and the most.
        range: std::ops::RangeInclusive<u64>,
        /// Takes a number of that range.
        set: fn(&mut Engine, u64) -> Result<(), EngineError>,
    },
    /// One of several words.
    Combo {
        /// The words.
        words: &'static [&'static str],
        /// Takes one of them, in the spelling above.
        set: fn(&mut Engine, &str),
    },
    /// Something to do.
    Button(fn(&mut Engine)),
    /// A text; gives what to tell the user about it, a line each.
    Text(fn(&mut Engine, &str) -> Vec<String>),
    /// A text that cannot be changed.
    Constant,
}

/// One option.
pub struct Spec {
    /// Its name; upper and lower case are the same.
    pub name: &'static str,
    /// Its default as UCI shows it.
    pub default: &'static str,
    /// Its type and effect.
    pub kind: Kind,
}

/// Why an option was not set.
#[derive(Debug, Error)]
pub enum OptionError {
    /// No option of that name.
    #[error("no such option: '{0}'")]
    Unknown(String),
    /// Not a value of its type or out of range.
    #[error("option {name}: expected {expected}, found '{found}'")]
    Value {
        /// The option.
        name: &'static str,
        /// What it takes.
        expected: String,
        /// What was given.
        found: String,
    },
    /// The engine could not do it.
    #[error("option {name}: {reason}")]
    Engine {
        /// The option.
        name: &'static str,
        /// Why not.
        reason: EngineError,
    },
}

/// What the engine says of itself.
pub const ABOUT: &str =
    concat!("Enroque ", env!("CARGO_PKG_VERSION"), ", a chess engine for which Chess960 is the normal case");

/// What `EvalFile` calls the network that the program was built with.
const INTERNAL_NETWORK: &str = "<internal>";

/// Every option, in the order in which they are listed.
pub static OPTIONS: &[Spec] = &[
    spin("Hash", "16", 1..=33_554_432, |engine, value| engine.set_hash(value as usize)),
    spin("Threads", "1", 1..=1024, |engine, value| engine.set_threads(value as usize)),
    Spec { name: "Clear Hash", default: "", kind: Kind::Button(Engine::clear_hash) },
    check("Ponder", |engine, value| engine.options_mut().ponder = value),
    spin("MultiPV", "1", 1..=256, |engine, value| {
        engine.options_mut().multi_pv = value as usize;
        Ok(())
    }),
    spin("Move Overhead", "10", 0..=5000, |engine, value| {
        engine.options_mut().move_overhead = value;
        Ok(())
    }),
    spin("nodestime", "0", 0..=10_000, |engine, value| {
        engine.options_mut().nodes_time = value;
        Ok(())
    }),
    check("UCI_Chess960", |engine, value| engine.options_mut().chess960 = value),
    Spec {
        name: "CastlingRules",
        default: CastlingRules::Fischer.name(),
        kind: Kind::Combo {
            words: &[
                CastlingRules::Fischer.name(),
                CastlingRules::NearestRook.name(),
                CastlingRules::Orthodox480.name(),
                CastlingRules::None.name(),
            ],
            set: |engine, word| {
                if let Some(rules) = CastlingRules::from_name(word) {
                    engine.options_mut().castling_rules = rules;
                }
            },
        },
    },
    check("UCI_ShowWDL", |engine, value| engine.options_mut().show_wdl = value),
    check("UCI_AnalyseMode", |engine, value| engine.options_mut().analyse_mode = value),
    check("UCI_LimitStrength", |engine, value| engine.options_mut().limit_strength = value),
    spin("UCI_Elo", "2440", ELO_RANGE.0 as u64..=ELO_RANGE.1 as u64, |engine, value| {
        engine.options_mut().elo = value as u32;
        Ok(())
    }),
    spin("Skill Level", "20", 0..=FULL_SKILL as u64, |engine, value| {
        engine.options_mut().skill_level = value as u32;
        Ok(())
    }),
    Spec {
        name: "SyzygyPath",
        default: "<empty>",
        kind: Kind::Text(|engine, folders| {
            let (found, errors) = engine.set_tablebases(folders);
            std::iter::once(found).chain(errors.iter().map(ToString::to_string)).collect()
        }),
    },
    spin("SyzygyProbeDepth", "1", 1..=100, |engine, value| {
        engine.options_mut().syzygy_probe_depth = value as i32;
        Ok(())
    }),
    Spec {
        name: "Syzygy50MoveRule",
        default: "true",
        kind: Kind::Check(|engine, value| engine.options_mut().syzygy_50_move_rule = value),
    },
    spin("SyzygyProbeLimit", "7", 0..=7, |engine, value| {
        engine.options_mut().syzygy_probe_limit = value as u32;
        Ok(())
    }),
    Spec {
        name: "EvalFile",
        default: INTERNAL_NETWORK,
        kind: Kind::Text(|engine, file| {
            let file = Some(file).filter(|file| !file.is_empty() && *file != INTERNAL_NETWORK);
            vec![match (engine.set_network(file.map(Path::new)), file) {
                (Ok(()), Some(file)) => format!("network {file}"),
                (Ok(()), None) => "the built-in network".to_owned(),
                (Err(error), file) => {
                    format!("option EvalFile: {}: {error}; the old network stays", file.unwrap_or_default())
                }
            }]
        }),
    },
    Spec { name: "UCI_EngineAbout", default: ABOUT, kind: Kind::Constant },
];

const fn check(name: &'static str, set: fn(&mut Engine, bool)) -> Spec {
    Spec { name, default: "false", kind: Kind::Check(set) }
}

const fn spin(
    name: &'static str,
    default: &'static str,
    range: std::ops::RangeInclusive<u64>,
    set: fn(&mut Engine, u64) -> Result<(), EngineError>,
) -> Spec {
    Spec { name, default, kind: Kind::Spin { range, set } }
}

impl Spec {
    fn value_error(&self, expected: impl Into<String>, found: &str) -> OptionError {
        OptionError::Value { name: self.name, expected: expected.into(), found: found.to_owned() }
    }
}

impl Engine {
    /// Sets an option from its name and value as text, and gives what to tell the user about it, a line each. A
    /// search that is running is stopped first.
    ///
    /// # Errors
    /// When there is no such option or the value does not fit; nothing has changed then.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<Vec<String>, OptionError> {
        #[cfg(feature = "tune")]
        if let Some(parameter) = find_parameter(name) {
            self.halt();
            return set_parameter(parameter, value).map(|()| Vec::new());
        }
        let spec = OPTIONS
            .iter()
            .find(|spec| spec.name.eq_ignore_ascii_case(name))
            .ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
        self.halt();
        match &spec.kind {
            Kind::Check(set) => match value {
                "true" | "True" | "TRUE" => set(self, true),
                "false" | "False" | "FALSE" => set(self, false),
                _ => return Err(spec.value_error("true or false", value)),
            },
            Kind::Spin { range, set } => {
                let expected = || format!("a number from {} to {}", range.start(), range.end());
                let number = value.parse().ok().filter(|number| range.contains(number));
                let number = number.ok_or_else(|| spec.value_error(expected(), value))?;
                set(self, number).map_err(|reason| OptionError::Engine { name: spec.name, reason })?;
            }
            Kind::Combo { words, set } => {
                let word = words.iter().find(|word| word.eq_ignore_ascii_case(value));
                set(
                    self,
                    word.ok_or_else(|| spec.value_error(format!("one of {}", words.join(", ")), value))?,
                );
            }
            Kind::Button(press) => press(self),
            Kind::Text(set) => return Ok(set(self, value)),
            Kind::Constant => {}
        }
        Ok(Vec::new())
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
