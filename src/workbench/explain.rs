//! `enroque explain`: the castlings of a position, what each asks for, and why it cannot be played now.

use std::fmt::Write as _;

use thiserror::Error;

use super::position::{self, PositionError};
use crate::chess::castling::CastlingPath;
use crate::chess::movegen::obstacles::CastlingObstacle;
use crate::chess::square::{File, Rank};
use crate::chess::{
    Bitboard, Board, CastlingRules, CastlingSide, Color, FenStyle, Move, MoveKind, PieceKind, Square,
    startpos,
};
use crate::terminal::board::diagram;
use crate::terminal::{OutputError, print_line};

/// Say which castlings a position has, what each needs, and why it cannot be played now
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  enroque explain sp:334
  enroque explain 'rk2r3/8/8/8/8/8/8/R3K1R1 w GAea - 0 1'
  enroque explain '4k3/8/8/8/8/8/8/rR2K1N1 w Q - 0 1'     castling would uncover a check")]
pub struct Arguments {
    /// A FEN in any dialect, startpos, sp:NUMBER, dfrc:WHITE:BLACK, SET:NUMBER, or a back rank in letters
    position: String,
    /// How castling is laid out
    #[arg(long, default_value = "fischer", value_parser = super::castling_rules())]
    castling: CastlingRules,
}

