//! What cells of memory hold at a place of the program.
//!
//! A cell is a [`TrackedCell`]: a scalar variable, a member of a struct, one element of an array that a number names, or all others of its
//! elements together. What is stored to a cell that is one scalar takes the place of what was there (a *strong* update); what is stored to
//! some element of an array comes on top of what all of them hold.
//!
//! ```c
//! v[0] = rank;            /* (v, element 0): differs                       */
//! v[1] = 3;               /* (v, element 4): the same for all              */
//! v[i] = 0;               /* (v, other elements), and on top of both       */
//! ```

use super::causes::CauseId;
use super::cells::{ElementRange, TrackedCell};
use super::keys::{Key, KeyId, Keys, Operator};
use crate::analysis::points_to::PointsTo;
use crate::program::ir::{Module, Op, Type};
use crate::program::objects::{Field, MemLoc, ObjectId, ObjectKind};
use imbl::GenericOrdMap;
use imbl::ordmap::DiffItem;
use imbl::shared_ptr::RcK;
use std::ops::{Range, RangeInclusive};

/// A value: which, and why it differs between agents if it does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct HeldValue {
    /// Which value.
    pub key: KeyId,
    /// Why it is not the same for all.
    pub differs: Option<CauseId>,
}

/// What cells hold that have been written; the others hold what they held at the beginning, the same for all. There is one for each block:
/// what several have alike is there once, and only what they do not is compared.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Memory {
    cells: GenericOrdMap<TrackedCell, HeldValue, RcK>,
}

impl Memory {
    /// What a cell holds.
    pub fn read(&self, cell: TrackedCell, keys: &mut Keys) -> HeldValue {
        if let Some(content) = self.cells.get(&cell) {
            return *content;
        }
        if let Some(element) = cell.element {
            let all = self.read(cell.place.into(), keys);
            return HeldValue {
                key: keys.of(Key::Operation(Operator::Element(element), vec![all.key])),
                differs: all.differs,
            };
        }
        let any = self.cells.get::<TrackedCell>(&MemLoc::whole(cell.place.object).into());
        HeldValue {
            key: keys.of(Key::Initial(cell)),
            differs: any.and_then(|content| content.differs),
        }
    }

    /// What a cell holds, if it has been written.
    pub fn get(&self, cell: TrackedCell) -> Option<HeldValue> {
        self.cells.get(&cell).copied()
    }

    /// Why something in a cell differs, or in one that shares bytes with it.
    pub fn differing(&self, cell: TrackedCell) -> Option<CauseId> {
        let overlapping = self.of_object(cell.place.object);
        let differing = overlapping.filter(|(at, _)| at.overlaps(cell));
        differing.filter_map(|(_, content)| content.differs).min()
    }

    /// Takes the place of what a cell holds.
    pub fn set(&mut self, cell: TrackedCell, content: HeldValue) {
        if self.cells.get(&cell) != Some(&content) {
            self.cells.insert(cell, content);
        }
    }

    /// What is written comes on top of what a cell holds, and of what shares bytes with it: which cells these are.
    pub fn add(&mut self, cell: TrackedCell, content: HeldValue) -> Vec<TrackedCell> {
        let overlapping = self.of_object(cell.place.object).map(|(at, _)| *at);
        let mut changed: Vec<TrackedCell> = overlapping.filter(|at| at.overlaps(cell)).collect();
        for at in &changed {
            let Some(held) = self.cells.get_mut(at) else { continue };
            held.key = content.key;
            held.differs = joined(held.differs, content.differs);
        }
        self.cells.entry(cell).or_insert(content);
        changed.push(cell);
        changed
    }

    /// Takes the differences from what a place holds, and from what shares bytes with it; of elements that are told apart, from some.
    /// Says which cells have changed.
    pub fn agree(&mut self, place: MemLoc, elements: ElementRange, key: KeyId, keys: &mut Keys) -> Vec<TrackedCell> {
        let agrees = |at: &TrackedCell| at.element.is_none_or(|element| elements.has(element));
        let overlapping = self.of_object(place.object).map(|(at, _)| *at);
        let changed: Vec<TrackedCell> = overlapping
            .filter(|at| at.overlaps(place.into()) && agrees(at))
            .collect();
        for at in &changed {
            let Some(content) = self.cells.get_mut(at) else {
                continue;
            };
            match at.element {
                Some(element) => content.key = keys.of(Key::Operation(Operator::Element(element), vec![key])),
                None if content.differs.is_some() => content.key = key,
                None => {}
            }
            content.differs = None;
        }
        changed
    }

