//! Records in registers: clang reads and writes small records as one number where they are passed and returned.
//!
//! ```text
//! struct pair { int rank, size; } own;      %both = load i64, ptr %own            Packed(0: own.rank, 4: own.size)
//! work(own);                                store i64 %both, ptr %parameter       parameter.rank, parameter.size
//! ```

use super::addresses::StorePlace;
use super::cells::MemberPlace;
use super::copies::CopiedCell;
use super::interpretation::Interpreter;
use super::keys::{Key, KeyId, Keys, Operator};
use super::memory::{HeldValue, Memory, joined, scalar_in};
use crate::program::objects::{Field, MemLoc};
use std::collections::BTreeSet;

impl Keys {
    /// Whether a value is several members of a record.
    pub(super) fn is_packed(&self, key: KeyId) -> bool {
        matches!(self.get(key), Key::Operation(Operator::Packed, _))
    }
}

impl Interpreter<'_> {
    /// How many bytes behind a place the members begin that so many bytes hold, where these are several.
    fn members(&mut self, memory: &Memory, first: MemberPlace, bytes: u64) -> BTreeSet<u64> {
        let around = self.of.around;
        let Some(end) = first.at.checked_add(bytes).filter(|_| bytes > 1) else {
            return BTreeSet::new();
        };
        let declared = |at: u64| {
            let scalar = scalar_in(around.module, around.points_to, first.object, at);
            scalar.filter(|scalar| !scalar.in_array)
        };
        let inside = memory.within(first.object, first.at + 1..end).map(|(cell, _)| cell);
        let offsets = inside.filter_map(|cell| match cell.place.field {
            Field::Offset(at) if cell.element.is_none() => Some(at - first.at),
            _ => None,
        });
        let mut members: BTreeSet<u64> = offsets.collect();
        let is_one = members.is_empty() && declared(first.at).is_none_or(|scalar| scalar.bytes >= bytes);
        if is_one || !first.behind(0).is_some_and(|place| self.is_in_scalar(place)) {
            return BTreeSet::new();
        }
        members.extend((1..bytes).filter(|behind| declared(first.at + behind).is_some()));
        if !members.is_empty() {
            members.insert(0);
        }
        members
    }

    /// What is read of several members at once.
    pub(super) fn packed(&mut self, memory: &Memory, cells: &[MemLoc], bytes: u64) -> Option<HeldValue> {
        let first = MemberPlace::only(cells)?;
        let mut parts = Vec::new();
        let mut differs = None;
        for behind in self.members(memory, first, bytes) {
            let held = memory.read(first.behind(behind)?.into(), self.keys);
            let held = self.content(held.key, held.differs);
            differs = joined(differs, held.differs);
            parts.extend([self.keys.of(Key::Int(behind.into())), held.key]);
        }
        if parts.is_empty() {
            return None;
        }
        let key = self.keys.of(Key::Operation(Operator::Packed, parts));
        Some(self.content(key, differs))
    }

    /// What several members hold once a value is stored that has so many bytes: each what it was when they were read, or a part of the
    /// value. Of a value that was not read of several members, the first one is written as any other scalar.
    pub(super) fn unpacked(
        &mut self,
        memory: &Memory,
        cells: &[MemLoc],
        bytes: u64,
        value: HeldValue,
    ) -> Vec<CopiedCell> {
        let Some(first) = MemberPlace::only(cells) else {
            return Vec::new();
        };
        let parts = match self.keys.get(value.key) {
            Key::Operation(Operator::Packed, parts) => parts.clone(),
            _ => vec![self.keys.of(Key::Int(0)), value.key],
        };
        let is_packed = self.keys.is_packed(value.key);
        let mut others = self.members(memory, first, bytes);
        let mut unpacked = Vec::new();
        for part in parts.chunks_exact(2) {
            let Some(behind) = self.keys.int(part[0]).and_then(|behind| u64::try_from(behind).ok()) else {
                continue;
            };
            others.remove(&behind);
            let differs = value.differs.filter(|_| self.differing.contains(&part[1]));
            let held = self.content(part[1], differs);
            unpacked.extend(self.member(first, behind, held).filter(|_| is_packed));
        }
        for behind in others {
            let part = match self.keys.int(value.key) {
                Some(0) => value,
                _ => self.operation(Operator::Element(behind), &[value]),
            };
            unpacked.extend(self.member(first, behind, part));
        }
        unpacked
    }

    /// A member that holds a value.
    fn member(&mut self, first: MemberPlace, behind: u64, value: HeldValue) -> Option<CopiedCell> {
        let place = first.behind(behind)?;
        let place = StorePlace {
            surely: self.is_in_scalar(place),
            ..StorePlace::among(place)
        };
        Some(CopiedCell { place, value })
    }
}
