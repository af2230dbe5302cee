//! What is demanded on every path from a place on: the engine of the two all-paths analyses of [`super::demand`].
//!
//! **Domain.** Sets of sections by cell, ordered by inclusion; the merge over successors is what all of them demand ([`meet`]).
//! The engine starts with nothing known, which is more than any set, and goes down.
//!
//! **Loops that are taken to run.** At the header of a loop with kernels the demand of its body is added to that of what follows
//! ([`super::demand`], "Speculation"). Sets may grow there, and what stands before the loop must not have seen the smaller one:
//! what the bodies of such loops demand by themselves is found first ([`AllPaths::within_loops`]).
//!
//! Source: anticipability, Knoop/Rüthing/Steffen 1994.

use super::liveness::{Liveness, MAX_SWEEPS};
use super::placement::ResidencySpan;
use super::problem::{LoopFacts, Problem};
use super::sweeps::Sweeps;
use crate::analysis::movement::set_operations::{SetViews, one};
use crate::program::graph::NodeId;
use crate::symbolic::{Section, SectionSet};
use rustc_hash::FxHashMap;

/// A demand per cell; `None` where no path has been seen yet (top of the all-paths lattices).
pub(super) type PerCell = Vec<Option<SectionSet>>;

/// Demands of the nodes of a residency; outside of it nothing is demanded.
pub(super) type ByNode = FxHashMap<NodeId, PerCell>;

/// A demand of the residency at a node, by cell.
pub(super) fn demanded(by_node: &ByNode, node: NodeId, cell: usize) -> Option<SectionSet> {
    by_node
        .get(&node)
        .map_or(Some(SectionSet::Empty), |cells| cells[cell].clone())
}

/// A step of an all-paths analysis: the demand before `node`, given the demand after it.
pub(super) type TransferFunction = dyn Fn(&Problem<'_>, NodeId, usize, SectionSet) -> SectionSet;

/// An all-paths analysis of a residency.
pub(super) struct AllPaths<'a> {
    pub(super) problem: &'a Problem<'a>,
    pub(super) span: &'a ResidencySpan,
    /// The nodes, each after those that follow it.
    pub(super) order: &'a [NodeId],
    pub(super) step: &'a TransferFunction,
    /// What is demanded at the residency's exits, where that counts: what comes back at the end is read there.
    pub(super) at_exits: Option<&'a Liveness>,
    /// What counts at the headers of loops until their bodies are known.
    pub(super) within: &'a ByNode,
}

/// What an analysis has found so far.
struct DemandSoFar {
    /// The demand before each node.
    before: ByNode,
    /// Of loops that surely run: the demand on entering them, which is that of their bodies. It must not reach the back
    /// edges: a body that goes on with the next iteration before any kernel does not need what that iteration may need.
    first: FxHashMap<(NodeId, usize), SectionSet>,
}

