//! What each kernel maps: its clause items resolved to bases and element sections.

use super::scope::NameScope;
use crate::analysis::access::{element_bytes, split};
use crate::analysis::arrays::{element_of, object_extent, source_type};
use crate::analysis::cexpr::{Macros, evaluate};
use crate::analysis::function::FunctionModel;
use crate::analysis::rows::{are_lengths_kept, row_lengths};
use crate::analysis::values::table::{Base, PtrVal};
use crate::openmp::{Item, MapType};
use crate::program::graph::NodeId;
use crate::program::ir::SourceType;
use crate::program::objects::MemLoc;
use crate::symbolic::{Expr, Section};
use crate::syntax::StmtId;

/// A map item of a kernel.
#[derive(Clone, Debug)]
pub struct Mapped {
    /// The type written.
    pub map_type: MapType,
    /// What it maps.
    pub base: Base,
    /// Elements of the base; `None` when the section could not be evaluated or is zero-length by default.
    pub section: Option<Section>,
    /// Lengths of the dimensions below the outermost, as the item gives them.
    pub inner: Vec<Expr>,
    /// The item stands for memory of its own: an array, a section, a pointer; not a scalar or a struct.
    pub is_array: bool,
    /// The item maps a pointer variable (`map(p)` without a section), not what it points to.
    pub pointer_itself: bool,
    /// The item as a section of other arrays, one of which it maps (`double *last = c ? a : b;`).
    pub perhaps: Vec<(Base, Option<Section>)>,
    /// The item as written.
    pub item: Item,
}

/// A map item of a kernel by a name whose value nothing in the function asks for: no array that the function knows, and what it maps may
/// be any of them.
#[derive(Clone, Debug)]
pub struct UnnamedMap {
    /// The item as written.
    pub item: Item,
    /// Where that may lie which it maps; `None`: anywhere.
    pub places: Option<Vec<MemLoc>>,
}

/// The items of a kernel's `map` clauses that are not among those resolved.
pub fn unnamed(model: &FunctionModel<'_>, macros: &Macros, launch: usize, resolved: &[Mapped]) -> Vec<UnnamedMap> {
    let l = &model.constructs.launches[launch];
    let scope = NameScope::before(model, macros, l.stmt);
    let is_number = |item: &Item| {
        let declared = scope.as_ref().and_then(|s| s.declared(&item.path.to_string()));
        item.is_whole_variable() && matches!(declared, Some(SourceType::Int { .. } | SourceType::Float { .. }))
    };
    let items = l.maps.iter().map(|(_, item)| item);
    let missing = items.filter(|item| !resolved.iter().any(|m| m.item.span == item.span) && !is_number(item));
    let names = model.item_scope(macros);
    let unnamed = missing.map(|item| UnnamedMap {
        item: item.clone(),
        places: names.mapped(item),
    });
    unnamed.collect()
}

/// Resolves the items of a kernel's `map` clauses.
pub fn mapped(model: &FunctionModel<'_>, macros: &Macros, launch: usize) -> Vec<Mapped> {
    let l = &model.constructs.launches[launch];
    mapped_before(model, macros, l.stmt, &l.maps)
}

/// Whether an item has more brackets than its variable dimensions: then it names what pointers in the array lead to.
pub fn leads_on(scope: &NameScope<'_>, item: &Item) -> bool {
    let indexed = scope.indexed(&item.path.to_string());
    indexed.is_some_and(|ty| item.sections.len() > dimensions(ty))
}

/// How often a variable can be indexed before a pointer in it is followed.
fn dimensions(ty: &SourceType) -> usize {
    match ty {
        SourceType::Array { dims, .. } => dims.len(),
        SourceType::Pointer { to, .. } if matches!(**to, SourceType::Array { .. }) => 1 + dimensions(to),
        _ => 1,
    }
}

/// Resolves the map items of any directive that stands before a statement.
pub fn mapped_before(
    model: &FunctionModel<'_>,
    macros: &Macros,
    stmt: StmtId,
    items: &[(MapType, Item)],
) -> Vec<Mapped> {
    let Some(scope) = NameScope::before(model, macros, stmt) else {
        return Vec::new();
    };
    items
        .iter()
        .filter_map(|(map_type, item)| {
            let (base, offset) = scope.base(&item.path.to_string())?;
            let (section, inner) = section(model, &scope, item, base, &offset).unzip();
            let path = item.path.to_string();
            (!leads_on(&scope, item)).then_some(())?;
            let declared = scope.declared(&path).and_then(element_bytes);
            let element = declared.or_else(|| element_of(model, base));
            let scalar = |ty: &SourceType| !matches!(ty, SourceType::Pointer { .. } | SourceType::Array { .. });
            Some(Mapped {
                pointer_itself: item.sections.is_empty()
                    && !matches!(
                        scope.declared(&path),
                        Some(SourceType::Array { .. } | SourceType::Record { .. })
                    ),
                is_array: !item.sections.is_empty() || !scope.declared(&path).is_none_or(scalar),
                map_type: *map_type,
                perhaps: element.map_or_else(Vec::new, |e| perhaps(model, base, section.as_ref(), e)),
                base,
                section,
                inner: inner.unwrap_or_default(),
                item: item.clone(),
            })
        })
        .collect()
}

