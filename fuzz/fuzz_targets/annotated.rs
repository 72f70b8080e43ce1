//! Fuzz target: writes any annotated game as PGN. Our reader and an independent one must find in it what we wrote.
#![no_main]

mod pieces;

use std::ops::ControlFlow;

use enroque::chess::{Board, CastlingRules, FenStyle, position};
use enroque_study::pgn::{self, Line, Note, PgnGame, PgnMove};
use libfuzzer_sys::arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use pgn_reader::{Nag, Outcome, RawComment, RawTag, Reader, SanPlus, Skip, Visitor};

/// Pieces of text that mean something in PGN.
const PIECES: [&str; 24] = [
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    "%",
    ";",
    "\"",
    "\\",
    "\n",
    " ",
    "\r\n",
    "$1",
    "1-0",
    "*",
    "1.",
    "e4",
    "--",
    "[%clk 0:01]",
    "[%eval ",
    "[Site \"x\"]",
    "\n[Round \"2\"]\n",
    "a long comment of many words that has to be wrapped somewhere",
];
const NAMES: [&str; 6] = ["Event", "Site", "White", "Black", "Round", "Annotator"];
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];
const MAX_PIECES: usize = 24;
const MAX_NOTES: usize = 4;
const MAX_MOVES: usize = 20;
const MAX_NESTING: usize = 4;

fuzz_target!(|bytes: &[u8]| {
    let Ok(game) = game(&mut Unstructured::new(bytes)) else { return };
    let written = pgn::write(&game);
    let expected = events(&game);
    assert!(!written.trim_end().contains("\n\n[") && !written.contains('\r'), "{written}");
    let sections = pgn::sections(&written);
    assert_eq!(sections.len(), 1, "{written}");
    let again = pgn::read(&sections[0].text, CastlingRules::Fischer, None).expect(&written);
    assert!(again.errors.is_empty(), "{written}");
    assert_eq!(events(&again), expected, "{written}");
    assert_eq!(pgn::write(&again), written);
    let mut reader = Reader::build(written.as_bytes()).set_supported_tag_line_length(1 << 14).finish();
    let other = reader.read_game(&mut Collector).expect(&written).expect(&written);
    assert_eq!(other, expected, "{written}");
    assert!(!reader.has_more().expect(&written), "{written}");
});

fn words(input: &mut Unstructured<'_>) -> Result<String> {
    pieces::words(input, &PIECES, MAX_PIECES)
}

fn game(input: &mut Unstructured<'_>) -> Result<PgnGame> {
    let mut tags = Vec::new();
    for name in NAMES {
        if input.arbitrary()? {
            tags.push((name.to_owned(), words(input)?));
        }
    }
    let number: u16 = input.int_in_range(0..=959)?;
    let start = position::parse(&format!("sp:{number}"), CastlingRules::Fischer).expect("a start position");
    tags.push(("FEN".to_owned(), start.fen(FenStyle::XFen)));
    let line = line(input, &start, 0)?;
    let result = (*input.choose(&RESULTS)?).to_owned();
    Ok(PgnGame { tags, start, line, result, errors: Vec::new() })
}

/// Makes a main line (`depth` 0) or a variation nested `depth` levels deep, from the position `start`.
fn line(input: &mut Unstructured<'_>, start: &Board, depth: usize) -> Result<Line> {
    let mut board = start.clone();
    let mut line = Line { before: notes(input, None, depth)?, moves: Vec::new() };
    for _ in 0..input.int_in_range(0..=MAX_MOVES >> depth)? {
        let moves = board.legal_moves();
        let choice = input.int_in_range(0..=u8::MAX)?;
        let mv = match moves.len() {
            0 => break,
            _ if choice == u8::MAX && !board.in_check() => None,
            count => moves.into_iter().nth(usize::from(choice) % count),
        };
        let before = board.clone();
        pgn::play(&mut board, mv);
        line.moves.push(PgnMove { mv, notes: notes(input, Some(&before), depth)? });
    }
    Ok(line)
}

/// Makes annotations for a move played on `before`, or for the beginning of a line if `before` is `None`.
fn notes(input: &mut Unstructured<'_>, before: Option<&Board>, depth: usize) -> Result<Vec<Note>> {
    let mut notes = Vec::new();
    for _ in 0..input.int_in_range(0..=MAX_NOTES)? {
        match (input.int_in_range(0..=3)?, before) {
            (0, _) => notes.push(Note::Nag(input.arbitrary()?)),
            (1, Some(before)) if depth < MAX_NESTING => {
                notes.push(Note::Variation(line(input, before, depth + 1)?));
            }
            (2, _) => notes.push(Note::Comment(words(input)?)),
            _ => {}
        }
    }
    Ok(notes)
}

/// Returns a comment as our writer changes it: runs of blanks become one, and no closing brace can end it early.
fn comment(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    format!("{{{}}}", words.join(" ").replace('}', ")"))
}

/// Undoes escapes in a tag's value. Unlike in pgn-reader's `RawTag::decode`, the second of two backslashes begins none.
fn unescaped(value: &str) -> String {
    let (mut text, mut chars) = (String::new(), value.chars());
    while let Some(c) = chars.next() {
        text.extend(if c == '\\' { chars.next() } else { Some(c) });
    }
    text
}

