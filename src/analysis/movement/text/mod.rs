//! A movement problem as text: the body of a C function that says what happens to one array, and nothing else.
//!
//! ```c
//! extent(0, n);                           // what is mapped of it
//! assume(n - 8);                          // known: not negative
//! writes(0, n);                           // the host writes [0, n), surely; `may_write` perhaps; `reads` reads
//! { /* residency */
//!     for (int t; c;) {                   // `t` has another value in each iteration
//!         writes(0, 1);
//!         kernel(0, n, 1, n-1);           // reads [0, n), writes [1, n-1) surely; `kernel_may` perhaps
//!     }
//! }
//! reads(0, n);
//! ```
//!
//! `--dump problem` prints every problem that is tried so, and the unit tests of this room read it: what goes wrong with a program can
//! be looked at without the program. Statements without events are left out. Where a set has to be said that is not a single section:
//! `launch(reads, 0, n, must, 1, 2, may, 1, n)`, `write(must, 0, 1, may, 0, n)`, and `all` for a
//! set of unknown bounds. `defines(k)` stands where a value begins to mean something, `for (…; surely;)` is a loop that has an iteration,
//! `parts()` says that kernels map different parts, `kept()` that callers have the array on the device, and `current()` that no kernel
//! writes it.
//!
//! Not said: arrays that trade places, regions by hand, names that come to mean something else. Bounds that no C expression says
//! get names of their own.

mod words;

use super::problem::{EventKind, Problem};
use crate::program::graph::{FlowGraph, NodeId, NodeKind, Place};
use crate::symbolic::{Expr, Section, SectionSet, Sym};
use crate::syntax::{ScopeTree, StmtId, StmtKind};
use std::collections::BTreeSet;
use std::fmt::Write;
use words::ProblemWords;

/// A problem with the text that it is of.
pub struct Printed<'a> {
    pub problem: &'a Problem<'a>,
    pub tree: &'a ScopeTree,
    /// The function's body.
    pub body: StmtId,
    /// The first and the last statement of the residency.
    pub run: (StmtId, StmtId),
    /// What a symbol is called; not every symbol has a name, and several may have one.
    pub name: &'a dyn Fn(Sym) -> Option<String>,
}

/// How a statement with a body begins.
struct Head {
    text: String,
    /// Something is done in it, so that it counts without a body, too.
    acts: bool,
}

/// What is written so far.
struct Writer<'a> {
    of: &'a Printed<'a>,
    words: ProblemWords<'a>,
    /// The symbols of the problem's sections.
    symbols: Vec<Sym>,
    out: String,
}

impl Printed<'_> {
    /// The problem; `None` where it is of more than one array.
    pub fn text(&self) -> Option<String> {
        if self.problem.cells != 1 {
            return None;
        }
        let mut symbols: BTreeSet<Sym> = self.problem.extent.lo.symbols().into_iter().collect();
        symbols.extend(self.problem.extent.hi.symbols());
        for node in self.problem.flow.graph.ids() {
            for section in self.problem.events(node).iter().flat_map(|e| sections(&e.kind)) {
                symbols.extend(section.lo.symbols());
                symbols.extend(section.hi.symbols());
            }
        }
        let mut writer = Writer {
            of: self,
            words: ProblemWords::new(self.name),
            symbols: symbols.into_iter().collect(),
            out: String::new(),
        };
        writer.head();
        let body = &self.tree.stmt(self.body).children;
        writer.siblings(body, 0);
        Some(writer.out)
    }
}

/// All sections that an event names.
fn sections(event: &EventKind) -> Vec<&Section> {
    match event {
        EventKind::HostRead { may } => may.sections().iter().collect(),
        EventKind::HostWrite { may, must } => may.sections().iter().chain(must).collect(),
        EventKind::Launch { reads, may, must } => reads.sections().iter().chain(may.sections()).chain(must).collect(),
        EventKind::Free => Vec::new(),
    }
}

