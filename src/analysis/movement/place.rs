//! Where copies go: one forward walk over the coarse graph that carries the coherence state and places copies on gaps.
//!
//! **Domain.** For each cell two [`Dirty`] sets, `host_newer` and `device_newer`, both over-approximated, ordered by
//! inclusion; join is union. They are widened to the whole extent when they have not settled after a few sweeps.
//!
//! **Operational semantics** are the table of movement.md ("State"). On top, at a gap:
//!
//! * host→device: where [`Demand::device`] meets `host_newer`, the copy is placed at once. Because the demand is
//!   anticipated, no path copies what no kernel uses; because it is placed at the first such gap, loops do not repeat it
//!   and merges find both sides agreed (movement.md, placement 2).
//! * device→host: where the next thing the host does reads `device_newer`, and nowhere earlier, except that a copy stops
//!   sinking where the paths merge with one on which no kernel ran (the dual of anticipability), and that a host read
//!   in a loop without device writes is served before the loop.
//!
//! A copy is placed only where it provably overwrites nothing newer (R3) and can be written as C (R7). Then every event
//! is checked against the state (R1, R2): if a need is not met for sure, there is a [`Conflict`] and no plan. The same
//! walk with fixed copies is therefore the verifier of the plan it made.
//!
//! Source: OmpMemOpt §5 (PRE of copies), OmpSan §4 (states), Knoop/Rüthing/Steffen 1994 (both directions of motion).

use super::demand::{Demand, inexact, launch_needs};
use super::dirty::Dirty;
use super::problem::{EventKind, LoopFacts, Problem};
use crate::analysis::movement::sets::{Sets, one};
use crate::program::graph::{NodeId, NodeKind};
use crate::symbolic::{Atom, Expr, Section, SectionSet, Sym, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Where a residency begins and ends.
#[derive(Clone, Debug)]
pub struct Span {
    /// The gap at which the object becomes resident.
    pub entry: NodeId,
    /// The gaps at which it stops being so; control passes exactly one of them after each entry.
    pub exits: Vec<NodeId>,
    /// The nodes in between, gaps included, `entry` and `exits` included.
    pub nodes: FxHashSet<NodeId>,
}

/// A copy at a gap.
#[derive(Clone, PartialEq, Debug)]
pub struct Copy {
    /// Where.
    pub gap: NodeId,
    /// Which cell.
    pub cell: usize,
    /// Host to device.
    pub up: bool,
    /// What.
    pub section: Section,
    /// Its bounds are provably in order. Where they are not, a difference of sections may come out reversed: the empty
    /// set to the analysis, a copy of nearly all memory to the program, so it must stand under a condition.
    pub ordered: bool,
}

/// How a residency starts or ends for a cell.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Boundary {
    /// The whole extent is copied.
    pub copies: bool,
}

/// A placement for one family and one span.
#[derive(Clone, Debug, Default)]
pub struct Placement {
    /// Per cell: whether the entry copies in.
    pub entry: Vec<Boundary>,
    /// Per exit gap, per cell: whether it copies out.
    pub exits: Vec<(NodeId, Vec<Boundary>)>,
    /// Copies inside.
    pub copies: Vec<Copy>,
}

/// Why no placement is right.
#[derive(Clone, Debug, PartialEq)]
pub struct Conflict {
    /// At which node.
    pub node: NodeId,
    /// Which need could not be met, for people.
    pub message: String,
}

/// How careful a placement is: the fallbacks cost more and are right more often.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mode {
    /// When kernels' results come back.
    pub results: Return,
    /// When kernels get what they need.
    pub uploads: Upload,
    /// Copies may stand inside the residency. Where the data may be present already when the function is called, only
    /// its ends may copy: there presence counts, an `update` would copy nonetheless.
    pub updates: bool,
    /// The whole extent is copied in at the entry although not all of it is wanted: then a copy out at the end brings
    /// nothing back that was never there, also on a path without kernels.
    pub fill: bool,
}

/// How eagerly kernels' results come back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Return {
    /// As late as possible.
    Late,
    /// Right after each kernel: the fallback when a later copy could overwrite something newer.
    AfterEachKernel,
}

