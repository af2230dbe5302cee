//! Of what type the variables are that numbers are made of.
//!
//! A symbol stands for the *value* of a variable, and what value the bits of an `int` are depends on whether it is
//! signed. A slot that is accessed with different widths (`*(unsigned char *)&n`) has no one value.

use crate::analysis::function::FunctionModel;
use crate::analysis::values::slots::SlotId;
use crate::program::ir::{Op, Operand, SourceType, Type};

/// What is known of a slot's type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SlotType {
    /// The slot's width, if all accesses agree on it.
    pub bits: Option<u32>,
    /// The slot's signedness, if the declaration is at hand.
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
    model.values.declared_type(slot)
}
