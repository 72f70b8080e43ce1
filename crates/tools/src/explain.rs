//! `enroque-tools explain`: the castling rights of a position, their conditions, and the obstacles to each castling.

use std::fmt::Write as _;

use anyhow::Result;

use enroque::chess::notation::false_rights;
use enroque::chess::{Board, CastlingRules, CastlingSide, Color, FenStyle, position, startpos};
use enroque::terminal::diagram;
use enroque::terminal::print_line;
use enroque_study::castling::castling;

/// Show the castling rights of a position, the conditions of each castling, and the reasons why it cannot be played now
#[derive(clap::Args, Debug)]
#[command(after_help = "\
The steps by hand are those of the FIDE guidelines for Chess960. A castling right that the FEN claims and the position cannot \
have is reported.

Examples:
  enroque-tools explain sp:334
  enroque-tools explain 'rk2r3/8/8/8/8/8/8/R3K1R1 w GAea - 0 1'
  enroque-tools explain '4k3/8/8/8/8/8/8/rR2K1N1 w Q - 0 1'   would uncover a check")]
pub struct Arguments {
    /// A FEN in any dialect, startpos, sp:NUMBER, dfrc:WHITE:BLACK, SET:NUMBER, or a back rank in letters
    position: String,
    /// Castling rules
    #[arg(long, default_value = "fischer", value_parser = super::castling_rules())]
    castling: CastlingRules,
}

/// Runs the command.
///
/// # Errors
/// Returns an error if the argument names no position or standard output cannot be written.
pub fn run(arguments: &Arguments) -> Result<()> {
    let board = position::parse(&arguments.position, arguments.castling)?;
    let mut text = format!("{}\n\n{}\n", diagram(&board), fens(&board));
    if let Some((white, black)) = startpos::start_numbers(&board) {
        let _ = writeln!(text, "Number    {}", startpos::name_of(white, black));
    }
    for color in Color::ALL {
        for side in CastlingSide::ALL.into_iter().rev() {
            let _ = write!(text, "\n{}", castling(&board, color, side));
        }
    }
    for claim in false_rights(&board, &arguments.position) {
        let _ = writeln!(text, "{claim}");
    }
    Ok(print_line(text.trim_end())?)
}

/// Returns the position as X-FEN and Shredder-FEN on two lines, or in the notation of Chess2880.
pub fn fens(board: &Board) -> String {
    let [x, shredder] = [FenStyle::XFen, FenStyle::Shredder].map(|style| board.fen(style));
    if board.castling_geometry().rules() == CastlingRules::NearestRook {
        return format!("FEN       {x}");
    }
    format!("X-FEN     {x}\nShredder  {shredder}")
}
