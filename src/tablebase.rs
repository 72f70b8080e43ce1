//! Syzygy endgame tablebases, over the crate `shakmaty-syzygy`: which files are there, what they say of a
//! position, and how they rank the moves at the root. Never asked while castling is possible.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use shakmaty::{Bitboard, ByColor, ByRole, CastlingMode, Chess, FromSetup, Setup};
use shakmaty_syzygy::{AmbiguousWdl, Tablebase};
use thiserror::Error;

use crate::chess::{Board, Color, Move, PieceKind};

/// The win-draw-loss value of a position: its outcome for the side to move with best play.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Wdl {
    /// Lost.
    Loss,
    /// Lost, were it not for the fifty-move limit.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// Won, were it not for the fifty-move limit.
    CursedWin,
    /// Won.
    Win,
}

impl Wdl {
    /// What it comes to when the fifty-move limit counts, or does not.
    #[must_use]
    pub const fn under(self, fifty_move_rule: bool) -> Self {
        match (self, fifty_move_rule) {
            (Self::BlessedLoss | Self::CursedWin, true) => Self::Draw,
            (Self::BlessedLoss, false) => Self::Loss,
            (Self::CursedWin, false) => Self::Win,
            (other, _) => other,
        }
    }
}

/// Why a tablebase file or folder is not used.
#[derive(Debug, Error)]
pub enum TablebaseError {
    /// The folder cannot be read.
    #[error("{}: {reason}", path.display())]
    Read {
        /// The folder or file.
        path: PathBuf,
        /// What the system said.
        reason: io::Error,
    },
    /// No folder has a table.
    #[error("{folders}: no Syzygy files")]
    Empty { folders: String },
    /// Not a whole Syzygy file.
    #[error("{}: expected a Syzygy file, found {found}", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        found: &'static str,
    },
}

/// The tablebases of some folders.
pub struct Tablebases {
    tables: Tablebase<Chess>,
    files: usize,
}

/// First bytes of the two kinds of file, by extension.
const MAGICS: [(&str, [u8; 4]); 2] = [("rtbw", [0x71, 0xE8, 0x23, 0x5D]), ("rtbz", [0xD7, 0x66, 0x0C, 0xA5])];

impl Tablebases {
    /// Finds the files in folders joined by the system's path separator; files that are not whole are left out and
    /// come back as errors of their own.
    ///
    /// # Errors
    /// When a folder cannot be read or no file can be used.
    pub fn load(folders: &str) -> Result<(Self, Vec<TablebaseError>), TablebaseError> {
        let mut found = Self { tables: Tablebase::new(), files: 0 };
        let mut damaged = Vec::new();
        for folder in std::env::split_paths(folders) {
            let entries =
                fs::read_dir(&folder).map_err(|reason| TablebaseError::Read { path: folder, reason })?;
            for path in entries.flatten().map(|entry| entry.path()) {
                if let Err(error) = found.add(&path) {
                    damaged.push(error);
                }
            }
        }
        match damaged.pop() {
            Some(error) if found.files == 0 => Err(error),
            None if found.files == 0 => Err(TablebaseError::Empty { folders: folders.to_owned() }),
            error => Ok((found, damaged.into_iter().chain(error).collect())),
        }
    }

    fn add(&mut self, path: &Path) -> Result<(), TablebaseError> {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
        let Some((_, magic)) = MAGICS.iter().find(|(kind, _)| *kind == extension) else { return Ok(()) };
        let unreadable = |reason| TablebaseError::Read { path: path.to_owned(), reason };
        check(path, magic)
            .map_err(unreadable)?
            .map_or(Ok(()), |found| Err(TablebaseError::Corrupt { path: path.to_owned(), found }))?;
        self.tables.add_file(path).map_err(unreadable)?;
        self.files += 1;
        Ok(())
    }

    /// Number of files in use.
    pub fn files(&self) -> usize {
        self.files
    }

    /// Most pieces, kings included, of any position in the tables.
    pub fn max_pieces(&self) -> u32 {
        self.tables.max_pieces() as u32
    }

