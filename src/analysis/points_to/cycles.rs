//! Nodes that edges lead to and fro between become one: each holds what the others do.
//!
//! ```text
//! p → q → r → p        whatever one of them comes to hold, all do: one set for the three, and no edges
//! ```
//!
//! Programs in which most pointers come from one place, as through a list of callbacks or a table of contexts, have cycles of thousands of
//! nodes with thousands of locations each: of 28,000 large sets of a program of 58,000 lines 19,600 were one.
//!
//! Cycles are looked for in all that holds something, each time as many locations have been handed along edges as that costs; see
//! [`Graph::new`]. What comes of it is the least solution all the same: only the way to it is shorter.
//!
//! Source: Fähndrich, Foster, Su, Aiken: Partial online cycle elimination in inclusion constraint graphs, PLDI 1998; Pearce, Kelly, Hankin:
//! Efficient field-sensitive pointer analysis of C, PASTE 2004 (when to look for cycles).

use super::graph::{Graph, News, NodeIndex, PointerSet, PointerUse, SetIndex};
use crate::program::components::Components;
use roaring::RoaringBitmap;
use rustc_hash::FxHashSet;
use std::rc::Rc;

impl Graph {
    /// Hands on what is new in some node, and merges cycles first where it is time to look for them; `None` where nothing is new anywhere.
    pub fn next_news(&mut self) -> Option<News> {
        if self.handed > self.patience {
            self.merge_cycles();
        }
        self.hand_on()
    }

    /// Makes one set of each cycle.
    fn merge_cycles(&mut self) {
        let holds = |set: &&PointerSet| set.merged.is_none() && !set.points_to.is_empty() && !set.succs.is_empty();
        let mut number = vec![usize::MAX; self.sets.len()];
        let mut numbered = Vec::new();
        for (index, _) in self.sets.iter().enumerate().filter(|(_, set)| holds(set)) {
            number[index] = numbered.len();
            numbered.push(SetIndex(index as u32));
        }
        let ways = |set: &SetIndex| {
            let succs = self.sets[set.0 as usize].succs.iter();
            let ways = succs.map(|succ| number[succ.0 as usize]);
            ways.filter(|to| *to != usize::MAX).collect::<Vec<usize>>()
        };
        let ways: Vec<Vec<usize>> = numbered.iter().map(ways).collect();
        let components = Components::of(&ways);
        let cycles = components.members.iter().filter(|members| members.len() > 1);
        let cycles: Vec<Vec<SetIndex>> = cycles.map(|c| c.iter().map(|n| numbered[*n]).collect()).collect();
        cycles.iter().for_each(|cycle| self.merge(cycle));
        if !cycles.is_empty() {
            self.forget_merged();
        }
        self.handed = 0;
        if self.patience > 0 {
            let again = if cycles.is_empty() { 2 * self.patience } else { 0 };
            self.patience = again.max(2 * (self.sets.len() + self.edges.len()));
        }
    }

    /// Makes one set of several: the first of them.
    fn merge(&mut self, cycle: &[SetIndex]) {
        let mut one = PointerSet::default();
        let mut uses = Vec::new();
        let mut handed_on: Option<RoaringBitmap> = None;
        for index in cycle {
            let part = std::mem::take(&mut self.sets[index.0 as usize]);
            let mut of_part = part.points_to.clone();
            part.delta.iter().for_each(|loc| {
                of_part.remove(*loc);
            });
            handed_on = Some(handed_on.map_or_else(|| of_part.clone(), |so_far| so_far & &of_part));
            one.points_to |= part.points_to;
            one.succs.extend(part.succs);
            uses.extend(part.uses.iter().cloned());
            one.new_uses.extend(part.new_uses);
            one.others += 1 + part.others;
            self.sets[index.0 as usize].merged = Some(cycle[0]);
        }
        one.others -= 1;
        one.uses = Rc::new(uses);
        // What not all have handed on, the one hands on: some are told again.
        one.delta = (&one.points_to - &handed_on.unwrap_or_default()).iter().collect();
        self.sets[cycle[0].0 as usize] = one;
        self.enqueue(cycle[0]);
    }

    /// What a use does: two that do the same are one.
    fn told(&self, what: &PointerUse) -> (Option<SetIndex>, PointerUse) {
        let mut told = what.clone();
        let node = match &mut told {
            PointerUse::Load { to: node, .. }
            | PointerUse::Store { from: node, .. }
            | PointerUse::Step { to: node, .. } => node,
            _ => return (None, told),
        };
        let set = self.found(*node);
        if set.is_some() {
            *node = NodeIndex::ANY;
        }
        (set, told)
    }

