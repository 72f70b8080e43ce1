//! Facts about a start position that follow from the rules alone: weak pawns, castling, bishops, knights.

use crate::families::Keeping;
use enroque::chess::attacks::{bishop_lines, pawn_attacks, piece_attacks};
use enroque::chess::startpos::StartNumbers;
use enroque::chess::{Bitboard, Board, BySide, CastlingSide, Color, Move, PieceKind, Rank, Square};

/// What is special about one side of a start position.
#[derive(Clone, Debug)]
pub struct StartFacts {
    pub color: Color,
    /// Pawns that neither a piece nor a pawn defends.
    pub undefended: Bitboard,
    /// Pawns that only the king defends.
    pub king_only: Bitboard,
    /// First moves of the opponent that attack an `undefended` or `king_only` pawn, sorted by pawn.
    pub attacks: Vec<PawnAttack>,
    /// What must happen before castling, on the a-side and on the h-side; `None` without that castling right.
    pub castlings: BySide<Option<CastlingFacts>>,
    /// Bishops from the a-file to the h-file.
    pub bishops: Vec<BishopFacts>,
    /// Knights from the a-file to the h-file, each with the squares of the third rank that it can jump to.
    pub knights: Vec<(Square, Bitboard)>,
    /// Numbers of the other back ranks that `color` can reach before a pawn moves, without losing a castling right.
    pub reachable: Vec<u32>,
    /// The same if castling rights may be lost.
    pub reachable_without_castling: Vec<u32>,
}

/// A first move of the opponent, and a pawn that this move attacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PawnAttack {
    pub mv: Move,
    pub pawn: Square,
}

/// What must happen before a player can castle on one wing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CastlingFacts {
    /// Pieces that stand on the path of the king or the rook.
    pub blockers: Bitboard,
    /// The fewest moves that the player needs before this castling is legal; see [`moves_to_castle`].
    pub moves: Option<u32>,
    /// Whether the other wing's rook stands in the way. Moving that rook would lose the right to castle with it.
    pub costs_other_right: bool,
}

/// How easily a bishop of the back rank can get out.
#[derive(Clone, Debug)]
pub struct BishopFacts {
    pub square: Square,
    /// The pawns diagonally in front of the bishop: one pawn if the bishop stands in the corner, else two.
    pub pawns: Bitboard,
    /// How many squares the bishop could reach on an empty board.
    pub range: u32,
}

impl StartFacts {
    /// Finds the facts about `color` on `board`, which must be a start position.
    ///
    /// ```
    /// use enroque::chess::startpos::chess960;
    /// use enroque_study::facts::StartFacts;
    /// use enroque::chess::{CastlingSide, Color};
    ///
    /// let facts = StartFacts::of(&chess960(518).unwrap(), Color::White);
    /// assert!(facts.undefended.is_empty());
    /// let f2 = enroque::chess::Square::parse("f2").unwrap();
    /// assert!(facts.king_only.has(f2) && facts.king_only.count() == 1);
    /// assert_eq!(facts.castlings[CastlingSide::H].unwrap().moves, Some(3));
    /// ```
    pub fn of(board: &Board, color: Color) -> Self {
        let pieces = |kind| board.pieces(color, kind);
        let defenders = |pawn| board.attackers_to(pawn, board.occupied()) & board.by_color(color);
        let pawns_with = |defended_by: Bitboard| -> Bitboard {
            pieces(PieceKind::Pawn).into_iter().filter(|&pawn| defenders(pawn) == defended_by).collect()
        };
        let undefended = pawns_with(Bitboard::EMPTY);
        let king_only = pawns_with(Bitboard::of(board.king(color)));
        let bishops = pieces(PieceKind::Bishop).into_iter().map(|square| BishopFacts {
            square,
            pawns: pawn_attacks(color, square) & pieces(PieceKind::Pawn),
            range: bishop_lines(square).count(),
        });
        let third = Bitboard::relative_rank(color, Rank::Third);
        let number = StartNumbers::of(board).map(|numbers| numbers.number(color));
        let reachable = |keeping: Keeping| -> Vec<u32> {
            let family = number.map_or_else(Vec::new, |number| keeping.family(number));
            family.into_iter().filter(|&other| Some(other) != number).collect()
        };
        let knights = pieces(PieceKind::Knight)
            .into_iter()
            .map(|square| (square, piece_attacks(PieceKind::Knight, square, board.occupied()) & third));
        Self {
            color,
            undefended,
            king_only,
            attacks: pawn_attacks_by_first_move(board, color, undefended | king_only),
            castlings: BySide(CastlingSide::ALL.map(|side| castling_facts(board, color, side))),
            bishops: bishops.collect(),
            knights: knights.collect(),
            reachable: reachable(Keeping::CastlingRights),
            reachable_without_castling: reachable(Keeping::Bishops),
        }
    }
}

