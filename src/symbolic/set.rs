//! Sets of elements: nothing, everything, or a union of a few sections.
//!
//! One type serves as a **may** set (it holds at least the elements in question) and as a **must** set (it holds
//! at most those). Operations that cannot be exact round up for the former and down for the latter, so each comes in
//! the flavour its name says:
//!
//! | operation | may | must |
//! |---|---|---|
//! | union | [`SectionSet::union`] rounds up | [`SectionSet::union_must`] rounds down |
//! | intersection | [`SectionSet::intersect`] rounds up | [`SectionSet::intersect_must`] rounds down |
//! | difference | [`SectionSet::subtract_must`]: may minus must | [`SectionSet::subtract_may`]: must minus may |
//!
//! Unions of up to [`MAX_SECTIONS`] sections are exact. Sections merge when they provably overlap or touch; those that
//! are provably empty are dropped. Whether two forms hold the same elements is in general unknowable, so `==` compares
//! forms and fixpoints should ask [`SectionSet::provably_covers`].

use super::expr::{Expr, Sym};
use super::facts::Facts;
use super::section::Section;
use super::sweep::runs;

/// The most sections of one union.
pub const MAX_SECTIONS: usize = 4;

/// A set of elements of one object along its outermost dimension.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum SectionSet {
    /// No element.
    #[default]
    Empty,
    /// One to [`MAX_SECTIONS`] sections in structural order.
    Union(Vec<Section>),
    /// The whole object, whose bounds may be unknown.
    All,
}

/// Which way to err.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Round {
    Up,
    Down,
}

impl SectionSet {
    /// A set of one section, or [`SectionSet::Empty`] when that is provably empty.
    pub fn of(section: Section, facts: &Facts) -> SectionSet {
        if section.is_empty(facts) {
            SectionSet::Empty
        } else {
            SectionSet::Union(vec![section])
        }
    }

    /// The sections; empty both for the empty set and for the whole object.
    pub fn sections(&self) -> &[Section] {
        match self {
            SectionSet::Union(sections) => sections,
            SectionSet::Empty | SectionSet::All => &[],
        }
    }

    /// Whether it provably holds no element.
    pub fn is_empty(&self, facts: &Facts) -> bool {
        *self != SectionSet::All && self.sections().iter().all(|s| s.is_empty(facts))
    }

    /// Whether it is the whole object.
    pub fn is_all(&self) -> bool {
        *self == SectionSet::All
    }

    /// At least the elements of both.
    pub fn union(&self, other: &SectionSet, facts: &Facts) -> SectionSet {
        self.unite(other, facts, Round::Up)
    }

    /// At most the elements of both; sections beyond the cap are left out.
    pub fn union_must(&self, other: &SectionSet, facts: &Facts) -> SectionSet {
        self.unite(other, facts, Round::Down)
    }

    fn unite(&self, other: &SectionSet, facts: &Facts, round: Round) -> SectionSet {
        if self.is_all() || other.is_all() {
            return SectionSet::All;
        }
        // Fixpoints mostly unite what they have united before.
        if other.sections().iter().all(|s| self.sections().contains(s)) {
            return self.clone();
        }
        collect(self.sections().iter().chain(other.sections()).cloned(), facts, round)
    }

    /// At least the elements common to both may sets.
    pub fn intersect(&self, other: &SectionSet, facts: &Facts) -> SectionSet {
        self.cross(other, facts, Round::Up)
    }

    /// At most the elements common to both must sets.
    pub fn intersect_must(&self, other: &SectionSet, facts: &Facts) -> SectionSet {
        self.cross(other, facts, Round::Down)
    }

