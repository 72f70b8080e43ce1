//! What the program calls itself.

/// Name and version as sent by `id name`, such as `Enroque 0.2.0`.
pub const NAME: &str = concat!("Enroque ", env!("CARGO_PKG_VERSION"));

/// Program, version and commit, which every generated file records.
pub const GENERATOR: &str = concat!("enroque ", env!("CARGO_PKG_VERSION"), " ", env!("ENROQUE_COMMIT"));

/// The value of the UCI option `UCI_EngineAbout`.
pub const ABOUT: &str =
    concat!("Enroque ", env!("CARGO_PKG_VERSION"), ", a chess engine for which Chess960 is the normal case");
