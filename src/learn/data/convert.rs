//! `data export` and `data import`: exchange of positions with other programs.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::chess::board::BoardBuilder;
use crate::chess::{Board, CastlingRules, Color, FenStyle, Piece, PieceKind};
use crate::learn::data::error::{DataError, at, ensure_new};
use crate::learn::games::format::{Game, GameResult, Ply};
use crate::learn::games::sample::{MAX_PIECES, Sample, is_usable};
use crate::learn::games::store::{GameReader, GameWriter, StoreError};
use crate::runs::manifest;
use crate::terminal::eprint_line;
use crate::terminal::progress::Progress;
use crate::util::files;
use crate::util::version::GENERATOR;

/// Write the usable positions for other programs: .bullet for the bullet trainer, .epd for text
#[derive(Args, Debug)]
#[command(after_help = "\
A .bullet file holds 32 bytes a position, the ChessBoard of the crate bulletformat. An .epd file holds a line \
'FEN | SCORE | RESULT' a position, with score and result for White, the result from 0 to 1. Without --all only \
positions that `train` would use are written.

Examples:
  enroque data export games.zst positions.bullet
  enroque data export games.zst positions.epd --all")]
pub struct ExportArguments {
    /// File of games
    file: PathBuf,
    /// File to write
    to: PathBuf,
    /// Write all positions, including those after captures, in check and of the opening; .epd only
    #[arg(long)]
    all: bool,
}

/// Make a file of games from positions of another program, .bullet or .epd, for `train`
#[derive(Args, Debug)]
#[command(after_help = "\
Each position becomes a game of one move, its first quiet move. Positions without a quiet move are reported and skipped. \
An .epd line is 'FEN | SCORE | RESULT' or 'FEN ... ce SCORE;', whose score is for the side to move.

Examples:
  enroque data import games.zst positions.bullet")]
pub struct ImportArguments {
    /// File of games to write
    file: PathBuf,
    /// File of positions
    from: PathBuf,
}

/// File format of positions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    /// 32 bytes a position, the layout of the crate `bulletformat`.
    Bullet,
    /// A line of text a position.
    Epd,
}

impl Format {
    /// Chooses the format by the file extension.
    fn of(path: &Path) -> Result<Self, DataError> {
        let extension = path.extension().map(|extension| extension.to_ascii_lowercase());
        match extension.as_deref().and_then(|extension| extension.to_str()) {
            Some("bullet") => Ok(Self::Bullet),
            Some("epd") => Ok(Self::Epd),
            _ => Err(DataError::Extension(path.to_owned())),
        }
    }
}

/// Runs `data export`.
///
/// # Errors
/// Returns an error if the file to write exists already, or a file cannot be read or written.
pub fn export(arguments: &ExportArguments) -> Result<(), DataError> {
    let &ExportArguments { ref file, ref to, all } = arguments;
    let format = Format::of(to)?;
    if all && format == Format::Bullet {
        return Err(DataError::All(to.clone()));
    }
    let games = GameReader::open(file)?;
    ensure_new(to)?;
    let mut progress = Progress::new(0, "games", 0);
    let (mut count, mut number) = (0_u64, 0);
    files::replace_with(to, |out| {
        for game in games {
            let game = game?;
            let mut written = Ok(());
            game.replay(|board, ply| {
                let is_exported = all || is_usable(board, ply.mv, ply.score);
                if is_exported && written.is_ok() {
                    count += 1;
                    written = match format {
                        Format::Bullet => out.write_all(&bullet_bytes(board, ply.score, game.result)),
                        Format::Epd => writeln!(out, "{}", epd_line(board, ply.score, game.result)),
                    };
                }
            });
            written.map_err(at(to))?;
            number += 1;
            progress.set(number, String::new);
        }
        Ok::<(), ExportError>(())
    })
    .map_err(|error| match error {
        ExportError::Data(error) => error,
        ExportError::Write(reason) => DataError::File { path: to.clone(), reason },
    })?;
    progress.finish();
    eprint_line(&format!("{}: {count} positions of {number} games", to.display()));
    Ok(())
}

/// Error inside an export.
enum ExportError {
    Data(DataError),
    Write(io::Error),
}

impl From<DataError> for ExportError {
    fn from(error: DataError) -> Self {
        Self::Data(error)
    }
}

impl From<StoreError> for ExportError {
    fn from(error: StoreError) -> Self {
        Self::Data(error.into())
    }
}

impl From<io::Error> for ExportError {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}

/// Encodes a position in the format of the bullet trainer: a [`Sample`] except for its last bytes, which are both kings'
/// squares, each relative to its side.
fn bullet_bytes(board: &Board, score: i16, result: GameResult) -> [u8; Sample::SIZE] {
    let us = board.side_to_move();
    let mut bytes = Sample::new(board, score, result).to_bytes();
    bytes[27] = board.king(us).relative_to(us).index() as u8;
    bytes[28] = board.king(!us).relative_to(!us).index() as u8;
    bytes
}

