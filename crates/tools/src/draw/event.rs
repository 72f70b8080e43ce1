//! Draws the rounds of an event, reads and writes the event file, and verifies it by drawing all rounds again.

use std::collections::HashSet;
use std::fmt;

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::exclusion;
use enroque::chess::Board;
use enroque::chess::startpos::{BackRank, CHESS960_COUNT, StartNumbers, StartSet};
use enroque::nnue::network::checksum;
use enroque::util::random::Random;
use enroque::util::text::shortened;
use enroque_study::dice::{Method, Rolls};
use enroque_study::start_text::by_text;

pub const MAX_ROUNDS: usize = 1000;
/// Version of the format of event files. Version 1 was not JSON.
pub const VERSION: u32 = 2;
/// The event file names this method for a round that the random generator drew.
const RANDOM: &str = "random";

/// Who chose a start that nobody drew. The event file names it as the method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// The players agreed on it.
    Agreed,
    /// The players placed the pieces in turn.
    Placed,
}

impl Origin {
    const ALL: [Self; 2] = [Self::Agreed, Self::Placed];

    /// Returns who chose the start of this round; `None` if it was drawn.
    pub fn of(round: &Round) -> Option<Self> {
        Self::ALL.into_iter().find(|origin| origin.name() == round.method)
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Agreed => "agreed",
            Self::Placed => "placed",
        }
    }
}

/// Looks up a method of drawing; `None` if the method is unknown or doesn't make all starts equally likely.
pub fn uniform_method(name: &str) -> Option<&'static Method> {
    Method::by_name(name).filter(|method| method.is_uniform())
}

/// An event, as its file records it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    pub version: u32,
    #[serde(rename = "event")]
    pub name: String,
    #[serde(serialize_with = "write_set", deserialize_with = "read_set")]
    pub set: &'static StartSet,
    pub rounds: usize,
    /// `true` if a start may be drawn twice.
    pub repeats: bool,
    /// `true` if two games are played from each start, the second with colours reversed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reversed: bool,
    /// `true` if Black's back rank is White's turned around (a1 to h8), not mirrored (a1 to a8).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub turned: bool,
    /// The exclusions, in the form that [`exclusion::record`] returns.
    pub exclude: Vec<String>,
    /// If conditions such as `abs>0.4` exclude starts, says which file and sweep the scores come from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scores: Option<String>,
    /// The rounds drawn so far. The last one may need more throws, if no allowed start has come up yet.
    pub drawn: Vec<Round>,
    /// Numbers, within the set, of the starts that `exclude` rules out. [`Event::with_exclusions`] fills them in.
    #[serde(skip)]
    pub excluded: HashSet<u64>,
}

/// A round, with everything that is needed to draw it again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Round {
    #[serde(rename = "round")]
    pub number: usize,
    pub method: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The line of text that we hashed to the seed; `None` if the user gave a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed_text: Option<String>,
    pub attempts: Vec<Attempt>,
    /// Why the arbiter undid this draw; `None` if it counts. An undone draw stays in the file, and the round is drawn
    /// again after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undone: Option<String>,
}

/// What the random generator starts from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seed {
    pub number: u64,
    /// The text that we hashed to `number`; `None` if the user gave the number.
    pub text: Option<String>,
}

impl Seed {
    /// Takes a number from 0 to 2^64 - 1 as it is. For any other text the seed is its 64-bit FNV-1a hash, with one space
    /// between words and none around them.
    pub fn new(text: &str) -> Result<Self> {
        if let Ok(number) = text.trim().parse() {
            return Ok(Self { number, text: None });
        }
        let text = one_line(text, "seed")?;
        Ok(Self { number: checksum(text.as_bytes()), text: Some(text) })
    }
}

/// Returns a line of text with one space between words. Fails if it is empty or has control characters.
fn one_line(text: &str, name: &str) -> Result<String> {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_line = !line.is_empty() && !text.trim().contains(['\n', '\r']) && !line.contains(char::is_control);
    ensure!(is_line, "{name}: expected one line of text, found {:?}", shortened(text));
    Ok(line)
}

/// A start that came up, whether it is played or rejected.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attempt {
    /// Dice, cards or coins in order; in a double set a colon follows White's rolls. If the players chose the start, what
    /// they named it. `None` if a seed gave the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rolls: Option<String>,
    /// Number of the back rank (0 to 959 in Chess960), or `WHITE:BLACK` if White and Black have different back ranks.
    pub start: String,
    pub pieces: String,
    /// Why this start is not played; `None` if it is played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rejected: Option<String>,
}

