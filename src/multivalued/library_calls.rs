//! Calls of the library: by what the tables say.

use super::addresses::StorePlace;
use super::causes::CauseKind;
use super::copies::CopiedCell;
use super::given::GivenValue;
use super::interpretation::{BlockState, Calling, FunctionFrame, Interpreter};
use super::keys::{GivenPart, Key, KeyId, Operator};
use super::memory::{HeldValue, joined};
use super::recorded::{CollectiveEvent, CollectiveStep};
use super::roles::{ClosedRegion, CommunicatorArgument, LibraryRole, SCHEDULE, ValuePlace};
use crate::program::linker_names::linker_name;
use crate::program::objects::ObjectId;
use std::collections::BTreeSet;

/// Schedules of `distribute`: in chunks of a size, and one chunk for each team (`kmp.h`, `kmp_distribute_static…`).
const DISTRIBUTE: [i128; 2] = [91, 92];

impl Interpreter<'_> {
    /// A call of the library of which nothing is said in the tables: what it gives differs if what it is given does.
    pub(super) fn outside(
        &mut self,
        frame: &FunctionFrame<'_>,
        here: &mut BlockState,
        calling: &Calling<'_>,
    ) -> HeldValue {
        let effects = self.of.around.effects_of(calling.site);
        if effects.unknown {
            // Who does not come here keeps what was there.
            for operand in calling.operands {
                let cells = self.cells(frame, operand);
                for place in self.among(&cells) {
                    let value = self.unknown(calling.site, GivenPart::Cell(place.cell));
                    self.put(here, place, value, calling.site, None);
                }
            }
            return self.unknown(calling.site, GivenPart::Result);
        }
        if let Some(copy) = self.copied_by(frame, calling)
            && let Some(copied) = self.copied(&here.memory, copy)
        {
            for CopiedCell { place, value } in copied {
                self.put(here, place, value, calling.site, None);
            }
            return self.unknown(calling.site, GivenPart::Result);
        }
        let allocates = effects.allocates.iter().next().is_some();
        let mut differs = None;
        // What an argument leads to, and what is one of several that an argument may lead to.
        let (mut meant, mut of_several) = (BTreeSet::<ObjectId>::new(), BTreeSet::<ObjectId>::new());
        for (argument, operand) in calling.arguments.iter().zip(calling.operands) {
            let cells = self.cells(frame, operand);
            // Where an address leads, and not the address, is what is worked with.
            let own = argument.differs.filter(|_| cells.is_empty());
            differs = joined(differs, own);
            match self.only_object(&cells) {
                Some(object) => drop(meant.insert(object)),
                None => of_several.extend(cells.iter().map(|cell| cell.object)),
            }
        }
        let mut looked_at = 0;
        for place in effects.reads.iter().copied() {
            differs = joined(differs, here.memory.differing(place.into()));
            looked_at += 1;
        }
        self.spend(frame.func, looked_at);
        for cell in effects.writes.iter().copied() {
            let key = self.keys.of(Key::Given(calling.site, GivenPart::Cell(cell.into())));
            let place = StorePlace {
                of_several: of_several.contains(&cell.object) && !meant.contains(&cell.object),
                ..StorePlace::among(cell)
            };
            self.put(here, place, HeldValue { key, differs }, calling.site, None);
        }
        if self.of.around.gives_the_same(calling.site) {
            let part = if allocates {
                GivenPart::Allocated
            } else {
                GivenPart::Result
            };
            return self.unknown(calling.site, part);
        }
        let pure = effects.writes.is_empty() && effects.reads.is_empty() && !effects.state && !effects.io;
        if pure && !calling.name.is_empty() {
            let named = Operator::Other(self.keys.mnemonic(calling.name));
            return self.operation(named, &calling.arguments);
        }
        let key = self.keys.of(Key::Given(calling.site, GivenPart::Result));
        self.content(key, differs)
    }

    /// A call of the library of which the tables say what it means.
    pub(super) fn known(
        &mut self,
        frame: &FunctionFrame<'_>,
        here: &mut BlockState,
        calling: &Calling<'_>,
        role: &'static LibraryRole,
    ) -> HeldValue {
        let site = calling.site;
        let communicator = self.communicator(frame, here, calling, role);
        let distributes = self.distributes(calling, role);
        if role.is_collective() && !distributes {
            let name = role.name().unwrap_or(linker_name(calling.name)).to_owned();
            let steps = match role.steps.as_slice() {
                [] => std::slice::from_ref(&name),
                steps => steps,
            };
            here.events.extend(steps.iter().map(|step| {
                CollectiveStep::Collective(CollectiveEvent {
                    site,
                    name: name.clone(),
                    step: step.clone(),
                    communicator,
                    of_file: role.of_file,
                    root: role.root.and_then(|n| calling.arguments.get(n).copied()),
                    operator: role.operator.and_then(|n| calling.arguments.get(n).copied()),
                    within: here.regions.last().copied(),
                })
            }));
        }
        let source = |own: &mut Self| {
            let name = role.called.unwrap_or(linker_name(calling.name)).to_owned();
            own.causes.of(CauseKind::Source(name), site, None)
        };
        for &argument in &role.differs {
            let key = self.given(calling, argument);
            let differs = Some(source(self));
            let value = HeldValue { key, differs };
            self.give(frame, here, calling, GivenValue::several(argument, value));
        }
        for &argument in &role.received {
            let key = self.given(calling, argument);
            let received = CauseKind::Received(calling.name.to_owned());
            let differs = Some(self.causes.of(received, site, None));
            let value = HeldValue { key, differs };
            self.give(frame, here, calling, GivenValue::several(argument, value));
        }
        for &argument in &role.equal {
            match self.makes_equal(communicator) {
                true => self.agree(frame, here, calling, role, argument),
                // What one member sends to the others is the same as before where all had the same.
                false if role.root.is_some() => {}
                false => {
                    let key = self.given(calling, argument);
                    let differs = self.has_parts(communicator).then(|| source(self));
                    let value = HeldValue { key, differs };
                    self.give(frame, here, calling, GivenValue::several(argument, value));
                }
            }
        }
        if let Some(argument) = role.equal_behind {
            self.agree_behind(frame, here, calling, argument);
        }
        if role.barrier {
            self.wait(here, site);
        }
        match role.enter {
            Some(region) => here.regions.push(region),
            None if role.leave => drop(here.regions.pop()),
            None => {}
        }
        self.make(frame, here, calling, role, communicator);
        let mut result = HeldValue {
            key: self.keys.of(Key::Given(site, GivenPart::Result)),
            differs: role.result.then(|| source(self)),
        };
        for (place, operator) in [(role.own, Operator::OwnNumber), (role.count, Operator::AgentCount)] {
            let Some(place) = place else { continue };
            let of = calling.arguments.first().filter(|_| place != ValuePlace::Result);
            let mut number = self.operation(operator, of.map_or(&[], std::slice::from_ref));
            if operator == Operator::OwnNumber {
                number.differs = Some(source(self));
            }
            match place {
                ValuePlace::Result => result = number,
                ValuePlace::Argument(argument) => self.give(frame, here, calling, GivenValue::one(argument, number)),
            }
        }
        self.content(result.key, result.differs)
    }

    /// The communicator that a call is about.
    fn communicator(
        &mut self,
        frame: &FunctionFrame<'_>,
        here: &BlockState,
        calling: &Calling<'_>,
        role: &LibraryRole,
    ) -> Option<HeldValue> {
        match role.communicator? {
            CommunicatorArgument::World => None,
            CommunicatorArgument::Value(n) => calling.arguments.get(n).copied(),
            CommunicatorArgument::Behind(n) => {
                let cells = self.cells(frame, calling.operands.get(n)?);
                let address = calling.arguments.get(n)?.key;
                if let Some(named) = self.named_cell(address, &cells, None) {
                    return Some(here.memory.read(named, self.keys));
                }
                let differing = cells.iter().map(|cell| here.memory.differing((*cell).into()));
                let differs = differing.fold(None, joined);
                let key = self.loaded(here, address, &cells);
                let key = key.unwrap_or_else(|| self.given(calling, n));
                Some(self.content(key, differs))
            }
        }
    }

    /// Whether those who are looked at have the same after a collective on a communicator.
    fn makes_equal(&self, communicator: Option<HeldValue>) -> bool {
        let Some(key) = communicator.map(|c| c.key) else {
            return true;
        };
        let group = self.group(key);
        match &self.of.communicators {
            Some(communicators) => communicators.contains(&group),
            None => !matches!(self.keys.get(group), Key::Part { .. } | Key::UnknownMembers(_)),
        }
    }

    /// Whether a communicator is one of several into which others were split; by one colour that all give none is.
    fn has_parts(&self, communicator: Option<HeldValue>) -> bool {
        let group = communicator.map(|of| self.keys.get(self.group(of.key)));
        matches!(group, Some(Key::Part { colour, .. }) if self.keys.int(*colour).is_none())
    }

    /// The communicator that stands for all with the same members.
    fn group(&self, mut key: KeyId) -> KeyId {
        while let Key::SameMembers(_, of) = self.keys.get(key) {
            key = *of;
        }
        key
    }

    /// Whether iterations are shared among the teams of a league, and not among the threads of one.
    fn distributes(&self, calling: &Calling<'_>, role: &LibraryRole) -> bool {
        let schedule = calling.arguments.get(SCHEDULE).and_then(|s| self.keys.int(s.key));
        role.enter == Some(ClosedRegion::Worksharing) && schedule.is_some_and(|s| DISTRIBUTE.contains(&s))
    }
}
