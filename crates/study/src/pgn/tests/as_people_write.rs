//! PGN as people and programs write it, beyond what the standard allows.

use super::*;

/// Returns for each game of a file its moves, its result, one tag, and the number of errors.
fn games(text: &str, tag: &str) -> Vec<(String, String, String, usize)> {
    let each = sections(text).into_iter().map(|section| game(&section.text));
    each.map(|game| (san(&game), game.result.clone(), game.tag(tag).to_owned(), game.errors.len())).collect()
}

#[test]
fn result_spellings_are_understood() {
    let draws =
        ["1/2-1/2", "1/2", "½", "½-½", "½–½", "1/2–1/2", "1/2\u{2011}1/2", "1/2\u{2212}1/2", "0.5-0.5"];
    let draws = draws.map(|text| (text, "1/2-1/2"));
    let spaced = [("1 - 0", "1-0"), ("0 – 1", "0-1"), ("1/2 - 1/2", "1/2-1/2"), ("½ - ½", "1/2-1/2")];
    let wins = [("1:0", "1-0"), ("0:1", "0-1"), ("1—0", "1-0"), ("1\u{200B}-0", "1-0"), ("0 - 0", "0-0")];
    let unequal = [("½-0", "1/2-0"), ("0-½", "0-1/2"), ("1/2-0", "1/2-0"), ("0-0.5", "0-1/2"), ("*", "*")];
    let all = draws.into_iter().chain(spaced).chain(wins).chain(unequal);
    for (text, result) in all {
        for movetext in [format!("1. e4 e5 {text}"), format!("1. e4 e5 {{[%clk 0:1:0]}} {text} {{end}}")] {
            let game = game(&movetext);
            assert_eq!((san(&game).as_str(), &*game.result), ("e4 e5", result), "{movetext}");
            assert_eq!(errors(&game), [""; 0], "{movetext}");
            let again = self::game(&write(&game));
            assert_eq!((again.result.as_str(), again.line), (result, exported(&game.line)), "{movetext}");
        }
        assert_eq!(game(&format!("[Result \"{text}\"]\n\n1. e4 e5\n")).result, result, "{text}");
    }
}

/// `0-0` is castling, unless it ends a game that both players lost.
#[test]
fn double_forfeits_are_no_castling() {
    let castles = "1. e4 e5 2. Nf3 Nf6 3. Be2 Be7 4. 0-0";
    let moves = "e4 e5 Nf3 Nf6 Be2 Be7 O-O";
    let cases = [
        (format!("[Result \"0-0\"]\n\n{castles} 0-0"), moves, "0-0"),
        (format!("[Result \"0-0\"]\n\n{castles} 0-0 {{x}} ; y"), moves, "0-0"),
        (format!("[result \"0–0\"]\n\n{castles} O-O 0-0"), "e4 e5 Nf3 Nf6 Be2 Be7 O-O O-O", "0-0"),
        (format!("[Result \"1-0\"]\n\n{castles}"), moves, "1-0"),
        (castles.to_owned(), moves, "*"),
        (format!("{castles} O-O 0 - 0"), "e4 e5 Nf3 Nf6 Be2 Be7 O-O O-O", "0-0"),
        ("[Result \"0-0\"]\n\n0-0".to_owned(), "", "0-0"),
        ("[White \"A\"]\n\n0-0".to_owned(), "", "0-0"),
    ];
    for (text, moves, result) in cases {
        let game = game(&text);
        assert_eq!((&*san(&game), &*game.result, game.errors.len()), (moves, result, 0), "{text}");
        let again = self::game(&write(&game));
        assert_eq!((again.result.as_str(), again.line), (result, exported(&game.line)), "{text}");
    }
    assert_eq!(game("[Result \"1-0\"]\n\n1. e4 0-0").errors.len(), 1);
}

