//! How each instruction changes slots: stores, calls and whatever else writes memory.

use super::evaluated_function::EvaluatedFunction;
use super::known_calls::KnownCalls;
use super::slots::{SlotId, SlotKind, Slots};
use super::version::{SlotChange, Version, is_private};
use crate::analysis::effects::{Effects, LocSet};
use crate::analysis::points_to::PointsTo;
use crate::program::attach::Attachment;
use crate::program::graph::NodeId;
use crate::program::ir::{FuncId, InstId, Module, Op};
use crate::program::objects::{Field, MemLoc};
use rustc_hash::FxHashMap;

/// What an instruction may write.
enum WrittenPlaces<'a> {
    /// What its pointer may point to.
    There(&'a [MemLoc]),
    /// What a call may write.
    ByCall(LocSet),
}

impl WrittenPlaces<'_> {
    fn is_empty(&self) -> bool {
        match self {
            WrittenPlaces::There(locs) => locs.is_empty(),
            WrittenPlaces::ByCall(locs) => locs.is_empty(),
        }
    }

    /// Whether one of the locations meets another one.
    fn any(&self, points_to: &PointsTo, other: &MemLoc, meets: &dyn Fn(&MemLoc, &MemLoc) -> bool) -> bool {
        match self {
            WrittenPlaces::There(locs) => locs.iter().any(|l| meets(other, l)),
            WrittenPlaces::ByCall(locs) => locs.beside(points_to, other.object).any(|l| meets(other, l)),
        }
    }
}

/// One write of an instruction.
struct Write<'a> {
    /// The slot whose value it is.
    slot: Option<SlotId>,
    written: WrittenPlaces<'a>,
    /// How far it reaches from where it begins: at least one byte.
    reach: u64,
}

/// Reads the changes of slots off a function's instructions.
pub(super) struct ChangeReader<'a> {
    module: &'a Module,
    func: FuncId,
    attachment: &'a Attachment,
    slots: &'a Slots,
    points_to: &'a PointsTo,
    effects: &'a Effects<'a>,
    calls: &'a KnownCalls,
    /// The places of each slot.
    lives: Vec<Vec<MemLoc>>,
    /// Slots that others may know the address of.
    public: Vec<SlotId>,
    /// Members behind the pointer in each slot.
    behind: FxHashMap<SlotId, Vec<SlotId>>,
}

