//! Finds the start position of a game: from its FEN or a number in its tags, else the one that the user
//! named, else the orthodox one.

use super::PgnErrorKind;
use enroque::chess::notation::fen::START_FEN;
use enroque::chess::notation::position;
use enroque::chess::startpos::{START_SETS, StartSet};
use enroque::chess::{Board, CastlingRules};
use enroque::util::text::shortened;

/// A family of variants that differ only in their start positions.
pub struct Variant {
    /// In lower case without blanks, dashes and underscores.
    names: &'static [&'static str],
    pub rules: CastlingRules,
    /// The word that [`position::parse`] expects before the number of a start position; `None` if there are no numbers.
    set: Option<&'static str>,
    /// Whether a game of the variant must tell its start position.
    pub needs_start: bool,
}

/// The variants that we read under several names, or under names that aren't those of our sets of start positions.
const VARIANTS: [Variant; 5] = [
    Variant {
        names: &["", "?", "standard", "chess", "normal", "classical", "fromposition"],
        rules: CastlingRules::Fischer,
        set: None,
        needs_start: false,
    },
    Variant {
        names: &[
            "960",
            "chess9lx",
            "fischerandom",
            "fischerandomchess",
            "fischerrandom",
            "fischerrandomchess",
            "fisherrandom",
            "fisherrandomchess",
            "frc",
            "freestyle",
            "freestylechess",
            "fullchess",
            "wild/22",
            "wild/fr",
        ],
        rules: CastlingRules::Fischer,
        set: Some("chess960"),
        needs_start: true,
    },
    Variant {
        names: &["doublechess960", "doublefischerandom", "doublefischerrandom", "doublefrc"],
        rules: CastlingRules::Fischer,
        set: Some("dfrc"),
        needs_start: true,
    },
    // Of these variants of the Internet Chess Club we read only games with a FEN, from which they go on as in chess.
    Variant {
        names: &[
            "wild/0", "wild/1", "wild/2", "wild/3", "wild/4", "wild/5", "wild/6", "wild/7", "wild/8",
            "wild/8a",
        ],
        rules: CastlingRules::Fischer,
        set: None,
        needs_start: true,
    },
    Variant {
        names: &["nocastle", "nocastling", "shufflechess"],
        rules: CastlingRules::None,
        set: Some("shuffle"),
        needs_start: true,
    },
];

impl Variant {
    /// Returns the variant with this name, as people and programs write it; `None` if we don't know it.
    pub fn by_name(name: &str) -> Option<Self> {
        let bare = |name: &str| {
            name.chars().filter(|c| !" -_".contains(*c)).map(|c| c.to_ascii_lowercase()).collect::<String>()
        };
        let name = bare(name);
        let set = START_SETS.iter().find(|set| bare(set.name) == name);
        let of_set = set.map(|set| Self {
            names: &[],
            rules: set.castling.rules(),
            set: Some(set.name),
            needs_start: set.count() > 1,
        });
        of_set.or_else(|| VARIANTS.into_iter().find(|variant| variant.names.contains(&&*name)))
    }
}

/// The names, in lower case, of tags whose value is the number of the start position.
const NUMBER_TAGS: [&str; 10] = [
    "position",
    "positionnumber",
    "startposition",
    "startpositionnumber",
    "startpos",
    "sp",
    "spnumber",
    "chess960position",
    "chess960pos",
    "frcposition",
];
/// Tags that can mention the number of the start position, after one of [`NUMBER_WORDS`].
const TEXT_TAGS: [&str; 5] = ["Event", "Round", "Site", "Section", "Stage"];
/// Words, in lower case, that can stand before the number of a start position.
const NUMBER_WORDS: [&str; 4] = ["position", "pos", "sp", "startposition"];
/// Words that can stand between one of [`NUMBER_WORDS`] and the number.
const FILLER_WORDS: [&str; 4] = ["no", "nr", "number", "id"];

/// Returns the FEN in these tags; `None` if there is none or only a placeholder, such as `?`. Like most programs, we
/// ignore the tag `SetUp`.
fn fen(tags: &[(String, String)]) -> Option<&str> {
    let fen = tags.iter().find(|(tag, _)| tag == "FEN")?.1.trim();
    (!["", "?", "-"].contains(&fen)).then_some(fen)
}

