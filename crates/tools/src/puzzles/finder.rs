//! Finds a puzzle in a game. A short first look picks candidates, and two MultiPV searches prove that only one move
//! wins. The second of them also tells how hard the move is to find. More searches play on to the end of the solution.

use anyhow::Result;

use super::games::Opening;
use super::puzzle::Puzzle;
use crate::searcher::{Effort, Iteration, Searcher};
use enroque::chess::see::see_value;
use enroque::chess::{Board, CastlingNotation, FenStyle, Move, PieceKind};
use enroque_study::line::Variation;

/// A puzzle is too easy if a search with this many nodes, with one line or with two, already finds the winning move:
/// what it sees at a glance, a player sees, too.
const GLANCE_NODES: u64 = 400;
/// Node limit of the first look: the short search of each position that picks candidates.
const FIRST_LOOK_NODES: u64 = 10_000;
/// When we search for the opponent's reply, we divide the node limit of a proof by this.
const REPLY_DIVISOR: u64 = 2;
/// In each game we try to prove at most this many candidates, the hardest first.
const MAX_CANDIDATES: usize = 4;
/// The solver plays at most this many moves in a solution.
const MAX_OWN_MOVES: usize = 6;

pub struct Finder<'a> {
    searcher: &'a mut Searcher,
    effort: Effort,
}

/// A position that may be a puzzle.
struct Candidate {
    /// The position before `last`, the opponent's move that leads to `board`.
    before: Board,
    last: Move,
    board: Board,
    /// The best move in `board` according to the first look.
    mv: Move,
    /// How many nodes the first look took to settle on `mv`.
    nodes: u64,
}

impl<'a> Finder<'a> {
    /// A proof takes two searches: the first has `nodes` nodes, and the second twice as many.
    pub fn new(searcher: &'a mut Searcher, nodes: u64) -> Self {
        Self { searcher, effort: Effort::nodes(nodes) }
    }

    /// Tries the hardest candidates of a game first, and returns the first one that we can prove to be a puzzle.
    pub fn find(&mut self, opening: &Opening) -> Result<Option<Puzzle>> {
        let mut candidates = self.candidates(opening)?;
        candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.nodes));
        for candidate in candidates.iter().take(MAX_CANDIDATES) {
            if let Some(puzzle) = self.prove(candidate, &opening.source)? {
                return Ok(Some(puzzle));
            }
        }
        Ok(None)
    }

    /// Takes a first look at the position after each move of the opening, and returns those that may be puzzles.
    fn candidates(&mut self, opening: &Opening) -> Result<Vec<Candidate>> {
        self.searcher.new_game();
        let first_look = Effort::nodes(FIRST_LOOK_NODES.min(self.effort.nodes));
        let mut candidates = Vec::new();
        let mut before = opening.start.clone();
        for &last in &opening.moves {
            let mut board = before.clone();
            board.make_move(last);
            board.trim_history();
            let found = self.searcher.search(&board, 2, first_look)?;
            if let Some((mv, nodes)) = promising(&board, &found, last) {
                candidates.push(Candidate { before, last, board: board.clone(), mv, nodes });
            }
            before = board;
        }
        Ok(candidates)
    }

    fn prove(&mut self, candidate: &Candidate, source: &str) -> Result<Option<Puzzle>> {
        let &Candidate { ref before, last, ref board, mv, .. } = candidate;
        if self.sees_at_a_glance(board, mv)? {
            return Ok(None);
        }
        let proof = self.only_move(board)?.filter(|&(ref only, nodes)| only.mv == mv && nodes > GLANCE_NODES);
        let Some((only, nodes)) = proof else { return Ok(None) };
        let text = |board: &Board, mv| board.format_move(mv, CastlingNotation::KingTakesRook);
        let mut solution = Vec::new();
        let mut board = board.clone();
        let moves = self.solution(&board, only.mv)?;
        if only_takes(&board, &moves) {
            return Ok(None);
        }
        for mv in moves {
            solution.push(text(&board, mv));
            board.make_move(mv);
        }
        Ok(Some(Puzzle {
            before: before.fen(FenStyle::XFen),
            last: text(before, last),
            solution,
            chances: only.chances.map(rounded),
            nodes,
            source: source.to_owned(),
        }))
    }

    fn sees_at_a_glance(&mut self, board: &Board, mv: Move) -> Result<bool> {
        self.searcher.new_game();
        let found = self.searcher.search(board, 1, Effort::nodes(GLANCE_NODES))?;
        let is_winner =
            |line: &Variation| line.pv.first() == Some(&mv) && line.win_percent() >= PROOF.winning;
        Ok(found.last().and_then(|iteration| iteration.lines.first()).is_some_and(is_winner))
    }

    /// Searches twice, the second time with twice the nodes. If both searches find the same only winning move, returns
    /// it, and how many nodes the second one took to settle on it.
    fn only_move(&mut self, board: &Board) -> Result<Option<(OnlyMove, u64)>> {
        let mut first = None;
        for effort in [self.effort, Effort::nodes(self.effort.nodes.saturating_mul(2))] {
            self.searcher.new_game();
            let found = self.searcher.search(board, 2, effort)?;
            let only = found.last().and_then(|iteration| only_winner(&iteration.lines));
            let Some(only) = only.filter(|only| first.is_none_or(|mv| mv == only.mv)) else {
                return Ok(None);
            };
            if first.is_some() {
                return Ok(nodes_to_find(&found, only.mv).map(|nodes| (only, nodes)));
            }
            first = Some(only.mv);
        }
        Ok(None)
    }

    /// Plays on from `first` as long as the solver has only one winning move, and returns the moves of both sides.
    fn solution(&mut self, board: &Board, first: Move) -> Result<Vec<Move>> {
        let mut board = board.clone();
        let mut moves = vec![first];
        board.make_move(first);
        for _ in 1..MAX_OWN_MOVES {
            self.searcher.new_game();
            let found = self.searcher.search(&board, 1, self.effort.share(REPLY_DIVISOR))?;
            let Some(reply) = best(&found) else { break };
            board.make_move(reply);
            let Some((own, _)) = self.only_move(&board)? else { break };
            moves.extend([reply, own.mv]);
            board.make_move(own.mv);
        }
        Ok(moves)
    }
}

