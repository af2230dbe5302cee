//! The map item of each array: what is copied in, what out, and whether it is there to be copied.

use super::guard::Extent;
use super::members::read_members;
use super::rows::{declared_rows, whole_rows};
use super::spell::Speller;
use crate::analysis::access::element_bytes;
use crate::analysis::dependence::declared_type;
use crate::analysis::dependence::verdict::{ArrayUse, Condition, Parallel};
use crate::analysis::function::FunctionModel;
use crate::analysis::movement::mapped::{object_extent, shape, source_type};
use crate::analysis::values::eval::{Base, SymKind};
use crate::plan::file::FileFacts;
use crate::plan::{MapItem, MapType};
use crate::program::ir::SourceType;
use crate::symbolic::{Expr, Facts, Section};
use std::collections::BTreeMap;

/// What a kernel maps, and what has to hold for the sections to mean something.
pub(super) struct Maps {
    pub items: Vec<MapItem>,
    pub when: Vec<Condition>,
    /// The parts of arrays that it uses, scalars in memory included.
    pub extents: BTreeMap<Base, Extent>,
}

/// The map items of a loop, or why there are none. `names` are the pointer variables that the loop follows.
pub(super) fn maps(
    speller: &Speller<'_>,
    file: &FileFacts<'_>,
    p: &Parallel,
    names: &BTreeMap<Base, String>,
) -> Result<Maps, String> {
    let mut found = Maps {
        items: Vec::new(),
        when: vec![Condition::AtMost {
            left: p.counted.lo.clone(),
            right: p.counted.hi.clone(),
        }],
        extents: BTreeMap::new(),
    };
    for array in &p.arrays {
        let extent = if is_scalar(speller.at.model, array) {
            value(array)
        } else if let Some(read) = of_struct((speller, names), p, array)? {
            found
                .items
                .extend(read.into_iter().map(|name| MapItem::new(MapType::To, name)));
            value(array)
        } else {
            let (item, extent) = item((speller, file, names), p, array, &mut found.when)?;
            found.items.push(item);
            Some(extent)
        };
        found.extents.extend(extent.map(|e| (array.base, e)));
    }
    found.when.sort();
    found.when.dedup();
    Ok(found)
}

/// A scalar or pointer that is only read: the kernel gets its value, or the pointer to what is mapped.
fn is_scalar(model: &FunctionModel<'_>, array: &ArrayUse) -> bool {
    let scalar = matches!(
        source_type(model, array.base),
        Some(SourceType::Int { .. } | SourceType::Float { .. } | SourceType::Pointer { .. })
    );
    let at_home = match array.base {
        Base::Global(g) => !model.module.global(g).on_device,
        Base::Local(_) => true,
        Base::Value(_) => false,
    };
    scalar && at_home && array.written.is_none()
}

