//! The options: one table of names, types, defaults, ranges, effects and descriptions.

use std::path::Path;

use thiserror::Error;

use super::{Engine, EngineError};
use crate::chess::CastlingRules;
use crate::nnue::NetworkError;
use crate::search::strength::{ELO_RANGE, FULL_SKILL, Handicap};
use crate::tablebase::TablebaseError;
use crate::util::debug_log;
use crate::util::version::ABOUT;

/// An option's type with its default, range and effect.
pub enum OptionKind {
    /// `true` or `false`.
    Check {
        default: bool,
        /// Takes effect.
        set: fn(&mut Engine, bool),
    },
    /// A number in a range; taking effect, it may give something to tell the user.
    Spin {
        default: u64,
        /// The lowest and the highest.
        range: std::ops::RangeInclusive<u64>,
        /// Takes effect; the number lies in the range.
        set: fn(&mut Engine, u64) -> Result<Option<String>, EngineError>,
    },
    /// One of several words.
    Combo {
        default: &'static str,
        words: &'static [&'static str],
        /// Takes effect; the word is one of them, in their spelling.
        set: fn(&mut Engine, &str),
    },
    /// Something to do.
    Button(fn(&mut Engine)),
    /// A text; taking effect, it may give something to tell the user.
    String {
        default: &'static str,
        /// Takes effect.
        set: fn(&mut Engine, &str) -> Result<Option<String>, TextError>,
    },
    /// A text that cannot be changed.
    Constant(&'static str),
}

/// One option.
pub struct UciOption {
    /// Its name; upper and lower case are the same.
    pub name: &'static str,
    /// Its type and effect.
    pub kind: OptionKind,
    /// What it does, for the README.
    pub description: &'static str,
}

