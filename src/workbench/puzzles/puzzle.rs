//! A puzzle: position, solution, difficulty and origin; the selection of a set.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use crate::chess::{Board, CastlingRules, FenStyle, Move};

/// Largest numbers of nodes of the grades below [`MAX_GRADE`].
const GRADE_NODES: [u64; 3] = [1_000, 4_000, 16_000];
/// Grade of the hardest puzzles.
pub const MAX_GRADE: u32 = GRADE_NODES.len() as u32 + 1;
/// Grade of the puzzles that are limited to one in [`EASY_SHARE`].
const EASY_GRADE: u32 = 1;
/// Puzzles of a set for each easy one, at least.
const EASY_SHARE: u64 = 3;

/// Position in which only one move wins.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Puzzle {
    /// Position before the opponent's last move, as Shredder-FEN.
    pub before: String,
    /// Last move of the opponent, in UCI notation.
    pub last: String,
    /// Moves of both sides in UCI notation; the first and the last are the solver's.
    pub solution: Vec<String>,
    /// Win percentages of the first move and of the best other one.
    pub chances: [f64; 2],
    /// Nodes after which a search has found the first move for good.
    pub nodes: u64,
    /// Origin in words.
    pub source: String,
}

impl Puzzle {
    /// Returns the grade of difficulty, from 1 to [`MAX_GRADE`].
    pub fn grade(&self) -> u32 {
        1 + GRADE_NODES.iter().filter(|&&limit| self.nodes > limit).count() as u32
    }

    /// Returns the position before the opponent's last move, that move, the position of the puzzle and the moves of the
    /// solution; `None` if a text is invalid.
    pub fn play(&self) -> Option<Played> {
        let before = Board::from_fen(&self.before, CastlingRules::Fischer).ok()?;
        let last = before.parse_move(&self.last)?;
        let mut board = before.clone();
        board.make_move(last);
        let start = board.clone();
        let mut moves = Vec::new();
        for text in &self.solution {
            let mv = board.parse_move(text)?;
            board.make_move(mv);
            moves.push(mv);
        }
        (moves.len() % 2 == 1).then_some(Played { before, last, board: start, moves })
    }
}

/// Puzzle with boards and moves.
pub struct Played {
    /// Position before the opponent's last move.
    pub before: Board,
    /// Last move of the opponent.
    pub last: Move,
    /// Position of the puzzle.
    pub board: Board,
    /// Moves of the solution.
    pub moves: Vec<Move>,
}

/// Set of puzzles, chosen in the order in which they were found.
pub struct Selection {
    count: u64,
    easy: u64,
    positions: HashSet<String>,
    puzzles: Vec<(Puzzle, Played)>,
}

impl Selection {
    /// Creates an empty set for `count` puzzles.
    pub fn new(count: u64) -> Self {
        Self { count, easy: 0, positions: HashSet::new(), puzzles: Vec::new() }
    }

    /// Adds a puzzle, unless it is invalid, repeats a position, or is easy and one too many of these.
    pub fn add(&mut self, puzzle: Puzzle) {
        let Some(played) = puzzle.play() else { return };
        let is_easy = puzzle.grade() == EASY_GRADE;
        let fen = played.board.fen(FenStyle::Shredder);
        let position = fen.split(' ').take(POSITION_FIELDS).collect::<Vec<_>>().join(" ");
        if self.is_full()
            || is_easy && self.easy >= self.count / EASY_SHARE
            || !self.positions.insert(position)
        {
            return;
        }
        self.easy += u64::from(is_easy);
        self.puzzles.push((puzzle, played));
    }

    /// Returns the number of puzzles.
    pub fn len(&self) -> u64 {
        self.puzzles.len() as u64
    }

    /// Returns `true` if no more puzzles are needed.
    pub fn is_full(&self) -> bool {
        self.len() == self.count
    }

    /// Returns the puzzles, the easiest first.
    pub fn sorted(mut self) -> Vec<(Puzzle, Played)> {
        self.puzzles.sort_by_key(|(puzzle, _)| puzzle.nodes);
        self.puzzles
    }
}

/// Fields of a FEN that make the position: board, side, castling, en passant.
pub const POSITION_FIELDS: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    fn puzzle(knight: &str, nodes: u64) -> Puzzle {
        let before = format!("4k3/8/8/8/8/8/8/{knight}/4K3 b - - 0 9").replace("8/8/8/8/8/8/", "8/8/8/8/8/");
        Puzzle {
            before,
            last: "e8e7".to_owned(),
            solution: vec!["e1e2".to_owned()],
            chances: [90.0, 50.0],
            nodes,
            source: String::new(),
        }
    }

    #[test]
    fn grades_follow_nodes() {
        let grade = |nodes| puzzle("N7", nodes).grade();
        assert_eq!([1, 1_000, 1_001, 4_000, 4_001, 16_001].map(grade), [1, 1, 2, 2, 3, MAX_GRADE]);
    }

    #[test]
    fn easy_puzzles_fill_third() {
        let mut selection = Selection::new(6);
        for (index, rank) in ["N7", "1N6", "2N5", "3N4", "4N3", "5N2", "6N1", "7N"].iter().enumerate() {
            selection.add(puzzle(rank, 100 + index as u64));
        }
        assert_eq!(selection.len(), 2);
        // The same position is taken once.
        for nodes in [9_000, 9_001] {
            selection.add(puzzle("B7", nodes));
        }
        assert_eq!(selection.len(), 3);
        for (index, rank) in ["1B6", "2B5", "3B4", "4B3"].iter().enumerate() {
            selection.add(puzzle(rank, 2_000 + index as u64));
        }
        assert!(selection.is_full());
        let nodes: Vec<u64> = selection.sorted().iter().map(|(puzzle, _)| puzzle.nodes).collect();
        assert_eq!(nodes, [100, 101, 2_000, 2_001, 2_002, 9_000]);
    }

    #[test]
    fn invalid_solutions_are_rejected() {
        let valid = puzzle("N7", 1);
        assert!(valid.play().is_some());
        let illegal = Puzzle { solution: vec!["e1e3".to_owned()], ..valid.clone() };
        let two = Puzzle { solution: vec!["e1e2".to_owned(), "e7e6".to_owned()], ..valid };
        assert!(illegal.play().is_none() && two.play().is_none());
    }
}