    /// The cells of an object that have been written.
    pub fn of_object(&self, object: ObjectId) -> impl Iterator<Item = (&TrackedCell, &HeldValue)> {
        self.cells.range(object_range(object))
    }

    /// The cells of an object that have been written and begin in some bytes of it, with the elements of arrays taken together.
    pub fn within(&self, object: ObjectId, bytes: Range<u64>) -> impl Iterator<Item = (&TrackedCell, &HeldValue)> {
        let first = |at: u64| {
            TrackedCell::from(MemLoc {
                object,
                field: Field::Offset(at),
            })
        };
        self.cells.range(first(bytes.start)..first(bytes.end))
    }

    /// The cells that do not hold one value of one cause in both.
    pub fn unlike(&self, other: &Memory) -> Vec<TrackedCell> {
        let differences = self.cells.diff(&other.cells);
        let cell = |item: DiffItem<'_, '_, TrackedCell, HeldValue>| match item {
            DiffItem::Add(cell, _) | DiffItem::Remove(cell, _) | DiffItem::Update { new: (cell, _), .. } => *cell,
        };
        differences.map(cell).collect()
    }

    /// How many cells have been written.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// All cells that have been written, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&TrackedCell, &HeldValue)> {
        self.cells.iter()
    }

    /// Changes what all cells hold that have been written.
    pub fn change(&mut self, mut changed: impl FnMut(TrackedCell, HeldValue) -> HeldValue) {
        let cells = self
            .cells
            .iter()
            .map(|(cell, held)| (*cell, *held, changed(*cell, *held)));
        let new = cells.filter(|(_, before, after)| before != after);
        for (cell, _, after) in new.collect::<Vec<_>>() {
            self.cells.insert(cell, after);
        }
    }

    /// Leaves out the cells that hold what they would hold if they were left out.
    pub fn forget_untouched(&mut self, keys: &mut Keys) {
        let touched = |cell: &TrackedCell, content: &HeldValue, keys: &mut Keys| {
            let whole = self.cells.get::<TrackedCell>(&MemLoc::whole(cell.place.object).into());
            let initial = HeldValue {
                key: keys.of(Key::Initial(*cell)),
                differs: None,
            };
            cell.element.is_some() || *content != initial || whole.is_some()
        };
        let kept = { self.cells.iter() }.filter(|(cell, content)| touched(cell, content, keys));
        self.cells = kept.map(|(cell, content)| (*cell, *content)).collect();
    }

    /// Leaves out some cells.
    pub fn forget(&mut self, left_out: impl Fn(TrackedCell) -> bool) {
        let cells = self.cells.keys().copied().filter(|cell| left_out(*cell));
        for cell in cells.collect::<Vec<TrackedCell>>() {
            self.cells.remove(&cell);
        }
    }

    /// What is in there of some objects.
    pub fn of_objects(&self, wanted: impl Fn(ObjectId) -> bool) -> Memory {
        let cells = self.cells.iter().filter(|(at, _)| wanted(at.place.object));
        Memory {
            cells: cells.map(|(at, content)| (*at, *content)).collect(),
        }
    }
}

/// All cells of an object.
fn object_range(object: ObjectId) -> RangeInclusive<TrackedCell> {
    let last = TrackedCell {
        place: MemLoc::whole(object),
        element: Some(u64::MAX),
    };
    MemLoc::start(object).into()..=last
}

/// One of the causes, and always the same one.
pub fn joined(one: Option<CauseId>, other: Option<CauseId>) -> Option<CauseId> {
    match (one, other) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// A scalar of the type of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScalarPlace {
    /// How many bytes before the one that was asked for it begins.
    pub before: u64,
    pub bytes: u64,
    pub in_array: bool,
}

