//! Error message for processors that lack an instruction set that the program was compiled for.

/// Installs a handler of the signal `SIGILL`, which the processor raises at an unknown instruction. The handler prints
/// an error message and exits with code 2. Other systems than Unix end the program without the message.
#[cfg(unix)]
pub extern "C" fn report_illegal_instructions() {
    extern "C" fn report(_: libc::c_int) {
        const MESSAGE: &[u8] =
            b"enroque: this program was built for a newer processor than this one; take the binary \
            for all processors, or build it here\n";
        // SAFETY: both functions are async-signal-safe, and the message is static.
        unsafe {
            libc::write(libc::STDERR_FILENO, MESSAGE.as_ptr().cast(), MESSAGE.len());
            libc::_exit(2);
        }
    }
    // SAFETY: the handler calls only async-signal-safe functions.
    unsafe {
        libc::signal(libc::SIGILL, report as extern "C" fn(libc::c_int) as libc::sighandler_t);
    }
}
