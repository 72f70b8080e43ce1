//! The `draw` command: an event of nine rounds, its files, its verification on a copy.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::common::program::command;
use enroque::chess::position::back_rank_text;
use enroque::chess::startpos::CHESS960_COUNT;
use sha2::{Digest, Sha256};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

fn draw(folder: &Path, arguments: &[&str]) -> Output {
    let mut draw = command();
    draw.current_dir(folder)
        .arg("draw")
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("the program runs")
}

/// Runs and returns standard output of a success.
fn done(folder: &Path, arguments: &[&str]) -> String {
    let output = draw(folder, arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Asserts the exit code and a part of standard error.
fn fails(folder: &Path, arguments: &[&str], code: i32, expected: &str) {
    let output = draw(folder, arguments);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(code) && errors.contains(expected), "{arguments:?}: {errors}");
}

/// Draws `rounds` rounds of an event in `event.draw`.
fn event(folder: &Path, rounds: usize, options: &[&str]) {
    let count = rounds.to_string();
    done(folder, &[&["init", "event.draw", "--event", "Open", "--rounds", &count], options].concat());
    for round in 1..=rounds {
        let round = round.to_string();
        done(
            folder,
            &["round", "event.draw", &round, "--words", "Žižka", "blue  moon", "--dice", &round, "6"],
        );
    }
}

#[test]
fn nine_rounds_verify_on_a_copy() {
    let (here, there) = (folder(), folder());
    event(here.path(), 9, &["--exclude", "518,chess90", "--seed-words", "our", "own"]);
    let file = |folder: &Path| folder.join("event.draw");
    std::fs::copy(file(here.path()), file(there.path())).unwrap();
    let report = done(there.path(), &["verify", "event.draw"]);
    assert!(report.contains("event.draw: verified") && report.contains("9 of 9 rounds"), "{report}");
    assert!(report.contains("Žižka · blue moon · 9 6"), "{report}");

    let text = std::fs::read_to_string(file(there.path())).unwrap();
    let value = |keyword: &str| {
        text.lines().filter_map(|line| line.strip_prefix(keyword)).next_back().unwrap().trim()
    };
    let (fingerprint, seal) = (value("fingerprint"), value("seal"));
    done(
        there.path(),
        &["verify", "event.draw", "--fingerprint", fingerprint, "--seal", &seal[..12].to_uppercase()],
    );
    fails(there.path(), &["verify", "event.draw", "--seal", &"0".repeat(64)], 1, "the seal is");

    // Another letter in the words of round 9, then the end cut off.
    let at = text.rfind("blue").unwrap();
    std::fs::write(file(there.path()), format!("{}glue{}", &text[..at], &text[at + 4..])).unwrap();
    let line = 1 + text[..at].matches('\n').count() + 2;
    fails(
        there.path(),
        &["verify", "event.draw"],
        1,
        &format!("refused: line {line}: expected 'attempt     0"),
    );
    std::fs::write(file(there.path()), &text[..text.len() - 1]).unwrap();
    fails(there.path(), &["verify", "event.draw"], 1, "cut off");
    std::fs::write(file(there.path()), &text[..text.rfind("\n\nround").unwrap() + 1]).unwrap();
    assert!(done(there.path(), &["verify", "event.draw"]).contains("8 of 9 rounds"));
    fails(there.path(), &["verify", "event.draw", "--seal", seal], 1, "the seal is");
}

#[test]
fn secret_is_private_and_kept() {
    let folder = folder();
    let init = ["init", "event.draw", "--event", "Open", "--rounds", "2"];
    done(folder.path(), &init);
    let secret = folder.path().join("event.draw.secret");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(&secret).unwrap().permissions().mode() & 0o777, 0o600);
    }
    let read = || std::fs::read_to_string(&secret).unwrap();
    let old = read();
    fails(folder.path(), &init, 2, "event.draw: exists");
    fails(
        folder.path(),
        &["init", "other.draw", "--event", "O", "--rounds", "1", "--secret", "event.draw.secret"],
        2,
        "exists",
    );
    assert!(read() == old && !folder.path().join("other.draw").exists());

    // Two secrets differ, and one of another event draws nothing.
    done(folder.path(), &["init", "other.draw", "--event", "Open", "--rounds", "2"]);
    let round = ["round", "event.draw", "1", "--words", "x"];
    let with_other = [&round[..], &["--secret", "other.draw.secret"]].concat();
    fails(folder.path(), &with_other, 2, "the secret of another event");
    std::fs::write(&secret, old.replace("secret      ", "secret      0")).unwrap();
    fails(folder.path(), &round, 2, "damaged");
    std::fs::remove_file(&secret).unwrap();
    fails(folder.path(), &round, 2, "missing");
    assert!(!secret.exists());
    // A failed beginning leaves nothing behind.
    let arguments = ["init", "none/new.draw", "--event", "O", "--rounds", "1", "--secret", "new.secret"];
    fails(folder.path(), &arguments, 2, "none/new.draw: ");
    assert!(!folder.path().join("new.secret").exists());
    let public = std::fs::read_to_string(folder.path().join("event.draw")).unwrap();
    assert!(!public.contains(old.lines().nth(2).unwrap().split_whitespace().last().unwrap()));
}

