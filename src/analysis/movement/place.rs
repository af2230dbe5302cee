//! Where copies go: one forward walk over the coarse graph that carries the coherence state and places copies on gaps.
//!
//! **Domain.** For each cell two [`Dirty`] sets, `host_newer` and `device_newer`, both over-approximated, ordered by
//! inclusion; join is union. They are widened to the whole extent when they have not settled after a few sweeps.
//!
//! **Operational semantics** are the table of events in `docs/architecture.md`, "The problem". On top, at a gap:
//!
//! * host→device: where what is wanted on the device meets `host_newer`. What is wanted is, by mode
//!   ([`super::placement::Upload`]): what the next kernel or loop of kernels needs; what is anticipated ([`Demand::device`]:
//!   no path copies what no kernel uses, and merges find both sides agreed, `docs/architecture.md`, "How copies are placed"); or what may be needed.
//! * device→host: where the next thing the host does reads `device_newer`, and nowhere earlier, except that a copy stops
//!   sinking where the paths merge with one on which no kernel ran (the dual of anticipability), and that a host read
//!   in a loop without device writes is served before the loop.
//!
//! A copy is placed only where it provably overwrites nothing newer (R3) and can be written as C (R7). Then every event
//! is checked against the state (R1, R2): if a need is not met for sure, there is a [`Conflict`] and no plan. The same
//! walk with fixed copies is therefore the verifier of the plan it made.
//!
//! Source: OmpMemOpt §5 (PRE of copies), OmpSan §4 (states), Knoop/Rüthing/Steffen 1994 (both directions of motion).

use super::demand::Demand;
use super::dirty::Dirty;
use super::merges::merge_dirt;
use super::placement::{Conflict, Copy, Mode, Placement, Span};
use super::problem::{EventKind, Problem};
use crate::analysis::movement::sets::{Sets, one};
use crate::program::graph::{NodeId, NodeKind};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use std::borrow::Cow;

#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct CellState {
    pub(super) host_newer: Dirty,
    pub(super) device_newer: Dirty,
}

pub(super) type State = SmallVec<[CellState; 1]>;

/// Sweeps before sets are replaced by the whole extent, and before giving up.
const WIDEN_AFTER: usize = 6;
const MAX_SWEEPS: usize = 24;

/// Finds where copies go for `span`, or why that cannot be right.
pub fn place(problem: &Problem<'_>, demand: &Demand, span: &Span, mode: Mode) -> Result<Placement, Conflict> {
    let mut walk = Walk {
        problem,
        demand,
        span,
        mode,
        merges: merge_dirt(problem, span),
        entry: Vec::new(),
    };
    walk.entry = (0..problem.cells).map(|c| walk.entry_copies(c)).collect();
    walk.solve()
}

pub(super) struct Walk<'a> {
    pub(super) problem: &'a Problem<'a>,
    pub(super) demand: &'a Demand,
    pub(super) span: &'a Span,
    pub(super) mode: Mode,
    /// Nodes at which a path without device writes joins, by cell.
    pub(super) merges: FxHashMap<NodeId, Vec<bool>>,
    /// By cell: the entry copies all of it.
    pub(super) entry: Vec<bool>,
}

