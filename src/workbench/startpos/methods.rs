//! Methods of drawing a Chess960 set-up with dice, cards or coins, from given or random rolls.
//!
//! A method is a list of steps. Each step places one piece on one of a few squares, and a roll selects the square.

use std::fmt::Write as _;

use clap::ValueEnum;
use thiserror::Error;

use crate::chess::PieceKind::{self, Bishop, King, Knight, Queen, Rook};
use crate::chess::square::File;
use crate::chess::startpos::{BackRank, Placement, back_rank_letters};
use crate::util::random::Random;

/// Method of drawing a set-up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Method {
    /// One six-sided die; rolls too high for a step are repeated
    OneDie,
    /// One roll of a d4, a d6, a d8 and a d20
    Dice,
    /// Eight cards, one a piece, dealt from a to h and corrected by swaps
    Cards,
    // As in the Polish description of the coin method.
    /// Coins: two for each bishop, three for the queen and each knight; not uniform
    Coins,
}

impl Method {
    /// Returns the rolls of the method in words.
    pub fn description(self) -> &'static str {
        match self {
            Self::OneDie => {
                "dark-squared bishop, light-squared bishop, queen, two knights; a roll too high is repeated"
            }
            Self::Dice => "d8 a bishop, d4 the bishop of the other colour, d6 the queen, d20 both knights",
            Self::Cards => {
                "the cards K, Q, R1, R2, B1, B2, N1 and N2, dealt from a to h; bishops on one colour and a king \
                outside the rooks are corrected by swaps"
            }
            Self::Coins => {
                "two coins for each bishop, three for the queen and each knight, heads 1 and tails 0; a number too \
                high continues from the first square"
            }
        }
    }

    /// Returns a note on the probabilities if the method is not uniform.
    pub fn warning(self) -> Option<&'static str> {
        match self {
            Self::OneDie | Self::Dice => None,
            Self::Cards => Some("Not uniform: the swaps make some set-ups more likely than others."),
            Self::Coins => Some(
                "Not uniform: three coins show one of eight numbers, so some of six or five free squares are twice \
                as likely as others.",
            ),
        }
    }
}

/// Error of given rolls.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MethodError {
    /// Text that is no number, card or coins of this step.
    #[error("expected {expected}, found '{found}'")]
    Roll {
        /// Accepted rolls.
        expected: String,
        /// Given roll.
        found: String,
    },
    /// Too few rolls, with the piece that is next.
    #[error("the rolls end before the {0} is placed")]
    TooFew(&'static str),
    /// Number of rolls after the last piece.
    #[error("{0} rolls are left over after the last piece")]
    TooMany(usize),
}

/// Source of the rolls.
pub enum Rolls {
    /// Rolls from the command line.
    Given(std::vec::IntoIter<String>),
    /// Random rolls.
    Random(Random),
}

impl Rolls {
    /// Returns a roll from 1 to `sides`.
    fn die(&mut self, sides: usize, piece: &'static str) -> Result<usize, MethodError> {
        match self {
            Self::Random(random) => Ok(1 + random.below(sides as u64) as usize),
            Self::Given(rolls) => {
                let found = rolls.next().ok_or(MethodError::TooFew(piece))?;
                let number = found.parse().ok().filter(|number| (1..=sides).contains(number));
                number.ok_or_else(|| MethodError::Roll {
                    expected: format!("1 to {sides} from a d{sides}"),
                    found,
                })
            }
        }
    }

    /// Returns `count` coins as a binary number with heads 1; given as letters such as `HTT`.
    fn coins(&mut self, count: usize, piece: &'static str) -> Result<usize, MethodError> {
        match self {
            Self::Random(random) => Ok(random.below(1 << count) as usize),
            Self::Given(rolls) => {
                let found = rolls.next().ok_or(MethodError::TooFew(piece))?;
                let bit = |c: char| match c.to_ascii_uppercase() {
                    'H' => Some(1),
                    'T' => Some(0),
                    _ => None,
                };
                let bits: Option<Vec<usize>> = found.chars().map(bit).collect();
                let bits = bits.filter(|bits| bits.len() == count);
                bits.map(|bits| bits.iter().fold(0, |number, bit| 2 * number + bit)).ok_or_else(|| {
                    MethodError::Roll {
                        expected: format!("{count} coins, such as {}", &"HTHT"[..count]),
                        found,
                    }
                })
            }
        }
    }

