//! Which side has the newer elements at every place of a residency, given what copies do there.
//!
//! ```c
//!                                     // host newer     device newer
//! { /* mapped, nothing copied in */   // [0, n)         -
//!     update to(a[0:n])               // -              -
//!     kernel writes a[1:n-2]          // -              [1, n-1)
//!     a[0] = 0;                       // [0, 1)         [1, n-1)
//!     update from(a[1:n-2])           // [0, 1)         -
//! }
//! ```
//!
//! **Domain.** For each cell two [`Dirty`] sets, `host_newer` and `device_newer`, both over-approximated, ordered by
//! inclusion; join is union. They are widened to the whole extent at nodes that do not settle in a few sweeps.
//!
//! **Semantics.** What events do is the table in `docs/architecture.md`, "The problem". What copies do at gaps is said by whoever
//! asks ([`CopyPolicy`]): [`super::place`] finds them as it goes, [`super::check`] has them.
//!
//! **Needs** (R1, R2) are asked of the settled states: [`Coherence::needs_are_met`].
//!
//! Source: OmpSan §4 (states).

use super::dirty::Dirty;
use super::placement::{Conflict, ResidencySpan};
use super::problem::{EventKind, Problem};
use super::sweeps::Sweeps;
use crate::analysis::movement::set_operations::{SetViews, inexact, launch_needs, one};
use crate::program::graph::NodeId;
use crate::reasons::Copying;
use crate::symbolic::Section;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use std::borrow::Cow;

/// What is newer on one side than on the other, of one cell.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct CellState {
    pub(super) host_newer: Dirty,
    pub(super) device_newer: Dirty,
}

/// What is newer where, by cell.
pub(super) type CellStates = SmallVec<[CellState; 1]>;

/// The states in which control comes to nodes, for those that it comes to.
pub(super) type States = FxHashMap<NodeId, CellStates>;

/// Sweeps that may change the state of a node before sets there are replaced by the whole extent, and before giving up.
const WIDEN_AFTER: usize = 6;
const MOST_CHANGES: usize = 24;

/// What copies do.
pub(super) trait CopyPolicy {
    /// Changes the state in which control comes to a gap by the copies that stand there.
    fn copy(&self, gap: NodeId, state: &mut CellStates);
}

/// The coherence states of a residency.
#[derive(Clone, Copy)]
pub(super) struct Coherence<'a> {
    pub(super) problem: &'a Problem<'a>,
    pub(super) span: &'a ResidencySpan,
}

