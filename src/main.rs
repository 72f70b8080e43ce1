//! Arguments to the UCI loop or to one tool.

use std::process::ExitCode;

use enroque::terminal::ExitStatus;
#[cfg(unix)]
use enroque::util::{file_size_limit, illegal_instruction};
use enroque::{cli, uci};

/// Called before `main`, in which the compiler may use every instruction of the processor that it built for.
#[cfg(unix)]
#[used]
// SAFETY: where the system looks for functions to call at the start, and of the type that it expects.
#[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
#[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
static BEFORE_MAIN: extern "C" fn() = illegal_instruction::report_illegal_instructions;

fn main() -> ExitCode {
    #[cfg(unix)]
    file_size_limit::report_as_error();
    // Names of files may hold any bytes; the command line keeps them, and UCI lines are text.
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
    let result = if arguments.is_empty() {
        uci::serve().map(|()| ExitStatus::Success)
    } else if cli::are_uci_lines(&arguments) {
        uci::run_lines(&arguments)
    } else {
        Ok(cli::run())
    };
    result.unwrap_or_else(|error| ExitStatus::of_error(&error)).into()
}
