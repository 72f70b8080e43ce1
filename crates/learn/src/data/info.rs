//! `data info` prints statistics about game files; `data show` prints games as PGN.

use anyhow::{Result, ensure};

use super::arguments::{InfoArguments, ShowArguments};
use crate::games::GameReader;
use crate::games::format::{Game, GameResult, NO_SCORE};
use crate::sample::choice::is_usable;
use enroque::chess::{Color, FenStyle};
use enroque::search::score::moves_to_mate;
use enroque::terminal::print_line;
use enroque::util::sigmoid;
use enroque_runs::progress::Progress;

pub fn info(arguments: &InfoArguments) -> Result<()> {
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

/// We fit the scale to scores within ± this, in centipawns. A side with a larger score nearly always wins,
/// so such scores would tell us nothing.
const MAX_FITTED: usize = 2000;

struct Statistics {
    games: u64,
    positions: u64,
    usable: u64,
    /// How many games White lost, drew and won.
    results: [u64; 3],
    /// For each score from White's point of view, beginning with -[`MAX_FITTED`]: how many usable positions have it,
    /// and how many points White got in their games.
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

    /// Returns the scale, in centipawns, with which σ(score / scale) predicts the results with the least squared error.
    fn scale(&self) -> u32 {
        let error = |scale: u32| -> f64 {
            self.by_score
                .iter()
                .enumerate()
                .map(|(index, &(count, points))| {
                    let score = index as f32 - MAX_FITTED as f32;
                    let expected = f64::from(sigmoid(score / scale as f32));
                    // We leave out the term of the squared error that doesn't depend on the scale.
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

pub fn show(arguments: &ShowArguments) -> Result<()> {
    let first = arguments.game;
    let end = first.saturating_add(arguments.count);
    let mut games = 0;
    for game in GameReader::open(&arguments.file)? {
        games += 1;
        let game = game?;
        if (first..end).contains(&games) {
            print_line(&pgn(&game, games))?;
        }
        if games + 1 >= end {
            return Ok(());
        }
    }
    ensure!(games >= first, "{}: has no game {first}; games in the file: {games}", arguments.file.display());
    Ok(())
}

/// Formats a game as PGN, with an `[%eval]` comment after each move: the score in pawns for White, or `#N` for a mate.
fn pgn(game: &Game, number: u64) -> String {
    let result = match game.result {
        GameResult::Win => "1-0",
        GameResult::Draw => "1/2-1/2",
        GameResult::Loss => "0-1",
    };
    let fen = game.start.fen(FenStyle::XFen);
    let mut text = format!(
        "[Round \"{number}\"]\n[Result \"{result}\"]\n[SetUp \"1\"]\n[Variant \"Chess960\"]\n[FEN \"{fen}\"]\n\n"
    );
    let mut board = game.start.clone();
    for (index, ply) in game.plies.iter().enumerate() {
        let move_number = board.fullmove_number();
        text += &match board.side_to_move() {
            Color::White => format!("{move_number}. "),
            Color::Black if index == 0 => format!("{move_number}... "),
            Color::Black => String::new(),
        };
        text += &board.san(ply.mv);
        text += &match moves_to_mate(ply.score.into()) {
            _ if ply.score == NO_SCORE => String::new(),
            Some(moves) => format!(" {{ [%eval #{moves}] }}"),
            None => format!(" {{ [%eval {:.2}] }}", f64::from(ply.score) / 100.0),
        };
        text.push(if index % 4 == 3 { '\n' } else { ' ' });
        board.make_move(ply.mv);
    }
    text + result + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fit_recovers_scale() {
        let mut statistics = Statistics::default();
        for score in (-900..=900).step_by(3) {
            // A thousand games for each score, won as often as a scale of 250 predicts.
            let wins = (1000.0 * sigmoid(f32::from(score) / 250.0)).round() as u32;
            for game in 0..1000 {
                statistics.count(score, if game < wins { GameResult::Win } else { GameResult::Loss });
            }
        }
        assert!((240..=260).contains(&statistics.scale()), "{}", statistics.scale());
    }
}
