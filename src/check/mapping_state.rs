//! What is known of an object at a place: how often it is mapped, how much of it is on the device, and which elements of which copy are not
//! the newest.
//!
//! ```c
//!                                           // counts     stale on the host        stale on the device
//! #pragma omp target data map(alloc: a[0:n])
//! {                                         // {1}        -                        [0, n), never copied
//!     kernel writes a[1:n-1]                // {1}        [1, n), kernel wrote     [0, 1), never copied
//!     #pragma omp target update from(a[0:n])
//!                                           // {1}        [0, 1), garbage          [0, 1), garbage
//! }                                         // {absent}   [0, 1), garbage
//! printf("%g", a[0]);                       // a bug: what was never written on the device came over the host's value
//! ```
//!
//! **Domain.** A product of [`PossibleCounts`], an extent, and two [`StaleCopy`] sets; join is by part. What is on the device only where the object is
//! present is said of the present object. A state that nothing is known of has no stale elements: there nothing is reported.
//!
//! **Semantics.** Directives: [`crate::openmp::map`], for each possible count by itself. Copies move staleness: from the side that is copied to
//! the other, for the elements that are copied.
//!
//! Source: OmpSan §4.1, Table 2 (its four states of a variable are the four combinations of the two sets).

use super::counts::PossibleCounts;
use super::stale::{Cause, CopyReach, Loss, NewestValue, StaleCopy, StaleRead, StepId};
use super::steps::{StepAction, Used};
use crate::analysis::access::SectionInLoops;
use crate::openmp::effects::MapEffect;
use crate::openmp::map::{self, MapOutcome, MapRequest, Moment, ReferenceCount, Semantics};
use crate::symbolic::{Expr, Facts, Section, SectionSet};
use std::sync::Arc;

/// How much of an object is on the device.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DeviceExtent {
    /// Nothing.
    Nothing,
    /// The elements of a section.
    Section(Section),
    /// What the list item of a step names; it is not known what that is.
    Item(StepId),
    /// Some elements; nobody knows which.
    Unknown,
}

/// What is known of an object.
#[derive(Clone, PartialEq, Debug)]
pub struct MappingState {
    /// Something is known of it.
    known: bool,
    /// The program surely has stopped.
    over: bool,
    counts: PossibleCounts,
    extent: DeviceExtent,
    host: Arc<StaleCopy>,
    device: Arc<StaleCopy>,
}

/// What is wrong at a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MappingProblem {
    /// The host reads stale elements.
    HostReads(StaleRead),
    /// A kernel reads stale elements.
    KernelReads(StaleRead),
    /// A directive is about an object that surely is not there, and does nothing.
    NothingThere,
    /// The modifier `present` asks for what surely is not there: the program stops.
    NotPresent,
    /// A kernel uses elements that are not on the device.
    OutsideOfMapped {
        /// The kernel surely does.
        surely: bool,
    },
    /// A list item names elements of which only some are on the device: the program stops.
    Extended,
    /// A list item names elements that the object surely has not.
    BeyondObject,
    /// The object ends while it surely is mapped.
    FreedWhileMapped,
    /// A kernel uses an array of which nothing is on the device.
    NotMapped {
        /// The kernel surely does.
        surely: bool,
    },
}

impl MappingProblem {
    /// The problem as one that may be there.
    #[must_use]
    pub fn perhaps(&self) -> MappingProblem {
        let read = |read: &StaleRead| StaleRead {
            surely: false,
            ..read.clone()
        };
        match self {
            MappingProblem::HostReads(r) => MappingProblem::HostReads(read(r)),
            MappingProblem::KernelReads(r) => MappingProblem::KernelReads(read(r)),
            MappingProblem::NotMapped { .. } => MappingProblem::NotMapped { surely: false },
            MappingProblem::OutsideOfMapped { .. } => MappingProblem::OutsideOfMapped { surely: false },
            other => other.clone(),
        }
    }

    /// The step without which it would be none, if there is one.
    pub fn cause(&self) -> Option<StepId> {
        let (MappingProblem::HostReads(read) | MappingProblem::KernelReads(read)) = self else {
            return None;
        };
        match read.cause.newest {
            NewestValue::WrittenOnHost(step)
            | NewestValue::WrittenOnOtherDevice(step)
            | NewestValue::WrittenOnDevice(step)
            | NewestValue::NeverCopied(step) => Some(step),
        }
    }

