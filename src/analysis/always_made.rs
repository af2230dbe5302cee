//! Instructions that run whenever their statement does, although control branches in it.
//!
//! ```c
//! a[i] = wall[i] ? 0 : b[i];        // writes `a[i]`, and perhaps reads `b[i]`
//! ```

use super::function::FunctionModel;
use crate::program::graph::NodeId;
use crate::program::ir::{Block, BlockId, Function, InstId};
use rustc_hash::FxHashSet;

/// Whether all ways from where a node's statement begins come by one of its instructions before they leave the statement.
pub fn is_always_made(model: &FunctionModel<'_>, node: NodeId, inst: InstId) -> bool {
    let function = model.function();
    let insts = &model.attachment.insts_of[node.0 as usize];
    let block = |inst: InstId| function.inst(inst).block;
    // A block that only leads on is no other statement's.
    let is_own = |at: BlockId| {
        let Block { first, end, .. } = function.blocks[at.0 as usize];
        let mut nodes = (first.0..end.0).filter_map(|inst| model.attachment.node_of[inst as usize]);
        nodes.all(|of| of == node)
    };
    let Some(first) = insts.first() else { return false };
    is_passed(function, block(*first), block(inst), &is_own)
}

/// Whether all ways from a block on come by another one before they leave a statement, whose `own` blocks are known.
pub fn is_passed(function: &Function, from: BlockId, by: BlockId, own: &dyn Fn(BlockId) -> bool) -> bool {
    let (mut seen, mut work) = (FxHashSet::default(), vec![from]);
    while let Some(at) = work.pop() {
        if at == by || !seen.insert(at) {
            continue;
        }
        let next = &function.blocks[at.0 as usize].succs;
        if next.is_empty() || !next.iter().all(|to| own(*to)) {
            return false;
        }
        work.extend(next);
    }
    true
}
