//! Start position in progress, with the steps so far.

use super::{Drawn, MethodError};
use crate::chess::PieceKind::{self, Bishop, King, Knight, Queen, Rook};
use crate::chess::square::File;
use crate::chess::startpos::{KNIGHTS, Placement, back_rank_letters};

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
        let (rest, light) = (number / 4, number % 4);
        self.place(2 * light + 1, Bishop, &divided(number, 4, "light-squared bishop"), "");
        let (rest, dark) = (rest / 4, rest % 4);
        self.place(2 * dark, Bishop, &divided(number / 4, 4, "dark-squared bishop"), "");
        let (knights, queen) = (rest / 6, rest % 6);
        let file = self.free(|_| true)[queen];
        self.place(file, Queen, &divided(rest, 6, "queen"), "");
        let (first, second) = KNIGHTS[knights];
        let free = self.free(|_| true);
        let text =
            format!("{knights}: knights on free squares {} and {}, counted from 1,", first + 1, second + 1);
        self.placement.put(free[second], Knight);
        self.place(free[first], Knight, &text, "");
        if let Some(last) = self.steps.last_mut() {
            last.push_str(&format!(" and {}", square(free[second])));
        }
        self.finish(&[Rook, King, Rook])
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

/// Returns a division with remainder; the remainder counts the squares for the piece from 0.
fn divided(number: usize, divisor: usize, name: &str) -> String {
    let (quotient, remainder) = (number / divisor, number % divisor);
    format!("{number} = {divisor} x {quotient} + {remainder}: {name}, counted from 0,")
}

/// Returns the square of a file on the first rank.
fn square(file: usize) -> String {
    format!("{}1", File::ALL[file].letter())
}
