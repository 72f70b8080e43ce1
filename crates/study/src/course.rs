//! What a line wins and loses in material, as far as it can be told.

use enroque::chess::{Board, Move, PieceKind, Square};

use super::motif;

/// We count material at most this many plies into a line, because later moves are less certain.
const MAX_PLIES: usize = 14;
/// Material that a side wins or loses within this many plies is plain enough to speak of.
const MAX_PLAIN_PLIES: usize = 7;
/// It must stay so for at least this many plies. Otherwise the other side may win it back where the line ends.
const MIN_LASTING_PLIES: usize = 4;
/// A piece must be worth this much more than what is given for it, in pawns. Smaller gains are often compensation.
const MIN_PIECE_GAIN: i32 = 2;
/// Whoever wins a piece may give back this much later in the line.
const SLACK: i32 = 1;
/// For each pawn that a side wins, up to [`MAX_RATED`], the scores of the two lines must differ by this much.
const CENTIPAWNS_PER_PAWN: f64 = 50.0;
const MAX_RATED: i32 = 3;
/// We say nothing about material unless the two lines differ by at least this much, in pawns.
pub const MIN_DIFFERENCE: i32 = 1;
/// We name at most this many kinds of pieces.
const MAX_NAMED_KINDS: usize = 2;

/// A line and what it captures, seen by the side that begins.
pub struct Course<'a> {
    pub moves: &'a [Move],
    /// The positions of the line from its first on.
    pub boards: Vec<Board>,
    /// How many plies lead to each quiet position after the first move, where we can count material.
    pub quiet: Vec<usize>,
}

/// What one side is up in material, by kind from pawn to queen.
pub type Material = [i32; 5];

const KINDS: [PieceKind; 5] =
    [PieceKind::Pawn, PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];

/// Returns what a piece is worth, in pawns.
pub fn value(kind: PieceKind) -> i32 {
    match kind {
        PieceKind::Pawn => 1,
        PieceKind::Knight | PieceKind::Bishop => 3,
        PieceKind::Rook => 5,
        PieceKind::Queen => 9,
        PieceKind::King => 0,
    }
}

/// Returns what the material is worth, in pawns.
pub fn total(material: Material) -> i32 {
    material.iter().zip(KINDS).map(|(count, kind)| count * value(kind)).sum()
}

/// Whether it is more than pawns.
pub fn has_pieces(material: Material) -> bool {
    material[1..].iter().any(|&count| count != 0)
}

/// Leaves out knights that were traded for bishops.
fn even_trades(mut material: Material) -> Material {
    if material[1].signum() * material[2].signum() < 0 {
        let even = material[1].abs().min(material[2].abs());
        material[1] -= even * material[1].signum();
        material[2] -= even * material[2].signum();
    }
    material
}

impl<'a> Course<'a> {
    /// `board` is where the line begins.
    pub fn new(board: &Board, moves: &'a [Move]) -> Self {
        let moves = moves.get(..MAX_PLIES).unwrap_or(moves);
        let boards = motif::positions(board, moves);
        let is_quiet = |&ply: &usize| {
            boards.get(ply).is_some_and(|board| board.has_legal_move() && motif::is_quiet(board))
        };
        let quiet = (1..boards.len()).filter(is_quiet).collect();
        Self { moves, boards, quiet }
    }

    /// Returns how much more the side that begins has than the other side after `ply`.
    fn ahead(&self, ply: usize) -> Option<Material> {
        let (us, board) = (self.boards.first()?.side_to_move(), self.boards.get(ply)?);
        let count = |color, kind| board.pieces(color, kind).count() as i32;
        Some(KINDS.map(|kind| count(us, kind) - count(!us, kind)))
    }

    /// Returns by how much the side that began is up after `ply`, compared with the beginning.
    fn gain(&self, ply: usize) -> Option<Material> {
        let mut gain = self.ahead(ply)?;
        gain.iter_mut().zip(self.ahead(0)?).for_each(|(last, first)| *last -= first);
        Some(gain)
    }

    /// Returns by how many pawns the side that begins is ahead at the beginning.
    pub fn lead(&self) -> i32 {
        self.ahead(0).map_or(0, total)
    }

    /// Returns the most that the side that began is up, in pawns, at any quiet position or after any answer.
    pub fn peak(&self) -> Option<i32> {
        let plies = self.quiet.iter().copied().chain((2..self.boards.len()).step_by(2));
        plies.filter_map(|ply| Some(total(self.gain(ply)?))).max()
    }

    /// Returns by how much the side that began is up, in pawns, at the last quiet position.
    pub fn end(&self) -> Option<i32> {
        Some(total(self.gain(*self.quiet.last()?)?))
    }

