//! The branches on which it depends whether an object is on the device.
//!
//! ```c
//! if (use)                                             // one way comes by the directive and the other does not
//!     #pragma omp target enter data map(to: a[0:n])
//! …
//! kernel uses a                                        // where !use, nothing is there
//! ```
//!
//! Such a branch is walked for each way in which it comes out ([`super::conditions::AssumedOutcomes::ways`]): behind it the object is there or not, and a
//! state that has both says neither.

use super::conditions::StepCondition;
use super::steps::{Step, StepAction, StepGraph};
use crate::openmp::map::Moment;
use std::collections::BTreeSet;

/// What is asked where one way comes by a directive that maps or unmaps the object for longer than a region, and the other does not; calls included.
pub fn deciding(graph: &StepGraph) -> Vec<StepCondition> {
    let nodes = || graph.nodes.iter().enumerate();
    let changing: Vec<usize> = nodes()
        .filter(|(_, node)| node.steps.iter().any(changes_presence))
        .map(|(at, _)| at)
        .collect();
    let before = predecessors(graph);
    let leading: Vec<BTreeSet<usize>> = changing.iter().map(|at| leading_to(*at, &before)).collect();
    let of_branches = nodes().flat_map(|(_, node)| {
        let way = |holds: bool| node.succs.iter().find(|edge| edge.holds == Some(holds));
        let is_loop = node.succs.iter().any(|edge| edge.idle);
        let decides = match (way(true), way(false)) {
            (Some(one), Some(other)) => leading
                .iter()
                .any(|from| from.contains(&one.to) != from.contains(&other.to)),
            _ => false,
        };
        node.asks.iter().filter(move |_| decides && !is_loop).cloned()
    });
    let of_calls = nodes()
        .flat_map(|(_, node)| node.steps.iter().flat_map(called))
        .flat_map(deciding);
    of_branches.chain(of_calls).collect()
}

fn called(step: &Step) -> impl Iterator<Item = &StepGraph> {
    let graphs = match &step.action {
        StepAction::Call(graphs) => graphs.as_slice(),
        _ => &[],
    };
    graphs.iter().map(AsRef::as_ref)
}

/// Whether the object may be on the device behind a step and was not before, or the other way round, for longer than a region.
fn changes_presence(step: &Step) -> bool {
    match &step.action {
        StepAction::Map { request, .. } => matches!(request.moment, Moment::EnterData | Moment::ExitData),
        StepAction::Call(_) => {
            called(step).any(|graph| graph.nodes.iter().any(|node| node.steps.iter().any(changes_presence)))
        }
        _ => false,
    }
}

/// The nodes from which control comes to each node.
fn predecessors(graph: &StepGraph) -> Vec<Vec<usize>> {
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); graph.nodes.len()];
    for (at, node) in graph.nodes.iter().enumerate() {
        node.succs.iter().for_each(|edge| before[edge.to].push(at));
    }
    before
}

/// The nodes from which control may come to one, with that.
fn leading_to(to: usize, before: &[Vec<usize>]) -> BTreeSet<usize> {
    let (mut found, mut waiting) = (BTreeSet::from([to]), vec![to]);
    while let Some(at) = waiting.pop() {
        waiting.extend(before[at].iter().copied().filter(|from| found.insert(*from)));
    }
    found
}
