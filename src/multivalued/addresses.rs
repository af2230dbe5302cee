//! Addresses that are known to the byte, and what they lead to.
//!
//! ```c
//! int v[2];
//! set(&v[1], rank);       /* Local(v, 4): element 4 of `v`, in `set` too             */
//! v[i] = 0;               /* Operation(Address, …): some element, whichever          */
//! ```

use super::cells::{ElementRange, TrackedCell};
use super::interpretation::Interpreter;
use super::keys::{Key, KeyId, Operator};
use super::memory::{HeldValue, scalar_around, scalar_in};
use crate::program::ir::Type;
use crate::program::objects::{Field, MemLoc, ObjectId, ObjectKind, Site};

/// Elements of arrays are told apart up to so many bytes behind the start of an object.
const MOST_TOLD_APART: u64 = 1024;

/// A cell that something is stored to.
#[derive(Clone, Copy, Debug)]
pub(super) struct StorePlace {
    pub cell: TrackedCell,
    /// What is stored takes the place of what was there.
    pub surely: bool,
    /// Another variable may be what is stored to, and not this one.
    pub of_several: bool,
}

impl StorePlace {
    /// A cell, and no other one.
    pub fn surely(cell: TrackedCell) -> StorePlace {
        StorePlace {
            cell,
            surely: true,
            of_several: false,
        }
    }

    /// A cell among others, or some element of it.
    pub fn among(place: MemLoc) -> StorePlace {
        StorePlace {
            cell: place.into(),
            surely: false,
            of_several: false,
        }
    }
}

/// A byte of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ObjectByte {
    pub object: ObjectId,
    pub at: u64,
}

