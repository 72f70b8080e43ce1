//! `data info`: statistics of files of games.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use crate::games::format::GameResult;
use crate::games::sample::is_usable;
use crate::games::store::GameReader;
use enroque::terminal::print_line;
use enroque::util::sigmoid;
use enroque_runs::progress::Progress;

/// Count games, results and usable positions, and fit the scale of the scores
#[derive(Args, Debug)]
#[command(after_help = "\
The scale is the score, in centipawns, whose expectation is 73 % by the results of the games. Pass it to `train --scale`.

Examples:
  enroque-learn data info games.gz
  enroque-learn data info part*.gz                each file")]
pub struct Arguments {
    /// Files of games
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let files = &arguments.files;
    let mut total = Statistics::default();
    let readers: Vec<GameReader> =
        files.iter().map(|file| GameReader::open(file)).collect::<Result<_, _>>()?;
    print_line(&format!(
        "{:>10} {:>12} {:>12}  {:>4} {:>5} {:>4} {:>6}  file",
        "games", "positions", "usable", "won", "drawn", "lost", "scale"
    ))?;
    for (file, reader) in files.iter().zip(readers) {
        let mut statistics = Statistics::default();
        let mut progress = Progress::new(0, "games read", 0);
        for game in reader {
            let game = game?;
            statistics.games += 1;
            statistics.results[game.result as usize] += 1;
            game.replay(|board, ply| {
                statistics.positions += 1;
                if is_usable(board, ply.mv, ply.score) {
                    statistics.usable += 1;
                    statistics.count(ply.score, game.result);
                }
            });
            progress.set(statistics.games, String::new);
        }
        progress.finish();
        print_line(&statistics.row(&file.display().to_string()))?;
        total.add(&statistics);
    }
    if files.len() > 1 {
        print_line(&total.row("all"))?;
    }
    Ok(())
}

/// Maximum score of the fit, centipawns: larger ones all mean a win.
const MAX_FITTED: usize = 2000;

struct Statistics {
    games: u64,
    positions: u64,
    usable: u64,
    /// Games by result for White: lost, drawn, won.
    results: [u64; 3],
    /// Usable positions by score for White, from -[`MAX_FITTED`]: their number and White's points.
    by_score: Vec<(u64, f64)>,
}

impl Default for Statistics {
    fn default() -> Self {
        Self {
            games: 0,
            positions: 0,
            usable: 0,
            results: [0; 3],
            by_score: vec![(0, 0.0); 2 * MAX_FITTED + 1],
        }
    }
}

impl Statistics {
    fn count(&mut self, score: i16, result: GameResult) {
        let index = i32::from(score) + MAX_FITTED as i32;
        if let Some((count, points)) =
            usize::try_from(index).ok().and_then(|index| self.by_score.get_mut(index))
        {
            *count += 1;
            *points += f64::from(result.points());
        }
    }

    fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.positions += other.positions;
        self.usable += other.usable;
        for (sum, count) in self.results.iter_mut().zip(other.results) {
            *sum += count;
        }
        for (sum, part) in self.by_score.iter_mut().zip(&other.by_score) {
            sum.0 += part.0;
            sum.1 += part.1;
        }
    }

    /// Fits the scale, centipawns: the expectation σ(score / scale) has the least squared error against the results.
    fn scale(&self) -> u32 {
        let error = |scale: u32| -> f64 {
            self.by_score
                .iter()
                .enumerate()
                .map(|(index, &(count, points))| {
                    let score = index as f32 - MAX_FITTED as f32;
                    let expected = f64::from(sigmoid(score / scale as f32));
                    // Squared error without its constant term.
                    count as f64 * expected * expected - 2.0 * points * expected
                })
                .sum()
        };
        let candidates = (50..=800).step_by(5);
        candidates.min_by(|&a, &b| error(a).total_cmp(&error(b))).unwrap_or(0)
    }

    fn row(&self, name: &str) -> String {
        let share =
            |result: GameResult| 100.0 * self.results[result as usize] as f64 / self.games.max(1) as f64;
        format!(
            "{:>10} {:>12} {:>12}  {:>3.0}% {:>4.0}% {:>3.0}% {:>6}  {name}",
            self.games,
            self.positions,
            self.usable,
            share(GameResult::Win),
            share(GameResult::Draw),
            share(GameResult::Loss),
            self.scale()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fit_recovers_scale() {
        let mut statistics = Statistics::default();
        for score in (-900..=900).step_by(3) {
            // A thousand games a score, won as often as a scale of 250 predicts.
            let wins = (1000.0 * sigmoid(f32::from(score) / 250.0)).round() as u32;
            for game in 0..1000 {
                statistics.count(score, if game < wins { GameResult::Win } else { GameResult::Loss });
            }
        }
        assert!((240..=260).contains(&statistics.scale()), "{}", statistics.scale());
    }
}
