//! Sets of locations, large parts of which are kept once for many functions.
//!
//! ```c
//! void f(void) { … report("f"); }      /* `report` runs a handler, which may be any function that the program gave away: */
//! void g(void) { … report("g"); }      /* all that these use is used by `f`, by `g`, and by whoever calls them            */
//! ```
//!
//! What the members of a large circle of calls use, all of them and their callers use. Such a part is made once
//! ([`LocSet::into_shared`]) and counted by reference after that; beside it a set has only what is its own.

use crate::analysis::points_to::PointsTo;
use crate::program::objects::{MemLoc, ObjectId};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Fewer locations are copied, not shared.
const WORTH_SHARING: usize = 32;

/// Locations that several sets have, told apart by a number.
#[derive(Debug)]
struct SharedLocations {
    id: usize,
    locs: BTreeSet<MemLoc>,
    objects: FxHashSet<ObjectId>,
    /// The locations of memory from outside, which may be memory of other names.
    incoming: Vec<MemLoc>,
}

/// A set of locations. Iteration yields what is the set's own in order, then each shared part in order; what is in several of these comes
/// several times.
#[derive(Clone, Debug, Default)]
pub struct LocSet {
    own: BTreeSet<MemLoc>,
    /// By number.
    parts: Vec<Arc<SharedLocations>>,
}

impl LocSet {
    /// All locations.
    pub fn iter(&self) -> impl Iterator<Item = &MemLoc> {
        self.own.iter().chain(self.parts.iter().flat_map(|p| &p.locs))
    }

    /// The locations of both sets.
    pub fn union<'a>(&'a self, other: &'a LocSet) -> impl Iterator<Item = &'a MemLoc> {
        let missing = |p: &&Arc<SharedLocations>| !self.parts.iter().any(|known| known.id == p.id);
        let parts = other.parts.iter().filter(missing).flat_map(|p| &p.locs);
        self.iter().chain(&other.own).chain(parts)
    }

    /// Whether it has a byte of a location.
    pub fn meets(&self, points_to: &PointsTo, loc: MemLoc) -> bool {
        self.beside(points_to, loc.object).any(|l| points_to.may_alias(*l, loc))
    }

    /// All locations that may share bytes with those of an object, and maybe others.
    pub fn beside<'a>(&'a self, points_to: &PointsTo, object: ObjectId) -> impl Iterator<Item = &'a MemLoc> {
        // What is made here is nothing else's, unless others share it.
        let apart = !points_to.may_have_other_names(object);
        let of_part = move |part: &'a Arc<SharedLocations>| {
            let all = (!apart).then_some(&part.locs).into_iter().flatten();
            let own = part.locs.range(MemLoc::start(object)..);
            let own = own.take_while(move |l| l.object == object);
            let few = apart.then(|| part.incoming.iter().chain(own)).into_iter().flatten();
            all.chain(few)
        };
        self.own.iter().chain(self.parts.iter().flat_map(of_part))
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.own.is_empty() && self.parts.is_empty()
    }

    /// Whether a location is in it.
    pub fn contains(&self, loc: &MemLoc) -> bool {
        self.own.contains(loc) || self.parts.iter().any(|p| p.locs.contains(loc))
    }

    /// Takes everything out.
    pub fn clear(&mut self) {
        *self = LocSet::default();
    }

    /// Adds locations.
    pub fn extend(&mut self, locs: impl IntoIterator<Item = MemLoc>) {
        self.own.extend(locs);
    }

    /// Adds those of another set.
    pub fn join(&mut self, other: &LocSet) {
        self.own.extend(&other.own);
        for part in &other.parts {
            if let Err(at) = self.parts.binary_search_by_key(&part.id, |p| p.id) {
                self.parts.insert(at, Arc::clone(part));
            }
        }
    }

    /// Takes out what does not lie in objects that are kept.
    pub fn retain(&mut self, keep: impl Fn(ObjectId) -> bool) {
        self.own.retain(|l| keep(l.object));
        self.unshare(|part| part.objects.iter().all(|o| keep(*o)), &keep);
    }

    /// Takes out what lies in some objects.
    pub fn remove(&mut self, objects: &[ObjectId]) {
        let keep = |id: ObjectId| !objects.contains(&id);
        self.own.retain(|l| keep(l.object));
        self.unshare(|part| !objects.iter().any(|o| part.objects.contains(o)), keep);
    }

    /// Takes out what is not `listed` if `all` is in it, which stands for the rest.
    pub fn summarise(&mut self, all: &MemLoc, listed: impl Fn(ObjectId) -> bool) {
        if self.contains(all) {
            self.own.retain(|l| listed(l.object));
            // What has it is summarised.
            self.unshare(|part| part.locs.contains(all), listed);
        }
    }

    /// Makes parts that are not `whole` the set's own, what is kept of them.
    fn unshare(&mut self, whole: impl Fn(&SharedLocations) -> bool, keep: impl Fn(ObjectId) -> bool) {
        let own = &mut self.own;
        self.parts.retain(|part| {
            let whole = whole(part);
            if !whole {
                own.extend(part.locs.iter().filter(|l| keep(l.object)));
            }
            whole
        });
    }

    /// The set with its own locations as a part that others may share, under a number that no other part has; what lies in some
    /// objects stays its own.
    pub fn into_shared(mut self, id: usize, except: &[ObjectId], is_incoming: impl Fn(ObjectId) -> bool) -> LocSet {
        if self.own.len() >= WORTH_SHARING {
            let all = std::mem::take(&mut self.own);
            let (own, locs) = all.into_iter().partition(|l| except.contains(&l.object));
            self.own = own;
            let locs: BTreeSet<MemLoc> = locs;
            let objects = locs.iter().map(|l| l.object).collect();
            let at = self.parts.partition_point(|p| p.id < id);
            let incoming = locs.iter().copied().filter(|l| is_incoming(l.object)).collect();
            let part = SharedLocations {
                id,
                locs,
                objects,
                incoming,
            };
            self.parts.insert(at, Arc::new(part));
        }
        self
    }
}

