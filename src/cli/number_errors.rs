//! Errors of numbers on the command line in plain words, in place of those of the standard library.

use std::error::Error as _;
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};

use clap::Error;
use clap::error::{ContextKind, ErrorKind};

use crate::terminal::{eprint_line, printable_lines};

/// Prints the error and ends the program, with exit code 0 if it is a request for help.
pub fn exit(error: &Error) -> ! {
    let plain = in_plain_words(error);
    let error = plain.as_ref().unwrap_or(error);
    let text = error.render().to_string();
    // Colours are control characters too, so that only a text with others loses its colours.
    if printable_lines(&text) == text {
        error.exit();
    }
    eprint_line(text.trim_end());
    std::process::exit(error.exit_code())
}

/// Returns the error of a number in plain words; `None` for any other error.
fn in_plain_words(error: &Error) -> Option<Error> {
    let source = error.source()?;
    let expected = if let Some(error) = source.downcast_ref::<ParseIntError>() {
        let is_too_large = *error.kind() == IntErrorKind::PosOverflow;
        String::from(if is_too_large { SMALLER } else { "expected a whole number" })
    } else if source.is::<ParseFloatError>() {
        "expected a number".to_owned()
    } else {
        expected_range(&source.to_string())?
    };
    let value = error.get(ContextKind::InvalidValue)?;
    let argument = error.get(ContextKind::InvalidArg)?;
    let text = format!("invalid value '{value}' for '{argument}': {expected}");
    Some(Error::raw(ErrorKind::ValueValidation, format!("{text}\n\nFor more information, try '--help'.\n")))
}

/// Complaint about a number beyond the limit of its type, which says nothing to a person.
const SMALLER: &str = "expected a smaller number";

/// Describes the range in a text of clap such as `0 is not in 1..=256`.
fn expected_range(text: &str) -> Option<String> {
    let (value, range) = text.split_once(" is not in ")?;
    let (first, last) = range.split_once("..")?;
    Some(match (first, last.strip_prefix('=')) {
        (_, Some(last)) if is_limit_of_type(last) && is_greater(value, last) => SMALLER.to_owned(),
        ("", Some(last)) => format!("expected a whole number up to {last}"),
        (first, Some(last)) if !is_limit_of_type(last) => {
            format!("expected a whole number from {first} to {last}")
        }
        (first, _) => format!("expected a whole number, at least {first}"),
    })
}

/// Compares two whole numbers.
fn is_greater(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(|number| number.parse::<i128>().ok());
    one > other
}

/// Returns `true` for the maximum of an integer type, which means no limit.
fn is_limit_of_type(last: &str) -> bool {
    [i64::from(i32::MAX), i64::from(u32::MAX), i64::MAX].iter().any(|max| max.to_string() == last)
        || last == u64::MAX.to_string()
}

#[cfg(test)]
mod tests {
    use clap::{Arg, Command, CommandFactory};

    use super::*;
    use crate::cli::Cli;

    /// Returns the commands that take arguments, each as a command of its own.
    fn commands(command: &Command) -> Vec<Command> {
        let below = command.get_subcommands().flat_map(commands);
        below.chain([command.clone()]).collect()
    }

    /// Returns the error of an argument with this value.
    fn error_of(argument: &Arg, value: &str) -> Option<String> {
        let argument = Arg::new("x")
            .long("x")
            .allow_hyphen_values(true)
            .value_parser(argument.get_value_parser().clone());
        let alone = Command::new("test").arg(argument);
        let error = alone.try_get_matches_from(["test", &format!("--x={value}")]).err()?;
        Some(in_plain_words(&error).unwrap_or(error).render().to_string())
    }

    #[test]
    fn numbers_have_plain_errors() {
        let mut errors = 0;
        for command in commands(&Cli::command()) {
            for argument in command.get_arguments().filter(|argument| argument.get_action().takes_values()) {
                for value in ["x", "-1", "0", "1.5", "99999999999999999999999", "1e99", "nan", ""] {
                    let Some(text) = error_of(argument, value) else { continue };
                    errors += 1;
                    for rust in ["invalid digit", "literal", "parse", "target type", "..=", "is not in"] {
                        assert!(!text.contains(rust), "{}: {text}", argument.get_id());
                    }
                }
            }
        }
        assert!(errors > 100, "{errors}");
    }

    #[test]
    fn ranges_are_described() {
        for (text, expected) in [
            ("0 is not in 1..=256", "expected a whole number from 1 to 256"),
            ("0 is not in 1..=2147483647", "expected a whole number, at least 1"),
            ("99999999999 is not in 1..=2147483647", "expected a smaller number"),
            ("0 is not in 2..", "expected a whole number, at least 2"),
            ("99 is not in ..=9", "expected a whole number up to 9"),
        ] {
            assert_eq!(expected_range(text).unwrap(), expected);
        }
        assert_eq!(expected_range("no range"), None);
    }
}
