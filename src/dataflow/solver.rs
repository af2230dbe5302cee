//! The worklist: the least fixpoint of an analysis on a graph.
//!
//! Every node holds the value that flows into it, bottom at first. A visited node's value goes through its transfer and
//! then along each edge, where it joins what flows into the next node; a node whose inflow grew is visited (again).
//! Nodes wait in reverse postorder, so that outside loops each is visited once, and the order never depends on hashing.
//!
//! Inflows only ever grow. With a monotone analysis on a lattice without infinite ascending chains that ends; for other
//! lattices there is [`Analysis::widen`]. [`VISITS_PER_NODE`] bounds the work in any case.

use super::analysis::{Analysis, Direction};
use super::graph::{Graph, Node};
use super::lattice::JoinSemiLattice;
use super::results::Results;
use fixedbitset::FixedBitSet;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The most visits of any one node before [`solve`] gives up.
pub const VISITS_PER_NODE: u32 = 1000;

/// The analysis kept changing its mind: its lattice has long chains and [`Analysis::widen`] does not cut them short.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("dataflow analysis did not converge: node {node} was visited {visits} times")]
pub struct DidNotConverge {
    /// The node that was visited most.
    pub node: Node,
    /// How often.
    pub visits: u32,
}

/// Solves an analysis on a graph.
///
/// # Errors
/// [`DidNotConverge`] when a node is visited more than [`VISITS_PER_NODE`] times.
pub fn solve<G: Graph, A: Analysis>(graph: &G, analysis: &A) -> Result<Results<A>, DidNotConverge> {
    let count = graph.node_count();
    let mut inflow: Vec<A::Domain> = (0..count).map(|_| analysis.bottom()).collect();
    let mut outcome = inflow.clone();
    if count == 0 {
        return Ok(Results::new::<A::Direction>(inflow, outcome));
    }
    for start in A::Direction::starts(graph) {
        inflow[start].join(&analysis.boundary(start));
    }
    let order = A::Direction::order(graph);
    let mut waiting = Worklist::of(&order, count);
    let mut visits = vec![0u32; count];
    // What a node's inflow was at its last visit, for widening; only nodes visited before have one.
    let mut previous: Vec<Option<A::Domain>> = vec![None; count];
    while let Some(node) = waiting.pop() {
        if visits[node] == VISITS_PER_NODE {
            return Err(DidNotConverge {
                node,
                visits: visits[node],
            });
        }
        if let Some(previous) = &previous[node] {
            analysis.widen(node, visits[node], previous, &mut inflow[node]);
        }
        visits[node] += 1;
        previous[node] = Some(inflow[node].clone());
        let mut state = inflow[node].clone();
        analysis.transfer(node, &mut state);
        for next in A::Direction::next(graph, node) {
            let mut along = state.clone();
            let (from, to) = if A::Direction::FORWARD {
                (node, next)
            } else {
                (next, node)
            };
            analysis.edge(from, to, &mut along);
            if inflow[next].join(&along) {
                waiting.push(next);
            }
        }
        outcome[node] = state;
    }
    Ok(Results::new::<A::Direction>(inflow, outcome))
}

/// Nodes waiting to be visited, earliest in the order first, each at most once.
struct Worklist<'a> {
    order: &'a [Node],
    /// Position of each node in the order; nodes that take no part have none.
    position: Vec<Option<usize>>,
    heap: BinaryHeap<Reverse<usize>>,
    queued: FixedBitSet,
}

impl<'a> Worklist<'a> {
    /// All nodes of the order.
    fn of(order: &'a [Node], count: usize) -> Worklist<'a> {
        let mut position = vec![None; count];
        for (at, node) in order.iter().enumerate() {
            position[*node] = Some(at);
        }
        let mut queued = FixedBitSet::with_capacity(order.len());
        queued.insert_range(..);
        Worklist {
            order,
            position,
            heap: (0..order.len()).map(Reverse).collect(),
            queued,
        }
    }

    fn push(&mut self, node: Node) {
        if let Some(at) = self.position[node]
            && !self.queued.put(at)
        {
            self.heap.push(Reverse(at));
        }
    }

    fn pop(&mut self) -> Option<Node> {
        let Reverse(at) = self.heap.pop()?;
        self.queued.set(at, false);
        Some(self.order[at])
    }
}
