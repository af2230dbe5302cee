//! What control surely comes by in a residency, whichever way it takes.
//!
//! ```c
//! kernel 1;                               /* surely                                                        */
//! if (c) kernel 2;                        /* not                                                           */
//! for (t = 0; t < n; t++) kernel 3;       /* if the loop surely runs, or if loops with kernels are bets    */
//! ```
//!
//! A backward analysis over all paths. The domain are sets of what is asked for, ordered by inclusion, the least one first; the merge is
//! what all successors come by.

use super::placement::ResidencySpan;
use super::problem::Problem;
use crate::program::graph::NodeId;
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

/// Whether every path from the entry of the span passes a node of `wanted` before it leaves. A loop that surely runs is
/// entered; one that holds such a node is taken to come by it when speculating.
pub fn surely_passes(problem: &Problem<'_>, span: &ResidencySpan, wanted: &dyn Fn(NodeId) -> bool) -> bool {
    let at = |n: NodeId, found: &mut FixedBitSet| found.set(0, found.contains(0) || wanted(n));
    let passes = Passes {
        problem,
        span,
        count: 1,
        at: &at,
    };
    passes.solve().contains(0)
}

/// Whether every path passes each of some nodes, as [`surely_passes`] says of one.
pub fn surely_passes_all(problem: &Problem<'_>, span: &ResidencySpan, wanted: &[NodeId]) -> bool {
    let mut places: FxHashMap<NodeId, Vec<usize>> = FxHashMap::default();
    for (place, node) in wanted.iter().enumerate() {
        places.entry(*node).or_default().push(place);
    }
    let at = |n: NodeId, found: &mut FixedBitSet| places.get(&n).into_iter().flatten().for_each(|at| found.insert(*at));
    let passes = Passes {
        problem,
        span,
        count: wanted.len(),
        at: &at,
    };
    passes.solve().is_full()
}

/// A question about what paths through a span pass.
struct Passes<'a> {
    problem: &'a Problem<'a>,
    span: &'a ResidencySpan,
    /// How many things are asked for.
    count: usize,
    /// Adds those that a node is.
    at: &'a dyn Fn(NodeId, &mut FixedBitSet),
}

impl Passes<'_> {
    /// What every path from the entry passes.
    fn solve(&self) -> FixedBitSet {
        let mut order = self.problem.flow.in_order(self.span.nodes.iter().copied());
        order.reverse();
        let mut passes: FxHashMap<NodeId, FixedBitSet> = FxHashMap::default();
        // By loop: what is in it.
        let mut inside: FxHashMap<NodeId, FixedBitSet> = FxHashMap::default();
        loop {
            let mut changed = false;
            for &n in &order {
                let mut found = self.among([n]);
                if !self.span.exits.contains(&n) {
                    let succs = self.problem.flow.succs(n);
                    let after = succs.iter().map(|s| self.after(n, *s, &passes, &mut inside));
                    after.reduce(in_common).iter().for_each(|after| found.union_with(after));
                }
                if passes.get(&n) != Some(&found) {
                    passes.insert(n, found);
                    changed = true;
                }
            }
            if !changed {
                return passes.remove(&self.span.entry).unwrap_or_else(|| self.among([]));
            }
        }
    }

    /// What is passed from an edge on.
    fn after(
        &self,
        from: NodeId,
        to: NodeId,
        passes: &FxHashMap<NodeId, FixedBitSet>,
        inside: &mut FxHashMap<NodeId, FixedBitSet>,
    ) -> FixedBitSet {
        let problem = self.problem;
        let at = |n: &NodeId| passes.get(n).cloned().unwrap_or_else(|| self.among([]));
        let mut after = at(&to);
        let l = problem.loops.headed_by(to).next();
        let Some(l) = l.filter(|_| problem.closes(from, to).is_none()) else {
            return after;
        };
        if problem.speculate {
            let nodes = || self.among(l.nodes.iter().copied());
            after.union_with(inside.entry(to).or_insert_with(nodes));
        }
        if l.runs {
            let body = problem.flow.succs(to).iter();
            let body = body.filter(|s| l.nodes.binary_search(s).is_ok()).map(at);
            body.reduce(in_common).iter().for_each(|body| after.union_with(body));
        }
        after
    }

    /// What is asked for among some nodes.
    fn among(&self, nodes: impl IntoIterator<Item = NodeId>) -> FixedBitSet {
        let mut found = FixedBitSet::with_capacity(self.count);
        nodes.into_iter().for_each(|n| (self.at)(n, &mut found));
        found
    }
}

/// What both have.
fn in_common(mut a: FixedBitSet, b: FixedBitSet) -> FixedBitSet {
    a.intersect_with(&b);
    a
}