    /// The outcome of a position whose last move was a capture or a pawn's; `None` when no table has it.
    pub fn probe(&self, board: &Board) -> Option<Wdl> {
        Some(match self.tables.probe_wdl_after_zeroing(&position(board)?).ok()? {
            shakmaty_syzygy::Wdl::Loss => Wdl::Loss,
            shakmaty_syzygy::Wdl::BlessedLoss => Wdl::BlessedLoss,
            shakmaty_syzygy::Wdl::Draw => Wdl::Draw,
            shakmaty_syzygy::Wdl::CursedWin => Wdl::CursedWin,
            shakmaty_syzygy::Wdl::Win => Wdl::Win,
        })
    }

    /// The legal moves that keep the best outcome, with it. When `must_progress` only those among winning
    /// moves that lead fastest to the next capture, pawn move or mate.
    pub fn best_moves(
        &self,
        board: &Board,
        fifty_move_rule: bool,
        must_progress: bool,
    ) -> Option<(Wdl, Vec<Move>)> {
        let judge = |&mv: &Move| {
            let mut after = board.clone();
            after.make_move(mv);
            let (wdl, distance) = self.judge(&after)?;
            Some((mv, wdl.under(fifty_move_rule), distance))
        };
        let judged: Vec<_> = board.legal_moves().iter().map(judge).collect::<Option<_>>()?;
        let best = judged.iter().map(|&(_, wdl, _)| wdl).max()?;
        let keeps = judged.iter().filter(|&&(_, wdl, _)| wdl == best);
        let least = keeps.clone().map(|&(_, _, distance)| distance).min()?;
        let is_slow = |distance: i32| best == Wdl::Win && must_progress && distance > least;
        let moves = keeps.filter(|&&(_, _, distance)| !is_slow(distance)).map(|&(mv, _, _)| mv).collect();
        Some((best, moves))
    }

    /// The outcome for the side that has just moved, and the plies to the next zeroing move or mate.
    fn judge(&self, after: &Board) -> Option<(Wdl, i32)> {
        if after.in_check() && !after.has_legal_move() {
            return Some((Wdl::Win, 0));
        }
        if after.is_threefold() || after.has_insufficient_material() {
            return Some((Wdl::Draw, 0));
        }
        let position = position(after)?;
        let dtz = self.tables.probe_dtz(&position).ok()?;
        // The clock counts: a win may come too late for the fifty-move limit.
        let outcome = AmbiguousWdl::from_dtz_and_halfmoves(dtz, u32::from(after.halfmove_clock()));
        let wdl = match outcome {
            AmbiguousWdl::Win | AmbiguousWdl::MaybeWin => Wdl::Loss,
            AmbiguousWdl::CursedWin => Wdl::BlessedLoss,
            AmbiguousWdl::Draw => Wdl::Draw,
            AmbiguousWdl::BlessedLoss => Wdl::CursedWin,
            AmbiguousWdl::Loss | AmbiguousWdl::MaybeLoss => Wdl::Win,
        };
        Some((wdl, dtz.ignore_rounding().0.abs()))
    }
}

/// What is wrong with a file, if anything: its first bytes and its length tell.
fn check(path: &Path, magic: &[u8; 4]) -> io::Result<Option<&'static str>> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut start = [0; 4];
    if length < 16 || length % 64 != 16 {
        return Ok(Some("a length that none has: the file is cut short"));
    }
    file.read_exact(&mut start)?;
    Ok((start != *magic).then_some("other first bytes"))
}

/// The position as the tablebase crate takes it; `None` while castling is possible.
fn position(board: &Board) -> Option<Chess> {
    if !board.castling_rights().is_empty() {
        return None;
    }
    let kind = |kind| Bitboard(board.by_kind(kind).0);
    let color = |color| Bitboard(board.by_color(color).0);
    let by_role = ByRole {
        pawn: kind(PieceKind::Pawn),
        knight: kind(PieceKind::Knight),
        bishop: kind(PieceKind::Bishop),
        rook: kind(PieceKind::Rook),
        queen: kind(PieceKind::Queen),
        king: kind(PieceKind::King),
    };
    let by_color = ByColor { white: color(Color::White), black: color(Color::Black) };
    let mut setup = Setup::empty();
    setup.board = shakmaty::Board::try_from_bitboards(by_role, by_color).ok()?;
    setup.turn = shakmaty::Color::from_white(board.side_to_move() == Color::White);
    setup.ep_square = board.en_passant().map(|square| shakmaty::Square::new(square.index() as u32));
    Chess::from_setup(setup, CastlingMode::Chess960).ok()
}
