//! Branches that differ, and from which not the same collectives follow.
//!
//! A finding is about the first collective that some come to and others do not: where that is, what the others come to instead, and the
//! condition. Of several branches that lead to one collective the innermost is named.

use super::classes::{Classes, Label, classes};
use super::communicators::are_told;
use super::graph::{CollectiveGraph, GraphNodeKind};
use super::instances::SmallRuns;
use crate::multivalued::{CauseId, CollectiveEvent, KeyId, Keys};
use crate::program::objects::Site;

/// So many collectives of a way are told.
const MOST_STEPS: usize = 5;

/// A mismatch.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// The collective that not everyone comes to.
    pub collective: CollectiveEvent,
    /// The branch.
    pub branch: Site,
    /// What decides.
    pub condition: KeyId,
    /// The branch chooses a function.
    pub of_callees: bool,
    /// Why it differs.
    pub cause: CauseId,
    /// What those come to first that go another way.
    pub instead: OtherWay,
    /// On some run it happens for sure.
    pub surely: bool,
    /// What those come to in turn who come to the collective, and the others, as far as one condition does not decide.
    pub ways: [Vec<CollectiveEvent>; 2],
}

/// What those come to that do not come to a collective.
#[derive(Clone, Debug)]
pub enum OtherWay {
    /// Another collective.
    Collective(CollectiveEvent),
    /// That collective too, but not as often, or not at that place.
    Later,
    /// The end.
    End,
}

/// What comes first on a way.
enum First {
    Collective,
    /// A condition that is the same for all decides, or a function that is not looked into here.
    Decided,
    Mismatch,
    End,
    Nothing,
}

/// The mismatches of a graph, where collectives are told apart by `label`. What small runs show to be none is left out.
pub fn mismatches(
    graph: &CollectiveGraph,
    label: &dyn Fn(&GraphNodeKind) -> Option<Label>,
    runs: &SmallRuns<'_>,
) -> Vec<Mismatch> {
    let keys = runs.keys;
    let classes = &classes(graph, label, keys);
    let tried = runs.tried(graph, classes, label);
    let matching = runs.matching(graph, classes, label);
    let mut found = Vec::new();
    for (at, node) in graph.nodes.iter().enumerate() {
        let GraphNodeKind::Branch {
            site,
            differs: Some(cause),
            of_callees,
            condition,
        } = node.kind
        else {
            continue;
        };
        let ways = classes.apart(&node.succs);
        if ways.len() < 2 {
            continue;
        }
        let firsts: Vec<First> = ways.iter().map(|way| first(graph, classes, *way)).collect();
        let decided = firsts
            .iter()
            .filter(|f| matches!(f, First::Decided | First::Mismatch))
            .count();
        let mut collectives = ways.iter().map(|way| next_collectives(graph, *way));
        let Some(collective) = collectives.find_map(|next| next.first().copied()) else {
            continue;
        };
        if decided > 0
            && firsts.iter().any(|f| matches!(f, First::Mismatch))
            && !firsts.iter().any(|f| matches!(f, First::Collective))
        {
            // The branch further inside says it.
            continue;
        }
        let other = collectives.find(|next| next.first().is_some_and(|other| other.site != collective.site));
        // Where conditions that are the same for all decide what comes there, one of which it is known that it is another one.
        let is_another = |other: &&CollectiveEvent| other.site != collective.site && are_told(keys, collective, other);
        let other = other.and_then(|next| next.iter().copied().find(is_another).or(next.first().copied()));
        let ends = firsts.iter().any(|f| matches!(f, First::End));
        let instead = match (ends, other) {
            (true, _) => OtherWay::End,
            (false, Some(other)) => OtherWay::Collective(other.clone()),
            (false, None) => OtherWay::Later,
        };
        let decides = { tried.iter() }.any(|tried| tried.decided.contains(&site));
        if matching.contains(&site) || decides && tried.as_ref().is_some_and(|tried| !tried.apart) {
            continue;
        }
        let others = |other: Site| { tried.iter() }.all(|tried| !decides || !tried.decided.contains(&other));
        let known = |site: Site| { tried.iter() }.any(|tried| tried.common.contains(&site));
        let again = comes_again(graph, at);
        let reached = |way: &usize| before(graph, *way, again.then_some(at));
        let reached: Vec<Vec<bool>> = ways.iter().map(reached).collect();
        let may_be_right = decided > 1
            || decide_on_several_ways(graph, classes, &reached, &known)
            || repeats_on_one_way(graph, &reached, keys)
            || may_make_up(graph, classes, at, &others)
            || (keys.counts(condition) && again);
        let comes = |way: &&usize| {
            next_collectives(graph, **way)
                .first()
                .is_some_and(|first| first.site == collective.site)
        };
        let this = ways.iter().find(comes).copied();
        let another = ways.iter().copied().find(|way| Some(*way) != this);
        let steps = |way: Option<usize>| way.map_or_else(Vec::new, |way| steps(graph, classes, way));
        found.push(Mismatch {
            ways: [steps(this), steps(another)],
            collective: collective.clone(),
            branch: site,
            condition,
            of_callees,
            cause,
            instead,
            surely: !may_be_right,
        });
    }
    found
}

