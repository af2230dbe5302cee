//! Which elements of one copy of an object are not the newest, and why.
//!
//! ```c
//! update to(a[0:n])                   // device: -
//! a[k] = 1;                           // device: a[k:1], written on the host here
//! kernel reads a[k]                   // a bug: what that host write wrote is missing on the device
//! ```
//!
//! **Domain.** For each cause two sets: `may` holds at least the elements that are stale for it, `must` at most these; and sections that are
//! surely *current*, whatever the sets say: what is left of `a[0:n]` without `a[k]` is no section. Order: a larger `may`, a smaller `must`, fewer
//! current sections. Where two ways meet, `may` is united, and of the others remains what is so on both.
//!
//! Source: OmpSan §4, whose states say this of whole variables.

use crate::analysis::movement::set_operations::one;
use crate::symbolic::{Facts, Section, SectionSet};
use std::collections::BTreeMap;

/// A step of the program that is checked: what [`super::steps`] numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StepId(pub u32);

/// Where the newest value came from that a copy does not have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum NewestValue {
    /// The host wrote it.
    WrittenOnHost(StepId),
    /// A kernel on another device has written it.
    WrittenOnOtherDevice(StepId),
    /// A kernel wrote it.
    WrittenOnDevice(StepId),
    /// The host has had it since before the device copy was made, which this step did without copying.
    NeverCopied(StepId),
}

/// How the newest value was lost: no copy has it any more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Loss {
    /// The device copy ended without being copied back.
    Freed(StepId),
    /// A copy of an older value came over it.
    Overwritten(StepId),
    /// What was never written on the device was copied over the host's value.
    Garbage(StepId),
}

/// Why elements are stale.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cause {
    /// Whose value they do not have.
    pub newest: NewestValue,
    /// How that was lost; `None`: the other copy has it.
    pub lost: Option<Loss>,
    /// The last copy that brought other elements of them, and not these.
    pub passed_by: Option<StepId>,
}

impl Cause {
    /// A newest value that is not lost.
    pub fn of(newest: NewestValue) -> Cause {
        Cause {
            newest,
            lost: None,
            passed_by: None,
        }
    }

    /// The cause after the newest value was lost, unless it had been before.
    #[must_use]
    pub fn losing(self, loss: Loss) -> Cause {
        Cause {
            lost: self.lost.or(Some(loss)),
            ..self
        }
    }
}

/// Elements that are stale for one cause.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct ElementsOfCause {
    /// At least these.
    may: SectionSet,
    /// At most these.
    must: SectionSet,
}

/// What a copy does to the elements of a section: it reaches all of a known one, or some of those that there are.
#[derive(Clone, Copy, Debug)]
pub enum CopyReach<'s> {
    /// All elements of the section, and no others.
    All(&'s Section),
    /// All elements that are on the device.
    Device,
    /// Elements of which it is not known which they are.
    Some,
}

/// The elements of one copy that are not the newest.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct StaleCopy {
    by_cause: BTreeMap<Cause, ElementsOfCause>,
    /// What surely is the newest, the last one last.
    current: Vec<Section>,
}

/// So many current sections are kept beside the sets.
const MOST_CURRENT: usize = 6;

/// Stale elements that are read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StaleRead {
    /// Why they are stale.
    pub cause: Cause,
    /// Some element that is surely read surely is.
    pub surely: bool,
}

impl StaleCopy {
    /// Elements become stale: at most those of `may`, at least those of `must`.
    pub fn add(&mut self, cause: Cause, may: &SectionSet, must: &SectionSet, facts: &Facts) {
        if may.is_empty(facts) {
            return;
        }
        self.current
            .retain(|section| one(section.clone()).provably_disjoint(may, facts));
        let elements = self.by_cause.entry(cause).or_default();
        elements.may = elements.may.union(may, facts);
        elements.must = elements.must.union_must(must, facts);
    }

    /// As [`StaleCopy::add`], where the cause is that the other copy gets new values: those of which all elements surely get others are nobody's
    /// newest values any more.
    pub fn outdate(&mut self, cause: Cause, may: &SectionSet, must: &SectionSet, facts: &Facts) {
        self.by_cause
            .retain(|older, elements| *older == cause || !must.provably_covers(&elements.may, facts));
        self.add(cause, may, must, facts);
    }

    /// Whether all of these elements surely are the newest.
    fn is_current(&self, elements: &SectionSet, facts: &Facts) -> bool {
        let covered = |s: &Section| {
            self.current
                .iter()
                .any(|c| one(c.clone()).provably_covers(&one(s.clone()), facts))
        };
        !elements.is_all() && elements.sections().iter().all(covered)
    }

    /// Nothing is stale for a cause any more.
    pub fn forget(&mut self, cause: Cause) {
        self.by_cause.remove(&cause);
    }

