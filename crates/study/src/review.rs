//! Plans the searches of a review, and judges the moves of a game by what the searches found.
//!
//! A short look at each position comes first. Where it leaves open whether a move deserves a mark, a longer search compares
//! the move with the best other one at equal depth. Where the best move was played, a look at the other moves shows
//! whether it was the only good one. What to search depends only on what was found, so that the tools and the web page
//! give the same marks.

use std::ops::Range;

use enroque::chess::{Board, Move};

use super::judgement::{Loss, MAX_CENTIPAWNS, Summary, mark_of, sign_of, summarize, win_percent};
use super::line::Variation;
use super::phase::{Phase, phases};
use super::reason::reason;
use super::remark::{self, MIN_ALTERNATIVE_LOSS, Remark};

/// The first look at a position takes this part of what the position may cost.
const FIRST_DIVISOR: u32 = 16;
/// A look at the moves other than the played one, which seems best, takes this part.
const OTHERS_DIVISOR: u32 = 32;
/// If no other move seems good, a comparison that shows whether this is so takes this part.
const ONLY_MOVE_DIVISOR: u32 = 8;
/// Comparing a move that may deserve a mark takes this part. All searches of a position together stay below one.
const COMPARISON_DIVISOR: u32 = 2;
/// Where the scores so far leave little doubt about the mark, comparing takes only this part.
const CLEAR_COMPARISON_DIVISOR: u32 = 4;

/// We compare a move if the win percentages before and after it differ by at least this many points.
const MIN_CHANGE: f64 = 4.0;
/// If the mover's chances fall by so many points, we doubt which mark the move deserves, if any.
const DOUBTFUL_FALLS: Range<f64> = 4.5..20.0;

/// A search that a review needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// Index of the position in the game.
    pub at: usize,
    /// The root moves to search; all if empty.
    pub moves: Vec<Move>,
    /// How many lines the search has to find, at the same depth: one for a look, two for a comparison.
    pub lines: usize,
    /// The part of what a position may cost: the search gets the limits divided by this.
    pub divisor: u32,
}

impl Task {
    /// Whether this is the first look at a position. A review does all of these looks before anything else.
    pub fn is_first_look(&self) -> bool {
        self.lines == 1 && self.moves.is_empty()
    }
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
    /// What a look at the moves other than the played one found; `None` if we haven't looked.
    others: Option<Vec<Variation>>,
}

/// The played move compared with the best other one.
#[derive(Clone)]
struct Comparison {
    /// The line that begins with the played move; `None` if two others are better, or if the search was too short.
    played: Option<Variation>,
    /// The second best line, if we compared all moves.
    second: Option<Variation>,
    /// The points of win percentage by which the best line leads the played move's or, without that, the second best.
    lead: f64,
}

