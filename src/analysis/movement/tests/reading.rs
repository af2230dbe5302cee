//! The reader of movement problems that are given as text ([`super::super::text`]).

use crate::analysis::cexpr;
use crate::analysis::movement::flow::Flow;
use crate::analysis::movement::placement::ResidencySpan;
use crate::analysis::movement::problem::{
    Event, EventKind, HeaderEdge, LoopFacts, NodeEvents, Problem, Renamed, Terms,
};
use crate::analysis::movement::set_operations::one;
use crate::analysis::values::casts::IntType;
use crate::program::graph::{FlowGraph, NodeId, NodeKind, Place};
use crate::program::in_loops::{in_loop, merge_node};
use crate::source;
use crate::symbolic::{Expr, Facts, Section, SectionSet, Sym};
use crate::syntax::{self, ScopeTree, StmtId, StmtKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;

/// Where a residency is told from other blocks.
const RESIDENCY: &str = "{ /* residency */";

/// A call in the text: `kernel(0, n, 1, n - 1)`.
pub(super) struct Call {
    pub what: String,
    pub arguments: Vec<String>,
}

/// What holds of the whole problem, where that is said.
#[derive(Default)]
struct Said {
    extent: Option<Section>,
    facts: Vec<Expr>,
    parts: bool,
    kept: bool,
    current: bool,
    live: SectionSet,
}

/// A parsed problem.
pub(super) struct Text {
    pub text: String,
    pub tree: ScopeTree,
    pub graph: FlowGraph,
    pub names: RefCell<Vec<String>>,
    /// Counters with their loops.
    counters: Vec<(Sym, StmtId)>,
    /// Values that begin to mean something at a node.
    defined: Vec<(Sym, NodeId)>,
    pub loops: Vec<(LoopFacts, StmtId)>,
    block: StmtId,
    said: Said,
}

/// Names of the text as values.
struct Named<'a>(&'a Text);

impl cexpr::NameResolver for Named<'_> {
    fn value(&self, path: &str) -> Option<Expr> {
        Some(Expr::sym(self.0.symbol(path)))
    }
    fn type_of(&self, _: &str) -> Option<IntType> {
        None
    }
    fn macro_body(&self, _: &str) -> Option<String> {
        None
    }
    fn size_of(&self, _: &str) -> Option<i128> {
        None
    }
    fn divides(&self, _: &Expr, _: &Expr, _: bool) -> bool {
        true
    }
    fn cast(&self, value: Expr, _: &str) -> Option<Expr> {
        Some(value)
    }
}

/// The calls in a piece of text, with their arguments.
fn calls(piece: &str) -> Vec<Call> {
    let mut found = Vec::new();
    let mut rest = piece;
    while let Some(open) = rest.find('(') {
        let before = &rest[..open];
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let start = before.trim_end_matches(is_word).len();
        let (mut depth, mut end, mut from) = (0usize, rest.len(), open + 1);
        let mut arguments = Vec::new();
        for (at, c) in rest.char_indices().skip_while(|(at, _)| *at < open) {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            if (c == ',' && depth == 1) || depth == 0 {
                arguments.push(rest[from..at].trim().to_owned());
                from = at + 1;
            }
            if depth == 0 {
                end = at + 1;
                break;
            }
        }
        arguments.retain(|a| !a.is_empty());
        let what = before[start..].to_owned();
        found.push(Call { what, arguments });
        rest = &rest[end..];
    }
    found
}

