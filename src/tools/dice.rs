//! Chess960 set-ups from rolls of dice.
//!
//! *One die* (Ingo Althöfer): dark-squared bishop by 1–4, light-squared bishop by 1–4, queen on the 1–6th
//! free file, the knights on the 1–5th and then the 1–4th; higher rolls are rolled again. Rooks and king fill
//! the last three, the king between.
//!
//! *Several dice* (one throw, nothing rolled again): d8 any bishop, d4 the other bishop on the other colour,
//! d6 the queen, d20 both knights.

use thiserror::Error;

use crate::chess::PieceKind::{Bishop, King, Knight, Queen, Rook};
use crate::chess::setup::{BackRank, Placement};

/// Why rolls gave no set-up.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum DiceError {
    /// Not a roll.
    #[error("--dice: expected a roll such as 4, or d8=5 with d4, d6 and d20, found '{0}'")]
    Syntax(String),
    /// A number that the die does not have.
    #[error("--dice: expected 1 to {sides} from a d{sides}, found {found}")]
    Range {
        /// Sides of the die.
        sides: usize,
        /// What was given.
        found: usize,
    },
    /// The rolls ran out.
    #[error("--dice: the rolls end before the {0} is placed; rolls too high for a step do not count")]
    TooFew(&'static str),
    /// Some die of the throw is missing.
    #[error("--dice: expected one roll each of d4, d6, d8 and d20; d{0} is missing")]
    Missing(usize),
    /// More rolls than needed.
    #[error("--dice: {0} rolls left over after the last piece")]
    TooMany(usize),
}

/// The back rank that rolls give: numbers from one die, or `dN=number` from several.
///
/// # Errors
/// When a roll is none, or they are too few or too many.
pub fn back_rank(rolls: &[String]) -> Result<BackRank, DiceError> {
    if rolls.iter().any(|roll| roll.starts_with(['d', 'D'])) { several_dice(rolls) } else { one_die(rolls) }
}

fn parse(text: &str, sides: usize) -> Result<usize, DiceError> {
    let found = text.parse().map_err(|_| DiceError::Syntax(text.to_owned()))?;
    if (1..=sides).contains(&found) { Ok(found) } else { Err(DiceError::Range { sides, found }) }
}

fn one_die(rolls: &[String]) -> Result<BackRank, DiceError> {
    let rolls = rolls.iter().map(|roll| parse(roll, 6)).collect::<Result<Vec<_>, _>>()?;
    let mut rolls = rolls.into_iter();
    // The next roll that is not too high, counted from 0.
    let mut below = |choices: usize, piece| {
        rolls.find(|&roll| roll <= choices).map(|roll| roll - 1).ok_or(DiceError::TooFew(piece))
    };
    let mut placement = Placement::default();
    placement.put(2 * below(4, "dark-squared bishop")?, Bishop);
    placement.put(2 * below(4, "light-squared bishop")? + 1, Bishop);
    for (choices, kind, name) in
        [(6, Queen, "queen"), (5, Knight, "first knight"), (4, Knight, "second knight")]
    {
        let file = placement.nth_free(below(choices, name)?).ok_or(DiceError::TooFew(name))?;
        placement.put(file, kind);
    }
    match rolls.count() {
        0 => placement.finish(&[Rook, King, Rook]).ok_or(DiceError::TooFew("king")),
        left => Err(DiceError::TooMany(left)),
    }
}

fn several_dice(rolls: &[String]) -> Result<BackRank, DiceError> {
    const SIDES: [usize; 4] = [8, 4, 6, 20];
    let mut values = [None; 4];
    for roll in rolls {
        let syntax = || DiceError::Syntax(roll.clone());
        let (die, number) = roll.get(1..).and_then(|rest| rest.split_once('=')).ok_or_else(syntax)?;
        let which = SIDES.iter().position(|sides| die == sides.to_string()).ok_or_else(syntax)?;
        values[which] = Some(parse(number, SIDES[which])? - 1);
    }
    let value = |which: usize| values[which].ok_or(DiceError::Missing(SIDES[which]));
    let (d8, d4, d6, d20) = (value(0)?, value(1)?, value(2)?, value(3)?);
    let mut placement = Placement::default();
    placement.put(d8, Bishop);
    placement.put(2 * d4 + (d8 + 1) % 2, Bishop);
    // Twenty numbers name the first knight's place among five and the second's among four.
    for (nth, kind) in [(d6, Queen), (d20 / 4, Knight), (d20 % 4, Knight)] {
        let file = placement.nth_free(nth).ok_or(DiceError::TooFew("knight"))?;
        placement.put(file, kind);
    }
    placement.finish(&[Rook, King, Rook]).ok_or(DiceError::TooFew("king"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::setup::{letters, number_of};
    use std::collections::HashMap;

    fn rank(rolls: &[&str]) -> Result<BackRank, DiceError> {
        back_rank(&rolls.iter().map(|roll| (*roll).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn one_die_follows_its_steps() {
        // Bishops c1 and f1, queen on the third free file (d1), knights b1 and g1.
        assert_eq!(letters(&rank(&["2", "3", "3", "2", "3"]).unwrap()), "RNBQKBNR");
        assert_eq!(rank(&["6", "2", "5", "3", "3", "6", "2", "5", "3"]), rank(&["2", "3", "3", "2", "3"]));
        assert_eq!(rank(&["2", "3"]), Err(DiceError::TooFew("queen")));
        assert_eq!(rank(&["2", "3", "3", "2", "3", "1"]), Err(DiceError::TooMany(1)));
        assert_eq!(rank(&["7"]), Err(DiceError::Range { sides: 6, found: 7 }));
        assert_eq!(rank(&["x"]), Err(DiceError::Syntax("x".to_owned())));
    }

    #[test]
    fn every_throw_of_several_dice_counts_and_all_set_ups_are_equally_likely() {
        let mut seen = HashMap::new();
        for d8 in 1..=8 {
            for d4 in 1..=4 {
                for d6 in 1..=6 {
                    for d20 in 1..=20 {
                        let rolls = [
                            format!("d8={d8}"),
                            format!("d4={d4}"),
                            format!("d6={d6}"),
                            format!("d20={d20}"),
                        ];
                        let number = number_of(&back_rank(&rolls).unwrap()).unwrap();
                        *seen.entry(number).or_insert(0) += 1;
                    }
                }
            }
        }
        assert_eq!(seen.len(), 960);
        assert!(seen.values().all(|&count| count == 4));
        assert_eq!(rank(&["d8=1", "d4=1", "d6=1"]), Err(DiceError::Missing(20)));
    }
}
