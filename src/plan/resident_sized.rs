//! Arrays that stay on the device although the program replaces them now and then, by others of another size.
//!
//! ```c
//! void relax(double *v, int n) { /* enter data map(to: v[0:n]) */ #pragma omp target … map(tofrom: v[0:n]) … }
//!
//! int grow(struct series *s, int more)
//! {
//!     /* update from(s->value[0:s->count]), then exit data map(delete: s->value[0:1]) */
//!     double *longer = realloc(s->value, (s->count + more) * sizeof *longer);
//!     if (!longer)
//!         return 1;
//!     for (int i = 0; i < more; i++)
//!         longer[s->count + i] = 8.0 + i;                 /* nothing of the new one is there before its first kernel    */
//!     s->value = longer;
//!     s->count += more;
//!     return 0;
//! }
//! ```
//!
//! Here [`super::resident`] needs to know:
//!
//! **All kernels map the same of one array.** They map all that was allocated: in `main`, where all calls begin, each pointer
//! that they get belongs to the number that they get with it ([`super::resident_lengths`]). Which variables hold the two does
//! not matter, and neither do copies of them: how much was allocated does not change while the array lives.
//!
//! **What is freed or moved is not there.** `exit data` with `delete` stands before it. What `realloc` moves it reads first,
//! all of it, and a function that calls it is given the update for that as for any other use on the host.
//!
//! **Nothing is there before its first kernel.** Where a function has just allocated an array, and starts no kernels, it needs
//! no updates; nor does `main` before its first kernel. After that `main` leaves the arrays to what it calls.

use super::candidates;
use super::entering::entered;
use super::file::FileFacts;
use super::host;
use super::inputs::Inputs;
use super::inputs::inputs;
use super::prepare::with_model;
use super::program_facts::ProgramFacts;
use super::resident_lengths::LengthQuery;
use super::resident_moves::reached;
use super::residents::{Resident, is_plain};
use super::terms::root_of;
use crate::analysis::arrays::object_extent;
use crate::analysis::callee_term::CalleeTerm;
use crate::analysis::device_calls::CallUse;
use crate::analysis::values::table::Base;
use crate::program::graph::NodeId;
use crate::program::ir::{FuncId, InstId, Op, Operand};
use crate::program::objects::MemLoc;
use crate::symbolic::{Facts, Section};
use rustc_hash::FxHashSet;

impl ProgramFacts<'_> {
    /// The functions that use such arrays themselves, but for what they have just allocated and what they only free.
    pub(super) fn users_of_sized(&self, array: &Resident) -> Vec<FuncId> {
        let uses = |id: &FuncId| {
            let insts = self
                .module
                .function(*id)
                .inst_ids()
                .filter(|i| !self.only_frees(*id, *i));
            let mut addresses = insts.flat_map(|i| self.addresses(*id, i));
            addresses.any(|a| self.points_at(*id, a, array) && !self.is_fresh(*id, a, &[]))
        };
        let users = self.own_users(array.objects.iter().copied());
        users.into_iter().filter(uses).collect()
    }

    /// Whether all functions keep the arrays as [`super::resident`] asks.
    pub(super) fn sized_are_kept(
        &self,
        files: &[FileFacts<'_>],
        array: &Resident,
        in_main: &Inputs<'_>,
        element: u64,
    ) -> bool {
        let main = in_main.model.func;
        let is_told = |id: &FuncId| !self.launching.contains(id) || self.summaries.contains_key(id);
        // What is called from elsewhere nobody has asked for what it is called with.
        let from_elsewhere = |id: &FuncId| *id != main && self.points_to.has_unseen_callers(*id);
        !self.runs_unknown_code()
            && !self.users(&array.objects).iter().any(from_elsewhere)
            && self.are_told_alike(array, element)
            && self.users(&array.objects).iter().all(|id| *id == main || is_told(id))
            && self
                .users_of_sized(array)
                .into_iter()
                .filter(|id| *id != main)
                .all(|id| self.uses_by_name_alone(files, id, array))
            && self.freeing(array).iter().all(|id| self.gives_up(files, *id, array))
            && main_agrees(in_main, files, array, element)
    }

    /// Whether all that functions tell of the arrays is of these alone, and asks nothing of callers.
    fn are_told_alike(&self, array: &Resident, element: u64) -> bool {
        let may_be = |locs: &[MemLoc]| locs.is_empty() || array.may_be(locs);
        let mut told = self.running().filter_map(|id| self.summaries.get(&id));
        told.all(|summary| {
            let mut uses = summary.uses.iter().filter(|u| may_be(&u.locs));
            let by_path = summary.maps_members && summary.uses.iter().any(|u| may_be(&u.locs));
            !by_path
                && !summary.opaque.iter().any(|o| may_be(&o.locs))
                && uses.all(|u| u.element == element && array.is(Some(&u.root), &u.locs) && is_plain(u))
        })
    }

    /// Whether a function's own uses of the arrays are all by names that its summary tells of, or of what it has just
    /// allocated.
    fn uses_by_name_alone(&self, files: &[FileFacts<'_>], func: FuncId, array: &Resident) -> bool {
        let (Some(summary), Some(&(at, f))) = (self.summaries.get(&func), self.places.get(&func)) else {
            return false;
        };
        let host = host::of_callees(self, files, func);
        let looked = with_model(self, &files[at], f, func, &host, |model| {
            let inputs = inputs(self, &files[at], model, &host);
            let told = |root: CalleeTerm| summary.uses.iter().any(|u| u.root == root);
            let named = |base: Base| root_of(&inputs, base).is_some_and(told) || inputs.is_new(base);
            let mut own = inputs
                .accesses
                .iter()
                .filter(|a| self.points_at(func, &a.address, array));
            let frees = self.frees_in(func, array);
            let mut moves = frees.iter().filter_map(|i| Some(model.frees(*i)?.pointer));
            let is_named = own.all(|a| a.at.as_ref().is_some_and(|at| named(at.base)))
                && moves.all(|p| *p == Operand::Null || model.values.ptr(p).is_some_and(|p| named(p.base)));
            let candidates = candidates::find(&inputs);
            let mut ours = candidates.iter().filter(|c| array.may_be(&c.locs));
            is_named
                && ours.all(|c| entered(&inputs, c).is_some())
                && !inputs.other_calls(array).any(|i| !frees.contains(&i))
        });
        looked.unwrap_or(false)
    }
}

/// Whether `main` hands functions all of an array each time, with its length, and leaves the arrays alone itself after the
/// first of these calls.
fn main_agrees(inputs: &Inputs<'_>, files: &[FileFacts<'_>], array: &Resident, element: u64) -> bool {
    let (program, model) = (inputs.program, inputs.model);
    let lengths = LengthQuery::new(inputs, Some(files), element);
    let touches = |locs: &[MemLoc]| locs.is_empty() || array.may_be(locs);
    let later = inputs.after_calls(array);
    let is_later = |inst: InstId| {
        let fine = model.attachment.node_of[inst.0 as usize];
        fine.and_then(|fine| model.coarse_of(fine))
            .is_none_or(|n| later.contains(&n))
    };
    let mut calls = inputs.calls.iter();
    let agree = calls.all(|call| {
        let node = model.attachment.node_of[call.inst.0 as usize];
        let mut uses = call.uses.iter().filter(|u| touches(&u.locs));
        node.is_some_and(|node| uses.all(|u| is_all(&lengths, node, u)))
    });
    let own = inputs.accesses.iter();
    let mut own = own.filter(|a| program.points_at(model.func, &a.address, array));
    let mut in_kernels = candidates::find(inputs).into_iter();
    let kernels = model.constructs.launches.len();
    agree
        && !in_kernels.any(|c| array.may_be(&c.locs) && c.launches.iter().any(|l| *l < kernels))
        && !own.any(|a| model.launch_of(a.node).is_some() || is_later(a.inst))
        && !inputs.moved().iter().any(|m| is_later(m.2))
        && inputs.other_calls(array).all(|i| {
            let frees = model.frees(i).is_some();
            frees || (program.calls_library(model.func, i) && !is_later(i))
        })
}

