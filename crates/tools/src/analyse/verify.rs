//! Searches a game. A first search finds the best line of each position. Where the score jumps from one position to the
//! next, longer searches compare the played move with the best alternative: either the move was a mistake, or the first
//! search was wrong.

use anyhow::Result;

use crate::searcher::limits::longer;
use crate::searcher::{Searcher, search_in_order};
use enroque::chess::{Board, Move};
use enroque::search::limits::Limits;
use enroque_runs::interrupt;
use enroque_study::judgement::win_percent;
use enroque_study::line::Variation;
use enroque_study::pgn::PgnGame;

use super::ply::white_win;

/// We compare a move with the best alternative only if the win percentage after the move differs by at least this many
/// points from the win percentage before the move.
const MIN_CHANGE: f64 = 5.0;
/// Two comparisons of a move agree if the losses that they find differ by at most this many percentage points.
const AGREEMENT: f64 = 1.0;

/// The first comparison of a move takes this many times the effort of the first search. Each further comparison doubles
/// the effort, until two comparisons in a row agree on the loss.
const FIRST_FACTOR: u32 = 4;
/// No comparison takes more than this many times the effort of the first search.
const MAX_FACTOR: u32 = 16;

/// We assume that the first search of a game's positions is this share of the work, and that verifying moves is the
/// rest. Games without mistakes need less verifying, so we tend to overestimate the time left.
pub const FIRST_SEARCH_SHARE: f64 = 0.15;

/// Returns how many more comparisons a move can need if the next takes `factor` times the first search's effort.
fn rounds_left(factor: u32) -> u32 {
    (MAX_FACTOR / factor).ilog2() + 1
}

/// A position of a game, with what the searches found.
#[derive(Clone)]
pub struct Searched {
    pub board: Board,
    /// The move played in the position; `None` for a null move and at the end of the game.
    pub mv: Option<Move>,
    /// Whether the game ended here as a draw by repetition or by the fifty-move rule. We don't search such a position,
    /// because the search wouldn't know that it is a draw.
    is_drawn: bool,
    finding: Finding,
    comparison: Option<Comparison>,
}

/// The best line of a position, found with `factor` times the effort of the first search. `line` is `None` if the game is
/// over.
#[derive(Clone)]
struct Finding {
    factor: u32,
    line: Option<Variation>,
}

/// The played move compared with the best other move, both searched with the same effort.
#[derive(Clone)]
struct Comparison {
    alternative: Finding,
    /// How many points of win percentage the played move loses; `None` if it was the only legal move or ended the game.
    loss: Option<f64>,
    /// `true` if we don't compare again: the loss agrees with the previous one, is `None`, or took the maximum effort.
    is_settled: bool,
}

impl Searched {
    fn new(board: Board, mv: Option<Move>) -> Self {
        Self { board, mv, is_drawn: false, finding: Finding { factor: 1, line: None }, comparison: None }
    }

    /// Returns the last comparison of the played move; `None` if there is none, or if it is out of date because the
    /// position has been searched longer since.
    fn comparison(&self) -> Option<&Comparison> {
        self.comparison.as_ref().filter(|comparison| comparison.alternative.factor >= self.finding.factor)
    }
}

/// The positions of a game. After an interruption, only the first ones.
#[derive(Clone, Default)]
pub struct SearchedGame {
    pub positions: Vec<Searched>,
}

impl SearchedGame {
    /// Searches all positions of a game, and then verifies the moves that change the score. `report` gets the share of
    /// the work that is done, from 0 to 1. Ctrl-C ends the searches early.
    pub fn search(
        searchers: &mut [Searcher],
        limits: &Limits,
        game: &PgnGame,
        mut report: impl FnMut(f64),
    ) -> Result<Self> {
        let moves = game.moves().chain([None]);
        let mut positions: Vec<Searched> =
            game.positions().zip(moves).map(|(board, mv)| Searched::new(board, mv)).collect();
        if let Some(Searched { board, is_drawn, .. }) = positions.last_mut() {
            *is_drawn = game.result == "1/2-1/2" && (board.is_threefold() || board.is_fifty_move_draw());
        }
        let jobs = positions.iter().map(|position| Job { position, excluded: None, factor: 1 });
        let mut lines = Vec::new();
        search_in_order(
            searchers,
            jobs,
            |searcher, job| job.run(searcher, limits),
            |line| {
                lines.push(line);
                report(FIRST_SEARCH_SHARE * lines.len() as f64 / positions.len() as f64);
                Ok(())
            },
        )?;
        positions.truncate(lines.len());
        for (position, line) in positions.iter_mut().zip(lines) {
            position.finding.line = line;
        }
        let mut searched = Self { positions };
        searched.verify(searchers, limits, |share| {
            report(FIRST_SEARCH_SHARE + (1.0 - FIRST_SEARCH_SHARE) * share);
        })?;
        Ok(searched)
    }

