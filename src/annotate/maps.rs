//! The map item of each array: what is copied in, what out, and whether it is there to be copied.

use super::given_back::given_back;
use super::guard::{Extent, assume, needed};
use super::members::read_members;
use super::named_constants::NamedConstants;
use super::rows::{WholeRows, whole_rows};
use super::spell::Speller;
use crate::analysis::access::element_bytes;
use crate::analysis::arrays::{object_extent, source_type};
use crate::analysis::dependence::canonical::is_fixed;
use crate::analysis::dependence::declared_type;
use crate::analysis::dependence::verdict::{Around, ArrayUse, Counted, Parallel, Requirement};
use crate::analysis::function::FunctionModel;
use crate::analysis::movement::mapped::{IndexShape, shape};
use crate::analysis::values::table::{Base, SymKind};
use crate::openmp::MapType;
use crate::plan::file::FileFacts;
use crate::plan::{MapItem, kernel_name};
use crate::program::ir::SourceType;
use crate::reasons::Serial;
use crate::symbolic::{Expr, Facts, Section};
use std::collections::{BTreeMap, BTreeSet};

/// What a kernel maps, and what has to hold for the sections to mean something.
pub(super) struct Maps {
    pub items: Vec<MapItem>,
    pub when: Vec<Requirement>,
    /// The parts of arrays that it uses, scalars in memory included.
    pub extents: BTreeMap<Base, Extent>,
}

