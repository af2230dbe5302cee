//! Whether a placement can ever copy more than the kernels would for themselves: the balance of copies on every path.
//!
//! A kernel that stands alone copies what its map clauses say. That is what it *pays* for; every copy of a residency must
//! be paid for by a kernel on the same path, or the rewritten program moves more than before whenever that path is taken.
//! The balance is the least, over all paths from the entry, of what kernels have paid minus what copies have cost, in
//! units of one whole extent. At no exit may it be negative, and no iteration of a loop may lower it without end.
//!
//! What part of an extent a copy is, nobody knows in general: it counts as a whole one. Where kernels map parts of it, a
//! copy counts as the part that it is expected to be, in [`WHOLE`]ths, and so does what they pay. Copies of one cell at one
//! gap in one direction are a whole one at most. When speculating, a loop with kernels is taken to run often enough, and
//! its conditions to hold often enough, to pay for what stands in and around it.
//!
//! This is the safety criterion of partial redundancy elimination (Knoop/Rüthing/Steffen 1994: on no path more
//! computations than before), asked of a finished placement.

use super::placement::{Placement, Span};
use super::problem::Problem;
use crate::dataflow::{Analysis, Forward, Graph, JoinSemiLattice, Node, solve};
use crate::program::graph::NodeId;
use crate::symbolic::Section;
use rustc_hash::FxHashMap;

/// How many parts an extent has. No copy is for nothing, and what kernels map counts as all of it only if it is.
pub const WHOLE: i64 = 16;

/// A balance that nothing later can use up.
const PLENTY: i64 = 1 << 40;
/// Visits of a node after which a balance that still falls is taken to fall without end.
const PATIENCE: u32 = 24;

/// How many elements a section is expected to have.
pub type Elements<'a> = dyn Fn(&Section) -> f64 + 'a;

/// How much of an extent a section is expected to be, in [`WHOLE`]ths, which are not rounded.
fn part_of(extent: &Section, section: &Section, elements: &Elements<'_>) -> f64 {
    let part = elements(section) / elements(extent);
    part.min(1.0) * WHOLE as f64
}

/// What a copy of a section pays for, where that is part of an extent.
pub fn paid_by(extent: &Section, section: &Section, elements: &Elements<'_>) -> i64 {
    part_of(extent, section, elements).floor() as i64
}

/// What copies are measured by.
pub struct Measure<'a> {
    /// What the kernels of a node copy as written, in [`WHOLE`]ths of the extent.
    pub pays: &'a dyn Fn(NodeId) -> i64,
    /// How many elements sections are expected to have.
    pub elements: &'a Elements<'a>,
}

/// Whether kernels pay for all copies of `placement` on every path, and for `more` whole ones on entry.
pub fn is_paid(problem: &Problem<'_>, span: &Span, placement: &Placement, more: i64, measure: &Measure<'_>) -> bool {
    let part = |section: &Section| match problem.uniform {
        true => WHOLE,
        false => part_of(&problem.extent, section, measure.elements).ceil() as i64,
    };
    let costs = costs(span, placement, WHOLE, &part);
    least(problem, span, costs, more * WHOLE, measure.pays).is_none_or(|balance| balance >= 0)
}

/// The least balance at the span's exits over all paths, in copies of whole extents; `None` where no path leads to any.
pub fn least_balance(
    problem: &Problem<'_>,
    span: &Span,
    placement: &Placement,
    more: i64,
    pays: &dyn Fn(NodeId) -> i64,
) -> Option<i64> {
    least(problem, span, costs(span, placement, 1, &|_| 1), more, pays)
}

fn least(
    problem: &Problem<'_>,
    span: &Span,
    mut costs: FxHashMap<NodeId, i64>,
    more: i64,
    pays: &dyn Fn(NodeId) -> i64,
) -> Option<i64> {
    *costs.entry(span.entry).or_default() += more;
    let nodes = problem.graph.in_order(span.nodes.iter().copied());
    let budget = Budget {
        problem,
        nodes: &nodes,
        costs,
        pays,
    };
    let graph = SpanGraph {
        problem,
        span,
        nodes: &nodes,
        place: nodes.iter().copied().zip(0..).collect(),
    };
    let Ok(balances) = solve(&graph, &budget) else {
        return Some(-PLENTY);
    };
    let exits = graph.exits();
    exits.filter_map(|n| balances.after(n).least()).min()
}

