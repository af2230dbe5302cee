//! Whether one value is evaluated twice: read in the same way, with nothing written between.

use super::body::insts_of;
use super::frame::Frame;
use super::verdict::ReductionOp;
use crate::program::ir::{BlockId, Cast, InstId, Op, Operand};

/// The branch that is the only way into a block, and whether the block is where it goes when true.
pub(super) fn way_in(frame: &Frame<'_, '_>, block: BlockId) -> Option<(BlockId, bool)> {
    let function = frame.model().function();
    let [from] = frame.shared.preds[block.0 as usize].as_slice() else {
        return None;
    };
    let last = InstId(function.block(*from).end.0 - 1);
    match &function.inst(last).op {
        Op::CondBr { then, other, .. } if then != other && frame.body.contains(*from) => Some((*from, *then == block)),
        _ => None,
    }
}

/// Whether two operands are read in the same way.
pub(super) fn same_value(frame: &Frame<'_, '_>, a: &Operand, b: &Operand, depth: u32) -> bool {
    if a == b {
        return true;
    }
    let (Operand::Inst(x), Operand::Inst(y)) = (a, b) else {
        return false;
    };
    if depth > 16 {
        return false;
    }
    let function = frame.model().function();
    let same = |a: &Operand, b: &Operand| same_value(frame, a, b, depth + 1);
    let (x, y) = (function.inst(*x), function.inst(*y));
    // The comparison may be of the widened value where the value itself is stored.
    if x.ty != y.ty {
        return match &x.op {
            Op::Cast {
                kind: Cast::SExt | Cast::ZExt,
                value,
                ..
            } => same(value, b),
            _ => false,
        };
    }
    match (&x.op, &y.op) {
        (
            Op::Load {
                ptr: p,
                volatile: false,
            },
            Op::Load {
                ptr: q,
                volatile: false,
            },
        ) => same(p, q),
        (
            Op::Gep {
                base,
                source_ty,
                indices,
            },
            Op::Gep {
                base: base2,
                source_ty: ty2,
                indices: indices2,
            },
        ) => {
            same(base, base2)
                && source_ty == ty2
                && indices.len() == indices2.len()
                && indices.iter().zip(indices2).all(|(i, j)| same(i, j))
        }
        (
            Op::Cast { kind, value, from },
            Op::Cast {
                kind: kind2,
                value: value2,
                from: from2,
            },
        ) => kind == kind2 && from == from2 && same(value, value2),
        (
            Op::Binary { op, lhs, rhs, .. },
            Op::Binary {
                op: op2,
                lhs: lhs2,
                rhs: rhs2,
                ..
            },
        ) => op == op2 && same(lhs, lhs2) && same(rhs, rhs2),
        _ => false,
    }
}

/// Whether nothing is written between the comparison at the end of one block and the store in another, and nothing in the
/// first block at all.
pub(super) fn quiet(frame: &Frame<'_, '_>, from: BlockId, to: BlockId, store: InstId) -> bool {
    let function = frame.model().function();
    let writes = |i: &InstId| {
        matches!(
            function.inst(*i).op,
            Op::Store { .. } | Op::Atomic { .. } | Op::Call { .. }
        )
    };
    let before = insts_of(function, to).take_while(|i| *i != store);
    !before.chain(insts_of(function, from)).any(|i| writes(&i))
}

/// An update: what it combines with, the loads it reads the variable by, the store.
pub(super) struct ReductionUpdate {
    pub op: ReductionOp,
    pub loads: Vec<InstId>,
    pub store: InstId,
}
