//! What may be needed later on some path: by the host, and by kernels of the residency. Over-approximations, by union.

use super::demand::{MAX_SWEEPS, inexact, launch_needs};
use super::placement::Span;
use super::problem::{EventKind, Problem};
use crate::analysis::movement::sets::{Sets, one};
use crate::program::graph::{FlowGraph, NodeId};
use crate::symbolic::{Section, SectionSet};

/// Sweeps after which sets only grow.
const GROW_AFTER: usize = 8;

/// What the host may still read before each node, where all kernels map for themselves: they read the host's copy. `order` is
/// that of all nodes, the last ones first.
pub(super) fn any_path(problem: &Problem<'_>, order: &[NodeId]) -> Vec<Vec<SectionSet>> {
    let step = |n: NodeId, cell: usize, after: SectionSet| host_before(problem, n, cell, (after, true));
    let passes = |n: NodeId| n != FlowGraph::EXIT && !problem.renamed.at.contains(&n);
    let nothing = vec![vec![SectionSet::Empty; problem.cells]; problem.graph.nodes.len()];
    some_path(problem, (order, nothing), &|_| true, &passes, &step)
}

/// What the host may still read, where the kernels of a residency read the device's copy and do not count, but what must be
/// right on the host at its entry does. Outside of it, that is what it is without: `again` ([`any_path`]). `order` is that of the
/// nodes within, the last ones first.
pub(super) fn any_path_within(
    problem: &Problem<'_>,
    span: &Span,
    order: &[NodeId],
    mut again: Vec<Vec<SectionSet>>,
) -> Vec<Vec<SectionSet>> {
    let at_entry = again[span.entry.0 as usize].clone();
    let step = |n: NodeId, cell: usize, after: SectionSet| {
        let live = host_before(problem, n, cell, (after, false));
        match span.entry == n {
            true => live.union(&at_entry[cell], &problem.facts),
            false => live,
        }
    };
    for n in order {
        again[n.0 as usize] = vec![SectionSet::Empty; problem.cells];
    }
    let passes = |n: NodeId| n != FlowGraph::EXIT && !problem.renamed.at.contains(&n) && span.entry != n;
    some_path(problem, (order, again), &|_| true, &passes, &step)
}

/// What the host may still read before a node, given what it may after it, and whether kernels read the host's copy.
fn host_before(problem: &Problem<'_>, n: NodeId, cell: usize, (after, kernels_read): (SectionSet, bool)) -> SectionSet {
    let facts = &problem.facts;
    let mut live = match n == FlowGraph::EXIT {
        true => problem.live_out.clone(),
        false => after,
    };
    for event in problem.events(n).iter().rev().filter(|e| e.cell == cell) {
        match &event.kind {
            EventKind::HostRead { may } => live = live.union(may, facts),
            EventKind::Free => live = SectionSet::Empty,
            EventKind::HostWrite { must, may } => {
                for m in must {
                    live = live.without(m, facts);
                }
                live = live.union(&inexact(may, must, facts), facts);
            }
            EventKind::Launch { reads, may, must } => {
                for m in must {
                    live = live.without(m, facts);
                }
                if kernels_read {
                    live = live.union(&launch_needs(reads, may, must, facts), facts);
                }
            }
        }
    }
    problem.renamed.before(n, live, &problem.extent)
}

/// What kernels of the residency may still need from the host before each node; `order` is that of the nodes within, the last ones
/// first.
pub(super) fn any_kernel(problem: &Problem<'_>, span: &Span, order: &[NodeId]) -> Vec<Vec<SectionSet>> {
    let facts = &problem.facts;
    let order: Vec<NodeId> = order.iter().copied().filter(|n| !span.exits.contains(n)).collect();
    let step = |n: NodeId, cell: usize, mut needed: SectionSet| {
        for event in problem.events(n).iter().rev().filter(|e| e.cell == cell) {
            if let EventKind::Launch { reads, may, must } = &event.kind {
                for m in must {
                    needed = needed.without(m, facts);
                }
                needed = needed.union(&launch_needs(reads, may, must, facts), facts);
            }
        }
        needed
    };
    let nothing = vec![vec![SectionSet::Empty; problem.cells]; problem.graph.nodes.len()];
    some_path(problem, (&order, nothing), &|to| to != span.entry, &|_| true, &step)
}

