//! Members of structs, and elements of arrays, by their place in memory: what they are called, of which type they are, where addresses lead.

use crate::program::ir::{Function, Module, Op, Operand, Type};

/// The struct type that the outermost GEP of an address chain steps into.
pub(super) fn innermost_struct(function: &Function, address: &Operand) -> Option<Type> {
    let Operand::Inst(id) = address else { return None };
    let Op::Gep { base, source_ty, .. } = &function.inst(*id).op else {
        return None;
    };
    if let Operand::Inst(b) = base
        && matches!(function.inst(*b).op, Op::Gep { .. })
    {
        return innermost_struct(function, base);
    }
    Some(source_ty.clone())
}

/// `v.a.b` for a member of a variable, `v[2]` for an element of one; `None` where it has no name.
pub(super) fn place_path(module: &Module, variable: &str, ty: &Type, offset: u64) -> Option<String> {
    match ty {
        Type::Array(..) => Some(format!("{variable}[{}]", element_index(module, ty, offset)?)),
        _ => Some(format!("{variable}.{}", member_path(module, ty, offset)?)),
    }
}

/// Which element of an array of numbers begins at `offset`.
fn element_index(module: &Module, array: &Type, offset: u64) -> Option<u64> {
    let Type::Array(element, count) = array else {
        return None;
    };
    let bytes = module.size_of(element).max(1);
    (is_scalar(element) && offset.is_multiple_of(bytes) && offset / bytes < *count).then_some(offset / bytes)
}

/// `a.b` for the member at `offset` of `ty`; `None` when the names are unknown or it is no scalar member.
pub fn member_path(module: &Module, ty: &Type, offset: u64) -> Option<String> {
    let Type::Struct(id) = ty else { return None };
    let layout = module.structure(*id);
    let field = (0..layout.fields.len()).rev().find(|&i| layout.offsets[i] <= offset)?;
    let name = layout.field_names.get(field).filter(|n| !n.is_empty())?.clone();
    let rest = offset - layout.offsets[field];
    match &layout.fields[field] {
        inner @ Type::Struct(_) => Some(format!("{name}.{}", member_path(module, inner, rest)?)),
        _ if rest == 0 => Some(name),
        _ => None,
    }
}

/// The type of the scalar member with a name that begins at `offset`.
pub(super) fn member_type(module: &Module, ty: &Type, offset: u64) -> Option<Type> {
    let Type::Struct(id) = ty else {
        return (offset == 0 && is_scalar(ty)).then(|| ty.clone());
    };
    let layout = module.structure(*id);
    let field = (0..layout.fields.len()).rev().find(|&i| layout.offsets[i] <= offset)?;
    layout.field_names.get(field).filter(|n| !n.is_empty())?;
    member_type(module, &layout.fields[field], offset - layout.offsets[field])
}

/// Byte offset of constant indices, the first of which must be zero.
pub fn const_offset(module: &Module, source_ty: &Type, indices: &[Operand]) -> Option<u64> {
    let mut ty = source_ty.clone();
    let mut bytes = 0u64;
    for (i, index) in indices.iter().enumerate() {
        let Operand::Int(value) = index else { return None };
        let value = u64::try_from(*value).ok()?;
        if i == 0 {
            if value != 0 {
                return None;
            }
            continue;
        }
        match &ty {
            Type::Struct(id) => {
                let layout = module.structure(*id);
                bytes += layout.offsets.get(value as usize)?;
                ty = layout.fields.get(value as usize)?.clone();
            }
            // An element of an array member is not a slot.
            _ => return None,
        }
    }
    Some(bytes)
}

/// Integers and pointers: the values that subscripts, bounds and bases are made of.
pub fn is_scalar(ty: &Type) -> bool {
    matches!(ty, Type::Int(_) | Type::Ptr)
}
