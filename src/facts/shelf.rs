//! Results that a process keeps in its memory while it goes on: for a server, which is asked about one program again and again.
//!
//! ```text
//! round 7: check a.c b.c ─► facts of a.c, b.c        round 8: a.c was edited ─► facts of b.c are found, a.c is compiled
//! ```
//!
//! Each question begins a *round*. What no question of the last [`ROUNDS`] rounds has used goes: of a text that somebody types there is
//! a version for every pause.

use super::store_key::StoreKey;
use super::unit::UnitFacts;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// For how many rounds a result stays that nobody uses. A question of one program takes two of them.
pub(super) const ROUNDS: u64 = 16;

/// What is kept, each with the round of its last use.
#[derive(Debug, Default)]
pub(super) struct Shelf {
    round: u64,
    facts: FxHashMap<StoreKey, ShelvedItem<UnitFacts>>,
    bytes: FxHashMap<StoreKey, ShelvedItem<Vec<u8>>>,
}

#[derive(Debug)]
struct ShelvedItem<T> {
    round: u64,
    item: Arc<T>,
}

impl Shelf {
    /// Begins another round.
    pub fn begin_round(&mut self) {
        self.round += 1;
        let round = self.round;
        self.facts.retain(|_, kept| kept.round + ROUNDS >= round);
        self.bytes.retain(|_, kept| kept.round + ROUNDS >= round);
    }

    /// Facts that were kept.
    pub fn facts(&mut self, key: &StoreKey) -> Option<Arc<UnitFacts>> {
        taken(&mut self.facts, key, self.round)
    }

    /// Bytes that were kept.
    pub fn bytes(&mut self, key: &StoreKey) -> Option<Arc<Vec<u8>>> {
        taken(&mut self.bytes, key, self.round)
    }

    /// Keeps facts.
    pub fn put_facts(&mut self, key: StoreKey, facts: UnitFacts) {
        put(&mut self.facts, key, self.round, facts);
    }

    /// Keeps bytes.
    pub fn put_bytes(&mut self, key: StoreKey, bytes: Vec<u8>) {
        put(&mut self.bytes, key, self.round, bytes);
    }
}

fn taken<T>(all: &mut FxHashMap<StoreKey, ShelvedItem<T>>, key: &StoreKey, round: u64) -> Option<Arc<T>> {
    let kept = all.get_mut(key)?;
    kept.round = round;
    Some(Arc::clone(&kept.item))
}

fn put<T>(all: &mut FxHashMap<StoreKey, ShelvedItem<T>>, key: StoreKey, round: u64, item: T) {
    let item = Arc::new(item);
    all.insert(key, ShelvedItem { round, item });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_used_stays_and_all_else_goes() {
        let mut shelf = Shelf::default();
        let key = |name: &str| StoreKey::new("test", [name.as_bytes()]);
        shelf.put_bytes(key("used"), b"1".to_vec());
        shelf.put_bytes(key("left"), b"2".to_vec());
        for _ in 0..=ROUNDS {
            shelf.begin_round();
            assert!(shelf.bytes(&key("used")).is_some());
        }
        assert!(shelf.bytes(&key("left")).is_none());
        assert!(shelf.facts(&key("used")).is_none());
    }
}
