//! `data export` writes positions, with score and result, in the formats of other trainers.

use std::path::Path;

use anyhow::{Result, bail};

use super::arguments::ExportArguments;
use crate::games::GameReader;
use crate::games::format::GameResult;
use crate::sample::Sample;
use crate::sample::choice::is_usable;
use enroque::chess::{Board, FenStyle};
use enroque::terminal::eprint_line;
use enroque_runs::files::{self, AtPath};
use enroque_runs::progress::Progress;

pub fn export(arguments: &ExportArguments) -> Result<()> {
    let ExportArguments { file, to } = arguments;
    let format = Format::of(to)?;
    let games = GameReader::open(file)?;
    files::ensure_new(to)?;
    let mut progress = Progress::new(0, "games", 0);
    let (mut count, mut number) = (0_u64, 0);
    files::replace_with(to, |out| {
        for game in games {
            let game = game?;
            let mut written = Ok(());
            game.replay(|board, ply| {
                if is_usable(board, ply.mv, ply.score) && written.is_ok() {
                    count += 1;
                    written = match format {
                        Format::Bullet => out.write_all(&bullet_bytes(board, ply.score, game.result)),
                        Format::Epd => writeln!(out, "{}", epd_line(board, ply.score, game.result)),
                    };
                }
            });
            written?;
            number += 1;
            progress.set(number, String::new);
        }
        anyhow::Ok(())
    })
    .at(to)?;
    progress.finish();
    eprint_line(&format!("{}: {count} positions of {number} games", to.display()));
    Ok(())
}

/// How a file stores positions.
#[derive(Clone, Copy)]
enum Format {
    /// 32 bytes for each position, laid out like the `ChessBoard` of the crate `bulletformat`.
    Bullet,
    /// A line of text for each position: `FEN | SCORE | RESULT`.
    Epd,
}

impl Format {
    /// Chooses the format by the file extension, upper or lower case.
    fn of(path: &Path) -> Result<Self> {
        match path.extension() {
            Some(extension) if extension.eq_ignore_ascii_case("bullet") => Ok(Self::Bullet),
            Some(extension) if extension.eq_ignore_ascii_case("epd") => Ok(Self::Epd),
            _ => bail!("{}: expected a name that ends in .bullet or .epd", path.display()),
        }
    }
}

/// Encodes a position for the bullet trainer, like [`Sample::to_bytes`], except that bytes 27 and 28 hold the squares
/// of both kings, each seen from its own side.
fn bullet_bytes(board: &Board, score: i16, result: GameResult) -> [u8; Sample::SIZE] {
    let us = board.side_to_move();
    let mut bytes = Sample::new(board, score, result).to_bytes();
    bytes[27] = board.king(us).relative_to(us).index() as u8;
    bytes[28] = board.king(!us).relative_to(!us).index() as u8;
    bytes
}

/// Formats `FEN | SCORE | RESULT`, with score and result from White's point of view.
fn epd_line(board: &Board, score: i16, result: GameResult) -> String {
    format!("{} | {score} | {:.1}", board.fen(FenStyle::XFen), result.points())
}

#[cfg(test)]
mod tests {
    use super::*;
    use enroque::chess::startpos::opening;
    use enroque::util::random::Random;

    fn positions() -> impl Iterator<Item = (Board, i16, GameResult)> {
        let mut random = Random::new(9);
        (0..200).filter_map(move |number| {
            let start = opening::random_start(&mut random, 70);
            let plies = 20 + random.below(50);
            let board = opening::play_random(start, plies, &mut random)?;
            let score = random.below(2000) as i16 - 1000;
            Some((board, score, [GameResult::Loss, GameResult::Draw, GameResult::Win][number % 3]))
        })
    }

    #[test]
    fn export_matches_bulletformat() {
        for (board, score, result) in positions() {
            let bytes = bullet_bytes(&board, score, result);
            let line = epd_line(&board, score, result);
            let theirs: bulletformat::ChessBoard = line.parse().expect("bullet reads FENs");
            // SAFETY: `ChessBoard` is plain data of the same size without padding.
            let expected: [u8; Sample::SIZE] = unsafe { std::mem::transmute(theirs) };
            assert_eq!(bytes, expected, "{line}");
        }
    }
}