/// The map items of a loop, or why there are none. `names` are the pointer variables that the loop follows.
pub(super) fn maps(
    speller: &Speller<'_>,
    file: &FileFacts<'_>,
    p: &Parallel,
    names: &BTreeMap<Base, String>,
) -> Result<Maps, Serial> {
    let mut found = Maps {
        items: Vec::new(),
        when: Vec::new(),
        extents: BTreeMap::new(),
    };
    for array in &p.arrays {
        let extent = if is_scalar(speller.at.model, array) {
            found.items.extend(of_scalar(speller, names, p, array)?);
            value(array)
        } else if let Some(read) = of_struct(speller, names, p, array)? {
            found
                .items
                .extend(read.into_iter().map(|name| MapItem::new(MapType::To, name)));
            value(array)
        } else {
            let (item, extent) = item(speller, file, names, p, array, &mut found.when)?;
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

/// How a scalar that is only read is mapped, if it has to be: else the kernel gets the value from the beginning.
///
/// A pointer to it (`int *p = &k;`) leads to something on the device only where the scalar is mapped. Where an array overlaps
/// it, the loop has to see what it writes, if it is the kernel's loop that runs there.
fn of_scalar(
    speller: &Speller<'_>,
    names: &BTreeMap<Base, String>,
    p: &Parallel,
    array: &ArrayUse,
) -> Result<Option<MapItem>, Serial> {
    let model = speller.at.model;
    let followed = names.contains_key(&array.base);
    let protects = || p.conditions.iter().any(|c| c.protects(&BTreeSet::from([array.base])));
    if !followed && (p.may_write_bound() || !protects()) {
        return Ok(None);
    }
    let name = speller.at.base(array.base).ok_or(Serial::VariableNameless)?;
    match source_type(model, array.base) {
        // A pointer cannot be mapped and followed.
        Some(SourceType::Pointer { .. }) if followed => Err(Serial::PointerInto),
        // What is written as numbers is no pointer afterwards.
        Some(SourceType::Pointer { .. }) if writes_pointers(model, p) => Err(Serial::PartOfWritten { name }),
        Some(SourceType::Pointer { .. }) => Ok(None),
        _ => Ok(Some(MapItem::new(MapType::To, name))),
    }
}

/// Whether it may write pointers, or bytes of them.
fn writes_pointers(model: &FunctionModel<'_>, p: &Parallel) -> bool {
    let numbers = |array: &ArrayUse| {
        let element = match array_type(model, array.base) {
            Some(SourceType::Pointer { to, .. }) => Some(&**to),
            Some(SourceType::Array { elem, .. }) => Some(&**elem),
            other => other,
        };
        matches!(
            element,
            Some(SourceType::Int { bytes: 2.., .. } | SourceType::Float { .. })
        )
    };
    !p.arrays.iter().filter(|a| a.written.is_some()).all(numbers)
}

/// The members that are read of a struct whose pointers the loop follows.
fn of_struct(
    speller: &Speller<'_>,
    names: &BTreeMap<Base, String>,
    p: &Parallel,
    array: &ArrayUse,
) -> Result<Option<Vec<String>>, Serial> {
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
    let name = name.ok_or(Serial::StructNameless)?;
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
    speller: &Speller<'_>,
    file: &FileFacts<'_>,
    names: &BTreeMap<Base, String>,
    p: &Parallel,
    array: &ArrayUse,
    when: &mut Vec<Requirement>,
) -> Result<(MapItem, Extent), Serial> {
    let model = speller.at.model;
    let base = array.base;
    let name = array_name(speller, names, base)?;
    let shape = shape_of(speller, file, array, &name)?;
    let mover = |l: &&Counted| array.loops.contains(&l.stmt);
    let constants = NamedConstants::of_loops(file, speller, loops(p).filter(mover));
    let dims = shape.dims.as_deref().unwrap_or_default();
    let speller = &speller.with(constants.of_array(file, speller, &name, dims));
    let whole = object_extent(model, base, array.element);
    let whole = whole.filter(|_| array.ends_exist.is_some() || !given_back(model, base, p.counted.stmt));
    if whole.as_ref().is_some_and(|w| passes(p, array, w)) {
        return Err(Serial::OnlyConditions { name });
    }
    let named = NamedArray {
        speller,
        p,
        array,
        name,
        shape,
        whole,
    };
    let (chosen, text) = named.choose(named.own(file))?;
    let section = chosen.section;
    when.extend(chosen.when);
    let filled = array.read.is_none() && array.surely_written.as_ref() == Some(&section) && array.ends_exist.is_some();
    let is_const = match base {
        Base::Global(g) => model.module.global(g).constant,
        _ => false,
    };
    let map_type = match (&array.written, filled) {
        (None, _) => MapType::To,
        (Some(_), true) => MapType::From,
        (Some(_), false) => MapType::Tofrom,
    };
    if is_const && map_type != MapType::To {
        return Err(Serial::Constant { name: named.name });
    }
    let extent = Extent {
        section,
        element: array.element,
        dims: named.shape.dims.unwrap_or_default(),
    };
    Ok((MapItem::new(map_type, text), extent))
}

/// The name of an array that may be mapped.
fn array_name(speller: &Speller<'_>, names: &BTreeMap<Base, String>, base: Base) -> Result<String, Serial> {
    let model = speller.at.model;
    let name = match base {
        Base::Value(_) => names.get(&base).cloned(),
        _ => speller.at.base(base),
    };
    let name = name.ok_or(Serial::ArrayNameless)?;
    let is_array = matches!(
        array_type(model, base),
        Some(SourceType::Pointer { .. } | SourceType::Array { .. })
    );
    if !is_array {
        return Err(Serial::NoArray { name });
    }
    if let Base::Global(g) = base {
        let global = model.module.global(g);
        if global.on_device {
            return Err(Serial::OnDevice { name });
        }
        // What the compiler makes of a string literal, or of a list of values.
        if !global.name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') || global.name.contains('.') {
            return Err(Serial::Literal);
        }
    }
    Ok(name)
}

/// The shape of an array that is used as elements of its own type.
fn shape_of(speller: &Speller<'_>, file: &FileFacts<'_>, array: &ArrayUse, name: &str) -> Result<IndexShape, Serial> {
    let at = &speller.at;
    let shape = shape(at.model, &file.macros, at.gap, at.stmt, std::iter::empty(), name);
    let element = shape
        .element
        .or_else(|| array_type(at.model, array.base).and_then(element_bytes));
    if element != Some(array.element) {
        let name = name.to_owned();
        return Err(Serial::OtherType { name });
    }
    Ok(shape)
}

/// An array that a loop uses, with what it takes to write a section of it.
struct NamedArray<'a> {
    speller: &'a Speller<'a>,
    p: &'a Parallel,
    array: &'a ArrayUse,
    name: String,
    shape: IndexShape,
    /// All of it, where that is known.
    whole: Option<Section>,
}

impl NamedArray<'_> {
    /// The part that the loop uses. Rather all of it than a part that only numbers say, where these would be other
    /// ones elsewhere.
    fn own(&self, file: &FileFacts<'_>) -> Option<MapCandidate> {
        let own = MapCandidate::own(self.p, self.array, self.whole.as_ref(), file.options.speculate);
        let whole_only = || {
            let function = self.speller.at.model.function().name.clone();
            let name = (function, kernel_name(self.p.counted.stmt));
            file.options.whole_only.contains(&name)
        };
        own.map(|own| match &self.whole {
            Some(whole) if !own.section.has_no_numbers() && whole_only() => MapCandidate {
                section: whole.clone(),
                ..own
            },
            _ => own,
        })
    }

    /// The part to map, with its text. Rather the rows that it is in than a part that cannot be written; rather what the
    /// loops around use of it than a part that takes a minimum to say; and rather all of it than nothing.
    fn choose(&self, own: Option<MapCandidate>) -> Result<(MapCandidate, String), Serial> {
        let NamedArray { p, array, name, .. } = self;
        let around = || p.around.iter().filter_map(|a| MapCandidate::around(a, array));
        let written = |c: MapCandidate| self.written(c);
        let simple = |c: &MapCandidate| is_plain(&c.section);
        let part = own.clone().filter(|c| simple(c) && self.is_steady(c)).and_then(written);
        let part = part.or_else(|| around().filter(simple).find_map(written));
        let part = part.or_else(|| own.clone().and_then(written));
        match (part, &self.whole) {
            (Some(part), _) => Ok(part),
            (None, Some(whole)) if self.shape.array => Ok((MapCandidate::all(whole), name.clone())),
            (None, _) if own.is_none() => Err(Serial::SizeUnknown { name: name.clone() }),
            _ => Err(Serial::PartUnwritable { name: name.clone() }),
        }
    }

    /// A part with its text, or the rows that it is in with theirs.
    fn written(&self, c: MapCandidate) -> Option<(MapCandidate, String)> {
        match self.section_text(&c.section) {
            Some(text) => Some((c, text)),
            None => {
                let rows = c.in_rows(self.shape.dims.as_deref()?)?;
                let text = self.section_text(&rows.section)?;
                Some((rows, text))
            }
        }
    }

    /// Whether no condition keeps the array from staying over a loop around, by being another one in each iteration of it.
    fn is_steady(&self, c: &MapCandidate) -> bool {
        let model = self.speller.at.model;
        let mut outer = self.p.around.iter().map(|a| a.stmt);
        let needed = needed(c.when.iter(), &self.speller.known());
        let fixed = |c: &&Requirement, s| match c {
            Requirement::AtMost { left, right } => is_fixed(model, left, s) && is_fixed(model, right, s),
            // What keeps an array from being there keeps it from staying.
            Requirement::Branch(_) => true,
            _ => false,
        };
        outer.all(|s| needed.iter().all(|c| fixed(c, s)))
    }

    /// `a[0:n]`, `grid[0:n][0:64]`, `grid`.
    fn section_text(&self, section: &Section) -> Option<String> {
        let NamedArray {
            speller, name, shape, ..
        } = self;
        if self.whole.as_ref() == Some(section) && shape.array {
            return Some(name.clone());
        }
        let dims = shape.dims.as_ref()?;
        let row = dims.iter().try_fold(Expr::constant(1), |p, d| p.mul(d))?;
        let exactly = |e: &Expr| e.div(&row).filter(|q| q.mul(&row).as_ref() == Some(e));
        let (lo, length) = (exactly(&section.lo)?, exactly(&section.len()?)?);
        let mut text = format!("{name}[{}:{}]", speller.text(&lo)?, speller.text(&length)?);
        for d in dims {
            text.push_str(&format!("[0:{}]", speller.text(d)?));
        }
        Some(text)
    }
}

