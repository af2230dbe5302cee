//! What a function does on the device, as its callers see it.
//!
//! ```c
//! void smooth(double *v, int n) {     /* parameter 0 is an array of n elements: read and written by a kernel  */
//!     #pragma omp target teams distribute parallel for map(tofrom: v[0:n])
//!     for (int i = 1; i < n - 1; i++) v[i] = (v[i-1] + v[i] + v[i+1]) / 3;
//! }
//! smooth(u, m);                       /* starts a kernel that reads u[0:m], may write u[1:m-1], maps u[0:m]    */
//! ```
//!
//! A caller may keep `u` on the device over such a call: the kernel finds it present and copies nothing. That holds only
//! while the callee itself touches the array in kernels alone, or can be given updates that keep it current
//! ([`Updates`]); what it otherwise touches on the host is *opaque*, and no residency spans the call (R9 of `docs/architecture.md`). Sections are in terms of the callee's parameters and globals as they are
//! on entry ([`CalleeTerm`]) and are translated at each call ([`crate::analysis::device_calls`]).

use super::callee_term::CalleeTerm;
use super::host_summary::HostSummary;
use crate::analysis::payment::Payment;
use crate::program::objects::MemLoc;
use crate::reasons::Reason;
use crate::symbolic::{Comparison, Expr, Section, SectionSet};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// A section that exists in every call in which something holds.
///
/// ```c
/// void advect(struct chunk *c, int direction)
/// {
///     if (direction == 0)
///         sweep_x(c->flux, c->faces);         /* c->flux[0:c->faces] exists where `direction` is 0: in advect(c, 0) */
///     else
///         sweep_y(c->other, c->faces);
/// }
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Existing {
    /// The section.
    pub section: Section,
    /// The section exists where all of these hold.
    pub guards: Vec<Comparison>,
}

impl Existing {
    /// A section that exists in any case.
    pub fn always(section: Section) -> Existing {
        Existing {
            section,
            guards: Vec::new(),
        }
    }
}

/// An array that the function's kernels use.
#[derive(Clone, Debug)]
pub struct DeviceUse {
    /// How the function reaches it.
    pub root: CalleeTerm,
    /// Bytes per element.
    pub element: u64,
    /// Where it may be, over all calls.
    pub locs: Vec<MemLoc>,
    /// What must be current on the device when the function is called.
    pub needs: SectionSet,
    /// What its kernels may write.
    pub may: SectionSet,
    /// What they surely write.
    pub must: Vec<Section>,
    /// What they surely map in every call in which `when` holds, so that it exists.
    pub exists: Vec<Existing>,
    /// What they map.
    pub mapped: Vec<Section>,
    /// All of this holds in a call where these are positive: else some kernel there maps nothing, and does nothing or runs on
    /// the host.
    pub when: Vec<Expr>,
    /// Copies that its kernels make where nothing is present.
    pub copies: Vec<Payment>,
    /// How many of them are expected.
    pub expected_copies: f64,
    /// The kernels surely copy the array in where nothing is present.
    pub copies_in: bool,
    /// The root is a global pointer, and kernels surely map the array through that, which they copy then, too.
    pub by_global: bool,
    /// Other arrays that are another one only by the kernels' maps: to be checked where the function is called.
    pub apart: Vec<CalleeTerm>,
    /// What the function, or one that it calls, copies itself where the array is present.
    pub updates: Option<Updates>,
}

/// The copies by which a function that also uses an array on the host keeps it current where callers have it on the device.
///
/// ```c
/// void step(double *v, int n) {
///     #pragma omp target … map(tofrom: v[0:n])
///     …
///     #pragma omp target update from(v[0:1])      /* both do nothing where `v` is not on the device */
///     v[0] = clamp(v[0]);
///     #pragma omp target update to(v[0:1])
/// }
/// ```
///
/// With them the call is to its caller what a kernel is: it finds the array current on the device, and leaves it so
/// ([`crate::plan`], `coherent`). They are written where some caller keeps the array there, else not.
#[derive(Clone, Debug)]
pub struct Updates {
    /// All that they copy: must lie in what the caller maps, because an update of a part that is there is an error.
    pub sections: Vec<Section>,
    /// What the function's own ones bring to the host: a part of what it needs.
    pub fetched: Vec<Section>,
    /// Copies of an extent that kernels make where nothing is present, less one for each update: the least over all ways
    /// through the function.
    pub net: i64,
    /// Elements that the updates are expected to copy in a call.
    pub elements: f64,
    /// No kernel uses the array: the function has nothing to do on the device but these copies.
    pub host_only: bool,
    /// The updates stand in this very function, at least some of them.
    pub own: bool,
}