impl Interpreter<'_> {
    /// The address of a local variable.
    pub(super) fn variable(&mut self, site: Site) -> HeldValue {
        HeldValue {
            key: self.keys.of(Key::Local(site, 0)),
            differs: None,
        }
    }

    /// The address of a part of what `base` points to, by a type and by numbers of elements and members.
    pub(super) fn address(&mut self, base: HeldValue, ty: &Type, indices: &[HeldValue]) -> HeldValue {
        let numbers: Option<Vec<i128>> = indices.iter().map(|index| self.number(index.key)).collect();
        let further = numbers.and_then(|numbers| self.bytes_behind(ty, &numbers));
        let key = match (self.keys.get(base.key), further) {
            (Key::Local(site, at), Some(further)) => at.checked_add(further).map(|at| Key::Local(*site, at)),
            (Key::Global(global, at), Some(further)) => at.checked_add(further).map(|at| Key::Global(*global, at)),
            _ => None,
        };
        if let Some(key) = key {
            let key = self.keys.of(key);
            return HeldValue {
                key,
                differs: base.differs,
            };
        }
        let operands: Vec<HeldValue> = std::iter::once(base).chain(indices.iter().copied()).collect();
        self.operation(Operator::Address, &operands)
    }

    fn number(&self, key: KeyId) -> Option<i128> {
        match self.keys.get(key) {
            Key::Null => Some(0),
            _ => self.keys.int(key),
        }
    }

    /// How many bytes behind the start of a type a part of it is.
    fn bytes_behind(&self, ty: &Type, indices: &[i128]) -> Option<i64> {
        let module = self.of.around.module;
        let (first, rest) = indices.split_first()?;
        let mut bytes = first.checked_mul(i128::from(module.size_of(ty)))?;
        let mut ty = ty;
        for index in rest {
            match ty {
                Type::Array(element, _) => {
                    bytes = bytes.checked_add(index.checked_mul(i128::from(module.size_of(element)))?)?;
                    ty = element;
                }
                Type::Struct(id) => {
                    let record = module.structure(*id);
                    let member = usize::try_from(*index).ok()?;
                    bytes = bytes.checked_add(i128::from(*record.offsets.get(member)?))?;
                    ty = record.fields.get(member)?;
                }
                _ => return None,
            }
        }
        i64::try_from(bytes).ok()
    }

    /// The byte that an address leads to, if it is known.
    pub(super) fn byte_at(&self, address: KeyId) -> Option<ObjectByte> {
        let points_to = self.of.around.points_to;
        let (object, at) = match self.keys.get(address) {
            Key::Local(site, at) => (points_to.local(site.func, site.inst)?, *at),
            Key::Global(global, at) => (points_to.global(*global)?, *at),
            _ => return None,
        };
        let at = u64::try_from(at).ok()?;
        Some(ObjectByte { object, at })
    }

    /// Whether a cell is one scalar that is in no array.
    fn is_scalar(&mut self, cell: MemLoc) -> bool {
        let around = self.of.around;
        let Field::Offset(at) = cell.field else { return false };
        *{ self.scalars.entry(cell) }.or_insert_with(|| {
            let object = around.points_to.object(cell.object);
            // Of a record that is passed by value, the members are what the caller's are.
            let by_value = matches!(object.kind, ObjectKind::ByVal { .. }) && !object.many;
            let scalar = scalar_in(around.module, around.points_to, cell.object, at);
            by_value || scalar.is_some_and(|scalar| !scalar.in_array)
        })
    }

    /// Whether a place is one scalar that is in no array, or a part of it.
    pub(super) fn is_in_scalar(&mut self, place: MemLoc) -> bool {
        let around = self.of.around;
        let Field::Offset(at) = place.field else { return false };
        let scalar = || scalar_around(around.module, around.points_to, place.object, at);
        self.is_scalar(place) || scalar().is_some_and(|scalar| !scalar.in_array)
    }

    /// Whether what is in a place may be one value: a scalar, or elements that are told apart. Of others, the key says in which state they are.
    pub(super) fn has_named_elements(&self, place: MemLoc) -> bool {
        let object = self.of.around.points_to.object(place.object);
        let declared = matches!(
            object.kind,
            ObjectKind::Local { .. } | ObjectKind::Global(_) | ObjectKind::ByVal { .. }
        );
        declared && !object.many
    }

    /// The one scalar that an address leads to: a variable, a member, or an element that is known. `bytes` are asked for, if that is known.
    pub(super) fn named_cell(&mut self, address: KeyId, cells: &[MemLoc], bytes: Option<u64>) -> Option<TrackedCell> {
        let &[cell] = cells else { return None };
        if self.is_scalar(cell) {
            return Some(cell.into());
        }
        let (cell, size) = self.element(address, cell)?;
        Some(cell).filter(|_| bytes.is_none_or(|bytes| bytes == size))
    }

    /// The element of an array that an address leads to, and its size in bytes.
    fn element(&self, address: KeyId, cell: MemLoc) -> Option<(TrackedCell, u64)> {
        let around = self.of.around;
        let ObjectByte { object, at } = self.byte_at(address)?;
        if object != cell.object || at >= MOST_TOLD_APART || cell.field == Field::Any {
            return None;
        }
        let scalar = scalar_in(around.module, around.points_to, object, at).filter(|scalar| scalar.in_array)?;
        let element = Some(at);
        Some((TrackedCell { place: cell, element }, scalar.bytes))
    }

    /// Where a store of so many bytes goes to, or one of what the library takes for one scalar.
    pub(super) fn store_places(&mut self, address: KeyId, cells: &[MemLoc], bytes: Option<u64>) -> Vec<StorePlace> {
        match self.named_cell(address, cells, bytes) {
            Some(cell) => vec![StorePlace::surely(cell)],
            None => self.among(cells),
        }
    }

    /// Each of the cells that an address may lead to, or some element of it.
    pub(super) fn among(&self, cells: &[MemLoc]) -> Vec<StorePlace> {
        let of_several = !cells.is_empty() && self.only_object(cells).is_none();
        let place = |cell: &MemLoc| StorePlace {
            of_several,
            ..StorePlace::among(*cell)
        };
        cells.iter().map(place).collect()
    }

    /// The only object of the program's own that an address may lead to, if there is just one. What others own may be meant as well
    /// wherever a pointer comes from memory: that alone is no doubt.
    pub(super) fn only_object(&self, cells: &[MemLoc]) -> Option<ObjectId> {
        let points_to = self.of.around.points_to;
        let known = cells.iter().map(|cell| cell.object);
        let mut known = known.filter(|object| points_to.object(*object).kind != ObjectKind::External);
        let first = known.next()?;
        known.all(|object| object == first).then_some(first)
    }

    /// Where the library puts what may be more than one element.
    pub(super) fn places_from(&mut self, cells: &[MemLoc]) -> Vec<StorePlace> {
        match cells {
            &[cell] if self.is_scalar(cell) => vec![StorePlace::surely(cell.into())],
            _ => cells.iter().copied().map(StorePlace::among).collect(),
        }
    }

    /// The elements from an address on, so many of them if that is known.
    pub(super) fn elements_from(&self, address: KeyId, cells: &[MemLoc], items: Option<i128>) -> ElementRange {
        let &[cell] = cells else { return ElementRange::ALL };
        let from = match self.byte_at(address) {
            Some(byte) if byte.object == cell.object => byte.at,
            _ => return ElementRange::ALL,
        };
        let bytes = self.element(address, cell).zip(items).and_then(|((_, size), items)| {
            let items = u64::try_from(items).ok()?;
            items.checked_mul(size)
        });
        let to = bytes.and_then(|bytes| from.checked_add(bytes));
        ElementRange { from, to }
    }
}