impl fmt::Display for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rolls.iter().try_for_each(|rolls| write!(f, "{rolls} = "))?;
        write!(f, "{} {}", self.start, self.pieces)?;
        self.rejected.iter().try_for_each(|reason| write!(f, ", {reason}"))
    }
}

impl Round {
    /// Returns a round without attempts.
    fn new(number: usize, method: &str) -> Self {
        let method = method.to_owned();
        Self { number, method, seed: None, seed_text: None, attempts: Vec::new(), undone: None }
    }

    /// Returns the attempt whose start is played; `None` if no allowed start has come up yet, or if the draw was undone.
    pub fn start(&self) -> Option<&Attempt> {
        self.attempts.last().filter(|attempt| attempt.rejected.is_none() && self.undone.is_none())
    }

    /// Whether the round needs more throws.
    fn is_open(&self) -> bool {
        self.undone.is_none() && self.start().is_none()
    }

    /// Returns the seed in words: `seed 7`, or `seed 7 from '3 14 15'`; `None` if the round has no seed.
    pub fn seed(&self) -> Option<String> {
        let text = self.seed_text.iter().map(|text| format!(" from '{text}'")).collect::<String>();
        self.seed.map(|seed| format!("seed {seed}{text}"))
    }

    /// Describes the draw in one line: the method, the seed, all attempts, and why it was undone.
    pub fn story(&self) -> String {
        let attempts: Vec<String> = self.attempts.iter().map(ToString::to_string).collect();
        let seed = self.seed().map_or_else(String::new, |seed| format!(", {seed}"));
        let undone = self.undone.iter().map(|reason| format!(" (undone: {reason})")).collect::<String>();
        format!("{}{seed}: {}{undone}", self.method, attempts.join("; "))
    }
}

impl Event {
    /// Reads an event and verifies it: draws every round again and compares the results.
    pub fn parse(bytes: &[u8]) -> Result<Self> {
        #[derive(Deserialize)]
        struct Header {
            version: u32,
        }
        let Header { version } =
            serde_json::from_slice(bytes).context("not an event of 'enroque-tools draw', or damaged")?;
        ensure!(version == VERSION, "has version {version}; this program reads version {VERSION}");
        let event = serde_json::from_slice::<Self>(bytes).context("damaged")?.with_exclusions()?;
        let mut again = Self { drawn: Vec::new(), ..event.clone() };
        for round in &event.drawn {
            let number = again.next_place();
            again.repeat(number, round).with_context(|| format!("round {number}"))?;
        }
        Ok(event)
    }

    /// Returns the text of the event file, after parsing it back to be sure that later commands will accept it.
    pub fn text(&self) -> Result<String> {
        let text = serde_json::to_string_pretty(self)? + "\n";
        let again = Self::parse(text.as_bytes()).context("the file could not be read again")?;
        ensure!(again.drawn == self.drawn && again.name == self.name, "the file would read differently");
        Ok(text)
    }

    /// Fills in the excluded starts, and checks the name, the number of rounds, and whether enough starts are left.
    pub fn with_exclusions(mut self) -> Result<Self> {
        let Self { set, rounds, .. } = self;
        let is_shown = !self.name.trim().is_empty() && !self.name.contains(char::is_control);
        ensure!(is_shown, "name of the event: expected one line of text, found {:?}", shortened(&self.name));
        ensure!((1..=MAX_ROUNDS).contains(&rounds), "expected 1 to {MAX_ROUNDS} rounds, found {rounds}");
        for text in &self.exclude {
            let numbers = exclusion::numbers(text, set);
            self.excluded.extend(numbers.with_context(|| format!("exclude {}", shortened(text)))?);
        }
        ensure!(
            !(self.turned && set.double),
            "the set {} draws Black's back rank, so it can't be turned",
            set.name
        );
        let left = set.count() - self.excluded.len() as u64;
        let needed = if self.repeats { 1 } else { rounds };
        ensure!(
            left >= needed as u64,
            "{rounds} rounds need {needed} starts; the set {} has {left} without those excluded",
            set.name
        );
        Ok(self)
    }

