//! Name and version of the program, defined once.

/// Name and version as sent by `id name`, such as `Enroque 0.2.0`.
pub const NAME: &str = concat!("Enroque ", env!("CARGO_PKG_VERSION"));

/// Program, version and commit, as recorded in every file that the program generates.
pub const GENERATOR: &str = concat!("enroque ", env!("CARGO_PKG_VERSION"), " ", env!("ENROQUE_COMMIT"));

/// One-line description of the program.
pub const ABOUT: &str =
    concat!("Enroque ", env!("CARGO_PKG_VERSION"), ", a chess engine for which Chess960 is the normal case");
