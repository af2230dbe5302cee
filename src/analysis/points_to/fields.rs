//! From types and address arithmetic to fields: which member a byte offset falls into, what a GEP does to a field, and
//! where in a type pointers can sit.
//!
//! Offsets are *collapsed*: every array on the way counts as its element 0. Types that contain a union are not split at
//! all, because two members of a union may lay different arrays over the same bytes, and collapsing would keep apart
//! what overlaps.

use crate::program::ir::{Module, Op, Operand, Struct, Type};
use crate::program::objects::Field;

/// What address arithmetic does to the field of a location.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FieldStep {
    /// Descends to a member this many bytes further.
    Member {
        /// Collapsed offset.
        bytes: u64,
        /// Where it moves between array elements: the collapsed bytes, from the location it starts at, of which there
        /// is then more than one.
        indexed: Option<(u64, u64)>,
    },
    /// Moves by bytes: known or not. May leave the member it started in.
    Raw(Option<i64>),
    /// Loses track of the member.
    Smear,
}

/// The type of an object's storage, where it is known.
#[derive(Clone, Debug)]
pub struct StorageLayout {
    /// The object's type; for a VLA its element's.
    pub ty: Type,
    /// The object is a VLA: any number of `ty`.
    pub repeated: bool,
}

/// Whether LLVM's name says that it is a union.
fn is_union(s: &Struct) -> bool {
    s.name.starts_with("union.")
}

/// Whether a union is part of the type.
pub fn contains_union(module: &Module, ty: &Type) -> bool {
    match ty {
        Type::Array(elem, _) => contains_union(module, elem),
        Type::Struct(id) => {
            let s = module.structure(*id);
            is_union(s) || s.fields.iter().any(|f| contains_union(module, f))
        }
        _ => false,
    }
}

/// The collapsed offset of the member of a `ty` that begins at byte `offset`; `None` where none does.
pub fn collapse(module: &Module, ty: &Type, offset: u64) -> Option<u64> {
    match ty {
        Type::Array(elem, n) => {
            let size = module.size_of(elem);
            (offset < size.saturating_mul(*n))
                .then(|| collapse(module, elem, offset % size))
                .flatten()
        }
        Type::Struct(id) => {
            let s = module.structure(*id);
            let member = s.offsets.iter().rposition(|&o| o <= offset)?;
            let start = s.offsets[member];
            // Padding belongs to no member; nothing the program stores lies there.
            (offset < s.size).then_some(())?;
            if offset - start >= module.size_of(&s.fields[member]).max(1) {
                return Some(offset);
            }
            Some(start + collapse(module, &s.fields[member], offset - start)?)
        }
        Type::Other(bytes) => (offset < *bytes).then_some(offset),
        // Bytes within a number or pointer are no member.
        _ => (offset == 0).then_some(0),
    }
}

/// Whether the member at collapsed `offset` of a layout is a byte array (or the layout one of bytes), so that byte
/// arithmetic from there stays inside it.
pub fn is_bytes(ty: &Type, offset: u64) -> bool {
    match ty {
        Type::Int(8) => offset == 0,
        Type::Array(elem, _) => is_bytes(elem, offset),
        _ => false,
    }
}

