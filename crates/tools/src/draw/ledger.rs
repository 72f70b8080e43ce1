//! The public file of an event: reading, which recomputes every line that follows from others, and appending.

use std::collections::HashSet;
use std::fmt;

use super::attempts::{self, MAX_ATTEMPTS, Scorer};
use super::event::{
    Balance, Contribution, Event, Exclusion, FIRST_LINE, Round, commitments_match, line, text_of,
};
use super::exclusion::Rule;
use super::hash;
use enroque::chess::notation::shortened;
use enroque::chess::startpos::StartSet;

/// Largest number of rounds of an event.
pub const MAX_ROUNDS: usize = 1000;

/// First difference between a public file and one that verifies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Line number from 1.
    pub line: usize,
    /// Description of the difference.
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

/// Event with the rounds that have been drawn.
#[derive(Debug)]
pub struct Ledger {
    pub event: Event,
    pub rounds: Vec<Round>,
    text: String,
}

impl Ledger {
    /// Creates the ledger of an event without rounds.
    pub fn new(event: Event) -> Self {
        let text = event.text();
        Self { event, rounds: Vec::new(), text }
    }

    /// Returns the whole public file.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the numbers of the set that have been drawn.
    pub fn used(&self) -> HashSet<u64> {
        self.rounds.iter().map(Round::start).collect()
    }

    /// Returns the seal of the last round, or the fingerprint before the first.
    pub fn seal(&self) -> &str {
        self.text.trim_end().rsplit(' ').next().unwrap_or_default()
    }

    /// Returns the seal of a round that has been drawn, counted from 1.
    pub fn seal_of(&self, round: usize) -> &str {
        let seals = self.text.lines().filter_map(|found| found.strip_prefix(&line("seal", "")));
        seals.into_iter().nth(round - 1).unwrap_or_default()
    }

    /// Appends a round with its seal: the hash of all that stands before it.
    pub fn add(&mut self, round: Round) {
        let attempts = round.attempts.iter().enumerate();
        let attempts = attempts.map(|(index, attempt)| attempt.line(index, self.event.set));
        let lines: Vec<String> = round.inputs().into_iter().chain(attempts).collect();
        self.text += "\n";
        self.text += &text_of(&lines);
        self.text += &line("seal", hash::sha256(&self.text));
        self.text += "\n";
        self.rounds.push(round);
    }

    /// Reads a public file and verifies it; `scorer` gives the scores of an event with a balance. Without a scorer they
    /// are those of the file.
    ///
    /// # Errors
    /// Returns the first difference from a file that verifies, or an error of `scorer`.
    pub fn read<S: Scorer>(bytes: &[u8], scorer: Option<&mut S>) -> Result<Self, ReadError<S::Error>> {
        let mut reader = Reader::new(bytes)?;
        let mut ledger = Self::new(reader.event()?);
        let mut scorer = scorer;
        while !reader.is_at_end() {
            let round = reader.round(&ledger, scorer.as_deref_mut())?;
            ledger.add(round);
            reader.compare(&ledger)?;
        }
        Ok(ledger)
    }
}

/// Error of reading a public file.
#[derive(Debug)]
pub enum ReadError<E> {
    /// The file does not verify.
    Fault(Fault),
    /// The scorer failed.
    Scorer(E),
}

impl<E> From<Fault> for ReadError<E> {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// Reader of a public file, line by line.
struct Reader<'a> {
    lines: Vec<&'a str>,
    /// Index of the next line.
    next: usize,
}

impl<'a> Reader<'a> {
    fn new(bytes: &'a [u8]) -> Result<Self, Fault> {
        let line_of = |at: usize| 1 + bytes[..at].iter().filter(|&&byte| byte == b'\n').count();
        let fault = |at, what: &str| Fault { line: line_of(at), what: what.to_owned() };
        let text = std::str::from_utf8(bytes)
            .map_err(|error| fault(error.valid_up_to(), "bytes that are no UTF-8 text"))?;
        if let Some(at) = text.find('\r') {
            return Err(fault(
                at,
                "a carriage return; the line ends were changed, 'tr -d \"\\r\"' restores them",
            ));
        }
        if text.is_empty() {
            return Err(fault(0, "the file is empty"));
        }
        let Some(body) = text.strip_suffix('\n') else {
            return Err(fault(bytes.len(), "the last line has no end; the file was cut off"));
        };
        Ok(Self { lines: body.split('\n').collect(), next: 0 })
    }

    fn is_at_end(&self) -> bool {
        self.next == self.lines.len()
    }

    /// Returns a fault at the line before the next.
    fn fault(&self, what: impl Into<String>) -> Fault {
        Fault { line: self.next.max(1), what: what.into() }
    }