/// The members that are read of a struct whose pointers the loop follows.
fn of_struct(
    (speller, names): (&Speller<'_>, &BTreeMap<Base, String>),
    p: &Parallel,
    array: &ArrayUse,
) -> Result<Option<Vec<String>>, String> {
    let model = speller.at.model;
    let ty = match (array_type(model, array.base), array.base) {
        (Some(SourceType::Pointer { to, .. }), Base::Value(_)) => Some(&**to),
        (ty, _) => ty,
    };
    if !matches!(ty, Some(SourceType::Record { .. })) || array.written.is_some() {
        return Ok(None);
    }
    let name = match array.base {
        Base::Value(_) => names.get(&array.base).cloned(),
        _ => speller.at.base(array.base),
    };
    let name = name.ok_or("a struct that it uses has no name here")?;
    read_members(model, p.counted.stmt, array.base, &name)
}

/// The declared type of an array, or of the pointer that leads to it: a variable or a member.
fn array_type<'m>(model: &'m FunctionModel<'_>, base: Base) -> Option<&'m SourceType> {
    let of_slot = || match base {
        Base::Value(sym) => match model.values.kind(sym) {
            SymKind::Slot(slot, _) => declared_type(model, slot),
            _ => None,
        },
        _ => None,
    };
    source_type(model, base).or_else(of_slot)
}

/// The place of a scalar that is only read.
fn value(array: &ArrayUse) -> Option<Extent> {
    Some(Extent {
        section: array.read.clone()??,
        element: array.element,
        dims: Vec::new(),
    })
}

fn item(
    (speller, file, names): (&Speller<'_>, &FileFacts<'_>, &BTreeMap<Base, String>),
    p: &Parallel,
    array: &ArrayUse,
    when: &mut Vec<Condition>,
) -> Result<(MapItem, Extent), String> {
    let at = &speller.at;
    let model = at.model;
    let base = array.base;
    let name = match base {
        Base::Value(_) => names.get(&base).cloned(),
        _ => at.base(base),
    };
    let name = name.ok_or("an array that it uses has no name here")?;
    let is_array = matches!(
        array_type(model, base),
        Some(SourceType::Pointer { .. } | SourceType::Array { .. })
    );
    if !is_array {
        return Err(format!("`{name}` is no array"));
    }
    if let Base::Global(g) = base
        && model.module.global(g).on_device
    {
        return Err(format!("`{name}` is on the device already"));
    }
    let mut shape = shape(model, &file.macros, (at.gap, at.stmt), &[], &name);
    if shape.dims.is_none() {
        shape.dims = declared_rows(file, speller, &name);
    }
    let element = shape
        .element
        .or_else(|| array_type(model, base).and_then(element_bytes));
    if element != Some(array.element) {
        return Err(format!("`{name}` is used as elements of another type"));
    }
    let facts = known(p);
    let whole = object_extent(model, base, array.element);
    let section = section(array, whole.as_ref(), &facts, when)
        .ok_or_else(|| format!("it is not known how much of `{name}` there is"))?;
    let all = |section: &Section| whole.as_ref() == Some(section) && shape.array;
    let written = |section: Section| {
        let text = spelled(speller, &name, &section, &shape.dims, all(&section))?;
        Some((section, text))
    };
    // Rather all of it than a part that cannot be written, as a column.
    let in_rows = |section: &Section| whole_rows(section, shape.dims.as_deref()?, &facts).and_then(written);
    let part = written(section.clone()).or_else(|| in_rows(&section));
    let (section, text) = match (part, &whole) {
        (Some(part), _) => part,
        (None, Some(whole)) if shape.array => (whole.clone(), name.clone()),
        _ => {
            return Err(format!("the part of `{name}` that it uses cannot be written here"));
        }
    };
    let filled = array.read.is_none() && array.surely_written.as_ref() == Some(&section) && array.ends_exist.is_some();
    let is_const = match base {
        Base::Global(g) => model.module.global(g).constant,
        _ => false,
    };
    let map_type = match (&array.written, filled) {
        (None, _) => MapType::To,
        (Some(_), true) => MapType::From,
        (Some(_), false) => MapType::ToFrom,
    };
    if is_const && map_type != MapType::To {
        return Err(format!("`{name}` is constant"));
    }
    let extent = Extent {
        section,
        element: array.element,
        dims: shape.dims.unwrap_or_default(),
    };
    Ok((MapItem::new(map_type, text), extent))
}

/// What holds where the kernel runs.
fn known(p: &Parallel) -> Facts {
    let mut facts = Facts::new();
    facts.assume_le(&p.counted.lo, &p.counted.hi);
    for condition in p.arrays.iter().flat_map(|a| &a.ends_exist).flatten() {
        if let Condition::AtMost { left, right } = condition {
            facts.assume_le(left, right);
        }
    }
    facts
}

/// The elements to map: at least those that are touched, and all of them exist.
fn section(array: &ArrayUse, whole: Option<&Section>, facts: &Facts, when: &mut Vec<Condition>) -> Option<Section> {
    let touched = [&array.read, &array.written].into_iter().flatten();
    let mut all: Option<Section> = None;
    for reach in touched {
        // Somewhere in it: the whole array, if that has a known end.
        let section = reach.as_ref().or(whole)?;
        all = Some(match all {
            None => section.clone(),
            Some(so_far) => so_far.hull(section, facts)?,
        });
    }
    let mut all = all?;
    // Rather all of it than a part that takes a minimum to say.
    let plain = all.lo.has_plain_symbols() && all.hi.has_plain_symbols();
    if let Some(whole) = whole.filter(|_| !plain) {
        all = whole.clone();
    }
    let within = whole.is_some_and(|w| facts.prove_le(&w.lo, &all.lo) && facts.prove_le(&all.hi, &w.hi));
    match &array.ends_exist {
        Some(conditions) => when.extend(conditions.iter().cloned()),
        None if within && facts.prove_le(&all.lo, &all.hi) => {}
        None if within => when.push(Condition::AtMost {
            left: all.lo.clone(),
            right: all.hi.clone(),
        }),
        None => return None,
    }
    Some(all)
}

/// `a[0:n]`, `grid[0:n][0:64]`, `grid`.
fn spelled(
    speller: &Speller<'_>,
    name: &str,
    section: &Section,
    dims: &Option<Vec<Expr>>,
    all: bool,
) -> Option<String> {
    if all {
        return Some(name.to_owned());
    }
    let dims = dims.as_ref()?;
    let row = dims.iter().try_fold(Expr::constant(1), |p, d| p.mul(d))?;
    let exactly = |e: &Expr| e.div(&row).filter(|q| q.mul(&row).as_ref() == Some(e));
    let (lo, length) = (exactly(&section.lo)?, exactly(&section.len()?)?);
    let mut text = format!("{name}[{}:{}]", speller.text(&lo)?, speller.text(&length)?);
    for d in dims {
        text.push_str(&format!("[0:{}]", speller.text(d)?));
    }
    Some(text)
}
