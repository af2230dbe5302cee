//! The statement graph: control flow whose nodes are places of the text.
//!
//! One graph per function, built from the scope tree alone. Besides the statements it has a [`NodeKind::Gap`] node for
//! every place where a directive could be inserted (between two statements, at the end of a block, in the `else` that is
//! not there yet), so that "put a copy on this node" and "write a pragma here" are the same thing and nothing has to be
//! mapped back. Worked example:
//!
//! ```c
//! if (c) {        Cond(if) ──true──► Gap(Before x) ─► Leaf(x) ─► Gap(After x) ─┐
//!     x = 1;               └─false─► Gap(Else if) ────────────────────────────┴► Gap(Before y) ─► Leaf(y)
//! }
//! y = 2;
//! ```
//!
//! Statements named in `opaque` become a single [`NodeKind::Whole`] node with nothing inside: that is how a kernel, or a
//! host loop in which no copy may be placed, is one step of the coarse graph. The fine graph (nothing opaque) carries
//! the SSA values; both have the same gaps outside the opaque statements.
//!
//! **Invariant.** Every edge of the program's control flow is an edge here. More edges are allowed (they only make
//! analyses more careful); missing ones are not, which [`crate::program::attach`] checks against LLVM's blocks.

use super::components::Components;
use crate::source::Span;
use crate::syntax::{BranchPlace, StmtId};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, OnceLock};

/// Index of a node in [`FlowGraph::nodes`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub u32);

/// A place in the text where a directive may be inserted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Place {
    /// Before the statement and the pragmas attached to it.
    Before(StmtId),
    /// After the statement, reached only when it completes normally.
    After(StmtId),
    /// The missing `else` of this `if`.
    Else(StmtId),
    /// Behind the brace of a block that begins with a conditional of the preprocessor, and before that; or in a block of directives alone, for whoever
    /// asked for such gaps ([`Special::empty_with_gap`]).
    Start(StmtId),
}

/// What a node stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeKind {
    /// The function's start: parameters get their values.
    Entry,
    /// The function's end, by `return`, by falling off the end, or by a call that does not return.
    Exit,
    /// An insertion point.
    Gap(Place),
    /// A simple statement.
    Leaf(StmtId),
    /// The controlling expression of an `if`, loop or `switch`.
    Cond(StmtId),
    /// The init clause of a `for`.
    Init(StmtId),
    /// The step expression of a `for`.
    Step(StmtId),
    /// A statement seen from outside only.
    Whole(StmtId),
    /// What the host evaluates for the directives before a statement, when it meets them ([`super::evaluated`]).
    Clauses(StmtId),
    /// The start of a statement that a hand-written `target data` governs; in the coarse graph alone.
    Region(StmtId),
    /// The begin of conditionals of the preprocessor between the members of a block, with what branches that are left out do in builds
    /// that compile them; or what the host evaluates for a directive at the block's end.
    LeftOut(BranchPlace),
}

/// A node with its edges.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it stands for.
    pub kind: NodeKind,
    /// Successors. For a condition the first is the true edge.
    pub succs: Vec<NodeId>,
    /// Predecessors.
    pub preds: Vec<NodeId>,
}

/// Control flow of one function.
#[derive(Clone, Debug)]
pub struct FlowGraph {
    /// Nodes; the first is the entry, the second the exit.
    pub nodes: Vec<Node>,
    pub(super) gaps: FxHashMap<Place, NodeId>,
    pub(super) of_stmt: FxHashMap<StmtId, NodeId>,
    pub(super) cond: FxHashMap<StmtId, NodeId>,
    pub(super) step: FxHashMap<StmtId, NodeId>,
    pub(super) init: FxHashMap<StmtId, NodeId>,
    pub(super) regions: FxHashMap<StmtId, NodeId>,
    pub(super) clauses: FxHashMap<StmtId, NodeId>,
    pub(super) left_out: FxHashMap<BranchPlace, NodeId>,
    /// The nodes that `longjmp` may leave, and where it leads.
    pub(super) far: FxHashSet<(NodeId, NodeId)>,
    /// Edges that were taken out.
    pub(super) cut: Vec<(NodeId, NodeId)>,
    /// The order of its nodes, once somebody has asked; forgotten where an edge changes.
    pub(super) order: OnceLock<FlowOrder>,
}

/// Statements of which a graph has to know more than the text says.
#[derive(Clone, Debug, Default)]
pub struct Special {
    /// Statements that become a single node.
    pub opaque: FxHashSet<StmtId>,
    /// Leaves that end the program.
    pub noreturn: FxHashSet<StmtId>,
    /// Loops that are left by `break` and the like alone.
    pub endless: FxHashSet<StmtId>,
    /// Statements whose directives evaluate something.
    pub evaluating: FxHashSet<StmtId>,
    /// Where conditionals of the preprocessor begin that other builds may compile otherwise.
    pub left_out: FxHashMap<BranchPlace, OtherWays>,
    /// Blocks without statements that have a gap at their start all the same.
    pub empty_with_gap: FxHashSet<StmtId>,
}

