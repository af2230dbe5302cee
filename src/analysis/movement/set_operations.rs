//! What the movement analyses need of [`SectionSet`] beyond its own operations, and what events need of sets.

use crate::symbolic::{Facts, Section, SectionSet};

/// A set of one section, even where that may be empty.
pub fn one(section: Section) -> SectionSet {
    SectionSet::Union(vec![section])
}

/// Views and differences of sets.
pub trait SetViews {
    /// The sections, or `None` for the whole object of unknown bounds.
    fn list(&self) -> Option<&[Section]>;

    /// At least everything but `removed`: what lies below it and what lies above it.
    ///
    /// `[lo, hi)` without `[a, b)` is within `[lo, a) ∪ [b, hi)` whatever the order of the four bounds, and exactly that
    /// when `[a, b)` lies inside. The two pieces are provably disjoint from what was removed, which is what the state
    /// needs: "the host has just written `a[k]`" must leave nothing of `a[k]` newer on the device even where nobody can
    /// say how `k` compares with the section's bounds.
    fn without(&self, removed: &Section, facts: &Facts) -> SectionSet;
}

impl SetViews for SectionSet {
    fn list(&self) -> Option<&[Section]> {
        if self.is_all() { None } else { Some(self.sections()) }
    }

    fn without(&self, removed: &Section, facts: &Facts) -> SectionSet {
        let Some(list) = self.list() else {
            return SectionSet::All;
        };
        let mut rest = SectionSet::Empty;
        for section in list {
            if removed.provably_covers(section, facts) {
                continue;
            }
            if section.provably_disjoint(removed, facts) {
                rest = rest.union(&one(section.clone()), facts);
                continue;
            }
            if !facts.prove_le(&removed.lo, &section.lo) {
                rest = rest.union(&one(Section::new(section.lo.clone(), removed.lo.clone())), facts);
            }
            if !facts.prove_le(&section.hi, &removed.hi) {
                rest = rest.union(&one(Section::new(removed.hi.clone(), section.hi.clone())), facts);
            }
        }
        rest
    }
}

/// What a kernel needs current on the device: what it reads, and what it may leave unwritten in the part it writes.
pub fn launch_needs(reads: &SectionSet, may: &SectionSet, must: &[Section], facts: &Facts) -> SectionSet {
    reads.union(&inexact(may, must, facts), facts)
}

/// What a write may leave as it was: the writing space must be current there, or the rest would be lost later.
pub fn inexact(may: &SectionSet, must: &[Section], facts: &Facts) -> SectionSet {
    let Some(list) = may.list() else { return may.clone() };
    let mut partly = SectionSet::Empty;
    for piece in list
        .iter()
        .filter(|p| !must.iter().any(|m| m.provably_covers(p, facts)))
    {
        let rest = must.iter().fold(one(piece.clone()), |rest, m| rest.without(m, facts));
        partly = partly.union(&rest, facts);
    }
    partly
}
