//! Stretches of a residency that have nothing to do with its problem ([`super::flow`]).
//!
//! A function with a thousand kernels uses each array in few of them, and what stands between two uses of one is as long as the
//! function. What comes into such statements comes out of them again as it was.
//!
//! A statement is *quiet* where
//!
//! * nothing happens to the family in it, and no symbol of what happens elsewhere gets its value there,
//! * control enters it by the gap before it alone, and leaves it for the gap behind it alone, to which nothing else leads,
//! * the residency does not end in it, and no name comes to mean something else.
//!
//! Of neighbours that are quiet the gap before the first and the one behind the last stay: a copy that may stand between
//! them may stand at one of these, where names mean what they do between them. A loop among them that may go on for ever
//! is no way past them. In builds with assertions, placements in short residencies are checked once more with all of
//! these statements (`plan/evaluate`).

use super::flow::{Flow, PassedBy, Shortcuts};
use super::loop_symbols::symbols;
use super::placement::ResidencySpan;
use super::problem::{Event, NodeEvents, Problem};
use crate::analysis::function::FunctionModel;
use crate::program::graph::{NodeId, Place};
use crate::program::in_loops::{in_text, nodes_of_text};
use crate::symbolic::{Expr, Section, Sym};
use crate::syntax::{ScopeTree, StmtId, StmtKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

/// Which neighbours of a function control enters and leaves as it does quiet ones, one after the other: stretches of the members of
/// each statement, as far as they go, found where they are asked for.
#[derive(Default)]
pub struct ClosedStatements(RefCell<FxHashMap<StmtId, Stretches>>);

/// Places among the members of a statement, in order.
type Stretches = Rc<[Range<usize>]>;

/// A residency in its function, or all of that.
#[derive(Clone, Copy)]
pub struct Stretch<'a> {
    /// The function.
    pub model: &'a FunctionModel<'a>,
    /// What is known of its statements.
    pub closed: &'a ClosedStatements,
    /// The statements that it spans.
    pub stmts: &'a [StmtId],
    /// The statements of the problem's loops.
    pub loops: &'a [(NodeId, StmtId)],
    /// The nodes of a residency; `None`: those of the function.
    pub span: Option<&'a ResidencySpan>,
}

/// What happens to a family.
#[derive(Clone, Copy)]
pub struct Happening<'a> {
    /// The family's events.
    pub events: &'a NodeEvents,
    /// How much of it is mapped.
    pub extent: &'a Section,
    /// Nodes that count besides: where its names come to mean something else, where copies stand.
    pub besides: &'a [NodeId],
}

/// The statements that are not quiet, with those around them: what is shared by all residencies of an array, and what one of them has
/// besides.
#[derive(Clone, Debug, Default)]
pub struct Loud {
    shared: Rc<Marked>,
    own: Marked,
}

/// Statements, in the order in which they were found, and by the statement that they are members of.
#[derive(Clone, Debug, Default)]
struct Marked {
    all: FxHashSet<StmtId>,
    members: FxHashMap<StmtId, BTreeSet<StmtId>>,
    found: Vec<StmtId>,
}

impl Marked {
    fn insert(&mut self, tree: &ScopeTree, stmt: StmtId) -> bool {
        let is_new = self.all.insert(stmt);
        if is_new {
            self.found.push(stmt);
            let around = tree.stmt(stmt).parent.into_iter();
            around.for_each(|around| {
                self.members.entry(around).or_default().insert(stmt);
            });
        }
        is_new
    }
}

impl Loud {
    /// Whether it was not there.
    fn insert(&mut self, tree: &ScopeTree, stmt: StmtId) -> bool {
        !self.shared.all.contains(&stmt) && self.own.insert(tree, stmt)
    }

    /// The loud members of a statement between two of its members, with these, in text order.
    fn members(&self, around: StmtId, first: StmtId, last: StmtId) -> BTreeSet<StmtId> {
        let both = [&*self.shared, &self.own].map(|marked| marked.members.get(&around));
        let among = |members: &BTreeSet<StmtId>| members.range(first..=last).copied().collect::<Vec<_>>();
        both.into_iter().flatten().flat_map(among).collect()
    }

    /// All of it, to be shared; nothing is shared yet.
    fn into_shared(self) -> Loud {
        Loud {
            shared: Rc::new(self.own),
            own: Marked::default(),
        }
    }
}