impl<'a> ChangeReader<'a> {
    /// A reader of one function.
    pub fn new(
        of: EvaluatedFunction<'a>,
        slots: &'a Slots,
        points_to: &'a PointsTo,
        calls: &'a KnownCalls,
    ) -> ChangeReader<'a> {
        let EvaluatedFunction {
            module,
            func,
            attachment,
            effects,
            ..
        } = of;
        let mut behind: FxHashMap<SlotId, Vec<SlotId>> = FxHashMap::default();
        for slot in slots.ids() {
            if let SlotKind::Behind(outer, _) = slots.get(slot).kind {
                behind.entry(outer).or_default().push(slot);
            }
        }
        ChangeReader {
            module,
            func,
            attachment,
            slots,
            points_to,
            effects,
            calls,
            lives: slots.ids().map(|s| slots.places(points_to, func, s)).collect(),
            public: { slots.ids() }
                .filter(|s| !is_private(slots, points_to, func, *s))
                .collect(),
            behind,
        }
    }

    /// The changes within a node, in order.
    pub fn changes_in(&self, node: NodeId) -> Vec<SlotChange> {
        let function = self.module.function(self.func);
        let insts = &self.attachment.insts_of[node.0 as usize];
        // With `&&` or `?:` inside, a store may or may not happen: its slot is unknown afterwards, not the stored value,
        // but for ways out that it is on ([`super::exit_facts`]).
        let one_block = insts
            .windows(2)
            .all(|w| function.inst(w[0]).block == function.inst(w[1]).block);
        let mut changes = Vec::new();
        for &id in insts {
            for others in self.effects.others_at(self.func, id) {
                let others = &others.writes;
                let met = |s: &SlotId| {
                    self.lives[s.0 as usize]
                        .iter()
                        .any(|a| others.meets(self.points_to, *a))
                };
                changes.extend(self.slots.ids().filter(met).map(|s| SlotChange::clobber(id, s)));
            }
            if let Some(write) = self.write(id, one_block, &mut changes) {
                self.add_written(id, &write, one_block, &mut changes);
            }
        }
        self.add_behind(&mut changes);
        changes.sort_by_key(|c| (c.inst, c.slot));
        changes
    }

    /// The write of an instruction. Slots that it changes in other ways go to `changes`.
    fn write(&self, id: InstId, one_block: bool, changes: &mut Vec<SlotChange>) -> Option<Write<'_>> {
        let (slots, func) = (self.slots, self.func);
        let function = self.module.function(func);
        let there = |ptr| WrittenPlaces::There(self.points_to.of_operand(func, ptr));
        let (slot, written, reach) = match &function.inst(id).op {
            Op::Store { ptr, ty, .. } => {
                let slot = slots.value_at(ptr, ty, function);
                // Where it is another type the slot keeps a part of what it held.
                let part = slots.at(ptr, function).filter(|s| Some(*s) != slot);
                changes.extend(part.map(|s| SlotChange::clobber(id, s)));
                (slot, there(ptr), self.module.size_of(ty))
            }
            Op::Atomic { ptr, .. } => (None, there(ptr), 1),
            Op::Call { .. } => (None, WrittenPlaces::ByCall(self.call(id, one_block, changes)), 1),
            Op::Other {
                touches_memory: true, ..
            } => {
                changes.extend(self.public.iter().map(|s| SlotChange::clobber(id, *s)));
                return None;
            }
            _ => return None,
        };
        Some(Write { slot, written, reach })
    }

    /// All that a call may write. Slots that are known to change go to `changes`, and those that unknown code may change.
    fn call(&self, id: InstId, one_block: bool, changes: &mut Vec<SlotChange>) -> LocSet {
        let known = self.calls.get(&id);
        for (slot, value) in known.iter().flat_map(|k| &k.stores) {
            changes.push(match value {
                Some(_) => SlotChange::to(id, *slot, Version::Call(id), one_block),
                None => SlotChange::clobber(id, *slot),
            });
        }
        let call = self.effects.of_call(self.func, id);
        if call.unknown {
            let said = |s: &SlotId| known.is_some_and(|k| k.stores.iter().any(|(slot, _)| slot == s));
            let others = self.public.iter().filter(|s| !said(s));
            changes.extend(others.map(|s| SlotChange::clobber(id, *s)));
        }
        // What is given up holds nothing any more, and what comes to lie there holds something else.
        let freed = |s: &&SlotId| {
            let mut places = self.lives[s.0 as usize].iter();
            places.any(|l| call.may_free(self.points_to, l.object))
        };
        if !call.frees.is_empty() {
            changes.extend(self.public.iter().filter(freed).map(|s| SlotChange::clobber(id, *s)));
        }
        match known.and_then(|k| Some((k, k.elsewhere.as_ref()?))) {
            Some((known, elsewhere)) => {
                let stored = known.stores.iter().flat_map(|(s, _)| &self.lives[s.0 as usize]);
                let mut all = elsewhere.clone();
                all.extend(stored.copied());
                all
            }
            None => call.writes.clone(),
        }
    }

    /// Adds a write's own slot and all that it may meet.
    fn add_written(&self, id: InstId, write: &Write<'_>, one_block: bool, changes: &mut Vec<SlotChange>) {
        let (slots, points_to) = (self.slots, self.points_to);
        let is_clobbered =
            |slot: SlotId, changes: &[SlotChange]| changes.iter().any(|c| c.slot == slot && c.inst == id);
        if let Some(slot) = write.slot.filter(|s| !is_clobbered(*s, changes)) {
            changes.push(SlotChange::to(id, slot, Version::Def(id), one_block));
        }
        if write.written.is_empty() {
            return;
        }
        for &s in &self.public {
            if Some(s) == write.slot || is_clobbered(s, changes) {
                continue;
            }
            let bytes = slots.get(s).ty.as_ref().map_or(8, |ty| self.module.size_of(ty));
            let meets = |a: &MemLoc, b: &MemLoc| points_to.may_alias(*a, *b) || share_bytes(*a, bytes, *b, write.reach);
            let mut places = self.lives[s.0 as usize].iter();
            if places.any(|a| write.written.any(points_to, a, &meets)) {
                changes.push(SlotChange::clobber(id, s));
            }
        }
    }

    /// A member behind a pointer changes when the pointer does; nested members follow by iteration.
    fn add_behind(&self, changes: &mut Vec<SlotChange>) {
        let mut i = 0;
        while i < changes.len() {
            let SlotChange { inst, slot, .. } = changes[i];
            for &s in self.behind.get(&slot).into_iter().flatten() {
                if !changes.iter().any(|c| c.slot == s && c.inst == inst) {
                    changes.push(SlotChange::clobber(inst, s));
                }
            }
            i += 1;
        }
    }
}

/// Whether so many bytes at two known places of one object overlap.
fn share_bytes(a: MemLoc, a_bytes: u64, b: MemLoc, b_bytes: u64) -> bool {
    match (a.field, b.field) {
        (Field::Offset(x), Field::Offset(y)) => a.object == b.object && x < y + b_bytes && y < x + a_bytes,
        _ => false,
    }
}
