//! What a function that starts no kernels does to arrays of its callers on the host, and how far.
//!
//! ```c
//! void probe(const struct chunk *c) { printf("%g", c->pressure[c->nx / 2]); }     /* reads one element */
//! ```
//!
//! Points-to and effects say that `probe` may read the array, and would have all of it copied back before the call. The
//! summary says which part, in terms of what the function is called with ([`CalleeTerm`]), to be translated at each call
//! ([`crate::analysis::host_calls`]). What the function does through other names is listed by location, and what it does
//! that is not understood makes it have no summary: then its effects must do.

use super::callee_term::CalleeTerm;
use crate::program::objects::MemLoc;
use crate::symbolic::{Section, SectionSet};

/// An array that the function uses under a name that callers know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HostUse {
    /// How the function reaches it.
    pub root: CalleeTerm,
    /// Bytes per element.
    pub element: u64,
    /// Where it may be, over all calls.
    pub locs: Vec<MemLoc>,
    /// What may be read.
    pub reads: SectionSet,
    /// What may be written.
    pub writes: SectionSet,
    /// What surely is written.
    pub must: Vec<Section>,
    /// What surely is read, so that it exists.
    pub surely_read: Vec<Section>,
}

/// A function's use of its callers' memory.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HostSummary {
    /// The symbols of its sections: `Sym(i)` is the i-th.
    pub terms: Vec<CalleeTerm>,
    /// Arrays by name.
    pub uses: Vec<HostUse>,
    /// Whatever else it touches.
    pub others: Vec<MemLoc>,
}

impl HostSummary {
    /// Everything that it names.
    pub fn named(&self) -> impl Iterator<Item = &CalleeTerm> {
        self.terms.iter().chain(self.uses.iter().map(|u| &u.root))
    }
}
