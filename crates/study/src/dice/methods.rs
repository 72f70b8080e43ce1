//! The methods to draw a Chess960 start, with their rules in words.
//!
//! [`METHODS`] states the exact probabilities of each method. A test follows every sequence of rolls to prove them.

use super::procedures::{self, Drawn};
use super::rolls::{RollError, Rolls};

/// A way to draw a start.
#[derive(Debug)]
pub struct Method {
    /// What users type, such as `one-die`.
    pub name: &'static str,
    /// One line for a list of methods.
    pub summary: &'static str,
    /// Rules, complete enough to follow by hand.
    pub rules: &'static str,
    /// Pairs `(count, n)`: `count` starts have probability 1/`n` each. The least likely starts come first.
    shares: &'static [(u32, u32)],
    /// How many rolls a draw takes on average; `None` if every draw takes the same number.
    average: Option<&'static str>,
    procedure: fn(&mut Rolls<'_>) -> Result<Drawn, RollError>,
}

/// `shares` of a method that makes all 960 starts equally likely.
const UNIFORM: &[(u32, u32)] = &[(960, 960)];

/// All methods, with the ones for dice first.
pub static METHODS: [Method; 8] = [
    Method {
        name: "one-die",
        summary: "One six-sided die; rolls too high for a step are repeated",
        rules: "Dark-squared bishop, light-squared bishop, queen, two knights: the die counts the free squares from \
            the left, and a number too high is rolled again. Rook, king and rook fill the last three squares.",
        shares: UNIFORM,
        average: Some("6.7 rolls"),
        procedure: procedures::one_die,
    },
    Method {
        name: "dice",
        summary: "One roll each of a d8, a d4, a d6 and a d20",
        rules: "The d8 places a bishop, the d4 the bishop of the other colour, the d6 the queen on a free square. The \
            d20 - 1 divided by 4 places both knights: the quotient counts the free squares for the first, the \
            remainder for the second. Rook, king and rook fill the last three squares.",
        shares: UNIFORM,
        average: None,
        procedure: procedures::dice,
    },
    Method {
        name: "dice-4-12-20",
        summary: "One roll each of a d4, a d12 and a d20: the number of the start",
        rules: "Number of the start = (d4 - 1) x 240 + (d12 - 1) x 20 + (d20 - 1).",
        shares: UNIFORM,
        average: None,
        procedure: |rolls| procedures::numbered_dice(rolls, [4, 12, 20]),
    },
    Method {
        name: "dice-6-8-20",
        summary: "One roll each of a d6, a d8 and a d20: the number of the start",
        rules: "Number of the start = (d6 - 1) x 160 + (d8 - 1) x 20 + (d20 - 1).",
        shares: UNIFORM,
        average: None,
        procedure: |rolls| procedures::numbered_dice(rolls, [6, 8, 20]),
    },
    Method {
        name: "dice-8-10-12",
        summary: "One roll each of a d8, a d10 and a d12: the number of the start",
        rules: "Number of the start = (d8 - 1) x 120 + (d10 - 1) x 12 + (d12 - 1). A 0 on the d10 is 10.",
        shares: UNIFORM,
        average: None,
        procedure: |rolls| procedures::numbered_dice(rolls, [8, 10, 12]),
    },
    Method {
        name: "cards",
        summary: "Fourteen cards: the squares a to h and the pieces N N Q R R R",
        rules: "Shuffle the fourteen cards and lay them one after another in three rows: dark squares (a c e g), light \
            squares (b d f h), pieces. The first card of the first row gives the square of the dark-squared bishop, the \
            first of the second row the square of the light-squared bishop. The pieces go to the remaining squares from left \
            to right in the order of their row. The king takes the place of the middle rook.",
        shares: UNIFORM,
        average: None,
        procedure: procedures::cards,
    },
    Method {
        name: "coins",
        summary: "Coins for each piece; not uniform",
        rules: "Toss twice for each bishop, dark squares first, then twice for the king, who goes to one of the inner four of \
            the six free squares. That splits the other five 1:4 or 2:3, and each side gets a rook: a single square needs no \
            toss, two squares one, three squares two (again after two tails), four squares two. Toss for the queen in \
            the same way among the last three squares; the knights take the rest. Heads come before tails: HH is the first square \
            from the left, then HT, TH, TT.",
        shares: &[(576, 1152), (384, 768)],
        average: Some("11.5 tosses"),
        procedure: procedures::coins,
    },
    Method {
        name: "ten-coins",
        summary: "Ten coins: the number of the start in binary; uniform",
        rules: "Ten tosses are the digits of the number of the start in binary, heads 1 and tails 0, worth 512 256 128 \
            64 32 16 8 4 2 1. Toss the first four again if they are all heads: the number would be 960 or more.",
        shares: UNIFORM,
        average: Some("10.27 tosses"),
        procedure: procedures::ten_coins,
    },
];

impl Method {
    /// Returns the method with this name, if there is one.
    pub fn by_name(name: &str) -> Option<&'static Self> {
        METHODS.iter().find(|method| method.name == name)
    }