/// A nest's loops in text order.
pub(super) fn loops(p: &Parallel) -> impl Iterator<Item = &Counted> {
    std::iter::once(&p.counted).chain(&p.inner)
}

/// What holds where the kernel runs.
fn known(p: &Parallel) -> Facts {
    let mut facts = Facts::new();
    facts.assume_le(&p.counted.lo, &p.counted.hi);
    for condition in p.arrays.iter().flat_map(|a| &a.ends_exist).flatten() {
        if let Requirement::AtMost { left, right } = condition {
            facts.assume_le(left, right);
        }
    }
    facts
}

/// Whether no bound takes a minimum or maximum to say.
fn is_plain(section: &Section) -> bool {
    section.lo.has_plain_symbols() && section.hi.has_plain_symbols()
}

/// That one section neither begins nor ends behind another.
fn in_order(first: &Section, second: &Section) -> Option<Vec<Requirement>> {
    let at_most = |left: &Expr, right: &Expr| Requirement::AtMost {
        left: left.clone(),
        right: right.clone(),
    };
    let plain = is_plain(first) && is_plain(second);
    plain.then(|| vec![at_most(&first.lo, &second.lo), at_most(&first.hi, &second.hi)])
}

fn contradicts(condition: &Requirement, facts: &Facts) -> bool {
    matches!(condition, Requirement::AtMost { left, right } if facts.prove_lt(right, left))
}

