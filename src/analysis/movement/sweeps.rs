//! The places of an order that a fixpoint still has to look at, in sweeps from its first to its last.
//!
//! ```text
//! order   a b c d         sweep 0: a, b (which says that c and a have to wait), c      sweep 1: a
//! ```
//!
//! What has to wait and lies further on is looked at in the same sweep, and all else in the next one. A sweep that has little to look at
//! costs little.
//!
//! Coherence and demand each say themselves what they look at, several nodes at a time: all edges that close a loop,
//! what its body needs on entering. An engine over plain edges does not offer that; what all of them share is which
//! place comes next.

use fixedbitset::FixedBitSet;

const BITS: usize = usize::BITS as usize;

/// Places that wait to be looked at.
pub(super) struct Sweeps {
    waiting: FixedBitSet,
    /// The place from which on the sweep goes on.
    at: usize,
    /// The number of the sweep, from 0 on.
    pub number: usize,
}

impl Sweeps {
    /// All of so many places wait.
    pub fn over_all(count: usize) -> Sweeps {
        let mut sweeps = Sweeps::over_none(count);
        sweeps.waiting.insert_range(..);
        sweeps
    }

    /// None of so many places waits.
    pub fn over_none(count: usize) -> Sweeps {
        Sweeps {
            waiting: FixedBitSet::with_capacity(count),
            at: 0,
            number: 0,
        }
    }

    /// Lets a place wait.
    pub fn wait(&mut self, place: usize) {
        self.waiting.insert(place);
    }

    /// The next place to look at; `None` if nothing waits.
    pub fn next(&mut self) -> Option<usize> {
        let next = self.from(self.at).or_else(|| {
            let again = (self.at > 0).then(|| self.from(0)).flatten();
            self.number += usize::from(again.is_some());
            again
        })?;
        self.waiting.remove(next);
        self.at = next + 1;
        Some(next)
    }

    /// The first place that waits, from one on.
    fn from(&self, place: usize) -> Option<usize> {
        let words = self.waiting.as_slice();
        let first = words.get(place / BITS)? & (usize::MAX << (place % BITS));
        let rest = words[place / BITS + 1..].iter().copied();
        let mut words = (place / BITS..).zip(std::iter::once(first).chain(rest));
        let (at, word) = words.find(|(_, word)| *word != 0)?;
        Some(at * BITS + word.trailing_zeros() as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::Sweeps;

    #[test]
    fn what_lies_behind_waits_for_the_next_sweep() {
        let mut sweeps = Sweeps::over_none(200);
        [3, 70, 199].into_iter().for_each(|place| sweeps.wait(place));
        let mut seen = Vec::new();
        while let Some(place) = sweeps.next() {
            seen.push((sweeps.number, place));
            if place == 70 && sweeps.number == 0 {
                [70, 2, 130].into_iter().for_each(|place| sweeps.wait(place));
            }
        }
        assert_eq!(seen, [(0, 3), (0, 70), (0, 130), (0, 199), (1, 2), (1, 70)]);
    }

    #[test]
    fn all_places_are_looked_at_once() {
        let mut sweeps = Sweeps::over_all(65);
        let seen: Vec<usize> = std::iter::from_fn(|| sweeps.next()).collect();
        assert_eq!(seen, (0..65).collect::<Vec<_>>());
        assert_eq!(sweeps.number, 0);
    }
}
