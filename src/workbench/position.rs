//! Positions as a person names them on the command line.

use thiserror::Error;

use crate::chess::startpos::{
    self, CHESS960_COUNT, SetNumberError, StartCastling, StartSet, back_rank, parse_back_rank,
    scharnagl_number,
};
use crate::chess::{Board, CastlingRules, FenError};

/// Why a word names no position.
#[derive(Debug, Error)]
pub enum PositionError {
    /// A FEN with a mistake.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A number that is none.
    #[error("{text}: {reason}")]
    Number {
        /// What was given.
        text: String,
        /// What is wrong with it.
        reason: SetNumberError,
    },
    /// None of the forms.
    #[error(
        "expected a FEN, startpos, sp:NUMBER, dfrc:WHITE:BLACK, SET:NUMBER or a back rank such as NRQKRBBN, found '{0}'"
    )]
    Unknown(String),
}

/// The set that a prefix names, and what follows it.
fn in_set(text: &str) -> Option<(&'static StartSet, &str)> {
    let (name, number) = text.split_once(':')?;
    let name = if name == "sp" { "chess960" } else { name };
    StartSet::by_name(name).map(|set| (set, number))
}

/// The numbers of the back ranks that letters name: `NRQKRBBN`, or White's and Black's, `NRQKRBBN:RNBQKBNR`.
fn in_letters(text: &str) -> Option<(u32, u32)> {
    let (white, black) = text.split_once(':').unwrap_or((text, text));
    let number = |letters| parse_back_rank(letters).and_then(|rank| scharnagl_number(&rank));
    number(white).zip(number(black))
}

/// `true` when `text` is meant to name a position, rightly or not, rather than a file.
pub fn is_position(text: &str) -> bool {
    text == "startpos"
        || in_set(text).is_some()
        || in_letters(text).is_some()
        || text.trim().contains(' ')
        || text.split('/').count() == 8
}

/// The position that `text` names: a FEN in any dialect, `startpos`, `sp:518`, `dfrc:502:532`, `dfrc:482452`, a number of
/// another set (`chess90:7`), or back ranks in letters.
///
/// Start positions castle as their set does, unless `rules` are others than Fischer's.
///
/// # Errors
/// When it names none.
pub fn parse(text: &str, rules: CastlingRules) -> Result<Board, PositionError> {
    if text == "startpos" {
        return Ok(start(
            StartSet::of_rank(startpos::ORTHODOX),
            (startpos::ORTHODOX, startpos::ORTHODOX),
            rules,
        ));
    }
    if let Some((set, number)) = in_set(text) {
        let index =
            set.parse(number).map_err(|reason| PositionError::Number { text: text.to_owned(), reason })?;
        let numbers = set.numbers(index).unwrap_or_default();
        return Ok(start(Some(set), numbers, rules));
    }
    if let Some((white, black)) = in_letters(text) {
        return Ok(start(StartSet::of_rank(white.max(black)), (white, black), rules));
    }
    if text.contains('/') {
        return Ok(Board::from_fen(text, rules)?);
    }
    Err(PositionError::Unknown(text.to_owned()))
}

/// The start position with these back ranks, castling as `set` does where `rules` say nothing else.
fn start(set: Option<&StartSet>, (white, black): (u32, u32), rules: CastlingRules) -> Board {
    let castling = match set {
        // A king outside its rooks castles by the rules that know of it, or not at all.
        _ if rules != CastlingRules::Fischer
            && (rules != CastlingRules::Orthodox480 || white.max(black) < CHESS960_COUNT) =>
        {
            StartCastling::Rules(rules)
        }
        Some(set) => set.castling,
        None => StartCastling::Rules(CastlingRules::None),
    };
    let [white, black] =
        [white, black].map(|number| back_rank(number).or_else(|| back_rank(startpos::ORTHODOX)));
    match white.zip(black) {
        Some((white, black)) => startpos::board_from_back_ranks(&white, &black, castling),
        None => unreachable!("the orthodox number has a back rank"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_understood() {
        let read = |text| parse(text, CastlingRules::Fischer);
        assert_eq!(read("startpos").unwrap(), read("sp:518").unwrap());
        assert_eq!(read("dfrc:518:518").unwrap(), Board::startpos());
        assert_eq!(read("dfrc:497798").unwrap(), Board::startpos());
        assert_eq!(read("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha -").unwrap(), Board::startpos());
        assert_eq!(read("RNBQKBNR").unwrap(), Board::startpos());
        assert_eq!(read("bbqnnrkr").unwrap(), read("sp:0").unwrap());
        assert_eq!(read("BBQNNRKR:RNBQKBNR").unwrap(), read("dfrc:0:518").unwrap());
        assert_eq!(read("chess18:0").unwrap(), read("RQNNKBBR").unwrap());
        // Castling is that of the set, or what is asked for.
        let rules = |text, rules| parse(text, rules).unwrap().castling_geometry().rules();
        assert_eq!(rules("chess2880:2000", CastlingRules::Fischer), CastlingRules::NearestRook);
        assert_eq!(rules("KRRBBQNN", CastlingRules::Fischer), CastlingRules::NearestRook);
        assert!(parse("sp:334", CastlingRules::None).unwrap().castling_rights().is_empty());
        assert_eq!(rules("startpos", CastlingRules::Orthodox480), CastlingRules::Orthodox480);
        assert_eq!(rules("chess2880:2000", CastlingRules::Orthodox480), CastlingRules::NearestRook);
        for wrong in [
            "sp:960",
            "sp:x",
            "dfrc:1:960",
            "dfrc:921600",
            "dfrc:",
            "chess90:1:2",
            "chess90:90",
            "8/8",
            "nonsense",
            "",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        assert!(is_position("8/8/8/8/8/8/8/8") && is_position("sp:1000") && is_position("8/8 w"));
        assert!(!is_position("games/my.pgn") && !is_position("-"));
    }
}