/// What comes first from a node on.
fn first(graph: &CollectiveGraph, classes: &Classes, from: usize) -> First {
    let mut seen = vec![false; graph.nodes.len()];
    let mut at = from;
    while !std::mem::replace(&mut seen[at], true) {
        let node = &graph.nodes[at];
        match &node.kind {
            GraphNodeKind::Collective(_) => return First::Collective,
            GraphNodeKind::End => return First::End,
            GraphNodeKind::DeadEnd => return First::Nothing,
            GraphNodeKind::Call { .. } => return First::Decided,
            GraphNodeKind::Branch { differs, .. } => {
                let ways = classes.apart(&node.succs);
                if ways.len() > 1 {
                    return if differs.is_some() {
                        First::Mismatch
                    } else {
                        First::Decided
                    };
                }
                match ways.first() {
                    Some(next) => at = *next,
                    None => return First::Nothing,
                }
            }
            GraphNodeKind::Pass => match node.succs.first() {
                Some(next) => at = *next,
                None => return First::Nothing,
            },
        }
    }
    First::Nothing
}

/// The collectives that follow a node one after the other, a few of them, as long as no condition decides which.
fn steps(graph: &CollectiveGraph, classes: &Classes, from: usize) -> Vec<CollectiveEvent> {
    let mut found = Vec::new();
    let mut seen = vec![false; graph.nodes.len()];
    let mut at = from;
    while found.len() < MOST_STEPS && !std::mem::replace(&mut seen[at], true) {
        let node = &graph.nodes[at];
        let ways = classes.apart(&node.succs);
        match &node.kind {
            GraphNodeKind::Collective(event) => found.push(event.clone()),
            GraphNodeKind::Branch { .. } if ways.len() > 1 => break,
            _ => {}
        }
        match ways.first().or(node.succs.first()) {
            Some(next) => at = *next,
            None => break,
        }
    }
    found
}

/// The collectives that may come first from a node on, whatever conditions come to that are the same for all; the nearest one first.
fn next_collectives(graph: &CollectiveGraph, from: usize) -> Vec<&CollectiveEvent> {
    let mut found = Vec::new();
    let mut seen = vec![false; graph.nodes.len()];
    let mut waiting = std::collections::VecDeque::from([from]);
    while let Some(at) = waiting.pop_front() {
        if std::mem::replace(&mut seen[at], true) {
            continue;
        }
        match &graph.nodes[at].kind {
            GraphNodeKind::Collective(event) => found.push(event),
            // Who goes which way there is another question.
            GraphNodeKind::Branch { differs: Some(_), .. } if !found.is_empty() => {}
            _ => waiting.extend(graph.nodes[at].succs.iter().copied()),
        }
    }
    found
}

