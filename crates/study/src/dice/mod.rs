//! Draws a Chess960 start with dice, cards or coins. People roll by hand, or the program rolls for them.
//!
//! ```
//! use enroque::chess::startpos::scharnagl_number;
//! use enroque_study::dice::{Method, Rolls};
//!
//! let rolls = ["4", "2", "19"].map(str::to_owned);
//! let drawn = Method::by_name("dice-6-8-20").unwrap().draw(Rolls::given(rolls))?;
//! assert_eq!(scharnagl_number(&drawn.rank), Some(518));
//! # Ok::<(), enroque_study::dice::RollError>(())
//! ```

mod methods;
mod procedures;
mod rolls;

pub use self::methods::{METHODS, Method};
pub use self::procedures::Drawn;
pub use self::rolls::{RollError, Rolls};
