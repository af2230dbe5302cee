//! Functions without kernels that get updates for callers which keep their arrays on the device.
//!
//! ```c
//! void report(const double *v, int n, int t)
//! {
//!     if (t % 100 == 0)
//!         printf("%g\n", v[n / 2]);
//! }
//! ```
//!
//! A host summary says that `report` may read `v[n/2]`, and its caller would fetch the element before every call. The
//! update is better inside the `if` ([`super::coherent`]). An update costs something too: with it, every residency that
//! spans a call has to have the device current, where the host may have been. So a function is taken for one of these
//! only if some copy stands under a condition or in a loop, or if callers cannot say what it uses, and if all that call
//! it can make use of it. The program is planned with and without, and the cheaper plan is kept ([`super::decide`]).

use super::always_executed::is_straight;
use super::coherent::coherent;
use super::file::FileFacts;
use super::host;
use super::inputs::Inputs;
use super::inputs::inputs;
use super::model::Candidate;
use super::on_host::on_host;
use super::prepare::with_model;
use super::program_facts::ProgramFacts;
use crate::analysis::called::called;
use crate::analysis::host_summary::HostSummary;
use crate::analysis::movement::placement::Copy;
use crate::program::ir::FuncId;
use crate::program::objects::{MemLoc, ObjectId};
use crate::symbolic::SectionSet;
use rustc_hash::FxHashSet;

impl ProgramFacts<'_> {
    /// Finds such functions and counts them, and what calls them, among those that have to do with the device.
    /// Whether there are any.
    pub(super) fn add_host_only(&mut self, files: &[FileFacts<'_>]) -> bool {
        let functions = self.points_to.call_graph().circles();
        let fit: Vec<FuncId> = functions
            .iter()
            .flatten()
            .copied()
            .filter(|id| self.may_update.contains(id) && !self.launching.contains(id))
            .filter(|id| self.gains(files, *id))
            .collect();
        let mut chosen: FxHashSet<FuncId> = fit.iter().copied().collect();
        // Who calls it must be able to go on: a caller that is neither one of these nor has kernels would be opaque to its
        // own callers.
        loop {
            let useless = |id: &FuncId| {
                self.points_to.callers(*id).iter().any(|site| {
                    let caller = self.module.function(site.func);
                    let is_one = |f: &FuncId| chosen.contains(f) || self.launching.contains(f);
                    let known = called(self.module, self.points_to, site.func, site.inst)
                        .is_some_and(|call| call.functions.contains(id) && call.functions.iter().all(is_one));
                    let goes_on = chosen.contains(&site.func) || self.launching.contains(&site.func);
                    !known || !(goes_on || caller.name == "main")
                })
            };
            let Some(out) = fit.iter().find(|id| chosen.contains(id) && useless(id)) else {
                break;
            };
            chosen.remove(out);
        }
        let mut work: Vec<FuncId> = fit.into_iter().filter(|id| chosen.contains(id)).collect();
        let any = !work.is_empty();
        while let Some(func) = work.pop() {
            if self.launching.insert(func) {
                work.extend(self.points_to.callers(func).iter().map(|site| site.func));
            }
        }
        any
    }

    /// Whether updates in a function are better than copies around its calls, and possible for all that it uses.
    fn gains(&self, files: &[FileFacts<'_>], func: FuncId) -> bool {
        let touched = self.effects.of(func);
        let matters = |l: &MemLoc| self.on_device.contains(&l.object);
        let at_exit = self.may_run_handlers(func);
        if touched.unknown || !(at_exit || touched.reads.union(&touched.writes).any(matters)) {
            return false;
        }
        let Some(&(at, f)) = self.places.get(&func) else {
            return false;
        };
        let summary = host::of(self, files, func);
        let callees = host::of_callees(self, files, func);
        let gains = with_model(self, &files[at], f, func, &callees, |model| {
            let inputs = inputs(self, &files[at], model, &callees);
            inputs.gains_by_updates(summary.as_deref())
        });
        gains.unwrap_or(false)
    }
}

impl Inputs<'_> {
    fn gains_by_updates(&self, summary: Option<&HostSummary>) -> bool {
        let candidates = on_host(self, &[]);
        let model = self.model;
        let touched = self.program.effects.of(model.func);
        let known = |l: &MemLoc| candidates.iter().any(|c| c.locs.contains(l));
        // What it reaches without a name would be opaque.
        let mut locs = touched.reads.union(&touched.writes);
        if !locs.all(|l| known(l) || !self.program.on_device.contains(&l.object)) {
            return false;
        }
        if self.program.may_run_handlers(model.func) {
            let named = |o: &ObjectId| candidates.iter().any(|c| c.locs.iter().any(|l| l.object == *o));
            if !self.program.on_device.iter().all(named) {
                return false;
            }
        }
        let matters = |l: &MemLoc| self.program.on_device.contains(&l.object);
        let vague = summary.is_none_or(|s| is_vague(s, &matters));
        let mut gains = false;
        for candidate in &candidates {
            let Ok(found) = coherent(self, candidate) else {
                return false;
            };
            if !self.may_be_given_updates(candidate) {
                return false;
            }
            gains |= vague || found.copies.iter().any(|c| self.is_rare(c));
        }
        gains
    }

    /// Whether a copy is not made whenever the function runs, or more than once.
    fn is_rare(&self, copy: &Copy) -> bool {
        let stmt = self.model.coarse.stmt_of(copy.gap);
        stmt.is_some_and(|s| !is_straight(self, s))
    }

    /// Whether updates in a function with kernels are better than copies around its calls, of an array that it uses on the host
    /// alone.
    pub(super) fn has_better_copies(&self, candidate: &Candidate, host: &HostSummary) -> bool {
        // A function that has to do with the device for this alone was found better before. What stays on the device for good is
        // the affair of all, and so is what functions that call each other say of it.
        let func = self.model.func;
        let recursive = self.program.points_to.call_graph().recursive_inside(func);
        if recursive || !self.program.starting.contains(&func) || self.resident(candidate).is_some() {
            return true;
        }
        let vague = is_vague(host, &|l| candidate.locs.contains(l));
        let better = |copies: &[Copy]| copies.is_empty() || vague || copies.iter().any(|c| self.is_rare(c));
        coherent(self, candidate).is_ok_and(|found| better(&found.copies))
    }
}

/// Whether a host summary does not say which part of such memory is used.
fn is_vague(summary: &HostSummary, ours: &dyn Fn(&MemLoc) -> bool) -> bool {
    let used = summary.uses.iter().filter(|u| u.locs.iter().any(ours));
    let mut sets = used.flat_map(|u| [&u.reads, &u.writes]);
    sets.any(SectionSet::is_all) || summary.others.iter().any(ours)
}