    /// Adds a throw to round `number`, the next one to draw, and returns step by step how the rolls lead to the start.
    pub fn throw(&mut self, number: usize, method: &Method, rolls: &str) -> Result<Vec<String>> {
        let set = self.set;
        self.ensure_next(number, method.name)?;
        ensure!(
            set.ranks().iter().all(|&rank| rank < CHESS960_COUNT),
            "{} gives only the starts of Chess960; draw from the set {} with --random",
            method.name,
            set.name
        );
        let (white, black) = match rolls.split_once(':') {
            Some((white, black)) if set.double => (white, Some(black)),
            None if set.double => bail!("rolls {rolls}: the set {} needs WHITE : BLACK", set.name),
            _ => (rolls, None),
        };
        let (white, mut steps) = back_rank(method, white)?;
        let black = match black.map(|black| back_rank(method, black)).transpose()? {
            Some((black, more)) => {
                steps.extend(more);
                black
            }
            None => white,
        };
        let numbers = StartNumbers::of_ranks(&white, &black).context("not a start of Chess960")?;
        self.record(number, method.name, rolls, numbers);
        Ok(steps)
    }

    /// Records a start that the players chose for round `number`. `text` names it in any form that `startpos` reads.
    pub fn choose(&mut self, number: usize, origin: Origin, text: &str) -> Result<()> {
        self.ensure_next(number, origin.name())?;
        let board = by_text(self.set, text)?;
        let numbers = StartNumbers::of(&board).context("not a start position")?;
        self.record(number, origin.name(), text, numbers);
        Ok(())
    }

    /// Adds an attempt to round `number`, the next one to draw.
    fn record(&mut self, number: usize, method: &str, rolls: &str, numbers: StartNumbers) {
        let attempt = self.attempt(Some(rolls.to_owned()), numbers);
        match self.drawn.last_mut().filter(|round| round.is_open()) {
            Some(round) => round.attempts.push(attempt),
            None => self.drawn.push(Round { attempts: vec![attempt], ..Round::new(number, method) }),
        }
    }

    /// Draws round `number`, which must be the next one. The random generator draws starts until one is allowed.
    pub fn draw_random(&mut self, number: usize, seed: Seed) -> Result<()> {
        self.ensure_next(number, RANDOM)?;
        let (mut random, count) = (Random::new(seed.number), self.set.count());
        let seeded = Round::new(number, RANDOM);
        let mut round = Round { seed: Some(seed.number), seed_text: seed.text, ..seeded };
        while round.start().is_none() {
            let numbers = self.set.numbers(random.below(count)).context("the set has too few starts")?;
            round.attempts.push(self.attempt(None, numbers));
        }
        self.drawn.push(round);
        Ok(())
    }

    /// Undoes the draw of round `number`, the one drawn last. It stays in the file with the reason.
    pub fn undo(&mut self, number: usize, reason: &str) -> Result<()> {
        let reason = one_line(reason, "--reason")?;
        let last = self.drawn.last_mut().context("no round is drawn yet")?;
        let last_number = last.number;
        ensure!(
            last.undone.is_none() && number == last_number,
            "only the draw made last can be undone; that is round {last_number}{}",
            if last.undone.is_some() { ", undone already" } else { "" }
        );
        last.undone = Some(reason);
        Ok(())
    }

    /// Returns the number of the round whose draw comes after those in the file, if none of them is open.
    fn next_place(&self) -> usize {
        self.drawn.iter().filter(|round| round.undone.is_none()).count() + 1
    }

    fn ensure_next(&self, number: usize, method: &str) -> Result<()> {
        let open = self.drawn.last().filter(|round| round.is_open());
        let next = open.map_or(self.next_place(), |round| round.number);
        ensure!(next <= self.rounds, "all {} rounds are drawn", self.rounds);
        ensure!(number >= next, "round {number} is drawn already; round {next} is next");
        ensure!(number == next, "round {next} is next");
        if let Some(open) = open {
            ensure!(open.method == method, "round {number} was begun with {}; throw again", open.method);
        }
        Ok(())
    }

