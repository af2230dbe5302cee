//! The loops of a function, and what they change of what is said in them.
//!
//! ```c
//! for (int t = 0; t < steps; t++) {
//!     if (t > 0)                          // comes out in another way each time
//!     #pragma omp target … if(n > 99)     // does not
//! ```

use super::conditions::StepCondition;
use super::step_graph::{Translation, UsingSide};
use super::steps::StepGraph;
use crate::analysis::movement::loop_symbols::FunctionTerms;
use crate::analysis::movement::problem::{ExpandedLoops, LoopFacts, Terms};
use crate::program::graph::NodeId;
use crate::symbolic::{Expr, Section};

/// The loops of a function.
pub struct FunctionLoops<'a> {
    pub terms: &'a FunctionTerms<'a>,
    pub loops: &'a ExpandedLoops,
}

impl FunctionLoops<'_> {
    /// A condition, at a node: a loop around that may change it.
    pub fn at_node(&self, condition: &StepCondition, node: NodeId) -> StepCondition {
        self.in_loops(condition, &self.around(node))
    }

    /// A condition where control comes to a loop.
    pub fn in_front_of(&self, l: &LoopFacts, condition: &StepCondition) -> StepCondition {
        let around = self
            .around(l.header)
            .into_iter()
            .filter(|of| self.loops[*of].header != l.header);
        self.in_loops(condition, &around.collect::<Vec<_>>())
    }

    fn in_loops(&self, condition: &StepCondition, around: &[usize]) -> StepCondition {
        let changes = |number: &Expr| self.changes(number, around);
        condition.clone().in_loops(!around.is_empty(), &changes)
    }

    /// Whether one of some loops changes a number.
    fn changes(&self, number: &Expr, around: &[usize]) -> bool {
        let section = Section::new(number.clone(), number.clone());
        around.iter().any(|of| self.terms.varies(&section, *of))
    }

    /// A function's graph in which conditions and devices that a loop changes are marked.
    pub fn marked(&self, mut graph: StepGraph) -> StepGraph {
        if graph.conditions().is_empty() && graph.branches().is_empty() && !graph.names_devices() {
            return graph;
        }
        for node in &mut graph.nodes {
            let marking = AtNode {
                loops: self,
                node: NodeId(node.origin as u32),
            };
            *node = node.in_terms(&marking);
        }
        graph
    }

    /// The loops around a node, the outermost first.
    pub fn around(&self, node: NodeId) -> Vec<usize> {
        let all = self.loops.iter().enumerate();
        let around = all.filter(|(_, l)| l.nodes.binary_search(&node).is_ok());
        around.map(|(at, _)| at).collect()
    }
}

/// What is said at a node, where conditions and devices that a loop changes are marked.
struct AtNode<'a> {
    loops: &'a FunctionLoops<'a>,
    node: NodeId,
}

impl Translation for AtNode<'_> {
    fn covering(&self, section: &Section, _: UsingSide) -> Option<Section> {
        Some(section.clone())
    }
    fn exact(&self, section: &Section, _: UsingSide) -> Option<Section> {
        Some(section.clone())
    }
    fn condition(&self, condition: &StepCondition) -> StepCondition {
        self.loops.at_node(condition, self.node)
    }
    fn number(&self, number: &Expr) -> Option<Expr> {
        let around = self.loops.around(self.node);
        (!self.loops.changes(number, &around)).then(|| number.clone())
    }
}