/// The least fixpoint over the nodes of `order` (others keep what they have in `before`), by union over the successors that
/// `follows` lets through: `step` makes of the set
/// after a node the set before it, and nothing of it at nodes that `passes` says yes to where they have no events.
fn some_path(
    problem: &Problem<'_>,
    (order, mut before): (&[NodeId], Vec<Vec<SectionSet>>),
    follows: &dyn Fn(NodeId) -> bool,
    passes: &dyn Fn(NodeId) -> bool,
    step: &dyn Fn(NodeId, usize, SectionSet) -> SectionSet,
) -> Vec<Vec<SectionSet>> {
    let graph = problem.graph;
    let facts = &problem.facts;
    let whole = one(problem.extent.clone());
    let mut waiting = vec![false; graph.nodes.len()];
    order.iter().for_each(|n| waiting[n.0 as usize] = true);
    // Most nodes only hand on what comes after them, and what becomes of a set then is the same from one to the next.
    let next = |n: NodeId| straight_on(problem, n, follows).filter(|_| passes(n));
    let mut straight: Vec<Option<NodeId>> = vec![None; graph.nodes.len()];
    order.iter().for_each(|n| straight[n.0 as usize] = next(*n));
    let mut handed_on: Option<(SectionSet, SectionSet)> = None;
    for sweep in 0..=MAX_SWEEPS {
        let mut changed = false;
        for &n in order {
            if !std::mem::take(&mut waiting[n.0 as usize]) {
                continue;
            }
            for cell in 0..problem.cells {
                let mut set = match straight[n.0 as usize] {
                    Some(s) => {
                        let after = &before[s.0 as usize][cell];
                        match &handed_on {
                            Some((from, to)) if from == after => to.clone(),
                            _ => {
                                let to = problem.within(SectionSet::Empty.union(after, facts));
                                handed_on = Some((after.clone(), to.clone()));
                                to
                            }
                        }
                    }
                    None => {
                        let mut set = SectionSet::Empty;
                        for &s in graph.node(n).succs.iter().filter(|s| follows(**s)) {
                            let mut value = before[s.0 as usize][problem.target_cell(n, s, cell)].clone();
                            if let Some(index) = problem.closes(n, s) {
                                value = widened(problem, &value, index);
                            }
                            set = set.union(&value, facts);
                        }
                        if let Some(index) = problem.loops.iter().position(|l| l.header == n) {
                            set = widened(problem, &set, index);
                        }
                        problem.within(step(n, cell, set))
                    }
                };
                let undefined = |list: &[Section]| list.iter().any(|s| problem.terms.defined_at(s, n));
                let endless = sweep == MAX_SWEEPS && !set.is_empty(facts);
                if endless || set.list().is_some_and(undefined) {
                    set = whole.clone();
                }
                let known = &mut before[n.0 as usize][cell];
                // Sets whose form changes from sweep to sweep grow until they settle.
                if sweep >= GROW_AFTER {
                    set = known.union(&set, facts);
                }
                if set != *known {
                    *known = set;
                    changed = true;
                    for p in &graph.node(n).preds {
                        waiting[p.0 as usize] = true;
                    }
                }
            }
        }
        if !changed {
            return before;
        }
    }
    vec![vec![whole; problem.cells]; graph.nodes.len()]
}

/// The only node that follows, where nothing happens at this one and nothing is renamed or widened on the way.
fn straight_on(problem: &Problem<'_>, n: NodeId, follows: &dyn Fn(NodeId) -> bool) -> Option<NodeId> {
    let mut successors = problem.graph.node(n).succs.iter().copied().filter(|s| follows(*s));
    let (Some(s), None) = (successors.next(), successors.next()) else {
        return None;
    };
    let plain = problem.events(n).is_empty()
        && problem.closes(n, s).is_none()
        && problem.loops.iter().all(|l| l.header != n)
        && (0..problem.cells).all(|cell| problem.target_cell(n, s, cell) == cell);
    plain.then_some(s)
}

pub(super) fn widened(problem: &Problem<'_>, set: &SectionSet, loop_index: usize) -> SectionSet {
    match set.list() {
        Some(list) if list.iter().any(|s| problem.terms.varies(s, loop_index)) => {
            problem.clip(problem.terms.widen(set, loop_index))
        }
        _ => set.clone(),
    }
}
