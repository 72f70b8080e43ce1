//! Plans the searches of a review, and judges the moves of a game by what the searches found.
//!
//! A short look at each position comes first. Where it leaves open whether a move deserves a mark, one search compares
//! the move with the best other one at equal depth, and longer searches repeat the comparison until it is clear. What
//! to search depends only on what was found, so that the tools and the web page give the same marks.

use enroque::chess::{Board, Move};

use super::judgement::{Loss, MARKS, MAX_CENTIPAWNS, Summary, mark_of, sign_of, summarize, win_percent};
use super::line::Variation;
use super::reason::reason;

/// The first look at a position takes this part of what the position may cost.
const FIRST_DIVISOR: u32 = 16;
/// A comparison of a move takes these parts, one after another. With the first look, all together stay below one.
const DIVISORS: [u32; 3] = [8, 4, 2];

/// We compare a move if the win percentages before and after it differ by at least this many points.
const MIN_CHANGE: f64 = 3.0;
/// A move that loses fewer points than this in a comparison gets no second one.
const CALM: f64 = 3.0;
/// A move that loses more points than this in its first comparison, and as much before, gets no second one.
const CLEAR: f64 = 20.0;
/// Two comparisons in a row settle a loss if they differ by at most this many points, and if the loss is farther than
/// `NEAR` from each loss at which another mark begins.
const AGREEMENT: f64 = 2.0;
const NEAR: f64 = 1.5;

/// A search that a review needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// Index of the position in the game.
    pub at: usize,
    /// The root moves to search; all if empty.
    pub moves: Vec<Move>,
    /// How many lines the search has to find, at the same depth: one for a first look, two for a comparison.
    pub lines: usize,
    /// The part of what a position may cost: the search gets the limits divided by this.
    pub divisor: u32,
}

/// A position of the game.
#[derive(Clone)]
pub struct Reviewed {
    /// With the history of the game.
    pub board: Board,
    /// The move played in the position; `None` for a null move and at the end of the game.
    pub mv: Option<Move>,
    /// Whether the game ended here, or has no legal move. We don't search such a position.
    is_over: bool,
    /// The best line.
    found: Option<Variation>,
    comparison: Option<Comparison>,
}

/// The played move compared with the best other one.
#[derive(Clone)]
struct Comparison {
    /// The line that begins with the played move; `None` if two others are better.
    played: Option<Variation>,
    divisor: u32,
    /// In points of win percentage.
    loss: f64,
    is_settled: bool,
}

/// A game, and what the searches found. If they end early, we know only the first positions.
#[derive(Clone, Default)]
pub struct Review {
    positions: Vec<Reviewed>,
}

/// What a review found about a position and the move played there.
pub struct Verdict {
    pub board: Board,
    /// The best line; `None` if the game is over.
    pub line: Option<Variation>,
    /// `None` in the last position.
    pub loss: Option<Loss>,
    /// If the loss earns the move a mark, why the move is bad, as far as the searches prove it.
    pub reason: Option<String>,
}

impl Review {
    /// `moves` are the moves of the game from `start`; a null move is `None`. `result` is the result tag.
    pub fn new(
        positions: impl IntoIterator<Item = Board>,
        moves: impl IntoIterator<Item = Option<Move>>,
        result: &str,
    ) -> Self {
        let moves = moves.into_iter().chain([None]);
        let reviewed = |(board, mv): (Board, Option<Move>)| {
            let is_over = !board.has_legal_move();
            Reviewed { board, mv, is_over, found: None, comparison: None }
        };
        let mut positions: Vec<Reviewed> = positions.into_iter().zip(moves).map(reviewed).collect();
        if let Some(last) = positions.last_mut() {
            last.is_over |= is_drawn(&last.board, result);
        }
        Self { positions }
    }

    /// Returns the searches to do next, in the order of the game. They don't depend on each other. The review is
    /// complete if there are none.
    pub fn tasks(&self) -> Vec<Task> {
        let first = |(at, position): (usize, &Reviewed)| {
            let is_open = !position.is_over && position.found.is_none();
            is_open.then(|| Task { at, moves: Vec::new(), lines: 1, divisor: FIRST_DIVISOR })
        };
        let first: Vec<Task> = self.positions.iter().enumerate().filter_map(first).collect();
        if first.is_empty() { self.comparisons() } else { first }
    }