/// What the copies at each gap cost, where all of an extent costs `whole` and a section what `part` says.
fn costs(span: &Span, placement: &Placement, whole: i64, part: &dyn Fn(&Section) -> i64) -> FxHashMap<NodeId, i64> {
    let mut at: FxHashMap<(NodeId, usize, bool), i64> = FxHashMap::default();
    for c in &placement.copies {
        *at.entry((c.gap, c.cell, c.up)).or_default() += part(&c.section);
    }
    for (cell, _) in placement.entry.iter().enumerate().filter(|(_, b)| b.copies) {
        at.insert((span.entry, cell, true), whole);
    }
    for (gap, boundaries) in &placement.exits {
        for (cell, _) in boundaries.iter().enumerate().filter(|(_, b)| b.copies) {
            at.insert((*gap, cell, false), whole);
        }
    }
    let mut costs = FxHashMap::default();
    for ((gap, ..), cost) in at {
        *costs.entry(gap).or_default() += cost.min(whole);
    }
    costs
}

/// The least balance with which control arrives at a node, over all paths; `None` if on none. Apart for the edges that
/// close a loop: one that surely runs is left by these alone.
///
/// ```text
///  (None, None) < … < (3, None) < (2, None) < …        less is more allowed: join is the minimum of either part
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Balance {
    entered: Option<i64>,
    closed: Option<i64>,
}

impl Balance {
    fn least(self) -> Option<i64> {
        self.entered.into_iter().chain(self.closed).min()
    }

    fn parts(&mut self) -> [&mut Option<i64>; 2] {
        [&mut self.entered, &mut self.closed]
    }
}

impl JoinSemiLattice for Balance {
    fn join(&mut self, other: &Self) -> bool {
        let before = *self;
        self.entered = self.entered.into_iter().chain(other.entered).min();
        self.closed = self.closed.into_iter().chain(other.closed).min();
        *self != before
    }
}

struct Budget<'a> {
    problem: &'a Problem<'a>,
    /// Nodes of the residency by their numbers in the analysis.
    nodes: &'a [NodeId],
    costs: FxHashMap<NodeId, i64>,
    pays: &'a dyn Fn(NodeId) -> i64,
}

impl Analysis for Budget<'_> {
    type Domain = Balance;
    type Direction = Forward;

    fn bottom(&self) -> Balance {
        Balance::default()
    }

    fn boundary(&self, _: Node) -> Balance {
        Balance {
            entered: Some(0),
            closed: None,
        }
    }

    fn transfer(&self, node: Node, state: &mut Balance) {
        let node = self.nodes[node];
        let own = (self.pays)(node) - self.costs.get(&node).copied().unwrap_or(0);
        state.parts().into_iter().flatten().for_each(|balance| *balance += own);
    }

    fn edge(&self, from: Node, to: Node, state: &mut Balance) {
        let problem = self.problem;
        let (from, to) = (self.nodes[from], self.nodes[to]);
        let mut value = state.least();
        if let Some(l) = problem.loops.headed_by(from).next() {
            let leaves = l.nodes.binary_search(&to).is_err();
            if problem.speculate && l.nodes.iter().any(|n| problem.launches(*n)) {
                value = value.map(|_| PLENTY);
            } else if l.runs && leaves {
                // After an iteration, not before the first.
                value = state.closed;
            }
        }
        *state = match problem.closes(from, to) {
            Some(_) => Balance {
                entered: None,
                closed: value,
            },
            None => Balance {
                entered: value,
                closed: None,
            },
        };
    }

    fn widen(&self, _: Node, visits: u32, previous: &Balance, state: &mut Balance) {
        let before = [previous.entered, previous.closed];
        for (part, before) in state.parts().into_iter().zip(before) {
            if visits > PATIENCE && *part != before {
                *part = Some(-PLENTY);
            }
        }
    }
}

/// The part of the graph that a residency spans, its nodes numbered in their order.
struct SpanGraph<'a> {
    problem: &'a Problem<'a>,
    span: &'a Span,
    nodes: &'a [NodeId],
    place: FxHashMap<NodeId, Node>,
}

impl Graph for SpanGraph<'_> {
    fn node_count(&self) -> usize {
        self.nodes.len()
    }

    fn entry(&self) -> Node {
        self.place[&self.span.entry]
    }

    fn exits(&self) -> impl Iterator<Item = Node> {
        self.span.exits.iter().filter_map(|n| self.place.get(n).copied())
    }

    fn succs(&self, node: Node) -> impl Iterator<Item = Node> {
        let from = self.nodes[node];
        let inside = !self.span.exits.contains(&from);
        let succs = self.problem.graph.node(from).succs.iter();
        let within = succs.filter(move |s| inside && **s != self.span.entry);
        within.filter_map(|s| self.place.get(s).copied())
    }

    fn preds(&self, node: Node) -> impl Iterator<Item = Node> {
        let to = self.nodes[node];
        let inside = to != self.span.entry;
        let preds = self.problem.graph.node(to).preds.iter();
        let within = preds.filter(move |p| inside && !self.span.exits.contains(p));
        within.filter_map(|p| self.place.get(p).copied())
    }
}