/// Returns all parts of a game as texts, in the order in which a reader meets them in what we write.
fn events(game: &PgnGame) -> Vec<String> {
    let mut events = Vec::new();
    for (name, value) in &game.tags {
        if name == "FEN" {
            events.extend((game.start != Board::startpos()).then(|| "Variant Chess960".to_owned()));
            events.push("SetUp 1".to_owned());
        }
        if !["Variant", "SetUp"].contains(&&**name) {
            events.push(format!("{name} {}", value.replace(['\n', '\r'], " ")));
        }
    }
    add_line(&mut events, &game.line, &game.start);
    events.push(game.result.clone());
    events
}

fn add_line(events: &mut Vec<String>, line: &Line, start: &Board) {
    let mut board = start.clone();
    let mut before = Ordered::default();
    before.add(&line.before);
    let mut nags = std::mem::take(&mut before.nags);
    if line.moves.is_empty() {
        // Without a move that they could follow, glyphs become words.
        before.comments.splice(0..0, nags.drain(..).map(|nag| format!("${nag}")));
    }
    before.add_to(events, &board);
    for played in &line.moves {
        let before = board.clone();
        events.push(pgn::san(&board, played.mv));
        pgn::play(&mut board, played.mv);
        let mut notes = Ordered { nags: std::mem::take(&mut nags), ..Ordered::default() };
        notes.add(&played.notes);
        notes.add_to(events, &before);
    }
}

/// The annotations of a move in the order in which we write them. All comments become one.
#[derive(Default)]
struct Ordered<'a> {
    nags: Vec<u8>,
    comments: Vec<String>,
    variations: Vec<&'a Line>,
}

impl<'a> Ordered<'a> {
    fn add(&mut self, notes: &'a [Note]) {
        for note in notes {
            match note {
                Note::Nag(nag) => self.nags.push(*nag),
                Note::Comment(text) => self.comments.push(text.clone()),
                Note::Variation(line) if line.moves.is_empty() => self.add(&line.before),
                Note::Variation(line) => self.variations.push(line),
            }
        }
    }

    fn add_to(self, events: &mut Vec<String>, before: &Board) {
        events.extend(self.nags.iter().map(|nag| format!("${nag}")));
        let text = self.comments.join(" ");
        if !text.trim().is_empty() {
            events.push(comment(&text));
        }
        for line in self.variations {
            events.push("(".to_owned());
            add_line(events, line, before);
            events.push(")".to_owned());
        }
    }
}

/// Collects what pgn-reader finds in a game, in the form in which [`events`] returns it.
struct Collector;

/// pgn-reader delivers a long comment in parts, which we join in `partial_comment`.
#[derive(Default)]
struct Events {
    events: Vec<String>,
    partial_comment: Vec<u8>,
}

impl Events {
    fn push(&mut self, event: String) -> ControlFlow<Vec<String>> {
        self.events.push(event);
        ControlFlow::Continue(())
    }
}

impl Visitor for Collector {
    type Tags = Events;
    type Movetext = Events;
    type Output = Vec<String>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Events> {
        ControlFlow::Continue(Events::default())
    }

    fn tag(&mut self, tags: &mut Events, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        let [name, value] = [name, value.as_bytes()].map(|text| std::str::from_utf8(text).expect("UTF-8"));
        tags.push(format!("{name} {}", unescaped(value)))
    }

    fn begin_movetext(&mut self, tags: Events) -> ControlFlow<Self::Output, Events> {
        ControlFlow::Continue(tags)
    }

    fn san(&mut self, movetext: &mut Events, san: SanPlus) -> ControlFlow<Self::Output> {
        movetext.push(san.to_string())
    }

    fn nag(&mut self, movetext: &mut Events, nag: Nag) -> ControlFlow<Self::Output> {
        movetext.push(format!("${}", nag.0))
    }

    fn partial_comment(&mut self, movetext: &mut Events, text: RawComment<'_>) -> ControlFlow<Self::Output> {
        movetext.partial_comment.extend(text.as_bytes());
        ControlFlow::Continue(())
    }

    fn comment(&mut self, movetext: &mut Events, text: RawComment<'_>) -> ControlFlow<Self::Output> {
        movetext.partial_comment.extend(text.as_bytes());
        let bytes = std::mem::take(&mut movetext.partial_comment);
        movetext.push(comment(std::str::from_utf8(&bytes).expect("UTF-8")))
    }

    fn begin_variation(&mut self, movetext: &mut Events) -> ControlFlow<Self::Output, Skip> {
        movetext.events.push("(".to_owned());
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, movetext: &mut Events) -> ControlFlow<Self::Output> {
        movetext.push(")".to_owned())
    }

    fn outcome(&mut self, movetext: &mut Events, outcome: Outcome) -> ControlFlow<Self::Output> {
        movetext.push(outcome.to_string())
    }

    fn end_game(&mut self, movetext: Events) -> Self::Output {
        movetext.events
    }
}