/// Why nothing can be explained.
#[derive(Debug, Error)]
pub enum ExplainError {
    /// No position.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// Standard output.
    #[error(transparent)]
    Output(#[from] OutputError),
}

/// Runs the command.
///
/// # Errors
/// When the argument names no position.
pub fn run(arguments: &Arguments) -> Result<(), ExplainError> {
    let board = position::parse(&arguments.position, arguments.castling)?;
    let mut text = explanation(&board);
    let claims = arguments
        .position
        .split_whitespace()
        .nth(2)
        .map_or_else(Vec::new, |field| void_claims(&board, field));
    for claim in claims {
        let _ = write!(text, "\n{claim}");
    }
    Ok(print_line(&text)?)
}

/// The rights that the castling field of a FEN claims and the position cannot have, or no game could, each with the reason.
pub fn void_claims(board: &Board, field: &str) -> Vec<String> {
    let letters = field.chars().filter(char::is_ascii_alphabetic);
    letters
        .filter_map(|letter| Some(format!("The FEN claims '{letter}': {}", why_void(board, letter)?)))
        .collect()
}

/// Why a letter of a castling field stands for no right, or for an odd one; `None` when all is well.
fn why_void(board: &Board, letter: char) -> Option<String> {
    let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
    let name = color_name(color);
    let rules = board.castling_geometry().rules();
    let king = board.king(color);
    let home = Rank::First.relative_to(color);
    let right = |side| board.castling(color, side);
    let side = match letter.to_ascii_lowercase() {
        'k' => Some(CastlingSide::H),
        'q' => Some(CastlingSide::A),
        _ => None,
    };
    let rook = match side {
        Some(_) => None,
        None => Some(Square::new(File::from_letter(letter.to_ascii_lowercase())?, home)),
    };
    let stands = CastlingSide::ALL.into_iter().any(|each| match (side, rook) {
        (Some(side), _) => side == each && right(each).is_some(),
        (None, rook) => right(each).is_some_and(|path| Some(path.rook_from) == rook),
    });
    if stands {
        let is_odd = rules == CastlingRules::Fischer && matches!(king.file(), File::A | File::H);
        let remark = format!("taken as it stands, though no Chess960 game begins with the king on {king}.");
        return is_odd.then_some(remark);
    }
    let is_rook = |square: Square| {
        board.piece_on(square).is_some_and(|piece| piece.color() == color && piece.kind() == PieceKind::Rook)
    };
    Some(if rules == CastlingRules::None {
        "there is no castling by these rules.".to_owned()
    } else if king.rank() != home {
        format!("{name}'s king has left its back rank, it stands on {king}.")
    } else if let Some(square) = rook.filter(|&square| !is_rook(square)) {
        format!("no rook of {name}'s stands on {square}.")
    } else if let Some(square) = rook {
        let side = if square < king { CastlingSide::A } else { CastlingSide::H };
        match right(side) {
            Some(path) => format!("the right to that side is that of the rook on {}.", path.rook_from),
            None => format!("king and rook cannot have begun the game on {king} and {square}."),
        }
    } else {
        let way = if side == Some(CastlingSide::H) { "h" } else { "a" };
        format!("no rook of {name}'s stands on its back rank between the king on {king} and the {way}-file.")
    })
}

/// The whole text.
pub fn explanation(board: &Board) -> String {
    let mut text = diagram(board);
    let _ = writeln!(text, "\n\nX-FEN     {}", board.fen(FenStyle::XFen));
    let _ = writeln!(text, "Shredder  {}", board.fen(FenStyle::Shredder));
    if let Some((white, black)) = startpos::start_numbers(board) {
        let _ = writeln!(text, "Number    {}", startpos::name_of(white, black));
    }
    for color in Color::ALL {
        for side in CastlingSide::ALL.into_iter().rev() {
            text.push('\n');
            text.push_str(&castling(board, color, side));
        }
    }
    text.trim_end().to_owned()
}

/// What a castling of `color` asks for, and what keeps it from being played now.
pub fn castling(board: &Board, color: Color, side: CastlingSide) -> String {
    let name = format!("{} {}", color_name(color), ["O-O-O", "O-O"][side as usize]);
    let Some(path) = board.castling(color, side) else {
        return format!("{name}: no right to it.\n");
    };
    let found = board.castling_obstacles(color, path);
    let verdict = if found.is_empty() { "can be played" } else { "cannot be played now" };
    let code = board.format_move(
        Move::new(path.king_from, path.rook_from, MoveKind::Castle),
        crate::chess::CastlingNotation::KingTakesRook,
    );
    let mut text = format!("{name} ({code}): {verdict}.\n");
    let _ = writeln!(text, "  king  {}", way(path.king_from, path.king_to));
    let _ = writeln!(text, "  rook  {}", way(path.rook_from, path.rook_to));
    let _ = writeln!(text, "  must be empty         {}", squares(path.must_be_empty));
    let safe = path.must_be_safe | Bitboard::of(path.king_from);
    let _ = writeln!(text, "  must not be attacked  {}", squares(safe));
    for obstacle in found {
        let _ = writeln!(text, "  - {}", reason(board, color, obstacle, path));
    }
    text
}

fn way(from: Square, to: Square) -> String {
    if from == to { format!("stays on {from}") } else { format!("{from} to {to}") }
}

fn squares(set: Bitboard) -> String {
    let names: Vec<String> = set.into_iter().map(|square| square.to_string()).collect();
    if names.is_empty() { "no square".to_owned() } else { names.join(" ") }
}

fn reason(board: &Board, color: Color, obstacle: CastlingObstacle, path: &CastlingPath) -> String {
    let piece = |square: Square| {
        let kind = board.piece_on(square).map_or("man", |piece| piece.kind().name());
        format!("{kind} on {square}")
    };
    match obstacle {
        CastlingObstacle::NotToMove => format!("It is {}'s move.", color_name(!color)),
        CastlingObstacle::InCheck(from) => format!("The king is in check from the {}.", piece(from)),
        CastlingObstacle::Blocked(square) => {
            let owner = board.piece_on(square).map_or(color, |piece| piece.color());
            format!("{}'s {} is in the way.", color_name(owner), piece(square))
        }
        CastlingObstacle::Attacked(square, from) if square == path.king_to => {
            format!("The king would land on {square}, which the {} attacks.", piece(from))
        }
        CastlingObstacle::Attacked(square, from) => {
            format!("The king would pass {square}, which the {} attacks.", piece(from))
        }
        CastlingObstacle::Uncovered(from) => format!(
            "With the rook gone from {}, the {} would give check on {}.",
            path.rook_from,
            piece(from),
            path.king_to
        ),
    }
}

/// `White` or `Black`.
pub fn color_name(color: Color) -> &'static str {
    ["White", "Black"][color.index()]
}
