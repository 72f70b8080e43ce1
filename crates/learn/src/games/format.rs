//! Self-play games in viriformat, a binary format that other trainers read too.
//!
//! A game consists of:
//!
//! - 32 bytes for the start position: occupancy as a little-endian `u64`; sixteen bytes of four-bit piece codes from a1
//!   on, in which a rook that may castle has its own code; side to move and en passant square; halfmove clock; fullmove
//!   number as `u16`; a score as `i16`, for which we write 0; the result; a spare byte;
//! - four bytes for each ply: the move and the score for White ([`NO_SCORE`] if there is none), 16 bits each;
//! - four zero bytes, which mark the end.

use std::io::{self, ErrorKind, Read, Write};

use anyhow::{Context, Result, bail};

use enroque::chess::board::BoardBuilder;
use enroque::chess::{
    Bitboard, Board, CastlingRules, CastlingSide, Color, Move, MoveKind, Piece, PieceKind, Square,
};

/// Result from White's point of view. The discriminants are the codes in the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum GameResult {
    Loss = 0,
    Draw = 1,
    Win = 2,
}

impl GameResult {
    /// Returns the result of a game that `winner` won; `None` means a draw.
    pub fn of_winner(winner: Option<Color>) -> Self {
        match winner {
            Some(Color::White) => Self::Win,
            Some(Color::Black) => Self::Loss,
            None => Self::Draw,
        }
    }

    /// White's points: 0, ½ or 1.
    pub fn points(self) -> f32 {
        f32::from(self as u8) / 2.0
    }

    pub fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }

    pub fn from_byte(byte: u8) -> Option<Self> {
        [Self::Loss, Self::Draw, Self::Win].into_iter().find(|result| *result as u8 == byte)
    }
}

/// A move, with the score of the search that chose it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ply {
    pub mv: Move,
    /// Centipawns for White, a mate score as in [`enroque::search::score`], or [`NO_SCORE`].
    pub score: i16,
}

/// Stands for the score of a ply that a fast search chose, and on which we don't train (`datagen --fast-nodes`). No real
/// score is so low.
pub const NO_SCORE: i16 = i16::MIN;

#[derive(Clone, Debug)]
pub struct Game {
    /// The position after the random opening moves, where the engine takes over.
    pub start: Board,
    pub plies: Vec<Ply>,
    pub result: GameResult,
}

const START_SIZE: usize = 32;
const PLY_SIZE: usize = 4;
/// The piece code of a rook that may still castle.
const CASTLING_ROOK: u8 = 6;
const BLACK_BIT: u8 = 8;
const NO_SQUARE: u8 = 64;
const BLACK_TO_MOVE: u8 = 128;

mod at {
    pub const PIECES: usize = 8;
    pub const SIDE: usize = 24;
    pub const HALFMOVES: usize = 25;
    pub const FULLMOVES: usize = 26;
    pub const RESULT: usize = 30;
}

/// Flags in the top two bits of a move code.
mod flag {
    pub const EN_PASSANT: u16 = 1 << 14;
    pub const CASTLE: u16 = 2 << 14;
    pub const PROMOTION: u16 = 3 << 14;
    pub const MASK: u16 = 3 << 14;
}

impl Game {
    /// How many bytes [`Self::write`] writes.
    pub fn size(&self) -> usize {
        START_SIZE + (self.plies.len() + 1) * PLY_SIZE
    }

    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&pack(&self.start, self.result))?;
        for ply in &self.plies {
            out.write_all(&move_code(ply.mv).to_le_bytes())?;
            out.write_all(&ply.score.to_le_bytes())?;
        }
        out.write_all(&[0; PLY_SIZE])
    }

    /// Reads a game and checks that its moves are legal. Returns `None` at the end of the input.
    pub fn read(input: &mut impl Read) -> Result<Option<Self>> {
        const CUT_OFF: &str = "the game is cut off";
        let mut first = [0; START_SIZE];
        if !fill(input, &mut first, CUT_OFF)? {
            return Ok(None);
        }
        let (start, result) = unpack(&first)?;
        let mut board = start.clone();
        let mut plies = Vec::new();
        loop {
            let mut bytes = [0; PLY_SIZE];
            if !fill(input, &mut bytes, CUT_OFF)? {
                bail!(CUT_OFF);
            }
            if bytes == [0; PLY_SIZE] {
                return Ok(Some(Self { start, plies, result }));
            }
            let code = u16::from_le_bytes([bytes[0], bytes[1]]);
            let mv = move_of_code(code, &board).filter(|&mv| board.is_legal(mv));
            let ply = plies.len() + 1;
            let mv = mv.with_context(|| format!("ply {ply}: move code {code:#06x} is not legal"))?;
            plies.push(Ply { mv, score: i16::from_le_bytes([bytes[2], bytes[3]]) });
            board.make_move(mv);
        }
    }

    /// Calls `visit` with each position in which a move was played, and with that move and its score.
    pub fn replay(&self, mut visit: impl FnMut(&Board, Ply)) {
        let mut board = self.start.clone();
        for &ply in &self.plies {
            visit(&board, ply);
            board.make_move(ply.mv);
        }
    }
}

