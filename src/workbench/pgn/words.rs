//! How people write moves: in the letters of their language, in figurines, in long notation, with judgements.

use crate::chess::notation::san::SanError;
use crate::chess::{Board, Move};

/// King, queen, rook, bishop, knight. English is PGN's own; the others are those of German; French; Spanish and Italian;
/// Dutch; Polish.
pub const LANGUAGES: [[char; 5]; 6] = [
    ENGLISH,
    ['K', 'D', 'T', 'L', 'S'],
    ['R', 'D', 'T', 'F', 'C'],
    ['R', 'D', 'T', 'A', 'C'],
    ['K', 'D', 'T', 'L', 'P'],
    ['K', 'H', 'W', 'G', 'S'],
];

/// The letters of PGN.
pub const ENGLISH: [char; 5] = ['K', 'Q', 'R', 'B', 'N'];

/// Signs of judgement and their numbers (PGN standard, section 10, and the signs that books use for them).
const SIGNS: [(&str, u8); 29] = [
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

/// The number of a sign that stands by itself.
pub fn nag_of(sign: &str) -> Option<u8> {
    SIGNS.iter().find(|(written, _)| *written == sign).map(|&(_, nag)| nag)
}

/// `true` for words that say nothing: an en passant capture is seen from the move.
pub fn is_idle(word: &str) -> bool {
    ["e.p.", "ep", "e.p", "(ep)"].contains(&word)
}

/// `true` for a move that passes.
pub fn is_null(word: &str) -> bool {
    ["--", "Z0", "@@@@", "null", "0000"].contains(&word)
}

/// Splits the judgement from the end of a move.
pub fn split_sign(word: &str) -> (&str, Option<u8>) {
    let bare = word.trim_end_matches(['!', '?', '‼', '⁇', '⁉', '⁈', '□']);
    match nag_of(&word[bare.len()..]) {
        Some(nag) if !bare.is_empty() => (bare, Some(nag)),
        _ => (word, None),
    }
}

/// The move that `word` names on `board`, its pieces in the letters of a language.
///
/// # Errors
/// What is wrong with it, in words.
pub fn parse_move(word: &str, letters: [char; 5], board: &Board) -> Result<Move, String> {
    let text = to_english(word, letters).ok_or_else(|| format!("'{word}' is no move"))?;
    board.parse_san(&text).or_else(|error| {
        // Coordinates, castling as king takes rook among them.
        board.parse_move(&text.to_ascii_lowercase()).ok_or_else(|| match error {
            SanError::Syntax(_) => format!("'{word}' is no move"),
            SanError::Illegal(_) => format!("'{word}' is not legal here"),
            SanError::Ambiguous { first, second, .. } => format!("'{word}' may be {first:?} or {second:?}"),
        })
    })
}

/// The same move as PGN wants it, as far as that is told without the board.
fn to_english(word: &str, letters: [char; 5]) -> Option<String> {
    let bare = word.trim_end_matches(['+', '#', '†', '‡', '≠']);
    let bare = bare.strip_suffix("e.p.").or_else(|| bare.strip_suffix("ep")).unwrap_or(bare);
    let mut text = String::with_capacity(bare.len());
    for c in bare.chars() {
        match c {
            '♔' | '♚' => text.push('K'),
            '♕' | '♛' => text.push('Q'),
            '♖' | '♜' => text.push('R'),
            '♗' | '♝' => text.push('B'),
            '♘' | '♞' => text.push('N'),
            // Pawns go without a letter; what tells figurines from text pictures has no width.
            '♙' | '♟' | '\u{FE0E}' | '\u{FE0F}' => {}
            '‐' | '‑' | '‒' | '–' | '—' | '−' => text.push('-'),
            '×' => text.push('x'),
            // a8=(Q), a8(Q), a8/Q
            '(' | ')' | '/' => {}
            c if c.is_ascii_uppercase() && c != 'O' && c != 'P' => {
                text.push(ENGLISH[letters.iter().position(|&letter| letter == c)?]);
            }
            // In Dutch and German texts a piece, in others the pawn that needs none.
            'P' => match letters.iter().position(|&letter| letter == c) {
                Some(piece) => text.push(ENGLISH[piece]),
                None if text.is_empty() => {}
                None => return None,
            },
            c => text.push(c),
        }
    }
    Some(match text.as_str() {
        "OO" => "O-O".to_owned(),
        "OOO" => "O-O-O".to_owned(),
        _ => text,
    })
}
