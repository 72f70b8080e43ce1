//! What we write is PGN that other programs read.

use std::ops::ControlFlow;

use super::*;
use enroque::chess::notation::position;
use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position, PositionError};

/// Plays a game with pgn-reader and shakmaty, and returns its moves in their notation.
struct Player;

struct Played {
    position: Chess,
    moves: Vec<String>,
}

impl Visitor for Player {
    type Tags = Option<Chess>;
    type Movetext = Played;
    type Output = Result<Vec<String>, String>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Option<Chess>> {
        ControlFlow::Continue(None)
    }

    fn tag(
        &mut self,
        start: &mut Option<Chess>,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Self::Output> {
        assert!(name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_'), "{name:?}");
        if name == b"FEN" {
            let fen: Fen = match value.decode_utf8_lossy().parse() {
                Ok(fen) => fen,
                Err(error) => return ControlFlow::Break(Err(format!("FEN: {error}"))),
            };
            // In shuffle chess, both bishops may stand on squares of one colour.
            let position = fen.into_position(CastlingMode::Chess960);
            match position.or_else(PositionError::ignore_too_much_material) {
                Ok(position) => *start = Some(position),
                Err(error) => return ControlFlow::Break(Err(format!("FEN: {error}"))),
            }
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, start: Option<Chess>) -> ControlFlow<Self::Output, Played> {
        ControlFlow::Continue(Played { position: start.unwrap_or_default(), moves: Vec::new() })
    }

    fn begin_variation(&mut self, _: &mut Played) -> ControlFlow<Self::Output, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn san(&mut self, played: &mut Played, san: SanPlus) -> ControlFlow<Self::Output> {
        if san.san == shakmaty::san::San::Null {
            played.position = played.position.clone().swap_turn().unwrap();
        } else {
            let Ok(mv) = san.san.to_move(&played.position) else {
                return ControlFlow::Break(Err(format!("{san} after {:?}", played.moves)));
            };
            played.position.play_unchecked(mv);
        }
        played.moves.push(san.to_string());
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, played: Played) -> Self::Output {
        Ok(played.moves)
    }
}

/// Asserts that an independent reader finds in a written game the moves that we find, unless its castling rules are ours
/// alone.
pub fn assert_readable(game: &PgnGame) {
    let written = write(game);
    let tag = |name: &str| written.lines().find(|line| line.starts_with(&format!("[{name} \"")));
    if tag("Variant").is_some_and(|line| line.contains("480") || line.contains("2880")) {
        return;
    }
    let mut reader = Reader::build(written.as_bytes()).set_supported_tag_line_length(1 << 14).finish();
    let other = reader.read_game(&mut Player).unwrap().unwrap_or(Ok(vec![]));
    let moves = other.unwrap_or_else(|error| panic!("{error}: {written}"));
    assert_eq!(moves.join(" "), san(game), "{written}");
    assert!(!reader.has_more().unwrap(), "{written}");
    let result = written.split_whitespace().last().unwrap();
    assert!(["1-0", "0-1", "1/2-1/2", "*"].contains(&result), "{written}");
    assert!(tag("Result").is_none_or(|line| line == format!("[Result \"{result}\"]")), "{written}");
    assert!(tag("FEN").is_none() || tag("SetUp") == Some("[SetUp \"1\"]"), "{written}");
    // chess.js refuses two comments in a row, a blank after the parenthesis, and a comment after a variation.
    let flowing = written.split_whitespace().collect::<Vec<_>>().join(" ");
    for refused in ["} {", "( {", ") {", "()"] {
        let is_in_comment =
            flowing.split('{').skip(1).any(|rest| rest.split('}').next().unwrap().contains(refused));
        assert!(!flowing.contains(refused) || is_in_comment, "{written}");
    }
}

fn written(text: &str) -> String {
    let game = game(text);
    assert_readable(&game);
    write(&game)
}

#[test]
fn annotations_are_in_an_order_that_all_read() {
    let text = "{a} {b} 1. e4 {c} $1 {d} ( { e } 1. d4 ( 1. c4 ) {f} d5 ) ( {only words} ) {g} (1. b4) 1... e5 ({x} 1... c5) *";
    let expected = "{ a b } 1. e4 $1 { c d only words g } ({ e } 1. d4 { f } (1. c4) 1... d5) (1.\nb4) 1... e5 ({ x } 1... c5) *\n\n";
    assert_eq!(written(text), expected);
    assert_eq!(written("$1 1. e4 $2 ($5 {x} 1. d4) *"), "1. e4 $1 $2 ({ x } 1. d4 $5) *\n\n");
    assert_eq!(written("$1 {x} *"), "{ $1 x } *\n\n");
    // Only the parenthesis of a variation joins the next word.
    assert_eq!(written("1. e4 {( x} *"), "1. e4 { ( x } *\n\n");
    // The closing parenthesis counts for the width of a line.
    for length in 40..90 {
        let text = written(&format!(
            "1. e4 (1. d4 {{{}}}) (1. c4 {} e5) e5 *",
            "x".repeat(length),
            "$1 ".repeat(length / 9)
        ));
        assert!(text.lines().all(|line| line.chars().count() <= 81.max(length)), "{text}");
    }
}

#[test]
fn results_are_those_of_the_standard() {
    for (text, result, termination) in [
        ("1. e4 e5 0.5-0.5", "1/2-1/2", None),
        ("[Result \"½-½\"]\n\n1. e4 e5", "1/2-1/2", None),
        ("[Result \"forfeit\"]\n\n1. e4 e5", "*", None),
        ("[Result \"0-0\"]\n\n1. e4 e5 0-0", "*", Some("0-0")),
        ("1. e4 e5 0 - 0", "*", Some("0-0")),
        ("[Result \"½-0\"]\n\n1. e4 e5 ½-0", "*", Some("1/2-0")),
        ("[Termination \"time forfeit\"]\n\n1. e4 e5 0-½", "*", Some("time forfeit; 0-1/2")),
        ("[termination \"?\"]\n\n1. e4 e5 0-½", "*", Some("0-1/2")),
    ] {
        let written = written(text);
        let again = game(&written);
        assert!(written.ends_with(&format!("1. e4 e5 {result}\n\n")), "{text}: {written}");
        assert_eq!(again.tag("Termination"), termination.unwrap_or("?"), "{text}");
        assert_eq!(again.result, game(text).result, "{text}");
        assert_eq!(write(&again), written, "{text}");
    }
}

#[test]
fn tags_are_those_of_the_standard() {
    let fen = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1";
    let set_up = format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n");
    for (tags, expected) in [
        (format!("[fen \"{fen};\"]"), set_up.clone()),
        (format!("[FEN {fen}]"), set_up.clone()),
        (format!("[SetUp \"0\"]\n[FEN \"{}\"]", fen.trim_end_matches(" 0 1")), set_up.clone()),
        ("[FEN \"?\"]\n[SetUp \"1\"]".to_owned(), String::new()),
        ("[White Elo \"2000\"]\n[Größe \"x\"]".to_owned(), "[WhiteElo \"2000\"]\n[Gr__e \"x\"]\n".to_owned()),
    ] {
        let written = written(&format!("{tags}\n\n*"));
        assert_eq!(
            written,
            format!("{expected}{}*\n\n", if expected.is_empty() { "" } else { "\n" }),
            "{tags}"
        );
    }
}

/// Who reads what we write needs no option of ours to castle as the game did.
#[test]
fn variant_says_whose_castling_it_is() {
    let fen = "4k3/8/8/8/8/8/8/R2K3R w KQ - 0 1";
    let start = |text: &str, rules| position::parse(text, rules).unwrap();
    let given = |text: &str| Some(start(text, CastlingRules::Fischer));
    use CastlingRules::{Fischer, None as Without, Orthodox480};
    for (text, rules, start, variant) in [
        ("1. O-O-O O-O-O *", Fischer, given("chess480:725"), "Chess480"),
        ("1. e4 *", Fischer, given("chess2880:2000"), "Chess2880"),
        ("1. e4 *", Fischer, given("sp:334"), "Chess960"),
        ("1. e4 *", Fischer, given("344:402"), "Chess960"),
        ("[Variant \"Chess960\"]\n\n1. e4 *", Fischer, given("518"), "Chess960"),
        ("[Variant \"Freestyle Chess\"]\n[SP \"518\"]\n\n1. e4 *", Fischer, None, "Chess960"),
        (&format!("[FEN \"{fen}\"]\n\n1. O-O *"), Orthodox480, None, "Chess480"),
        (&format!("[Variant \"Chess960\"]\n[FEN \"{fen}\"]\n\n1. O-O *"), Orthodox480, None, "Chess480"),
        (&format!("[FEN \"{fen}\"]\n\n1. O-O *"), Fischer, None, "Chess960"),
        (&format!("[Variant \"Standard\"]\n[FEN \"{fen}\"]\n\n1. O-O *"), Fischer, None, "Chess960"),
        (&format!("[Variant \"fischerandom\"]\n[FEN \"{fen}\"]\n\n1. O-O *"), Fischer, None, "fischerandom"),
        (&format!("[FEN \"{fen}\"]\n\n1. Ke2 *"), Without, None, "?"),
        ("[FEN \"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1\"]\n\n1. O-O *", Orthodox480, None, "?"),
        (
            "[Variant \"From Position\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1\"]\n\n1. O-O *",
            Fischer,
            None,
            "From Position",
        ),
        (
            "[Variant \"Shuffle\"]\n[FEN \"rkbnqbnr/pppppppp/8/8/8/8/PPPPPPPP/RKBNQBNR w - - 0 1\"]\n\n1. e4 *",
            Fischer,
            None,
            "Shuffle",
        ),
    ] {
        let game = read(text, rules, start.as_ref()).unwrap();
        assert_eq!(errors(&game), [""; 0], "{text}");
        assert_readable(&game);
        let written = write(&game);
        let again = self::game(&written);
        assert_eq!(again.tag("Variant"), variant, "{text}: {written}");
        assert_eq!((&again.start, &again.line), (&game.start, &game.line), "{written}");
        assert!(
            again.start.fen(FenStyle::XFen) == game.start.fen(FenStyle::XFen) && again.errors.is_empty(),
            "{written}"
        );
        assert_eq!(write(&again), written);
    }
}

/// Random games in each castling rule, from random starts that castle by it, come back without a difference.
#[test]
fn games_survive_the_way_through_a_file() {
    let mut random = Random::new(23);
    for (rules, sets) in [
        (CastlingRules::Fischer, &["orthodox", "chess960", "dfrc", "chess18", "shuffle-orthodox"][..]),
        (CastlingRules::NearestRook, &["chess2880", "double2880", "shuffle-nearest"]),
        (CastlingRules::Orthodox480, &["chess480"]),
        (CastlingRules::None, &["shuffle", "transcendental", "double-shuffle"]),
    ] {
        let mut castlings = 0;
        for number in 0..1000 {
            let set = StartSet::by_name(sets[number % sets.len()]).unwrap();
            let start = set.position(random.below(set.count())).unwrap();
            let mut board = start.clone();
            let mut line = Line::default();
            for _ in 0..random.below(120) {
                let moves = board.legal_moves();
                let castling = moves.iter().copied().find(|mv| mv.is_castle());
                let Some(mv) = castling
                    .or_else(|| moves.iter().copied().nth(random.below(moves.len().max(1) as u64) as usize))
                else {
                    break;
                };
                castlings += usize::from(mv.is_castle());
                board.make_move(mv);
                line.moves.push(PgnMove { mv: Some(mv), notes: vec![] });
            }
            let game = PgnGame { tags: vec![], start, line, result: "*".to_owned(), errors: vec![] };
            let written = write(&game);
            let again = self::game(&written);
            assert_eq!((&again.start, &again.line), (&game.start, &game.line), "{written}");
            assert!(again.errors.is_empty(), "{written}: {:?}", again.errors);
            if number % 10 == 0 {
                assert_readable(&game);
            }
        }
        assert!(castlings > 500 || rules == CastlingRules::None, "{rules:?}: {castlings} castlings");
    }
}

#[test]
fn variant_names_of_all_sets_are_known() {
    for set in &START_SETS {
        let last = set.ranks()[set.ranks().len() - 1];
        let number = if set.double { format!("{}:{last}", set.ranks()[0]) } else { "0".to_owned() };
        let text = format!("[Variant \"{}\"]\n[Position \"{number}\"]\n\n*", set.name);
        let index = set.parse(&number).unwrap();
        assert_eq!(game(&text).start, set.position(index).unwrap(), "{}", set.name);
    }
    let fen = "[FEN \"4k3/8/8/8/8/8/8/R2K3R w KQ - 0 1\"]";
    for name in [
        "DFRC",
        "Double Chess960",
        "Double Fischerandom",
        "Fisher Random",
        "Chess 9LX",
        "FullChess",
        "wild/5",
    ] {
        assert_eq!(moves(&format!("[Variant \"{name}\"]\n{fen}\n\n1. O-O *")), "O-O", "{name}");
        let without = format!("[Variant \"{name}\"]\n\n1. e4 *");
        assert!(
            read(&without, CastlingRules::Fischer, None).is_err_and(|error| error.lacks_start()),
            "{name}"
        );
    }
    for name in ["nocastle", "Shuffle", "Transcendental", "shuffle chess"] {
        let game = game(&format!("[Variant \"{name}\"]\n{fen}\n\n1. O-O *"));
        assert!(errors(&game)[0].contains("castling right"), "{name}");
    }
    // A pair of numbers is not its first number.
    let double = |text: &str| game(&format!("{text}\n\n*")).start;
    let pair = position::parse("344:402", CastlingRules::Fischer).unwrap();
    assert_eq!(double("[Variant \"DFRC\"]\n[Position \"344:402\"]"), pair);
    assert_eq!(double("[Variant \"Double Chess960\"]\n[StartPosition \"344 - 402\"]"), pair);
    assert_eq!(double("[Variant \"DFRC\"]\n[SP \"330642\"]"), pair);
    let text = "[Variant \"Chess960\"]\n[Position \"344:402\"]\n\n*";
    assert!(read(text, CastlingRules::Fischer, None).is_err());
    assert_eq!(
        game("[Variant \"Chess960\"]\n[FRCPosition \"334\"]\n\n*").start,
        position::parse("334", CastlingRules::Fischer).unwrap()
    );
    // The caller's rules win over a name that we don't know.
    let other = format!("[Variant \"Atomic\"]\n{fen}\n\n1. O-O *");
    assert!(read(&other, CastlingRules::Fischer, None).is_err());
    let game = read(&other, CastlingRules::Orthodox480, None).unwrap();
    assert_eq!((&*san(&game), write(&game).contains("[Variant \"Chess480\"]")), ("O-O+", true));
}
