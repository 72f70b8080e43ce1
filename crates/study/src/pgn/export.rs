//! What a game must look like in a file so that other programs read it, too: its tags, its result, and the order of the
//! annotations.

use super::game::{Line, Note, PgnGame};
use super::lexer;
use super::start::Variant;
use enroque::chess::startpos::StartNumbers;
use enroque::chess::{Board, CastlingRules, CastlingSide, Color, FenStyle, File};

/// The results that the PGN standard knows. We write others, which an arbiter decides, as `*`, and put them into the tag
/// `Termination`.
const STANDARD_RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];
const TERMINATION: &str = "Termination";
/// Stands between the old value of the tag `Termination` and the result.
const SEPARATOR: &str = "; ";

/// Values of a tag that say nothing.
const PLACEHOLDERS: [&str; 3] = ["", "?", "-"];

/// The tags with which each game begins.
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// Names of Chess960 in the tag `Variant` that many programs know, in lower case.
const COMMON_NAMES: [&str; 4] = ["chess960", "chess 960", "fischerandom", "fischerrandom"];

/// Returns the game termination marker for a result.
pub fn marker(result: &str) -> &str {
    if STANDARD_RESULTS.contains(&result) { result } else { "*" }
}

/// Returns the result that [`tags`] has put into the tag `Termination`; `None` if there is none.
pub fn result_in_termination(tags: &[(String, String)]) -> Option<&'static str> {
    let (_, value) = tags.iter().find(|(name, _)| name == TERMINATION)?;
    let result = lexer::result(value.rsplit(SEPARATOR).next()?)?;
    (!STANDARD_RESULTS.contains(&result)).then_some(result)
}

/// Returns the name of a tag as the standard allows it: letters, digits and underscores. Programs look up names without
/// blanks, so `White Elo` becomes `WhiteElo`.
pub fn tag_name(name: &str) -> String {
    let kept = name.chars().filter(|c| !c.is_whitespace());
    kept.map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

/// Returns the tags that we write. They tell the variant and the FEN of the start position if a reader needs them, and a
/// result that the standard knows.
pub fn tags(game: &PgnGame) -> Vec<(String, String)> {
    let mut tags: Vec<_> = game.tags.iter().map(|(name, value)| (tag_name(name), value.clone())).collect();
    tag_start(&mut tags, &game.start);
    let marker = marker(&game.result);
    tags.iter_mut().filter(|(name, _)| name == "Result").for_each(|(_, value)| marker.clone_into(value));
    if marker != game.result && result_in_termination(&tags) != Some(&game.result) {
        match tags.iter_mut().find(|(name, _)| name == TERMINATION) {
            Some((_, value)) if !PLACEHOLDERS.contains(&value.trim()) => {
                *value += &format!("{SEPARATOR}{}", game.result);
            }
            Some((_, value)) => game.result.clone_into(value),
            None => tags.push((TERMINATION.to_owned(), game.result.clone())),
        }
    }
    tags
}

/// Makes the tags `Variant`, `SetUp` and `FEN` tell the start position and whose castling it has.
fn tag_start(tags: &mut Vec<(String, String)>, start: &Board) {
    let value =
        |name: &str| tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.trim().to_owned());
    let fen = value("FEN").filter(|fen| !PLACEHOLDERS.contains(&&**fen));
    let name = value("Variant").unwrap_or_default();
    let variant = Variant::by_name(&name);
    let needs_start = variant.as_ref().is_some_and(|variant| variant.needs_start);
    if fen.is_none() && *start == Board::startpos() && !needs_start {
        // Without a FEN, other programs take both tags for errors.
        let is_error = |name: &str, value: &str| name == "FEN" || name == "SetUp" && value.trim() != "0";
        tags.retain(|(name, value)| !is_error(name, value));
        return;
    }
    let styles = [FenStyle::XFen, FenStyle::Shredder].map(|style| start.fen(style));
    let fen = fen.filter(|fen| styles.contains(fen)).unwrap_or_else(|| styles[0].clone());
    let rules = start.castling_geometry().rules();
    // Whether another variant's rules lead to the same castlings.
    let suits = |rules| Board::from_fen(&fen, rules).is_ok_and(|board| board == *start);
    let suits_name = variant.is_some_and(|variant| suits(variant.rules));
    let is_chess960 =
        !has_orthodox_castling(start) || StartNumbers::of(start).is_some() && *start != Board::startpos();
    let name = match rules {
        CastlingRules::NearestRook if !suits(CastlingRules::Fischer) => {
            Some(&*name).filter(|_| suits_name).or(Some("Chess2880"))
        }
        CastlingRules::Orthodox480 if !suits(CastlingRules::Fischer) => Some("Chess480"),
        // Without castling rights, games of all variants go on alike.
        _ if suits_name && start.castling_rights().is_empty() => Some(&*name),
        _ if COMMON_NAMES.contains(&&*name.to_lowercase()) => Some(&*name),
        _ if is_chess960 || needs_start => Some("Chess960"),
        _ => Some(&*name).filter(|_| suits_name),
    };
    let name = name.filter(|name| !name.is_empty()).map(str::to_owned);
    if name.is_none() {
        tags.retain(|(tag, _)| tag != "Variant");
    }
    for (tag, value) in [("FEN", Some(fen)), ("SetUp", Some("1".to_owned())), ("Variant", name)] {
        let Some(value) = value else { continue };
        match tags.iter_mut().find(|(name, _)| name == tag) {
            Some((_, old)) => *old = value,
            None => tags.insert(place_of_start(tags), (tag.to_owned(), value)),
        }
    }
}

