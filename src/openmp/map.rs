//! What `map` clauses do: reference counts and copies, as one table.
//!
//! A device keeps, for every mapped piece of host storage, a reference count. Entering a region with a `map` creates the
//! device copy or counts it once more; leaving counts it once less and, at zero, frees it. Copies happen only where the
//! count goes from absent to one or from one to absent, or where `always` asks for them:
//!
//! ```text
//! target enter data map(to: a)        absent → 1   allocate, copy to the device
//!   target map(tofrom: a)             1 → 2        nothing: the outer map has it
//!   (end of that target)              2 → 1        nothing: so the kernel's result stays on the device
//!   target update from(a)             1            copy to the host
//! target exit data map(release: a)    1 → absent   free
//! ```
//!
//! The rows are OpenMP 5.0 section 2.19.7.1 (5.1: 2.21.7.1, 5.2: 5.8.3, 6.0: 7.9.6), which LLVM's runtime follows under
//! every `-fopenmp-version`. The text of 4.5 differs in one row, kept here as an option: there, leaving with `alloc` does
//! not count down.
//!
//! Not here: which storage a list item covers, pointer attachment, and several devices (each has its own counts).
//! Variables of `declare target` are present with an infinite count. A directive whose `if` is false is not to be asked
//! about at all.

use super::{MapType, SpecVersion};

/// How often an object is mapped on a device.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ReferenceCount {
    /// Not in the device data environment.
    Absent,
    /// Mapped this many times, at least once.
    Counted(u32),
    /// Always there: a `declare target` variable.
    Forever,
}

/// When a map is carried out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Moment {
    /// Start of a `target` or `target data` region.
    RegionEntry,
    /// End of one.
    RegionExit,
    /// `target enter data`.
    EnterData,
    /// `target exit data`.
    ExitData,
    /// `target update to(…)`; the map type does not matter.
    UpdateTo,
    /// `target update from(…)`; the map type does not matter.
    UpdateFrom,
}

/// A list item of a clause, at some moment.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MapRequest {
    /// When.
    pub moment: Moment,
    /// The type of the clause.
    pub map_type: MapType,
    /// The clause has the modifier `always`.
    pub always: bool,
    /// The clause has the modifier `present`.
    pub present: bool,
}

/// What the runtime does, in this order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Creates the device copy, with unspecified contents.
    Allocate,
    /// Copies from the host to the device.
    CopyTo,
    /// Copies from the device to the host.
    CopyFrom,
    /// Removes the device copy.
    Free,
}

/// What a request leads to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MapOutcome {
    /// The state after it.
    pub presence: ReferenceCount,
    /// What is done.
    pub actions: &'static [Action],
}

/// Why a request cannot be carried out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
pub enum Fault {
    /// The program stops: `present` was asked for.
    #[error("the item is not present on the device, as the modifier `present` requires; map it before")]
    NotPresent,
    /// The compiler refuses.
    #[error("this map type is not allowed on this directive; see the `map` clause in the OpenMP specification")]
    TypeNotAllowed,
}

/// Which rules apply.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Semantics {
    /// Decides which map types a directive takes.
    pub version: SpecVersion,
    /// The letter of 4.5: leaving a construct with `alloc` does not count down. No known runtime does this.
    pub alloc_keeps_count: bool,
}

/// Rows are about kinds of moments …
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Enter,
    Exit,
    UpdateTo,
    UpdateFrom,
}

/// … and kinds of counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CountKind {
    Absent,
    Once,
    Often,
    Forever,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CountChange {
    Keep,
    Up,
    Down,
    Remove,
}

/// One row. `always` rows apply to requests with the modifier only; rows under `letter_of_45` only with that option. The
/// first row that applies counts.
struct Row {
    phase: Phase,
    held: &'static [CountKind],
    types: &'static [MapType],
    always: bool,
    letter_of_45: bool,
    actions: &'static [Action],
    step: CountChange,
}

const fn row(
    phase: Phase,
    held: &'static [CountKind],
    types: &'static [MapType],
    actions: &'static [Action],
    step: CountChange,
) -> Row {
    Row {
        phase,
        held,
        types,
        always: false,
        letter_of_45: false,
        actions,
        step,
    }
}
const fn always(row: Row) -> Row {
    Row { always: true, ..row }
}

use Action::{Allocate, CopyFrom, CopyTo, Free};
use CountKind::{Absent, Forever, Often, Once};
use MapType::{Alloc, Delete, From, Release, Storage, To, Tofrom};
use Phase::{Enter, Exit, UpdateFrom, UpdateTo};

const ANY: &[MapType] = &[To, Tofrom, From, Alloc, Release, Delete, Storage];

