//! Games that follow each other without tags.

use super::*;

/// Returns for each game of a file its moves, its result, and the comments before the first move.
fn games(text: &str) -> Vec<(String, String, Vec<Note>)> {
    let sections = sections(text);
    // Every stream of bytes has the same games.
    let streamed: Vec<Section> = Sections::new(text.as_bytes()).map(Result::unwrap).collect();
    assert_eq!(sections, streamed, "{text}");
    let lines: String = sections.iter().map(|section| section.text.clone()).collect();
    assert_eq!(lines.trim(), text.trim(), "nothing is lost");
    let game = |section: &Section| {
        let begin: usize = text.split_inclusive('\n').take(section.line - 1).map(str::len).sum();
        assert!(text[begin..].contains(section.text.trim()), "line {} of {text}", section.line);
        let game = section.read(CastlingRules::Fischer, None).unwrap();
        assert_eq!(errors(&game), [""; 0], "{text}");
        (san(&game), game.result.clone(), game.line.before)
    };
    sections.iter().map(game).collect()
}

#[test]
fn games_without_tags_are_separate() {
    let game = |moves: &str, result: &str| (moves.to_owned(), result.to_owned(), vec![]);
    let two = || vec![game("e4 e5", "1-0"), game("d4 d5", "0-1")];
    for text in [
        "1. e4 e5 1-0\n\n1. d4 d5 0-1\n",
        "1. e4 e5 1-0\n1. d4 d5 0-1\n",
        "1. e4 e5 1-0 1. d4 d5 0-1\n",
        "1.e4 e5 1-0\n\n\n1.d4 d5 0-1",
        "e4 e5 1-0\n\nd4 d5 0-1\n",
        "1 e4 e5 1-0\r\n\r\n1 d4 d5 0-1\r\n",
        "[White \"A\"]\n\n1. e4 e5 1-0\n\n1. d4 d5 0-1\n",
        "1. e4 e5 1-0 {end}\n\n1. d4 d5 0-1\n",
        "1. e4 e5 1-0 $1\n1. d4 d5 0-1\n",
        "1. e4 e5 (1... c5 2. Nf3 *) 1-0\n\n1. d4 d5 0-1\n",
        "1. e4 e5 {1-0\n\n1. c4} 1-0\n\n1. d4 d5 0-1\n",
    ] {
        assert_eq!(games(text), two(), "{text}");
    }
    let three = "1. e4 e5 1-0\n\n1. d4 d5 0-1\n\n1. c4 *\n\n[White \"B\"]\n\n1. a3 *\n\n1. b3 *\n";
    let expected = [two(), vec![game("c4", "*"), game("a3", "*"), game("b3", "*")]].concat();
    assert_eq!(games(three), expected);
    // Some games have no moves.
    assert_eq!(games("1-0\n\n1. d4 d5 0-1\n"), [game("", "1-0"), game("d4 d5", "0-1")]);
    assert_eq!(games("1. e4 e5 1-0\n\n0-1\n\n1. d4 *\n")[1], game("", "0-1"));
    assert_eq!(games("[White \"A\"]\n\n1-0\n\n1. d4 d5 0-1\n"), [game("", "1-0"), game("d4 d5", "0-1")]);
    // A comment belongs to the game that stands in the same paragraph.
    let commented = |text: &str| games(text).into_iter().map(|(_, _, before)| before).collect::<Vec<_>>();
    assert_eq!(commented("1. e4 1-0\n\n{next}\n\n1. d4 *\n"), [vec![], vec![comment("next")]]);
    assert_eq!(commented("1. e4 1-0\n{end}\n\n1. d4 *\n"), [vec![], vec![]]);
    assert_eq!(commented("1. e4 1-0\n; end\n1. d4 *\n"), [vec![], vec![]]);
    assert_eq!(commented("1. e4 1-0\n\n; next\n1. d4 *\n"), [vec![], vec![comment("next")]]);
}

#[test]
fn games_without_results_are_separate() {
    let found = |text: &str| games(text).into_iter().map(|(moves, ..)| moves).collect::<Vec<_>>();
    for text in [
        "1. e4 e5 2. Nf3\n\n1. d4 d5\n",
        "1. e4 e5 2. Nf3\n1. d4 d5\n",
        "[White \"A\"]\n\n1. e4 e5 2. Nf3\n\n1. d4 d5\n",
        "1. e4 e5 2. Nf3 {end}\n\n{next}\n1. d4 d5\n",
    ] {
        assert_eq!(found(text), ["e4 e5 Nf3", "d4 d5"], "{text}");
    }
    // One game may have blank lines, Black's number 1, and number 1 in its variations.
    for text in [
        "1. e4\n\n1... e5\n\n2. Nf3\n",
        "1. e4\n\n1. ... e5 2. Nf3\n",
        "1. e4\n\n1… e5 2. Nf3\n",
        "1. e4 (\n\n1. d4 d5 2. c4)\n\n1... e5 2. Nf3 (2. Nc3)\n",
        "1. e4 e5 2. Nf3 (1. d4)\n",
        "\n\n1.\n\n1. e4 e5 2. Nf3\n",
        "{before}\n\n1. e4 e5 2. Nf3 *\n\n{after}\n",
    ] {
        assert_eq!(found(text), ["e4 e5 Nf3"], "{text}");
    }
}