    /// Returns the next line and moves past it.
    fn line(&mut self, expected: &str) -> Result<&'a str, Fault> {
        let line = self.lines.get(self.next).copied();
        self.next += 1;
        match line {
            Some(line) => Ok(line),
            None => Err(self.fault(format!("expected {expected}, found the end of the file"))),
        }
    }

    /// Returns the value of the next line, which must have this keyword.
    fn value(&mut self, keyword: &str) -> Result<&'a str, Fault> {
        let found = self.line(&format!("a line '{keyword}'"))?;
        match found.strip_prefix(&line(keyword, "")).filter(|value| !value.is_empty()) {
            Some(value) => Ok(value),
            None => Err(self.fault(format!("expected a line '{keyword}', found '{}'", shortened(found)))),
        }
    }

    /// Returns the value of the next line and moves past it if it has this keyword.
    fn optional(&mut self, keyword: &str) -> Option<&'a str> {
        let value = self.lines.get(self.next)?.strip_prefix(&line(keyword, ""));
        self.next += usize::from(value.is_some());
        value
    }

    /// Reads the header and checks its fingerprint.
    fn event(&mut self) -> Result<Event, Fault> {
        let first = self.line(FIRST_LINE)?;
        if first != FIRST_LINE {
            return Err(self.fault(format!("expected '{FIRST_LINE}', found '{}'", shortened(first))));
        }
        let name = self.value("event")?.to_owned();
        let set = self.value("set")?;
        let Some(set) = StartSet::by_name(set) else {
            return Err(self.fault(format!("no set is called '{}'", shortened(set))));
        };
        let count = self.value("rounds")?.parse().unwrap_or(0);
        if !(1..=MAX_ROUNDS).contains(&count) {
            return Err(self.fault(format!("expected 1 to {MAX_ROUNDS} rounds")));
        }
        let repeats = self.value("repeats")? == "yes";
        let mut exclusions = Vec::new();
        while let Some(value) = self.optional("exclude") {
            let exclusion = exclusion(value);
            let Some(exclusion) = exclusion.filter(|exclusion| Rule::holds(exclusion, set)) else {
                return Err(self.fault("the exclusion does not have the numbers that follow from its name"));
            };
            exclusions.push(exclusion);
        }
        let scores = self.optional("scores").map(str::to_owned);
        let balance = match self.optional("balance") {
            Some(value) => match Balance::parse(value) {
                Some(balance) => Some(balance),
                None => return Err(self.fault("expected the limit and the searches of the balance")),
            },
            None => None,
        };
        let mut commitments = Vec::new();
        for number in 1..=count {
            let value = self.value("commitment")?;
            match value.strip_prefix(&format!("{number} ")).filter(|hash| hash::is_hash(hash)) {
                Some(hash) => commitments.push(hash.to_owned()),
                None => return Err(self.fault(format!("expected the number {number} and a hash"))),
            }
        }
        let event = Event { name, set, repeats, exclusions, scores, balance, commitments };
        self.fingerprint(&event)?;
        Ok(event)
    }

    /// Checks that the lines so far are those of the event, and the fingerprint that follows.
    fn fingerprint(&mut self, event: &Event) -> Result<(), Fault> {
        for (index, (expected, found)) in event.lines().iter().zip(&self.lines).enumerate() {
            if expected != found {
                return Err(difference(index, expected, found));
            }
        }
        let (last, found) = (self.next, self.value("fingerprint")?);
        let expected = event.fingerprint();
        if found != expected {
            return Err(self.fault(format!(
                "lines 1 to {last} have the fingerprint {expected}, found '{}'; one of these lines or the fingerprint \
                 was changed",
                shortened(found)
            )));
        }
        Ok(())
    }

    /// Reads the inputs of a round and computes its attempts.
    fn round<S: Scorer>(
        &mut self,
        ledger: &Ledger,
        scorer: Option<&mut S>,
    ) -> Result<Round, ReadError<S::Error>> {
        let blank = self.line("an empty line")?;
        if !blank.is_empty() {
            return Err(self
                .fault(format!("expected an empty line before a round, found '{}'", shortened(blank)))
                .into());
        }
        let event = &ledger.event;
        let number = ledger.rounds.len() + 1;
        let found = self.value("round")?;
        if number > event.rounds() {
            return Err(self.fault(format!("the event has {} rounds", event.rounds())).into());
        }
        if found != number.to_string() {
            return Err(self.fault(format!("expected round {number}, found '{}'", shortened(found))).into());
        }
        let share = self.value("share")?.to_owned();
        if !commitments_match(event, number, &share) {
            return Err(self
                .fault(format!(
                    "the hash of the share is {}, not commitment {number}; the share was changed",
                    hash::commitment(&share)
                ))
                .into());
        }
        let contributions = self.contributions()?;
        let mut round = Round { number, share, contributions, attempts: Vec::new() };
        let used = ledger.used();
        let attempts = match scorer {
            Some(scorer) => attempts::of_round(event, &used, &round, scorer).map_err(ReadError::Scorer)?,
            None => attempts::of_round(event, &used, &round, &mut Recorded { reader: self })?,
        };
        match attempts {
            Some(attempts) => round.attempts = attempts,
            None => return Err(self.fault(format!("no allowed start in {MAX_ATTEMPTS} attempts")).into()),
        }
        Ok(round)
    }

    /// Reads the words and dice of a round.
    fn contributions(&mut self) -> Result<Vec<Contribution>, Fault> {
        let mut contributions = Vec::new();
        loop {
            if let Some(words) = self.optional("words") {
                contributions.push(Contribution::Words(words.to_owned()));
            } else if let Some(dice) = self.optional("dice") {
                let Ok(dice) = dice.split(' ').map(str::parse).collect() else {
                    return Err(self.fault("expected the results of dice"));
                };
                contributions.push(Contribution::Dice(dice));
            } else if contributions.is_empty() {
                let found = self.line("a line 'words' or 'dice'")?;
                return Err(
                    self.fault(format!("expected a line 'words' or 'dice', found '{}'", shortened(found)))
                );
            } else {
                return Ok(contributions);
            }
        }
    }

    /// Compares the lines of the last round with those of the ledger and moves past them.
    fn compare(&mut self, ledger: &Ledger) -> Result<(), Fault> {
        let expected: Vec<&str> = ledger.text().trim_end().split('\n').collect();
        let begin = expected.iter().rposition(|line| line.is_empty()).unwrap_or(0);
        for (index, expected) in expected.iter().enumerate().skip(begin) {
            let Some(found) = self.lines.get(index) else {
                return Err(Fault {
                    line: index + 1,
                    what: format!("expected '{expected}', found the end of the file"),
                });
            };
            if found != expected {
                return Err(difference(index, expected, found));
            }
        }
        self.next = expected.len();
        Ok(())
    }
}