    fn remaining(self) -> usize {
        if let Self::Given(rolls) = self { rolls.count() } else { 0 }
    }
}

/// Set-up with the steps that led to it.
pub struct Drawn {
    /// The set-up.
    pub rank: BackRank,
    /// One line for each step.
    pub steps: Vec<String>,
}

/// Draws a set-up.
///
/// # Errors
/// Returns an error if given rolls are invalid, too few or too many.
pub fn draw(method: Method, mut rolls: Rolls) -> Result<Drawn, MethodError> {
    let drawn = match method {
        Method::OneDie => one_die(&mut rolls)?,
        Method::Dice => dice(&mut rolls)?,
        Method::Cards => cards(&mut rolls)?,
        Method::Coins => coins(&mut rolls)?,
    };
    match rolls.remaining() {
        0 => Ok(drawn),
        remaining => Err(MethodError::TooMany(remaining)),
    }
}

/// Squares of one step, counted from the a-file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Squares {
    Dark,
    Light,
    Free,
}

/// Dark or light squares of a back rank.
const SQUARES_OF_A_COLOR: usize = 4;

/// Steps of a method that places one piece at a time.
const STEPS: [(Squares, PieceKind, &str); 5] = [
    (Squares::Dark, Bishop, "dark-squared bishop"),
    (Squares::Light, Bishop, "light-squared bishop"),
    (Squares::Free, Queen, "queen"),
    (Squares::Free, Knight, "first knight"),
    (Squares::Free, Knight, "second knight"),
];

/// Set-up in progress.
#[derive(Default)]
struct Drawing {
    placement: Placement,
    steps: Vec<String>,
}

impl Drawing {
    fn choices(&self, squares: Squares) -> usize {
        match squares {
            Squares::Dark | Squares::Light => SQUARES_OF_A_COLOR,
            Squares::Free => self.placement.free().count(),
        }
    }

    /// Places a piece on square `nth` of `squares`, counted from 0.
    fn place(
        &mut self,
        (squares, nth): (Squares, usize),
        kind: PieceKind,
        name: &'static str,
        rolled: &str,
    ) -> Result<(), MethodError> {
        let file = match squares {
            Squares::Dark => Some(2 * nth),
            Squares::Light => Some(2 * nth + 1),
            Squares::Free => self.placement.nth_free(nth),
        };
        let file = file.ok_or(MethodError::TooFew(name))?;
        self.placement.put(file, kind);
        self.steps.push(format!("{rolled:<10} {name} on {}1", File::ALL[file].letter()));
        Ok(())
    }

    fn finish(mut self) -> Result<Drawn, MethodError> {
        let rank = self.placement.finish(&[Rook, King, Rook]).ok_or(MethodError::TooFew("king"))?;
        self.steps.push(format!(
            "{:<10} rook, king and rook on the last three: {}",
            "",
            back_rank_letters(&rank)
        ));
        Ok(Drawn { rank, steps: self.steps })
    }
}

fn one_die(rolls: &mut Rolls) -> Result<Drawn, MethodError> {
    const SIDES: usize = 6;
    let mut drawing = Drawing::default();
    for (squares, kind, name) in STEPS {
        let choices = drawing.choices(squares);
        let mut rolled = String::new();
        let roll = loop {
            let roll = rolls.die(SIDES, name)?;
            let _ = write!(rolled, "{}{roll}", if rolled.is_empty() { "" } else { " " });
            if roll <= choices {
                break roll;
            }
        };
        drawing.place((squares, roll - 1), kind, name, &rolled)?;
    }
    drawing.finish()
}

