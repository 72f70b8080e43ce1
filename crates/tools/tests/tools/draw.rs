//! Tests `draw` on an event of nine rounds: its files, and verification of a copy.

use std::path::Path;
use std::process::{Command, Output};

use crate::workbench::{folder, in_folder};
use enroque::util::random::Random;

fn draw(folder: &Path, arguments: &[&str]) -> Output {
    in_folder(folder, &[&["draw"], arguments].concat())
}

/// Runs `draw`, which must succeed, and returns standard output.
fn done(folder: &Path, arguments: &[&str]) -> String {
    let output = draw(folder, arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Runs `draw`, which must fail with this exit code and `expected` on standard error.
fn fails(folder: &Path, arguments: &[&str], code: i32, expected: &str) {
    let output = draw(folder, arguments);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(code) && errors.contains(expected), "{arguments:?}: {errors}");
}

fn init<'a>(options: &[&'a str]) -> Vec<&'a str> {
    [&["init", "new.draw", "--event", "Open", "--rounds", "9"], options].concat()
}

#[test]
fn examples_of_a_round_run_in_order() {
    let folder = folder();
    done(folder.path(), &["init", "spring.draw", "--event", "Spring Open", "--rounds", "9"]);
    done(folder.path(), &["init", "double.draw", "--event", "Double", "--rounds", "7", "--set", "dfrc"]);
    let help = done(folder.path(), &["round", "--help"]).replace("\\\n", " ");
    let examples: Vec<&str> =
        help.lines().filter_map(|line| line.strip_prefix("  enroque-tools draw ")).collect();
    assert_eq!(examples.len(), 6, "{help}");
    for example in examples {
        let example = example.split("        White's").next().expect("a command");
        let words = shlex::split(example).expect("words");
        done(folder.path(), &words.iter().map(String::as_str).collect::<Vec<_>>());
    }
}

/// Draws nine rounds in `event.draw`: three with dice, three with coins, three with seeds.
fn nine_rounds(folder: &Path) {
    done(
        folder,
        &["init", "event.draw", "--event", "Žižka Open", "--rounds", "9", "--exclude", "518,chess90"],
    );
    for (round, rolls) in [("1", "4 3 3 1 4"), ("2", "6 2 1 5 2 3"), ("3", "1 4 5 2 2")] {
        let rolls: Vec<&str> = rolls.split(' ').collect();
        done(
            folder,
            &[&["round", "event.draw", round, "--method", "one-die", "--rolls"][..], &rolls].concat(),
        );
    }
    let coins = ["round", "event.draw", "4", "--method", "ten-coins", "--rolls"];
    let rejected = draw(folder, &[&coins[..], &["HTTT", "TTTH", "HT"]].concat());
    assert_eq!(rejected.status.code(), Some(1));
    let report = String::from_utf8_lossy(&rejected.stdout).into_owned();
    assert!(report.contains("518") && report.contains("excluded; throw again for this round"), "{report}");
    for (round, rolls) in [("4", "hhthtthtth"), ("5", "HTTHTTTHHT"), ("6", "THTTTTTTTT")] {
        done(folder, &["round", "event.draw", round, "--method", "ten-coins", "--rolls", rolls]);
    }
    done(folder, &["round", "event.draw", "7", "--random"]);
    done(folder, &["round", "event.draw", "8", "--random", "--seed", "18446744073709551615"]);
    done(folder, &["round", "event.draw", "9", "--random"]);
}