    /// Elements become the newest: at least those of `must`, perhaps those of `may`.
    pub fn remove(&mut self, may: &SectionSet, must: &SectionSet, facts: &Facts) {
        self.by_cause.retain(|_, elements| {
            elements.may = elements.may.subtract_must_set(must, facts);
            let left = elements.must.subtract_may(may, facts);
            elements.must = with_elements(&left, &[&elements.must], facts);
            !elements.may.is_empty(facts)
        });
        if self.by_cause.is_empty() {
            self.current.clear();
            return;
        }
        for section in must.sections() {
            if !self.is_current(&one(section.clone()), facts) {
                self.current.push(section.clone());
            }
        }
        let too_many = self.current.len().saturating_sub(MOST_CURRENT);
        self.current.drain(..too_many);
    }

    /// Elements that were never copied get values that are as good as the newest.
    pub fn remove_uncopied(&mut self, elements: &SectionSet, facts: &Facts) {
        self.by_cause.retain(|cause, stale| {
            if matches!(cause.newest, NewestValue::NeverCopied(_)) {
                stale.may = stale.may.subtract_must_set(elements, facts);
                let left = stale.must.subtract_may(elements, facts);
                stale.must = with_elements(&left, &[&stale.must], facts);
            }
            !stale.may.is_empty(facts)
        });
    }

    /// What a copy leaves stale of what was written with elements that it brings.
    pub fn passed_by(&mut self, reach: CopyReach<'_>, copy: StepId, facts: &Facts) {
        let (may, must) = reached(reach);
        let brings = |e: &ElementsOfCause| !e.may.provably_disjoint(&may, facts);
        let leaves = |e: &ElementsOfCause| !must.provably_covers(&e.may, facts);
        let causes: Vec<Cause> = self
            .by_cause
            .iter()
            .filter(|(_, e)| brings(e) && leaves(e))
            .map(|(c, _)| *c)
            .collect();
        // What is stale for another cause is what has been stale.
        let current = std::mem::take(&mut self.current);
        for cause in causes {
            if let Some(elements) = self.by_cause.remove(&cause) {
                let left = Cause {
                    passed_by: Some(copy),
                    ..cause
                };
                self.add(left, &elements.may, &elements.must, facts);
            }
        }
        self.current = current;
    }

    /// Elements that a copy reaches become the newest.
    pub fn remove_reached(&mut self, reach: CopyReach<'_>, facts: &Facts) {
        let (may, must) = reached(reach);
        self.remove(&may, &must, facts);
    }

    /// The elements that a copy reaches, for other causes.
    pub fn reached(&self, reach: CopyReach<'_>, cause: impl Fn(Cause) -> Cause, facts: &Facts) -> StaleCopy {
        let (may, must) = reached(reach);
        let mut found = StaleCopy::default();
        if self.is_current(&may, facts) {
            return found;
        }
        for (was, elements) in &self.by_cause {
            let may = elements.may.intersect(&may, facts);
            let both = elements.must.intersect_must(&must, facts);
            let must = with_elements(&both, &[&elements.must, &must], facts);
            found.add(cause(*was), &may, &must, facts);
        }
        found
    }

    /// Adds what is stale in another one.
    pub fn extend(&mut self, other: StaleCopy, facts: &Facts) {
        for (cause, elements) in other.by_cause {
            self.add(cause, &elements.may, &elements.must, facts);
        }
    }

    /// The elements for other causes.
    #[must_use]
    pub fn for_causes(&self, cause: impl Fn(Cause) -> Cause, facts: &Facts) -> StaleCopy {
        let mut found = StaleCopy::default();
        for (was, elements) in &self.by_cause {
            found.add(cause(*was), &elements.may, &elements.must, facts);
        }
        found.current.clone_from(&self.current);
        found
    }

    /// Joins what comes by another way in; says whether anything changed.
    pub fn join(&mut self, other: &StaleCopy, facts: &Facts) -> bool {
        if self == other {
            return false;
        }
        let mut changed = false;
        let known = self.current.len();
        let fresh = |s: &Section, side: &StaleCopy| {
            let set = one(s.clone());
            side.is_current(&set, facts) || side.by_cause.values().all(|e| e.may.provably_disjoint(&set, facts))
        };
        let theirs: Vec<Section> = other
            .current
            .iter()
            .filter(|s| self.by_cause.is_empty() && fresh(s, self))
            .cloned()
            .collect();
        self.current.retain(|s| fresh(s, other));
        changed |= self.current.len() != known;
        self.current.extend(theirs);
        for (cause, elements) in &mut self.by_cause {
            let theirs = other.by_cause.get(cause).map(|e| &e.must);
            let both = theirs.map_or(SectionSet::Empty, |must| {
                let both = elements.must.intersect_must(must, facts);
                with_elements(&both, &[&elements.must, must], facts)
            });
            changed |= both != elements.must;
            elements.must = both;
        }
        for (cause, elements) in &other.by_cause {
            let known = self.by_cause.entry(*cause).or_default();
            if !known.may.provably_covers(&elements.may, facts) {
                known.may = known.may.union(&elements.may, facts);
                changed = true;
            }
        }
        changed
    }