impl UciOption {
    /// Its default as UCI writes it; empty for a button.
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

/// Why a text was refused.
#[derive(Debug, Error)]
pub enum TextError {
    /// No network for this program.
    #[error("{file}: {reason}; the old network stays")]
    Network {
        file: String,
        /// What is wrong with it.
        reason: NetworkError,
    },
    /// No log.
    #[error("{file}: {reason}; no lines are written there")]
    Log {
        file: String,
        /// What is wrong with it.
        reason: std::io::Error,
    },
    /// No tablebases.
    #[error(transparent)]
    Tablebases(#[from] TablebaseError),
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
    /// The text names nothing that can be used.
    #[error("option {name}: {reason}")]
    Text {
        /// The option.
        name: &'static str,
        /// Why not.
        reason: TextError,
    },
}

/// What `EvalFile` calls the network that the program was built with.
const INTERNAL_NETWORK: &str = "<internal>";

/// Makes the table of options and the values that it keeps. An entry is, by its type:
///
/// - `spin "Name", field: type = default, range, "description";` with ` => |engine, value| effect` before the semicolon
///   where more is to be done than to keep the value
/// - `check "Name", field = default, "description";`
/// - `other "Name", OptionKind, "description";` for what keeps no value or one of its own type, which `keep` declares
macro_rules! options {
    (@next $specs:tt $fields:tt
        spin $name:literal, $field:ident: $type:ty = $default:expr, $range:expr, $description:literal; $($rest:tt)*) => {
        options!(@next $specs $fields
            spin $name, $field: $type = $default, $range, $description => |engine, value| {
                engine.options_mut().$field = value;
                Ok(None)
            }; $($rest)*);
    };
    (@next {$($specs:tt)*} {$($fields:tt)*}
        spin $name:literal, $field:ident: $type:ty = $default:expr, $range:expr, $description:literal
            => |$engine:ident, $value:ident| $effect:expr; $($rest:tt)*) => {
        options!(@next
            {$($specs)* UciOption {
                name: $name,
                kind: OptionKind::Spin {
                    default: $default as u64,
                    range: $range,
                    set: |$engine, value| {
                        let $value = value as $type;
                        $effect
                    },
                },
                description: $description,
            },}
            {$($fields)* #[doc = $description] $field: $type = $default,}
            $($rest)*);
    };
    (@next {$($specs:tt)*} {$($fields:tt)*}
        check $name:literal, $field:ident = $default:literal, $description:literal; $($rest:tt)*) => {
        options!(@next
            {$($specs)* UciOption {
                name: $name,
                kind: OptionKind::Check { default: $default, set: |engine, value| engine.options_mut().$field = value },
                description: $description,
            },}
            {$($fields)* #[doc = $description] $field: bool = $default,}
            $($rest)*);
    };
    (@next {$($specs:tt)*} {$($fields:tt)*}
        other $name:literal, $kind:expr, $description:literal; $($rest:tt)*) => {
        options!(@next
            {$($specs)* UciOption { name: $name, kind: $kind, description: $description },} {$($fields)*} $($rest)*);
    };
    (@next {$($specs:tt)*} {$($fields:tt)*}
        keep $field:ident: $type:ty = $default:expr, $description:literal; $($rest:tt)*) => {
        options!(@next {$($specs)*} {$($fields)* #[doc = $description] $field: $type = $default,} $($rest)*);
    };
    (@next {$($specs:tt)*} {$(#[doc = $doc:literal] $field:ident: $type:ty = $default:expr,)*}) => {
        /// Every option, in the order in which they are listed.
        pub static OPTIONS: &[UciOption] = &[$($specs)*];

        /// The values of the options that keep one.
        #[derive(Clone, Debug)]
        pub struct OptionValues {
            $(#[doc = $doc] pub $field: $type,)*
        }

        impl Default for OptionValues {
            fn default() -> Self {
                Self { $($field: $default,)* }
            }
        }
    };
    ($($entries:tt)*) => {
        options!(@next {} {} $($entries)*);
    };
}

options! {
    spin "Hash", hash: usize = 16, 1..=33_554_432, "size of the transposition table, MiB"
        => |engine, value| engine.set_hash(value).map(|()| None);
    spin "Threads", threads: usize = 1, 1..=1024, "threads that search"
        => |engine, value| engine.set_threads(value).map(|()| too_many_threads(value));
    other "Clear Hash", OptionKind::Button(Engine::clear_hash), "empties the table";
    check "Ponder", ponder = false,
        "tells that the engine may think on the opponent's time, so it uses a little more of its own";
    spin "MultiPV", multi_pv: usize = 1, 1..=256, "number of principal variations shown";
    spin "Move Overhead", move_overhead: u64 = 10, 0..=5000,
        "milliseconds lost per move between engine and clock";
    spin "nodestime", nodes_time: u64 = 0, 0..=10_000,
        "counts so many nodes as a millisecond instead of looking at the clock";
    check "UCI_Chess960", chess960 = false, "castling as king takes rook, Shredder-FEN in `d`";
    keep castling_rules: CastlingRules = CastlingRules::Fischer, "How castling is laid out in positions to come.";
    other "CastlingRules", OptionKind::Combo {
        default: CastlingRules::Fischer.name(),
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
    }, "`fischer`: Chess960 and orthodox chess; `nearest`: Chess2880; `orthodox480`: Chess480; `none`";
    check "UCI_ShowWDL", show_wdl = false, "shows the chances of winning, drawing and losing, in thousandths";
    check "UCI_AnalyseMode", analyse_mode = false,
        "searches forced moves too, instead of playing them at once";
    check "UCI_LimitStrength", limit_strength = false, "plays at about the strength that `UCI_Elo` says";
    spin "UCI_Elo", elo: u32 = ELO_RANGE.1, ELO_RANGE.0 as u64..=ELO_RANGE.1 as u64, "840 to 2440, see below";
    spin "Skill Level", skill_level: u32 = FULL_SKILL, 0..=FULL_SKILL as u64,
        "strength 0 (840) to 19 (2440); 20 holds nothing back";
    other "SyzygyPath", OptionKind::String { default: "<empty>", set: |engine, folders| Ok(engine.set_tablebases(folders)?) },
        "folders with Syzygy tablebases, joined by `:` (`;` on Windows)";
    spin "SyzygyProbeDepth", syzygy_probe_depth: i32 = 1, 1..=100,
        "positions with the most pieces that the tables have are looked up from this depth on";
    check "Syzygy50MoveRule", syzygy_50_move_rule = true,
        "tablebase wins that take longer than fifty moves count as draws";
    spin "SyzygyProbeLimit", syzygy_probe_limit: u32 = 7, 0..=7, "positions with more pieces are not looked up";
    other "EvalFile", OptionKind::String {
        default: INTERNAL_NETWORK,
        set: |engine, file| {
            let wanted = Some(file).filter(|file| !file.is_empty() && *file != INTERNAL_NETWORK);
            engine
                .set_network(wanted.map(Path::new))
                .map_err(|reason| TextError::Network { file: file.to_owned(), reason })?;
            Ok(Some(wanted.map_or_else(|| "the built-in network".to_owned(), |file| format!("network {file}"))))
        },
    }, "a network file to evaluate with; one that does not fit is refused and the old one stays";
    other "Debug Log File", OptionKind::String {
        default: "<empty>",
        set: |_, file| {
            let wanted = Some(file).filter(|file| !file.is_empty());
            debug_log::set(wanted.map(Path::new))
                .map_err(|reason| TextError::Log { file: file.to_owned(), reason })?;
            Ok(None)
        },
    }, "a file to whose end every line in and out is written, with the time";
    other "UCI_EngineAbout", OptionKind::Constant(ABOUT), "who this is";
}

/// What to tell of more threads than the machine runs at once.
fn too_many_threads(threads: usize) -> Option<String> {
    let cores = std::thread::available_parallelism().map_or(threads, usize::from);
    (threads > cores)
        .then(|| format!("{threads} threads share {cores} processors, which slows the search down"))
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

impl Engine {
    /// Sets an option from its name and value as text; gives what to tell the user about it, if anything. A
    /// search that is running is stopped first.
    ///
    /// # Errors
    /// When there is no such option or the value does not fit; nothing has changed then.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<Option<String>, OptionError> {
        #[cfg(feature = "tune")]
        if let Some(parameter) = find_parameter(name) {
            self.stop_and_wait();
            return set_parameter(parameter, value).map(|()| None);
        }
        let spec = OPTIONS
            .iter()
            .find(|spec| spec.name.eq_ignore_ascii_case(name))
            .ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
        self.stop_and_wait();
        match &spec.kind {
            OptionKind::Check { set, .. } => match value {
                "true" | "True" | "TRUE" => set(self, true),
                "false" | "False" | "FALSE" => set(self, false),
                _ => return Err(spec.value_error("true or false", value)),
            },
            OptionKind::Spin { range, set, .. } => {
                let expected = || format!("a number from {} to {}", range.start(), range.end());
                let number = value.parse().ok().filter(|number| range.contains(number));
                let number = number.ok_or_else(|| spec.value_error(expected(), value))?;
                return set(self, number).map_err(|reason| OptionError::Engine { name: spec.name, reason });
            }
            OptionKind::Combo { words, set, .. } => {
                let word = words.iter().find(|word| word.eq_ignore_ascii_case(value));
                let expected = || format!("one of {}", words.join(", "));
                set(self, word.ok_or_else(|| spec.value_error(expected(), value))?);
            }
            OptionKind::Button(press) => press(self),
            OptionKind::String { set, .. } => {
                return set(self, value).map_err(|reason| OptionError::Text { name: spec.name, reason });
            }
            OptionKind::Constant(_) => {}
        }
        Ok(None)
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
    fn every_default_can_be_set() {
        let mut engine = Engine::new().unwrap();
        for spec in OPTIONS {
            let value = if spec.default() == "<empty>" { String::new() } else { spec.default() };
            assert!(engine.set_option(spec.name, &value).is_ok(), "{}", spec.name);
        }
    }

    /// A row of the README's table for each option: name, default, description.
    #[test]
    fn the_readme_has_a_row_for_each_option() {
        let readme = include_str!("../../README.md");
        let table = readme.split_once("## Options").and_then(|(_, rest)| rest.split_once("\n\n|")).unwrap().1;
        let rows: Vec<&str> = table.lines().skip(2).take_while(|row| row.starts_with('|')).collect();
        let expected: Vec<String> = OPTIONS
            .iter()
            .map(|spec| {
                let default = match spec.kind {
                    OptionKind::String { default: INTERNAL_NETWORK, .. } => format!(" `{INTERNAL_NETWORK}`"),
                    OptionKind::String { .. } | OptionKind::Constant(_) | OptionKind::Button(_) => {
                        String::new()
                    }
                    _ => format!(" {}", spec.default()),
                };
                format!("| `{}` |{default} | {} |", spec.name, spec.description)
            })
            .collect();
        assert_eq!(rows, expected);
    }
}