/// Whether a call uses all of an array, as it was allocated, or single elements on the host.
fn is_all(lengths: &LengthQuery<'_>, node: NodeId, used: &CallUse) -> bool {
    let (Some(base), Some(mapped)) = (used.base, &used.mapped) else {
        return false;
    };
    let updated = match &used.updates {
        None => &[][..],
        Some(updates) => match &updates.sections {
            None => return false,
            Some(sections) => sections,
        },
    };
    let is_whole = |s: &Section| s.lo.is_zero() && lengths.belong(node, base, &s.hi);
    let is_element = |s: &Section| Section::element(s.lo.clone()).as_ref() == Some(s);
    let whole = mapped.iter().chain(updated).find(|s| is_whole(s));
    let lies_inside =
        |s: &Section| is_element(s) || whole.is_some_and(|w| w.provably_covers(s, &Facts::new())) || is_whole(s);
    mapped.iter().all(|s| Some(s) == whole || is_whole(s)) && updated.iter().all(lies_inside)
}

impl Inputs<'_> {
    /// Whether a pointer is to what the function has allocated in this call, and no kernel can have run since.
    fn is_new(&self, base: Base) -> bool {
        let is_value = matches!(base, Base::Value(_));
        !self.program.starting.contains(&self.model.func) && is_value && object_extent(self.model, base, 1).is_some()
    }

    /// Calls other than those of functions with summaries that may touch or free the arrays.
    fn other_calls<'s>(&'s self, array: &'s Resident) -> impl Iterator<Item = InstId> + 's {
        let model = self.model;
        let others = move |i: &InstId| {
            let effects = model.effects.of_call(model.func, *i);
            let mut touched = effects.reads.union(&effects.writes).map(|l| l.object);
            let touches =
                touched.any(|o| array.objects.contains(&o)) || effects.frees.iter().any(|o| array.objects.contains(&o));
            let told = self.calls.iter().any(|c| c.inst == *i);
            let starts = model.launching_target(*i).is_some();
            touches && !told && !model.copies_bytes(*i) && (starts || self.program.calls_library(model.func, *i))
        };
        let is_call = move |i: &InstId| matches!(model.function().inst(*i).op, Op::Call { .. });
        model.function().inst_ids().filter(is_call).filter(others)
    }

    /// The nodes that come after a call which may start kernels on the arrays, or are one.
    fn after_calls(&self, array: &Resident) -> FxHashSet<NodeId> {
        let graph = self.model.coarse;
        let starts = self.calls.iter().filter(|c| {
            let mut uses = c.uses.iter();
            uses.any(|u| {
                (u.locs.is_empty() || array.may_be(&u.locs)) && !u.updates.as_ref().is_some_and(|u| u.host_only)
            })
        });
        reached(graph, starts.map(|c| c.node).collect())
    }
}