    /// Returns the comparisons to do next.
    fn comparisons(&self) -> Vec<Task> {
        let lines = self.lines();
        let task = |at: usize| {
            let Reviewed { board, mv, comparison, .. } = self.positions.get(at)?;
            let (mv, line) = ((*mv)?, lines.get(at)?.as_ref()?);
            let divisor = match comparison {
                Some(comparison) if comparison.is_settled => return None,
                Some(comparison) => comparison.divisor / 2,
                None if self.fall(&lines, at)?.abs() < MIN_CHANGE => return None,
                None => DIVISORS[0],
            };
            if board.legal_moves().len() < 2 {
                return None;
            }
            // If the played move seemed best, we don't know yet what else is good.
            let best = line.first().filter(|&best| best != mv);
            Some(Task { at, moves: best.map_or_else(Vec::new, |best| vec![mv, best]), lines: 2, divisor })
        };
        (0..lines.len()).filter_map(task).collect()
    }

    /// Takes what a search found: its lines at the same depth, best first. The review doesn't depend on the order in
    /// which it gets the results of [`Self::tasks`].
    pub fn give(&mut self, task: &Task, mut lines: Vec<Variation>) {
        let Task { at, divisor, .. } = *task;
        if task.lines == 1 {
            let Some(position) = self.positions.get_mut(at) else { return };
            position.found = lines.into_iter().next();
            position.is_over |= position.found.is_none();
            return;
        }
        let estimate = self.fall(&self.lines(), at).unwrap_or(0.0).max(0.0);
        let ends = self.positions.get(at + 1).is_some_and(|next| next.is_over);
        let Some(position) = self.positions.get_mut(at) else { return };
        let earlier = position.comparison.as_ref().map(|comparison| comparison.loss);
        let estimate = earlier.unwrap_or(estimate);
        let is_last = Some(&divisor) == DIVISORS.last();
        let mut comparison = Comparison { played: None, divisor, loss: estimate, is_settled: is_last };
        if lines.len() < 2 {
            // The search was too short to compare anything.
            comparison.is_settled = true;
        }
        if let Some(mv) = position.mv {
            for line in &mut lines {
                if line.first() == Some(mv) && ends {
                    // The search can't know that the players ended the game here.
                    *line = Variation::of_played(&position.board, mv, None);
                }
            }
            lines.sort_by_key(|line| std::cmp::Reverse(line.evaluation.site.order()));
            comparison.played = lines.iter().find(|line| line.first() == Some(mv)).cloned();
        }
        if let Some((best, played)) =
            lines.first().zip(comparison.played.as_ref()).filter(|_| lines.len() > 1)
        {
            comparison.loss = chance(best) - chance(played);
            comparison.is_settled |= is_settled(comparison.loss, earlier, estimate);
        }
        if let Some(line) = lines.into_iter().next() {
            position.found = Some(line);
        }
        position.comparison = Some(comparison);
    }

    /// Returns the best line of each position, as far as the positions from the first on have been searched. A line
    /// comes from the longest search that has it.
    fn lines(&self) -> Vec<Option<Variation>> {
        let is_known = |position: &&Reviewed| position.is_over || position.found.is_some();
        let known = self.positions.iter().take_while(is_known);
        let befores = std::iter::once(None).chain(self.positions.iter().map(Some));
        let line = |(position, before): (&Reviewed, Option<&Reviewed>)| {
            if position.is_over {
                return None;
            }
            let found = position.found.as_ref()?;
            // If we compared the move that led here, the longer search of that comparison has a line from here. If we also
            // compared the move played here, we keep the line that its judgement rests on.
            let comparison = before.and_then(|before| before.comparison.as_ref());
            let longer = comparison.filter(|_| position.comparison.is_none());
            let after = longer.and_then(|comparison| comparison.played.as_ref()?.after_first());
            Some(after.unwrap_or_else(|| found.clone()))
        };
        let mut lines: Vec<Option<Variation>> = known.zip(befores).map(line).collect();
        for (at, pair) in self.positions.windows(2).enumerate().rev() {
            let (Reviewed { board, mv, .. }, next) = (&pair[0], &pair[1]);
            let (Some(mv), Some(after)) = (*mv, lines.get(at + 1).cloned().flatten()) else { continue };
            // The search takes a repetition for a draw, but here nobody claimed it.
            if let Some(Some(line)) = lines.get_mut(at)
                && line.first() == Some(mv)
                && can_claim(&next.board)
            {
                *line = Variation::of_played(board, mv, Some(&after));
            }
        }
        lines
    }

    /// Returns how many points of win percentage the side to move lost from position `at` to the next one, by the
    /// scores of both; negative if it gained.
    fn fall(&self, lines: &[Option<Variation>], at: usize) -> Option<f64> {
        let win = |at: usize| Some(white_win(&self.positions.get(at)?.board, lines.get(at)?.as_ref()));
        Some(sign_of(self.positions.get(at)?.board.side_to_move()) * (win(at)? - win(at + 1)?))
    }

