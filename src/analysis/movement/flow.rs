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

use crate::program::graph::{FlowGraph, NodeId, NodeKind, TextOrder};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

/// Neighbours that are passed by.
#[derive(Clone, Debug)]
pub struct PassedBy {
    /// The gap before the first.
    pub from: NodeId,
    /// The gap behind the last.
    pub to: NodeId,
    /// The places of their nodes in the text ([`FlowGraph::in_text`]), with those of these gaps or without.
    pub places: Range<usize>,
}

/// Ways past stretches of statements.
#[derive(Debug, Default)]
pub struct Shortcuts {
    /// What a gap before a stretch leads to.
    over: FxHashMap<NodeId, [NodeId; 1]>,
    /// What a gap behind a stretch comes from.
    back: FxHashMap<NodeId, [NodeId; 1]>,
    /// In the order of the text.
    stretches: Vec<PassedBy>,
    text: Option<Arc<TextOrder>>,
}

impl Shortcuts {
    /// Leads from the gap before each stretch straight to the one behind it.
    pub fn new(mut stretches: Vec<PassedBy>, text: &Arc<TextOrder>) -> Shortcuts {
        stretches.sort_by_key(|s| s.places.start);
        Shortcuts {
            over: stretches.iter().map(|s| (s.from, [s.to])).collect(),
            back: stretches.iter().map(|s| (s.to, [s.from])).collect(),
            stretches,
            text: Some(Arc::clone(text)),
        }
    }

    /// The gap behind the stretch that a node is in.
    pub fn behind(&self, node: NodeId) -> Option<NodeId> {
        let place = self.text.as_ref()?.place(node)?;
        let next = self.stretches.partition_point(|s| s.places.start <= place);
        let stretch = &self.stretches[next.checked_sub(1)?];
        let is_in = stretch.places.contains(&place) && node != stretch.from && node != stretch.to;
        is_in.then_some(stretch.to)
    }

    /// Whether a node is passed by.
    pub fn passes(&self, node: NodeId) -> bool {
        self.behind(node).is_some()
    }
}

/// A graph with shortcuts.
#[derive(Clone, Debug)]
pub struct Flow<'a> {
    /// All of it.
    pub graph: &'a FlowGraph,
    /// Ways past what is left out.
    pub shortcuts: Rc<Shortcuts>,
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

    /// The nodes that are not passed by, in the order of [`FlowGraph::reverse_post_order`], which shortcuts do not change.
    pub fn reverse_post_order(&self) -> Vec<NodeId> {
        let stretches = &self.shortcuts.stretches;
        let Some(text) = &self.shortcuts.text else {
            return self.graph.reverse_post_order();
        };
        let ends = stretches.iter().map(|s| s.places.end);
        let starts = stretches.iter().map(|s| s.places.start).chain([text.count()]);
        let between = std::iter::once(0).chain(ends).zip(starts);
        let beside = stretches.iter().flat_map(|s| [s.from, s.to]);
        let mut nodes: Vec<NodeId> = between.flat_map(|(from, to)| text.nodes(from..to)).collect();
        nodes.extend(beside);
        nodes.extend([FlowGraph::ENTRY, FlowGraph::EXIT]);
        nodes.sort_unstable();
        nodes.dedup();
        self.in_order(nodes)
    }

    /// Some of the nodes in this order.
    pub fn in_order(&self, nodes: impl IntoIterator<Item = NodeId>) -> Vec<NodeId> {
        self.graph.in_order(nodes)
    }
}
