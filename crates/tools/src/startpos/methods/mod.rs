//! Methods of drawing a Chess960 start position with dice, cards or coins, from given or random rolls.
//!
//! Each method is a row of [`METHODS`]. Its distribution over the start positions is exact: [`distribution`] follows
//! every sequence of rolls.

mod distribution;
mod drawing;
mod procedures;
mod rolls;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use thiserror::Error;

use enroque::chess::startpos::BackRank;

pub use self::rolls::Rolls;

/// Method of drawing a start position.
#[derive(Debug)]
pub struct Method {
    /// Name on the command line.
    pub name: &'static str,
    /// One-line summary for the help.
    summary: &'static str,
    /// Rules of the method, complete enough to follow by hand.
    pub rules: &'static str,
    /// Unit of the rolls in the plural; `None` if every draw takes the same number.
    unit: Option<&'static str>,
    procedure: fn(&mut Rolls) -> Result<Drawn, MethodError>,
}

/// All methods.
pub static METHODS: [Method; 8] = [
    Method {
        name: "one-die",
        summary: "One six-sided die; rolls too high for a step are repeated",
        rules: "Dark-squared bishop, light-squared bishop, queen, two knights: the die counts the free squares from \
            the left, and a number too high is rolled again. Rook, king and rook on the last three squares.",
        unit: Some("rolls"),
        procedure: procedures::one_die,
    },
    Method {
        name: "dice",
        summary: "One roll of a d4, a d6, a d8 and a d20",
        rules: "The d8 places a bishop, the d4 the bishop of the other colour, the d6 the queen on a free square. The \
            d20 - 1 divided by 4 places both knights: the quotient counts the free squares for the first, the \
            remainder for the second. Rook, king and rook on the last three squares.",
        unit: None,
        procedure: procedures::dice,
    },
    Method {
        name: "dice-4-12-20",
        summary: "One roll of a d4, a d12 and a d20: the number of the start",
        rules: "Number of the start = (d4 - 1) x 240 + (d12 - 1) x 20 + (d20 - 1).",
        unit: None,
        procedure: |rolls| procedures::numbered_dice(rolls, [4, 12, 20]),
    },
    Method {
        name: "dice-6-8-20",
        summary: "One roll of a d6, a d8 and a d20: the number of the start",
        rules: "Number of the start = (d6 - 1) x 160 + (d8 - 1) x 20 + (d20 - 1).",
        unit: None,
        procedure: |rolls| procedures::numbered_dice(rolls, [6, 8, 20]),
    },
    Method {
        name: "dice-8-10-12",
        summary: "One roll of a d8, a d10 and a d12: the number of the start",
        rules: "Number of the start = (d8 - 1) x 120 + (d10 - 1) x 12 + (d12 - 1). A 0 on the d10 is 10.",
        unit: None,
        procedure: |rolls| procedures::numbered_dice(rolls, [8, 10, 12]),
    },
    Method {
        name: "cards",
        summary: "Fourteen cards: the squares a to h and the pieces N N Q R R R",
        rules: "Shuffle the fourteen cards and lay them one after another in three rows: dark squares (a c e g), light \
            squares (b d f h), pieces. The first card of the first row is the square of the dark-squared bishop, the \
            first of the second row that of the light-squared bishop. The pieces go to the remaining squares from left \
            to right in the order of their row. The king takes the place of the middle rook.",
        unit: None,
        procedure: procedures::cards,
    },
    Method {
        name: "coins",
        summary: "Coins for each piece; not uniform",
        rules: "Two tosses for each bishop, dark squares first, then two for the king among the four inner of the six \
            free squares. The king divides the other five 1:4 or 2:3. A single square on one side is the rook's; two \
            squares take one toss, three take two tosses, repeated after two tails, four take two tosses. The queen's \
            square is tossed for among the last three, and the knights take the rest. Heads come before tails: HH is \
            the first square from the left, then HT, TH, TT.",
        unit: Some("tosses"),
        procedure: procedures::coins,
    },
    Method {
        name: "ten-coins",
        summary: "Ten coins: the number of the start in binary; uniform",
        rules: "Ten tosses are the digits of the number of the start in binary, heads 1 and tails 0, worth 512 256 128 \
            64 32 16 8 4 2 1. Four heads at the beginning are tossed again: 960 = 1024 - 64.",
        unit: Some("tosses"),
        procedure: procedures::ten_coins,
    },
];

