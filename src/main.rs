//! Arguments to the UCI loop or to one tool.

use std::process::ExitCode;

use enroque::{cli, processor, uci};

fn main() -> ExitCode {
    processor::report_illegal_instructions();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let served = if arguments.is_empty() {
        uci::serve()
    } else if cli::are_uci_lines(&arguments) {
        uci::run_lines(&arguments)
    } else {
        return cli::run().into();
    };
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => cli::exit_code_of(&error).into(),
    }
}