/// How early kernels get what they need from the host.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Upload {
    /// Right before the kernel, or before the loop around it: few copies in the text, and what several host writes left
    /// goes in one. Where paths with and without a copy meet it copies more often.
    Late,
    /// As soon as all paths lead to a kernel that needs it, so that merges find both sides agreed (movement.md,
    /// placement 2).
    Early,
    /// As soon as a kernel may need it: the fallback where merges do not agree otherwise, a bet that it will.
    Eager,
}

#[derive(Clone, PartialEq, Debug)]
struct CellState {
    host_newer: Dirty,
    device_newer: Dirty,
}

type State = Vec<CellState>;

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

struct Walk<'a> {
    problem: &'a Problem<'a>,
    demand: &'a Demand,
    span: &'a Span,
    mode: Mode,
    /// Nodes at which a path without device writes joins, by cell.
    merges: FxHashMap<NodeId, Vec<bool>>,
    /// By cell: the entry copies all of it.
    entry: Vec<bool>,
}

/// `dirty` on entry to every node of the span: a kernel wrote the cell on every path from the span's entry. Loops with
/// such a kernel count as run at least once when speculating. Copies down are not modelled here: a second one after a
/// merge then finds nothing left to copy.
fn merge_dirt(problem: &Problem<'_>, span: &Span) -> FxHashMap<NodeId, Vec<bool>> {
    let graph = problem.graph;
    let order: Vec<NodeId> = graph
        .reverse_post_order()
        .into_iter()
        .filter(|n| span.nodes.contains(n))
        .collect();
    let mut before: FxHashMap<NodeId, Vec<bool>> = order
        .iter()
        .map(|n| (*n, vec![*n != span.entry; problem.cells]))
        .collect();
    // A loop that surely runs is left after an iteration: on its way out only the back edges count.
    let leaving = |n: NodeId, to: NodeId| {
        let l = problem.loops.iter().find(|l| l.runs && l.header == n)?;
        l.nodes.binary_search(&to).is_err().then_some(l)
    };
    loop {
        let mut changed = false;
        for &n in &order {
            if n == span.entry {
                continue;
            }
            let optimistic = problem
                .loops
                .iter()
                .find(|l| problem.speculate && l.header == n)
                .filter(|l| l.nodes.iter().any(|m| problem.device_writes(*m)));
            for cell in 0..problem.cells {
                let mut all = true;
                for &p in &graph.node(n).preds {
                    if !span.nodes.contains(&p) {
                        continue;
                    }
                    if optimistic.is_some_and(|l| l.nodes.binary_search(&p).is_err()) {
                        continue;
                    }
                    let from = problem.source_cell(p, n, cell);
                    let after = match leaving(p, n) {
                        None => before[&p][from],
                        Some(l) => graph
                            .node(p)
                            .preds
                            .iter()
                            .filter(|b| l.nodes.binary_search(b).is_ok())
                            .all(|b| {
                                let cell = problem.source_cell(*b, p, from);
                                before.get(b).is_some_and(|dirty| dirty[cell]) || writes(problem, *b, cell)
                            }),
                    };
                    all &= after || writes(problem, p, from);
                }
                let slot = &mut before.get_mut(&n).expect("every node of the span is in the map")[cell];
                if *slot && !all {
                    *slot = false;
                    changed = true;
                }
            }
        }
        if !changed {
            return before;
        }
    }
}

/// Whether kernels of a node may write the cell.
fn writes(problem: &Problem<'_>, node: NodeId, cell: usize) -> bool {
    problem
        .events(node)
        .iter()
        .any(|e| e.cell == cell && matches!(&e.kind, EventKind::Launch { may, .. } if !may.is_empty(&problem.facts)))
}

