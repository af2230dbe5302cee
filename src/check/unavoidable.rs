//! Whether control surely comes to a step, once something has been done to the object: a violation that it may pass by is none of every run.
//!
//! ```c
//! if (!a) return 1;               // nothing has been done yet: another way
//! for (…) a[i] = i;               // from here on
//! if (use)                        // a way past the kernel: what is wrong with it may be wrong
//!     kernel on a
//! ```

use super::conditions::AssumedOutcomes;
use super::stale::StepId;
use super::steps::{Step, StepAction, StepGraph, StepNode};

/// A way in which a program may go, for whoever asks what control surely comes to.
#[derive(Clone, Copy)]
pub struct Way<'a> {
    pub graph: &'a StepGraph,
    /// How conditions come out.
    pub assumed: &'a AssumedOutcomes,
}

impl Way<'_> {
    /// Whether control surely comes to a step at one of some nodes: from another step on, if one is given, or else from wherever something is done to
    /// the object first.
    pub fn comes_to(&self, step: StepId, nodes: &[usize], from: Option<StepId>) -> bool {
        let starts: Vec<usize> = match from.map(|from| self.nodes_with(from)) {
            Some(starts) if !starts.is_empty() => starts,
            _ => self.first_steps(),
        };
        // In a call that is no step of this graph: what control comes to there it comes to from its begin.
        let is_met = |at: usize| nodes.contains(&at) && self.node_comes_to(at, step);
        starts.iter().all(|start| self.is_inevitable(*start, &is_met))
    }

    /// The nodes in which a step is.
    fn nodes_with(&self, step: StepId) -> Vec<usize> {
        let nodes = self.graph.nodes.iter().enumerate();
        nodes
            .filter(|(_, node)| node.steps.iter().any(|s| s.holds(step)))
            .map(|(at, _)| at)
            .collect()
    }

    /// The nodes where something is done first.
    fn first_steps(&self) -> Vec<usize> {
        let (mut seen, mut found) = (vec![false; self.graph.nodes.len()], Vec::new());
        let mut work = vec![StepGraph::ENTRY];
        while let Some(at) = work.pop() {
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            match self.graph.nodes[at].steps.is_empty() {
                true => work.extend(self.next(at)),
                false => found.push(at),
            }
        }
        found
    }

    fn next(&self, at: usize) -> impl Iterator<Item = usize> {
        let node: &StepNode = &self.graph.nodes[at];
        node.succs
            .iter()
            .filter(move |edge| node.takes(**edge, self.assumed, true))
            .map(|edge| edge.to)
    }

    /// Whether all ways from a node to the end come by one at which something is met.
    fn is_inevitable(&self, start: usize, is_met: &dyn Fn(usize) -> bool) -> bool {
        let (mut seen, mut work) = (vec![false; self.graph.nodes.len()], vec![start]);
        while let Some(at) = work.pop() {
            if std::mem::replace(&mut seen[at], true) || is_met(at) {
                continue;
            }
            if at == StepGraph::EXIT {
                return false;
            }
            work.extend(self.next(at));
        }
        true
    }

    /// Whether the steps of a node surely are or call this one.
    fn node_comes_to(&self, at: usize, step: StepId) -> bool {
        self.graph.nodes[at].steps.iter().any(|s| match &s.action {
            _ if s.id == step => true,
            StepAction::Call(graphs) => graphs.iter().all(|graph| {
                let called = Way { graph, ..*self };
                called.is_inevitable(StepGraph::ENTRY, &|at| called.node_comes_to(at, step))
            }),
            _ => false,
        })
    }
}

impl Step {
    /// Whether the step is this one, or calls it.
    fn holds(&self, step: StepId) -> bool {
        let in_graph = |graph: &StepGraph| graph.nodes.iter().any(|n| n.steps.iter().any(|s| s.holds(step)));
        match &self.action {
            _ if self.id == step => true,
            StepAction::Call(graphs) => graphs.iter().any(|g| in_graph(g)),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comes(graph: &StepGraph, step: u32, from: Option<u32>) -> bool {
        let all: Vec<usize> = (0..graph.nodes.len()).collect();
        let way = Way {
            graph,
            assumed: &AssumedOutcomes::nothing(),
        };
        way.comes_to(StepId(step), &all, from.map(StepId))
    }

    #[test]
    fn a_way_past_a_step_is_none_of_every_run() {
        // 0 ─► 2 (1), or the end at once; 2 ─► 3 (2) or past it ─► 4 (3) ─► end.
        let graph = StepGraph {
            nodes: vec![
                StepNode::ending(None, &[2, 1]),
                StepNode::ending(None, &[]),
                StepNode::ending(Some(1), &[3, 4]),
                StepNode::ending(Some(2), &[4]),
                StepNode::ending(Some(3), &[1]),
            ],
        };
        assert!(comes(&graph, 3, None) && comes(&graph, 1, None));
        assert!(!comes(&graph, 2, None));
        assert!(comes(&graph, 3, Some(2)));
        let way = Way {
            graph: &graph,
            assumed: &AssumedOutcomes::nothing(),
        };
        assert!(!way.comes_to(StepId(3), &[3], Some(StepId(2))));
    }
}
