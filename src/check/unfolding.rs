//! Graphs in which a node is there once for each thing that may be known where control comes to it.
//!
//! ```text
//! 0 ─► 2 ⇄ 3, 2 ─► 1          what is known at 0 is A, and 3 makes B of A, and A of B:
//! 0A ─► 2A ─► 3A ─► 2B ─► 3B ─► 2A, and to the end from 2A and 2B
//! ```

use super::steps::{StepEdge, StepGraph, StepNode};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::hash::Hash;

/// So many nodes at most are made of each node.
const MOST_COPIES: usize = 12;
/// So many nodes a graph has at most.
const MOST_NODES: usize = 4_000;

/// What is known at nodes, and what that makes of them.
pub trait Unfolding {
    /// What is known.
    type Known: Copy + Eq + Hash;

    /// What is known behind an edge; `None` where control should not go.
    fn across(&self, known: Self::Known, from: &StepNode, to: &StepNode) -> Option<Self::Known>;

    /// The node with this number where that is known, with edges to nodes of the graph that it is in.
    fn node(&self, at: usize, node: &StepNode, known: Self::Known) -> StepNode;
}

impl StepGraph {
    /// The graph with a node for each thing that may be known there; `None` where these are too many, or control goes where it should not.
    pub fn unfolded<U: Unfolding>(&self, by: &U, begin: U::Known) -> Option<StepGraph> {
        let most = (MOST_COPIES * self.nodes.len()).min(MOST_NODES.max(self.nodes.len() + 1));
        // The end is there once more, behind all ways there.
        let mut nodes = vec![StepNode::default(), StepNode::default()];
        let begin = (StepGraph::ENTRY, begin);
        let mut number = FxHashMap::from_iter([(begin, StepGraph::ENTRY)]);
        let mut waiting = VecDeque::from([begin]);
        while let Some((at, known)) = waiting.pop_front() {
            let mut node = by.node(at, &self.nodes[at], known);
            for edge in &mut node.succs {
                let there = (edge.to, by.across(known, &self.nodes[at], &self.nodes[edge.to])?);
                edge.to = *number.entry(there).or_insert_with(|| {
                    waiting.push_back(there);
                    nodes.push(StepNode::default());
                    nodes.len() - 1
                });
            }
            if at == StepGraph::EXIT {
                node.succs.push(StepEdge::to(StepGraph::EXIT));
            }
            if nodes.len() > most {
                return None;
            }
            nodes[number[&(at, known)]] = node;
        }
        Some(StepGraph { nodes })
    }
}
