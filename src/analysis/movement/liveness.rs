//! What may be needed later on some path: by the host, and by kernels of the residency. Over-approximations, by union.

use super::flow::Shortcuts;
use super::placement::ResidencySpan;
use super::problem::{EventKind, LoopFacts, Problem};
use super::sweeps::Sweeps;
use crate::analysis::movement::set_operations::{SetViews, inexact, launch_needs, one};
use crate::program::graph::{FlowGraph, NodeId};
use crate::symbolic::{Section, SectionSet};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Sweeps over the graph before the analysis gives up and answers "nothing is needed for sure".
pub(super) const MAX_SWEEPS: usize = 40;

/// Sweeps after which sets only grow.
const GROW_AFTER: usize = 8;

/// What may still be needed before some nodes of a graph; before all others nothing is.
#[derive(Clone, Debug)]
pub struct Liveness {
    /// The place of each node in `sets`.
    place: FxHashMap<NodeId, usize>,
    /// Sets by node and cell.
    sets: Vec<SectionSet>,
    /// By cell, what may be needed where control enters loops that surely run, by their headers: what is needed behind such a loop is only needed after an iteration.
    entering: FxHashMap<NodeId, Vec<SectionSet>>,
    cells: usize,
    shortcuts: Rc<Shortcuts>,
}

impl Liveness {
    fn of(problem: &Problem<'_>, order: &[NodeId], set: &SectionSet) -> Liveness {
        let cells = problem.cells;
        Liveness {
            place: order.iter().copied().zip(0..).collect(),
            sets: vec![set.clone(); order.len() * cells],
            entering: FxHashMap::default(),
            cells,
            shortcuts: Rc::clone(&problem.flow.shortcuts),
        }
    }

    /// The place of a node in `sets`. Before what is passed by the needs are those behind it.
    fn place(&self, node: NodeId) -> Option<usize> {
        let behind = || self.place.get(&self.shortcuts.behind(node)?);
        self.place.get(&node).or_else(behind).copied()
    }

    /// What may be needed of a cell before a node.
    pub fn at(&self, node: NodeId, cell: usize) -> &SectionSet {
        match self.place(node) {
            Some(place) => &self.sets[place * self.cells + cell],
            None => &SectionSet::Empty,
        }
    }

    /// What may be needed of a cell where control takes an edge.
    fn along(&self, problem: &Problem<'_>, from: NodeId, to: NodeId, cell: usize) -> &SectionSet {
        let enters = || running_at(problem, to).is_some_and(|l| l.nodes.binary_search(&from).is_err());
        let entering = self.entering.get(&to).filter(|_| enters());
        entering.map_or_else(|| self.at(to, cell), |sets| &sets[cell])
    }

    /// Notes what may be needed where control enters a loop; whether that is news.
    fn enter(&mut self, header: NodeId, cell: usize, set: SectionSet) -> bool {
        let cells = self.cells;
        let sets = self
            .entering
            .entry(header)
            .or_insert_with(|| vec![SectionSet::Empty; cells]);
        std::mem::replace(&mut sets[cell], set.clone()) != set
    }

    fn at_mut(&mut self, node: NodeId, cell: usize) -> Option<&mut SectionSet> {
        let place = self.place(node)?;
        self.sets.get_mut(place * self.cells + cell)
    }
}