impl Text {
    pub fn parse(body: &str) -> Text {
        let text = format!("void f(void)\n{{\n{body}\n}}\n");
        let tree = syntax::parse(text.as_bytes(), &[]);
        let problems = &tree.functions[0].problems;
        assert!(problems.is_empty(), "{problems:?} in {text}");
        let graph = FlowGraph::build(&tree, 0, &Default::default()).expect("a graph");
        let is_block = |s: &StmtId| tree.stmt(*s).kind == StmtKind::Block;
        let is_marked = |s: &StmtId| text[tree.stmt(*s).span.start..].starts_with(RESIDENCY);
        let all = || (0..tree.stmts.len() as u32).map(StmtId);
        let top = || tree.stmt(tree.functions[0].body).children.iter().copied();
        let block = all().find(is_marked).or_else(|| top().find(is_block));
        let mut found = Text {
            names: RefCell::new(vec!["n".into()]),
            counters: Vec::new(),
            defined: Vec::new(),
            loops: Vec::new(),
            block: block.expect("a block that is the residency"),
            said: Said::default(),
            text,
            graph,
            tree,
        };
        found.find_loops();
        found.find_definitions();
        found.find_what_is_said();
        found
    }

    fn find_loops(&mut self) {
        for id in (0..self.tree.stmts.len() as u32).map(StmtId) {
            let kind = self.tree.stmt(id).kind.clone();
            if !kind.is_loop() {
                continue;
            }
            let mut surely = matches!(kind, StmtKind::DoWhile { .. });
            if let StmtKind::For { declares, cond, .. } = &kind {
                surely |= cond.is_some_and(|c| self.piece(c) == "surely");
                let own = declares.iter().map(|name| (self.symbol(&name.name), id));
                let own: Vec<(Sym, StmtId)> = own.collect();
                self.counters.extend(own);
            }
            let nodes = self.graph.ids();
            let inside = nodes.filter(|n| in_loop(&self.tree, self.graph.node(*n).kind, id));
            let facts = LoopFacts {
                header: merge_node(&self.tree, &self.graph, id).expect("a header"),
                nodes: inside.collect(),
                gap_before: self.graph.gap(Place::Before(id)),
                runs: surely,
            };
            self.loops.push((facts, id));
        }
    }

    fn find_definitions(&mut self) {
        let mut found = Vec::new();
        for node in self.graph.ids() {
            for call in self.calls(node).iter().filter(|c| c.what == "defines") {
                found.extend(call.arguments.iter().map(|name| (self.symbol(name), node)));
            }
        }
        self.defined = found;
    }

    fn find_what_is_said(&mut self) {
        let mut said = Said::default();
        for node in self.graph.ids() {
            for call in self.calls(node) {
                match call.what.as_str() {
                    "extent" => said.extent = Some(self.section(&call.arguments)),
                    "assume" => said.facts.push(self.expr(&call.arguments[0])),
                    "parts" => said.parts = true,
                    "kept" => said.kept = true,
                    "current" => said.current = true,
                    "live" => said.live = self.set(&call.arguments),
                    _ => {}
                }
            }
        }
        self.said = said;
    }

    pub fn symbol(&self, name: &str) -> Sym {
        let mut names = self.names.borrow_mut();
        let at = names.iter().position(|n| n == name).unwrap_or_else(|| {
            names.push(name.into());
            names.len() - 1
        });
        Sym(at as u32)
    }

    pub fn expr(&self, text: &str) -> Expr {
        cexpr::evaluate(text, &Named(self)).unwrap_or_else(|| panic!("`{text}` is no bound"))
    }

    pub fn section(&self, bounds: &[String]) -> Section {
        Section::new(self.expr(&bounds[0]), self.expr(&bounds[1]))
    }

    fn sections(&self, bounds: &[String]) -> Vec<Section> {
        bounds.chunks(2).map(|two| self.section(two)).collect()
    }

    fn set(&self, bounds: &[String]) -> SectionSet {
        match bounds {
            [] => SectionSet::Empty,
            [all] if all == "all" => SectionSet::All,
            bounds => SectionSet::Union(self.sections(bounds)),
        }
    }

    fn piece(&self, span: source::Span) -> &str {
        self.text[span.start..span.end].trim()
    }

