//! Prints a readable error when the CPU lacks an instruction set that the program was compiled for.

/// Installs the `SIGILL` handler before `main`, which may contain illegal instructions. Invoke this in the crate root.
#[macro_export]
macro_rules! report_illegal_instructions {
    () => {
        #[cfg(unix)]
        #[used]
        // SAFETY: the system calls the functions in this section at the start, and expects this type.
        #[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
        #[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
        static BEFORE_MAIN: extern "C" fn() = $crate::util::illegal_instruction::report_illegal_instructions;
    };
}

/// Installs a handler for `SIGILL`, the signal for an unknown instruction: it prints an error and exits with code 2.
/// Windows has no such signal, and ends the program without a message.
#[cfg(unix)]
pub extern "C" fn report_illegal_instructions() {
    extern "C" fn report(_: libc::c_int) {
        const MESSAGE: &[u8] =
            b"error: this program was built for a newer CPU than this one; take the binary \
            for all CPUs, or build it here\n";
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
