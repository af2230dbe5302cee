//! Whether somebody still waits for what is being made.
//!
//! ```text
//! server: edit 2 comes while the run about edit 1 goes on ─► patience.end() ─► the run ends at the next function that it looks at
//! ```
//!
//! Analyses are deep, and none of them has an answer for "nobody wants to know". So the run unwinds, as it does from a bug: whoever guards it
//! ([`crate::panics::guarded`]) gets an error that nobody reads. What was made until then is not kept.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Says whether somebody waits, to all that have a copy. By default somebody always does.
#[derive(Clone, Debug, Default)]
pub struct Patience(Arc<AtomicBool>);

impl Patience {
    /// From now on nobody waits.
    pub fn end(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether nobody waits any more.
    pub fn is_over(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Ends what is being done, if nobody waits for it.
    pub fn go_on(&self) {
        if self.is_over() {
            // Not `panic!`: nothing is wrong, and no hook is to hear of it.
            std::panic::resume_unwind(Box::new("nobody waits for it any more"));
        }
    }
}

/// Options are the same whoever waits for what they are for.
impl PartialEq for Patience {
    fn eq(&self, _: &Patience) -> bool {
        true
    }
}

impl Eq for Patience {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_ends_when_nobody_waits() {
        let patience = Patience::default();
        let copy = patience.clone();
        let work = || {
            copy.go_on();
            3
        };
        assert_eq!(
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).ok(),
            Some(3)
        );
        patience.end();
        assert!(copy.is_over() && patience == Patience::default());
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).is_err());
    }
}
