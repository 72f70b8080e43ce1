//! `data export` and `data import` convert positions, with score and result, to and from the formats of other trainers.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;

use crate::data::ensure_new;
use crate::data::new_games::{Imported, NewGames};
use crate::games::GameReader;
use crate::games::format::{Game, GameResult, Ply, fill};
use crate::games::sample::{MAX_PIECES, Sample, is_usable};
use enroque::chess::board::BoardBuilder;
use enroque::chess::{Bitboard, Board, CastlingRules, Color, FenStyle, Piece, PieceKind};
use enroque::terminal::eprint_line;
use enroque_runs::files::{self, AtPath};
use enroque_runs::manifest;
use enroque_runs::progress::Progress;

/// Write the positions that training would use, for other programs
#[derive(Args, Debug)]
#[command(after_help = "\
The name chooses the format. A .bullet file has 32 bytes a position, the ChessBoard of the crate bulletformat. An .epd \
file has a line 'FEN | SCORE | RESULT' a position, with the score in centipawns and the result, 0 to 1, for White.

Examples:
  enroque-learn data export games.gz positions.bullet
  enroque-learn data export games.gz positions.epd")]
pub struct ExportArguments {
    /// Game file to read
    file: PathBuf,
    /// File to write, .bullet or .epd
    to: PathBuf,
}

/// Turn positions from another program into a game file to train on
#[derive(Args, Debug)]
#[command(after_help = "\
Each position becomes a game of one move, its first quiet one. Positions without a quiet move are reported and skipped. \
A line of an .epd file is 'FEN | SCORE | RESULT' as enroque-learn data export writes it, or 'FEN ce SCORE;' with the score \
for the side to move.

Examples:
  enroque-learn data import games.gz positions.bullet
  enroque-learn data import games.gz positions.epd")]
pub struct ImportArguments {
    /// Game file to write
    file: PathBuf,
    /// File of positions, .bullet or .epd
    from: PathBuf,
}

pub fn export(arguments: &ExportArguments) -> Result<()> {
    let ExportArguments { file, to } = arguments;
    let format = Format::of(to)?;
    let games = GameReader::open(file)?;
    ensure_new(to)?;
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

/// Returns `false` if it had to skip positions; it reports the first few of them.
pub fn import(arguments: &ImportArguments) -> Result<bool> {
    const MAX_REPORTS: u64 = 10;
    let ImportArguments { file, from } = arguments;
    let format = Format::of(from)?;
    files::ensure_distinct(&[from], &[file.clone(), manifest::path(file)])?;
    NewGames::check(file, false)?;
    let input = File::open(from).at(from)?;
    let mut writer = NewGames::create(file, false)?;
    let mut progress = Progress::new(0, "positions", 0);
    let mut skipped = 0_u64;
    read_games(input, format, |number, game| {
        match game {
            Ok(game) => writer.add(&game, &[])?,
            Err(reason) => {
                skipped += 1;
                if skipped <= MAX_REPORTS {
                    eprint_line(&format!("enroque: {}, position {number}: {reason}", from.display()));
                }
            }
        }
        progress.set(writer.count() + skipped, String::new);
        anyhow::Ok(())
    })
    .at(from)?;
    progress.finish();
    let imported = writer.count();
    writer.publish(&Imported::new(from, imported))?;
    eprint_line(&format!("{}: {imported} positions, {skipped} skipped", file.display()));
    Ok(skipped == 0)
}

/// A position with its score in centipawns and the game's result, both from White's point of view.
type ScoredPosition = (Board, i16, GameResult);

/// How a file stores positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// 32 bytes for each position, laid out like the `ChessBoard` of the crate `bulletformat`.
    Bullet,
    /// A line of text for each position: `FEN | SCORE | RESULT`, or when we import also `FEN ce SCORE;`.
    Epd,
}

