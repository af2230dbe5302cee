//! Which nodes of a statement graph lie in a loop of the text, and where control comes to it.
//!
//! ```c
//! for (int i = 0; i < n; i++)            /* outside: `int i = 0`; inside: `i < n`, where control comes to it, `i++`   */
//!     a[i] = 0;                          /* inside                                                                    */
//! ```

use super::graph::{FlowGraph, NodeId, NodeKind, Place, TextOrder};
use crate::syntax::{ScopeTree, StmtId, StmtKind};
use std::sync::Arc;

/// Whether a node lies in the loop `stmt`: its condition, step and body, not its init or the gaps beside it.
pub fn in_loop(tree: &ScopeTree, kind: NodeKind, stmt: StmtId) -> bool {
    match kind {
        NodeKind::Entry | NodeKind::Exit => false,
        NodeKind::Cond(s) | NodeKind::Step(s) if s == stmt => true,
        NodeKind::Init(s)
        | NodeKind::Whole(s)
        | NodeKind::Clauses(s)
        | NodeKind::Region(s)
        | NodeKind::Gap(Place::Before(s) | Place::After(s) | Place::Else(s))
            if s == stmt =>
        {
            false
        }
        NodeKind::Gap(Place::Before(s) | Place::After(s) | Place::Else(s))
        | NodeKind::Leaf(s)
        | NodeKind::Cond(s)
        | NodeKind::Init(s)
        | NodeKind::Step(s)
        | NodeKind::Whole(s)
        | NodeKind::Clauses(s)
        | NodeKind::Region(s) => s != stmt && tree.encloses(stmt, s),
        NodeKind::LeftOut(place) => tree.encloses(stmt, place.block),
        NodeKind::Gap(Place::Start(block)) => tree.encloses(stmt, block),
    }
}

/// The nodes that lie in the loop `stmt`, in order of their numbers.
pub fn nodes_in_loop(tree: &ScopeTree, graph: &FlowGraph, stmt: StmtId) -> Vec<NodeId> {
    let mut nodes = nodes_of_text(tree, graph, stmt);
    nodes.retain(|n| in_loop(tree, graph.node(*n).kind, stmt));
    nodes
}

/// The nodes of statements that begin in the text of `stmt`, those beside it among them, in order of their numbers: all that lie
/// in it are among these.
pub fn nodes_of_text(tree: &ScopeTree, graph: &FlowGraph, stmt: StmtId) -> Vec<NodeId> {
    let text = tree.stmt(stmt).span;
    in_text(tree, graph).within(text.start..text.end + 1)
}

/// The nodes of a graph in the order of the text.
pub fn in_text<'g>(tree: &ScopeTree, graph: &'g FlowGraph) -> &'g Arc<TextOrder> {
    graph.in_text(|s| tree.stmt(s).span.start)
}

/// The node at which control enters the loop and comes back to: its condition, or the start of a `do … while`'s body.
pub fn merge_node(tree: &ScopeTree, graph: &FlowGraph, stmt: StmtId) -> Option<NodeId> {
    let cond = graph.cond_of(stmt)?;
    match tree.stmt(stmt).kind {
        StmtKind::DoWhile { .. } => graph
            .node(cond)
            .succs
            .iter()
            .copied()
            .find(|s| in_loop(tree, graph.node(*s).kind, stmt)),
        _ => Some(cond),
    }
}
