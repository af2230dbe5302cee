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
//! **Partial host writes.** `a[0] = …` in a loop whose kernel reads `a[0:n]` does not end the demand for the rest of
//! `a`: it is split, so that the rest is copied once before the loop and one element in it. Outside loops splitting gains
//! nothing and would cost a second copy: there a host write that overlaps the demand ends it. Where callers have the array on
//! the device every way out needs all of it there, whatever the host wrote on it: the demand is split everywhere.

use super::maybe::{Liveness, any_kernel, any_path};
use super::placement::Span;
use super::problem::{EventKind, Problem};
use crate::analysis::movement::sets::{Sets, one};
use crate::program::graph::{NodeId, NodeKind};
use crate::symbolic::{Facts, Section, SectionSet};
use rustc_hash::{FxHashMap, FxHashSet};

/// A demand per cell; `None` where no path has been seen yet (top of the all-paths lattices).
type PerCell = Vec<Option<SectionSet>>;

/// Demands of the nodes of a residency; outside of it nothing is demanded.
type ByNode = FxHashMap<NodeId, PerCell>;

/// A demand of the residency at a node, by cell.
fn demanded(by_node: &ByNode, node: NodeId, cell: usize) -> Option<SectionSet> {
    by_node
        .get(&node)
        .map_or(Some(SectionSet::Empty), |cells| cells[cell].clone())
}

/// Results: demand on leaving and on entering each node.
pub struct Demand {
    device: ByNode,
    host_sure: ByNode,
    host_maybe: Liveness,
    device_maybe: Liveness,
}

/// Sweeps over the graph before the analysis gives up and answers "nothing is needed for sure".
pub(super) const MAX_SWEEPS: usize = 40;

