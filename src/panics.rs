//! A bug in one file's analysis must not take the others down, nor print a stack trace at the user.

use std::any::Any;
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
        let text = payload(info.payload());
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

fn payload(payload: &dyn Any) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without a message")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_its_message() {
        install();
        let said = guarded(|| panic!("number {}", 7)).unwrap_err();
        let _ = panic::take_hook();
        assert!(said.starts_with("number 7 at src/panics.rs:"), "{said}");
        assert_eq!(guarded(|| 7), Ok(7));
    }
}
