//! A puzzle, and the selection of a set of puzzles.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::phase::Phase;
use enroque::chess::{Board, CastlingRules, FenStyle, Move};
use enroque_study::motif::Motif;

/// Grade 1 puzzles are solved within the first number of nodes, and grade 2 puzzles within the second.
const GRADE_NODES: [u64; 2] = [150, 500];
pub const MAX_GRADE: u32 = GRADE_NODES.len() as u32 + 1;

/// What the solution of a puzzle achieves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Goal {
    Win,
    /// The only move that doesn't lose.
    Draw,
}

impl Goal {
    /// Returns what the move does: `wins`.
    pub fn verb(self) -> &'static str {
        match self {
            Self::Win => "wins",
            Self::Draw => "saves a draw",
        }
    }
}

/// A position in which only one move wins, or saves a draw.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Puzzle {
    /// The position before the opponent's last move, in X-FEN.
    pub before: String,
    /// The opponent's last move, in UCI notation.
    pub last: String,
    /// The moves of both sides in UCI notation. The first and the last are the solver's.
    pub solution: Vec<String>,
    /// What follows, moves of both sides, until the point of the solution is on the board; empty if it is there already.
    pub continuation: Vec<String>,
    pub goal: Goal,
    pub motif: Motif,
    pub phase: Phase,
    /// The solver's score on the scale of chess sites: `+4.10` or `#3`.
    pub score: String,
    /// Win percentages of the solution's first move and of the best other move.
    pub chances: [f64; 2],
    /// How many nodes a search with two lines took until the solution's first move was far ahead for good.
    pub nodes: u64,
    /// Where the puzzle comes from: the players of the game, or self-play and the name of the start.
    pub source: String,
}

impl Puzzle {
    /// Returns how hard the puzzle is, from 1 (easy) to [`MAX_GRADE`].
    pub fn grade(&self) -> u32 {
        1 + GRADE_NODES.iter().filter(|&&limit| self.nodes > limit).count() as u32
    }

    /// Plays through the puzzle. Returns `None` if its FEN, a move, or the number of moves is invalid.
    pub fn play(self) -> Option<Played> {
        let before = Board::from_fen(&self.before, CastlingRules::Fischer).ok()?;
        let last = before.parse_move(&self.last)?;
        let mut board = before.clone();
        board.make_move(last);
        let start = board.clone();
        let mut play = |texts: &[String]| -> Option<Vec<Move>> {
            let mut play = |text: &String| {
                let mv = board.parse_move(text)?;
                board.make_move(mv);
                Some(mv)
            };
            texts.iter().map(&mut play).collect()
        };
        let moves = play(&self.solution)?;
        let continuation = play(&self.continuation)?;
        (moves.len() % 2 == 1).then_some(Played {
            puzzle: self,
            before,
            last,
            board: start,
            moves,
            continuation,
        })
    }
}

/// A puzzle whose FEN and moves have been parsed.
pub struct Played {
    pub puzzle: Puzzle,
    /// The position before the opponent's last move.
    pub before: Board,
    pub last: Move,
    /// The position in which the solver begins, after `last`.
    pub board: Board,
    /// The moves of the solution, by both sides.
    pub moves: Vec<Move>,
    /// The moves after the solution, until its point is on the board.
    pub continuation: Vec<Move>,
}

impl Played {
    /// Returns the solution and the continuation.
    pub fn line(&self) -> Vec<Move> {
        [&self.moves[..], &self.continuation].concat()
    }
}

/// In a set, at most one puzzle in this many is solved by a single move.
const SINGLE_SHARE: u64 = 4;

/// Chooses a set with equal shares of all grades and few solutions of one move, in the order in which the puzzles come.
/// If there are too few in the end, surplus puzzles take their places.
pub struct Selection {
    count: u64,
    positions: HashSet<String>,
    /// Puzzles chosen so far: of each grade, at most its share.
    chosen: Vec<Played>,
    /// How many puzzles of each grade we have chosen.
    taken: [u64; MAX_GRADE as usize],
    /// How many of the chosen puzzles a single move solves.
    singles: u64,
    surplus: Vec<Played>,
}

impl Selection {
    pub fn new(count: u64) -> Self {
        let taken = [0; MAX_GRADE as usize];
        Self { count, positions: HashSet::new(), chosen: Vec::new(), taken, singles: 0, surplus: Vec::new() }
    }

