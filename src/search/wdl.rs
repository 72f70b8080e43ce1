//! Win-draw-loss model: how likely a win, a draw and a loss are, given a score.

use super::score::{DECISIVE_RANGE, Score, is_decisive};
use crate::chess::{Board, ByKind, PieceKind};

const MATERIAL_RANGE: (i32, i32) = (17, 78);
/// Material value of each piece kind, from pawn to king.
const MATERIAL: ByKind<i32> = ByKind([1, 3, 3, 5, 9, 0]);
/// We divide the material by this before it enters the polynomials below.
const TYPICAL_MATERIAL: f64 = 58.0;

/// Location of the logistic curve, centipawns: the score with an even chance of winning. A polynomial in material /
/// [`TYPICAL_MATERIAL`], lowest power first. `scripts/fit_wdl.py` fitted it and [`SCALE`] to games of double Chess960
/// at 2+0.02.
const LOCATION: [f64; 3] = [361.7, -408.9, 153.6];
/// Scale of the logistic curve, centipawns: the larger, the flatter the curve. A polynomial like [`LOCATION`].
const SCALE: [f64; 2] = [64.1, -0.6];

/// Chances of the side to move in thousandths; they sum to 1000.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WinDrawLoss {
    pub win: u32,
    pub draw: u32,
    pub loss: u32,
}

impl WinDrawLoss {
    /// Returns the chances if a draw counts as a win, or else as a loss.
    pub const fn with_odds(self, is_won: bool) -> Self {
        let Self { win, draw, loss } = self;
        if is_won {
            Self { win: win + draw, draw: 0, loss }
        } else {
            Self { win, draw: 0, loss: loss + draw }
        }
    }
}

/// Returns the material relative to a typical middlegame, clamped to the range that the model was fitted to.
pub fn material_share(board: &Board) -> f64 {
    let material: i32 =
        PieceKind::ALL.iter().map(|&kind| MATERIAL[kind] * board.by_kind(kind).count() as i32).sum();
    f64::from(material.clamp(MATERIAL_RANGE.0, MATERIAL_RANGE.1)) / TYPICAL_MATERIAL
}

/// Returns location and scale of the logistic curve, which depend on the material.
fn logistic_parameters(board: &Board) -> (f64, f64) {
    let share = material_share(board);
    (LOCATION[0] + LOCATION[1] * share + LOCATION[2] * share * share, SCALE[0] + SCALE[1] * share)
}

/// Returns the normalised score for reports: 100 is an even chance of winning on any `board`. Mates and tablebase wins
/// are unchanged.
///
/// ```
/// use enroque::chess::Board;
/// use enroque::search::wdl::{normalized, win_draw_loss};
///
/// let board = Board::startpos();
/// let chances = win_draw_loss(40, &board);
/// assert_eq!(chances.win + chances.draw + chances.loss, 1000);
/// assert!(normalized(40, &board) < 100 && chances.win < 500);
/// ```
pub fn normalized(score: Score, board: &Board) -> Score {
    if is_decisive(score) {
        return score;
    }
    let normalized = (100.0 * f64::from(score) / logistic_parameters(board).0).round() as Score;
    normalized.clamp(1 - DECISIVE_RANGE, DECISIVE_RANGE - 1)
}

/// Returns the raw score that [`normalized`] turns into `centipawns` on `board`, before rounding.
pub fn denormalized(centipawns: Score, board: &Board) -> f64 {
    f64::from(centipawns) * logistic_parameters(board).0 / 100.0
}

pub fn win_draw_loss(score: Score, board: &Board) -> WinDrawLoss {
    if is_decisive(score) {
        let (win, loss) = if score > 0 { (1000, 0) } else { (0, 1000) };
        return WinDrawLoss { win, draw: 0, loss };
    }
    let (location, scale) = logistic_parameters(board);
    let win_chance = |score: f64| (1000.0 / (1.0 + ((location - score) / scale).exp())).round() as u32;
    let (win, loss) = (win_chance(f64::from(score)), win_chance(f64::from(-score)));
    WinDrawLoss { win, draw: 1000_u32.saturating_sub(win + loss), loss }
}

#[cfg(test)]
mod tests {
    use super::super::score::mate_in;
    use super::*;

    #[test]
    fn normalized_100_is_even_chance() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
            "4k3/pppp4/8/8/8/8/PPPP4/R3K2R w - - 0 1",
        ] {
            let board: Board = fen.parse().unwrap();
            for score in -4000..4000 {
                let win = win_draw_loss(score, &board).win;
                let shown = normalized(score, &board);
                assert_eq!(shown, -normalized(-score, &board));
                let error = denormalized(shown, &board) - f64::from(score);
                assert!(
                    error.abs() <= logistic_parameters(&board).0 / 200.0 + 1e-6,
                    "{fen} {score}: {error}"
                );
                if shown == 100 {
                    assert!(win.abs_diff(500) <= 6, "{fen} {score}: {win}");
                }
                assert!(shown <= normalized(score + 1, &board) && !is_decisive(shown));
            }
            assert_eq!(normalized(mate_in(4), &board), mate_in(4));
        }
    }

    #[test]
    fn win_chance_grows_with_score() {
        let board = Board::startpos();
        let mut last = 0;
        for score in -2000..2000 {
            let WinDrawLoss { win, draw, loss } = win_draw_loss(score, &board);
            assert_eq!(win + draw + loss, 1000);
            assert!(win >= last);
            last = win;
            let mirrored = win_draw_loss(-score, &board);
            assert_eq!((mirrored.win, mirrored.loss), (loss, win));
        }
        assert!(last > 990);
        assert_eq!(win_draw_loss(mate_in(3), &board), WinDrawLoss { win: 1000, draw: 0, loss: 0 });
    }
}
