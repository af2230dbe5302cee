//! Records that are copied, member by member: by assignment and `memcpy`, and as arguments that are passed in memory.
//!
//! ```c
//! struct run { int rank; MPI_Comm part; } own, *all;
//! own = *all;                     /* `own.rank` is what `all->rank` is             */
//! work(own);                      /* and so is the member of the parameter of `work` */
//! ```

use super::addresses::StorePlace;
use super::cells::{MemberPlace, TrackedCell};
use super::interpretation::{Calling, FunctionFrame, Interpreter};
use super::memory::{HeldValue, Memory};
use crate::analysis::points_to::constant_extent;
use crate::program::ir::FuncId;
use crate::program::objects::{Field, MemLoc, ObjectKind};

/// So many bytes from one place on are copied to another place.
#[derive(Clone, Copy, Debug)]
pub(super) struct RecordCopy {
    from: MemberPlace,
    to: MemberPlace,
    /// Where it is known how many.
    bytes: Option<u64>,
    /// The first byte, where the address is known to the byte: of an array of records, which of them it is.
    first: Option<u64>,
}

/// What a cell holds once the record is copied that it is in.
#[derive(Clone, Copy, Debug)]
pub(super) struct CopiedCell {
    pub place: StorePlace,
    pub value: HeldValue,
}

impl RecordCopy {
    /// Where the copy of a member is; nothing of members that are not copied.
    fn copy_of(&self, field: Field) -> Option<MemLoc> {
        let Field::Offset(at) = field else { return None };
        let behind = at.checked_sub(self.from.at)?;
        let is_copied = self.bytes.is_none_or(|bytes| behind < bytes);
        self.to.behind(behind).filter(|_| is_copied)
    }

    /// What a member is a copy of.
    fn original_of(&self, field: Field) -> Option<MemLoc> {
        let back = RecordCopy {
            from: self.to,
            to: self.from,
            bytes: self.bytes,
            first: None,
        };
        back.copy_of(field)
    }

    /// Whether one element of an array, by its byte, may be in the record. Of a record of unknown size, only members of its own are known to be.
    fn has_element(&self, element: u64, field: Field) -> bool {
        let Some(first) = self.first else { return true };
        let behind = match field {
            Field::Offset(at) => at.checked_sub(self.from.at),
            Field::Any => None,
        };
        match (element.checked_sub(first), self.bytes) {
            (Some(element), Some(bytes)) => element < bytes,
            (element, _) => element == behind,
        }
    }
}

impl Interpreter<'_> {
    /// The copy that a call of the library makes of a record.
    pub(super) fn copied_by(&self, frame: &FunctionFrame<'_>, calling: &Calling<'_>) -> Option<RecordCopy> {
        let copy = self.of.around.copy_at(calling.site)?;
        let place = |at: u32| MemberPlace::only(&self.cells(frame, calling.operands.get(at as usize)?));
        let numbers = { calling.arguments.iter() }.map(|argument| self.keys.int(argument.key));
        let numbers: Vec<Option<u64>> = numbers.map(|number| u64::try_from(number?).ok()).collect();
        let from = place(copy.from)?;
        Some(RecordCopy {
            from,
            to: place(copy.to?)?,
            bytes: constant_extent(copy.extent, &numbers),
            first: self.first_byte(calling, copy.from, from),
        })
    }

    /// The copy that a parameter of a function is of what the caller gives by an address, if it is passed in memory.
    pub(super) fn passed(
        &self,
        frame: &FunctionFrame<'_>,
        calling: &Calling<'_>,
        func: FuncId,
        index: u32,
    ) -> Option<RecordCopy> {
        let object = self.of.around.points_to.find(&ObjectKind::ByVal { func, index })?;
        let from = MemberPlace::only(&self.cells(frame, calling.operands.get(index as usize)?))?;
        Some(RecordCopy {
            from,
            to: MemberPlace { object, at: 0 },
            bytes: None,
            first: self.first_byte(calling, index, from),
        })
    }

    /// The byte of an object that an argument points to, if it is known.
    fn first_byte(&self, calling: &Calling<'_>, argument: u32, of: MemberPlace) -> Option<u64> {
        let address = calling.arguments.get(argument as usize)?;
        let byte = self.byte_at(address.key)?;
        (byte.object == of.object).then_some(byte.at)
    }

    /// What the copy of a record holds: what the record does, member by member; nothing where it is not known of a member what is written to it.
    pub(super) fn copied(&mut self, before: &Memory, copy: RecordCopy) -> Option<Vec<CopiedCell>> {
        let of_record = before.of_object(copy.from.object);
        let written: Vec<TrackedCell> = of_record.map(|(cell, _)| *cell).collect();
        if written.iter().any(|cell| cell.place.field == Field::Any) {
            return None;
        }
        let mut copied = Vec::new();
        for cell in &written {
            let Some(place) = copy.copy_of(cell.place.field) else {
                continue;
            };
            if cell
                .element
                .is_some_and(|element| !copy.has_element(element, cell.place.field))
            {
                continue;
            }
            let one = cell.element.is_none() || copy.first.is_some();
            let surely = one && self.is_in_scalar(place);
            let place = StorePlace {
                surely,
                ..StorePlace::among(place)
            };
            let value = before.read(*cell, self.keys);
            copied.push(CopiedCell { place, value });
        }
        // What has been in the copy before, and not been written in the record.
        let stale: Vec<TrackedCell> = before.of_object(copy.to.object).map(|(cell, _)| *cell).collect();
        for cell in stale.into_iter().filter(|cell| cell.element.is_none()) {
            let Some(original) = copy.original_of(cell.place.field) else {
                continue;
            };
            if !written.contains(&original.into()) && self.is_in_scalar(cell.place) {
                let value = before.read(original.into(), self.keys);
                copied.push(CopiedCell {
                    place: StorePlace::surely(cell),
                    value,
                });
            }
        }
        Some(copied)
    }
}
