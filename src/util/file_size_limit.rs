//! Limit of the size of files (`ulimit -f`): a write beyond it is an error, not the end of the program.

/// Installs a handler of the signal `SIGXFSZ` that does nothing, so that the write that raised it fails. Child processes
/// do not inherit a handler.
#[cfg(unix)]
pub fn report_as_error() {
    extern "C" fn ignore(_: libc::c_int) {}
    // SAFETY: the handler does nothing.
    unsafe {
        libc::signal(libc::SIGXFSZ, ignore as extern "C" fn(libc::c_int) as libc::sighandler_t);
    }
}
