//! Variables of which every access is known: their addresses go nowhere but to loads and stores.

use crate::analysis::points_to::for_operands;
use crate::program::ir::{Function, InstId, Op, Operand, Type};

/// The instructions that use each instruction's result, once for every use.
pub(super) fn users(function: &Function) -> Vec<Vec<InstId>> {
    let mut users = vec![Vec::new(); function.insts.len()];
    for id in function.inst_ids() {
        for_operands(&function.inst(id).op, &mut |operand| {
            if let Operand::Inst(used) = operand {
                users[used.0 as usize].push(id);
            }
        });
    }
    users
}

/// The scalars whose address goes nowhere: all uses are loads and stores of the whole.
pub(super) fn tracked(function: &Function, users: &[Vec<InstId>]) -> Vec<bool> {
    let whole = |id: InstId, ty: &Type, user: &InstId| match &function.inst(*user).op {
        Op::Load { volatile: false, .. } => function.inst(*user).ty == *ty,
        Op::Store {
            value,
            ty: stored,
            volatile: false,
            ..
        } => *value != Operand::Inst(id) && stored == ty,
        _ => false,
    };
    let is_tracked = |id: InstId| match &function.inst(id).op {
        Op::Alloca {
            ty: ty @ (Type::Int(_) | Type::Float(_) | Type::Ptr),
            count: None,
        } => users[id.0 as usize].iter().all(|u| whole(id, ty, u)),
        _ => false,
    };
    function.inst_ids().map(is_tracked).collect()
}

/// The scalar that an instruction reads or sets.
pub(super) fn accessed(function: &Function, inst: InstId) -> Option<(InstId, bool)> {
    match &function.inst(inst).op {
        Op::Load {
            ptr: Operand::Inst(at), ..
        } => Some((*at, false)),
        Op::Store {
            ptr: Operand::Inst(at), ..
        } => Some((*at, true)),
        _ => None,
    }
}