/// The type of an object of which there is one, if it is declared.
fn declared_type<'m>(module: &'m Module, points_to: &PointsTo, object: ObjectId) -> Option<&'m Type> {
    let object = points_to.object(object);
    match &object.kind {
        _ if object.many => None,
        ObjectKind::Local { func, alloca } => match &module.function(*func).inst(*alloca).op {
            Op::Alloca { ty, count: None } => Some(ty),
            _ => None,
        },
        ObjectKind::Global(global) => Some(&module.global(*global).ty),
        _ => None,
    }
}

/// The scalar that begins so many bytes behind the start of an object of which there is one; `None` where none is known to.
pub fn scalar_in(module: &Module, points_to: &PointsTo, object: ObjectId, at: u64) -> Option<ScalarPlace> {
    scalar_around(module, points_to, object, at).filter(|scalar| scalar.before == 0)
}

/// The scalar that the byte is in that is so many bytes behind the start of an object of which there is one.
pub fn scalar_around(module: &Module, points_to: &PointsTo, object: ObjectId, at: u64) -> Option<ScalarPlace> {
    scalar_at(module, declared_type(module, points_to, object)?, at)
}

/// The scalar that the byte is in that is so many bytes behind the start of a type.
fn scalar_at(module: &Module, ty: &Type, at: u64) -> Option<ScalarPlace> {
    match ty {
        Type::Array(element, count) => {
            let size = module.size_of(element);
            if size == 0 || at >= size.checked_mul(*count)? {
                return None;
            }
            let inside = scalar_at(module, element, at % size)?;
            Some(ScalarPlace {
                in_array: true,
                ..inside
            })
        }
        Type::Struct(id) => {
            let record = module.structure(*id);
            let members = record.offsets.iter().zip(&record.fields);
            let (from, field) = members.rev().find(|(from, _)| **from <= at)?;
            scalar_at(module, field, at - from)
        }
        _ => (at < module.size_of(ty)).then(|| ScalarPlace {
            before: at,
            bytes: module.size_of(ty),
            in_array: false,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn held(keys: &mut Keys, value: u8) -> HeldValue {
        HeldValue {
            key: keys.of(Key::Int(value.into())),
            differs: None,
        }
    }

    fn cell(object: u8, at: u8) -> TrackedCell {
        let field = Field::Offset(u64::from(at));
        let object = ObjectId(u32::from(object));
        MemLoc { object, field }.into()
    }

    proptest! {
        /// Two memories that come from one are told apart by what each of them was given since.
        #[test]
        fn what_is_unlike_is_what_was_written_otherwise(
            before in prop::collection::vec((0_u8..40, 0_u8..20, 0_u8..4), 0..300),
            one in prop::collection::vec((0_u8..40, 0_u8..20, 0_u8..4), 0..40),
            other in prop::collection::vec((0_u8..40, 0_u8..20, 0_u8..4), 0..40),
            left_out in 0_u8..40,
        ) {
            let mut keys = Keys::default();
            let mut write = |memory: &mut Memory, stores: &[(u8, u8, u8)]| {
                for (object, at, value) in stores {
                    memory.set(cell(*object, *at), held(&mut keys, *value));
                }
            };
            let mut first = Memory::default();
            write(&mut first, &before);
            let mut second = first.clone();
            write(&mut first, &one);
            write(&mut second, &other);
            second.forget(|cell| cell.place.object == ObjectId(left_out.into()));
            let all = (0..40).flat_map(|object| (0..20).map(move |at| cell(object, at)));
            let expected: Vec<TrackedCell> = all.filter(|cell| first.get(*cell) != second.get(*cell)).collect();
            prop_assert_eq!(first.unlike(&second), expected);
            let inside: Vec<TrackedCell> = first.within(ObjectId(3), 5..12).map(|(cell, _)| *cell).collect();
            let expected: Vec<TrackedCell> =
                (5..12).map(|at| cell(3, at)).filter(|cell| first.get(*cell).is_some()).collect();
            prop_assert_eq!(inside, expected);
        }
    }
}