impl Format {
    /// Chooses the format by the file extension, upper or lower case.
    pub fn of(path: &Path) -> Result<Self> {
        match path.extension() {
            Some(extension) if extension.eq_ignore_ascii_case("bullet") => Ok(Self::Bullet),
            Some(extension) if extension.eq_ignore_ascii_case("epd") => Ok(Self::Epd),
            _ => bail!("{}: expected a name that ends in .bullet or .epd", path.display()),
        }
    }
}

/// Encodes a position for the bullet trainer. This is a [`Sample`], except that bytes 27 and 28 hold the squares of
/// both kings, each seen from its own side.
fn bullet_bytes(board: &Board, score: i16, result: GameResult) -> [u8; Sample::SIZE] {
    let us = board.side_to_move();
    let mut bytes = Sample::new(board, score, result).to_bytes();
    bytes[27] = board.king(us).relative_to(us).index() as u8;
    bytes[28] = board.king(!us).relative_to(!us).index() as u8;
    bytes
}

/// Decodes a position, always with White to move, because the format stores it as the side to move sees it. Returns
/// `None` if the bytes are invalid.
fn parse_bullet(bytes: &[u8; Sample::SIZE]) -> Option<ScoredPosition> {
    let occupied = u64::from_le_bytes(std::array::from_fn(|index| bytes[index]));
    if occupied.count_ones() as usize > MAX_PIECES {
        return None;
    }
    // The format has no move number. With 1, `is_usable` would reject the position as part of the opening.
    let mut builder = BoardBuilder::new(CastlingRules::Fischer).fullmove_number(20);
    for (index, square) in Bitboard(occupied).into_iter().enumerate() {
        let code = bytes[8 + index / 2] >> (index % 2 * 4) & 15;
        let color = if code & 8 == 0 { Color::White } else { Color::Black };
        let kind = *PieceKind::ALL.get(usize::from(code & 7))?;
        builder = builder.piece(square, Piece::new(color, kind));
    }
    let score = i16::from_le_bytes([bytes[24], bytes[25]]);
    Some((builder.build().ok()?, score, GameResult::from_byte(bytes[26])?))
}

/// Formats `FEN | SCORE | RESULT`, with score and result from White's point of view.
fn epd_line(board: &Board, score: i16, result: GameResult) -> String {
    format!("{} | {score} | {:.1}", board.fen(FenStyle::XFen), result.points())
}