/// Where control may go at the begin of a conditional in other builds.
#[derive(Clone, Debug, Default)]
pub struct OtherWays {
    /// Past the members of the block before these: how many members come before the end of the conditional.
    pub past: Vec<u32>,
    /// Where words in branches that are left out may lead (`JUMPS` of `syntax::left_out`).
    pub jumps: Vec<String>,
}

/// Why no graph could be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoGraph {
    /// Where.
    pub span: Span,
    /// Why.
    pub message: String,
}

impl FlowGraph {
    /// The entry node.
    pub const ENTRY: NodeId = NodeId(0);
    /// The exit node.
    pub const EXIT: NodeId = NodeId(1);

    /// A graph of which nothing but its nodes matters.
    #[cfg(test)]
    pub(crate) fn of_nodes(nodes: Vec<Node>) -> FlowGraph {
        FlowGraph {
            nodes,
            gaps: FxHashMap::default(),
            of_stmt: FxHashMap::default(),
            cond: FxHashMap::default(),
            step: FxHashMap::default(),
            init: FxHashMap::default(),
            regions: FxHashMap::default(),
            clauses: FxHashMap::default(),
            left_out: FxHashMap::default(),
            far: FxHashSet::default(),
            cut: Vec::new(),
            order: OnceLock::new(),
        }
    }

