//! Stand-in for the tablebases in a browser: none can be loaded.

use super::{MoveRank, TablebaseError, Wdl};
use crate::chess::{Board, Move};

/// Tablebases, of which there are none.
pub enum Tablebases {}

impl Tablebases {
    /// Refuses to load the files in `folders`.
    ///
    /// # Errors
    /// Returns an error in any case.
    pub fn load(folders: &str) -> Result<(Self, Vec<TablebaseError>), TablebaseError> {
        Err(TablebaseError::Unsupported { folders: folders.to_owned() })
    }

    /// Returns the number of loaded files.
    pub fn files(&self) -> usize {
        match *self {}
    }

    /// Returns the largest number of pieces, kings included, of a position in the tables.
    pub fn max_pieces(&self) -> u32 {
        match *self {}
    }

    /// Probes the WDL value of a position whose last move was a capture or pawn move.
    pub fn probe(&self, _board: &Board) -> Option<Wdl> {
        match *self {}
    }

    /// Returns the ranks of the legal moves.
    pub fn rank_moves(
        &self,
        _board: &Board,
        _fifty_move_rule: bool,
        _must_progress: bool,
    ) -> Option<Vec<(Move, MoveRank)>> {
        match *self {}
    }
}