    /// Rewrites the sets: `may` by one function and `must` by another.
    #[must_use]
    pub fn mapped(
        &self,
        may: &dyn Fn(&SectionSet) -> SectionSet,
        must: &dyn Fn(&SectionSet) -> SectionSet,
        facts: &Facts,
    ) -> StaleCopy {
        let mut found = StaleCopy::default();
        for (cause, elements) in &self.by_cause {
            found.add(*cause, &may(&elements.may), &must(&elements.must), facts);
        }
        let stays = |s: &&Section| must(&one((*s).clone())) == one((*s).clone());
        found.current = self.current.iter().filter(stays).cloned().collect();
        found
    }

    /// What of the elements that are read is stale: at most `may` are read, at least `must`.
    pub fn read(&self, may: &SectionSet, must: &SectionSet, facts: &Facts) -> Vec<StaleRead> {
        let current = self.is_current(may, facts);
        let read = self
            .by_cause
            .iter()
            .filter(|(_, e)| !current && !e.may.provably_disjoint(may, facts));
        read.map(|(cause, elements)| StaleRead {
            cause: *cause,
            surely: meets(&elements.must, must, facts),
        })
        .collect()
    }

    /// Whether surely no element is stale.
    pub fn is_empty(&self) -> bool {
        self.by_cause.is_empty()
    }
}

/// The sections of a set that have elements where each that somebody meant has some: of what is left when something is taken away, or of what two have in
/// common, that is not known by itself.
///
/// ```c
/// for (int i = 0; i < n; i++) a[i] = i;         // [0, n): nobody writes a loop that does nothing
/// update to(a[0:k])                             // [k, n): has elements if k < n
/// ```
fn with_elements(found: &SectionSet, meant: &[&SectionSet], facts: &Facts) -> SectionSet {
    let SectionSet::Union(sections) = found else {
        return found.clone();
    };
    let mut known = facts.clone();
    let all = || meant.iter().flat_map(|set| set.sections());
    for section in all().filter(|s| !facts.prove_le(&s.hi, &s.lo)) {
        known.assume_lt(&section.lo, &section.hi);
    }
    let has_some = |s: &&Section| all().any(|of| of == *s) || known.prove_lt(&s.lo, &s.hi);
    let left: Vec<Section> = sections.iter().filter(has_some).cloned().collect();
    match left.is_empty() {
        true => SectionSet::Empty,
        false => SectionSet::Union(left),
    }
}

/// The elements that a copy reaches at most, and at least.
fn reached(reach: CopyReach<'_>) -> (SectionSet, SectionSet) {
    match reach {
        CopyReach::All(section) => (one(section.clone()), one(section.clone())),
        CopyReach::Device => (SectionSet::All, SectionSet::All),
        CopyReach::Some => (SectionSet::All, SectionSet::Empty),
    }
}