/// A section of what a base points to as one of other arrays; nothing where these are not known.
fn perhaps(
    model: &FunctionModel<'_>,
    base: Base,
    section: Option<&Section>,
    element: u64,
) -> Vec<(Base, Option<Section>)> {
    let offset = Expr::zero();
    let among = model.values.choice(&PtrVal { base, offset });
    let each = among.iter().flatten().map(|at| {
        let (shift, rest) = split(&at.offset, element)?;
        let moved = |s: &Section| {
            let (lo, hi) = (s.lo.add(&shift)?, s.hi.add(&shift)?);
            Some(Section { lo, hi })
        };
        (rest == 0).then(|| (at.base, section.and_then(moved)))
    });
    each.collect::<Option<_>>().unwrap_or_default()
}

/// The shape under which a name is indexed at a point of the text.
///
/// The shape belongs to the name and not to the object: `int grid[9][8], *row = grid[0];` has `grid[i]` step over eight
/// elements and `row[i]` over one, of the same object.
pub struct IndexShape {
    /// Lengths of the dimensions below the outermost, as far as they are known: declared, or as the user's map items
    /// give them (a variable-length array's are in no type).
    pub dims: Option<Vec<Expr>>,
    /// A part of a row can be named: rows are as long as what is written says here.
    pub parts: bool,
    /// Bytes per element, where declared.
    pub element: Option<u64>,
    /// The name is a declared array and not a pointer: alone, without a section, it stands for all of it.
    pub array: bool,
}

/// The shape of `path` at a gap (with the statement that scopes it).
pub fn shape<'m>(
    model: &FunctionModel<'_>,
    macros: &Macros,
    gap: NodeId,
    at: StmtId,
    mut mapped: impl Iterator<Item = &'m Mapped>,
    path: &str,
) -> IndexShape {
    let scope = NameScope::gap(model, macros, gap, at);
    let base = scope.base(path).map(|(base, _)| base);
    let declared = row_lengths(&scope, path);
    let dims = declared.or_else(|| {
        mapped
            .find(|m| Some(m.base) == base && !m.inner.is_empty() && m.item.path.to_string() == path)
            .map(|m| m.inner.clone())
    });
    IndexShape {
        parts: are_lengths_kept(&scope, path),
        dims,
        element: scope.declared(path).and_then(element_bytes),
        array: matches!(scope.declared(path), Some(SourceType::Array { .. }))
            && match base {
                Some(Base::Value(_)) => false,
                // `extern double u[];` names no more than where it starts.
                Some(Base::Global(g)) => model
                    .module
                    .seen(model.function().unit, g)
                    .is_some_and(|seen| seen.complete),
                _ => true,
            },
    }
}

/// Whether an item's path names this base at a gap (with the statement that scopes it), and its section is `expected`
/// there; any section will do for `None`.
pub fn means_the_same(
    model: &FunctionModel<'_>,
    macros: &Macros,
    gap: NodeId,
    at: StmtId,
    item: &Item,
    base: Base,
    expected: Option<&Section>,
) -> bool {
    let scope = NameScope::gap(model, macros, gap, at);
    match scope.base(&item.path.to_string()) {
        Some((found, offset)) if found == base => match expected {
            Some(wanted) => section(model, &scope, item, base, &offset).is_some_and(|(s, _)| s == *wanted),
            None => offset.is_zero(),
        },
        _ => false,
    }
}

/// What an item means at a gap (with the statement that scopes it): a base, and elements of it.
pub fn meaning(
    model: &FunctionModel<'_>,
    macros: &Macros,
    gap: NodeId,
    at: StmtId,
    item: &Item,
) -> Option<(Base, Section)> {
    let scope = NameScope::gap(model, macros, gap, at);
    let (base, offset) = scope.base(&item.path.to_string())?;
    let whole_rows = section(model, &scope, item, base, &offset).map(|(section, _)| section);
    let section = whole_rows.or_else(|| part_of_row(&scope, item, &offset))?;
    Some((base, section))
}

