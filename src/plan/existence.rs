//! Whether what a residency maps exists (R11).
//!
//! ```c
//! void step(double *v, double *w, int n, int rounds)
//! {
//!     for (int t = 0; t < rounds; t++) {
//!         #pragma omp target teams distribute parallel for map(tofrom: v[0:n])
//!         …
//!         if (w)
//!             #pragma omp target teams distribute parallel for map(tofrom: w[0:n])
//!             …
//!     }
//! }
//! ```
//!
//! Where a kernel runs, what it maps exists: that is the user's word. A directive in front of the loop maps as much where no
//! kernel runs: `w` may be null, or shorter than `n`. To copy for a kernel that does not run costs bytes, which is what speculation
//! is about; to copy what does not exist ends the program. So an array exists where the residency begins if
//!
//! * it is a variable, or memory that was allocated with so many elements and not freed since, or
//! * every way from there comes by a kernel, a call or a host statement that surely uses so much of it, or
//! * every way to there has come by one.
//!
//! Loops are entered here where they surely run, or where the residency asks whether they do (`if(rounds > 0)`,
//! [`super::entered`]); whoever speculates takes those with such a kernel to run, and kernels of called functions too, but
//! nothing that stands in them under a condition. On a way on which the pointer or a bound gets another value, or on which the program may end, nothing is
//! shown any more.

use super::evaluate::{Candidate, Inputs};
use super::founded::surely_accesses;
use super::spans::Run;
use crate::analysis::function::FunctionModel;
use crate::analysis::movement::family::Naming;
use crate::analysis::movement::mapped::object_extent;
use crate::analysis::movement::placement::Span;
use crate::analysis::movement::problem::LoopFacts;
use crate::analysis::values::eval::Base;
use crate::analysis::values::loops::only_test;
use crate::program::graph::{FlowGraph, NodeId, NodeKind};
use crate::program::ir::{Op, Operand, Pred};
use crate::symbolic::{Expr, Facts, Section, Sym};
use crate::syntax::{StmtId, StmtKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// Why nothing stays on the device where it may not exist.
pub(super) const MAY_NOT_EXIST: &str =
    "no kernel may run from here on, and nothing else says that so much of it exists";

/// The ways through a function, and where they end.
pub(super) struct Ways<'a> {
    inputs: &'a Inputs<'a>,
    /// Loops, with those that surely run marked.
    loops: &'a [LoopFacts],
    /// Nodes at which the program may end.
    ends: FxHashSet<NodeId>,
    /// Where a condition is known to hold: the node that comes next.
    decided: FxHashMap<NodeId, NodeId>,
}

impl<'a> Ways<'a> {
    /// The ways through the function that `inputs` are of.
    pub fn new(inputs: &'a Inputs<'a>, loops: &'a [LoopFacts]) -> Ways<'a> {
        let nodes = inputs.model.coarse.ids();
        Ways {
            inputs,
            loops,
            ends: nodes.filter(|n| may_end(inputs.model, *n)).collect(),
            decided: FxHashMap::default(),
        }
    }

    /// The ways that are left where something is known: those that branches on comparisons leave.
    ///
    /// ```c
    /// if (count > 0)
    ///     #pragma omp target teams distribute parallel for map(tofrom: v[0:count])      /* all ways, where `count` is positive */
    /// ```
    pub fn knowing(mut self, facts: &Facts) -> Ways<'a> {
        let model = self.inputs.model;
        for node in model.coarse.ids() {
            let NodeKind::Cond(stmt) = model.coarse.node(node).kind else {
                continue;
            };
            let StmtKind::If { then, .. } = model.tree.stmt(stmt).kind else {
                continue;
            };
            if holds(model, stmt, facts) {
                let mut succs = model.coarse.node(node).succs.iter();
                let inside = |s: &&NodeId| model.coarse.stmt_of(**s).is_some_and(|s| model.tree.encloses(then, s));
                self.decided.extend(succs.find(inside).map(|next| (node, *next)));
            }
        }
        self
    }

