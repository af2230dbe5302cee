//! Records in registers: clang reads and writes small records as one number where they are passed and returned.
//!
//! ```text
//! struct pair { int rank, size; } own;      %both = load i64, ptr %own            Packed(0: own.rank, 4: own.size)
//! work(own);                                store i64 %both, ptr %parameter       parameter.rank, parameter.size
//! ```

use super::addresses::StorePlace;
use super::copies::{CopiedCell, MemberPlace};
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
    /// The members that begin in so many bytes from the only place on that an address leads to, where there are several.
    fn members(&self, memory: &Memory, cells: &[MemLoc], bytes: u64) -> Vec<MemLoc> {
        let around = self.of.around;
        let Some(MemberPlace { object, at }) = MemberPlace::only(cells).filter(|_| bytes > 1) else {
            return Vec::new();
        };
        let place = |at: u64| MemLoc {
            object,
            field: Field::Offset(at),
        };
        let declared = |at: u64| {
            let scalar = scalar_in(around.module, around.points_to, object, at);
            scalar.filter(|scalar| !scalar.in_array)
        };
        let end = at.saturating_add(bytes);
        let written: BTreeSet<u64> = memory.members_in(object, at + 1..end).collect();
        let is_one = written.is_empty() && declared(at).is_none_or(|scalar| scalar.bytes >= bytes);
        if is_one || !self.is_in_scalar(place(at)) {
            return Vec::new();
        }
        let begins = |member: &u64| *member == at || written.contains(member) || declared(*member).is_some();
        let members: Vec<MemLoc> = (at..end).filter(begins).map(place).collect();
        if members.len() > 1 { members } else { Vec::new() }
    }

    /// What is read of several members at once.
    pub(super) fn packed(&mut self, memory: &Memory, cells: &[MemLoc], bytes: u64) -> Option<HeldValue> {
        let members = self.members(memory, cells, bytes);
        let first = members.first()?;
        let mut parts = Vec::new();
        let mut differs = None;
        for member in &members {
            let held = memory.read((*member).into(), self.keys);
            let held = self.content(held.key, held.differs);
            differs = joined(differs, held.differs);
            parts.extend([self.keys.of(Key::Int(behind(*first, *member))), held.key]);
        }
        let key = self.keys.of(Key::Operation(Operator::Packed, parts));
        Some(self.content(key, differs))
    }

    /// What several members hold once a value is stored that has so many bytes: each what it was when they were read, or a part of the
    /// value. The first one of these is written as any other scalar.
    pub(super) fn unpacked(
        &mut self,
        memory: &Memory,
        cells: &[MemLoc],
        bytes: u64,
        value: HeldValue,
    ) -> Vec<CopiedCell> {
        let surely = |place: MemLoc, value: HeldValue| CopiedCell {
            place: StorePlace {
                cell: place.into(),
                surely: true,
            },
            value,
        };
        let mut members = self.members(memory, cells, bytes);
        let parts = match self.keys.get(value.key) {
            Key::Operation(Operator::Packed, parts) => parts.clone(),
            _ => Vec::new(),
        };
        let mut unpacked = Vec::new();
        if let (false, Some(MemberPlace { object, at })) = (parts.is_empty(), MemberPlace::only(cells)) {
            for part in parts.chunks_exact(2) {
                let place = { self.keys.int(part[0]) }
                    .and_then(|behind| at.checked_add(u64::try_from(behind).ok()?))
                    .map(|at| MemLoc {
                        object,
                        field: Field::Offset(at),
                    });
                let Some(place) = place else { continue };
                members.retain(|member| *member != place);
                let differs = value.differs.filter(|_| self.differing.contains(&part[1]));
                let value = self.content(part[1], differs);
                let member = surely(place, value);
                let surely = self.is_in_scalar(place);
                let place = StorePlace { surely, ..member.place };
                unpacked.push(CopiedCell { place, ..member });
            }
        } else if !members.is_empty() {
            members.remove(0);
        }
        for member in members {
            let part = match (MemberPlace::only(cells), self.keys.int(value.key), member.field) {
                (_, Some(0), _) => value,
                (Some(first), _, Field::Offset(at)) => {
                    self.operation(Operator::Element(at.saturating_sub(first.at)), &[value])
                }
                _ => value,
            };
            unpacked.push(surely(member, part));
        }
        unpacked
    }
}

/// How many bytes one member is behind another one.
fn behind(first: MemLoc, member: MemLoc) -> i128 {
    match (first.field, member.field) {
        (Field::Offset(first), Field::Offset(at)) => i128::from(at) - i128::from(first),
        _ => 0,
    }
}