/// What an item names within one row of a declared array, where it does: `grid[i:1][lo:n]`.
pub fn within_a_row(scope: &NameScope<'_>, item: &Item) -> Option<Section> {
    let (_, offset) = scope.base(&item.path.to_string())?;
    part_of_row(scope, item, &offset)
}

/// A section within one row of a declared array: `grid[i:1][lo:n]`.
fn part_of_row(scope: &NameScope<'_>, item: &Item, offset: &Expr) -> Option<Section> {
    let path = item.path.to_string();
    let (shift, rest) = split(offset, element_bytes(scope.declared(&path)?)?)?;
    let dims = row_lengths(scope, &path)?;
    if rest != 0 || dims.len() + 1 != item.sections.len() {
        return None;
    }
    let one = Expr::constant(1);
    let (mut lo, mut len, mut row) = (shift, one.clone(), one.clone());
    for (i, section) in item.sections.iter().enumerate().rev() {
        let lower = section
            .lower
            .as_ref()
            .map_or(Some(Expr::zero()), |e| evaluate(e, scope))?;
        let length = match &section.length {
            Some(text) => evaluate(text, scope)?,
            None if section.colon => return None,
            None => one.clone(),
        };
        // Outside a part of a row there is one row.
        len = match length == one {
            true => len,
            false if len == row => len.mul(&length)?,
            false => return None,
        };
        lo = lo.add(&lower.mul(&row)?)?;
        if i > 0 {
            row = row.mul(&dims[i - 1])?;
        }
    }
    let hi = lo.add(&len)?;
    Some(Section { lo, hi })
}

/// A clause's section in elements of the base.
fn section(
    model: &FunctionModel<'_>,
    scope: &NameScope<'_>,
    item: &Item,
    base: Base,
    offset: &Expr,
) -> Option<(Section, Vec<Expr>)> {
    let path = item.path.to_string();
    let declared = scope.declared(&path);
    let element = declared.and_then(element_bytes).or_else(|| element_of(model, base))?;
    if source_type(model, base)
        .and_then(element_bytes)
        .is_some_and(|of_object| of_object != element)
    {
        return None;
    }
    let (shift, rest) = split(offset, element)?;
    if rest != 0 {
        return None;
    }
    if item.sections.is_empty() {
        return match base {
            // The name of an array stands for all of it; that of a pointer for nothing but itself.
            Base::Local(_) | Base::Global(_) if matches!(declared, Some(SourceType::Array { .. })) => {
                object_extent(model, base, element).map(|s| (s, Vec::new()))
            }
            _ => None,
        };
    }
    if item.sections.iter().any(|s| s.stride.is_some()) {
        return None;
    }
    let dims_declared = row_lengths(scope, &path)?;
    // Inner dimensions must be taken whole; they make up the row.
    let mut row = Expr::constant(1);
    let mut dims = Vec::new();
    for (i, inner) in item.sections.iter().enumerate().skip(1) {
        if inner
            .lower
            .as_ref()
            .is_some_and(|l| evaluate(l, scope).and_then(|e| e.as_constant()) != Some(0))
            || !inner.colon
        {
            return None;
        }
        let length = match &inner.length {
            Some(text) => evaluate(text, scope)?,
            None => dims_declared.get(i - 1)?.clone(),
        };
        row = row.mul(&length)?;
        dims.push(length);
    }
    let whole = dims_declared.iter().try_fold(Expr::constant(1), |p, d| p.mul(d))?;
    if item.sections.len() == 1 {
        row = whole;
    } else if row != whole {
        return None;
    }
    let first = &item.sections[0];
    let lower = match &first.lower {
        Some(text) => evaluate(text, scope)?,
        None => Expr::constant(0),
    };
    let length = match (&first.length, first.colon) {
        (Some(text), _) => evaluate(text, scope)?,
        (None, true) => {
            let whole = object_extent(model, base, element)?;
            let rows = whole.hi.div(&row)?;
            rows.sub(&lower)?
        }
        (None, false) => Expr::constant(1),
    };
    let lo = lower.mul(&row)?.add(&shift)?;
    let hi = lo.add(&length.mul(&row)?)?;
    Some((Section { lo, hi }, dims))
}

/// Whether two bases are mapped as different items of one kernel: then the user says that they do not overlap, because
/// OpenMP forbids list items of one construct to share storage.
pub fn mapped_apart(mapped: &[Vec<Mapped>], a: Base, b: Base) -> bool {
    a != b
        && mapped
            .iter()
            .any(|items| items.iter().any(|m| m.base == a) && items.iter().any(|m| m.base == b))
}
