//! The search's numbers, one line each: constants in a normal build, UCI options under the feature `tune`.

macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident = $default:literal, $min:literal, $max:literal, $step:literal;)*) => {
        $(
            $(#[$doc])*
            #[cfg(not(feature = "tune"))]
            #[inline(always)]
            pub const fn $name() -> i32 {
                $default
            }

            $(#[$doc])*
            #[cfg(feature = "tune")]
            #[inline(always)]
            pub fn $name() -> i32 {
                tunable::$name.load(std::sync::atomic::Ordering::Relaxed)
            }
        )*

        #[cfg(feature = "tune")]
        #[allow(non_upper_case_globals)]
        mod tunable {
            $(pub static $name: std::sync::atomic::AtomicI32 = std::sync::atomic::AtomicI32::new($default);)*
        }

        /// Every parameter with its range.
        #[cfg(feature = "tune")]
        pub static PARAMETERS: &[Parameter] = &[
            $(Parameter {
                name: stringify!($name),
                value: &tunable::$name,
                default: $default,
                min: $min,
                max: $max,
                step: $step,
            },)*
        ];

        #[cfg(test)]
        const RANGES: &[(&str, i32, i32, i32, i32)] = &[$((stringify!($name), $default, $min, $max, $step),)*];
    };
}

/// A number of the search that a tuner may change while the engine runs.
#[cfg(feature = "tune")]
pub struct Parameter {
    /// Its name, also as an option.
    pub name: &'static str,
    /// Where it is kept.
    pub value: &'static std::sync::atomic::AtomicI32,
    /// Its value in a normal build.
    pub default: i32,
    /// The least it may be.
    pub min: i32,
    /// The most it may be.
    pub max: i32,
    /// How far a tuner moves it at the end of its run.
    pub step: i32,
}

parameters! {
    /// First half-width of the aspiration window, centipawns.
    aspiration_window = 20, 5, 60, 5;
    /// Null move pruning: plies less, plus depth / divisor.
    nmp_base = 3, 2, 6, 1;
    /// Null move pruning: see [`nmp_base`].
    nmp_depth_divisor = 4, 2, 8, 1;
    /// Late move reductions, hundredths of a ply: constant part.
    lmr_base = 77, 0, 200, 15;
    /// Late move reductions, hundredths: what divides ln(depth) × ln(move number).
    lmr_divisor = 236, 100, 400, 20;
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_default_lies_in_its_range() {
        for &(name, default, min, max, step) in super::RANGES {
            assert!(min <= default && default <= max && step > 0 && step <= max - min, "{name}");
        }
    }
}
