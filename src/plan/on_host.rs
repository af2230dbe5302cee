//! Which arrays of its callers a function uses on the host, and which calls only do that: what [`super::coherent`] is about.

use super::candidates;
use super::inputs::Inputs;
use super::model::Candidate;
use super::terms::root_of;
use crate::analysis::access::Access;
use crate::analysis::arrays::element_of;
use crate::analysis::values::table::Base;
use crate::program::graph::NodeId;
use crate::program::ir::{InstId, Op};
use crate::program::objects::{ObjectId, ObjectKind};
use rustc_hash::FxHashSet;

/// Arrays of callers that the function uses on the host and that kernels somewhere use; those of `known` apart.
pub(super) fn on_host(inputs: &Inputs<'_>, known: &[Candidate]) -> Vec<Candidate> {
    let model = inputs.model;
    let mut found: Vec<Candidate> = Vec::new();
    let outside = |a: &&Access| a.kernel.is_none();
    let named = inputs
        .accesses
        .iter()
        .filter(outside)
        .filter_map(|a| Some(a.at.as_ref()?.base));
    let handed = inputs.host_calls.iter().flat_map(|c| &c.uses).filter_map(|u| u.base);
    let moved = inputs.moved();
    for base in named
        .chain(handed)
        .chain(globals_touched(inputs))
        .chain(moved.iter().map(|m| m.0))
    {
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

/// Global arrays that the function's calls touch otherwise than by a name that the function has for them, or handlers that
/// run where one of them ends the program.
fn globals_touched(inputs: &Inputs<'_>) -> Vec<Base> {
    let (program, model) = (inputs.program, inputs.model);
    let at_exit = program.may_run_handlers(model.func);
    let calls = model.function().inst_ids().filter(|i| {
        let op = &model.function().inst(*i).op;
        matches!(op, Op::Call { .. }) || op.waits()
    });
    let touched: FxHashSet<ObjectId> = calls.flat_map(|call| touched_unnamed(inputs, call)).collect();
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

/// What a call touches otherwise than by the names in its summaries.
fn touched_unnamed(inputs: &Inputs<'_>, call: InstId) -> Vec<ObjectId> {
    let model = inputs.model;
    if let Some(host) = inputs.host_calls.iter().find(|c| c.inst == call) {
        let unnamed = host.uses.iter().filter(|u| u.base.is_none());
        let locs = unnamed.flat_map(|u| &u.locs).chain(&host.others);
        return locs.map(|l| l.object).collect();
    }
    let effects = model.effects.of_call(model.func, call);
    let mut touched: Vec<ObjectId> = effects.reads.union(&effects.writes).map(|l| l.object).collect();
    if let Some(device) = inputs.calls.iter().find(|c| c.inst == call) {
        let (named, unnamed): (Vec<_>, Vec<_>) = device.uses.iter().partition(|u| u.base.is_some());
        let named: FxHashSet<ObjectId> = named.iter().flat_map(|u| &u.locs).map(|l| l.object).collect();
        touched.retain(|o| !named.contains(o));
        touched.extend(unnamed.iter().flat_map(|u| &u.locs).map(|l| l.object));
        touched.extend(device.opaque.iter().flat_map(|(o, _)| &o.locs).map(|l| l.object));
    }
    touched
}

impl Inputs<'_> {
    /// Nodes at which only functions that need copies for their work on the host use the family.
    pub(super) fn hosted(&self, candidate: &Candidate) -> FxHashSet<NodeId> {
        let hosted = candidate.launches.iter().filter(|l| self.is_hosted(candidate, **l));
        hosted.filter_map(|l| self.start_node(*l)).collect()
    }

    /// Whether no kernel of the program writes the family.
    pub(super) fn is_current_on_host(&self, candidate: &Candidate) -> bool {
        let written = self.program.device_written.as_ref();
        let unwritten = |written: &FxHashSet<ObjectId>| candidate.locs.iter().all(|l| !written.contains(&l.object));
        !candidate.locs.is_empty() && written.is_some_and(unwritten)
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
