//! Small runs: whether some of so many agents come to other collectives than others, where conditions say who goes which way.
//!
//! ```c
//! if (rank == 0) MPI_Barrier(c);      /* of 2, of 3, … processes each comes to one barrier, whichever it is: */
//! if (rank != 0) MPI_Barrier(c);      /* the two conditions make up for each other                           */
//! ```
//!
//! The graph is copied once for each combination of ways that some agent takes, with these ways for good; agents do the same if the
//! classes of the copies are the same. Numbers of agents are tried up to a few more than the numbers in the conditions, and what is the
//! same for all, but is not known, is each of some small numbers in turn. Conditions that are more than numbers of agents can decide
//! are left as they are, and so are those that come out one way with all these numbers.
//!
//! ```c
//! if (part == MPI_COMM_NULL) { MPI_Barrier(all); return 0; }     /* who is in `part` nobody knows: some are, and some are not */
//! return 1;                                                      /* …                                                        */
//! if (joins) MPI_Barrier(all);                                   /* whoever is: one barrier for each                         */
//! ```
//!
//! A value that differs by what is not known is tried as well, any for each agent, where several conditions are made of it. That all agents
//! do the same then is true whatever it is; that some do not says nothing, as there may be no such values.

use super::classes::{Classes, Label, classes};
use super::graph::{CollectiveGraph, GraphNode, GraphNodeKind};
use crate::multivalued::{AgentNumbers, ConditionLeaves, Key, KeyId, Keys, KnownValues};
use crate::program::objects::Site;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Conditions with more values of which nothing is known are not decided.
const MOST_FREE: usize = 2;
/// Numbers in conditions that are larger are not decided.
const LARGEST_NUMBER: i128 = 40;
/// What Open MPI, MPICH and our own header give for `MPI_UNDEFINED`: who says this for a colour becomes no member. No rank is compared with it.
const NO_COLOUR: i128 = -32766;
/// So many combinations of ways are looked at.
const MOST_COPIES: usize = 64;
/// Graphs with more nodes, all copies together, are not looked at.
const MOST_NODES: usize = 200_000;

/// Who runs, and what is known of values.
pub struct SmallRuns<'r> {
    pub keys: &'r Keys,
    pub known: KnownValues<'r>,
    /// What agents that are looked at together have in common: the colours by which their communicator was split.
    pub colours: &'r [KeyId],
    /// Whether a branch goes the first way where its condition holds, and else the second.
    pub is_test: &'r dyn Fn(Site) -> bool,
}

/// What small runs say of a graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TriedRuns {
    /// The branches that numbers of agents decide.
    pub decided: BTreeSet<Site>,
    /// The branches that all take alike, and of which these runs say which way; none where others go by what somebody sends, which may
    /// hang on these.
    pub common: BTreeSet<Site>,
    /// In some run agents come to other collectives than others.
    pub apart: bool,
}

/// By run, and by what its agents have in common: the combinations of ways that they take, by branch.
type RunWays = BTreeSet<BTreeSet<Vec<bool>>>;

/// A branch on a condition from which not the same collectives follow.
struct Parting {
    at: usize,
    condition: KeyId,
}

