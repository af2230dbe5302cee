//! Which nodes of a graph control must have come by, and where ways from one node meet others.
//!
//! ```c
//! x = 1;                      /* 1: dominates all below                                           */
//! while (c(x))                /* 2: the frontier of 3, and its own                                */
//!     x = 2;                  /* 3: dominates nothing but itself: at 2 what it has stored meets 1 */
//! use(x);                     /* 4                                                                */
//! ```
//!
//! A node *dominates* another if all ways from the entry to that one lead by it. Its *frontier* are the nodes where what it
//! dominates ends: some way comes there from below it, and some way does not. What two stores have left can meet at no node outside
//! of the frontiers of the stores, of the nodes in these, and so on ([`Dominance::meetings`]).
//!
//! Source: Cooper, Harvey and Kennedy 2001 for the tree; Cytron et al. 1991 for frontiers.

use super::graph::{FlowGraph, NodeId};
use rustc_hash::FxHashSet;

/// What stands for the number of nodes that control never comes to.
const NONE: u32 = u32::MAX;

/// The tree of dominance of a graph, with frontiers.
#[derive(Clone, Debug, Default)]
pub struct Dominance {
    /// By node: its number in an order in which each node comes before those that it dominates, and these together.
    number: Vec<u32>,
    /// By node: the first number that is behind those that it dominates.
    end: Vec<u32>,
    /// By node.
    frontier: Vec<Vec<NodeId>>,
    /// By node: its place in reverse post-order.
    rank: Vec<u32>,
}

impl Dominance {
    /// Finds the tree.
    pub fn of(graph: &FlowGraph) -> Dominance {
        let count = graph.nodes.len();
        let order: Vec<NodeId> = graph.reverse_post_order();
        let mut rank = vec![0; count];
        order.iter().zip(0..).for_each(|(n, place)| rank[n.0 as usize] = place);
        let reached: Vec<NodeId> = order.into_iter().filter(|n| graph.is_reachable(*n)).collect();
        let above = immediate(graph, &reached, &rank);
        let mut below: Vec<Vec<NodeId>> = vec![Vec::new(); count];
        for n in &reached[1..] {
            below[above[n.0 as usize].0 as usize].push(*n);
        }
        let mut found = Dominance {
            number: vec![NONE; count],
            end: vec![0; count],
            frontier: vec![Vec::new(); count],
            rank,
        };
        found.count(&below);
        for &n in &reached {
            let preds = graph.node(n).preds.iter().filter(|p| graph.is_reachable(**p));
            for &p in preds {
                // All from there up to what dominates the node itself.
                let mut runner = p;
                while runner != above[n.0 as usize] {
                    let frontier = &mut found.frontier[runner.0 as usize];
                    if frontier.last() == Some(&n) {
                        break;
                    }
                    frontier.push(n);
                    runner = above[runner.0 as usize];
                }
            }
        }
        found
    }

    /// Numbers the nodes from the entry on. A node is taken from the stack twice: before those below it, and after them.
    fn count(&mut self, below: &[Vec<NodeId>]) {
        let mut next = 0;
        let mut work = vec![(FlowGraph::ENTRY, false)];
        while let Some((n, is_done)) = work.pop() {
            let at = n.0 as usize;
            if is_done {
                self.end[at] = next;
                continue;
            }
            self.number[at] = next;
            next += 1;
            work.push((n, true));
            work.extend(below[at].iter().map(|n| (*n, false)));
        }
    }

    /// The number of a node in an order in which each node comes before those that it dominates; `None` where control never comes to it.
    pub fn number(&self, node: NodeId) -> Option<u32> {
        Some(self.number[node.0 as usize]).filter(|n| *n != NONE)
    }

    /// Whether all ways to `below` lead by `above`, or they are one.
    pub fn dominates(&self, above: NodeId, below: NodeId) -> bool {
        let (first, end) = (self.number[above.0 as usize], self.end[above.0 as usize]);
        (first..end).contains(&self.number[below.0 as usize])
    }

    /// The place of a node in reverse post-order.
    pub fn rank(&self, node: NodeId) -> u32 {
        self.rank[node.0 as usize]
    }

