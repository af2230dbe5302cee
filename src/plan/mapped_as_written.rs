//! What kernels map as written: the measure that a residency must not exceed.

use super::cost;
use super::inputs::Inputs;
use super::kernel_starts::copies;
use super::model::Candidate;
use super::spans::Run;
use crate::analysis::arrays::object_extent;
use crate::analysis::device_calls::CallUse;
use crate::analysis::movement::estimate::UNKNOWN_SIZE;
use crate::analysis::movement::mapped::Mapped;
use crate::analysis::movement::problem::Problem;
use crate::analysis::payment::Payment;
use crate::analysis::values::table::Base;
use crate::openmp::MapType;
use crate::program::graph::{NodeId, Place};
use crate::symbolic::{Facts, Section};

impl Inputs<'_> {
    /// Whether a kernel at this node copies the family in, as written.
    pub(super) fn copies_in(&self, candidate: &Candidate, node: NodeId) -> bool {
        let by_call = |l| self.used_by_call(candidate, l).iter().any(|u| u.copies_in);
        self.launches_at(candidate, node).any(by_call)
            || self.kernel_maps(candidate, node, &|m| {
                matches!(m.map_type, MapType::To | MapType::Tofrom)
            })
    }

    /// How many times the kernels at this node copy an extent of the family, as written.
    pub(super) fn pays(&self, candidate: &Candidate, node: NodeId) -> i64 {
        self.launches_at(candidate, node)
            .map(|l| self.copies_of(candidate, l))
            .sum()
    }

    /// What the kernels at this node copy as written, section by section.
    pub(super) fn payments(&self, candidate: &Candidate, node: NodeId, problem: &Problem<'_>) -> Vec<Payment> {
        let mut paid: Vec<Payment> = match problem.uniform {
            true => vec![Payment::whole(self.pays(candidate, node))],
            false => {
                let ours = self.launches_at(candidate, node);
                ours.flat_map(|start| self.payments_of(candidate, start)).collect()
            }
        };
        paid.retain(|p| p.copies != 0);
        paid
    }

    /// What a kernel or call copies of the family as written.
    pub(super) fn payments_of(&self, candidate: &Candidate, start: usize) -> Vec<Payment> {
        if self.call(start).is_some() {
            let used = self.used_by_call(candidate, start).into_iter();
            let chosen = self.surely_paid_if_chosen(candidate, start);
            return used.flat_map(paid_by_call).chain(chosen).collect();
        }
        let of_item = |item: &&Mapped| Payment {
            section: item.section.clone(),
            copies: copies(item),
        };
        match self.items(candidate, start).as_slice() {
            [] if self.is_perhaps(candidate, start) => self.surely_paid_if_chosen(candidate, start),
            [] => vec![Payment::whole(2)],
            items => items.iter().map(of_item).collect(),
        }
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
    pub(super) fn launches_at(&self, candidate: &Candidate, node: NodeId) -> impl Iterator<Item = usize> {
        let ours = |l: &usize| candidate.launches.contains(l);
        self.starts_at(node).iter().copied().filter(ours)
    }
}

/// What a call copies of an array as written; where updates there keep it current, what is left of that.
fn paid_by_call(used: &CallUse) -> Vec<Payment> {
    let Some(updates) = &used.updates else {
        return used.copies.clone();
    };
    let sections = used.mapped.as_deref().unwrap_or_default();
    let facts = Facts::new();
    let is_least = |s: &&Section| sections.iter().all(|other| other.provably_covers(s, &facts));
    match sections.iter().find(is_least) {
        Some(section) if updates.net > 0 => vec![Payment {
            section: Some(section.clone()),
            copies: updates.net,
        }],
        // What updates there cost is not known to be less than the whole.
        _ => vec![Payment::whole(updates.net.min(0))],
    }
}

/// How often a kernel is expected to start each time the function runs.
pub fn launch_frequency(inputs: &Inputs<'_>, launch: usize) -> f64 {
    launch_frequency_if(inputs, launch, cost::UNKNOWN_TRIPS)
}

/// [`launch_frequency`] if unknown loops have so many iterations.
fn launch_frequency_if(inputs: &Inputs<'_>, launch: usize, unknown: f64) -> f64 {
    let model = inputs.model;
    let gap = model.coarse.gap(Place::Before(inputs.start(launch)));
    gap.map_or(1.0, |g| cost::frequency_if(model, model.coarse, g, unknown))
}

/// What the kernel's maps cost as written; what is not mapped counts as copied both ways.
pub fn naive_cost(inputs: &Inputs<'_>, candidate: &Candidate, launch: usize) -> f64 {
    naive_cost_at(inputs, candidate, launch, launch_frequency(inputs, launch))
}

/// What the maps of the kernels of a run cost as written if unknown loops have few iterations.
pub(super) fn naive_least(inputs: &Inputs<'_>, candidate: &Candidate, run: Run) -> f64 {
    let launches = candidate.launches.iter();
    let inside = launches.filter(|l| run.encloses(inputs.model, inputs.start(**l)));
    let few = |l| launch_frequency_if(inputs, l, cost::FEW_TRIPS);
    inside.map(|l| naive_cost_at(inputs, candidate, *l, few(*l))).sum()
}

/// [`naive_cost`] of a kernel that starts so often.
fn naive_cost_at(inputs: &Inputs<'_>, candidate: &Candidate, launch: usize, frequency: f64) -> f64 {
    let elements = |section: &Section| cost::elements(inputs.model, section);
    if inputs.call(launch).is_some() {
        let each = |u: &&CallUse| {
            u.mapped
                .as_deref()
                .and_then(|m| m.first())
                .map_or(UNKNOWN_SIZE as f64, elements)
        };
        let uses = inputs.surely_used_by_call(candidate, launch);
        let own: f64 = uses.iter().map(|u| each(u) * u.expected_copies).sum();
        return (own + inputs.cost_if_chosen(candidate, launch)) * frequency;
    }
    let items = inputs.items(candidate, launch);
    if inputs.is_perhaps(candidate, launch) {
        return inputs.cost_if_chosen(candidate, launch) * frequency;
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
            let each = m.section.as_ref().map_or(UNKNOWN_SIZE as f64, elements);
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
