//! Spellings of moves: piece letters of several languages, figurines, long notation, annotation symbols.

use enroque::chess::notation::san::SanError;
use enroque::chess::{Board, Move, PieceKind};

/// Piece letters in the order king, queen, rook, bishop, knight: English (as the PGN standard requires); German; French;
/// Spanish and Italian; Dutch; Polish.
pub const LANGUAGES: [[char; 5]; 6] = [
    ENGLISH,
    ['K', 'D', 'T', 'L', 'S'],
    ['R', 'D', 'T', 'F', 'C'],
    ['R', 'D', 'T', 'A', 'C'],
    ['K', 'D', 'T', 'L', 'P'],
    ['K', 'H', 'W', 'G', 'S'],
];

/// English piece letters.
pub const ENGLISH: [char; 5] = ['K', 'Q', 'R', 'B', 'N'];

/// Annotation symbols and their numeric annotation glyphs (PGN standard, section 10, and the symbols used in books).
const SYMBOLS: [(&str, u8); 29] = [
    ("!", 1),
    ("?", 2),
    ("!!", 3),
    ("‼", 3),
    ("??", 4),
    ("⁇", 4),
    ("!?", 5),
    ("⁉", 5),
    ("?!", 6),
    ("⁈", 6),
    ("□", 7),
    ("=", 10),
    ("∞", 13),
    ("+=", 14),
    ("+/=", 14),
    ("⩲", 14),
    ("=+", 15),
    ("=/+", 15),
    ("⩱", 15),
    ("+/-", 16),
    ("±", 16),
    ("-/+", 17),
    ("∓", 17),
    ("+-", 18),
    ("+−", 18),
    ("-+", 19),
    ("−+", 19),
    ("↑", 36),
    ("N", 146),
];

/// Returns the numeric annotation glyph of a symbol.
pub fn nag_of(symbol: &str) -> Option<u8> {
    SYMBOLS.iter().find(|(written, _)| *written == symbol).map(|&(_, nag)| nag)
}

/// Greatest numeric annotation glyph that marks the quality of a move.
pub const MAX_MOVE_NAG: u8 = 6;

/// Returns the symbol of a glyph that marks the quality of a move, `!` to `?!`.
pub fn move_symbol(nag: u8) -> Option<&'static str> {
    SYMBOLS.iter().find(|&&(_, known)| known == nag && nag <= MAX_MOVE_NAG).map(|(symbol, _)| *symbol)
}

/// Returns `true` for an en passant suffix written as a separate word; the move itself already implies it.
pub fn is_en_passant_suffix(word: &str) -> bool {
    ["e.p.", "ep", "e.p", "(ep)", "(e.p.)"].contains(&word)
}

/// Returns `true` for the spellings of a null move.
pub fn is_null_move(word: &str) -> bool {
    ["--", "Z0", "@@@@", "null", "0000"].contains(&word)
}

/// Signs of check and mate.
const CHECK_SIGNS: [char; 5] = ['+', '#', '†', '‡', '≠'];

/// Splits an annotation symbol from the end of a move. A sign of check may stand before it or after it.
pub fn split_symbol(word: &str) -> (&str, Option<u8>) {
    let marked = word.trim_end_matches(CHECK_SIGNS);
    let bare = marked.trim_end_matches(['!', '?', '‼', '⁇', '⁉', '⁈', '□']);
    match nag_of(&marked[bare.len()..]) {
        Some(nag) if !bare.is_empty() => (bare, Some(nag)),
        _ => (word, None),
    }
}

/// Parses a move on `board`, its pieces written in the given letters.
///
/// # Errors
/// Returns an error message if the word is not a move, or is an illegal or ambiguous one.
pub fn parse_move(word: &str, letters: [char; 5], board: &Board) -> Result<Move, String> {
    let text = to_english(word, letters).ok_or_else(|| format!("'{word}' is no move"))?;
    board.parse_san(&text).or_else(|error| {
        coordinate_move(&text, board).ok_or_else(|| match error {
            SanError::Syntax(_) => format!("'{word}' is no move"),
            SanError::Illegal(_) => format!("'{word}' is not legal here"),
            SanError::Ambiguous { first, second, .. } => format!("'{word}' may be {first:?} or {second:?}"),
        })
    })
}

/// Parses a move by its squares, also with dashes: `e2e4`, `e1-h1` and `Ke1-g1` for castling.
fn coordinate_move(text: &str, board: &Board) -> Option<Move> {
    let without_king = text.strip_prefix('K');
    let squares: String = without_king.unwrap_or(text).chars().filter(|c| !"-x:".contains(*c)).collect();
    let mv = board.parse_move(&squares.to_ascii_lowercase())?;
    let is_king = board.piece_on(mv.from()).is_some_and(|piece| piece.kind() == PieceKind::King);
    (without_king.is_none() || is_king).then_some(mv)
}

/// Rewrites a move in standard PGN spelling, as far as possible without the board. Returns `None` if a capital letter is not
/// a piece of the language.
fn to_english(word: &str, letters: [char; 5]) -> Option<String> {
    let bare = word.trim_end_matches(CHECK_SIGNS);
    let bare = bare.strip_suffix("e.p.").or_else(|| bare.strip_suffix("ep")).unwrap_or(bare);
    let mut text = String::with_capacity(bare.len());
    for c in bare.chars() {
        match c {
            '♔' | '♚' => text.push('K'),
            '♕' | '♛' => text.push('Q'),
            '♖' | '♜' => text.push('R'),
            '♗' | '♝' => text.push('B'),
            '♘' | '♞' => text.push('N'),
            // Pawns have no letter in SAN; variation selectors after figurines have no meaning.
            '♙' | '♟' | '\u{FE0E}' | '\u{FE0F}' => {}
            '‐' | '‑' | '‒' | '–' | '—' | '−' => text.push('-'),
            '×' => text.push('x'),
            // a8=(Q), a8(Q), a8/Q
            '(' | ')' | '/' => {}
            c if c.is_ascii_uppercase() && c != 'O' && c != 'P' => {
                text.push(ENGLISH[letters.iter().position(|&letter| letter == c)?]);
            }
            // A piece in some languages (the Dutch knight), else the redundant letter of a pawn.
            'P' => match letters.iter().position(|&letter| letter == c) {
                Some(piece) => text.push(ENGLISH[piece]),
                None if text.is_empty() => {}
                None => return None,
            },
            c => text.push(c),
        }
    }
    // a8=q
    if let Some(piece) = text.strip_suffix(['q', 'r', 'b', 'n'])
        && piece.ends_with(['=', '1', '8'])
    {
        text = format!("{piece}{}", text[piece.len()..].to_ascii_uppercase());
    }
    Some(match text.as_str() {
        "OO" => "O-O".to_owned(),
        "OOO" => "O-O-O".to_owned(),
        _ => text,
    })
}
