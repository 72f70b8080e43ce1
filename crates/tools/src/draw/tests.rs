//! Tests the draw: throws computed by hand, rejected starts, and event files that somebody changed.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::event::{Event, Origin, Seed, VERSION, uniform_method};
use super::{exclusion, report};
use enroque::chess::FenStyle;
use enroque::chess::startpos::StartSet;
use enroque_study::dice::METHODS;

fn event(set: &str, exclude: &[&str], rounds: usize) -> Event {
    let set = StartSet::by_name(set).unwrap();
    let exclude = exclude.iter().map(|text| exclusion::record(text, set, None).unwrap());
    let event = Event {
        version: VERSION,
        name: "Žižka Open".to_owned(),
        set,
        rounds,
        repeats: false,
        reversed: false,
        turned: false,
        exclude: exclude.collect(),
        scores: None,
        drawn: Vec::new(),
        excluded: HashSet::new(),
    };
    event.with_exclusions().unwrap()
}

fn throw(event: &mut Event, number: usize, method: &str, rolls: &str) -> Result<String, String> {
    event
        .throw(number, uniform_method(method).unwrap(), rolls)
        .map(|_| event.drawn.last().unwrap().attempts.last().unwrap().to_string())
        .map_err(|error| format!("{error:#}"))
}

fn seed(number: u64) -> Seed {
    Seed { number, text: None }
}

fn parse(value: &Value) -> Result<Event, String> {
    Event::parse(value.to_string().as_bytes()).map_err(|error| format!("{error:#}"))
}

#[test]
fn throws_give_starts_computed_by_hand() {
    for (set, method, rolls, expected) in [
        // Bishops on g1, the fourth of a c e g, and f1, the third of b d f h; queen on c1, the third of a b c d e h;
        // knights on a1, the first of a b d e h, and h1, the fourth of b d e h; rook b1, king d1, rook e1.
        ("chess960", "one-die", "4 3 3 1 4", "334 NRQKRBBN"),
        // The coins are the digits of a binary number, heads being 1: 334 = 256 + 64 + 8 + 4 + 2.
        ("chess960", "ten-coins", "THTHTTHHHT", "334 NRQKRBBN"),
        // Each die counts from 0: 518 = 2 x 240 + 1 x 20 + 18, and 0 = 0 x 240 + 0 x 20 + 0.
        ("dfrc", "dice-4-12-20", "3 2 19 : 1 1 1", "518:0 RNBQKBNR:BBQNNRKR"),
        ("dfrc", "dice-4-12-20", "3 2 19 : 3 2 19", "518 RNBQKBNR"),
        // 334 = 2 x 160 + 0 x 20 + 14; Chess18 lacks it, because its king is not on e1.
        ("chess18", "dice-6-8-20", "3 1 15", "334 NRQKRBBN, not in the set"),
    ] {
        let mut event = event(set, &[], 1);
        assert_eq!(throw(&mut event, 1, method, rolls), Ok(format!("{rolls} = {expected}")));
        assert_eq!(event.complete().len(), usize::from(!expected.contains("not in the set")));
    }
}

#[test]
fn seed_gives_start_computed_by_hand() {
    // SplitMix64 with seed 0 begins with e220a8397b1dcdaf, and 960 x 0xe220a839 / 2^32 = 847.98.
    let mut event = event("chess960", &[], 1);
    event.draw_random(1, seed(0)).unwrap();
    assert_eq!(event.drawn[0].attempts[0].start, "847");
}

#[test]
fn only_uniform_methods_are_accepted() {
    for method in &METHODS {
        assert_eq!(
            uniform_method(method.name).is_some(),
            method.note().starts_with("Uniform"),
            "{}",
            method.name
        );
    }
}

