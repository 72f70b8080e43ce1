//! `data info` and `data show`: what files of games hold.

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::chess::{Color, FenStyle};
use crate::learn::games::format::{Game, GameResult};
use crate::learn::games::frames::FrameError;
use crate::learn::games::store::{GameReader, StoreError};
use crate::learn::train::samples::is_usable;
use crate::learn::train::target::sigmoid;
use crate::runs::manifest::ManifestError;
use crate::search::score::moves_to_mate;
use crate::terminal::progress::Progress;
use crate::terminal::{OutputError, print_line};

/// Why files were not read or joined.
#[derive(Debug, Error)]
pub enum DataError {
    /// A file of games.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What searches saw, or a file that has no name yet.
    #[error(transparent)]
    Frames(#[from] FrameError),
    /// The record beside a file.
    #[error(transparent)]
    Record(#[from] ManifestError),
    /// Standard output.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// Something is there already.
    #[error("{}: exists already; write to a new file", .0.display())]
    Exists(PathBuf),
    /// A file of positions.
    #[error("{}: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: std::io::Error,
    },
    /// A name that says nothing of what is to be written.
    #[error("{}: expected a name that ends in .bullet or .epd", .0.display())]
    Ending(PathBuf),
    /// Positions that the format is not for.
    #[error("{}: --all is for .epd; a trainer wants quiet positions", .0.display())]
    All(PathBuf),
    /// Fewer games than that.
    #[error("{}: holds {games} games", path.display())]
    Number {
        /// The file.
        path: PathBuf,
        /// Games in it.
        games: u64,
    },
}

/// Prints what files of games hold: games, positions, usable ones, results, and the scale of the scores.
///
/// # Errors
/// When a file cannot be read.
pub fn info(files: &[PathBuf]) -> Result<(), DataError> {
    let mut whole = Figures::default();
    let readers: Vec<GameReader> =
        files.iter().map(|file| GameReader::open(file)).collect::<Result<_, _>>()?;
    print_line(&format!(
        "{:>10} {:>12} {:>12}  {:>4} {:>5} {:>4} {:>6}  file",
        "games", "positions", "usable", "won", "drawn", "lost", "scale"
    ))?;
    for (file, reader) in files.iter().zip(readers) {
        let mut figures = Figures::default();
        let mut progress = Progress::new(0, "games read", 0);
        for game in reader {
            let game = game?;
            figures.games += 1;
            figures.results[game.result as usize] += 1;
            game.replay(|board, ply| {
                figures.positions += 1;
                if is_usable(board, ply.mv, ply.score) {
                    figures.usable += 1;
                    figures.count(ply.score, game.result);
                }
            });
            progress.set(figures.games, String::new);
        }
        progress.finish();
        print_line(&figures.row(&file.display().to_string()))?;
        whole.add(&figures);
    }
    if files.len() > 1 {
        print_line(&whole.row("all"))?;
    }
    Ok(())
}

/// Prints `count` games from number `first` on, counted from 1, in PGN.
///
/// # Errors
/// When the file cannot be read, or has not so many.
pub fn show(file: &Path, first: u64, count: u64) -> Result<(), DataError> {
    let mut games = 0;
    for game in GameReader::open(file)? {
        games += 1;
        let game = game?;
        if (first..first.saturating_add(count)).contains(&games) {
            print_line(&pgn(&game, games))?;
        }
        if games + 1 >= first.saturating_add(count) {
            return Ok(());
        }
    }
    if games < first {
        return Err(DataError::Number { path: file.to_owned(), games });
    }
    Ok(())
}

/// A game in PGN, with White's score of each move in pawns.
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
        let score = match moves_to_mate(ply.score.into()) {
            Some(moves) => format!("#{moves}"),
            None => format!("{:.2}", f64::from(ply.score) / 100.0),
        };
        text += &format!("{} {{ [%eval {score}] }}", board.san(ply.mv));
        text.push(if index % 4 == 3 { '\n' } else { ' ' });
        board.make_move(ply.mv);
    }
    text + result + "\n"
}

/// Scores further out are all alike.
const FITTED: usize = 2000;

/// What files hold.
struct Figures {
    games: u64,
    positions: u64,
    usable: u64,
    /// By result for White: lost, drawn, won.
    results: [u64; 3],
    /// By score for White, from -[`FITTED`] on: usable positions, and White's points from them.
    by_score: Vec<(u64, f64)>,
}

impl Default for Figures {
    fn default() -> Self {
        Self { games: 0, positions: 0, usable: 0, results: [0; 3], by_score: vec![(0, 0.0); 2 * FITTED + 1] }
    }
}

impl Figures {
    fn count(&mut self, score: i16, result: GameResult) {
        let index = i32::from(score) + FITTED as i32;
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

    /// The scale, centipawns, with which scores foretell the results best.
    fn scale(&self) -> u32 {
        let error = |scale: u32| -> f64 {
            self.by_score
                .iter()
                .enumerate()
                .map(|(index, &(count, points))| {
                    let score = index as f32 - FITTED as f32;
                    let expected = f64::from(sigmoid(score / scale as f32));
                    // Of the squared errors what depends on the scale.
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
    fn the_scale_is_found_again() {
        let mut figures = Figures::default();
        for score in (-900..=900).step_by(3) {
            // As many wins among a thousand games as a scale of 250 promises.
            let wins = (1000.0 * sigmoid(f32::from(score) / 250.0)).round() as u32;
            for game in 0..1000 {
                figures.count(score, if game < wins { GameResult::Win } else { GameResult::Loss });
            }
        }
        assert!((240..=260).contains(&figures.scale()), "{}", figures.scale());
    }
}
