//! What calls of functions with kernels do on the host.
//!
//! ```c
//! void relax(double *v, double *w, int n)
//! {
//!     v[0] = 0.5 * v[0] + 1.0;                /* on the host */
//!     #pragma omp target … map(tofrom: w[0:n])
//!     …
//! }
//! relax(a, b, n);                             /* host code to `a`, a kernel to `b` */
//! ```
//!
//! What a function's kernels use and what its host code uses may be told apart by what each call hands over. Then a call is
//! host code to one array and a kernel to another; to an array that is both it is neither, unless the function brings its
//! own copies ([`crate::analysis::device_summary::Updates`]).

use super::subject::Subject;
use crate::analysis::arrays::locs_of;
use crate::analysis::device_calls::DeviceCall;
use crate::analysis::values::table::Base;
use crate::program::ir::InstId;
use crate::program::objects::ObjectKind;
use crate::symbolic::{Facts, Section, SectionSet};

/// What a call does to a cell on the host.
#[derive(Clone, Default)]
pub(super) struct HostPart {
    pub reads: SectionSet,
    pub writes: SectionSet,
    pub must: Vec<Section>,
}

impl HostPart {
    pub fn whole(reads: bool, writes: bool) -> HostPart {
        let all = |yes| if yes { SectionSet::All } else { SectionSet::Empty };
        HostPart {
            reads: all(reads),
            writes: all(writes),
            must: Vec::new(),
        }
    }
}

/// What a call's host code does with the family.
pub(super) enum OnHost {
    /// Nothing.
    Nothing,
    /// What is done with each cell.
    Parts(Vec<HostPart>),
    /// Something under a name that is not known here.
    Unknown,
}

impl Subject<'_> {
    /// Whether code that runs at the program's end may look at the family's objects.
    pub(super) fn seen_at_exit(&self) -> bool {
        let (points_to, by_unknown) = (self.model.points_to, self.model.effects.outside());
        self.locs.iter().any(|l| {
            let by_handlers = points_to.runs_at_exit() || !points_to.closed() && by_unknown.may_read(points_to, *l);
            match &points_to.object(l.object).kind {
                // Handlers come to locals of functions that have not returned.
                ObjectKind::Local { .. } => points_to.escapes(l.object) || by_handlers && points_to.is_held(l.object),
                _ => by_handlers,
            }
        })
    }

    /// What the host code of the functions that a call may run does with the family, if it does nothing of it in kernels;
    /// `unnamed`: also what has no name there counts.
    pub(super) fn on_host(&self, call: &DeviceCall, names: &[Base], unnamed: bool) -> OnHost {
        let Some(host) = &call.host else {
            // Where no access was taken to be of another array by its name alone, all of them were looked at.
            let all_seen = !unnamed && call.uses.iter().all(|u| u.apart.is_empty());
            return if all_seen { OnHost::Nothing } else { OnHost::Unknown };
        };
        if unnamed && self.touches_any(host.others.iter().copied()) {
            return OnHost::Unknown;
        }
        let facts = Facts::new();
        let mut parts = vec![HostPart::default(); names.len()];
        let mut any = false;
        for used in &host.uses {
            let locs = used.base.map_or_else(|| used.locs.clone(), |b| locs_of(self.model, b));
            if !locs.is_empty() && !self.touches_any(locs.into_iter()) {
                continue;
            }
            let cell = used.base.and_then(|b| names.iter().position(|n| *n == b));
            let Some(cell) = cell.filter(|_| used.element == self.element) else {
                return OnHost::Unknown;
            };
            let part = &mut parts[cell];
            part.reads = part.reads.union(&used.reads, &facts);
            part.writes = part.writes.union(&used.writes, &facts);
            part.must.extend(used.must.iter().cloned());
            any = true;
        }
        if any { OnHost::Parts(parts) } else { OnHost::Nothing }
    }

    /// Whether a call may do with the family what no summary tells: end the program where somebody looks at it, or free it.
    pub(super) fn may_do_more(&self, inst: InstId) -> bool {
        let model = self.model;
        let effects = model.effects.of_call(model.func, inst);
        let ends = effects.may_not_return && self.seen_at_exit();
        effects.unknown || ends || self.locs.iter().any(|l| effects.may_free(model.points_to, l.object))
    }
}