impl PartialEq for LocSet {
    fn eq(&self, other: &LocSet) -> bool {
        let all = |set: &LocSet| set.iter().copied().collect::<BTreeSet<_>>();
        let numbers = |set: &LocSet| set.parts.iter().map(|p| p.id).collect::<Vec<_>>();
        (self.own == other.own && numbers(self) == numbers(other)) || all(self) == all(other)
    }
}

impl Eq for LocSet {}

impl FromIterator<MemLoc> for LocSet {
    fn from_iter<I: IntoIterator<Item = MemLoc>>(locs: I) -> LocSet {
        LocSet {
            own: locs.into_iter().collect(),
            parts: Vec::new(),
        }
    }
}

impl<const N: usize> From<[MemLoc; N]> for LocSet {
    fn from(locs: [MemLoc; N]) -> LocSet {
        locs.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn locs(ids: std::ops::Range<u32>) -> LocSet {
        ids.map(|i| MemLoc::whole(ObjectId(i))).collect()
    }

    #[test]
    fn a_shared_part_counts_once() {
        let shared = locs(0..40).into_shared(7, &[], |_| false);
        let (mut a, mut b) = (locs(30..50), locs(60..61));
        a.join(&shared);
        b.join(&shared);
        b.join(&a);
        assert_eq!(b.parts.len(), 1);
        assert_eq!(b, locs(0..50).union(&locs(60..61)).copied().collect());
        assert_eq!(a.union(&b).collect::<BTreeSet<_>>().len(), 51);
        assert_eq!(locs(0..3).into_shared(8, &[], |_| false).parts.len(), 0);
    }

    #[test]
    fn what_is_taken_out_is_taken_out_of_this_set_only() {
        let shared = locs(0..40).into_shared(7, &[], |_| false);
        let mut mine = shared.clone();
        mine.remove(&[ObjectId(99)]);
        assert_eq!(mine.parts.len(), 1);
        mine.remove(&[ObjectId(3)]);
        assert_eq!((mine.iter().count(), shared.iter().count()), (39, 40));
        let mut even = shared.clone();
        even.retain(|id| id.0 % 2 == 0);
        assert_eq!(even.iter().count(), 20);
    }

    #[test]
    fn what_stands_for_others_replaces_them() {
        let all = MemLoc::whole(ObjectId(0));
        let listed = |id: ObjectId| id.0 == 0 || id.0 > 100;
        let mut with = locs(0..3);
        with.join(&locs(60..110).into_shared(1, &[], |_| false));
        with.summarise(&all, listed);
        assert_eq!(with, [all].into_iter().chain(locs(101..110).iter().copied()).collect());
        let mut without = locs(1..3);
        without.summarise(&all, listed);
        assert_eq!(without, locs(1..3));
    }
}
