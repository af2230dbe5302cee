//! What a domain must be able to do.
//!
//! A join semilattice orders values by how much they allow: `a <= b` when joining `a` into `b` changes nothing. Where
//! control flow merges, the values merge by `join`, and the solver climbs until nothing changes. The laws (join is
//! idempotent, commutative and associative, and reports change truthfully) are checked by `laws` in tests.

/// A value with a least upper bound of any two.
pub trait JoinSemiLattice: Clone {
    /// Replaces `self` by the least upper bound of both; answers whether `self` changed.
    fn join(&mut self, other: &Self) -> bool;
}

/// A value with a greatest lower bound of any two.
pub trait MeetSemiLattice: Clone {
    /// Replaces `self` by the greatest lower bound of both; answers whether `self` changed.
    fn meet(&mut self, other: &Self) -> bool;
}

/// The same lattice upside down: its join is the meet of the inner value.
///
/// A must-analysis ("on every path") merges by intersection; wrapped in `Dual` it runs on the same solver. Its bottom,
/// the value of code not reached yet, is then the inner lattice's *top*: `true`, or the full set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Dual<T>(pub T);

impl<T: MeetSemiLattice> JoinSemiLattice for Dual<T> {
    fn join(&mut self, other: &Self) -> bool {
        self.0.meet(&other.0)
    }
}

impl<T: JoinSemiLattice> MeetSemiLattice for Dual<T> {
    fn meet(&mut self, other: &Self) -> bool {
        self.0.join(&other.0)
    }
}
