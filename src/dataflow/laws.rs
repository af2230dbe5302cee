//! The lattice laws as checks over samples. Tests of every domain call [`check`], tests of analyses [`check_monotone`].

use super::lattice::JoinSemiLattice;
use std::fmt::Debug;

fn joined<T: JoinSemiLattice>(a: &T, b: &T) -> T {
    let mut result = a.clone();
    result.join(b);
    result
}

/// Whether `a <= b` in the lattice.
fn below<T: JoinSemiLattice>(a: &T, b: &T) -> bool {
    !b.clone().join(a)
}

/// Checks all pairs and triples of samples: join is idempotent, commutative and associative, reports change truthfully,
/// and leaves `bottom`, if given, neutral.
///
/// # Panics
/// If a law does not hold, with the law and the samples.
pub(crate) fn check<T: JoinSemiLattice + PartialEq + Debug>(samples: &[T], bottom: Option<&T>) {
    assert!(!samples.is_empty(), "laws need samples");
    for a in samples {
        assert_eq!(joined(a, a), *a, "join is idempotent");
        if let Some(bottom) = bottom {
            assert_eq!(joined(bottom, a), *a, "bottom is neutral");
            assert_eq!(joined(a, bottom), *a, "bottom is neutral");
        }
        for b in samples {
            let ab = joined(a, b);
            assert_eq!(ab, joined(b, a), "join is commutative on {a:?}, {b:?}");
            assert!(below(a, &ab) && below(b, &ab), "join is an upper bound of {a:?}, {b:?}");
            let changed = a.clone().join(b);
            assert_eq!(changed, ab != *a, "join of {b:?} into {a:?} reports change");
            for c in samples {
                let left = joined(&ab, c);
                assert_eq!(
                    left,
                    joined(a, &joined(b, c)),
                    "join is associative on {a:?}, {b:?}, {c:?}"
                );
            }
        }
    }
}

/// Checks that a transfer function preserves the order: from `a <= b` follows `f(a) <= f(b)`.
///
/// # Panics
/// If it does not, with the samples.
pub(crate) fn check_monotone<T: JoinSemiLattice + Debug>(samples: &[T], mut transfer: impl FnMut(&mut T)) {
    for a in samples {
        for b in samples {
            let (mut low, mut high) = (a.clone(), joined(a, b));
            transfer(&mut low);
            transfer(&mut high);
            assert!(
                below(&low, &high),
                "transfer is monotone on {a:?} and its join with {b:?}"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Not a lattice: the join depends on the order.
    #[derive(Clone, PartialEq, Debug)]
    struct Last(u8);

    impl JoinSemiLattice for Last {
        fn join(&mut self, other: &Self) -> bool {
            let before = std::mem::replace(self, other.clone());
            before != *self
        }
    }

    /// Joins properly but never reports change.
    #[derive(Clone, PartialEq, Debug)]
    struct Silent(u8);

    impl JoinSemiLattice for Silent {
        fn join(&mut self, other: &Self) -> bool {
            self.0 = self.0.max(other.0);
            false
        }
    }

    #[test]
    #[should_panic(expected = "commutative")]
    fn an_order_dependent_join_is_caught() {
        check(&[Last(0), Last(1)], None);
    }

    #[test]
    #[should_panic(expected = "reports change")]
    fn an_untruthful_join_is_caught() {
        check(&[Silent(0), Silent(1)], None);
    }

    #[test]
    #[should_panic(expected = "monotone")]
    fn a_negation_is_caught() {
        check_monotone(&[false, true], |value| *value = !*value);
    }
}
