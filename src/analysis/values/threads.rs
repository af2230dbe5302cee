//! What the directives of the host do to the worth of variables.
//!
//! ```c
//! int n = 8, m = 0, i;
//! #pragma omp parallel for private(n) firstprivate(m)
//! for (i = 0; i < 64; i++) { n = 3; a[m] = n; m++; }
//! ```
//!
//! The IR says that `n` is 3 after this and that `m` counts the iterations. In fact `n` is 8, and each thread has an `m` that
//! counts its own. Clauses, defaults and critical sections all make such differences, so they are not told apart: a variable
//! that a region stores to, be it a copy or shared, has on entry, in each iteration of the loops that threads share, and after
//! the region, a value of which nothing is known. What the statements between these places say stays true: one iteration is
//! run by one thread, from its start to its end. The loops' own counters are what they are in the IR, and what a region only
//! reads has one value for all threads.

use super::slots::SlotId;
use super::version::{SlotChange, Version};
use crate::program::graph::{FlowGraph, NodeId, NodeKind, Place};
use crate::program::host_directives::{HostDirectives, HostRegion};
use crate::syntax::{ScopeTree, StmtId, StmtKind};
use rustc_hash::FxHashMap;

/// The regions of a function on its statement graph.
#[derive(Default)]
pub struct Threads {
    regions: Vec<ThreadRegion>,
    /// The regions that a node is in, outer ones first.
    of_node: Vec<Vec<usize>>,
    /// The regions whose iterations begin on an edge.
    iterations: FxHashMap<(NodeId, NodeId), Vec<usize>>,
}

struct ThreadRegion {
    /// The region's first node.
    name: NodeId,
    /// The steps of the loops that threads share.
    steps: Vec<NodeId>,
    /// What it stores to, sorted.
    stored: Vec<SlotId>,
    /// The counters of these loops.
    counters: Vec<SlotId>,
}

impl Threads {
    /// Finds the nodes of all regions.
    pub fn new(tree: &ScopeTree, graph: &FlowGraph, host: &HostDirectives) -> Threads {
        let mut threads = Threads {
            of_node: vec![Vec::new(); graph.nodes.len()],
            ..Threads::default()
        };
        for region in &host.regions {
            let nodes = graph.ids().filter(|n| is_inside(tree, graph, *n, region.stmt));
            let nodes: Vec<NodeId> = nodes.collect();
            let enters = |n: &NodeId| graph.node(*n).preds.iter().any(|p| !nodes.contains(p));
            let Some(name) = nodes.iter().copied().find(enters).or(nodes.first().copied()) else {
                continue;
            };
            let at = threads.regions.len();
            let mut steps = Vec::new();
            for shared in shared_loops(tree, region) {
                steps.extend(graph.step_of(shared));
                let Some(header) = graph.cond_of(shared) else { continue };
                let next = graph.node(header).succs.iter();
                let begins = next.filter(|n| is_inside(tree, graph, **n, shared) && **n != header);
                for n in begins {
                    threads.iterations.entry((header, *n)).or_default().push(at);
                }
            }
            nodes.iter().for_each(|n| threads.of_node[n.0 as usize].push(at));
            threads.regions.push(ThreadRegion {
                name,
                steps,
                stored: Vec::new(),
                counters: Vec::new(),
            });
        }
        threads
    }

    /// Notes what the regions store to; `changes` by node.
    pub(super) fn store(&mut self, changes: &[Vec<SlotChange>]) {
        for (node, regions) in self.of_node.iter().enumerate() {
            let slots = changes[node].iter().map(|c| c.slot);
            for &r in regions {
                self.regions[r].stored.extend(slots.clone());
            }
        }
        for region in &mut self.regions {
            region.stored.sort_unstable();
            region.stored.dedup();
            let steps = region.steps.iter().flat_map(|s| &changes[s.0 as usize]);
            let own = steps.filter(|c| matches!(c.when_run, Version::Def(_)));
            region.counters = own.map(|c| c.slot).collect();
        }
    }

    /// What regions store to that begin or end on an edge, or of which an iteration begins there, and maybe more.
    pub(super) fn stored_beside(&self, from: NodeId, to: NodeId) -> impl Iterator<Item = SlotId> {
        let (here, there) = (&self.of_node[from.0 as usize], &self.of_node[to.0 as usize]);
        let iterations = self.iterations.get(&(from, to)).into_iter().flatten();
        let beside = (here != there).then(|| here.iter().chain(there)).into_iter().flatten();
        beside.chain(iterations).flat_map(|r| &self.regions[*r].stored).copied()
    }

    /// The version of a slot that arrives at `to` from `from`, where a region begins or ends between them, or an iteration
    /// begins; nothing where the slot is worth what the instructions say.
    pub(super) fn on_edge(&self, from: NodeId, to: NodeId, slot: SlotId) -> Option<Version> {
        let (here, there) = (&self.of_node[from.0 as usize], &self.of_node[to.0 as usize]);
        let stores = |r: &&usize| self.regions[**r].stored.binary_search(&slot).is_ok();
        let left = here.iter().filter(|r| !there.contains(r)).find(stores);
        let entered = there.iter().filter(|r| !here.contains(r)).find(stores);
        let iterations = self.iterations.get(&(from, to)).into_iter().flatten();
        let begun = iterations
            .filter(|r| !self.regions[**r].counters.contains(&slot))
            .find(stores);
        match (entered.or(begun), left) {
            (Some(_), _) => Some(Version::Within(to)),
            (None, Some(r)) => Some(Version::AfterLaunch(self.regions[*r].name)),
            (None, None) => None,
        }
    }
}

/// Whether a node is part of a statement, the gaps beside it apart.
fn is_inside(tree: &ScopeTree, graph: &FlowGraph, node: NodeId, stmt: StmtId) -> bool {
    let kind = graph.node(node).kind;
    let beside = matches!(kind, NodeKind::Gap(Place::Before(s) | Place::After(s)) | NodeKind::Clauses(s) if s == stmt);
    !beside && graph.stmt_of(node).is_some_and(|s| tree.encloses(stmt, s))
}

/// The loops whose iterations threads share. Where it is not known how many, all that are in there.
fn shared_loops(tree: &ScopeTree, region: &HostRegion) -> Vec<StmtId> {
    let mut found = Vec::new();
    let mut work = vec![(region.stmt, region.loops)];
    while let Some((stmt, left)) = work.pop() {
        if left == 0 {
            continue;
        }
        let is_loop = tree.stmt(stmt).kind.is_loop();
        found.extend(is_loop.then_some(stmt));
        let left = if is_loop && left != usize::MAX { left - 1 } else { left };
        // Between the loops of a nest there is nothing but blocks.
        if is_loop || left == usize::MAX || tree.stmt(stmt).kind == StmtKind::Block {
            work.extend(tree.stmt(stmt).children.iter().map(|s| (*s, left)));
        }
    }
    found
}