    /// The node with this id.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }
    /// All node ids.
    pub fn ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }
    /// The gap at a place. `After` of a statement that has a next sibling is the gap before that sibling, unless a
    /// [`NodeKind::LeftOut`] lies between the two.
    pub fn gap(&self, place: Place) -> Option<NodeId> {
        self.gaps.get(&place).copied()
    }
    /// Whether two places are one point of the text's control flow.
    pub fn is_one_gap(&self, a: Place, b: Place) -> bool {
        self.gap(a) == self.gap(b)
    }
    /// The node of a leaf or whole statement.
    pub fn of_stmt(&self, stmt: StmtId) -> Option<NodeId> {
        self.of_stmt.get(&stmt).copied()
    }
    /// The condition node of an `if`, loop or `switch`.
    pub fn cond_of(&self, stmt: StmtId) -> Option<NodeId> {
        self.cond.get(&stmt).copied()
    }
    /// The step node of a `for`.
    pub fn step_of(&self, stmt: StmtId) -> Option<NodeId> {
        self.step.get(&stmt).copied()
    }
    /// The init node of a `for`.
    pub fn init_of(&self, stmt: StmtId) -> Option<NodeId> {
        self.init.get(&stmt).copied()
    }
    /// The statement a node belongs to (the owner of a condition, the statement a gap is beside).
    pub fn stmt_of(&self, id: NodeId) -> Option<StmtId> {
        match self.node(id).kind {
            NodeKind::Entry | NodeKind::Exit => None,
            NodeKind::Gap(Place::Before(s) | Place::After(s) | Place::Else(s) | Place::Start(s))
            | NodeKind::Leaf(s)
            | NodeKind::Cond(s)
            | NodeKind::Init(s)
            | NodeKind::Step(s)
            | NodeKind::Whole(s)
            | NodeKind::Clauses(s)
            | NodeKind::Region(s) => Some(s),
            // The branch is no part of the statements beside it.
            NodeKind::LeftOut(place) => Some(place.block),
        }
    }
    /// The node of what the directives before a statement evaluate.
    pub fn clauses_of(&self, stmt: StmtId) -> Option<NodeId> {
        self.clauses.get(&stmt).copied()
    }
    /// The node of what branches that are left out do at a place.
    pub fn left_out_at(&self, place: BranchPlace) -> Option<NodeId> {
        self.left_out.get(&place).copied()
    }
    /// All nodes of branches that are left out.
    pub fn left_out_nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.left_out.values().copied()
    }
    /// Whether a node stands beside a statement, and is no part of it.
    pub fn is_beside(&self, id: NodeId) -> bool {
        matches!(self.node(id).kind, NodeKind::Gap(_) | NodeKind::Clauses(_))
    }
    /// Puts a [`NodeKind::Region`] before all that a statement does, if there is but one way into it.
    pub fn enter_region(&mut self, stmt: StmtId) {
        self.order.take();
        let Some(gap) = self.clauses_of(stmt).or(self.gap(Place::Before(stmt))) else {
            return;
        };
        let region = NodeId(self.nodes.len() as u32);
        if self.regions.contains_key(&stmt) {
            return;
        }
        let [first] = self.node(gap).succs.as_slice() else {
            return;
        };
        let first = *first;
        self.nodes[gap.0 as usize].succs = vec![region];
        let into = &mut self.nodes[first.0 as usize].preds;
        into.iter_mut().filter(|n| **n == gap).for_each(|n| *n = region);
        self.nodes.push(Node {
            kind: NodeKind::Region(stmt),
            succs: vec![first],
            preds: vec![gap],
        });
        self.regions.insert(stmt, region);
    }
    /// The node that [`FlowGraph::enter_region`] has put there.
    pub fn region(&self, stmt: StmtId) -> Option<NodeId> {
        self.regions.get(&stmt).copied()
    }
    /// Adds a way that `longjmp` may take: from within a node to the gap at which `setjmp` returns again.
    pub fn jump_far(&mut self, from: NodeId, to: NodeId) {
        self.order.take();
        if self.far.insert((from, to)) && !self.node(from).succs.contains(&to) {
            self.nodes[from.0 as usize].succs.push(to);
            self.nodes[to.0 as usize].preds.push(from);
        }
    }
    /// Whether an edge is a way that `longjmp` takes.
    pub fn is_far(&self, from: NodeId, to: NodeId) -> bool {
        self.far.contains(&(from, to))
    }
    /// Whether `longjmp` may leave a node for another place of this function.
    pub fn jumps_far(&self, from: NodeId) -> bool {
        self.node(from).succs.iter().any(|to| self.is_far(from, *to))
    }
    /// Takes an edge out that control never takes.
    pub fn cut(&mut self, from: NodeId, to: NodeId) {
        self.order.take();
        self.cut.push((from, to));
        self.nodes[from.0 as usize].succs.retain(|n| *n != to);
        self.nodes[to.0 as usize].preds.retain(|n| *n != from);
    }
    /// The edges that were taken out.
    pub fn cuts(&self) -> &[(NodeId, NodeId)] {
        &self.cut
    }
    /// Reverse post-order from the entry; unreachable nodes follow in index order.
    pub fn reverse_post_order(&self) -> Vec<NodeId> {
        self.order().nodes.clone()
    }
    /// Some of the nodes in the order of [`FlowGraph::reverse_post_order`].
    pub fn in_order(&self, nodes: impl IntoIterator<Item = NodeId>) -> Vec<NodeId> {
        let rank = &self.order().rank;
        let mut sorted: Vec<NodeId> = nodes.into_iter().collect();
        sorted.sort_unstable_by_key(|n| rank[n.0 as usize]);
        sorted
    }
    /// Whether control may come to a node again after it was there. `true` may be wrong.
    pub fn may_repeat(&self, node: NodeId) -> bool {
        self.order().repeats[node.0 as usize]
    }
    /// Whether control may come to a node after it was at another. `true` may be wrong.
    pub fn may_follow(&self, first: NodeId, then: NodeId) -> bool {
        let component = &self.order().component;
        let (first_in, then_in) = (component[first.0 as usize], component[then.0 as usize]);
        first_in > then_in || first_in == then_in && self.may_repeat(then)
    }
    /// The nodes in text order. `begins` says where each statement does.
    pub fn in_text(&self, begins: impl Fn(StmtId) -> usize) -> &Arc<TextOrder> {
        self.order().text.get_or_init(|| Arc::new(TextOrder::of(self, begins)))
    }
    fn order(&self) -> &FlowOrder {
        self.order.get_or_init(|| FlowOrder::of(self))
    }
    /// Nodes that control may come to after it was at one of these.
    pub fn reached_from(&self, nodes: &[NodeId]) -> FxHashSet<NodeId> {
        let mut seen = FxHashSet::default();
        let mut stack: Vec<NodeId> = nodes.iter().flat_map(|n| &self.node(*n).succs).copied().collect();
        while let Some(n) = stack.pop() {
            if seen.insert(n) {
                stack.extend(&self.node(n).succs);
            }
        }
        seen
    }
    /// Whether control can come to a node from the entry.
    pub fn is_reachable(&self, node: NodeId) -> bool {
        self.order().rank[node.0 as usize] < self.order().reachable
    }
}

/// The nodes of a graph in reverse post-order.
#[derive(Clone, Debug)]
pub(super) struct FlowOrder {
    /// All nodes, unreachable ones last.
    nodes: Vec<NodeId>,
    /// The place of each node among them.
    rank: Vec<usize>,
    /// How many control can come to.
    reachable: usize,
    /// By node: the number of its strongly connected component. A way leads to the node's own or to one with a smaller number.
    component: Vec<usize>,
    /// By node: whether a way leads back to it.
    repeats: Vec<bool>,
    /// The nodes in the order of the text, once somebody has asked.
    text: OnceLock<Arc<TextOrder>>,
}

