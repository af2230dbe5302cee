//! How a residency begins and ends: what is copied in all at once, and what comes back.

use super::coherence::CellStates;
use super::copies::CopyPlace;
use super::dirty::Dirty;
use super::placement::{Boundary, Conflict, Copy};
use super::walk::Walk;
use crate::analysis::movement::set_operations::one;
use crate::program::graph::NodeId;
use crate::reasons::Copying;

impl Walk<'_> {
    /// Whether the entry copies the whole extent for a cell: when nearly all of it is wanted, or nothing less can be
    /// copied there.
    pub(super) fn entry_copies(&self, cell: usize) -> bool {
        if self.problem.kept_by_callers {
            return false;
        }
        let wanted = self.wanted(self.span.entry, cell);
        let facts = &self.problem.facts;
        if self.mode.fill || self.nearly_whole(&wanted) {
            return true;
        }
        let mut state = self.coherence().start();
        let mut copies = Vec::new();
        self.up(self.span.entry, cell, &mut state, &mut copies);
        let whole = copies.iter().any(|c| c.section == self.problem.extent);
        whole || (!self.mode.updates && self.problem.uniform && !wanted.is_empty(facts))
    }

    /// What is copied as it begins.
    pub(super) fn enter(&self, state: &mut CellStates, copies: &mut Vec<Copy>) {
        for (index, cell) in state.iter_mut().enumerate() {
            if self.entry[index] {
                cell.host_newer = Dirty::default();
            } else {
                self.up(self.span.entry, index, cell, copies);
                self.up_for_next(self.span.entry, index, cell, copies);
            }
        }
    }

    /// The end of a residency: what is newer on the device and may still be read comes back now.
    pub(super) fn leave(
        &self,
        gap: NodeId,
        state: &mut CellStates,
        copies: &mut Vec<Copy>,
    ) -> Result<Vec<Boundary>, Conflict> {
        let facts = &self.problem.facts;
        let mut boundaries = Vec::new();
        for (index, cell) in state.iter_mut().enumerate() {
            let live = self.demand.host_maybe(gap, index).clone();
            if cell.device_newer.spares(&live, facts) {
                boundaries.push(Boundary::default());
                continue;
            }
            let on_all_paths = self.demand.merges.get(&gap).is_some_and(|m| m[index]);
            let bold = self.mode.updates && self.problem.speculate;
            if !on_all_paths && !bold {
                return Err(Conflict {
                    node: gap,
                    reason: Copying::BackOnSomePaths.into(),
                });
            }
            let whole = cell.host_newer.spares(&one(self.problem.extent.clone()), facts)
                && (self.problem.uniform
                    || cell
                        .device_newer
                        .may()
                        .provably_covers(&one(self.problem.extent.clone()), facts));
            // What has come back inside already would come back a second time.
            let again = copies.iter().any(|c| c.cell == index && !c.up)
                && !cell
                    .device_newer
                    .may()
                    .provably_covers(&one(self.problem.extent.clone()), facts);
            let wanted = live.is_all() || self.nearly_whole(&live);
            if whole && !again && wanted && self.nearly_whole(cell.device_newer.may()) {
                boundaries.push(Boundary { copies: true });
                continue;
            }
            let before = copies.len();
            let at = CopyPlace {
                gap,
                cell: index,
                up: false,
            };
            self.copy(at, cell, &live, copies);
            let device_newer = &cell.device_newer;
            let all = copies[before..].iter().any(|c| c.section == self.problem.extent);
            if all || (whole && !device_newer.spares(&live, facts)) {
                copies.truncate(before);
                boundaries.push(Boundary { copies: true });
                continue;
            }
            if !device_newer.spares_in_pieces(&live, facts) {
                return Err(Conflict {
                    node: gap,
                    reason: Copying::ResultsLost.into(),
                });
            }
            boundaries.push(Boundary::default());
        }
        Ok(boundaries)
    }
}
