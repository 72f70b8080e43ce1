//! `data split`, `export` and `import`: files of games in parts, and positions from and for other programs.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use crate::chess::board::BoardBuilder;
use crate::chess::{Board, CastlingRules, Color, FenStyle, Piece, PieceKind};
use crate::learn::games::format::{Game, GameResult, Ply};
use crate::learn::games::info::DataError;
use crate::learn::games::store::{GameReader, GameWriter, StoreError};
use crate::learn::games::tree::{self, TreeReader, TreeWriter};
use crate::learn::train::samples::{MAX_PIECES, Sample, is_usable};
use crate::runs::manifest;
use crate::terminal::eprint_line;
use crate::terminal::progress::Progress;
use crate::util::files;
use crate::util::version::GENERATOR;

/// How positions are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    /// 32 bytes each, as the crate `bulletformat` has them.
    Bullet,
    /// A line each.
    Epd,
}

impl Format {
    fn of(path: &Path) -> Result<Self, DataError> {
        let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
        match ending.as_deref().and_then(|ending| ending.to_str()) {
            Some("bullet") => Ok(Self::Bullet),
            Some("epd") => Ok(Self::Epd),
            _ => Err(DataError::Ending(path.to_owned())),
        }
    }
}

fn at(path: &Path) -> impl Fn(io::Error) -> DataError + '_ {
    move |reason| DataError::File { path: path.to_owned(), reason }
}

fn check_new(path: &Path) -> Result<(), DataError> {
    if path.exists() { Err(DataError::Exists(path.to_owned())) } else { Ok(()) }
}

/// Splits a file of games into new ones of the same size, and what their searches saw.
///
/// # Errors
/// When a part exists already, or a file cannot be read or written.
pub fn split(file: &Path, parts: &[PathBuf]) -> Result<(), DataError> {
    let games = GameReader::open(file)?;
    let mut tree = TreeReader::open(file).map_err(StoreError::from)?;
    for part in parts {
        check_new(part)?;
        check_new(&tree::path(part))?;
        manifest::ensure_overwritable(part)?;
    }
    let open = |part: &PathBuf| -> Result<_, DataError> {
        let tree = tree.is_some().then(|| TreeWriter::create(part)).transpose()?;
        Ok((GameWriter::create(part)?, tree, 0))
    };
    let mut writers = parts.iter().map(open).collect::<Result<Vec<_>, DataError>>()?;
    let mut progress = Progress::new(0, "games", 0);
    for (index, game) in games.enumerate() {
        let place = index % writers.len();
        let (writer, tree_writer, count) = &mut writers[place];
        let seen = tree.as_mut().and_then(TreeReader::next).transpose().map_err(StoreError::from)?;
        if let Some(tree_writer) = tree_writer {
            tree_writer.add(*count, &seen.unwrap_or_default())?;
        }
        writer.add(&game?)?;
        *count += 1;
        progress.set(index as u64 + 1, String::new);
    }
    progress.finish();
    for (index, ((writer, tree_writer, count), part)) in writers.into_iter().zip(parts).enumerate() {
        if let Some(tree_writer) = tree_writer {
            tree_writer.finish()?;
        }
        writer.finish()?;
        let whole = file.display().to_string();
        manifest::write(
            part,
            &serde_json::json!({
                "generator": GENERATOR, "split_from": whole, "part": [index + 1, parts.len()], "games": count,
            }),
        )?;
        eprint_line(&format!("{}: {count} games", part.display()));
    }
    Ok(())
}

