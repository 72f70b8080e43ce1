//! Finds a puzzle in a game. A short first look picks candidates, and two MultiPV searches prove that only one move
//! wins, or saves a draw. The second of them also tells how hard the move is to find. More searches play on until the
//! point of the solution is on the board.

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::games::Game;
use super::phase::Phase;
use super::puzzle::{Goal, Puzzle};
use crate::searcher::{Iteration, Searcher};
use enroque::chess::see::see_value;
use enroque::chess::{Board, FenStyle, Move, PieceKind};
use enroque::search::limits::Limits;
use enroque_study::evaluation::Shown;
use enroque_study::judgement::rounded;
use enroque_study::line::{Variation, numbered};
use enroque_study::motif::{self, MIN_GAIN, Motif};

/// A puzzle of one move is too easy if a search with this many nodes, with one line or with two, already finds the move:
/// what it sees at a glance, a player sees, too.
const GLANCE_NODES: u64 = 400;
/// Node limit of the first look: the short search of each position that picks candidates.
const FIRST_LOOK_NODES: u64 = 10_000;
/// When we search for the opponent's reply, we divide the node limit of a proof by this.
const REPLY_DIVISOR: u64 = 2;
/// In each game we try to prove at most this many candidates, the hardest first.
const MAX_CANDIDATES: usize = 4;
/// The solver plays at most this many moves in a solution.
const MAX_OWN_MOVES: usize = 5;
/// With fewer legal moves than this there is nothing to choose.
const MIN_CHOICE: usize = 3;
/// After the solution we search at most this many times for the line that shows its point.
const MAX_POINT_SEARCHES: usize = 3;
/// If a solution only averts a loss, we show this many plies after it.
const DEFENCE_PLIES: usize = 2;

pub struct Finder<'a> {
    searcher: &'a mut Searcher,
    /// Node limit of the first search of a proof.
    nodes: u64,
    phases: &'a [Phase],
    /// Number of the last move that counts as opening.
    opening: u32,
}

/// Why a candidate is no puzzle.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    Takes,
    Forced,
    Glance,
    NotOnly,
    OneCapture,
    NoPoint,
    Harder,
}

impl Reason {
    /// Says what is wrong with the candidate.
    pub fn text(self) -> &'static str {
        match self {
            Self::Takes => "recaptures, or captures something undefended",
            Self::Forced => "leaves no choice, or only steps out of check",
            Self::Glance => "is all there is to find, and seen at a glance",
            Self::NotOnly => "is not the only good move in a longer search",
            Self::OneCapture => "is a capture that simply gains material",
            Self::NoPoint => "wins nothing that one could show",
            Self::Harder => "comes from a game with a harder one",
        }
    }
}

/// A candidate that is no puzzle.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Dropped {
    /// The move with its number: `12... Nxe4`.
    #[serde(rename = "move")]
    pub mv: String,
    pub reason: Reason,
}

/// What we found in a game.
#[derive(Default)]
pub struct Found {
    pub puzzle: Option<Puzzle>,
    pub dropped: Vec<Dropped>,
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

impl Candidate {
    fn dropped(&self, reason: Reason) -> Dropped {
        Dropped { mv: numbered(&self.board, &[self.mv]), reason }
    }
}

impl<'a> Finder<'a> {
    /// A proof takes two searches: the first has `nodes` nodes, and the second twice as many. Puzzles come from
    /// `phases`; `opening` is the number of the last move that counts as opening.
    pub fn new(searcher: &'a mut Searcher, nodes: u64, phases: &'a [Phase], opening: u32) -> Self {
        Self { searcher, nodes, phases, opening }
    }