/// What the host may still read before each node. Kernels of the residency read the device's copy and do not count,
/// except at its entry, where what they read must be right on the host; without a residency all kernels map for
/// themselves and read the host's. That is `again`, where it is known.
///
/// Outside of the residency `again` is the answer, too, and only the nodes of the residency are looked at. Where control enters
/// the residency again, all that may be read there may be read before its entry, the only way in: what leads to the entry from
/// outside finds there what it finds without a residency.
pub(super) fn any_path(problem: &Problem<'_>, residency: Option<&ResidencySpan>, again: Option<&Liveness>) -> Liveness {
    let facts = &problem.facts;
    let after = again.filter(|_| residency.is_some() && !problem.kept_by_callers);
    let mut order = match (residency, after) {
        (Some(span), Some(_)) => problem.flow.in_order(span.nodes.iter().copied()),
        _ => problem.flow.reverse_post_order(),
    };
    order.reverse();
    let has_two_copies = |n: NodeId| problem.kept_by_callers || residency.is_some_and(|span| span.nodes.contains(&n));
    let step = |n: NodeId, cell: usize, mut live: SectionSet| {
        if n == FlowGraph::EXIT {
            live = problem.live_out.clone();
        }
        for event in problem.events(n).iter().rev().filter(|e| e.cell == cell) {
            match &event.kind {
                EventKind::HostRead { may } => live = live.union(may, facts),
                EventKind::Free => live = SectionSet::Empty,
                EventKind::HostWrite { must, may } => {
                    for m in must {
                        live = live.without(m, facts);
                    }
                    // Of what is perhaps written the device may have the newer value, if there is one.
                    if has_two_copies(n) {
                        live = live.union(&inexact(may, must, facts), facts);
                    }
                }
                EventKind::Launch { reads, may, must } => {
                    for m in must {
                        live = live.without(m, facts);
                    }
                    if residency.is_none_or(|span| !span.nodes.contains(&n)) {
                        live = live.union(&launch_needs(reads, may, must, facts), facts);
                    }
                }
            }
        }
        live = problem.renamed.before(n, live, &problem.extent);
        match again.filter(|_| residency.is_some_and(|span| span.entry == n)) {
            Some(again) => live.union(again.at(n, cell), facts),
            None => live,
        }
    };
    let passes = |n: NodeId| {
        n != FlowGraph::EXIT && !problem.renamed.at.contains(&n) && residency.is_none_or(|span| span.entry != n)
    };
    let loops = match residency {
        Some(_) => LoopEnds::Together,
        None => LoopEnds::Apart,
    };
    some_path(&BackwardWalk {
        problem,
        order: &order,
        outside: after,
        follows: &|_| true,
        passes: &passes,
        loops,
        step: &step,
    })
}

/// What kernels of the residency may still need from the host before each node.
pub(super) fn any_kernel(problem: &Problem<'_>, span: &ResidencySpan) -> Liveness {
    let facts = &problem.facts;
    let within = span.nodes.iter().filter(|n| !span.exits.contains(n));
    let mut order = problem.flow.in_order(within.copied());
    order.reverse();
    let step = |n: NodeId, cell: usize, mut needed: SectionSet| {
        for event in problem.events(n).iter().rev().filter(|e| e.cell == cell) {
            if let EventKind::Launch { reads, may, must } = &event.kind {
                for m in must {
                    needed = needed.without(m, facts);
                }
                needed = needed.union(&launch_needs(reads, may, must, facts), facts);
            }
        }
        needed
    };
    some_path(&BackwardWalk {
        problem,
        order: &order,
        outside: None,
        follows: &|to| to != span.entry,
        passes: &|_| true,
        loops: LoopEnds::Together,
        step: &step,
    })
}

/// Whether what is needed behind a loop that surely runs is told apart from what is needed where control enters it.
#[derive(Clone, Copy)]
enum LoopEnds {
    Apart,
    Together,
}

/// A walk against the flow over some nodes.
struct BackwardWalk<'w> {
    problem: &'w Problem<'w>,
    order: &'w [NodeId],
    /// What is needed before nodes that are not in `order`; without it nothing is.
    outside: Option<&'w Liveness>,
    /// The successors that the walk comes from.
    follows: &'w dyn Fn(NodeId) -> bool,
    /// Nodes that hand on what is behind them where they have no events.
    passes: &'w dyn Fn(NodeId) -> bool,
    loops: LoopEnds,
    /// The set before a node, for a cell, of the set after it.
    step: &'w dyn Fn(NodeId, usize, SectionSet) -> SectionSet,
}