/// Parses `FEN | SCORE | RESULT`, or a FEN with the operation `ce SCORE;`. In the second form the score is for the side
/// to move, and we count the game as drawn, because there is no result.
fn parse_epd(line: &str) -> Result<ScoredPosition> {
    let fields: Vec<&str> = line.split('|').map(str::trim).collect();
    if let [fen, score, result] = fields[..] {
        let board = fen.parse()?;
        let score = score.parse().ok().with_context(|| format!("expected centipawns, found '{score}'"))?;
        let result = match result {
            "1.0" | "1" | "1-0" => GameResult::Win,
            "0.5" | "1/2-1/2" => GameResult::Draw,
            "0.0" | "0" | "0-1" => GameResult::Loss,
            _ => bail!("expected a result from 0 to 1, found '{result}'"),
        };
        return Ok((board, score, result));
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    let at = words.iter().position(|&word| word == "ce");
    let score = at.and_then(|at| words.get(at + 1)?.trim_end_matches(';').parse::<i16>().ok());
    let (Some(score), Some(fields)) = (score, words.get(..4)) else {
        bail!("expected 'FEN | SCORE | RESULT' or 'FEN ce SCORE;'");
    };
    let board: Board = format!("{} 0 20", fields.join(" ")).parse()?;
    let score = if board.side_to_move() == Color::White { score } else { score.saturating_neg() };
    Ok((board, score, GameResult::Draw))
}

/// Makes a game of one move, the first quiet move in the position.
fn game_of((start, score, result): ScoredPosition) -> Result<Game> {
    let pieces = start.occupied().count() as usize;
    ensure!(pieces <= MAX_PIECES, "expected at most {MAX_PIECES} pieces, found {pieces}");
    let mv = start.legal_moves().into_iter().find(|mv| mv.is_quiet() && !mv.is_castle());
    let mv = mv.context("no quiet move")?;
    Ok(Game { start, plies: vec![Ply { mv, score }], result })
}

/// Reads positions and passes each to `take` as a game of one move, with the number of the position (in text, of the
/// line). If a position is invalid or has no quiet move, `take` gets an error instead, and we go on with the next one.
pub fn read_games<E: From<io::Error>>(
    input: impl Read,
    format: Format,
    mut take: impl FnMut(u64, Result<Game>) -> Result<(), E>,
) -> Result<(), E> {
    let mut input = BufReader::new(input);
    match format {
        Format::Bullet => {
            let mut bytes = [0; Sample::SIZE];
            let mut number = 0;
            while fill(&mut input, &mut bytes, "the last position is cut off")? {
                number += 1;
                take(number, parse_bullet(&bytes).context("invalid position").and_then(game_of))?;
            }
        }
        Format::Epd => {
            let mut line = Vec::new();
            for number in 1.. {
                line.clear();
                if input.read_until(b'\n', &mut line)? == 0 {
                    break;
                }
                let line = String::from_utf8_lossy(&line);
                if !line.trim().is_empty() {
                    take(number, parse_epd(&line).and_then(game_of))?;
                }
            }
        }
    }
    Ok(())
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
            let fen = board.fen(FenStyle::XFen);
            let line = format!("{fen} | {score} | {:.1}", result.points());
            let theirs: bulletformat::ChessBoard = line.parse().expect("bullet reads FENs");
            // SAFETY: `ChessBoard` is plain data of the same size without padding.
            let expected: [u8; Sample::SIZE] = unsafe { std::mem::transmute(theirs) };
            assert_eq!(bytes, expected, "{line}");
        }
    }

    #[test]
    fn exported_positions_import_unchanged() {
        for position in positions() {
            let (board, score, result) = &position;
            let read = parse_epd(&epd_line(board, *score, *result)).unwrap();
            assert_eq!(
                (read.0.fen(FenStyle::XFen), read.1, read.2),
                (board.fen(FenStyle::XFen), *score, *result)
            );
            let (flipped, own_score, own_result) =
                parse_bullet(&bullet_bytes(board, *score, *result)).unwrap();
            assert_eq!(bullet_bytes(&flipped, own_score, own_result), bullet_bytes(board, *score, *result));
        }
        let (board, score, _) = parse_epd("4k3/8/8/8/8/8/4p3/4K3 b - - ce 120; id \"x\";").unwrap();
        assert_eq!((board.side_to_move(), score), (Color::Black, -120));
        let (_, score, _) = parse_epd("4k3/8/8/8/8/8/4p3/4K3 b - - ce -32768;").unwrap();
        assert_eq!(score, i16::MAX);
        assert!(parse_epd("4k3/8/8/8/8/8/4p3/4K3 b - -").is_err());
        assert!(parse_bullet(&[255; Sample::SIZE]).is_none());
    }

    #[test]
    fn crowded_position_is_refused() {
        // A game file has room for 32 pieces, so we must refuse a position with more.
        for (rank, count) in [("8", 32), ("7P", 33), ("PPPPPPPP", 40)] {
            let line = format!("rnbqkbnr/pppppppp/8/8/{rank}/8/PPPPPPPP/RNBQKBNR w KQkq - 0 20 | 31 | 0.5");
            let mut games = Vec::new();
            let take = |_, game| {
                games.push(game);
                Ok::<(), io::Error>(())
            };
            read_games(line.as_bytes(), Format::Epd, take).unwrap();
            assert_eq!(games.len(), 1);
            match &games[0] {
                Ok(game) => assert_eq!((game.start.occupied().count() as usize, count), (32, 32)),
                Err(error) => assert!(error.to_string().ends_with(&format!("found {count}")), "{error}"),
            }
        }
    }
}