    /// Tries the hardest candidates of a game first, and stops at the first one that we can prove to be a puzzle.
    pub fn find(&mut self, game: &Game) -> Result<Found> {
        let mut found = Found::default();
        let mut candidates = self.candidates(game, &mut found.dropped)?;
        candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.nodes));
        for (index, candidate) in candidates.iter().enumerate() {
            if found.puzzle.is_some() || index >= MAX_CANDIDATES {
                found.dropped.push(candidate.dropped(Reason::Harder));
                continue;
            }
            match self.prove(candidate, &game.source)? {
                Ok(puzzle) => found.puzzle = Some(puzzle),
                Err(reason) => found.dropped.push(candidate.dropped(reason)),
            }
        }
        Ok(found)
    }

    /// Takes a first look at each position of the phases, and returns those that may be puzzles.
    fn candidates(&mut self, game: &Game, dropped: &mut Vec<Dropped>) -> Result<Vec<Candidate>> {
        self.searcher.new_game();
        let first_look = FIRST_LOOK_NODES.min(self.nodes);
        let mut candidates = Vec::new();
        let mut before = game.start.clone();
        for &last in &game.moves {
            let mut board = before.clone();
            board.make_move(last);
            board.trim_history();
            if self.phases.contains(&Phase::of(&board, self.opening)) {
                let found = self.searcher.search(&board, 2, Limits::nodes(first_look))?;
                if let Some((mv, nodes)) = promising(&found) {
                    let candidate = Candidate { before, last, board: board.clone(), mv, nodes };
                    match triviality(&candidate) {
                        Some(reason) => dropped.push(candidate.dropped(reason)),
                        None => candidates.push(candidate),
                    }
                }
            }
            before = board;
        }
        Ok(candidates)
    }

    fn prove(&mut self, candidate: &Candidate, source: &str) -> Result<Result<Puzzle, Reason>> {
        let &Candidate { ref before, last, ref board, mv, .. } = candidate;
        let is_glance = self.sees_at_a_glance(board, mv)?;
        let Some((only, nodes)) = self.only_move(board)?.filter(|(only, _)| only.mv == mv) else {
            return Ok(Err(Reason::NotOnly));
        };
        let solution = self.solution(board, &only)?;
        // A combination has more to find than its first move.
        if solution.own == 1 && (is_glance || nodes <= GLANCE_NODES) {
            return Ok(Err(Reason::Glance));
        }
        if only_takes(board, &solution.moves[..solution.own]) {
            return Ok(Err(Reason::OneCapture));
        }
        let Some(motif) = solution.motif else { return Ok(Err(Reason::NoPoint)) };
        let mut moves = solution.moves.iter().map(ToString::to_string);
        Ok(Ok(Puzzle {
            before: before.fen(FenStyle::XFen),
            last: last.to_string(),
            solution: moves.by_ref().take(solution.own).collect(),
            continuation: moves.collect(),
            goal: only.goal,
            motif,
            phase: Phase::of(board, self.opening),
            score: only.score,
            chances: only.chances.map(rounded),
            nodes,
            source: source.to_owned(),
        }))
    }

    fn sees_at_a_glance(&mut self, board: &Board, mv: Move) -> Result<bool> {
        self.searcher.new_game();
        let found = self.searcher.search(board, 1, Limits::nodes(GLANCE_NODES))?;
        let is_winner = |line: &Variation| line.first() == Some(mv) && line.win_percent() >= WINNING;
        Ok(found.last().and_then(|iteration| iteration.lines.first()).is_some_and(is_winner))
    }

    /// Searches twice, the second time with twice the nodes. If both searches find the same only move, returns it, and
    /// how many nodes the second one took to settle on it.
    fn only_move(&mut self, board: &Board) -> Result<Option<(OnlyMove, u64)>> {
        let mut first = None;
        for nodes in [self.nodes, self.nodes.saturating_mul(2)] {
            self.searcher.new_game();
            let found = self.searcher.search(board, 2, Limits::nodes(nodes))?;
            let only = found.last().and_then(|iteration| only_move(&iteration.lines));
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

    /// Plays on as long as the solver has only one good move, and then until the point is on the board.
    fn solution(&mut self, board: &Board, only: &OnlyMove) -> Result<Solution> {
        let mut position = board.clone();
        let mut moves = vec![only.mv];
        position.make_move(only.mv);
        let mut rest = Vec::new();
        for count in 1.. {
            rest = self.best_line(&position)?;
            let Some(&reply) = rest.first().filter(|_| count < MAX_OWN_MOVES) else { break };
            position.make_move(reply);
            let Some((own, _)) = self.only_move(&position)?.filter(|(own, _)| own.goal == only.goal) else {
                break;
            };
            moves.extend([reply, own.mv]);
            position.make_move(own.mv);
        }
        let mut own = moves.len();
        moves.extend(rest);
        for _ in 1..MAX_POINT_SEARCHES {
            if motif::point(board, &moves).is_some() {
                break;
            }
            let positions = motif::positions(board, &moves);
            let Some(end) = positions.last() else { break };
            moves.extend(self.best_line(end)?);
        }
        let motif = if let Some((found, _)) = motif::of_line(board, &moves) {
            let point = motif::point(board, &moves).unwrap_or(own);
            // Once the point is on the board, the solver has done enough. The last move is the solver's.
            own = own.min((point - 1) | 1);
            moves.truncate(point.max(own));
            Some(found)
        } else {
            let averted = motif::gain(board, &moves).zip(motif::gain(board, &only.other));
            let is_averted =
                only.other_is_mate || averted.is_some_and(|(best, other)| best - other >= MIN_GAIN);
            moves.truncate(own + DEFENCE_PLIES);
            is_averted.then_some(Motif::Defence)
        };
        Ok(Solution { moves, own, motif })
    }

    /// Returns the best line of a search for the opponent's reply; empty if the game is over.
    fn best_line(&mut self, board: &Board) -> Result<Vec<Move>> {
        self.searcher.new_game();
        let found = self.searcher.search(board, 1, Limits::nodes(self.nodes / REPLY_DIVISOR))?;
        Ok(found
            .into_iter()
            .next_back()
            .and_then(|last| last.lines.into_iter().next())
            .map_or(Vec::new(), |line| line.pv))
    }
}

/// The moves of a solution, and what follows until its point is on the board.
struct Solution {
    moves: Vec<Move>,
    /// How many of the moves the solver must find, with the replies between them.
    own: usize,
    /// `None` if the point doesn't come.
    motif: Option<Motif>,
}

/// Returns the best move of the first look if it may solve a puzzle, and how many nodes it took to settle on that move.
fn promising(found: &[Iteration]) -> Option<(Move, u64)> {
    let [best, second] = &found.last()?.lines[..] else { return None };
    CANDIDATE.goal([best.win_percent(), second.win_percent()])?;
    let mv = best.first()?;
    Some((mv, nodes_to_find(found, mv)?))
}

/// Says why nobody would have to look for the move of a candidate, if so.
fn triviality(candidate: &Candidate) -> Option<Reason> {
    let &Candidate { ref board, mv, last, .. } = candidate;
    let is_evasion = board.in_check() && mv.from() == board.king(board.side_to_move());
    if is_evasion || board.legal_moves().len() < MIN_CHOICE {
        return Some(Reason::Forced);
    }
    takes_material(board, mv, last).then_some(Reason::Takes)
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

/// A move wins from this win percentage on, which is about three pawns on the scale of chess sites.
const WINNING: f64 = 75.0;

/// What win percentages the two best moves must have for the best one to count as the only good move.
struct Bounds {
    /// A move that wins has at least this win percentage.
    winning: f64,
    /// Next to a move that wins, the second-best move stays below this win percentage.
    others: f64,
    /// A move that saves a draw is at most this far from 50 %.
    draw: f64,
    /// Next to a move that saves a draw, the second-best move has at most this win percentage.
    lost: f64,
    /// The best move must be at least this many percentage points ahead of the second-best.
    gap: f64,
}

/// The bounds that a proof must meet.
const PROOF: Bounds = Bounds { winning: WINNING, others: 60.0, draw: 8.0, lost: 25.0, gap: 20.0 };
/// The bounds for a candidate in the first look. They are wider, because the scores of a short search are less exact.
const CANDIDATE: Bounds = Bounds { winning: 70.0, others: 65.0, draw: 12.0, lost: 30.0, gap: 12.0 };

impl Bounds {
    /// Returns what the best move achieves that the second-best doesn't.
    fn goal(&self, [best, second]: [f64; 2]) -> Option<Goal> {
        if best - second < self.gap {
            None
        } else if best >= self.winning {
            (second < self.others).then_some(Goal::Win)
        } else {
            ((best - EVEN).abs() <= self.draw && second <= self.lost).then_some(Goal::Draw)
        }
    }
}

/// The win percentage of an even position.
const EVEN: f64 = 50.0;

/// A good move in a position where no other move is good enough.
struct OnlyMove {
    mv: Move,
    goal: Goal,
    /// The score of `mv` on the scale of chess sites, for the side to move.
    score: String,
    /// Win percentages of `mv` and of the best other move.
    chances: [f64; 2],
    /// The line of the best other move; empty if there is none.
    other: Vec<Move>,
    /// Whether the best other move is mated.
    other_is_mate: bool,
}

/// Returns the best move if no other move achieves the same.
fn only_move(lines: &[Variation]) -> Option<OnlyMove> {
    let (best, others) = lines.split_first()?;
    let other = others.first();
    let chances = [best.win_percent(), other.map_or(0.0, Variation::win_percent)];
    Some(OnlyMove {
        mv: best.first()?,
        goal: PROOF.goal(chances)?,
        score: best.evaluation.site.to_string(),
        chances,
        other: other.map_or_else(Vec::new, |line| line.pv.clone()),
        other_is_mate: other.is_some_and(|line| matches!(line.evaluation.site, Shown::Mate(..0))),
    })
}

/// Returns how many nodes the search took until `mv` was far ahead of the second-best move, and stayed so to the end.
fn nodes_to_find(found: &[Iteration], mv: Move) -> Option<u64> {
    let is_ahead = |lines: &&[Variation]| {
        let second = lines.get(1).map_or(0.0, Variation::win_percent);
        lines
            .first()
            .is_some_and(|line| line.first() == Some(mv) && line.win_percent() - second >= CANDIDATE.gap)
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
    fn only_one_move_may_be_good_enough() {
        let goals = |scores: [i32; 2]| {
            let lines = iteration(1, &[("e2e4", scores[0]), ("d2d4", scores[1])]).lines;
            let first_look = CANDIDATE.goal([lines[0].win_percent(), lines[1].win_percent()]);
            (first_look, only_move(&lines).map(|only| only.goal))
        };
        let (win, draw) = (Some(Goal::Win), Some(Goal::Draw));
        // 300 centipawns are 75.1 %, 250 are 71.5 %, -300 are 24.9 % and -250 are 28.5 %.
        assert_eq!(goals([300, 0]), (win, win));
        assert_eq!(goals([0, -300]), (draw, draw));
        // That is enough for the first look, whose bounds are wider, but not for a proof.
        assert_eq!([goals([250, 0]), goals([0, -250])], [(win, None), (draw, None)]);
        // There is no puzzle if both moves win, if neither does, or if the second is good, too.
        assert_eq!(
            [[900, 300], [200, 0], [300, 180], [-200, -900], [150, -900]].map(goals),
            [(None, None); 5]
        );
        let only_legal = iteration(1, &[("e2e4", 300)]);
        assert!(
            promising(std::slice::from_ref(&only_legal)).is_none() && only_move(&only_legal.lines).is_some()
        );
    }

    #[test]
    fn stepping_out_of_check_is_no_puzzle() {
        let trivial = |fen: &str, mv: &str| {
            let board = Board::from_fen(fen, CastlingRules::Fischer).unwrap();
            let mv = board.parse_move(mv).unwrap();
            triviality(&Candidate { before: board.clone(), last: mv, board, mv, nodes: 1 })
        };
        let check = "7k/8/8/8/8/8/3PRPPP/r5K1 w - - 0 1";
        assert_eq!(trivial(check, "e2e1"), Some(Reason::Forced), "the only legal move");
        let rook = "7k/8/8/8/8/1B6/5P1P/r1B3K1 w - - 0 1";
        assert_eq!(trivial(rook, "g1g2"), None, "no check");
        let two = "7k/8/8/8/8/8/PPPB2PP/1r4K1 w - - 0 1";
        assert_eq!(trivial(two, "g1f2"), Some(Reason::Forced), "a king move");
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
