//! Reading the placement off the settled states, and checking it: every need of every node (R1, R2), and that nothing is
//! lost at the ends.

use super::demand::{inexact, launch_needs};
use super::place::{CellState, State, Walk};
use super::placement::{Boundary, Conflict, Copy, Placement};
use super::problem::EventKind;
use crate::analysis::movement::sets::one;
use crate::program::graph::NodeId;
use rustc_hash::FxHashMap;

impl Walk<'_> {
    pub(super) fn read_off(&self, order: &[NodeId], before: &FxHashMap<NodeId, State>) -> Result<Placement, Conflict> {
        let problem = self.problem;
        let mut placement = Placement {
            entry: (0..problem.cells).map(|c| Boundary { copies: self.entry[c] }).collect(),
            ..Placement::default()
        };
        for &n in order {
            let Some(mut state) = before.get(&n).cloned() else {
                continue;
            };
            if self.span.exits.contains(&n) {
                let boundaries = self.leave(n, &mut state, &mut placement.copies)?;
                placement.exits.push((n, boundaries));
                continue;
            }
            self.check(n, &state)?;
            self.step(n, &mut state, &mut placement.copies);
        }
        Ok(placement)
    }

    /// The needs of a node must be met by the state that reaches it.
    pub(super) fn check(&self, node: NodeId, state: &State) -> Result<(), Conflict> {
        let facts = &self.problem.facts;
        let mut state = state.clone();
        for event in self.problem.events(node) {
            let cell = &mut state[event.cell];
            match &event.kind {
                EventKind::Free => {}
                EventKind::HostRead { may } => {
                    if !cell.device_newer.spares(may, facts) {
                        return Err(Conflict {
                            node,
                            message:
                                "the host reads here what may be newer on the device, and no copy can be shown to \
                                      be right"
                                    .into(),
                        });
                    }
                }
                EventKind::HostWrite { may, must } => {
                    let partly = inexact(may, must, facts);
                    if !cell.device_newer.spares(&partly, facts) {
                        return Err(Conflict {
                            node,
                            message: "the host may write part of what is newer on the device here".into(),
                        });
                    }
                }
                EventKind::Launch { reads, may, must } => {
                    let needs = launch_needs(reads, may, must, facts);
                    if !cell.host_newer.spares(&needs, facts) {
                        return Err(Conflict {
                            node,
                            message:
                                "the kernel needs here what may be newer on the host, and no copy can be shown to \
                                      be right"
                                    .into(),
                        });
                    }
                }
            }
            self.apply(&event.kind, cell);
        }
        Ok(())
    }

    /// The end of a residency: what is newer on the device and may still be read comes back now.
    pub(super) fn leave(
        &self,
        gap: NodeId,
        state: &mut State,
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
            let on_all_paths = self.merges.get(&gap).is_some_and(|m| m[index]);
            let bold = self.mode.updates && self.problem.speculate;
            if !on_all_paths && !bold {
                return Err(Conflict {
                    node: gap,
                    message: "a copy out at the end would also run where no kernel has written it".into(),
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
            let CellState {
                host_newer,
                device_newer,
            } = cell;
            let before = copies.len();
            self.copy(gap, index, false, device_newer, host_newer, &live, copies);
            let all = copies[before..].iter().any(|c| c.section == self.problem.extent);
            if all || (whole && !device_newer.spares(&live, facts)) {
                copies.truncate(before);
                boundaries.push(Boundary { copies: true });
                continue;
            }
            if !device_newer.spares(&live, facts) {
                return Err(Conflict {
                    node: gap,
                    message: "at the end of the residency results would be lost, and no copy back can be shown to be \
                              right"
                        .into(),
                });
            }
            boundaries.push(Boundary::default());
        }
        Ok(boundaries)
    }
}
