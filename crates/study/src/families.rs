//! Families of start positions that transpose into each other: as long as no pawn moves, both sides can shuffle their
//! back ranks and reach another start position.

use std::sync::OnceLock;

use enroque::chess::PieceKind;
use enroque::chess::startpos::{BackRank, CHESS960_COUNT, SHUFFLE_COUNT, back_rank, scharnagl_number};

/// What the players keep while they shuffle their pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keeping {
    /// Neither king nor rooks move, so that all castling rights remain.
    CastlingRights,
    /// Only the bishops stay, because no pawn lets them out.
    Bishops,
}

impl Keeping {
    const fn is_fixed(self, kind: PieceKind) -> bool {
        match self {
            Self::CastlingRights => matches!(kind, PieceKind::Bishop | PieceKind::Rook | PieceKind::King),
            Self::Bishops => matches!(kind, PieceKind::Bishop),
        }
    }

    /// Returns the back rank that stands for its family: the one whose knights stand as far right as possible.
    ///
    /// Knights can leave the back rank and return to any square. Then the pieces between two fixed ones can slide
    /// along the squares that the knights left, but they can't pass each other. So two back ranks are in one family if
    /// they differ only in where the knights stand between the others.
    fn representative(self, rank: &BackRank) -> BackRank {
        let mut sorted = *rank;
        for segment in sorted.split_mut(|&kind| self.is_fixed(kind)) {
            segment.sort_by_key(|&kind| kind == PieceKind::Knight);
        }
        sorted
    }

    /// Returns the representative of every back rank, by its number.
    fn representatives(self) -> &'static [u32] {
        static TABLES: [OnceLock<Vec<u32>>; 2] = [const { OnceLock::new() }; 2];
        TABLES[self as usize].get_or_init(|| {
            let ranks = (0..SHUFFLE_COUNT).filter_map(back_rank);
            ranks.filter_map(|rank| scharnagl_number(&self.representative(&rank))).collect()
        })
    }

    /// Returns the numbers of all back ranks that this one transposes into, itself included, in ascending order. Each is
    /// from 0 to 5039, and those of Chess960 have only relatives in Chess960; none from 5040 on.
    ///
    /// ```
    /// use enroque_study::families::Keeping;
    ///
    /// assert_eq!(Keeping::CastlingRights.family(518), [518]);
    /// assert_eq!(Keeping::Bishops.family(518), [230, 326, 518, 614]);
    /// ```
    pub fn family(self, number: u32) -> Vec<u32> {
        let representatives = self.representatives();
        let Some(&own) = representatives.get(number as usize) else { return Vec::new() };
        (0..).zip(representatives).filter(|&(_, &other)| other == own).map(|(number, _)| number).collect()
    }

    /// Returns all families of Chess960, by their smallest numbers.
    pub fn families(self) -> Vec<Vec<u32>> {
        let families = (0..CHESS960_COUNT).map(|number| (number, self.family(number)));
        families.filter(|(number, family)| family.first() == Some(number)).map(|(_, family)| family).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `crates/tools/tests/count_starts.py` counts the same by playing the moves one by one.
    #[test]
    fn families_are_counted() {
        let count = |keeping: Keeping| {
            let families = keeping.families();
            assert_eq!(families.iter().map(Vec::len).sum::<usize>(), 960);
            (families.len(), families.iter().filter(|family| family.len() == 1).count())
        };
        assert_eq!(count(Keeping::CastlingRights), (708, 492));
        assert_eq!(count(Keeping::Bishops), (192, 48));
        let most = Keeping::Bishops.families().iter().map(Vec::len).max();
        assert_eq!(most, Some(15));
    }

    #[test]
    fn families_keep_castling_rights_or_not() {
        // BBQNNRKR: without castling rights, queen, rook, king and rook keep their order around two knights.
        assert_eq!(Keeping::CastlingRights.family(0), [0, 16, 32]);
        assert_eq!(Keeping::Bishops.family(0).len(), 15);
        assert!(Keeping::Bishops.family(SHUFFLE_COUNT).is_empty());
    }
}
