//! Which places of a graph are followed by the same collectives.
//!
//! All places begin in one class. Then a place is told from another one as long as something tells them apart: the collective, the
//! class that follows it, or, at a branch, the condition and the classes that it leads to. A branch both of whose ways lead to one class
//! is no place of its own, and neither is anything else between two collectives. Ways that never come to an end match everything.
//!
//! A communicator that is made on the way is called by the class of the place that makes it: `MPI_Comm_dup(all, &a); MPI_Barrier(a);`
//! matches `MPI_Comm_dup(all, &b); MPI_Barrier(b);`.

use super::graph::{CollectiveGraph, GraphNode, GraphNodeKind};
use crate::multivalued::KeyId;
use crate::program::objects::Site;
use rustc_hash::FxHashMap;

/// What tells a collective from others.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Label {
    /// The function of the library.
    pub name: String,
    pub root: Option<KeyId>,
    pub operator: Option<KeyId>,
    /// The communicator, as it is called.
    pub communicator: Option<KeyId>,
}

/// What tells places apart.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Signature {
    End,
    /// Where its communicator is made, if it is made in this graph, and what follows.
    Collective(Label, Vec<usize>, Option<usize>),
    Call(u32, Option<usize>),
    /// The condition, and the classes that the ways lead to.
    Branch(KeyId, Vec<Option<usize>>),
    /// A branch that differs: like no other.
    Mismatch(usize),
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

/// Finds the classes; `made_by` says which call has made a communicator. Rounds are as many as collectives follow each other, at most.
pub fn classes(
    graph: &CollectiveGraph,
    label: &dyn Fn(&GraphNodeKind) -> Option<Label>,
    made_by: &dyn Fn(KeyId) -> Option<Site>,
) -> Classes {
    let mut labels: Vec<Option<Label>> = graph.nodes.iter().map(|node| label(&node.kind)).collect();
    let makers: Vec<Vec<usize>> = labels.iter_mut().map(|label| makers(graph, label, made_by)).collect();
    // By node: its own class, if it is a place.
    let mut own: Vec<usize> = vec![0; graph.nodes.len()];
    let mut count = 1;
    loop {
        let of = reached(graph, &labels, &own);
        let mut numbers: FxHashMap<(usize, Signature), usize> = FxHashMap::default();
        let mut next = own.clone();
        for (at, node) in graph.nodes.iter().enumerate() {
            let follows = || node.succs.first().and_then(|s| of[*s]);
            let signature = match (&node.kind, &labels[at]) {
                (GraphNodeKind::End, _) => Signature::End,
                (_, Some(label)) => {
                    let mut made: Vec<usize> = makers[at].iter().map(|maker| own[*maker]).collect();
                    made.sort_unstable();
                    made.dedup();
                    Signature::Collective(label.clone(), made, follows())
                }
                (GraphNodeKind::Call { context, .. }, _) => Signature::Call(context.0, follows()),
                (GraphNodeKind::Branch { condition, differs, .. }, _) => match differs {
                    Some(_) => Signature::Mismatch(at),
                    None => Signature::Branch(*condition, node.succs.iter().map(|s| of[*s]).collect()),
                },
                _ => continue,
            };
            let number = numbers.len();
            next[at] = *numbers.entry((own[at], signature)).or_insert(number);
        }
        if numbers.len() == count {
            return Classes { of };
        }
        count = numbers.len();
        own = next;
    }
}

/// The nodes that may make the communicator of a collective; where there are some, these name it, and not its key.
fn makers(graph: &CollectiveGraph, label: &mut Option<Label>, made_by: &dyn Fn(KeyId) -> Option<Site>) -> Vec<usize> {
    let Some(label) = label else { return Vec::new() };
    let Some(site) = label.communicator.and_then(made_by) else {
        return Vec::new();
    };
    let makes = |node: &GraphNode| matches!(&node.kind, GraphNodeKind::Collective(event) if event.site == site);
    let found: Vec<usize> = (0..graph.nodes.len()).filter(|at| makes(&graph.nodes[*at])).collect();
    if !found.is_empty() {
        label.communicator = None;
    }
    found
}

/// What control comes to from a node on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reached {
    Nothing,
    Class(usize),
    /// One class or another, by a branch that has not been made a place yet.
    Several,
}

/// By node: the class of the first place that control comes to. A branch is a place if its ways lead to several classes. A loop all of whose
/// ways out lead to one class is none, although it leads to itself as well: branches are decided beginning with those next to places.
fn reached(graph: &CollectiveGraph, labels: &[Option<Label>], own: &[usize]) -> Vec<Option<usize>> {
    let kinds = graph.nodes.iter().map(|node| &node.kind).zip(labels);
    let mut places: Vec<bool> = kinds
        .map(|(kind, label)| label.is_some() || matches!(kind, GraphNodeKind::End | GraphNodeKind::Call { .. }))
        .collect();
    loop {
        let found = reached_from(graph, &places, own);
        // By branch that is not decided: how many classes its ways lead to, as far as these are decided.
        let undecided = (0..found.len()).filter(|at| found[*at] == Reached::Several);
        let count = |at: usize| {
            let ways = graph.nodes[at].succs.iter().map(|s| found[*s]);
            let mut classes: Vec<Reached> = ways.filter(|way| matches!(way, Reached::Class(_))).collect();
            classes.dedup();
            classes.len()
        };
        let counted: Vec<(usize, usize)> = undecided.map(|at| (at, count(at))).collect();
        let mut new: Vec<usize> = counted.iter().filter(|(_, n)| *n > 1).map(|(at, _)| *at).collect();
        if new.is_empty() {
            // Branches of a loop with ways out of it that are waiting for each other.
            new.extend(counted.iter().find(|(_, n)| *n > 0).map(|(at, _)| *at));
        }
        if new.is_empty() {
            let class = |reached: &Reached| match reached {
                Reached::Class(class) => Some(*class),
                _ => None,
            };
            return found.iter().map(class).collect();
        }
        new.iter().for_each(|at| places[*at] = true);
    }
}

/// By node: what control comes to, with these places.
fn reached_from(graph: &CollectiveGraph, places: &[bool], own: &[usize]) -> Vec<Reached> {
    let mut of = vec![Reached::Nothing; graph.nodes.len()];
    let mut preds = vec![Vec::new(); graph.nodes.len()];
    for (at, node) in graph.nodes.iter().enumerate() {
        node.succs.iter().for_each(|s| preds[*s].push(at));
    }
    let mut waiting: Vec<usize> = (0..graph.nodes.len()).collect();
    while let Some(at) = waiting.pop() {
        let ways = graph.nodes[at].succs.iter().map(|s| of[*s]);
        let mut ways = ways.filter(|way| *way != Reached::Nothing);
        let found = match (places[at], ways.next()) {
            (true, _) => Reached::Class(own[at]),
            (false, None) => Reached::Nothing,
            (false, Some(first)) if ways.all(|way| way == first) => first,
            _ => Reached::Several,
        };
        // From nothing to a class to several.
        if found != of[at] {
            of[at] = found;
            waiting.extend(preds[at].iter().copied());
        }
    }
    of
}
