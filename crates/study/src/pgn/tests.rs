use super::*;
use enroque::chess::startpos::{START_SETS, StartSet};
use enroque::chess::{Board, CastlingRules, FenStyle};
use enroque::util::random::Random;

mod as_people_write;
mod export;
mod round_trips;
mod streams;
mod untagged;

/// Reads a game, and asserts that other programs can read what we write of it.
fn game(text: &str) -> PgnGame {
    let game = read(text, CastlingRules::Fischer, None).unwrap_or_else(|error| panic!("{text}: {error}"));
    export::assert_readable(&game);
    game
}

/// Returns a line as it is after a way through a file.
fn exported(line: &Line) -> Line {
    let notes = |super::export::Notes { nags, comment, variations }| -> Vec<Note> {
        let comment = Some(comment).filter(|comment: &String| !comment.is_empty()).map(Note::Comment);
        let variations = variations.into_iter().map(|line| Note::Variation(exported(line)));
        nags.into_iter().map(Note::Nag).chain(comment).chain(variations).collect()
    };
    let (before, nags) = super::export::Notes::of_beginning(line);
    let moves = line
        .moves
        .iter()
        .map(|played| PgnMove { notes: notes(super::export::Notes::of(&played.notes)), ..*played });
    let mut exported = Line { before: notes(before), moves: moves.collect() };
    if let Some(first) = exported.moves.first_mut() {
        first.notes.splice(..0, nags.into_iter().map(Note::Nag));
    }
    exported
}

#[test]
fn sections_count_the_moves_of_the_main_line() {
    let text = "1. e4 (1. d4 d5 (1... Nf6 2. c4)) 1... e5! {Nf3 Nc6} 2. Nf3 $1 1-0\n\n[Event \"?\"]\n\n*\n\n1. c4 0-1";
    let counts: Vec<_> = sections(text).iter().map(|section| section.moves).collect();
    assert_eq!(counts, [3, 0, 1]);
}

/// Returns a game's moves in algebraic notation, after asserting that we read the game without errors.
fn moves(text: &str) -> String {
    let game = game(text);
    assert_eq!(errors(&game), [""; 0], "{text}");
    san(&game)
}

fn san(game: &PgnGame) -> String {
    let mut board = game.start.clone();
    let each = game.moves().map(|mv| {
        let san = super::san(&board, mv);
        play(&mut board, mv);
        san
    });
    each.collect::<Vec<_>>().join(" ")
}

fn errors(game: &PgnGame) -> Vec<String> {
    game.errors.iter().map(ToString::to_string).collect()
}

fn comment(text: &str) -> Note {
    Note::Comment(text.to_owned())
}

#[test]
fn broken_game_spares_next_ones() {
    let text = "[White \"A\"]\n\n1. e4 {a\n[%clk 1:00] b} e5 *\n\n[White \"B\"]\n\n1. e4 e4 {open\n\n[White \"C\"]\n\n1. d4 $1 (1. c4) d5 1/2-1/2\n";
    let sections = sections(text);
    assert_eq!(sections.iter().map(|section| section.line).collect::<Vec<_>>(), [1, 6, 10]);
    let games: Vec<PgnGame> = sections.iter().map(|section| game(&section.text)).collect();
    assert_eq!(games[0].line.moves[0].notes, [comment("a [%clk 1:00] b")]);
    assert!(errors(&games[1])[0].starts_with("move 1...: "), "{:?}", games[1].errors);
    assert_eq!(san(&games[1]), "e4");
    assert_eq!(games[1].line.moves[0].notes, [comment("not read from here: e4 (open")]);
    assert_eq!(
        (san(&games[2]), games[2].result.as_str(), games[2].tag("White")),
        ("d4 d5".into(), "1/2-1/2", "C")
    );
    assert_eq!(games[2].line.moves[0].notes[0], Note::Nag(1));
}

