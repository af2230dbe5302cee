//! What an analysis states, and its direction as a type.

use super::graph::{Graph, Node, depth_first_postorder};
use super::lattice::JoinSemiLattice;

/// A dataflow problem. Transfers must be monotone in the domain's order for the result to be the least fixpoint; a
/// result that was reached is a sound fixpoint in any case.
pub trait Analysis {
    /// The values that flow.
    type Domain: JoinSemiLattice;
    /// [`Forward`] or [`Backward`].
    type Direction: Direction;

    /// The least value: what a node knows before anything has reached it.
    fn bottom(&self) -> Self::Domain;

    /// What flows in from outside: before the entry for a forward analysis, after each exit for a backward one.
    fn boundary(&self, node: Node) -> Self::Domain;

    /// The effect of a node on the value that flows through it.
    fn transfer(&self, node: Node, state: &mut Self::Domain);

    /// The effect of an edge of the graph, after that of the node it leaves in flow order. `from` and `to` are the
    /// edge's ends in the graph, whatever the direction of the analysis.
    fn edge(&self, _from: Node, _to: Node, _state: &mut Self::Domain) {}

    /// Called when the value that flows into a node has grown, with the value of the previous visit and the number of
    /// visits so far (at least 1). May raise `state`, never lower it, to make an ascending chain finite.
    fn widen(&self, _node: Node, _visits: u32, _previous: &Self::Domain, _state: &mut Self::Domain) {}
}

/// Control flows along edges: a value after a node speaks of the past.
#[derive(Clone, Copy, Debug)]
pub enum Forward {}

/// Values flow against edges: a value before a node speaks of the future.
#[derive(Clone, Copy, Debug)]
pub enum Backward {}

/// How values flow through a graph. Implemented by [`Forward`] and [`Backward`] only.
pub trait Direction: sealed::Sealed {
    /// Whether values flow along edges.
    const FORWARD: bool;

    /// Nodes that a boundary value flows into.
    fn starts<G: Graph>(graph: &G) -> Vec<Node>;

    /// The nodes that a node's outcome flows to.
    fn next<G: Graph>(graph: &G, node: Node) -> Vec<Node>;

    /// The nodes that take part, in the order in which values pass them: reverse postorder.
    ///
    /// Forward, these are the nodes reachable from the entry, so that dead code does not influence what it flows into.
    /// Backward, all nodes take part, also those that loop for ever: what they need is as interesting as what others
    /// need. Dead code can only influence dead code then.
    fn order<G: Graph>(graph: &G) -> Vec<Node>;
}

impl Direction for Forward {
    const FORWARD: bool = true;

    fn starts<G: Graph>(graph: &G) -> Vec<Node> {
        vec![graph.entry()]
    }

    fn next<G: Graph>(graph: &G, node: Node) -> Vec<Node> {
        graph.succs(node).collect()
    }

    fn order<G: Graph>(graph: &G) -> Vec<Node> {
        let mut order = depth_first_postorder(graph.node_count(), [graph.entry()], |node| graph.succs(node));
        order.reverse();
        order
    }
}

impl Direction for Backward {
    const FORWARD: bool = false;

    fn starts<G: Graph>(graph: &G) -> Vec<Node> {
        graph.exits().collect()
    }

    fn next<G: Graph>(graph: &G, node: Node) -> Vec<Node> {
        graph.preds(node).collect()
    }

    fn order<G: Graph>(graph: &G) -> Vec<Node> {
        // What the search finds last comes first in the reversed order: the nodes that reach no exit. That is right,
        // since values flow from them to nodes that do, and never the other way.
        let starts = graph.exits().chain(0..graph.node_count());
        let mut order = depth_first_postorder(graph.node_count(), starts, |node| graph.preds(node));
        order.reverse();
        order
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Forward {}
    impl Sealed for super::Backward {}
}
