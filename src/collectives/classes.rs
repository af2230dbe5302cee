//! Which places of a graph are followed by the same collectives.
//!
//! A place is told from another one as long as something tells them apart: the collective, the class that follows it, or, at a branch,
//! the condition and the classes that it leads to ([`FollowedStates`]). A branch whose ways all lead to one class is no place of its own, and
//! neither is anything else between two collectives. Ways that never come to an end match everything.
//!
//! ```text
//! if (n > 0)          n is the same for all: a place, as its ways lead to different classes
//!     Barrier
//! if (rank == 0)      no place: both ways lead to the second Barrier
//!     print
//! Barrier
//! ```
//!
//! A value that a collective gives to all who come to it (a communicator, what was broadcast) is called by the class of the place that makes
//! it: `MPI_Comm_dup(all, &a); MPI_Barrier(a);` matches `MPI_Comm_dup(all, &b); MPI_Barrier(b);`.
//!
//! Which branches are places is found step by step: at first none is. Then those become places that lead to one class by one way and to
//! another one by another way, and the classes are found again, as many times as branches with collectives stand within each other.

use super::graph::{CollectiveGraph, GraphNodeKind};
use super::refinement::FollowedStates;
use crate::multivalued::{KeyId, KeyShape, Keys, ShapePart};
use crate::program::objects::Site;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// What tells a collective from others.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Label {
    /// The function of the library.
    pub name: String,
    pub root: Option<KeyId>,
    pub operator: Option<KeyId>,
    pub communicator: Option<KeyId>,
    /// Where it is, if that tells it from others.
    pub place: Option<Site>,
}

/// The classes of a graph: by node, the class of what comes next; `None` where everything matches.
pub struct Classes {
    /// By node.
    pub of: Vec<Option<usize>>,
}

impl Classes {
    /// One way to each class that some ways lead to, in their order.
    pub fn apart(&self, ways: &[usize]) -> Vec<usize> {
        let mut apart: Vec<usize> = Vec::new();
        for way in ways {
            let class = self.of[*way];
            if class.is_some() && apart.iter().all(|known| self.of[*known] != class) {
                apart.push(*way);
            }
        }
        apart
    }
}

/// What tells a place from others, whatever follows.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Signature {
    End,
    /// With the communicator.
    Collective(Label, Vec<ShapePart>),
    Call(u32),
    /// The condition, and how many ways there are.
    Branch(Vec<ShapePart>, usize),
    /// A branch that differs: like no other.
    Mismatch(usize),
}

/// Finds the classes.
pub fn classes(graph: &CollectiveGraph, label: &dyn Fn(&GraphNodeKind) -> Option<Label>, keys: &Keys) -> Classes {
    let labels: Vec<Option<Label>> = graph.nodes.iter().map(|node| label(&node.kind)).collect();
    let is_place = |(kind, label): (&GraphNodeKind, &Option<Label>)| {
        label.is_some() || matches!(kind, GraphNodeKind::End | GraphNodeKind::Call { .. })
    };
    let mut preds = vec![Vec::new(); graph.nodes.len()];
    for (at, node) in graph.nodes.iter().enumerate() {
        node.succs.iter().for_each(|s| preds[*s].push(at));
    }
    let mut makers: FxHashMap<Site, Vec<usize>> = FxHashMap::default();
    for (at, node) in graph.nodes.iter().enumerate() {
        if let (GraphNodeKind::Collective(event), Some(_)) = (&node.kind, &labels[at]) {
            makers.entry(event.site).or_default().push(at);
        }
    }
    let shape = |(kind, label): (&GraphNodeKind, &Option<Label>)| {
        let key = match (kind, label) {
            (_, Some(label)) => label.communicator,
            (GraphNodeKind::Branch { condition, .. }, _) => Some(*condition),
            _ => None,
        };
        key.map_or_else(KeyShape::default, |key| {
            keys.shape(key, &|site| makers.contains_key(&site))
        })
    };
    let mut places = Places {
        graph,
        shapes: graph.nodes.iter().map(|n| &n.kind).zip(&labels).map(shape).collect(),
        makers,
        preds,
        is_place: graph.nodes.iter().map(|n| &n.kind).zip(&labels).map(is_place).collect(),
    };
    loop {
        let own = places.classes(&labels);
        let reached = places.reached(&own);
        let deciding = places.deciding(&reached);
        if deciding.is_empty() {
            let of = reached.iter().map(|classes| classes.first().copied());
            return Classes { of: of.collect() };
        }
        deciding.into_iter().for_each(|branch| places.is_place[branch] = true);
    }
}