#[test]
fn games_without_moves_are_separate() {
    let text = "[Event \"a\"]\n[White \"A\"]\n[Result \"1-0\"]\n\n[Event \"b\"]\n[White \"B\"]\n\n1. e4 e5\n";
    let games: Vec<PgnGame> = sections(text).iter().map(|section| game(&section.text)).collect();
    let found = games.iter().map(|game| (game.tag("White"), game.result.as_str(), san(game)));
    assert_eq!(found.collect::<Vec<_>>(), [("A", "1-0", String::new()), ("B", "*", "e4 e5".to_owned())]);
}

#[test]
fn tag_gives_missing_result() {
    for (movetext, result) in [("1. e4 e5", "1/2-1/2"), ("1. e4 e5 *", "*"), ("1. e4 e5 0-1", "0-1")] {
        assert_eq!(game(&format!("[Result \"1/2-1/2\"]\n\n{movetext}\n")).result, result, "{movetext}");
    }
    assert_eq!(game("[Result \"forfeit\"]\n\n1. e4\n").result, "*");
}

#[test]
fn move_spellings_are_understood() {
    let cases = [
        ("1.e4 e5 2.Nf3 1-0", "e4 e5 Nf3"),
        ("1. e2-e4 e7e5 2. Ng1-f3 d7-d6", "e4 e5 Nf3 d6"),
        ("1. e4 d5 2. e4xd5 Qd8xd5", "e4 d5 exd5 Qxd5"),
        ("1. e4 d5 2. e4:d5 Q:d5", "e4 d5 exd5 Qxd5"),
        ("1. ♘f3 ♞f6 2. ♙e4", "Nf3 Nf6 e4"),
        ("1. e4 d5 2. e5 f5 3. exf6e.p. exf6 4. d4", "e4 d5 e5 f5 exf6 exf6 d4"),
        ("1. e4 d5 2. e5 f5 3. exf6 e.p. exf6", "e4 d5 e5 f5 exf6 exf6"),
        ("1. e4 e5 2. Nf3 Nf6 3. Be2 Be7 4. 0-0 O–O", "e4 e5 Nf3 Nf6 Be2 Be7 O-O O-O"),
        ("1. e4 e5 2. Nf3 Nf6 3. Be2 Be7 4. e1g1 e8h8", "e4 e5 Nf3 Nf6 Be2 Be7 O-O O-O"),
        ("1. e4 e5 2. Nf3 Nf6 3. Be2 Be7 4. e1-g1 Ke8xh8", "e4 e5 Nf3 Nf6 Be2 Be7 O-O O-O"),
        ("1. e4 d5 2. e5 f5 3. exf6 (ep) exf6", "e4 d5 e5 f5 exf6 exf6"),
        // German, French, Spanish and Italian, Dutch, Polish.
        ("1. e4 e5 2. Sf3 Sc6 3. Lb5 Dh4 4. Sxh4", "e4 e5 Nf3 Nc6 Bb5 Qh4 Nxh4"),
        ("1. e4 e5 2. Cf3 Cc6 3. Fb5 Dh4 4. Cxh4", "e4 e5 Nf3 Nc6 Bb5 Qh4 Nxh4"),
        ("1. e4 e5 2. Cf3 Cc6 3. Ab5 Dh4 4. Cxh4", "e4 e5 Nf3 Nc6 Bb5 Qh4 Nxh4"),
        ("1. e4 e5 2. Pf3 Pc6 3. Lb5 Dh4 4. Pxh4", "e4 e5 Nf3 Nc6 Bb5 Qh4 Nxh4"),
        ("1. e4 e5 2. Sf3 Sc6 3. Gb5 Hh4 4. Sxh4", "e4 e5 Nf3 Nc6 Bb5 Qh4 Nxh4"),
        ("1. e4 -- 2. Z0 d5", "e4 -- -- d5"),
        ("1. e4 0000 2. d4", "e4 -- d4"),
        // R is the English rook and the French king; only in French are all these moves legal.
        ("1. e4 e5 2. Re2 Re7", "e4 e5 Ke2 Ke7"),
    ];
    for (text, expected) in cases {
        assert_eq!(moves(text), expected, "{text}");
    }
    assert_eq!(game("1. e4 d5 2. e5 f5 3. exf6 (ep)").line.moves[4].notes, []);
    for (text, symbol) in [("Qxf7!+", 1), ("Qxf7+!?", 5), ("Qxf7??#", 4)] {
        let game = game(&format!("1. e4 e5 2. Qh5 Nc6 3. {text} *"));
        assert_eq!(game.line.moves[4].notes, [Note::Nag(symbol)], "{text}");
    }
    let promotions = [
        "a8Q", "a8=Q", "a8=(Q)", "a8(Q)", "a8/Q", "a8=Q+", "a8D", "a8=(D)", "a7-a8Q", "a7a8q", "a8=♕", "a8=q",
    ];
    for promotion in promotions {
        let text = format!("[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. {promotion} *");
        assert_eq!(moves(&text), "a8=Q", "{promotion}");
    }
}