#[rustfmt::skip]
const TABLE: &[Row] = &[
    row(Enter, &[Absent], &[To, Tofrom], &[Allocate, CopyTo], CountChange::Up),
    row(Enter, &[Absent], ANY, &[Allocate], CountChange::Up),
    always(row(Enter, &[Once, Often], &[To, Tofrom], &[CopyTo], CountChange::Up)),
    row(Enter, &[Once, Often], ANY, &[], CountChange::Up),
    always(row(Enter, &[Forever], &[To, Tofrom], &[CopyTo], CountChange::Keep)),
    row(Enter, &[Forever], ANY, &[], CountChange::Keep),

    row(Exit, &[Absent], ANY, &[], CountChange::Keep),
    Row { letter_of_45: true, ..row(Exit, &[Once, Often], &[Alloc], &[], CountChange::Keep) },
    row(Exit, &[Once], &[From, Tofrom], &[CopyFrom, Free], CountChange::Remove),
    row(Exit, &[Once], ANY, &[Free], CountChange::Remove),
    row(Exit, &[Often], &[Delete], &[Free], CountChange::Remove),
    always(row(Exit, &[Often], &[From, Tofrom], &[CopyFrom], CountChange::Down)),
    row(Exit, &[Often], ANY, &[], CountChange::Down),
    always(row(Exit, &[Forever], &[From, Tofrom], &[CopyFrom], CountChange::Keep)),
    row(Exit, &[Forever], ANY, &[], CountChange::Keep),

    row(UpdateTo, &[Absent], ANY, &[], CountChange::Keep),
    row(UpdateTo, &[Once, Often, Forever], ANY, &[CopyTo], CountChange::Keep),
    row(UpdateFrom, &[Absent], ANY, &[], CountChange::Keep),
    row(UpdateFrom, &[Once, Often, Forever], ANY, &[CopyFrom], CountChange::Keep),
];

impl MapRequest {
    /// A request without modifiers.
    pub fn new(moment: Moment, map_type: MapType) -> MapRequest {
        MapRequest {
            moment,
            map_type,
            always: false,
            present: false,
        }
    }

    /// Whether something is mapped from here on.
    pub fn begins(&self) -> bool {
        matches!(self.moment, Moment::RegionEntry | Moment::EnterData)
    }

    /// Whether the directive takes the map type. 5.2 lets the default type `tofrom` stand on `target enter data` and
    /// `target exit data`, as `to` and `from`.
    pub fn is_allowed(self, version: SpecVersion) -> bool {
        match (self.moment, self.map_type) {
            (Moment::UpdateTo | Moment::UpdateFrom, _) => true,
            (_, Storage) => version >= SpecVersion::V60,
            (Moment::RegionEntry | Moment::RegionExit, kind) => matches!(kind, To | Tofrom | From | Alloc),
            (Moment::EnterData | Moment::ExitData, Tofrom) => version >= SpecVersion::V52,
            (Moment::EnterData, kind) => matches!(kind, To | Alloc),
            (Moment::ExitData, kind) => matches!(kind, From | Release | Delete),
        }
    }
}

impl Semantics {
    /// Carries out one request.
    ///
    /// # Errors
    /// [`Fault`], when the program is wrong.
    pub fn step(self, presence: ReferenceCount, request: MapRequest) -> Result<MapOutcome, Fault> {
        if !request.is_allowed(self.version) {
            return Err(Fault::TypeNotAllowed);
        }
        // The end of a region does not ask again: what was there at its start may have been deleted since.
        if request.present && presence == ReferenceCount::Absent && request.moment != Moment::RegionExit {
            return Err(Fault::NotPresent);
        }
        let row = self.row(presence, request).ok_or(Fault::TypeNotAllowed)?;
        let presence = match (row.step, presence) {
            (CountChange::Keep, same) | (CountChange::Up | CountChange::Down, same @ ReferenceCount::Forever) => same,
            (CountChange::Up, ReferenceCount::Absent) => ReferenceCount::Counted(1),
            (CountChange::Up, ReferenceCount::Counted(count)) => ReferenceCount::Counted(count.saturating_add(1)),
            (CountChange::Down, ReferenceCount::Counted(count)) if count > 1 => ReferenceCount::Counted(count - 1),
            (CountChange::Down | CountChange::Remove, _) => ReferenceCount::Absent,
        };
        Ok(MapOutcome {
            presence,
            actions: row.actions,
        })
    }

    fn row(self, presence: ReferenceCount, request: MapRequest) -> Option<&'static Row> {
        let phase = match request.moment {
            Moment::RegionEntry | Moment::EnterData => Enter,
            Moment::RegionExit | Moment::ExitData => Exit,
            Moment::UpdateTo => UpdateTo,
            Moment::UpdateFrom => UpdateFrom,
        };
        let held = match presence {
            ReferenceCount::Absent | ReferenceCount::Counted(0) => Absent,
            ReferenceCount::Counted(1) => Once,
            ReferenceCount::Counted(_) => Often,
            ReferenceCount::Forever => Forever,
        };
        TABLE.iter().find(|row| {
            row.phase == phase
                && row.held.contains(&held)
                && row.types.contains(&request.map_type)
                && (request.always || !row.always)
                && (self.alloc_keeps_count || !row.letter_of_45)
        })
    }
}

#[cfg(test)]
mod tests;
