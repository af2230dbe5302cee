//! Which arrays of its callers a function uses on the host, and which calls only do that: what [`super::coherent`] is about.

use super::candidates;
use super::evaluate::{Candidate, Inputs};
use super::terms::root_of;
use crate::analysis::access::Access;
use crate::analysis::movement::subject::element_of;
use crate::analysis::values::eval::Base;
use crate::program::graph::NodeId;
use crate::program::objects::{ObjectId, ObjectKind};
use rustc_hash::FxHashSet;

/// Arrays of callers that the function uses on the host and that kernels somewhere use; those of `known` apart.
pub(super) fn on_host(inputs: &Inputs<'_>, known: &[Candidate]) -> Vec<Candidate> {
    let model = inputs.model;
    let mut found: Vec<Candidate> = Vec::new();
    let outside = |a: &&Access| model.launch_of(a.node).is_none();
    let named = inputs
        .accesses
        .iter()
        .filter(outside)
        .filter_map(|a| Some(a.at.as_ref()?.base));
    let moved = inputs.moved();
    for base in named.chain(globals_touched(inputs)).chain(moved.iter().map(|m| m.0)) {
        let seen = |c: &Candidate| c.bases.contains(&base);
        if known.iter().any(seen) || found.iter().any(seen) || !candidates::is_array(model, base) {
            continue;
        }
        let of_moved = || moved.iter().find(|m| m.0 == base).map(|m| m.1);
        let element = element_of(model, base).or_else(of_moved);
        let Some(element) = element.filter(|_| root_of(inputs, base).is_some()) else {
            continue;
        };
        let candidate = candidates::single(model, base, element, Vec::new());
        if candidate
            .locs
            .iter()
            .any(|l| inputs.program.on_device.contains(&l.object))
        {
            found.push(candidate);
        }
    }
    found
}

/// Global arrays that the function's calls touch, or handlers that run where one of them ends the program.
fn globals_touched(inputs: &Inputs<'_>) -> Vec<Base> {
    let (program, model) = (inputs.program, inputs.model);
    let touched = program.effects.of(model.func);
    let at_exit = program.may_run_handlers(model.func);
    let all = touched.reads.iter().chain(&touched.writes).map(|l| l.object);
    let touched: FxHashSet<ObjectId> = all.filter(|o| program.on_device.contains(o)).collect();
    let mut objects: Vec<ObjectId> = program.on_device.iter().copied().collect();
    objects.retain(|o| at_exit || touched.contains(o));
    objects.sort_unstable();
    let globals = objects
        .into_iter()
        .filter_map(|o| match model.points_to.object(o).kind {
            ObjectKind::Global(g) => Some(Base::Global(g)),
            _ => None,
        });
    globals.collect()
}

impl Inputs<'_> {
    /// Nodes at which only functions that need copies for their work on the host use the family.
    pub(super) fn hosted(&self, candidate: &Candidate) -> FxHashSet<NodeId> {
        let hosted = candidate.launches.iter().filter(|l| self.is_hosted(candidate, **l));
        hosted.filter_map(|l| self.start_node(*l)).collect()
    }

    /// Whether the function may be given updates of a candidate for the sake of its callers: it is written, it is not `main`,
    /// and nothing but residencies of this tool may have the array on the device when it is called.
    pub(super) fn may_be_given_updates(&self, candidate: &Candidate) -> bool {
        let (program, model) = (self.program, self.model);
        program.may_update.contains(&model.func)
            && !program.presence.on_entry(model.points_to, model.func, &candidate.locs)
    }

    /// Whether a start is the call of a function that uses the family on the host alone.
    pub(super) fn is_hosted(&self, candidate: &Candidate, start: usize) -> bool {
        let uses = self.used_by_call(candidate, start);
        !uses.is_empty() && uses.iter().all(|u| u.updates.as_ref().is_some_and(|u| u.host_only))
    }
}
