//! `eval`: the static evaluation of a position, and what each piece contributes.

use crate::chess::notation::diagram;
use crate::chess::{Board, Color, File, Rank, Square};
use crate::nnue::Network;
use crate::search::evaluation::evaluate;

/// Formats the board, the contribution of each piece and the static evaluation, in pawns from White's side. A piece's
/// contribution is the evaluation minus the evaluation without that piece.
pub fn table(board: &Board, network: &Network) -> String {
    let total = white_eval(board, network);
    let mut lines = vec![diagram(board), String::new(), "Contribution of each piece, in pawns:".to_owned()];
    for rank in Rank::ALL.into_iter().rev() {
        let cells = File::ALL.into_iter().map(|file| {
            let square = Square::new(file, rank);
            let Some(piece) = board.piece_on(square) else { return "      .".to_owned() };
            match board.without(square) {
                Some(without) => {
                    format!("{} {:>+5.2}", piece.letter(), pawns(total - white_eval(&without, network)))
                }
                None => format!("{}      ", piece.letter()),
            }
        });
        lines.push(cells.collect::<Vec<_>>().join(" ").trim_end().to_owned());
    }
    lines.push(String::new());
    if board.has_insufficient_material() {
        lines.push("Static evaluation: 0.00 (draw by insufficient material)".to_owned());
    } else {
        lines.push(format!("Static evaluation: {:+.2} (White's side)", pawns(total)));
    }
    lines.join("\n")
}

fn white_eval(board: &Board, network: &Network) -> i32 {
    let value = evaluate(network, board);
    if board.side_to_move() == Color::White { value } else { -value }
}

fn pawns(centipawns: i32) -> f64 {
    f64::from(centipawns) / 100.0
}