impl Walk<'_> {
    fn solve(&self) -> Result<Placement, Conflict> {
        let problem = self.problem;
        let graph = problem.graph;
        let order: Vec<NodeId> = graph
            .reverse_post_order()
            .into_iter()
            .filter(|n| self.span.nodes.contains(n))
            .collect();
        let mut before: FxHashMap<NodeId, State> = FxHashMap::default();
        before.insert(self.span.entry, vec![self.start(); problem.cells]);
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
                let running = problem.loops.iter().find(|l| l.runs && l.header == n);
                let mut after = state;
                self.step(n, &mut after, &mut Vec::new());
                for &s in &graph.node(n).succs {
                    if !self.span.nodes.contains(&s) || s == self.span.entry {
                        continue;
                    }
                    let leaves = running.is_some_and(|l| l.nodes.binary_search(&s).is_err());
                    let arriving = if leaves {
                        let Some(mut state) = closing.get(&n).cloned() else {
                            continue;
                        };
                        self.step(n, &mut state, &mut Vec::new());
                        self.across(n, s, &state)
                    } else {
                        self.across(n, s, &after)
                    };
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

    fn across(&self, from: NodeId, to: NodeId, state: &State) -> State {
        let Some(edge) = self.problem.header_edges.get(&(from, to)) else {
            return state.clone();
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
        edge.permutation
            .iter()
            .map(|&p| CellState {
                host_newer: widen(&state[p].host_newer),
                device_newer: widen(&state[p].device_newer),
            })
            .collect()
    }

    /// Applies a node to the state; at gaps, places copies first.
    fn step(&self, node: NodeId, state: &mut State, copies: &mut Vec<Copy>) {
        if matches!(self.problem.graph.node(node).kind, NodeKind::Gap(_)) && node != self.span.entry {
            self.place_at(node, state, copies);
        }
        if node == self.span.entry {
            self.enter(state, copies);
        }
        let facts = &self.problem.facts;
        for event in self.problem.events(node) {
            let cell = &mut state[event.cell];
            match &event.kind {
                EventKind::HostRead { .. } | EventKind::Free => {}
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
    }

    /// Whether the entry copies the whole extent for a cell: when nearly all of it is wanted, or nothing less can be
    /// copied there.
    fn entry_copies(&self, cell: usize) -> bool {
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

    /// Before the entry nothing is on the device.
    fn start(&self) -> CellState {
        CellState {
            host_newer: Dirty::of(self.problem.extent.clone()),
            device_newer: Dirty::default(),
        }
    }

    fn enter(&self, state: &mut State, copies: &mut Vec<Copy>) {
        for (index, cell) in state.iter_mut().enumerate() {
            if self.entry[index] {
                cell.host_newer = Dirty::default();
            } else {
                self.up(self.span.entry, index, cell, copies);
            }
        }
    }

    /// Whether `set`, or its hull, is so much of the extent that copying all of it is the plainer thing to write.
    fn nearly_whole(&self, set: &SectionSet) -> bool {
        let facts = &self.problem.facts;
        let extent = &self.problem.extent;
        if set.provably_covers(&one(extent.clone()), facts) {
            return true;
        }
        let Some(hull) = set.hull(facts).filter(|_| self.problem.uniform && !set.is_empty(facts)) else {
            return false;
        };
        let total = expected_elements(extent);
        total >= 16.0 && expected_elements(&hull) >= (1.0 - NEARLY) * total
    }

    fn place_at(&self, gap: NodeId, state: &mut State, copies: &mut Vec<Copy>) {
        // In this order they are written: what comes back must not overwrite what only a copy in would make equal.
        for (index, cell) in state.iter_mut().enumerate() {
            self.down(gap, index, cell, copies);
            self.up(gap, index, cell, copies);
        }
    }

    /// What is to be current on the device after `gap`.
    fn wanted(&self, gap: NodeId, cell: usize) -> SectionSet {
        match self.mode.uploads {
            Upload::Late if gap != self.span.entry => self.needed_next(gap, cell),
            Upload::Late | Upload::Early => self.demand.device(gap, cell),
            Upload::Eager => {
                let sure = self.demand.device(gap, cell);
                sure.union(self.demand.device_maybe(gap, cell), &self.problem.facts)
            }
        }
    }

    fn up(&self, gap: NodeId, index: usize, cell: &mut CellState, copies: &mut Vec<Copy>) {
        let facts = &self.problem.facts;
        let wanted = self.wanted(gap, index);
        if wanted.is_empty(facts) || cell.host_newer.spares(&wanted, facts) {
            return;
        }
        let CellState {
            host_newer,
            device_newer,
        } = cell;
        self.copy(gap, index, true, host_newer, device_newer, &wanted, copies);
    }

    /// Copies what of `wanted` is newer at the source, as narrowly as can be proved right: never over something newer at
    /// the other side (R3), only where it can be written (R7). What could not be copied stays newer.
    #[allow(clippy::too_many_arguments)]
    fn copy(
        &self,
        gap: NodeId,
        cell: usize,
        up: bool,
        source: &mut Dirty,
        other: &Dirty,
        wanted: &SectionSet,
        copies: &mut Vec<Copy>,
    ) {
        let facts = &self.problem.facts;
        if !self.mode.updates {
            return;
        }
        let ordered = |s: &Section| *s == self.problem.extent || facts.prove_le(&s.lo, &s.hi);
        let known = source.may().clone();
        let fits = |s: &Section| {
            let s = one(s.clone());
            self.problem.uniform
                || if up {
                    wanted.provably_covers(&s, facts)
                } else {
                    known.provably_covers(&s, facts)
                }
        };
        let legal =
            |s: &Section| fits(s) && self.problem.terms.printable(s, gap) && other.spares(&one(s.clone()), facts);
        let pieces = source.may().list().map(<[Section]>::to_vec).unwrap_or_default();
        for piece in pieces {
            let this = one(piece.clone());
            if this.provably_disjoint(wanted, facts) || source.spares(&this, facts) {
                continue;
            }
            for sections in self.forms(&piece, wanted) {
                if sections.is_empty() || !sections.iter().all(legal) {
                    continue;
                }
                for section in sections {
                    if source.spares(&one(section.clone()), facts) {
                        continue;
                    }
                    self.take(source, &section);
                    // What a wider copy at the same place brings need not be brought twice.
                    copies.retain(|c| {
                        c.gap != gap || c.cell != cell || c.up != up || !section.provably_covers(&c.section, facts)
                    });
                    let ordered = ordered(&section);
                    copies.push(Copy {
                        gap,
                        cell,
                        up,
                        section,
                        ordered,
                    });
                }
                break;
            }
        }
        let whole = &self.problem.extent;
        if !source.spares(wanted, facts) && legal(whole) {
            self.take(source, whole);
            copies.retain(|c| c.gap != gap || c.cell != cell || c.up != up);
            copies.push(Copy {
                gap,
                cell,
                up,
                section: whole.clone(),
                ordered: true,
            });
        }
    }

    /// A copied section is newer no more; after the whole extent nothing is.
    fn take(&self, source: &mut Dirty, section: &Section) {
        if *section == self.problem.extent {
            *source = Dirty::default();
        } else {
            source.remove(section, &self.problem.facts);
        }
    }

    /// Ways to copy what is both in `piece` (newer on one side) and in `wanted`, cheapest first: the wanted sections that
    /// may overlap the piece, the piece, the whole extent. Each covers all that is both newer and wanted.
    fn forms(&self, piece: &Section, wanted: &SectionSet) -> Vec<Vec<Section>> {
        let facts = &self.problem.facts;
        let mut forms = vec![vec![piece.clone()]];
        if let Some(list) = wanted.list() {
            let touching: Vec<Section> = list
                .iter()
                .filter(|s| !s.provably_disjoint(piece, facts))
                .cloned()
                .collect();
            let common: Option<Vec<Section>> = touching.iter().map(|s| s.intersection(piece, facts)).collect();
            forms.extend(common);
            forms.push(touching);
        }
        // Nobody wants to read `a[(1 < n ? 1 : n):…]`: such bounds are rounded out to the whole.
        forms.retain(|f| f.iter().all(|s| !chooses(&s.lo) && !chooses(&s.hi)));
        forms.push(vec![self.problem.extent.clone()]);
        let size = |sections: &Vec<Section>| sections.iter().map(expected_elements).sum::<f64>();
        forms.sort_by(|a, b| size(a).total_cmp(&size(b)));
        forms
    }

    fn down(&self, gap: NodeId, index: usize, cell: &mut CellState, copies: &mut Vec<Copy>) {
        let facts = &self.problem.facts;
        if cell.device_newer.is_empty(facts) {
            return;
        }
        let live = self.demand.host_maybe(gap, index);
        let mut wanted = self.immediate(gap, index);
        if !wanted.is_empty(facts) {
            wanted = wanted.union(&self.demand.host_sure(gap, index), facts);
        }
        let after_kernel = self
            .problem
            .graph
            .node(gap)
            .preds
            .iter()
            .any(|p| self.problem.device_writes(*p));
        if (self.mode.results == Return::AfterEachKernel && after_kernel) || self.stops_sinking(gap, index) {
            wanted = wanted.union(live, facts);
        }
        if wanted.is_empty(facts) {
            return;
        }
        let CellState {
            host_newer,
            device_newer,
        } = cell;
        self.copy(gap, index, false, device_newer, host_newer, &wanted, copies);
    }

    /// What kernels need before another gap is passed, and what is anticipated before a following loop with kernels.
    fn needed_next(&self, gap: NodeId, cell: usize) -> SectionSet {
        let facts = &self.problem.facts;
        let graph = self.problem.graph;
        let mut needed = SectionSet::Empty;
        let mut seen = FxHashSet::default();
        let mut stack = graph.node(gap).succs.clone();
        while let Some(n) = stack.pop() {
            if !self.span.nodes.contains(&n) || !seen.insert(n) || matches!(graph.node(n).kind, NodeKind::Gap(_)) {
                continue;
            }
            for event in self.problem.events(n).iter().filter(|e| e.cell == cell) {
                if let EventKind::Launch { reads, may, must } = &event.kind {
                    needed = needed.union(&launch_needs(reads, may, must, self.problem), facts);
                }
            }
            stack.extend(&graph.node(n).succs);
        }
        let loops = self.problem.loops.iter().filter(|l| l.gap_before == Some(gap));
        for l in loops.filter(|l| l.nodes.iter().any(|n| self.problem.launches(*n))) {
            needed = needed.union(&self.demand.device(l.header, cell), facts);
        }
        needed
    }

    /// What the host reads before another gap is passed, and what a following loop without device writes reads.
    fn immediate(&self, gap: NodeId, cell: usize) -> SectionSet {
        let facts = &self.problem.facts;
        let graph = self.problem.graph;
        let mut needed = SectionSet::Empty;
        let mut seen = FxHashSet::default();
        let mut stack = graph.node(gap).succs.clone();
        while let Some(n) = stack.pop() {
            if !self.span.nodes.contains(&n) || !seen.insert(n) {
                continue;
            }
            if matches!(graph.node(n).kind, NodeKind::Gap(_)) {
                continue;
            }
            needed = needed.union(&self.reads_at(n, cell), facts);
            // A kernel on the way has gaps on both sides; host statements may follow one another without.
            stack.extend(&graph.node(n).succs);
        }
        for l in self.problem.loops.iter().filter(|l| l.gap_before == Some(gap)) {
            if l.nodes.iter().any(|n| self.problem.device_writes(*n)) {
                continue;
            }
            for &n in &l.nodes {
                let index = self
                    .problem
                    .loops
                    .iter()
                    .position(|m| m.header == l.header)
                    .unwrap_or(0);
                let reads = self.reads_at(n, cell);
                let varies = reads
                    .list()
                    .is_none_or(|list| list.iter().any(|s| self.problem.terms.varies(s, index)));
                let reads = if varies {
                    self.problem.clip(self.problem.terms.widen(&reads, index))
                } else {
                    reads
                };
                needed = needed.union(&reads, facts);
            }
        }
        needed
    }

    fn reads_at(&self, node: NodeId, cell: usize) -> SectionSet {
        let facts = &self.problem.facts;
        let mut reads = SectionSet::Empty;
        for event in self.problem.events(node).iter().filter(|e| e.cell == cell) {
            match &event.kind {
                EventKind::HostRead { may } => reads = reads.union(may, facts),
                EventKind::HostWrite { may, must } => {
                    reads = reads.union(&inexact(may, must, self.problem), facts);
                }
                EventKind::Launch { .. } | EventKind::Free => {}
            }
        }
        reads
    }

    /// Behind this gap a path joins on which no kernel wrote the cell, so the copy must not sink further.
    fn stops_sinking(&self, gap: NodeId, cell: usize) -> bool {
        let graph = self.problem.graph;
        if !self.merges.get(&gap).is_some_and(|m| m[cell]) {
            return false;
        }
        // Follow to the next gaps; nodes between them cannot hold a copy.
        let mut seen = FxHashSet::default();
        let mut stack: Vec<NodeId> = graph.node(gap).succs.clone();
        while let Some(n) = stack.pop() {
            if !self.span.nodes.contains(&n) || !seen.insert(n) {
                continue;
            }
            // From the end of an iteration that has run a kernel, the copy may sink out of the loop: a further iteration
            // runs one too.
            let round = self.problem.loops.iter().find(|l| l.header == n && l.runs);
            if let Some(l) = round.filter(|l| l.nodes.binary_search(&gap).is_ok() && self.rounds(l, cell)) {
                stack.extend(graph.node(n).succs.iter().filter(|s| l.nodes.binary_search(s).is_err()));
                continue;
            }
            if !self.merges.get(&n).is_some_and(|m| m[cell]) {
                return true;
            }
            if !matches!(graph.node(n).kind, NodeKind::Gap(_)) {
                stack.extend(&graph.node(n).succs);
            }
        }
        false
    }

    /// Every iteration of a loop runs a kernel that writes the cell.
    fn rounds(&self, l: &LoopFacts, cell: usize) -> bool {
        let back = |b: &&NodeId| l.nodes.binary_search(b).is_ok();
        self.problem.graph.node(l.header).preds.iter().filter(back).all(|b| {
            let cell = self.problem.source_cell(*b, l.header, cell);
            self.merges.get(b).is_some_and(|m| m[cell]) || writes(self.problem, *b, cell)
        })
    }

    fn read_off(&self, order: &[NodeId], before: &FxHashMap<NodeId, State>) -> Result<Placement, Conflict> {
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
    fn check(&self, node: NodeId, state: &State) -> Result<(), Conflict> {
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
                    let partly = inexact(may, must, self.problem);
                    if !cell.device_newer.spares(&partly, facts) {
                        return Err(Conflict {
                            node,
                            message: "the host may write part of what is newer on the device here".into(),
                        });
                    }
                    cell.host_newer.add(&self.problem.clip(may.clone()), facts);
                    for m in must {
                        cell.device_newer.remove(m, facts);
                    }
                }
                EventKind::Launch { reads, may, must } => {
                    let needs = launch_needs(reads, may, must, self.problem);
                    if !cell.host_newer.spares(&needs, facts) {
                        return Err(Conflict {
                            node,
                            message:
                                "the kernel needs here what may be newer on the host, and no copy can be shown to \
                                      be right"
                                    .into(),
                        });
                    }
                    cell.device_newer.add(&self.problem.clip(may.clone()), facts);
                    for m in must {
                        cell.host_newer.remove(m, facts);
                    }
                }
            }
        }
        Ok(())
    }

    /// The end of a residency: what is newer on the device and may still be read comes back now.
    fn leave(&self, gap: NodeId, state: &mut State, copies: &mut Vec<Copy>) -> Result<Vec<Boundary>, Conflict> {
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

/// Whether an expression contains a minimum or maximum.
fn chooses(e: &Expr) -> bool {
    let mut found = false;
    e.for_each_atom(&mut |a| found |= matches!(a, Atom::Min(_) | Atom::Max(_)));
    found
}

fn term_symbols(term: &Term) -> BTreeSet<Sym> {
    Expr::from_term(term.clone()).symbols()
}

/// The part of an extent that may be missing from a copy that is written as a copy of all of it.
const NEARLY: f64 = 0.1;
/// Elements that an unknown size counts as when alternatives are ranked.
const UNKNOWN_SIZE: i128 = 1024;

/// Expected number of elements of a section, to rank alternatives; correctness never depends on it.
pub fn expected_elements(section: &Section) -> f64 {
    let Some(length) = section.len() else {
        return UNKNOWN_SIZE as f64;
    };
    // A difference of two unknowns is taken to be large: `n - t` as `n`.
    let taken_off: BTreeSet<Sym> = length
        .terms()
        .iter()
        .filter(|t| t.coeff < 0)
        .flat_map(term_symbols)
        .collect();
    let added: BTreeSet<Sym> = length
        .terms()
        .iter()
        .filter(|t| t.coeff > 0)
        .flat_map(term_symbols)
        .collect();
    let at = |small: bool| {
        length.eval(&|atom: &Atom| match atom {
            Atom::Sym(s) if small && taken_off.contains(s) && !added.contains(s) => Some(0),
            Atom::Sym(_) | Atom::Opaque(_) => Some(UNKNOWN_SIZE),
            _ => None,
        })
    };
    let value = at(false).filter(|v| *v > 0).or_else(|| at(true));
    value.map_or(UNKNOWN_SIZE as f64, |v| v.max(1) as f64)
}
