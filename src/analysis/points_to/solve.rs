//! The fixpoint: what is new in a node is told to the uses of it, until nothing is.
//!
//! **Time.** Files that are large and tangled are analysed more coarsely: see [`Precision`].

use super::graph::{Due, PointerUse};
use super::state::{Precision, Solver};
use crate::program::objects::MemLoc;

/// How many times a location may be added to a set before a coarser analysis is tried: seconds of work.
const MAX_ADDITIONS: usize = 8_000_000;
/// How many locations all nodes and instructions together may hold, each counted for itself: who asks what may be meant goes through them.
const MAX_HELD: usize = 32_000_000;
/// After how many additions that is looked at again.
const ADDITIONS_BETWEEN: usize = 200_000;

impl Solver<'_> {
    /// Propagates until nothing changes; `false` when that takes too long. The coarsest precision has no limit, because
    /// its sets do not grow with what is stored where.
    pub fn run(&mut self) -> bool {
        let mut looked_at = 0;
        loop {
            for func in std::mem::take(&mut self.reached) {
                self.enter(func);
            }
            let Some(news) = self.graph.next_news() else {
                return self.precision == Precision::Addresses || self.held() <= MAX_HELD;
            };
            let additions = self.graph.additions();
            if self.precision != Precision::Addresses && additions > looked_at + ADDITIONS_BETWEEN {
                looked_at = additions;
                if additions > MAX_ADDITIONS || self.held() > MAX_HELD {
                    return false;
                }
            }
            if self.graph.is_of(&news, self.sink) {
                for loc in &news.grown.locs {
                    self.escape(loc.object);
                }
            }
            self.tell(&news.grown);
            self.tell(&news.asked);
        }
    }

    fn tell(&mut self, due: &Due) {
        for &loc in &due.locs {
            for what in due.uses.iter() {
                self.apply(what, loc);
            }
        }
    }

    fn apply(&mut self, what: &PointerUse, loc: MemLoc) {
        if self.precision == Precision::Addresses {
            // All objects have escaped: what is stored in them is known outside, what is read comes from there.
            match what {
                PointerUse::Load { to, .. } => return self.edge(self.unknown, *to),
                PointerUse::Store { from, .. } => return self.edge(*from, self.sink),
                PointerUse::CopyFrom { .. } | PointerUse::CopyTo { .. } | PointerUse::Fill => return,
                PointerUse::Step { .. } | PointerUse::Invoke(_) => {}
            }
        }
        match what {
            PointerUse::Load { to, slots } => {
                for &(offset, is_pointer) in slots.iter() {
                    if let Some(cell) = self.read_cell(loc, offset, is_pointer) {
                        self.edge(cell, *to);
                    }
                }
            }
            PointerUse::Store { from, slots } => {
                for &(offset, _) in slots.iter() {
                    if let Some(cell) = self.write_cell(loc, offset) {
                        self.edge(*from, cell);
                    }
                }
            }
            PointerUse::Step { to, step } => {
                let moved = self.step(loc, *step);
                self.point(*to, moved);
            }
            PointerUse::CopyFrom { transit, bytes } => self.copy_between(loc, MemLoc::start(*transit), *bytes),
            PointerUse::CopyTo { transit, bytes } => self.copy_between(MemLoc::start(*transit), loc, *bytes),
            PointerUse::Fill => {
                let to = self.state(loc.object).any_in;
                self.edge(self.unknown, to);
            }
            PointerUse::Invoke(call) => self.invoke(*call, loc),
        }
    }
}
