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
use crate::openmp::MapType;
use crate::symbolic::Facts;

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
        if inputs.has_directives_inside(candidate) || !inputs.updates_at_calls(&bare, None).is_empty() {
            return Err(format!("{held}, with updates"));
        }
        let used = self.kernels_use(&bare)?;
        let mut used = used.ok_or_else(|| format!("{held}, and it is also used on the host"))?;
        let is_kept = match used.may.is_empty(&Facts::new()) {
            true => [MapType::To, MapType::From, MapType::Tofrom].as_slice(),
            false => &[MapType::From, MapType::Tofrom],
        };
        let regions = inputs.held_regions(candidate);
        if !used.when.is_empty() || !regions.iter().all(|r| is_kept.contains(&r.map_type)) {
            return Err(format!("{held}, and what is written there may be meant to be lost"));
        }
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
}
