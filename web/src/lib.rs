//! The engine as a WebAssembly module with two functions: `buffer` receives a line, `handle` executes it.
//!
//! Most lines are UCI commands. A line that begins with `web` is a question on rules, games or start positions; its
//! answer is one line of JSON. `README.md` lists the questions and the functions that the host supplies.

mod answers;

use std::cell::RefCell;

use enroque::uci::Session;
use enroque::util::host::print_line;

/// A line that begins with this is a question from the web page. Any other line is a UCI command.
const QUESTION: &str = "web ";

thread_local! {
    static LINE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    /// The UCI session. The first UCI command starts it, because questions need no engine.
    static SESSION: RefCell<Option<Session>> = const { RefCell::new(None) };
}

/// Returns the address of a buffer of `length` bytes for the next line.
#[unsafe(no_mangle)]
pub extern "C" fn buffer(length: usize) -> *mut u8 {
    LINE.with_borrow_mut(|line| {
        line.clear();
        line.resize(length, 0);
        line.as_mut_ptr()
    })
}

/// Executes the line in the buffer. If the line starts a search, the function returns when the search has ended. The
/// host must not call the function again before it returns.
#[unsafe(no_mangle)]
pub extern "C" fn handle() {
    let bytes = LINE.take();
    let line = String::from_utf8_lossy(&bytes);
    let result = match line.strip_prefix(QUESTION) {
        Some(question) => print_line(&answers::answer(question)).map_err(|error| error.to_string()),
        None => obey(&line),
    };
    if let Err(error) = result {
        // The host sees an error only if we print it.
        let _ = print_line(&format!("info string error: {error}"));
    }
}

fn obey(line: &str) -> Result<(), String> {
    SESSION.with_borrow_mut(|session| {
        let session = match session {
            Some(session) => session,
            None => session.insert(Session::new().map_err(|error| error.to_string())?),
        };
        session.handle_line(line).map(|_| ()).map_err(|error| error.to_string())
    })
}
