//! `enroque-tools explain`: lists the castling rights in a position, which castlings are legal, and why others aren't.

use std::fmt::Write as _;

use anyhow::Result;

use crate::text;
use enroque::chess::notation::Fen;
use enroque::chess::notation::diagram;
use enroque::chess::startpos::StartNumbers;
use enroque::chess::{CastlingRules, CastlingSide, Color, FenStyle, position};
use enroque_runs::wrap;
use enroque_study::castling::castling;

/// Explain the castlings of a position: conditions, steps, obstacles
#[derive(clap::Args, Debug)]
#[command(after_help = "\
The steps by hand follow the FIDE guidelines for Chess960. The command also reports castling rights that the FEN claims \
but that the position cannot have.

Examples:
  enroque-tools explain sp:334
  enroque-tools explain 'rk2r3/8/8/8/8/8/8/R3K1R1 w GAea - 0 1'
  enroque-tools explain '4k3/8/8/8/8/8/8/rR2K1N1 w Q - 0 1'   uncovers a check")]
pub struct Arguments {
    /// Position: a FEN in any dialect, startpos, sp:NUMBER, dfrc:WHITE:BLACK, SET:NUMBER, or a back rank in letters
    position: String,
    /// Castling rules; a set of start positions with other rules overrides fischer
    #[arg(long, default_value = "fischer", value_parser = text::castling_rules())]
    castling: CastlingRules,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let Fen { board, false_rights } = position::parse_fen(&arguments.position, arguments.castling)?;
    let mut text = format!("{}\n\nFEN       {}\n", diagram(&board), board.fen(FenStyle::XFen));
    if let Some(numbers) = StartNumbers::of(&board) {
        let _ = writeln!(text, "Number    {}", numbers.name());
    }
    for color in Color::ALL {
        for side in CastlingSide::ALL.into_iter().rev() {
            let _ = write!(text, "\n{}", castling(&board, color, side));
        }
    }
    for claim in false_rights {
        let _ = writeln!(text, "{claim}");
    }
    Ok(wrap::print(text.trim_end())?)
}
