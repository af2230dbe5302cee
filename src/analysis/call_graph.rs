//! Who calls whom, the outside world included, and its strongly connected components.
//!
//! Unknown code is one more node, [`CallGraph::outside`]: functions that call unknown code call it, and it calls every
//! function that unknown code can reach. So recursion through a call-back is recursion in the graph.

use crate::program::components::Components;
use crate::program::ir::{FuncId, Function, InstId, Op};
use rustc_hash::FxHashSet;

/// A call graph over the functions of a module plus one node for unknown code.
#[derive(Clone, Debug)]
pub struct CallGraph {
    /// Callees of each node, sorted, without repetition. The last node is [`CallGraph::outside`].
    callees: Vec<Vec<usize>>,
    /// Component of each node; callees have smaller or equal numbers.
    component: Vec<usize>,
    /// Nodes of each component, bottom-up.
    components: Vec<Vec<usize>>,
    /// Components of the graph without unknown code, bottom-up.
    circles: Vec<Vec<FuncId>>,
    /// Whether each node is on a cycle that does not pass through unknown code.
    cyclic_inside: Vec<bool>,
}

impl CallGraph {
    /// A graph with these callees; `callees[n]` belongs to function `n`, the last entry to unknown code.
    pub fn new(mut callees: Vec<Vec<usize>>) -> CallGraph {
        for list in &mut callees {
            list.sort_unstable();
            list.dedup();
        }
        let Components { of, members } = Components::of(&callees);
        let outside = callees.len().saturating_sub(1);
        let mut inside = callees.clone();
        if let Some(list) = inside.get_mut(outside) {
            list.clear();
        }
        let without_unknown = Components::of(&inside);
        let cyclic_inside = without_unknown.on_cycles(&inside);
        let circles = without_unknown.members.into_iter();
        let circles = circles.filter(|nodes| !nodes.contains(&outside));
        CallGraph {
            cyclic_inside,
            circles: circles
                .map(|nodes| nodes.into_iter().map(|n| FuncId(n as u32)).collect())
                .collect(),
            callees,
            component: of,
            components: members,
        }
    }

    /// The node of unknown code.
    pub fn outside(&self) -> usize {
        self.callees.len() - 1
    }

    /// All functions, callees first. Those of a list call each other, without unknown code in between; so does one that is
    /// alone, if it is [recursive](CallGraph::recursive_inside).
    pub fn circles(&self) -> &[Vec<FuncId>] {
        &self.circles
    }

    /// What a function may call, however indirectly, but for what unknown code calls back.
    pub fn reachable(&self, func: FuncId) -> FxHashSet<FuncId> {
        let called = &self.callees[func.0 as usize];
        let called: Vec<FuncId> = called.iter().map(|n| FuncId(*n as u32)).collect();
        self.reachable_from(&called)
    }

    /// Some functions, and what they may call, but for what unknown code calls back.
    pub fn reachable_from(&self, starts: &[FuncId]) -> FxHashSet<FuncId> {
        let mut found = FxHashSet::default();
        let mut work: Vec<usize> = starts.iter().map(|f| f.0 as usize).collect();
        while let Some(node) = work.pop() {
            if node != self.outside() && found.insert(FuncId(node as u32)) {
                work.extend(&self.callees[node]);
            }
        }
        found
    }

    /// Callees of a node, sorted.
    pub fn callees(&self, node: usize) -> &[usize] {
        &self.callees[node]
    }

    /// Components, callees first; the nodes of each sorted.
    pub fn bottom_up(&self) -> &[Vec<usize>] {
        &self.components
    }

    /// Whether a function may be active twice at a time without unknown code in between.
    pub fn recursive_inside(&self, func: FuncId) -> bool {
        self.cyclic_inside[func.0 as usize]
    }

    /// Whether a function may be active twice at a time.
    pub fn recursive(&self, func: FuncId) -> bool {
        let node = func.0 as usize;
        self.components[self.component[node]].len() > 1 || self.callees[node].binary_search(&node).is_ok()
    }
}

/// For each instruction of `func`, whether its block lies on a cycle of the control flow. `again`: a call in it may return
/// twice, which no edge of its blocks shows.
pub fn in_loop(func: &Function, again: bool) -> impl Fn(InstId) -> bool + use<> {
    let succs: Vec<Vec<usize>> = func
        .blocks
        .iter()
        .map(|b| b.succs.iter().map(|s| s.0 as usize).collect())
        .collect();
    let cyclic = Components::of(&succs).on_cycles(&succs);
    let blocks: Vec<usize> = func.insts.iter().map(|i| i.block.0 as usize).collect();
    move |inst| again || cyclic[blocks[inst.0 as usize]]
}

/// The calls of a function, in order.
pub fn calls(func: &Function) -> impl Iterator<Item = InstId> + '_ {
    func.inst_ids().filter(|&i| matches!(func.inst(i).op, Op::Call { .. }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_come_callees_first() {
        // 0 -> 1 <-> 2 -> 3, 3 alone, 4 -> 4, 5 is the outside.
        let g = CallGraph::new(vec![vec![1], vec![2, 2], vec![1, 3], vec![], vec![4], vec![]]);
        assert_eq!(g.bottom_up(), [vec![3], vec![1, 2], vec![0], vec![4], vec![5]]);
        let recursive: Vec<bool> = (0..5).map(|f| g.recursive(FuncId(f))).collect();
        assert_eq!(recursive, [false, true, true, false, true]);
        assert_eq!(g.callees(1), [2]);
    }

    #[test]
    fn recursion_through_unknown_code_is_told_apart() {
        // 0 -> 1 -> outside -> 0; 2 -> 2.
        let g = CallGraph::new(vec![vec![1], vec![3], vec![2], vec![0]]);
        let both = |f| (g.recursive(FuncId(f)), g.recursive_inside(FuncId(f)));
        assert_eq!(
            [both(0), both(1), both(2)],
            [(true, false), (true, false), (true, true)]
        );
    }

    #[test]
    fn a_path_back_into_a_finished_component_joins_nothing() {
        // 0 -> {1, 2}, 1 -> 3, 2 -> 3, 3 -> 1: the second way to 3 must not merge 2 or 0 into {1, 3}.
        let g = CallGraph::new(vec![vec![1, 2], vec![3], vec![3], vec![1]]);
        assert_eq!(g.bottom_up(), [vec![1, 3], vec![2], vec![0]]);
    }

    #[test]
    fn a_long_chain_does_not_overflow() {
        let n = 200_000;
        let g = CallGraph::new((0..n).map(|i| if i + 1 < n { vec![i + 1] } else { vec![] }).collect());
        assert_eq!(g.bottom_up().len(), n);
    }
}
