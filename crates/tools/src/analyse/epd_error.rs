//! What we could not read in a line of an EPD file.

use thiserror::Error;

use enroque::chess::FenError;
use enroque::util::text::shortened;

/// Why a line of an EPD file can't be read. `code` is the operation, such as `bm`.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum EpdError {
    /// The line ends before the position is complete.
    #[error("expected board, side, castling and en passant, found {0} fields")]
    Fields(usize),
    #[error(transparent)]
    Position(#[from] FenError),
    /// The line has a quotation mark without a second one.
    #[error("a quotation mark is missing")]
    Quotation,
    #[error("expected an operation such as 'bm Nf3;', found '{}'", shortened(.0))]
    Operation(String),
    #[error("{code}: expected moves, found none")]
    NoMoves { code: String },
    #[error("{code}: '{}' is not a legal move", shortened(.san))]
    IllegalMove { code: String, san: String },
    #[error("{code}: expected the moves to mate, found '{}'", shortened(.found))]
    Mate { code: String, found: String },
}
