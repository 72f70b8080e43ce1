//! Progress of long work on standard error; nothing without the feature `tools`.

#[cfg(feature = "tools")]
mod bar;
#[cfg(not(feature = "tools"))]
mod silent;

#[cfg(feature = "tools")]
pub use bar::Progress;
#[cfg(not(feature = "tools"))]
pub use silent::Progress;
