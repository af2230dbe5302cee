//! A bug in one file's analysis must not take the others down, nor print a stack trace at the user.

use std::panic::{self, UnwindSafe};
use std::sync::{Mutex, PoisonError};

/// What the last panic said, and where.
static LAST: Mutex<Option<String>> = Mutex::new(None);

/// From now on panics are remembered instead of printed.
pub fn install() {
    panic::set_hook(Box::new(|info| {
        let place = info
            .location()
            .map_or_else(String::new, |l| format!(" at {}:{}", l.file(), l.line()));
        let text = info.payload_as_str().unwrap_or("a panic without a message");
        *LAST.lock().unwrap_or_else(PoisonError::into_inner) = Some(format!("{text}{place}"));
    }));
}

/// Runs `work`.
///
/// # Errors
/// What a panic in it said.
pub fn guarded<T>(work: impl FnOnce() -> T + UnwindSafe) -> Result<T, String> {
    panic::catch_unwind(work).map_err(|_| {
        let last = LAST.lock().unwrap_or_else(PoisonError::into_inner).take();
        last.unwrap_or_else(|| "a panic without a message".into())
    })
}