/// Returns the best move of the first look if it may solve a puzzle, and how many nodes it took to settle on that move.
fn promising(board: &Board, found: &[Iteration], last: Move) -> Option<(Move, u64)> {
    let mv = candidate(&found.last()?.lines).filter(|&mv| !takes_material(board, mv, last))?;
    Some((mv, nodes_to_find(found, mv)?))
}

/// Whether a move is only a recapture, or captures something that nothing defends.
fn takes_material(board: &Board, mv: Move, last: Move) -> bool {
    // En passant leaves the target square without a piece to look up; the victim is a pawn.
    let victim = board.piece_on(mv.to()).map_or(PieceKind::Pawn, |piece| piece.kind());
    let is_recapture = last.is_capture() && mv.to() == last.to();
    mv.is_capture() && (is_recapture || board.see_at_least(mv, see_value(victim)))
}

/// Whether the solution is a single capture that wins at least a pawn by exchanges: every beginner looks at that first.
fn only_takes(board: &Board, solution: &[Move]) -> bool {
    let &[mv] = solution else { return false };
    mv.is_capture() && board.see_at_least(mv, see_value(PieceKind::Pawn))
}

fn rounded(percent: f64) -> f64 {
    (percent * 10.0).round() / 10.0
}

/// What win percentages the two best moves must have for the best one to count as the only winning move.
struct Bounds {
    /// The best move must have at least this win percentage.
    winning: f64,
    /// The second-best move must stay below this win percentage.
    others: f64,
    /// The best move must be at least this many percentage points ahead of the second-best.
    gap: f64,
}

/// The bounds that a proof must meet.
const PROOF: Bounds = Bounds { winning: 60.0, others: 60.0, gap: 15.0 };
/// The bounds for a candidate in the first look. They are wider, because the scores of a short search are less exact.
const CANDIDATE: Bounds = Bounds { winning: 58.0, others: 62.0, gap: 8.0 };

impl Bounds {
    fn admit(&self, [best, second]: [f64; 2]) -> bool {
        best >= self.winning && second < self.others && best - second >= self.gap
    }
}

/// A winning move in a position where no other move wins.
struct OnlyMove {
    mv: Move,
    /// Win percentages of `mv` and of the best other move.
    chances: [f64; 2],
}

/// Returns the best move if it wins, and the second-best move doesn't and is far behind.
fn only_winner(lines: &[Variation]) -> Option<OnlyMove> {
    let (best, others) = lines.split_first()?;
    let chances = [best.win_percent(), others.first().map_or(0.0, Variation::win_percent)];
    PROOF.admit(chances).then_some(OnlyMove { mv: *best.pv.first()?, chances })
}

/// Returns the best move of the first look if it may be the only winning one. A move that is forced doesn't count.
fn candidate(lines: &[Variation]) -> Option<Move> {
    let [best, second] = lines else { return None };
    if CANDIDATE.admit([best, second].map(Variation::win_percent)) { best.pv.first().copied() } else { None }
}

