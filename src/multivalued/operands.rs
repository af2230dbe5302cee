//! What operands are, what addresses lead to, and what is read and written there.

use super::addresses::StorePlace;
use super::causes::{CauseId, CauseKind};
use super::interpretation::{BlockState, FunctionFrame, Interpreter};
use super::keys::{GivenPart, Key, KeyId, Operator};
use super::memory::{HeldValue, joined};
use super::roles::ClosedRegion;
use crate::program::ir::{InstId, Operand, Type};
use crate::program::objects::{Field, MemLoc, ObjectKind, Site};

/// What is stored, and where.
#[derive(Clone, Copy)]
pub(super) struct Stored<'s> {
    pub ptr: &'s Operand,
    pub ty: &'s Type,
    pub value: HeldValue,
}

impl Interpreter<'_> {
    /// What an operand is.
    pub(super) fn operand(&mut self, frame: &FunctionFrame<'_>, at: InstId, operand: &Operand) -> HeldValue {
        let site = Site {
            func: frame.func,
            inst: at,
        };
        let key = match operand {
            Operand::Inst(inst) => {
                let of = Site {
                    func: frame.func,
                    inst: *inst,
                };
                return frame.values[inst.0 as usize].unwrap_or_else(|| self.unknown(of, GivenPart::Result));
            }
            Operand::Arg(n) => {
                let unknown = self.unknown(site, GivenPart::Argument(*n));
                return frame.arguments.get(*n as usize).copied().unwrap_or(unknown);
            }
            Operand::Int(value) => Key::Int(*value),
            Operand::Float(value) => Key::Float(value.to_bits()),
            Operand::Null => Key::Null,
            Operand::Global(global) => Key::Global(*global, 0),
            Operand::Function(function) => Key::Function(*function),
            Operand::ConstGep { base, bytes } => match &**base {
                Operand::Global(global) => Key::Global(*global, *bytes),
                _ => Key::Given(site, GivenPart::Constant),
            },
            Operand::Undef | Operand::OtherConst => Key::Given(site, GivenPart::Constant),
        };
        HeldValue {
            key: self.keys.of(key),
            differs: None,
        }
    }

    /// The cells that an address leads to: of the object that it is known to lead to here, where functions are called with others elsewhere.
    pub(super) fn cells(&self, frame: &FunctionFrame<'_>, ptr: &Operand) -> Vec<MemLoc> {
        let around = self.of.around;
        let address = match ptr {
            Operand::Inst(inst) => frame.values[inst.0 as usize],
            Operand::Arg(n) => frame.arguments.get(*n as usize).copied(),
            _ => None,
        };
        if let Some(known) = address.and_then(|address| self.byte_at(address.key)) {
            let all = around.points_to.of_operand(frame.func, ptr).iter();
            let cells: Vec<MemLoc> = all.filter(|cell| cell.object == known.object).copied().collect();
            if !cells.is_empty() {
                return cells;
            }
        }
        around.places(frame.func, ptr).to_vec()
    }

    /// What there is at an address.
    pub(super) fn load(
        &mut self,
        frame: &FunctionFrame<'_>,
        here: &BlockState,
        inst: InstId,
        ptr: &Operand,
    ) -> HeldValue {
        let site = Site { func: frame.func, inst };
        let address = self.operand(frame, inst, ptr);
        let cells = self.cells(frame, ptr);
        let bytes = self.of.around.module.size_of(&frame.function.inst(inst).ty);
        if let Some(packed) = self.packed(&here.memory, &cells, bytes) {
            return packed;
        }
        if let Some(cell) = self.named_cell(address.key, &cells, Some(bytes)) {
            let mut held = here.memory.read(cell, self.keys);
            if here.regions.contains(&ClosedRegion::Critical) && self.contended.contains(&cell.place) {
                let unordered = self.causes.of(CauseKind::Unordered, site, None);
                held.differs = held.differs.or(Some(unordered));
            }
            return self.content(held.key, held.differs);
        }
        let mut differs = cells
            .iter()
            .fold(None, |known, cell| joined(known, here.memory.differing((*cell).into())));
        for place in &cells {
            // Members of a record that is read as one number.
            if let (Field::Offset(at), true) = (place.field, bytes > 1) {
                let further = at.saturating_add(1)..at.saturating_add(bytes);
                let differing = here
                    .memory
                    .within(place.object, further)
                    .filter_map(|(_, held)| held.differs);
                differs = joined(differs, differing.min());
            }
        }
        if differs.is_none() {
            differs = self.chosen_by(site, address.differs, &cells);
        }
        let key = self.loaded(here, address.key, &cells);
        let key = key.unwrap_or_else(|| self.keys.of(Key::Given(site, GivenPart::Result)));
        self.content(key, differs)
    }

    /// What is at an address that leads to one place: one value as long as nobody writes there.
    pub(super) fn loaded(&mut self, here: &BlockState, address: KeyId, cells: &[MemLoc]) -> Option<KeyId> {
        let &[cell] = cells else { return None };
        if self.of.around.points_to.object(cell.object).kind == ObjectKind::External {
            return None;
        }
        let others = here.memory.read(cell.into(), self.keys).key;
        let of_object = here.memory.of_object(cell.object);
        let elements = of_object.filter(|(at, _)| at.place == cell && at.element.is_some());
        let states = elements.map(|(_, content)| content.key);
        let of = [address, others].into_iter().chain(states).collect();
        Some(self.keys.of(Key::Operation(Operator::Loaded, of)))
    }

    /// Why what is at an address differs, if the address does: unless it is always the agent's own memory.
    fn chosen_by(&mut self, site: Site, address: Option<CauseId>, cells: &[MemLoc]) -> Option<CauseId> {
        address.filter(|_| !cells.is_empty())?;
        Some(self.causes.of(CauseKind::Address, site, address))
    }

    /// Puts a value where an address leads to.
    pub(super) fn store(&mut self, frame: &FunctionFrame<'_>, here: &mut BlockState, inst: InstId, stored: Stored<'_>) {
        let Stored { ptr, ty, value } = stored;
        let site = Site { func: frame.func, inst };
        let address = self.operand(frame, inst, ptr);
        let cells = self.cells(frame, ptr);
        let one_by_one = here.regions.contains(&ClosedRegion::Critical);
        let bytes = self.of.around.module.size_of(ty);
        for member in self.unpacked(&here.memory, &cells, bytes, value) {
            self.put(here, member.place, member.value, site, None);
        }
        if self.keys.is_packed(value.key) {
            return;
        }
        for place in self.store_places(address.key, &cells, Some(bytes)) {
            let mut value = value;
            let cell = place.cell.place;
            if one_by_one && self.is_shared(cell.object) {
                self.contended.insert(cell);
                let unordered = self.causes.of(CauseKind::Unordered, site, None);
                value.differs = value.differs.or(Some(unordered));
            }
            self.put(here, place, value, site, address.differs);
        }
    }

    /// Puts a value in a cell: in the place of what is there, if it is surely that one.
    pub(super) fn put(
        &mut self,
        here: &mut BlockState,
        place: StorePlace,
        value: HeldValue,
        site: Site,
        address: Option<CauseId>,
    ) {
        let StorePlace {
            cell,
            surely,
            of_several,
        } = place;
        let object = self.of.around.points_to.object(cell.place.object);
        if object.kind == ObjectKind::External || !self.of.slice.has_place(cell.place) {
            // Which of all that others own it is, nobody knows; what nothing depends on is not kept.
            return;
        }
        let mut value = value;
        if let Some(differs) = value.differs {
            let name = object.name.clone();
            value.differs = Some(self.causes.of(CauseKind::Stored(name), site, Some(differs)));
        }
        if surely {
            here.written.insert(cell);
            here.memory.set(cell, value);
            return;
        }
        let chosen = self.chosen_by(site, address, &[cell.place]);
        let part = match of_several {
            true => GivenPart::OneOfSeveral,
            false => GivenPart::Element,
        };
        let key = self.keys.of(Key::Given(site, part));
        let stored = match value.differs {
            Some(_) if of_several => Some(self.causes.of(CauseKind::OneOfVariables, site, value.differs)),
            differs => differs,
        };
        let differs = joined(stored, chosen);
        here.written.extend(here.memory.add(cell, HeldValue { key, differs }));
    }

    /// Reads and writes a cell in one step: threads get what others have left.
    pub(super) fn atomic(
        &mut self,
        frame: &FunctionFrame<'_>,
        here: &mut BlockState,
        inst: InstId,
        stored: Stored<'_>,
    ) -> HeldValue {
        let Stored { ptr, ty, value } = stored;
        let site = Site { func: frame.func, inst };
        let address = self.operand(frame, inst, ptr);
        let cells = self.cells(frame, ptr);
        let key = self.keys.of(Key::Given(site, GivenPart::Result));
        let shared = cells.iter().any(|cell| self.is_shared(cell.object));
        let unordered = shared.then(|| self.causes.of(CauseKind::Unordered, site, None));
        let got = self.content(key, joined(value.differs, unordered));
        let bytes = self.of.around.module.size_of(ty);
        for place in self.store_places(address.key, &cells, Some(bytes)) {
            self.put(here, place, got, site, None);
        }
        got
    }
}
