//! Draws A4 pages with boards of start positions, as SVG files to print.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;
use chrono::Local;

use super::arguments::SheetArguments;
use crate::text::escaped;
use enroque::chess::Board;
use enroque::chess::startpos::{StartNumbers, StartSet};
use enroque::terminal::eprint_line;
use enroque::util::version::GENERATOR;
use enroque_runs::files::{self, AtPath};
use enroque_study::board::{CELL, board_svg};

// All lengths are in millimetres.

/// Width and height of an A4 page.
const PAGE: (f64, f64) = (210.0, 297.0);
const COLUMNS: usize = 2;
const ROWS: usize = 3;
const BOARDS: usize = COLUMNS * ROWS;
const BOARD: f64 = 70.0;
const MARGIN: f64 = 15.0;
/// Distance from the top of the page to the first row of boards. It leaves room for the title and the row's captions.
const HEAD: f64 = 30.0;
/// Distance from the top of one row of boards to the top of the next.
const ROW: f64 = 84.0;
/// How far the baselines of the two caption lines are above the board that they describe. The captions must not touch
/// the board in the row above.
const CAPTIONS: [f64; 2] = [7.2, 2.4];
/// Distance between the text lines at the foot of the page.
const FOOT_LINE: f64 = 3.2;
/// How many characters fit on a line at the foot of the page.
const FOOT_WIDTH: usize = 118;
/// How many text lines fit at the foot of the page, below the boards.
const FOOT_LINES: usize = 5;

/// Writes SVG files with six boards each. The first is `path`; the next ones have a number before the extension
/// (`sheet-2.svg`). `origin` is printed at the foot of each page and says how the starts were chosen.
pub fn write(
    path: &Path,
    sheet: &SheetArguments,
    set: &StartSet,
    boards: &[Board],
    origin: &[String],
) -> Result<()> {
    let pages = boards.len().div_ceil(BOARDS);
    let paths: Vec<_> = (1..=pages).map(|number| files::numbered(path, number)).collect();
    for path in &paths {
        files::ensure_overwritable(path, |bytes| bytes.starts_with(opening_tag().as_bytes())).at(path)?;
    }
    for (index, (path, boards)) in paths.iter().zip(boards.chunks(BOARDS)).enumerate() {
        let title = title(sheet, (index, pages));
        let text = page(&title, set, boards, origin, index * BOARDS + 1);
        files::replace(path, text.as_bytes()).at(path)?;
        eprint_line(&format!("{}: written, page {} of {pages}", path.display(), index + 1));
    }
    Ok(())
}

/// Returns the two lines above a board: the name of the start, and the letters of its back rank. In sets other than
/// Chess960, the name includes the number in the set unless it ends with that number anyway.
fn captions(set: &StartSet, board: &Board) -> [String; 2] {
    let Some(numbers) = StartNumbers::of(board) else { return Default::default() };
    let name = numbers.name();
    // The full name of a double start has three numbers and would be wider than the board.
    let name = match name.split_once(" (") {
        Some(_) => format!("double Chess960 {numbers}"),
        None => name,
    };
    let name = match set.index_of(numbers) {
        Some(number) if set.name != "chess960" && !name.ends_with(&format!(" {number}")) => {
            format!("{name} ({}:{number})", set.name)
        }
        _ => name,
    };
    [name, numbers.letters_joined(" ")]
}

fn opening_tag() -> String {
    let (width, height) = PAGE;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}mm\" height=\"{height}mm\" viewBox=\"0 0 {width} {height}\""
    )
}

/// Returns the title (event and round), and the text to the right of it (date and page number).
fn title(sheet: &SheetArguments, (index, pages): (usize, usize)) -> [String; 2] {
    let round = sheet.round.as_ref().map(|round| format!("Round {round}"));
    let parts: Vec<String> = sheet.event.iter().cloned().chain(round).collect();
    let title = if parts.is_empty() { "Start positions".to_owned() } else { parts.join(", ") };
    let mut line = sheet.date.clone().unwrap_or_else(|| Local::now().date_naive().to_string());
    if pages > 1 {
        let _ = write!(line, ", page {} of {pages}", index + 1);
    }
    [title, line]
}

