//! What holds in a loop's body of a condition that is made of `&&`.
//!
//! ```c
//! for (i = 0; i < n && i < 10 && !found; i++) … v[i] …        /* i < n, and i < 10, and found was 0          */
//! ```
//!
//! Each part bounds the counter for itself. None of them says that all these values occur, nor that the loop runs where the
//! bounds are in order: the counter has *limits* then, and no range.

use crate::program::ir::{BlockId, Function, InstId, Op, Operand};

/// What is true wherever a condition is, whose instructions these are; without `&&` it is the condition itself.
pub(super) fn conjuncts<'f>(function: &'f Function, insts: &[InstId], cond: &'f Operand) -> Vec<&'f Operand> {
    let Operand::Inst(id) = cond else { return vec![cond] };
    let Op::Phi { incoming } = &function.inst(*id).op else {
        return vec![cond];
    };
    // False from all blocks but the one that computes the last part.
    let mut values = incoming.iter().filter(|(_, v)| *v != Operand::Int(0));
    let (Some((last, value)), None) = (values.next(), values.next()) else {
        return Vec::new();
    };
    let merge = function.inst(*id).block;
    let mut found = vec![value];
    let mut at = *last;
    // The block is run only if the part before was true, and so on.
    while let Some((block, before)) = only_from(function, insts, at, merge) {
        found.push(before);
        at = block;
        if found.len() > insts.len() {
            break;
        }
    }
    found
}

/// The one block that leads to another, and the condition under which it does so rather than to `merge`.
fn only_from<'f>(
    function: &'f Function,
    insts: &[InstId],
    to: BlockId,
    merge: BlockId,
) -> Option<(BlockId, &'f Operand)> {
    let mut leading = function
        .blocks
        .iter()
        .zip(0..)
        .filter(|(b, _)| b.succs.contains(&to))
        .map(|(_, n)| BlockId(n));
    let (Some(block), None) = (leading.next(), leading.next()) else {
        return None;
    };
    insts.iter().find_map(|i| match &function.inst(*i).op {
        Op::CondBr { cond, then, other, .. } if function.inst(*i).block == block && (*then, *other) == (to, merge) => {
            Some((block, cond))
        }
        _ => None,
    })
}
