//! What calls of the library leave in memory: where arguments point to.

use super::causes::CauseKind;
use super::cells::{ElementRange, TrackedCell};
use super::interpretation::{BlockState, Calling, FunctionFrame, Interpreter};
use super::keys::{GivenPart, Key, KeyId};
use super::memory::HeldValue;
use super::roles::{LibraryRole, MadeCommunicator};
use crate::program::objects::Site;

/// How many elements a call gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum GivenItems {
    One,
    /// Perhaps more than one.
    Several,
}

/// What a call gives, and by which argument.
#[derive(Clone, Copy, Debug)]
pub(super) struct GivenValue {
    argument: usize,
    items: GivenItems,
    value: HeldValue,
}

impl GivenValue {
    pub fn one(argument: usize, value: HeldValue) -> GivenValue {
        let items = GivenItems::One;
        GivenValue { argument, items, value }
    }

    pub fn several(argument: usize, value: HeldValue) -> GivenValue {
        let items = GivenItems::Several;
        GivenValue { argument, items, value }
    }
}

impl Interpreter<'_> {
    /// The key of what a call gives by an argument.
    pub(super) fn given(&mut self, calling: &Calling<'_>, argument: usize) -> KeyId {
        let part = GivenPart::Argument(argument as u32);
        self.keys.of(Key::Given(calling.site, part))
    }

    /// Puts a value where an argument points to.
    pub(super) fn give(
        &mut self,
        frame: &FunctionFrame<'_>,
        here: &mut BlockState,
        calling: &Calling<'_>,
        given: GivenValue,
    ) {
        let GivenValue { argument, items, value } = given;
        let (Some(operand), Some(address)) = (calling.operands.get(argument), calling.arguments.get(argument)) else {
            return;
        };
        let value = self.content(value.key, value.differs);
        let cells = self.cells(frame, operand);
        let places = match items {
            GivenItems::One => self.store_places(address.key, &cells, None),
            GivenItems::Several => self.places_from(&cells),
        };
        for place in places {
            self.put(here, place, value, calling.site, None);
        }
    }

    /// What an argument points to is the same for all now.
    pub(super) fn agree(
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
        let items = self.items(calling, role);
        let elements = self.elements_from(address.key, &named, items);
        let effects = self.of.around.effects_of(calling.site);
        // One number is no more than the member that is pointed to.
        let further = effects.writes.iter().copied().filter(|_| items != Some(1));
        let reached = further.filter(|cell| named.iter().any(|n| n.object == cell.object));
        for place in reached.chain(named.iter().copied()) {
            here.written.extend(here.memory.agree(place, elements, key, self.keys));
        }
        let slice = self.of.slice;
        for place in named.into_iter().filter(|place| slice.has_place(*place)) {
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

    /// What the pointers point to that an argument points to is the same for all now.
    pub(super) fn agree_behind(
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
            let places = points_to.contents(list).iter().copied();
            for place in places.filter(|place| self.of.slice.has_place(*place)) {
                here.written.insert(place.into());
                here.written
                    .extend(here.memory.agree(place, ElementRange::ALL, key, self.keys));
            }
        }
    }

    /// All threads have waited for each other: they find the same in memory that they share.
    pub(super) fn wait(&mut self, here: &mut BlockState, site: Site) {
        let differing = { here.memory.iter() }.filter(|(_, content)| content.differs.is_some());
        let shared = { differing.map(|(cell, _)| *cell) }.filter(|cell| self.is_shared(cell.place.object));
        for cell in shared.collect::<Vec<TrackedCell>>() {
            let key = self.keys.of(Key::Given(site, GivenPart::Cell(cell)));
            here.written.insert(cell);
            here.memory.set(cell, HeldValue { key, differs: None });
        }
    }

    /// What an argument points to is a communicator now.
    pub(super) fn make(
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
        self.give(
            frame,
            here,
            calling,
            GivenValue::one(argument, HeldValue { key, differs }),
        );
    }
}
