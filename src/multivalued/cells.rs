//! Cells of memory: a scalar variable, a member of a struct, one element of an array that a number names, or all others of its elements.

use crate::program::objects::{Field, MemLoc, ObjectId};

/// A cell that is followed by itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TrackedCell {
    /// Where it is, with the elements of arrays taken together.
    pub place: MemLoc,
    /// Of one element of an array: how many bytes behind the start of the object.
    pub element: Option<u64>,
}

impl From<MemLoc> for TrackedCell {
    fn from(place: MemLoc) -> TrackedCell {
        TrackedCell { place, element: None }
    }
}

impl TrackedCell {
    /// Whether the two may share a byte.
    pub fn overlaps(self, other: TrackedCell) -> bool {
        let elements = self.element.is_none() || other.element.is_none() || self.element == other.element;
        elements && self.place.field.overlaps(other.place.field)
    }
}

/// A member of an object, by its offset, with the elements of arrays taken together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemberPlace {
    pub object: ObjectId,
    pub at: u64,
}

impl MemberPlace {
    /// The only place that an address leads to.
    pub fn only(cells: &[MemLoc]) -> Option<MemberPlace> {
        match *cells {
            [
                MemLoc {
                    object,
                    field: Field::Offset(at),
                },
            ] if object != ObjectId::EXTERNAL => Some(MemberPlace { object, at }),
            _ => None,
        }
    }

    /// The member so many bytes behind it.
    pub fn behind(self, bytes: u64) -> Option<MemLoc> {
        Some(MemLoc {
            object: self.object,
            field: Field::Offset(self.at.checked_add(bytes)?),
        })
    }
}

/// Elements of an object, from one byte on and up to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ElementRange {
    pub from: u64,
    pub to: Option<u64>,
}

impl ElementRange {
    /// All elements.
    pub const ALL: ElementRange = ElementRange { from: 0, to: None };

    pub fn has(self, element: u64) -> bool {
        element >= self.from && self.to.is_none_or(|to| element < to)
    }
}
