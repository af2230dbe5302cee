//! Elements that surely are used where a kernel or a loop has something to do, on ways on which it has nothing.
//!
//! ```c
//! for (int t = 0; t < 0 - r; t++)                     // in here r < 0
//!     #pragma omp target … map(alloc: a[0:n])
//!     for (int i = 0; i < r; i++) s += a[i];          // reads a[0:r], which is nothing
//! ```
//!
//! What surely is used is said as if loops ran ([`super::steps::Used`]). Where every way to a node has come by an answer that leaves a section without elements, it is
//! not used there at all.

use super::conditions::answered;
use super::steps::{StepAction, StepEdge, StepGraph, Used};
use crate::symbolic::{Facts, Section, SectionSet};
use std::sync::Arc;

/// So many nodes that ask something are looked at: for each the graph is searched.
const MOST_ASKING: usize = 100;

impl StepGraph {
    /// The graph without uses of sections that have no elements wherever control comes to them.
    #[must_use]
    pub fn without_idle_uses(mut self) -> StepGraph {
        let asking = (0..self.nodes.len()).filter(|at| !self.nodes[*at].asks.is_empty());
        let asking: Vec<usize> = asking.take(MOST_ASKING).collect();
        if asking.is_empty() || self.is_empty() {
            return self;
        }
        let mut known: Vec<Option<Facts>> = vec![None; self.nodes.len()];
        for (at, holds) in asking.into_iter().flat_map(|at| [(at, true), (at, false)]) {
            let asks = self.nodes[at].asks.clone();
            if answered(&asks, holds, &Facts::new()).is_none() {
                continue;
            }
            let reached = self.reached_without(at, holds);
            let behind = |node: &usize| !reached[*node] && !self.nodes[*node].steps.is_empty();
            for node in (0..self.nodes.len()).filter(behind) {
                let so_far = known[node].take().unwrap_or_default();
                known[node] = answered(&asks, holds, &so_far).or(Some(so_far));
            }
        }
        for (node, facts) in self.nodes.iter_mut().zip(known) {
            let Some(facts) = facts else { continue };
            node.steps.iter_mut().for_each(|step| step.action.keep_used(&facts));
        }
        self
    }

    /// Where control comes that does not leave a node by the ways of one answer.
    fn reached_without(&self, at: usize, holds: bool) -> Vec<bool> {
        let (mut reached, mut waiting) = (vec![false; self.nodes.len()], vec![StepGraph::ENTRY]);
        while let Some(node) = waiting.pop() {
            if std::mem::replace(&mut reached[node], true) {
                continue;
            }
            let is_left = |edge: &&StepEdge| node != at || edge.holds != Some(holds);
            waiting.extend(self.nodes[node].succs.iter().filter(is_left).map(|edge| edge.to));
        }
        reached
    }
}

impl StepAction {
    /// Leaves sections without elements out.
    fn keep_used(&mut self, facts: &Facts) {
        match self {
            StepAction::HostRead(used)
            | StepAction::HostWrite(used)
            | StepAction::OtherDeviceWrite(used)
            | StepAction::KernelRead(used)
            | StepAction::KernelWrite(used) => used.keep_used(facts),
            StepAction::Call(graphs) => {
                for graph in graphs {
                    let steps = Arc::make_mut(graph).nodes.iter_mut().flat_map(|node| &mut node.steps);
                    steps.for_each(|step| step.action.keep_used(facts));
                }
            }
            StepAction::Map { .. } | StepAction::Free | StepAction::Unknown => {}
        }
    }
}

impl Used {
    fn keep_used(&mut self, facts: &Facts) {
        let is_used = |section: &Section| !facts.prove_le(&section.hi, &section.lo);
        self.each
            .retain(|each| is_used(&each.section) && each.ranges.iter().all(is_used));
        for set in [&mut self.may, &mut self.must] {
            if let SectionSet::Union(list) = set {
                list.retain(is_used);
                if list.is_empty() {
                    *set = SectionSet::Empty;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::conditions::StepCondition;
    use crate::check::stale::StepId;
    use crate::check::step_device::StepDevice;
    use crate::check::steps::{Step, StepNode};
    use crate::symbolic::{Comparison, Expr, Section, Sym};

    /// Control goes on from the entry where `r < 0`, and to the end else; what is behind reads so many elements.
    fn read(length: &Expr) -> SectionSet {
        let set = SectionSet::Union(vec![Section::new(Expr::zero(), length.clone())]);
        let step = Step {
            id: StepId(1),
            when: Vec::new(),
            device: StepDevice::Default,
            action: StepAction::KernelRead(Used {
                may: set.clone(),
                must: set,
                ..Used::default()
            }),
        };
        let asked = Comparison::less(&Expr::sym(Sym(0)), &Expr::zero()).map(StepCondition::of);
        let edge = |to, holds| StepEdge {
            holds: Some(holds),
            ..StepEdge::to(to)
        };
        let graph = StepGraph {
            nodes: vec![
                StepNode {
                    asks: asked.into_iter().collect(),
                    succs: vec![edge(2, true), edge(1, false)],
                    ..StepNode::default()
                },
                StepNode::default(),
                StepNode {
                    steps: vec![step],
                    succs: vec![StepEdge::to(1)],
                    ..StepNode::default()
                },
            ],
        };
        let left = graph.without_idle_uses();
        match &left.nodes[2].steps[0].action {
            StepAction::KernelRead(used) => used.must.clone(),
            _ => SectionSet::All,
        }
    }

    #[test]
    fn what_has_no_elements_is_not_used() {
        let r = Expr::sym(Sym(0));
        assert_eq!(read(&r), SectionSet::Empty);
        assert_eq!(read(&Expr::constant(3)).sections().len(), 1);
        assert_eq!(read(&Expr::sym(Sym(1))).sections().len(), 1);
    }
}
