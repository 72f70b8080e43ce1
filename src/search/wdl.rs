//! The win-draw-loss model: from a score to the chances of winning, drawing and losing.

use super::score::{Score, is_decisive};
use crate::chess::{Board, PieceKind};

/// Material that the model tells apart: less or more than this count as this.
const MATERIAL_RANGE: (i32, i32) = (17, 78);
/// Material of each kind, as the model counts it.
const MATERIAL: [i32; 6] = [1, 3, 3, 5, 9, 0];
/// Material at which the model is centred.
const TYPICAL_MATERIAL: f64 = 58.0;

/// The score with an even chance to win is `a`, and `b` is how far the chance spreads around it, centipawns: each
/// a constant and a slope in material / [`TYPICAL_MATERIAL`]. Fitted by `scripts/fit_wdl.py` to 300 games, double
/// Chess960 and orthodox: G3 against G2 at 2+0.02 and against itself at 20,000 nodes a move; 36,972 positions.
const A: (f64, f64) = (250.2, -153.8);
/// See [`A`].
const B: (f64, f64) = (90.9, -20.0);

/// WinDrawLoss in thousandths for the side to move; together always 1000.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WinDrawLoss {
    pub win: u32,
    pub draw: u32,
    pub loss: u32,
}

/// The chances that a score gives the side to move on `board`.
pub fn win_draw_loss(score: Score, board: &Board) -> WinDrawLoss {
    if is_decisive(score) {
        let (win, loss) = if score > 0 { (1000, 0) } else { (0, 1000) };
        return WinDrawLoss { win, draw: 0, loss };
    }
    let material: i32 =
        PieceKind::ALL.iter().map(|&kind| MATERIAL[kind.index()] * board.kind(kind).count() as i32).sum();
    let share = f64::from(material.clamp(MATERIAL_RANGE.0, MATERIAL_RANGE.1)) / TYPICAL_MATERIAL;
    let (a, b) = (A.0 + A.1 * share, B.0 + B.1 * share);
    let chance = |score: f64| (1000.0 / (1.0 + ((a - score) / b).exp())).round() as u32;
    let (win, loss) = (chance(f64::from(score)), chance(f64::from(-score)));
    WinDrawLoss { win, draw: 1000_u32.saturating_sub(win + loss), loss }
}

#[cfg(test)]
mod tests {
    use super::super::score::mate_in;
    use super::*;

    #[test]
    fn chances_add_up_and_grow_with_the_score() {
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
