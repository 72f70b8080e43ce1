//! Arguments to the UCI loop or to one tool.

use std::process::ExitCode;

use enroque::{cli, processor, uci};

fn main() -> ExitCode {
    processor::report_illegal_instructions();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let served = if arguments.is_empty() {
        uci::serve().map(|()| true)
    } else if cli::are_uci_lines(&arguments) {
        uci::run_lines(&arguments)
    } else {
        return cli::run().into();
    };
    match served {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => cli::BAD_INPUT.into(),
        Err(error) => cli::exit_code_of(&error).into(),
    }
}
