//! Tests of the draw: nine rounds, changed bytes, other programs' figures.

use std::collections::HashSet;

use super::attempts::{self, Scorer};
use super::balance::{self, NoScores, Searches};
use super::error::DrawError;
use super::event::{self, Balance, Contribution, Event, Exclusion, Round, Verdict};
use super::exclusion;
use super::hash;
use super::ledger::{Fault, Ledger, ReadError};
use super::report;
use enroque::chess::startpos::StartSet;

const SECRET: &str = "0000000000000000000000000000000000000000000000000000000000000001";

fn event(set: &str, exclusions: &[&str], balance: Option<Balance>, rounds: usize) -> Event {
    let set = StartSet::by_name(set).unwrap();
    let exclusions = exclusions.iter().map(|text| exclusion::of_text(text, set, None).unwrap());
    Event {
        name: "Test Open, 2026".to_owned(),
        set,
        repeats: false,
        exclusions: exclusions.collect(),
        scores: None,
        balance,
        commitments: event::commitments(SECRET, rounds),
    }
}

/// Returns the round with the share of the secret and fixed words, without attempts.
fn round(number: usize) -> Round {
    let contributions = vec![
        Contribution::Words(format!("Žižka and {number} friends")),
        Contribution::Dice(vec![number as u32, 4, 6]),
    ];
    Round { number, share: hash::share(SECRET, number), contributions, attempts: Vec::new() }
}

fn drawn<S: Scorer>(event: Event, rounds: usize, scorer: &mut S) -> Ledger
where
    S::Error: std::fmt::Debug,
{
    let mut ledger = Ledger::new(event);
    for number in 1..=rounds {
        let mut round = round(number);
        round.attempts = attempts::of_round(&ledger.event, &ledger.used(), &round, scorer).unwrap().unwrap();
        ledger.add(round);
    }
    ledger
}

fn read(bytes: &[u8]) -> Result<Ledger, Fault> {
    Ledger::read::<Searches>(bytes, None).map_err(|error| match error {
        ReadError::Fault(fault) => fault,
        ReadError::Scorer(error) => panic!("no searches: {error}"),
    })
}

#[test]
fn every_changed_byte_is_refused() {
    let ledger = drawn(event("chess960", &["518", "chess90"], None, 9), 9, &mut NoScores);
    let good = ledger.text().as_bytes();
    assert_eq!(read(good).unwrap().rounds, ledger.rounds);
    for at in 0..good.len() {
        let line = 1 + good[..at].iter().filter(|&&byte| byte == b'\n').count();
        let mut bad = good.to_vec();
        bad[at] ^= 1;
        let fault = read(&bad).err().unwrap_or_else(|| panic!("changed byte {at} is accepted"));
        // A changed input shows at the next line that follows from it.
        assert!((line..=line + 17).contains(&fault.line), "byte {at} of line {line}: {fault}");
        let removed = [&good[..at], &good[at + 1..]].concat();
        assert!(read(&removed).is_err(), "byte {at} removed");
    }
}

#[test]
fn prefix_of_whole_rounds_verifies() {
    let ledger = drawn(event("chess960", &[], None, 4), 3, &mut NoScores);
    let text = ledger.text();
    let valid: Vec<usize> =
        (0..=text.len()).filter(|&length| read(&text.as_bytes()[..length]).is_ok()).collect();
    let ends: Vec<usize> = text.match_indices("\n\n").map(|(at, _)| at + 1).chain([text.len()]).collect();
    assert_eq!(valid, ends);
}

#[test]
fn faults_name_place_and_reason() {
    let ledger = drawn(event("chess960", &["518"], None, 3), 2, &mut NoScores);
    let text = ledger.text();
    let line_of = |start: &str| 1 + text.lines().position(|line| line.starts_with(start)).unwrap();
    let share = hash::share(SECRET, 1);
    let other = hash::share(SECRET, 2);
    for (bad, line, what) in [
        (text.replace("Test", "Best"), line_of("fingerprint"), "one of these lines or the fingerprint"),
        (text.replace("518: 518", "518: 517"), line_of("exclude"), "does not have the numbers"),
        (text.replacen(&share, &other, 1), line_of("share"), "not commitment 1"),
        (
            text.replace("and 1 friends", "and 7 friends"),
            line_of("attempt"),
            "as follows from the lines above",
        ),
        (text.replace("round       2", "round       3"), line_of("round       2"), "expected round 2"),
        (text.replace('\n', "\r\n"), 1, "carriage return"),
        (text.replacen("dice        1 4 6\n", "dice        1 4 x\n", 1), line_of("dice"), "results of dice"),
    ] {
        let fault = read(bad.as_bytes()).unwrap_err();
        assert!(fault.line == line && fault.what.contains(what), "{line}, {what}: {fault}");
    }
}

#[test]
fn columns_of_rounds_line_up() {
    for set in ["chess960", "double-shuffle"] {
        let table = report::rounds(&drawn(event(set, &[], None, 9), 9, &mut NoScores));
        let place = |line: &str| line.find(line.split_whitespace().nth(2).unwrap()).unwrap();
        assert!(table.lines().all(|line| place(line) == place(&table)), "{table}");
    }
}

#[test]
fn shares_are_independent_of_rounds_drawn() {
    let shares: HashSet<String> = (1..=9).map(|number| hash::share(SECRET, number)).collect();
    assert_eq!(shares.len(), 9);
    // printf '%s\nround 1\n' SECRET | sha256sum
    assert_eq!(hash::share(SECRET, 1), hash::sha256(&format!("{SECRET}\nround 1\n")));
    assert_eq!(hash::commitment(&hash::share(SECRET, 1)), event::commitments(SECRET, 1)[0]);
}

