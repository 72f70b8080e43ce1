//! The ways in which people draw Chess960 set-ups by hand: from rolls that they give, or thrown by the program, each
//! step told.
//!
//! Each method is a list of steps: which piece, how many free squares it may go to, and of which colour. What a die, a
//! card or coins show chooses among them.

use std::fmt::Write as _;

use clap::ValueEnum;
use thiserror::Error;

use crate::chess::PieceKind::{self, Bishop, King, Knight, Queen, Rook};
use crate::chess::square::File;
use crate::chess::startpos::{BackRank, Placement, back_rank_letters};
use crate::util::random::Random;

/// A way of drawing a set-up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Method {
    /// One die with six sides; rolls too high for a step are rolled again
    OneDie,
    /// One throw of a d4, a d6, a d8 and a d20
    Dice,
    /// Eight cards for the eight pieces, dealt from a to h, put right by swaps
    Cards,
    /// Coins: three for each choice, as the Polish description has it; not uniform
    Coins,
}

impl Method {
    /// What is asked for, in words.
    pub fn description(self) -> &'static str {
        match self {
            Self::OneDie => {
                "dark-squared bishop, light-squared bishop, queen, two knights; a roll too high is repeated"
            }
            Self::Dice => "d8 a bishop, d4 the bishop of the other colour, d6 the queen, d20 both knights",
            Self::Cards => {
                "the cards K, Q, R1, R2, B1, B2, N1 and N2, dealt from a to h; bishops on one colour and a king \
                outside his rooks are put right by swaps"
            }
            Self::Coins => {
                "two coins for each bishop, three for the queen and each knight, heads 1 and tails 0; a number too \
                high counts on from the first square"
            }
        }
    }

    /// What must be known of how evenly the set-ups come, if they do not.
    pub fn warning(self) -> Option<&'static str> {
        match self {
            Self::OneDie | Self::Dice => None,
            Self::Cards => Some("The swaps make some set-ups likelier than others."),
            Self::Coins => Some(
                "Not uniform: three coins show one of eight numbers, and with six, five or four free squares some \
                 are met twice as often as others.",
            ),
        }
    }
}

/// Why rolls gave no set-up.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MethodError {
    /// Not a number or card.
    #[error("expected {expected}, found '{found}'")]
    Roll {
        /// What the step takes.
        expected: String,
        /// What was given.
        found: String,
    },
    /// They ran out.
    #[error("the rolls end before the {0} is placed")]
    TooFew(&'static str),
    /// More than needed.
    #[error("{0} rolls are left over after the last piece")]
    TooMany(usize),
}

/// Where the rolls come from.
pub enum Rolls {
    /// A person gave them.
    Given(std::vec::IntoIter<String>),
    /// The program throws them.
    Thrown(Random),
}

