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

/// Learning rate at the end of a tuner's run, as OpenBench's SPSA takes it.
#[cfg(feature = "tune")]
const FINAL_RATE: f64 = 0.002;

/// The parameters as tuning frameworks read them: `name, int, value, min, max, c_end, r_end`, one a line.
#[cfg(feature = "tune")]
pub fn listing() -> String {
    let line = |p: &Parameter| {
        let &Parameter { name, min, max, step, .. } = p;
        let value = p.value.load(std::sync::atomic::Ordering::Relaxed);
        format!("{name}, int, {value}, {min}, {max}, {step}, {FINAL_RATE}")
    };
    PARAMETERS.iter().map(line).collect::<Vec<_>>().join("\n")
}

parameters! {
    /// First half-width of the aspiration window, centipawns.
    aspiration_window = 14, 5, 60, 4;

    /// Time: expected moves left when the clock does not say.
    time_moves = 20, 10, 50, 2;
    /// Time: share of the increment used, percent.
    time_increment = 75, 30, 110, 5;
    /// Time: the hard limit as a multiple of the soft one, percent.
    time_hard = 350, 150, 800, 40;
    /// Time: factor by the best move's share of nodes, percent: base, and what the whole share takes off.
    time_node_base = 225, 120, 350, 15;
    /// Time: see [`time_node_base`].
    time_node_slope = 170, 0, 250, 15;
    /// Time: factor by the iterations that the best move has held, percent: base, and per iteration up to eight.
    time_stability_base = 140, 80, 250, 10;
    /// Time: see [`time_stability_base`].
    time_stability_slope = 8, 0, 20, 1;
    /// Time: more for every ten centipawns that the score has fallen, percent.
    time_score_slope = 8, 0, 30, 2;

    /// Moves that check are ordered as if their history were this much better.
    order_check_bonus = 6642, 0, 20000, 1500;

    /// Quiet moves out of a lesser man's attack are ordered as if their history were better by this for each
    /// centipawn of the piece's worth, those into one as much worse.
    order_escape_bonus = 9, 0, 40, 2;
    /// History bonus: per ply of depth, subtracted, at most.
    bonus_slope = 135, 50, 400, 20;
    /// History bonus: see [`bonus_slope`].
    bonus_offset = 80, -100, 400, 30;
    /// History bonus: see [`bonus_slope`].
    bonus_limit = 1700, 500, 4000, 200;
    /// History malus: per ply of depth, subtracted, at most.
    malus_slope = 165, 50, 400, 20;
    /// History malus: see [`malus_slope`].
    malus_offset = 50, -100, 400, 30;
    /// History malus: see [`malus_slope`].
    malus_limit = 1300, 300, 4000, 200;

    /// Static evaluation: weight of the learnt corrections, centipawns for eight full ones.
    correction_weight = 257, 0, 800, 30;

    /// Internal iterative reduction: least depth without a table move.
    iir_depth = 4, 2, 100, 1;

    /// Hindsight: least reduction of the move before for a position that turned out bad to be searched deeper.
    hindsight_deeper = 3, 1, 100, 1;
    /// Hindsight: by how much both sides' evaluations must sum up for the search to be shallower, centipawns.
    hindsight_shallower = 145, 20, 10000, 20;

    /// Razoring: margin below alpha, centipawns, and what depth squared adds.
    razor_base = 235, 50, 10000, 30;
    /// Razoring: see [`razor_base`].
    razor_slope = 220, 50, 600, 30;

    /// Reverse futility pruning (RFP): greatest depth.
    rfp_depth = 10, -1, 20, 1;
    /// RFP: margin above beta per ply, centipawns.
    rfp_slope = 79, 20, 200, 8;
    /// RFP: less when the evaluation improves, centipawns.
    rfp_improving = 68, 0, 200, 10;

    /// Null move pruning (NMP): least depth.
    nmp_depth = 3, 1, 100, 1;
    /// NMP: plies less, thousandths: base, and per ply of depth.
    nmp_base = 4460, 2000, 7000, 250;
    /// NMP: see [`nmp_base`].
    nmp_slope = 324, 100, 600, 30;
    /// NMP: one more ply less for every so many centipawns above beta, at most three.
    nmp_eval_divisor = 197, 50, 600, 20;
    /// NMP: from this depth on the cut-off is verified without null moves.
    nmp_verify_depth = 14, 8, 100, 1;

    /// ProbCut: how far above beta a capture must come out, centipawns.
    probcut_margin = 209, 50, 500, 20;
    /// ProbCut: least depth.
    probcut_depth = 5, 3, 100, 1;

    /// Late move pruning (LMP): hundredths of moves: base, and per squared ply.
    lmp_base = 354, 50, 2000, 40;
    /// LMP: see [`lmp_base`].
    lmp_slope = 114, 30, 300, 10;
    /// LMP: greatest depth.
    lmp_depth = 9, -1, 20, 1;

    /// Futility pruning: greatest depth, after reductions.
    futility_depth = 8, -1, 20, 1;
    /// Futility pruning: margin, centipawns, base and per ply.
    futility_base = 121, 0, 500, 20;
    /// Futility pruning: see [`futility_base`].
    futility_slope = 91, 20, 250, 10;

    /// History pruning: greatest depth, after reductions.
    history_prune_depth = 4, -1, 20, 1;
    /// History pruning: limit per ply.
    history_prune_slope = 4482, 500, 15000, 400;

    /// SEE pruning: centipawns that a quiet move may lose per ply.
    see_quiet_slope = 50, 10, 10000, 6;
    /// SEE pruning: centipawns that a capture may lose per ply.
    see_noisy_slope = 95, 20, 10000, 8;
    /// SEE pruning: centipawns that a move that checks may lose per ply.
    see_check_slope = 200, 20, 10000, 15;

    /// Singular extension: least depth.
    singular_depth = 6, 4, 100, 1;
    /// Singular extension: margin below the table's score per ply, sixteenths of a centipawn.
    singular_slope = 16, 4, 64, 3;
    /// Double extension: by how much more the others must fail, centipawns.
    double_extension_margin = 22, 0, 10000, 5;
    /// Triple extension: the same.
    triple_extension_margin = 110, 20, 10000, 15;

    /// Late move reductions (LMR), 1024ths of a ply: quiet moves, base.
    lmr_quiet_base = 738, 0, 2500, 100;
    /// LMR: quiet moves, per ln(depth) × ln(move number).
    lmr_quiet_slope = 472, 200, 800, 30;
    /// LMR: noisy moves, base.
    lmr_noisy_base = 153, -1000, 1500, 100;
    /// LMR: noisy moves, per ln(depth) × ln(move number).
    lmr_noisy_slope = 383, 100, 700, 30;
    /// LMR: less on the principal variation, now or once.
    lmr_was_pv = 861, 0, 2500, 100;
    /// LMR: more in nodes expected to fail high.
    lmr_cut_node = 1725, 0, 3000, 150;
    /// LMR: more when the evaluation does not improve.
    lmr_not_improving = 569, 0, 2000, 100;
    /// LMR: less for moves that check.
    lmr_check = 716, 0, 2500, 100;
    /// LMR: more when the table's move is a capture.
    lmr_table_noisy = 615, 0, 2500, 100;
    /// LMR: more when the nodes after this one fail high often.
    lmr_child_cutoffs = 951, 0, 2500, 100;
    /// LMR: less by history, hundredths of a 1024th per unit.
    lmr_history = 10, 0, 40, 2;
    /// LMR: re-search one ply deeper when a reduced move comes out so far above the best, centipawns.
    lmr_deeper_margin = 39, 0, 10000, 10;

    /// Quiescence: a capture must lift the evaluation to alpha with this to spare, centipawns.
    qs_futility = 134, 0, 10000, 20;
    /// Quiescence: what a capture may lose, centipawns.
    qs_see = -20, -200, 100, 20;
    /// Quiescence: moves looked at when none checks.
    qs_moves = 4, 1, 300, 1;
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