/// The least fixpoint of a walk, by union.
fn some_path(walk: &BackwardWalk<'_>) -> Liveness {
    let BackwardWalk {
        problem,
        order,
        outside,
        follows,
        passes,
        loops,
        step,
    } = *walk;
    // Copies of residencies are placed for loops of which what is behind them is needed in front of them, too.
    let apart = matches!(loops, LoopEnds::Apart);
    let flow = &problem.flow;
    let facts = &problem.facts;
    let whole = one(problem.extent.clone());
    let mut before = Liveness::of(problem, order, &SectionSet::Empty);
    let mut sweeps = Sweeps::over_all(order.len());
    // Most nodes only hand on what comes after them, and what becomes of a set then is the same from one to the next.
    let next = |n: &NodeId| straight_on(problem, *n, follows).filter(|_| passes(*n));
    let straight: Vec<Option<NodeId>> = order.iter().map(next).collect();
    let inner = |before: &Liveness, from: NodeId, n: NodeId, cell: usize| match outside {
        Some(outside) if before.place(n).is_none() => outside.along(problem, from, n, cell).clone(),
        _ => before.along(problem, from, n, cell).clone(),
    };
    // What is needed before a node, if control goes on to some of those that follow it.
    let needed = |before: &Liveness, n: NodeId, cell: usize, goes_on: &dyn Fn(NodeId) -> bool| {
        let mut set = SectionSet::Empty;
        for &s in flow.succs(n).iter().filter(|s| follows(**s) && goes_on(**s)) {
            let mut value = inner(before, n, s, problem.target_cell(n, s, cell));
            if let Some(index) = problem.closes(n, s) {
                value = widened(problem, &value, index);
            }
            set = set.union(&value, facts);
        }
        if let Some(index) = problem.loops.place_of(n) {
            set = widened(problem, &set, index);
        }
        problem.within(step(n, cell, set))
    };
    let mut handed_on: Option<(SectionSet, SectionSet)> = None;
    while let Some(place) = sweeps.next() {
        let (n, sweep) = (order[place], sweeps.number);
        if sweep > MAX_SWEEPS {
            return Liveness::of(problem, order, &whole);
        }
        for cell in 0..problem.cells {
            let mut set = match straight[place] {
                Some(s) => {
                    let after = inner(&before, n, s, cell);
                    match &handed_on {
                        Some((from, to)) if *from == after => to.clone(),
                        _ => {
                            let to = problem.within(SectionSet::Empty.union(&after, facts));
                            handed_on = Some((after, to.clone()));
                            to
                        }
                    }
                }
                None => needed(&before, n, cell, &|_| true),
            };
            let settled = |set: SectionSet| {
                let undefined = |list: &[Section]| list.iter().any(|s| problem.terms.defined_at(s, n));
                let endless = sweep == MAX_SWEEPS && !set.is_empty(facts);
                match endless || set.list().is_some_and(undefined) {
                    true => whole.clone(),
                    false => set,
                }
            };
            set = settled(set);
            let mut changed = false;
            if let Some(running) = running_at(problem, n).filter(|_| apart) {
                let inside = |s: NodeId| running.nodes.binary_search(&s).is_ok();
                let mut entering = settled(needed(&before, n, cell, &inside));
                if sweep >= GROW_AFTER {
                    entering = entering.union(before.entering.get(&n).map_or(&SectionSet::Empty, |e| &e[cell]), facts);
                }
                changed = before.enter(n, cell, entering);
            }
            let Some(known) = before.at_mut(n, cell) else { continue };
            // Sets whose form changes from sweep to sweep grow until they settle.
            if sweep >= GROW_AFTER {
                set = known.union(&set, facts);
            }
            changed |= set != *known;
            if changed {
                *known = set;
                let waiting = flow.preds(n).iter().filter_map(|p| before.place.get(p));
                waiting.for_each(|place| sweeps.wait(*place));
            }
        }
    }
    before
}

/// The loop that surely runs whenever control comes to a node from outside of it.
fn running_at<'p>(problem: &'p Problem<'_>, header: NodeId) -> Option<&'p LoopFacts> {
    let mut headed = problem.loops.headed_by(header);
    match (headed.next(), headed.next()) {
        (Some(only), None) if only.runs => Some(only),
        _ => None,
    }
}

/// The only node that follows, where nothing happens at this one and nothing is renamed or widened on the way.
fn straight_on(problem: &Problem<'_>, n: NodeId, follows: &dyn Fn(NodeId) -> bool) -> Option<NodeId> {
    let mut successors = problem.flow.succs(n).iter().copied().filter(|s| follows(*s));
    let (Some(s), None) = (successors.next(), successors.next()) else {
        return None;
    };
    let plain = problem.events(n).is_empty()
        && problem.closes(n, s).is_none()
        && problem.loops.place_of(n).is_none()
        && (0..problem.cells).all(|cell| problem.target_cell(n, s, cell) == cell);
    plain.then_some(s)
}

pub(super) fn widened(problem: &Problem<'_>, set: &SectionSet, loop_index: usize) -> SectionSet {
    match set.list() {
        Some(list) if list.iter().any(|s| problem.terms.varies(s, loop_index)) => {
            problem.clip(problem.terms.widen(set, loop_index))
        }
        _ => set.clone(),
    }
}
