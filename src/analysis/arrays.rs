//! The arrays behind names: what they are declared as, how large their elements are, how many there are, where they live, and
//! which two may overlap.
//!
//! ```c
//! double grid[9][8], *row = grid[0];      /* `grid` and `row`: elements of 8 bytes, 72 of them, one place */
//! ```

use super::access::{element_bytes, split};
use super::function::FunctionModel;
use super::movement::promised::promised_apart;
use super::values::slots::{SlotId, SlotKind};
use super::values::table::{Base, SymKind};
use crate::analysis::values::version::Version;
use crate::program::ir::{Callee, InstId, Op, Operand, SourceType, Type};
use crate::program::objects::MemLoc;
use crate::symbolic::{Expr, Section};
use rustc_hash::FxHashMap;

/// The source type of the variable behind a base: an array's own type, or the pointer's.
pub fn source_type<'m>(model: &'m FunctionModel<'_>, base: Base) -> Option<&'m SourceType> {
    match base {
        Base::Local(v) => Some(&model.function().variables[v.0 as usize].source_type),
        Base::Global(g) => model.module.global(g).source_type.as_ref(),
        Base::Value(sym) => match model.values.kind(sym) {
            SymKind::Slot(slot, _) => match &model.values.slots.get(slot).kind {
                SlotKind::Local(v) => Some(&model.function().variables[v.0 as usize].source_type),
                SlotKind::Global(g) => model.module.global(*g).source_type.as_ref(),
                _ => None,
            },
            _ => None,
        },
    }
}

/// Declared lengths of the dimensions below the outermost, where they are constants. What has no declared type (a member of
/// which only callees know) is taken as a pointer to elements.
pub fn inner_dims(ty: Option<&SourceType>) -> Option<Vec<Expr>> {
    let constant = |dims: &[Option<u64>]| {
        dims.iter()
            .map(|d| d.map(|d| Expr::constant(i128::from(d))))
            .collect::<Option<Vec<_>>>()
    };
    match ty {
        None => Some(Vec::new()),
        Some(SourceType::Array { dims, .. }) => constant(&dims[1..]),
        Some(SourceType::Pointer { to, .. }) => match &**to {
            SourceType::Array { dims, .. } => constant(dims),
            _ => Some(Vec::new()),
        },
        Some(_) => None,
    }
}

/// The whole extent of an object, where its declaration or allocation says it.
pub fn object_extent(model: &FunctionModel<'_>, base: Base, element: u64) -> Option<Section> {
    let zero = Expr::constant(0);
    if let Some(bytes) = model.storage_bytes(base) {
        let hi = Expr::constant(i128::from(bytes / element));
        return Some(Section { lo: zero, hi });
    }
    match base {
        Base::Local(v) => {
            let variable = &model.function().variables[v.0 as usize];
            match &model.function().inst(variable.alloca?).op {
                Op::Alloca { ty, count: Some(count) } => {
                    let bytes = model
                        .values
                        .int(count)
                        .mul(&Expr::constant(i128::from(model.module.size_of(ty))))?;
                    let (hi, rest) = split(&bytes, element)?;
                    (rest == 0).then_some(Section { lo: zero, hi })
                }
                _ => None,
            }
        }
        Base::Global(_) => None,
        Base::Value(sym) => {
            let bytes = match model.values.kind(sym) {
                SymKind::Slot(_, Version::Def(store)) => match &model.function().inst(store).op {
                    Op::Store {
                        value: Operand::Inst(call),
                        ..
                    } => model.allocated(*call)?,
                    _ => return None,
                },
                SymKind::Slot(slot, Version::Clobber(call)) => model.allocated_in(call, slot)?,
                _ => return None,
            };
            let (hi, rest) = split(&bytes, element)?;
            (rest == 0 && !hi.has_opaque()).then_some(Section { lo: zero, hi })
        }
    }
}

/// Bytes per element of a base as the first access to it has them, where no type says it.
pub fn element_from_accesses(model: &FunctionModel<'_>, base: Base) -> Option<u64> {
    let known = model.elements.get_or_init(|| elements_by_accesses(model));
    known.get(&base).copied().flatten()
}

/// The bytes per element of all bases that are accessed by subscripts, each as in its first access.
fn elements_by_accesses(model: &FunctionModel<'_>) -> FxHashMap<Base, Option<u64>> {
    let mut found: FxHashMap<Base, Option<u64>> = FxHashMap::default();
    let function = model.function();
    for inst in function.inst_ids() {
        let ptr = match &function.inst(inst).op {
            Op::Load { ptr, .. } | Op::Store { ptr, .. } => ptr,
            _ => continue,
        };
        if let Operand::Inst(gep) = ptr
            && let Op::Gep { source_ty, .. } = &function.inst(*gep).op
            && let Some(at) = model.values.ptr(ptr)
        {
            let mut ty = source_ty;
            while let Type::Array(elem, _) = ty {
                ty = elem;
            }
            let bytes = Some(model.module.size_of(ty)).filter(|s| *s > 0);
            found.entry(at.base).or_insert(bytes);
        }
    }
    found
}

/// Bytes per element of a base.
pub fn element_of(model: &FunctionModel<'_>, base: Base) -> Option<u64> {
    match source_type(model, base) {
        Some(ty @ (SourceType::Pointer { .. } | SourceType::Array { .. })) => {
            element_bytes(ty).or_else(|| element_from_accesses(model, base))
        }
        Some(_) => None,
        None => element_from_accesses(model, base).or_else(|| element_of_member(model, base)),
    }
}