fn dice(rolls: &mut Rolls) -> Result<Drawn, MethodError> {
    let mut drawing = Drawing::default();
    let d8 = rolls.die(8, "first bishop")? - 1;
    drawing.place((Squares::Free, d8), Bishop, "first bishop", &format!("d8={}", d8 + 1))?;
    let d4 = rolls.die(4, "second bishop")? - 1;
    let other_color = if is_dark(d8) { Squares::Light } else { Squares::Dark };
    drawing.place((other_color, d4), Bishop, "second bishop", &format!("d4={}", d4 + 1))?;
    let d6 = rolls.die(6, "queen")? - 1;
    drawing.place((Squares::Free, d6), Queen, "queen", &format!("d6={}", d6 + 1))?;
    // Twenty numbers select one of five squares, then one of four.
    let d20 = rolls.die(20, "knights")? - 1;
    drawing.place((Squares::Free, d20 / 4), Knight, "first knight", &format!("d20={}", d20 + 1))?;
    drawing.place((Squares::Free, d20 % 4), Knight, "second knight", "")?;
    drawing.finish()
}

/// `true` if the square of this file on the first rank is dark.
fn is_dark(file: usize) -> bool {
    file.is_multiple_of(2)
}

/// Cards with their pieces.
const CARDS: [(&str, PieceKind); 8] = [
    ("K", King),
    ("Q", Queen),
    ("R1", Rook),
    ("R2", Rook),
    ("B1", Bishop),
    ("B2", Bishop),
    ("N1", Knight),
    ("N2", Knight),
];

fn cards(rolls: &mut Rolls) -> Result<Drawn, MethodError> {
    let mut pack: Vec<(&str, PieceKind)> = CARDS.to_vec();
    let mut rank = Vec::new();
    let mut dealt = Vec::new();
    for _ in 0..CARDS.len() {
        let index = match rolls {
            Rolls::Random(random) => random.below(pack.len() as u64) as usize,
            Rolls::Given(rolls) => {
                let found = rolls.next().ok_or(MethodError::TooFew("last card"))?;
                let index = pack.iter().position(|(card, _)| card.eq_ignore_ascii_case(&found));
                let remaining = || pack.iter().map(|(card, _)| *card).collect::<Vec<_>>().join(", ");
                index.ok_or_else(|| MethodError::Roll {
                    expected: format!("one of {}", remaining()),
                    found: found.clone(),
                })?
            }
        };
        let (card, kind) = pack.remove(index);
        dealt.push(card);
        rank.push(kind);
    }
    let mut steps = vec![format!("dealt      {}", dealt.join(" "))];
    steps.extend(separate_bishops(&mut rank));
    steps.extend(move_king_between_rooks(&mut rank));
    let mut placement = Placement::default();
    for (file, &kind) in rank.iter().enumerate() {
        placement.put(file, kind);
    }
    let rank = placement.finish(&[]).ok_or(MethodError::TooFew("king"))?;
    steps.push(format!("set-up     {}", back_rank_letters(&rank)));
    Ok(Drawn { rank, steps })
}

/// Swaps the second of two bishops on one colour with its right neighbour, or on the h-file with its left one.
fn separate_bishops(rank: &mut [PieceKind]) -> Option<String> {
    let &[first, second] = &files_of(rank, Bishop)[..] else { return None };
    (is_dark(first) == is_dark(second)).then(|| {
        let neighbour = if second + 1 < rank.len() { second + 1 } else { second - 1 };
        swap(rank, second, neighbour, "bishops on one colour")
    })
}

/// Swaps a king outside the rooks with the nearer rook.
fn move_king_between_rooks(rank: &mut [PieceKind]) -> Option<String> {
    let (&[king], &[left, right]) = (&files_of(rank, King)[..], &files_of(rank, Rook)[..]) else {
        return None;
    };
    (!(left..right).contains(&king)).then(|| {
        let rook = if king < left { left } else { right };
        swap(rank, king, rook, "king outside the rooks")
    })
}

fn files_of(rank: &[PieceKind], kind: PieceKind) -> Vec<usize> {
    (0..rank.len()).filter(|&file| rank[file] == kind).collect()
}

/// Swaps two pieces and returns the line of this step.
fn swap(rank: &mut [PieceKind], from: usize, to: usize, reason: &str) -> String {
    rank.swap(from, to);
    let [from, to] = [from, to].map(|file| File::ALL[file].letter());
    format!("swap       {reason}: {from}1 and {to}1")
}

/// Coins that select one of four squares.
const BISHOP_COINS: usize = 2;
/// Coins that select one of up to six squares.
const FREE_SQUARE_COINS: usize = 3;

