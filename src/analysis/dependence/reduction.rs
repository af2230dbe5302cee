//! Reductions: scalars that an iteration only combines something into.
//!
//! ```c
//! s += x[i] * y[i];        /* load s, add, store s: nobody else sees the value between, and nothing else reads s   */
//! ```
//!
//! Every access of the variable in the loop has to belong to an update, all with one operator, and every value on the way
//! from the load to the store must be used there only (`b[i] = s += a[i]` is a prefix sum). Iterations may then be combined
//! in any order where the operator allows it: for integers always (modulo two to the variable's width), in floating point up
//! to rounding, which is why [`Reduction::exact`] says so. No value on the way may be narrower than the variable:
//! `s = (uint16_t)(s + x[i])` cuts off the sum of each iteration, while a sum of partial sums is as wide as `s`.
//!
//! Source: Allen and Kennedy, section 6.5; OpenMP 5.2, section 5.5.5 (operators and initial values).

use super::extreme::extreme;
use super::frame::Frame;
use super::same::ReductionUpdate;
use super::verdict::{Reduction, ReductionOp};
use crate::program::ir::{BinOp, Cast, InstId, Op, Operand, SourceType, Type, VarId};

/// The reduction that all accesses of a scalar in the loop make up.
pub(super) fn reduction(frame: &Frame<'_, '_>, var: VarId, home: InstId, inside: &[InstId]) -> Option<Reduction> {
    let function = frame.model().function();
    let float = match function.variables[var.0 as usize].source_type {
        SourceType::Int { .. } => false,
        SourceType::Float { .. } => true,
        _ => return None,
    };
    let stores = inside
        .iter()
        .copied()
        .filter(|u| matches!(function.inst(*u).op, Op::Store { .. }));
    let mut accounted: Vec<InstId> = Vec::new();
    let mut op = None;
    for store in stores {
        let update = arithmetic(frame, home, store, float).or_else(|| extreme(frame, var, home, store))?;
        if op.is_some_and(|o| o != update.op) {
            return None;
        }
        op = Some(update.op);
        accounted.push(update.store);
        accounted.extend(update.loads);
    }
    accounted.sort_unstable();
    let mut all = inside.to_vec();
    all.sort_unstable();
    // A load that two updates share would be there twice.
    (accounted == all).then_some(Reduction {
        var,
        op: op?,
        exact: !float,
    })
}

/// `s = s + e` and its like.
fn arithmetic(frame: &Frame<'_, '_>, home: InstId, store: InstId, float: bool) -> Option<ReductionUpdate> {
    let Op::Store { value, .. } = &frame.model().function().inst(store).op else {
        return None;
    };
    let mut op = None;
    let bits = match frame.model().function().inst(home).op {
        Op::Alloca {
            ty: Type::Int(bits) | Type::Float(bits),
            ..
        } => bits,
        _ => return None,
    };
    let load = down(frame, home, value, float, bits, &mut op)?;
    Some(ReductionUpdate {
        op: op?,
        loads: vec![load],
        store,
    })
}

/// Follows the value that is stored down to the one load of the variable, which has `bits`.
fn down(
    frame: &Frame<'_, '_>,
    home: InstId,
    value: &Operand,
    float: bool,
    bits: u32,
    op: &mut Option<ReductionOp>,
) -> Option<InstId> {
    let function = frame.model().function();
    let Operand::Inst(id) = value else { return None };
    let narrower = match function.inst(*id).ty {
        Type::Int(own) | Type::Float(own) => own < bits,
        _ => true,
    };
    if frame.shared.users[id.0 as usize].len() != 1 || narrower {
        return None;
    }
    match &function.inst(*id).op {
        Op::Load { ptr, volatile: false } if *ptr == Operand::Inst(home) => Some(*id),
        Op::Cast {
            kind: Cast::SExt | Cast::ZExt | Cast::Trunc,
            value,
            ..
        } if !float => down(frame, home, value, float, bits, op),
        Op::Cast {
            kind: Cast::Float,
            value,
            from,
        } if float => {
            // From one floating-point type to another, not from an integer.
            matches!(from, Type::Float(_)).then(|| down(frame, home, value, float, bits, op))?
        }
        Op::Binary { op: by, lhs, rhs, .. } => {
            let found = match (by, float) {
                (BinOp::Add | BinOp::Sub, false) | (BinOp::FAdd | BinOp::FSub, true) => ReductionOp::Add,
                (BinOp::Mul, false) | (BinOp::FMul, true) => ReductionOp::Multiply,
                (BinOp::And, false) => ReductionOp::And,
                (BinOp::Or, false) => ReductionOp::Or,
                (BinOp::Xor, false) => ReductionOp::Xor,
                _ => return None,
            };
            if op.is_some_and(|o| o != found) {
                return None;
            }
            *op = Some(found);
            // What is subtracted from is summed up; what is subtracted would change sign each time.
            let right_too = !matches!(by, BinOp::Sub | BinOp::FSub);
            let left = down(frame, home, lhs, float, bits, op);
            left.or_else(|| right_too.then(|| down(frame, home, rhs, float, bits, op))?)
        }
        _ => None,
    }
}