/// Returns the fault of the line with this index, counted from 0.
fn difference(index: usize, expected: &str, found: &str) -> Fault {
    let what =
        format!("expected '{expected}', as follows from the lines above, found '{}'", shortened(found));
    Fault { line: index + 1, what }
}

/// Parses the value of a line `exclude`.
fn exclusion(value: &str) -> Option<Exclusion> {
    let (name, numbers) = match value.strip_suffix(':') {
        Some(name) => (name, ""),
        None => value.split_once(": ")?,
    };
    let numbers = numbers.split(' ').filter(|number| !number.is_empty());
    Some(Exclusion {
        name: name.to_owned(),
        numbers: numbers.map(str::parse).collect::<Result<_, _>>().ok()?,
    })
}

/// Scorer that reads the scores from the attempts of the file.
struct Recorded<'r, 'a> {
    reader: &'r Reader<'a>,
}

impl Scorer for Recorded<'_, '_> {
    type Error = Fault;

    fn scores(&mut self, _: &Event, balance: &Balance, index: usize, _: u64) -> Result<Vec<i32>, Fault> {
        let at = self.reader.next + index;
        let fault = |what: &str| Fault { line: at + 1, what: what.to_owned() };
        let line = self.reader.lines.get(at);
        let line = line.ok_or_else(|| fault("expected an attempt, found the end of the file"))?;
        let words = line.split(' ').filter(|word| word.starts_with(['+', '-']) && word.len() > 1);
        let scores: Option<Vec<i32>> = words.map(centipawns).collect();
        let is_complete = |scores: &Vec<i32>| match scores[..] {
            [first] => !balance.accepts(first),
            [first, _] => balance.accepts(first),
            _ => false,
        };
        scores.filter(is_complete).ok_or_else(|| {
            fault("expected the scores of both searches, or only the first if it exceeds the limit")
        })
    }
}

/// Parses `+0.35` as centipawns.
fn centipawns(text: &str) -> Option<i32> {
    let (sign, rest) = match text.split_at_checked(1)? {
        ("+", rest) => (1, rest),
        ("-", rest) => (-1, rest),
        _ => return None,
    };
    let (pawns, hundredths) = rest.split_once('.').filter(|(_, hundredths)| hundredths.len() == 2)?;
    let (pawns, hundredths): (i32, i32) = (pawns.parse().ok()?, hundredths.parse().ok()?);
    pawns.checked_mul(100)?.checked_add(hundredths).map(|centipawns| sign * centipawns)
}