/// Whether, conditions apart, a loop or those around it surely come to an index that an array does not have. What is copied
/// for such a loop would have to be cut off at the array's end.
fn passes(p: &Parallel, array: &ArrayUse, whole: &Section) -> bool {
    let facts = known(p);
    let around = p.around.iter().flat_map(|a| &a.arrays);
    let all = around.filter(|a| a.base == array.base && a.element == array.element);
    let mut parts = all
        .chain([array])
        .flat_map(|a| [&a.read, &a.written])
        .flatten()
        .flatten();
    parts.any(|s| facts.prove_lt(&whole.hi, &s.hi) || facts.prove_lt(&s.lo, &whole.lo))
}

/// Elements to map: at least those that are touched, and all of them exist.
#[derive(Clone)]
struct MapCandidate {
    section: Section,
    /// Where that holds.
    when: Vec<Requirement>,
    facts: Facts,
}

impl MapCandidate {
    /// What the loop touches of an array. With `speculate` it may be more than that, as long as it exists.
    fn own(p: &Parallel, array: &ArrayUse, whole: Option<&Section>, speculate: bool) -> Option<MapCandidate> {
        let mut facts = known(p);
        let mut asked = Vec::new();
        let runs = Requirement::AtMost {
            left: p.counted.lo.clone(),
            right: p.counted.hi.clone(),
        };
        let touched = [&array.read, &array.written].into_iter().flatten();
        let mut all: Option<Section> = None;
        for reach in touched {
            // Somewhere in it: the whole array, if that has a known end.
            let section = reach.as_ref().or(whole)?;
            all = Some(match all {
                None => section.clone(),
                Some(so_far) => {
                    // There is a test anyway: it may as well ask which of the two begins first.
                    let order = || match section.lo.as_constant() {
                        Some(_) => in_order(section, &so_far),
                        None => in_order(&so_far, section),
                    };
                    if !p.conditions.is_empty() && !is_plain(&so_far.hull(section, &facts)?) {
                        let order = order().filter(|o| o.iter().all(|c| !contradicts(c, &facts)));
                        order.iter().flatten().for_each(|c| assume(&mut facts, c));
                        asked.extend(order.into_iter().flatten());
                    }
                    so_far.hull(section, &facts)?
                }
            });
        }
        let mut all = all?;
        // Rather all of it than a part that takes a minimum to say.
        if let Some(whole) = whole.filter(|_| !is_plain(&all)) {
            all = whole.clone();
        }
        let within = whole.is_some_and(|w| facts.prove_le(&w.lo, &all.lo) && facts.prove_le(&all.hi, &w.hi));
        let mut when = asked;
        when.push(runs);
        match &array.ends_exist {
            Some(conditions) => when.extend(conditions.iter().cloned()),
            None if within && facts.prove_le(&all.lo, &all.hi) => {}
            None if within => when.push(Requirement::AtMost {
                left: all.lo.clone(),
                right: all.hi.clone(),
            }),
            // All that there is, where that is known; never what there may not be.
            None => return whole.filter(|_| speculate).map(MapCandidate::all),
        }
        Some(MapCandidate {
            section: all,
            when,
            facts,
        })
    }

    /// What a loop around touches of an array: that exists as long as the loop runs.
    fn around(around: &Around, array: &ArrayUse) -> Option<MapCandidate> {
        let used = around.arrays.iter().find(|a| a.base == array.base)?;
        if used.element != array.element {
            return None;
        }
        let mut when = around.when.clone();
        when.extend(used.ends_exist.clone()?);
        if !when.iter().all(|c| matches!(c, Requirement::AtMost { .. })) {
            return None;
        }
        let mut facts = Facts::new();
        when.iter().for_each(|c| assume(&mut facts, c));
        let parts = [&used.read, &used.written].into_iter().flatten();
        let parts: Vec<Section> = parts.cloned().collect::<Option<_>>()?;
        let section = parts.into_iter().map(Some).reduce(|a, b| a?.hull(&b?, &facts))??;
        Some(MapCandidate { section, when, facts })
    }

    /// All of an array whose end is known.
    fn all(whole: &Section) -> MapCandidate {
        MapCandidate {
            section: whole.clone(),
            when: Vec::new(),
            facts: Facts::new(),
        }
    }

    fn in_rows(self, dims: &[Expr]) -> Option<MapCandidate> {
        let WholeRows { section, when: asked } = whole_rows(&self.section, dims, &self.facts)?;
        if asked.iter().any(|asked| contradicts(asked, &self.facts)) {
            return None;
        }
        let (mut when, mut facts) = (self.when, self.facts);
        asked.iter().for_each(|asked| assume(&mut facts, asked));
        when.extend(asked);
        Some(MapCandidate { section, when, facts })
    }
}
