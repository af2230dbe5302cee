//! How often an object may be mapped when control comes to a place: a set of reference counts.
//!
//! ```c
//! if (c)                                          // {absent}
//!     #pragma omp target enter data map(to: a)
//! ;                                               // {absent, 1}: on one way it is there, on the other it is not
//! ```
//!
//! **Domain.** Sets of counts up to [`MOST`]; larger ones are one member, *many*, so that chains are finite. Order: inclusion;
//! join: union. What a directive does with each count is [`crate::openmp::map`]'s table.

use crate::openmp::map::ReferenceCount;

/// The largest count that is told from larger ones.
const MOST: u32 = 5;
const MANY: u8 = 1 << (MOST + 1);
const FOREVER: u8 = 1 << (MOST + 2);

/// A set of reference counts.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PossibleCounts(u8);

impl PossibleCounts {
    /// One count.
    pub fn of(count: ReferenceCount) -> PossibleCounts {
        PossibleCounts(match count {
            ReferenceCount::Absent => 1,
            ReferenceCount::Counted(count) if count <= MOST => 1 << count,
            ReferenceCount::Counted(_) => MANY,
            ReferenceCount::Forever => FOREVER,
        })
    }

    /// All counts of an object that is on the device.
    pub fn any_present() -> PossibleCounts {
        PossibleCounts(((1 << (MOST + 1)) - 2) | MANY)
    }

    /// The counts of both.
    #[must_use]
    pub fn join(self, other: PossibleCounts) -> PossibleCounts {
        PossibleCounts(self.0 | other.0)
    }

    /// Each count; of *many* the smallest two, which stand for what a step down from it may lead to.
    pub fn each(self) -> impl Iterator<Item = ReferenceCount> {
        let small = (0..=MOST).filter(move |count| self.0 & (1 << count) != 0);
        let small = small.map(|count| match count {
            0 => ReferenceCount::Absent,
            _ => ReferenceCount::Counted(count),
        });
        let many = [MOST + 1, MOST + 2].into_iter().filter(move |_| self.0 & MANY != 0);
        let forever = std::iter::once(ReferenceCount::Forever).filter(move |_| self.0 & FOREVER != 0);
        small.chain(many.map(ReferenceCount::Counted)).chain(forever)
    }

    /// Whether the object is surely not on the device.
    pub fn is_absent(self) -> bool {
        self.0 == 1
    }

    /// Whether the object may be one that is there for as long as the program runs.
    pub fn is_forever(self) -> bool {
        self.0 & FOREVER != 0
    }

    /// Whether the object may not be on the device.
    pub fn may_be_absent(self) -> bool {
        self.0 & 1 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openmp::MapType;
    use crate::openmp::map::{MapRequest, Moment, Semantics};

    fn step(counts: PossibleCounts, moment: Moment, map_type: MapType) -> PossibleCounts {
        let after = counts.each().map(|count| {
            let outcome = Semantics::default().step(count, MapRequest::new(moment, map_type));
            PossibleCounts::of(outcome.unwrap().presence)
        });
        after.fold(PossibleCounts::default(), PossibleCounts::join)
    }

    #[test]
    fn counts_go_up_and_down() {
        let absent = PossibleCounts::of(ReferenceCount::Absent);
        assert!(absent.is_absent() && absent.may_be_absent());
        let once = step(absent, Moment::EnterData, MapType::To);
        assert_eq!(once, PossibleCounts::of(ReferenceCount::Counted(1)));
        let either = absent.join(once);
        assert!(either.may_be_absent() && !either.is_absent());
        let twice = step(either, Moment::RegionEntry, MapType::Tofrom);
        assert_eq!(twice.each().count(), 2);
        assert_eq!(step(twice, Moment::RegionExit, MapType::Tofrom), either);
        assert!(step(twice, Moment::ExitData, MapType::Delete).is_absent());
    }

    #[test]
    fn what_is_more_than_can_be_told_stays_so() {
        let mut counts = PossibleCounts::of(ReferenceCount::Absent);
        for _ in 0..20 {
            counts = step(counts, Moment::EnterData, MapType::To);
        }
        let down = step(counts, Moment::ExitData, MapType::Release);
        assert!(!down.may_be_absent());
        assert!(down.each().any(|count| count == ReferenceCount::Counted(MOST)));
        let mut all = down;
        for _ in 0..20 {
            all = all.join(step(all, Moment::ExitData, MapType::Release));
        }
        assert!(all.may_be_absent());
        let forever = PossibleCounts::of(ReferenceCount::Forever);
        assert_eq!(step(forever, Moment::ExitData, MapType::Delete), forever);
    }
}
