//! The domains everything is built of.
//!
//! | type | join | bottom |
//! |---|---|---|
//! | `bool` | or: "on some path" | `false` |
//! | `Dual<bool>` | and: "on every path" | `Dual(true)` |
//! | `FixedBitSet` | union | no bit |
//! | `Dual<FixedBitSet>` | intersection | every bit |
//! | `(A, B)`, `(A, B, C)` | each for itself | each one's bottom |
//! | `Option<T>` | `None` is below everything: "not reached" | `None` |
//! | `Vec<T>` | each position for itself; a missing one is below everything | the empty vector |
//!
//! Bit sets of different lengths behave as if the shorter had zeros behind it, and a join or meet has the greater
//! length. Give all sets of one analysis the same length.

use super::lattice::{JoinSemiLattice, MeetSemiLattice};
use fixedbitset::FixedBitSet;

impl JoinSemiLattice for bool {
    fn join(&mut self, other: &bool) -> bool {
        let before = std::mem::replace(self, *self | *other);
        before != *self
    }
}

impl MeetSemiLattice for bool {
    fn meet(&mut self, other: &bool) -> bool {
        let before = std::mem::replace(self, *self & *other);
        before != *self
    }
}

impl JoinSemiLattice for FixedBitSet {
    fn join(&mut self, other: &FixedBitSet) -> bool {
        if self.len() == other.len() && other.is_subset(self) {
            return false;
        }
        let before = (self.len(), self.count_ones(..));
        self.union_with(other);
        before != (self.len(), self.count_ones(..))
    }
}

impl MeetSemiLattice for FixedBitSet {
    fn meet(&mut self, other: &FixedBitSet) -> bool {
        let before = (self.len(), self.count_ones(..));
        self.grow(other.len());
        self.intersect_with(other);
        before != (self.len(), self.count_ones(..))
    }
}

/// Implements both lattices for a tuple. Every component merges, whether or not an earlier one changed.
macro_rules! product {
    ($($name:ident $at:tt),+) => {
        impl<$($name: JoinSemiLattice),+> JoinSemiLattice for ($($name,)+) {
            fn join(&mut self, other: &Self) -> bool {
                [$(self.$at.join(&other.$at)),+].contains(&true)
            }
        }
        impl<$($name: MeetSemiLattice),+> MeetSemiLattice for ($($name,)+) {
            fn meet(&mut self, other: &Self) -> bool {
                [$(self.$at.meet(&other.$at)),+].contains(&true)
            }
        }
    };
}

product!(A 0, B 1);
product!(A 0, B 1, C 2);

impl<T: JoinSemiLattice> JoinSemiLattice for Option<T> {
    fn join(&mut self, other: &Option<T>) -> bool {
        match (self.as_mut(), other) {
            (_, None) => false,
            (Some(ours), Some(theirs)) => ours.join(theirs),
            (None, Some(theirs)) => {
                *self = Some(theirs.clone());
                true
            }
        }
    }
}

impl<T: JoinSemiLattice> JoinSemiLattice for Vec<T> {
    fn join(&mut self, other: &Vec<T>) -> bool {
        let common = self.len().min(other.len());
        let mut changed = false;
        for (ours, theirs) in self.iter_mut().zip(other) {
            changed |= ours.join(theirs);
        }
        self.extend_from_slice(&other[common..]);
        changed || common < other.len()
    }
}

#[cfg(test)]
mod tests {
    use super::super::lattice::Dual;
    use super::super::laws;
    use super::*;
    use proptest::prelude::*;

    fn bits(pattern: u8, len: usize) -> FixedBitSet {
        let mut set = FixedBitSet::with_capacity(len);
        set.extend((0..len).filter(|i| pattern & (1 << i) != 0));
        set
    }

    #[test]
    fn booleans() {
        laws::check(&[false, true], Some(&false));
        laws::check(&[Dual(false), Dual(true)], Some(&Dual(true)));
        let mut some_path = false;
        assert!(some_path.join(&true) && some_path);
        let mut every_path = Dual(true);
        assert!(every_path.join(&Dual(false)) && !every_path.0);
        let mut back = Dual(Dual(false));
        assert!(back.join(&Dual(Dual(true))) && back.0.0);
    }

    #[test]
    fn bit_sets() {
        let sets: Vec<_> = (0..8).map(|pattern| bits(pattern, 3)).collect();
        laws::check(&sets, Some(&bits(0, 3)));
        let duals: Vec<_> = sets.into_iter().map(Dual).collect();
        laws::check(&duals, Some(&Dual(bits(7, 3))));
        let mut union = bits(0b011, 3);
        assert!(union.join(&bits(0b110, 3)));
        assert_eq!(union, bits(0b111, 3));
        let mut intersection = Dual(bits(0b011, 3));
        assert!(intersection.join(&Dual(bits(0b110, 3))));
        assert_eq!(intersection.0, bits(0b010, 3));
    }

    #[test]
    fn bit_sets_of_different_lengths() {
        let sets: Vec<_> = (0..3)
            .flat_map(|len| (0..1 << len).map(move |pattern| bits(pattern, len)))
            .collect();
        laws::check(&sets, None);
        laws::check(&sets.into_iter().map(Dual).collect::<Vec<_>>(), None);
    }

    #[test]
    fn compositions() {
        let booleans = [false, true];
        let pairs: Vec<_> = booleans.iter().flat_map(|a| booleans.map(|b| (*a, Dual(b)))).collect();
        laws::check(&pairs, Some(&(false, Dual(true))));
        let triples: Vec<_> = pairs.iter().flat_map(|(a, b)| booleans.map(|c| (*a, *b, c))).collect();
        laws::check(&triples, Some(&(false, Dual(true), false)));
        let lifted: Vec<_> = pairs.iter().map(|pair| Some(*pair)).chain([None]).collect();
        laws::check(&lifted, Some(&None));
        let mut both = (false, false);
        assert!(both.join(&(true, true)));
        assert_eq!(both, (true, true));
        let mut both = (true, true);
        assert!(both.meet(&(true, false)));
        assert_eq!(both, (true, false));
    }

    proptest! {
        #[test]
        fn vectors(samples in proptest::collection::vec(proptest::collection::vec(any::<bool>(), 0..4), 1..6)) {
            laws::check(&samples, Some(&Vec::new()));
        }
    }
}
