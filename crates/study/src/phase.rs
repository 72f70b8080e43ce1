//! Divides a game into opening, middlegame and ending.

use enroque::chess::{Bitboard, Board, Color, PieceKind, Rank};
use serde::{Deserialize, Serialize};

/// With at most this many queens, rooks, bishops and knights on the board, the opening is over.
const MIDDLEGAME_PIECES: u32 = 10;
/// With at most this many, the ending has begun.
const ENDING_PIECES: u32 = 6;
/// The opening is also over once a side has fewer men than this on its first rank.
const HOME_MEN: u32 = 4;

/// A value for opening, middlegame and ending.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct ByPhase<T> {
    pub opening: T,
    pub middlegame: T,
    pub ending: T,
}

/// In the order of a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Phase {
    Opening,
    Middlegame,
    Ending,
}

impl<T> ByPhase<T> {
    /// Calculates a value for each phase.
    pub fn of(value: impl Fn(Phase) -> T) -> Self {
        Self {
            opening: value(Phase::Opening),
            middlegame: value(Phase::Middlegame),
            ending: value(Phase::Ending),
        }
    }
}

/// Returns each position's phase. A game never goes back to an earlier phase.
///
/// Like lichess, we count pieces, and look whether both sides have developed.
pub fn phases<'a>(boards: impl IntoIterator<Item = &'a Board>) -> Vec<Phase> {
    let latest = |latest: &mut Phase, board: &Board| {
        *latest = (*latest).max(phase(board));
        Some(*latest)
    };
    boards.into_iter().scan(Phase::Opening, latest).collect()
}

fn phase(board: &Board) -> Phase {
    const PIECES: [PieceKind; 4] = [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];
    let pieces: u32 = PIECES.iter().map(|&kind| board.by_kind(kind).count()).sum();
    let is_developed = |color: Color| {
        let home = board.by_color(color) & Bitboard::relative_rank(color, Rank::First);
        home.count() < HOME_MEN
    };
    if pieces <= ENDING_PIECES {
        Phase::Ending
    } else if pieces <= MIDDLEGAME_PIECES || Color::ALL.into_iter().any(is_developed) {
        Phase::Middlegame
    } else {
        Phase::Opening
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_go_from_phase_to_phase() {
        let board = |fen: &str| -> Board { fen.parse().unwrap() };
        let start = Board::startpos();
        let developed = board("r4rk1/pppqbppp/2npbn2/4p3/4P3/2NPBN2/PPPQBPPP/R4RK1 w - - 0 9");
        let traded = board("r2qkb1r/ppp2ppp/8/8/8/8/PPP2PPP/R2QKB1R w KQkq - 0 9");
        let ending = board("2r3k1/5ppp/2n5/8/8/2N5/5PPP/2R3K1 w - - 0 30");
        let is = |board: &Board| phase(board);
        assert_eq!([is(&start), is(&developed), is(&traded), is(&ending)], {
            use Phase::{Ending, Middlegame, Opening};
            [Opening, Middlegame, Middlegame, Ending]
        });
        // A promotion brings no middlegame back.
        let promoted = board("QQQQ2k1/5ppp/2n4q/7q/7q/2N4q/5PPP/2R3K1 b - - 0 60");
        let found = phases([&start, &ending, &promoted]);
        assert_eq!(found, [Phase::Opening, Phase::Ending, Phase::Ending]);
        assert_ne!(phase(&promoted), Phase::Ending);
    }
}