#[test]
fn error_ends_game_there() {
    let cases = [
        ("1. e4 e5 2. Xf3 Nc6 1-0", "e4 e5", "move 2.: 'Xf3'"),
        ("1. e4 e5 2. Nf3 Sc6 3. Bb5 0-1", "e4 e5 Nf3", "move 2...: 'Sc6'"),
        ("1. e4 e5 2. Ke3 *", "e4 e5", "move 2.: 'Ke3' is not a legal move here"),
        ("1. e4 e5 2. Kd2d4 *", "e4 e5", "move 2.: 'Kd2d4' is not a legal move here"),
        ("1. e4 e5 ) 2. Nf3 *", "e4 e5", "move 2.: ')'"),
        ("1. e4 e5 2. Qh5 a6 3. Qxe5+ -- *", "e4 e5 Qh5 a6 Qxe5+", "move 3...: '--'"),
        ("1. e4 e5 1-0 2. Nf3", "e4 e5", "move 2.: the game has ended"),
        ("1. e4 $300 e5 *", "e4", "move 1...: '$300'"),
    ];
    for (text, read, error) in cases {
        let game = game(text);
        assert_eq!(san(&game), read, "{text}");
        assert!(game.errors.len() == 1 && errors(&game)[0].starts_with(error), "{text}: {:?}", game.errors);
        let written = write(&game);
        let flowing = written.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flowing.contains("not read from here: "), "{written}");
        // What we write, we can read again without errors.
        assert_eq!(moves(&written), read, "{written}");
    }
    assert_eq!(game("1. e4 e5 2. Xf3 Nc6 1-0").result, "1-0");
}

#[test]
fn annotations_survive_round_trip() {
    let text = "[Event \"a \\\"b\\\" \\\\ c\"][Site \"x]y\"]\n[Annotator \"K\"]\n\n{before} 1. e4 $1 {one} {two} (1. d4 d5 \
                (1... Nf6!? {deep; 2. c4} 2. c4 -- 3. Nc3) 2. c4 {ql} 1-0) (1. c4) 1... e5! ; to the end) of line\n2. Nf3 N \
                {last [%clk 0:01:02] x} += $22 *";
    let game = game(text);
    assert_eq!(errors(&game), [""; 0]);
    assert_eq!((game.tag("Event"), game.tag("Site")), ("a \"b\" \\ c", "x]y"));
    assert_eq!(game.line.before, [comment("before")]);
    let [Note::Nag(1), one, two, Note::Variation(first), Note::Variation(second)] =
        &game.line.moves[0].notes[..]
    else {
        panic!("{:?}", game.line.moves[0].notes);
    };
    assert_eq!((one, two, second.moves.len()), (&comment("one"), &comment("two"), 1));
    let Note::Variation(deep) = &first.moves[1].notes[0] else { panic!("{first:?}") };
    assert_eq!(deep.moves[0].notes, [Note::Nag(5), comment("deep; 2. c4")]);
    assert_eq!(deep.moves[2].mv, None, "a pass");
    assert_eq!(game.line.moves[1].notes, [Note::Nag(1), comment("to the end) of line")]);
    let last = [Note::Nag(146), comment("last [%clk 0:01:02] x"), Note::Nag(14), Note::Nag(22)];
    assert_eq!(game.line.moves[2].notes, last);
    let written = write(&game);
    let again = self::game(&written);
    assert_eq!(
        (&again.tags, &again.line, &again.result),
        (&game.tags, &exported(&game.line), &game.result),
        "{written}"
    );
    assert_eq!(write(&again), written);
    assert!(written.lines().all(|line| line.chars().count() <= 80), "{written}");
}