#[test]
fn rejected_starts_are_thrown_again() {
    let mut event = event("chess960", &["334"], 2);
    let excluded = "4 3 3 1 4 = 334 NRQKRBBN, excluded";
    assert_eq!(throw(&mut event, 1, "one-die", "4 3 3 1 4").as_deref(), Ok(excluded));
    assert_eq!(event.complete().len(), 0);
    let other = throw(&mut event, 1, "ten-coins", "HTTTTTTHHT");
    assert_eq!(other.unwrap_err(), "round 1 was begun with one-die; throw again");
    assert_eq!(throw(&mut event, 2, "one-die", "2 3 3 2 3").unwrap_err(), "round 1 is next");
    // These rolls put the bishops on c1 and f1, the queen on d1, and the knights on b1 and g1.
    assert_eq!(throw(&mut event, 1, "one-die", "2 3 3 2 3").as_deref(), Ok("2 3 3 2 3 = 518 RNBQKBNR"));
    let again = throw(&mut event, 2, "ten-coins", "HTTTTTTHHT");
    assert_eq!(again.as_deref(), Ok("HTTTTTTHHT = 518 RNBQKBNR, drawn before"));
    assert_eq!(
        throw(&mut event, 1, "ten-coins", "T").unwrap_err(),
        "round 1 is drawn already; round 2 is next"
    );
    assert_eq!(throw(&mut event, 2, "ten-coins", "TTTTTTTTTT").as_deref(), Ok("TTTTTTTTTT = 0 BBQNNRKR"));
    assert_eq!(throw(&mut event, 3, "ten-coins", "T").unwrap_err(), "all 2 rounds are drawn");
    let story = "one-die: 4 3 3 1 4 = 334 NRQKRBBN, excluded; 2 3 3 2 3 = 518 RNBQKBNR";
    assert_eq!(event.drawn[0].story(), story);
}

#[test]
fn wrong_rolls_are_refused() {
    for (set, rolls, expected) in [
        ("chess960", "3 2", "rolls 3 2: the rolls end before the number is placed"),
        ("chess960", "3 2 19 5", "rolls 3 2 19 5: rolls left over after the last piece: 1"),
        ("chess960", "3 13 19", "expected 1 to 12 from a d12, found '13'"),
        ("chess960", "3 02 19", "found '02'"),
        ("chess960", "3 2 19 : 3 2 19", "left over"),
        ("dfrc", "3 2 19", "rolls 3 2 19: the set dfrc needs WHITE : BLACK"),
        ("dfrc", "3 2 19 : 3 2 19 : 1", "left over"),
        ("shuffle", "3 2 19", "draw from the set shuffle with --random"),
    ] {
        let mut event = event(set, &[], 1);
        let error = throw(&mut event, 1, "dice-4-12-20", rolls).unwrap_err();
        assert!(error.contains(expected) && event.drawn.is_empty(), "{rolls}: {error}");
    }
}

#[test]
fn small_set_is_drawn_without_repeats() {
    // Chess18 without four starts has fourteen left, so fourteen rounds draw each of them once.
    let mut small = event("chess18", &["0", "3", "5", "orthodox"], 14);
    for number in 1..=14 {
        small.draw_random(number, seed(7)).unwrap();
    }
    let starts: HashSet<&str> = small.drawn.iter().map(|round| &*round.start().unwrap().start).collect();
    assert!(starts.len() == 14 && !starts.contains("518"));
    let attempts = || small.drawn.iter().flat_map(|round| &round.attempts);
    for reason in ["excluded", "drawn before"] {
        assert!(attempts().any(|attempt| attempt.rejected.as_deref() == Some(reason)), "{reason}");
    }
    let read = Event::parse(small.text().unwrap().as_bytes()).unwrap();
    assert_eq!(read.drawn, small.drawn);
    // If the event allows repeats, the same seed gives the same start in the next round.
    let mut repeating = Event { repeats: true, ..event("chess18", &[], 2) };
    repeating.draw_random(1, seed(7)).unwrap();
    repeating.draw_random(2, seed(7)).unwrap();
    assert_eq!(repeating.drawn[0].attempts, repeating.drawn[1].attempts);
}