impl SmallRuns<'_> {
    /// Tries small runs; nothing where numbers decide no branch by which agents part.
    pub fn tried(
        &self,
        graph: &CollectiveGraph,
        found: &Classes,
        label: &dyn Fn(&GraphNodeKind) -> Option<Label>,
    ) -> Option<TriedRuns> {
        let mut leaves = self.of_colours()?;
        let made = graph.nodes.iter().filter_map(|node| match &node.kind {
            GraphNodeKind::Collective(event) => Some(event.site),
            _ => None,
        });
        let makers: BTreeSet<Site> = made.collect();
        let mut depends = false;
        let (mut own, mut common): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
        // Conditions that differ, and those that are the same for all, which have the same ways after one and another.
        for wanted in [true, false] {
            for Parting { at, condition } in self.parting(graph, found, wanted) {
                let mut with = leaves.clone();
                let decided = self.keys.leaves(condition, &self.known, &mut with).is_some();
                let small = with.numbers.iter().all(|n| n.abs() <= LARGEST_NUMBER);
                // What a collective brings is what somebody has sent: that is no number like any other.
                let brought = !wanted && with.free.iter().any(|key| self.is_brought(*key, &makers));
                depends |= brought;
                if decided && small && !brought && with.own.is_empty() && with.free.len() <= MOST_FREE {
                    leaves = with;
                    if wanted { &mut own } else { &mut common }.push(at);
                }
            }
        }
        let all: Vec<usize> = own.iter().chain(&common).copied().collect();
        let one_sided = self.one_sided(graph, &all, &leaves);
        for branches in [&mut own, &mut common] {
            branches.retain(|at| !one_sided.contains(at));
        }
        if own.is_empty() {
            return None;
        }
        let all: Vec<usize> = own.iter().chain(&common).copied().collect();
        let apart = { self.apart(graph, &all, &leaves, label) }.or_else(|| self.apart(graph, &own, &leaves, label))?;
        let site = |at: &usize| graph.nodes[*at].branch_site();
        Some(TriedRuns {
            decided: own.iter().filter_map(site).collect(),
            common: common.iter().filter(|_| !depends).filter_map(site).collect(),
            apart,
        })
    }

    /// What the colours are made of by which the communicator was split.
    fn of_colours(&self) -> Option<ConditionLeaves> {
        let mut leaves = ConditionLeaves::default();
        for colour in self.colours {
            self.keys.leaves(*colour, &self.known, &mut leaves)?;
        }
        leaves.numbers.retain(|number| *number != NO_COLOUR);
        leaves.own.is_empty().then_some(leaves)
    }

    /// Branches by values that differ, and of which nobody knows what they are, after which all agents have come to the same collectives,
    /// as they are all made of one of these values.
    pub fn matching(
        &self,
        graph: &CollectiveGraph,
        found: &Classes,
        label: &dyn Fn(&GraphNodeKind) -> Option<Label>,
    ) -> BTreeSet<Site> {
        let Some(common) = self.of_colours() else {
            return BTreeSet::new();
        };
        let mut by_value: BTreeMap<Vec<KeyId>, Vec<Parting>> = BTreeMap::new();
        for branch in self.parting(graph, found, true) {
            let mut leaves = ConditionLeaves::default();
            let known = self.keys.leaves(branch.condition, &self.known, &mut leaves);
            if known.is_some() && !leaves.own.is_empty() {
                leaves.own.sort_unstable();
                by_value.entry(leaves.own).or_default().push(branch);
            }
        }
        let mut matching = BTreeSet::new();
        for group in by_value.into_values() {
            let mut leaves = common.clone();
            for Parting { condition, .. } in &group {
                self.keys.leaves(*condition, &self.known, &mut leaves);
            }
            let small = leaves.numbers.iter().all(|n| n.abs() <= LARGEST_NUMBER);
            if !small || leaves.own.len() + leaves.free.len() > MOST_FREE {
                continue;
            }
            let mut branches: Vec<usize> = group.iter().map(|branch| branch.at).collect();
            let two_sided = self.two_sided(&self.runs(graph, &branches, &leaves).unwrap_or_default(), &branches);
            branches.retain(|at| two_sided.contains(at));
            if branches.len() > 1 && self.apart(graph, &branches, &leaves, label) == Some(false) {
                matching.extend(branches.iter().filter_map(|at| graph.nodes[*at].branch_site()));
            }
        }
        matching
    }

    /// The branches on conditions from which not the same collectives follow, by whether these conditions differ.
    fn parting(&self, graph: &CollectiveGraph, found: &Classes, differing: bool) -> Vec<Parting> {
        let parts = |ways: &Vec<usize>| match differing {
            true => found.apart(ways).len() > 1,
            // Where all alike go where the program ends, a run that goes on has taken the other way.
            false => ways.iter().map(|way| found.of[*way]).collect::<BTreeSet<_>>().len() > 1,
        };
        let branches = graph.nodes.iter().enumerate().filter_map(|(at, node)| match node.kind {
            GraphNodeKind::Branch {
                site,
                condition,
                differs,
                of_callees: false,
            } if differs.is_some() == differing && node.succs.len() == 2 => {
                ((self.is_test)(site) && parts(&node.succs)).then_some(Parting { at, condition })
            }
            _ => None,
        });
        branches.collect()
    }

    /// Whether a value is made of what a collective has given.
    fn is_brought(&self, key: KeyId, makers: &BTreeSet<Site>) -> bool {
        let parts = self.keys.parts(key);
        { parts.iter() }.any(|part| matches!(self.keys.get(*part), Key::Given(site, _) if makers.contains(site)))
    }

    /// The branches that go one way in all runs, and might go another one with other values than are tried.
    fn one_sided(&self, graph: &CollectiveGraph, branches: &[usize], leaves: &ConditionLeaves) -> BTreeSet<usize> {
        let runs = self.runs(graph, branches, leaves).unwrap_or_default();
        if runs.is_empty() {
            return BTreeSet::new();
        }
        let two_sided = self.two_sided(&runs, branches);
        let is_free = |at: usize| {
            let mut leaves = ConditionLeaves::default();
            if let GraphNodeKind::Branch { condition, .. } = graph.nodes[at].kind {
                self.keys.leaves(condition, &self.known, &mut leaves);
            }
            !leaves.free.is_empty()
        };
        let one_sided = branches.iter().copied().filter(|at| !two_sided.contains(at));
        one_sided.filter(|at| is_free(*at)).collect()
    }

    /// The branches that some agents leave one way, and some the other way.
    fn two_sided(&self, runs: &RunWays, branches: &[usize]) -> BTreeSet<usize> {
        let goes = |at: usize, way: bool| runs.iter().flatten().any(|ways| ways[at] == way);
        let both = { branches.iter().enumerate() }.filter(|(at, _)| goes(*at, true) && goes(*at, false));
        both.map(|(_, at)| *at).collect()
    }

    /// Whether in some run agents come to other collectives than others; nothing where there are too many ways.
    fn apart(
        &self,
        graph: &CollectiveGraph,
        branches: &[usize],
        leaves: &ConditionLeaves,
        label: &dyn Fn(&GraphNodeKind) -> Option<Label>,
    ) -> Option<bool> {
        let runs = self.runs(graph, branches, leaves)?;
        let entries = self.entries(graph, branches, &runs, label)?;
        Some(runs.iter().any(|run| {
            let classes = run.iter().filter_map(|ways| entries.get(ways).copied().flatten());
            classes.collect::<BTreeSet<usize>>().len() > 1
        }))
    }

    /// By run, and by what its agents have in common: the combinations of ways that they take, by branch.
    fn runs(&self, graph: &CollectiveGraph, branches: &[usize], leaves: &ConditionLeaves) -> Option<RunWays> {
        let conditions: Vec<KeyId> = { branches.iter() }
            .filter_map(|at| match graph.nodes[*at].kind {
                GraphNodeKind::Branch { condition, .. } => Some(condition),
                _ => None,
            })
            .collect();
        let mut counts: BTreeSet<i128> = (1..=5).collect();
        let near = |n: &i128| [n.abs() + 1, n.abs() + 2];
        counts.extend(leaves.numbers.iter().flat_map(near));
        let mut runs = BTreeSet::new();
        for count in counts {
            let mut values: BTreeSet<i128> = (0..=3).collect();
            values.extend([count - 1, count]);
            values.extend(leaves.numbers.iter().copied());
            if leaves.free.len() + leaves.own.len() == 1 {
                values.extend(differences(&leaves.numbers));
            }
            if leaves.own.len() == 1 {
                values.extend(leaves.numbers.iter().flat_map(|n| [n - 1, n + 1]));
            }
            let values: Vec<i128> = values.into_iter().collect();
            let own_values = assignments(&leaves.own, &values);
            for free in assignments(&leaves.free, &values) {
                let mut parts: BTreeMap<Vec<i128>, BTreeSet<Vec<bool>>> = BTreeMap::new();
                let agents = (0..count).flat_map(|own| own_values.iter().map(move |values| (own, values)));
                for (own, values) in agents {
                    let free = free.iter().chain(values).map(|(key, value)| (*key, *value));
                    let agent = AgentNumbers {
                        own,
                        count,
                        free: free.collect(),
                    };
                    let value = |key: &KeyId| self.keys.value_for(*key, &agent);
                    // A run in which something is divided by zero is none.
                    let Some(colours) = self.colours.iter().map(value).collect::<Option<Vec<i128>>>() else {
                        continue;
                    };
                    let ways = conditions.iter().map(|key| Some(value(key)? != 0));
                    let Some(ways) = ways.collect::<Option<Vec<bool>>>() else {
                        continue;
                    };
                    if colours.iter().all(|colour| *colour >= 0) {
                        parts.entry(colours).or_default().insert(ways);
                    }
                }
                runs.extend(parts.into_values());
            }
        }
        Some(runs).filter(|runs| runs.iter().flatten().collect::<BTreeSet<_>>().len() <= MOST_COPIES)
    }

    /// By combination of ways: the class of what comes first.
    fn entries<'w>(
        &self,
        graph: &CollectiveGraph,
        branches: &[usize],
        runs: &'w RunWays,
        label: &dyn Fn(&GraphNodeKind) -> Option<Label>,
    ) -> Option<FxHashMap<&'w Vec<bool>, Option<usize>>> {
        let combinations: BTreeSet<&Vec<bool>> = runs.iter().flatten().collect();
        if combinations.len() * graph.nodes.len() > MOST_NODES {
            return None;
        }
        let mut copies = CollectiveGraph::default();
        let mut first: Vec<(&Vec<bool>, usize)> = Vec::new();
        for ways in combinations {
            let start = copies.nodes.len();
            first.push((ways, start));
            for node in &graph.nodes {
                let mut copied = node.clone();
                copied.succs.iter_mut().for_each(|s| *s += start);
                if let GraphNodeKind::Branch { differs, .. } = &mut copied.kind {
                    *differs = None;
                }
                copies.nodes.push(copied);
            }
            for (at, holds) in branches.iter().zip(ways) {
                let way = copies.nodes[start + at].succs[usize::from(!holds)];
                copies.nodes[start + at] = GraphNode {
                    kind: GraphNodeKind::Pass,
                    succs: vec![way],
                };
            }
        }
        let classes = classes(&copies, label, self.keys);
        Some(
            first
                .into_iter()
                .map(|(ways, start)| (ways, classes.of[start]))
                .collect(),
        )
    }
}

/// How far numbers are from each other: where one is added to a value and the sum is compared with another one, these are of interest.
fn differences(numbers: &[i128]) -> BTreeSet<i128> {
    let from = |one: i128| numbers.iter().map(move |other| one - other);
    numbers.iter().flat_map(|one| from(*one)).collect()
}

/// Each way to give some keys one of some values.
fn assignments(keys: &[KeyId], values: &[i128]) -> Vec<FxHashMap<KeyId, i128>> {
    let mut found = vec![FxHashMap::default()];
    for key in keys {
        let with = |known: &FxHashMap<KeyId, i128>| {
            let with = |value: &i128| {
                let mut with = known.clone();
                with.insert(*key, *value);
                with
            };
            values.iter().map(with).collect::<Vec<_>>()
        };
        found = found.iter().flat_map(with).collect();
    }
    found
}