#[test]
fn broken_variation_spares_game() {
    let game = game("1. e4 (1. d4 Qd5 (1... d5) 2. c4 {x)}) 1... e5 *");
    assert_eq!(san(&game), "e4 e5");
    assert!(errors(&game)[0].starts_with("move 1... in a variation: "), "{:?}", game.errors);
    let Note::Variation(variation) = &game.line.moves[0].notes[0] else { panic!("{game:?}") };
    assert_eq!(variation.moves.len(), 1);
    assert_eq!(variation.moves[0].notes, [comment("not read from here: Qd5 (1... d5) 2. c4 (x))")]);
    let deep = format!("1. e4 {} e5 *", "(1. d4 ".repeat(5000));
    assert!(!self::game(&deep).errors.is_empty());
    let open = self::game("1. e4 (1. d4 d5 *");
    assert_eq!((san(&open).as_str(), open.errors.len()), ("e4", 1));
}

#[test]
fn variant_names_are_recognised() {
    let fen = "[FEN \"nrk2r2/pppppppp/8/8/8/8/PPPPPPPP/NRK2R2 w KQkq - 0 1\"]";
    for name in [
        "Chess960",
        "Fischer Random Chess",
        "Freestyle",
        "FRC",
        "960",
        "fischerandom ",
        "chess 960",
        "Normal",
    ] {
        let game = game(&format!("[Variant \"{name}\"]\n{fen}\n\n1. Nb3 Nb6 2. O-O *"));
        assert_eq!(san(&game), "Nb3 Nb6 O-O", "{name}");
    }
    for name in ["Classical", "Standard", "From Position", ""] {
        assert_eq!(moves(&format!("[Variant \"{name}\"]\n\n1. e4 *")), "e4");
    }
    let without = "[Variant \"FRC\"]\n\n1. e4 *";
    assert!(read(without, CastlingRules::Fischer, None).is_err_and(|error| error.lacks_start()));
    assert_eq!(read(without, CastlingRules::Fischer, Some(&Board::startpos())).unwrap().moves().count(), 1);
    // Under rules without castling, we refuse O-O even in a game from the orthodox start.
    let castles = "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O *";
    let errors = errors(&read(castles, CastlingRules::None, None).unwrap());
    assert!(errors[0].contains("'O-O'"), "{errors:?}");
    assert!(game(castles).errors.is_empty());
    let other = read("[Variant \"Atomic\"]\n\n1. e4 *", CastlingRules::Fischer, None);
    assert!(other.is_err_and(|error| error.to_string().contains("'Atomic'")));
}

#[test]
fn malformed_tags_are_reported() {
    let game = game("[White \"A\" x]\n[Black \"B\"]\n\n1. e4 *");
    assert_eq!((game.tag("Black"), game.errors.len()), ("B", 1));
    assert!(errors(&game)[0].contains("[White"), "{:?}", game.errors);
    // The inner quotation marks should have been escaped.
    assert_eq!(self::game("[Event \"the \"big\" one\"]\n\n*").tag("Event"), "the \"big\" one");
}