    /// Compares suspect moves with the best alternatives, in longer and longer searches, until the losses have settled.
    /// A new score can make a neighbouring move suspect. After each comparison `report` gets an estimate of how much of
    /// the work is done, from 0 to 1.
    fn verify(
        &mut self,
        searchers: &mut [Searcher],
        limits: &Limits,
        mut report: impl FnMut(f64),
    ) -> Result<()> {
        let mut work = Work::default();
        loop {
            let suspects = self.suspects();
            if suspects.is_empty() || interrupt::happened() {
                return Ok(());
            }
            work.expect(&suspects);
            let mut found = Vec::new();
            search_in_order(
                searchers,
                self.jobs(&suspects),
                |searcher, job| job.run(searcher, limits),
                |line| {
                    found.push(line);
                    if found.len() % 2 == 0 {
                        report(work.spend(suspects[found.len() / 2 - 1].1));
                    }
                    Ok(())
                },
            )?;
            let mut found = found.into_iter();
            for (index, factor) in suspects {
                // After Ctrl-C the last results are missing.
                let Some((alternative, after)) = found.next().zip(found.next()) else { break };
                self.compare(index, factor, alternative, after);
            }
        }
    }

    /// For each suspect, returns two positions to search: the one before the move, without that move, and the one after.
    fn jobs(&self, suspects: &[(usize, u32)]) -> impl Iterator<Item = Job<'_>> + Send {
        suspects.iter().flat_map(|&(index, factor)| {
            let [before, after] = [&self.positions[index], &self.positions[index + 1]];
            [
                Job { position: before, excluded: before.mv, factor },
                Job { position: after, excluded: None, factor },
            ]
        })
    }

    /// Adds a comparison of move `index`: `alternative` is the best line without the played move, `after` the best line
    /// after it, both found with `factor` times the effort of the first search.
    fn compare(
        &mut self,
        index: usize,
        factor: u32,
        alternative: Option<Variation>,
        after: Option<Variation>,
    ) {
        let loss = alternative.as_ref().zip(after.as_ref()).map(|(alternative, after)| {
            let chance = |line: &Variation| win_percent(line.evaluation.site.bounded_centipawns());
            (chance(alternative) + chance(after) - 100.0).max(0.0)
        });
        let earlier_loss = self.positions[index].comparison.as_ref().and_then(|comparison| comparison.loss);
        let agrees =
            loss.is_none_or(|loss| earlier_loss.is_some_and(|earlier| (loss - earlier).abs() <= AGREEMENT));
        let is_settled = agrees || factor >= MAX_FACTOR;
        let alternative = Finding { factor, line: alternative };
        self.positions[index].comparison = Some(Comparison { alternative, loss, is_settled });
        self.positions[index + 1].finding = Finding { factor, line: after };
    }

    /// Returns the best line of each position. If we compared the played move with the best alternative, the line
    /// begins with whichever is better. If that is the played move, we take its score from the position after it.
    pub fn settled_lines(&self) -> Vec<Option<Variation>> {
        let mut settled: Vec<Option<Variation>> =
            self.positions.iter().map(|position| position.finding.line.clone()).collect();
        for (index, position) in self.positions.iter().enumerate().rev() {
            let Some((mv, comparison)) = position.mv.zip(position.comparison()) else { continue };
            let played = Variation::of_played(&position.board, mv, settled[index + 1].as_ref());
            let order = |line: &Variation| line.evaluation.site.order();
            let better = comparison.alternative.line.as_ref().filter(|line| order(line) > order(&played));
            settled[index] = Some(better.unwrap_or(&played).clone());
        }
        settled
    }

    /// Returns the index of each move to compare next, and how many times the effort of the first search to use. We
    /// compare moves that change the win percentage by at least `MIN_CHANGE` and whose loss has not settled. If the
    /// mover's chances fall, the move may be a mistake. If they rise, the search before the move missed something.
    fn suspects(&self) -> Vec<(usize, u32)> {
        let lines = self.settled_lines();
        let positions = self.positions.iter().zip(&lines);
        let wins: Vec<f64> =
            positions.map(|(position, line)| white_win(&position.board, line.as_ref())).collect();
        let moves = self.positions.iter().zip(wins.windows(2)).enumerate();
        let suspects = moves.filter_map(|(index, (position, wins))| {
            position.mv?;
            let changes = (wins[1] - wins[0]).abs() >= MIN_CHANGE;
            let is_settled = position.comparison().is_some_and(|comparison| comparison.is_settled);
            let earlier = position.comparison.as_ref().map_or(0, |comparison| comparison.alternative.factor);
            let factor = (2 * earlier).max(position.finding.factor).clamp(FIRST_FACTOR, MAX_FACTOR);
            (changes && !is_settled).then_some((index, factor))
        });
        suspects.collect()
    }
}