fn coins(rolls: &mut Rolls) -> Result<Drawn, MethodError> {
    let letters = |number: usize, count: usize| -> String {
        (0..count).rev().map(|bit| if number >> bit & 1 == 1 { 'H' } else { 'T' }).collect()
    };
    let mut drawing = Drawing::default();
    for (squares, kind, name) in STEPS {
        let choices = drawing.choices(squares);
        let count = if squares == Squares::Free { FREE_SQUARE_COINS } else { BISHOP_COINS };
        let number = rolls.coins(count, name)?;
        drawing.place((squares, number % choices), kind, name, &letters(number, count))?;
    }
    drawing.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::startpos::scharnagl_number;
    use std::collections::HashMap;

    fn given(method: Method, rolls: &str) -> Result<u32, MethodError> {
        let rolls: Vec<String> = rolls.split(' ').map(str::to_owned).collect();
        draw(method, Rolls::Given(rolls.into_iter())).map(|drawn| scharnagl_number(&drawn.rank).unwrap())
    }

    #[test]
    fn given_rolls_determine_set_up() {
        assert_eq!(given(Method::OneDie, "2 3 3 2 3"), Ok(518));
        assert_eq!(given(Method::OneDie, "6 2 5 3 3 6 2 5 3"), Ok(518));
        assert_eq!(given(Method::Cards, "R1 N1 B1 Q K B2 N2 R2"), Ok(518));
        // Bishops on c1 and g1, both dark: g1 and h1 swap.
        assert_eq!(
            given(Method::Cards, "R1 N1 B1 Q K N2 B2 R2"),
            given(Method::Cards, "R1 N1 B1 Q K N2 R2 B2")
        );
        // The king on a1 and the rook on b1 swap.
        assert_eq!(
            given(Method::Cards, "K R1 N1 B1 B2 N2 Q R2"),
            given(Method::Cards, "R1 K N1 B1 B2 N2 Q R2")
        );
        assert_eq!(given(Method::Coins, "TH HT THT TTH THT"), Ok(518));
        assert_eq!(given(Method::OneDie, "2 3"), Err(MethodError::TooFew("queen")));
        assert_eq!(given(Method::OneDie, "2 3 3 2 3 1"), Err(MethodError::TooMany(1)));
        for (method, wrong) in [
            (Method::OneDie, "7"),
            (Method::OneDie, "x"),
            (Method::Coins, "HHH"),
            (Method::Cards, "K K"),
            (Method::Dice, "9"),
        ] {
            assert!(matches!(given(method, wrong), Err(MethodError::Roll { .. })), "{wrong}");
        }
    }

    #[test]
    fn dice_are_uniform() {
        let mut counts = HashMap::new();
        for d8 in 1..=8 {
            for d4 in 1..=4 {
                for d6 in 1..=6 {
                    for d20 in 1..=20 {
                        *counts
                            .entry(given(Method::Dice, &format!("{d8} {d4} {d6} {d20}")).unwrap())
                            .or_insert(0) += 1;
                    }
                }
            }
        }
        assert_eq!(counts.len(), 960);
        assert!(counts.values().all(|&count| count == 4));
    }

    #[test]
    fn coins_warn_of_bias() {
        let mut counts = HashMap::new();
        for code in 0..1 << 13 {
            let coins = |at: usize, count: usize| -> String {
                (0..count).map(|bit| if code >> (at + bit) & 1 == 1 { 'H' } else { 'T' }).collect()
            };
            let rolls = [coins(0, 2), coins(2, 2), coins(4, 3), coins(7, 3), coins(10, 3)].join(" ");
            *counts.entry(given(Method::Coins, &rolls).unwrap()).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 960, "all set-ups are possible");
        let (least, most) = (counts.values().min().unwrap(), counts.values().max().unwrap());
        assert!(most > least, "{least} {most}");
        assert!(Method::Coins.warning().is_some() && Method::Dice.warning().is_none());
    }

    #[test]
    fn random_rolls_complete_set_up() {
        for method in Method::value_variants() {
            for seed in 0..500 {
                let drawn = draw(*method, Rolls::Random(Random::new(seed))).unwrap();
                assert!(
                    scharnagl_number(&drawn.rank).is_some() && !drawn.steps.is_empty(),
                    "{method:?} {seed}"
                );
            }
        }
    }
}
