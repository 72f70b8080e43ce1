//! Compares figures about the starts with those that a script in Python counts without our code.

use std::process::Command;

use crate::PROGRAM;

fn printed(arguments: &[&str]) -> String {
    let output = Command::new(PROGRAM).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Returns what `count_starts.py` prints; `None` without Python.
fn counted(what: &str) -> Option<String> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/count_starts.py");
    let output = Command::new("python3").args([script, what]).output().ok()?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn families_and_counts_equal_independent_ones() {
    let joined = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>().join(" ");
    for (what, arguments) in
        [("lost", &["startpos", "families"][..]), ("kept", &["startpos", "families", "--rights"][..])]
    {
        // The program wraps long families.
        let Some(expected) = counted(what) else { return };
        assert_eq!(joined(&printed(arguments)), joined(&expected), "{what}");
    }
    let Some(expected) = counted("counts") else { return };
    let table = printed(&["startpos", "counts"]);
    let rows = table.lines().skip(1).take_while(|line| !line.is_empty());
    let found: Vec<&str> = rows.filter_map(|row| row[58..].split_whitespace().next()).collect();
    assert_eq!(found, expected.split_whitespace().collect::<Vec<_>>());
    let Some(expected) = counted("scores") else { return };
    let (_, scores) = table.split_once("atlas\n").unwrap();
    let is_number = |word: &&str| word.parse::<f64>().is_ok();
    let found: Vec<&str> = scores.split(&[' ', '\n', ','][..]).filter(is_number).collect();
    assert_eq!(found, expected.split_whitespace().collect::<Vec<_>>());
}