#[test]
fn nine_rounds_verify_on_a_copy() {
    let (here, there) = (folder(), folder());
    nine_rounds(here.path());
    let copy = there.path().join("event.draw");
    std::fs::copy(here.path().join("event.draw"), &copy).unwrap();
    let report = done(there.path(), &["verify", "event.draw"]);
    assert!(report.starts_with("event.draw: verified\n") && report.contains("9 of 9 rounds"), "{report}");
    for row in [
        "    1    334  NRQKRBBN  one-die 4 3 3 1 4\n",
        "    4    518  RNBQKBNR  ten-coins HTTT TTTH HT, excluded\n",
        "    6    256  BBNRKNQR  ten-coins THTTTTTTTT\n",
    ] {
        assert!(report.contains(row), "{report}");
    }
    assert!(
        report.ends_with(&done(there.path(), &["show", "event.draw"])) && report.contains("  seed 18446744")
    );
    let text = std::fs::read_to_string(&copy).unwrap();
    for (old, new, round) in [
        ("1 4 5 2 2", "1 4 5 2 1", "refused: round 3: attempt 1: expected '1 4 5 2 1 = "),
        ("hhthtthtth", "hhthtththt", "refused: round 4: attempt 2: expected 'hhthtththt = "),
        ("18446744073709551615", "18446744073709551614", "refused: round 8: "),
        ("\"518\"", "\"517\"", "refused: round 4: attempt 1: expected 'HTTT TTTH HT = 518 RNBQKBNR', found "),
    ] {
        assert!(text.contains(old), "{old}: {text}");
        std::fs::write(&copy, text.replacen(old, new, 1)).unwrap();
        fails(there.path(), &["verify", "event.draw"], 1, round);
        let begun = round.strip_prefix("refused: ").unwrap();
        fails(there.path(), &["sheet", "event.draw", "sheets.html"], 2, &format!("event.draw: {begun}"));
    }
    assert!(!there.path().join("sheets.html").exists());
}

#[test]
fn wrong_arguments_change_nothing() {
    let folder = folder();
    nine_rounds(folder.path());
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let event = read("event.draw");
    for (arguments, expected) in [
        (init(&["--exclude", "960"]), "exclude 960: set chess960: expected a number from 0 to 959"),
        (init(&["--exclude", "abs>0.4"]), "--scores"),
        (init(&["--exclude", "chess870,chess90"]), "9 rounds need 9 starts; the set chess960 has 0"),
        (init(&["--scores", "no.csv", "--exclude", "abs>1"]), "no.csv"),
        (vec!["init", "new.draw", "--event", " ", "--rounds", "1"], "name of the event: expected one line"),
        (
            vec!["init", "new.draw", "--event", "A\nB", "--rounds", "1"],
            "name of the event: expected one line of text, found \"A?B\"",
        ),
        (vec!["init", "new.draw", "--event", "O", "--rounds", "0"], "--rounds"),
        (
            vec!["init", "none/new.draw", "--event", "O", "--rounds", "1"],
            "none/new.draw: the folder does not exist; create it",
        ),
        (
            vec!["init", "event.draw", "--event", "O", "--rounds", "1"],
            "event.draw: exists already; choose another name",
        ),
        (vec!["round", "event.draw", "9", "--random"], "all 9 rounds are drawn"),
        (vec!["round", "event.draw", "9"], "--method"),
        (vec!["round", "event.draw", "9", "--method", "one-die"], "--rolls"),
        (vec!["round", "event.draw", "9", "--method", "coins", "--rolls", "H"], "ten-coins"),
        (vec!["round", "event.draw", "9", "--seed", "1"], "--random"),
        (vec!["hall", "event.draw", "h.html", "--round", "10"], "rounds 1 to 9"),
        (vec!["show", "missing.draw"], "missing.draw: No such file"),
    ] {
        fails(folder.path(), &arguments, 2, expected);
    }
    assert!(!folder.path().join("new.draw").exists() && read("event.draw") == event);
    done(folder.path(), &init(&[]));
    let new = read("new.draw");
    fails(folder.path(), &["round", "new.draw", "2", "--random"], 2, "round 1 is next");
    let seven = ["round", "new.draw", "1", "--method", "one-die", "--rolls", "7", "1", "1", "1", "1"];
    fails(folder.path(), &seven, 2, "expected 1 to 6 from a d6, found '7'");
    for page in [&["sheet", "new.draw", "s.html"][..], &["hall", "new.draw", "h.html", "--round", "1"]] {
        fails(folder.path(), page, 2, "no round is drawn yet");
    }
    assert_eq!(read("new.draw"), new);
}

