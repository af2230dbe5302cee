//! Gives LLVM's structs the field names and types of the source.
//!
//! LLVM knows `%struct.sim = type { ptr, i32 }`, debug information knows `struct sim { double *x; int n; }`, and nothing
//! ties the two together but the tag, the size and the offsets. A struct is matched to the one record of its name and
//! size (two different ones: none, a wrong name in a user's file is worse than none), then members by offset. A struct
//! without a tag of its own is reached through the member that holds it.

use rustc_hash::{FxHashMap, FxHashSet};

use super::debug::Debug;
use super::raw::{Kind, Metadata, tag};
use crate::program::ir::{Struct, StructId, Type};

/// Records by name and size; `None` where two different ones share both.
type Records<'m> = FxHashMap<(String, u64), Option<Metadata<'m>>>;

/// Names the fields of `structs` from the records reachable from `roots` (types, members, parameter lists).
pub(super) fn name_fields<'m>(structs: &mut [Struct], roots: Vec<Metadata<'m>>, debug: &mut Debug<'m>) {
    if structs.is_empty() {
        return;
    }
    let records = reachable(roots);
    let mut bound = vec![false; structs.len()];
    let mut work = Vec::new();
    for (index, structure) in structs.iter().enumerate() {
        let key = (tag_of(&structure.name).to_owned(), structure.size);
        if let Some(Some(record)) = records.get(&key) {
            work.push((index, *record));
        }
    }
    while let Some((index, record)) = work.pop() {
        if std::mem::replace(&mut bound[index], true) {
            continue;
        }
        for (field, member) in matching(&structs[index], record) {
            let ty = member.base_type();
            structs[index].field_names[field] = member.type_name();
            structs[index].field_types[field] = debug.source_type(ty);
            if let (Some(StructId(inner)), Some(record)) = (struct_in(&structs[index].fields[field]), record_in(ty)) {
                let inner_size = structs[inner as usize].size;
                if tag_of(&structs[inner as usize].name) == "anon" && record.type_bytes() == inner_size {
                    work.push((inner as usize, record));
                }
            }
        }
    }
}

/// `sim` of `struct.sim` and `union.sim.3`; empty for a literal struct.
fn tag_of(name: &str) -> &str {
    let name = name
        .strip_prefix("struct.")
        .or_else(|| name.strip_prefix("union."))
        .unwrap_or("");
    match name.rsplit_once('.') {
        Some((tag, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => tag,
        _ => name,
    }
}

/// Every named record below `roots`.
fn reachable(roots: Vec<Metadata<'_>>) -> Records<'_> {
    let mut records = Records::default();
    let mut seen: FxHashSet<Metadata> = roots.iter().copied().collect();
    let mut work = roots;
    while let Some(node) = work.pop() {
        let mut next = Vec::new();
        match node.kind() {
            Kind::Composite => {
                if is_record(node) {
                    add(&mut records, node.type_name(), node);
                }
                next = node.elements();
                next.extend(node.base_type());
            }
            Kind::Derived => {
                let base = node.base_type();
                if node.tag() == tag::TYPEDEF
                    && let Some(record) = base.filter(|&b| is_record(b) && b.type_name().is_empty())
                {
                    add(&mut records, node.type_name(), record);
                }
                next.extend(base);
            }
            Kind::Subroutine | Kind::Tuple => next = node.nodes(),
            _ => {}
        }
        work.extend(next.into_iter().filter(|&node| seen.insert(node)));
    }
    records
}

fn add<'m>(records: &mut Records<'m>, name: String, record: Metadata<'m>) {
    if !name.is_empty() && record.type_bytes() > 0 {
        let slot = records.entry((name, record.type_bytes())).or_insert(Some(record));
        if slot.is_some_and(|other| other != record) {
            *slot = None;
        }
    }
}

fn is_record(node: Metadata) -> bool {
    node.kind() == Kind::Composite && matches!(node.tag(), tag::STRUCT | tag::UNION)
}

/// Pairs of a field index and the one member at that field's offset.
fn matching<'m>(structure: &Struct, record: Metadata<'m>) -> Vec<(usize, Metadata<'m>)> {
    if record.tag() == tag::UNION {
        return Vec::new();
    }
    let members: Vec<(u64, Metadata)> = record
        .elements()
        .into_iter()
        .filter(|m| m.kind() == Kind::Derived && m.tag() == tag::MEMBER)
        .filter_map(|member| Some((member.member_offset()?, member)))
        .collect();
    let fields = structure.offsets.iter().enumerate();
    let pairs = fields.filter_map(|(field, offset)| {
        let mut here = members.iter().filter(|(at, _)| at == offset);
        let (_, member) = here.next()?;
        here.next().is_none().then_some((field, *member))
    });
    pairs.collect()
}

/// The struct that a field is, or is an array of.
fn struct_in(ty: &Type) -> Option<StructId> {
    match ty {
        Type::Struct(id) => Some(*id),
        Type::Array(elem, _) => struct_in(elem),
        _ => None,
    }
}

/// The record that a member's type is, or is an array of, behind typedefs and qualifiers.
fn record_in(ty: Option<Metadata>) -> Option<Metadata> {
    let mut at = ty?;
    loop {
        match at.kind() {
            Kind::Composite if is_record(at) => return Some(at),
            Kind::Composite if at.tag() == tag::ARRAY => at = at.base_type()?,
            Kind::Derived if at.tag() != tag::POINTER => at = at.base_type()?,
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::tag_of;

    #[test]
    fn tags() {
        assert_eq!(tag_of("struct.sim"), "sim");
        assert_eq!(tag_of("union.u.12"), "u");
        assert_eq!(tag_of("struct.anon.0"), "anon");
        assert_eq!(tag_of(""), "");
    }
}