    /// Records a drawn start, rejected if it is not in the set, is excluded, or may not be drawn a second time.
    fn attempt(&self, rolls: Option<String>, numbers: StartNumbers) -> Attempt {
        let (start, pieces) = (numbers.to_string(), self.played(numbers).letters_joined(":"));
        let mut starts = self.drawn.iter().filter_map(Round::start);
        let rejected = match self.set.index_of(numbers) {
            None => Some("not in the set"),
            Some(index) if self.excluded.contains(&index) => Some("excluded"),
            Some(_) if !self.repeats && starts.any(|drawn| drawn.start == start) => Some("drawn before"),
            Some(_) => None,
        };
        Attempt { rolls, start, pieces, rejected: rejected.map(str::to_owned) }
    }

    /// Repeats the draw of a round recorded in the file, and fails if the result differs from the record.
    fn repeat(&mut self, number: usize, round: &Round) -> Result<()> {
        ensure!(round.number == number, "round {} stands in its place", round.number);
        if let Some(seed) = round.seed {
            let given = round.seed_text.as_deref().map_or_else(|| seed.to_string(), str::to_owned);
            self.draw_random(number, Seed::new(&given)?)?;
            self.ensure_same(round)?;
        } else if let Some(origin) = Origin::of(round) {
            for (index, attempt) in round.attempts.iter().enumerate() {
                let text = attempt.rolls.as_deref().unwrap_or_default();
                self.choose(number, origin, text).with_context(|| format!("attempt {}", index + 1))?;
                self.ensure_same(round)?;
            }
        } else {
            let method = uniform_method(&round.method);
            let method = method.with_context(|| {
                format!("'{}' is not a method that gives all starts the same chance", round.method)
            })?;
            for (index, attempt) in round.attempts.iter().enumerate() {
                let rolls = attempt.rolls.as_deref().unwrap_or_default();
                self.throw(number, method, rolls).with_context(|| format!("attempt {}", index + 1))?;
                self.ensure_same(round)?;
            }
        }
        ensure!(self.next_place() > number, "no attempt");
        if let Some(reason) = &round.undone {
            self.undo(number, reason)?;
        }
        let again = self.drawn.last().context("no attempt")?;
        ensure!(again == round, "expected '{}', found '{}'", again.story(), round.story());
        Ok(())
    }

    /// Fails if the attempts redrawn so far differ from the attempts in the file.
    fn ensure_same(&self, round: &Round) -> Result<()> {
        let again = self.drawn.last().into_iter().flat_map(|round| &round.attempts);
        for (index, (expected, found)) in again.zip(&round.attempts).enumerate() {
            ensure!(expected == found, "attempt {}: expected '{expected}', found '{found}'", index + 1);
        }
        Ok(())
    }

    /// Returns the rounds that have a start, in their order.
    pub fn complete(&self) -> Vec<&Round> {
        self.drawn.iter().filter(|round| round.start().is_some()).collect()
    }

    /// Describes how round `number` was drawn, undone draws included.
    pub fn story(&self, number: usize) -> String {
        let stories = self.drawn.iter().filter(|round| round.number == number).map(Round::story);
        stories.collect::<Vec<_>>().join("; then ")
    }

    /// Returns the position of `start`, which is the number of a back rank, or `WHITE:BLACK`.
    pub fn board(&self, start: &str) -> Option<Board> {
        let (white, black) = start.split_once(':').unwrap_or((start, start));
        let numbers = self.set.numbers(self.set.parse(&format!("{white}:{black}")).ok()?)?;
        Some(self.played(numbers).board(self.set.castling))
    }

    /// Returns the back ranks that are played if these were drawn.
    fn played(&self, drawn: StartNumbers) -> StartNumbers {
        let turned = StartNumbers::new(drawn.white(), drawn.mirror().black());
        turned.filter(|_| self.turned).unwrap_or(drawn)
    }
}

/// Returns the back rank that these rolls give, and the steps that lead to it, in words.
fn back_rank(method: &Method, rolls: &str) -> Result<(BackRank, Vec<String>)> {
    let words = rolls.split_whitespace().map(str::to_owned);
    let drawn = method.draw(Rolls::given(words)).with_context(|| format!("rolls {}", rolls.trim()))?;
    Ok((drawn.rank, drawn.steps))
}

fn write_set<S: Serializer>(set: &&'static StartSet, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(set.name)
}

fn read_set<'de, D: Deserializer<'de>>(deserializer: D) -> Result<&'static StartSet, D::Error> {
    let name = String::deserialize(deserializer)?;
    StartSet::by_name(&name)
        .ok_or_else(|| de::Error::custom(format!("no set is called '{}'", shortened(&name))))
}