    /// Whether it is one whatever elements and ways are meant.
    pub fn is_sure(&self) -> bool {
        match self {
            MappingProblem::HostReads(read) | MappingProblem::KernelReads(read) => read.surely,
            MappingProblem::NotMapped { surely } | MappingProblem::OutsideOfMapped { surely } => *surely,
            MappingProblem::NothingThere
            | MappingProblem::NotPresent
            | MappingProblem::Extended
            | MappingProblem::BeyondObject
            | MappingProblem::FreedWhileMapped => true,
        }
    }
}

/// A list item of a directive.
#[derive(Clone, Copy)]
struct StepItem<'a> {
    step: StepId,
    /// The elements that it names, if they are known.
    section: Option<&'a Section>,
    /// The step at the start of the region that ends.
    opened: Option<StepId>,
}

/// What each step is judged by.
#[derive(Clone, Copy)]
pub struct Judge<'a> {
    pub semantics: Semantics,
    pub facts: &'a Facts,
    /// The elements that the object has, if they are known.
    pub extent: Option<&'a Section>,
    /// What no message is worth counts as well: what is found to be right surely is.
    pub strict: bool,
}

impl Judge<'_> {
    /// Whether some element of a section surely is none of the object's.
    fn is_beyond(&self, section: &Section) -> bool {
        let beyond = |extent: &Section| {
            let facts = self.facts;
            facts.prove_lt(&section.lo, &extent.lo) || facts.prove_lt(&extent.hi, &section.hi)
        };
        self.extent.is_some_and(beyond)
    }
}

impl MappingState {
    /// An object that is not on the device, and whose host copy has all values.
    pub fn absent() -> MappingState {
        MappingState {
            known: true,
            over: false,
            counts: PossibleCounts::of(ReferenceCount::Absent),
            extent: DeviceExtent::Nothing,
            host: Arc::default(),
            device: Arc::default(),
        }
    }

    /// An object that is on the device, nobody knows how much of it and how often mapped, and whose copies both have all values.
    pub fn present() -> MappingState {
        MappingState {
            counts: PossibleCounts::any_present(),
            extent: DeviceExtent::Unknown,
            ..MappingState::absent()
        }
    }

    /// An object of which nothing is known.
    pub fn unknown() -> MappingState {
        MappingState {
            known: false,
            ..MappingState::absent()
        }
    }

    /// An object where the program surely has stopped.
    fn over() -> MappingState {
        MappingState {
            over: true,
            ..MappingState::unknown()
        }
    }

    /// Whether the program surely has stopped: nothing comes behind that.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// Joins the state of another way to the same place; says whether anything changed.
    pub fn join(&mut self, other: &MappingState, facts: &Facts) -> bool {
        if !self.known || !other.known {
            return std::mem::replace(self, MappingState::unknown()).known;
        }
        let counts = self.counts.join(other.counts);
        let extent = match (&self.extent, &other.extent) {
            (a, b) if a == b => a.clone(),
            // What is said of the device's copy is said of where there is one.
            (DeviceExtent::Nothing, there) if self.counts.is_absent() => there.clone(),
            (there, DeviceExtent::Nothing) if other.counts.is_absent() => there.clone(),
            _ => DeviceExtent::Unknown,
        };
        let device = match (self.counts.is_absent(), other.counts.is_absent()) {
            (true, false) => {
                let changed = self.device != other.device;
                self.device = Arc::clone(&other.device);
                changed
            }
            (false, true) => false,
            _ => join_copies(&mut self.device, &other.device, facts),
        };
        let host = join_copies(&mut self.host, &other.host, facts);
        let changed = device | host | (counts != self.counts) | (extent != self.extent);
        (self.counts, self.extent) = (counts, extent);
        changed
    }

    /// The state with other sets of stale elements.
    #[must_use]
    pub fn with_sets(&self, stale: impl Fn(&StaleCopy) -> StaleCopy) -> MappingState {
        let changed = |copy: &Arc<StaleCopy>| match copy.is_empty() {
            true => Arc::clone(copy),
            false => Arc::new(stale(copy)),
        };
        MappingState {
            host: changed(&self.host),
            device: changed(&self.device),
            ..self.clone()
        }
    }

    /// Whether anything is known of the object.
    pub fn is_known(&self) -> bool {
        self.known
    }

    /// Whether the object surely is not on the device.
    pub fn is_absent(&self) -> bool {
        self.counts.is_absent()
    }

    /// Whether the object may not be on the device.
    pub fn may_be_absent(&self) -> bool {
        self.counts.may_be_absent()
    }

    /// Whether the object surely is not on the device, and the host has all values.
    pub fn is_settled(&self) -> bool {
        self.known && self.counts.is_absent() && self.host.is_empty()
    }