/// Bytes per element as the member that a pointer was read from is declared: what only callees access (`get(i, d.c)`) has no accesses.
fn element_of_member(model: &FunctionModel<'_>, base: Base) -> Option<u64> {
    let Base::Value(sym) = base else { return None };
    let SymKind::Slot(slot, _) = model.values.kind(sym) else {
        return None;
    };
    model.values.declared_type(slot).and_then(element_bytes)
}

/// Where the elements of the objects behind a base live, all members of them. Points-to says where the base points to, which of
/// an array of structs is where the first member is alone:
///
/// ```c
/// struct { int x, y; } p[100];            /* `p` points to (p, 0), and p[i].y is at (p, 4)                        */
/// ```
pub fn locs_of(model: &FunctionModel<'_>, base: Base) -> Vec<MemLoc> {
    let numbers = match base {
        // Where the first member of a struct is an array, its name is the struct's.
        Base::Local(_) | Base::Global(_) => false,
        Base::Value(_) => holds_numbers(model, base),
    };
    let starts = starts_of(model, base).into_iter();
    let mut locs: Vec<MemLoc> = starts.map(|l| model.points_to.array_around(l, numbers)).collect();
    locs.sort_unstable();
    locs.dedup();
    locs
}

/// Whether the elements of an array are numbers or pointers, by the declaration of the pointer to it.
fn holds_numbers(model: &FunctionModel<'_>, base: Base) -> bool {
    source_type(model, base).is_some_and(SourceType::leads_to_numbers)
}

/// Where a base points to: for a pointer by a store, what that store's value points to, which is more precise than what its
/// variable ever does.
fn starts_of(model: &FunctionModel<'_>, base: Base) -> Vec<MemLoc> {
    let points_to = model.points_to;
    match base {
        Base::Local(v) => model.function().variables[v.0 as usize]
            .alloca
            .map_or_else(Vec::new, |a| {
                points_to.of_operand(model.func, &Operand::Inst(a)).to_vec()
            }),
        Base::Global(g) => points_to.of_operand(model.func, &Operand::Global(g)).to_vec(),
        Base::Value(sym) => match model.values.kind(sym) {
            SymKind::Arg(n) => points_to.of_operand(model.func, &Operand::Arg(n)).to_vec(),
            SymKind::Inst(i) => points_to.of_operand(model.func, &Operand::Inst(i)).to_vec(),
            // A number.
            SymKind::Cast(..) | SymKind::Bound(_) => Vec::new(),
            SymKind::Slot(_, Version::Def(store)) => match &model.function().inst(store).op {
                Op::Store { value, .. } => points_to.of_operand(model.func, value).to_vec(),
                _ => Vec::new(),
            },
            SymKind::Slot(slot, Version::Clobber(call)) if set_by_callee(model, slot, call).is_some() => {
                set_by_callee(model, slot, call).unwrap_or_default()
            }
            SymKind::Slot(slot, _) => model
                .values
                .slots
                .places(points_to, model.func, slot)
                .iter()
                .flat_map(|l| points_to.contents(*l).to_vec())
                .collect(),
        },
    }
}

/// What a global pointer points to after a call that surely sets it: `allocate()` that stores a fresh array to it on
/// every path, and nothing else does. The flow-insensitive answer would include what is stored to it anywhere else.
fn set_by_callee(model: &FunctionModel<'_>, slot: SlotId, call: InstId) -> Option<Vec<MemLoc>> {
    let SlotKind::Global(global) = model.values.slots.get(slot).kind else {
        return None;
    };
    let Op::Call {
        callee: Callee::Direct(target),
        ..
    } = &model.function().inst(call).op
    else {
        return None;
    };
    let callee = model.module.function(*target);
    let points_to = model.points_to;
    let here = points_to.of_operand(*target, &Operand::Global(global));
    let mut writers = { callee.inst_ids() }.filter(|i| model.effects.may_set(points_to, *target, *i, here));
    let only = writers.next().filter(|_| writers.next().is_none())?;
    let Op::Store {
        ptr: Operand::Global(g),
        value,
        ..
    } = &callee.inst(only).op
    else {
        return None;
    };
    // No way from the entry to a return around the store.
    let around = {
        let mut seen = vec![false; callee.blocks.len()];
        let mut stack = vec![0usize];
        let mut found = false;
        while let Some(b) = stack.pop() {
            if b == callee.inst(only).block.0 as usize || std::mem::replace(&mut seen[b], true) {
                continue;
            }
            let block = &callee.blocks[b];
            found |= (block.first.0..block.end.0).any(|i| matches!(callee.inst(InstId(i)).op, Op::Ret(_)));
            stack.extend(block.succs.iter().map(|s| s.0 as usize));
        }
        found
    };
    (*g == global && !around).then(|| points_to.of_operand(*target, value).to_vec())
}

/// Whether the objects behind two bases may be the same, by points-to and the user's promises alone.
pub fn may_overlap(model: &FunctionModel<'_>, a: Base, b: Base) -> bool {
    if promised_apart(model, a, b) {
        return false;
    }
    let (x, y) = (locs_of(model, a), locs_of(model, b));
    x.is_empty() || y.is_empty() || x.iter().any(|p| y.iter().any(|q| model.points_to.may_alias(*p, *q)))
}
