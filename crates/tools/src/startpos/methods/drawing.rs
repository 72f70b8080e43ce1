//! Start position in progress, with the steps so far.

use super::{Drawn, MethodError};
use enroque::chess::PieceKind::{self, Bishop, King, Knight, Queen, Rook};
use enroque::chess::square::File;
use enroque::chess::startpos::{KNIGHTS, Placement, back_rank_letters};

/// Back rank that a method fills piece by piece.
#[derive(Default)]
pub struct Drawing {
    placement: Placement,
    steps: Vec<String>,
}

/// `true` if the square of this file on the first rank is dark.
pub fn is_dark(file: usize) -> bool {
    file.is_multiple_of(2)
}

impl Drawing {
    /// Returns the free files that `condition` accepts, from the left.
    pub fn free(&self, condition: impl Fn(usize) -> bool) -> Vec<usize> {
        self.placement.free().filter(|&file| condition(file)).collect()
    }

    /// Adds a line with rolls and their meaning.
    pub fn note(&mut self, rolled: &str, text: &str) {
        self.steps.push(format!("{rolled:<12} {text}").trim_end().to_owned());
    }

    /// Places a piece on a free file.
    pub fn place(&mut self, file: usize, kind: PieceKind, name: &str, rolled: &str) {
        self.placement.put(file, kind);
        self.note(rolled, &format!("{name} on {}", square(file)));
    }

    /// Places the pieces of a start number, with the divisions of Scharnagl's method.
    pub fn place_number(mut self, number: usize) -> Result<Drawn, MethodError> {
        self.note("", "each remainder counts the free squares from the left, beginning with 0");
        let (rest, light) = self.divide(number, 4);
        self.place(2 * light + 1, Bishop, "  light-squared bishop", "");
        let (rest, dark) = self.divide(rest, 4);
        self.place(2 * dark, Bishop, "  dark-squared bishop", "");
        let (pair, queen) = self.divide(rest, 6);
        self.place(self.free(|_| true)[queen], Queen, "  queen", "");
        let pairs = KNIGHTS.map(|(first, second)| format!("{first}{second}"));
        self.note("", &format!("{pair}: pair {} of {}", pairs[pair], pairs.join(" ")));
        let (first, second) = KNIGHTS[pair];
        let free = self.free(|_| true);
        self.place(free[first], Knight, "  knight", "");
        self.place(free[second], Knight, "  knight", "");
        self.finish(&[Rook, King, Rook])
    }

    /// Adds a line with a division and returns quotient and remainder.
    fn divide(&mut self, number: usize, divisor: usize) -> (usize, usize) {
        let (quotient, remainder) = (number / divisor, number % divisor);
        self.note("", &format!("{number} = {divisor} x {quotient} + {remainder}"));
        (quotient, remainder)
    }

    /// Completes the back rank with pieces on the free squares, from the left.
    pub fn finish(mut self, kinds: &[PieceKind]) -> Result<Drawn, MethodError> {
        let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
        let rank = self.placement.finish(kinds).ok_or(MethodError::TooFew("last piece"))?;
        if !names.is_empty() {
            self.note("", &format!("{} on the remaining squares", names.join(", ")));
        }
        self.note("", &format!("start {}", back_rank_letters(&rank)));
        Ok(Drawn { rank, steps: self.steps })
    }
}

/// Returns the square of a file on the first rank.
fn square(file: usize) -> String {
    format!("{}1", File::ALL[file].letter())
}