    fn cross(&self, other: &SectionSet, facts: &Facts, round: Round) -> SectionSet {
        if self.is_all() {
            return other.clone();
        }
        if other.is_all() {
            return self.clone();
        }
        let pairs = self
            .sections()
            .iter()
            .flat_map(|a| other.sections().iter().map(move |b| (a, b)));
        let common = pairs.filter_map(|(a, b)| {
            if a.provably_disjoint(b, facts) {
                return None;
            }
            match a.intersection(b, facts) {
                Some(section) => Some(section),
                None if round == Round::Up => Some(a.clone()),
                None => None,
            }
        });
        collect(common.collect::<Vec<_>>(), facts, round)
    }

    /// A may set without what `removed`, a must section, provably covers: at least the remaining elements.
    pub fn subtract_must(&self, removed: &Section, facts: &Facts) -> SectionSet {
        if self.is_all() {
            return SectionSet::All;
        }
        let mut rest = Vec::new();
        for section in self.sections() {
            if removed.provably_covers(section, facts) {
                continue;
            }
            // Exactly, what remains is `[lo, min(hi, removed.lo))` and `[max(lo, removed.hi), hi)`. Where the order of
            // the two candidates is unknown the larger remainder is kept, which then is the whole section.
            let left = if facts.prove_le(&removed.lo, &section.lo) {
                None
            } else if facts.prove_le(&removed.lo, &section.hi) {
                Some(Section::new(section.lo.clone(), removed.lo.clone()))
            } else {
                Some(section.clone())
            };
            let right = if facts.prove_le(&section.hi, &removed.hi) {
                None
            } else if facts.prove_le(&section.lo, &removed.hi) {
                Some(Section::new(removed.hi.clone(), section.hi.clone()))
            } else {
                Some(section.clone())
            };
            if left.as_ref() == Some(section) || right.as_ref() == Some(section) {
                rest.push(section.clone());
            } else {
                rest.extend(left.into_iter().chain(right));
            }
        }
        collect(rest, facts, Round::Up)
    }

    /// A may set without what each section of a must set covers.
    pub fn subtract_must_set(&self, removed: &SectionSet, facts: &Facts) -> SectionSet {
        match removed {
            SectionSet::All => SectionSet::Empty,
            _ => removed
                .sections()
                .iter()
                .fold(self.clone(), |rest, section| rest.subtract_must(section, facts)),
        }
    }

    /// A must set without anything that `removed`, a may set, might hold: at most the remaining elements.
    pub fn subtract_may(&self, removed: &SectionSet, facts: &Facts) -> SectionSet {
        if removed.is_all() {
            return SectionSet::Empty;
        }
        removed.sections().iter().fold(self.clone(), |rest, removed| {
            if removed.is_empty(facts) {
                return rest;
            }
            // Without bounds of the object, nothing can be said of the part of it beside the section.
            let kept = rest.sections().iter().flat_map(|section| {
                if section.provably_disjoint(removed, facts) {
                    return vec![section.clone()];
                }
                let below = Section::new(section.lo.clone(), removed.lo.clone());
                let above = Section::new(removed.hi.clone(), section.hi.clone());
                let below = facts.prove_le(&removed.lo, &section.hi).then_some(below);
                let above = facts.prove_le(&section.lo, &removed.hi).then_some(above);
                below.into_iter().chain(above).collect()
            });
            collect(kept.collect::<Vec<_>>(), facts, Round::Down)
        })
    }

    /// Whether the two provably share no element.
    pub fn provably_disjoint(&self, other: &SectionSet, facts: &Facts) -> bool {
        if self.is_all() || other.is_all() {
            return self.is_empty(facts) || other.is_empty(facts);
        }
        let apart = |a: &Section| other.sections().iter().all(|b| a.provably_disjoint(b, facts));
        self.sections().iter().all(apart)
    }

    /// Whether it provably holds every element of `other`.
    pub fn provably_covers(&self, other: &SectionSet, facts: &Facts) -> bool {
        if self.is_all() || self == other {
            return true;
        }
        let within = |b: &Section| {
            let uncovered = SectionSet::Union(vec![b.clone()]).subtract_must_set(self, facts);
            uncovered.is_empty(facts)
        };
        !other.is_all() && other.sections().iter().all(within)
    }

