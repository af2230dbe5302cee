//! What a list item does with its object where control meets it, in the words of OmpSan's Table 4.
//!
//! ```c
//! #pragma omp target enter data map(to: a[0:n])              // copy in
//! #pragma omp target … map(tofrom: a[0:n])                   // persistent in; at its end persistent out: the object stays on the device
//! #pragma omp target exit data map(from: a[0:n])             // copy out
//! ```
//!
//! Source: OmpSan (Barua et al., 2019), Table 4; what the runtime does is [`super::map`]'s table.

use super::map::{Action, MapOutcome, Moment, ReferenceCount};
use serde::{Serialize, Serializer};

/// What a list item does with its object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MapEffect {
    /// The device gets the host's values.
    CopyIn,
    /// The device has the object already, and goes on with what it has.
    PersistentIn,
    /// The device gets memory, and no values.
    Alloc,
    /// The host gets the device's values.
    CopyOut,
    /// The device keeps the object, and the host gets nothing.
    PersistentOut,
    /// The device's memory is given up, and the host gets nothing.
    Release,
    /// Nothing: the object is not on the device.
    Nothing,
    /// It is not known whether the object is on the device.
    Unknown,
}

impl MapEffect {
    /// What came of a request at some moment, for an object with some count.
    pub fn of(moment: Moment, count: ReferenceCount, outcome: MapOutcome) -> MapEffect {
        let does = |action: Action| outcome.actions.contains(&action);
        match moment {
            _ if does(Action::CopyTo) => MapEffect::CopyIn,
            _ if does(Action::CopyFrom) => MapEffect::CopyOut,
            Moment::RegionEntry | Moment::EnterData if does(Action::Allocate) => MapEffect::Alloc,
            Moment::RegionEntry | Moment::EnterData => MapEffect::PersistentIn,
            Moment::RegionExit | Moment::ExitData if does(Action::Free) => MapEffect::Release,
            Moment::RegionExit | Moment::ExitData if count != ReferenceCount::Absent => MapEffect::PersistentOut,
            Moment::RegionExit | Moment::ExitData | Moment::UpdateTo | Moment::UpdateFrom => MapEffect::Nothing,
        }
    }

    /// The effect's name.
    pub fn name(self) -> &'static str {
        match self {
            MapEffect::CopyIn => "copy in",
            MapEffect::PersistentIn => "persistent in",
            MapEffect::Alloc => "alloc",
            MapEffect::CopyOut => "copy out",
            MapEffect::PersistentOut => "persistent out",
            MapEffect::Release => "release",
            MapEffect::Nothing => "nothing",
            MapEffect::Unknown => "not known",
        }
    }

    /// What the effect is, as a sentence.
    pub fn meaning(self) -> &'static str {
        match self {
            MapEffect::CopyIn => "The device gets the host's values.",
            MapEffect::PersistentIn => {
                "The device has the array already and goes on with its own values; nothing is copied."
            }
            MapEffect::Alloc => "The device gets memory for the array, and no values.",
            MapEffect::CopyOut => "The host gets the device's values.",
            MapEffect::PersistentOut => "The device keeps the array, and the host gets nothing.",
            MapEffect::Release => "The device gives its memory up, and the host gets nothing.",
            MapEffect::Nothing => "The array is not on the device; nothing is done.",
            MapEffect::Unknown => "Whether the array is on the device here is not known.",
        }
    }
}

/// By name.
impl Serialize for MapEffect {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openmp::MapType;
    use crate::openmp::map::{MapRequest, Semantics};

    fn effect(moment: Moment, map_type: MapType, count: ReferenceCount) -> &'static str {
        let outcome = Semantics::default().step(count, MapRequest::new(moment, map_type));
        MapEffect::of(moment, count, outcome.expect("an outcome")).name()
    }

    #[test]
    fn what_items_do_has_the_names_of_the_paper() {
        let (absent, once, twice) = (
            ReferenceCount::Absent,
            ReferenceCount::Counted(1),
            ReferenceCount::Counted(2),
        );
        assert_eq!(effect(Moment::RegionEntry, MapType::Tofrom, absent), "copy in");
        assert_eq!(effect(Moment::RegionEntry, MapType::Tofrom, once), "persistent in");
        assert_eq!(effect(Moment::EnterData, MapType::Alloc, absent), "alloc");
        assert_eq!(effect(Moment::RegionExit, MapType::Tofrom, once), "copy out");
        assert_eq!(effect(Moment::RegionExit, MapType::Tofrom, twice), "persistent out");
        assert_eq!(effect(Moment::ExitData, MapType::Release, once), "release");
        assert_eq!(effect(Moment::ExitData, MapType::From, absent), "nothing");
        assert_eq!(effect(Moment::UpdateFrom, MapType::From, once), "copy out");
        assert_eq!(effect(Moment::UpdateTo, MapType::To, absent), "nothing");
    }
}
