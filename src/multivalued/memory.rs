//! What cells of memory hold at a place of the program.
//!
//! A cell is a [`MemLoc`]: a scalar variable, a member of a struct, or all elements of an array together. What is stored to a cell that
//! is one scalar takes the place of what was there (a *strong* update); what is stored to an element of an array comes on top of it.

use super::causes::CauseId;
use super::keys::{Key, KeyId, Keys};
use crate::analysis::points_to::PointsTo;
use crate::program::ir::{Module, Op, Type};
use crate::program::objects::{Field, MemLoc, ObjectId, ObjectKind};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// A value: which, and why it differs between agents if it does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct HeldValue {
    /// Which value.
    pub key: KeyId,
    /// Why it is not the same for all.
    pub differs: Option<CauseId>,
}

/// What cells hold that have been written; the others hold what they held at the beginning, the same for all.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Memory {
    cells: BTreeMap<MemLoc, HeldValue>,
}

impl Memory {
    /// What a cell holds.
    pub fn read(&self, cell: MemLoc, keys: &mut Keys) -> HeldValue {
        if let Some(content) = self.cells.get(&cell) {
            return *content;
        }
        let any = self.cells.get(&MemLoc::whole(cell.object));
        HeldValue {
            key: keys.of(Key::Initial(cell)),
            differs: any.and_then(|content| content.differs),
        }
    }

    /// Why something in a cell differs, or in one that shares bytes with it.
    pub fn differing(&self, cell: MemLoc) -> Option<CauseId> {
        let overlapping = self.of_object(cell.object);
        let differing = overlapping.filter(|(at, _)| at.field.overlaps(cell.field));
        differing.filter_map(|(_, content)| content.differs).min()
    }

    /// Takes the place of what a cell holds.
    pub fn set(&mut self, cell: MemLoc, content: HeldValue) {
        self.cells.insert(cell, content);
    }

    /// What is written comes on top of what a cell holds, and of what shares bytes with it.
    pub fn add(&mut self, cell: MemLoc, content: HeldValue) {
        let overlapping: Vec<MemLoc> = self
            .of_object(cell.object)
            .map(|(at, _)| *at)
            .filter(|at| at.field.overlaps(cell.field))
            .collect();
        for at in overlapping {
            let Some(held) = self.cells.get_mut(&at) else { continue };
            held.key = content.key;
            held.differs = joined(held.differs, content.differs);
        }
        self.cells.entry(cell).or_insert(content);
    }

    /// Takes the differences from what a cell holds, and from what shares bytes with it.
    pub fn agree(&mut self, cell: MemLoc, key: KeyId) {
        let cells = self
            .cells
            .range_mut(MemLoc::start(cell.object)..=MemLoc::whole(cell.object));
        for (at, content) in cells {
            if at.field.overlaps(cell.field) && content.differs.is_some() {
                *content = HeldValue { key, differs: None };
            }
        }
    }

    /// The cells of an object that have been written.
    pub fn of_object(&self, object: ObjectId) -> impl Iterator<Item = (&MemLoc, &HeldValue)> {
        self.cells.range(MemLoc::start(object)..=MemLoc::whole(object))
    }

    /// The cells that do not hold one value of one cause in both.
    pub fn unlike(&self, other: &Memory) -> Vec<MemLoc> {
        let mut unlike = Vec::new();
        let (mut own, mut others) = (self.cells.iter().peekable(), other.cells.iter().peekable());
        loop {
            let order = match (own.peek(), others.peek()) {
                (None, None) => return unlike,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some((cell, _)), Some((other, _))) => cell.cmp(other),
            };
            match order {
                Ordering::Less => unlike.extend(own.next().map(|(cell, _)| *cell)),
                Ordering::Greater => unlike.extend(others.next().map(|(cell, _)| *cell)),
                Ordering::Equal => {
                    if let (Some((cell, held)), Some((_, other))) = (own.next(), others.next())
                        && held != other
                    {
                        unlike.push(*cell);
                    }
                }
            }
        }
    }

    /// How many cells have been written.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// All cells that have been written, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&MemLoc, &HeldValue)> {
        self.cells.iter()
    }

    /// All cells that have been written, for who changes them.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&MemLoc, &mut HeldValue)> {
        self.cells.iter_mut()
    }

    /// Keeps some cells.
    pub fn retain(&mut self, keep: impl Fn(MemLoc) -> bool) {
        self.cells.retain(|at, _| keep(*at));
    }

    /// What is in there of some objects.
    pub fn of_objects(&self, wanted: impl Fn(ObjectId) -> bool) -> Memory {
        let cells = self.cells.iter().filter(|(at, _)| wanted(at.object));
        Memory {
            cells: cells.map(|(at, content)| (*at, *content)).collect(),
        }
    }
}

/// One of the causes, and always the same one.
pub fn joined(one: Option<CauseId>, other: Option<CauseId>) -> Option<CauseId> {
    match (one, other) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// Whether a cell is one scalar, which a store replaces.
pub fn is_scalar(module: &Module, points_to: &PointsTo, cell: MemLoc) -> bool {
    let object = points_to.object(cell.object);
    let Field::Offset(at) = cell.field else { return false };
    if object.many {
        return false;
    }
    match &object.kind {
        ObjectKind::Local { func, alloca } => match &module.function(*func).inst(*alloca).op {
            Op::Alloca { ty, count: None } => scalar_at(module, ty, at),
            _ => false,
        },
        ObjectKind::Global(global) => scalar_at(module, &module.global(*global).ty, at),
        ObjectKind::ByVal { .. } => true,
        _ => false,
    }
}

/// Whether a scalar that is in no array begins so many bytes behind the start of a type.
fn scalar_at(module: &Module, ty: &Type, at: u64) -> bool {
    match ty {
        Type::Array(..) => false,
        Type::Struct(id) => {
            let record = module.structure(*id);
            let inside = record
                .offsets
                .iter()
                .zip(&record.fields)
                .rev()
                .find(|(from, _)| **from <= at);
            inside.is_some_and(|(from, field)| scalar_at(module, field, at - from))
        }
        _ => at == 0,
    }
}
