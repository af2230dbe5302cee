//! Candidate residencies: runs of sibling statements, with the gaps at which control enters and leaves them.

use crate::analysis::function::FunctionModel;
use crate::analysis::movement::placement::ResidencySpan;
use crate::analysis::movement::problem::Problem;
use crate::program::graph::{FlowGraph, NodeId, NodeKind, Place};
use crate::program::in_loops::in_text;
use crate::reasons::Ends;
use crate::source::Span as SourceSpan;
use crate::syntax::{StmtId, StmtKind};
use rustc_hash::FxHashSet;
use serde::Serialize;

/// Sibling statements `first..=last` of one block (or one unbraced body).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Run {
    /// First statement.
    pub first: StmtId,
    /// Last statement.
    pub last: StmtId,
}

impl Run {
    /// A run of one statement.
    pub fn single(stmt: StmtId) -> Run {
        Run {
            first: stmt,
            last: stmt,
        }
    }
    /// The statements of the run.
    pub fn stmts<'r>(&'r self, model: &'r FunctionModel<'_>) -> &'r [StmtId] {
        let first = std::slice::from_ref(&self.first);
        match model.tree.stmt(self.first).parent {
            Some(p) if model.tree.stmt(p).kind == StmtKind::Block => {
                let children = &model.tree.stmt(p).children;
                // Children stand in text order.
                let start = |s: StmtId| model.tree.stmt(s).span.start;
                let at = |s: StmtId| {
                    let from = children.partition_point(|c| start(*c) < start(s));
                    let same = children[from..].iter().take_while(|c| start(**c) == start(s));
                    same.zip(from..).find(|(c, _)| **c == s).map(|(_, at)| at)
                };
                match (at(self.first), at(self.last)) {
                    (Some(a), Some(b)) if a <= b => &children[a..=b],
                    _ => first,
                }
            }
            _ => first,
        }
    }
    /// Whether a statement lies in the run.
    pub fn encloses(self, model: &FunctionModel<'_>, stmt: StmtId) -> bool {
        let tree = model.tree;
        let bytes = |s: StmtId| tree.stmt(s).span;
        let (first, last, at) = (bytes(self.first), bytes(self.last), bytes(stmt).start);
        if at < first.start || first.end.max(last.end) < at {
            return false;
        }
        let parent = tree.stmt(self.first).parent;
        // The statements of a run are siblings: only one of those around the statement can be among them.
        let mut siblings = tree.ancestors(stmt).filter(|s| tree.stmt(*s).parent == parent);
        siblings.next().is_some_and(|s| self.has_sibling(model, s))
    }
    /// Whether a sibling of the run's statements is one of them.
    fn has_sibling(self, model: &FunctionModel<'_>, stmt: StmtId) -> bool {
        let start = |s: StmtId| model.tree.stmt(s).span.start;
        let (first, at, last) = (start(self.first), start(stmt), start(self.last));
        let in_block = model
            .tree
            .stmt(self.first)
            .parent
            .is_some_and(|p| model.tree.stmt(p).kind == StmtKind::Block);
        match in_block && first < at && at < last {
            true => model.tree.stmt(self.last).parent == model.tree.stmt(self.first).parent,
            false if at < first || last.max(first) < at => false,
            false => self.stmts(model).contains(&stmt),
        }
    }
    /// One name for one gap: the edges of the run are named by its own statements.
    pub fn canonical(self, model: &FunctionModel<'_>, place: Place) -> Place {
        let end = Place::After(self.last);
        match model.coarse.is_one_gap(place, end) {
            true => end,
            false => place,
        }
    }
    /// Whether all of `other` lies in the run.
    pub fn covers(self, model: &FunctionModel<'_>, other: Run) -> bool {
        other.stmts(model).iter().all(|s| self.encloses(model, *s))
    }
}

/// The flow span of a run.
#[derive(Clone, Debug)]
pub struct RunSpan {
    /// Entry, exits and nodes in the coarse graph.
    pub span: ResidencySpan,
    /// The last exit is the normal one; others stand before jumps out of the run. Or there is a `longjmp` within it.
    pub jumps_out: bool,
}

