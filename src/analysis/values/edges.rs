//! The versions of one slot, and what edges of the graph make of them.
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
//! sort is found once, for all slots, and each slot is then solved at its *heads* alone: where what its stores and such edges leave
//! may meet something else, and where such an edge leads. At all other nodes it is worth what it was worth at the last mark that
//! dominates them.

use super::marks::{Mark, Marks};
use super::slots::{SlotId, Slots};
use super::threads::Threads;
use super::version::{KernelLookup, SlotChange, Version};
use crate::program::dominance::Dominance;
use crate::program::graph::{FlowGraph, NodeId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// What assignments have surely run where control takes an edge, as [`super::exit_facts`] finds.
type Sure = FxHashMap<(NodeId, NodeId), Vec<(SlotId, Version)>>;

/// What says where versions change.
pub(super) struct VersionFlow<'a> {
    pub graph: &'a FlowGraph,
    pub slots: &'a Slots,
    /// By node.
    pub changes: &'a [Vec<SlotChange>],
    pub sure: &'a Sure,
    pub kernels: &'a dyn KernelLookup,
    pub threads: &'a Threads,
}

/// What nodes that change a slot leave there.
pub(super) type LeftVersions = [(NodeId, Version)];

/// What a slot is worth after an edge on which something happens to it.
#[derive(Clone, Copy)]
struct OnEdge {
    from: NodeId,
    to: NodeId,
    version: Version,
}

/// What arrives at a head along an edge.
#[derive(Clone, Copy)]
enum VersionSource {
    /// A version, whatever was there before.
    Fixed(Version),
    /// What arrives at another head; whether the edge leads to a node that is visited before the one it comes from.
    Head { at: usize, back: bool },
}

/// The edges of a statement graph, as versions go along them.
pub(super) struct Edges<'a> {
    graph: &'a FlowGraph,
    dominance: &'a Dominance,
    /// By slot.
    on_edges: FxHashMap<SlotId, Vec<OnEdge>>,
}

impl<'a> Edges<'a> {
    /// Finds the edges on which something happens.
    pub(super) fn new(flow: &VersionFlow<'a>, dominance: &'a Dominance) -> Edges<'a> {
        let graph = flow.graph;
        let stored_in_kernel = flow.stored_in_kernels();
        let mut on_edges: FxHashMap<SlotId, Vec<OnEdge>> = FxHashMap::default();
        for from in graph.ids().filter(|n| graph.is_reachable(*n)) {
            for &to in &graph.node(from).succs {
                for (slot, version) in flow.on_edge(from, to, &stored_in_kernel) {
                    on_edges.entry(slot).or_default().push(OnEdge { from, to, version });
                }
            }
        }
        Edges {
            graph,
            dominance,
            on_edges,
        }
    }

    /// The versions of a slot; `left`: what the nodes that change the slot leave there, the last of a node behind others.
    pub(super) fn solve(&self, slot: SlotId, left: &LeftVersions) -> Marks {
        let on_edges = self.on_edges.get(&slot).map_or(&[][..], Vec::as_slice);
        let targets = || on_edges.iter().map(|e| e.to);
        let changed = left.iter().map(|(n, _)| *n).filter(|n| self.graph.is_reachable(*n));
        let mut heads = self.dominance.meetings(changed.chain(targets()));
        heads.extend(targets());
        heads.remove(&FlowGraph::ENTRY);
        let mut heads: Vec<NodeId> = heads.into_iter().collect();
        heads.sort_unstable_by_key(|n| self.dominance.rank(*n));
        let first = std::iter::once(Mark::arrives(FlowGraph::ENTRY, Version::Entry));
        let unknown = heads.iter().map(|n| Mark::arrives(*n, Version::Unreached));
        let stored = left.iter().map(|(n, version)| Mark::leaves(*n, *version));
        let mut marks = Marks::new(self.dominance, first.chain(unknown).chain(stored));
        if heads.is_empty() {
            return marks;
        }
        heads.insert(0, FlowGraph::ENTRY);
        let sources = self.sources(&heads, on_edges, &marks);
        let found = Heads {
            nodes: &heads,
            sources: &sources,
        };
        let before = found.solve();
        marks.arrive(self.dominance, heads.iter().copied().zip(before));
        marks
    }

    /// What arrives at each head, along each edge into it.
    fn sources(&self, heads: &[NodeId], on_edges: &[OnEdge], marks: &Marks) -> Vec<Vec<VersionSource>> {
        let places: FxHashMap<NodeId, usize> = heads.iter().copied().zip(0..).collect();
        let source = |from: NodeId, to: NodeId| {
            let mut on_edge = on_edges.iter().filter(|e| e.from == from && e.to == to);
            if let Some(edge) = on_edge.next() {
                return Some(VersionSource::Fixed(edge.version));
            }
            let mark = marks.last_at(self.dominance, from)?;
            Some(match mark.after {
                Some(version) => VersionSource::Fixed(version),
                None => VersionSource::Head {
                    at: *places.get(&mark.node)?,
                    back: self.dominance.rank(from) >= self.dominance.rank(to),
                },
            })
        };
        let reached = |n: &NodeId| self.graph.is_reachable(*n);
        let into = |to: NodeId| {
            let preds = self.graph.node(to).preds.iter().copied().filter(reached);
            preds.filter_map(|from| source(from, to)).collect()
        };
        heads.iter().map(|n| into(*n)).collect()
    }
}

