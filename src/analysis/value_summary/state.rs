//! Abstract memory: what cells hold at a place of the function.

use super::Worth;
use crate::analysis::effects::LocSet;
use crate::analysis::points_to::PointsTo;
use crate::program::objects::MemLoc;
use crate::symbolic::Sym;
use std::collections::{BTreeMap, BTreeSet};

/// A cell: `size` bytes from `bytes` behind a pointer on entry, or inside of a local variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CellKey {
    /// The pointer, or the address of the variable.
    pub root: Sym,
    /// Where it begins.
    pub bytes: u64,
    /// How many bytes it has.
    pub size: u64,
    /// The cell is read and written as a pointer.
    pub pointer: bool,
}

impl CellKey {
    /// Whether they share a byte for sure or by being at the same pointer.
    pub fn overlaps(&self, other: &CellKey) -> bool {
        let begins_inside = |a: &CellKey, b: &CellKey| a.bytes >= b.bytes && a.bytes - b.bytes < b.size;
        self.root == other.root && (begins_inside(self, other) || begins_inside(other, self))
    }
}

/// Memory at one place of the function. A cell that is not listed holds what it held on entry, unless it may have been
/// overwritten unseen.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MemoryState {
    /// What was stored to, with its value where that is known.
    pub cells: BTreeMap<CellKey, Option<Worth>>,
    /// What may have been written by pointers that are not followed.
    pub unseen: LocSet,
    /// Code has run of which nothing is known.
    pub anything: bool,
}

impl MemoryState {
    /// Whether a cell that is not listed may hold something else than on entry.
    pub fn is_overwritten(&self, key: &CellKey, places: &[MemLoc], points_to: &PointsTo) -> bool {
        self.anything
            || self.cells.keys().any(|k| k.overlaps(key))
            || places.iter().any(|p| self.unseen.meets(points_to, *p))
    }

    /// Records a store to a cell.
    pub fn store(&mut self, key: CellKey, value: Option<Worth>) {
        for (other, held) in &mut self.cells {
            if other.overlaps(&key) {
                *held = None;
            }
        }
        self.cells.insert(key, value);
    }

    /// Forgets all values that are made of this symbol, because it is about to stand for something else.
    pub fn forget(&mut self, sym: Sym) {
        for held in self.cells.values_mut() {
            if held.as_ref().is_some_and(|v| v.mentions(sym)) {
                *held = None;
            }
        }
    }

    /// What holds after either of the two. `entry`: what an unlisted cell holds by a state, where that is known.
    pub fn join(&mut self, other: &MemoryState, entry: &dyn Fn(&MemoryState, &CellKey) -> Option<Worth>) {
        let keys: BTreeSet<CellKey> = self.cells.keys().chain(other.cells.keys()).copied().collect();
        let value = |state: &MemoryState, key: &CellKey| match state.cells.get(key) {
            Some(known) => known.clone(),
            None => entry(state, key),
        };
        let joined = keys.into_iter().map(|key| {
            let (here, there) = (value(self, &key), value(other, &key));
            (key, if here == there { here } else { None })
        });
        self.cells = joined.collect();
        self.unseen.join(&other.unseen);
        self.anything |= other.anything;
    }
}
