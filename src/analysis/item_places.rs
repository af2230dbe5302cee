//! Where that lies in memory which an item of a clause names, whether or not the function's code looks at it.
//!
//! ```c
//! static double *grid;
//! struct sim { double *u, *v; } *s;
//! #pragma omp target map(to: grid[0:n], s->u[0:n]) …     /* grid[0:n]: `grid`, and what its pointers lead to          */
//!                                                        /* s->u[0:n]: the member `u`, and what its pointers lead to  */
//! ```
//!
//! A kernel may map what it never touches, by names whose values no analysis follows, because no instruction reads them. What is mapped is
//! on the device all the same: where a part of it is there already, the runtime refuses to map more.

use super::cexpr::Macros;
use super::points_to::PointsTo;
use crate::openmp::{Item, ItemPath, PathStep};
use crate::program::ir::{FuncId, GlobalId, Module, Op, SourceType, Type, Variable};
use crate::program::objects::{Field, MemLoc, ObjectId};
use crate::source::Span;
use crate::syntax::identifiers;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Where that lies which functions have to do with on the device, themselves or in what they call; `None`: anywhere. Functions that
/// are not there have to do with nothing.
pub type DevicePlaces = FxHashMap<FuncId, Option<Vec<MemLoc>>>;

/// A function whose clauses are read, and what names mean there.
#[derive(Clone, Copy)]
pub struct ItemScope<'a> {
    /// The program.
    pub module: &'a Module,
    /// Points-to sets.
    pub points_to: &'a PointsTo,
    /// The macros of its file.
    pub macros: &'a Macros,
    /// The function.
    pub func: FuncId,
}