#[test]
fn every_change_is_refused_with_its_round() {
    let mut event = event("chess960", &["334", "chess90"], 9);
    for (number, method, rolls) in [
        (1, "one-die", "4 3 3 1 4"),
        (1, "one-die", "2 3 3 2 3"),
        (2, "ten-coins", "HTTTTTTHHT"),
        (2, "ten-coins", "THTTTTTTTT"),
        (3, "dice-4-12-20", "1 12 3"),
    ] {
        throw(&mut event, number, method, rolls).unwrap();
    }
    for number in 4..=8 {
        event.draw_random(number, seed(u64::MAX - number as u64)).unwrap();
    }
    throw(&mut event, 9, "cards", "c R N f Q R a N R b d e g h").unwrap();
    let good: Value = serde_json::from_str(&event.text().unwrap()).unwrap();
    assert_eq!(parse(&good).unwrap().drawn, event.drawn);
    assert!(event.drawn[8].start().is_none() && event.complete().len() == 8);

    let mut changed = 0;
    let mut refused = |path: &str, value: Value| {
        let mut bad = good.clone();
        let round: usize = path.split('/').nth(2).unwrap().parse().unwrap();
        let place = bad.pointer_mut(path).unwrap();
        assert_ne!(*place, value);
        *place = value;
        let error = parse(&bad).map(|_| ()).expect_err(path);
        assert!(error.starts_with(&format!("round {}: ", round + 1)), "{path}: {error}");
        changed += 1;
    };
    for (index, round) in event.drawn.iter().enumerate() {
        let path = format!("/drawn/{index}");
        refused(&format!("{path}/round"), json!(index + 2));
        refused(&format!("{path}/method"), json!("dice"));
        refused(&format!("{path}/attempts"), json!([]));
        if let Some(seed) = round.seed {
            refused(&format!("{path}/seed"), json!(seed - 10));
        }
        for (number, attempt) in round.attempts.iter().enumerate() {
            let path = format!("{path}/attempts/{number}");
            refused(&format!("{path}/start"), json!("335"));
            refused(&format!("{path}/pieces"), json!("nrqkrbbn"));
            if attempt.rolls.is_some() {
                refused(&format!("{path}/rolls"), json!("1 1 1 1 1"));
            }
            let mut other = json!(attempt);
            other["rejected"] =
                json!(if attempt.rejected.is_some() { Value::Null } else { json!("excluded") });
            refused(&path, other);
        }
    }
    assert!(changed > 60, "{changed}");
    // A file is refused if a round is missing, or if the throw that followed a rejected throw is missing.
    let mut bad = good.clone();
    bad["drawn"].as_array_mut().unwrap().remove(4);
    assert!(parse(&bad).unwrap_err().starts_with("round 5: round 6 stands in its place"));
    let mut bad = good.clone();
    bad["drawn"][0]["attempts"].as_array_mut().unwrap().pop();
    assert_eq!(parse(&bad).unwrap_err(), "round 2: attempt 1: round 1 is next");
    // If somebody changes the last roll of round 3 to 4, the number becomes 11 x 20 + 3 = 223, but the file still says
    // 222.
    let mut bad = good;
    bad["drawn"][2]["attempts"][0]["rolls"] = json!("1 12 4");
    let message = "round 3: attempt 1: expected '1 12 4 = 223 NQRKNRBB', found '1 12 4 = 222 NQRKNBBR'";
    assert_eq!(parse(&bad).unwrap_err(), message);
}

#[test]
fn file_is_read_back_before_it_is_written() {
    let good = event("chess960", &[], 1);
    assert!(good.text().is_ok());
    let written = |name: &str| Event { name: name.to_owned(), ..good.clone() }.text();
    for name in ["Open\nround 1", "Open\r", "\u{1b}[2J", " "] {
        let error = format!("{:#}", written(name).unwrap_err());
        assert!(error.contains("name of the event: expected one line of text"), "{name:?}: {error}");
    }
    let mut forged = event("chess960", &[], 1);
    forged.draw_random(1, seed(7)).unwrap();
    forged.drawn[0].attempts[0].start = "518".to_owned();
    assert!(format!("{:#}", forged.text().unwrap_err()).contains("could not be read again: round 1: "));
}

#[test]
fn damaged_files_are_refused() {
    let event = event("chess960", &["518"], 1);
    let text = event.text().unwrap();
    for (bad, expected) in [
        (text.replace("\"version\": 2", "\"version\": 3"), "has version 3; this program reads version 2"),
        (
            "enroque-tools draw 1\nevent       Open\n".to_owned(),
            "not an event of 'enroque-tools draw', or damaged: ",
        ),
        (
            "{\"games\": []}".to_owned(),
            "not an event of 'enroque-tools draw', or damaged: missing field `version`",
        ),
        (text[..text.len() - 3].to_owned(), "damaged: EOF"),
        (text.replace("\"repeats\"", "\"secret\""), "damaged: unknown field `secret`"),
        (text.replace("\"chess960\"", "\"chess\""), "damaged: no set is called 'chess'"),
        (text.replace("\"518\"", "\"960\""), "exclude 960: set chess960: expected a number from 0 to 959"),
        (text.replace("\"518\"", "\"abs>0.4\""), "exclude abs>0.4: expected the numbers of the condition"),
        (
            text.replace("\"rounds\": 1", "\"rounds\": 960"),
            "960 rounds need 960 starts; the set chess960 has 959",
        ),
        (text.replace("\"rounds\": 1", "\"rounds\": 0"), "expected 1 to 1000 rounds, found 0"),
    ] {
        let error = format!("{:#}", Event::parse(bad.as_bytes()).unwrap_err());
        assert!(error.contains(expected), "{expected}: {error}");
    }
}