impl AllPaths<'_> {
    /// What kernels in loops that are taken to run need there, whatever comes behind these loops. Where the demand of a loop's
    /// body is not known yet, that is the least that it will be.
    pub(super) fn within_loops(&self) -> ByNode {
        let problem = self.problem;
        if !problem.speculate {
            return ByNode::default();
        }
        let loops = problem.loops.iter().enumerate();
        let launching: Vec<&LoopFacts> = loops
            .filter(|(index, _)| problem.launches_in(*index))
            .map(|(_, l)| l)
            .collect();
        let is_in = |n: &NodeId, l: &LoopFacts| l.header == *n || l.nodes.binary_search(n).is_ok();
        let inside = |n: &NodeId| launching.iter().any(|l| is_in(n, l));
        let order: Vec<NodeId> = self.order.iter().copied().filter(inside).collect();
        AllPaths { order: &order, ..*self }.solve()
    }

    /// The demand before each node.
    pub(super) fn solve(&self) -> ByNode {
        let cells = self.problem.cells;
        let mut found = DemandSoFar {
            before: self.order.iter().map(|n| (*n, vec![None; cells])).collect(),
            first: FxHashMap::default(),
        };
        // What is demanded before a node rests on what is demanded before those that follow it, and on nothing else.
        let places: FxHashMap<NodeId, usize> = self.order.iter().copied().zip(0..).collect();
        let mut sweeps = Sweeps::over_all(self.order.len());
        while let Some(place) = sweeps.next() {
            if sweeps.number > MAX_SWEEPS {
                // Not stable: claim nothing anywhere.
                return ByNode::default();
            }
            let n = self.order[place];
            let visit = |cell| self.visit(&mut found, n, cell);
            if (0..cells).map(visit).fold(false, |any, changed| any | changed) {
                let preds = self.problem.flow.preds(n).iter();
                preds
                    .filter_map(|p| places.get(p))
                    .for_each(|place| sweeps.wait(*place));
            }
        }
        found.before
    }

    /// Looks at a node again; says whether anything changed.
    fn visit(&self, found: &mut DemandSoFar, n: NodeId, cell: usize) -> bool {
        let problem = self.problem;
        let after = match self.at_exits {
            _ if !self.span.exits.contains(&n) => self.after(found, n, cell),
            None => Some(SectionSet::Empty),
            Some(live) => Some(live.at(n, cell).clone()),
        };
        let new = after.map(|after| (self.step)(problem, n, cell, after));
        let mut entering = None;
        if self.at_exits.is_none() {
            entering = first_iteration(problem, &found.before, n, cell).map(|(surely, body)| {
                let body = (self.step)(problem, n, cell, body);
                match &new {
                    Some(always) if !surely => always.union(&body, &problem.facts),
                    _ => body,
                }
            });
        }
        let mut changed = false;
        if found.first.get(&(n, cell)) != entering.as_ref() {
            match entering {
                Some(entering) => found.first.insert((n, cell), entering),
                None => found.first.remove(&(n, cell)),
            };
            changed = true;
        }
        if let Some(slot) = found.before.get_mut(&n).map(|cells| &mut cells[cell])
            && *slot != new
        {
            *slot = new;
            changed = true;
        }
        changed
    }

    /// Merge over successors; `None` while no successor has a value.
    fn after(&self, found: &DemandSoFar, node: NodeId, cell: usize) -> Option<SectionSet> {
        let problem = self.problem;
        let flow = &problem.flow;
        let header = problem.loops.headed_by(node).next();
        let mut merged: Option<SectionSet> = None;
        let mut body: Option<SectionSet> = None;
        for &s in flow.succs(node) {
            // A permuted back edge renames: find the cell of the target that this one becomes.
            let target = problem.target_cell(node, s, cell);
            let entered = found
                .first
                .get(&(s, target))
                .filter(|_| problem.closes(node, s).is_none());
            let Some(mut value) = entered.cloned().or_else(|| demanded(&found.before, s, target)) else {
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
            if self.at_exits.is_none() && problem.speculate {
                let launches = problem.launches_in(index);
                let known = || self.within.get(&node).and_then(|cells| cells[cell].clone());
                if let (true, Some(body), Some(m)) = (launches, body.or_else(known), &merged) {
                    let body = keep_invariant(problem, body, index);
                    merged = Some(m.union(&body, &problem.facts));
                }
            }
        }
        if flow.succs(node).is_empty() {
            Some(SectionSet::Empty)
        } else {
            merged
        }
    }
}

/// The demand after the header of a loop that runs, on entering it: that of its body, in the first iteration; and whether it
/// surely runs.
fn first_iteration(problem: &Problem<'_>, before: &ByNode, node: NodeId, cell: usize) -> Option<(bool, SectionSet)> {
    let index = problem.loops.place_of(node)?;
    let l = &problem.loops[index];
    let taken_to_run = problem.speculate && problem.launches_in(index);
    if !l.runs && !taken_to_run {
        return None;
    }
    let inside = |s: &&NodeId| l.nodes.binary_search(s).is_ok();
    let succs = problem.flow.succs(node);
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

fn is_gap(problem: &Problem<'_>, node: NodeId) -> bool {
    problem.flow.is_gap(node)
}

/// A demand as the node can tell it. At a gap, what has its value from there on can be said in a copy that stands there; the nodes
/// before it are told less ([`AllPaths::after`]).
pub(super) fn told_at(problem: &Problem<'_>, node: NodeId, demand: SectionSet) -> SectionSet {
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