/// The span of a run, or why control does not enter and leave it as a residency needs (R6).
pub fn span_of(model: &FunctionModel<'_>, run: Run) -> Result<RunSpan, (StmtId, Ends)> {
    let graph: &FlowGraph = model.coarse;
    let stmts = run.stmts(model);
    let gap = |place| graph.gap(place).ok_or((run.first, Ends::NoPlace));
    let entry = gap(Place::Before(run.first))?;
    let end = gap(Place::After(run.last))?;
    // Statements of a run are siblings: only one of those around a statement can be among them.
    let members: FxHashSet<StmtId> = stmts.iter().copied().collect();
    let parent = model.tree.stmt(run.first).parent;
    let within = |s: StmtId| {
        let mut around = model.tree.ancestors(s).filter(|s| model.tree.stmt(*s).parent == parent);
        around.next().is_some_and(|s| members.contains(&s))
    };
    // The gap before a statement of the run but the first is between two of them.
    // A branch that is left out belongs to a run that has the statements on either side of it.
    let between = |n: NodeId| match graph.node(n).kind {
        NodeKind::LeftOut(place) if Some(place.block) == parent => {
            let (siblings, at) = (&model.tree.stmt(place.block).children, place.index as usize);
            let beside = [at.checked_sub(1), Some(at)].map(|at| siblings.get(at?));
            beside.iter().all(|s| s.is_some_and(|s| members.contains(s)))
        }
        _ => false,
    };
    let inside = |n: NodeId| n != entry && n != end && (graph.stmt_of(n).is_some_and(within) || between(n));
    let mut exits = Vec::new();
    let mut jumps_out = false;
    let mut nodes: FxHashSet<NodeId> = FxHashSet::default();
    nodes.insert(entry);
    nodes.insert(end);
    let (first, last) = (model.tree.stmt(run.first).span, model.tree.stmt(run.last).span);
    let text = SourceSpan::new(first.start, last.end.max(first.end));
    if model.tree.cuts_conditional(text) {
        return Err((run.first, Ends::InConditional));
    }
    let stretch = in_text(model.tree, graph).within(first.start..last.end.max(last.start + 1));
    for n in stretch
        .into_iter()
        .chain(graph.left_out_nodes().filter(|n| between(*n)))
    {
        if !graph.is_reachable(n) || !inside(n) {
            continue;
        }
        nodes.insert(n);
        for &s in &graph.node(n).succs {
            if graph.is_far(n, s) {
                if !inside(s) {
                    let stmt = graph.stmt_of(n).unwrap_or(run.first);
                    return Err((stmt, Ends::LeavesByLongjmp));
                }
                // A block is not to be jumped about in.
                jumps_out = true;
            }
            if inside(s) || s == end {
                continue;
            }
            let stmt = graph.stmt_of(n).unwrap_or(run.first);
            if s == FlowGraph::EXIT && !matches!(model.tree.stmt(stmt).kind, StmtKind::Return { .. }) {
                // The program ends inside: nothing comes back, as nothing would have.
                continue;
            }
            let NodeKind::Leaf(jump) = graph.node(n).kind else {
                return Err((stmt, Ends::LeavesInStatement));
            };
            let before = graph.gap(Place::Before(jump)).filter(|g| graph.node(n).preds == [*g]);
            let Some(before) = before else {
                return Err((jump, Ends::JumpWithoutPlace));
            };
            jumps_out = true;
            exits.push(before);
            nodes.remove(&n);
        }
    }
    check_ways_in(model, run, &nodes, entry, end)?;
    check_ways_out(graph, run, &exits)?;
    if graph.is_reachable(end) {
        exits.push(end);
    }
    Ok(RunSpan {
        span: ResidencySpan { entry, exits, nodes },
        jumps_out,
    })
}

/// Control enters a residency at its beginning alone.
fn check_ways_in(
    model: &FunctionModel<'_>,
    run: Run,
    nodes: &FxHashSet<NodeId>,
    entry: NodeId,
    end: NodeId,
) -> Result<(), (StmtId, Ends)> {
    let graph = model.coarse;
    for n in nodes.iter().copied().filter(|n| *n != entry && *n != end) {
        for &p in &graph.node(n).preds {
            if graph.is_reachable(p) && !nodes.contains(&p) && p != entry {
                let stmt = graph.stmt_of(n).unwrap_or(run.first);
                let why = match graph.node(p).kind {
                    NodeKind::LeftOut(_) => Ends::LeftOutBefore,
                    _ => Ends::JumpsIn,
                };
                return Err((stmt, why));
            }
        }
    }
    Ok(())
}

/// A gap that is both inside and an exit leads nowhere else.
fn check_ways_out(graph: &FlowGraph, run: Run, exits: &[NodeId]) -> Result<(), (StmtId, Ends)> {
    match exits.iter().all(|e| graph.node(*e).succs.len() == 1) {
        true => Ok(()),
        false => Err((run.first, Ends::JumpShares)),
    }
}

/// The statements of the function, and all of its nodes.
pub(super) fn whole_body(model: &FunctionModel<'_>) -> Option<(Run, ResidencySpan)> {
    let body = model.tree.functions[model.tree_function].body;
    let children = &model.tree.stmt(body).children;
    let run = Run {
        first: *children.first()?,
        last: *children.last()?,
    };
    let span = ResidencySpan {
        entry: model
            .coarse
            .gap(Place::Start(body))
            .or(model.coarse.gap(Place::Before(run.first)))?,
        exits: Vec::new(),
        nodes: model.coarse.ids().collect(),
    };
    Some((run, span))
}

/// The nodes that no kernel comes before: nothing is on the device there, and updates copy nothing.
pub(super) fn before_kernels(problem: &Problem<'_>) -> FxHashSet<NodeId> {
    let graph = problem.flow.graph;
    let mut work: Vec<NodeId> = graph.ids().filter(|n| problem.launches(*n)).collect();
    let mut after: FxHashSet<NodeId> = work.iter().copied().collect();
    while let Some(node) = work.pop() {
        let next = graph.node(node).succs.iter().filter(|s| after.insert(**s));
        work.extend(next);
    }
    graph.ids().filter(|n| !after.contains(n)).collect()
}