#[test]
fn comments_hide_tag_lines() {
    let text = "[White \"A\"]\n\n1. e4 {a\n[Site \"x\"]\nb} e5 ; {no comment\n2. Nf3 {x { y} Nc6 *\n\n[White \"B\"]\n\n\
                1. d4 {open\n\n[White \"C\"]\n\n1. c4 {closed} *\n\n[White \"{ D\"]\n\n1. a3 *\n";
    let sections = sections(text);
    assert_eq!(sections.iter().map(|section| section.line).collect::<Vec<_>>(), [1, 8, 12, 16]);
    let first = game(&sections[0].text);
    assert_eq!((san(&first).as_str(), first.errors.len()), ("e4 e5 Nf3 Nc6", 0));
    assert_eq!(first.line.moves[0].notes, [comment("a [Site \"x\"] b")]);
}

#[test]
fn comment_words_begin_no_line() {
    for length in 0..90 {
        let words = format!(
            "{{{} [Site \"x\"] %a ;b [%clk 0:01:00] [Round \"y\"] {}}}",
            "a".repeat(length),
            "b ".repeat(60)
        );
        let game = game(&format!("[White \"A\"]\n\n1. e4 {words} e5 *"));
        let written = write(&game);
        let movetext = written.split_once("\n\n").unwrap().1;
        assert!(!movetext.lines().any(|line| line.starts_with(['[', '%', ';'])), "{written}");
        assert_eq!(sections(&written).len(), 1);
        assert_eq!(self::game(&written).line, game.line);
    }
}

#[test]
fn invalid_tag_names_are_reported() {
    for text in ["[P\"\"][\"\"]\n\n1. e4 *", "[P\"\"][1 \"x\"]\n\n1. e4 *", "[P \"\"][{a \"x\"]\n1. e4 *"] {
        let game = game(text);
        assert_eq!((san(&game).as_str(), game.errors.len(), game.tags.len()), ("e4", 1, 1), "{text}");
        let written = write(&game);
        assert_eq!((sections(&written).len(), moves(&written).as_str()), (1, "e4"), "{written}");
    }
}

#[test]
fn tag_values_survive_round_trip() {
    let mut game = game("[White \"A\"]\n\n1. e4 *");
    for value in
        ["x\"] [y", "x\"][Site \"y", "][", "\\", "a\\\"] [b\\", " two  words ", "[", "]", "\"", "{ } ; %", ""]
    {
        game.tags[0].1 = value.to_owned();
        let again = self::game(&write(&game));
        assert_eq!((&again.tags, again.errors.len()), (&game.tags, 0), "{value}");
    }
    game.tags[0] = ("White Elo".to_owned(), "x\"] [y".to_owned());
    assert_eq!(self::game(&write(&game)).tags, [("WhiteElo".to_owned(), game.tags[0].1.clone())]);
    game.tags[0].0 = "White".to_owned();
    game.tags[0].1 = "a\n[Site \"b\"]\n".to_owned();
    let again = self::game(&write(&game));
    assert_eq!((again.tags.len(), again.tag("White")), (1, "a [Site \"b\"] "));
    // The backslash should have been escaped.
    assert_eq!(self::game("[Site \"C:\\\"]\n\n1. e4 *").tag("Site"), "C:\\");
}

#[test]
fn commands_are_parts_of_words() {
    for text in
        ["[%clk 0:01]*", "x[%eval 0.1][%clk 0:01]y z", "a[% b", "[%a ][%b", "[% ] x", "[%a b]c[%d e] f"]
    {
        for length in 60..80 {
            let mut game = game("1. e4 *");
            let text = format!("{} {text}", "x".repeat(length));
            game.line.moves[0].notes = vec![comment(&text)];
            let written = write(&game);
            assert_eq!(self::game(&written).line, game.line, "{written}");
            assert!(!written.contains("0:01]") || written.contains("[%clk 0:01]"), "{written}");
        }
    }
}

