//! Squares, files and ranks. Ranks are counted from White's side, except by functions that take a [`Color`].

use std::fmt;

use super::Color;

/// Defines [`File`] and [`Rank`]: enums of eight values, each named by a character.
macro_rules! coordinate {
    ($(#[$doc:meta])* $name:ident: $($value:ident $index:literal)*, $last:ident; $first:literal $to_char:ident $from_char:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum $name {
            $($value,)*
            $last,
        }

        impl $name {
            pub const ALL: [Self; 8] = [$(Self::$value,)* Self::$last];

            /// Returns 0 for the a-file or the first rank, up to 7.
            #[inline]
            pub const fn index(self) -> usize {
                self as usize
            }

            /// Returns `None` if `index` is above 7.
            #[inline]
            pub const fn from_index(index: usize) -> Option<Self> {
                if index < 8 { Some(Self::wrapping(index as u8)) } else { None }
            }

            /// Takes `index` modulo 8. The compiler makes this match free, whereas a table would cost a load.
            #[inline]
            const fn wrapping(index: u8) -> Self {
                match index & 7 {
                    $($index => Self::$value,)*
                    _ => Self::$last,
                }
            }

            /// Returns `a` to `h` for a file, `1` to `8` for a rank.
            pub const fn $to_char(self) -> char {
                ($first + self as u8) as char
            }

            /// Returns `None` unless `name` is one of the eight characters. Files are lower case.
            pub const fn $from_char(name: char) -> Option<Self> {
                match (name as u32).checked_sub($first as u32) {
                    Some(index) => Self::from_index(index as usize),
                    None => None,
                }
            }
        }
    };
}

coordinate! {
    /// A file of the board, `a` to `h`.
    File: A 0 B 1 C 2 D 3 E 4 F 5 G 6, H; b'a' letter from_letter
}

coordinate! {
    /// A rank of the board, `1` to `8`, counted from White's side.
    Rank: First 0 Second 1 Third 2 Fourth 3 Fifth 4 Sixth 5 Seventh 6, Eighth; b'1' digit from_digit
}

impl Rank {
    /// Returns this rank counted from the side of `color`: its own back rank is the first.
    #[inline]
    pub const fn relative_to(self, color: Color) -> Self {
        Self::wrapping(self as u8 ^ (color as u8 * 7))
    }
}

/// One of the 64 squares, numbered 0 (a1) to 63 (h8) rank by rank.
///
/// ```
/// use enroque::chess::Square;
/// use enroque::chess::square::{File, Rank};
///
/// let e4 = Square::new(File::E, Rank::Fourth);
/// assert_eq!(Square::parse("e4"), Some(e4));
/// assert_eq!((e4.index(), e4.flip_rank().to_string()), (28, "e5".to_owned()));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Square(u8);

impl Square {
    pub const COUNT: usize = 64;

    #[inline]
    pub const fn new(file: File, rank: Rank) -> Self {
        Self((rank as u8) << 3 | file as u8)
    }

    /// Takes an index from 0 to 63. Debug builds panic on larger ones; release builds take them modulo 64.
    #[inline]
    pub const fn from_index(index: usize) -> Self {
        debug_assert!(index < 64);
        Self(index as u8 & 63)
    }

    /// Returns the index, 0 (a1) to 63 (h8).
    #[inline]
    pub const fn index(self) -> usize {
        // SAFETY: the field is private to this file, and every constructor keeps it below 64: `new` by its types, the
        // others by a mask, by XOR with 56, or by their range.
        unsafe { std::hint::assert_unchecked(self.0 < 64) };
        self.0 as usize
    }

    #[inline]
    pub const fn file(self) -> File {
        File::wrapping(self.0)
    }

    /// Returns the rank counted from White's side; [`Self::relative_rank`] counts from either side.
    #[inline]
    pub const fn rank(self) -> Rank {
        Rank::wrapping(self.0 >> 3)
    }

    /// Returns the rank counted from the side of `color`: its own back rank is the first.
    #[inline]
    pub const fn relative_rank(self, color: Color) -> Rank {
        self.relative_to(color).rank()
    }

    /// Returns the square as `color` sees it: unchanged for White, mirrored top to bottom for Black.
    #[inline]
    pub const fn relative_to(self, color: Color) -> Self {
        Self(self.0 ^ (color as u8 * 56))
    }

    /// Returns the square one rank forward for `color`. The last rank wraps around to the first.
    #[inline]
    pub const fn forward(self, color: Color) -> Self {
        Self(if matches!(color, Color::White) { self.0.wrapping_add(8) } else { self.0.wrapping_sub(8) } & 63)
    }

    /// Mirrors the square top to bottom (a1 ↔ a8).
    #[inline]
    pub const fn flip_rank(self) -> Self {
        Self(self.0 ^ 56)
    }

    /// Iterates over all squares, rank by rank: a1, b1, …, h8.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (0..64).map(Self)
    }

    /// Parses lower-case coordinates such as `e4`; `None` for any other text.
    pub fn parse(text: &str) -> Option<Self> {
        let mut letters = text.chars();
        let file = File::from_letter(letters.next()?)?;
        let rank = Rank::from_digit(letters.next()?)?;
        letters.next().is_none().then_some(Self::new(file, rank))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file().letter(), self.rank().digit())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn square_text_round_trip() {
        assert!(Square::all().all(|square| Square::parse(&square.to_string()) == Some(square)));
        for text in ["", "e", "e9", "i1", "E4", "e4 ", "e44", "4e"] {
            assert_eq!(Square::parse(text), None, "{text}");
        }
    }
}