#[test]
fn games_may_share_lines() {
    let game =
        |moves: &str, result: &str, tag: &str| (moves.to_owned(), result.to_owned(), tag.to_owned(), 0);
    let cases = [
        ("[Event \"A\"] [White \"W\"] 1. e4 e5 1-0", vec![game("e4 e5", "1-0", "W")]),
        ("[Event \"A\"] {first} [White \"W\"] ; second\n1. e4 *", vec![game("e4", "*", "W")]),
        ("[White \"W\"] {two\nlines} 1. e4 *", vec![game("e4", "*", "W")]),
        ("[White \"W\"] *", vec![game("", "*", "W")]),
        (
            "[White \"A\"]\n\n1. e4 1-0 [White \"B\"]\n[Black \"C\"]\n\n1. d4 0-1",
            vec![game("e4", "1-0", "A"), game("d4", "0-1", "B")],
        ),
        (
            "[White \"A\"] 1. e4 {[White \"x\"]} 1-0 [White \"B\"] 1. d4 ; [White \"y\"]\n0-1",
            vec![game("e4", "1-0", "A"), game("d4", "0-1", "B")],
        ),
        (
            "[White A B]\n[Black “C”]\n\n1. e4 1-0\n\n[White B]\n\n1. d4 0-1",
            vec![game("e4", "1-0", "A B"), game("d4", "0-1", "B")],
        ),
        (
            "\u{FEFF}[White \"A\"]\n\n1. e4 1-0\n\u{200B}\n\u{FEFF}[White \"B\"]\n\n1. d4 0-1",
            vec![game("e4", "1-0", "A"), game("d4", "0-1", "B")],
        ),
        (
            "[White \"A\"]\n{no moves}\n\n[White \"B\"]\n\n1. d4 0-1",
            vec![game("", "*", "A"), game("d4", "0-1", "B")],
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(games(text, "White"), expected, "{text}");
    }
    let text = "[Event \"A\"] {first} [White \"W\"] ; second\n1. e4 *";
    assert_eq!(self::game(text).line.before, [comment("first"), comment("second")]);
    assert_eq!(self::game("[White A B]\n[Black “C”]\n\n*").tag("Black"), "C");
    let starts = "[FEN \"4k3/8/8/8/8/8/8/R3K3 w - - 0 1\"]\n\n[fen \"4k3/8/8/8/8/8/8/1R2K3 w - - 0 1\"]\n";
    let starts: Vec<_> = sections(starts).iter().map(|section| self::game(&section.text).start).collect();
    assert_eq!(starts.len(), 2);
    assert_ne!(starts[0], starts[1]);
    // A bracket that begins no tag does not split a game in two.
    assert_eq!(sections("[White \"A\"]\n\n1. e4 [x \"y\" z] e5\n[a note]\n2. Nf3 *\n").len(), 1);
}

#[test]
fn tag_names_have_any_case() {
    let text = "[fen \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1;\"]\n[VARIANT \"chess960\"]\n[white \"A\"]\n[result \"1-0\"]\n\n\
                1. O-O-O";
    let game = game(text);
    assert_eq!((&*san(&game), &*game.result, game.tag("White")), ("O-O-O", "1-0", "A"));
    assert!(write(&game).starts_with("[SetUp \"1\"]\n[FEN "), "{}", write(&game));
    // The FEN counts, whatever SetUp says.
    let fen = "[SetUp \"0\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\"]\n\n1. Ra8+ *";
    assert_eq!(moves(fen), "Ra8+");
}

#[test]
fn invisible_characters_are_ignored() {
    for c in ['\u{200B}', '\u{200D}', '\u{200E}', '\u{2060}', '\u{FEFF}', '\u{AD}'] {
        let text = format!("{c}1.{c}e4{c} {c}e5{c} {c}2. {c}Nf3{c}!? {{a}}{c}({c}2. d4{c}) Nc{c}6 {c}1-0{c}");
        let game = game(&text);
        assert_eq!((&*san(&game), &*game.result, game.errors.len()), ("e4 e5 Nf3 Nc6", "1-0", 0), "{c:?}");
        assert_eq!(game.line.moves[2].notes[0], Note::Nag(5));
    }
}

#[test]
fn null_moves_are_understood() {
    for null in ["--", "––", "pass", "Pass", "<>", "@@@@", "Z0", "null", "0000"] {
        let game = game(&format!("1. e4 {null} 2. d4 {null}! *"));
        assert_eq!((&*san(&game), game.errors.len()), ("e4 -- d4 --", 0), "{null}");
        assert_eq!(game.line.moves[3].notes, [Note::Nag(1)], "{null}");
    }
}

#[test]
fn signs_may_be_attached() {
    let cases: [(&str, &[u8]); 22] = [
        ("=", &[10]),
        ("!=", &[1, 10]),
        ("∞", &[13]),
        ("+=", &[14]),
        ("⩲", &[14]),
        ("=+", &[15]),
        ("⩱", &[15]),
        ("+/-", &[16]),
        ("±", &[16]),
        ("-/+", &[17]),
        ("∓", &[17]),
        ("+-", &[18]),
        ("+−", &[18]),
        ("+–", &[18]),
        ("-+", &[19]),
        ("−+", &[19]),
        ("!+-", &[1, 18]),
        ("⟳", &[32]),
        ("→", &[40]),
        ("⇆", &[132]),
        ("⨀", &[22]),
        ("⊕", &[138]),
    ];
    for (signs, nags) in cases {
        for text in
            [format!("1. e4 e5 2. Bc4 Bc5{signs} 3. d3 *"), format!("1. e4 e5 2. Bc4 Bc5 {signs} 3. d3 *")]
        {
            let game = game(&text);
            assert_eq!((&*san(&game), game.errors.len()), ("e4 e5 Bc4 Bc5 d3", 0), "{text}");
            let nags: Vec<Note> = nags.iter().map(|&nag| Note::Nag(nag)).collect();
            assert_eq!(game.line.moves[3].notes, nags, "{text}");
        }
    }
    for (signs, nag) in [("++-", 18), ("+=", 14), ("+!", 1), ("!+", 1), ("+±", 16)] {
        let game = game(&format!("1. e4 f6 2. Qh5{signs} g6 3. Qh4 *"));
        assert_eq!((&*san(&game), game.errors.len()), ("e4 f6 Qh5+ g6 Qh4", 0), "{signs}");
        assert_eq!(game.line.moves[2].notes, [Note::Nag(nag)], "{signs}");
    }
    // Scid writes these words and signs after moves.
    let scid: [(&str, &[u8]); 12] = [
        ("~", &[13]),
        ("+--", &[20]),
        ("--+", &[21]),
        ("D", &[201]),
        ("R", &[144]),
        ("RR", &[145]),
        ("N", &[146]),
        ("forced", &[7]),
        ("worst", &[9]),
        ("=, quiet", &[11]),
        ("N ~ D", &[146, 13, 201]),
        ("=/&", &[44]),
    ];
    for (signs, nags) in scid {
        for (text, moves) in [
            (format!("1. e4 e5 2. Bc4 Bc5 {signs} 3. d3 *"), "e4 e5 Bc4 Bc5 d3"),
            (format!("1. e4 e5 2. Bc4 -- {signs} 3. d3 *"), "e4 e5 Bc4 -- d3"),
            (format!("1. e4 e5 2. Lc4 Lc5 {signs} 3. Sf3 (3. d3 {signs}) *"), "e4 e5 Bc4 Bc5 Nf3"),
        ] {
            let game = game(&text);
            assert_eq!((&*san(&game), game.errors.len()), (moves, 0), "{text}");
            let nags: Vec<Note> = nags.iter().map(|&nag| Note::Nag(nag)).collect();
            assert_eq!(game.line.moves[3].notes, nags, "{text}");
        }
    }
    for (signs, nag) in [("~", 13), ("+--", 20), ("--+", 21), ("!~", 1)] {
        let game = game(&format!("1. e4 e5 2. Bc4 Bc5{signs} 3. d3 *"));
        assert_eq!(
            (&*san(&game), &game.line.moves[3].notes[0]),
            ("e4 e5 Bc4 Bc5 d3", &Note::Nag(nag)),
            "{signs}"
        );
    }
    let promotion = "[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8=Q+- *";
    assert_eq!((&*moves(promotion), &game(promotion).line.moves[0].notes), ("a8=Q", &vec![Note::Nag(18)]));
}

#[test]
fn draw_offers_are_comments() {
    let text = "1. e4 (=) e5 2. Nf3(=) (2. Bc4 (=) Nf6) 2... Nc6 (=) 1/2-1/2";
    let read = game(text);
    assert_eq!((san(&read).as_str(), read.errors.len(), &*read.result), ("e4 e5 Nf3 Nc6", 0, "1/2-1/2"));
    let offers = [comment("(=)")];
    let [e4, e5, nf3, nc6] = &read.line.moves[..] else { panic!("{:?}", read.line) };
    assert_eq!([&e4.notes[..], &e5.notes, &nf3.notes[..1], &nc6.notes], [&offers[..], &[], &offers, &offers]);
    let variation = &nf3.notes[1];
    assert!(matches!(variation, Note::Variation(line) if line.moves[0].notes == offers), "{variation:?}");
    assert_eq!(game(&write(&read)).line, read.line);
}

#[test]
fn stray_braces_cut_no_game() {
    let cases = [
        ("1. e4 } e5 2. Nf3 *", "e4 e5 Nf3", None),
        ("1. e4 {a} } e5 }} 2. Nf3 } *", "e4 e5 Nf3", Some("a")),
        ("1. e4 {a {b} c} e5 2. Nf3 *", "e4 e5 Nf3", Some("a (b) c")),
        ("1. e4 {a {b} c {d {e}} f} e5 2. Nf3 *", "e4 e5 Nf3", Some("a (b) c (d (e)) f")),
        ("1. e4 (1. d4 {a {b} e5 c}) e5 2. Nf3 *", "e4 e5 Nf3", None),
        // A stray brace does not keep us from finding the language: this is German.
        ("1. e4 } e5 2. Sf3 *", "e4 e5 Nf3", None),
    ];
    for (text, moves, note) in cases {
        let game = game(text);
        assert_eq!((&*san(&game), &*game.result), (moves, "*"), "{text}");
        assert!(
            !game.errors.is_empty() && errors(&game).iter().all(|error| error.contains("brace")),
            "{game:?}"
        );
        if let Some(note) = note {
            assert_eq!(game.line.moves[0].notes[0], comment(note), "{text}");
        }
        let again = self::game(&write(&game));
        assert_eq!((again.errors.len(), again.line), (0, exported(&game.line)), "{text}");
    }
}

#[test]
fn refused_castling_names_the_right() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w Qk - 0 1";
    for (movetext, right) in
        [("1. O-O", "K"), ("1. 0-0!", "K"), ("1. Ra2 O-O-O", "q"), ("1. Ra2 Rg8 2. O-O-O", "Q")]
    {
        let error = &errors(&game(&format!("[FEN \"{fen}\"]\n\n{movetext} *")))[0];
        assert!(error.ends_with(&format!("the castling right '{right}' is missing")), "{error}");
    }
    let error = &errors(&game("1. O-O *"))[0];
    assert!(error.ends_with("'O-O' is not a legal move here"), "{error}");
}
