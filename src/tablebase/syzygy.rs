//! Syzygy tablebases through the crate `shakmaty-syzygy`.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use shakmaty::{Bitboard, ByColor, ByRole, CastlingMode, Chess, FromSetup, Setup};
use shakmaty_syzygy::{AmbiguousWdl, Tablebase};

use super::{MoveRank, TablebaseError, Wdl};
use crate::chess::{Board, Color, Move, PieceKind};

/// The usable tables in one or more folders.
pub struct Tablebases {
    tables: Tablebase<Chess>,
    files: usize,
}

/// First bytes of WDL and DTZ files, by extension.
const MAGICS: [(&str, [u8; 4]); 2] = [("rtbw", [0x71, 0xE8, 0x23, 0x5D]), ("rtbz", [0xD7, 0x66, 0x0C, 0xA5])];

impl Tablebases {
    /// Loads the files in `folders`, which are separated by `:` (on Windows by `;`). We skip damaged files, and return
    /// their errors with the tables.
    ///
    /// # Errors
    /// Returns an error if a folder cannot be read or has no usable file.
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
            None if found.files == 0 => Err(TablebaseError::Empty(folders.to_owned())),
            error => Ok((found, damaged.into_iter().chain(error).collect())),
        }
    }

    fn add(&mut self, path: &Path) -> Result<(), TablebaseError> {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
        let Some((_, magic)) = MAGICS.iter().find(|(kind, _)| *kind == extension) else { return Ok(()) };
        let unreadable = |reason| TablebaseError::Read { path: path.to_owned(), reason };
        find_defect(path, magic)
            .map_err(unreadable)?
            .map_or(Ok(()), |found| Err(TablebaseError::Corrupt { path: path.to_owned(), found }))?;
        self.tables.add_file(path).map_err(unreadable)?;
        self.files += 1;
        Ok(())
    }

    /// Returns the number of loaded files; a table with both a WDL and a DTZ file counts twice.
    pub fn files(&self) -> usize {
        self.files
    }

    /// Returns the largest number of pieces, kings included, in any table.
    pub fn max_pieces(&self) -> u32 {
        self.tables.max_pieces() as u32
    }

    /// Probes a position whose last move was a capture or pawn move; `None` if no table has it.
    pub fn probe(&self, board: &Board) -> Option<Wdl> {
        Some(match self.tables.probe_wdl_after_zeroing(&position(board)?).ok()? {
            shakmaty_syzygy::Wdl::Loss => Wdl::Loss,
            shakmaty_syzygy::Wdl::BlessedLoss => Wdl::BlessedLoss,
            shakmaty_syzygy::Wdl::Draw => Wdl::Draw,
            shakmaty_syzygy::Wdl::CursedWin => Wdl::CursedWin,
            shakmaty_syzygy::Wdl::Win => Wdl::Win,
        })
    }

    /// Ranks the legal moves; `None` if a table is missing. With `must_progress`, the winning moves with the fewest
    /// plies to the next capture, pawn move or mate rank above other winning moves.
    pub fn rank_moves(
        &self,
        board: &Board,
        fifty_move_rule: bool,
        must_progress: bool,
    ) -> Option<Vec<(Move, MoveRank)>> {
        let probe = |&mv: &Move| {
            let mut after = board.clone();
            after.make_move(mv);
            let (wdl, distance) = self.probe_after_move(&after)?;
            Some((mv, wdl.under(fifty_move_rule), distance))
        };
        let probed: Vec<_> = board.legal_moves().iter().map(probe).collect::<Option<_>>()?;
        let wins = probed.iter().filter(|(_, wdl, _)| *wdl == Wdl::Win);
        let fastest = wins.map(|&(_, _, distance)| distance).min();
        let rank = |(mv, wdl, distance)| {
            let is_slow = must_progress && wdl == Wdl::Win && Some(distance) > fastest;
            (mv, MoveRank { wdl, progresses: !is_slow })
        };
        Some(probed.into_iter().map(rank).collect())
    }

    /// Returns the outcome for the side that has just moved, and the plies to the next capture, pawn move or mate: 0 if
    /// the move just made was one of these.
    fn probe_after_move(&self, after: &Board) -> Option<(Wdl, i32)> {
        if after.in_check() && !after.has_legal_move() {
            return Some((Wdl::Win, 0));
        }
        if after.is_threefold() || after.has_insufficient_material() {
            return Some((Wdl::Draw, 0));
        }
        let position = position(after)?;
        let dtz = self.tables.probe_dtz(&position).ok()?;
        // The halfmove clock matters, because a win may be too late for the fifty-move rule.
        let outcome = AmbiguousWdl::from_dtz_and_halfmoves(dtz, u32::from(after.halfmove_clock()));
        let wdl = match outcome {
            AmbiguousWdl::Win | AmbiguousWdl::MaybeWin => Wdl::Loss,
            AmbiguousWdl::CursedWin => Wdl::BlessedLoss,
            AmbiguousWdl::Draw => Wdl::Draw,
            AmbiguousWdl::BlessedLoss => Wdl::CursedWin,
            AmbiguousWdl::Loss | AmbiguousWdl::MaybeLoss => Wdl::Win,
        };
        let is_zeroed = after.halfmove_clock() == 0;
        Some((wdl, if is_zeroed { 0 } else { dtz.ignore_rounding().0.abs() }))
    }
}

/// Checks the length and the first bytes of a file, and returns what is wrong with it.
fn find_defect(path: &Path, magic: &[u8; 4]) -> io::Result<Option<&'static str>> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Ok(Some("a pipe, device or folder"));
    }
    let length = metadata.len();
    let mut start = [0; 4];
    if length < 16 || length % 64 != 16 {
        return Ok(Some("a truncated file: no table has this length"));
    }
    File::open(path)?.read_exact(&mut start)?;
    Ok((start != *magic).then_some("other first bytes"))
}

/// Converts the position for the tablebase crate; `None` if a side has castling rights.
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