/// The nodes of a graph in the order of the text.
#[derive(Clone, Debug)]
pub struct TextOrder {
    /// Nodes with the byte of the text at which their statements begin.
    nodes: Vec<(usize, NodeId)>,
    /// The place of each node among them, if it stands for a statement or lies beside one.
    place: Vec<Option<u32>>,
}

impl TextOrder {
    fn of(graph: &FlowGraph, begins: impl Fn(StmtId) -> usize) -> TextOrder {
        let at = |n: NodeId| Some((begins(graph.stmt_of(n)?), n));
        let mut nodes: Vec<(usize, NodeId)> = graph.ids().filter_map(at).collect();
        nodes.sort_unstable();
        let mut place = vec![None; graph.nodes.len()];
        for ((_, n), at) in nodes.iter().zip(0..) {
            place[n.0 as usize] = Some(at);
        }
        TextOrder { nodes, place }
    }
    /// The places of nodes of which the statements begin at one of these bytes.
    pub fn places(&self, bytes: std::ops::Range<usize>) -> std::ops::Range<usize> {
        let before = |byte: usize| self.nodes.partition_point(|(at, _)| *at < byte);
        before(bytes.start)..before(bytes.end)
    }
    /// Nodes that stand for a statement, or lie beside one, that begins at one of these bytes, in order of their numbers.
    pub fn within(&self, bytes: std::ops::Range<usize>) -> Vec<NodeId> {
        let mut nodes: Vec<NodeId> = self.nodes(self.places(bytes)).collect();
        nodes.sort_unstable();
        nodes
    }
    /// The nodes at places.
    pub fn nodes(&self, places: std::ops::Range<usize>) -> impl Iterator<Item = NodeId> + '_ {
        let within = self.nodes.get(places).unwrap_or_default();
        within.iter().map(|(_, n)| *n)
    }
    /// How many nodes have a place.
    pub fn count(&self) -> usize {
        self.nodes.len()
    }
    /// The place of a node.
    pub fn place(&self, node: NodeId) -> Option<usize> {
        self.place[node.0 as usize].map(|at| at as usize)
    }
}

impl FlowOrder {
    fn of(graph: &FlowGraph) -> FlowOrder {
        let mut seen = vec![false; graph.nodes.len()];
        let mut nodes = Vec::with_capacity(graph.nodes.len());
        let mut stack = vec![(FlowGraph::ENTRY, 0usize)];
        seen[0] = true;
        while let Some((n, i)) = stack.pop() {
            if let Some(&next) = graph.node(n).succs.get(i) {
                stack.push((n, i + 1));
                if !seen[next.0 as usize] {
                    seen[next.0 as usize] = true;
                    stack.push((next, 0));
                }
            } else {
                nodes.push(n);
            }
        }
        nodes.reverse();
        let reachable = nodes.len();
        nodes.extend(graph.ids().filter(|n| !seen[n.0 as usize]));
        let mut rank = vec![0; nodes.len()];
        for (place, n) in nodes.iter().enumerate() {
            rank[n.0 as usize] = place;
        }
        let succs = |n: NodeId| graph.node(n).succs.iter().map(|s| s.0 as usize).collect();
        let succs: Vec<Vec<usize>> = graph.ids().map(succs).collect();
        let components = Components::of(&succs);
        FlowOrder {
            nodes,
            rank,
            reachable,
            repeats: components.on_cycles(&succs),
            component: components.of,
            text: OnceLock::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_follow_is_what_can_be_reached() {
        // 0 → 2 → 3 ⇄ 4 → 5 → {1, 6}, 6 → 6, and 7 ⇄ 8 → 3, which nothing leads to.
        let edges = [
            (0, 2),
            (2, 3),
            (3, 4),
            (4, 3),
            (4, 5),
            (5, 1),
            (5, 6),
            (6, 6),
            (7, 8),
            (8, 7),
            (8, 3),
        ];
        let node = |n: u32| Node {
            kind: NodeKind::Entry,
            succs: edges.iter().filter(|e| e.0 == n).map(|e| NodeId(e.1)).collect(),
            preds: edges.iter().filter(|e| e.1 == n).map(|e| NodeId(e.0)).collect(),
        };
        let graph = FlowGraph::of_nodes((0..9).map(node).collect());
        for first in graph.ids() {
            let reached = graph.reached_from(&[first]);
            assert_eq!(graph.may_repeat(first), reached.contains(&first));
            assert!(reached.iter().all(|then| graph.may_follow(first, *then)));
        }
        let never = [(3, 2), (5, 4), (1, 0), (1, 1), (2, 7), (6, 5)];
        assert!(never.iter().all(|(a, b)| !graph.may_follow(NodeId(*a), NodeId(*b))));
    }
}