impl ItemScope<'_> {
    /// Where that may lie which an item maps: what it names, and where it has brackets, what the pointers there lead to. `None`:
    /// anywhere.
    pub fn mapped(&self, item: &Item) -> Option<Vec<MemLoc>> {
        if item.unparsed {
            return self.led_to(item);
        }
        let Some(mut cells) = self.cells(&item.path) else {
            return self.led_to(item);
        };
        if item.sections.is_empty() {
            return Some(cells.into_iter().map(|l| MemLoc::whole(l.object)).collect());
        }
        let mut found = cells.clone();
        for _ in &item.sections {
            cells = self.behind(&cells);
            found.extend(cells.iter().copied().map(elements));
        }
        Some(found.into_iter().collect())
    }

    /// Where the variable or the member may lie that a path names; `None` where no variable is known by its first name.
    fn cells(&self, path: &ItemPath) -> Option<BTreeSet<MemLoc>> {
        let mut cells: BTreeSet<MemLoc> = self.storage(&path.base).into_iter().map(|v| v.place()).collect();
        if cells.is_empty() {
            return None;
        }
        for step in &path.steps {
            cells = match step {
                PathStep::Member(name) => self.members(&cells, name),
                PathStep::Arrow(name) => {
                    // An array is the pointer to its first element.
                    let arrays = cells.iter().copied().filter(|l| l.field == Field::Any);
                    let structs = arrays.chain(self.behind(&cells)).collect();
                    self.members(&structs, name)
                }
                // An element of an array, or of what a pointer leads to.
                PathStep::Index(_) => {
                    let all = cells.union(&self.behind(&cells)).copied().collect::<BTreeSet<_>>();
                    all.into_iter().map(|l| MemLoc::whole(l.object)).collect()
                }
            };
        }
        Some(cells)
    }

    /// The members of this name of whatever structs these places are the first bytes of.
    fn members(&self, structs: &BTreeSet<MemLoc>, name: &str) -> BTreeSet<MemLoc> {
        let layouts = self.module.structs.iter();
        let named = layouts.flat_map(|s| s.field_names.iter().zip(&s.offsets).filter(|(field, _)| *field == name));
        let offsets: BTreeSet<u64> = named.map(|(_, offset)| *offset).collect();
        let mut found = BTreeSet::new();
        for MemLoc { object, field } in structs.iter().copied() {
            match field {
                // The members of unions, and those of structs without a name, are in no list.
                Field::Offset(begin) if !offsets.is_empty() => {
                    let at = |offset: &u64| MemLoc {
                        object,
                        field: Field::Offset(begin + offset),
                    };
                    found.extend(offsets.iter().map(at));
                }
                _ => {
                    found.insert(MemLoc::whole(object));
                }
            }
        }
        found
    }

    /// Where the pointers at these places may lead.
    fn behind(&self, cells: &BTreeSet<MemLoc>) -> BTreeSet<MemLoc> {
        let led_to = cells.iter().flat_map(|l| self.points_to.contents(*l));
        led_to.copied().collect()
    }

    /// All that the variables of an item lead to, over any number of pointers; `None` where one of them is not known.
    pub fn led_to(&self, item: &Item) -> Option<Vec<MemLoc>> {
        let roots = match item.unparsed {
            true => words(&item.text),
            false => vec![item.path.base.clone()],
        };
        let mut work: Vec<ObjectId> = roots.iter().flat_map(|root| self.named_by(root)).collect();
        if work.is_empty() {
            return None;
        }
        let mut found: FxHashSet<ObjectId> = FxHashSet::default();
        while let Some(object) = work.pop() {
            if found.insert(object) {
                let behind = self.points_to.contents(MemLoc::whole(object));
                work.extend(behind.iter().map(|l| l.object));
            }
        }
        let mut found: Vec<MemLoc> = found.into_iter().map(MemLoc::whole).collect();
        found.sort_unstable();
        Some(found)
    }

    /// What a word of an item names: variables, or those in the text that a macro stands for.
    fn named_by(&self, word: &str) -> Vec<ObjectId> {
        let objects = |word: &str| self.storage(word).into_iter().map(|v| v.object);
        let mut found: Vec<ObjectId> = objects(word).collect();
        let mut expanded: FxHashSet<String> = FxHashSet::default();
        let mut left = vec![word.to_owned()];
        while let Some(word) = left.pop() {
            let Some(body) = self.macros.get(&word) else { continue };
            if expanded.insert(word) {
                let inside = words(body);
                found.extend(inside.iter().flat_map(|w| objects(w)));
                left.extend(inside);
            }
        }
        found
    }

    /// The variables of this name, of any scope of the function; where there are none, those of which it is not known what the text
    /// calls them.
    fn storage(&self, name: &str) -> Vec<NamedStorage> {
        let function = self.module.function(self.func);
        let locals = function.variables.iter().filter(|v| v.name == name);
        let local = |v: &Variable| {
            let alloca = v.alloca?;
            let is_pointer = matches!(
                &function.inst(alloca).op,
                Op::Alloca {
                    ty: Type::Ptr,
                    count: None
                }
            );
            Some(NamedStorage {
                object: self.points_to.local(self.func, alloca)?,
                is_array: v.vla || matches!(v.source_type, SourceType::Array { .. }) && !is_pointer,
            })
        };
        let global = |g: GlobalId| {
            Some(NamedStorage {
                object: self.points_to.global(g)?,
                is_array: matches!(self.module.global(g).source_type, Some(SourceType::Array { .. })),
            })
        };
        let globals = self.module.globals_named(function.unit, &function.name, name);
        let globals = globals.into_iter().filter_map(global);
        let found: Vec<NamedStorage> = locals.filter_map(local).chain(globals).collect();
        match found.is_empty() && !self.macros.contains_key(name) {
            true => self.module.globals_without_name().filter_map(global).collect(),
            false => found,
        }
    }
}

/// The storage of a variable.
struct NamedStorage {
    object: ObjectId,
    is_array: bool,
}

impl NamedStorage {
    /// All of an array; where a pointer, a number or a struct begins.
    fn place(&self) -> MemLoc {
        match self.is_array {
            true => MemLoc::whole(self.object),
            false => MemLoc::start(self.object),
        }
    }
}

/// What lies behind a pointer: at the beginning of an object it may be structs, else it is an array that is part of one.
fn elements(first: MemLoc) -> MemLoc {
    match first.field {
        Field::Offset(0) => MemLoc::whole(first.object),
        _ => first,
    }
}

/// The words of a text.
fn words(text: &str) -> Vec<String> {
    let found = identifiers(text.as_bytes(), Span::new(0, text.len()));
    found.into_iter().map(|(word, _)| word).collect()
}
