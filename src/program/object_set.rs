//! Sets of objects, which many functions have alike.
//!
//! ```c
//! void f(void) { … report("f"); }      /* `report` may free whatever a handler frees: 3,000 objects */
//! void g(void) { … report("g"); }      /* so may `f` and `g`, and their callers: one set for all    */
//! ```
//!
//! A bit for each object, counted by reference. A set that takes in one that has all of its own becomes that one.

use super::objects::ObjectId;
use fixedbitset::FixedBitSet;
use std::sync::Arc;

/// A set of objects, iterated in order of their numbers.
#[derive(Clone, Default)]
pub struct ObjectSet(Option<Arc<FixedBitSet>>);

impl ObjectSet {
    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// Whether an object is in it.
    pub fn contains(&self, id: ObjectId) -> bool {
        self.0.as_ref().is_some_and(|bits| bits.contains(id.0 as usize))
    }

    /// All objects in it.
    pub fn iter(&self) -> impl Iterator<Item = ObjectId> {
        let bits = self.0.as_deref();
        bits.into_iter()
            .flat_map(FixedBitSet::ones)
            .map(|at| ObjectId(at as u32))
    }

    /// Adds objects.
    pub fn extend(&mut self, ids: impl IntoIterator<Item = ObjectId>) {
        for id in ids {
            if !self.contains(id) {
                Arc::make_mut(self.0.get_or_insert_default()).grow_and_insert(id.0 as usize);
            }
        }
    }

    /// Adds those of another set.
    pub fn join(&mut self, other: &ObjectSet) {
        let Some(new) = &other.0 else { return };
        match &mut self.0 {
            Some(own) if Arc::ptr_eq(own, new) || new.is_subset(own) => {}
            Some(own) if !own.is_subset(new) => Arc::make_mut(own).union_with(new),
            own => *own = Some(Arc::clone(new)),
        }
    }

    /// Takes out those that are not kept.
    pub fn retain(&mut self, keep: impl Fn(ObjectId) -> bool) {
        let leaving: Vec<ObjectId> = self.iter().filter(|id| !keep(*id)).collect();
        if let Some(own) = self.0.as_mut().filter(|_| !leaving.is_empty()) {
            let own = Arc::make_mut(own);
            leaving.iter().for_each(|id| own.remove(id.0 as usize));
        }
    }

    /// Takes everything out.
    pub fn clear(&mut self) {
        self.0 = None;
    }
}

impl PartialEq for ObjectSet {
    fn eq(&self, other: &ObjectSet) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for ObjectSet {}

impl std::fmt::Debug for ObjectSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl<const N: usize> From<[ObjectId; N]> for ObjectSet {
    fn from(ids: [ObjectId; N]) -> ObjectSet {
        let mut found = ObjectSet::default();
        found.extend(ids);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(ids: &[u32]) -> ObjectSet {
        let mut found = ObjectSet::default();
        found.extend(ids.iter().copied().map(ObjectId));
        found
    }

    fn ids(set: &ObjectSet) -> Vec<u32> {
        set.iter().map(|id| id.0).collect()
    }

    #[test]
    fn joins_of_sets_are_their_unions() {
        let all: [&[u32]; 5] = [&[], &[3], &[3, 200], &[0, 64], &[0, 3, 64, 200, 1000]];
        for a in all {
            for b in all {
                let (mut joined, before) = (set(a), set(b));
                joined.join(&before);
                let mut expected = [a, b].concat();
                expected.sort_unstable();
                expected.dedup();
                assert_eq!(ids(&joined), expected);
                assert_eq!(ids(&before), b);
                assert_eq!(joined.is_empty(), expected.is_empty());
                assert!(expected.iter().all(|id| joined.contains(ObjectId(*id))));
            }
        }
    }

    #[test]
    fn what_shares_a_set_keeps_it() {
        let all = set(&[1, 2, 70]);
        let mut few = all.clone();
        few.retain(|id| id.0 != 2);
        assert_eq!((ids(&few), ids(&all)), (vec![1, 70], vec![1, 2, 70]));
        assert_eq!(few, set(&[70, 1]));
        few.clear();
        assert!(few.is_empty() && few == ObjectSet::default());
    }
}
