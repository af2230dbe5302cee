//! What becomes of the values that copies bring: whether anybody uses them, and whether they are any news.
//!
//! ```c
//! #pragma omp target map(tofrom: a[0:n])   // to:   the kernel writes all of a before it reads any: nobody uses what came
//! …  a[i] = i;                             // from: the host reads it below
//! #pragma omp target map(tofrom: a[0:n])   // to:   a comes back, and the host has not changed it since it left
//! …  s += a[i];                            // from: the host has these values already: no news
//! printf("%g", a[0]);
//! ```
//!
//! **Domain.** Beside a [`MappingState`], for each copy that may have been made: the elements that still have the values that it brought, and those of them
//! that were used; for each copy to the device, and each end of a device copy: the elements that have changed since. All sets hold at least the elements
//! that are meant, so that what a copy is blamed for is so on every way. Join is union; a section that two ways know differently is not known.
//!
//! **Semantics.** A value that is copied on is used by that: without the first copy the second would bring something else.
//!
//! Source: liveness and availability of OmpMemOpt (Barua et al., 2020, §4), said of the copies that somebody wrote.

use super::brought_values::{
    ByCopy, ChangesSince, CopyingItem, all_joined, brought, finished, one_too_many, overwritten, used,
};
use super::mapping_state::{Judge, MappingState};
use super::stale::StepId;
use super::steps::{StepAction, Used};
use super::transfers::{MetTransfer, TransferEvent};
use super::walk::{SetChange, WalkState};
use crate::analysis::movement::set_operations::one;
use crate::openmp::effects::MapEffect;
use crate::openmp::map::{Action, MapOutcome, MapRequest, Moment, Semantics};
use crate::plan::Direction;
use crate::symbolic::{Facts, Section, SectionSet};
use std::collections::{BTreeMap, BTreeSet};

/// What becomes of the values that copies bring.
#[derive(Clone, Debug)]
pub struct TransferState {
    mapping: MappingState,
    on_device: ByCopy,
    on_host: ByCopy,
    /// The list items that hold the object on the device.
    holding: BTreeSet<StepId>,
    /// Copies to the device, and what either side has written since.
    copied: BTreeMap<StepId, ChangesSince>,
    /// Ends of the device's copy at which the host had all values, and what the host has written since.
    left: BTreeMap<StepId, ChangesSince>,
}

/// What the runtime may and surely does with an object.
struct RuntimeActions(Vec<MapOutcome>);

impl RuntimeActions {
    fn may(&self, action: Action) -> bool {
        self.0.iter().any(|outcome| outcome.actions.contains(&action))
    }
    fn must(&self, action: Action) -> bool {
        !self.0.is_empty() && self.0.iter().all(|outcome| outcome.actions.contains(&action))
    }
}

impl TransferState {
    /// An object that is not on the device, and of which no copy was made.
    pub fn absent() -> TransferState {
        TransferState {
            mapping: MappingState::absent(),
            on_device: ByCopy::new(),
            on_host: ByCopy::new(),
            holding: BTreeSet::new(),
            copied: BTreeMap::new(),
            left: BTreeMap::new(),
        }
    }

    /// What there is to say where control leaves the walk: whether anybody outside of it may read the object's memory there.
    pub fn ended(&mut self, read_outside: bool) -> Vec<MetTransfer> {
        if !self.mapping.is_known() {
            return self.forget();
        }
        let mut events = Vec::new();
        if read_outside {
            events.extend(self.on_host.keys().map(|copy| TransferEvent::Unknown.of(*copy)));
        }
        events.extend(finished(&mut self.on_host));
        events.extend(finished(&mut self.on_device));
        events
    }

    /// Everything that is known may be otherwise from here on.
    fn forget(&mut self) -> Vec<MetTransfer> {
        let copies = self.on_device.keys().chain(self.on_host.keys());
        let others = self.copied.keys().chain(self.left.keys()).chain(&self.holding);
        let all: BTreeSet<StepId> = copies.chain(others).copied().collect();
        *self = TransferState {
            mapping: MappingState::unknown(),
            ..TransferState::absent()
        };
        all.into_iter().map(|step| TransferEvent::Unknown.of(step)).collect()
    }