impl Walk<'_> {
    fn solve(&self) -> Result<Placement, Conflict> {
        let problem = self.problem;
        let graph = problem.graph;
        let order: Vec<NodeId> = graph.in_order(self.span.nodes.iter().copied());
        let mut before: FxHashMap<NodeId, State> = FxHashMap::default();
        before.insert(self.span.entry, smallvec![self.start(); problem.cells]);
        // A loop that surely runs is left only after an iteration: its exit sees what its back edges bring, not what
        // entered it.
        let mut closing: FxHashMap<NodeId, State> = FxHashMap::default();
        for sweep in 0..=MAX_SWEEPS {
            let mut changed = false;
            for &n in &order {
                let Some(state) = before.get(&n).cloned() else { continue };
                if self.span.exits.contains(&n) {
                    continue;
                }
                let running = problem.loops.headed_by(n).find(|l| l.runs);
                let mut after = state;
                self.step(n, &mut after, &mut Vec::new());
                for &s in &graph.node(n).succs {
                    if !self.span.nodes.contains(&s) || s == self.span.entry {
                        continue;
                    }
                    let leaves = running.is_some_and(|l| l.nodes.binary_search(&s).is_err());
                    let mut last = State::new();
                    if leaves {
                        let Some(state) = closing.get(&n).cloned() else {
                            continue;
                        };
                        last = state;
                        self.step(n, &mut last, &mut Vec::new());
                    }
                    let arriving = self.across(n, s, if leaves { &last } else { &after });
                    let widen = sweep >= WIDEN_AFTER;
                    if problem.closes(n, s).is_some() {
                        changed |= self.arrive(&mut closing, s, &arriving, widen);
                    }
                    changed |= self.arrive(&mut before, s, &arriving, widen);
                }
            }
            if !changed {
                return self.read_off(&order, &before);
            }
        }
        Err(Conflict {
            node: self.span.entry,
            message: "the analysis did not settle on this loop nest".into(),
        })
    }

    fn arrive(&self, states: &mut FxHashMap<NodeId, State>, node: NodeId, arriving: &State, widen: bool) -> bool {
        match states.get_mut(&node) {
            None => {
                states.insert(node, arriving.clone());
                true
            }
            Some(known) => self.join(known, arriving, widen),
        }
    }

    fn join(&self, known: &mut State, new: &State, widen: bool) -> bool {
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

    fn across<'s>(&self, from: NodeId, to: NodeId, state: &'s State) -> Cow<'s, State> {
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

    /// Applies a node to the state; at gaps, places copies first.
    pub(super) fn step(&self, node: NodeId, state: &mut State, copies: &mut Vec<Copy>) {
        // Where callers have it there already, nothing begins at the entry: it is a gap like others.
        let begins = node == self.span.entry && !self.problem.kept_by_callers;
        if begins {
            self.enter(state, copies);
        } else if matches!(self.problem.graph.node(node).kind, NodeKind::Gap(_)) {
            self.place_at(node, state, copies);
        }
        for event in self.problem.events(node) {
            self.apply(&event.kind, &mut state[event.cell]);
        }
    }

    /// What an event leaves newer, and where (`docs/architecture.md`, "The problem").
    pub(super) fn apply(&self, event: &EventKind, cell: &mut CellState) {
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

    /// Whether the entry copies the whole extent for a cell: when nearly all of it is wanted, or nothing less can be
    /// copied there.
    fn entry_copies(&self, cell: usize) -> bool {
        if self.problem.kept_by_callers {
            return false;
        }
        let wanted = self.wanted(self.span.entry, cell);
        let facts = &self.problem.facts;
        if self.mode.fill || self.nearly_whole(&wanted) {
            return true;
        }
        let mut state = self.start();
        let mut copies = Vec::new();
        self.up(self.span.entry, cell, &mut state, &mut copies);
        let whole = copies.iter().any(|c| c.section == self.problem.extent);
        whole || (!self.mode.updates && self.problem.uniform && !wanted.is_empty(facts))
    }

    /// Before the entry nothing is on the device, or callers have all of it there, newer than on the host if kernels write it.
    fn start(&self) -> CellState {
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

    fn enter(&self, state: &mut State, copies: &mut Vec<Copy>) {
        for (index, cell) in state.iter_mut().enumerate() {
            if self.entry[index] {
                cell.host_newer = Dirty::default();
            } else {
                self.up(self.span.entry, index, cell, copies);
                self.up_for_next(self.span.entry, index, cell, copies);
            }
        }
    }

    fn place_at(&self, gap: NodeId, state: &mut State, copies: &mut Vec<Copy>) {
        // In this order they are written: what comes back must not overwrite what only a copy in would make equal.
        for (index, cell) in state.iter_mut().enumerate() {
            self.down(gap, index, cell, copies);
            self.up(gap, index, cell, copies);
        }
    }
}