#[test]
fn commands_stay_on_one_line() {
    let mut game = game("1. e4 *");
    game.line.moves[0].notes = vec![comment("[%x\n[Site \"y\"]\n[White \"z\"]")];
    let written = write(&game);
    assert_eq!((sections(&written).len(), written.lines().count()), (1, 2), "{written}");
    assert_eq!(self::game(&written).line.moves[0].notes, [comment("[%x [Site \"y\"] [White \"z\"]")]);
}

/// Random texts made of PGN's building blocks never make the reader panic, and what we write reads back the same.
#[test]
fn random_texts_survive_round_trip() {
    let pieces = [
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
        "\n\n",
        " ",
        "$1",
        "1-0",
        "0-0",
        " 0 - 0",
        "½",
        "1.",
        "e4",
        "e5",
        " Nf3",
        " Nf6",
        " g3",
        " g6",
        " Bg2",
        " Bg7",
        "=",
        "+-",
        "--",
        "\u{200B}",
        "[White \"x\"]",
        "\n[Result \"0-0\"]\n",
        "[FEN ",
        "[Black y]",
        "\n[White Elo \"x\\\"] [y\"]",
        "Nf3 Nf6 g3 g6 Bg2 Bg7 ",
    ];
    let mut random = Random::new(7);
    for _ in 0..30_000 {
        let count = 1 + random.below(14);
        let text: String = (0..count).map(|_| pieces[random.below(pieces.len() as u64) as usize]).collect();
        for section in sections(&text) {
            let Ok(game) = read(&section.text, CastlingRules::Fischer, None) else { continue };
            let written = write(&game);
            assert_eq!(sections(&written).len(), 1, "{text:?}: {written:?}");
            let again = self::game(&written);
            assert!(again.moves().eq(game.moves()) && again.result == game.result, "{text:?}: {written:?}");
            assert_eq!((write(&again), again.errors.len()), (written, 0), "{text:?}");
        }
    }
}

/// Returns how long we take to read the games in `text`, in seconds: the shortest of three tries.
fn reading_time(text: &str) -> f64 {
    let read_once = || {
        let start = std::time::Instant::now();
        for section in sections(text) {
            let _ = read(&section.text, CastlingRules::Fischer, None);
        }
        start.elapsed().as_secs_f64()
    };
    (0..3).map(|_| read_once()).fold(f64::INFINITY, f64::min)
}

#[test]
fn long_texts_are_linear() {
    let parts = [
        "1.",
        "{",
        "}",
        "(",
        "$",
        "a",
        "{\n\n[A \"\"]\n",
        ";",
        "a8=(",
        "{a {b} ",
        "{{",
        "0-0 ",
        "[A \"",
        "[A \"b\" ",
        "[A b ",
        "1 ",
        "1 - ",
        "[a \"\"]\n\n",
        "e4\u{200B}",
        "Bc5=+",
        "} ",
        "[A \"b\"] ",
    ];
    let tag = |count| format!("[Variant \"Chess960\"]\n[Event \"{}\"]\n\n1. e4 *", "sp ".repeat(count));
    let texts = |count| parts.map(|part| part.repeat(count)).into_iter().chain([tag(count)]);
    // Linear time grows 64 times, on a busy machine some times more, since only short work is rarely interrupted. Quadratic
    // time would grow 4,096 times.
    for (short, long) in texts(1_000).zip(texts(64 * 1_000)) {
        let growth = reading_time(&long) / reading_time(&short);
        assert!(growth < 1000.0, "{}: {growth} times", &short[..4]);
    }
    let cycle = "1. Nf3 Nf6 2. Ng1 Ng8 ".repeat(1500) + "*";
    let game = game(&cycle);
    assert_eq!(game.moves().count(), 6000);
    assert_eq!(game.positions().count(), 6001);
}
