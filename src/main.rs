//! The program `enroque`: speaks UCI on standard input and output, or executes its arguments as UCI lines.

use std::process::ExitCode;

use enroque::terminal::{ExitStatus, OutputError, eprint_line, print_line};
use enroque::uci;
#[cfg(unix)]
use enroque::util::file_size_limit;
use enroque::util::other_programs::other_program;
use enroque::util::version::{ABOUT, NAME};

enroque::report_illegal_instructions!();

/// `--help` prints this and the list of UCI commands.
const USAGE: &str = "\
Usage: enroque [UCI LINE]...

Without arguments, it reads UCI commands from standard input. With arguments,
it executes them in order and quits. Quote a line that has blanks:
  enroque bench
  enroque perft 6
  enroque 'position sp 334' d 'go depth 15'
";

fn print(text: &str) -> Result<ExitStatus, OutputError> {
    print_line(text).map(|()| ExitStatus::Success)
}

fn main() -> ExitCode {
    #[cfg(unix)]
    file_size_limit::report_as_error();
    // UCI lines are text. A file name may contain bytes that aren't UTF-8, so we replace these.
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
    let first = arguments.first().map_or("", String::as_str);
    let result = match first {
        "" if arguments.is_empty() => uci::serve().map(|()| ExitStatus::Success),
        "-h" | "--help" => {
            print(&format!("{ABOUT}\n\n{USAGE}\n{}", uci::command::help())).map_err(Into::into)
        }
        "-V" | "--version" => print(NAME).map_err(Into::into),
        _ => match other_program(first) {
            Some(program) => {
                eprint_line(&format!("enroque: '{first}' is a command of {program}: {program} {first}"));
                Ok(ExitStatus::BadInput)
            }
            None => uci::run_lines(&arguments),
        },
    };
    result.unwrap_or_else(|error| ExitStatus::of_error(&error)).into()
}
