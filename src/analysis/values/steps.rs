//! What a variable grows by from iteration to iteration, before it may wrap around.
//!
//! ```c
//! for (uint8_t c = 0; c < n; c++) …       /* one, although behind 255 comes 0: whether it gets there is asked elsewhere          */
//! ```

use super::slots::SlotId;
use super::table::{Evaluate, SymKind, Values};
use super::version::Version;
use crate::program::graph::NodeId;
use crate::program::ir::{BinOp, Cast, InstId, Op, Operand};
use crate::symbolic::Expr;

impl Values<'_> {
    /// What is added to a variable on the way from a loop's header to one of its ends, if that is a number.
    pub(super) fn step_to(&self, slot: SlotId, version: Version, header: NodeId) -> Option<i128> {
        let before = Version::Phi(header);
        if let Version::Def(store) = version
            && let Op::Store { value, .. } = &self.function().inst(store).op
            && let Some(step) = self.added(value, slot, before)
        {
            return Some(step);
        }
        let sym = self.sym(SymKind::Slot(slot, before));
        let value = self.slot_int_at(slot, version, 0);
        value.sub(&Expr::sym(sym))?.as_constant()
    }

    /// What an operand adds to the variable, where it has been cut down to its type at most.
    fn added(&self, operand: &Operand, slot: SlotId, before: Version) -> Option<i128> {
        let Operand::Inst(id) = operand else { return None };
        match &self.function().inst(*id).op {
            Op::Cast {
                kind: Cast::Trunc,
                value,
                ..
            } => self.added(value, slot, before),
            Op::Binary {
                op: op @ (BinOp::Add | BinOp::Sub),
                lhs,
                rhs,
                ..
            } => match (lhs, rhs, op) {
                (_, Operand::Int(by), BinOp::Add) if self.is_read(lhs, slot, before) => Some(*by),
                (Operand::Int(by), _, BinOp::Add) if self.is_read(rhs, slot, before) => Some(*by),
                (_, Operand::Int(by), BinOp::Sub) if self.is_read(lhs, slot, before) => by.checked_neg(),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether an operand is a version of a variable, widened perhaps.
    fn is_read(&self, operand: &Operand, slot: SlotId, version: Version) -> bool {
        let Operand::Inst(id) = operand else { return false };
        match &self.function().inst(*id).op {
            Op::Cast {
                kind: Cast::SExt | Cast::ZExt,
                value,
                ..
            } => self.is_read(value, slot, version),
            Op::Load { .. } => self.read_from(*id) == Some((slot, version)),
            _ => false,
        }
    }

    /// The variable that an instruction reads, and its version.
    pub(super) fn read_from(&self, load: InstId) -> Option<(SlotId, Version)> {
        let function = self.function();
        let Op::Load { ptr, volatile: false } = &function.inst(load).op else {
            return None;
        };
        let slot = self.slots.value_at(ptr, &function.inst(load).ty, function)?;
        let node = self.attachment.node_of[load.0 as usize]?;
        Some((slot, self.versions.at(node, load, slot)))
    }
}