impl Stretch<'_> {
    /// Lets a problem pass by what is quiet, but for the places of copies that are given; says what is left of the span. `known`: what
    /// is not quiet because of the events that the problem shares with others.
    pub fn pass_by(
        &self,
        problem: &mut Problem<'_>,
        span: &ResidencySpan,
        given: &[NodeId],
        known: Option<Loud>,
    ) -> ResidencySpan {
        let besides = [problem.renamed.at.as_slice(), given].concat();
        let happening = Happening {
            events: &problem.events,
            extent: &problem.extent,
            besides: &besides,
        };
        let loud = match known {
            Some(known) => self.louder(known, problem.events.changed(), happening),
            None => self.louder(Loud::default(), problem.events.all(), happening),
        };
        let shortcuts = self.shortcuts(&loud);
        let mut span = span.clone();
        span.nodes.retain(|n| !shortcuts.passes(*n));
        problem.flow = Flow::with(problem.flow.graph, Rc::new(shortcuts));
        span
    }

    /// What is not quiet, to be shared by all residencies of an array.
    pub fn loud(&self, happening: Happening<'_>) -> Loud {
        let all = happening.events.all();
        self.louder(Loud::default(), all, happening).into_shared()
    }

    /// The ways past what is quiet.
    pub fn shortcuts(&self, loud: &Loud) -> Shortcuts {
        let tree = self.model.tree;
        let mut found = Vec::new();
        let ends = |stmts: &[StmtId]| Some((*stmts.first()?, *stmts.last()?));
        let mut work: Vec<StmtId> = Vec::new();
        if let Some((first, last)) = ends(self.stmts)
            && let Some(around) = tree.stmt(first).parent
        {
            work.extend(self.pass_by_members(around, first, last, loud, &mut found));
        }
        while let Some(at) = work.pop() {
            let stmt = tree.stmt(at);
            let Some(ends) = ends(&stmt.children) else { continue };
            work.extend(match stmt.kind {
                StmtKind::Block => self.pass_by_members(at, ends.0, ends.1, loud, &mut found),
                _ => loud.members(at, ends.0, ends.1),
            });
        }
        Shortcuts::new(found, in_text(tree, self.model.coarse))
    }

    /// The place of a statement among the members of the one around it.
    fn place(&self, around: StmtId, stmt: StmtId) -> usize {
        let members = &self.model.tree.stmt(around).children;
        members.partition_point(|s| *s < stmt)
    }

    /// What is not quiet besides what is known to be so: because of these events.
    fn louder<'e>(
        &self,
        mut loud: Loud,
        events: impl Iterator<Item = (NodeId, &'e [Event])>,
        happening: Happening<'_>,
    ) -> Loud {
        let model = self.model;
        let exits = self.span.iter().flat_map(|span| &span.exits).copied();
        for node in exits.chain(happening.besides.iter().copied()) {
            self.mark(node, &mut loud);
        }
        let mut said: FxHashSet<Sym> = symbols(happening.extent).collect();
        for (node, events) in events.filter(|(_, events)| !events.is_empty()) {
            if self.holds(node) {
                self.mark(node, &mut loud);
            }
            said.extend(events.iter().flat_map(|e| e.kind.sections()).flat_map(symbols));
        }
        let defined = |sym: Sym| model.coarse_of(model.values.defined_at(sym));
        said.into_iter()
            .filter_map(defined)
            .for_each(|node| self.mark(node, &mut loud));
        // Sections are widened over loops by the ends of these.
        let mut next = 0;
        while let Some(&stmt) = loud.own.found.get(next) {
            next += 1;
            if self.model.tree.stmt(stmt).kind.is_loop() && self.loops.iter().any(|l| l.1 == stmt) {
                let ends: FxHashSet<Sym> = self.ends(stmt).into_iter().collect();
                ends.into_iter()
                    .filter_map(defined)
                    .for_each(|node| self.mark(node, &mut loud));
            }
        }
        loud
    }

    /// Adds the statements around a node.
    fn mark(&self, node: NodeId, loud: &mut Loud) {
        let stmt = self.model.coarse.stmt_of(node).into_iter();
        for around in stmt.flat_map(|s| self.model.tree.ancestors(s)) {
            if !loud.insert(self.model.tree, around) {
                break;
            }
        }
    }

    fn holds(&self, node: NodeId) -> bool {
        self.span.is_none_or(|span| span.nodes.contains(&node))
    }

    /// The symbols that the index of a loop is bounded by.
    fn ends(&self, stmt: StmtId) -> Vec<Sym> {
        let Some(info) = self.model.loops.get(stmt) else {
            return Vec::new();
        };
        let index = info.induction.iter().flat_map(|i| [&i.first, &i.lo, &i.hi]);
        let monotone = info.monotone.iter().flat_map(|m| [&m.first, &m.lo, &m.hi]);
        index.chain(monotone).flat_map(Expr::symbols).collect()
    }

    /// Passes by quiet ones among the members of a statement, from one of them to another; says which of these are not quiet.
    fn pass_by_members(
        &self,
        around: StmtId,
        first: StmtId,
        last: StmtId,
        loud: &Loud,
        found: &mut Vec<PassedBy>,
    ) -> BTreeSet<StmtId> {
        let members = &self.model.tree.stmt(around).children;
        let among = loud.members(around, first, last);
        let between = || among.iter().map(|s| self.place(around, *s));
        let starts = std::iter::once(self.place(around, first)).chain(between().map(|at| at + 1));
        let ends = between().chain([self.place(around, last) + 1]);
        let closed = self.closed_members(around);
        for (start, end) in starts.zip(ends) {
            let next = closed.partition_point(|c| c.end <= start);
            for stretch in closed[next..].iter().take_while(|c| c.start < end) {
                let quiet = stretch.start.max(start)..stretch.end.min(end);
                found.extend(self.passed_by(&members[quiet]));
            }
        }
        among
    }

    /// The stretches of closed neighbours among the members of a statement.
    fn closed_members(&self, around: StmtId) -> Stretches {
        if let Some(known) = self.closed.0.borrow().get(&around) {
            return Rc::clone(known);
        }
        let graph = self.model.coarse;
        let members = &self.model.tree.stmt(around).children;
        let mut found: Vec<Range<usize>> = Vec::new();
        for (at, stmt) in members.iter().enumerate().filter(|(_, s)| self.is_closed(**s)) {
            // Control may come between two of them past a branch that other builds leave out.
            let follows = |before: StmtId| {
                let (end, start) = (Place::After(before), Place::Before(*stmt));
                graph.is_one_gap(end, start) && self.comes_from(before)
            };
            match found.last_mut() {
                Some(last) if last.end == at && follows(members[at - 1]) => last.end += 1,
                _ => found.push(at..at + 1),
            }
        }
        let found: Stretches = found.into();
        self.closed.0.borrow_mut().insert(around, Rc::clone(&found));
        found
    }

    /// The way past neighbours that are quiet.
    fn passed_by(&self, stmts: &[StmtId]) -> Option<PassedBy> {
        let (tree, graph) = (self.model.tree, self.model.coarse);
        let (first, last) = (*stmts.first()?, *stmts.last()?);
        let (from, to) = (graph.gap(Place::Before(first))?, graph.gap(Place::After(last))?);
        let is_whole = [from, to].iter().all(|n| self.holds(*n)) && from != to;
        let (start, end) = (tree.stmt(first).span.start, tree.stmt(last).span.end);
        // What begins where the first of them does is what they are members of, too.
        let around = tree.stmt(first).parent.is_some_and(|s| tree.stmt(s).span.start < start);
        let is_passed = is_whole && around && graph.node(from).succs.len() == 1 && self.comes_from(last);
        let places = in_text(tree, graph).places(start..end);
        is_passed.then_some(PassedBy { from, to, places })
    }

    /// Whether control comes to the gap behind a statement out of it alone.
    fn comes_from(&self, stmt: StmtId) -> bool {
        let graph = self.model.coarse;
        let mut preds = graph
            .gap(Place::After(stmt))
            .into_iter()
            .flat_map(|gap| &graph.node(gap).preds);
        preds.all(|p| self.is_in(stmt, *p))
    }

    /// Whether control enters a statement by the gap before it alone, and leaves it for the gap behind it alone.
    fn is_closed(&self, stmt: StmtId) -> bool {
        let graph = self.model.coarse;
        let (before, after) = (graph.gap(Place::Before(stmt)), graph.gap(Place::After(stmt)));
        let nodes: FxHashSet<NodeId> = self.nodes_of(stmt).collect();
        let leaves = |to: &NodeId| !nodes.contains(to) && Some(*to) != after;
        let enters = |from: &NodeId| !nodes.contains(from) && Some(*from) != before;
        before.is_some()
            && after.is_some()
            && !nodes.is_empty()
            && nodes.iter().all(|n| {
                let node = graph.node(*n);
                !node.succs.iter().any(leaves) && !node.preds.iter().any(enters)
            })
    }

    /// The nodes of a statement, what its directives evaluate among them.
    fn nodes_of(&self, stmt: StmtId) -> impl Iterator<Item = NodeId> {
        let within = nodes_of_text(self.model.tree, self.model.coarse, stmt);
        within.into_iter().filter(move |n| self.is_in(stmt, *n))
    }

    /// Whether a node is one of a statement's.
    fn is_in(&self, stmt: StmtId, node: NodeId) -> bool {
        let (tree, graph) = (self.model.tree, self.model.coarse);
        let beside = [Place::Before(stmt), Place::After(stmt)].map(|place| graph.gap(place));
        let of = graph.stmt_of(node);
        !beside.contains(&Some(node)) && of.is_some_and(|of| tree.encloses(stmt, of))
    }
}