#[test]
fn undone_draws_stay_in_the_file() {
    let mut event = event("chess960", &[], 2);
    let undo = |event: &mut Event, number, reason: &str| {
        event.undo(number, reason).map_err(|error| format!("{error:#}"))
    };
    assert_eq!(undo(&mut event, 1, "x").unwrap_err(), "no round is drawn yet");
    throw(&mut event, 1, "one-die", "4 3 3 1 4").unwrap();
    throw(&mut event, 2, "one-die", "2 3 3 2 3").unwrap();
    assert_eq!(
        undo(&mut event, 1, "x").unwrap_err(),
        "only the draw made last can be undone; that is round 2"
    );
    for reason in ["", " ", "two\nlines", "\u{1b}[2J"] {
        assert!(
            undo(&mut event, 2, reason).unwrap_err().starts_with("--reason: expected one line"),
            "{reason:?}"
        );
    }
    undo(&mut event, 2, " die  3 was 4 ").unwrap();
    assert!(undo(&mut event, 2, "x").unwrap_err().contains("that is round 2, undone already"));
    assert_eq!(event.complete().len(), 1);
    // The round may be drawn again with another method, and an undone start may come up again.
    event.draw_random(2, Seed::new("3 14  15").unwrap()).unwrap();
    undo(&mut event, 2, "the die counts").unwrap();
    assert_eq!(throw(&mut event, 2, "one-die", "2 3 3 2 3").as_deref(), Ok("2 3 3 2 3 = 518 RNBQKBNR"));
    assert_eq!(throw(&mut event, 3, "one-die", "1 1 1 1 1").unwrap_err(), "all 2 rounds are drawn");
    let story = event.story(2);
    assert!(
        story.starts_with("one-die: 2 3 3 2 3 = 518 RNBQKBNR (undone: die 3 was 4); then random, seed ")
            && story.contains(" from '3 14 15': ")
            && story.ends_with(" (undone: the die counts); then one-die: 2 3 3 2 3 = 518 RNBQKBNR"),
        "{story}"
    );
    let good: Value = serde_json::from_str(&event.text().unwrap()).unwrap();
    let read = parse(&good).unwrap();
    assert_eq!((read.drawn.len(), read.complete().len()), (4, 2));
    // Somebody who takes the note away, or adds one, changes what follows.
    let changed = |path: &str, value: Value| {
        let mut bad = good.clone();
        *bad.pointer_mut(path).unwrap() = value;
        parse(&bad).map(|_| ()).unwrap_err()
    };
    assert_eq!(changed("/drawn/1/undone", Value::Null), "round 3: round 2 stands in its place");
    assert!(changed("/drawn/2/seed_text", json!("3 14 16")).starts_with("round 2: "));
    assert!(changed("/drawn/2/seed", json!(7)).starts_with("round 2: "));
}

