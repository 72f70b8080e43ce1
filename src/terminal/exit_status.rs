//! Exit status of the program.

use std::process::ExitCode;

use super::{eprint_line, is_closed_pipe};

/// Exit status of a command, the more severe the greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ExitStatus {
    /// Exit code 0: everything was done, and every check passed.
    Success,
    /// Exit code 1: a check failed, or a result is incomplete.
    CheckFailed,
    /// Exit code 2: bad usage or bad input.
    BadInput,
    /// Exit code 130: ended by Ctrl-C.
    Interrupted,
}

impl ExitStatus {
    /// Returns [`Self::Success`] if a check `passed`, else [`Self::CheckFailed`].
    pub fn of_check(passed: bool) -> Self {
        if passed { Self::Success } else { Self::CheckFailed }
    }

    /// Reports an error on standard error and returns its status. A closed pipe (`enroque-tools startpos --all | head`) is no
    /// failure.
    pub fn of_error(error: &(dyn std::error::Error + 'static)) -> Self {
        if is_closed_pipe(error) {
            return Self::Success;
        }
        eprint_line(&format!("enroque: {error}"));
        Self::BadInput
    }

    /// Returns the number that the operating system receives.
    pub fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::CheckFailed => 1,
            Self::BadInput => 2,
            Self::Interrupted => 130,
        }
    }
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        status.code().into()
    }
}