    /// The calls that stand at a node.
    pub fn calls(&self, node: NodeId) -> Vec<Call> {
        let kind = |s: StmtId| &self.tree.stmt(s).kind;
        let span = match self.graph.node(node).kind {
            NodeKind::Leaf(s) => Some(self.tree.stmt(s).span),
            NodeKind::Cond(s) => match kind(s) {
                StmtKind::For { cond, .. } => *cond,
                StmtKind::If { cond, .. }
                | StmtKind::While { cond, .. }
                | StmtKind::DoWhile { cond, .. }
                | StmtKind::Switch { cond, .. } => Some(*cond),
                _ => None,
            },
            NodeKind::Step(s) => match kind(s) {
                StmtKind::For { step, .. } => *step,
                _ => None,
            },
            _ => None,
        };
        span.map_or_else(Vec::new, |span| calls(self.piece(span)))
    }

    /// The arguments behind one of these words, up to the next.
    fn behind<'c>(&self, call: &'c Call, word: &str) -> &'c [String] {
        let is_word = |a: &String| ["reads", "must", "may"].contains(&a.as_str());
        let Some(at) = call.arguments.iter().position(|a| a == word) else {
            return &[];
        };
        let rest = &call.arguments[at + 1..];
        &rest[..rest.iter().position(is_word).unwrap_or(rest.len())]
    }

    /// The event that a call stands for.
    fn event(&self, call: &Call) -> Option<EventKind> {
        let all = || self.set(&call.arguments);
        let launch = |must: Vec<Section>| EventKind::Launch {
            reads: one(self.section(&call.arguments[..2])),
            may: one(self.section(&call.arguments[2..])),
            must,
        };
        Some(match call.what.as_str() {
            "reads" => EventKind::HostRead { may: all() },
            "writes" => EventKind::HostWrite {
                may: all(),
                must: self.sections(&call.arguments),
            },
            "may_write" => EventKind::HostWrite {
                may: all(),
                must: Vec::new(),
            },
            "write" => EventKind::HostWrite {
                may: self.set(self.behind(call, "may")),
                must: self.sections(self.behind(call, "must")),
            },
            "kernel" => launch(vec![self.section(&call.arguments[2..])]),
            "kernel_may" => launch(Vec::new()),
            "launch" => EventKind::Launch {
                reads: self.set(self.behind(call, "reads")),
                may: self.set(self.behind(call, "may")),
                must: self.sections(self.behind(call, "must")),
            },
            "free" => EventKind::Free,
            "to" | "from" | "defines" | "extent" | "assume" | "parts" | "kept" | "current" | "live" => return None,
            other => panic!("`{other}` is no event"),
        })
    }

    /// The residency: control leaves it behind its last statement, and in front of jumps out of it.
    fn span(&self) -> ResidencySpan {
        let children = &self.tree.stmt(self.block).children;
        let gap = |place| self.graph.gap(place).expect("a gap");
        let inside = |n: &NodeId| {
            let stmt = self.graph.stmt_of(*n);
            stmt.is_some_and(|s| s != self.block && self.tree.encloses(self.block, s))
        };
        let end = gap(Place::After(*children.last().expect("a statement")));
        let mut nodes: FxHashSet<NodeId> = self.graph.ids().filter(inside).collect();
        let leaves = |n: &NodeId| *n != end && self.graph.node(*n).succs.iter().any(|s| !nodes.contains(s));
        let jumps: Vec<NodeId> = nodes.iter().copied().filter(leaves).collect();
        let mut exits = Vec::new();
        for jump in jumps {
            let stmt = self.graph.stmt_of(jump).expect("a jump");
            exits.push(gap(Place::Before(stmt)));
            nodes.remove(&jump);
        }
        exits.sort_unstable();
        exits.push(end);
        ResidencySpan {
            entry: gap(Place::Before(children[0])),
            exits,
            nodes,
        }
    }

    /// Does something with the problem.
    pub fn with<T>(&self, speculate: bool, work: impl FnOnce(&Problem<'_>, &ResidencySpan) -> T) -> T {
        let mut events = NodeEvents::default();
        for n in self.graph.ids() {
            let kinds = self.calls(n).into_iter().filter_map(|call| self.event(&call));
            events.at_mut(n).extend(kinds.map(|kind| Event { cell: 0, kind }));
        }
        let mut header_edges = FxHashMap::default();
        for (index, (l, _)) in self.loops.iter().enumerate() {
            for &p in &self.graph.node(l.header).preds {
                let closes = l.nodes.contains(&p).then_some(index);
                let permutation = vec![0];
                header_edges.insert((p, l.header), HeaderEdge { closes, permutation });
            }
        }
        let problem = Problem {
            renamed: Renamed::default(),
            flow: Flow::of(&self.graph),
            cells: 1,
            events,
            header_edges,
            loops: self.loops.iter().map(|(l, _)| l.clone()).collect::<Vec<_>>().into(),
            extent: self.extent(),
            vouched: true,
            uniform: !self.said.parts,
            facts: self.facts(),
            live_out: self.said.live.clone(),
            speculate,
            kept_by_callers: self.said.kept,
            current_on_host: self.said.current,
            hosted: FxHashSet::default(),
            terms: self,
        };
        work(&problem, &self.span())
    }

    fn extent(&self) -> Section {
        let plain = || Section::whole(Expr::sym(Sym(0)));
        self.said.extent.clone().unwrap_or_else(plain)
    }

    /// What is said; else arrays are large, and names are of elements in them.
    fn facts(&self) -> Facts {
        let mut facts = Facts::new();
        if self.said.extent.is_some() {
            self.said.facts.iter().for_each(|fact| facts.assume_nonneg(fact));
            return facts;
        }
        let extent = self.extent();
        facts.assume_le(&Expr::constant(8), &extent.hi);
        for name in (1..self.names.borrow().len() as u32).map(Sym) {
            if self.counters.iter().all(|(counter, _)| *counter != name) {
                facts.assume_le(&Expr::constant(1), &Expr::sym(name));
                facts.assume_le(&Expr::sym(name), &extent.hi.offset(-2).expect("small"));
            }
        }
        facts
    }
}

