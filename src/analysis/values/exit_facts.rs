//! What has surely happened on leaving a statement by one of its ways out.
//!
//! ```c
//! if (!(a = malloc(n)) || !(b = malloc(n))) return 1;     /* past it, b is what the second malloc made          */
//! for (…; t < steps && turn(&x, &y); …) { … }             /* turned in the body, and not where the loop ends    */
//! ```
//!
//! Within a statement with `&&`, `||` or `?:` a store or call may be skipped, so that the slot is unknown where the
//! statement ends. A way out leads to certain instructions; where the store's block dominates the blocks of all of these,
//! it has run: a visit of the statement that skips it would be a way there without it.

use super::slots::SlotId;
use super::version::{SlotChange, Version};
use crate::program::attach::Attachment;
use crate::program::graph::{FlowGraph, NodeId};
use crate::program::ir::{BlockId, Function};
use rustc_hash::{FxHashMap, FxHashSet};

/// Versions that are known better on an edge than at the end of the node that it leaves.
pub type SureEdges = FxHashMap<(NodeId, NodeId), Vec<(SlotId, Version)>>;

/// Finds them for all nodes; `changes` by node.
pub fn find(function: &Function, graph: &FlowGraph, attachment: &Attachment, changes: &[Vec<SlotChange>]) -> SureEdges {
    let mut found = SureEdges::default();
    for node in graph.ids() {
        let changes = &changes[node.0 as usize];
        if changes.iter().all(|c| c.version == c.when_run) {
            continue;
        }
        let insts = &attachment.insts_of[node.0 as usize];
        let Some(first) = insts.first().map(|i| function.inst(*i).block) else {
            continue;
        };
        for &next in &graph.node(node).succs {
            let Some(heads) = blocks_after(function, graph, attachment, next) else {
                continue;
            };
            let sure = |c: &&SlotChange| {
                let block = function.inst(c.inst).block;
                let without = reachable_without(function, block);
                let inside = block == first || !reachable_without(function, first).contains(&block);
                inside && heads.iter().all(|h| !without.contains(h))
            };
            let last = changes
                .iter()
                .enumerate()
                .filter(|(i, c)| changes[i + 1..].iter().all(|later| later.slot != c.slot))
                .map(|(_, c)| c);
            let better = last.filter(|c| c.version != c.when_run).filter(sure);
            let list: Vec<_> = better.map(|c| (c.slot, c.when_run)).collect();
            if !list.is_empty() {
                found.insert((node, next), list);
            }
        }
    }
    found
}

/// The blocks of the first nodes with instructions from `start` on; `None` where the function may end before.
fn blocks_after(
    function: &Function,
    graph: &FlowGraph,
    attachment: &Attachment,
    start: NodeId,
) -> Option<FxHashSet<BlockId>> {
    let mut blocks = FxHashSet::default();
    let mut seen = FxHashSet::default();
    let mut work = vec![start];
    while let Some(node) = work.pop() {
        if !seen.insert(node) {
            continue;
        }
        let insts = &attachment.insts_of[node.0 as usize];
        if insts.is_empty() {
            if node == FlowGraph::EXIT || graph.node(node).succs.is_empty() {
                return None;
            }
            work.extend(&graph.node(node).succs);
        }
        blocks.extend(insts.iter().map(|i| function.inst(*i).block));
    }
    Some(blocks)
}

/// The blocks that the function can get to without running `avoided`.
fn reachable_without(function: &Function, avoided: BlockId) -> FxHashSet<BlockId> {
    let mut seen = FxHashSet::default();
    let mut work = vec![BlockId(0)];
    while let Some(block) = work.pop() {
        if block != avoided && seen.insert(block) {
            work.extend(&function.block(block).succs);
        }
    }
    seen
}
