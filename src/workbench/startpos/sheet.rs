//! Printable SVG pages of start positions.

use std::fmt::Write as _;
use std::path::Path;

use super::error::StartposError;
use crate::chess::Board;
use crate::chess::startpos::{StartSet, name_of, start_numbers};
use crate::terminal::board::{CELL, board_svg};
use crate::util::files;

/// Width and height of an A4 page in millimetres.
const PAGE: (f64, f64) = (210.0, 297.0);
/// Boards side by side.
const COLUMNS: usize = 2;
/// Boards one below the other.
const ROWS: usize = 3;
/// Side of a board in millimetres.
const BOARD: f64 = 76.0;
/// Distance from a caption's baseline to its board in millimetres.
const CAPTION_GAP: f64 = 2.0;

/// Writes the boards on pages; page 2 and later are files with a number in their names.
///
/// # Errors
/// Returns an error if a page cannot be written or would replace another file.
pub fn write(path: &Path, set: &StartSet, drawn: &[u64], boards: &[Board]) -> Result<(), StartposError> {
    let captions: Vec<String> = drawn
        .iter()
        .zip(boards)
        .enumerate()
        .map(|(index, (&number, board))| format!("{}.  {}", index + 1, caption(set, number, board)))
        .collect();
    let pages = boards.chunks(COLUMNS * ROWS).zip(captions.chunks(COLUMNS * ROWS)).enumerate();
    for (index, (boards, captions)) in pages {
        let path = files::numbered(path, index + 1);
        files::ensure_overwritable(&path, |bytes| bytes.starts_with(opening_tag().as_bytes()))
            .and_then(|()| files::replace(&path, page(boards, captions).as_bytes()))
            .map_err(|reason| StartposError::Sheet { path: path.clone(), reason })?;
    }
    Ok(())
}

/// Returns the name of a position, with its number in the set if the name does not end with it.
fn caption(set: &StartSet, number: u64, board: &Board) -> String {
    let name = start_numbers(board).map_or_else(String::new, |(white, black)| name_of(white, black));
    if name.ends_with(&format!(" {number}")) { name } else { format!("{name} ({}:{number})", set.name) }
}

fn opening_tag() -> String {
    let (width, height) = PAGE;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}mm\" height=\"{height}mm\" viewBox=\"0 0 {width} {height}\""
    )
}

fn page(boards: &[Board], captions: &[String]) -> String {
    let mut text = format!("{} font-family=\"sans-serif\" font-size=\"4\">\n", opening_tag());
    let side = 8.0 * CELL as f64;
    let scale = BOARD / side;
    let (gap_x, gap_y) = (
        (PAGE.0 - COLUMNS as f64 * BOARD) / (COLUMNS + 1) as f64,
        (PAGE.1 - ROWS as f64 * BOARD) / (ROWS + 1) as f64,
    );
    for (index, (board, caption)) in boards.iter().zip(captions).enumerate() {
        let x = gap_x + (index % COLUMNS) as f64 * (BOARD + gap_x);
        let y = gap_y + (index / COLUMNS) as f64 * (BOARD + gap_y);
        let _ = writeln!(text, "<text x=\"{x:.1}\" y=\"{:.1}\">{caption}</text>", y - CAPTION_GAP);
        let _ = writeln!(
            text,
            "<g transform=\"translate({x:.1} {y:.1}) scale({scale:.4})\">\n{}</g>",
            board_svg(board)
        );
    }
    text + "</svg>\n"
}