/// What is neither a game nor part of one is reported.
#[test]
fn rest_of_a_game_is_reported() {
    for text in ["1. e4 e5 1-0 2. Nf3\n", "1. e4 e5 1-0\n\nA good game.\n", "1. e4 e5 1-0 Nf3\n"] {
        let found = sections(text);
        assert_eq!(found.len(), 1, "{text}");
        let game = found[0].read(CastlingRules::Fischer, None).unwrap();
        assert_eq!((&*san(&game), &*game.result), ("e4 e5", "1-0"), "{text}");
        let [error] = &game.errors[..] else { panic!("{text}: {:?}", game.errors) };
        assert!(matches!(error.kind, PgnErrorKind::AfterEnd), "{error}");
    }
}

#[test]
fn errors_say_where_they_are() {
    let text = "\n[White \"A\" x]\n[Black \"B\"]\n\n1. e4 {é} } e5 (1... c5\n2. Nf9) 2. Nf3\n1-0\n\n1. é4\n";
    let places = sections(text).into_iter().flat_map(|section| {
        let game = section.read(CastlingRules::Fischer, None).unwrap();
        game.errors.into_iter().map(move |error| {
            (section.number, error.at.line, error.at.column, error.at.turn.map(|turn| turn.to_string()))
        })
    });
    let turn = |text: &str| Some(text.to_owned());
    let expected = [
        (1, 2, 1, None),
        (1, 5, 11, turn("move 1...")),
        (1, 6, 4, turn("move 2. in a variation")),
        (2, 9, 4, turn("move 1.")),
    ];
    assert_eq!(places.collect::<Vec<_>>(), expected);
    let section = &sections("1. e4 1-0\n\n[FEN \"x\"]\n\n*\n")[1];
    assert_eq!(section.read(CastlingRules::Fischer, None).unwrap_err().at.line, 3);
}

#[test]
fn deep_variations_are_skipped_one_by_one() {
    let deep = |depth: usize| {
        format!("1. e4 {}{} e5 2. Nf3 (2. Nc3) 1-0", "(1. d4 ".repeat(depth), ")".repeat(depth))
    };
    let read = game(&deep(60));
    assert_eq!((&*san(&read), read.errors.len()), ("e4 e5 Nf3", 0));
    for depth in [61, 62, 500] {
        let read = game(&deep(depth));
        assert_eq!((&*san(&read), &*read.result), ("e4 e5 Nf3", "1-0"), "{depth}");
        let [error] = &errors(&read)[..] else { panic!("{depth}: {:?}", read.errors) };
        assert!(error.ends_with("in a variation: more than 60 variations within each other"), "{error}");
        let written = write(&read);
        assert!(
            written.contains("not read from here: (1. d4") && moves(&written) == "e4 e5 Nf3",
            "{written}"
        );
    }
    // Two deep variations are two errors; braces and brackets in comments count for nothing.
    let twice = deep(61).replacen("(1. d4 )", "(1. d4 {)} ) (1. c4)", 1);
    assert_eq!((san(&game(&twice)), game(&twice).errors.len()), ("e4 e5 Nf3".to_owned(), 2));
    for text in ["(1. d4) 1. e4 e5 *", "1. e4 ((1. c4) 1. d4) e5 *", "1. e4 (({x})) e5 *"] {
        let read = game(text);
        assert_eq!((&*san(&read), read.errors.len()), ("e4 e5", 1), "{text}: {:?}", read.errors);
        assert!(matches!(read.errors[0].kind, PgnErrorKind::VariationBeforeMove), "{text}");
        assert!(write(&read).contains("not read from here: ("), "{text}");
    }
    // A missing parenthesis costs the variation, not the result of the game.
    for text in ["1. e4 (1. d4 d5 1-0", "1. e4 (1. d4 (1. c4 1-0", "1. e4 (1. d4 xx 1-0"] {
        let read = game(text);
        assert_eq!((&*san(&read), &*read.result), ("e4", "1-0"), "{text}");
        assert!(matches!(read.errors.last().unwrap().kind, PgnErrorKind::OpenVariation), "{text}");
    }
}