impl Coherence<'_> {
    /// The states before all nodes that control comes to; a conflict if they do not settle.
    pub(super) fn states(&self, order: &[NodeId], copies: &dyn CopyPolicy) -> Result<States, Conflict> {
        let problem = self.problem;
        let mut before = States::default();
        before.insert(self.span.entry, smallvec![self.start(); problem.cells]);
        // A loop that surely runs is left only after an iteration: its exit sees what its back edges bring, not what
        // entered it.
        let mut closing = States::default();
        // A node is looked at again where other states come to it.
        let places: FxHashMap<NodeId, usize> = order.iter().copied().zip(0..).collect();
        let mut sweeps = Sweeps::over_none(order.len());
        places
            .get(&self.span.entry)
            .iter()
            .for_each(|place| sweeps.wait(**place));
        // How many sweeps have changed the state of a node, and the last one that did. States reach what is behind a loop that surely
        // runs one sweep later than what is in it: that is no reason to give up.
        let mut changes: FxHashMap<NodeId, (usize, usize)> = FxHashMap::default();
        while let Some(place) = sweeps.next() {
            let (n, sweep) = (order[place], sweeps.number + 1);
            let Some(state) = before.get(&n).cloned() else { continue };
            if self.span.exits.contains(&n) {
                continue;
            }
            let running = problem.loops.headed_by(n).find(|l| l.runs);
            let mut after = state;
            self.step(n, &mut after, copies);
            for &s in problem.flow.succs(n) {
                if !self.span.nodes.contains(&s) || s == self.span.entry {
                    continue;
                }
                let leaves = running.is_some_and(|l| l.nodes.binary_search(&s).is_err());
                let mut last = CellStates::new();
                if leaves {
                    let Some(state) = closing.get(&n).cloned() else {
                        continue;
                    };
                    last = state;
                    self.step(n, &mut last, copies);
                }
                let arriving = self.across(n, s, if leaves { &last } else { &after });
                let (count, last) = changes.entry(s).or_default();
                let widen = *count >= WIDEN_AFTER;
                let mut changed = false;
                if problem.closes(n, s).is_some() {
                    changed |= self.arrive(&mut closing, s, &arriving, widen);
                }
                changed |= self.arrive(&mut before, s, &arriving, widen);
                if changed {
                    *count += usize::from(std::mem::replace(last, sweep) != sweep);
                    if *count > MOST_CHANGES {
                        return Err(self.unsettled());
                    }
                    places.get(&s).iter().for_each(|place| sweeps.wait(**place));
                }
            }
        }
        Ok(before)
    }

    fn unsettled(&self) -> Conflict {
        Conflict {
            node: self.span.entry,
            reason: Copying::Unsettled.into(),
        }
    }

    fn arrive(&self, states: &mut States, node: NodeId, arriving: &CellStates, widen: bool) -> bool {
        match states.get_mut(&node) {
            None => {
                states.insert(node, arriving.clone());
                true
            }
            Some(known) => self.join(known, arriving, widen),
        }
    }

    fn join(&self, known: &mut CellStates, new: &CellStates, widen: bool) -> bool {
        let facts = &self.problem.facts;
        let mut changed = false;
        for (k, n) in known.iter_mut().zip(new) {
            for (have, add) in [
                (&mut k.host_newer, &n.host_newer),
                (&mut k.device_newer, &n.device_newer),
            ] {
                if have.join(add, facts) {
                    changed = true;
                    if widen {
                        *have = Dirty::of(self.problem.extent.clone());
                    } else if have.may().is_all() {
                        *have = have.map(one(self.problem.extent.clone()), &|_| true);
                    }
                }
            }
        }
        changed
    }

    fn across<'s>(&self, from: NodeId, to: NodeId, state: &'s CellStates) -> Cow<'s, CellStates> {
        let Some(edge) = self.problem.header_edges.get(&(from, to)) else {
            return Cow::Borrowed(state);
        };
        let widen = |dirty: &Dirty| {
            let Some(index) = edge.closes else { return dirty.clone() };
            let terms = self.problem.terms;
            let varies = dirty
                .may()
                .list()
                .is_none_or(|l| l.iter().any(|s| terms.varies(s, index)));
            let may = if varies {
                self.problem.clip(terms.widen(dirty.may(), index))
            } else {
                dirty.may().clone()
            };
            dirty.map(may, &|c| !terms.varies(c, index))
        };
        let cells = edge.permutation.iter().map(|&p| CellState {
            host_newer: widen(&state[p].host_newer),
            device_newer: widen(&state[p].device_newer),
        });
        Cow::Owned(cells.collect())
    }

    /// Takes the state from before a node to behind it.
    fn step(&self, node: NodeId, state: &mut CellStates, copies: &dyn CopyPolicy) {
        if self.problem.flow.is_gap(node) {
            copies.copy(node, state);
        }
        for event in self.problem.events(node) {
            self.apply(&event.kind, &mut state[event.cell]);
        }
    }

    /// What an event leaves newer, and where (`docs/architecture.md`, "The problem").
    fn apply(&self, event: &EventKind, cell: &mut CellState) {
        let facts = &self.problem.facts;
        match event {
            EventKind::HostRead { .. } => {}
            EventKind::Free => *cell = CellState::default(),
            EventKind::HostWrite { may, must } => {
                cell.host_newer.add(&self.problem.clip(may.clone()), facts);
                for m in must {
                    cell.device_newer.remove(m, facts);
                }
            }
            EventKind::Launch { may, must, .. } => {
                cell.device_newer.add(&self.problem.clip(may.clone()), facts);
                for m in must {
                    cell.host_newer.remove(m, facts);
                }
            }
        }
    }

    /// Before the entry nothing is on the device, or callers have all of it there, newer than on the host if kernels write it.
    pub(super) fn start(&self) -> CellState {
        let newer = Dirty::of(self.problem.extent.clone());
        let (host_newer, device_newer) = match self.problem.kept_by_callers {
            true if self.problem.current_on_host => Default::default(),
            true => (Dirty::default(), newer),
            false => (newer, Dirty::default()),
        };
        CellState {
            host_newer,
            device_newer,
        }
    }

    /// A copied section is newer no more on the side that it came from; after the whole extent nothing is.
    pub(super) fn copied(&self, source: &mut Dirty, section: &Section) {
        if *section == self.problem.extent {
            *source = Dirty::default();
        } else {
            source.remove(section, &self.problem.facts);
        }
    }

    /// The needs of a node must be met by the state that reaches it.
    pub(super) fn needs_are_met(&self, node: NodeId, state: &CellStates) -> Result<(), Conflict> {
        let facts = &self.problem.facts;
        let mut state = state.clone();
        for event in self.problem.events(node) {
            let cell = &mut state[event.cell];
            let unmet = match &event.kind {
                EventKind::Free => None,
                EventKind::HostRead { may } => {
                    (!cell.device_newer.spares(may, facts)).then_some(Copying::HostReadsStale)
                }
                EventKind::HostWrite { may, must } => {
                    let unsure = inexact(may, must, facts);
                    (!cell.device_newer.spares(&unsure, facts)).then_some(Copying::HostWritesPart)
                }
                EventKind::Launch { reads, may, must } => {
                    let needs = launch_needs(reads, may, must, facts);
                    (!cell.host_newer.spares(&needs, facts)).then_some(Copying::KernelNeedsStale)
                }
            };
            if let Some(reason) = unmet {
                return Err(Conflict {
                    node,
                    reason: reason.into(),
                });
            }
            self.apply(&event.kind, cell);
        }
        Ok(())
    }
}
