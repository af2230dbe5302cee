//! What kernels map as written: the measure that a residency must not exceed.

use super::cost;
use super::inputs::Inputs;
use super::model::Candidate;
use super::spans::Run;
use super::starts::copies;
use crate::analysis::arrays::object_extent;
use crate::analysis::device_calls::CallUse;
use crate::analysis::movement::budget::{WHOLE, paid_by};
use crate::analysis::movement::mapped::Mapped;
use crate::analysis::movement::problem::Problem;
use crate::analysis::values::eval::Base;
use crate::openmp;
use crate::openmp::MapType;
use crate::program::graph::{NodeId, Place};
use crate::symbolic::Section;

impl Inputs<'_> {
    /// Whether a kernel at this node copies the family in, as written.
    pub(super) fn copies_in(&self, candidate: &Candidate, node: NodeId) -> bool {
        let by_call = |l| self.used_by_call(candidate, l).iter().any(|u| u.copies_in);
        self.launches_at(candidate, node).any(by_call)
            || self.kernel_maps(candidate, node, &|m| {
                matches!(m.map_type, openmp::MapType::To | openmp::MapType::Tofrom)
            })
    }

    /// How many times the kernels at this node copy an extent of the family, as written.
    pub(super) fn pays(&self, candidate: &Candidate, node: NodeId) -> i64 {
        self.launches_at(candidate, node)
            .map(|l| self.copies_of(candidate, l))
            .sum()
    }

    /// The same in [`WHOLE`]ths of what a problem is about.
    pub(super) fn pays_parts(&self, candidate: &Candidate, node: NodeId, problem: &Problem<'_>) -> i64 {
        if problem.uniform {
            return self.pays(candidate, node) * WHOLE;
        }
        let extent = &problem.extent;
        let elements = &|section: &Section| cost::elements(self.model, section);
        let of_call = |used: &CallUse| {
            let copies = used.updates.as_ref().map_or(used.copies.0, |u| u.net);
            let sections = used.mapped.as_deref().unwrap_or_default().iter();
            let least = sections.map(|s| paid_by(extent, s, elements)).min().unwrap_or(0);
            // What updates there cost is not known to be less than the whole.
            copies * if copies < 0 { WHOLE } else { least }
        };
        let of_item =
            |item: &Mapped| copies(item) * item.section.as_ref().map_or(WHOLE, |s| paid_by(extent, s, elements));
        let of_start = |start| match (self.call(start), self.items(candidate, start)) {
            (Some(_), _) => self.used_by_call(candidate, start).into_iter().map(of_call).sum(),
            (None, items) if items.is_empty() => match self.is_perhaps(candidate, start) {
                true => 0,
                false => 2 * WHOLE,
            },
            (None, items) => items.into_iter().map(of_item).sum::<i64>(),
        };
        self.launches_at(candidate, node).map(of_start).sum()
    }

    /// How many copies the kernels of a run are expected to make of the family, as written.
    pub(super) fn own_calls(&self, candidate: &Candidate, run: Run) -> f64 {
        let inside = |l: &&usize| run.encloses(self.model, self.start(**l));
        let launches = candidate.launches.iter().filter(inside);
        launches
            .map(|l| self.expected_copies_of(candidate, *l) * launch_frequency(self, *l))
            .sum()
    }

    /// Whether a kernel at this node maps the family in such a way, or does not say how.
    pub(super) fn kernel_maps(&self, candidate: &Candidate, node: NodeId, such: &dyn Fn(&Mapped) -> bool) -> bool {
        self.launches_at(candidate, node).any(|l| {
            let items = self.items(candidate, l);
            let unsaid = items.is_empty() && !self.is_perhaps(candidate, l);
            self.call(l).is_none() && (unsaid || items.into_iter().any(such))
        })
    }

    /// The family's kernels at a node.
    fn launches_at(&self, candidate: &Candidate, node: NodeId) -> impl Iterator<Item = usize> {
        let ours = |l: &usize| candidate.launches.contains(l);
        self.starts_at(node).iter().copied().filter(ours)
    }
}

/// How often a kernel is expected to start each time the function runs.
pub fn launch_frequency(inputs: &Inputs<'_>, launch: usize) -> f64 {
    let stmt = inputs.start(launch);
    let gap = inputs.model.coarse.gap(Place::Before(stmt));
    gap.map_or(1.0, |g| cost::frequency(inputs.model, inputs.model.coarse, g))
}

/// What the kernel's maps cost as written; what is not mapped counts as copied both ways.
pub fn naive_cost(inputs: &Inputs<'_>, candidate: &Candidate, launch: usize) -> f64 {
    let frequency = launch_frequency(inputs, launch);
    let elements = |section: &Section| cost::elements(inputs.model, section);
    if inputs.call(launch).is_some() {
        let each = |u: &&CallUse| u.mapped.as_deref().and_then(|m| m.first()).map_or(1024.0, elements);
        let uses = inputs.surely_used_by_call(candidate, launch);
        return uses.iter().map(|u| each(u) * u.copies.1).sum::<f64>() * frequency;
    }
    let items = inputs.items(candidate, launch);
    if inputs.is_perhaps(candidate, launch) {
        return 0.0;
    }
    if items.is_empty() {
        let whole = candidate.bases.first().and_then(|b| match b {
            Base::Value(_) => None,
            _ => object_extent(inputs.model, *b, candidate.element),
        });
        // An array is copied both ways; a pointer that nobody maps makes the kernel wrong: any residency is better.
        return whole.map_or(UNMAPPED, |w| 2.0 * elements(&w)) * frequency;
    }
    items
        .iter()
        .map(|m| {
            let each = m.section.as_ref().map_or(1024.0, elements);
            let count = match m.map_type {
                MapType::Tofrom => 2.0,
                MapType::To | MapType::From => 1.0,
                _ => 0.0,
            };
            each * count * frequency
        })
        .sum()
}

/// What a kernel costs whose pointer is not mapped at all.
pub(super) const UNMAPPED: f64 = 1e15;