/// Draws one page. Its first board gets the number `first`.
fn page(title: &[String; 2], set: &StartSet, boards: &[Board], origin: &[String], first: usize) -> String {
    let mut text = format!("{} font-family=\"sans-serif\" font-size=\"4\">\n", opening_tag());
    // Without this, browsers add margins of their own and push a part of the picture to a second page.
    text.push_str("<style>@page { size: A4; margin: 0 }</style>\n");
    // Some viewers show a picture on black if it has no background of its own.
    text.push_str("<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
    let [title, line] = title;
    let right = PAGE.0 - MARGIN;
    let _ = writeln!(
        text,
        "<text x=\"{MARGIN}\" y=\"{MARGIN}\" font-size=\"7\" font-weight=\"bold\">{}</text>\n\
         <text x=\"{right}\" y=\"{MARGIN}\" text-anchor=\"end\">{}</text>",
        escaped(title),
        escaped(line)
    );
    let scale = BOARD / (8.0 * CELL as f64);
    let gap = PAGE.0 - 2.0 * MARGIN - COLUMNS as f64 * BOARD;
    for (index, board) in boards.iter().enumerate() {
        let x = MARGIN + (index % COLUMNS) as f64 * (BOARD + gap);
        let y = HEAD + (index / COLUMNS) as f64 * ROW;
        let [name, letters] = captions(set, board);
        let [name_y, letters_y] = CAPTIONS.map(|distance| y - distance);
        let _ = writeln!(
            text,
            "<text x=\"{x:.1}\" y=\"{name_y:.1}\" font-weight=\"bold\">{}.  {name}</text>\n\
             <text x=\"{x:.1}\" y=\"{letters_y:.1}\" font-family=\"monospace\">{letters}</text>\n\
             <g transform=\"translate({x:.1} {y:.1}) scale({scale:.4})\">\n{}</g>",
            first + index,
            board_svg(board)
        );
    }
    let mut lines: Vec<String> = origin.iter().flat_map(|line| wrapped(line)).collect();
    if lines.len() >= FOOT_LINES {
        lines.truncate(FOOT_LINES - 2);
        lines.push("...".to_owned());
    }
    lines.push(format!("Made by {GENERATOR}"));
    for (index, line) in lines.iter().rev().enumerate() {
        let y = PAGE.1 - MARGIN / 2.0 - index as f64 * FOOT_LINE;
        let line = escaped(line);
        let _ = writeln!(
            text,
            "<text x=\"{MARGIN}\" y=\"{y:.1}\" font-size=\"2.5\" font-family=\"monospace\">{line}</text>"
        );
    }
    text + "</svg>\n"
}

/// Wraps a text line for the foot of the page, after spaces and commas.
fn wrapped(line: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in line.split_inclusive([' ', ',']) {
        match lines.last_mut() {
            Some(last) if last.len() + word.len() <= FOOT_WIDTH => last.push_str(word),
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use enroque::chess::startpos::double_chess960;

    #[test]
    fn double_starts_named_briefly() {
        let set = StartSet::by_name("chess960").unwrap();
        let name = |white, black| captions(set, &double_chess960(white, black).unwrap())[0].clone();
        assert_eq!(name(518, 344), "double Chess960 518:344");
        assert_eq!(name(334, 334), "Chess960 334");
    }

    #[test]
    fn long_lines_are_wrapped() {
        let line = "enroque-tools startpos random --exclude ".to_owned() + &"518,".repeat(60);
        let lines = wrapped(&line);
        assert!(lines.len() == 3 && lines.iter().all(|line| line.len() <= FOOT_WIDTH), "{lines:#?}");
        assert_eq!(lines.concat(), line);
    }
}
