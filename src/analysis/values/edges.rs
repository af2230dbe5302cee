//! The versions of one slot at every node, and what edges of the graph make of them.
//!
//! Most edges carry what their start left there. On few edges something else happens: control leaves a kernel, a thread of
//! the host begins or ends, a `longjmp` is on its way, or a condition was left by a way on which an assignment has surely run:
//!
//! ```c
//! if (c && (n = next()) > 0)      /* into the branch: n is what was stored; past it: unknown */
//!     kernel(v, n);
//! ```
//!
//! Functions have thousands of nodes and of slots, and each slot changes at few nodes. So which edges are of the second
//! sort is found once, and each slot is then solved in passes over a plain array.

use super::slots::{SlotId, Slots};
use super::threads::Threads;
use super::versions::{Change, Kernels, Version};
use crate::program::graph::{FlowGraph, NodeId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// What assignments have surely run where control takes an edge, as [`super::sure`] finds.
type Sure = FxHashMap<(NodeId, NodeId), Vec<(SlotId, Version)>>;

/// What says where versions change.
pub(super) struct Flow<'a> {
    pub graph: &'a FlowGraph,
    pub slots: &'a Slots,
    /// By node.
    pub changes: &'a [Vec<Change>],
    pub sure: &'a Sure,
    pub kernels: &'a dyn Kernels,
    pub threads: &'a Threads,
}

/// An edge, by where it ends.
#[derive(Clone, Copy)]
struct Edge {
    from: NodeId,
    /// Something happens on the way.
    happens: bool,
}

/// The edges of a statement graph, as versions go along them.
pub(super) struct Edges<'a> {
    flow: Flow<'a>,
    /// The nodes in the order in which they are visited, the entry left out.
    order: Vec<NodeId>,
    /// What each kernel stores to.
    stored_in_kernel: FxHashMap<NodeId, FxHashSet<SlotId>>,
    /// The edges that end at each node.
    preds: Vec<Vec<Edge>>,
}

impl<'a> Edges<'a> {
    /// Tells the edges apart.
    pub(super) fn new(flow: Flow<'a>) -> Edges<'a> {
        let (graph, kernels) = (flow.graph, flow.kernels);
        let mut stored_in_kernel: FxHashMap<NodeId, FxHashSet<SlotId>> = FxHashMap::default();
        for n in graph.ids() {
            if let Some(k) = kernels.kernel_of(n) {
                let stored = flow.changes[n.0 as usize].iter().map(|c| c.slot);
                stored_in_kernel.entry(k).or_default().extend(stored);
            }
        }
        let happens = |p: NodeId, n: NodeId| {
            let kernel = kernels.kernel_of(p);
            (kernel.is_some() && kernels.kernel_of(n) != kernel)
                || graph.is_far(p, n)
                || flow.threads.is_special(p, n)
                || flow.sure.contains_key(&(p, n))
        };
        let edge = |from: NodeId, to: NodeId| Edge {
            from,
            happens: happens(from, to),
        };
        let into = |n: NodeId| graph.node(n).preds.iter().map(|&p| edge(p, n)).collect();
        let mut order = graph.reverse_post_order();
        order.retain(|n| *n != FlowGraph::ENTRY);
        Edges {
            order,
            stored_in_kernel,
            preds: graph.ids().map(into).collect(),
            flow,
        }
    }

    /// The versions of a slot on entry to each node; `last`: the version that each node leaves there, where it changes
    /// the slot.
    pub(super) fn solve(&self, slot: SlotId, last: &[Option<Version>]) -> Vec<Version> {
        let mut before = vec![Version::Unreached; self.preds.len()];
        before[FlowGraph::ENTRY.0 as usize] = Version::Entry;
        loop {
            let mut changed = false;
            for &n in &self.order {
                let old = before[n.0 as usize];
                if old == Version::Phi(n) {
                    continue;
                }
                let mut new = Version::Unreached;
                for &edge in &self.preds[n.0 as usize] {
                    let v = self.incoming(&before, last, edge, n, slot);
                    new = match (new, v) {
                        (same, Version::Unreached) => same,
                        (Version::Unreached, v) => v,
                        (same, v) if same == v => same,
                        _ => Version::Phi(n),
                    };
                }
                if new != old {
                    before[n.0 as usize] = new;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        self.drop_trivial(slot, last, &mut before);
        before
    }

    /// Drops φs that merge nothing. An inner loop's header may have become a φ while its back edge still carried an old version. A φ whose operands are
    /// all one version (or itself) is that version (Braun et al. 2013, trivial φs).
    fn drop_trivial(&self, slot: SlotId, last: &[Option<Version>], before: &mut [Version]) {
        let is_phi = |before: &[Version], n: NodeId| before[n.0 as usize] == Version::Phi(n);
        let mut waiting: BTreeSet<NodeId> = self.flow.graph.ids().filter(|n| is_phi(before, *n)).collect();
        while let Some(n) = waiting.pop_first() {
            let Some(only) = self.only_operand(slot, last, before, n) else {
                continue;
            };
            // Where this φ arrives, it has come by nodes at which it arrives.
            let mut work = vec![n];
            while let Some(at) = work.pop() {
                if before[at.0 as usize] != Version::Phi(n) {
                    waiting.extend(is_phi(before, at).then_some(at));
                    continue;
                }
                before[at.0 as usize] = only;
                work.extend(&self.flow.graph.node(at).succs);
            }
        }
    }

    /// The only version that arrives at a φ besides itself.
    fn only_operand(&self, slot: SlotId, last: &[Option<Version>], before: &[Version], n: NodeId) -> Option<Version> {
        let mut only = None;
        for &edge in &self.preds[n.0 as usize] {
            match self.incoming(before, last, edge, n, slot) {
                Version::Unreached => {}
                v if v == Version::Phi(n) => {}
                v if only.is_none() || only == Some(v) => only = Some(v),
                _ => return None,
            }
        }
        only
    }

    /// What arrives at `n` along an edge from a predecessor.
    fn incoming(&self, before: &[Version], last: &[Option<Version>], edge: Edge, n: NodeId, slot: SlotId) -> Version {
        let at = edge.from.0 as usize;
        match before[at] {
            Version::Unreached => Version::Unreached,
            entry => {
                let v = last[at].unwrap_or(entry);
                let other = edge.happens.then(|| self.on_the_way(edge.from, n, slot)).flatten();
                other.unwrap_or(v)
            }
        }
    }

    /// What a slot is worth after an edge on which something happens, where that is not what was there before.
    fn on_the_way(&self, p: NodeId, n: NodeId, slot: SlotId) -> Option<Version> {
        if let Some(k) = self.flow.kernels.kernel_of(p)
            && self.flow.kernels.kernel_of(n) != Some(k)
            && self.stored_in_kernel.get(&k).is_some_and(|set| set.contains(&slot))
        {
            return Some(Version::AfterLaunch(k));
        }
        // A jump is on its way before all of its node has run.
        let changes = || self.flow.changes[p.0 as usize].iter().any(|c| c.slot == slot);
        if self.flow.graph.is_far(p, n) && (self.flow.slots.is_lost(slot) || changes()) {
            return Some(Version::Within(n));
        }
        self.flow.threads.on_edge(p, n, slot).or_else(|| {
            let surely = self.flow.sure.get(&(p, n))?;
            let better = surely.iter().find(|(s, _)| *s == slot)?;
            Some(better.1)
        })
    }
}
