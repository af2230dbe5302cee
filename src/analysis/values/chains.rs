//! The nodes at which versions can change on the way, and what hangs off them.
//!
//! ```c
//! for (i = 0; i < n; i++)     /* the condition: two ways lead here                        */
//!     a[i] = 0;               /* one plain way: what the condition leaves arrives here    */
//! k = 1;                      /* one plain way, from the condition again                  */
//! ```
//!
//! Most nodes of a graph have one edge into them, on which nothing happens. What arrives there is what their predecessor leaves.
//! So a slot is solved at the other nodes alone, the *heads*. Below each head hangs a tree of nodes with one plain way in; what
//! arrives in it is what arrives at the head, or what the last node above has stored.

use crate::program::graph::{FlowGraph, NodeId};

/// What stands for the head of nodes that control never comes to.
const NONE: u32 = u32::MAX;

/// Heads of a graph, and the trees below them.
#[derive(Clone, Debug, Default)]
pub(super) struct Chains {
    /// The heads that control comes to, in the order in which they are visited: the entry first.
    pub heads: Vec<NodeId>,
    /// By node: which head it hangs off, as its place among the heads.
    head: Vec<u32>,
    /// By node: its number in an order in which each node comes before those below it and these together.
    number: Vec<u32>,
    /// By node: the first number that is behind those below it.
    end: Vec<u32>,
}

impl Chains {
    /// Finds the heads. `is_plain` says whether nothing happens on the only edge into a node.
    pub fn of(graph: &FlowGraph, is_plain: impl Fn(NodeId, NodeId) -> bool) -> Chains {
        let count = graph.nodes.len();
        let mut chains = Chains {
            heads: Vec::new(),
            head: vec![NONE; count],
            number: vec![0; count],
            end: vec![0; count],
        };
        let hangs = |n: NodeId| match graph.node(n).preds.as_slice() {
            [only] => n != FlowGraph::ENTRY && is_plain(*only, n),
            _ => false,
        };
        let order = graph.reverse_post_order();
        let reached = order.into_iter().filter(|n| graph.is_reachable(*n));
        chains.heads.extend(reached.filter(|n| !hangs(*n)));
        let mut next = 0;
        for (place, &head) in chains.heads.iter().enumerate() {
            // A node is taken from the stack twice: before those below it, and after them.
            let mut work = vec![(head, false)];
            while let Some((n, is_done)) = work.pop() {
                let at = n.0 as usize;
                if is_done {
                    chains.end[at] = next;
                    continue;
                }
                chains.head[at] = place as u32;
                chains.number[at] = next;
                next += 1;
                work.push((n, true));
                work.extend(graph.node(n).succs.iter().filter(|s| hangs(**s)).map(|s| (*s, false)));
            }
        }
        chains
    }

    /// The head that a node hangs off, as its place among the heads; `None` where control never comes to the node.
    pub fn head_of(&self, node: NodeId) -> Option<usize> {
        let head = self.head[node.0 as usize];
        (head != NONE).then_some(head as usize)
    }

    /// Brings nodes into the order that [`Chains::last_above`] needs. Nodes that control never comes to are left out.
    pub fn sort<T>(&self, nodes: &mut Vec<(NodeId, T)>) {
        nodes.retain(|(n, _)| self.head_of(*n).is_some());
        nodes.sort_by_key(|(n, _)| self.number[n.0 as usize]);
    }

    /// The last of some sorted nodes on the way from the head of a node to that node, the head included and the node not.
    pub fn last_above<'n, T>(&self, nodes: &'n [(NodeId, T)], node: NodeId) -> Option<&'n T> {
        self.last_before(nodes, node, self.number[node.0 as usize])
    }

    /// [`Chains::last_above`], the node included.
    pub fn last_at<'n, T>(&self, nodes: &'n [(NodeId, T)], node: NodeId) -> Option<&'n T> {
        self.last_before(nodes, node, self.number[node.0 as usize] + 1)
    }

    /// The last one with a number below `limit`.
    fn last_before<'n, T>(&self, nodes: &'n [(NodeId, T)], node: NodeId, limit: u32) -> Option<&'n T> {
        let number = |n: &NodeId| self.number[n.0 as usize];
        let (at, first) = (number(&node), number(&self.heads[self.head_of(node)?]));
        let before = nodes.partition_point(|(n, _)| number(n) < limit);
        let mut above = nodes[..before].iter().rev().take_while(|(n, _)| number(n) >= first);
        let (_, found) = above.find(|(n, _)| at < self.end[n.0 as usize])?;
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::graph::Node;

    /// A graph with these edges, of which all are plain.
    fn graph(count: u32, edges: &[(u32, u32)]) -> FlowGraph {
        let node = |n: u32| Node {
            kind: crate::program::graph::NodeKind::Entry,
            succs: edges.iter().filter(|e| e.0 == n).map(|e| NodeId(e.1)).collect(),
            preds: edges.iter().filter(|e| e.1 == n).map(|e| NodeId(e.0)).collect(),
        };
        FlowGraph::of_nodes((0..count).map(node).collect())
    }

    #[test]
    fn nodes_hang_off_the_last_merge() {
        // 0 → 2 → 3 ⇄ 4, 3 → 5 → 1, and 6, which nothing leads to.
        let graph = graph(7, &[(0, 2), (2, 3), (3, 4), (4, 3), (3, 5), (5, 1), (6, 4)]);
        let chains = Chains::of(&graph, |_, _| true);
        assert_eq!(chains.heads, [0, 3, 4].map(NodeId));
        let head = |n: u32| chains.head_of(NodeId(n)).map(|h| chains.heads[h].0);
        assert_eq!(
            [0, 2, 3, 5, 1, 4, 6].map(head),
            [Some(0), Some(0), Some(3), Some(3), Some(3), Some(4), None]
        );
    }

    #[test]
    fn the_last_store_on_the_way_counts() {
        // 0 → 2 → 3 → 1 and 2 → 4.
        let graph = graph(5, &[(0, 2), (2, 3), (2, 4), (3, 1)]);
        let chains = Chains::of(&graph, |_, _| true);
        let mut stores = vec![(NodeId(4), 'd'), (NodeId(3), 'b'), (NodeId(0), 'a')];
        chains.sort(&mut stores);
        let above = |n: u32| chains.last_above(&stores, NodeId(n)).copied();
        assert_eq!(
            [0, 2, 3, 1, 4].map(above),
            [None, Some('a'), Some('a'), Some('b'), Some('a')]
        );
        assert_eq!(chains.last_at(&stores, NodeId(4)), Some(&'d'));
    }
}
