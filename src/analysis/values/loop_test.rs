//! The branch that a condition comes down to.
//!
//! ```c
//! for (…; i < n; …)                       // br (i < n), body, end
//! for (…; i < (n < m ? n : m); …)         // br (n < m), …, …;  …;  br (i < …), body, end
//! for (…; i < n ? i < 9 : i < m; …)       // br (i < n), …, …;  …;  br (φ != 0), body, end:   `i < n` decides nothing
//! ```
//!
//! A condition with `?:`, `&&` or `||` has branches of its own, which lead from one part of it to another. What holds in the
//! body is what the branch says that leads there, and only if no other one leads out of the condition.

use super::table::Values;
use crate::program::graph::NodeId;
use crate::program::ir::{BlockId, Op, Operand};
use rustc_hash::FxHashSet;

/// The branch by which control leaves a condition.
#[derive(Clone, Copy, Debug)]
pub struct DecidingBranch<'v> {
    /// What is tested.
    pub cond: &'v Operand,
    /// Where control goes if it holds.
    pub then: BlockId,
    /// Where control goes if it does not hold.
    pub other: BlockId,
    /// The condition has no other branch.
    pub alone: bool,
}

impl<'v> DecidingBranch<'v> {
    /// The branch of the condition at a node; `None` where control leaves the condition by several.
    pub fn at(values: &'v Values<'_>, condition: NodeId) -> Option<DecidingBranch<'v>> {
        let function = values.function();
        let insts = &values.attachment.insts_of[condition.0 as usize];
        let branches = insts.iter().filter_map(|i| match &function.inst(*i).op {
            Op::CondBr { cond, then, other, .. } => Some((cond, *then, *other)),
            _ => None,
        });
        let (mut deciding, mut count) = (None, 0);
        for (cond, then, other) in branches {
            count += 1;
            if leaves(values, condition, then) || leaves(values, condition, other) {
                let is_first = deciding.replace((cond, then, other)).is_none();
                is_first.then_some(())?;
            }
        }
        let (cond, then, other) = deciding?;
        Some(DecidingBranch {
            cond,
            then,
            other,
            alone: count == 1,
        })
    }
}

/// Whether control may go from the start of a block to another node before it comes to the condition (again).
fn leaves(values: &Values<'_>, condition: NodeId, block: BlockId) -> bool {
    let function = values.function();
    let mut seen = FxHashSet::default();
    let mut work = vec![block];
    while let Some(at) = work.pop() {
        if !seen.insert(at) {
            continue;
        }
        let block = function.block(at);
        let mut nodes = (block.first.0..block.end.0).filter_map(|i| values.attachment.node_of[i as usize]);
        match nodes.next() {
            Some(node) if node == condition => {}
            Some(_) => return true,
            None if block.succs.is_empty() => return true,
            None => work.extend(&block.succs),
        }
    }
    false
}
