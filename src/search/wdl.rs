//! The win-draw-loss model: from a score to the chances of winning, drawing and losing.

use super::score::{DECISIVE_RANGE, Score, is_decisive};
use crate::chess::{Board, PieceKind};

/// Material that the model tells apart: less or more than this count as this.
const MATERIAL_RANGE: (i32, i32) = (17, 78);
/// Material of each kind, as the model counts it.
const MATERIAL: [i32; 6] = [1, 3, 3, 5, 9, 0];
/// Material at which the model is centred.
const TYPICAL_MATERIAL: f64 = 58.0;

/// The score with an even chance to win is `a`, and `b` is how far the chance spreads around it, centipawns: each
/// coefficients of the powers of material / [`TYPICAL_MATERIAL`]. Fitted by `scripts/fit_wdl.py` to 160 games of G6
/// against itself at 60,000 nodes a move, 70 % double Chess960, 21,042 positions.
const A: [f64; 3] = [445.5, -534.3, 200.4];
/// See [`A`].
const B: [f64; 2] = [78.0, 1.4];

/// WinDrawLoss in thousandths for the side to move; together always 1000.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WinDrawLoss {
    pub win: u32,
    pub draw: u32,
    pub loss: u32,
}

/// `a` and `b` of the model for the material on `board`.
fn model(board: &Board) -> (f64, f64) {
    let material: i32 =
        PieceKind::ALL.iter().map(|&kind| MATERIAL[kind.index()] * board.by_kind(kind).count() as i32).sum();
    let share = f64::from(material.clamp(MATERIAL_RANGE.0, MATERIAL_RANGE.1)) / TYPICAL_MATERIAL;
    (A[0] + A[1] * share + A[2] * share * share, B[0] + B[1] * share)
}

/// The score as it is shown: 100 is an even chance to win among equals, on any `board`. Mates and what tablebases say stay.
pub fn normalized(score: Score, board: &Board) -> Score {
    if is_decisive(score) {
        return score;
    }
    let shown = (100.0 * f64::from(score) / model(board).0).round() as Score;
    shown.clamp(1 - DECISIVE_RANGE, DECISIVE_RANGE - 1)
}

/// The chances that a score gives the side to move on `board`.
pub fn win_draw_loss(score: Score, board: &Board) -> WinDrawLoss {
    if is_decisive(score) {
        let (win, loss) = if score > 0 { (1000, 0) } else { (0, 1000) };
        return WinDrawLoss { win, draw: 0, loss };
    }
    let (a, b) = model(board);
    let chance = |score: f64| (1000.0 / (1.0 + ((a - score) / b).exp())).round() as u32;
    let (win, loss) = (chance(f64::from(score)), chance(f64::from(-score)));
    WinDrawLoss { win, draw: 1000_u32.saturating_sub(win + loss), loss }
}

#[cfg(test)]
mod tests {
    use super::super::score::mate_in;
    use super::*;

    #[test]
    fn a_shown_score_of_100_is_an_even_chance_to_win() {
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
                if shown == 100 {
                    assert!(win.abs_diff(500) <= 6, "{fen} {score}: {win}");
                }
                assert!(shown <= normalized(score + 1, &board) && !is_decisive(shown));
            }
            assert_eq!(normalized(mate_in(4), &board), mate_in(4));
        }
    }

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