impl Rolls {
    /// A roll of 1 to `sides`.
    fn die(&mut self, sides: usize, piece: &'static str) -> Result<usize, MethodError> {
        match self {
            Self::Thrown(random) => Ok(1 + random.below(sides as u64) as usize),
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

    /// What `count` coins show, as a binary number, heads 1; given as letters such as `HTT`.
    fn coins(&mut self, count: usize, piece: &'static str) -> Result<usize, MethodError> {
        match self {
            Self::Thrown(random) => Ok(random.below(1 << count) as usize),
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

    fn left(self) -> usize {
        if let Self::Given(rolls) = self { rolls.count() } else { 0 }
    }
}

/// A set-up and how it came about.
pub struct Drawn {
    /// The set-up.
    pub rank: BackRank,
    /// A line for each step.
    pub steps: Vec<String>,
}

/// Draws a set-up.
///
/// # Errors
/// When given rolls are wrong, too few or too many.
pub fn draw(method: Method, mut rolls: Rolls) -> Result<Drawn, MethodError> {
    let drawn = match method {
        Method::OneDie => one_die(&mut rolls)?,
        Method::Dice => dice(&mut rolls)?,
        Method::Cards => cards(&mut rolls)?,
        Method::Coins => coins(&mut rolls)?,
    };
    match rolls.left() {
        0 => Ok(drawn),
        left => Err(MethodError::TooMany(left)),
    }
}

/// A set-up in the making, with its story.
#[derive(Default)]
struct Table {
    placement: Placement,
    steps: Vec<String>,
}

impl Table {
    /// Puts a piece on the square that `shown` chose.
    fn put(
        &mut self,
        file: Option<usize>,
        kind: PieceKind,
        name: &'static str,
        shown: &str,
    ) -> Result<(), MethodError> {
        let file = file.ok_or(MethodError::TooFew(name))?;
        self.placement.put(file, kind);
        self.steps.push(format!("{shown:<10} {name} on {}1", File::ALL[file].letter()));
        Ok(())
    }

    fn put_nth_free(
        &mut self,
        nth: usize,
        kind: PieceKind,
        name: &'static str,
        shown: &str,
    ) -> Result<(), MethodError> {
        self.put(self.placement.nth_free(nth), kind, name, shown)
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
    let mut table = Table::default();
    let steps: [(usize, PieceKind, &'static str); 5] = [
        (4, Bishop, "dark-squared bishop"),
        (4, Bishop, "light-squared bishop"),
        (6, Queen, "queen"),
        (5, Knight, "first knight"),
        (4, Knight, "second knight"),
    ];
    for (step, (choices, kind, name)) in steps.into_iter().enumerate() {
        let mut shown = String::new();
        let roll = loop {
            let roll = rolls.die(6, name)?;
            let _ = write!(shown, "{}{roll}", if shown.is_empty() { "" } else { " " });
            if roll <= choices {
                break roll - 1;
            }
        };
        match step {
            0 => table.put(Some(2 * roll), kind, name, &shown)?,
            1 => table.put(Some(2 * roll + 1), kind, name, &shown)?,
            _ => table.put_nth_free(roll, kind, name, &shown)?,
        }
    }
    table.finish()
}

fn dice(rolls: &mut Rolls) -> Result<Drawn, MethodError> {
    let mut table = Table::default();
    let d8 = rolls.die(8, "first bishop")? - 1;
    table.put(Some(d8), Bishop, "first bishop", &format!("d8={}", d8 + 1))?;
    let d4 = rolls.die(4, "second bishop")? - 1;
    table.put(Some(2 * d4 + (d8 + 1) % 2), Bishop, "second bishop", &format!("d4={}", d4 + 1))?;
    let d6 = rolls.die(6, "queen")? - 1;
    table.put_nth_free(d6, Queen, "queen", &format!("d6={}", d6 + 1))?;
    // Twenty numbers name one of five squares, then one of four.
    let d20 = rolls.die(20, "knights")? - 1;
    table.put_nth_free(d20 / 4, Knight, "first knight", &format!("d20={}", d20 + 1))?;
    table.put_nth_free(d20 % 4, Knight, "second knight", "")?;
    table.finish()
}

/// The pieces that the eight cards stand for.
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
    let mut shown = Vec::new();
    for _ in 0..CARDS.len() {
        let index = match rolls {
            Rolls::Thrown(random) => random.below(pack.len() as u64) as usize,
            Rolls::Given(rolls) => {
                let found = rolls.next().ok_or(MethodError::TooFew("last card"))?;
                let index = pack.iter().position(|(card, _)| card.eq_ignore_ascii_case(&found));
                let left = || pack.iter().map(|(card, _)| *card).collect::<Vec<_>>().join(", ");
                index.ok_or_else(|| MethodError::Roll {
                    expected: format!("one of {}", left()),
                    found: found.clone(),
                })?
            }
        };
        let (card, kind) = pack.remove(index);
        shown.push(card);
        rank.push(kind);
    }
    let mut steps = vec![format!("drawn      {}", shown.join(" "))];
    put_bishops_right(&mut rank, &mut steps);
    put_king_right(&mut rank, &mut steps);
    let mut placement = Placement::default();
    for (file, &kind) in rank.iter().enumerate() {
        placement.put(file, kind);
    }
    let rank = placement.finish(&[]).ok_or(MethodError::TooFew("king"))?;
    steps.push(format!("set-up     {}", back_rank_letters(&rank)));
    Ok(Drawn { rank, steps })
}

/// Bishops on one colour: the second changes places with its right neighbour, at the edge with its left one.
fn put_bishops_right(rank: &mut [PieceKind], steps: &mut Vec<String>) {
    let bishops: Vec<usize> = (0..8).filter(|&file| rank[file] == Bishop).collect();
    if let [first, second] = bishops[..]
        && first % 2 == second % 2
    {
        let neighbour = if second < 7 { second + 1 } else { second - 1 };
        rank.swap(second, neighbour);
        let [from, to] = [second, neighbour].map(|file| File::ALL[file].letter());
        steps.push(format!("swap       bishops on one colour: {from}1 and {to}1"));
    }
}

/// A king outside his rooks changes places with the nearer one.
fn put_king_right(rank: &mut [PieceKind], steps: &mut Vec<String>) {
    let at = |kind: PieceKind| (0..8).filter(|&file| rank[file] == kind).collect::<Vec<_>>();
    if let ([king], [left, right]) = (&at(King)[..], &at(Rook)[..])
        && !(left < king && king < right)
    {
        let rook = if king < left { *left } else { *right };
        let king = *king;
        rank.swap(king, rook);
        let [from, to] = [king, rook].map(|file| File::ALL[file].letter());
        steps.push(format!("swap       king outside his rooks: {from}1 and {to}1"));
    }
}

fn coins(rolls: &mut Rolls) -> Result<Drawn, MethodError> {
    let mut table = Table::default();
    let shown = |number: usize, count: usize| -> String {
        (0..count).rev().map(|bit| if number >> bit & 1 == 1 { 'H' } else { 'T' }).collect()
    };
    for (offset, name) in [(0, "dark-squared bishop"), (1, "light-squared bishop")] {
        let number = rolls.coins(2, name)?;
        table.put(Some(2 * number + offset), Bishop, name, &shown(number, 2))?;
    }
    for (free, kind, name) in [(6, Queen, "queen"), (5, Knight, "first knight"), (4, Knight, "second knight")]
    {
        let number = rolls.coins(3, name)?;
        table.put_nth_free(number % free, kind, name, &shown(number, 3))?;
    }
    table.finish()
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
    fn given_rolls_make_the_set_up_that_the_rules_say() {
        assert_eq!(given(Method::OneDie, "2 3 3 2 3"), Ok(518));
        assert_eq!(given(Method::OneDie, "6 2 5 3 3 6 2 5 3"), Ok(518));
        assert_eq!(given(Method::Cards, "R1 N1 B1 Q K B2 N2 R2"), Ok(518));
        // Bishops on c1 and g1, both dark: g1 and h1 swap.
        assert_eq!(
            given(Method::Cards, "R1 N1 B1 Q K N2 B2 R2"),
            given(Method::Cards, "R1 N1 B1 Q K N2 R2 B2")
        );
        // The king on a1 changes places with the rook on b1.
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
    fn one_throw_of_dice_gives_every_set_up_equally_often() {
        let mut seen = HashMap::new();
        for d8 in 1..=8 {
            for d4 in 1..=4 {
                for d6 in 1..=6 {
                    for d20 in 1..=20 {
                        *seen
                            .entry(given(Method::Dice, &format!("{d8} {d4} {d6} {d20}")).unwrap())
                            .or_insert(0) += 1;
                    }
                }
            }
        }
        assert_eq!(seen.len(), 960);
        assert!(seen.values().all(|&count| count == 4));
    }

    #[test]
    fn coins_are_not_uniform_and_are_said_not_to_be() {
        let mut seen = HashMap::new();
        for code in 0..1 << 13 {
            let coins = |at: usize, count: usize| -> String {
                (0..count).map(|bit| if code >> (at + bit) & 1 == 1 { 'H' } else { 'T' }).collect()
            };
            let rolls = [coins(0, 2), coins(2, 2), coins(4, 3), coins(7, 3), coins(10, 3)].join(" ");
            *seen.entry(given(Method::Coins, &rolls).unwrap()).or_insert(0) += 1;
        }
        assert_eq!(seen.len(), 960, "every set-up can come");
        let (least, most) = (seen.values().min().unwrap(), seen.values().max().unwrap());
        assert!(most > least, "{least} {most}");
        assert!(Method::Coins.warning().is_some() && Method::Dice.warning().is_none());
    }

    #[test]
    fn thrown_rolls_always_give_a_set_up() {
        for method in Method::value_variants() {
            for seed in 0..500 {
                let drawn = draw(*method, Rolls::Thrown(Random::new(seed))).unwrap();
                assert!(
                    scharnagl_number(&drawn.rank).is_some() && !drawn.steps.is_empty(),
                    "{method:?} {seed}"
                );
            }
        }
    }
}
