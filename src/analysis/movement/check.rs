//! Whether given copies are right: the walk of `super::coherence` with copies that stand where they stand, whoever put them there.
//!
//! ```c
//! { /* all copied in, all copied out */
//!     a[0] = 0;
//!     kernel reads a[0:n]             // conflict: needs a[0], which is newer on the host
//!     update to(a[0:1])               // and were it not for that: overwrites what the kernel wrote
//! }
//! ```
//!
//! | asked | where | rule |
//! |---|---|---|
//! | what is used is not newer on the other side | every node | R1, R2 |
//! | what is overwritten is not newer than what is copied | every copy, and the ends | R3 |
//! | it has a name | every copy | R7 |
//! | nothing that the host may still read is left on the device | every end | R2 |
//!
//! How good the copies are is not asked here ([`super::budget`], and the cost model of the planner).

use super::coherence::{CellStates, Coherence, CopyPolicy};
use super::demand::Demand;
use super::placement::{Boundary, Conflict, Copy, Placement, ResidencySpan};
use super::problem::Problem;
use crate::analysis::movement::set_operations::one;
use crate::program::graph::NodeId;
use crate::reasons::Copying;
use rustc_hash::FxHashMap;

/// Says where copies fall short, if they do. Of the demand it asks what the host may read behind the residency.
pub fn check(
    problem: &Problem<'_>,
    demand: &Demand,
    span: &ResidencySpan,
    placement: &Placement,
) -> Result<(), Conflict> {
    check_values(problem, demand, span, placement)?;
    let nameless = |copy: &&Copy| !problem.terms.printable(&copy.section, copy.gap);
    let nameless = placement.copies.iter().find(nameless);
    nameless.map_or(Ok(()), |copy| Err(conflict(copy.gap, Copying::Nameless)))
}

/// Says where named copies fall short, whoever gave them: that every side reads the newest values (R1, R2, R3).
pub fn check_values(
    problem: &Problem<'_>,
    demand: &Demand,
    span: &ResidencySpan,
    placement: &Placement,
) -> Result<(), Conflict> {
    let given = GivenCopies::new(Coherence { problem, span }, placement);
    let before = given.coherence.states(&demand.order, &given)?;
    for (n, state) in demand.order.iter().filter_map(|n| Some((*n, before.get(n)?))) {
        let mut state = state.clone();
        if !span.exits.contains(&n) {
            given.coherence.needs_are_met(n, &state)?;
        }
        given.overwrites_nothing(n, &mut state)?;
        let ends = placement.exits.iter().find(|(gap, _)| *gap == n);
        if let Some((_, ends)) = ends {
            given.loses_nothing(n, ends, &mut state, demand)?;
        }
    }
    Ok(())
}

/// Copies that stand somewhere.
struct GivenCopies<'a> {
    coherence: Coherence<'a>,
    /// How the residency begins, by cell; empty where callers have begun it.
    entry: &'a [Boundary],
    at: FxHashMap<NodeId, Vec<&'a Copy>>,
}

impl CopyPolicy for GivenCopies<'_> {
    fn copy(&self, gap: NodeId, state: &mut CellStates) {
        self.begin(gap, state);
        for copy in self.at(gap) {
            self.apply(copy, state);
        }
    }
}

impl<'a> GivenCopies<'a> {
    fn new(coherence: Coherence<'a>, placement: &'a Placement) -> GivenCopies<'a> {
        let mut at: FxHashMap<NodeId, Vec<&Copy>> = FxHashMap::default();
        for copy in &placement.copies {
            at.entry(copy.gap).or_default().push(copy);
        }
        GivenCopies {
            coherence,
            entry: &placement.entry,
            at,
        }
    }

    fn at(&self, gap: NodeId) -> impl Iterator<Item = &'a Copy> {
        self.at.get(&gap).into_iter().flatten().copied()
    }

    /// What is copied in all at once.
    fn begin(&self, gap: NodeId, state: &mut CellStates) {
        if gap == self.coherence.span.entry {
            for (cell, boundary) in state.iter_mut().zip(self.entry) {
                if boundary.copies {
                    cell.host_newer = Default::default();
                }
            }
        }
    }

    fn apply(&self, copy: &Copy, state: &mut CellStates) {
        let cell = &mut state[copy.cell];
        let source = match copy.up {
            true => &mut cell.host_newer,
            false => &mut cell.device_newer,
        };
        self.coherence.copied(source, &copy.section);
    }

    /// The copies at a gap overwrite nothing newer.
    fn overwrites_nothing(&self, gap: NodeId, state: &mut CellStates) -> Result<(), Conflict> {
        let problem = self.coherence.problem;
        self.begin(gap, state);
        for copy in self.at(gap) {
            let cell = &state[copy.cell];
            let overwritten = match copy.up {
                true => &cell.device_newer,
                false => &cell.host_newer,
            };
            if !overwritten.spares(&one(copy.section.clone()), &problem.facts) {
                return Err(conflict(gap, Copying::Overwrites));
            }
            self.apply(copy, state);
        }
        Ok(())
    }

    /// Where the residency ends, what is left on the device is of no use to anybody.
    fn loses_nothing(
        &self,
        gap: NodeId,
        ends: &[Boundary],
        state: &mut CellStates,
        demand: &Demand,
    ) -> Result<(), Conflict> {
        let problem = self.coherence.problem;
        for (index, (cell, boundary)) in state.iter_mut().zip(ends).enumerate() {
            if boundary.copies {
                if !cell.host_newer.spares(&one(problem.extent.clone()), &problem.facts) {
                    return Err(conflict(gap, Copying::EndOverwrites));
                }
                cell.device_newer = Default::default();
            }
            if !cell
                .device_newer
                .spares_in_pieces(demand.host_maybe(gap, index), &problem.facts)
            {
                return Err(conflict(gap, Copying::EndLoses));
            }
        }
        Ok(())
    }
}

fn conflict(node: NodeId, reason: Copying) -> Conflict {
    Conflict {
        node,
        reason: reason.into(),
    }
}
