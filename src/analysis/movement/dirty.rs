//! What is newer on one side: sections, less exceptions.
//!
//! **Domain.** `may \ ∪ clean`: at most the sections of `may` are newer, and nothing of `clean` is. The exceptions exist
//! because a difference of symbolic sections is often not a union of sections that anyone could prove disjoint: after
//! `a[k] = …` nothing of `a[k:1]` is newer on the device, whatever the order of `k` and the bounds of `may`. Removing
//! first tries plain arithmetic and falls back to an exception.
//!
//! **Order.** `x ⊑ y` if `y` allows everything that `x` does: a larger `may`, fewer exceptions. Join unites the former
//! and keeps an exception only where it holds on both sides. Exceptions are only ever dropped by joins, so chains are
//! finite.

use super::set_operations::one;
use crate::symbolic::{Facts, Section, SectionSet};
use std::rc::Rc;

/// The most exceptions kept; a further one is not remembered, which only costs copies.
const MAX_CLEAN: usize = 8;

/// What may be newer on one side. Cloning is cheap: most nodes of a walk hand on what they get.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Dirty {
    may: Rc<SectionSet>,
    clean: Rc<Vec<Section>>,
}

impl Dirty {
    /// At most `section`.
    pub fn of(section: Section) -> Dirty {
        Dirty {
            may: Rc::new(one(section)),
            clean: Rc::default(),
        }
    }
    /// The sections that hold everything newer.
    pub fn may(&self) -> &SectionSet {
        &self.may
    }
    /// Whether surely nothing is newer.
    pub fn is_empty(&self, facts: &Facts) -> bool {
        self.may.is_empty(facts)
    }
    /// Whether surely nothing of `set` is newer.
    pub fn spares(&self, set: &SectionSet, facts: &Facts) -> bool {
        if self.may.provably_disjoint(set, facts) {
            return true;
        }
        !set.is_all()
            && set.sections().iter().all(|s| {
                self.may.provably_disjoint(&one(s.clone()), facts)
                    || self.clean.iter().any(|c| c.provably_covers(s, facts))
            })
    }
    /// [`Dirty::spares`], with another way to see it: of each piece of `may` what it has in common with a section is an exception.
    /// Asked at the ends of residencies alone. Asked of needs inside as well it would let other placements pass that are thought to be
    /// cheaper and are not (`examples/boundary`).
    pub fn spares_in_pieces(&self, set: &SectionSet, facts: &Facts) -> bool {
        let is_clean = |s: &Section| {
            self.may
                .sections()
                .iter()
                .all(|piece| self.is_clean_in(s, piece, facts))
        };
        self.spares(set, facts) || !set.is_all() && !self.may.is_all() && set.sections().iter().all(is_clean)
    }
    /// Whether nothing of `section` is newer that lies in a piece of `may`.
    fn is_clean_in(&self, section: &Section, piece: &Section, facts: &Facts) -> bool {
        let common = |c: &Section| {
            let begins = |s: &Section| facts.prove_le(&c.lo, &s.lo);
            let ends = |s: &Section| facts.prove_le(&s.hi, &c.hi);
            (begins(section) || begins(piece)) && (ends(section) || ends(piece))
        };
        section.provably_disjoint(piece, facts) || self.clean.iter().any(common)
    }
    /// Everything of `set` may be newer from now on.
    pub fn add(&mut self, set: &SectionSet, facts: &Facts) {
        self.may = Rc::new(self.may.union(set, facts));
        let stays = |c: &Section| set.provably_disjoint(&one(c.clone()), facts);
        if !self.clean.iter().all(stays) {
            Rc::make_mut(&mut self.clean).retain(stays);
        }
    }
    /// Nothing of `section` is newer from now on.
    pub fn remove(&mut self, section: &Section, facts: &Facts) {
        let removed = one(section.clone());
        if self.may.provably_disjoint(&removed, facts) {
            return;
        }
        // Piece by piece: what the section covers goes whole, even where the order of the other pieces is unknown.
        let mut rest = SectionSet::Empty;
        for piece in self
            .may
            .sections()
            .iter()
            .filter(|p| !section.provably_covers(p, facts))
        {
            rest = rest.union(&one(piece.clone()).subtract_must(section, facts), facts);
        }
        if !self.may.is_all() {
            self.may = Rc::new(rest);
        }
        if self.may.is_empty(facts) {
            *self = Dirty::default();
            return;
        }
        // What it and exceptions that it touches are together, beside each of them: a join asks for what both sides have.
        let merged = |all: Section, c: &Section| c.merge(&all, facts).unwrap_or(all);
        let together = self.clean.iter().fold(section.clone(), merged);
        for clean in [section.clone(), together] {
            let is_known = self.clean.contains(&clean) || self.may.provably_disjoint(&one(clean.clone()), facts);
            if !is_known && self.clean.len() < MAX_CLEAN {
                Rc::make_mut(&mut self.clean).push(clean);
            }
        }
    }
    /// Joins `other` in; says whether anything changed.
    pub fn join(&mut self, other: &Dirty, facts: &Facts) -> bool {
        if self == other {
            return false;
        }
        let mut clean: Vec<Section> = Vec::new();
        for c in self.clean.iter().chain(other.clean.iter()) {
            let set = one(c.clone());
            if self.spares(&set, facts) && other.spares(&set, facts) && !clean.contains(c) && clean.len() < MAX_CLEAN {
                clean.push(c.clone());
            }
        }
        let grows = !self.may.provably_covers(&other.may, facts);
        // Exceptions gained by a join are already implied (their elements are in neither `may`): only losses count.
        let loses = self.clean.iter().any(|c| !clean.contains(c));
        if grows {
            self.may = Rc::new(self.may.union(&other.may, facts));
        }
        if grows || loses {
            self.clean = Rc::new(clean);
        }
        grows || loses
    }
    /// A copy with `may` replaced, for changes of name and scope; exceptions that `keep` refuses are dropped.
    pub fn map(&self, may: SectionSet, keep: &dyn Fn(&Section) -> bool) -> Dirty {
        Dirty {
            may: Rc::new(may),
            clean: Rc::new(self.clean.iter().filter(|c| keep(c)).cloned().collect()),
        }
    }
}