/// How much work the comparisons of a game are, in multiples of the first search of one position.
#[derive(Default)]
struct Work {
    spent: u32,
    expected: u32,
}

impl Work {
    /// Estimates the work that is left for these suspects. We assume that in each round about half of the losses
    /// settle, and the next round spends twice the effort on each of the other moves. All rounds then cost the same.
    fn expect(&mut self, suspects: &[(usize, u32)]) {
        self.expected = suspects.iter().map(|&(_, factor)| factor * rounds_left(factor)).sum();
    }

    /// Counts a comparison as done, and returns how much of the work is done, from 0 to 1.
    fn spend(&mut self, factor: u32) -> f64 {
        self.spent += factor;
        self.expected = self.expected.saturating_sub(factor);
        f64::from(self.spent) / f64::from(self.spent + self.expected)
    }
}

/// A position to search with `factor` times the effort of the first search, ignoring the move `excluded`.
struct Job<'a> {
    position: &'a Searched,
    excluded: Option<Move>,
    factor: u32,
}

impl Job<'_> {
    /// Returns the best line; `None` if the game is over, or if no other move is legal.
    fn run(&self, searcher: &mut Searcher, limits: &Limits) -> Option<Variation> {
        let Self { position: Searched { board, is_drawn, .. }, excluded, factor } = *self;
        let search_moves: Vec<Move> = match excluded {
            None => Vec::new(),
            Some(played) => board.legal_moves().into_iter().filter(|&mv| mv != played).collect(),
        };
        if *is_drawn || excluded.is_some() && search_moves.is_empty() {
            return None;
        }
        searcher.best_line(board, Limits { search_moves, ..longer(limits, factor) })
    }
}

#[cfg(test)]
pub mod tests {
    use super::super::judge::judge;
    use super::*;
    use crate::searcher::test_line;
    use enroque::chess::CastlingRules;
    use enroque_study::evaluation::Shown::{self, Centipawns, Mate};
    use enroque_study::line::numbered;
    use enroque_study::pgn;

    /// Returns a game, and findings for its first positions: in each the score for the side to move, and the best move.
    pub fn searched(text: &str, lines: &[(Shown, &str)]) -> (PgnGame, SearchedGame) {
        let game = pgn::read(text, CastlingRules::Fischer, None).unwrap();
        let moves = game.moves().chain([None]);
        let positions = game.positions().zip(moves).zip(lines).map(|((board, mv), &(shown, san))| {
            let line = Some(test_line(&board, shown, Some(san)));
            Searched { finding: Finding { factor: 1, line }, ..Searched::new(board, mv) }
        });
        let positions = positions.collect();
        (game, SearchedGame { positions })
    }

    const GAME: &str = "1. e4 e5 2. Qh5 Nf6 3. Qxe5+ *";

    /// Adds a comparison in which the played move keeps its score and the best alternative is `san` with the score
    /// `cp`.
    fn compare(game: &mut SearchedGame, index: usize, factor: u32, cp: i32, san: &str) {
        let after = game.positions[index + 1].finding.line.clone();
        let alternative = test_line(&game.positions[index].board, Centipawns(cp), Some(san));
        game.compare(index, factor, Some(alternative), after);
    }

