//! Which nodes of a function may have to do with an array: found once, for all arrays.
//!
//! ```c
//! #pragma omp target … map(tofrom: a[0:n])       /* a kernel that maps and uses a     */
//! for (i = 0; i < n; i++) b[i] = 0;               /* nothing to a                      */
//! log("done");                                    /* a call that may do anything       */
//! ```
//!
//! A function with a thousand arrays has many nodes, and each array is used at a few of them. What is said here of the others is
//! that [`Subject::node_events`] finds nothing there, other arrays that kernels read aside.

use super::subject::Subject;
use crate::analysis::access::Access;
use crate::analysis::arrays::locs_of;
use crate::analysis::values::table::Base;
use crate::program::graph::NodeId;
use crate::program::ir::{InstId, Op};
use crate::program::objects::{MemLoc, ObjectId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The nodes of a function by what they touch.
#[derive(Default)]
pub(super) struct Touching {
    /// Nodes that do anything at all, in order.
    all: Vec<NodeId>,
    /// Nodes that may have to do with any object.
    with_any: Vec<NodeId>,
    with_object: FxHashMap<ObjectId, Vec<NodeId>>,
    with_base: FxHashMap<Base, Vec<NodeId>>,
    /// Kernels that read.
    readers: Vec<NodeId>,
}

/// What a node touches.
#[derive(Default)]
struct Touched {
    any: bool,
    objects: FxHashSet<ObjectId>,
    bases: FxHashSet<Base>,
}

/// A call that touches more objects than that counts as touching any.
const MOST_OBJECTS: usize = 64;

impl Touching {
    /// Looks at all nodes of the function that a subject is in.
    pub fn of(subject: &Subject<'_>) -> Touching {
        let mut found = Touching::default();
        for node in subject.model.coarse.ids() {
            let accesses = subject.accesses.at(node);
            let launch = subject.launch_at(node, &accesses);
            if launch.is_none() && subject.accesses.is_quiet(node) {
                continue;
            }
            found.all.push(node);
            if launch.is_some_and(|launch| subject.reads_in_kernel(launch, &accesses)) {
                found.readers.push(node);
            }
            let touched = subject.touched(node, launch, &accesses);
            if touched.any {
                found.with_any.push(node);
                continue;
            }
            for object in touched.objects {
                found.with_object.entry(object).or_default().push(node);
            }
            for base in touched.bases {
                found.with_base.entry(base).or_default().push(node);
            }
        }
        found
    }

    /// The nodes at which something may happen to the subject under this name, in order.
    pub fn nodes(&self, subject: &Subject<'_>, base: Base) -> Vec<NodeId> {
        let points_to = subject.model.points_to;
        let mut objects = subject.locs.iter().map(|l| l.object);
        if subject.locs.is_empty() || objects.any(|o| points_to.may_have_other_names(o)) {
            return self.all.clone();
        }
        let objects = subject.locs.iter().filter_map(|l| self.with_object.get(&l.object));
        let named = self.with_base.get(&base);
        let mut nodes: Vec<NodeId> = objects
            .chain(named)
            .chain([&self.with_any])
            .flatten()
            .copied()
            .collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// The kernels that read something.
    pub fn readers(&self) -> &[NodeId] {
        &self.readers
    }
}

impl Subject<'_> {
    /// Whether a kernel reads anything but what it declares.
    fn reads_in_kernel(&self, launch: usize, accesses: &[&Access]) -> bool {
        let stmt = self.model.constructs.launches[launch].stmt;
        let is_own = |a: &Access| match a.at.as_ref().map(|p| p.base) {
            Some(Base::Local(v)) => self.model.is_declared_in(stmt, v),
            _ => false,
        };
        accesses.iter().any(|a| a.kernel.is_some() && a.reads && !is_own(a))
    }

    fn touched(&self, node: NodeId, launch: Option<usize>, accesses: &[&Access]) -> Touched {
        let model = self.model;
        let mut touched = Touched::default();
        for access in accesses {
            let locs = model.points_to.of_operand(model.func, &access.address);
            touched.any |= locs.is_empty() || access.perhaps_copy;
            self.touch(locs.iter().copied(), &mut touched);
            if let Some(at) = &access.at {
                touched.bases.insert(at.base);
                touched.any |= launch.is_some() && model.values.choice(at).is_some();
            }
        }
        for mapped in launch.iter().flat_map(|l| &self.mapped[*l]) {
            let perhaps = mapped.perhaps.iter().map(|(base, _)| *base);
            for base in perhaps.chain([mapped.base]) {
                touched.bases.insert(base);
                // What is mapped by another name may be the array.
                let locs = locs_of(model, base);
                touched.any |= mapped.is_array && locs.is_empty();
                self.touch(locs.into_iter(), &mut touched);
            }
        }
        for unnamed in launch.iter().flat_map(|l| self.unnamed.get(*l).into_iter().flatten()) {
            match &unnamed.places {
                Some(places) => self.touch(places.iter().copied(), &mut touched),
                None => touched.any = true,
            }
        }
        for &inst in self.accesses.calls(node) {
            match self.is_plain_call(inst) {
                true => {
                    let mapped = model.maps_at(inst).into_iter().flatten();
                    self.touch(mapped.flatten().copied(), &mut touched);
                    let effects = model.effects.of_call(model.func, inst);
                    self.touch(effects.reads.iter().copied(), &mut touched);
                    self.touch(effects.writes.iter().copied(), &mut touched);
                    self.touch_objects(effects.frees.iter(), &mut touched);
                }
                false => touched.any = true,
            }
        }
        touched.any |= touched.objects.len() > MOST_OBJECTS;
        touched
    }

    fn touch(&self, locs: impl Iterator<Item = MemLoc>, touched: &mut Touched) {
        self.touch_objects(locs.map(|loc| loc.object), touched);
    }

    fn touch_objects(&self, objects: impl Iterator<Item = ObjectId>, touched: &mut Touched) {
        for object in objects {
            touched.any |= self.model.points_to.may_have_other_names(object);
            if touched.any {
                return;
            }
            touched.objects.insert(object);
        }
    }

    /// Whether all that a call may do to an array is to read and write it on the host, and to free it.
    fn is_plain_call(&self, inst: InstId) -> bool {
        let model = self.model;
        let effects = model.effects.of_call(model.func, inst);
        let (targets, _) = model.targets(inst);
        matches!(model.function().inst(inst).op, Op::Call { .. })
            && !effects.unknown
            && !effects.may_not_return
            && !model.may_be_left(inst)
            && !self.calls.iter().any(|c| c.inst == inst)
            && !targets.iter().any(|t| model.by_hand.contains_key(t))
            && !model.maps_at(inst).iter().any(Option::is_none)
    }
}
