//! Error message for processors that lack an instruction set that the program was compiled for.

/// Installs the handler before `main`, in which the compiler may already use every instruction of the processor that it
/// built for. For the root of a program.
#[macro_export]
macro_rules! report_illegal_instructions {
    () => {
        #[cfg(unix)]
        #[used]
        // SAFETY: the section in which the system looks for functions to call at the start, and the type it expects.
        #[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
        #[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
        static BEFORE_MAIN: extern "C" fn() = $crate::util::illegal_instruction::report_illegal_instructions;
    };
}

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
