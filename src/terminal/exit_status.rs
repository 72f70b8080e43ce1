//! Exit status of the program.

use std::process::ExitCode;

use super::{eprint_line, is_closed_pipe};

/// Exit status of a command, the more severe the greater, with the code that the operating system receives.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ExitStatus {
    /// Everything was done, and every check passed.
    Success = 0,
    /// A check failed, or a result is incomplete.
    CheckFailed = 1,
    /// Bad usage or bad input.
    BadInput = 2,
    /// Ended by Ctrl-C.
    Interrupted = 130,
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
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        (status as u8).into()
    }
}
