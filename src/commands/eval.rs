//! `enroque eval`: the static evaluation of a position, and what each piece adds to it.

use crate::chess::square::{File, Rank};
use crate::chess::{Board, Color, Square};
use crate::nnue::Network;
use crate::search::evaluation::evaluate;
use crate::terminal::board::diagram;

/// The board, what the evaluation loses without each piece, and the evaluation, all seen from White, in pawns.
pub fn table(board: &Board, network: &Network) -> String {
    let whole = for_white(board, network);
    let mut lines = vec![diagram(board), String::new(), "What each piece adds, in pawns:".to_owned()];
    for rank in Rank::ALL.into_iter().rev() {
        let cells = File::ALL.into_iter().map(|file| {
            let square = Square::new(file, rank);
            let Some(piece) = board.piece_on(square) else { return "      .".to_owned() };
            match board.without(square) {
                Some(rest) => {
                    format!("{} {:>+5.2}", piece.letter(), pawns(whole - for_white(&rest, network)))
                }
                None => format!("{}      ", piece.letter()),
            }
        });
        lines.push(cells.collect::<Vec<_>>().join(" ").trim_end().to_owned());
    }
    lines.push(String::new());
    if board.has_insufficient_material() {
        lines.push("Static evaluation: 0.00, a dead draw: nobody has what it takes to mate".to_owned());
    } else {
        lines.push(format!("Static evaluation: {:+.2} (White's side)", pawns(whole)));
    }
    lines.join("\n")
}

fn for_white(board: &Board, network: &Network) -> i32 {
    let value = evaluate(network, board);
    if board.side_to_move() == Color::White { value } else { -value }
}

fn pawns(centipawns: i32) -> f64 {
    f64::from(centipawns) / 100.0
}