    /// One section that holds every element; `None` for the whole object, the empty set, or bounds that grow too large.
    pub fn hull(&self, facts: &Facts) -> Option<Section> {
        let (first, rest) = self.sections().split_first()?;
        rest.iter()
            .try_fold(first.clone(), |hull, section| hull.hull(section, facts))
    }

    /// The may set of all iterations of a loop; see [`Section::over_loop`].
    pub fn over_loop(&self, sym: Sym, first: &Expr, last: &Expr, step: &Expr, facts: &Facts) -> SectionSet {
        if self.is_all() {
            return SectionSet::All;
        }
        let swept = self
            .sections()
            .iter()
            .map(|s| s.over_loop(sym, first, last, step, facts));
        match swept.collect::<Option<Vec<_>>>() {
            Some(sections) => collect(sections, facts, Round::Up),
            None => SectionSet::All,
        }
    }

    /// The must set of all iterations of a loop; see [`Section::over_loop_exact`]. Sections without one are left out,
    /// and so is the whole object unless the loop provably runs.
    pub fn over_loop_must(&self, sym: Sym, first: &Expr, last: &Expr, step: &Expr, facts: &Facts) -> SectionSet {
        if self.is_all() {
            let runs = runs(sym, first, last, step, facts);
            return if runs { SectionSet::All } else { SectionSet::Empty };
        }
        // What is covered is used after the loop, where facts about the counter do not hold.
        let facts = &facts.without(sym);
        let swept = self
            .sections()
            .iter()
            .filter_map(|s| s.over_loop_exact(sym, first, last, step, facts));
        collect(swept.collect::<Vec<_>>(), facts, Round::Down)
    }

    /// Replaces all symbols of a may set; sections that cannot be expressed make it the whole object.
    pub fn map_syms(&self, map: &mut dyn FnMut(Sym) -> Option<Expr>) -> SectionSet {
        match self {
            SectionSet::Union(sections) => {
                let mapped = sections.iter().map(|s| s.map_syms(map)).collect::<Option<Vec<_>>>();
                mapped.map_or(SectionSet::All, SectionSet::Union)
            }
            other => other.clone(),
        }
    }

    /// Replaces all symbols of a must set; sections that cannot be expressed are left out.
    pub fn map_syms_must(&self, map: &mut dyn FnMut(Sym) -> Option<Expr>) -> SectionSet {
        match self {
            SectionSet::Union(sections) => {
                let mapped: Vec<_> = sections.iter().filter_map(|s| s.map_syms(map)).collect();
                if mapped.is_empty() {
                    SectionSet::Empty
                } else {
                    SectionSet::Union(mapped)
                }
            }
            other => other.clone(),
        }
    }
}

/// Merges what provably overlaps or touches, drops what is provably empty, and brings the rest below the cap.
fn collect(sections: impl IntoIterator<Item = Section>, facts: &Facts, round: Round) -> SectionSet {
    let mut kept: Vec<Section> = Vec::new();
    for section in sections {
        if section.is_empty(facts) {
            continue;
        }
        // A merged section may in turn touch another, so it goes through the list again.
        let mut section = section;
        while let Some((at, merged)) = kept
            .iter()
            .enumerate()
            .find_map(|(at, other)| Some((at, other.merge(&section, facts)?)))
        {
            kept.remove(at);
            section = merged;
        }
        kept.push(section);
    }
    kept.sort();
    if kept.len() > MAX_SECTIONS {
        match round {
            Round::Down => kept.truncate(MAX_SECTIONS),
            Round::Up => {
                let hull = kept[1..]
                    .iter()
                    .try_fold(kept[0].clone(), |hull, section| hull.hull(section, facts));
                return hull.map_or(SectionSet::All, |hull| SectionSet::Union(vec![hull]));
            }
        }
    }
    if kept.is_empty() {
        SectionSet::Empty
    } else {
        SectionSet::Union(kept)
    }
}

#[cfg(test)]
mod tests;