#[cfg(unix)]
#[test]
fn printed_commands_run_as_printed() {
    let folder = folder();
    let folder = folder.path();
    let run = |line: &str| {
        let line = line.replacen("enroque", crate::PROGRAM, 1);
        let output = Command::new("sh").current_dir(folder).args(["-c", &line]).output().expect("a shell");
        assert_eq!(output.status.code(), Some(0), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    };
    let init = ["init", "our club's.draw", "--event", "O", "--rounds", "2", "--secret", "safe $1"];
    let announced = done(folder, &init);
    run(announced.lines().find_map(|line| line.strip_prefix("Next: ")).expect("a command"));
    done(folder, &["sheet", "our club's.draw", "sheets.html"]);
    let page = std::fs::read_to_string(folder.join("sheets.html")).unwrap();
    let (_, data) = page.split_once("const data = ").expect("data");
    let data: serde_json::Value = serde_json::from_str(data.split(";\n").next().unwrap()).expect("JSON");
    run(data["verify"].as_str().expect("a command"));
}

fn init<'a>(options: &[&'a str]) -> Vec<&'a str> {
    [&["init", "new.draw", "--event", "Open", "--rounds", "9"], options].concat()
}

#[test]
fn wrong_arguments_are_reported() {
    let folder = folder();
    event(folder.path(), 1, &[]);
    for (arguments, expected) in [
        (init(&["--exclude", "960"]), "0 to 959"),
        (init(&["--exclude", "abs>0.4"]), "--scores"),
        (init(&["--exclude", "nonsense"]), "a number, a range such as 0..5, a set"),
        (init(&["--exclude", "chess870,chess90"]), "9 rounds need 9 starts; the set chess960 has 0"),
        (init(&["--nodes", "5"]), "--balance"),
        (init(&["--balance", "0.123"]), "pawns"),
        (init(&["--scores", "no.csv", "--exclude", "abs>1"]), "no.csv"),
        (vec!["init", "new.draw", "--event", "a\u{7}b", "--rounds", "1"], "--event"),
        (vec!["init", "new.draw", "--event", " ", "--rounds", "1"], "--event: expected some text"),
        (vec!["init", "new.draw", "--event", "O", "--rounds", "0"], "--rounds"),
        (vec!["round", "event.draw", "1", "--words", "x"], "all rounds have been drawn"),
        (vec!["round", "event.draw", "1"], "--words"),
        (vec!["hall", "event.draw", "h.html", "--round", "2"], "rounds 1 to 1"),
        (vec!["show", "missing.draw"], "missing.draw"),
        (vec!["verify", "event.draw", "--fingerprint", "xyz"], "hexadecimal"),
    ] {
        fails(folder.path(), &arguments, 2, expected);
    }
    assert!(!folder.path().join("new.draw").exists() && !folder.path().join("new.draw.secret").exists());
    done(folder.path(), &init(&[]));
    fails(folder.path(), &["round", "new.draw", "2", "--words", "x"], 2, "round 1 is next");
    fails(folder.path(), &["round", "new.draw", "1", "--words", ""], 2, "--words: expected some text");
    for page in [&["sheet", "new.draw", "s.html"][..], &["hall", "new.draw", "h.html", "--round", "1"]] {
        fails(folder.path(), page, 2, "no round has been drawn");
    }
}

