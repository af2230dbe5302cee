//! The coarse graph as a movement problem sees it: stretches of statements that have nothing to do with it are passed by.
//!
//! ```c
//! kernel on a;               gap 1
//! for (…) { kernel on b; }   \  gap 1 leads to gap 2, in whichever of the two a copy
//! for (…) { kernel on c; }   /  of `a` stands
//! host reads a;              gap 2
//! ```
//!
//! [`super::quiet`] finds the stretches. The nodes of one keep their edges, so that whoever begins there sees all of the graph.

use crate::program::graph::{FlowGraph, NodeId, NodeKind};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Ways past stretches of statements.
#[derive(Debug, Default)]
pub struct Shortcuts {
    /// What a gap before a stretch leads to.
    over: FxHashMap<NodeId, [NodeId; 1]>,
    /// What a gap behind a stretch comes from.
    back: FxHashMap<NodeId, [NodeId; 1]>,
    /// The gap behind the stretch that a node is in.
    passed: FxHashMap<NodeId, NodeId>,
}

impl Shortcuts {
    /// Leads from one gap straight to another, past what lies between them.
    pub fn add(&mut self, from: NodeId, to: NodeId, between: impl Iterator<Item = NodeId>) {
        self.over.insert(from, [to]);
        self.back.insert(to, [from]);
        self.passed.extend(between.map(|node| (node, to)));
    }

    /// Whether a node is passed by.
    pub fn passes(&self, node: NodeId) -> bool {
        self.passed.contains_key(&node)
    }
}

/// A graph with shortcuts.
#[derive(Clone, Debug)]
pub struct Flow<'a> {
    /// All of it.
    pub graph: &'a FlowGraph,
    shortcuts: Rc<Shortcuts>,
}

impl<'a> Flow<'a> {
    /// The graph as it is.
    pub fn of(graph: &'a FlowGraph) -> Flow<'a> {
        Flow::with(graph, Rc::default())
    }

    /// The graph with these shortcuts.
    pub fn with(graph: &'a FlowGraph, shortcuts: Rc<Shortcuts>) -> Flow<'a> {
        Flow { graph, shortcuts }
    }

    /// Successors. For a condition the first is the true edge.
    pub fn succs(&self, node: NodeId) -> &[NodeId] {
        let over = self.shortcuts.over.get(&node);
        over.map_or(&self.graph.node(node).succs, |to| to)
    }

    /// Predecessors.
    pub fn preds(&self, node: NodeId) -> &[NodeId] {
        let back = self.shortcuts.back.get(&node);
        back.map_or(&self.graph.node(node).preds, |from| from)
    }

    /// Whether a directive may stand at a node.
    pub fn is_gap(&self, node: NodeId) -> bool {
        matches!(self.graph.node(node).kind, NodeKind::Gap(_))
    }

    /// The nodes that are passed by, with the gaps behind them.
    pub fn passed(&self) -> impl Iterator<Item = (NodeId, NodeId)> {
        self.shortcuts.passed.iter().map(|(node, gap)| (*node, *gap))
    }

    /// The nodes that are not passed by, in the order of [`FlowGraph::reverse_post_order`], which shortcuts do not change.
    pub fn reverse_post_order(&self) -> Vec<NodeId> {
        let mut order = self.graph.reverse_post_order();
        order.retain(|n| !self.shortcuts.passes(*n));
        order
    }

    /// Some of the nodes in this order.
    pub fn in_order(&self, nodes: impl IntoIterator<Item = NodeId>) -> Vec<NodeId> {
        self.graph.in_order(nodes)
    }
}
