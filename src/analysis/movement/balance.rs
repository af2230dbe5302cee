//! The balance of what is paid and what is spent on the ways through a residency: the least at its ends, over all paths.
//!
//! ```c
//! { /* spends 1 */                    // -1
//!     kernel pays 2;                  // 1
//!     if (c) { /* spends 1 */ }       // 0 on one path, 1 on the other: 0
//! }
//! ```
//!
//! No iteration of a loop may lower it without end. When speculating, a loop with kernels is taken to run often enough, and
//! its conditions to hold often enough, to pay for what stands in and around it. A loop that surely runs is left after an
//! iteration.

use super::placement::Span;
use super::problem::Problem;
use crate::dataflow::{Analysis, Forward, Graph, JoinSemiLattice, Node, solve};
use crate::program::graph::NodeId;
use rustc_hash::FxHashMap;

/// A balance that nothing later can use up.
const PLENTY: i64 = 1 << 60;
/// Visits of a node after which a balance that still falls is taken to fall without end.
const PATIENCE: u32 = 24;

/// Amounts by node; nothing at all others.
pub(super) type Amounts = FxHashMap<NodeId, i64>;

/// The part of the graph that a residency spans, its nodes numbered in their order.
pub(super) struct Ways<'a> {
    problem: &'a Problem<'a>,
    span: &'a Span,
    nodes: Vec<NodeId>,
    place: FxHashMap<NodeId, Node>,
}

impl<'a> Ways<'a> {
    pub(super) fn through(problem: &'a Problem<'a>, span: &'a Span) -> Ways<'a> {
        let nodes = problem.graph.in_order(span.nodes.iter().copied());
        Ways {
            problem,
            span,
            place: nodes.iter().copied().zip(0..).collect(),
            nodes,
        }
    }

    /// The nodes, each before those that follow it.
    pub(super) fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// The least balance at the exits; `None` where no path leads to any.
    pub(super) fn least(&self, costs: &Amounts, pays: &dyn Fn(NodeId) -> i64) -> Option<i64> {
        let budget = Budget {
            ways: self,
            costs,
            pays,
        };
        let Ok(balances) = solve(self, &budget) else {
            return Some(-PLENTY);
        };
        self.exits().filter_map(|n| balances.after(n).least()).min()
    }
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
    ways: &'a Ways<'a>,
    costs: &'a Amounts,
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
        let node = self.ways.nodes[node];
        let own = (self.pays)(node).saturating_sub(self.costs.get(&node).copied().unwrap_or(0));
        let own = own.clamp(-PLENTY, PLENTY);
        let parts = state.parts().into_iter().flatten();
        parts.for_each(|balance| *balance = (*balance + own).clamp(-PLENTY, PLENTY));
    }

    fn edge(&self, from: Node, to: Node, state: &mut Balance) {
        let problem = self.ways.problem;
        let (from, to) = (self.ways.nodes[from], self.ways.nodes[to]);
        let mut value = state.least();
        if let Some(index) = problem.loops.place_of(from) {
            let l = &problem.loops[index];
            let leaves = l.nodes.binary_search(&to).is_err();
            if problem.speculate && problem.launches_in(index) {
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

impl Graph for Ways<'_> {
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