/// What a `Gep` with these operands does.
pub fn step(module: &Module, source_ty: &Type, indices: &[Operand]) -> FieldStep {
    let zero = |i: &Operand| matches!(i, Operand::Int(0) | Operand::Null);
    let Some((first, rest)) = indices.split_first() else {
        return FieldStep::Member {
            bytes: 0,
            indexed: None,
        };
    };
    if contains_union(module, source_ty) {
        return if indices.iter().all(zero) {
            FieldStep::Member {
                bytes: 0,
                indexed: None,
            }
        } else {
            FieldStep::Smear
        };
    }
    if *source_ty == Type::Int(8) && rest.is_empty() && !zero(first) {
        return match first {
            Operand::Int(n) => FieldStep::Raw(i64::try_from(*n).ok()),
            _ => FieldStep::Raw(None),
        };
    }
    let mut indexed = (!zero(first)).then(|| (0, module.size_of(source_ty)));
    let mut bytes = 0;
    let mut ty = source_ty;
    for index in rest {
        match (ty, index) {
            (Type::Array(elem, _), _) => {
                if !zero(index) {
                    let (lo, hi) = indexed.unwrap_or((bytes, 0));
                    indexed = Some((lo, hi.max(bytes + module.size_of(elem))));
                }
                ty = elem;
            }
            (Type::Struct(id), Operand::Int(n)) => {
                let s = module.structure(*id);
                let Some(member) = usize::try_from(*n).ok().filter(|&n| n < s.fields.len()) else {
                    return FieldStep::Smear;
                };
                bytes += s.offsets[member];
                ty = &s.fields[member];
            }
            (Type::Struct(id), Operand::Null) if !module.structure(*id).fields.is_empty() => {
                ty = &module.structure(*id).fields[0];
            }
            _ => return FieldStep::Smear,
        }
    }
    FieldStep::Member { bytes, indexed }
}

/// Adds `bytes` to a field of an object with this layout. `limit`: offsets from there on are not told apart in objects
/// of unknown type.
pub fn add(module: &Module, layout: Option<&StorageLayout>, limit: u64, field: Field, bytes: i64) -> Field {
    let Field::Offset(offset) = field else {
        return Field::Any;
    };
    let Some(moved) = offset.checked_add_signed(bytes) else {
        return Field::Any;
    };
    let Some(layout) = layout else {
        return if moved == 0 || moved < limit {
            Field::Offset(moved)
        } else {
            Field::Any
        };
    };
    if contains_union(module, &layout.ty) {
        return if moved == 0 { field } else { Field::Any };
    }
    let size = module.size_of(&layout.ty);
    let moved = if layout.repeated && size > 0 {
        moved % size
    } else {
        moved
    };
    collapse(module, &layout.ty, moved).map_or(Field::Any, Field::Offset)
}

/// Where a value of type `ty` can hold pointers: collapsed offset, and whether the type says it is one (an integer may
/// hold one too, by conversion or as raw bytes). Floating-point values hold none.
pub fn slots(module: &Module, ty: &Type) -> Vec<(u64, bool)> {
    let mut found = Vec::new();
    collect_slots(module, ty, 0, &mut found);
    found.sort_unstable();
    found.dedup_by_key(|s| s.0);
    found
}

fn collect_slots(module: &Module, ty: &Type, base: u64, found: &mut Vec<(u64, bool)>) {
    match ty {
        Type::Ptr => found.push((base, true)),
        Type::Int(_) => found.push((base, false)),
        Type::Array(elem, _) => collect_slots(module, elem, base, found),
        Type::Struct(id) => {
            let s = module.structure(*id);
            for (field, offset) in s.fields.iter().zip(&s.offsets) {
                collect_slots(module, field, base + offset, found);
            }
        }
        // Vectors and the anonymous pairs in which small structs are passed: a pointer in every word.
        Type::Other(bytes) => found.extend((0..bytes.div_ceil(8).min(8)).map(|i| (base + 8 * i, true))),
        Type::Void | Type::Float(_) => {}
    }
}

