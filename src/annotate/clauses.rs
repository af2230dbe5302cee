//! The clauses of a loop's directive, or why it cannot be written.

use super::describe::{operator, reason};
use super::maps::{Maps, maps};
use super::spell::Speller;
use crate::analysis::dependence::verdict::Parallel;
use crate::analysis::function::FunctionModel;
use crate::analysis::movement::scope::{Macros, visible_variable};
use crate::analysis::values::eval::Base;
use crate::plan::Change;
use crate::program::ir::{Callee, InstId, Op, Operand, VarId};
use crate::symbolic::Facts;
use crate::syntax::StmtId;
use std::collections::BTreeMap;

/// The change that makes a kernel of a parallel loop.
pub(super) fn kernel(model: &FunctionModel<'_>, macros: &Macros, stmt: StmtId, p: &Parallel) -> Result<Change, String> {
    if let Some(condition) = p.conditions.first() {
        return Err(format!("it is parallel only if {}", reason(model, condition)));
    }
    let variable = |v: VarId| model.function().variables[v.0 as usize].name.clone();
    if let Some(v) = p.lastprivate.first() {
        return Err(format!("`{}` has the last iteration's value after it", variable(*v)));
    }
    if let Some(r) = p.reductions.iter().find(|r| !r.exact) {
        return Err(format!(
            "in another order `{}` may be rounded differently",
            variable(r.var)
        ));
    }
    let speller = Speller::before(model, stmt).ok_or("no directive can stand here")?;
    let named = |v: &VarId| {
        let name = variable(*v);
        match visible_variable(model, speller.at.stmt, &name) == Some(*v) {
            true => Ok(name),
            false => Err(format!("`{name}` cannot be named here")),
        }
    };
    let names = names(&speller, stmt)?;
    let Maps { items, when } = maps(&speller, macros, p, &names)?;
    let mut clauses = Vec::new();
    if p.collapse > 1 {
        clauses.push(format!("collapse({})", p.collapse));
    }
    let mut runs = Vec::new();
    for condition in &when {
        let crate::analysis::dependence::Condition::AtMost { left, right } = condition else {
            continue;
        };
        if !Facts::new().prove_le(left, right) {
            runs.push(
                speller
                    .runs(condition)
                    .ok_or("whether it runs at all cannot be written here")?,
            );
        }
    }
    if !runs.is_empty() {
        clauses.push(format!("if(target: {})", runs.join(" && ")));
    }
    if !p.private.is_empty() {
        let names: Vec<String> = p.private.iter().map(named).collect::<Result<_, _>>()?;
        clauses.push(format!("private({})", names.join(", ")));
    }
    for r in &p.reductions {
        clauses.push(format!("reduction({}: {})", operator(r.op), named(&r.var)?));
    }
    Ok(Change::Kernel {
        stmt,
        clauses,
        maps: items,
    })
}

/// The pointer variables that the loop follows, by what they point to. Each array must have one name, and be followed from
/// its start: a pointer into the middle of a mapped array would have to be translated too, and only those are that are
/// mapped.
fn names(speller: &Speller<'_>, stmt: StmtId) -> Result<BTreeMap<Base, String>, String> {
    let model = speller.at.model;
    let mut names: BTreeMap<Base, String> = BTreeMap::new();
    let function = model.function();
    let inside = |id: InstId| {
        let node = model.attachment.node_of[id.0 as usize];
        node.is_some_and(|n| model.fine.stmt_of(n).is_some_and(|s| model.tree.encloses(stmt, s)))
    };
    for id in function.inst_ids().filter(|id| inside(*id)) {
        let pointers: Vec<&Operand> = match &function.inst(id).op {
            Op::Load { ptr, .. } | Op::Store { ptr, .. } => vec![ptr],
            Op::Call {
                callee: Callee::Direct(_),
                args,
            } => args.iter().collect(),
            _ => continue,
        };
        for pointer in pointers {
            let Some(load) = root(model, pointer) else { continue };
            let Op::Load { ptr: variable, .. } = &function.inst(load).op else {
                continue;
            };
            let slot = model.values.slots.at(variable, function);
            let name = slot.and_then(|s| model.values.slots.get(s).name.clone());
            let base = model.values.ptr(&Operand::Inst(load)).filter(|v| v.offset.is_zero());
            let (Some(slot), Some(name), Some(base)) = (slot, name, base.map(|v| v.base)) else {
                return Err("it uses an array through a pointer into it".into());
            };
            if names.insert(base, name.clone()).is_some_and(|other| other != name) {
                return Err("it uses an array under two names".into());
            }
            if !speller.means(slot, base) {
                return Err("it uses an array through a pointer into it".into());
            }
        }
    }
    Ok(names)
}

/// The load of the pointer variable that an address is computed from.
fn root(model: &FunctionModel<'_>, pointer: &Operand) -> Option<InstId> {
    let Operand::Inst(id) = pointer else { return None };
    match &model.function().inst(*id).op {
        Op::Gep { base, .. } => root(model, base),
        Op::Load { .. } if model.function().inst(*id).ty == crate::program::ir::Type::Ptr => Some(*id),
        _ => None,
    }
}
