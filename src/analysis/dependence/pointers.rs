//! Pointers as values: a loop that makes, compares or hands on pointers stays on the host.
//!
//! ```c
//! for (int i = 0; i < n; i++) row[i] = block + i * m;             /* where is `block`: here, or on the device?       */
//! ```
//!
//! In a kernel the name of a mapped array stands for its copy on the device. An address that is computed from it is good for
//! reading and writing there, and for nothing else: stored in an array it comes back to a host that cannot follow it, and
//! compared with an address that the host has made it differs. What is not mapped (a string literal, a function) has another
//! address on the device, too. So in a loop that is to run there pointers may only
//!
//! * be addresses of loads and stores;
//! * be kept in a pointer variable that each iteration has for itself, which is followed in turn;
//! * be compared with the null pointer, where the loop uses what they point to, and so maps it;
//! * be null, which is the same everywhere.
//!
//! Where a pointer variable lies in memory its bytes are read as a pointer, or not at all.

use super::frame::Frame;
use super::library::is_silent;
use super::number::OperandFacts;
use super::touch::Touch;
use super::verdict::{LoopRefusal, Obstacle};
use crate::analysis::arrays::source_type;
use crate::analysis::dependence::scalars::declared_inside;
use crate::analysis::points_to::for_operands;
use crate::analysis::values::table::Base;
use crate::program::ir::{Callee, Cast, Function, InstId, Op, Operand, Pred, SourceType, Type, VarId};
use crate::symbolic::Facts;
use std::collections::BTreeSet;

/// Refuses loops that use pointers as values. `private` are variables of which each iteration has its own.
pub(super) fn check(frame: &Frame<'_, '_>, touches: &[Touch], private: &[VarId]) -> Result<(), LoopRefusal> {
    let model = frame.model();
    let function = model.function();
    let refused = |id| Err(LoopRefusal::new(Obstacle::PointerValue, frame.stmt, [id]));
    for id in insts_of(frame) {
        if is_value(frame, id, touches, private) {
            return refused(id);
        }
    }
    for touch in touches {
        let is_variable = !matches!(touch.base, Base::Value(_))
            && matches!(source_type(model, touch.base), Some(SourceType::Pointer { .. }));
        let followed =
            matches!(function.inst(touch.inst).op, Op::Load { .. }) && function.inst(touch.inst).ty == Type::Ptr;
        if is_variable && !followed {
            return refused(touch.inst);
        }
    }
    Ok(())
}

/// The loop's instructions, where it starts included, in order.
fn insts_of(frame: &Frame<'_, '_>) -> BTreeSet<InstId> {
    let model = frame.model();
    let starts = model.fine.init_of(frame.stmt);
    let first = starts
        .into_iter()
        .flat_map(|n| &model.attachment.insts_of[n.0 as usize]);
    frame.body.insts(model.function()).chain(first.copied()).collect()
}

/// Whether an instruction uses a pointer as a value.
fn is_value(frame: &Frame<'_, '_>, id: InstId, touches: &[Touch], private: &[VarId]) -> bool {
    let model = frame.model();
    let function = model.function();
    let pointer = |o: &Operand| is_pointer(function, o);
    match &function.inst(id).op {
        Op::Store { ptr, value, .. } => pointer(value) && !is_own(frame, ptr, private),
        Op::Cmp { pred, lhs, rhs, .. } => {
            let used = |o: &Operand| touches.iter().any(|t| Some(t.base) == start(frame, o));
            match (pointer(lhs), pointer(rhs)) {
                (false, false) => false,
                (true, false) if *rhs == Operand::Null => !matches!(pred, Pred::Eq | Pred::Ne) || !used(lhs),
                (false, true) if *lhs == Operand::Null => !matches!(pred, Pred::Eq | Pred::Ne) || !used(rhs),
                _ => true,
            }
        }
        Op::Call {
            callee: Callee::Direct(f),
            args,
        } => !model.copies_bytes(id) && !is_silent(model.module, *f) && args.iter().any(pointer),
        Op::Gep { indices, .. } => indices.iter().any(pointer),
        // What it is one of is used elsewhere.
        Op::Phi { .. } | Op::Select { .. } if function.inst(id).ty == Type::Ptr => false,
        Op::Load { .. } => false,
        op => converts(op) || any(op, &pointer),
    }
}

/// Whether a function of the program that touches no memory but its own variables has to do with addresses of anything else,
/// or turns some into numbers.
pub(super) fn has_addresses(function: &Function) -> bool {
    let named = |o: &Operand| {
        matches!(
            o,
            Operand::Global(_) | Operand::Function(_) | Operand::ConstGep { .. } | Operand::OtherConst
        )
    };
    function
        .inst_ids()
        .any(|id| converts(&function.inst(id).op) || any(&function.inst(id).op, &named))
}

fn converts(op: &Op) -> bool {
    matches!(
        op,
        Op::Cast {
            kind: Cast::PtrToInt | Cast::IntToPtr,
            ..
        }
    )
}

fn any(op: &Op, wanted: &dyn Fn(&Operand) -> bool) -> bool {
    let mut found = false;
    for_operands(op, &mut |o| found |= wanted(o));
    found
}

/// Whether an operand is a pointer other than null, or a constant that may be made of one.
fn is_pointer(function: &Function, operand: &Operand) -> bool {
    match operand {
        Operand::Inst(id) => function.inst(*id).ty == Type::Ptr,
        Operand::Arg(n) => function.params.get(*n as usize) == Some(&Type::Ptr),
        Operand::Global(_) | Operand::Function(_) | Operand::ConstGep { .. } | Operand::OtherConst => true,
        Operand::Int(_) | Operand::Float(_) | Operand::Null | Operand::Undef => false,
    }
}

/// Whether an address is that of a pointer variable that each iteration has for itself.
fn is_own(frame: &Frame<'_, '_>, address: &Operand, private: &[VarId]) -> bool {
    let Operand::Inst(home) = address else { return false };
    let variable = frame.model().function().variable_of(*home);
    frame.shared.tracked[home.0 as usize] && variable.is_some_and(|v| declared_inside(frame, v) || private.contains(&v))
}

/// What a pointer points to the start of.
fn start(frame: &Frame<'_, '_>, pointer: &Operand) -> Option<Base> {
    let facts = Facts::new();
    let known = OperandFacts {
        facts: &facts,
        fixed: &|_| false,
    };
    let address = frame.numbers.address(pointer, &known)?;
    address.offset?.poly.is_zero().then_some(address.base)
}
