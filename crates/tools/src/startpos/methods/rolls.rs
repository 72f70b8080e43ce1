//! Dice, coins and cards, given or random.

use std::collections::VecDeque;

use anyhow::{Context, Result, ensure};

use enroque::util::random::Random;

/// Where the rolls come from.
pub enum Rolls<'a> {
    /// Rolls from the command line.
    Given(VecDeque<String>),
    /// A function that decides each throw. It gets the number of outcomes, and the number below which they are accepted.
    Decided(Box<dyn FnMut(usize, usize) -> usize + 'a>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Faces {
    /// A die with this many sides.
    Die(usize),
    /// A coin; heads count 0 and tails 1.
    HeadsFirst,
    /// A coin; tails count 0 and heads 1.
    TailsFirst,
}

impl Faces {
    fn count(self) -> usize {
        match self {
            Self::Die(sides) => sides,
            Self::HeadsFirst | Self::TailsFirst => 2,
        }
    }

    /// Returns the text of an outcome, counted from 0.
    fn text(self, outcome: usize) -> String {
        match self {
            Self::Die(_) => (outcome + 1).to_string(),
            Self::HeadsFirst => ["H", "T"][outcome].to_owned(),
            Self::TailsFirst => ["T", "H"][outcome].to_owned(),
        }
    }

    /// Takes the next outcome from the given rolls. A word of several coins is read one letter at a time.
    fn next_given(self, rolls: &mut VecDeque<String>, piece: &str) -> Result<usize> {
        let mut found = next(rolls, piece)?;
        if !matches!(self, Self::Die(_)) && found.len() > 1 && found.is_ascii() {
            rolls.push_front(found.split_off(1));
        }
        let outcome = (0..self.count()).find(|&outcome| self.text(outcome).eq_ignore_ascii_case(&found));
        outcome.with_context(|| match self {
            Self::Die(sides) => format!("expected 1 to {sides} from a d{sides}, found '{found}'"),
            Self::HeadsFirst | Self::TailsFirst => format!("expected coins such as HTH, found '{found}'"),
        })
    }
}

/// Takes the next given roll, which places `piece`.
fn next(rolls: &mut VecDeque<String>, piece: &str) -> Result<String> {
    rolls.pop_front().with_context(|| format!("the rolls end before the {piece} is placed"))
}

/// Accepted outcome of a throw.
pub struct Chosen {
    pub index: usize,
    /// The rolls in words, rejected ones included.
    pub text: String,
}

impl Rolls<'_> {
    pub fn given(rolls: impl IntoIterator<Item = String>) -> Self {
        Self::Given(rolls.into_iter().collect())
    }

    pub fn random(mut random: Random) -> Self {
        Self::Decided(Box::new(move |outcomes, _| random.below(outcomes as u64) as usize))
    }

    /// Rolls `count` times and returns the number that the outcomes form, and repeats that until it is below `choices`.
    pub fn choose(&mut self, faces: Faces, count: usize, choices: usize, piece: &str) -> Result<Chosen> {
        let sides = faces.count();
        let mut texts = Vec::new();
        loop {
            let index = match self {
                Self::Given(rolls) => (0..count)
                    .try_fold(0, |number, _| anyhow::Ok(number * sides + faces.next_given(rolls, piece)?))?,
                Self::Decided(decide) => decide(sides.pow(count as u32), choices),
            };
            let digits = (0..count as u32).rev().map(|place| index / sides.pow(place) % sides);
            texts.push(digits.map(|outcome| faces.text(outcome)).collect::<String>());
            if index < choices {
                return Ok(Chosen { index, text: texts.join(" ") });
            }
        }
    }

    /// Shuffles the cards of all rows and deals them, each to its row.
    pub fn deal<'c>(&mut self, rows: &[&[&'c str]]) -> Result<Vec<Vec<&'c str>>> {
        let mut dealt = vec![Vec::new(); rows.len()];
        let mut pack: Vec<(usize, &str)> = Vec::new();
        for (number, row) in rows.iter().enumerate() {
            pack.extend(row.iter().map(|&card| (number, card)));
        }
        while !pack.is_empty() {
            let cards = pack.len();
            let index = match self {
                Self::Given(rolls) => next_card(rolls, &pack)?,
                Self::Decided(decide) => decide(cards, cards),
            };
            let (row, card) = pack.remove(index);
            dealt[row].push(card);
        }
        Ok(dealt)
    }

    /// Checks that all given rolls have been used.
    pub fn finish(&self) -> Result<()> {
        let left = if let Self::Given(rolls) = self { rolls.len() } else { 0 };
        ensure!(left == 0, "{left} rolls are left over after the last piece");
        Ok(())
    }
}

/// Returns the index of the next given card in the pack; `N` is any card of that piece.
fn next_card(rolls: &mut VecDeque<String>, pack: &[(usize, &str)]) -> Result<usize> {
    let found = next(rolls, "last piece")?;
    let is_card = |card: &str| {
        card.eq_ignore_ascii_case(&found) || card.trim_end_matches(|c: char| c.is_ascii_digit()) == found
    };
    pack.iter().position(|(_, card)| is_card(card)).with_context(|| {
        let rest: Vec<&str> = pack.iter().map(|(_, card)| *card).collect();
        format!("expected one of {}, found '{found}'", rest.join(" "))
    })
}