    fn marks(game: &PgnGame, searched: &SearchedGame) -> Vec<Option<&'static str>> {
        let judged = judge(game, searched.clone());
        judged.steps().map(|step| step.played.mark.map(|mark| mark.symbol)).collect()
    }

    #[test]
    fn falling_best_move_is_compared() {
        let (game, mut found) = searched(
            GAME,
            &[
                (Centipawns(20), "e4"),
                (Centipawns(-20), "c5"),
                (Centipawns(150), "Qh5"),
                (Centipawns(-20), "Nf6"),
            ],
        );
        // The first search chose Qh5 because of a score of 1.50, but after Qh5 the score is 0.20.
        assert_eq!(found.suspects(), [(1, 4), (2, 4)]);
        assert_eq!(marks(&game, &found), [None, Some("?"), None]);
        // No alternative to Qh5 is better, so the score before Qh5 falls, and Black's move e5 was no mistake.
        compare(&mut found, 2, 4, 10, "Nf3");
        assert_eq!(found.suspects(), [(0, 0); 0]);
        assert_eq!(marks(&game, &found), [None, None, None]);
        let line = found.settled_lines().swap_remove(2).unwrap();
        assert_eq!(line.evaluation.site, Centipawns(20));
        assert_eq!(numbered(&found.positions[2].board, &line.pv), "2. Qh5 Nf6");
        // A longer search finds that Nf3 is better than Qh5, so both e5 and Qh5 were mistakes.
        compare(&mut found, 2, 8, 140, "Nf3");
        assert_eq!(found.suspects(), [(1, 4), (2, 16)]);
        assert_eq!(marks(&game, &found), [None, Some("?"), Some("?")]);
        let judged = judge(&game, found);
        assert_eq!(judged.steps().nth(2).unwrap().advice().as_deref(), Some("Mistake. Nf3 was best."));
    }

    #[test]
    fn comparisons_end_when_losses_agree() {
        let (game, mut found) = searched(
            GAME,
            &[
                (Centipawns(20), "e4"),
                (Centipawns(-20), "c5"),
                (Centipawns(20), "Nf3"),
                (Centipawns(100), "Nf6"),
            ],
        );
        assert_eq!(found.suspects(), [(2, 4)]);
        compare(&mut found, 2, 4, 20, "Nf3");
        assert_eq!(found.suspects(), [(2, 8)]);
        // The second comparison finds a score that is five centipawns higher. This is half a percentage point, so the
        // losses of the two comparisons agree.
        compare(&mut found, 2, 8, 25, "Nf3");
        assert_eq!(found.suspects(), [(0, 0); 0]);
        // The position before Qh5 has now been searched longer than in the comparison, so we have to compare Qh5 again.
        found.positions[2].finding.factor = 16;
        assert_eq!(found.suspects(), [(2, 16)]);
        compare(&mut found, 2, 16, 90, "Nf3");
        assert_eq!(found.suspects(), [(1, 4)]);
        assert_eq!(marks(&game, &found), [None, Some("?!"), Some("??")]);
    }

    #[test]
    fn rising_score_reaches_earlier_moves() {
        let (game, mut found) = searched(
            GAME,
            &[
                (Centipawns(20), "e4"),
                (Centipawns(-20), "e5"),
                (Centipawns(20), "Nf3"),
                (Centipawns(-20), "Nc6"),
                (Centipawns(20), "Nc3"),
                (Mate(-3), "Be7"),
            ],
        );
        // The first search did not see that Qxe5+ wins, or that Nf6 was the mistake.
        assert_eq!(found.suspects(), [(4, 4)]);
        compare(&mut found, 4, 4, 30, "Nc3");
        assert_eq!(found.suspects(), [(3, 4)]);
        compare(&mut found, 3, 4, -20, "Nc6");
        assert_eq!(marks(&game, &found), [None, None, None, Some("??"), None]);
        assert_eq!(found.settled_lines()[4].as_ref().unwrap().evaluation.site, Mate(4));
    }

    #[test]
    fn move_without_alternative_is_settled() {
        let (_, mut found) = searched(GAME, &[(Centipawns(20), "e4"), (Centipawns(100), "e5")]);
        assert_eq!(found.suspects(), [(0, 4)]);
        let after = found.positions[1].finding.line.clone();
        found.compare(0, 4, None, after);
        assert_eq!(found.suspects(), [(0, 0); 0]);
    }

    #[test]
    fn share_grows_with_work() {
        let mut work = Work::default();
        let mut shares = Vec::new();
        for suspects in [&[(3, 4), (8, 4), (9, 4), (20, 4)][..], &[(8, 8), (20, 8)], &[(20, 16)]] {
            work.expect(suspects);
            shares.extend(suspects.iter().map(|&(_, factor)| work.spend(factor)));
        }
        assert!(shares.is_sorted() && shares[0] < 0.1, "{shares:?}");
        assert_eq!(shares.last(), Some(&1.0));
    }
}
