//! What is found out about each copy that a program makes by hand, and whether it could do without.
//!
//! ```c
//! for (int t = 0; t < n; t++) {
//!     #pragma omp target … map(to: w[0:m]) map(tofrom: v[0:m])
//!     …                                                    // w: the copy repeats itself; v: comes back unchanged
//! }
//! ```
//!
//! A [`TransferRecord`] collects what the walks over all arrays and ways meet at one list item ([`super::transfer_state`]): it is blamed for what is so
//! whenever control comes there, and for nothing once somebody comes there of whom nothing is known.

use super::stale::StepId;
use crate::plan::Direction;
use crate::symbolic::{Facts, Section, SectionSet};
use std::collections::{BTreeMap, BTreeSet};

/// What is met about a list item.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TransferEvent {
    /// The item holds the object on the device from here on.
    Maps,
    /// A kernel uses the object while the item holds it.
    IsHeldFor,
    /// The item is the end of what this one has begun.
    Ends(StepId),
    /// The item copies.
    Copies {
        direction: Direction,
        /// However often the object may be mapped.
        surely: bool,
        /// The other side may not have the values.
        news: bool,
    },
    /// Somebody uses what was copied.
    Used,
    /// Nobody can use what was copied any more, and these elements were used.
    UsedPart { section: Section, used: SectionSet },
    /// The item copies to the device what it has copied before.
    Repeats {
        /// One side may have written some of it since.
        changed: bool,
    },
    /// The object comes back to the device.
    Returns {
        /// Where it left.
        from: StepId,
        /// The host may have written some of it since, or has got less.
        changed: bool,
    },
    /// One side reads, and of the other side's copy all elements are the newest, or not.
    Reads { other_is_current: bool },
    /// The item copies to the host over what it has copied before.
    Supersedes {
        /// Nobody has used that.
        unused: bool,
    },
    /// It is not known what becomes of what the item does.
    Unknown,
}

/// What is met about one step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MetTransfer {
    /// The step that it is about, which need not be the one at which it is met.
    pub about: StepId,
    pub event: TransferEvent,
}

impl TransferEvent {
    /// The event as one about a step.
    pub fn of(self, about: StepId) -> MetTransfer {
        MetTransfer { about, event: self }
    }
}

/// What is known of a list item, over all walks.
#[derive(Clone, Default, Debug)]
pub struct TransferRecord {
    unknown: bool,
    maps: bool,
    held_for: bool,
    /// What it is the end of.
    ends: Option<StepId>,
    /// Whether it surely copies in some state, and where to.
    copies: Option<Direction>,
    news: bool,
    used: bool,
    /// It was met again, with something changed or nothing.
    repeats: Option<bool>,
    /// Where the object has left before it comes back here.
    left_at: BTreeSet<StepId>,
    changed_before_return: bool,
    /// It copies over what it has copied, all of which nobody has used.
    supersedes_unused: Option<bool>,
    /// Each time that it was met, the other side has had all of the newest values.
    other_is_current: Option<bool>,
    /// At most half of what is copied is used, each time that this is known.
    half_used: Option<bool>,
}

/// Why a list item could do less.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UselessTransfer {
    /// No kernel uses what it maps.
    UnusedMap,
    /// The other side has all values already.
    NoNews(Direction),
    /// Nobody uses what is copied.
    NeverUsed(Direction),
    /// The device gets what it has got before.
    Repeated,
    /// The host gets what is copied over before it is used.
    Superseded,
    /// The host has changed nothing since the object left the device at these steps.
    RoundTrip(Vec<StepId>),
    /// At most half of what is copied is used.
    Part(Direction),
}

impl TransferRecord {
    /// Adds what was met.
    pub fn add(&mut self, event: &TransferEvent, facts: &Facts) {
        match event {
            TransferEvent::Unknown => self.unknown = true,
            TransferEvent::Maps => self.maps = true,
            TransferEvent::IsHeldFor => self.held_for = true,
            TransferEvent::Ends(begun) => self.ends = Some(*begun),
            TransferEvent::Copies {
                direction,
                surely,
                news,
            } => {
                self.copies = self.copies.or(surely.then_some(*direction));
                self.news |= news;
            }
            TransferEvent::Used => self.used = true,
            TransferEvent::UsedPart { section, used } => {
                let half = at_most_half(section, used, facts);
                self.half_used = Some(self.half_used.unwrap_or(true) && half);
            }
            TransferEvent::Repeats { changed } => self.repeats = Some(self.repeats.unwrap_or(false) || *changed),
            TransferEvent::Returns { from, changed } => {
                self.left_at.insert(*from);
                self.changed_before_return |= changed;
            }
            TransferEvent::Reads { other_is_current } => {
                self.other_is_current = Some(self.other_is_current.unwrap_or(true) && *other_is_current);
            }
            TransferEvent::Supersedes { unused } => {
                self.supersedes_unused = Some(self.supersedes_unused.unwrap_or(true) && *unused);
            }
        }
    }

