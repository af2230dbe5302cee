//! What calls hold on the device, as callees name it ([`super::present_at_calls`] finds it).
//!
//! ```c
//! #pragma omp target data map(tofrom: u[0:n])
//! for (…) step(u, n);                                /* this call surely holds parameter 0 of `step`                */
//! step(w, n);                                        /* this one holds nothing: some call of `step` holds it, not all */
//! ```

use crate::analysis::callee_term::CalleeTerm;
use crate::program::ir::FuncId;
use crate::program::objects::Site;
use rustc_hash::FxHashMap;

/// What calls hold, as callees name it.
#[derive(Debug, Default)]
pub struct Held {
    /// What each call surely holds. Calls that are not listed hold nothing.
    pub(super) always: FxHashMap<Site, Vec<CalleeTerm>>,
    /// What some call of each function may hold.
    pub(super) ever: FxHashMap<FuncId, Vec<CalleeTerm>>,
}

impl Held {
    /// What a call surely holds.
    pub fn at(&self, site: &Site) -> &[CalleeTerm] {
        self.always.get(site).map_or(&[], Vec::as_slice)
    }

    /// What some call of a function may hold.
    pub fn ever(&self, func: FuncId) -> Vec<CalleeTerm> {
        self.ever.get(&func).cloned().unwrap_or_default()
    }

    /// Adds what another function's calls hold. Whether that may be more than before of some function.
    pub fn extend(&mut self, other: &Held) -> bool {
        for (site, terms) in &other.always {
            self.always.insert(*site, terms.clone());
        }
        let mut more = false;
        for (func, terms) in &other.ever {
            let known = self.ever.entry(*func).or_default();
            let new: Vec<&CalleeTerm> = terms.iter().filter(|t| !known.contains(t)).collect();
            more |= !new.is_empty();
            known.extend(new.into_iter().cloned());
        }
        more
    }
}

/// What callers of a function hold when they call it.
#[derive(Default)]
pub struct OnEntry {
    /// All of them.
    pub always: Vec<CalleeTerm>,
    /// Some of them, perhaps.
    pub ever: Vec<CalleeTerm>,
}
