//! What a graph must be able to do, and traversal orders.

use fixedbitset::FixedBitSet;

/// A node, numbered from 0 to `node_count() - 1`.
pub type Node = usize;

/// A control-flow graph. Neighbours come in a fixed order, and every edge is seen from both of its ends.
pub trait Graph {
    /// Number of nodes.
    fn node_count(&self) -> usize;
    /// Where control enters.
    fn entry(&self) -> Node;
    /// Where control leaves; may be empty when it never does.
    fn exits(&self) -> impl Iterator<Item = Node>;
    /// Successors in a fixed order.
    fn succs(&self, node: Node) -> impl Iterator<Item = Node>;
    /// Predecessors in a fixed order.
    fn preds(&self, node: Node) -> impl Iterator<Item = Node>;
}

/// A graph given by its edges; its exits are the nodes without successors.
#[derive(Clone, Debug)]
pub struct ListGraph {
    entry: Node,
    succs: Vec<Vec<Node>>,
    preds: Vec<Vec<Node>>,
}

impl ListGraph {
    /// A graph with these edges, in this order.
    ///
    /// # Panics
    /// If an edge or the entry names a node that is not below `node_count`.
    pub fn new(node_count: usize, entry: Node, edges: &[(Node, Node)]) -> ListGraph {
        assert!(entry < node_count, "entry {entry} of {node_count} nodes");
        let mut graph = ListGraph {
            entry,
            succs: vec![Vec::new(); node_count],
            preds: vec![Vec::new(); node_count],
        };
        for (from, to) in edges {
            graph.succs[*from].push(*to);
            graph.preds[*to].push(*from);
        }
        graph
    }
}

impl Graph for ListGraph {
    fn node_count(&self) -> usize {
        self.succs.len()
    }

    fn entry(&self) -> Node {
        self.entry
    }

    fn exits(&self) -> impl Iterator<Item = Node> {
        (0..self.succs.len()).filter(|node| self.succs[*node].is_empty())
    }

    fn succs(&self, node: Node) -> impl Iterator<Item = Node> {
        self.succs[node].iter().copied()
    }

    fn preds(&self, node: Node) -> impl Iterator<Item = Node> {
        self.preds[node].iter().copied()
    }
}

/// The nodes reachable from `starts` in depth-first postorder, starts and neighbours taken in the order given. Without
/// recursion, so the depth of the graph does not matter.
pub fn depth_first_postorder<I: Iterator<Item = Node>>(
    node_count: usize,
    starts: impl IntoIterator<Item = Node>,
    mut neighbours: impl FnMut(Node) -> I,
) -> Vec<Node> {
    let mut seen = FixedBitSet::with_capacity(node_count);
    let mut order = Vec::with_capacity(node_count);
    for start in starts {
        if seen.put(start) {
            continue;
        }
        let mut path = vec![(start, neighbours(start))];
        while let Some((node, rest)) = path.last_mut() {
            match rest.find(|next| !seen.contains(*next)) {
                Some(next) => {
                    seen.insert(next);
                    path.push((next, neighbours(next)));
                }
                None => {
                    order.push(*node);
                    path.pop();
                }
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn postorder_ends_with_the_start() {
        let graph = ListGraph::new(5, 0, &[(0, 1), (0, 2), (1, 3), (2, 3)]);
        let order = depth_first_postorder(5, [0], |n| graph.succs(n));
        assert_eq!(order, [3, 1, 2, 0]);
        assert_eq!(graph.exits().collect::<Vec<_>>(), [3, 4]);
        assert_eq!(graph.preds(3).collect::<Vec<_>>(), [1, 2]);
    }

    #[test]
    fn long_chains_do_not_overflow_the_stack() {
        let count = 200_000;
        let edges: Vec<_> = (1..count).map(|i| (i - 1, i)).collect();
        let graph = ListGraph::new(count, 0, &edges);
        assert_eq!(depth_first_postorder(count, [0], |n| graph.succs(n)).len(), count);
    }
}
