//! Start positions at random for organisers: a draw that can be repeated by who knows its seed, and a sheet to print.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::Path;

use super::{Arguments, StartposError, numbered, show};
use crate::chess::startpos::{StartSet, name_of, start_numbers};
use crate::chess::{Board, FenStyle};
use crate::terminal::board::{CELL, board_svg};
use crate::terminal::{OutputError, print_line};
use crate::util::files;
use crate::util::random::Random;

/// Draws positions and shows them.
///
/// # Errors
/// When the set has not so many, or the sheet cannot be written.
pub fn run(arguments: &Arguments) -> Result<(), StartposError> {
    let Arguments { set, count, seed, .. } = *arguments;
    let excluded =
        arguments.exclude.iter().map(|number| set.parse(number)).collect::<Result<HashSet<u64>, _>>()?;
    // Small enough to be written down.
    let seed = seed.unwrap_or_else(|| Random::from_entropy().below(1_000_000_000));
    let drawn = draw(set, count.unwrap_or(1), seed, &excluded)?;
    let boards = drawn.iter().map(|&number| numbered(set, number)).collect::<Result<Vec<Board>, _>>()?;
    if let Some(path) = &arguments.sheet {
        write_sheet(path, set, &drawn, &boards)?;
    }
    if let (None, None, [board]) = (count, arguments.seed, &boards[..]) {
        return Ok(show(board, arguments)?);
    }
    Ok(log(arguments, seed, &drawn, &boards)?)
}

/// Different numbers of the set, none of them excluded, in the order in which they were drawn. How they follow from the
/// seed is part of what this program promises: SplitMix64 begun at the seed gives 64 bits; the upper 64 bits of these
/// times the size of the set are the next number; one that was drawn before, or is excluded, is passed over.
fn draw(
    set: &'static StartSet,
    count: u64,
    seed: u64,
    excluded: &HashSet<u64>,
) -> Result<Vec<u64>, StartposError> {
    let size = set.count();
    let most = size - excluded.len() as u64;
    if count > most {
        return Err(StartposError::Count { set: set.name, most });
    }
    let mut random = Random::new(seed);
    let mut gone = excluded.clone();
    let mut drawn = Vec::new();
    while (drawn.len() as u64) < count {
        let number = random.below(size);
        if gone.insert(number) {
            drawn.push(number);
        }
    }
    Ok(drawn)
}

/// A line for each, after one that says how to repeat the draw.
fn log(arguments: &Arguments, seed: u64, drawn: &[u64], boards: &[Board]) -> Result<(), OutputError> {
    let Arguments { set, ref exclude, fen, .. } = *arguments;
    let mut command =
        format!("enroque startpos --random --set {} --count {} --seed {seed}", set.name, drawn.len());
    if !exclude.is_empty() {
        let _ = write!(command, " --exclude {}", exclude.join(","));
    }
    print_line(&format!("# {command}"))?;
    for (index, (number, board)) in drawn.iter().zip(boards).enumerate() {
        let fen = board.fen(fen.unwrap_or(FenStyle::Shredder));
        print_line(&format!("{:>4}  {:>10}  {fen}", index + 1, number))?;
    }
    Ok(())
}

/// Millimetres of a page (A4), and what a board takes of it.
const PAGE: (f64, f64) = (210.0, 297.0);
const ACROSS: usize = 2;
const DOWN: usize = 3;
const BOARD: f64 = 76.0;

/// Writes pages of boards.
fn write_sheet(path: &Path, set: &StartSet, drawn: &[u64], boards: &[Board]) -> Result<(), StartposError> {
    let fail = |path: &Path, reason| StartposError::Sheet { path: path.to_owned(), reason };
    let captions = drawn.iter().zip(boards).enumerate().map(|(index, (number, board))| {
        let name = start_numbers(board).map_or_else(String::new, |(white, black)| name_of(white, black));
        let name = if name.ends_with(&format!(" {number}")) {
            name
        } else {
            format!("{name} ({}:{number})", set.name)
        };
        format!("{}.  {name}", index + 1)
    });
    let captions: Vec<String> = captions.collect();
    let pages = boards.chunks(ACROSS * DOWN).zip(captions.chunks(ACROSS * DOWN)).enumerate();
    for (index, (boards, captions)) in pages {
        let path = files::numbered(path, index + 1);
        files::ensure_overwritable(&path, |bytes| bytes.starts_with(sheet_beginning().as_bytes()))
            .and_then(|()| files::replace(&path, sheet(boards, captions).as_bytes()))
            .map_err(|reason| fail(&path, reason))?;
    }
    Ok(())
}

fn sheet_beginning() -> String {
    let (width, height) = PAGE;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}mm\" height=\"{height}mm\" viewBox=\"0 0 {width} {height}\""
    )
}

fn sheet(boards: &[Board], captions: &[String]) -> String {
    let mut text = format!("{} font-family=\"sans-serif\" font-size=\"4\">\n", sheet_beginning());
    let side = 8.0 * CELL as f64;
    let scale = BOARD / side;
    let (gap_x, gap_y) = (
        (PAGE.0 - ACROSS as f64 * BOARD) / (ACROSS + 1) as f64,
        (PAGE.1 - DOWN as f64 * BOARD) / (DOWN + 1) as f64,
    );
    for (index, (board, caption)) in boards.iter().zip(captions).enumerate() {
        let x = gap_x + (index % ACROSS) as f64 * (BOARD + gap_x);
        let y = gap_y + (index / ACROSS) as f64 * (BOARD + gap_y);
        let _ = writeln!(text, "<text x=\"{x:.1}\" y=\"{:.1}\">{caption}</text>", y - 2.0);
        let _ = writeln!(
            text,
            "<g transform=\"translate({x:.1} {y:.1}) scale({scale:.4})\">\n{}</g>",
            board_svg(board)
        );
    }
    text + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_is_what_its_seed_says() {
        let set = StartSet::by_name("chess960").unwrap();
        let excluded = HashSet::from([518]);
        let drawn = draw(set, 959, 7, &excluded).unwrap();
        let different: HashSet<u64> = drawn.iter().copied().collect();
        assert!(different.len() == 959 && !different.contains(&518));
        assert_eq!(draw(set, 5, 7, &excluded).unwrap(), drawn[..5]);
        assert!(draw(set, 960, 7, &excluded).is_err());
        // The promise: SplitMix64 of seed 1 begins with these 64 bits (Vigna's reference gives the same).
        assert_eq!(Random::new(1).bits(), 0x910A_2DEC_8902_5CC1);
        let expected = ((u128::from(0x910A_2DEC_8902_5CC1_u64) * 960) >> 64) as u64;
        assert_eq!(draw(set, 1, 1, &HashSet::new()).unwrap(), [expected]);
    }
}