impl Comparison {
    /// Returns how many points of win percentage the played move lost. `fall` is what the scores before and after it say.
    fn loss(&self, fall: f64) -> f64 {
        if self.played.is_some() { self.lead } else { fall.max(self.lead) }
    }
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
    /// What stands out about a move without a mark.
    pub remark: Option<Remark>,
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
            Reviewed { board, mv, is_over, found: None, comparison: None, others: None }
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
        if !first.is_empty() {
            return first;
        }
        let lines = self.lines();
        let next = |at: usize| self.comparison(&lines, at).or_else(|| self.look_at_others(&lines, at));
        (0..lines.len()).filter_map(next).collect()
    }

    /// Returns the comparison that the move played in position `at` needs.
    fn comparison(&self, lines: &[Option<Variation>], at: usize) -> Option<Task> {
        let Reviewed { board, mv, comparison, .. } = self.positions.get(at)?;
        let (mv, line) = ((*mv)?, lines.get(at)?.as_ref()?);
        let fall = self.fall(lines, at)?;
        let is_open = fall.abs() >= MIN_CHANGE || self.missed_mate(lines, at).is_some();
        if comparison.is_some() || !is_open || board.legal_moves().len() < 2 {
            return None;
        }
        // If the played move seemed best, we don't know yet what else is good.
        let best = line.first().filter(|&best| best != mv);
        let moves = best.map_or_else(Vec::new, |best| vec![mv, best]);
        let is_doubtful = DOUBTFUL_FALLS.contains(&fall);
        let divisor = if is_doubtful { COMPARISON_DIVISOR } else { CLEAR_COMPARISON_DIVISOR };
        Some(Task { at, moves, lines: 2, divisor })
    }

    /// Returns the next search that shows whether the best move, played in position `at`, was the only good one.
    fn look_at_others(&self, lines: &[Option<Variation>], at: usize) -> Option<Task> {
        let Reviewed { board, mv, comparison, others, .. } = self.positions.get(at)?;
        let (mv, line) = ((*mv)?, lines.get(at)?.as_ref()?);
        if line.first() != Some(mv) || comparison.is_some() {
            return None;
        }
        match others {
            None => remark::may_be_only_move(board, self.move_before(at), mv, line).then(|| {
                let moves = board.legal_moves().into_iter().filter(|&other| other != mv).collect();
                Task { at, moves, lines: 1, divisor: OTHERS_DIVISOR }
            }),
            Some(others) => (chance(line) - chance(others.first()?) >= MIN_ALTERNATIVE_LOSS).then(|| Task {
                at,
                moves: Vec::new(),
                lines: 2,
                divisor: ONLY_MOVE_DIVISOR,
            }),
        }
    }

    fn missed_mate(&self, lines: &[Option<Variation>], at: usize) -> Option<Remark> {
        let Reviewed { board, mv, .. } = self.positions.get(at)?;
        remark::missed_mate(board, (*mv)?, lines.get(at)?.as_ref()?, lines.get(at + 1)?.as_ref())
    }

    /// Says what stands out about the move played in position `at`, which lost `loss` percentage points.
    fn remark(&self, lines: &[Option<Variation>], at: usize, loss: f64) -> Option<Remark> {
        let Reviewed { board, mv, comparison, .. } = self.positions.get(at)?;
        let (mv, best) = ((*mv)?, lines.get(at)?.as_ref()?);
        if best.first() != Some(mv) {
            return self.missed_mate(lines, at).filter(|_| mark_of(loss).is_none());
        }
        let second = comparison.as_ref()?.second.as_ref()?;
        let is_worthy = remark::may_be_only_move(board, self.move_before(at), mv, best);
        remark::only_move(board, second.first()?, chance(best) - chance(second)).filter(|_| is_worthy)
    }

    /// Returns the move that led to position `at`.
    fn move_before(&self, at: usize) -> Option<Move> {
        self.positions.get(at.checked_sub(1)?)?.mv
    }

    /// Takes what a search found: its lines at the same depth, best first. The review doesn't depend on the order in
    /// which it gets the results of [`Self::tasks`].
    pub fn give(&mut self, task: &Task, mut lines: Vec<Variation>) {
        let at = task.at;
        let ends = self.positions.get(at + 1).is_some_and(|next| next.is_over);
        let Some(position) = self.positions.get_mut(at) else { return };
        if task.is_first_look() {
            position.found = lines.into_iter().next();
            position.is_over |= position.found.is_none();
            return;
        }
        if task.lines == 1 {
            position.others = Some(lines);
            return;
        }
        if lines.len() < task.lines {
            // The search was too short to compare anything.
            lines.clear();
        }
        for line in &mut lines {
            if let Some(mv) = position.mv.filter(|&mv| ends && line.first() == Some(mv)) {
                // The search can't know that the players ended the game here.
                *line = Variation::of_played(&position.board, mv, None);
            }
        }
        lines.sort_by_key(|line| std::cmp::Reverse(line.evaluation.site.order()));
        let played = lines.iter().find(|line| line.first() == position.mv).cloned();
        let second = lines.get(1).filter(|_| task.moves.is_empty()).cloned();
        let lead = match &lines[..] {
            [best, second, ..] => chance(best) - chance(played.as_ref().unwrap_or(second)),
            _ => 0.0,
        };
        if let Some(line) = lines.into_iter().next() {
            position.found = Some(line);
        }
        position.comparison = Some(Comparison { played, second, lead });
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
            let compared = comparison.as_ref().map(|comparison| comparison.loss(fall));
            let percent = if is_best { 0.0 } else { compared.unwrap_or(fall) };
            let centipawns = (sign_of(color) * (scores.get(at)? - scores.get(at + 1)?)).max(0.0);
            Some(Loss { color, percent, centipawns: if percent == 0.0 { 0.0 } else { centipawns } })
        };
        let losses: Vec<Loss> = (0..lines.len()).map_while(loss).collect();
        let phases: Vec<Phase> = phases(self.positions.iter().map(|position| &position.board));
        let summaries = summarize(&scores, &phases, &losses);
        let reason = |at: usize| {
            let (loss, position, line) = (losses.get(at)?, self.positions.get(at)?, lines.get(at)?.as_ref()?);
            mark_of(loss.percent)?;
            reason(&position.board, position.mv?, line, lines.get(at + 1)?.as_ref())
        };
        let remark = |at: usize| self.remark(&lines, at, losses.get(at)?.percent);
        let words: Vec<_> = (0..lines.len()).map(|at| (reason(at), remark(at))).collect();
        let mut losses = losses.into_iter();
        let found = self.positions.iter().zip(lines).zip(words);
        let verdict = |((position, line), (reason, remark)): ((&Reviewed, Option<Variation>), _)| Verdict {
            board: position.board.clone(),
            line,
            loss: losses.next(),
            reason,
            remark,
        };
        (found.map(verdict).collect(), summaries)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Reviews a game by made-up results: the best line in each position, then what each task of the second round finds.
    /// `is_reversed` says in which order the second round's results come.
    fn review(game: &[&str], looks: &[(i32, &str)], found: &[&[(i32, &str)]], is_reversed: bool) -> Review {
        let mut boards = vec![Board::startpos()];
        let mut moves = Vec::new();
        for san in game {
            let mut board = boards.last().unwrap().clone();
            let mv = board.parse_san(san).unwrap();
            board.make_move(mv);
            boards.push(board);
            moves.push(Some(mv));
        }
        let mut review = Review::new(boards.clone(), moves, "*");
        for (task, &(score, san)) in review.tasks().iter().zip(looks) {
            review.give(task, vec![Variation::made_up(&boards[task.at], score, san)]);
        }
        let mut results: Vec<_> = review.tasks().into_iter().zip(found).collect();
        assert_eq!(results.len(), found.len());
        if is_reversed {
            results.reverse();
        }
        for (task, found) in results {
            let line = |&(score, san): &(i32, &str)| Variation::made_up(&boards[task.at], score, san);
            review.give(&task, found.iter().map(line).collect());
        }
        review
    }

    #[test]
    fn the_order_of_results_does_not_matter() {
        // Two moves are better than 1. e4, so its loss is the fall to a position that is compared, too.
        let looks = [(100, "e4"), (0, "c5"), (100, "Nf3")];
        let found: [&[(i32, &str)]; 2] = [&[(100, "d4"), (95, "c4")], &[(90, "c5"), (-100, "e5")]];
        let [ordered, reversed] = [false, true].map(|is_reversed| {
            let (verdicts, _) = review(&["e4", "e5"], &looks, &found, is_reversed).judge();
            verdicts.iter().map(|verdict| verdict.loss.as_ref().map(|loss| loss.percent)).collect::<Vec<_>>()
        });
        assert!(ordered[0] > Some(0.0), "{ordered:?}");
        assert_eq!(ordered, reversed);
    }

    #[test]
    fn doubtful_moves_are_compared_longest() {
        let divisor = |before, after| {
            let review = review(&["e4"], &[(before, "d4"), (after, "e5")], &[], false);
            review.tasks().first().map(|task| task.divisor)
        };
        let table =
            [(0, 0, None), (100, 0, Some(2)), (1000, 0, Some(4)), (0, 1000, Some(4)), (0, 100, Some(2))];
        for (before, after, expected) in table {
            assert_eq!(divisor(before, after), expected, "{before} {after}");
        }
    }
}