impl<'a> Writer<'a> {
    fn problem(&self) -> &'a Problem<'a> {
        self.of.problem
    }

    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.out, "{}{text}", "    ".repeat(depth));
    }

    /// What holds everywhere.
    fn head(&mut self) {
        let problem = self.problem();
        let extent = self.words.section(&problem.extent);
        self.line(0, &format!("extent({extent});"));
        for fact in problem.facts.inequalities() {
            let said = fact.symbols().into_iter().all(|s| self.symbols.contains(&s));
            if said && let Some(text) = self.words.printed(&fact) {
                self.line(0, &format!("assume({text});"));
            }
        }
        let flags = [
            (!problem.uniform, "parts();"),
            (problem.kept_by_callers, "kept();"),
            (problem.current_on_host, "current();"),
        ];
        for (_, flag) in flags.into_iter().filter(|(holds, _)| *holds) {
            self.line(0, flag);
        }
        if problem.live_out != SectionSet::Empty {
            let list = self.words.set(&problem.live_out);
            self.line(0, &format!("live({list});"));
        }
    }

    /// What happens at a node, and which values begin there, but for those that a loop's head has `declared`.
    fn at(&self, node: Option<NodeId>, declared: &[Sym]) -> Vec<String> {
        let Some(node) = node else { return Vec::new() };
        let problem = self.problem();
        let mut parts: Vec<String> = problem
            .events(node)
            .iter()
            .filter_map(|e| self.words.event(&e.kind))
            .collect();
        let begins = |sym: &&Sym| {
            let section = Section::new(Expr::sym(**sym), Expr::sym(**sym));
            node != FlowGraph::ENTRY && problem.terms.defined_at(&section, node) && !declared.contains(sym)
        };
        parts.extend(
            self.symbols
                .iter()
                .filter(begins)
                .map(|s| format!("defines({})", self.words.named(*s))),
        );
        parts
    }

    /// The symbols that have other values in each iteration of a loop, and whether it surely has one.
    fn of_loop(&self, stmt: StmtId) -> (Vec<Sym>, bool) {
        let problem = self.problem();
        let graph = problem.flow.graph;
        let inside = |header: NodeId| {
            let heads = [graph.cond_of(stmt), graph.init_of(stmt), graph.step_of(stmt)];
            let gap = graph.gap(Place::Before(stmt));
            let preds = &graph.node(header).preds;
            heads.contains(&Some(header)) || preds.iter().any(|p| Some(*p) == gap || heads.contains(&Some(*p)))
        };
        let Some((index, facts)) = problem.loops.iter().enumerate().find(|(_, l)| inside(l.header)) else {
            return (Vec::new(), false);
        };
        let varies = |sym: &&Sym| {
            let section = Section::new(Expr::sym(**sym), Expr::sym(**sym));
            problem.terms.varies(&section, index)
        };
        (self.symbols.iter().filter(varies).copied().collect(), facts.runs)
    }

    /// `if (reads(0, 1))`; the condition is `c` where nothing is done in it.
    fn head_of(&self, word: &str, stmt: StmtId) -> Head {
        let parts = self.at(self.problem().flow.graph.cond_of(stmt), &[]);
        let cond = if parts.is_empty() {
            "c".to_owned()
        } else {
            parts.join(", ")
        };
        Head {
            text: format!("{word} ({cond})"),
            acts: !parts.is_empty(),
        }
    }

    /// `for (int t; c; )`, whatever loop it is.
    fn loop_head(&self, stmt: StmtId) -> Head {
        let graph = self.problem().flow.graph;
        let (varying, runs) = self.of_loop(stmt);
        let names: Vec<String> = varying.iter().map(|s| self.words.named(*s)).collect();
        let init = if names.is_empty() {
            String::new()
        } else {
            format!("int {}", names.join(", "))
        };
        let (cond, step) = (
            self.at(graph.cond_of(stmt), &varying),
            self.at(graph.step_of(stmt), &varying),
        );
        let acts = !cond.is_empty() || !step.is_empty();
        let cond = match cond.is_empty() {
            true if runs => "surely".to_owned(),
            true => "c".to_owned(),
            false => cond.join(", "),
        };
        Head {
            text: format!("for ({init}; {cond}; {})", step.join(", ")),
            acts,
        }
    }

    fn siblings(&mut self, stmts: &[StmtId], depth: usize) {
        let (first, last) = self.of.run;
        let mut depth = depth;
        for stmt in stmts {
            if *stmt == first {
                self.line(depth, "{ /* residency */");
                depth += 1;
            }
            self.stmt(*stmt, depth);
            if *stmt == last {
                depth -= 1;
                self.line(depth, "}");
            }
        }
    }

    fn events(&mut self, node: Option<NodeId>, depth: usize) {
        for part in self.at(node, &[]) {
            self.line(depth, &format!("{part};"));
        }
    }

    fn body(&mut self, stmt: StmtId, depth: usize) {
        match self.of.tree.stmt(stmt).kind {
            StmtKind::Block => {
                let children = &self.of.tree.stmt(stmt).children;
                self.siblings(children, depth);
            }
            _ => self.siblings(&[stmt], depth),
        }
    }

    /// A statement with its body. Where nothing is done in the body, and its head does nothing either, it is left out.
    fn braced(&mut self, head: &Head, body: StmtId, depth: usize) {
        let before = self.out.len();
        self.line(depth, &format!("{} {{", head.text));
        let inside = self.out.len();
        self.body(body, depth + 1);
        match self.out.len() == inside && !head.acts {
            true => self.out.truncate(before),
            false => self.line(depth, "}"),
        }
    }

    fn stmt(&mut self, stmt: StmtId, depth: usize) {
        let (tree, graph) = (self.of.tree, self.problem().flow.graph);
        for before in [graph.clauses_of(stmt), graph.region(stmt)] {
            self.events(before, depth);
        }
        let node = graph.of_stmt(stmt);
        if node.is_some_and(|n| matches!(graph.node(n).kind, NodeKind::Whole(_))) {
            return self.leaf(node, depth);
        }
        match &tree.stmt(stmt).kind {
            StmtKind::Block => {
                self.line(depth, "{");
                self.body(stmt, depth + 1);
                self.line(depth, "}");
            }
            StmtKind::If { then, other, .. } => {
                let head = self.head_of("if", stmt);
                let start = self.out.len();
                self.braced(&head, *then, depth);
                if let Some(other) = other {
                    let alone = self.out.len() == start;
                    if alone {
                        self.line(depth, &format!("{} ;", head.text));
                    }
                    let (before, text) = (self.out.len(), "else".to_owned());
                    self.braced(&Head { text, acts: false }, *other, depth);
                    if alone && self.out.len() == before {
                        self.out.truncate(start);
                    }
                }
            }
            StmtKind::Switch { body, .. } => {
                let head = self.head_of("switch", stmt);
                self.braced(&head, *body, depth);
            }
            StmtKind::For { body, .. } | StmtKind::While { body, .. } => {
                self.events(graph.init_of(stmt), depth);
                let head = self.loop_head(stmt);
                self.braced(&head, *body, depth);
            }
            StmtKind::DoWhile { body, .. } => {
                self.line(depth, "do {");
                let (varying, _) = self.of_loop(stmt);
                for sym in varying {
                    let name = self.words.named(sym);
                    self.line(depth + 1, &format!("defines({name});"));
                }
                self.body(*body, depth + 1);
                let tail = self.head_of("} while", stmt);
                self.line(depth, &format!("{};", tail.text));
            }
            StmtKind::Case { .. } => self.line(depth, "case 1:;"),
            StmtKind::Default => self.line(depth, "default:;"),
            StmtKind::Label { name } => self.line(depth, &format!("{name}:;")),
            StmtKind::Goto { label } => self.jump(node, &format!("goto {label};"), depth),
            StmtKind::Break => self.jump(node, "break;", depth),
            StmtKind::Continue => self.jump(node, "continue;", depth),
            StmtKind::Return { .. } => self.jump(node, "return;", depth),
            _ => self.leaf(node, depth),
        }
    }

    fn jump(&mut self, node: Option<NodeId>, jump: &str, depth: usize) {
        self.events(node, depth);
        self.line(depth, jump);
    }

    fn leaf(&mut self, node: Option<NodeId>, depth: usize) {
        let parts = self.at(node, &[]);
        if !parts.is_empty() {
            self.line(depth, &format!("{};", parts.join(", ")));
        }
    }
}