    /// What is known to be on the device, if that is one section.
    pub fn mapped_section(&self) -> Option<&Section> {
        match &self.extent {
            DeviceExtent::Section(section) => Some(section),
            DeviceExtent::Nothing | DeviceExtent::Item(_) | DeviceExtent::Unknown => None,
        }
    }

    /// Whether all of these elements of the host's copy surely are the newest.
    pub fn is_current_on_host(&self, elements: &SectionSet, facts: &Facts) -> bool {
        self.known && self.host.read(elements, &SectionSet::Empty, facts).is_empty()
    }

    /// Whether all of these elements of the device's copy, where there is one, surely are the newest.
    pub fn is_current_on_device(&self, elements: &SectionSet, facts: &Facts) -> bool {
        self.known && self.device.read(elements, &SectionSet::Empty, facts).is_empty()
    }

    /// What the runtime may do at a request, by the counts that the object may have.
    pub fn outcomes(&self, request: MapRequest, semantics: Semantics) -> Vec<MapOutcome> {
        let of_count = |count| semantics.step(count, request).ok();
        self.counts.each().filter_map(of_count).collect()
    }

    /// What a list item may do that asks for something now, or what there is for a kernel that uses the object.
    pub fn effects(&self, action: &StepAction, semantics: Semantics) -> Vec<MapEffect> {
        let of_count = |count| match action {
            StepAction::Map { request, .. } => {
                let outcome = semantics.step(count, *request).ok()?;
                Some(MapEffect::of(request.moment, count, outcome))
            }
            StepAction::KernelRead(_) | StepAction::KernelWrite(_) => Some(match count {
                ReferenceCount::Absent => MapEffect::Nothing,
                ReferenceCount::Counted(_) | ReferenceCount::Forever => MapEffect::PersistentIn,
            }),
            _ => None,
        };
        let is_asked = |action: &StepAction| {
            matches!(
                action,
                StepAction::Map { .. } | StepAction::KernelRead(_) | StepAction::KernelWrite(_)
            )
        };
        match (self.known, is_asked(action)) {
            (true, _) => self.counts.each().filter_map(of_count).collect(),
            (false, true) => vec![MapEffect::Unknown],
            (false, false) => Vec::new(),
        }
    }

    /// Carries out a step; returns what is wrong with it.
    pub fn step(&mut self, step: StepId, action: &StepAction, judge: &Judge<'_>) -> Vec<MappingProblem> {
        let facts = judge.facts;
        if !self.known {
            return Vec::new();
        }
        match action {
            StepAction::Map {
                request,
                section,
                opened,
            } => {
                let item = StepItem {
                    step,
                    section: section.as_ref(),
                    opened: *opened,
                };
                let beyond = section
                    .as_ref()
                    .is_some_and(|s| judge.is_beyond(s))
                    .then_some(MappingProblem::BeyondObject);
                self.map(item, *request, judge).into_iter().chain(beyond).collect()
            }
            StepAction::HostRead(used) => {
                let read = self.host.read(&used.may, &used.must, facts);
                read.into_iter().map(MappingProblem::HostReads).collect()
            }
            StepAction::HostWrite(used) => {
                self.written_elsewhere(NewestValue::WrittenOnHost(step), used, facts);
                Vec::new()
            }
            StepAction::OtherDeviceWrite(used) => {
                self.written_elsewhere(NewestValue::WrittenOnOtherDevice(step), used, facts);
                Vec::new()
            }
            StepAction::KernelRead(used) | StepAction::KernelWrite(used) if self.counts.is_absent() => {
                let surely = !used.must.is_empty(facts);
                let any = !used.may.is_empty(facts) && (judge.strict || !used.by_other_callers);
                any.then_some(MappingProblem::NotMapped { surely })
                    .into_iter()
                    .collect()
            }
            StepAction::KernelRead(used) => {
                let read = self.device.read(&self.within(&used.may, facts), &used.must, facts);
                let outside = self.outside(used, judge);
                read.into_iter()
                    .filter(|_| judge.strict || !used.by_other_callers)
                    .map(MappingProblem::KernelReads)
                    .chain(outside)
                    .collect()
            }
            StepAction::KernelWrite(used) => {
                let may = self.within(&used.may, facts);
                if let Some(device) = stale(&mut self.device) {
                    device.remove(&may, &used.must, facts);
                    if used.unconditional && !judge.strict {
                        // A kernel that fills an array by subscripts that are not followed is no reason for a warning.
                        device.remove_uncopied(&may, facts);
                    }
                }
                let cause = Cause::of(NewestValue::WrittenOnDevice(step));
                Arc::make_mut(&mut self.host).outdate(cause, &may, &used.must, facts);
                self.outside(used, judge).into_iter().collect()
            }
            StepAction::Free => {
                let is_mapped = !self.counts.may_be_absent() && !self.counts.is_forever();
                // What is allocated next by this name is another object.
                *self = MappingState::absent();
                is_mapped
                    .then_some(MappingProblem::FreedWhileMapped)
                    .into_iter()
                    .collect()
            }
            // What a call does, whoever walks says.
            StepAction::Call(_) | StepAction::Unknown => {
                *self = MappingState::unknown();
                Vec::new()
            }
        }
    }