impl Terms for Text {
    fn widen(&self, set: &SectionSet, loop_index: usize) -> SectionSet {
        let keeps = |s: &Section| !self.varies(s, loop_index);
        if set.sections().iter().all(keeps) {
            set.clone()
        } else {
            SectionSet::All
        }
    }
    fn at_first(&self, _: &Section, _: usize) -> Option<Section> {
        None
    }
    fn varies(&self, section: &Section, loop_index: usize) -> bool {
        let (l, stmt) = &self.loops[loop_index];
        let own = |(sym, of): &(Sym, StmtId)| of == stmt && section.mentions(*sym);
        let inside = |(sym, node): &(Sym, NodeId)| l.nodes.contains(node) && section.mentions(*sym);
        self.counters.iter().any(own) || self.defined.iter().any(inside)
    }
    fn defined_at(&self, section: &Section, node: NodeId) -> bool {
        let counted = |(sym, stmt): &(Sym, StmtId)| {
            section.mentions(*sym) && self.graph.init_of(*stmt).or(self.graph.cond_of(*stmt)) == Some(node)
        };
        let here = |(sym, at): &(Sym, NodeId)| *at == node && section.mentions(*sym);
        self.counters.iter().any(counted) || self.defined.iter().any(here)
    }
    fn ordered(&self, section: &Section) -> bool {
        self.facts().prove_le(&section.lo, &section.hi)
    }
    fn printable(&self, section: &Section, gap: NodeId) -> bool {
        let kind = self.graph.node(gap).kind;
        let counted = |(sym, stmt): &(Sym, StmtId)| !section.mentions(*sym) || in_loop(&self.tree, kind, *stmt);
        // What begins to mean something in a block can be said behind that.
        let known = |(sym, node): &(Sym, NodeId)| {
            let at = self.graph.stmt_of(*node).map(|s| self.tree.stmt(s));
            let here = self.graph.stmt_of(gap).map(|s| self.tree.stmt(s).span.start);
            let behind = at.zip(here).is_some_and(|(at, here)| at.span.end <= here);
            !section.mentions(*sym) || behind
        };
        self.counters.iter().all(counted) && self.defined.iter().all(known)
    }
}