/// Writes the positions of a file of games for other programs, in the format that the name ends in: those that training
/// uses, or all.
///
/// # Errors
/// When there is such a file already, or one cannot be read or written.
pub fn export(file: &Path, to: &Path, all: bool) -> Result<(), DataError> {
    let format = Format::of(to)?;
    if all && format == Format::Bullet {
        return Err(DataError::All(to.to_owned()));
    }
    let games = GameReader::open(file)?;
    check_new(to)?;
    let mut progress = Progress::new(0, "games", 0);
    let (mut count, mut number) = (0_u64, 0);
    files::replace_with(to, |out| {
        for game in games {
            let game = game?;
            let mut written = Ok(());
            game.replay(|board, ply| {
                let wanted = all || is_usable(board, ply.mv, ply.score);
                if wanted && written.is_ok() {
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
        ExportError::Write(reason) => DataError::File { path: to.to_owned(), reason },
    })?;
    progress.finish();
    eprint_line(&format!("{}: {count} positions of {number} games", to.display()));
    Ok(())
}

/// Why an export broke off.
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

/// A position as the bullet trainer has it: a [`Sample`] but for its last bytes, which are both kings' squares, each as its
/// side sees it.
fn bullet_bytes(board: &Board, score: i16, result: GameResult) -> [u8; Sample::SIZE] {
    let us = board.side_to_move();
    let mut bytes = Sample::new(board, score, result).to_bytes();
    bytes[27] = board.king(us).relative_to(us).index() as u8;
    bytes[28] = board.king(!us).relative_to(!us).index() as u8;
    bytes
}

/// The position, score and result of 32 bytes, the side to move being White; `None` when they are none.
fn of_bullet(bytes: &[u8; Sample::SIZE]) -> Option<(Board, i16, GameResult)> {
    let occupied = u64::from_le_bytes(std::array::from_fn(|index| bytes[index]));
    if occupied.count_ones() as usize > MAX_PIECES {
        return None;
    }
    // Late in a game, so that training does not take it for an opening.
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

/// `FEN | SCORE | RESULT`, for White.
fn epd_line(board: &Board, score: i16, result: GameResult) -> String {
    format!("{} | {score} | {:.1}", board.fen(FenStyle::XFen), result.points())
}

/// Reads `FEN | SCORE | RESULT`, or a FEN with the operation `ce SCORE;` for the side to move, a draw.
fn of_epd(line: &str) -> Result<(Board, i16, GameResult), String> {
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

/// A game of the first quiet move of a position.
fn game_of((board, score, result): (Board, i16, GameResult)) -> Option<Game> {
    let mv = board.legal_moves().into_iter().find(|mv| mv.is_quiet() && !mv.is_castle())?;
    Some(Game { start: board, plies: vec![Ply { mv, score }], result })
}

/// Makes a file of games of positions; `false` when some of them could not be taken, which is told.
///
/// # Errors
/// When there is such a file already, or one cannot be read or written.
pub fn import(file: &Path, from: &Path) -> Result<bool, DataError> {
    let format = Format::of(from)?;
    check_new(file)?;
    manifest::ensure_overwritable(file)?;
    let mut input = BufReader::new(File::open(from).map_err(at(from))?);
    let mut writer = GameWriter::create(file)?;
    let mut progress = Progress::new(0, "positions", 0);
    let (mut taken, mut refused) = (0_u64, 0_u64);
    let mut take =
        |position: Result<(Board, i16, GameResult), String>, place: u64| -> Result<(), DataError> {
            match position.and_then(|position| game_of(position).ok_or_else(|| "no quiet move".to_owned())) {
                Ok(game) => {
                    writer.add(&game)?;
                    taken += 1;
                }
                Err(reason) => {
                    refused += 1;
                    if refused <= 10 {
                        eprint_line(&format!("enroque: {}, position {place}: {reason}", from.display()));
                    }
                }
            }
            progress.set(taken + refused, String::new);
            Ok(())
        };
    match format {
        Format::Bullet => {
            let mut bytes = [0; Sample::SIZE];
            let mut place = 0;
            while fill(&mut input, &mut bytes).map_err(at(from))? {
                place += 1;
                take(of_bullet(&bytes).ok_or_else(|| "no position".to_owned()), place)?;
            }
        }
        Format::Epd => {
            for (index, line) in input.lines().enumerate() {
                let line = line.map_err(at(from))?;
                if !line.trim().is_empty() {
                    take(of_epd(&line), index as u64 + 1)?;
                }
            }
        }
    }
    progress.finish();
    writer.finish()?;
    manifest::write(
        file,
        &serde_json::json!({
            "generator": GENERATOR, "imported_from": from.display().to_string(), "games": taken,
        }),
    )?;
    eprint_line(&format!("{}: {taken} positions, {refused} left out", file.display()));
    Ok(refused == 0)
}

/// Fills the bytes; `false` at the end of the input.
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
    fn bullet_reads_what_is_exported() {
        for (board, score, result) in positions() {
            let bytes = bullet_bytes(&board, score, result);
            let fen = board.fen(FenStyle::XFen);
            let line = format!("{fen} | {score} | {:.1}", result.points());
            let theirs: bulletformat::ChessBoard = line.parse().expect("bullet reads FENs");
            // SAFETY: plain data of that size.
            let expected: [u8; Sample::SIZE] = unsafe { std::mem::transmute(theirs) };
            assert_eq!(bytes, expected, "{line}");
        }
    }

    #[test]
    fn positions_come_back() {
        for position in positions() {
            let (board, score, result) = &position;
            let read = of_epd(&epd_line(board, *score, *result)).unwrap();
            assert_eq!(
                (read.0.fen(FenStyle::XFen), read.1, read.2),
                (board.fen(FenStyle::XFen), *score, *result)
            );
            let (turned, own_score, own_result) = of_bullet(&bullet_bytes(board, *score, *result)).unwrap();
            assert_eq!(bullet_bytes(&turned, own_score, own_result), bullet_bytes(board, *score, *result));
        }
        let (board, score, _) = of_epd("4k3/8/8/8/8/8/4p3/4K3 b - - ce 120; id \"x\";").unwrap();
        assert_eq!((board.side_to_move(), score), (Color::Black, -120));
        assert!(of_epd("4k3/8/8/8/8/8/4p3/4K3 b - -").is_err());
        assert!(of_bullet(&[255; Sample::SIZE]).is_none());
    }
}
