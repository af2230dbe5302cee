//! Parameters that every caller passes the same constant.
//!
//! `static void simulate(int ny, int nx, …)` called once with `44, 60`: inside, `ny == 44` is a fact. It is used to
//! compare sections, never to print them: the text keeps `ny`, and another caller tomorrow only changes what can be
//! proved.

use super::points_to::PointsTo;
use crate::program::ir::{FuncId, Function, Module, Op, Operand};

/// The constants of a function's parameters, by index, where all its callers are known and agree.
pub fn constants(module: &Module, points_to: &PointsTo, func: FuncId) -> Vec<Option<i128>> {
    let count = module.function(func).params.len();
    if points_to.has_unseen_callers(func) {
        return vec![None; count];
    }
    let mut found: Vec<Option<Option<i128>>> = vec![None; count];
    for site in points_to.callers(func) {
        let caller = module.function(site.func);
        let Op::Call { args, .. } = &caller.inst(site.inst).op else {
            continue;
        };
        for (slot, arg) in found.iter_mut().zip(args) {
            let value = constant(caller, points_to, site.func, arg);
            *slot = Some(match *slot {
                None => value,
                Some(known) => known.filter(|k| Some(*k) == value),
            });
        }
    }
    found.into_iter().map(Option::flatten).collect()
}

/// The value of an argument that is a literal, or a variable with one constant store and no other way to change.
fn constant(caller: &Function, points_to: &PointsTo, id: FuncId, arg: &Operand) -> Option<i128> {
    match arg {
        Operand::Int(v) => Some(*v),
        Operand::Inst(load) => {
            let Op::Load {
                ptr: Operand::Inst(alloca),
                ..
            } = &caller.inst(*load).op
            else {
                return None;
            };
            let variable = caller.variable_of(*alloca)?;
            if points_to.address_taken(id, variable) {
                return None;
            }
            let mut stores = caller.insts.iter().filter_map(|i| match &i.op {
                Op::Store {
                    ptr: Operand::Inst(p),
                    value,
                    ..
                } if p == alloca => Some(value),
                _ => None,
            });
            match (stores.next(), stores.next()) {
                (Some(Operand::Int(v)), None) => Some(*v),
                _ => None,
            }
        }
        _ => None,
    }
}