#[test]
fn text_gives_the_seed_that_the_manual_says() {
    // FNV-1a: the published values of the empty string's basis, "a" and "foobar".
    for (text, number) in [("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8)] {
        assert_eq!(Seed::new(text).unwrap(), Seed { number, text: Some(text.to_owned()) });
    }
    assert_eq!(Seed::new(" 20260412 ").unwrap(), seed(20_260_412));
    assert_eq!(Seed::new("18446744073709551616").unwrap().text.as_deref(), Some("18446744073709551616"));
    assert_eq!(Seed::new(" 3  14\t15 ").unwrap(), Seed::new("3 14 15").unwrap());
    assert!(Seed::new("").is_err() && Seed::new("a\nb").is_err());
}

#[test]
fn columns_of_rounds_line_up() {
    for set in ["chess960", "double-shuffle"] {
        let mut event = event(set, &[], 9);
        (1..=9).for_each(|number| event.draw_random(number, seed(number as u64)).unwrap());
        let table = report::rounds(&event);
        let place = |line: &str| line.find(line.split_whitespace().nth(2).unwrap()).unwrap();
        assert!(table.lines().all(|line| line.len() <= 80), "{table}");
        // Below each row stands the FEN of its start.
        let rows: Vec<&str> = table.lines().skip(1).step_by(2).collect();
        assert!(rows.len() == 9 && rows.iter().all(|line| place(line) == place(&table)), "{table}");
        for (line, round) in table.lines().skip(2).step_by(2).zip(&event.drawn) {
            let board = event.board(&round.start().unwrap().start).unwrap();
            assert_eq!(line.trim(), board.to_string());
        }
    }
}

#[test]
fn exclusions_are_expanded() {
    let of = |text: &str, set: &str| {
        let set = StartSet::by_name(set).unwrap();
        exclusion::numbers(&exclusion::record(text, set, None)?, set)
    };
    let numbers = |text, set| of(text, set).unwrap();
    assert_eq!(numbers(" 518 ", "chess960"), [518]);
    assert_eq!(numbers("344:402", "dfrc"), [330_642]);
    assert_eq!(numbers("0..5", "chess960"), [0, 1, 2, 3, 4, 5]);
    assert_eq!(numbers("sp:518", "chess960"), numbers("RNBQKBNR", "chess960"));
    assert_eq!(numbers("Chess90", "chess960").len(), 90);
    assert_eq!(numbers("chess960", "dfrc").len(), 960);
    assert_eq!(numbers("chess324", "dfrc").len(), 324);
    assert_eq!(numbers("chess90", "dfrc")[0] % 961, 0);
    for (text, set, expected) in [
        ("960", "chess960", "0 to 959"),
        ("5..0", "chess960", "FIRST..LAST"),
        ("0..20000", "dfrc", "20001 starts"),
        ("nonsense", "chess960", "found 'nonsense'"),
        ("rating>5", "chess960", "exclude rating>5: expected abs, score, win, draw or loss and a number"),
        ("abs>x", "chess960", "exclude abs>x: expected abs"),
        ("abs>0.4", "chess960", "exclude abs>0.4: needs --scores"),
        ("dfrc", "dfrc", "921600 starts"),
    ] {
        let error = format!("{:#}", of(text, set).unwrap_err());
        assert!(error.contains(expected), "{text}: {error}");
    }
}

#[test]
fn chosen_starts_are_recorded_and_verified() {
    let mut event = event("chess960", &["518"], 3);
    event.choose(1, Origin::Agreed, "334").unwrap();
    event.choose(2, Origin::Placed, "RNBQKBNR").unwrap();
    assert_eq!(event.drawn[1].attempts[0].rejected.as_deref(), Some("excluded"));
    assert!(event.choose(2, Origin::Agreed, "0").is_err(), "begun as placed");
    event.choose(2, Origin::Placed, "GSWGSKWH").unwrap();
    let text = event.text().unwrap();
    assert!(text.contains("\"agreed\"") && text.contains("\"placed\""), "{text}");
    let shown = report::rounds(&event);
    assert!(
        shown.contains("  334  NRQKRBBN  agreed 334") && shown.contains("placed RNBQKBNR, excluded"),
        "{shown}"
    );
    assert!(Event::parse(text.replace("\"334\"", "\"335\"").as_bytes()).is_err());
}

#[test]
fn black_is_turned_and_colours_are_reversed() {
    let with = |set| Event { turned: true, reversed: true, ..event(set, &[], 2) };
    let mut event = with("chess960").with_exclusions().unwrap();
    throw(&mut event, 1, "one-die", "4 3 3 1 4").unwrap();
    let start = event.drawn[0].start().unwrap();
    assert_eq!((&*start.start, &*start.pieces), ("334", "NRQKRBBN:NBBRKQRN"));
    let fen = event.board("334").unwrap().fen(FenStyle::XFen);
    assert_eq!(fen, "nbbrkqrn/pppppppp/8/8/8/8/PPPPPPPP/NRQKRBBN w KQkq - 0 1");
    assert!(event.text().unwrap().contains("\"turned\": true"));
    assert!(with("dfrc").with_exclusions().is_err());
}
