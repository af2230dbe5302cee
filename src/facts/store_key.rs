//! What results are found by: a hash of all that they were made of.

use super::source::UnitSource;
use blake3::{Hash, Hasher};

/// What an entry was made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct StoreKey(Hash);

impl StoreKey {
    /// The key of the facts of a file.
    pub fn of_unit(source: &UnitSource<'_>) -> StoreKey {
        StoreKey::new("unit", [source.hash().as_bytes().as_slice()])
    }

    /// The key of a result of another kind, made of these parts.
    pub fn new<'a>(kind: &str, parts: impl IntoIterator<Item = &'a [u8]>) -> StoreKey {
        let mut hasher = Hasher::new();
        let mut add = |part: &[u8]| {
            hasher.update(&(part.len() as u64).to_le_bytes()).update(part);
        };
        add(kind.as_bytes());
        parts.into_iter().for_each(add);
        StoreKey(hasher.finalize())
    }

    /// The key as bytes.
    pub(super) fn digest(&self) -> &[u8] {
        self.0.as_bytes()
    }
}
