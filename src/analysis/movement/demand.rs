//! What will be needed later: four backward analyses over the sections of a family.
//!
//! | analysis | asks at a point | merge | used for |
//! |---|---|---|---|
//! | [`Demand::device`] | which elements will a kernel need as the host has them now, on every path? | all paths | host→device copies go where this starts to hold (anticipability, Knoop/Rüthing/Steffen) |
//! | [`Demand::host_sure`] | which elements will the host read as the device has them now, on every path? | all paths | one copy for several reads |
//! | [`Demand::host_maybe`] | which may the host still read? | any path | copies that nobody reads are dropped (liveness) |
//! | [`Demand::device_maybe`] | which may a kernel still need? | any path | copies in that are a bet, where nothing else is right |
//!
//! **Speculation.** A loop that contains a kernel is taken to run at least once: at its header the device demand of the
//! body counts even if the loop may be left at once. That is how a copy leaves a loop (`docs/architecture.md`, "How copies are placed");
//! without it only what is anticipated on every path moves.
//!
//! **Symbols.** A section means something only from where its symbols have their values: `a[0:n]` after `if (odd) n--;`
//! from the gap behind the branch on, where a copy can name it.
//!
//! **Partial host writes.** `a[0] = …` in a loop whose kernel reads `a[0:n]` does not end the demand for the rest of
//! `a`: it is split, so that the rest is copied once before the loop and one element in it. Outside loops splitting gains
//! nothing and would cost a second copy: there a host write that overlaps the demand ends it. Where callers have the array on
//! the device every way out needs all of it there, whatever the host wrote on it: the demand is split everywhere.

use super::all_paths::{AllPaths, ByNode, demanded, told_at};
use super::liveness::{Liveness, any_kernel, any_path};
use super::merges::merge_dirt;
use super::placement::ResidencySpan;
use super::problem::{EventKind, Problem};
use crate::analysis::movement::set_operations::{SetViews, inexact, launch_needs};
use crate::program::graph::NodeId;
use crate::symbolic::SectionSet;
use rustc_hash::FxHashMap;

/// Results: demand on leaving and on entering each node, and what else is known of the ways through a residency before anything
/// is copied.
pub struct Demand {
    /// The nodes of the residency, each before those that follow it.
    pub(super) order: Vec<NodeId>,
    /// Nodes at which a path without device writes joins, by cell.
    pub(super) merges: FxHashMap<NodeId, Vec<bool>>,
    device: ByNode,
    host_sure: ByNode,
    host_maybe: Liveness,
    device_maybe: Liveness,
}

impl Demand {
    /// Solves all four for a residency. Outside it kernels map for themselves: they read and write the host's copy.
    pub fn solve(problem: &Problem<'_>, span: &ResidencySpan) -> Demand {
        // Where a residency is entered again (its span stands in a loop), its kernels read what the host then has.
        let again = any_path(problem, None, None);
        Demand::solve_given(problem, span, &again)
    }
    /// [`Demand::solve`] where it is known what the host reads if all kernels map for themselves.
    pub fn solve_given(problem: &Problem<'_>, span: &ResidencySpan, again: &Liveness) -> Demand {
        let host_maybe = any_path(problem, Some(span), Some(again));
        let forward = problem.flow.in_order(span.nodes.iter().copied());
        let order: Vec<NodeId> = forward.iter().rev().copied().collect();
        let nothing = ByNode::default();
        let device = AllPaths {
            problem,
            span,
            order: &order,
            step: &device_step,
            at_exits: None,
            within: &nothing,
        };
        let host_sure = AllPaths {
            step: &host_step,
            at_exits: Some(&host_maybe),
            ..device
        };
        let within = device.within_loops();
        Demand {
            merges: merge_dirt(problem, span, &forward),
            order: forward,
            device: AllPaths {
                within: &within,
                ..device
            }
            .solve(),
            host_sure: host_sure.solve(),
            host_maybe,
            device_maybe: any_kernel(problem, span),
        }
    }
    /// Elements that a kernel may need from the host on some path from the entry of `node`.
    pub fn device_maybe(&self, node: NodeId, cell: usize) -> &SectionSet {
        self.device_maybe.at(node, cell)
    }
    /// Elements that a kernel will need from the host on every path from the entry of `node`.
    pub fn device(&self, node: NodeId, cell: usize) -> SectionSet {
        demanded(&self.device, node, cell).unwrap_or_default()
    }
    /// Elements that the host will read on every path from the entry of `node`.
    pub fn host_sure(&self, node: NodeId, cell: usize) -> SectionSet {
        demanded(&self.host_sure, node, cell).unwrap_or_default()
    }
    /// Elements that the host may read on some path from the entry of `node`.
    pub fn host_maybe(&self, node: NodeId, cell: usize) -> &SectionSet {
        self.host_maybe.at(node, cell)
    }
}

fn device_step(problem: &Problem<'_>, node: NodeId, cell: usize, after: SectionSet) -> SectionSet {
    let facts = &problem.facts;
    let mut demand = after;
    for event in problem.events(node).iter().rev().filter(|e| e.cell == cell) {
        match &event.kind {
            EventKind::HostRead { .. } => {}
            EventKind::Free => demand = SectionSet::Empty,
            EventKind::HostWrite { may, .. } => {
                let loops = problem.loops.iter().enumerate();
                let mut around = loops.filter(|(_, l)| l.nodes.binary_search(&node).is_ok());
                let splits = problem.kept_by_callers || around.any(|(index, _)| problem.launches_in(index));
                demand = if demand.provably_disjoint(may, facts) {
                    demand
                } else if splits {
                    subtract_all(&demand, may, problem)
                } else {
                    SectionSet::Empty
                };
            }
            EventKind::Launch { reads, may, must } => {
                for m in must {
                    demand = demand.without(m, facts);
                }
                demand = demand.union(&launch_needs(reads, may, must, facts), facts);
            }
        }
    }
    told_at(problem, node, problem.within(demand))
}

fn host_step(problem: &Problem<'_>, node: NodeId, cell: usize, after: SectionSet) -> SectionSet {
    let facts = &problem.facts;
    let mut demand = after;
    for event in problem.events(node).iter().rev().filter(|e| e.cell == cell) {
        match &event.kind {
            EventKind::HostRead { may } => demand = demand.union(may, facts),
            EventKind::Free => demand = SectionSet::Empty,
            EventKind::HostWrite { must, may } => {
                for m in must {
                    demand = demand.without(m, facts);
                }
                demand = demand.union(&inexact(may, must, facts), facts);
            }
            EventKind::Launch { may, .. } => {
                if !demand.provably_disjoint(may, facts) {
                    demand = subtract_all(&demand, may, problem);
                }
            }
        }
    }
    told_at(problem, node, problem.within(demand))
}

/// `from` without anything that `what` may cover; nothing is left when that cannot be said exactly.
fn subtract_all(from: &SectionSet, what: &SectionSet, problem: &Problem<'_>) -> SectionSet {
    let Some(sections) = what.list() else {
        return SectionSet::Empty;
    };
    let mut rest = from.clone();
    for s in sections {
        rest = rest.without(s, &problem.facts);
    }
    rest
}