/// Returns where a tag about the start belongs: before the others of its kind, or after the variant, or after the names
/// of players and event.
fn place_of_start(tags: &[(String, String)]) -> usize {
    let first = tags.iter().position(|(name, _)| ["SetUp", "FEN"].contains(&&**name));
    let end =
        |names: &[&str]| tags.iter().rposition(|(name, _)| names.contains(&&**name)).map(|last| last + 1);
    first.or_else(|| end(&["Variant"])).or_else(|| end(&ROSTER)).unwrap_or(0)
}

/// Whether all castling rights of a position are also rights of orthodox chess.
fn has_orthodox_castling(board: &Board) -> bool {
    let castlings =
        Color::ALL.into_iter().flat_map(|color| CastlingSide::ALL.map(|side| board.castling(color, side)));
    castlings
        .flatten()
        .all(|path| path.king_from.file() == File::E && [File::A, File::H].contains(&path.rook_from.file()))
}

/// The annotations of a move in the order that all programs read: glyphs, at most one comment, variations.
#[derive(Default)]
pub struct Notes<'a> {
    pub nags: Vec<u8>,
    /// Empty if there is none.
    pub comment: String,
    /// Each has at least one move.
    pub variations: Vec<&'a Line>,
}

impl<'a> Notes<'a> {
    pub fn of(notes: &'a [Note]) -> Self {
        let mut ordered = Self::default();
        ordered.add(notes);
        ordered
    }

    /// Returns the annotations before the first move of a line, and the glyphs among them, which we write after that move,
    /// because some programs refuse them before it. If there is no move, the comment says them.
    pub fn of_beginning(line: &'a Line) -> (Self, Vec<u8>) {
        let mut notes = Self::of(&line.before);
        let nags = std::mem::take(&mut notes.nags);
        if line.moves.is_empty() && !nags.is_empty() {
            let nags: Vec<String> = nags.iter().map(|nag| format!("${nag}")).collect();
            notes.comment = format!("{} {}", nags.join(" "), notes.comment).trim_end().to_owned();
            return (notes, Vec::new());
        }
        (notes, nags)
    }

    fn add(&mut self, notes: &'a [Note]) {
        for note in notes {
            match note {
                Note::Nag(nag) => self.nags.push(*nag),
                Note::Comment(comment) => {
                    let separator = if self.comment.is_empty() { "" } else { " " };
                    self.comment += &format!("{separator}{comment}");
                }
                // Of a variation without moves, only its comments say anything.
                Note::Variation(line) if line.moves.is_empty() => self.add(&line.before),
                Note::Variation(line) => self.variations.push(line),
            }
        }
    }
}
