//! Calls of the library: by what the tables say.

use super::addresses::StorePlace;
use super::causes::CauseKind;
use super::interpretation::{BlockState, FunctionFrame, Interpreter};
use super::keys::{GivenPart, Key, KeyId, Operator};
use super::memory::{ElementRange, HeldValue, TrackedCell, joined};
use super::recorded::{CollectiveEvent, CollectiveStep};
use super::roles::{ClosedRegion, CommunicatorArgument, LibraryRole, MadeCommunicator, ValuePlace};
use crate::program::ir::Operand;
use crate::program::linker_names::linker_name;
use crate::program::objects::Site;

/// Schedules of `distribute`: in chunks of a size, and one chunk for each team (`kmp.h`, `kmp_distribute_static…`).
const DISTRIBUTE: [i128; 2] = [91, 92];

/// A call with its arguments.
pub(super) struct Calling<'c> {
    pub site: Site,
    pub name: &'c str,
    pub operands: &'c [Operand],
    pub arguments: Vec<HeldValue>,
}

impl Interpreter<'_> {
    /// A call of the library of which nothing is said in the tables: what it gives differs if what it is given does.
    pub(super) fn outside(
        &mut self,
        frame: &FunctionFrame<'_>,
        here: &mut BlockState,
        calling: &Calling<'_>,
    ) -> HeldValue {
        let effects = self.of.around.effects.of_call(calling.site.func, calling.site.inst);
        if effects.unknown {
            // Who does not come here keeps what was there.
            for cell in { calling.operands.iter() }
                .flat_map(|operand| self.cells(frame, operand))
                .collect::<Vec<_>>()
            {
                let value = self.unknown(calling.site, GivenPart::Cell(cell.into()));
                self.put(here, StorePlace::among(cell), value, calling.site, None);
            }
            return self.unknown(calling.site, GivenPart::Result);
        }
        let allocates = effects.allocates.iter().next().is_some();
        let mut differs = None;
        for (argument, operand) in calling.arguments.iter().zip(calling.operands) {
            let cells = self.cells(frame, operand);
            // Where an address leads, and not the address, is what is worked with.
            let own = argument.differs.filter(|_| cells.is_empty());
            differs = joined(differs, own);
            for cell in cells.into_iter().filter(|cell| effects.reads.contains(cell)) {
                differs = joined(differs, here.memory.differing(cell.into()));
            }
        }
        for cell in effects.writes.iter().copied() {
            let key = self.keys.of(Key::Given(calling.site, GivenPart::Cell(cell.into())));
            self.put(
                here,
                StorePlace::among(cell),
                HeldValue { key, differs },
                calling.site,
                None,
            );
        }
        let named = Operator::Other(self.keys.mnemonic(calling.name));
        let pure = effects.writes.is_empty() && effects.reads.is_empty() && !effects.state && !effects.io;
        match pure && !calling.name.is_empty() && !allocates {
            true => self.operation(named, &calling.arguments),
            false => {
                let part = if allocates {
                    GivenPart::Allocated
                } else {
                    GivenPart::Result
                };
                let key = self.keys.of(Key::Given(calling.site, part));
                self.content(key, differs.filter(|_| !allocates))
            }
        }
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
            self.give(frame, here, calling, argument, HeldValue { key, differs });
        }
        for &argument in &role.received {
            let key = self.given(calling, argument);
            let received = CauseKind::Received(calling.name.to_owned());
            let differs = Some(self.causes.of(received, site, None));
            self.give(frame, here, calling, argument, HeldValue { key, differs });
        }
        for &argument in &role.equal {
            match self.makes_equal(communicator) {
                true => self.agree(frame, here, calling, role, argument),
                // What one member sends to the others is the same as before where all had the same.
                false if role.root.is_some() => {}
                false => {
                    let key = self.given(calling, argument);
                    let differs = self.has_parts(communicator).then(|| source(self));
                    self.give(frame, here, calling, argument, HeldValue { key, differs });
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
                ValuePlace::Argument(argument) => self.give_one(frame, here, calling, argument, number),
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
                let &[cell] = cells.as_slice() else { return None };
                let named = self.named_cell(calling.arguments.get(n)?.key, &cells, None);
                Some(here.memory.read(named.unwrap_or(cell.into()), self.keys))
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

    /// The key of what a call gives by an argument.
    fn given(&mut self, calling: &Calling<'_>, argument: usize) -> KeyId {
        let part = GivenPart::Argument(argument as u32);
        self.keys.of(Key::Given(calling.site, part))
    }

    /// Puts a value where an argument points to, in one element or several.
    fn give(
        &mut self,
        frame: &FunctionFrame<'_>,
        here: &mut BlockState,
        calling: &Calling<'_>,
        argument: usize,
        value: HeldValue,
    ) {
        let Some(operand) = calling.operands.get(argument) else {
            return;
        };
        let value = self.content(value.key, value.differs);
        let cells = self.cells(frame, operand);
        for place in self.places_from(&cells) {
            self.put(here, place, value, calling.site, None);
        }
    }

    /// Puts a value where an argument points to, in one element.
    fn give_one(
        &mut self,
        frame: &FunctionFrame<'_>,
        here: &mut BlockState,
        calling: &Calling<'_>,
        argument: usize,
        value: HeldValue,
    ) {
        let (Some(operand), Some(address)) = (calling.operands.get(argument), calling.arguments.get(argument)) else {
            return;
        };
        let value = self.content(value.key, value.differs);
        let cells = self.cells(frame, operand);
        for place in self.store_places(address.key, &cells, None) {
            self.put(here, place, value, calling.site, None);
        }
    }

    /// What an argument points to is the same for all now.
    fn agree(
        &mut self,
        frame: &FunctionFrame<'_>,
        here: &mut BlockState,
        calling: &Calling<'_>,
        role: &LibraryRole,
        argument: usize,
    ) {
        let (Some(operand), Some(address)) = (calling.operands.get(argument), calling.arguments.get(argument)) else {
            return;
        };
        let key = self.given(calling, argument);
        let named = self.cells(frame, operand);
        let elements = self.elements_from(address.key, &named, self.items(calling, role));
        let effects = self.of.around.effects.of_call(calling.site.func, calling.site.inst);
        let reached = effects.writes.iter().copied();
        let reached = reached.filter(|cell| named.iter().any(|n| n.object == cell.object));
        for place in reached.chain(named.iter().copied()) {
            here.written.extend(here.memory.agree(place, elements, key));
        }
        for place in named {
            here.written.insert(place.into());
            here.memory.set(place.into(), HeldValue { key, differs: None });
        }
    }

    /// How many elements a call is about, if that is a number and they are of a type of the library.
    fn items(&self, calling: &Calling<'_>, role: &LibraryRole) -> Option<i128> {
        let items = role.items?;
        let [items, of] = [items, items + 1].map(|n| calling.arguments.get(n).map(|argument| argument.key));
        let plain = self.keys.int(of?).is_some() || matches!(self.keys.get(of?), Key::Global(..));
        self.keys.int(items?).filter(|_| plain)
    }

    /// Whether iterations are shared among the teams of a league, and not among the threads of one.
    fn distributes(&self, calling: &Calling<'_>, role: &LibraryRole) -> bool {
        let schedule = calling.arguments.get(2).and_then(|s| self.keys.int(s.key));
        role.enter == Some(ClosedRegion::Worksharing) && schedule.is_some_and(|s| DISTRIBUTE.contains(&s))
    }

    /// What the pointers point to that an argument points to is the same for all now.
    fn agree_behind(
        &mut self,
        frame: &FunctionFrame<'_>,
        here: &mut BlockState,
        calling: &Calling<'_>,
        argument: usize,
    ) {
        let Some(operand) = calling.operands.get(argument) else {
            return;
        };
        let points_to = self.of.around.points_to;
        let key = self.given(calling, argument);
        for list in self.cells(frame, operand) {
            for place in points_to.contents(list).to_vec() {
                here.written.insert(place.into());
                here.written.extend(here.memory.agree(place, ElementRange::ALL, key));
            }
        }
    }

    /// All threads have waited for each other: they find the same in memory that they share.
    fn wait(&mut self, here: &mut BlockState, site: Site) {
        let differing = { here.memory.iter() }.filter(|(_, content)| content.differs.is_some());
        let shared = { differing.map(|(cell, _)| *cell) }.filter(|cell| self.is_shared(cell.place.object));
        for cell in shared.collect::<Vec<TrackedCell>>() {
            let key = self.keys.of(Key::Given(site, GivenPart::Cell(cell)));
            here.written.insert(cell);
            here.memory.set(cell, HeldValue { key, differs: None });
        }
    }

    /// What an argument points to is a communicator now.
    fn make(
        &mut self,
        frame: &FunctionFrame<'_>,
        here: &mut BlockState,
        calling: &Calling<'_>,
        role: &LibraryRole,
        of: Option<HeldValue>,
    ) {
        let site = calling.site;
        let Some((argument, made)) = role.makes else { return };
        let key = match (made, of) {
            (MadeCommunicator::Same, Some(of)) => Key::SameMembers(site, of.key),
            (MadeCommunicator::Part(colour), Some(of)) => match calling.arguments.get(colour) {
                Some(colour) => Key::Part {
                    site,
                    of: of.key,
                    colour: colour.key,
                },
                None => Key::UnknownMembers(site),
            },
            (MadeCommunicator::Subset, Some(of)) => Key::Part {
                site,
                of: of.key,
                colour: self.keys.of(Key::Given(site, GivenPart::Members)),
            },
            _ => Key::UnknownMembers(site),
        };
        let source = self.causes.of(CauseKind::Source(calling.name.to_owned()), site, None);
        let one_colour = match made {
            MadeCommunicator::Part(colour) => { calling.arguments.get(colour) }.and_then(|of| self.keys.int(of.key)),
            _ => None,
        };
        let alike = made == MadeCommunicator::Same || role.alike || one_colour.is_some();
        let differs = (!alike).then_some(source);
        let key = self.keys.of(key);
        self.give_one(frame, here, calling, argument, HeldValue { key, differs });
    }
}