    /// Draws a start.
    ///
    /// # Errors
    /// Returns an error if typed rolls are wrong, missing or left over.
    pub fn draw(&self, mut rolls: Rolls<'_>) -> Result<Drawn, RollError> {
        let drawn = (self.procedure)(&mut rolls)?;
        rolls.finish()?;
        Ok(drawn)
    }

    /// Whether all 960 starts are equally likely.
    pub fn is_uniform(&self) -> bool {
        self.shares == UNIFORM
    }

    /// Says how likely the starts are, and how many rolls a draw takes on average.
    pub fn note(&self) -> String {
        let probabilities = if self.is_uniform() {
            "Uniform: each of the 960 starts has probability 1/960.".to_owned()
        } else {
            let shares = self.shares.iter();
            let parts: Vec<String> =
                shares.map(|(count, share)| format!("{count} starts have probability 1/{share}")).collect();
            format!("Not uniform: {}.", parts.join(", "))
        };
        match self.average {
            Some(average) => format!("{probabilities} On average {average}."),
            None => probabilities,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use enroque::chess::startpos::scharnagl_number;
    use enroque::util::random::Random;

    fn number(drawn: &Drawn) -> u32 {
        scharnagl_number(&drawn.rank).unwrap()
    }

    fn given(method: &str, rolls: &str) -> Result<u32, RollError> {
        let rolls = Rolls::given(rolls.split(' ').map(str::to_owned));
        Ok(number(&Method::by_name(method).unwrap().draw(rolls)?))
    }

    #[test]
    fn given_rolls_determine_start() {
        for (method, rolls) in [
            ("one-die", "2 3 3 2 3"),
            ("one-die", "6 2 5 3 3 6 2 5 3"),
            ("dice", "3 3 3 7"),
            // A die counts one less than it shows: 3 2 19 is 2 * 240 + 1 * 20 + 18 = 518. In the same way,
            // 4 2 19 is 3 * 160 + 1 * 20 + 18, and 5 4 3 is 4 * 120 + 3 * 12 + 2.
            ("dice-4-12-20", "3 2 19"),
            ("dice-6-8-20", "4 2 19"),
            ("dice-8-10-12", "5 4 3"),
            ("cards", "c R N f Q R a N R b d e g h"),
            ("cards", "R1 c a N2 e g f Q b d h R3 N1 R2"),
            // The heads stand for 512 + 4 + 2 = 518.
            ("ten-coins", "HTTT TTTH HT"),
            ("ten-coins", "HHHH HHHH HTTTTTTHHT"),
            // HT and TH put the bishops on c1 and f1, and TH puts the king on e1, the third of b d e g. TT stands for
            // none of the three squares on the king's left, so we toss again, and HH puts a rook on a1.
            ("coins", "HT TH TH TT HH T TT HT"),
        ] {
            assert_eq!(given(method, rolls).unwrap(), 518, "{method} {rolls}");
        }
        for (method, rolls, reason) in [
            ("one-die", "2 3", "the rolls end before the queen is placed"),
            ("one-die", "2 3 3 2 3 1", "rolls left over after the last piece: 1"),
            ("coins", "HT TH TH HH T HTT", "rolls left over after the last piece: 1"),
            ("one-die", "7", "expected 1 to 6 from a d6, found '7'"),
            ("one-die", "x", "found 'x'"),
            ("coins", "HX", "expected coins such as HTH, found 'X'"),
            ("cards", "a a", "expected one of c e g b"),
            ("cards", "Q Q", "found 'Q'"),
            ("cards", "N3", "found 'N3'"),
            ("dice", "9", "found '9'"),
            ("dice-8-10-12", "8 0", "found '0'"),
        ] {
            let error = given(method, rolls).unwrap_err().to_string();
            assert!(error.contains(reason), "{method} {rolls}: {error}");
        }
    }

    #[test]
    fn random_rolls_complete_start() {
        for method in &METHODS {
            for seed in 0..200 {
                let drawn = method.draw(Rolls::random(Random::new(seed))).unwrap();
                assert!(number(&drawn) < 960 && drawn.steps.len() > 3, "{} {seed}", method.name);
            }
        }
    }

    /// We count probabilities in units of 1/11,520, because the denominator of every probability divides 11,520.
    const WHOLE: usize = 11_520;

    /// Follows every sequence of rolls. Returns the probability of each start in units of 1/[`WHOLE`], and the average
    /// number of rolls.
    fn distribution(method: &Method) -> (BTreeMap<u32, usize>, f64) {
        let (mut shares, mut average, mut path) = (BTreeMap::new(), 0.0, Vec::new());
        loop {
            // The first throws take the choices in `path`, and all later throws take their first choice.
            let mut throws: Vec<(usize, f64)> = Vec::new();
            let decide = |outcomes: usize, choices: usize| {
                // A rejected outcome means another throw, so on average a throw takes `outcomes / choices` times as
                // many rolls.
                let rolls = if method.name.ends_with("coins") { outcomes.ilog2() as usize } else { 1 };
                throws.push((choices, (rolls * outcomes) as f64 / choices as f64));
                path.get(throws.len() - 1).copied().unwrap_or(0)
            };
            let drawn = method.draw(Rolls::Decided(Box::new(decide))).unwrap();
            let ways: usize = throws.iter().map(|(choices, _)| choices).product();
            *shares.entry(number(&drawn)).or_insert(0) += WHOLE / ways;
            average += throws.iter().map(|(_, rolls)| rolls).sum::<f64>() / ways as f64;
            // The next path changes the last throw that still has an untried choice.
            path.resize(throws.len(), 0);
            while path.last().is_some_and(|&last| last + 1 == throws[path.len() - 1].0) {
                path.pop();
            }
            let Some(last) = path.last_mut() else { return (shares, average) };
            *last += 1;
        }
    }

    #[test]
    fn probabilities_are_exact() {
        for method in METHODS.iter().filter(|method| method.name != "cards") {
            let (shares, average) = distribution(method);
            let (mut found, mut expected) = (BTreeMap::new(), BTreeMap::new());
            shares.values().for_each(|share| *found.entry(*share).or_insert(0) += 1);
            for (count, denominator) in method.shares {
                expected.insert(WHOLE / *denominator as usize, *count);
            }
            assert_eq!(found, expected, "{}", method.name);
            assert_eq!(shares.values().sum::<usize>(), WHOLE, "{}", method.name);
            let average = (average * 100.0).round() / 100.0;
            let stated = method.average.map_or(average.round().to_string(), str::to_owned);
            assert_eq!(stated.split(' ').next(), Some(&average.to_string()[..]), "{}", method.name);
        }
    }

    #[test]
    fn cards_are_uniform() {
        let mut counts = BTreeMap::new();
        for deal in 0..4 * 4 * 720 {
            let (mut pieces, mut order) = (vec!["N1", "N2", "Q", "R1", "R2", "R3"], deal / 16);
            let mut rolls = vec![["a", "c", "e", "g"][deal % 4], ["b", "d", "f", "h"][deal / 4 % 4]];
            for left in (1..=pieces.len()).rev() {
                rolls.push(pieces.remove(order % left));
                order /= left;
            }
            let rest = "a b c d e f g h".split(' ').filter(|file| !rolls[..2].contains(file));
            let rolls = rolls.iter().copied().chain(rest).collect::<Vec<_>>().join(" ");
            *counts.entry(given("cards", &rolls).unwrap()).or_insert(0) += 1;
        }
        assert!(counts.len() == 960 && counts.values().all(|&count| count == 12));
    }
}