#[test]
fn conditions_follow_a_sweep() {
    let folder = folder();
    let run = |arguments: &[&str]| {
        let output = command().current_dir(folder.path()).args(arguments).output().expect("the program runs");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    };
    run(&["sweep", "all.csv", "--nodes", "60", "--hash", "1"]);
    let mut negative = 0;
    let excluded: Vec<String> = std::fs::read_to_string(folder.path().join("all.csv"))
        .unwrap()
        .lines()
        .skip(1)
        .map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>())
        .filter(|row| {
            let score: i32 = row[6].parse().unwrap();
            negative += u32::from(score < -20);
            score.abs() > 20
        })
        .map(|row| row[0].clone())
        .collect();
    assert!((1..950).contains(&excluded.len()) && negative > 0, "{} {negative}", excluded.len());
    event(folder.path(), 2, &["--exclude", "ABS > 0.20", "--scores", "all.csv"]);
    let text = std::fs::read_to_string(folder.path().join("event.draw")).unwrap();
    assert!(text.contains(&format!("exclude     abs>0.20: {}\n", excluded.join(" "))), "{text}");
    let report = done(folder.path(), &["verify", "event.draw", "--scores", "all.csv"]);
    assert!(report.contains("starts checked"), "{report}");
    // A sweep is known by its contents, not by its name.
    for name in ["all.csv", "all.csv.json"] {
        std::fs::copy(folder.path().join(name), folder.path().join(name.replace("all", "copy"))).unwrap();
    }
    done(folder.path(), &["verify", "event.draw", "--scores", "copy.csv"]);
    let results = std::fs::read_to_string(folder.path().join("all.csv")).unwrap();
    std::fs::write(folder.path().join("copy.csv"), results + "\n").unwrap();
    let altered = ["verify", "event.draw", "--scores", "copy.csv"];
    fails(folder.path(), &altered, 1, "refused: the scores are those of all.csv, sha256 ");
    // The right sweep, but other numbers under a fingerprint of their own.
    let header =
        text.split("fingerprint").next().unwrap().replace(&format!("0.20: {} ", excluded[0]), "0.20: ");
    let forged = format!("{header}fingerprint {}\n", sha256(&header));
    std::fs::write(folder.path().join("event.draw"), forged).unwrap();
    fails(folder.path(), &["verify", "event.draw", "--scores", "all.csv"], 1, "excludes other starts");

    // A sweep of the other kind, and none.
    run(&["sweep", "hard.csv", "--difficulty", "--range", "0..0", "--nodes", "60", "--hash", "1"]);
    for (file, expected) in [
        ("hard.csv", "hard.csv: made with --difficulty; expected the results of a sweep without it"),
        ("none.csv", "--scores: none.csv: No such file"),
    ] {
        fails(folder.path(), &init(&["--exclude", "abs>1", "--scores", file]), 2, expected);
    }
}

#[test]
fn pages_hold_the_start() {
    let folder = folder();
    event(folder.path(), 2, &[]);
    let table = done(folder.path(), &["show", "event.draw"]);
    let number = |line: usize| table.lines().nth(line).unwrap().split_whitespace().nth(1).unwrap().to_owned();
    let page = |arguments: &[&str], name: &str| {
        done(folder.path(), arguments);
        std::fs::read_to_string(folder.path().join(name)).unwrap()
    };
    let hall = page(&["hall", "event.draw", "hall.html", "--minutes", "7"], "hall.html");
    assert!(hall.contains(&format!("\"number\":\"{}\"", number(2))) && hall.contains("\"minutes\":7"));
    let sheets = page(&["sheet", "event.draw", "sheets.html"], "sheets.html");
    assert!(sheets.contains(&format!("\"number\":\"{}\"", number(1))) && sheets.contains("O-O-O"));
    let one = page(&["sheet", "event.draw", "sheets.html", "--round", "1"], "sheets.html");
    assert!(!one.contains("\"round\":2") && one.contains("\"round\":1"));
    // A page replaces only a page of its own kind.
    fails(folder.path(), &["hall", "event.draw", "sheets.html"], 2, "holds something else");
}

