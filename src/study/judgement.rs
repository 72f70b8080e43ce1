//! Judgement of a move by the loss of winning chances, by the formulas of lichess.

/// Bound of scores in centipawns; a mate counts as this.
pub const MAX_CENTIPAWNS: f64 = 1000.0;
/// Slope of the win percentage per centipawn, which lichess fitted to games between humans.
const WIN_PERCENT_SLOPE: f64 = 0.003_682_08;

/// Mark of a bad move.
pub struct Mark {
    /// Annotation symbol.
    pub symbol: &'static str,
    /// Numeric annotation glyph.
    pub nag: u8,
    /// Name of the mark.
    pub name: &'static str,
    /// Smallest loss of win percentage that gets the mark, percentage points.
    min_loss: f64,
}

/// Marks, worst first, with the limits of lichess: 0.3, 0.2 and 0.1 on a scale from -1 to 1.
pub const MARKS: [Mark; 3] = [
    Mark { symbol: "??", nag: 4, name: "Blunder", min_loss: 15.0 },
    Mark { symbol: "?", nag: 2, name: "Mistake", min_loss: 10.0 },
    Mark { symbol: "?!", nag: 6, name: "Inaccuracy", min_loss: 5.0 },
];

/// Factor, decay rate and offset of the accuracy of a move, by lichess.
const ACCURACY_FACTOR: f64 = 103.1668;
const ACCURACY_DECAY: f64 = 0.043_54;
const ACCURACY_OFFSET: f64 = -3.1669;

/// Returns the win percentage of a side by its score: 50 + 50 (2 / (1 + e^(-0.00368208 cp)) - 1).
pub fn win_percent(centipawns: f64) -> f64 {
    100.0 / (1.0 + (-WIN_PERCENT_SLOPE * centipawns).exp())
}

/// Returns the accuracy of a move in per cent by its loss of win percentage: 103.1668 e^(-0.04354 x) - 3.1669.
pub fn move_accuracy(loss: f64) -> f64 {
    (ACCURACY_FACTOR * (-ACCURACY_DECAY * loss).exp() + ACCURACY_OFFSET).clamp(0.0, 100.0)
}

/// Returns the mark of a move with this loss of win percentage, if it is bad.
pub fn mark_of(loss: f64) -> Option<&'static Mark> {
    MARKS.iter().find(|mark| loss >= mark.min_loss)
}