#[test]
fn only_one_of_several_processes_draws() {
    let folder = folder();
    for attempt in 0..5 {
        let name = format!("{attempt}.draw");
        done(folder.path(), &["init", &name, "--event", "O", "--rounds", "9"]);
        let outputs: Vec<Output> = std::thread::scope(|scope| {
            let draw = || draw(folder.path(), &["round", &name, "1", "--random"]);
            let running: Vec<_> = (0..3).map(|_| scope.spawn(draw)).collect();
            running.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let (drawn, refused): (Vec<_>, Vec<_>) =
            outputs.into_iter().partition(|output| output.status.success());
        assert_eq!((drawn.len(), refused.len()), (1, 2));
        for output in refused {
            let reason = String::from_utf8_lossy(&output.stderr).into_owned();
            let known = ["another process", "round 1 is drawn already"];
            assert!(output.stdout.is_empty() && known.iter().any(|text| reason.contains(text)), "{reason}");
        }
        let printed = String::from_utf8_lossy(&drawn[0].stdout).into_owned();
        let fen = printed.lines().find_map(|line| line.strip_prefix("FEN")).expect("a FEN").trim();
        assert!(done(folder.path(), &["verify", &name]).contains(fen), "{printed}");
    }
}

#[test]
fn undone_round_is_drawn_again() {
    let folder = folder();
    nine_rounds(folder.path());
    let printed = done(folder.path(), &["undo", "event.draw", "9", "--reason", "wrong hall"]);
    assert!(printed.starts_with("Round 9 of 9 undone: random, seed "), "{printed}");
    fails(folder.path(), &["undo", "event.draw", "8", "--reason", "x"], 2, "that is round 9, undone already");
    fails(
        folder.path(),
        &["hall", "event.draw", "h.html", "--round", "9"],
        2,
        "only rounds 1 to 8 are drawn",
    );
    done(folder.path(), &["round", "event.draw", "9", "--method", "one-die", "--rolls", "3,3,2,1,1"]);
    let report = done(folder.path(), &["verify", "event.draw"]);
    assert!(report.contains("9 of 9 rounds") && report.contains(", undone: wrong hall\n"), "{report}");
    done(folder.path(), &["sheet", "event.draw", "s.html", "--round", "9"]);
    let sheet = std::fs::read_to_string(folder.path().join("s.html")).unwrap();
    assert!(sheet.contains("(undone: wrong hall); then one-die: 3 3 2 1 1 = "), "{sheet}");
}

#[test]
fn conditions_follow_a_sweep() {
    let folder = folder();
    let run = |arguments: &[&str]| {
        let output = in_folder(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    };
    run(&["sweep", "all.csv", "--nodes", "60", "--hash", "1"]);
    let results = std::fs::read_to_string(folder.path().join("all.csv")).unwrap();
    let rows = results.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>());
    let (excluded, other): (Vec<_>, Vec<_>) = rows.partition(|row| row[6].parse::<i32>().unwrap().abs() > 20);
    assert!(excluded.len() > 1 && other.len() > 9, "{}", excluded.len());
    assert!(excluded.iter().any(|row| row[6].starts_with('-')));
    done(folder.path(), &init(&["--exclude", "ABS > 0.20", "--scores", "all.csv"]));
    let path = folder.path().join("new.draw");
    let text = std::fs::read_to_string(&path).unwrap();
    let numbers: Vec<&str> = excluded.iter().map(|row| row[0]).collect();
    assert!(text.contains(&format!("\"abs>0.20: {}\"\n", numbers.join(" "))), "{text}");
    for round in 1..=9 {
        done(folder.path(), &["round", "new.draw", &round.to_string(), "--random"]);
    }
    let unchecked = done(folder.path(), &["verify", "new.draw"]);
    assert!(unchecked.contains("abs>0.20 (") && unchecked.contains("--scores checks them"), "{unchecked}");
    assert!(!done(folder.path(), &["verify", "new.draw", "--scores", "all.csv"]).contains("--scores"));
    // The draw file lists the starts that the condition excludes. If one is missing from the list, `verify` notices
    // that only with `--scores`.
    let forged = text.replace(&format!("0.20: {} ", numbers[0]), "0.20: ");
    std::fs::write(&path, forged).unwrap();
    done(folder.path(), &["verify", "new.draw"]);
    let with_scores = ["verify", "new.draw", "--scores", "all.csv"];
    fails(folder.path(), &with_scores, 1, "refused: 'abs>0.20' excludes other starts by all.csv");

    // Scores must come from a sweep without --difficulty.
    run(&["sweep", "hard.csv", "--difficulty", "--range", "0..0", "--nodes", "60", "--hash", "1"]);
    let hard =
        ["init", "hard.draw", "--event", "O", "--rounds", "1", "--exclude", "abs>1", "--scores", "hard.csv"];
    fails(folder.path(), &hard, 2, "--scores: hard.csv: made with --difficulty");
}

#[test]
fn pages_hold_the_start() {
    let folder = folder();
    nine_rounds(folder.path());
    let page = |arguments: &[&str], name: &str| {
        done(folder.path(), arguments);
        std::fs::read_to_string(folder.path().join(name)).unwrap()
    };
    let hall = page(&["hall", "event.draw", "hall.html", "--round", "4", "--minutes", "7"], "hall.html");
    assert!(
        hall.contains("\"minutes\":7")
            && hall.contains("HTTT TTTH HT = 518 RNBQKBNR, excluded; hhthtthtth = ")
    );
    let sheets = page(&["sheet", "event.draw", "sheets.html"], "sheets.html");
    assert!(sheets.contains("\"number\":\"334\"") && sheets.contains("O-O-O"));
    assert!(sheets.contains("random, seed 18446744073709551615: "));
    let one = page(&["sheet", "event.draw", "sheets.html", "--round", "1"], "sheets.html");
    assert!(!one.contains("\"round\":2") && one.contains("\"round\":1"));
    let strips = page(&["sheet", "event.draw", "sheets.html", "--strips", "40"], "sheets.html");
    assert!(strips.contains("\"strips\":40") && one.contains("\"strips\":null"));
    let timed = page(&["hall", "event.draw", "hall.html", "--at", "9:05"], "hall.html");
    assert!(timed.contains("\"at\":\"09:05\"") && hall.contains("\"at\":null"));
    fails(folder.path(), &["hall", "event.draw", "hall.html", "--at", "24:00"], 2, "from 00:00 to 23:59");
    // `hall` doesn't overwrite a page of `sheet`.
    fails(folder.path(), &["hall", "event.draw", "sheets.html"], 2, "holds something else");
}

#[test]
fn double_event_takes_two_throws() {
    let folder = folder();
    done(folder.path(), &init(&["--set", "dfrc", "--exclude", "chess960"]));
    let dice = ["round", "new.draw", "1", "--method", "dice-4-12-20", "--rolls"];
    let equal = draw(folder.path(), &[&dice[..], &["3", "2", "19", ":", "3", "2", "19"]].concat());
    assert_eq!(equal.status.code(), Some(1));
    // A die counts one less than it shows: 2 6 5 is 1 x 240 + 5 x 20 + 4 = 344, and
    // 2 9 3 is 1 x 240 + 8 x 20 + 2 = 402.
    let report = done(folder.path(), &[&dice[..], &["2", "6", "5:2", "9", "3"]].concat());
    assert!(report.contains("344:402"), "{report}");
    let table = done(folder.path(), &["show", "new.draw"]);
    assert!(table.contains("518  RNBQKBNR           dice-4-12-20 3 2 19 : 3 2 19, excluded\n"), "{table}");
    done(folder.path(), &["round", "new.draw", "2", "--random"]);
    done(folder.path(), &["verify", "new.draw"]);
    done(folder.path(), &["hall", "new.draw", "hall.html"]);
}

/// Runs the Python program in docs/events.md, which must draw the same numbers as we do.
#[test]
fn documented_python_agrees() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("skipped: python3 is missing");
        return;
    }
    let (_, program) =
        include_str!("../../../../docs/events.md").split_once("```python\n").expect("a program");
    let (program, _) = program.split_once("```").expect("its end");
    let seed = u64::MAX - 2;
    let print = format!(
        "{program}\nnumbers = starts({seed}, 921600)\nprint([next(numbers) for _ in range(5)])\nprint(seed_of(' 3  14 15 '))"
    );
    let output = Command::new("python3").args(["-c", &print]).output().expect("python3 runs");
    let mut random = Random::new(seed);
    let expected: Vec<u64> = (0..5).map(|_| random.below(921_600)).collect();
    let folder = folder();
    done(folder.path(), &init(&[]));
    done(folder.path(), &["round", "new.draw", "1", "--random", "--seed", "3 14 15"]);
    let event = std::fs::read_to_string(folder.path().join("new.draw")).unwrap();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let (numbers, hash) = printed.trim().split_once('\n').expect("two lines");
    assert_eq!(numbers, format!("{expected:?}"), "{output:?}");
    assert!(event.contains(&format!("\"seed\": {hash},")), "{hash}: {event}");
}