/// Whether a loop of which the program text says how often it runs is on one of the ways alone, and a collective on another one: that may
/// be what the loop does, written out. By way: the nodes that control may come to.
fn repeats_on_one_way(graph: &CollectiveGraph, reached: &[Vec<bool>], keys: &Keys) -> bool {
    let fixed = |kind: &GraphNodeKind| matches!(kind, GraphNodeKind::Branch { condition, differs: None, .. } if keys.is_fixed(*condition));
    let has = |way: &[bool], without: &[bool], wanted: &dyn Fn(&GraphNodeKind) -> bool| {
        let mut nodes = graph.nodes.iter().enumerate();
        nodes.any(|(at, node)| way[at] && !without[at] && wanted(&node.kind))
    };
    let collective = |kind: &GraphNodeKind| matches!(kind, GraphNodeKind::Collective(_));
    reached.iter().any(|one| {
        let others = || reached.iter().filter(|other| *other != one);
        others().any(|other| has(one, other, &fixed) && has(other, one, &collective))
    })
}

/// Whether conditions that are the same for all decide on several ways, each by itself, what is done there: these may come out together.
fn decide_on_several_ways(
    graph: &CollectiveGraph,
    classes: &Classes,
    reached: &[Vec<bool>],
    known: &dyn Fn(Site) -> bool,
) -> bool {
    let decides = |at: usize| {
        let node = &graph.nodes[at];
        let open =
            |kind: &GraphNodeKind| matches!(kind, GraphNodeKind::Branch { differs: None, site, .. } if !known(*site));
        open(&node.kind) && classes.apart(&node.succs).len() > 1
    };
    let deciding = reached.iter().filter(|own| {
        let alone = |at: usize| own[at] && reached.iter().any(|other| !other[at]);
        (0..graph.nodes.len()).any(|at| alone(at) && decides(at))
    });
    deciding.count() > 1
}

/// The nodes that control may come to from one on.
pub fn from_on(graph: &CollectiveGraph, from: usize) -> Vec<bool> {
    before(graph, from, None)
}

/// The nodes that control may come to from one on before it comes to another one, which is taken for one of them.
fn before(graph: &CollectiveGraph, from: usize, last: Option<usize>) -> Vec<bool> {
    let mut seen = vec![false; graph.nodes.len()];
    let mut waiting: Vec<usize> = vec![from];
    last.into_iter().for_each(|last| seen[last] = true);
    while let Some(at) = waiting.pop() {
        if !std::mem::replace(&mut seen[at], true) {
            waiting.extend(graph.nodes[at].succs.iter().copied());
        }
    }
    seen
}

/// The nodes from which control may come to one.
fn leading_to(graph: &CollectiveGraph, to: usize) -> Vec<bool> {
    let mut before = vec![Vec::new(); graph.nodes.len()];
    for (at, node) in graph.nodes.iter().enumerate() {
        node.succs.iter().for_each(|next| before[*next].push(at));
    }
    let mut seen = vec![false; graph.nodes.len()];
    let mut waiting: Vec<usize> = vec![to];
    while let Some(at) = waiting.pop() {
        if !std::mem::replace(&mut seen[at], true) {
            waiting.extend(before[at].iter().copied());
        }
    }
    seen
}

/// Whether another branch that differs may make up for what one leaves out: `if (rank) f(); if (!rank) f();`.
/// Only `others` are asked.
fn may_make_up(graph: &CollectiveGraph, classes: &Classes, branch: usize, others: &dyn Fn(Site) -> bool) -> bool {
    let (behind, before) = (from_on(graph, branch), leading_to(graph, branch));
    let own = graph.nodes[branch].branch_site();
    graph.nodes.iter().enumerate().any(|(at, node)| {
        let differs = matches!(node.kind, GraphNodeKind::Branch { differs: Some(_), .. });
        let beside = || behind[at] || node.succs.iter().all(|way| before[*way]);
        let asked = || node.branch_site() != own && node.branch_site().is_some_and(others);
        differs && asked() && classes.apart(&node.succs).len() > 1 && beside()
    })
}

/// Whether control may come to a branch again, whichever way it goes.
fn comes_again(graph: &CollectiveGraph, branch: usize) -> bool {
    let before = leading_to(graph, branch);
    graph.nodes[branch].succs.iter().all(|way| before[*way])
}
