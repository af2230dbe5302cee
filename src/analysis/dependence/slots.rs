//! Of what type the variables are that numbers are made of.
//!
//! A symbol stands for the *value* of a variable, and what value the bits of an `int` are depends on whether it is
//! signed. A slot that is accessed with different widths (`*(unsigned char *)&n`) has no one value.

use crate::analysis::function::FunctionModel;
use crate::analysis::values::slots::{Places, SlotId, SlotKind};
use crate::program::ir::{InstId, Op, Operand, SourceType, Type};

/// What is known of a slot's type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SlotType {
    /// Its width, if all accesses agree on it.
    pub bits: Option<u32>,
    /// Its signedness, if the declaration is at hand.
    pub signed: Option<bool>,
}

/// The types of all slots of a function.
pub(super) fn slot_types(model: &FunctionModel<'_>) -> Vec<SlotType> {
    let function = model.function();
    let slots = &model.values.slots;
    let mut seen: Vec<Option<Option<u32>>> = vec![None; slots.len()];
    let mut note = |ptr: &Operand, ty: &Type| {
        let Some(slot) = slots.at(ptr, function) else { return };
        let bits = match ty {
            Type::Int(bits) => Some(*bits),
            _ => None,
        };
        let entry = &mut seen[slot.0 as usize];
        *entry = Some(entry.map_or(bits, |old| old.filter(|old| Some(*old) == bits)));
    };
    for id in function.inst_ids() {
        match &function.inst(id).op {
            Op::Load { ptr, .. } => note(ptr, &function.inst(id).ty),
            Op::Store { ptr, ty, .. } | Op::Atomic { ptr, ty, .. } => note(ptr, ty),
            _ => {}
        }
    }
    slots
        .ids()
        .map(|slot| SlotType {
            bits: seen[slot.0 as usize].flatten(),
            signed: signed(model, slot),
        })
        .collect()
}

fn signed(model: &FunctionModel<'_>, slot: SlotId) -> Option<bool> {
    match declared_type(model, slot)? {
        SourceType::Int { signed, .. } => Some(*signed),
        _ => None,
    }
}

/// The type that a variable or a member is declared with.
pub fn declared_type<'m>(model: &'m FunctionModel<'_>, slot: SlotId) -> Option<&'m SourceType> {
    let slot = model.values.slots.get(slot);
    match slot.kind {
        SlotKind::Local(v) => Some(&model.function().variables[v.0 as usize].source_type),
        SlotKind::Global(g) => model.module.global(g).source_type.as_ref(),
        SlotKind::GlobalField(g, bytes) => at_offset(model, &model.module.global(g).ty, bytes),
        _ => {
            // A member: the step of its address that names it.
            let Places::Address(Operand::Inst(address)) = &slot.places else {
                return None;
            };
            match (&slot.kind, member(model, *address)) {
                (SlotKind::Behind(outer, 0), None) => match declared_type(model, *outer)? {
                    SourceType::Pointer { to, .. } => Some(&**to),
                    _ => None,
                },
                (_, member) => member,
            }
        }
    }
}

/// The source type of the member of a struct that starts at a number of bytes.
fn at_offset<'m>(model: &'m FunctionModel<'_>, ty: &'m Type, bytes: u64) -> Option<&'m SourceType> {
    let Type::Struct(id) = ty else { return None };
    let layout = model.module.structure(*id);
    let field = layout.offsets.iter().rposition(|o| *o <= bytes)?;
    match &layout.fields[field] {
        inner @ Type::Struct(_) => at_offset(model, inner, bytes - layout.offsets[field]),
        _ if layout.offsets[field] == bytes => layout.field_types.get(field),
        _ => None,
    }
}

/// The source type of the struct member that an address computation steps to.
fn member<'m>(model: &'m FunctionModel<'_>, address: InstId) -> Option<&'m SourceType> {
    let Op::Gep {
        source_ty: Type::Struct(id),
        indices,
        ..
    } = &model.function().inst(address).op
    else {
        return None;
    };
    let [_, Operand::Int(field)] = indices.as_slice() else {
        return None;
    };
    model
        .module
        .structure(*id)
        .field_types
        .get(usize::try_from(*field).ok()?)
}