    /// Adds a puzzle, unless it is invalid or its position was added before. Returns whether the set has a place for it.
    pub fn add(&mut self, puzzle: Puzzle) -> bool {
        let Some(played) = puzzle.play() else { return false };
        if !self.positions.insert(position_of(&played.board, FenStyle::XFen)) {
            return false;
        }
        let is_full = self.is_full();
        let taken = &mut self.taken[played.puzzle.grade() as usize - 1];
        let single = u64::from(played.moves.len() == 1);
        let has_share = *taken < self.count.div_ceil(u64::from(MAX_GRADE));
        let has_place = !is_full && has_share && self.singles + single <= self.count.div_ceil(SINGLE_SHARE);
        if has_place {
            *taken += 1;
            self.singles += single;
            self.chosen.push(played);
        } else {
            self.surplus.push(played);
        }
        has_place
    }

    /// Returns how many puzzles are chosen. Surplus puzzles don't count.
    pub fn len(&self) -> u64 {
        self.chosen.len() as u64
    }

    pub fn is_full(&self) -> bool {
        self.len() == self.count
    }

    /// Fills the set up with surplus puzzles and returns it, the easiest puzzles first.
    pub fn sorted(mut self) -> Vec<Played> {
        let missing = self.count - self.len();
        self.chosen.extend(self.surplus.into_iter().take(missing as usize));
        self.chosen.sort_by_key(|played| played.puzzle.nodes);
        self.chosen
    }
}

/// Returns the first four fields of a FEN, without the counters: two positions are the same if these fields are.
pub fn position_of(board: &Board, style: FenStyle) -> String {
    board.fen(style).split(' ').take(4).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn puzzle(knight: &str, nodes: u64) -> Puzzle {
        let before = format!("4k3/8/8/8/8/8/8/{knight}/4K3 b - - 0 9").replace("8/8/8/8/8/8/", "8/8/8/8/8/");
        Puzzle {
            before,
            last: "e8e7".to_owned(),
            solution: ["e1e2", "e7e8", "e2e1"].map(str::to_owned).to_vec(),
            continuation: Vec::new(),
            goal: Goal::Win,
            motif: Motif::Mate,
            phase: Phase::Ending,
            score: "+6.00".to_owned(),
            chances: [90.0, 50.0],
            nodes,
            source: String::new(),
        }
    }

    #[test]
    fn grades_follow_nodes() {
        let grade = |nodes| puzzle("N7", nodes).grade();
        assert_eq!([1, 150, 151, 500, 501].map(grade), [1, 1, 2, 2, MAX_GRADE]);
    }

    #[test]
    fn grades_have_equal_shares() {
        let set = |found: &[(&str, u64)]| {
            let mut selection = Selection::new(6);
            for &(square, nodes) in found {
                selection.add(puzzle(square, nodes));
            }
            let is_full = selection.is_full();
            (is_full, selection.sorted().iter().map(|played| played.puzzle.nodes).collect::<Vec<_>>())
        };
        let easy = [("N7", 100), ("1N6", 101), ("2N5", 102), ("3N4", 103), ("4N3", 104)];
        let others = [("B7", 9_000), ("1B6", 300), ("2B5", 8_000), ("3B4", 400), ("4B3", 7_000)];
        assert_eq!(set(&[&easy[..], &others].concat()), (true, vec![100, 101, 300, 400, 8_000, 9_000]));
        // Surplus easy puzzles take the places of grades that have too few.
        assert_eq!(set(&[&easy[..], &others[..2]].concat()), (false, vec![100, 101, 102, 103, 300, 9_000]));
        // Two of six puzzles may be solved by a single move.
        let mut selection = Selection::new(6);
        for (square, nodes) in easy.iter().take(2).chain(&others) {
            selection.add(Puzzle { solution: vec!["e1e2".to_owned()], ..puzzle(square, *nodes) });
        }
        assert_eq!((selection.is_full(), selection.len(), selection.sorted().len()), (false, 2, 6));
        // A second puzzle with the same position is ignored.
        assert_eq!(set(&[easy[0], ("N7", 9_000)]), (false, vec![100]));
    }

    #[test]
    fn invalid_solutions_are_rejected() {
        let valid = puzzle("N7", 1);
        let illegal = Puzzle { solution: vec!["e1e3".to_owned()], ..valid.clone() };
        let two = Puzzle { solution: vec!["e1e2".to_owned(), "e7e6".to_owned()], ..valid.clone() };
        assert!(valid.play().is_some() && illegal.play().is_none() && two.play().is_none());
    }
}
