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
    let (value, note) = if board.has_insufficient_material() {
        ("0.00".to_owned(), "draw by insufficient material")
    } else {
        (format!("{:+.2}", pawns(total)), "White's side")
    };
    lines.push(String::new());
    lines.push(format!("Static evaluation: {value} ({note})"));
    // The package `stockfish` of PyPI takes the third word of this line, and then reads one more line.
    lines.push(format!("Final evaluation {value} ({note})\n"));
    lines.join("\n")
}

fn white_eval(board: &Board, network: &Network) -> i32 {
    let value = evaluate(network, board);
    if board.side_to_move() == Color::White { value } else { -value }
}

fn pawns(centipawns: i32) -> f64 {
    f64::from(centipawns) / 100.0
}
