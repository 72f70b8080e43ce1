//! What becomes of a program on a processor that it was not built for.

/// From here on an instruction that the processor does not know ends the program with a line that says so and exit
/// code 2. Elsewhere than on Unix the system ends it.
#[cfg(unix)]
pub extern "C" fn report_illegal_instructions() {
    extern "C" fn report(_: libc::c_int) {
        const MESSAGE: &[u8] =
            b"enroque: this program was built for a newer processor than this one; take the binary \
            for all processors, or build it here\n";
        // SAFETY: both may be called in a signal handler, and the message lives as long as the program.
        unsafe {
            libc::write(libc::STDERR_FILENO, MESSAGE.as_ptr().cast(), MESSAGE.len());
            libc::_exit(2);
        }
    }
    // SAFETY: the handler only does what a handler may do.
    unsafe {
        libc::signal(libc::SIGILL, report as extern "C" fn(libc::c_int) as libc::sighandler_t);
    }
}
