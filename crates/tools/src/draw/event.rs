//! The public file of an event as a data model: header, rounds, and their lines of text.

use std::fmt;

use super::hash::{commitment, sha256, share};
use enroque::chess::startpos::{self, StartSet};

/// First line of every public file, with the version of the format.
pub const FIRST_LINE: &str = "enroque draw 1";
/// Width of the keywords with the space after them.
const KEYWORD_WIDTH: usize = 12;
/// Largest number of nodes of the first search.
pub const MAX_NODES: u64 = 1_000_000_000_000;
/// Centipawns of a pawn.
const PAWN: f64 = 100.0;

/// Returns a line of a public file: the keyword, padded, and its value.
pub fn line(keyword: &str, value: impl fmt::Display) -> String {
    format!("{keyword:<KEYWORD_WIDTH$}{value}")
}

/// Header of a public file: all that is fixed before the first round.
#[derive(Clone, Debug)]
pub struct Event {
    /// Name of the event.
    pub name: String,
    /// Set of start positions.
    pub set: &'static StartSet,
    /// `true` if a start may be drawn twice.
    pub repeats: bool,
    /// Excluded starts.
    pub exclusions: Vec<Exclusion>,
    /// Source of the scores behind conditions such as `abs>0.4`, in words.
    pub scores: Option<String>,
    /// Limit of the scores, checked by searches after each draw.
    pub balance: Option<Balance>,
    /// Commitments to the shares of the rounds.
    pub commitments: Vec<String>,
}

/// Excluded starts: a number, a set or a condition, and the numbers of the set that it excludes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exclusion {
    /// Words of the command line.
    pub name: String,
    /// Numbers in the set of the event, in ascending order.
    pub numbers: Vec<u64>,
}

/// Limit of the scores and the searches that decide about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Balance {
    /// Largest absolute score in centipawns.
    pub limit: i32,
    /// Nodes of the first search.
    pub nodes: u64,
    /// Hash table size in MiB.
    pub hash: usize,
    /// Checksum of the network in hexadecimal.
    pub network: String,
    /// Program, version and commit.
    pub generator: String,
}

impl Balance {
    /// Nodes of the second search per node of the first.
    const SECOND_SEARCH: u64 = 2;

    /// Returns the node counts of both searches.
    pub fn searches(&self) -> [u64; 2] {
        [self.nodes, self.nodes * Self::SECOND_SEARCH]
    }

    /// Parses the form of `Display`.
    pub fn parse(text: &str) -> Option<Self> {
        let (limit, rest) = text.split_once(" pawns, searches of ")?;
        let (nodes, rest) = rest.split_once(" and ")?;
        let (_, rest) = rest.split_once(" nodes, hash ")?;
        let (hash, rest) = rest.split_once(" MiB, network ")?;
        let (network, generator) = rest.split_once(", ")?;
        Some(Self {
            limit: (limit.parse::<f64>().ok()? * PAWN).round() as i32,
            nodes: nodes.parse().ok().filter(|&nodes| nodes > 0 && nodes <= MAX_NODES)?,
            hash: hash.parse().ok()?,
            network: network.to_owned(),
            generator: generator.to_owned(),
        })
    }

    /// Returns `true` if the score does not exceed the limit.
    pub fn accepts(&self, score: i32) -> bool {
        score.abs() <= self.limit
    }
}

impl fmt::Display for Balance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = self.searches();
        write!(
            f,
            "{:.2} pawns, searches of {first} and {second} nodes, hash {} MiB, network {}, {}",
            f64::from(self.limit) / PAWN,
            self.hash,
            self.network,
            self.generator
        )
    }
}

/// Returns the commitments to the shares that follow from a secret.
pub fn commitments(secret: &str, rounds: usize) -> Vec<String> {
    (1..=rounds).map(|round| commitment(&share(secret, round))).collect()
}

/// Returns `true` if the hash of `share` is the event's commitment for the round.
pub fn commitments_match(event: &Event, round: usize, share: &str) -> bool {
    event.commitments.get(round - 1) == Some(&commitment(share))
}

impl Event {
    /// Returns the number of rounds.
    pub fn rounds(&self) -> usize {
        self.commitments.len()
    }

    /// Returns the number of excluded starts, each counted once.
    pub fn excluded_count(&self) -> u64 {
        let numbers = self.exclusions.iter().flat_map(|exclusion| &exclusion.numbers);
        numbers.collect::<std::collections::HashSet<_>>().len() as u64
    }

    /// Returns `true` if an exclusion has this number of the set.
    pub fn is_excluded(&self, number: u64) -> bool {
        self.exclusions.iter().any(|exclusion| exclusion.numbers.binary_search(&number).is_ok())
    }

