//! Members of structs that a kernel reads.
//!
//! ```c
//! #pragma omp target teams distribute parallel for map(to: s->n) map(tofrom: s->a[0:s->n])
//! for (int i = 0; i < s->n; i++) s->a[i] += 1;
//! ```
//!
//! Mapping `s->a[0:s->n]` puts the pointer `s->a` on the device, in a copy of that part of the struct, and nothing else of
//! it. So what else the kernel reads of the struct is mapped beside it, member by member. The compiler makes one stretch of
//! all that one construct maps of a struct. Of two members of a struct that is itself a member (`s->box.n`, `s->box.a`) clang
//! 19 makes a wrong one: at run time the program ends, or reads other bytes.

use crate::analysis::function::FunctionModel;
use crate::analysis::values::members::member_path;
use crate::analysis::values::table::Base;
use crate::program::ir::{Op, Operand, Type};
use crate::reasons::Serial;
use crate::syntax::StmtId;
use std::collections::{BTreeMap, BTreeSet};

/// The members but for pointers that a loop reads of a struct called `name`, in the order of the struct; `None` where the
/// loop follows none of its pointers, or goes through an array of such structs: then it may be mapped as a whole.
///
/// # Errors
/// Something of the struct is read that has no name of its own, or that cannot be mapped beside something else.
pub(super) fn read_members(
    model: &FunctionModel<'_>,
    stmt: StmtId,
    base: Base,
    name: &str,
) -> Result<Option<Vec<String>>, Serial> {
    let function = model.function();
    let step = if matches!(base, Base::Value(_)) { "->" } else { "." };
    let mut found: BTreeSet<(i128, Option<String>)> = BTreeSet::new();
    let mut inner: BTreeMap<String, BTreeSet<i128>> = BTreeMap::new();
    let mut follows = false;
    for id in model.insts_within(stmt) {
        let Op::Load { ptr, .. } = &function.inst(id).op else {
            continue;
        };
        let Some(at) = model.values.ptr(ptr).filter(|p| p.base == base) else {
            continue;
        };
        let is_pointer = function.inst(id).ty == Type::Ptr;
        follows |= is_pointer;
        let Some(offset) = at.offset.as_constant() else {
            if is_pointer {
                continue;
            }
            // An array of structs.
            return Ok(None);
        };
        let path = || member_path(model.module, whole(model, ptr, base)?, u64::try_from(offset).ok()?);
        let path = path();
        if let Some((outer, _)) = path.as_ref().and_then(|p| p.split_once('.')) {
            inner.entry(outer.to_owned()).or_default().insert(offset);
        }
        if !is_pointer {
            found.insert((offset, path.map(|path| format!("{name}{step}{path}"))));
        }
    }
    if !follows {
        return Ok(None);
    }
    if let Some((outer, _)) = inner.iter().find(|(_, used)| used.len() > 1) {
        return Err(Serial::MembersWithin {
            name: format!("{name}{step}{outer}"),
        });
    }
    let names: Option<Vec<String>> = found.into_iter().map(|(_, name)| name).collect();
    names
        .map(Some)
        .ok_or_else(|| Serial::PartNameless { name: name.to_owned() })
}

/// The type of the struct that starts at a base: of a variable as declared, else as an address in it is computed.
fn whole<'m>(model: &FunctionModel<'m>, address: &Operand, base: Base) -> Option<&'m Type> {
    match base {
        Base::Global(g) => return Some(&model.module.global(g).ty),
        Base::Local(v) => {
            let alloca = model.module.function(model.func).variables[v.0 as usize].alloca?;
            return match &model.module.function(model.func).inst(alloca).op {
                Op::Alloca { ty, count: None } => Some(ty),
                _ => None,
            };
        }
        Base::Value(_) => {}
    }
    let Operand::Inst(id) = address else { return None };
    let Op::Gep {
        base: from, source_ty, ..
    } = &model.module.function(model.func).inst(*id).op
    else {
        return None;
    };
    let start = model.values.ptr(from)?;
    match start.base == base && start.offset.is_zero() && matches!(source_ty, Type::Struct(_)) {
        true => Some(source_ty),
        false => whole(model, from, base),
    }
}
