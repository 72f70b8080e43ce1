//! Finds the start position of a game: from its FEN or, for Chess960, from a number in its tags.

use enroque::chess::notation::fen::START_FEN;
use enroque::chess::position;
use enroque::chess::{Board, CastlingRules};

/// The variants that we read. We compare names in lower case without blanks, dashes and underscores.
const VARIANTS: [Variant; 4] = [
    Variant {
        names: &["", "?", "standard", "chess", "normal", "classical", "fromposition"],
        rules: CastlingRules::Fischer,
        set: None,
    },
    Variant {
        names: &[
            "chess960",
            "960",
            "frc",
            "fischerandom",
            "fischerrandom",
            "fischerrandomchess",
            "fischerandomchess",
            "freestyle",
            "freestylechess",
            "doublefischerrandom",
            "wild/fr",
            "wild/22",
        ],
        rules: CastlingRules::Fischer,
        set: Some("chess960"),
    },
    Variant { names: &["chess480"], rules: CastlingRules::Orthodox480, set: Some("chess480") },
    Variant { names: &["chess2880"], rules: CastlingRules::NearestRook, set: Some("chess2880") },
];

struct Variant {
    names: &'static [&'static str],
    rules: CastlingRules,
    /// The word that [`position::parse`] expects before the number of a start position; `None` if all games begin from
    /// the orthodox start.
    set: Option<&'static str>,
}

/// The names, in lower case, of tags whose value is the number of the start position.
const NUMBER_TAGS: [&str; 9] = [
    "position",
    "positionnumber",
    "startposition",
    "startpositionnumber",
    "startpos",
    "sp",
    "spnumber",
    "chess960position",
    "chess960pos",
];
/// Tags that can mention the number of the start position, after one of [`NUMBER_WORDS`].
const TEXT_TAGS: [&str; 5] = ["Event", "Round", "Site", "Section", "Stage"];
/// Words, in lower case, that can stand before the number of a start position.
const NUMBER_WORDS: [&str; 4] = ["position", "pos", "sp", "startposition"];
/// Words that can stand between one of [`NUMBER_WORDS`] and the number.
const FILLER_WORDS: [&str; 4] = ["no", "nr", "number", "id"];

/// Returns the FEN in these tags; `None` if there is none or only a placeholder, such as `?`. Like most programs, we
/// ignore the tag `SetUp`.
pub fn fen(tags: &[(String, String)]) -> Option<&str> {
    let fen = tags.iter().find(|(tag, _)| tag == "FEN")?.1.trim();
    (!["", "?", "-"].contains(&fen)).then_some(fen)
}

/// Returns the start position of a game with these tags: from the FEN, else by its number, else `given`.
///
/// # Errors
/// Returns an error message if the FEN is invalid, the variant unknown, or the start of a Chess960 game missing.
pub fn start_position(
    tags: &[(String, String)],
    rules: CastlingRules,
    given: Option<&Board>,
) -> Result<Board, String> {
    let tag = |name| tags.iter().find(|(tag, _)| tag == name).map_or("", |(_, value)| value.trim());
    let name = tag("Variant");
    let bare: String = name.chars().filter(|c| !" -_".contains(*c)).map(|c| c.to_ascii_lowercase()).collect();
    let variant = VARIANTS
        .iter()
        .find(|variant| variant.names.contains(&bare.as_str()))
        .ok_or_else(|| format!("tag Variant: '{name}' is neither chess nor Chess960"))?;
    let rules = if rules == CastlingRules::Fischer { variant.rules } else { rules };
    if let Some(fen) = fen(tags) {
        return Board::from_fen(fen, rules).map_err(|error| format!("tag FEN: {error}"));
    }
    let numbered = variant.set.and_then(|set| Some(format!("{set}:{}", start_number(tags)?)));
    match (numbered, given) {
        (Some(number), _) => position::parse(&number, rules).map_err(|error| error.to_string()),
        (None, Some(board)) => Ok(board.clone()),
        (None, None) if variant.set.is_some() => Err(format!(
            "the variant is {name}, but there is neither a FEN nor a number of a start position; \
             --start sp:NUMBER supplies it"
        )),
        (None, None) => Board::from_fen(START_FEN, rules).map_err(|error| error.to_string()),
    }
}

/// Returns the number of the start position that the tags contain: `[StartPosition "334"]`, or `SP 334` in the name of
/// the event.
fn start_number(tags: &[(String, String)]) -> Option<u32> {
    let is_number_tag = |name: &str| NUMBER_TAGS.contains(&name.to_ascii_lowercase().as_str());
    let in_tags = tags.iter().filter(|(name, _)| is_number_tag(name)).find_map(|(_, value)| {
        let words = words(value);
        // In a value such as `SP 334` or `#334` only one word is a number.
        words.iter().find_map(|word| word.parse().ok())
    });
    let texts = TEXT_TAGS.iter().flat_map(|name| tags.iter().filter(move |(tag, _)| tag == name));
    in_tags.or_else(|| texts.filter_map(|(_, text)| number_in_text(text)).next())
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
