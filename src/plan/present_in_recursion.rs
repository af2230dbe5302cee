//! What is on the device whenever a function of a circle is called: what all callers outside the circle hold, of the
//! parameters that calls within hand on as they are.
//!
//! ```c
//! void down(double *v, int n, int d) { … if (d > 0) up(v, n, d - 1); }      /* hands on `v` */
//! ```
//!
//! As in [`super::present_at_calls`], nothing about correctness depends on it.

use super::holdings::Held;
use crate::analysis::callee_term::CalleeTerm;
use crate::analysis::points_to::PointsTo;
use crate::program::ir::{FuncId, Function, InstId, Module, Op, Operand};
use crate::program::objects::Site;
use rustc_hash::FxHashMap;

/// What every call of `func`, which is of `circle`, holds.
pub(super) fn on_entry(
    module: &Module,
    points_to: &PointsTo,
    circle: &[FuncId],
    func: FuncId,
    held: &Held,
) -> Vec<CalleeTerm> {
    // What is not there yet may be anything.
    let mut found: FxHashMap<FuncId, Vec<CalleeTerm>> = FxHashMap::default();
    let restrict = |found: &mut FxHashMap<FuncId, Vec<CalleeTerm>>, func: FuncId, terms: Vec<CalleeTerm>| {
        let known = found.entry(func).or_insert_with(|| terms.clone());
        let before = known.len();
        known.retain(|t| terms.contains(t));
        known.len() < before
    };
    let mut inside: Vec<(Site, FuncId)> = Vec::new();
    for &callee in circle {
        if points_to.has_unseen_callers(callee) {
            return Vec::new();
        }
        for site in points_to.callers(callee) {
            if circle.contains(&site.func) {
                inside.push((*site, callee));
            } else {
                restrict(&mut found, callee, held.at(site).to_vec());
            }
        }
    }
    loop {
        let mut changed = false;
        for (site, callee) in &inside {
            if let Some(terms) = found.get(&site.func).cloned() {
                let is_new = !found.contains_key(callee);
                changed |= restrict(
                    &mut found,
                    *callee,
                    handed_on(module.function(site.func), site.inst, &terms),
                ) || is_new;
            }
        }
        if !changed {
            return found.remove(&func).unwrap_or_default();
        }
    }
}

/// What a call hands on of what its function is called with.
fn handed_on(function: &Function, call: InstId, terms: &[CalleeTerm]) -> Vec<CalleeTerm> {
    let Op::Call { args, .. } = &function.inst(call).op else {
        return Vec::new();
    };
    let mut found: Vec<CalleeTerm> = terms
        .iter()
        .filter(|t| matches!(t, CalleeTerm::Storage(_)))
        .cloned()
        .collect();
    for (n, arg) in args.iter().enumerate() {
        if parameter(function, arg).is_some_and(|p| terms.contains(&CalleeTerm::Param(p))) {
            found.push(CalleeTerm::Param(n as u32));
        }
    }
    found
}

/// The parameter that a value is, by way of a variable that nothing else is stored to.
fn parameter(function: &Function, value: &Operand) -> Option<u32> {
    let Operand::Inst(load) = value else { return None };
    let Op::Load { ptr: variable, .. } = &function.inst(*load).op else {
        return None;
    };
    let mut stores = function.insts.iter().filter_map(|i| match &i.op {
        Op::Store { ptr, value, .. } if ptr == variable => Some(value),
        _ => None,
    });
    match (stores.next()?, stores.next()) {
        (Operand::Arg(n), None) => Some(*n),
        _ => None,
    }
}