/// Whether two sets surely have an element in common, if there is any in their sections: a section that has none is no section that somebody
/// meant.
fn meets(a: &SectionSet, b: &SectionSet, facts: &Facts) -> bool {
    let common = |x: &Section, y: &Section| {
        let mut facts = facts.clone();
        if facts.prove_le(&x.hi, &x.lo) || facts.prove_le(&y.hi, &y.lo) {
            return false;
        }
        facts.assume_lt(&x.lo, &x.hi);
        facts.assume_lt(&y.lo, &y.hi);
        facts.prove_lt(&x.lo, &y.hi) && facts.prove_lt(&y.lo, &x.hi)
    };
    let pairs = a
        .sections()
        .iter()
        .flat_map(|x| b.sections().iter().map(move |y| (x, y)));
    pairs.into_iter().any(|(x, y)| common(x, y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbolic::{Expr, Sym};

    fn section(lo: i128, hi: i128) -> SectionSet {
        one(Section::new(Expr::constant(lo), Expr::constant(hi)))
    }

    fn host(step: u32) -> Cause {
        Cause::of(NewestValue::WrittenOnHost(StepId(step)))
    }

    fn host_cause() -> Cause {
        host(1)
    }

    #[test]
    fn what_is_written_is_missing_until_it_is_copied() {
        let facts = Facts::new();
        let mut device = StaleCopy::default();
        device.add(host(1), &section(0, 10), &section(0, 10), &facts);
        assert_eq!(device.read(&section(10, 20), &section(10, 20), &facts), []);
        let surely = device.read(&section(5, 20), &section(5, 20), &facts);
        assert_eq!(surely.len(), 1);
        assert!(surely[0].surely && surely[0].cause == host(1));
        assert!(!device.read(&section(5, 20), &SectionSet::Empty, &facts)[0].surely);
        let Some(copied) = section(0, 6).sections().first().cloned() else {
            panic!("a section")
        };
        device.remove_reached(CopyReach::All(&copied), &facts);
        assert_eq!(device.read(&section(0, 6), &section(0, 6), &facts), []);
        assert!(device.read(&section(5, 7), &section(5, 7), &facts)[0].surely);
        device.remove_reached(CopyReach::Some, &facts);
        assert!(!device.read(&section(5, 7), &section(5, 7), &facts)[0].surely);
    }

    #[test]
    fn a_part_that_is_current_need_not_be_cut_out() {
        let (n, k) = (Expr::sym(Sym(0)), Expr::sym(Sym(1)));
        let facts = Facts::new();
        let all = one(Section::new(Expr::zero(), n));
        let element = Section::new(k.clone(), k.add(&Expr::constant(1)).unwrap());
        let mut host = StaleCopy::default();
        host.add(host_cause(), &all, &all, &facts);
        host.remove(&one(element.clone()), &one(element.clone()), &facts);
        assert_eq!(host.read(&one(element.clone()), &SectionSet::Empty, &facts), []);
        assert!(host.reached(CopyReach::All(&element), |c| c, &facts).is_empty());
        assert_eq!(host.read(&all, &SectionSet::Empty, &facts).len(), 1);
        let mut other = StaleCopy::default();
        assert!(other.join(&host, &facts));
        assert_eq!(other.read(&one(element.clone()), &SectionSet::Empty, &facts), []);
        host.add(host_cause(), &all, &SectionSet::Empty, &facts);
        assert_eq!(host.read(&one(element), &SectionSet::Empty, &facts).len(), 1);
    }

    #[test]
    fn where_ways_meet_only_what_both_have_is_sure() {
        let facts = Facts::new();
        let mut one_way = StaleCopy::default();
        one_way.add(host(1), &section(0, 10), &section(0, 10), &facts);
        let mut other = one_way.clone();
        assert!(!one_way.join(&other.clone(), &facts));
        other.remove(&section(0, 4), &section(0, 4), &facts);
        assert!(one_way.join(&other, &facts));
        assert!(!one_way.read(&section(0, 4), &section(0, 4), &facts)[0].surely);
        assert!(one_way.read(&section(4, 5), &section(4, 5), &facts)[0].surely);
        assert!(!one_way.join(&other, &facts));
    }

    #[test]
    fn a_newer_value_of_all_elements_is_the_only_one() {
        let facts = Facts::new();
        let mut device = StaleCopy::default();
        let stale = |device: &StaleCopy| {
            let read = device.read(&section(0, 10), &section(0, 10), &facts);
            read.iter().map(|r| (r.cause, r.surely)).collect::<Vec<_>>()
        };
        device.add(host(1), &section(0, 10), &section(0, 10), &facts);
        // Of elements that may be written the older value may be the newest.
        device.outdate(host(2), &section(0, 10), &SectionSet::Empty, &facts);
        assert_eq!(stale(&device), [(host(1), true), (host(2), false)]);
        device.outdate(host(3), &section(0, 10), &section(0, 9), &facts);
        assert_eq!(stale(&device).len(), 3);
        device.outdate(host(4), &section(0, 10), &section(0, 10), &facts);
        assert_eq!(stale(&device), [(host(4), true)]);
    }

    #[test]
    fn what_is_left_of_a_section_may_be_nothing() {
        let (n, k) = (Expr::sym(Sym(0)), Expr::sym(Sym(1)));
        let facts = Facts::new();
        let all = one(Section::new(Expr::zero(), n));
        let mut device = StaleCopy::default();
        device.add(host(1), &all, &all, &facts);
        let copied = one(Section::new(Expr::zero(), k));
        device.remove(&copied, &copied, &facts);
        assert!(!device.read(&all, &all, &facts)[0].surely);
        // Nor need two sections have anything in common.
        let mut device = StaleCopy::default();
        device.add(host(1), &all, &all, &facts);
        let Some(beyond) = section(15, 16).sections().first().cloned() else {
            panic!("a section")
        };
        let reached = device.reached(CopyReach::All(&beyond), |c| c, &facts);
        assert!(
            reached
                .read(&section(15, 16), &section(15, 16), &facts)
                .iter()
                .all(|r| !r.surely)
        );
    }

    #[test]
    fn symbols_meet_where_they_have_elements() {
        let n = Expr::sym(Sym(0));
        let all = one(Section::new(Expr::zero(), n.clone()));
        let facts = Facts::new();
        assert!(meets(&all, &all, &facts));
        assert!(!meets(&all, &section(1, 2), &facts));
        assert!(meets(&all, &section(0, 1), &facts));
    }
}