    /// Returns the material that one side wins with its move at ply `at`, early in the line, and keeps in all later quiet
    /// positions, as far as the line and `gap` prove it: by how many centipawns the scores show a difference. Of such
    /// gains it is the first that no later one exceeds by more than [`SLACK`].
    pub fn lasting(&self, at: usize, gap: f64) -> Option<Material> {
        let (&last, sign) = (self.quiet.last()?, if at.is_multiple_of(2) { 1 } else { -1 });
        let (mut least, mut most, mut found) = (i32::MAX, 0, None);
        for &ply in self.quiet.iter().rev() {
            let won = even_trades(self.gain(ply)?.map(|count| sign * count));
            let value = total(won);
            least = least.min(value);
            if least < MIN_DIFFERENCE {
                break;
            }
            let slack = if has_pieces(won) { SLACK } else { 0 };
            // Pawns that the other side gets may still fall.
            let spare = if won[0] < 0 { 0 } else { slack };
            let is_plain = ply <= MAX_PLAIN_PLIES && last >= ply + MIN_LASTING_PLIES;
            let is_proven = || {
                let pawns = self.rated(at, won, ply, sign);
                pawns.is_some_and(|pawns| gap >= CENTIPAWNS_PER_PAWN * f64::from(pawns))
            };
            if is_plain && value <= least + slack && value + spare >= most && is_proven() {
                most = most.max(value);
                found = Some(won);
            }
        }
        found
    }

    /// Returns how many pawns the scores must confirm to prove that the move at ply `at` wins what is won after `ply`;
    /// `None` if no scores prove it.
    fn rated(&self, at: usize, won: Material, ply: usize, sign: i32) -> Option<i32> {
        let pawns = total(won).min(MAX_RATED);
        if has_pieces(won) {
            return (total(won) >= MIN_PIECE_GAIN).then_some(pawns);
        }
        if ply == at + 1 {
            return Some(pawns);
        }
        // The pawn seems to be defended, or falls later. We believe the line only if the move takes it for good.
        let target = |ply| self.moves.get(ply).map(|mv: &Move| mv.to());
        let gain = |ply| sign * self.gain(ply).map_or(0, total);
        let keeps = (at + 1..=ply).step_by(2).all(|ply| gain(ply) >= total(won));
        (keeps && target(at) != target(at + 1)).then_some(MAX_RATED)
    }

    /// Returns the move early in the line, and before its last quiet position, with which the side that moves at ply
    /// `from` promotes a pawn.
    pub fn promotion(&self, from: usize) -> Option<Move> {
        let end = MAX_PLAIN_PLIES.min(*self.quiet.last()?);
        self.moves.iter().take(end).skip(from).step_by(2).copied().find(|mv| mv.promotion().is_some())
    }

    /// Whether the line ends in a draw that the rules show.
    pub fn is_drawn(&self) -> bool {
        self.boards.last().is_some_and(|board| {
            let is_stalemate = !board.has_legal_move() && !board.in_check();
            is_stalemate
                || self.boards.len() > 1 && board.is_repetition(usize::MAX)
                || board.has_insufficient_material()
        })
    }
}

/// Returns what a move captures, and where.
pub fn captured(board: &Board, mv: Move) -> Option<(PieceKind, Square)> {
    let victim = board.piece_on(mv.to()).filter(|_| mv.is_capture() && !mv.is_castle())?;
    Some((victim.kind(), mv.to()))
}

/// Returns the piece if the material is one piece and nothing else.
pub fn single(material: Material) -> Option<PieceKind> {
    let mut kinds = material.iter().zip(KINDS).filter(|&(&count, _)| count != 0);
    let (&count, kind) = kinds.next()?;
    (count == 1 && kinds.next().is_none()).then_some(kind)
}

/// Names material that a side wins: `a knight`, `the exchange`, `a rook for a pawn`. `None` if there is no good name.
pub fn words(mut material: Material) -> Option<String> {
    if has_pieces(material) {
        // A pawn more may be won back, and is nothing beside a piece.
        material[0] = material[0].min(0);
    }
    let minors = material[1] + material[2];
    if material[3] == 1 && minors == -1 && material[4] == 0 {
        return match material[0] {
            0 => Some("the exchange".to_owned()),
            _ => Some(format!("the exchange for {}", counted(0, -material[0]))),
        };
    }
    let list = |sign: i32| {
        let some = (0..KINDS.len()).rev().filter(|&kind| material[kind] * sign > 0);
        some.map(|kind| counted(kind, material[kind] * sign)).collect::<Vec<_>>().join(" and ")
    };
    // Nobody wants to read longer lists.
    if material.iter().filter(|&&count| count != 0).count() > MAX_NAMED_KINDS {
        return None;
    }
    let (won, given) = (list(1), list(-1));
    match (won.is_empty(), given.is_empty()) {
        (true, _) => None,
        (false, true) => Some(won),
        (false, false) => Some(format!("{won} for {given}")),
    }
}

fn counted(kind: usize, count: i32) -> String {
    let name = KINDS.get(kind).map_or("piece", |kind| kind.name());
    match count {
        1 => format!("a {name}"),
        2 => format!("two {name}s"),
        _ => format!("{count} {name}s"),
    }
}
