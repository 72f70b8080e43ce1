//! Text in and out of a terminal: whole lines, progress bars, Ctrl-C, board diagrams.

pub mod board;
mod exit_status;
#[cfg(feature = "tools")]
pub mod interrupt;
mod output;
pub mod progress;

pub use exit_status::ExitStatus;
pub use output::{
    OutputError, eprint_line, is_closed_pipe, print_line, printable_lines, without_error_numbers,
};