/// Fills `bytes`, or returns `false` if the input is at its end. If it ends partway, the error message is `cut_off`.
pub fn fill(input: &mut impl Read, bytes: &mut [u8], cut_off: &'static str) -> io::Result<bool> {
    let mut filled = 0;
    while filled < bytes.len() {
        match input.read(&mut bytes[filled..]) {
            Ok(0) if filled == 0 => return Ok(false),
            Ok(0) => return Err(io::Error::new(ErrorKind::UnexpectedEof, cut_off)),
            Ok(count) => filled += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(true)
}

/// Returns how many plies have been played, going by the fullmove number.
pub fn ply_of(board: &Board) -> usize {
    2 * (board.fullmove_number() as usize - 1) + board.side_to_move().index()
}

fn pack(board: &Board, result: GameResult) -> [u8; START_SIZE] {
    let mut bytes = [0; START_SIZE];
    bytes[..at::PIECES].copy_from_slice(&board.occupied().0.to_le_bytes());
    for (index, (piece, square)) in board.placement().enumerate() {
        let castles = CastlingSide::ALL
            .into_iter()
            .filter_map(|side| board.castling(piece.color(), side))
            .any(|path| path.rook_from == square);
        let kind = if castles { CASTLING_ROOK } else { piece.kind().index() as u8 };
        let code = kind | if piece.color() == Color::Black { BLACK_BIT } else { 0 };
        bytes[at::PIECES + index / 2] |= code << (index % 2 * 4);
    }
    let side = if board.side_to_move() == Color::Black { BLACK_TO_MOVE } else { 0 };
    bytes[at::SIDE] = side | board.en_passant().map_or(NO_SQUARE, |square| square.index() as u8);
    bytes[at::HALFMOVES] = board.halfmove_clock().min(255) as u8;
    let number = board.fullmove_number().min(u32::from(u16::MAX)) as u16;
    bytes[at::FULLMOVES..at::FULLMOVES + 2].copy_from_slice(&number.to_le_bytes());
    bytes[at::RESULT] = result as u8;
    bytes
}

fn unpack(bytes: &[u8; START_SIZE]) -> Result<(Board, GameResult)> {
    let word = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    let occupied = (0..4).rev().fold(0_u64, |all, part| all << 16 | u64::from(word(2 * part)));
    let side_to_move = if bytes[at::SIDE] & BLACK_TO_MOVE == 0 { Color::White } else { Color::Black };
    let passed = bytes[at::SIDE] & !BLACK_TO_MOVE;
    let mut builder = BoardBuilder::new(CastlingRules::Fischer)
        .side_to_move(side_to_move)
        .en_passant((passed < NO_SQUARE).then(|| Square::from_index(passed.into())))
        .halfmove_clock(bytes[at::HALFMOVES].into())
        .fullmove_number(word(at::FULLMOVES).into());
    let mut castling_rooks = Vec::new();
    for (index, square) in Bitboard(occupied).into_iter().take(2 * (at::SIDE - at::PIECES)).enumerate() {
        let code = bytes[at::PIECES + index / 2] >> (index % 2 * 4) & 15;
        let color = if code & BLACK_BIT == 0 { Color::White } else { Color::Black };
        let kind = match code & !BLACK_BIT {
            CASTLING_ROOK => {
                castling_rooks.push((color, square));
                PieceKind::Rook
            }
            kind => *PieceKind::ALL
                .get(usize::from(kind))
                .with_context(|| format!("expected a piece code below 7, with 8 for black, found {code}"))?,
        };
        builder = builder.piece(square, Piece::new(color, kind));
    }
    for (color, rook) in castling_rooks {
        let is_a_side = builder.king(color).is_some_and(|king| rook < king);
        let side = if is_a_side { CastlingSide::A } else { CastlingSide::H };
        builder = builder.castling(color, side, rook);
    }
    let result = bytes[at::RESULT];
    let result = GameResult::from_byte(result)
        .with_context(|| format!("expected the result 0, 1 or 2, found {result}"))?;
    Ok((builder.build().context("the start is no position")?, result))
}

fn move_code(mv: Move) -> u16 {
    let squares = mv.from().index() as u16 | (mv.to().index() as u16) << 6;
    if mv.is_castle() {
        return squares | flag::CASTLE;
    }
    if mv.is(MoveKind::EnPassant) {
        return squares | flag::EN_PASSANT;
    }
    let promotion = |kind: PieceKind| flag::PROMOTION | (kind.index() as u16 - 1) << 12;
    squares | mv.promotion().map_or(0, promotion)
}

/// Decodes a move code on `board` without checking whether the move is legal; `None` if no move has that code.
fn move_of_code(code: u16, board: &Board) -> Option<Move> {
    let (from, to) = (Square::from_index((code & 63).into()), Square::from_index((code >> 6 & 63).into()));
    if from == to {
        return None;
    }
    let captures = board.piece_on(to).is_some();
    let kind = match code & flag::MASK {
        flag::CASTLE => MoveKind::Castle,
        flag::EN_PASSANT => MoveKind::EnPassant,
        flag::PROMOTION => MoveKind::promotion(PieceKind::ALL[usize::from(code >> 12 & 3) + 1], captures)?,
        _ if captures => MoveKind::Capture,
        _ => {
            let pawn = board.piece_on(from)?.kind() == PieceKind::Pawn;
            let far = from.rank().index().abs_diff(to.rank().index()) == 2;
            if pawn && far { MoveKind::DoublePush } else { MoveKind::Quiet }
        }
    };
    Some(Move::new(from, to, kind))
}
