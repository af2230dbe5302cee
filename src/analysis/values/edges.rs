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
//! sort is found once, and each slot is then solved in passes over the nodes at which something can happen to it on the way
//! ([`super::chains`]).

use super::chains::Chains;
use super::slots::{SlotId, Slots};
use super::threads::Threads;
use super::version::{Change, Kernels, Version};
use crate::program::graph::{FlowGraph, NodeId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

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

impl Flow<'_> {
    /// Whether something may happen to a slot on the way from a node to the next.
    pub(super) fn happens(&self, from: NodeId, to: NodeId) -> bool {
        let kernel = self.kernels.kernel_of(from);
        (kernel.is_some() && self.kernels.kernel_of(to) != kernel)
            || self.graph.is_far(from, to)
            || self.threads.is_special(from, to)
            || self.sure.contains_key(&(from, to))
    }
}

/// What a node leaves in a slot that it changes, in the order of [`Chains::sort`].
pub(super) type Left = [(NodeId, Version)];

/// An edge into a head, by where it begins.
#[derive(Clone, Copy)]
struct Edge {
    from: NodeId,
    /// The head that its beginning hangs off.
    head: usize,
    /// Something happens on the way.
    happens: bool,
    /// It leads to a node that is visited before the one it comes from.
    back: bool,
}

/// The edges of a statement graph, as versions go along them.
pub(super) struct Edges<'a> {
    flow: Flow<'a>,
    chains: &'a Chains,
    /// What each kernel stores to.
    stored_in_kernel: FxHashMap<NodeId, FxHashSet<SlotId>>,
    /// The edges into each head.
    preds: Vec<Vec<Edge>>,
    /// The edges from each head, and from what hangs off it, to other heads.
    succs: Vec<Vec<(NodeId, usize)>>,
}

impl<'a> Edges<'a> {
    /// Tells the edges apart.
    pub(super) fn new(flow: Flow<'a>, chains: &'a Chains) -> Edges<'a> {
        let (graph, kernels) = (flow.graph, flow.kernels);
        let mut stored_in_kernel: FxHashMap<NodeId, FxHashSet<SlotId>> = FxHashMap::default();
        for n in graph.ids() {
            if let Some(k) = kernels.kernel_of(n) {
                let stored = flow.changes[n.0 as usize].iter().map(|c| c.slot);
                stored_in_kernel.entry(k).or_default().extend(stored);
            }
        }
        let mut rank = vec![0; graph.nodes.len()];
        for (place, n) in graph.reverse_post_order().into_iter().enumerate() {
            rank[n.0 as usize] = place;
        }
        let edge = |from: NodeId, to: NodeId| {
            Some(Edge {
                from,
                head: chains.head_of(from)?,
                happens: flow.happens(from, to),
                back: rank[from.0 as usize] >= rank[to.0 as usize],
            })
        };
        let into = |n: NodeId| graph.node(n).preds.iter().filter_map(|&p| edge(p, n)).collect();
        let preds: Vec<Vec<Edge>> = chains.heads.iter().map(|n| into(*n)).collect();
        let mut succs = vec![Vec::new(); chains.heads.len()];
        for (to, preds) in preds.iter().enumerate() {
            preds.iter().for_each(|edge| succs[edge.head].push((edge.from, to)));
        }
        Edges {
            stored_in_kernel,
            preds,
            succs,
            chains,
            flow,
        }
    }

    /// The versions of a slot on entry to each head; `left`: what the nodes that change the slot leave there.
    pub(super) fn solve(&self, slot: SlotId, left: &Left) -> Vec<Version> {
        let heads = &self.chains.heads;
        let mut before = vec![Version::Unreached; heads.len()];
        before[0] = Version::Entry;
        // What arrives along an edge that leads backward is what was found in the pass before.
        let mut earlier = before.clone();
        loop {
            let mut changed = false;
            for (at, &n) in heads.iter().enumerate().skip(1) {
                let old = before[at];
                if old == Version::Phi(n) {
                    continue;
                }
                let mut new = Version::Unreached;
                for &edge in &self.preds[at] {
                    let known = if edge.back { &earlier } else { &before };
                    let v = self.incoming(known[edge.head], left, (edge, n), slot);
                    new = match (new, v) {
                        (same, Version::Unreached) => same,
                        (Version::Unreached, v) => v,
                        (same, v) if same == v => same,
                        _ => Version::Phi(n),
                    };
                }
                if new != old {
                    before[at] = new;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
            earlier.clone_from(&before);
        }
        self.drop_trivial(slot, left, &mut before);
        before
    }

    /// Drops φs that merge nothing. An inner loop's header may have become a φ while its back edge still carried an old version. A φ whose operands are
    /// all one version (or itself) is that version (Braun et al. 2013, trivial φs).
    fn drop_trivial(&self, slot: SlotId, left: &Left, before: &mut [Version]) {
        let heads = &self.chains.heads;
        let is_phi = |before: &[Version], at: usize| before[at] == Version::Phi(heads[at]);
        let all = (0..heads.len()).filter(|at| is_phi(before, *at));
        let mut waiting: BTreeMap<NodeId, usize> = all.map(|at| (heads[at], at)).collect();
        while let Some((n, place)) = waiting.pop_first() {
            let Some(only) = self.only_operand(slot, left, before, place) else {
                continue;
            };
            // Where this φ arrives, it has come by nodes at which it arrives.
            let mut work = vec![place];
            while let Some(at) = work.pop() {
                if before[at] != Version::Phi(n) {
                    waiting.extend(is_phi(before, at).then_some((heads[at], at)));
                    continue;
                }
                before[at] = only;
                let arrives = |from: &NodeId| self.chains.last_above(left, *from).is_none();
                work.extend(
                    self.succs[at]
                        .iter()
                        .filter(|(from, _)| arrives(from))
                        .map(|(_, to)| *to),
                );
            }
        }
    }

    /// The only version that arrives at a φ besides itself.
    fn only_operand(&self, slot: SlotId, left: &Left, before: &[Version], place: usize) -> Option<Version> {
        let n = self.chains.heads[place];
        let mut only = None;
        for &edge in &self.preds[place] {
            match self.incoming(before[edge.head], left, (edge, n), slot) {
                Version::Unreached => {}
                v if v == Version::Phi(n) => {}
                v if only.is_none() || only == Some(v) => only = Some(v),
                _ => return None,
            }
        }
        only
    }

    /// What arrives at a head along an edge, where `entry` arrives at the head that the edge's beginning hangs off.
    fn incoming(&self, entry: Version, left: &Left, (edge, n): (Edge, NodeId), slot: SlotId) -> Version {
        if entry == Version::Unreached {
            return entry;
        }
        let other = edge.happens.then(|| self.on_the_way(edge.from, n, slot)).flatten();
        other.unwrap_or_else(|| self.chains.last_at(left, edge.from).copied().unwrap_or(entry))
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
