//! Stretches of a residency that have nothing to do with its problem ([`super::flow`]).
//!
//! A function with a thousand kernels uses each array in few of them, and what stands between two uses of one is as long as the
//! function. What comes into such statements comes out of them again as it was.
//!
//! A statement is *quiet* where
//!
//! * nothing happens to the family in it, and no symbol of what happens elsewhere gets its value there,
//! * control enters it by the gap before it alone, and leaves it for the gap behind it alone,
//! * the residency does not end in it, and no name comes to mean something else.
//!
//! Of neighbours that are quiet the gap before the first and the one behind the last stay: a copy that may stand between them may stand
//! at one of these, where names mean what they do between them.

use super::flow::{Flow, Shortcuts};
use super::placement::Span;
use super::problem::{Event, NodeEvents, Problem};
use super::terms::symbols;
use crate::analysis::function::FunctionModel;
use crate::program::graph::{NodeId, Place};
use crate::program::in_loops::nodes_of_text;
use crate::symbolic::{Expr, Section, Sym};
use crate::syntax::{StmtId, StmtKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::rc::Rc;

/// Whether control enters and leaves statements of a function as it does quiet ones: found where it is asked for.
#[derive(Default)]
pub struct ClosedStatements(RefCell<FxHashMap<StmtId, bool>>);

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
    pub span: Option<&'a Span>,
}

/// What happens to a family.
#[derive(Clone, Copy)]
pub struct Happening<'a> {
    /// Its events.
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
    shared: Rc<FxHashSet<StmtId>>,
    own: FxHashSet<StmtId>,
}

impl Loud {
    fn contains(&self, stmt: &StmtId) -> bool {
        self.shared.contains(stmt) || self.own.contains(stmt)
    }

    /// Whether it was not there.
    fn insert(&mut self, stmt: StmtId) -> bool {
        !self.shared.contains(&stmt) && self.own.insert(stmt)
    }

    /// All of it, to be shared.
    fn into_shared(self) -> Loud {
        let all = self.shared.iter().copied().chain(self.own).collect();
        Loud {
            shared: Rc::new(all),
            own: FxHashSet::default(),
        }
    }
}

impl Stretch<'_> {
    /// Lets a problem pass by what is quiet, but for the places of copies that are given; says what is left of the span. `known`: what
    /// is not quiet because of the events that the problem shares with others.
    pub fn pass_by(&self, problem: &mut Problem<'_>, span: &Span, given: &[NodeId], known: Option<Loud>) -> Span {
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
        let mut found = Shortcuts::default();
        self.pass_by_siblings(self.stmts, loud, &mut found);
        let mut work: Vec<StmtId> = self.stmts.to_vec();
        while let Some(stmt) = work.pop().map(|s| tree.stmt(s)) {
            if stmt.kind == StmtKind::Block {
                self.pass_by_siblings(&stmt.children, loud, &mut found);
            }
            work.extend(stmt.children.iter().filter(|s| loud.contains(s)));
        }
        found
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
        let shared = Rc::clone(&loud.shared);
        let unknown = self.loops.iter().map(|l| l.1).filter(|l| !shared.contains(l));
        let mut left: Vec<StmtId> = unknown.collect();
        loop {
            let (around, others): (Vec<StmtId>, Vec<StmtId>) = left.into_iter().partition(|l| loud.contains(l));
            if around.is_empty() {
                return loud;
            }
            left = others;
            let ends: FxHashSet<Sym> = around.iter().flat_map(|l| self.ends(*l)).collect();
            ends.into_iter()
                .filter_map(defined)
                .for_each(|node| self.mark(node, &mut loud));
        }
    }

    /// Adds the statements around a node.
    fn mark(&self, node: NodeId, loud: &mut Loud) {
        let stmt = self.model.coarse.stmt_of(node).into_iter();
        for around in stmt.flat_map(|s| self.model.tree.ancestors(s)) {
            if !loud.insert(around) {
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

    /// Passes by quiet ones among the children of a block.
    fn pass_by_siblings(&self, stmts: &[StmtId], loud: &Loud, found: &mut Shortcuts) {
        let graph = self.model.coarse;
        let mut at = 0;
        while at < stmts.len() {
            let quiet = |s: &StmtId| !loud.contains(s) && self.is_closed(*s);
            let follows = |pair: &[StmtId]| graph.is_one_gap(Place::After(pair[0]), Place::Before(pair[1]));
            let rest = &stmts[at..];
            let mut count = usize::from(rest.first().is_some_and(quiet));
            while count > 0 && count < rest.len() && quiet(&rest[count]) && follows(&rest[count - 1..=count]) {
                count += 1;
            }
            if count > 0 {
                self.pass_by_stretch(&rest[..count], found);
            }
            at += count.max(1);
        }
    }

    fn pass_by_stretch(&self, stmts: &[StmtId], found: &mut Shortcuts) {
        let graph = self.model.coarse;
        let (Some(first), Some(last)) = (stmts.first(), stmts.last()) else {
            return;
        };
        let ends = (graph.gap(Place::Before(*first)), graph.gap(Place::After(*last)));
        let (Some(from), Some(to)) = ends else { return };
        let comes_from_there = graph.node(to).preds.iter().all(|p| self.is_in(*last, *p));
        let is_whole = [from, to].iter().all(|n| self.holds(*n)) && from != to;
        if !is_whole || graph.node(from).succs.len() != 1 || !comes_from_there {
            return;
        }
        let gaps = stmts[1..].iter().filter_map(|s| graph.gap(Place::Before(*s)));
        found.add(from, to, stmts.iter().flat_map(|s| self.nodes_of(*s)).chain(gaps));
    }

    /// Whether control enters a statement by the gap before it alone, and leaves it for the gap behind it alone.
    fn is_closed(&self, stmt: StmtId) -> bool {
        if let Some(known) = self.closed.0.borrow().get(&stmt) {
            return *known;
        }
        let graph = self.model.coarse;
        let (before, after) = (graph.gap(Place::Before(stmt)), graph.gap(Place::After(stmt)));
        let nodes: FxHashSet<NodeId> = self.nodes_of(stmt).collect();
        let leaves = |to: &NodeId| !nodes.contains(to) && Some(*to) != after;
        let enters = |from: &NodeId| !nodes.contains(from) && Some(*from) != before;
        let is_closed = before.is_some()
            && after.is_some()
            && !nodes.is_empty()
            && nodes.iter().all(|n| {
                let node = graph.node(*n);
                !node.succs.iter().any(leaves) && !node.preds.iter().any(enters)
            });
        self.closed.0.borrow_mut().insert(stmt, is_closed);
        is_closed
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