/// Finds out which of the `pawns` each first move of the opponent attacks.
fn pawn_attacks_by_first_move(board: &Board, color: Color, pawns: Bitboard) -> Vec<PawnAttack> {
    let mut board = with_move_of(board, !color);
    let mut attacks = Vec::new();
    for mv in board.legal_moves() {
        board.make_move(mv);
        let is_attacked = |pawn| board.is_attacked(pawn, !color, board.occupied());
        let attacked: Vec<Square> = pawns.into_iter().filter(|&pawn| is_attacked(pawn)).collect();
        board.unmake_move(mv);
        attacks.extend(attacked.into_iter().map(|pawn| PawnAttack { mv, pawn }));
    }
    attacks.sort_by_key(|attack| (attack.pawn, attack.mv.from(), attack.mv.to()));
    attacks
}

/// Returns the position with `color` to move, after a null move if necessary.
pub fn with_move_of(board: &Board, color: Color) -> Board {
    let mut board = board.clone();
    if board.side_to_move() != color {
        board.make_null_move();
    }
    board
}

fn castling_facts(board: &Board, color: Color, side: CastlingSide) -> Option<CastlingFacts> {
    let path = board.castling(color, side)?;
    let other_rook = board.castling(color, CastlingSide::ALL[1 - side as usize]).map(|path| path.rook_from);
    Some(CastlingFacts {
        blockers: path.must_be_empty & board.occupied(),
        moves: moves_to_castle(board, color, side),
        costs_other_right: other_rook.is_some_and(|rook| path.must_be_empty.has(rook)),
    })
}

/// We give up if castling takes more pawn moves than this.
const MAX_PAWN_MOVES: u32 = 4;

/// Returns the fewest moves that `color` needs before castling on `side` is legal, if the opponent does not prevent it;
/// `None` if four pawn moves do not suffice, or if the castling right is missing.
///
/// We count one move for each piece in the way, and the fewest pawn moves after which all these pieces can leave the
/// castling path.
pub fn moves_to_castle(board: &Board, color: Color, side: CastlingSide) -> Option<u32> {
    let path = board.castling(color, side)?;
    let blockers = path.must_be_empty & board.occupied();
    let pawns: Vec<Square> = board.pieces(color, PieceKind::Pawn).into_iter().collect();
    let moves = (0..=MAX_PAWN_MOVES).find(|&count| {
        can_clear_after(board, board.occupied(), blockers, path.must_be_empty, &pawns, count)
    })?;
    Some(blockers.count() + moves)
}

/// Whether all `blockers` can leave `path` after `count` moves of different `pawns`.
fn can_clear_after(
    board: &Board,
    occupied: Bitboard,
    blockers: Bitboard,
    path: Bitboard,
    pawns: &[Square],
    count: u32,
) -> bool {
    if count == 0 {
        return can_clear(board, occupied, blockers, path);
    }
    pawns.iter().enumerate().any(|(index, &pawn)| {
        let color = board.expect_piece(pawn).color();
        let one = pawn.forward(color);
        [one, one.forward(color)].into_iter().any(|target| {
            let moved = (occupied & !Bitboard::of(pawn)) | Bitboard::of(target);
            can_clear_after(board, moved, blockers, path, &pawns[index + 1..], count - 1)
        })
    })
}

