//! Search parameters: constants in a normal build, UCI options under the feature `tune`.
//!
//! `parameters!` declares them in the file that uses them, one per line: `name = default, min, max, step`. The code
//! reads a parameter by calling `name()`. In a `tune` build the linker collects them from all files.

/// Declares parameters: a function for each, and under `tune` also its entry in `PARAMETERS`.
macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident = $default:literal, $min:literal, $max:literal, $step:literal;)*) => {
        $(
            $(#[$doc])*
            #[cfg(not(feature = "tune"))]
            #[inline(always)]
            pub(in crate::search) const fn $name() -> i32 {
                $default
            }

            $(#[$doc])*
            #[cfg(feature = "tune")]
            #[inline(always)]
            pub(in crate::search) fn $name() -> i32 {
                tunable::$name.value.load(std::sync::atomic::Ordering::Relaxed)
            }
        )*

        #[cfg(any(feature = "tune", test))]
        #[allow(non_upper_case_globals)]
        mod tunable {
            $(
                #[linkme::distributed_slice($crate::search::params::PARAMETERS)]
                pub(super) static $name: $crate::search::params::Parameter = $crate::search::params::Parameter {
                    name: stringify!($name),
                    value: std::sync::atomic::AtomicI32::new($default),
                    default: $default,
                    min: $min,
                    max: $max,
                    step: $step,
                };
            )*
        }
    };
}
pub(in crate::search) use parameters;

/// A parameter that a tuner can change while the engine runs.
#[derive(Debug)]
#[cfg(any(feature = "tune", test))]
pub struct Parameter {
    /// The UCI option has the same name.
    pub name: &'static str,
    pub value: std::sync::atomic::AtomicI32,
    /// Value in a normal build.
    pub default: i32,
    pub min: i32,
    pub max: i32,
    /// By how much a tuner varies the parameter at the end of a run (`c_end` in SPSA).
    pub step: i32,
}

#[cfg(any(feature = "tune", test))]
#[linkme::distributed_slice]
pub static PARAMETERS: [Parameter];

/// Returns all parameters, sorted by name, because the linker may list them in any order.
#[cfg(any(feature = "tune", test))]
pub fn all() -> Vec<&'static Parameter> {
    let mut all: Vec<&Parameter> = PARAMETERS.iter().collect();
    all.sort_by_key(|parameter| parameter.name);
    all
}

/// Learning rate at the end of an SPSA run (`r_end` in OpenBench).
#[cfg(feature = "tune")]
const FINAL_RATE: f64 = 0.002;

/// Returns the parameters in OpenBench's format, one per line: `name, int, value, min, max, c_end, r_end`.
#[cfg(feature = "tune")]
pub fn listing() -> String {
    let line = |p: &&Parameter| {
        let &&Parameter { name, min, max, step, .. } = p;
        let value = p.value.load(std::sync::atomic::Ordering::Relaxed);
        format!("{name}, int, {value}, {min}, {max}, {step}, {FINAL_RATE}")
    };
    all().iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::{Parameter, all};

    #[test]
    fn parameters_are_unique_and_in_range() {
        let all = all();
        for &&Parameter { name, default, min, max, step, .. } in &all {
            assert!(min <= default && default <= max && step > 0 && step <= max - min, "{name}");
        }
        for pair in all.windows(2) {
            assert_ne!(pair[0].name, pair[1].name);
        }
        for name in
            ["aspiration_window", "quiet_bonus_slope", "lmr_history", "qs_moves", "rfp_slope", "time_moves"]
        {
            assert!(all.iter().any(|parameter| parameter.name == name), "{name}");
        }
        assert!(all.len() > 50, "{}", all.len());
    }
}
