//! Rolls of dice, tosses of coins and deals of cards: typed by somebody, or from the random generator.

use std::collections::VecDeque;

use thiserror::Error;

use enroque::util::random::Random;

/// Why typed rolls lead to no start.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RollError {
    #[error("the rolls end before the {piece} is placed")]
    Missing { piece: &'static str },
    /// So many rolls are left over.
    #[error("rolls left over after the last piece: {0}")]
    LeftOver(usize),
    #[error("expected 1 to {sides} from a d{sides}, found '{found}'")]
    Die { sides: usize, found: String },
    #[error("expected coins such as HTH, found '{found}'")]
    Coin { found: String },
    #[error("expected one of {rest}, found '{found}'")]
    Card { rest: String, found: String },
}

/// Where the rolls come from.
pub enum Rolls<'a> {
    /// Rolls that somebody typed.
    Given(VecDeque<String>),
    /// A function that decides each throw. Its arguments are the number of possible outcomes and how many of them we
    /// accept: if the outcome that it returns is not below the second number, we throw again.
    Decided(Box<dyn FnMut(usize, usize) -> usize + 'a>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Faces {
    /// A die with this many sides.
    Die(usize),
    /// A coin; heads count as 0 and tails as 1.
    HeadsFirst,
    /// A coin; tails count as 0 and heads as 1.
    TailsFirst,
}

impl Faces {
    fn count(self) -> usize {
        match self {
            Self::Die(sides) => sides,
            Self::HeadsFirst | Self::TailsFirst => 2,
        }
    }

    /// Formats an outcome, which counts from 0: on a die, 0 becomes `1`; on a coin, it becomes `H` or `T`.
    fn text(self, outcome: usize) -> String {
        match self {
            Self::Die(_) => (outcome + 1).to_string(),
            Self::HeadsFirst => ["H", "T"][outcome].to_owned(),
            Self::TailsFirst => ["T", "H"][outcome].to_owned(),
        }
    }

    /// Takes the next outcome from the typed rolls. If a word such as `HTH` stands for several coins, we
    /// put back all but its first letter.
    fn next_given(self, rolls: &mut VecDeque<String>, piece: &'static str) -> Result<usize, RollError> {
        let mut found = next(rolls, piece)?;
        if !matches!(self, Self::Die(_)) && found.len() > 1 && found.is_ascii() {
            rolls.push_front(found.split_off(1));
        }
        let outcome = (0..self.count()).find(|&outcome| self.text(outcome).eq_ignore_ascii_case(&found));
        outcome.ok_or(match self {
            Self::Die(sides) => RollError::Die { sides, found },
            Self::HeadsFirst | Self::TailsFirst => RollError::Coin { found },
        })
    }
}

/// Takes the next roll from the typed rolls. If there is none, the error message names `piece`.
fn next(rolls: &mut VecDeque<String>, piece: &'static str) -> Result<String, RollError> {
    rolls.pop_front().ok_or(RollError::Missing { piece })
}

/// The accepted outcome of a throw.
pub struct Chosen {
    pub index: usize,
    /// All rolls of the throw, including the rejected ones.
    pub text: String,
}

impl Rolls<'_> {
    /// Takes the rolls from `rolls`, in order. A word of letters such as `HTH` stands for several coins, and a word with
    /// commas, such as `3,3,2`, for several rolls.
    pub fn given(rolls: impl IntoIterator<Item = String>) -> Self {
        let parts = |word: String| word.split(',').map(str::to_owned).collect::<Vec<_>>();
        Self::Given(rolls.into_iter().flat_map(parts).filter(|roll| !roll.is_empty()).collect())
    }

    /// Lets the random generator roll.
    pub fn random(mut random: Random) -> Self {
        Self::Decided(Box::new(move |outcomes, _| random.below(outcomes as u64) as usize))
    }

    /// Rolls `count` times and reads the outcomes as the digits of a number. If the number is not below `choices`, we
    /// reject it and roll all digits again.
    pub fn choose(
        &mut self,
        faces: Faces,
        count: usize,
        choices: usize,
        piece: &'static str,
    ) -> Result<Chosen, RollError> {
        let sides = faces.count();
        let mut texts = Vec::new();
        loop {
            let index = match self {
                Self::Given(rolls) => (0..count).try_fold(0, |number, _| {
                    Ok::<_, RollError>(number * sides + faces.next_given(rolls, piece)?)
                })?,
                Self::Decided(decide) => decide(sides.pow(count as u32), choices),
            };
            let digits = (0..count as u32).rev().map(|place| index / sides.pow(place) % sides);
            texts.push(digits.map(|outcome| faces.text(outcome)).collect::<String>());
            if index < choices {
                return Ok(Chosen { index, text: texts.join(" ") });
            }
        }
    }

    /// Shuffles the cards of all rows together and deals them, each to the row that it belongs to.
    pub fn deal<'c>(&mut self, rows: &[&[&'c str]]) -> Result<Vec<Vec<&'c str>>, RollError> {
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

    /// Fails if typed rolls are left over.
    pub fn finish(&self) -> Result<(), RollError> {
        let left = if let Self::Given(rolls) = self { rolls.len() } else { 0 };
        if left == 0 { Ok(()) } else { Err(RollError::LeftOver(left)) }
    }
}

/// Takes the next card from the typed rolls, and returns its index in the pack. A letter without a number, such as
/// `N`, stands for any card of that piece.
fn next_card(rolls: &mut VecDeque<String>, pack: &[(usize, &str)]) -> Result<usize, RollError> {
    let found = next(rolls, "last piece")?;
    let is_card = |card: &str| {
        card.eq_ignore_ascii_case(&found) || card.trim_end_matches(|c: char| c.is_ascii_digit()) == found
    };
    pack.iter().position(|(_, card)| is_card(card)).ok_or_else(|| {
        let rest: Vec<&str> = pack.iter().map(|(_, card)| *card).collect();
        RollError::Card { rest: rest.join(" "), found }
    })
}