    /// Whether every way from a node on comes by one that is wanted before the program ends and before a node at which ways
    /// `lose` what is asked about.
    pub fn come_by(&self, from: NodeId, wanted: &FxHashSet<NodeId>, lose: &FxHashSet<NodeId>) -> bool {
        let graph = self.inputs.model.coarse;
        let mut order = graph.reverse_post_order();
        order.reverse();
        let mut passes = wanted.clone();
        // A loop that runs is left only after an iteration.
        let enters = |header: NodeId, passes: &FxHashSet<NodeId>| {
            let Some(l) = self.loops.iter().find(|l| l.header == header && l.runs) else {
                return false;
            };
            let mut body = graph
                .node(header)
                .succs
                .iter()
                .filter(|s| l.nodes.binary_search(s).is_ok());
            body.clone().next().is_some() && body.all(|s| passes.contains(s))
        };
        let closes = |from: NodeId, header: NodeId| {
            let of_header = |l: &&LoopFacts| l.header == header;
            self.loops
                .iter()
                .find(of_header)
                .is_some_and(|l| l.nodes.binary_search(&from).is_ok())
        };
        loop {
            let before = passes.len();
            for &n in &order {
                let stops = self.ends.contains(&n) || (n != from && lose.contains(&n));
                let succs = match self.decided.get(&n) {
                    Some(next) => std::slice::from_ref(next),
                    None => graph.node(n).succs.as_slice(),
                };
                let after = |s: &NodeId| passes.contains(s) || (!closes(n, *s) && enters(*s, &passes));
                if !stops && !succs.is_empty() && !passes.contains(&n) && succs.iter().all(after) {
                    passes.insert(n);
                }
            }
            if passes.len() == before {
                return passes.contains(&from) || enters(from, &passes);
            }
        }
    }

    /// Whether every way to a node has come by one that is wanted, and by none that loses since.
    pub fn have_come_by(&self, to: NodeId, wanted: &FxHashSet<NodeId>, lose: &FxHashSet<NodeId>) -> bool {
        let graph = self.inputs.model.coarse;
        let mut seen: FxHashSet<NodeId> = FxHashSet::default();
        let mut work = vec![to];
        while let Some(node) = work.pop() {
            if node == FlowGraph::ENTRY || (node != to && lose.contains(&node)) {
                return false;
            }
            let before = graph.node(node).preds.iter().filter(|p| !wanted.contains(p));
            work.extend(before.filter(|p| seen.insert(**p)));
        }
        true
    }
}

/// Whether the condition of an `if` is a comparison that surely holds.
fn holds(model: &FunctionModel<'_>, stmt: StmtId, facts: &Facts) -> bool {
    let function = model.function();
    let Some(cond) = model.fine.cond_of(stmt) else {
        return false;
    };
    // With `&&` or `||` there are several.
    let Some(Operand::Inst(test)) = only_test(model.values, cond) else {
        return false;
    };
    let Op::Cmp {
        pred,
        lhs,
        rhs,
        signed,
        float: false,
    } = &function.inst(*test).op
    else {
        return false;
    };
    let Some((left, right)) = model.values.exact_sides(lhs, rhs, *signed) else {
        return false;
    };
    let is_less = |a: &Expr, b: &Expr, by: i128| {
        let difference = b.sub(a).and_then(|d| d.offset(-by));
        let in_range = |d: &Expr| model.values.range(d).is_some_and(|r| r.lo >= 0);
        difference.is_some_and(|d| facts.prove_nonneg(&d) || in_range(&d))
    };
    match pred {
        Pred::Lt => is_less(&left, &right, 1),
        Pred::Le => is_less(&left, &right, 0),
        Pred::Gt => is_less(&right, &left, 1),
        Pred::Ge => is_less(&right, &left, 0),
        Pred::Eq | Pred::Ne | Pred::Other => false,
    }
}

/// Whether the program may end, or leave the function, within a node of the coarse graph.
pub(super) fn may_end(model: &FunctionModel<'_>, node: NodeId) -> bool {
    model.fine_of(node).iter().any(|n| model.may_end(*n))
}

/// A residency whose arrays are asked about.
pub(super) struct Asked<'a> {
    pub candidate: &'a Candidate,
    pub run: Run,
    pub span: &'a Span,
    pub naming: &'a Naming,
    /// What is mapped of each cell.
    pub extent: &'a Section,
    /// What holds where the residency begins.
    pub facts: &'a Facts,
    /// Loops, with those that surely run marked.
    pub loops: &'a [LoopFacts],
    /// Nodes at which it may be freed.
    pub freed: &'a FxHashSet<NodeId>,
}