/// Whether all `blockers` can leave `path` one after another. A piece that has left no longer blocks the others.
fn can_clear(board: &Board, mut occupied: Bitboard, mut blockers: Bitboard, path: Bitboard) -> bool {
    loop {
        let can_leave = |&square: &Square| {
            let kind = board.expect_piece(square).kind();
            (piece_attacks(kind, square, occupied) & !occupied & !path).non_empty()
        };
        let Some(square) = blockers.into_iter().find(can_leave) else { return blockers.is_empty() };
        blockers &= !Bitboard::of(square);
        occupied &= !Bitboard::of(square);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use enroque::chess::startpos::{back_rank, castling_needs_other_rook, chess960, double_chess960};

    fn all() -> impl Iterator<Item = StartFacts> {
        (0..960).map(|number| StartFacts::of(&chess960(number).unwrap(), Color::White))
    }

    fn histogram(values: impl Iterator<Item = u32>) -> Vec<(u32, usize)> {
        let mut counts = BTreeMap::new();
        for value in values {
            *counts.entry(value).or_insert(0) += 1;
        }
        counts.into_iter().collect()
    }

    /// We checked these numbers with python-chess.
    #[test]
    fn weak_pawns_of_all_starts() {
        let undefended = histogram(all().map(|facts| facts.undefended.count()));
        assert_eq!(undefended, [(0, 360), (1, 452), (2, 144), (3, 4)]);
        let king_only = histogram(all().map(|facts| facts.king_only.count()));
        assert_eq!(king_only, [(0, 488), (1, 424), (2, 48)]);
        let attacks_undefended =
            |facts: &StartFacts| facts.attacks.iter().any(|attack| facts.undefended.has(attack.pawn));
        assert_eq!(all().filter(attacks_undefended).count(), 204);
        assert_eq!(all().filter(|facts| !facts.attacks.is_empty()).count(), 204 + 68);
    }

    #[test]
    fn castling_of_all_starts() {
        let at_once = |castling: &Option<CastlingFacts>| castling.is_some_and(|facts| facts.moves == Some(0));
        assert_eq!(all().filter(|facts| facts.castlings.0.iter().any(at_once)).count(), 162);
        for (number, facts) in (0..).zip(all()) {
            let rank = back_rank(number).unwrap();
            let costs = facts.castlings.0.iter().flatten().any(|castling| castling.costs_other_right);
            assert_eq!(costs, castling_needs_other_rook(&rank), "{number}");
            let board = chess960(number).unwrap();
            for (side, castling) in CastlingSide::ALL.into_iter().zip(&facts.castlings.0) {
                let is_legal =
                    board.legal_moves().into_iter().any(|mv| board.castling_side_of(mv) == Some(side));
                assert_eq!(at_once(castling), is_legal, "{number}");
            }
        }
    }

    #[test]
    fn black_facts_mirror_white() {
        for (one, other) in [(344, 402), (334, 334)] {
            let ours = StartFacts::of(&double_chess960(one, other).unwrap(), Color::Black);
            let theirs = StartFacts::of(&double_chess960(other, one).unwrap(), Color::White);
            assert_eq!(ours.undefended, theirs.undefended.flip_ranks());
            assert_eq!(ours.king_only, theirs.king_only.flip_ranks());
            assert_eq!(ours.attacks.len(), theirs.attacks.len());
            assert_eq!(ours.attacks.is_empty(), one != other);
            assert_eq!(
                ours.castlings.0.map(|c| c.map(|c| c.moves)),
                theirs.castlings.0.map(|c| c.map(|c| c.moves))
            );
            assert_eq!(ours.reachable, theirs.reachable);
            assert_eq!(ours.reachable_without_castling, theirs.reachable_without_castling);
        }
    }
}
