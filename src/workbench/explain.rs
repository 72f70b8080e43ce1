//! `enroque explain`: the castlings of a position, what each asks for, and why it cannot be played now.

use std::fmt::Write as _;

use thiserror::Error;

use super::position::{self, PositionError};
use crate::chess::castling::CastlingPath;
use crate::chess::movegen::attacks::rook_attacks;
use crate::chess::{
    Bitboard, Board, CastlingRules, CastlingSide, Color, FenStyle, Move, MoveKind, PieceKind, Square,
    startpos,
};
use crate::console::board::diagram;
use crate::console::say;

/// Say which castlings a position has, what each needs, and why it cannot be played now
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  enroque explain sp:334
  enroque explain 'rk2r3/8/8/8/8/8/8/R3K1R1 w GAea - 0 1'
  enroque explain '4k3/8/8/8/8/8/8/rR2K1N1 w Q - 0 1'     castling would uncover a check")]
pub struct Arguments {
    /// A FEN in any dialect, startpos, sp:NUMBER or dfrc:WHITE:BLACK
    position: String,
    /// How castling is laid out: fischer, nearest, orthodox480, none
    #[arg(long, default_value = "fischer", value_parser = super::castling_rules)]
    castling: CastlingRules,
}

/// Why nothing can be explained.
#[derive(Debug, Error)]
pub enum ExplainError {
    /// No position.
    #[error(transparent)]
    Position(#[from] PositionError),
}

/// Something that keeps a castling from being played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// It is the other side's move.
    NotToMove,
    /// The king is in check, from this square.
    InCheck(Square),
    /// A man stands where none may.
    Blocked(Square),
    /// The king would pass or reach the first square, which the man on the second attacks.
    Attacked(Square, Square),
    /// Without the rook the king would be in check from this square.
    Uncovered(Square),
}

/// What keeps `color` from castling along `path` now, in the order in which a person would check it.
pub fn obstacles(board: &Board, color: Color, path: &CastlingPath) -> Vec<Obstacle> {
    let mut found = Vec::new();
    if board.side_to_move() != color {
        found.push(Obstacle::NotToMove);
    }
    let occupied = board.occupied();
    let attackers = |square| board.attackers_to(square, occupied) & board.colored(!color);
    found.extend(attackers(path.king_from).map(Obstacle::InCheck));
    found.extend((path.must_be_empty & occupied).map(Obstacle::Blocked));
    // Through the king itself nothing is attacked that the check would not name.
    for square in path.must_be_safe {
        found.extend(attackers(square).map(|attacker| Obstacle::Attacked(square, attacker)));
    }
    let lifted = occupied & !(Bitboard::of(path.king_from) | Bitboard::of(path.rook_from));
    let after = lifted | Bitboard::of(path.king_to) | Bitboard::of(path.rook_to);
    let straight = (board.kind(PieceKind::Rook) | board.kind(PieceKind::Queen)) & board.colored(!color);
    let uncovered = rook_attacks(path.king_to, after) & straight & Bitboard::rank(path.king_to.rank());
    // In check the slider may shine through where the king stood, and the check was named.
    if attackers(path.king_from).is_empty() {
        found.extend((uncovered & !attackers(path.king_to)).map(Obstacle::Uncovered));
    }
    found
}

/// Runs the command.
///
/// # Errors
/// When the argument names no position.
pub fn run(arguments: &Arguments) -> Result<(), ExplainError> {
    let board = position::parse(&arguments.position, arguments.castling)?;
    say(&explanation(&board));
    Ok(())
}

/// The whole text.
pub fn explanation(board: &Board) -> String {
    let mut text = diagram(board);
    let _ = writeln!(text, "\n\nX-FEN     {}", board.fen(FenStyle::XFen));
    let _ = writeln!(text, "Shredder  {}", board.fen(FenStyle::Shredder));
    if let Some((white, black)) = startpos::identify(board) {
        let _ = writeln!(text, "Number    {}", startpos::name_of(white, black));
    }
    for color in Color::ALL {
        for side in CastlingSide::ALL.into_iter().rev() {
            text.push('\n');
            text.push_str(&explain_one(board, color, side));
        }
    }
    text.trim_end().to_owned()
}

fn explain_one(board: &Board, color: Color, side: CastlingSide) -> String {
    let name = format!("{} {}", color_name(color), ["O-O-O", "O-O"][side as usize]);
    let Some(path) = board.castling(color, side) else {
        return format!("{name}: no right to it.\n");
    };
    let found = obstacles(board, color, path);
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
    let names: Vec<String> = set.map(|square| square.to_string()).collect();
    if names.is_empty() { "no square".to_owned() } else { names.join(" ") }
}

fn reason(board: &Board, color: Color, obstacle: Obstacle, path: &CastlingPath) -> String {
    let man = |square: Square| {
        let kind = board.piece_on(square).map_or("man", |piece| piece.kind().name());
        format!("{kind} on {square}")
    };
    match obstacle {
        Obstacle::NotToMove => format!("It is {}'s move.", color_name(!color)),
        Obstacle::InCheck(from) => format!("The king is in check from the {}.", man(from)),
        Obstacle::Blocked(square) => {
            let owner = board.piece_on(square).map_or(color, |piece| piece.color());
            format!("{}'s {} is in the way.", color_name(owner), man(square))
        }
        Obstacle::Attacked(square, from) if square == path.king_to => {
            format!("The king would land on {square}, which the {} attacks.", man(from))
        }
        Obstacle::Attacked(square, from) => {
            format!("The king would pass {square}, which the {} attacks.", man(from))
        }
        Obstacle::Uncovered(from) => format!(
            "With the rook gone from {}, the {} would give check on {}.",
            path.rook_from,
            man(from),
            path.king_to
        ),
    }
}

fn color_name(color: Color) -> &'static str {
    ["White", "Black"][color.index()]
}