    /// Edges and uses have no sets any more that became part of others.
    fn forget_merged(&mut self) {
        self.edges.clear();
        for index in 0..self.sets.len() {
            let here = SetIndex(index as u32);
            let mut succs = std::mem::take(&mut self.sets[index].succs);
            succs.iter_mut().for_each(|succ| *succ = self.whole(*succ));
            succs.retain(|succ| *succ != here);
            succs.sort_unstable();
            succs.dedup();
            self.edges.extend(succs.iter().map(|succ| (here, *succ)));
            self.sets[index].succs = succs;
            if self.sets[index].others > 0 {
                let mut uses = std::mem::take(&mut self.sets[index].uses);
                let mut seen = FxHashSet::default();
                Rc::make_mut(&mut uses).retain(|what| seen.insert(self.told(what)));
                self.sets[index].uses = uses;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::analysis::points_to::graph::{Graph, NodeIndex, PointerUse};
    use crate::program::objects::{MemLoc, ObjectId};
    use proptest::prelude::*;
    use std::collections::BTreeSet;
    use std::rc::Rc;

    /// Variables that may hold each other's addresses.
    const VARIABLES: usize = 12;

    /// `a = &b`, `a = b`, `a = *b` and `*a = b`, by the numbers of `a` and `b`.
    #[derive(Clone, Copy, Debug)]
    enum Statement {
        Address(usize, usize),
        Copy(usize, usize),
        Load(usize, usize),
        Store(usize, usize),
    }

    fn statement() -> impl Strategy<Value = Statement> {
        let both = (0..VARIABLES, 0..VARIABLES);
        (0..6, both).prop_map(|(kind, (a, b))| match kind {
            0 => Statement::Address(a, b),
            1..4 => Statement::Copy(a, b),
            4 => Statement::Load(a, b),
            _ => Statement::Store(a, b),
        })
    }

    /// What the variables point to in the end, and how many sets there are.
    fn solved(statements: &[Statement], patience: usize) -> (Vec<BTreeSet<u32>>, usize) {
        let mut graph = Graph::new(patience);
        let nodes: Vec<NodeIndex> = (0..VARIABLES).map(|_| graph.node()).collect();
        let slots = || Rc::from([(0, true)]);
        for statement in statements {
            match *statement {
                Statement::Address(a, b) => graph.point(nodes[a], MemLoc::start(ObjectId(b as u32))),
                Statement::Copy(a, b) => graph.edge(nodes[b], nodes[a]),
                Statement::Load(a, b) => {
                    let to = nodes[a];
                    graph.on(nodes[b], PointerUse::Load { to, slots: slots() });
                }
                Statement::Store(a, b) => {
                    let from = nodes[b];
                    graph.on(nodes[a], PointerUse::Store { from, slots: slots() });
                }
            }
        }
        while let Some(news) = graph.next_news() {
            for due in [&news.grown, &news.asked] {
                for (loc, what) in due.locs.iter().flat_map(|l| due.uses.iter().map(move |u| (l, u))) {
                    let cell = nodes[loc.object.0 as usize];
                    match what {
                        PointerUse::Load { to, .. } => graph.edge(cell, *to),
                        PointerUse::Store { from, .. } => graph.edge(*from, cell),
                        _ => unreachable!("no other use was made"),
                    }
                }
            }
        }
        let sets: BTreeSet<_> = nodes.iter().filter_map(|n| graph.found(*n)).collect();
        let pointees = |node: &NodeIndex| graph.pointees(*node).map(|l| l.object.0).collect();
        (nodes.iter().map(pointees).collect(), sets.len())
    }

    proptest! {
        #[test]
        fn merged_cycles_hold_what_their_nodes_do(statements in proptest::collection::vec(statement(), 1..60)) {
            let (merged, apart) = (solved(&statements, 0), solved(&statements, usize::MAX / 4));
            prop_assert_eq!(merged.0, apart.0);
        }
    }

    #[test]
    fn a_cycle_is_one_set() {
        use Statement::{Address, Copy};
        let statements = [
            Copy(1, 0),
            Copy(2, 1),
            Copy(0, 2),
            Address(0, 5),
            Address(2, 6),
            Copy(7, 2),
        ];
        let (pointees, sets) = solved(&statements, 0);
        assert_eq!(pointees[1], BTreeSet::from([5, 6]));
        assert_eq!((pointees[7].clone(), sets), (pointees[1].clone(), 2));
    }
}
