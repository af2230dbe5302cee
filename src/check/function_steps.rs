//! What a function does with the objects of its callers, in terms of what it is called with.
//!
//! ```c
//! void smooth(double *v, int n)                   // parameter 0: region entry v[0:n], kernel, region exit
//! void both(double *a, int m) { smooth(a + 1, m); }
//!                                                 // parameter 0 of `both`: a call with the steps of `smooth` on a[1:m]
//! ```

use super::steps::StepGraph;
use crate::analysis::callee_term::CalleeTerm;
use crate::program::objects::MemLoc;
use std::sync::Arc;

/// An object of callers that a function has to do with.
#[derive(Clone, Debug)]
pub struct CalleeArray {
    /// How the function reaches it.
    pub root: CalleeTerm,
    /// Bytes per element.
    pub element: u64,
    /// Where it may be, over all calls.
    pub locs: Vec<MemLoc>,
    pub graph: Arc<StepGraph>,
}

/// What a function does with objects of its callers.
#[derive(Clone, Default, Debug)]
pub struct FunctionSteps {
    /// The symbols of its sections: `Sym(i)` is the i-th.
    pub terms: Vec<CalleeTerm>,
    pub arrays: Vec<CalleeArray>,
    /// What the function uses beside the arrays.
    pub unlisted: Unlisted,
}

/// Locations that may be used beside listed arrays.
#[derive(Clone, Default, Debug)]
pub struct Unlisted {
    /// The locations may be anywhere.
    pub anywhere: bool,
    /// Where they may be.
    pub locs: Vec<MemLoc>,
}

impl Unlisted {
    /// Adds locations; none means anywhere.
    pub fn add(&mut self, locs: &[MemLoc]) {
        self.anywhere |= locs.is_empty();
        self.locs.extend(locs);
    }
}
