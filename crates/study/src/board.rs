//! Draws boards in Unicode and SVG.

use std::fmt::Write as _;

use enroque::chess::{Bitboard, Board, Color, File, Rank, Square};

/// Draws the board with Unicode chess symbols, White at the bottom.
pub fn unicode(board: &Board) -> String {
    let glyphs = [['♙', '♘', '♗', '♖', '♕', '♔'], ['♟', '♞', '♝', '♜', '♛', '♚']];
    let mut text = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        let _ = write!(text, "{} ", rank.digit());
        for file in File::ALL {
            let piece = board.piece_on(Square::new(file, rank));
            let glyph = piece.map_or('·', |piece| glyphs[piece.color().index()][piece.kind().index()]);
            let _ = write!(text, " {glyph}");
        }
        text.push('\n');
    }
    text + "   a b c d e f g h"
}

/// SVG paths of the pieces, from pawn to king, each for a square whose sides are [`CELL`] long.
pub const OUTLINES: [&str; 6] = [
    "M22.5 9a5.5 5.5 0 0 1 3.2 10c3.6 1.8 5.3 5 5.3 9.5 3 2 4.5 5 4.5 8.5h-26c0-3.5 1.5-6.5 4.5-8.5 \
     0-4.5 1.7-7.7 5.3-9.5a5.5 5.5 0 0 1 3.2-10z",
    "M12 38c0-9 10-11 9-17-3 2-5 1-6 4l-5 3c-2-1-3-3-2-5l6-9c0-3 1-4 3-6l2 4c10 0 15 8 15 26z",
    "M22.5 6a3 3 0 0 1 2 5.2c5 3.8 7 8 7 11.8 0 3-1.5 5-4 6.5l1 3.5c4 .5 6.5 1.5 6.5 5h-25c0-3.5 \
     2.5-4.5 6.5-5l1-3.5c-2.5-1.5-4-3.5-4-6.5 0-3.8 2-8 7-11.8a3 3 0 0 1 2-5.2z",
    "M10 38v-4h3l2-15h-4V9h5v4h4V9h5v4h4V9h5v10h-4l2 15h3v4z",
    "M9 13l6 9 1-13 6.5 12L29 9l1 13 6-9-4 18c2 1.5 3 4 3 7H10c0-3 1-5.5 3-7z",
    "M21 5h3v3h3v3h-3v4c7-3 13 1 13 7 0 4-3 7-5 9v7H13v-7c-2-2-5-5-5-9 0-6 6-10 13-7v-4h-3V8h3z",
];

/// Side length of a square, in SVG units.
pub const CELL: usize = 45;

/// Draws the board as an SVG document, White at the bottom.
pub fn svg(board: &Board) -> String {
    let side = 8 * CELL;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" width=\"{side}\" \
         font-family=\"sans-serif\">\n{}</svg>",
        board_svg(board)
    )
}

/// Like [`svg`], but without the enclosing document, so that it can be part of a larger drawing. The board is eight
/// [`CELL`]s wide.
pub fn board_svg(board: &Board) -> String {
    let mut text = String::new();
    let colors = ["#f0d9b5", "#b58863"];
    for square in Square::all() {
        let (file, rank) = (square.file(), square.rank());
        let (x, y) = (file.index() * CELL, (7 - rank.index()) * CELL);
        let is_dark = usize::from(!Bitboard::LIGHT.has(square));
        let (fill, contrast) = (colors[is_dark], colors[1 - is_dark]);
        let _ = writeln!(text, r#"<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{fill}"/>"#);
        let mut label = |x, y, anchor, name: char| {
            let font = format!(r#"font-size="12"{anchor} fill="{contrast}""#);
            let _ = writeln!(text, r#"<text x="{x}" y="{y}" {font}>{name}</text>"#);
        };
        if file == File::A {
            label(x + 2, y + 12, "", rank.digit());
        }
        if rank == Rank::First {
            label(x + CELL - 2, y + CELL - 3, r#" text-anchor="end""#, file.letter());
        }
        if let Some(piece) = board.piece_on(square) {
            let is_white = piece.color() == Color::White;
            let (fill, stroke) = if is_white { ("#fff", "#222") } else { ("#222", "#ddd") };
            let outline = OUTLINES[piece.kind().index()];
            let _ = writeln!(
                text,
                r#"<path transform="translate({x} {y})" d="{outline}" fill="{fill}" stroke="{stroke}"/>"#
            );
        }
    }
    text
}