/// Decodes a position, score and result, with White as the side to move; `None` if the bytes are invalid.
fn parse_bullet(bytes: &[u8; Sample::SIZE]) -> Option<(Board, i16, GameResult)> {
    let occupied = u64::from_le_bytes(std::array::from_fn(|index| bytes[index]));
    if occupied.count_ones() as usize > MAX_PIECES {
        return None;
    }
    // The move number must not make the position an unusable opening position.
    let mut builder = BoardBuilder::new(CastlingRules::Fischer).fullmove_number(20);
    for (index, square) in crate::chess::Bitboard(occupied).into_iter().enumerate() {
        let code = bytes[8 + index / 2] >> (index % 2 * 4) & 15;
        let color = if code & 8 == 0 { Color::White } else { Color::Black };
        let kind = *PieceKind::ALL.get(usize::from(code & 7))?;
        builder = builder.piece(square, Piece::new(color, kind));
    }
    let result =
        [GameResult::Loss, GameResult::Draw, GameResult::Win].into_iter().find(|r| *r as u8 == bytes[26])?;
    Some((builder.build().ok()?, i16::from_le_bytes([bytes[24], bytes[25]]), result))
}

/// Formats `FEN | SCORE | RESULT`, for White.
fn epd_line(board: &Board, score: i16, result: GameResult) -> String {
    format!("{} | {score} | {:.1}", board.fen(FenStyle::XFen), result.points())
}

/// Parses `FEN | SCORE | RESULT`, or a FEN with the operation `ce SCORE;` for the side to move, whose result is a draw.
fn parse_epd(line: &str) -> Result<(Board, i16, GameResult), String> {
    let fields: Vec<&str> = line.split('|').map(str::trim).collect();
    if let [fen, score, result] = fields[..] {
        let board: Board = fen.parse().map_err(|error| format!("{error}"))?;
        let score = score.parse().map_err(|_| format!("expected centipawns, found '{score}'"))?;
        let result = match result {
            "1.0" | "1" | "1-0" => GameResult::Win,
            "0.5" | "1/2-1/2" => GameResult::Draw,
            "0.0" | "0" | "0-1" => GameResult::Loss,
            _ => return Err(format!("expected a result from 0 to 1, found '{result}'")),
        };
        return Ok((board, score, result));
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    let at = words.iter().position(|&word| word == "ce");
    let score = at.and_then(|at| words.get(at + 1)?.trim_end_matches(';').parse::<i16>().ok());
    let (Some(score), Some(fields)) = (score, words.get(..4)) else {
        return Err("expected 'FEN | SCORE | RESULT' or 'FEN ce SCORE;'".to_owned());
    };
    let board: Board = format!("{} 0 20", fields.join(" ")).parse().map_err(|error| format!("{error}"))?;
    let score = if board.side_to_move() == Color::White { score } else { -score };
    Ok((board, score, GameResult::Draw))
}

/// Creates a game of one move, the first quiet move of a position.
fn game_of((board, score, result): (Board, i16, GameResult)) -> Option<Game> {
    let mv = board.legal_moves().into_iter().find(|mv| mv.is_quiet() && !mv.is_castle())?;
    Some(Game { start: board, plies: vec![Ply { mv, score }], result })
}

/// Runs `data import`. Returns `false` if positions were skipped; reports the first ones.
///
/// # Errors
/// Returns an error if the file to write exists already, or a file cannot be read or written.
pub fn import(arguments: &ImportArguments) -> Result<bool, DataError> {
    /// Maximum number of reported positions.
    const MAX_REPORTS: u64 = 10;
    let ImportArguments { file, from } = arguments;
    let format = Format::of(from)?;
    ensure_new(file)?;
    manifest::ensure_overwritable(file)?;
    let mut input = BufReader::new(File::open(from).map_err(at(from))?);
    let mut writer = GameWriter::create(file)?;
    let mut progress = Progress::new(0, "positions", 0);
    let (mut imported, mut skipped) = (0_u64, 0_u64);
    let mut import =
        |position: Result<(Board, i16, GameResult), String>, place: u64| -> Result<(), DataError> {
            match position.and_then(|position| game_of(position).ok_or_else(|| "no quiet move".to_owned())) {
                Ok(game) => {
                    writer.add(&game)?;
                    imported += 1;
                }
                Err(reason) => {
                    skipped += 1;
                    if skipped <= MAX_REPORTS {
                        eprint_line(&format!("enroque: {}, position {place}: {reason}", from.display()));
                    }
                }
            }
            progress.set(imported + skipped, String::new);
            Ok(())
        };
    match format {
        Format::Bullet => {
            let mut bytes = [0; Sample::SIZE];
            let mut place = 0;
            while fill(&mut input, &mut bytes).map_err(at(from))? {
                place += 1;
                import(parse_bullet(&bytes).ok_or_else(|| "invalid position".to_owned()), place)?;
            }
        }
        Format::Epd => {
            for (index, line) in input.lines().enumerate() {
                let line = line.map_err(at(from))?;
                if !line.trim().is_empty() {
                    import(parse_epd(&line), index as u64 + 1)?;
                }
            }
        }
    }
    progress.finish();
    writer.finish()?;
    manifest::write(
        file,
        &serde_json::json!({
            "generator": GENERATOR, "imported_from": from.display().to_string(), "games": imported,
        }),
    )?;
    eprint_line(&format!("{}: {imported} positions, {skipped} skipped", file.display()));
    Ok(skipped == 0)
}

/// Fills `bytes` from the input. Returns `false` at the end of the input.
fn fill(input: &mut impl Read, bytes: &mut [u8]) -> io::Result<bool> {
    let mut filled = 0;
    while filled < bytes.len() {
        match input.read(&mut bytes[filled..])? {
            0 if filled == 0 => return Ok(false),
            0 => return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the last position is cut off")),
            count => filled += count,
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::startpos::opening;
    use crate::util::random::Random;

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
        assert!(parse_epd("4k3/8/8/8/8/8/4p3/4K3 b - -").is_err());
        assert!(parse_bullet(&[255; Sample::SIZE]).is_none());
    }
}
