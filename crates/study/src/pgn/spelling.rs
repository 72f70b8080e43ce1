//! Understands moves as people write them: piece letters of several languages, figurines, long notation, null moves,
//! annotation symbols.

use std::borrow::Cow;

use thiserror::Error;

use super::lexer::{is_dash, is_invisible};
use enroque::chess::notation::san::SanError;
use enroque::chess::{Board, Move, PieceKind};
use enroque::util::text::shortened;

/// Piece letters in the order king, queen, rook, bishop, knight: English (as the PGN standard requires); German;
/// French; Spanish and Italian; Dutch; Polish.
pub const LANGUAGES: [[char; 5]; 6] = [
    ENGLISH,
    ['K', 'D', 'T', 'L', 'S'],
    ['R', 'D', 'T', 'F', 'C'],
    ['R', 'D', 'T', 'A', 'C'],
    ['K', 'D', 'T', 'L', 'P'],
    ['K', 'H', 'W', 'G', 'S'],
];

pub const ENGLISH: [char; 5] = ['K', 'Q', 'R', 'B', 'N'];

/// Annotation symbols and their numeric annotation glyphs (NAGs): the PGN standard (section 10), the symbols used in
/// books, and those that Scid writes.
#[rustfmt::skip]
const SYMBOLS: [(&str, u8); 89] = [
    ("!", 1), ("?", 2), ("!!", 3), ("‼", 3), ("??", 4), ("⁇", 4), ("!?", 5), ("⁉", 5), ("?!", 6), ("⁈", 6),
    ("□", 7), ("forced", 7), ("worst", 9),
    ("=", 10), ("=,", 11), ("↹", 12), ("∞", 13), ("~", 13),
    ("+=", 14), ("+/=", 14), ("⩲", 14), ("=+", 15), ("=/+", 15), ("⩱", 15),
    ("+/-", 16), ("±", 16), ("-/+", 17), ("∓", 17), ("+-", 18), ("-+", 19), ("+--", 20), ("--+", 21),
    ("⨀", 22), ("⊙", 22), ("◯", 24), ("○", 26), ("◯◯", 26), ("◯◯◯", 28),
    ("↻", 30), ("↺", 31), ("⟳", 32), ("↻↻", 32), ("↺↺", 33), ("↻↻↻", 34), ("↺↺↺", 35),
    ("↑", 36), ("↓", 37), ("⇑", 38), ("⇓", 39), ("→", 40), ("←", 41),
    ("&/-", 42), ("&/+", 43), ("=/&", 44), ("+/&", 46), ("-/&", 47),
    ("⊞", 48), ("⊞⊞", 50), ("⊞⊞⊞", 52), ("⟩", 54), ("⟫", 56), ("⋙", 58), ("⟨", 60), ("⟪", 62), ("⋘", 64),
    ("↗", 92), ("↖", 93), ("⇈", 96), ("⇊", 97),
    ("⇆", 132), ("⇄", 132), ("⊕", 138), ("⊖", 139), ("∆", 140), ("Δ", 140), ("△", 140), ("⌓", 142),
    ("R", 144), ("RR", 145), ("N", 146), ("⊥", 148), ("⟺", 149), ("⇗", 150), ("◫", 151), ("◨", 153), ("⊶", 154),
    ("⚯", 192), ("⚮", 193), ("D", 201),
];

/// NAGs up to this number judge a move, such as `?!`, which is 6; greater numbers have other meanings.
pub const MAX_MOVE_NAG: u8 = 6;

/// Returns the symbol of a NAG that judges a move, `!` to `?!`; `None` for any other NAG.
pub fn move_symbol(nag: u8) -> Option<&'static str> {
    SYMBOLS.iter().find(|&&(_, known)| known == nag && nag <= MAX_MOVE_NAG).map(|(symbol, _)| *symbol)
}

/// Drops invisible characters, and replaces every kind of dash by `-`. The functions below expect words in this form.
pub fn plain(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        return Cow::Borrowed(word);
    }
    word.chars().filter(|&c| !is_invisible(c)).map(|c| if is_dash(c) { '-' } else { c }).collect()
}

/// Whether a word adds nothing to the move before it: an en passant suffix, or the second word of Scid's `=, quiet`.
pub fn adds_nothing(word: &str) -> bool {
    ["e.p.", "ep", "e.p", "(ep)", "(e.p.)", "quiet"].contains(&word)
}

/// How programs and people write a null move, in upper or lower case.
const NULL_MOVES: [&str; 7] = ["--", "Z0", "@@@@", "null", "0000", "pass", "<>"];

/// If a word is a null move, returns the NAGs of the symbols after it, so 1 for `--!`; `None` if it is anything else.
pub fn null_move(word: &str) -> Option<Vec<u8>> {
    let signs = |null: &str| {
        let begin = word.get(..null.len()).filter(|begin| begin.eq_ignore_ascii_case(null))?;
        nags_of(&word[begin.len()..])
    };
    // `--+` is no null move with a check: Scid writes it for NAG 21, a crushing advantage for Black.
    if SYMBOLS.iter().any(|&(symbol, _)| symbol == word) {
        None
    } else {
        NULL_MOVES.into_iter().find_map(signs)
    }
}