    /// The nodes where what is stored at these nodes may meet something else: their iterated frontier.
    pub fn meetings(&self, nodes: impl IntoIterator<Item = NodeId>) -> FxHashSet<NodeId> {
        let mut found = FxHashSet::default();
        let mut work: Vec<NodeId> = nodes.into_iter().collect();
        while let Some(n) = work.pop() {
            let new = self.frontier[n.0 as usize].iter().filter(|f| found.insert(**f));
            work.extend(new);
        }
        found
    }
}

/// By node: the last one that all ways to it lead by; the entry for the entry, and for what control never comes to.
fn immediate(graph: &FlowGraph, reached: &[NodeId], rank: &[u32]) -> Vec<NodeId> {
    let mut above: Vec<Option<NodeId>> = vec![None; graph.nodes.len()];
    above[FlowGraph::ENTRY.0 as usize] = Some(FlowGraph::ENTRY);
    let common = |above: &[Option<NodeId>], mut a: NodeId, mut b: NodeId| {
        while a != b {
            let lower = if rank[a.0 as usize] > rank[b.0 as usize] {
                &mut a
            } else {
                &mut b
            };
            *lower = above[lower.0 as usize].unwrap_or(FlowGraph::ENTRY);
        }
        a
    };
    loop {
        let mut changed = false;
        for &n in reached.iter().filter(|n| **n != FlowGraph::ENTRY) {
            let known = graph.node(n).preds.iter().filter(|p| above[p.0 as usize].is_some());
            let new = known.copied().reduce(|a, b| common(&above, a, b));
            if new.is_some() && new != above[n.0 as usize] {
                above[n.0 as usize] = new;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    above.into_iter().map(|a| a.unwrap_or(FlowGraph::ENTRY)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::graph::{Node, NodeKind};

    /// A graph with these edges.
    fn graph(count: u32, edges: &[(u32, u32)]) -> FlowGraph {
        let node = |n: u32| Node {
            kind: NodeKind::Entry,
            succs: edges.iter().filter(|e| e.0 == n).map(|e| NodeId(e.1)).collect(),
            preds: edges.iter().filter(|e| e.1 == n).map(|e| NodeId(e.0)).collect(),
        };
        FlowGraph::of_nodes((0..count).map(node).collect())
    }

    fn meetings(dominance: &Dominance, nodes: &[u32]) -> Vec<u32> {
        let found = dominance.meetings(nodes.iter().copied().map(NodeId));
        let mut found: Vec<u32> = found.into_iter().map(|n| n.0).collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn a_loop_is_dominated_by_its_header() {
        // 0 → 2 → 3 ⇄ 4, 3 → 5 → 1, and 6, which nothing leads to.
        let dominance = Dominance::of(&graph(7, &[(0, 2), (2, 3), (3, 4), (4, 3), (3, 5), (5, 1), (6, 4)]));
        let dominates = |a: u32, b: u32| dominance.dominates(NodeId(a), NodeId(b));
        assert!(dominates(0, 1) && dominates(3, 4) && dominates(3, 1) && dominates(5, 1) && dominates(4, 4));
        assert!(!dominates(4, 3) && !dominates(4, 5) && !dominates(6, 4) && !dominates(0, 6));
        assert_eq!(dominance.number(NodeId(6)), None);
        assert_eq!(meetings(&dominance, &[4]), [3]);
        assert_eq!(meetings(&dominance, &[2, 5]), [0u32; 0]);
    }

    #[test]
    fn branches_meet_and_so_does_what_met() {
        // 0 → 2 → {3, 4} → 5 → 6 → 1, and 6 → 2: a branch in a loop.
        let dominance = Dominance::of(&graph(
            7,
            &[(0, 2), (2, 3), (2, 4), (3, 5), (4, 5), (5, 6), (6, 1), (6, 2)],
        ));
        assert_eq!(meetings(&dominance, &[3]), [2, 5]);
        assert_eq!(meetings(&dominance, &[6]), [2]);
        assert_eq!(meetings(&dominance, &[0, 1]), [0u32; 0]);
    }
}