/// A graph, and which of its nodes are places.
struct Places<'g> {
    graph: &'g CollectiveGraph,
    /// By node: the nodes before it.
    preds: Vec<Vec<usize>>,
    is_place: Vec<bool>,
    /// By node: its communicator, or its condition.
    shapes: Vec<KeyShape>,
    /// The collectives at each place of the program.
    makers: FxHashMap<Site, Vec<usize>>,
}

impl Places<'_> {
    /// By node: its class, if it is a place; all ways from what is none are taken to lead to places of one class.
    fn classes(&self, labels: &[Option<Label>]) -> Vec<Option<usize>> {
        let nodes = &self.graph.nodes;
        let first = self.first();
        let numbers: Vec<usize> = (0..nodes.len()).filter(|at| self.is_place[*at]).collect();
        let mut state = vec![None; nodes.len()];
        numbers
            .iter()
            .enumerate()
            .for_each(|(number, at)| state[*at] = Some(number));
        let mut signatures: FxHashMap<(Signature, Vec<bool>), usize> = FxHashMap::default();
        let mut states = FollowedStates {
            labels: Vec::with_capacity(numbers.len()),
            edges: Vec::with_capacity(numbers.len()),
        };
        for &at in &numbers {
            let ends = matches!(nodes[at].kind, GraphNodeKind::End);
            let succs = nodes[at].succs.iter().filter(|_| !ends);
            let mut edges: Vec<Option<usize>> = succs.map(|s| first[*s].and_then(|place| state[place])).collect();
            let ways = edges.len();
            let made = { self.shapes[at].makers.iter() }.flat_map(|site| &self.makers[site]);
            edges.extend(made.map(|maker| state[*maker]));
            let parts = || self.shapes[at].parts.clone();
            let signature = match (&nodes[at].kind, &labels[at]) {
                (_, Some(label)) => Signature::Collective(
                    Label {
                        communicator: None,
                        ..label.clone()
                    },
                    parts(),
                ),
                (GraphNodeKind::Call { context, .. }, _) => Signature::Call(context.0),
                (GraphNodeKind::Branch { differs: Some(_), .. }, _) => Signature::Mismatch(at),
                (GraphNodeKind::Branch { .. }, _) => Signature::Branch(parts(), ways),
                _ => Signature::End,
            };
            let leads: Vec<bool> = edges.iter().map(Option::is_some).collect();
            let next = signatures.len();
            states
                .labels
                .push(*signatures.entry((signature, leads)).or_insert(next));
            states.edges.push(edges);
        }
        let classes = states.classes();
        state.into_iter().map(|number| Some(classes[number?])).collect()
    }

    /// By node: a place that control may come to first.
    fn first(&self) -> Vec<Option<usize>> {
        let mut first = vec![None; self.graph.nodes.len()];
        let places = (0..first.len()).filter(|at| self.is_place[*at]);
        let mut waiting: VecDeque<usize> = places.collect();
        waiting.iter().for_each(|at| first[*at] = Some(*at));
        while let Some(at) = waiting.pop_front() {
            for &before in &self.preds[at] {
                if first[before].is_none() {
                    first[before] = first[at];
                    waiting.push_back(before);
                }
            }
        }
        first
    }

    /// By node: the classes of the places that control may come to first, two at most.
    fn reached(&self, own: &[Option<usize>]) -> Vec<Vec<usize>> {
        let mut reached: Vec<Vec<usize>> = own.iter().map(|class| class.iter().copied().collect()).collect();
        let mut waiting: VecDeque<usize> = (0..own.len()).filter(|at| own[*at].is_some()).collect();
        while let Some(at) = waiting.pop_front() {
            for &before in self.preds[at].iter().filter(|before| !self.is_place[**before]) {
                let known = reached[before].len();
                for class in reached[at].clone() {
                    if reached[before].len() < 2 && !reached[before].contains(&class) {
                        reached[before].push(class);
                    }
                }
                if reached[before].len() > known {
                    waiting.push_back(before);
                }
            }
        }
        reached
    }

    /// Branches that are no places yet and from which one class is come to by one way, and another one by others.
    fn deciding(&self, reached: &[Vec<usize>]) -> Vec<usize> {
        let decides = |at: &usize| {
            let ways = &self.graph.nodes[*at].succs;
            !self.is_place[*at] && reached[*at].len() > 1 && ways.iter().any(|way| reached[*way].len() == 1)
        };
        (0..reached.len()).filter(decides).collect()
    }
}
