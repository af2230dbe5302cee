//! The parts of a `for` header: what steps the index, and what it is compared with.

use super::number::{OperandFacts, OperandReader};
use crate::analysis::function::FunctionModel;
use crate::analysis::values::loop_test::DecidingBranch;
use crate::analysis::values::slots::{SlotId, SlotKind};
use crate::program::graph::NodeId;
use crate::program::ir::{BinOp, Cast, InstId, IntComparison, Op, Operand, Pred, SourceType, Type, VarId};
use crate::symbolic::Facts;

/// Whether an instruction does more than compute.
pub(super) fn matters(op: &Op) -> bool {
    match op {
        Op::Store { .. } | Op::Atomic { .. } | Op::Call { .. } => true,
        Op::Load { volatile, .. } => *volatile,
        Op::Other { touches_memory, .. } => *touches_memory,
        _ => false,
    }
}

/// The local variable that the only store of a step changes, and the value stored.
pub(super) fn index(model: &FunctionModel<'_>, step: &[InstId]) -> Option<(SlotId, VarId, Operand)> {
    let function = model.function();
    let mut stores = step.iter().filter(|id| matters(&function.inst(**id).op));
    let only = stores.next().filter(|_| stores.next().is_none())?;
    let Op::Store {
        ptr,
        value,
        volatile: false,
        ty: Type::Int(_),
    } = &function.inst(*only).op
    else {
        return None;
    };
    let slot = model.values.slots.at(ptr, function)?;
    let SlotKind::Local(var) = model.values.slots.get(slot).kind else {
        return None;
    };
    Some((slot, var, value.clone()))
}

/// The constant that a step adds: `i + c`, `c + i`, `i - c`.
pub(super) fn amount(numbers: &OperandReader<'_>, slot: SlotId, value: &Operand) -> Option<i128> {
    let model = numbers.model;
    let function = model.function();
    let Operand::Inst(id) = value else { return None };
    let Op::Binary {
        op: op @ (BinOp::Add | BinOp::Sub),
        lhs,
        rhs,
        ..
    } = &function.inst(*id).op
    else {
        return None;
    };
    let constant = |operand: &Operand| match operand {
        Operand::Int(v) => Some(*v),
        _ => numbers
            .number(
                operand,
                &OperandFacts {
                    facts: &Facts::new(),
                    fixed: &|_| false,
                },
            )?
            .poly
            .as_constant(),
    };
    let by = match (is_index(model, lhs, slot), is_index(model, rhs, slot), op) {
        (true, false, BinOp::Add) => constant(rhs)?,
        (false, true, BinOp::Add) => constant(lhs)?,
        (true, false, BinOp::Sub) => constant(rhs)?.checked_neg()?,
        _ => return None,
    };
    (by != 0 && by.abs() <= 1 << 20).then_some(by)
}

/// Whether an operand is the index, perhaps widened.
fn is_index(model: &FunctionModel<'_>, operand: &Operand, slot: SlotId) -> bool {
    let function = model.function();
    let Operand::Inst(id) = operand else { return false };
    matches!(&function.inst(*id).op, Op::Load { ptr, volatile: false } if model.values.slots.at(ptr, function) == Some(slot))
}

pub(super) struct HeaderTest<'o> {
    /// With the index on the left.
    pub pred: Pred,
    pub end: &'o Operand,
    /// The comparison is one of unsigned numbers.
    pub unsigned: bool,
    /// The comparison's width.
    pub bits: u32,
}

/// The comparison that a test consists of.
pub(super) fn comparison<'o>(model: &'o FunctionModel<'_>, test: NodeId, slot: SlotId) -> Option<HeaderTest<'o>> {
    let function = model.function();
    // Other branches belong to the bound (`n < m ? n : m`).
    let Operand::Inst(cmp) = DecidingBranch::at(model.values, test)?.cond else {
        return None;
    };
    let IntComparison { pred, lhs, rhs, signed } = function.int_comparison(*cmp)?;
    // The index may be widened: as what it is for a signed one, with zeros for an unsigned one.
    let index = |operand: &Operand| -> bool {
        if is_index(model, operand, slot) {
            return true;
        }
        let Operand::Inst(id) = operand else { return false };
        match &function.inst(*id).op {
            Op::Cast {
                kind: Cast::SExt | Cast::ZExt,
                value,
                ..
            } => is_index(model, value, slot),
            _ => false,
        }
    };
    let (pred, itself, end) = match (index(lhs), index(rhs)) {
        (true, false) => (pred, lhs, rhs),
        (false, true) => (pred.flipped(), rhs, lhs),
        _ => return None,
    };
    let bits = match itself {
        Operand::Inst(id) => match function.inst(*id).ty {
            Type::Int(bits) => bits,
            _ => return None,
        },
        _ => return None,
    };
    let widened = !is_index(model, itself, slot);
    let index_signed = match model.values.slots.get(slot).kind {
        SlotKind::Local(v) => match function.variables[v.0 as usize].source_type {
            SourceType::Int { signed, .. } => signed,
            _ => return None,
        },
        _ => return None,
    };
    let unsigned = match pred {
        // Equality has no order: it is that of the index's type.
        Pred::Eq | Pred::Ne => !index_signed && !widened,
        _ => !signed,
    };
    Some(HeaderTest {
        pred,
        end,
        unsigned,
        bits,
    })
}