/// What kernels map of structs by paths (`s->x[0:n]`), and so have of the structs on the device.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Members {
    /// The members.
    pub list: Vec<MappedMember>,
    /// What kernels touch or map that they have not mapped so themselves.
    pub loose: Vec<MemLoc>,
    /// Nothing is missing: it is known of all that is mapped where it lies.
    pub complete: bool,
}

/// A member of a struct that kernels map by its path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MappedMember {
    /// Which one: what it holds on entry it holds at these kernels.
    pub root: CalleeTerm,
    /// Where it may lie, over all calls.
    pub places: Vec<MemLoc>,
    /// The member is a number that is copied in; else the pointer to an array.
    pub number: bool,
    /// A kernel that maps it is come to in every call.
    pub surely: bool,
}

impl Default for Members {
    fn default() -> Members {
        Members {
            list: Vec::new(),
            loose: Vec::new(),
            complete: true,
        }
    }
}

impl Members {
    /// Adds a member that a kernel maps.
    pub fn add(&mut self, root: CalleeTerm, places: Vec<MemLoc>, number: bool, surely: bool) {
        match self.list.iter_mut().find(|m| m.root == root && m.number == number) {
            Some(known) => known.surely |= surely,
            None => self.list.push(MappedMember {
                root,
                places,
                number,
                surely,
            }),
        }
    }
}

/// A function's use of the device.
#[derive(Clone, Debug, Default)]
pub struct DeviceSummary {
    /// The symbols of its sections: `Sym(i)` is the i-th.
    pub terms: Vec<CalleeTerm>,
    /// Some kernel maps a member of a struct by its path (`s->x[0:n]`), and so the struct.
    pub maps_members: bool,
    /// What is mapped of structs by paths.
    pub members: Members,
    /// Everything in memory that kernels touch.
    pub touched: Vec<MemLoc>,
    /// Arrays that only kernels touch.
    pub uses: Vec<DeviceUse>,
    /// Arrays that are also used otherwise.
    pub opaque: Vec<OpaqueArray>,
    /// What the function does on the host, but for arrays that it brings up to date itself; `None` where that is not known.
    pub host: Option<Arc<HostSummary>>,
    /// Made of a circle of calls that is still looked at: what it does not mention it leaves alone, as far as is known.
    pub guess: bool,
}

/// An array over a call of which no residency spans.
#[derive(Clone, Debug)]
pub struct OpaqueArray {
    /// How the function reaches it, where that is known.
    pub root: Option<CalleeTerm>,
    /// Where it may be, over all calls.
    pub locs: Vec<MemLoc>,
    /// Why.
    pub reason: Reason,
    /// The array is opaque because of data directives in the text, which a run of this tool may have written.
    pub by_hand: bool,
}

/// Each opaque array once, with the reason that was found first. Where functions call each other on many ways, each way tells
/// of the same arrays: without this, lists grow with the number of ways.
pub fn each_once(list: Vec<OpaqueArray>) -> Vec<OpaqueArray> {
    let mut known = FxHashSet::default();
    let is_new = |o: &OpaqueArray| known.insert((o.root.clone(), o.locs.clone(), o.by_hand));
    let mut list = list;
    list.retain(is_new);
    list
}

impl DeviceSummary {
    /// Everything that it names.
    pub fn named(&self) -> impl Iterator<Item = &CalleeTerm> {
        let roots = self.uses.iter().flat_map(|u| u.apart.iter().chain([&u.root]));
        let opaque = self.opaque.iter().filter_map(|o| o.root.as_ref());
        let host = self.host.iter().flat_map(|h| h.named());
        let members = self.members.list.iter().map(|m| &m.root);
        self.terms.iter().chain(roots).chain(opaque).chain(host).chain(members)
    }
}