    /// Why the item could do less, if it could.
    pub fn judged(&self) -> Option<UselessTransfer> {
        if self.unknown {
            return None;
        }
        if self.maps && !self.held_for {
            return Some(UselessTransfer::UnusedMap);
        }
        let direction = self.copies?;
        let comes_back = !self.left_at.is_empty() && !self.changed_before_return;
        match direction {
            _ if !self.news => Some(UselessTransfer::NoNews(direction)),
            _ if !self.used => Some(UselessTransfer::NeverUsed(direction)),
            Direction::To if self.repeats == Some(false) => Some(UselessTransfer::Repeated),
            Direction::To if comes_back => Some(UselessTransfer::RoundTrip(self.left_at.iter().copied().collect())),
            Direction::From if self.supersedes_unused == Some(true) => Some(UselessTransfer::Superseded),
            _ => (self.half_used == Some(true)).then_some(UselessTransfer::Part(direction)),
        }
    }
}

/// What is known of the list items of a program.
#[derive(Default, Debug)]
pub struct TransferRecords(BTreeMap<StepId, TransferRecord>);

impl TransferRecords {
    /// Adds what was met.
    pub fn add(&mut self, met: &MetTransfer, facts: &Facts) {
        self.0.entry(met.about).or_default().add(&met.event, facts);
    }

    /// Nothing is known of what becomes of what a step does.
    pub fn give_up(&mut self, step: StepId) {
        self.0.entry(step).or_default().unknown = true;
    }

    /// Whether nothing is known of what becomes of what a step does.
    pub fn is_given_up(&self, step: StepId) -> bool {
        self.0.get(&step).is_some_and(|record| record.unknown)
    }

    /// Whether a copy of anything from the other side, in front of a read, brings no old values.
    pub fn may_copy_before(&self, read: StepId) -> bool {
        let record = self.0.get(&read);
        record.is_some_and(|record| !record.unknown && record.other_is_current == Some(true))
    }

    /// The items that could do less, and why. What ends a map that nobody needs is not blamed for anything more.
    pub fn judged(&self) -> impl Iterator<Item = (StepId, UselessTransfer)> {
        let of = |step: &StepId| self.0.get(step)?.judged();
        let is_said = move |record: &TransferRecord| {
            let begun = record.ends.as_ref().and_then(of);
            begun == Some(UselessTransfer::UnusedMap)
        };
        let judged = self.0.iter().filter(move |(_, record)| !is_said(record));
        judged.filter_map(|(step, record)| Some((*step, record.judged()?)))
    }
}

/// Whether elements are at most half of those of a section, all in one piece.
fn at_most_half(section: &Section, used: &SectionSet, facts: &Facts) -> bool {
    if used.is_empty(facts) {
        return true;
    }
    let Some(hull) = used.hull(facts).filter(|hull| section.provably_covers(hull, facts)) else {
        return false;
    };
    let lengths = hull.len().and_then(|few| few.scale(2)).zip(section.len());
    lengths.is_some_and(|(twice, all)| facts.prove_le(&twice, &all))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbolic::Expr;

    fn section(lo: i128, hi: i128) -> Section {
        Section::new(Expr::constant(lo), Expr::constant(hi))
    }

    fn judged(events: &[TransferEvent]) -> Option<UselessTransfer> {
        let mut record = TransferRecord::default();
        events.iter().for_each(|e| record.add(e, &Facts::new()));
        record.judged()
    }

    const COPY: TransferEvent = TransferEvent::Copies {
        direction: Direction::To,
        surely: true,
        news: true,
    };

    #[test]
    fn an_item_is_blamed_for_what_is_always_so() {
        use TransferEvent::{IsHeldFor, Maps, Repeats, Returns, Unknown, Used};
        assert_eq!(judged(&[Maps, COPY, Used, IsHeldFor]), None);
        assert_eq!(judged(&[Maps, COPY]), Some(UselessTransfer::UnusedMap));
        assert_eq!(judged(&[Maps, COPY, Unknown]), None);
        let never = Some(UselessTransfer::NeverUsed(Direction::To));
        assert_eq!(judged(&[Maps, COPY, IsHeldFor]), never);
        let repeats = |changed: bool| Repeats { changed };
        assert_eq!(judged(&[COPY, Used, repeats(false)]), Some(UselessTransfer::Repeated));
        assert_eq!(judged(&[COPY, Used, repeats(false), repeats(true)]), None);
        let returns = |at: u32, changed: bool| Returns {
            from: StepId(at),
            changed,
        };
        let trip = |at: u32| Some(UselessTransfer::RoundTrip(vec![StepId(at)]));
        assert_eq!(judged(&[COPY, Used, repeats(true), returns(7, false)]), trip(7));
        assert_eq!(judged(&[COPY, Used, returns(7, false), returns(8, true)]), None);
    }

    #[test]
    fn half_of_a_section_is_told_from_more() {
        let used = |lo: i128, hi: i128| TransferEvent::UsedPart {
            section: section(0, 100),
            used: SectionSet::Union(vec![section(lo, hi)]),
        };
        let part = Some(UselessTransfer::Part(Direction::To));
        let copied = [COPY, TransferEvent::Used];
        let with = |parts: &[TransferEvent]| judged(&[&copied[..], parts].concat());
        assert_eq!(with(&[used(50, 100)]), part);
        assert_eq!(with(&[used(49, 100)]), None);
        assert_eq!(with(&[used(50, 60), used(0, 100)]), None);
        assert_eq!(with(&[used(90, 110)]), None);
    }
}