const CHECK_SIGNS: [char; 5] = ['+', '#', '†', '‡', '≠'];

/// Splits a word such as `Nf3+!?` into the move, `Nf3`, and the NAGs of the symbols after it, 5. Drops the signs for
/// check and mate, which have no NAG. The move is empty if the word has only signs, and the whole word if one of its
/// signs is unknown.
pub fn split_signs(word: &str) -> (&str, Vec<u8>) {
    let is_sign = |c: char| {
        CHECK_SIGNS.contains(&c)
            || !c.is_alphanumeric() && SYMBOLS.iter().any(|(symbol, _)| symbol.contains(c))
    };
    let bare =
        if SYMBOLS.iter().any(|&(symbol, _)| symbol == word) { "" } else { word.trim_end_matches(is_sign) };
    nags_of(&word[bare.len()..]).map_or((word, Vec::new()), |nags| (bare, nags))
}

/// Returns the NAGs of the signs after a move; `None` if a sign is unknown. Check and mate have no NAG.
fn nags_of(signs: &str) -> Option<Vec<u8>> {
    let mut nags = Vec::new();
    let mut rest = signs;
    // We begin at the end, because `++-` is a check and then `+-`.
    while !rest.is_empty() {
        let known = SYMBOLS.into_iter().filter(|&(symbol, _)| rest.ends_with(symbol));
        if let Some((symbol, nag)) = known.max_by_key(|(symbol, _)| symbol.len()) {
            nags.push(nag);
            rest = &rest[..rest.len() - symbol.len()];
        } else {
            rest = rest.strip_suffix(CHECK_SIGNS)?;
        }
    }
    nags.reverse();
    Some(nags)
}

/// Why a word stands for no move of a position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MoveError {
    #[error("'{0}' is not a legal move here")]
    Illegal(String),
    /// The word is a castling for which the right is missing. FENs have this letter for the right.
    #[error("'{word}' is not a legal move here: the castling right '{right}' is missing")]
    NoCastlingRight { word: String, right: char },
    /// The word stands for several legal moves, two of which are these.
    #[error("'{word}' may be {first} or {second}")]
    Ambiguous { word: String, first: String, second: String },
}

/// Parses a word as a move on `board`. `letters` are the piece letters of its language.
///
/// # Errors
/// Returns an error unless the word stands for exactly one legal move.
pub fn parse_move(word: &str, letters: [char; 5], board: &Board) -> Result<Move, MoveError> {
    let illegal = || MoveError::Illegal(shortened(word));
    let text = to_english(word, letters).ok_or_else(illegal)?;
    board.parse_san(&text).or_else(|error| {
        coordinate_move(&text, board).ok_or_else(|| match error {
            SanError::Ambiguous { first, second, .. } => MoveError::Ambiguous {
                word: shortened(word),
                first: board.san(first),
                second: board.san(second),
            },
            _ => {
                let spellings = [text.clone(), coordinates(&text)];
                match spellings.iter().find_map(|text| board.missing_castling_right(text)) {
                    Some(right) => MoveError::NoCastlingRight { word: shortened(word), right },
                    None => illegal(),
                }
            }
        })
    })
}

/// Parses a move that names its squares, also with dashes: `e2e4`, `e1-h1` and `Ke1-g1` for castling.
fn coordinate_move(text: &str, board: &Board) -> Option<Move> {
    let mv = board.parse_move(&coordinates(text))?;
    let is_king = board.piece_on(mv.from()).is_some_and(|piece| piece.kind() == PieceKind::King);
    (!text.starts_with('K') || is_king).then_some(mv)
}

fn coordinates(text: &str) -> String {
    let squares = text.strip_prefix('K').unwrap_or(text).chars().filter(|c| !"-x:".contains(*c));
    squares.map(|c| c.to_ascii_lowercase()).collect()
}

/// Rewrites a move in standard PGN spelling, as far as we can without the board. Returns `None` if a capital letter
/// stands for no piece in the language.
fn to_english(word: &str, letters: [char; 5]) -> Option<String> {
    let bare = word.strip_suffix("e.p.").or_else(|| word.strip_suffix("ep")).unwrap_or(word);
    let mut text = String::with_capacity(bare.len());
    for c in bare.chars() {
        match c {
            '♔' | '♚' => text.push('K'),
            '♕' | '♛' => text.push('Q'),
            '♖' | '♜' => text.push('R'),
            '♗' | '♝' => text.push('B'),
            '♘' | '♞' => text.push('N'),
            // Pawns have no letter in SAN.
            '♙' | '♟' => {}
            '×' => text.push('x'),
            // People write the piece of a promotion with these characters: a8=(Q), a8(Q), a8/Q.
            '(' | ')' | '/' => {}
            c if c.is_ascii_uppercase() && c != 'O' && c != 'P' => {
                text.push(ENGLISH[letters.iter().position(|&letter| letter == c)?]);
            }
            // In Dutch, P is the knight (paard). In other languages it can stand for the pawn, whose letter SAN omits.
            'P' => match letters.iter().position(|&letter| letter == c) {
                Some(piece) => text.push(ENGLISH[piece]),
                None if text.is_empty() => {}
                None => return None,
            },
            c => text.push(c),
        }
    }
    // People also write promotions with a small letter, such as a8=q.
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
