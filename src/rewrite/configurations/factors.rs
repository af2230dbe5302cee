//! What numbers are multiplied by in samples of programs that assert something of their sizes.
//!
//! ```c
//! #define N 256
//! _Static_assert(N % 64 == 0, "");        /* N is 512 or 768 in a sample: a multiple of 256 */
//! _Static_assert((N & (N - 1)) == 0, ""); /* … and here only 512, by a power of two         */
//! ```

/// Factors that differ between the names of a program: what is larger is multiplied by no less.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Factors {
    /// No two names have the same factor.
    Rising(FactorSeries),
    /// All factors are powers of two: what has to be a power of two stays one.
    Doubling(FactorSeries),
}

/// Which of two samples it is in which numbers are multiplied.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum FactorSeries {
    First,
    Second,
}

impl Factors {
    /// What a number is multiplied by; `at` is the place of its name among all.
    pub fn of(self, at: i128) -> i128 {
        /// Names from there on share their factor: sizes have to stay such that arrays of them can be declared.
        const MOST_DOUBLED: i128 = 12;
        match self {
            Factors::Rising(FactorSeries::First) => at + 2,
            Factors::Rising(FactorSeries::Second) => 2 * at + 3,
            Factors::Doubling(FactorSeries::First) => 1 << (1 + at.clamp(0, MOST_DOUBLED)),
            Factors::Doubling(FactorSeries::Second) => 1 << (2 + 2 * at.clamp(0, MOST_DOUBLED / 2)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_larger_is_multiplied_by_no_less() {
        for series in [FactorSeries::First, FactorSeries::Second] {
            for factors in [Factors::Rising(series), Factors::Doubling(series)] {
                let all: Vec<i128> = (0..40).map(|at| factors.of(at)).collect();
                assert!(all.is_sorted() && all[0] > 1, "{all:?}");
            }
            assert!((0..40).all(|at| Factors::Doubling(series).of(at).count_ones() == 1));
            assert!((0..40).all(|at| Factors::Rising(series).of(at) < Factors::Rising(series).of(at + 1)));
        }
    }
}
