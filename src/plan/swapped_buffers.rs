//! Whether buffers trade places where they would stay.
//!
//! ```c
//! for (…) { swap(a, b); }                 /* no kernel: what is called what is settled before the first one */
//! kernel(a);
//! kernel(b);
//! ```
//!
//! A residency of both under changing names is for loops in which kernels meet them under one name after the other. Where all
//! trading is over before the first kernel, or begins after the last, they are arrays like any others; and which statements
//! stand beside the kernels' own (a region that a run before this one has written may hold them all) must not matter.

use super::inputs::Inputs;
use super::model::Candidate;
use crate::analysis::movement::family::Naming;
use crate::analysis::movement::placement::ResidencySpan;
use crate::program::graph::NodeId;
use rustc_hash::FxHashSet;

impl Inputs<'_> {
    /// Whether the buffers trade places between kernels of a span.
    pub(super) fn trades_places(&self, candidate: &Candidate, span: &ResidencySpan, naming: &Naming) -> bool {
        let starts = candidate.launches.iter().filter_map(|l| self.start_node(*l));
        let kernels: Vec<NodeId> = starts.filter(|n| span.nodes.contains(n)).collect();
        let graph = self.model.coarse;
        let reached = |next: &dyn Fn(NodeId) -> Vec<NodeId>| {
            let mut seen: FxHashSet<NodeId> = FxHashSet::default();
            let mut stack = kernels.clone();
            while let Some(n) = stack.pop() {
                if span.nodes.contains(&n) && seen.insert(n) {
                    stack.extend(next(n));
                }
            }
            seen
        };
        let after = reached(&|n| graph.node(n).succs.clone());
        let before = reached(&|n| graph.node(n).preds.clone());
        let mut edges = naming.edges.keys();
        edges.any(|(from, to)| after.contains(from) && before.contains(to))
    }
}
