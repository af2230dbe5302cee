//! What may be needed later on some path: by the host, and by kernels of the residency. Over-approximations, by union.

use super::demand::{MAX_SWEEPS, inexact, launch_needs};
use super::placement::Span;
use super::problem::{EventKind, Problem};
use crate::analysis::movement::sets::{Sets, one};
use crate::program::graph::{FlowGraph, NodeId};
use crate::symbolic::{Section, SectionSet};

/// What the host may still read before each node. Kernels of the residency read the device's copy and do not count,
/// except at its entry, where `at_entry` is what must be right on the host; without a residency all kernels map for
/// themselves and read the host's.
pub(super) fn any_path(problem: &Problem<'_>, residency: Option<(&Span, &Vec<SectionSet>)>) -> Vec<Vec<SectionSet>> {
    let graph = problem.graph;
    let facts = &problem.facts;
    let whole = one(problem.extent.clone());
    let mut order = graph.reverse_post_order();
    order.reverse();
    let mut before = vec![vec![SectionSet::Empty; problem.cells]; graph.nodes.len()];
    let mut waiting = vec![true; graph.nodes.len()];
    for sweep in 0..=MAX_SWEEPS {
        let mut changed = false;
        for &n in &order {
            if !std::mem::take(&mut waiting[n.0 as usize]) {
                continue;
            }
            for cell in 0..problem.cells {
                let mut live = if n == FlowGraph::EXIT {
                    problem.live_out.clone()
                } else {
                    SectionSet::Empty
                };
                for &s in &graph.node(n).succs {
                    let target = problem.target_cell(n, s, cell);
                    let mut value = before[s.0 as usize][target].clone();
                    if let Some(index) = problem.closes(n, s) {
                        value = widened(problem, &value, index);
                    }
                    live = live.union(&value, facts);
                }
                if let Some(index) = problem.loops.iter().position(|l| l.header == n) {
                    live = widened(problem, &live, index);
                }
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
                            if residency.is_none_or(|(span, _)| !span.nodes.contains(&n)) {
                                live = live.union(&launch_needs(reads, may, must, facts), facts);
                            }
                        }
                    }
                }
                if let Some((_, at_entry)) = residency.filter(|(span, _)| span.entry == n) {
                    live = live.union(&at_entry[cell], facts);
                }
                live = problem.within(live);
                if let Some(list) = live.list()
                    && list.iter().any(|s| problem.terms.defined_at(s, n))
                {
                    live = whole.clone();
                }
                if sweep == MAX_SWEEPS && !live.is_empty(facts) {
                    live = whole.clone();
                }
                let joined = if sweep < 8 {
                    live
                } else {
                    before[n.0 as usize][cell].union(&live, facts)
                };
                if joined != before[n.0 as usize][cell] {
                    before[n.0 as usize][cell] = joined;
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

/// What kernels of the residency may still need from the host before each node.
pub(super) fn any_kernel(problem: &Problem<'_>, span: &Span) -> Vec<Vec<SectionSet>> {
    let graph = problem.graph;
    let facts = &problem.facts;
    let whole = one(problem.extent.clone());
    let mut order: Vec<NodeId> = graph.reverse_post_order();
    order.retain(|n| span.nodes.contains(n) && !span.exits.contains(n));
    order.reverse();
    let mut before = vec![vec![SectionSet::Empty; problem.cells]; graph.nodes.len()];
    let mut waiting = vec![true; graph.nodes.len()];
    for sweep in 0..=MAX_SWEEPS {
        let mut changed = false;
        for &n in &order {
            if !std::mem::take(&mut waiting[n.0 as usize]) {
                continue;
            }
            for cell in 0..problem.cells {
                let mut needed = SectionSet::Empty;
                for &s in graph.node(n).succs.iter().filter(|s| **s != span.entry) {
                    let mut value = before[s.0 as usize][problem.target_cell(n, s, cell)].clone();
                    if let Some(index) = problem.closes(n, s) {
                        value = widened(problem, &value, index);
                    }
                    needed = needed.union(&value, facts);
                }
                if let Some(index) = problem.loops.iter().position(|l| l.header == n) {
                    needed = widened(problem, &needed, index);
                }
                for event in problem.events(n).iter().rev().filter(|e| e.cell == cell) {
                    if let EventKind::Launch { reads, may, must } = &event.kind {
                        for m in must {
                            needed = needed.without(m, facts);
                        }
                        needed = needed.union(&launch_needs(reads, may, must, facts), facts);
                    }
                }
                needed = problem.within(needed);
                let undefined = |list: &[Section]| list.iter().any(|s| problem.terms.defined_at(s, n));
                if needed.list().is_some_and(undefined) || (sweep > MAX_SWEEPS / 2 && !needed.is_empty(facts)) {
                    needed = whole.clone();
                }
                if needed != before[n.0 as usize][cell] {
                    before[n.0 as usize][cell] = needed;
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

pub(super) fn widened(problem: &Problem<'_>, set: &SectionSet, loop_index: usize) -> SectionSet {
    match set.list() {
        Some(list) if list.iter().any(|s| problem.terms.varies(s, loop_index)) => {
            problem.clip(problem.terms.widen(set, loop_index))
        }
        _ => set.clone(),
    }
}