/// The heads of one slot in the order in which they are visited, the entry first, and what arrives at each.
struct Heads<'a> {
    nodes: &'a [NodeId],
    sources: &'a [Vec<VersionSource>],
}

impl Heads<'_> {
    /// The version on entry to each head.
    fn solve(&self) -> Vec<Version> {
        let mut before = vec![Version::Unreached; self.nodes.len()];
        before[0] = Version::Entry;
        // What arrives along an edge that leads backward is what was found in the pass before.
        let mut earlier = before.clone();
        loop {
            let mut changed = false;
            for (at, &n) in self.nodes.iter().enumerate().skip(1) {
                let old = before[at];
                if old == Version::Phi(n) {
                    continue;
                }
                let mut new = Version::Unreached;
                for &source in &self.sources[at] {
                    let v = match source {
                        VersionSource::Fixed(version) => version,
                        VersionSource::Head { at, back: true } => earlier[at],
                        VersionSource::Head { at, back: false } => before[at],
                    };
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
        self.drop_trivial(&mut before);
        before
    }

    /// Drops φs that merge nothing. An inner loop's header may have become a φ while its back edge still carried an old version. A φ whose operands are
    /// all one version (or itself) is that version (Braun et al. 2013, trivial φs).
    fn drop_trivial(&self, before: &mut [Version]) {
        let heads = self.nodes;
        let mut succs = vec![Vec::new(); heads.len()];
        for (to, sources) in self.sources.iter().enumerate() {
            for source in sources {
                if let VersionSource::Head { at, .. } = source {
                    succs[*at].push(to);
                }
            }
        }
        let is_phi = |before: &[Version], at: usize| before[at] == Version::Phi(heads[at]);
        let all = (0..heads.len()).filter(|at| is_phi(before, *at));
        let mut waiting: BTreeMap<NodeId, usize> = all.map(|at| (heads[at], at)).collect();
        while let Some((n, place)) = waiting.pop_first() {
            let Some(only) = self.only_operand(before, place) else {
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
                work.extend(&succs[at]);
            }
        }
    }

    /// The only version that arrives at a φ besides itself.
    fn only_operand(&self, before: &[Version], place: usize) -> Option<Version> {
        let n = self.nodes[place];
        let mut only = None;
        for source in &self.sources[place] {
            let v = match source {
                VersionSource::Fixed(version) => *version,
                VersionSource::Head { at, .. } => before[*at],
            };
            match v {
                Version::Unreached => {}
                v if v == Version::Phi(n) => {}
                v if only.is_none() || only == Some(v) => only = Some(v),
                _ => return None,
            }
        }
        only
    }
}

impl VersionFlow<'_> {
    /// What each kernel stores to.
    fn stored_in_kernels(&self) -> FxHashMap<NodeId, FxHashSet<SlotId>> {
        let mut stored: FxHashMap<NodeId, FxHashSet<SlotId>> = FxHashMap::default();
        for n in self.graph.ids() {
            if let Some(k) = self.kernels.kernel_of(n) {
                let slots = self.changes[n.0 as usize].iter().map(|c| c.slot);
                stored.entry(k).or_default().extend(slots);
            }
        }
        stored
    }

    /// The slots to which something happens on an edge, with what they are worth after it.
    fn on_edge(
        &self,
        from: NodeId,
        to: NodeId,
        stored_in_kernel: &FxHashMap<NodeId, FxHashSet<SlotId>>,
    ) -> Vec<(SlotId, Version)> {
        let mut found: Vec<(SlotId, Version)> = Vec::new();
        // What is said first counts.
        let mut say = |slot: SlotId, version: Option<Version>| {
            if let Some(version) = version
                && !found.iter().any(|(said, _)| *said == slot)
            {
                found.push((slot, version));
            }
        };
        if let Some(k) = self.kernels.kernel_of(from)
            && self.kernels.kernel_of(to) != Some(k)
        {
            let stored = stored_in_kernel.get(&k).into_iter().flatten();
            stored.for_each(|slot| say(*slot, Some(Version::AfterLaunch(k))));
        }
        if self.graph.is_far(from, to) {
            // A jump is on its way before all of its node has run.
            let changed = self.changes[from.0 as usize].iter().map(|c| c.slot);
            let lost = self.slots.ids().filter(|s| self.slots.is_lost(*s));
            lost.chain(changed)
                .for_each(|slot| say(slot, Some(Version::Within(to))));
        }
        let stored = self.threads.stored_beside(from, to);
        stored.for_each(|slot| say(slot, self.threads.on_edge(from, to, slot)));
        let surely = self.sure.get(&(from, to)).into_iter().flatten();
        surely.for_each(|(slot, better)| say(*slot, Some(*better)));
        found
    }
}