    /// A list item asks for something.
    fn map(
        &mut self,
        item: CopyingItem<'_>,
        request: MapRequest,
        opened: Option<StepId>,
        judge: &Judge<'_>,
    ) -> Vec<MetTransfer> {
        let actions = RuntimeActions(self.mapping.outcomes(request, judge.semantics));
        let mut events = Vec::new();
        match request.moment {
            Moment::RegionEntry | Moment::EnterData | Moment::UpdateTo => {
                if request.moment != Moment::UpdateTo {
                    events.push(TransferEvent::Maps.of(item.step));
                    self.holding.insert(item.step);
                }
                if actions.must(Action::Allocate) {
                    events.extend(finished(&mut self.on_device));
                }
                if actions.may(Action::CopyTo) {
                    self.copy_to(item, &actions, judge.facts, &mut events);
                } else if actions.must(Action::Allocate) {
                    self.left.clear();
                }
            }
            Moment::RegionExit | Moment::ExitData | Moment::UpdateFrom => {
                if actions.may(Action::CopyFrom) {
                    self.copy_from(item, &actions, judge.facts, &mut events);
                }
                if let Some(opened) = opened {
                    self.holding.remove(&opened);
                    events.push(TransferEvent::Ends(opened).of(item.step));
                }
            }
        }
        events
    }

    fn copy_to(
        &mut self,
        item: CopyingItem<'_>,
        actions: &RuntimeActions,
        facts: &Facts,
        events: &mut Vec<MetTransfer>,
    ) {
        let surely = actions.must(Action::CopyTo);
        let news = actions.may(Action::Allocate) || !self.mapping.is_current_on_device(&item.may(), facts);
        let copies = TransferEvent::Copies {
            direction: Direction::To,
            surely,
            news,
        };
        events.push(copies.of(item.step));
        events.extend(used(&mut self.on_host, &item.may(), true, facts));
        let is_unchanged = |since: &ChangesSince| {
            let covered = since.section.as_ref().zip(item.section);
            covered.is_some_and(|(was, now)| was.provably_covers(now, facts))
                && since.changed.provably_disjoint(&item.may(), facts)
        };
        if let Some(since) = self.copied.get(&item.step) {
            let same = since.section.as_ref() == item.section;
            let changed = !(surely && same && is_unchanged(since));
            events.push(TransferEvent::Repeats { changed }.of(item.step));
        }
        if actions.may(Action::Allocate) {
            for (from, since) in &self.left {
                let changed = !(surely && is_unchanged(since));
                events.push(TransferEvent::Returns { from: *from, changed }.of(item.step));
            }
            self.left.clear();
        }
        let fresh = ChangesSince {
            section: item.section.cloned(),
            changed: SectionSet::Empty,
        };
        self.copied.insert(item.step, fresh);
        let forgotten = one_too_many(&mut self.copied);
        events.extend(forgotten.map(|copy| TransferEvent::Repeats { changed: true }.of(copy)));
        brought(&mut self.on_device, item, surely, facts, events);
    }

    fn copy_from(
        &mut self,
        item: CopyingItem<'_>,
        actions: &RuntimeActions,
        facts: &Facts,
        events: &mut Vec<MetTransfer>,
    ) {
        let surely = actions.must(Action::CopyFrom);
        let copies = TransferEvent::Copies {
            direction: Direction::From,
            surely,
            news: !self.mapping.is_current_on_host(&item.may(), facts),
        };
        events.push(copies.of(item.step));
        events.extend(used(&mut self.on_device, &item.may(), true, facts));
        if let Some(earlier) = self.on_host.get(&item.step) {
            let same = earlier.section.is_some() && earlier.section.as_ref() == item.section;
            let unused = surely && same && earlier.used.is_empty(facts);
            events.push(TransferEvent::Supersedes { unused }.of(item.step));
        }
        brought(&mut self.on_host, item, surely, facts, events);
    }

    /// The device's copy may have ended: the mapping is the one behind that.
    fn left(&mut self, item: CopyingItem<'_>, mapped: Option<Section>, facts: &Facts) -> Vec<MetTransfer> {
        let all = mapped.clone().map_or(SectionSet::All, one);
        if self.mapping.is_absent() {
            self.left.clear();
            self.holding.clear();
        }
        // Where the host has not got the newest values, the device would go on with others than those that it gets back.
        if self.mapping.is_current_on_host(&all, facts) {
            let since = ChangesSince {
                section: mapped,
                changed: SectionSet::Empty,
            };
            self.left.insert(item.step, since);
        }
        match self.mapping.is_absent() {
            true => finished(&mut self.on_device),
            false => Vec::new(),
        }
    }