#[test]
fn balanced_event_is_searched_again() {
    let folder = folder();
    event(folder.path(), 1, &["--set", "dfrc", "--balance", "0.5", "--nodes", "300"]);
    assert!(done(folder.path(), &["verify", "event.draw"]).contains("searches repeated"));
    assert!(done(folder.path(), &["verify", "event.draw", "--recorded"]).contains("taken from the file"));
}

/// Returns the SHA-256 hash of a text in hexadecimal.
fn sha256(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns an event with the seal of its last round made to fit the text before it.
fn sealed(text: &str) -> String {
    let before = &text[..text.rfind("seal ").expect("a seal")];
    format!("{before}seal        {}\n", sha256(before))
}

/// Returns an event whose only attempt is passed over for the next one, which `drawn` follows with its letters.
fn redrawn(text: &str) -> String {
    let mark = text.lines().find(|line| line.starts_with("fingerprint")).expect("a fingerprint");
    let inputs =
        &text[text.find("round       1").expect("a round")..text.find("attempt").expect("an attempt")];
    let hash = sha256(&format!("{mark}\n{inputs}attempt     1\n"));
    let number = u32::from_str_radix(&hash[..8], 16).expect("digits") % CHESS960_COUNT;
    let before = &text[..text.find(" drawn ").expect("a start")];
    let letters = back_rank_text(number);
    sealed(&format!("{before} unbalanced\nattempt     1 {number} drawn {letters}\nseal \n"))
}

/// Runs the Python program of docs/events.md, an implementation that shares no code with this one.
#[test]
fn documented_python_agrees() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("skipped: python3 is missing");
        return;
    }
    let documentation = include_str!("../../../../docs/events.md");
    let (_, program) = documentation.split_once("```python\n").expect("a program");
    let (program, _) = program.split_once("```").expect("its end");
    let verify =
        |path: &Path| Command::new("python3").args(["-c", program]).arg(path).output().expect("python3 runs");
    let accepts = |path: &Path, rounds: usize| {
        let output = verify(path);
        let report = String::from_utf8_lossy(&output.stdout);
        assert!(report.contains(&format!("{rounds} rounds verified")), "{output:?}");
        std::fs::read_to_string(path).unwrap()
    };
    // Few starts are left, so that some come again.
    let events = [
        (12, &["--exclude", "0..945"][..]),
        (7, &["--exclude", "0..953", "--repeats"]),
        (2, &["--set", "dfrc"]),
        (1, &["--set", "dfrc", "--balance", "0.3", "--nodes", "100"]),
    ];
    for (rounds, options) in events {
        let folder = folder();
        event(folder.path(), rounds, options);
        accepts(&folder.path().join("event.draw"), rounds);
    }
    let folder = folder();
    let path = folder.path().join("event.draw");
    done(folder.path(), &["init", "event.draw", "--event", "Open", "--rounds", "1"]);
    accepts(&path, 0);
    done(folder.path(), &["round", "event.draw", "1", "--words", "blue moon"]);
    let text = accepts(&path, 1);
    let letters = &text[text.find(" drawn ").unwrap()..text.find("\nseal").unwrap()];
    for forged in [
        text.replace("Open", "Opex"),
        text.replace("blue", "glue"),
        sealed(&text.replace(" drawn ", " drown ")),
        sealed(&text.replace(letters, &letters.to_lowercase())),
        sealed(&text.replace(letters, &format!("{letters} +0.10"))),
        redrawn(&text),
    ] {
        std::fs::write(&path, &forged).unwrap();
        assert_eq!(verify(&path).status.code(), Some(1), "{forged}");
        fails(folder.path(), &["verify", "event.draw"], 1, "refused");
    }
}
