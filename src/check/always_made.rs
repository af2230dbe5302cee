//! Accesses that are made whenever their statement runs, although control branches in it.
//!
//! ```c
//! a[i] = wall[i] ? 0 : b[i];        // writes `a[i]`, and perhaps reads `b[i]`
//! ```

use crate::analysis::access::Access;
use crate::analysis::function::FunctionModel;
use crate::program::ir::{Block, BlockId};
use rustc_hash::FxHashSet;

/// The access, as one that is not skipped where it never is.
pub fn unless_skipped(model: &FunctionModel<'_>, access: &Access) -> Access {
    let made = access.partial && !access.perhaps_copy && is_always_made(model, access);
    Access {
        partial: access.partial && !made,
        ..access.clone()
    }
}

/// Whether all ways from where an access's statement begins come by the access before they leave the statement.
fn is_always_made(model: &FunctionModel<'_>, access: &Access) -> bool {
    let function = model.function();
    let insts = &model.attachment.insts_of[access.node.0 as usize];
    let block = |inst| function.inst(inst).block;
    // A block that only leads on is no other statement's.
    let is_own = |at: BlockId| {
        let Block { first, end, .. } = function.blocks[at.0 as usize];
        let mut nodes = (first.0..end.0).filter_map(|inst| model.attachment.node_of[inst as usize]);
        nodes.all(|node| node == access.node)
    };
    let Some(first) = insts.first() else { return false };
    let (mut seen, mut work) = (FxHashSet::default(), vec![block(*first)]);
    while let Some(at) = work.pop() {
        if at == block(access.inst) || !seen.insert(at) {
            continue;
        }
        let next = &function.blocks[at.0 as usize].succs;
        if next.is_empty() || !next.iter().all(|to| is_own(*to)) {
            return false;
        }
        work.extend(next);
    }
    true
}