/// The collapsed offsets of arrays of numbers or pointers that are members of structs within the type, sorted: what one member
/// holds is apart from the others. A type with a union in it has none.
pub fn embedded(module: &Module, ty: &Type) -> Vec<u64> {
    let mut found = Vec::new();
    if !contains_union(module, ty) {
        collect_embedded(module, ty, 0, &mut found);
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn collect_embedded(module: &Module, ty: &Type, base: u64, found: &mut Vec<u64>) {
    match ty {
        Type::Array(elem, _) => collect_embedded(module, elem, base, found),
        Type::Struct(id) => {
            let s = module.structure(*id);
            for (field, offset) in s.fields.iter().zip(&s.offsets) {
                let mut bottom = field;
                while let Type::Array(elem, _) = bottom {
                    bottom = elem;
                }
                match bottom {
                    Type::Struct(_) => collect_embedded(module, bottom, base + offset, found),
                    _ if std::ptr::eq(bottom, field) => {}
                    _ => found.push(base + offset),
                }
            }
        }
        _ => {}
    }
}

/// Whether a value of this type can hold a pointer.
pub fn carries_pointers(ty: &Type) -> bool {
    !matches!(ty, Type::Void | Type::Float(_))
}

/// The largest struct of the module, in bytes: no member lies beyond.
pub fn largest_struct(module: &Module) -> u64 {
    module.structs.iter().map(|s| s.size).max().unwrap_or(0)
}

/// The type that an allocation's memory would have if `op` were its `Alloca`.
pub fn layout_of(op: &Op) -> Option<StorageLayout> {
    match op {
        Op::Alloca { ty, count } => Some(StorageLayout {
            ty: ty.clone(),
            repeated: count.is_some(),
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::ir_build::ModuleBuilder;

    fn sample() -> (Module, Type, Type) {
        let mut m = ModuleBuilder::default();
        let pair = m.structure("struct.pair", &[(Type::Ptr, 0), (Type::Ptr, 8)], 16);
        let three = Type::Array(Box::new(pair.clone()), 3);
        let outer = m.structure("struct.outer", &[(Type::Int(32), 0), (three, 8), (Type::Ptr, 56)], 64);
        m.structure("union.u", &[(outer.clone(), 0)], 64);
        (m.finish(), pair, outer)
    }

    #[test]
    fn array_elements_collapse_and_members_do_not() {
        let (m, _, outer) = sample();
        let of = |o| collapse(&m, &outer, o);
        assert_eq!(
            [of(0), of(8), of(24), of(32), of(48), of(56), of(64)].map(|o| o.unwrap_or(999)),
            [0, 8, 8, 16, 16, 56, 999]
        );
        let many = Type::Array(Box::new(outer.clone()), 10);
        assert_eq!(collapse(&m, &many, 64 * 3 + 32), Some(16));
        // A byte within a member may belong to any access that begins before it.
        assert_eq!([of(1), of(9), of(57)], [None, None, None]);
    }

    #[test]
    fn steps() {
        let (m, pair, outer) = sample();
        let int = Operand::Int;
        let path = [int(0), int(1), Operand::Arg(0), int(1)];
        assert_eq!(
            step(&m, &outer, &path),
            FieldStep::Member {
                bytes: 16,
                indexed: Some((8, 24))
            }
        );
        assert_eq!(
            step(&m, &pair, &[int(0), int(1)]),
            FieldStep::Member {
                bytes: 8,
                indexed: None
            }
        );
        assert_eq!(
            step(&m, &Type::Float(64), &[Operand::Arg(0)]),
            FieldStep::Member {
                bytes: 0,
                indexed: Some((0, 8))
            }
        );
        assert_eq!(step(&m, &Type::Int(8), &[int(-8)]), FieldStep::Raw(Some(-8)));
        let union = Type::Struct(crate::program::ir::StructId(2));
        assert_eq!(step(&m, &union, &[int(0), int(0), int(1)]), FieldStep::Smear);
    }

    #[test]
    fn adding_stays_inside_or_gives_up() {
        let (m, _, outer) = sample();
        let known = StorageLayout {
            ty: outer,
            repeated: false,
        };
        let add = |l: Option<&StorageLayout>, f, b| add(&m, l, 64, f, b);
        assert_eq!(add(Some(&known), Field::Offset(8), 8), Field::Offset(16));
        assert_eq!(add(Some(&known), Field::Offset(56), 8), Field::Any);
        assert_eq!(add(None, Field::Offset(8), -16), Field::Any);
        assert_eq!(add(None, Field::Offset(8), 48), Field::Offset(56));
        assert_eq!(add(None, Field::Offset(56), 8), Field::Any);
        assert_eq!(add(None, Field::Any, 8), Field::Any);
    }

    #[test]
    fn slots_of_structs() {
        let (m, _, outer) = sample();
        assert_eq!(slots(&m, &outer), [(0, false), (8, true), (16, true), (56, true)]);
        assert_eq!(slots(&m, &Type::Float(64)), []);
        assert_eq!(slots(&m, &Type::Other(16)), [(0, true), (8, true)]);
    }
}
