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

use super::placement::ResidencySpan;
use super::problem::Problem;
use crate::program::graph::NodeId;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A balance that nothing later can use up.
const PLENTY: i64 = 1 << 60;
/// Visits of a node after which a balance that still falls is taken to fall without end.
const PATIENCE: u32 = 24;
/// Visits of a node after which nothing is known.
const MOST_VISITS: u32 = 1000;

/// Amounts by node; nothing at all others.
pub(super) type Amounts = FxHashMap<NodeId, i64>;

/// The part of the graph that a residency spans, its nodes numbered in their order.
pub(super) struct SpannedGraph<'a> {
    problem: &'a Problem<'a>,
    span: &'a ResidencySpan,
    nodes: Vec<NodeId>,
    place: FxHashMap<NodeId, usize>,
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

    /// The balance with something done to both parts.
    fn map(self, work: impl Fn(i64) -> i64) -> Balance {
        Balance {
            entered: self.entered.map(&work),
            closed: self.closed.map(&work),
        }
    }

    fn join(self, other: Balance) -> Balance {
        Balance {
            entered: self.entered.into_iter().chain(other.entered).min(),
            closed: self.closed.into_iter().chain(other.closed).min(),
        }
    }

    /// The balance where it differs from what was here before: it falls without end.
    fn widened(self, before: Balance) -> Balance {
        let part = |now: Option<i64>, before| if now == before { now } else { now.map(|_| -PLENTY) };
        Balance {
            entered: part(self.entered, before.entered),
            closed: part(self.closed, before.closed),
        }
    }
}

impl<'a> SpannedGraph<'a> {
    pub(super) fn through(problem: &'a Problem<'a>, span: &'a ResidencySpan) -> SpannedGraph<'a> {
        let nodes = problem.flow.in_order(span.nodes.iter().copied());
        SpannedGraph {
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
        let count = self.nodes.len();
        let (mut into, mut before) = (vec![Balance::default(); count], vec![Balance::default(); count]);
        let mut visits = vec![0u32; count];
        let entry = self.place[&self.span.entry];
        into[entry].entered = Some(0);
        let mut waiting = BTreeSet::from([entry]);
        let mut least: Option<i64> = None;
        while let Some(at) = waiting.pop_first() {
            visits[at] += 1;
            if visits[at] > MOST_VISITS {
                return Some(-PLENTY);
            }
            if visits[at] > PATIENCE {
                into[at] = into[at].widened(before[at]);
            }
            before[at] = into[at];
            let node = self.nodes[at];
            let own = pays(node).saturating_sub(costs.get(&node).copied().unwrap_or(0));
            let own = own.clamp(-PLENTY, PLENTY);
            let behind = into[at].map(|balance| (balance + own).clamp(-PLENTY, PLENTY));
            if self.span.exits.contains(&node) {
                least = least.into_iter().chain(behind.least()).min();
                continue;
            }
            for to in self.succs(node) {
                let joined = into[to].join(self.along(node, self.nodes[to], behind));
                if joined != into[to] {
                    into[to] = joined;
                    waiting.insert(to);
                }
            }
        }
        least
    }

    /// What arrives at `to` of a balance behind `from`.
    fn along(&self, from: NodeId, to: NodeId, behind: Balance) -> Balance {
        let problem = self.problem;
        let mut value = behind.least();
        if let Some(index) = problem.loops.place_of(from) {
            let l = &problem.loops[index];
            let leaves = l.nodes.binary_search(&to).is_err();
            if problem.speculate && problem.launches_in(index) {
                value = value.map(|_| PLENTY);
            } else if l.runs && leaves {
                // After an iteration, not before the first.
                value = behind.closed;
            }
        }
        match problem.closes(from, to) {
            Some(_) => Balance {
                entered: None,
                closed: value,
            },
            None => Balance {
                entered: value,
                closed: None,
            },
        }
    }

    /// The places of what follows a node in the residency.
    fn succs(&self, node: NodeId) -> impl Iterator<Item = usize> {
        let succs = self.problem.flow.succs(node).iter();
        let within = succs.filter(|s| **s != self.span.entry);
        within.filter_map(|s| self.place.get(s).copied())
    }
}
