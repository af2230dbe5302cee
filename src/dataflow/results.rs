//! The fixpoint, and a cursor over it.
//!
//! *Before* and *after* always mean the order of execution, also for a backward analysis: the value before a node is
//! then the outcome of its transfer.

use super::analysis::{Analysis, Direction};
use super::graph::Node;

/// The value before and after every node. Nodes that took no part in the analysis (dead code, in a forward one) hold
/// bottom.
pub struct Results<A: Analysis> {
    before: Vec<A::Domain>,
    after: Vec<A::Domain>,
}

impl<A: Analysis> Results<A> {
    pub(super) fn new<D: Direction>(inflow: Vec<A::Domain>, outcome: Vec<A::Domain>) -> Results<A> {
        let (before, after) = if D::FORWARD {
            (inflow, outcome)
        } else {
            (outcome, inflow)
        };
        Results { before, after }
    }

    /// The value just before a node executes.
    pub fn before(&self, node: Node) -> &A::Domain {
        &self.before[node]
    }

    /// The value just after a node executed, where all its outgoing edges still lie ahead.
    pub fn after(&self, node: Node) -> &A::Domain {
        &self.after[node]
    }

    /// A cursor, at first before node 0.
    ///
    /// # Panics
    /// If the graph has no node.
    pub fn cursor<'a>(&'a self, analysis: &'a A) -> Cursor<'a, A> {
        Cursor {
            results: self,
            analysis,
            state: self.before[0].clone(),
        }
    }
}

/// A position in a solved analysis: before a node, after a node, or on an edge.
pub struct Cursor<'a, A: Analysis> {
    results: &'a Results<A>,
    analysis: &'a A,
    state: A::Domain,
}

impl<A: Analysis> Cursor<'_, A> {
    /// Moves to just before a node.
    pub fn seek_before(&mut self, node: Node) -> &A::Domain {
        self.state.clone_from(self.results.before(node));
        &self.state
    }

    /// Moves to just after a node.
    pub fn seek_after(&mut self, node: Node) -> &A::Domain {
        self.state.clone_from(self.results.after(node));
        &self.state
    }

    /// Moves onto the edge from `from` to `to`: to the value that this edge alone carries, its edge transfer applied,
    /// before it merges with others.
    pub fn seek_edge(&mut self, from: Node, to: Node) -> &A::Domain {
        let source = if A::Direction::FORWARD {
            self.results.after(from)
        } else {
            self.results.before(to)
        };
        self.state.clone_from(source);
        self.analysis.edge(from, to, &mut self.state);
        &self.state
    }

    /// The value at the cursor.
    pub fn get(&self) -> &A::Domain {
        &self.state
    }
}
