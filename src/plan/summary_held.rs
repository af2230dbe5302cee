//! What callers are told of an array that regions by hand hold in a function: as if the regions were not there, but for what
//! is copied.
//!
//! ```c
//! void step(double *u, int n)
//! {
//!     #pragma omp target data map(tofrom: u[0:n])      /* what it maps exists, and it is what a call copies: twice       */
//!     { … kernels on u … }                             /* these say what is needed and written                           */
//! }
//! ```
//!
//! Where a caller has the array on the device, the region copies nothing and the kernels do what they always did. So a
//! function that this tool has given a region is to its callers no more than it was before, and a second run finds nothing
//! that the first has not found.
//!
//! That holds where nothing but kernels uses the array in the region, and nothing that these write is meant to be lost.

use super::by_hand::beside;
use super::evaluate::Candidate;
use super::summary::Maker;
use crate::analysis::device_summary::DeviceUse;
use crate::analysis::movement::family::Family;

impl Maker<'_> {
    /// The use of an array that regions hold.
    pub(super) fn held_use(&mut self, candidate: &Candidate) -> Result<DeviceUse, String> {
        let inputs = self.inputs;
        let held = "a region by hand holds it there";
        let Family::Single(base) = candidate.family else {
            return Err(held.into());
        };
        if inputs.model.points_to.call_graph().recursive_inside(inputs.model.func) {
            return Err(format!("{held}, and the function calls itself"));
        }
        if !beside(inputs, candidate)?.is_empty() {
            return Err("it may overlap what data directives manage there".into());
        }
        let bare = inputs.without_regions(candidate).filter(|c| !c.launches.is_empty());
        let bare = bare.ok_or_else(|| format!("{held}, and kernels name it otherwise"))?;
        let regions = inputs.held_regions(candidate);
        if regions.iter().any(|r| r.updated) || !inputs.updates_at_calls(&bare, None).is_empty() {
            return Err(format!("{held}, with updates"));
        }
        // That nothing that is written in the regions is meant to be lost is asked of these.
        let (in_regions, used) = (self.kernels_use(candidate)?, self.kernels_use(&bare)?);
        let used = used.filter(|_| in_regions.is_some());
        let mut used = used.ok_or_else(|| format!("{held}, and not only kernels use it"))?;
        for section in self.mapped(candidate, base)? {
            if !used.mapped.contains(&section) {
                used.mapped.push(section);
            }
        }
        let (copies, copies_in) = self.copies(candidate);
        used.copies = (used.copies.0.min(copies.0), used.copies.1.min(copies.1));
        used.copies_in &= copies_in;
        Ok(used)
    }

    /// Whether callers would have an array on the device if no region by hand held it here.
    pub(super) fn is_only_held(&mut self, candidate: &Candidate) -> bool {
        let bare = self.inputs.without_regions(candidate);
        let bare = bare.filter(|_| !candidate.held.regions.is_empty());
        let used = bare.and_then(|bare| self.device_use(&bare).ok());
        used.is_some_and(|used| !used.updates.is_some_and(|u| u.own))
    }
}
