//! Fuzz target: puts any tags and comments on the page of a game and into its graph. Independent parsers must find no
//! markup that comes from those texts, and must find the data unchanged.
#![no_main]

mod pieces;

use std::sync::LazyLock;

use enroque::chess::CastlingRules;
use enroque_study::pgn::{self, Note, PgnGame, PgnMove};
use enroque_tools::analyse::graph;
use enroque_tools::analyse::page::{Writer, error_data, game_data};
use enroque_tools::analyse::ply::{AnalysedGame, Played, Ply};
use html5gum::{DefaultEmitter, Token, Tokenizer};
use libfuzzer_sys::arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};

/// Pieces of text that mean something in HTML, JavaScript, XML, JSON or PGN.
const PIECES: [&str; 32] = [
    "<",
    ">",
    "&",
    "\"",
    "'",
    "\\",
    "/",
    "</script>",
    "</SCRIPT ",
    "<script>",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<?xml",
    "&lt;",
    "&#0;",
    "\n",
    "\r",
    "\0",
    "\u{b}",
    "\u{7f}",
    "\u{9b}",
    "\u{202e}",
    "\u{2028}",
    "\u{fffe}",
    "@DATA@",
    "@STYLE@",
    "]};\n",
    "\nconst data = ",
    "[White \"x\"]\n",
    "[%clk <0:01>]",
];
const NAMES: [&str; 8] = ["White", "Black", "Event", "Site", "Date", "Round", "TimeControl", "Variant"];
const GAME: &str = "1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0";
const MAX_PIECES: usize = 12;

/// A page without games, as [`parts`] returns it.
static EMPTY_PAGE: LazyLock<(Vec<Token>, String)> =
    LazyLock::new(|| parts(&page(&json!({ "made": "" }), &[])));
static EMPTY_GRAPH: LazyLock<Vec<String>> = LazyLock::new(|| {
    let game = pgn::read(GAME, CastlingRules::Fischer, None).expect("a game");
    elements(&graph::svg(&game, &unsearched(&game).wins()))
});

fuzz_target!(|bytes: &[u8]| {
    let _ = check(&mut Unstructured::new(bytes));
});

fn check(input: &mut Unstructured<'_>) -> Result<()> {
    let mut game = pgn::read(GAME, CastlingRules::Fischer, None).expect("a game");
    for name in NAMES {
        if input.arbitrary()? {
            game.tags.push((name.to_owned(), words(input)?));
        }
    }
    for played in &mut game.line.moves {
        if input.arbitrary()? {
            played.notes.push(Note::Comment(words(input)?));
        }
    }
    let analysed = unsearched(&game);
    let text = words(input)?;
    let mut games = [game_data(&analysed), error_data(&text, &words(input)?)];
    let settings = json!({ "source": words(input)? });
    let head = json!({ "made": words(input)?, "board": words(input)?, "settings": settings, "total": 2 });
    for (index, game) in games.iter_mut().enumerate() {
        (game["number"], game["text"]) = (json!(index + 1), json!(text));
    }
    let page = page(&head, &games);

    let (tags, script) = parts(&page);
    assert_eq!(tags, EMPTY_PAGE.0, "{page}");
    let (data, rest) = data_and_rest(&script);
    assert_eq!(rest, data_and_rest(&EMPTY_PAGE.1).1, "{page}");
    assert_eq!(data["games"], json!(games));
    for name in ["made", "board", "settings"] {
        assert_eq!(data[name], head[name]);
    }
    // The page's script inserts these texts as markup, so they must not need escapes.
    let inserted = ["san", "mark", "kind"].map(|name| data["games"][0]["moves"][2][name].to_string());
    let fens = data["games"][0]["fens"].to_string();
    assert!(
        !inserted.iter().chain([&fens]).any(|text| text.contains(['<', '&', '\'', '\\'])),
        "{inserted:?} {fens}"
    );

    let svg = graph::svg(&game, &analysed.wins());
    assert_eq!(elements(&svg), *EMPTY_GRAPH, "{svg}");
    let document = roxmltree::Document::parse(&svg).expect(&svg);
    let title = document.descendants().find(|node| node.has_tag_name("title")).and_then(|node| node.text());
    let is_allowed = |c: char| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}');
    let [white, black] = ["White", "Black"].map(|color| match game.tag(color) {
        "" | "?" => color,
        name => name,
    });
    let expected = format!("{white} - {black}, {}", game.result);
    let expected: String = expected.chars().map(|c| if is_allowed(c) { c } else { '\u{fffd}' }).collect();
    assert_eq!(title, Some(&*expected), "{svg}");
    Ok(())
}

fn words(input: &mut Unstructured<'_>) -> Result<String> {
    pieces::words(input, &PIECES, MAX_PIECES)
}

/// Returns the game without a line for any of its positions.
fn unsearched(game: &PgnGame) -> AnalysedGame<'_> {
    let mut board = game.start.clone();
    let mut plies = Vec::new();
    for PgnMove { mv, .. } in &game.line.moves {
        let played = Played { mv: *mv, san: pgn::san(&board, *mv), loss: 0.0, mark: None, reason: None, remark: None };
        plies.push(Ply { board: board.clone(), line: None, played: Some(played) });
        board.make_move(mv.expect("no null move"));
    }
    plies.push(Ply { board, line: None, played: None });
    AnalysedGame { game, plies, players: Default::default() }
}

fn page(head: &Value, games: &[Value]) -> String {
    let mut page = Vec::new();
    let mut writer = Writer::begin(&mut page, head).expect("writing succeeds");
    games.iter().for_each(|game| writer.add(game).expect("writing succeeds"));
    writer.finish().expect("writing succeeds");
    String::from_utf8(page).expect("UTF-8")
}

/// Returns the tokens of a page without its script, then the script.
fn parts(page: &str) -> (Vec<Token>, String) {
    let mut emitter = DefaultEmitter::default();
    emitter.naively_switch_states(true);
    let (mut tokens, mut script, mut is_in_script) = (Vec::new(), Vec::new(), false);
    for token in Tokenizer::new_with_emitter(page, emitter) {
        match token.expect("a text") {
            Token::String(text) if is_in_script => script.extend_from_slice(&text),
            Token::Error(_) => {}
            token => {
                is_in_script = matches!(&token, Token::StartTag(tag) if tag.name.as_slice() == b"script");
                tokens.push(token);
            }
        }
    }
    (tokens, String::from_utf8(script).expect("UTF-8"))
}

/// Splits the script into its data and the code after it.
fn data_and_rest(script: &str) -> (Value, &str) {
    let (_, data) = script.split_once("\nconst data = ").expect(script);
    let mut values = serde_json::Deserializer::from_str(data).into_iter();
    let value = values.next().expect(script).expect(script);
    (value, &data[values.byte_offset()..])
}

fn elements(svg: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(svg).expect(svg);
    let elements = document.descendants().filter(|node| node.is_element());
    elements.map(|node| node.tag_name().name().to_owned()).collect()
}