    /// Judges the moves between the positions that have been searched. Returns a verdict on each of these positions, and
    /// the summaries of White and Black.
    pub fn judge(&self) -> (Vec<Verdict>, [Summary; 2]) {
        let lines = self.lines();
        let scores: Vec<f64> = self
            .positions
            .iter()
            .zip(&lines)
            .map(|(each, line)| white_centipawns(&each.board, line.as_ref()))
            .collect();
        let loss = |at: usize| {
            let Reviewed { board, mv, comparison, .. } = self.positions.get(at)?;
            let color = board.side_to_move();
            let fall = self.fall(&lines, at)?.max(0.0);
            let is_best = mv.is_none() || *mv == lines.get(at)?.as_ref().and_then(Variation::first);
            let compared = comparison.as_ref().map(|comparison| comparison.loss);
            let percent = if is_best { 0.0 } else { compared.unwrap_or(fall) };
            let centipawns = (sign_of(color) * (scores.get(at)? - scores.get(at + 1)?)).max(0.0);
            Some(Loss { color, percent, centipawns: if percent == 0.0 { 0.0 } else { centipawns } })
        };
        let losses: Vec<Loss> = (0..lines.len()).map_while(loss).collect();
        let summaries = summarize(&scores, &losses);
        let reason = |at: usize| {
            let (loss, position, line) = (losses.get(at)?, self.positions.get(at)?, lines.get(at)?.as_ref()?);
            mark_of(loss.percent)?;
            reason(&position.board, position.mv?, line, lines.get(at + 1)?.as_ref())
        };
        let reasons: Vec<Option<String>> = (0..lines.len()).map(reason).collect();
        let mut losses = losses.into_iter();
        let found = self.positions.iter().zip(lines).zip(reasons);
        let verdict = |((position, line), reason): ((&Reviewed, Option<Variation>), Option<String>)| {
            Verdict { board: position.board.clone(), line, loss: losses.next(), reason }
        };
        (found.map(verdict).collect(), summaries)
    }

    /// Returns how many positions the game has.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Returns a position of the game.
    pub fn board(&self, at: usize) -> Option<&Board> {
        self.positions.get(at).map(|position| &position.board)
    }
}

/// Returns whether a game with this result tag ended as a draw in the position `board`: a draw can be claimed there, or
/// the side to move can claim it with its next move, and nobody won.
fn is_drawn(board: &Board, result: &str) -> bool {
    let claims_by_move = || {
        board.legal_moves().into_iter().any(|mv| {
            let mut next = board.clone();
            next.make_move(mv);
            can_claim(&next)
        })
    };
    match result {
        "1-0" | "0-1" => false,
        "1/2-1/2" => can_claim(board) || claims_by_move() || board.has_insufficient_material(),
        _ => can_claim(board) || board.has_insufficient_material(),
    }
}

/// Whether a player can claim a draw on `board`.
fn can_claim(board: &Board) -> bool {
    board.is_threefold() || board.is_fifty_move_draw()
}

/// Whether a comparison that found this loss needs no other. `earlier` is the loss in the comparison before, `estimate`
/// what we knew before this comparison.
fn is_settled(loss: f64, earlier: Option<f64>, estimate: f64) -> bool {
    let same_mark =
        |other: f64| mark_of(loss).map(|mark| mark.symbol) == mark_of(other).map(|mark| mark.symbol);
    let is_near = MARKS.iter().any(|mark| (loss - mark.min_loss).abs() <= NEAR);
    let agrees = |earlier: f64| same_mark(earlier) && (loss - earlier).abs() <= AGREEMENT && !is_near;
    loss < CALM || loss.min(estimate) > CLEAR || earlier.is_some_and(agrees)
}

fn chance(line: &Variation) -> f64 {
    win_percent(line.evaluation.site.bounded_centipawns())
}

/// Returns White's score on the scale of chess sites, within ±[`MAX_CENTIPAWNS`], in a position with this best line.
/// Without a line the game is over: by checkmate, or as a draw.
pub fn white_centipawns(board: &Board, line: Option<&Variation>) -> f64 {
    let own = match line {
        Some(line) => line.evaluation.site.bounded_centipawns(),
        None if board.in_check() && !board.has_legal_move() => -MAX_CENTIPAWNS,
        None => 0.0,
    };
    sign_of(board.side_to_move()) * own
}

/// Returns White's win percentage from [`white_centipawns`].
pub fn white_win(board: &Board, line: Option<&Variation>) -> f64 {
    win_percent(white_centipawns(board, line))
}
