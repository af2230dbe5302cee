//! What list items say of the numbers in them: a program that maps `a[0:n]` whenever it runs has no negative `n`.
//!
//! ```c
//! #pragma omp target enter data map(to: a[0:h]) map(to: a[h:n-h])     // 0 <= h <= n, where the program gets by
//! ```

use super::steps::{Step, StepAction, StepGraph};
use crate::symbolic::{Facts, Section};

/// So many nodes are looked at that map something: for each the graph is searched.
const MOST_NODES: usize = 16;

impl StepGraph {
    /// Facts, and that no length is negative of what this graph's own list items map on every way from its entry to its exit; `None`: where the facts hold
    /// the program does not get by.
    pub fn with_lengths(&self, facts: &Facts) -> Option<Facts> {
        let mut facts = facts.clone();
        let maps = |at: &usize| self.nodes[*at].steps.iter().any(|step| mapped(step).is_some());
        let candidates: Vec<usize> = (0..self.nodes.len()).filter(maps).take(MOST_NODES).collect();
        if candidates.is_empty() || !self.ends_without(None) {
            return Some(facts);
        }
        let passed = candidates.into_iter().filter(|at| !self.ends_without(Some(*at)));
        for section in passed.flat_map(|at| self.nodes[at].steps.iter().filter_map(mapped)) {
            if facts.prove_lt(&section.hi, &section.lo) {
                return None;
            }
            facts.assume_le(&section.lo, &section.hi);
        }
        Some(facts)
    }

    /// Whether control may come to the exit, without a node.
    fn ends_without(&self, at: Option<usize>) -> bool {
        let (mut reached, mut waiting) = (vec![false; self.nodes.len()], vec![StepGraph::ENTRY]);
        while let Some(node) = waiting.pop() {
            if Some(node) != at && !std::mem::replace(&mut reached[node], true) {
                waiting.extend(self.nodes[node].succs.iter().map(|edge| edge.to));
            }
        }
        reached[StepGraph::EXIT]
    }
}

/// What a step maps from here on, whatever holds there.
fn mapped(step: &Step) -> Option<&Section> {
    match &step.action {
        StepAction::Map { request, section, .. } if step.when.is_empty() && request.begins() => section.as_ref(),
        _ => None,
    }
}
