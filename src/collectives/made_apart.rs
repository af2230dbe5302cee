//! Communicators that are one of two which two calls have made.
//!
//! ```c
//! if (rank == 0) MPI_Comm_dup(all, &c);        /* two calls that meet: `c` is one communicator for all     */
//! else           MPI_Comm_dup(all, &c);
//! MPI_Comm_dup(all, &a); MPI_Comm_dup(all, &b);
//! c = rank == 0 ? a : b;                       /* each process has both: `c` is not the same for all       */
//! ```

use super::graph::{CollectiveGraph, GraphNodeKind};
use super::mismatches::from_on;
use crate::multivalued::{CauseId, CollectiveEvent, HeldValue, Key, KeyId, Keys};
use crate::program::objects::Site;

/// The two calls that a communicator may have been made by, by a condition.
pub fn two_makers(keys: &Keys, communicator: KeyId) -> Option<[Site; 2]> {
    let Key::Choice { then, other, .. } = keys.get(communicator) else {
        return None;
    };
    match (keys.get(*then), keys.get(*other)) {
        (Key::SameMembers(one, of), Key::SameMembers(another, as_well)) if of == as_well => Some([*one, *another]),
        _ => None,
    }
}

/// Collectives of a graph on a communicator of which there are two, each process having both, with why it differs which one it is.
pub fn chosen_of_two<'g>(graph: &'g CollectiveGraph, keys: &Keys) -> Vec<(&'g CollectiveEvent, CauseId)> {
    let chosen = { graph.nodes.iter() }.filter_map(|node| {
        let GraphNodeKind::Collective(event) = &node.kind else {
            return None;
        };
        let HeldValue { key, differs } = event.communicator?;
        let (cause, makers) = (differs?, two_makers(keys, key)?);
        follow_each_other(graph, makers).then_some((event, cause))
    });
    chosen.collect()
}

/// Whether control comes from one of two calls to the other, or they are made elsewhere.
fn follow_each_other(graph: &CollectiveGraph, calls: [Site; 2]) -> bool {
    let [one, another] = calls.map(|site| {
        let is_call = |at: &usize| matches!(&graph.nodes[*at].kind, GraphNodeKind::Collective(e) if e.site == site);
        (0..graph.nodes.len()).filter(is_call).collect::<Vec<usize>>()
    });
    let comes = |from: &[usize], to: &[usize]| {
        let mut reached = from.iter().map(|at| from_on(graph, *at));
        reached.any(|reached| to.iter().any(|at| reached[*at]))
    };
    one.is_empty() || another.is_empty() || comes(&one, &another) || comes(&another, &one)
}
