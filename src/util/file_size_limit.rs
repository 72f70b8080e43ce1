//! The limit on file sizes (`ulimit -f`).

/// Makes a write beyond the limit fail with an error. Without a handler for the signal `SIGXFSZ`, the write would
/// end the program.
pub fn report_as_error() {
    extern "C" fn ignore(_: libc::c_int) {}
    // SAFETY: the handler does nothing.
    unsafe {
        libc::signal(libc::SIGXFSZ, ignore as extern "C" fn(libc::c_int) as libc::sighandler_t);
    }
}
