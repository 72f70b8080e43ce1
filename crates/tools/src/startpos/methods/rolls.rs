//! Rolls of a drawing method: given, random, or one of all sequences.

use std::collections::VecDeque;

use super::MethodError;
use enroque::util::random::Random;

/// Source of the rolls.
pub enum Rolls {
    /// Rolls from the command line.
    Given(VecDeque<String>),
    /// Random rolls.
    Random(Random),
    /// Sequence of outcomes that [`super::distribution`] follows.
    Path(Path),
}

/// Sequence of outcomes and the reason for its end.
#[derive(Default)]
pub struct Path {
    /// Outcomes of the rolls.
    pub outcomes: VecDeque<usize>,
    /// State after the last outcome.
    pub end: PathEnd,
}

/// End of a [`Path`].
#[derive(Clone, Copy, Default)]
pub enum PathEnd {
    /// Completed draw.
    #[default]
    Complete,
    /// Next rolls, thrown together, with the number of their outcomes.
    Open { outcomes: usize, rolls: usize },
    /// Outcome that the method repeats.
    Rejected,
}

/// Kind of a roll.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Faces {
    /// Die with the numbers from 1 to this one.
    Die(usize),
    /// Coin; heads count 0 and tails 1.
    HeadsFirst,
    /// Coin; tails count 0 and heads 1.
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

    fn parse(self, text: &str) -> Option<usize> {
        (0..self.count()).find(|&outcome| self.text(outcome).eq_ignore_ascii_case(text))
    }

    fn expected(self) -> String {
        match self {
            Self::Die(sides) => format!("1 to {sides} from a d{sides}"),
            Self::HeadsFirst | Self::TailsFirst => "coins such as HTH".to_owned(),
        }
    }
}

/// Outcome of rolls thrown together.
pub struct Chosen {
    /// Outcome, counted from 0.
    pub index: usize,
    /// The rolls in words, with those repeated.
    pub text: String,
}

/// Row of cards.
pub struct Row<'a> {
    /// Cards of the row.
    pub cards: &'a [&'a str],
    /// Number of cards of the row that the method reads.
    pub needed: usize,
}

impl Rolls {
    /// Returns the source of given rolls.
    pub fn given(rolls: impl IntoIterator<Item = String>) -> Self {
        Self::Given(rolls.into_iter().collect())
    }

    /// Rolls `count` times and returns the number that the outcomes form. Numbers from `choices` on are rolled again.
    pub fn choose(
        &mut self,
        faces: Faces,
        count: usize,
        choices: usize,
        piece: &'static str,
    ) -> Result<Chosen, MethodError> {
        let mut texts = Vec::new();
        loop {
            let outcomes = self.throw(faces, count, piece)?;
            texts.push(outcomes.iter().map(|&outcome| faces.text(outcome)).collect::<String>());
            let index = outcomes.iter().fold(0, |number, outcome| number * faces.count() + outcome);
            if index < choices {
                return Ok(Chosen { index, text: texts.join(" ") });
            }
            if let Self::Path(path) = self {
                path.end = PathEnd::Rejected;
                return Err(MethodError::TooFew(piece));
            }
        }
    }

    /// Returns the outcomes of `count` rolls thrown together.
    fn throw(&mut self, faces: Faces, count: usize, piece: &'static str) -> Result<Vec<usize>, MethodError> {
        let sides = faces.count();
        match self {
            Self::Given(rolls) => (0..count).map(|_| next_given(rolls, faces, piece)).collect(),
            Self::Random(random) => Ok((0..count).map(|_| random.below(sides as u64) as usize).collect()),
            Self::Path(path) => {
                let number = path.next(sides.pow(count as u32), count, piece)?;
                Ok((0..count).rev().map(|place| number / sides.pow(place as u32) % sides).collect())
            }
        }
    }

    /// Shuffles the cards of all rows and deals them, each to its row.
    pub fn deal<'a>(
        &mut self,
        rows: &[Row<'a>],
        piece: &'static str,
    ) -> Result<Vec<Vec<&'a str>>, MethodError> {
        let mut dealt = vec![Vec::new(); rows.len()];
        if let Self::Path(path) = self {
            // A row's order is uniform, independent of the other rows. Cards that the method does not read stay in order.
            for (row, dealt) in rows.iter().zip(&mut dealt) {
                let mut rest = row.cards.to_vec();
                for _ in 0..row.needed {
                    dealt.push(rest.remove(path.next(rest.len(), 1, piece)?));
                }
                dealt.extend(rest);
            }
            return Ok(dealt);
        }
        let mut pack: Vec<(usize, &str)> = Vec::new();
        for (number, row) in rows.iter().enumerate() {
            pack.extend(row.cards.iter().map(|&card| (number, card)));
        }
        while !pack.is_empty() {
            let index = match self {
                Self::Random(random) => random.below(pack.len() as u64) as usize,
                Self::Given(rolls) => next_card(rolls, &pack, piece)?,
                Self::Path(_) => 0,
            };
            let (row, card) = pack.remove(index);
            dealt[row].push(card);
        }
        Ok(dealt)
    }

    /// Returns the number of given rolls that are not used.
    pub fn remaining(&self) -> usize {
        if let Self::Given(rolls) = self { rolls.len() } else { 0 }
    }
}

impl Path {
    fn next(&mut self, outcomes: usize, rolls: usize, piece: &'static str) -> Result<usize, MethodError> {
        self.outcomes.pop_front().ok_or_else(|| {
            self.end = PathEnd::Open { outcomes, rolls };
            MethodError::TooFew(piece)
        })
    }
}

/// Returns the next given outcome. A word of several coins is read one letter at a time.
fn next_given(rolls: &mut VecDeque<String>, faces: Faces, piece: &'static str) -> Result<usize, MethodError> {
    let mut found = rolls.pop_front().ok_or(MethodError::TooFew(piece))?;
    if !matches!(faces, Faces::Die(_)) && found.len() > 1 && found.is_ascii() {
        rolls.push_front(found.split_off(1));
    }
    faces.parse(&found).ok_or_else(|| MethodError::Roll { expected: faces.expected(), found })
}

/// Returns the index of the next given card in the pack; `N` is any card of that piece.
fn next_card(
    rolls: &mut VecDeque<String>,
    pack: &[(usize, &str)],
    piece: &'static str,
) -> Result<usize, MethodError> {
    let found = rolls.pop_front().ok_or(MethodError::TooFew(piece))?;
    let is_card = |card: &str| {
        card.eq_ignore_ascii_case(&found) || card.trim_end_matches(|c: char| c.is_ascii_digit()) == found
    };
    let index = pack.iter().position(|(_, card)| is_card(card));
    index.ok_or_else(|| {
        let rest: Vec<&str> = pack.iter().map(|(_, card)| *card).collect();
        MethodError::Roll { expected: format!("one of {}", rest.join(" ")), found }
    })
}
