//! Graphs without what has nothing to do with their object: nodes without steps from which control can only come to one node that has some.
//!
//! ```c
//! for (int i = 0; i < n; i++) b[i] = 0;        // for `a`: a loop in which nothing is done goes
//! if (verbose) puts("…");                      // both ways lead to the next statement about `a`
//! kernel writes a[0:n]
//! ```
//!
//! A function has a graph for each of its arrays, so that what is walked for one has to be as small as what happens to it: else a function of `n` kernels
//! on arrays of their own costs `n²`.
//!
//! **Invariants.** Nodes keep their numbers; those that are left out have no edges any more ([`StepGraph::without_unreached`] takes them away). The head
//! of a loop with steps in it stays, and an edge closes a loop if and only if the way that it stands for has done so. Steps stay, and so does the
//! order in which control may come to them. What was asked at a node all of whose ways lead to one place is asked no more.

use super::step_graph::StepLoop;
use super::steps::{StepEdge, StepGraph};

/// A graph on the way.
struct Contraction<'a> {
    graph: StepGraph,
    preds: Vec<Vec<usize>>,
    /// By node, the loop with steps in it that begins its iterations there.
    heads: Vec<Option<&'a StepLoop>>,
}

impl StepGraph {
    /// The graph without nodes that have no steps and lead to one other node.
    #[must_use]
    pub fn contracted(self, loops: &[StepLoop]) -> StepGraph {
        let mut heads = vec![None; self.nodes.len()];
        for of_loop in loops {
            if of_loop.nodes.iter().any(|at| !self.nodes[*at].steps.is_empty()) {
                heads[of_loop.head] = Some(of_loop);
            }
        }
        let mut preds: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            node.succs.iter().for_each(|edge| preds[edge.to].push(at));
        }
        // What a node leads to is known before the node is looked at, as far as numbers follow the text.
        let mut waiting: Vec<usize> = (2..self.nodes.len()).collect();
        let mut contraction = Contraction {
            graph: self,
            preds,
            heads,
        };
        while let Some(at) = waiting.pop() {
            waiting.extend(contraction.left_out(at));
        }
        contraction.graph
    }
}

impl Contraction<'_> {
    /// The one other node to which control comes from a node, where the node may be left out.
    fn only_way(&self, at: usize) -> Option<usize> {
        let node = &self.graph.nodes[at];
        if at <= StepGraph::EXIT || !node.steps.is_empty() || self.heads[at].is_some() {
            return None;
        }
        let mut ways = node.succs.iter().map(|edge| edge.to).filter(|to| *to != at);
        let first = ways.next()?;
        ways.all(|to| to == first).then_some(first)
    }

    /// Leaves a node out, if that may be; the nodes before it, which may go now.
    fn left_out(&mut self, at: usize) -> Vec<usize> {
        let Some(next) = self.only_way(at) else {
            return Vec::new();
        };
        let closes = |from: usize| self.heads[next].map(|of_loop| of_loop.has(&self.graph.nodes[from]));
        let before: Vec<usize> = self.preds[at].iter().copied().filter(|from| *from != at).collect();
        if before.iter().any(|from| closes(*from) != closes(at)) {
            return Vec::new();
        }
        self.graph.nodes[at].succs.clear();
        self.graph.nodes[at].asks.clear();
        self.preds[at].clear();
        self.preds[next].retain(|from| *from != at);
        for from in &before {
            let node = &mut self.graph.nodes[*from];
            node.succs
                .iter_mut()
                .filter(|edge| edge.to == at)
                .for_each(|edge| edge.to = next);
            let to_next = node.succs.iter().filter(|edge| edge.to == next).count();
            if to_next > 1 {
                node.succs.retain(|edge| edge.to != next);
                node.succs.push(StepEdge::to(next));
            }
            if node.succs.iter().all(|edge| edge.holds.is_none()) {
                node.asks.clear();
            }
            if !self.preds[next].contains(from) {
                self.preds[next].push(*from);
            }
        }
        before
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::steps::StepNode;

    fn node(origin: usize, step: Option<u32>, succs: &[usize]) -> StepNode {
        StepNode {
            origin,
            ..StepNode::ending(step, succs)
        }
    }

    fn of_loop(head: usize, nodes: &[usize]) -> StepLoop {
        StepLoop {
            head,
            nodes: nodes.to_vec(),
            runs: false,
            asks: None,
            counter: None,
        }
    }

    fn ways(graph: &StepGraph, at: usize) -> Vec<usize> {
        graph.nodes[at].succs.iter().map(|edge| edge.to).collect()
    }

    #[test]
    fn what_does_nothing_goes() {
        // 0 ─► 2 (a loop with 3) ─► 4, which asks ─► 5 and 6 ─► 7 (a step) ─► 1.
        let mut graph = StepGraph {
            nodes: vec![
                node(0, None, &[2]),
                node(1, None, &[]),
                node(2, None, &[3, 4]),
                node(3, None, &[2]),
                node(4, None, &[5, 6]),
                node(5, None, &[7]),
                node(6, None, &[7]),
                node(7, Some(1), &[1]),
            ],
        };
        graph.nodes[4].succs[0].holds = Some(true);
        graph.nodes[4].succs[1].holds = Some(false);
        let contracted = graph.contracted(&[of_loop(2, &[2, 3])]);
        assert_eq!((ways(&contracted, 0), ways(&contracted, 7)), (vec![7], vec![1]));
        assert_eq!(contracted.without_unreached().nodes.len(), 3);
    }

    #[test]
    fn loops_with_steps_keep_their_heads_and_what_closes_them() {
        // 0 ─► 2 ─► 3 (a step) or 4 ─► 5 ─► 2, and 2 ─► 1.
        let graph = StepGraph {
            nodes: vec![
                node(0, None, &[2]),
                node(1, None, &[]),
                node(2, None, &[3, 4, 1]),
                node(3, Some(1), &[5]),
                node(4, None, &[5]),
                node(5, None, &[2]),
            ],
        };
        let inner = graph.clone().contracted(&[of_loop(2, &[2, 3, 4, 5])]);
        assert_eq!((ways(&inner, 2), ways(&inner, 3)), (vec![3, 2, 1], vec![2]));
        // A way that leaves the loop and comes in again closes nothing, and does not become one that does.
        let other = graph.contracted(&[of_loop(2, &[2, 3, 4])]);
        assert_eq!((ways(&other, 3), ways(&other, 5)), (vec![5], vec![2]));
    }
}