#[test]
fn small_set_is_drawn_without_repeats() {
    // Chess18 without four starts in fourteen rounds: every start left is drawn once.
    let exclusions = ["0", "3", "5", "orthodox"];
    let ledger = drawn(event("chess18", &exclusions, None, 14), 14, &mut NoScores);
    assert_eq!(ledger.event.excluded_count(), 4);
    let used = ledger.used();
    assert_eq!(used.len(), 14);
    assert!(used.iter().all(|&number| !ledger.event.is_excluded(number)));
    let verdicts: Vec<&Verdict> =
        ledger.rounds.iter().flat_map(|round| &round.attempts).map(|attempt| &attempt.verdict).collect();
    assert!(verdicts.contains(&&Verdict::Used) && verdicts.contains(&&Verdict::Excluded));
    // One more round finds no start that is left.
    let fifteenth = attempts::of_round(&ledger.event, &used, &round(15), &mut NoScores).unwrap();
    assert!(fifteenth.is_none());
    let repeating = Event { repeats: true, ..ledger.event };
    assert!(attempts::of_round(&repeating, &used, &round(15), &mut NoScores).unwrap().is_some());
}

#[test]
fn draw_is_uniform() {
    // Chi-square over 18 starts: 17 degrees of freedom, 0.1 % above 40.8.
    const ROUNDS: usize = 36_000;
    let event = event("chess18", &[], None, 1);
    let mut counts = [0_u32; 18];
    for number in 1..=ROUNDS {
        let text = round(number).attempt_text("fixed", 0);
        counts[hash::number(&text, event.set.count()).unwrap() as usize] += 1;
    }
    let expected = ROUNDS as f64 / 18.0;
    let chi_square: f64 = counts.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum();
    assert!(chi_square < 40.8, "{chi_square}: {counts:?}");
}

/// Scorer of fixed scores by number.
struct Fixed;

impl Scorer for Fixed {
    type Error = DrawError;

    fn scores(&mut self, _: &Event, balance: &Balance, _: usize, number: u64) -> Result<Vec<i32>, DrawError> {
        let (first, second) = ((number % 100) as i32 - 50, (number % 70) as i32 - 35);
        Ok(if balance.accepts(first) { vec![first, second] } else { vec![first] })
    }
}

#[test]
fn balance_redraws_until_both_searches_agree() {
    // The numbers follow from the version of the program too, so each commit draws others.
    let balance = balance::of_this_program(20, 1000);
    let ledger = drawn(event("dfrc", &["chess960"], Some(balance.clone()), 12), 12, &mut Fixed);
    for round in &ledger.rounds {
        let (last, earlier) = round.attempts.split_last().unwrap();
        assert!(last.scores.len() == 2 && last.scores.iter().all(|score| score.abs() <= 20));
        for attempt in earlier {
            // Numbers that are beyond the set, excluded or used have no scores.
            let is_unbalanced = attempt.scores.last().is_some_and(|&score| !balance.accepts(score));
            assert_eq!(attempt.verdict == Verdict::Unbalanced, is_unbalanced);
            assert_ne!(attempt.verdict, Verdict::Drawn);
        }
    }
    let counts = ledger.rounds.iter().flat_map(|round| &round.attempts).map(|attempt| attempt.scores.len());
    assert_eq!(counts.filter(|&count| count > 0).collect::<HashSet<_>>(), HashSet::from([1, 2]));
    let good = ledger.text().as_bytes();
    assert_eq!(read(good).unwrap().rounds, ledger.rounds);
    for at in 0..good.len() {
        let mut bad = good.to_vec();
        bad[at] ^= 1;
        assert!(read(&bad).is_err(), "byte {at}");
    }
    // The searches are others than the fixed scores.
    let mut searches = Searches::new(ledger.event.balance.as_ref().unwrap()).unwrap();
    assert!(matches!(Ledger::read(good, Some(&mut searches)), Err(ReadError::Fault(_))));
}

#[test]
fn searches_are_repeatable() {
    let balance = balance::of_this_program(30, 500);
    let mut searches = Searches::new(&balance).unwrap();
    let ledger = drawn(event("dfrc", &[], Some(balance.clone()), 2), 2, &mut searches);
    let mut again = Searches::new(&balance).unwrap();
    let repeated = Ledger::read(ledger.text().as_bytes(), Some(&mut again)).unwrap();
    assert_eq!(repeated.rounds, ledger.rounds);
    let other = Balance { generator: "enroque 9.9.9".to_owned(), ..balance };
    assert!(matches!(Searches::new(&other), Err(DrawError::OtherProgram { .. })));
}

#[test]
fn exclusions_are_expanded() {
    let of = |text: &str, set: &str| exclusion::of_text(text, StartSet::by_name(set).unwrap(), None);
    let numbers = |text, set| of(text, set).unwrap().numbers;
    assert_eq!(of(" 518 ", "chess960").unwrap(), Exclusion { name: "518".to_owned(), numbers: vec![518] });
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
        ("nonsense", "chess960", "a number, a range such as 0..5, a set"),
        ("rating>5", "chess960", "a number, a range such as 0..5, a set"),
        ("abs>x", "chess960", "a number, a range such as 0..5, a set"),
        ("abs>0.4", "chess960", "--scores"),
        ("dfrc", "dfrc", "921600 starts"),
    ] {
        let error = of(text, set).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
}