impl Demand {
    /// Solves all four for a residency. Outside it kernels map for themselves: they read and write the host's copy.
    pub fn solve(problem: &Problem<'_>, span: &Span) -> Demand {
        // Where a residency is entered again (its span stands in a loop), its kernels read what the host then has.
        let again = any_path(problem, None, None);
        Demand::solve_given(problem, span, &again)
    }
    /// [`Demand::solve`] where it is known what the host reads if all kernels map for themselves.
    pub fn solve_given(problem: &Problem<'_>, span: &Span, again: &Liveness) -> Demand {
        let host_maybe = any_path(problem, Some(span), Some(again));
        Demand {
            device: all_paths(problem, span, &device_step, None),
            host_sure: all_paths(problem, span, &host_step, Some(&host_maybe)),
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

/// Whether every path from the entry of the span passes a node of `wanted` before it leaves. A loop that surely runs is
/// entered; one that holds such a node is taken to come by it when speculating.
pub fn surely_passes(problem: &Problem<'_>, span: &Span, wanted: &dyn Fn(NodeId) -> bool) -> bool {
    let graph = problem.graph;
    let mut order = graph.in_order(span.nodes.iter().copied());
    order.reverse();
    let mut passes: FxHashSet<NodeId> = order.iter().copied().filter(|n| wanted(*n)).collect();
    let entered = |n: NodeId, passes: &FxHashSet<NodeId>| {
        let Some(l) = problem.loops.headed_by(n).next() else {
            return false;
        };
        let mut body = graph.node(n).succs.iter().filter(|s| l.nodes.binary_search(s).is_ok());
        (problem.speculate && l.nodes.iter().any(|m| wanted(*m)))
            || (l.runs && body.clone().next().is_some() && body.all(|s| passes.contains(s)))
    };
    loop {
        let before = passes.len();
        for &n in &order {
            let after = |s: &NodeId| passes.contains(s) || (problem.closes(n, *s).is_none() && entered(*s, &passes));
            let succs = &graph.node(n).succs;
            if !passes.contains(&n) && !span.exits.contains(&n) && !succs.is_empty() && succs.iter().all(after) {
                passes.insert(n);
            }
        }
        if passes.len() == before {
            return passes.contains(&span.entry);
        }
    }
}

/// A step of an all-paths analysis: the demand before `node`, given the demand after it.
type Step = dyn Fn(&Problem<'_>, NodeId, usize, SectionSet) -> SectionSet;

fn device_step(problem: &Problem<'_>, node: NodeId, cell: usize, after: SectionSet) -> SectionSet {
    let facts = &problem.facts;
    let mut demand = after;
    for event in problem.events(node).iter().rev().filter(|e| e.cell == cell) {
        match &event.kind {
            EventKind::HostRead { .. } => {}
            EventKind::Free => demand = SectionSet::Empty,
            EventKind::HostWrite { may, .. } => {
                let mut around = problem.loops.iter().filter(|l| l.nodes.binary_search(&node).is_ok());
                let splits = problem.kept_by_callers || around.any(|l| l.nodes.iter().any(|n| problem.launches(*n)));
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

/// What a kernel needs current on the device: what it reads, and what it may leave unwritten in the part it writes.
pub fn launch_needs(reads: &SectionSet, may: &SectionSet, must: &[Section], facts: &Facts) -> SectionSet {
    reads.union(&inexact(may, must, facts), facts)
}

/// What a write may leave as it was: the writing space must be current there, or the rest would be lost later.
pub fn inexact(may: &SectionSet, must: &[Section], facts: &Facts) -> SectionSet {
    let Some(list) = may.list() else { return may.clone() };
    let mut partly = SectionSet::Empty;
    for piece in list
        .iter()
        .filter(|p| !must.iter().any(|m| m.provably_covers(p, facts)))
    {
        let rest = must.iter().fold(one(piece.clone()), |rest, m| rest.without(m, facts));
        partly = partly.union(&rest, facts);
    }
    partly
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

fn is_gap(problem: &Problem<'_>, node: NodeId) -> bool {
    matches!(problem.graph.node(node).kind, NodeKind::Gap(_))
}

/// A demand as the node can tell it. At a gap, what has its value from there on can be said in a copy that stands there; the nodes
/// before it are told less ([`after_all`]).
fn told_at(problem: &Problem<'_>, node: NodeId, demand: SectionSet) -> SectionSet {
    match is_gap(problem, node) {
        true => demand,
        false => drop_undefined(problem, node, demand),
    }
}

/// Sections whose symbols get their value at `node` mean nothing before it.
fn drop_undefined(problem: &Problem<'_>, node: NodeId, set: SectionSet) -> SectionSet {
    match set.list() {
        Some(list) if list.iter().any(|s| problem.terms.defined_at(s, node)) => {
            let mut kept = SectionSet::Empty;
            for s in list.iter().filter(|s| !problem.terms.defined_at(s, node)) {
                kept = kept.union(&one(s.clone()), &problem.facts);
            }
            kept
        }
        _ => set,
    }
}

/// With `at_exits` the demand at the residency's exits is that one (what comes back at the end is read there), else none.
fn all_paths(problem: &Problem<'_>, span: &Span, step: &Step, at_exits: Option<&Liveness>) -> ByNode {
    let mut order = problem.graph.in_order(span.nodes.iter().copied());
    order.reverse();
    let mut before: ByNode = order.iter().map(|n| (*n, vec![None; problem.cells])).collect();
    // Of loops that surely run: the demand on entering them, which is that of their bodies. It must not reach the back
    // edges: a body that goes on with the next iteration before any kernel does not need what that iteration may need.
    let mut first: FxHashMap<(NodeId, usize), SectionSet> = FxHashMap::default();
    for sweep in 0..=MAX_SWEEPS {
        let mut changed = false;
        for &n in &order {
            for cell in 0..problem.cells {
                let after = if span.exits.contains(&n) {
                    Some(at_exits.map_or_else(|| SectionSet::Empty, |live| live.at(n, cell).clone()))
                } else {
                    after_all(problem, (&before, &first), n, cell, at_exits.is_none())
                };
                let new = after.map(|after| step(problem, n, cell, after));
                let mut entering = None;
                if at_exits.is_none() {
                    entering = first_iteration(problem, &before, n, cell).map(|(surely, body)| {
                        let body = step(problem, n, cell, body);
                        match &new {
                            Some(always) if !surely => always.union(&body, &problem.facts),
                            _ => body,
                        }
                    });
                }
                if first.get(&(n, cell)) != entering.as_ref() {
                    match entering {
                        Some(entering) => first.insert((n, cell), entering),
                        None => first.remove(&(n, cell)),
                    };
                    changed = true;
                }
                if let Some(slot) = before.get_mut(&n).map(|cells| &mut cells[cell])
                    && *slot != new
                {
                    *slot = new;
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
        if sweep == MAX_SWEEPS {
            // Not stable: claim nothing anywhere.
            return ByNode::default();
        }
    }
    before
}

/// Merge over successors; `None` while no successor has a value.
fn after_all(
    problem: &Problem<'_>,
    (before, first): (&ByNode, &FxHashMap<(NodeId, usize), SectionSet>),
    node: NodeId,
    cell: usize,
    device: bool,
) -> Option<SectionSet> {
    let graph = problem.graph;
    let header = problem.loops.headed_by(node).next();
    let mut merged: Option<SectionSet> = None;
    let mut body: Option<SectionSet> = None;
    for &s in &graph.node(node).succs {
        // A permuted back edge renames: find the cell of the target that this one becomes.
        let target = problem.target_cell(node, s, cell);
        let entered = first.get(&(s, target)).filter(|_| problem.closes(node, s).is_none());
        let Some(mut value) = entered.cloned().or_else(|| demanded(before, s, target)) else {
            continue;
        };
        if is_gap(problem, s) {
            value = drop_undefined(problem, s, value);
        }
        if let Some(index) = problem.closes(node, s) {
            value = keep_invariant(problem, value, index);
        }
        if let Some(l) = header
            && l.nodes.binary_search(&s).is_ok()
        {
            body = Some(value.clone());
        }
        merged = Some(match merged {
            None => value,
            Some(m) => meet(&m, &value, problem),
        });
    }
    // Entering a loop backwards: what only means something inside it is left behind.
    if let Some(index) = problem.loops.place_of(node) {
        merged = merged.map(|m| keep_invariant(problem, m, index));
        if device && problem.speculate {
            let launches = problem.loops[index].nodes.iter().any(|n| problem.launches(*n));
            if let (true, Some(body), Some(m)) = (launches, body, &merged) {
                let body = keep_invariant(problem, body, index);
                merged = Some(m.union(&body, &problem.facts));
            }
        }
    }
    if graph.node(node).succs.is_empty() {
        Some(SectionSet::Empty)
    } else {
        merged
    }
}

/// The demand after the header of a loop that runs, on entering it: that of its body, in the first iteration; and whether it
/// surely runs.
fn first_iteration(problem: &Problem<'_>, before: &ByNode, node: NodeId, cell: usize) -> Option<(bool, SectionSet)> {
    let index = problem.loops.place_of(node)?;
    let l = &problem.loops[index];
    let taken_to_run = problem.speculate && l.nodes.iter().any(|n| problem.launches(*n));
    if !l.runs && !taken_to_run {
        return None;
    }
    let inside = |s: &&NodeId| l.nodes.binary_search(s).is_ok();
    let succs = &problem.graph.node(node).succs;
    let mut body: Option<SectionSet> = None;
    for s in succs.iter().filter(inside) {
        let value = demanded(before, *s, problem.target_cell(node, *s, cell))?;
        body = Some(match body {
            None => value,
            Some(b) => meet(&b, &value, problem),
        });
    }
    let body = body?;
    let begins = |s: &Section| problem.terms.at_first(s, index);
    let moving = body.list().into_iter().flatten().filter_map(begins);
    let moving = moving.fold(SectionSet::Empty, |all, s| all.union(&one(s), &problem.facts));
    // Nothing is known better there of other loops that perhaps do not run.
    if !l.runs && moving.list().is_some_and(|list| list.is_empty()) {
        return None;
    }
    Some((
        l.runs,
        keep_invariant(problem, body, index).union(&moving, &problem.facts),
    ))
}

fn keep_invariant(problem: &Problem<'_>, set: SectionSet, loop_index: usize) -> SectionSet {
    match set.list() {
        Some(list) if list.iter().any(|s| problem.terms.varies(s, loop_index)) => {
            let mut kept = SectionSet::Empty;
            for s in list.iter().filter(|s| !problem.terms.varies(s, loop_index)) {
                kept = kept.union(&one(s.clone()), &problem.facts);
            }
            kept
        }
        _ => set,
    }
}

/// Elements in both, never more.
fn meet(a: &SectionSet, b: &SectionSet, problem: &Problem<'_>) -> SectionSet {
    let facts = &problem.facts;
    if a.provably_covers(b, facts) {
        return b.clone();
    }
    if b.provably_covers(a, facts) {
        return a.clone();
    }
    let mut both = SectionSet::Empty;
    if let (Some(x), Some(y)) = (a.list(), b.list()) {
        for s in x {
            let one = one(s.clone());
            if b.provably_covers(&one, facts) {
                both = both.union(&one, facts);
            }
        }
        for s in y {
            let one = one(s.clone());
            if a.provably_covers(&one, facts) {
                both = both.union(&one, facts);
            }
        }
    }
    both
}
