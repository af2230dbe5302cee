//! Which definition of each slot reaches each statement: SSA over the statement graph.
//!
//! **Domain.** For every slot one [`Version`]: the entry value, the value of one store, the unknown value after an event
//! that may have changed it, or "whatever arrives at this merge". The last makes the lattice flat with a φ on top per
//! node:
//!
//! ```text
//!        Phi(node)            one per merge node
//!      /   |    \
//!  Entry  Def(i)  Clobber(i)  AfterLaunch(n)  Within(n)
//!      \   |    /
//!     (unreached)
//! ```
//!
//! A φ stays a φ once made, so the fixpoint is reached after at most one change per slot and node.
//!
//! **After a kernel** every scalar that the kernel stores to is unknown: whether the value comes back depends on
//! data-sharing rules, and no analysis here needs it. [`super::threads`] says the same of threads on the host.
//!
//! Source: OmpMemOpt §4 (location-aware SSA); Cytron et al. 1991 for φ at merges.

use super::changes::ChangeReader;
use super::edges::{Edges, VersionFlow};
use super::evaluated_function::EvaluatedFunction;
use super::exit_facts;
use super::known_calls::KnownCalls;
use super::marks::Marks;
use super::slots::{SlotId, Slots};
use super::threads::Threads;
use super::version::{KernelLookup, SlotChange, Version};
use crate::analysis::points_to::PointsTo;
use crate::program::dominance::Dominance;
use crate::program::graph::{FlowGraph, NodeId};
use crate::program::ir::InstId;
use rustc_hash::{FxHashMap, FxHashSet};

/// Versions of every slot at every node.
#[derive(Clone, Debug)]
pub struct Versions {
    /// By [`SlotId`].
    marks: Vec<Marks>,
    /// The slots that have a φ at a node, in order of their ids.
    phis: FxHashMap<NodeId, Vec<SlotId>>,
    dominance: Dominance,
    /// Changes within each node, in order.
    changes: Vec<Vec<SlotChange>>,
    /// Slots that may have no value on entry to a node, as a `longjmp` has led there.
    lost: FxHashSet<(NodeId, SlotId)>,
}

impl Versions {
    /// Solves for one function.
    pub fn solve(
        of: EvaluatedFunction<'_>,
        slots: &Slots,
        points_to: &PointsTo,
        calls: &KnownCalls,
        kernels: &dyn KernelLookup,
        mut threads: Threads,
    ) -> Versions {
        let graph = of.graph;
        let reader = ChangeReader::new(of, slots, points_to, calls);
        let changes: Vec<Vec<SlotChange>> = graph.ids().map(|n| reader.changes_in(n)).collect();
        threads.store(&changes);
        let sure = exit_facts::find(of.module.function(of.func), graph, of.attachment, &changes);
        let flow = VersionFlow {
            graph,
            slots,
            changes: &changes,
            sure: &sure,
            kernels,
            threads: &threads,
        };
        let dominance = Dominance::of(graph);
        let edges = Edges::new(&flow, &dominance);
        let mut left: Vec<Vec<(NodeId, Version)>> = vec![Vec::new(); slots.len()];
        for n in graph.ids() {
            for change in &changes[n.0 as usize] {
                left[change.slot.0 as usize].push((n, change.version));
            }
        }
        // What one slot is worth never depends on another one here, so each is solved by itself.
        let marks: Vec<Marks> = slots.ids().map(|s| edges.solve(s, &left[s.0 as usize])).collect();
        let mut phis: FxHashMap<NodeId, Vec<SlotId>> = FxHashMap::default();
        for (slot, marks) in slots.ids().zip(&marks) {
            for mark in marks.iter().filter(|m| m.before == Some(Version::Phi(m.node))) {
                phis.entry(mark.node).or_default().push(slot);
            }
        }
        let lost = lost(graph, slots, &changes);
        Versions {
            marks,
            phis,
            dominance,
            changes,
            lost,
        }
    }

    /// Whether a slot may have no value on entry to a node: what the program never reads there, no directive may.
    pub fn is_lost(&self, node: NodeId, slot: SlotId) -> bool {
        self.lost.contains(&(node, slot))
    }

    /// Whether all ways to a node lead by `first`, or they are one.
    pub fn leads_by(&self, first: NodeId, node: NodeId) -> bool {
        self.dominance.dominates(first, node)
    }

    /// Version of `slot` on entry to `node`.
    pub fn before(&self, node: NodeId, slot: SlotId) -> Version {
        self.marks[slot.0 as usize].before(&self.dominance, node)
    }
    /// The slots whose versions merge at a node, in order of their ids.
    pub fn phis_at(&self, node: NodeId) -> &[SlotId] {
        self.phis.get(&node).map_or(&[], Vec::as_slice)
    }
    /// Version of `slot` on leaving `node`.
    pub fn after(&self, node: NodeId, slot: SlotId) -> Version {
        let entry = self.before(node, slot);
        if entry == Version::Unreached {
            return entry;
        }
        let mut changes = self.changes[node.0 as usize].iter().rev();
        changes.find(|c| c.slot == slot).map_or(entry, |c| c.version)
    }
    /// Version of `slot` just before the instruction `inst`, which belongs to `node`.
    pub fn at(&self, node: NodeId, inst: InstId, slot: SlotId) -> Version {
        self.changes[node.0 as usize]
            .iter()
            .rev()
            .find(|c| c.slot == slot && c.inst < inst)
            .map_or_else(|| self.before(node, slot), |c| c.version)
    }
    /// The changes within a node.
    pub fn changes(&self, node: NodeId) -> &[SlotChange] {
        &self.changes[node.0 as usize]
    }
}

/// The slots that may have no value on entry to nodes: from where a jump leads to, until they are surely assigned.
fn lost(graph: &FlowGraph, slots: &Slots, changes: &[Vec<SlotChange>]) -> FxHashSet<(NodeId, SlotId)> {
    let mut lost = FxHashSet::default();
    let landing = |n: &NodeId| graph.node(*n).preds.iter().any(|p| graph.is_far(*p, *n));
    let mut work: Vec<(NodeId, SlotId)> = Vec::new();
    for n in graph.ids().filter(landing) {
        work.extend(slots.ids().filter(|s| slots.is_lost(*s)).map(|s| (n, s)));
    }
    while let Some((n, s)) = work.pop() {
        let assigned = |c: &SlotChange| c.slot == s && matches!(c.version, Version::Def(_) | Version::Call(_));
        if lost.insert((n, s)) && !changes[n.0 as usize].iter().any(assigned) {
            work.extend(graph.node(n).succs.iter().map(|to| (*to, s)));
        }
    }
    lost
}