    /// Returns the lines before the fingerprint.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![
            FIRST_LINE.to_owned(),
            line("event", &self.name),
            line("set", self.set.name),
            line("rounds", self.rounds()),
            line("repeats", if self.repeats { "yes" } else { "no" }),
        ];
        lines.extend(self.exclusions.iter().map(|exclusion| line("exclude", exclusion)));
        lines.extend(self.scores.iter().map(|scores| line("scores", scores)));
        lines.extend(self.balance.iter().map(|balance| line("balance", balance)));
        let commitments = self.commitments.iter().enumerate();
        lines.extend(commitments.map(|(index, hash)| line("commitment", format!("{} {hash}", index + 1))));
        lines
    }

    /// Returns the fingerprint: the hash of the lines before it, which is announced before the first round.
    pub fn fingerprint(&self) -> String {
        sha256(&text_of(&self.lines()))
    }

    /// Returns the header as text.
    pub fn text(&self) -> String {
        text_of(&self.lines()) + &line("fingerprint", self.fingerprint()) + "\n"
    }
}

/// Returns lines as text, each with its line end.
pub fn text_of(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

impl fmt::Display for Exclusion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.name)?;
        self.numbers.iter().try_for_each(|number| write!(f, " {number}"))
    }
}

/// Contribution of the players to a round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Contribution {
    /// Words, with single spaces.
    Words(String),
    /// Results of dice.
    Dice(Vec<u32>),
}

impl fmt::Display for Contribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Words(words) => f.write_str(&line("words", words)),
            Self::Dice(dice) => {
                let dice: Vec<String> = dice.iter().map(u32::to_string).collect();
                f.write_str(&line("dice", dice.join(" ")))
            }
        }
    }
}

/// Result of an attempt to draw a start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Hash beyond the largest multiple of the set's size.
    Beyond,
    /// Start that an earlier round has.
    Used,
    /// Start that the event excludes.
    Excluded,
    /// Score beyond the limit.
    Unbalanced,
    /// Start of the round.
    Drawn,
}

/// Attempt to draw a start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attempt {
    /// Number in the set; `None` for [`Verdict::Beyond`].
    pub number: Option<u64>,
    pub verdict: Verdict,
    /// Scores of the searches in centipawns for White; the second is missing if the first exceeds the limit.
    pub scores: Vec<i32>,
}

impl Attempt {
    /// Returns the line of the attempt with this index, counted from 0.
    pub fn line(&self, index: usize, set: &StartSet) -> String {
        let number = self.number.map_or_else(|| "-".to_owned(), |number| number.to_string());
        let word = match self.verdict {
            Verdict::Beyond => "beyond",
            Verdict::Used => "used",
            Verdict::Excluded => "excluded",
            Verdict::Unbalanced => "unbalanced",
            Verdict::Drawn => "drawn",
        };
        let mut text = format!("{index} {number} {word}");
        if let (Verdict::Drawn, Some(number)) = (&self.verdict, self.number) {
            text = format!("{text} {}", pieces(set, number));
        }
        for &score in &self.scores {
            text = format!("{text} {:+.2}", f64::from(score) / PAWN);
        }
        line("attempt", text)
    }
}

/// Returns the letters of a start's back ranks: one if they are equal, else White's and Black's.
pub fn pieces(set: &StartSet, number: u64) -> String {
    let letters = |number| {
        startpos::back_rank(number).map_or_else(String::new, |rank| startpos::back_rank_letters(&rank))
    };
    let (white, black) = set.numbers(number).unwrap_or_default();
    if white == black { letters(white) } else { format!("{}:{}", letters(white), letters(black)) }
}

/// Round that has been drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Round {
    /// Number of the round, counted from 1.
    pub number: usize,
    /// Revealed share.
    pub share: String,
    pub contributions: Vec<Contribution>,
    /// Attempts, the last of which is drawn.
    pub attempts: Vec<Attempt>,
}

impl Round {
    /// Returns the lines from which the attempts follow.
    pub fn inputs(&self) -> Vec<String> {
        let mut lines = vec![line("round", self.number), line("share", &self.share)];
        lines.extend(self.contributions.iter().map(ToString::to_string));
        lines
    }

    /// Returns the text whose hash gives the number of attempt `index`.
    pub fn attempt_text(&self, fingerprint: &str, index: usize) -> String {
        line("fingerprint", fingerprint) + "\n" + &text_of(&self.inputs()) + &line("attempt", index) + "\n"
    }

    /// Returns the number of the start in the set.
    pub fn start(&self) -> u64 {
        self.attempts.last().and_then(|attempt| attempt.number).unwrap_or_default()
    }

    /// Returns the words and dice of the players on one line.
    pub fn contributed(&self) -> String {
        let text = |contribution: &Contribution| match contribution {
            Contribution::Words(words) => words.clone(),
            Contribution::Dice(dice) => dice.iter().map(u32::to_string).collect::<Vec<_>>().join(" "),
        };
        self.contributions.iter().map(text).collect::<Vec<_>>().join(" · ")
    }
}