/// Returns the start position of a game with these tags: from the FEN, else by its number, else `given`. Rules other than
/// Fischer's are the caller's wish, and count for variants that we don't know, too.
///
/// # Errors
/// Returns an error if the FEN is invalid, the variant unknown, or the start of a Chess960 game missing.
pub fn start_position(
    tags: &[(String, String)],
    rules: CastlingRules,
    given: Option<&Board>,
) -> Result<Board, PgnErrorKind> {
    let tag = |name| tags.iter().find(|(tag, _)| tag == name).map_or("", |(_, value)| value.trim());
    let name = tag("Variant");
    let variant = match Variant::by_name(name) {
        Some(variant) => variant,
        None if rules != CastlingRules::Fischer => {
            Variant { names: &[], rules, set: None, needs_start: true }
        }
        None => return Err(PgnErrorKind::Variant(name.to_owned())),
    };
    let rules = if rules == CastlingRules::Fischer { variant.rules } else { rules };
    if let Some(fen) = fen(tags) {
        return Board::from_fen(fen, rules).map_err(PgnErrorKind::Fen);
    }
    let numbered = variant.set.and_then(|set| Some(format!("{set}:{}", start_number(tags, set)?)));
    match (numbered, given) {
        (Some(number), _) => position::parse(&number, rules).map_err(PgnErrorKind::Number),
        (None, Some(board)) => Ok(board.clone()),
        (None, None) if variant.needs_start => Err(PgnErrorKind::NoStart { variant: shortened(name) }),
        (None, None) => Board::from_fen(START_FEN, rules).map_err(PgnErrorKind::Fen),
    }
}

/// Returns the number of the start position that the tags contain: `[StartPosition "334"]`, or `SP 334` in the name of
/// the event. If `set` is double, or a colon separates them, `[StartPosition "344:402"]` has two numbers.
fn start_number(tags: &[(String, String)], set: &str) -> Option<String> {
    let is_number_tag = |name: &str| NUMBER_TAGS.contains(&name.to_ascii_lowercase().as_str());
    let is_double = StartSet::by_name(set).is_some_and(|set| set.double);
    let in_tags = tags.iter().filter(|(name, _)| is_number_tag(name)).find_map(|(_, value)| {
        // In a value such as `SP 334` or `#334` only one word is a number.
        let numbers: Vec<u32> = words(value).iter().filter_map(|word| word.parse().ok()).collect();
        match numbers[..] {
            [white, black] if is_double || value.contains(':') => Some(format!("{white}:{black}")),
            _ => numbers.first().map(u32::to_string),
        }
    });
    let texts = TEXT_TAGS.iter().flat_map(|name| tags.iter().filter(move |(tag, _)| tag == name));
    in_tags.or_else(|| {
        texts.filter_map(|(_, text)| number_in_text(text)).next().map(|number| number.to_string())
    })
}

/// Finds a number after `position`, `SP` or the like: `SP 334`, `SP334`, `Position no. 334`, `sp:334`.
fn number_in_text(text: &str) -> Option<u32> {
    let words = words(text);
    let is_filler = |word: &&String| FILLER_WORDS.contains(&word.as_str());
    // The number need not follow the first of these words: `Position of the day, SP 334`.
    let numbered = words.iter().enumerate().filter(|(_, word)| NUMBER_WORDS.contains(&word.as_str()));
    numbered
        .map(|(at, _)| at + 1)
        .find_map(|begin| words[begin..].iter().find(|w| !is_filler(w))?.parse().ok())
}

/// Splits a text into runs of letters, in lower case, and runs of digits.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut previous = None;
    for c in text.chars() {
        let kind = (c.is_alphabetic(), c.is_ascii_digit());
        if kind != (false, false) {
            if previous != Some(kind) {
                words.push(String::new());
            }
            words.last_mut().into_iter().for_each(|word| word.extend(c.to_lowercase()));
        }
        previous = Some(kind);
    }
    words
}
