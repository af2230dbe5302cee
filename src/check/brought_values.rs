//! Values that copies have brought, as far as elements still have them, and what has changed since.
//!
//! ```c
//! #pragma omp target update from(a[0:n])    // brought: a[0:n], nothing used
//! a[0] = 1;                                 // left: a[1:n-1]
//! s += a[1];                                // used: a[1]
//! ```
//!
//! All sets hold at least the elements that are meant. What is known of a place stays small, however many copies a function makes: values that are gone are
//! forgotten, and so are the copies that stand first in the text where there are too many. A section that means something else in another iteration, or on another way, is not known.

use super::stale::StepId;
use super::transfers::{MetTransfer, TransferEvent};
use super::walk::SetChange;
use crate::analysis::movement::set_operations::one;
use crate::symbolic::{Facts, Section, SectionSet};
use std::collections::BTreeMap;

/// Of so many steps it is known at a place what has become of what they did; of others nothing is said.
const MOST_STEPS: usize = 32;

/// Values that a copy has brought.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BroughtValues {
    /// The elements that were copied; `None`: not known.
    pub section: Option<Section>,
    /// The elements that still have them.
    pub left: SectionSet,
    /// The elements of which somebody has used them.
    pub used: SectionSet,
}

/// What has changed since something was done with a section.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChangesSince {
    /// The section; `None`: not known.
    pub section: Option<Section>,
    /// The elements that were written since.
    pub changed: SectionSet,
}

/// Values by the copies that brought them.
pub type ByCopy = BTreeMap<StepId, BroughtValues>;

/// A list item that copies.
#[derive(Clone, Copy)]
pub struct CopyingItem<'a> {
    pub step: StepId,
    pub section: Option<&'a Section>,
}

impl CopyingItem<'_> {
    /// At least the elements that it names.
    pub fn may(self) -> SectionSet {
        self.section.map_or(SectionSet::All, |s| one(s.clone()))
    }

    /// At most these.
    pub fn must(self) -> SectionSet {
        self.section.map_or(SectionSet::Empty, |s| one(s.clone()))
    }
}

/// A copy brings values over those of others.
pub fn brought(copies: &mut ByCopy, item: CopyingItem<'_>, surely: bool, facts: &Facts, events: &mut Vec<MetTransfer>) {
    if surely {
        events.extend(overwritten(copies, &item.must(), facts));
    }
    let mut values = BroughtValues {
        section: item.section.cloned(),
        left: item.may(),
        used: SectionSet::Empty,
    };
    if let Some(before) = copies.remove(&item.step) {
        // Some elements still have what an earlier one has brought.
        values.join(&before, facts);
    }
    copies.insert(item.step, values);
    events.extend(one_too_many(copies).map(|copy| TransferEvent::Unknown.of(copy)));
}

/// Elements surely get other values: what copies have brought there nobody can use any more.
pub fn overwritten(copies: &mut ByCopy, elements: &SectionSet, facts: &Facts) -> Vec<MetTransfer> {
    let mut events = Vec::new();
    copies.retain(|copy, values| {
        values.left = values.left.subtract_must_set(elements, facts);
        let is_gone = values.left.is_empty(facts);
        if is_gone {
            events.extend(values.finished(*copy));
        }
        !is_gone
    });
    events
}

/// Takes out what is known of one step, where that would be known of more than [`MOST_STEPS`].
pub fn one_too_many<T>(known: &mut BTreeMap<StepId, T>) -> Option<StepId> {
    let (step, _) = (known.len() > MOST_STEPS).then(|| known.pop_first())??;
    Some(step)
}

/// Some elements are used: whose values they have. `on`: they are copied on, so that without the first copy others would be.
pub fn used(copies: &mut ByCopy, elements: &SectionSet, on: bool, facts: &Facts) -> Vec<MetTransfer> {
    let mut events = Vec::new();
    for (copy, values) in copies {
        let used = values.left.intersect(elements, facts);
        if !used.is_empty(facts) && !values.left.provably_disjoint(elements, facts) {
            values.used = match on {
                true => SectionSet::All,
                false => values.used.union(&used, facts),
            };
            events.push(TransferEvent::Used.of(*copy));
        }
    }
    events
}

/// Nobody can use values any more.
pub fn finished(copies: &mut ByCopy) -> Vec<MetTransfer> {
    let all = std::mem::take(copies);
    all.iter().filter_map(|(copy, values)| values.finished(*copy)).collect()
}

impl BroughtValues {
    fn finished(&self, copy: StepId) -> Option<MetTransfer> {
        let part = TransferEvent::UsedPart {
            section: self.section.clone()?,
            used: self.used.clone(),
        };
        Some(part.of(copy))
    }

    /// The values with other sets.
    pub fn mapped(&self, sets: &SetChange<'_>) -> BroughtValues {
        BroughtValues {
            section: stays(self.section.as_ref(), sets),
            left: (sets.may)(&self.left),
            used: (sets.may)(&self.used),
        }
    }

    /// Joins what another way has; says whether anything changed.
    pub fn join(&mut self, other: &BroughtValues, facts: &Facts) -> bool {
        let section = joined(&mut self.section, other.section.as_ref());
        section | united(&mut self.left, &other.left, facts) | united(&mut self.used, &other.used, facts)
    }
}

impl ChangesSince {
    /// The changes with other sets.
    pub fn mapped(&self, sets: &SetChange<'_>) -> ChangesSince {
        ChangesSince {
            section: stays(self.section.as_ref(), sets),
            changed: (sets.may)(&self.changed),
        }
    }

    /// Joins what another way has; says whether anything changed.
    pub fn join(&mut self, other: &ChangesSince, facts: &Facts) -> bool {
        let section = joined(&mut self.section, other.section.as_ref());
        section | united(&mut self.changed, &other.changed, facts)
    }
}

/// A section that means the same before and after a change of sets.
fn stays(section: Option<&Section>, sets: &SetChange<'_>) -> Option<Section> {
    let same = |s: &&Section| (sets.may)(&one((*s).clone())) == one((*s).clone());
    section.filter(same).cloned()
}

fn joined(section: &mut Option<Section>, other: Option<&Section>) -> bool {
    let differs = section.is_some() && section.as_ref() != other;
    if differs {
        *section = None;
    }
    differs
}

fn united(set: &mut SectionSet, other: &SectionSet, facts: &Facts) -> bool {
    let grows = !set.provably_covers(other, facts);
    if grows {
        *set = set.union(other, facts);
    }
    grows
}

/// Joins what two ways say of the same steps.
pub fn all_joined<T: Clone>(
    ours: &mut BTreeMap<StepId, T>,
    theirs: &BTreeMap<StepId, T>,
    join: impl Fn(&mut T, &T) -> bool,
) -> bool {
    let mut changed = false;
    for (step, other) in theirs {
        match ours.get_mut(step) {
            Some(own) => changed |= join(own, other),
            None => {
                ours.insert(*step, other.clone());
                changed = true;
            }
        }
    }
    changed
}
