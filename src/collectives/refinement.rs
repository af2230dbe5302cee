//! The coarsest partition of states in which states of one class lead to states of one class, edge by edge.
//!
//! ```text
//! 0 ─► 1 ─► 2 ─► end      all begin in the class of their label; then 2 is told from 0 and 1, as it alone leads to the end,
//!                         and 0 from 1, as that leads to 2
//! ```
//!
//! Source: Hopcroft 1971 (the smaller half of a class that was split is what others are split by), O(n log n) for few edges a state.

use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// FollowedStates with where they lead.
pub struct FollowedStates {
    /// By state: what tells it from others whatever it leads to.
    pub labels: Vec<usize>,
    /// By state: the states that it leads to, in order; states of one label have as many, with `None` at the same places.
    pub edges: Vec<Vec<Option<usize>>>,
}

/// A partition, as it is refined.
struct Partition {
    /// By class: its states.
    members: Vec<Vec<usize>>,
    /// By state: its class.
    class: Vec<usize>,
    /// Classes by which others are to be split, and whether a class is among them.
    waiting: Vec<usize>,
    waits: Vec<bool>,
}

impl FollowedStates {
    /// By state: its class; classes are numbered as they come first.
    pub fn classes(&self) -> Vec<usize> {
        let mut into: Vec<Vec<(usize, usize)>> = vec![Vec::new(); self.labels.len()];
        for (state, edges) in self.edges.iter().enumerate() {
            for (edge, target) in edges.iter().enumerate() {
                if let Some(target) = target {
                    into[*target].push((edge, state));
                }
            }
        }
        let mut partition = Partition::of(&self.labels);
        while let Some(splitter) = partition.waiting.pop() {
            partition.waits[splitter] = false;
            let mut by_edge: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
            for member in &partition.members[splitter] {
                for (edge, state) in &into[*member] {
                    by_edge.entry(*edge).or_default().push(*state);
                }
            }
            by_edge.values().for_each(|states| partition.split(states));
        }
        numbered(&partition.class)
    }
}

impl Partition {
    fn of(labels: &[usize]) -> Partition {
        let class = numbered(labels);
        let count = class.iter().max().map_or(0, |last| last + 1);
        let mut members = vec![Vec::new(); count];
        class
            .iter()
            .enumerate()
            .for_each(|(state, class)| members[*class].push(state));
        Partition {
            members,
            class,
            waiting: (0..count).collect(),
            waits: vec![true; count],
        }
    }

    /// Tells some states from the others of their classes.
    fn split(&mut self, states: &[usize]) {
        let mut apart: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for state in states {
            apart.entry(self.class[*state]).or_default().push(*state);
        }
        for (class, mut states) in apart {
            states.sort_unstable();
            states.dedup();
            if states.len() == self.members[class].len() {
                continue;
            }
            let new = self.members.len();
            states.iter().for_each(|state| self.class[*state] = new);
            let own = &self.class;
            self.members[class].retain(|state| own[*state] == class);
            let smaller = match states.len() <= self.members[class].len() {
                true => new,
                false => class,
            };
            self.members.push(states);
            self.waits.push(false);
            let next = if self.waits[class] { new } else { smaller };
            self.waits[next] = true;
            self.waiting.push(next);
        }
    }
}

/// Numbers as they come first.
fn numbered(labels: &[usize]) -> Vec<usize> {
    let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
    let number = |label: &usize| {
        let next = numbers.len();
        *numbers.entry(*label).or_insert(next)
    };
    labels.iter().map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(states: &[(usize, &[usize])]) -> Vec<usize> {
        let states = FollowedStates {
            labels: states.iter().map(|(label, _)| *label).collect(),
            edges: states
                .iter()
                .map(|(_, edges)| edges.iter().copied().map(Some).collect())
                .collect(),
        };
        states.classes()
    }

    #[test]
    fn states_are_told_apart_by_how_far_the_end_is() {
        assert_eq!(classes(&[(0, &[1]), (0, &[2]), (0, &[3]), (1, &[])]), [0, 1, 2, 3]);
    }

    #[test]
    fn two_loops_that_do_the_same_are_of_one_class() {
        // 0 and 1: branches into a loop of one step or of two; 5 is the end.
        let states: [(usize, &[usize]); 6] = [(0, &[2, 5]), (0, &[3, 5]), (1, &[0]), (1, &[4]), (0, &[3, 5]), (2, &[])];
        assert_eq!(classes(&states), [0, 0, 1, 1, 0, 2]);
    }

    #[test]
    fn edges_are_told_apart_by_their_places() {
        assert_eq!(classes(&[(0, &[2, 3]), (0, &[3, 2]), (1, &[]), (2, &[])]), [0, 1, 2, 3]);
    }
}
