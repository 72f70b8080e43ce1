//! Text for people and pipes: whole lines, exit codes, the board in ASCII.

mod diagram;
mod exit_status;
mod output;

pub use diagram::diagram;
pub use exit_status::ExitStatus;
pub use output::{OutputError, eprint_line, is_closed_pipe, print_line, printable_lines};
