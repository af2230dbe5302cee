//! Where copies go: one forward walk over the coarse graph that carries the coherence state (`super::coherence`) and places
//! copies on gaps.
//!
//! * host→device: where what is wanted on the device meets `host_newer`. What is wanted is, by mode
//!   ([`super::placement::Upload`]): what the next kernel or loop of kernels needs; what is anticipated ([`Demand::device`]:
//!   no path copies what no kernel uses, and merges find both sides agreed, `docs/architecture.md`, "How copies are placed"); or what may be needed.
//! * device→host: where the next thing the host does reads `device_newer`, and nowhere earlier, except that a copy stops
//!   sinking where the paths merge with one on which no kernel ran (the dual of anticipability), and that a host read
//!   in a loop without device writes is served before the loop.
//!
//! A copy is placed only where it provably overwrites nothing newer (R3) and can be written as C (R7). Then every event
//! is checked against the state (R1, R2): if a need is not met for sure, there is a [`Conflict`] and no plan. What is placed is
//! checked once more as a whole, by [`super::check`], which does not know how it was found.
//!
//! Source: OmpMemOpt §5 (PRE of copies), Knoop/Rüthing/Steffen 1994 (both directions of motion).

use super::check::check;
use super::coherence::{CellStates, CopyPolicy};
use super::demand::Demand;
use super::placement::{Boundary, Conflict, Copy, Placement, PlacementMode, ResidencySpan};
use super::problem::Problem;
use super::repeated::without_repeated;
use super::walk::Walk;
use crate::program::graph::NodeId;

/// Finds where copies go for `span`, or why that cannot be right.
pub fn place(
    problem: &Problem<'_>,
    demand: &Demand,
    span: &ResidencySpan,
    mode: PlacementMode,
) -> Result<Placement, Conflict> {
    let mut walk = Walk::new(problem, demand, span, mode);
    walk.entry = (0..problem.cells).map(|c| walk.entry_copies(c)).collect();
    let placement = walk.placement()?;
    check(problem, demand, span, &placement)?;
    Ok(without_repeated(problem, demand, span, placement))
}

impl CopyPolicy for Walk<'_> {
    fn copy(&self, gap: NodeId, state: &mut CellStates) {
        self.place_at(gap, state, &mut Vec::new());
    }
}

impl Walk<'_> {
    /// The copies that settled states ask for.
    fn placement(&self) -> Result<Placement, Conflict> {
        let coherence = self.coherence();
        let order = &self.demand.order;
        let before = coherence.states(order, self)?;
        let mut placement = Placement {
            entry: self.entry.iter().map(|copies| Boundary { copies: *copies }).collect(),
            ..Placement::default()
        };
        for &n in order {
            let Some(state) = before.get(&n) else { continue };
            let mut state = state.clone();
            if self.span.exits.contains(&n) {
                let boundaries = self.leave(n, &mut state, &mut placement.copies)?;
                placement.exits.push((n, boundaries));
                continue;
            }
            coherence.needs_are_met(n, &state)?;
            if self.problem.flow.is_gap(n) {
                self.place_at(n, &mut state, &mut placement.copies);
            }
        }
        Ok(placement)
    }

    /// Places copies at a gap.
    fn place_at(&self, gap: NodeId, state: &mut CellStates, copies: &mut Vec<Copy>) {
        // Where callers have it there already, nothing begins at the entry: it is a gap like others.
        if gap == self.span.entry && !self.problem.kept_by_callers {
            self.enter(state, copies);
            return;
        }
        // In this order they are written: what comes back must not overwrite what only a copy in would make equal.
        for (index, cell) in state.iter_mut().enumerate() {
            self.down(gap, index, cell, copies);
            self.up(gap, index, cell, copies);
        }
    }
}