fn best(found: &[Iteration]) -> Option<Move> {
    found.last()?.lines.first()?.pv.first().copied()
}

/// Returns how many nodes the search took until `mv` was far ahead of the second-best move, and stayed so to the end.
fn nodes_to_find(found: &[Iteration], mv: Move) -> Option<u64> {
    let is_ahead = |lines: &&[Variation]| {
        let second = lines.get(1).map_or(0.0, Variation::win_percent);
        lines
            .first()
            .is_some_and(|line| line.pv.first() == Some(&mv) && line.win_percent() - second >= CANDIDATE.gap)
    };
    let last_ones = found.iter().rev().map(|iteration| iteration.lines.as_slice()).take_while(is_ahead);
    last_ones.last()?.first().map(|line| line.nodes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use enroque::chess::CastlingRules;

    fn iteration(nodes: u64, moves: &[(&str, i32)]) -> Iteration {
        Iteration::of_moves(&Board::startpos(), 1, nodes, moves)
    }

    #[test]
    fn winner_must_be_only_one() {
        let is_only = |scores: [i32; 2]| {
            let lines = iteration(1, &[("e2e4", scores[0]), ("d2d4", scores[1])]).lines;
            (candidate(&lines).is_some(), only_winner(&lines).is_some())
        };
        assert_eq!(is_only([300, 0]), (true, true));
        // Such a lead is enough for the first look, whose bounds are wider, but not for a proof.
        assert_eq!(is_only([100, 0]), (true, false));
        // There is no puzzle if both moves win, if neither does, or if they are too close.
        assert_eq!([[900, 300], [0, -300], [120, 80]].map(is_only), [(false, false); 3]);
        let only_legal = iteration(1, &[("e2e4", 300)]).lines;
        assert!(candidate(&only_legal).is_none() && only_winner(&only_legal).is_some());
    }

    #[test]
    fn taking_what_hangs_is_no_tactic() {
        for (fen, last, mv, takes) in [
            // First nothing defends the knight, then a pawn does.
            ("4k3/8/p2n4/8/8/8/8/3RK3 b - - 0 1", "a6a5", "d1d6", true),
            ("4k3/2p5/p2n4/8/8/8/8/3RK3 b - - 0 1", "a6a5", "d1d6", false),
            // The king is the only defender of f7, and the bishop on c4 keeps it from recapturing.
            ("r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 3", "g8f6", "h5f7", true),
            // Recapturing on f4 is no tactic, even though a pawn defends the square.
            ("4k3/8/3b4/6p1/5N2/8/8/5RK1 b - - 0 1", "d6f4", "f1f4", true),
            // En passant: first nothing can recapture on d6, then the pawn on c7 can.
            ("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5", "e5d6", true),
            ("4k3/2pp4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5", "e5d6", false),
        ] {
            let mut board = Board::from_fen(fen, CastlingRules::Fischer).unwrap();
            let last = board.parse_move(last).unwrap();
            board.make_move(last);
            let mv = board.parse_move(mv).unwrap();
            assert_eq!(takes_material(&board, mv, last), takes, "{fen}");
        }
    }

    #[test]
    fn winning_a_piece_at_once_is_no_tactic() {
        // The pawn wins a defended knight at once. If the solution goes on, its point may come later.
        let board = Board::from_fen(
            "rq1bnrk1/3p1b1p/2pnp2P/4Ppp1/pp1P4/P4P2/1PQ1N1P1/R2BNKBR w KQ - 0 14",
            CastlingRules::Fischer,
        );
        let board = board.unwrap();
        let [takes, trades, other] = ["e5d6", "c2f5", "g2g4"].map(|mv| board.parse_move(mv).unwrap());
        assert!(only_takes(&board, &[takes]) && !only_takes(&board, &[takes, other, trades]));
        assert!(!only_takes(&board, &[trades]) && !only_takes(&board, &[other]));
    }

    #[test]
    fn found_move_stays_far_ahead() {
        let found = [
            iteration(10, &[("e2e4", 300), ("d2d4", 0)]),
            iteration(20, &[("e2e4", 300), ("d2d4", 290)]),
            iteration(30, &[("e2e4", 300), ("d2d4", 100)]),
            iteration(40, &[("e2e4", 300), ("d2d4", 0)]),
        ];
        let [e4, d4] = ["e2e4", "d2d4"].map(|mv| Board::default().parse_move(mv).unwrap());
        assert_eq!([e4, d4].map(|mv| nodes_to_find(&found, mv)), [Some(30), None]);
        let other = iteration(50, &[("d2d4", 300), ("e2e4", 0)]);
        assert_eq!(nodes_to_find(&[&found[..], &[other]].concat(), d4), Some(50));
    }
}