    /// What was written, but not on this device, is newer than what it has; what the host has is the newest, as far as this walk knows.
    fn written_elsewhere(&mut self, newest: NewestValue, used: &Used, facts: &Facts) {
        if let Some(host) = stale(&mut self.host) {
            host.remove(&used.may, &used.must, facts);
        }
        if !self.counts.is_absent() {
            Arc::make_mut(&mut self.device).outdate(Cause::of(newest), &used.may, &used.must, facts);
        }
    }

    /// What of elements that a kernel may use is on the device: what surely is not there is a violation of its own, and what is not known
    /// of a kernel's accesses is no reason to take it to leave what is mapped.
    fn within(&self, may: &SectionSet, facts: &Facts) -> SectionSet {
        match &self.extent {
            DeviceExtent::Section(mapped) => may.intersect(&SectionSet::Union(vec![mapped.clone()]), facts),
            DeviceExtent::Nothing | DeviceExtent::Item(_) | DeviceExtent::Unknown => may.clone(),
        }
    }

    /// Whether some element that is used surely is not on the device, where the object is: one that surely is used, or one of a section that
    /// is larger than what is mapped, or, by a subscript that is read from memory, one of those of an object that surely has more than what is mapped. A section
    /// that has no elements is none that somebody meant, and one that the object itself has not is used where no program comes.
    fn outside(&self, used: &Used, judge: &Judge<'_>) -> Option<MappingProblem> {
        let DeviceExtent::Section(mapped) = &self.extent else {
            return None;
        };
        let is_beside = |used: &SectionInLoops| {
            let (mut facts, s) = (judge.facts.clone(), &used.section);
            if judge.is_beyond(s) || !used.assume_touched(&mut facts) {
                return false;
            }
            facts.prove_lt(&s.lo, &mapped.lo) || facts.prove_lt(&mapped.hi, &s.hi)
        };
        let always = |section: &Section| is_beside(&SectionInLoops::always(section.clone()));
        match used.must.sections().iter().any(always) {
            true => Some(MappingProblem::OutsideOfMapped { surely: true }),
            false => {
                let may_be = used.each.iter().any(is_beside) || used.anywhere && judge.extent.is_some_and(always);
                may_be.then_some(MappingProblem::OutsideOfMapped { surely: false })
            }
        }
    }

    /// What a list item asks for, for each count that the object may have.
    fn map(&mut self, item: StepItem<'_>, request: MapRequest, judge: &Judge<'_>) -> Option<MappingProblem> {
        let nothing_there =
            (needs_object(request.moment) && self.counts.is_absent()).then_some(MappingProblem::NothingThere);
        let extends = match (&self.extent, item.section) {
            (DeviceExtent::Section(mapped), Some(section)) if !self.counts.is_absent() => {
                extension(mapped, section, judge.facts)
            }
            _ => Extension::No,
        };
        match extends {
            // One object has several parts on the device then, each with a count of its own.
            Extension::Apart if !needs_object(request.moment) => {
                *self = MappingState::unknown();
                return None;
            }
            Extension::Beyond if !needs_object(request.moment) && !self.counts.may_be_absent() => {
                *self = MappingState::over();
                return Some(MappingProblem::Extended);
            }
            Extension::Beyond | Extension::Apart | Extension::No => {}
        }
        let mut after: Option<MappingState> = None;
        for count in self.counts.each() {
            let Ok(outcome) = judge.semantics.step(count, request) else {
                continue;
            };
            let mut one = self.clone();
            one.counts = PossibleCounts::of(count);
            if count == ReferenceCount::Absent {
                (one.extent, one.device) = (DeviceExtent::Nothing, Arc::default());
            }
            for action in outcome.actions {
                one.act(item, *action, judge.facts);
            }
            one.counts = PossibleCounts::of(outcome.presence);
            match &mut after {
                Some(after) => {
                    after.join(&one, judge.facts);
                }
                None => after = Some(one),
            }
        }
        match after {
            Some(after) => {
                *self = after;
                nothing_there
            }
            // No count lets the program go on.
            None => {
                *self = MappingState::over();
                Some(MappingProblem::NotPresent)
            }
        }
    }

