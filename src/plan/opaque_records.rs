//! Whether a file can name the members of a record: it may know no more than its tag.
//!
//! ```c
//! struct sim;                                  /* in a header; its members are the business of another file */
//! void step(struct sim *s);                    /* has kernels on what s->x points to                         */
//! int main(void) { … step(s); … }              /* cannot say `s->x`                                          */
//! ```

use crate::analysis::function::FunctionModel;
use crate::analysis::values::members::member_path;
use crate::analysis::values::slots::{SlotId, SlotKind};
use crate::program::ir::{Module, Op, SourceType, Struct, StructId, Type};

/// Whether the function's file knows the members of the record that a slot points to. Where it is not known which record
/// that is, it is taken to.
pub(super) fn has_members(model: &FunctionModel<'_>, slot: SlotId) -> bool {
    let Some(unit) = model.module.units.get(model.function().unit as usize) else {
        return true;
    };
    let ty = type_of(model, slot);
    let record = ty.as_ref().and_then(SourceType::record);
    record.is_none_or(|(name, _)| name.is_empty() || unit.records.contains(name))
}

/// Whether a place behind a pointer, of which only the offset is known, has its name by what the pointer is declared to point
/// to: not where another pointer to the same place is of another type.
///
/// ```c
/// int rhs(double *y, void *user) { struct prob *p = user; … p->flux … }       /* not `user->flux`          */
/// ```
pub(super) fn is_member(model: &FunctionModel<'_>, slot: SlotId) -> bool {
    let slots = &model.values.slots;
    let SlotKind::Behind(outer, at) = slots.get(slot).kind else {
        return true;
    };
    let Some(SourceType::Pointer { to, .. }) = type_of(model, outer) else {
        return true;
    };
    let (Some(name), Some(of)) = (&slots.get(slot).name, &slots.get(outer).name) else {
        return false;
    };
    let Some(member) = name.strip_prefix(of.as_str()).and_then(|rest| rest.strip_prefix("->")) else {
        return true;
    };
    let SourceType::Record { name: tag, bytes } = &*to else {
        return false;
    };
    let is = |s: &&Struct| {
        s.size == *bytes
            && s.name
                .split_once('.')
                .is_some_and(|(_, t)| t.split('.').next() == Some(tag))
    };
    let mut layouts = model.module.structs.iter().zip(0..).filter(|(s, _)| is(s)).peekable();
    // A record without a tag, or one that no instruction mentions.
    if tag.is_empty() || layouts.peek().is_none() {
        return true;
    }
    layouts.any(|(_, id)| member_path(model.module, &Type::Struct(StructId(id)), at).as_deref() == Some(member))
}

/// The source type of a slot.
fn type_of(model: &FunctionModel<'_>, slot: SlotId) -> Option<SourceType> {
    let module = model.module;
    match &model.values.slots.get(slot).kind {
        SlotKind::Local(v) => Some(model.function().variables[v.0 as usize].source_type.clone()),
        SlotKind::Global(g) => module.global(*g).source_type.clone(),
        SlotKind::LocalField(v, at) => {
            let alloca = model.function().variables[v.0 as usize].alloca?;
            match &model.function().inst(alloca).op {
                Op::Alloca { ty, .. } => member(module, ty, *at),
                _ => None,
            }
        }
        SlotKind::GlobalField(g, at) => member(module, &module.global(*g).ty, *at),
        SlotKind::Behind(outer, at) => {
            let outer = type_of(model, *outer)?;
            let (name, _) = outer.record().filter(|(name, _)| !name.is_empty())?;
            let tagged = |layout: &str| layout.split_once('.').is_some_and(|(_, tag)| tag == name);
            let mut layouts = module.structs.iter().filter(|s| tagged(&s.name));
            layouts.find_map(|s| member_of(module, s, *at))
        }
    }
}

/// The source type of the member `at` bytes into a type.
fn member(module: &Module, ty: &Type, at: u64) -> Option<SourceType> {
    match ty {
        Type::Struct(id) => member_of(module, module.structure(*id), at),
        _ => None,
    }
}

fn member_of(module: &Module, layout: &Struct, at: u64) -> Option<SourceType> {
    let field = layout.offsets.iter().rposition(|offset| *offset <= at)?;
    match &layout.fields[field] {
        inner @ Type::Struct(_) => member(module, inner, at - layout.offsets[field]),
        _ => layout
            .field_types
            .get(field)
            .filter(|ty| **ty != SourceType::Unknown)
            .cloned(),
    }
}
