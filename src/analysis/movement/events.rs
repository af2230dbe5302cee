//! What happens to a family, before it is a problem: its events by node, and the nodes that no residency of it may contain.

use super::placement::ResidencySpan;
use super::problem::NodeEvents;
use crate::analysis::values::table::Base;
use crate::program::graph::{FlowGraph, NodeId};
use crate::reasons::{Ends, Reason};
use rustc_hash::{FxHashMap, FxHashSet};

/// Why a family cannot be handled in a span.
#[derive(Clone, Debug, PartialEq)]
pub struct FamilyRefusal {
    /// Where, as a coarse node.
    pub node: Option<NodeId>,
    /// Why.
    pub reason: Reason,
}

/// Events by coarse node, and the nodes that no residency of the family may contain, with the reason.
#[derive(Default)]
pub struct Events {
    /// Pairs of names taken to be different arrays only because one kernel maps both: to be checked at run time.
    pub apart: Vec<(Base, Base)>,
    /// Events of each node.
    pub events: NodeEvents,
    /// Barriers.
    pub barriers: FxHashMap<NodeId, Reason>,
    /// Nodes at which `longjmp` may leave the function. What it has on the device itself, and what it promises to have there
    /// when it ends, ends before; kernels with maps of their own do not mind.
    pub left: FxHashSet<NodeId>,
    /// Nodes at which the family, or what it may be, may be freed.
    pub freed: FxHashSet<NodeId>,
    /// Nodes at which the family may be read under a name that is none of its own, or in a part that is not known.
    pub others: FxHashSet<NodeId>,
    /// Nodes that control may come to after the residency, if somebody has asked.
    pub(super) later: Option<FxHashSet<NodeId>>,
}

static LEFT: Reason = Reason::Ends(Ends::LeavesByLongjmp);

impl Events {
    /// The first node among those asked for that no residency may contain, and why.
    pub fn barrier(&self, among: impl Fn(NodeId) -> bool) -> Option<(NodeId, &Reason)> {
        let left = self.left.iter().filter(|n| among(**n)).min().map(|n| (*n, &LEFT));
        let barrier = self.barrier_to_kernels(&among);
        left.into_iter().chain(barrier).min_by_key(|(n, _)| *n)
    }

    /// [`Events::barrier`] where nothing but kernels with maps of their own is among the nodes.
    pub fn barrier_to_kernels(&self, among: impl Fn(NodeId) -> bool) -> Option<(NodeId, &Reason)> {
        let barriers = self.barriers.iter().filter(|(n, _)| among(**n));
        barriers.min_by_key(|(n, _)| **n).map(|(n, reason)| (*n, reason))
    }

    /// Whether control may come to a node after the residency has ended.
    pub(super) fn comes_later(&mut self, graph: &FlowGraph, span: &ResidencySpan, node: NodeId) -> bool {
        if !span.exits.is_empty() && !span.exits.iter().any(|exit| graph.may_follow(*exit, node)) {
            return false;
        }
        let later = self.later.get_or_insert_with(|| graph.reached_from(&span.exits));
        later.contains(&node)
    }
}