impl Inputs<'_> {
    /// Whether all that a residency maps exists where it begins.
    pub(super) fn exists(&self, asked: &Asked<'_>) -> bool {
        let names = asked.naming.at(asked.span.entry);
        if names.iter().all(|base| self.is_there(asked, *base)) {
            return true;
        }
        let ways = Ways::new(self, asked.loops);
        let lose = self.redefined(names, asked.extent);
        let shown = |section: &Section| {
            let wanted = self.surely_used(asked, section);
            ways.come_by(asked.span.entry, &wanted, &lose) || ways.have_come_by(asked.span.entry, &wanted, &lose)
        };
        if shown(asked.extent) {
            return true;
        }
        // Or by several that use a part each.
        let object = object_extent(self.model, names[0], asked.candidate.element);
        let parts = self
            .sections(asked.candidate, asked.run, object.as_ref())
            .unwrap_or_default();
        let mut hull: Option<Section> = None;
        for part in parts.iter().filter(|part| shown(part)) {
            hull = match hull {
                None => Some(part.clone()),
                Some(h) => h.hull(part, asked.facts),
            };
        }
        hull.is_some_and(|h| h.provably_covers(asked.extent, asked.facts))
    }

    /// Whether a base is a variable that is large enough, or memory that was allocated so and is not freed before a residency
    /// begins.
    fn is_there(&self, asked: &Asked<'_>, base: Base) -> bool {
        let Some(object) = object_extent(self.model, base, asked.candidate.element) else {
            return false;
        };
        let whole = object == *asked.extent;
        let fits = || {
            let facts = self.known_on_entry();
            facts.prove_le(&asked.extent.lo, &asked.extent.hi) && object.provably_covers(asked.extent, &facts)
        };
        (whole || fits()) && !self.is_freed_before(asked, base)
    }

    fn is_freed_before(&self, asked: &Asked<'_>, base: Base) -> bool {
        let Base::Value(sym) = base else { return false };
        let graph = self.model.coarse;
        let made = self.model.coarse_of(self.model.values.defined_at(sym));
        let mut work: Vec<NodeId> = asked.freed.iter().copied().collect();
        let mut seen: FxHashSet<NodeId> = work.iter().copied().collect();
        while let Some(node) = work.pop() {
            let after = graph.node(node).succs.iter().filter(|s| Some(**s) != made);
            for s in after {
                if *s == asked.span.entry {
                    return true;
                }
                if seen.insert(*s) {
                    work.push(*s);
                }
            }
        }
        false
    }

    /// Nodes that surely use all of a section of a residency's family, wherever it is: by a kernel that maps it, or on the host.
    fn surely_used(&self, asked: &Asked<'_>, section: &Section) -> FxHashSet<NodeId> {
        let mut nodes: FxHashSet<NodeId> = FxHashSet::default();
        let covers = |all: &[Section]| all.iter().any(|s| s.provably_covers(section, asked.facts));
        for &start in &asked.candidate.launches {
            let Some(node) = self.start_node(start) else { continue };
            if self
                .surely_mapped(asked.candidate, start)
                .is_some_and(|all| covers(&all))
            {
                nodes.insert(node);
            }
        }
        let on_host = |n: &NodeId| surely_accesses(self, asked.candidate, asked.facts, *n, section);
        nodes.extend(self.model.coarse.ids().filter(on_host));
        nodes
    }

    /// What one that starts kernels surely maps whenever it runs, under the conditions that its kernels have.
    pub(super) fn surely_mapped(&self, candidate: &Candidate, start: usize) -> Option<Vec<Section>> {
        if self.call(start).is_some() {
            let uses = self.used_by_call(candidate, start).into_iter().filter(|u| !u.is_one_of);
            return Some(uses.flat_map(|u| u.exists.clone()).collect());
        }
        if self.conditions.get(start).is_some_and(Option::is_none) {
            return None;
        }
        self.sections_of(candidate, start, None).ok()
    }

    /// Where bases, or the bounds of a section, get their values.
    fn redefined(&self, bases: &[Base], section: &Section) -> FxHashSet<NodeId> {
        let pointers = bases.iter().filter_map(|b| match b {
            Base::Value(sym) => Some(*sym),
            Base::Local(_) | Base::Global(_) => None,
        });
        let bounds = section.lo.symbols().into_iter().chain(section.hi.symbols());
        let at = |sym: Sym| self.model.coarse_of(self.model.values.defined_at(sym));
        pointers.chain(bounds).filter_map(at).collect()
    }

    /// What the function surely maps of a candidate in every call in which its kernels' conditions hold, if that has a length.
    pub(super) fn surely_mapped_in_calls(&self, candidate: &Candidate) -> Vec<Section> {
        let (loops, _) = self.loops();
        // One of several kernels maps it on each way.
        let mut by_section: Vec<(Section, FxHashSet<NodeId>)> = Vec::new();
        for &start in &candidate.launches {
            let Some(node) = self.start_node(start) else { continue };
            for section in self.surely_mapped(candidate, start).unwrap_or_default() {
                match by_section.iter_mut().find(|(known, _)| *known == section) {
                    Some((_, nodes)) => _ = nodes.insert(node),
                    None => by_section.push((section, std::iter::once(node).collect())),
                }
            }
        }
        // What has no length exists in any case; who does not speculate takes no size for one that is not negative.
        by_section.retain(|(section, nodes)| {
            let mut facts = self.known_on_entry();
            if self.file.options.speculate {
                facts.assume_lt(&section.lo, &section.hi);
            }
            let ways = Ways::new(self, &loops).knowing(&facts);
            ways.come_by(FlowGraph::ENTRY, nodes, &FxHashSet::default())
        });
        by_section.into_iter().map(|(section, _)| section).collect()
    }
}