    /// Elements are written, by the host or by a kernel.
    fn written(&mut self, elements: &Used, by_host: bool, facts: &Facts) -> Vec<MetTransfer> {
        let copies = if by_host {
            &mut self.on_host
        } else {
            &mut self.on_device
        };
        let gone = overwritten(copies, &elements.must, facts);
        let left = self.left.values_mut().filter(|_| by_host);
        for since in self.copied.values_mut().chain(left) {
            since.changed = since.changed.union(&elements.may, facts);
        }
        gone
    }

    /// A kernel uses the object.
    fn kernel(&self) -> Vec<MetTransfer> {
        self.holding
            .iter()
            .map(|step| TransferEvent::IsHeldFor.of(*step))
            .collect()
    }
}

impl WalkState for TransferState {
    type Found = MetTransfer;

    fn step(&mut self, step: StepId, action: &StepAction, judge: &Judge<'_>) -> Vec<MetTransfer> {
        let facts = judge.facts;
        if !self.mapping.is_known() {
            let mut events = self.forget();
            events.push(TransferEvent::Unknown.of(step));
            return events;
        }
        let mapped = self.mapping.mapped_section().cloned();
        let was_absent = self.mapping.is_absent();
        let mut events = match action {
            StepAction::Map {
                request,
                section,
                opened,
            } => {
                let item = CopyingItem {
                    step,
                    section: section.as_ref(),
                };
                self.map(item, *request, *opened, judge)
            }
            StepAction::HostRead(elements) => {
                let other_is_current = self.mapping.is_current_on_device(&SectionSet::All, facts);
                let mut events = used(&mut self.on_host, &elements.may, false, facts);
                events.push(TransferEvent::Reads { other_is_current }.of(step));
                events
            }
            StepAction::HostWrite(elements) | StepAction::OtherDeviceWrite(elements) => {
                self.written(elements, true, facts)
            }
            StepAction::KernelRead(elements) => {
                let mut events = used(&mut self.on_device, &elements.may, false, facts);
                events.extend(self.kernel());
                let other_is_current = self.mapping.is_current_on_host(&SectionSet::All, facts);
                events.push(TransferEvent::Reads { other_is_current }.of(step));
                events
            }
            StepAction::KernelWrite(elements) => {
                let mut events = self.written(elements, false, facts);
                events.extend(self.kernel());
                events
            }
            StepAction::Free => {
                let events = self.ended(false);
                *self = TransferState {
                    mapping: self.mapping.clone(),
                    ..TransferState::absent()
                };
                events
            }
            StepAction::Call(_) | StepAction::Unknown => Vec::new(),
        };
        // What is wrong here is another walk's.
        self.mapping.step(step, action, judge);
        if !self.mapping.is_known() {
            events.extend(self.forget());
            events.push(TransferEvent::Unknown.of(step));
            return events;
        }
        if let StepAction::Map { request, section, .. } = action
            && matches!(request.moment, Moment::RegionExit | Moment::ExitData)
            && !was_absent
            && self.mapping.may_be_absent()
        {
            let item = CopyingItem {
                step,
                section: section.as_ref(),
            };
            events.extend(self.left(item, mapped, facts));
        }
        events
    }

    fn effects(&self, _: &StepAction, _: Semantics) -> Vec<MapEffect> {
        Vec::new()
    }

    fn join(&mut self, other: &TransferState, facts: &Facts) -> bool {
        let mapping = self.mapping.join(&other.mapping, facts);
        let held = self.holding.len();
        self.holding.extend(&other.holding);
        mapping
            | (self.holding.len() != held)
            | all_joined(&mut self.on_device, &other.on_device, |a, b| a.join(b, facts))
            | all_joined(&mut self.on_host, &other.on_host, |a, b| a.join(b, facts))
            | all_joined(&mut self.copied, &other.copied, |a, b| a.join(b, facts))
            | all_joined(&mut self.left, &other.left, |a, b| a.join(b, facts))
    }

    fn mapped(&self, sets: &SetChange<'_>, facts: &Facts) -> TransferState {
        let values = |copies: &ByCopy| copies.iter().map(|(copy, v)| (*copy, v.mapped(sets))).collect();
        let since = |all: &BTreeMap<StepId, ChangesSince>| all.iter().map(|(s, c)| (*s, c.mapped(sets))).collect();
        TransferState {
            mapping: self.mapping.mapped(sets, facts),
            on_device: values(&self.on_device),
            on_host: values(&self.on_host),
            holding: self.holding.clone(),
            copied: since(&self.copied),
            left: since(&self.left),
        }
    }
}