impl Method {
    /// Returns the method with this name.
    pub fn by_name(name: &str) -> Option<&'static Self> {
        METHODS.iter().find(|method| method.name == name)
    }

    /// Returns the parser of a method argument, with the names as completions.
    pub fn parser() -> impl TypedValueParser<Value = &'static Self> {
        let values = METHODS.iter().map(|method| PossibleValue::new(method.name).help(method.summary));
        PossibleValuesParser::new(values).map(|name| Self::by_name(&name).unwrap_or(&METHODS[0]))
    }

    /// Draws a start position.
    ///
    /// # Errors
    /// Returns an error if given rolls are invalid, too few or too many.
    pub fn draw(&self, mut rolls: Rolls) -> Result<Drawn, MethodError> {
        let drawn = (self.procedure)(&mut rolls)?;
        match rolls.remaining() {
            0 => Ok(drawn),
            remaining => Err(MethodError::TooMany(remaining)),
        }
    }

    /// Returns the distribution over the start positions and the average number of rolls in words.
    pub fn note(&self) -> String {
        let distribution = distribution::of(self);
        match self.unit {
            Some(unit) => {
                format!("{} On average {} {unit}.", distribution.text(), distribution.average_text())
            }
            None => distribution.text(),
        }
    }
}

/// Start position with the steps that led to it.
pub struct Drawn {
    /// Back rank of both sides.
    pub rank: BackRank,
    /// One line for each step.
    pub steps: Vec<String>,
}

/// Error of given rolls.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MethodError {
    /// Text that is no number, card or coin of this step.
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

#[cfg(test)]
mod tests {
    use super::*;
    use enroque::chess::startpos::scharnagl_number;
    use enroque::util::random::Random;

    fn given(method: &str, rolls: &str) -> Result<u32, MethodError> {
        let rolls = Rolls::given(rolls.split(' ').map(str::to_owned));
        let drawn = Method::by_name(method).unwrap().draw(rolls)?;
        Ok(scharnagl_number(&drawn.rank).unwrap())
    }

    #[test]
    fn given_rolls_determine_start() {
        for (method, rolls) in [
            ("one-die", "2 3 3 2 3"),
            ("one-die", "6 2 5 3 3 6 2 5 3"),
            ("dice", "3 3 3 7"),
            // 518 = 2 * 240 + 1 * 20 + 18 = 3 * 160 + 1 * 20 + 18 = 4 * 120 + 3 * 12 + 2.
            ("dice-4-12-20", "3 2 19"),
            ("dice-6-8-20", "4 2 19"),
            ("dice-8-10-12", "5 4 3"),
            ("cards", "c R N f Q R a N R b d e g h"),
            ("cards", "R1 c a N2 e g f Q b d h R3 N1 R2"),
            // 518 = 512 + 4 + 2.
            ("ten-coins", "HTTT TTTH HT"),
            ("ten-coins", "HHHH HHHH HTTTTTTHHT"),
            // Bishops c1 and f1; e1 is the third of the inner b d e g; a1 of a b d is HH after TT.
            ("coins", "HT TH TH TT HH T TT HT"),
        ] {
            assert_eq!(given(method, rolls), Ok(518), "{method} {rolls}");
        }
        assert_eq!(given("one-die", "2 3"), Err(MethodError::TooFew("queen")));
        assert_eq!(given("one-die", "2 3 3 2 3 1"), Err(MethodError::TooMany(1)));
        assert_eq!(given("coins", "HT TH TH HH T HTT"), Err(MethodError::TooMany(1)));
        for (method, wrong) in [
            ("one-die", "7"),
            ("one-die", "x"),
            ("coins", "HX"),
            ("cards", "a a"),
            ("cards", "Q Q"),
            ("cards", "N3"),
            ("dice", "9"),
            ("dice-8-10-12", "8 0"),
        ] {
            assert!(matches!(given(method, wrong), Err(MethodError::Roll { .. })), "{method} {wrong}");
        }
    }

    #[test]
    fn random_rolls_complete_start() {
        for method in &METHODS {
            for seed in 0..200 {
                let drawn = method.draw(Rolls::Random(Random::new(seed))).unwrap();
                let number = scharnagl_number(&drawn.rank).unwrap();
                assert!(number < 960 && drawn.steps.len() > 3, "{} {seed}", method.name);
            }
        }
    }
}