    /// What the runtime does.
    fn act(&mut self, item: StepItem<'_>, action: map::Action, facts: &Facts) {
        let StepItem {
            step: id,
            section,
            opened,
        } = item;
        let reach = match (section, opened, &self.extent) {
            (None, Some(opened), DeviceExtent::Item(by)) if opened == *by => CopyReach::Device,
            (Some(section), ..) => CopyReach::All(section),
            (None, ..) => CopyReach::Some,
        };
        match action {
            map::Action::Allocate => {
                let cause = Cause::of(NewestValue::NeverCopied(id));
                let all = section.map_or(SectionSet::All, |s| SectionSet::Union(vec![s.clone()]));
                let surely = section.map_or(SectionSet::Empty, |s| SectionSet::Union(vec![s.clone()]));
                self.extent = section.map_or(DeviceExtent::Item(id), |s| DeviceExtent::Section(s.clone()));
                let mut device = StaleCopy::default();
                device.add(cause, &all, &surely, facts);
                self.device = Arc::new(device);
            }
            map::Action::CopyTo => {
                let copied = self.host.reached(reach, |c| c.losing(Loss::Overwritten(id)), facts);
                if !copied.is_empty() {
                    let host = Arc::make_mut(&mut self.host);
                    host.remove_reached(reach, facts);
                    host.extend(copied.clone(), facts);
                }
                let device = Arc::make_mut(&mut self.device);
                device.remove_reached(reach, facts);
                // What a step allocates and copies are the elements of one item.
                device.forget(Cause::of(NewestValue::NeverCopied(id)));
                device.extend(copied, facts);
            }
            map::Action::CopyFrom => {
                let loss = |c: Cause| match c.newest {
                    NewestValue::NeverCopied(_) => c.losing(Loss::Garbage(id)),
                    _ => c.losing(Loss::Overwritten(id)),
                };
                let copied = self.device.reached(reach, loss, facts);
                if !copied.is_empty() {
                    let device = Arc::make_mut(&mut self.device);
                    device.remove_reached(reach, facts);
                    device.extend(copied.clone(), facts);
                }
                let host = Arc::make_mut(&mut self.host);
                host.passed_by(reach, id, facts);
                host.remove_reached(reach, facts);
                host.extend(copied, facts);
            }
            map::Action::Free => {
                let freed = |c: Cause| match c.newest {
                    NewestValue::WrittenOnDevice(_) => c.losing(Loss::Freed(id)),
                    _ => c,
                };
                self.host = Arc::new(self.host.for_causes(freed, facts));
                (self.extent, self.device) = (DeviceExtent::Nothing, Arc::default());
            }
        }
    }
}

/// A copy to change, if anything of it is stale.
fn stale(copy: &mut Arc<StaleCopy>) -> Option<&mut StaleCopy> {
    (!copy.is_empty()).then(|| Arc::make_mut(copy))
}

/// Joins what comes by another way in; says whether anything changed.
fn join_copies(ours: &mut Arc<StaleCopy>, theirs: &Arc<StaleCopy>, facts: &Facts) -> bool {
    !Arc::ptr_eq(ours, theirs) && ours != theirs && Arc::make_mut(ours).join(theirs, facts)
}

/// How a list item lies to what is on the device.
enum Extension {
    /// In it, as far as anybody knows.
    No,
    /// Beside it, for all that is known.
    Apart,
    /// Some of it in it and some beside it.
    Beyond,
}

fn extension(mapped: &Section, section: &Section, facts: &Facts) -> Extension {
    let mut facts = facts.clone();
    if facts.prove_le(&section.hi, &section.lo) {
        return Extension::No;
    }
    facts.assume_lt(&section.lo, &section.hi);
    let before = |a: &Expr, b: &Expr| facts.prove_lt(a, b);
    let begins_inside = section.lo == mapped.lo || before(&section.lo, &mapped.hi);
    if !begins_inside || facts.prove_le(&section.hi, &mapped.lo) {
        return Extension::Apart;
    }
    let meets = before(&section.lo, &mapped.hi) && before(&mapped.lo, &section.hi);
    let beyond = before(&section.lo, &mapped.lo) || before(&mapped.hi, &section.hi);
    match meets && beyond {
        true => Extension::Beyond,
        false => Extension::No,
    }
}

/// Whether a directive does nothing for an object that is not there.
fn needs_object(moment: Moment) -> bool {
    matches!(moment, Moment::ExitData | Moment::UpdateTo | Moment::UpdateFrom)
}
