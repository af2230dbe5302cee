//! Movement problems as text, and what is placed for them as text.
//!
//! A problem is a C function that only says what happens to one array of `n` elements:
//!
//! ```c
//! writes(0, n);                    // the host writes [0, n), surely; `may_write` perhaps; `reads` reads
//! {                                // the residency: the first block of the function
//!     for (int t = 0; t < s; t++) {
//!         writes(0, 1);
//!         kernel(0, n, 1, n - 1);  // reads [0, n), writes [1, n-1) surely; `kernel_may` perhaps
//!     }
//! }
//! reads(0, n);
//! ```
//!
//! `to(0, 1)` and `from(0, 1)` are copies that stand there, for problems whose copies are given.
//!
//! Bounds are sums of names and numbers. A counter varies in its loop; every other name is a value that never changes.
//! `n` is at least 8, and names other than counters lie in `[1, n - 2]`.

mod budget;
mod checking;
mod kept;
mod placing;

use super::check::check;
use super::demand::Demand;
use super::place::place;
use super::placement::{Boundary, Conflict, Copy, Mode, Placement, Return, Span, Upload};
use super::problem::{Event, EventKind, HeaderEdge, LoopFacts, Problem, Terms};
use super::sets::one;
use crate::analysis::movement::problem::NodeEvents;
use crate::analysis::movement::problem::Renamed;
use crate::program::graph::{FlowGraph, NodeId, NodeKind, Place};
use crate::program::in_loops::{in_loop, merge_node};
use crate::symbolic::{Expr, Facts, Section, SectionSet, Style, Sym, print_expr};
use crate::syntax::{self, ScopeTree, StmtId, StmtKind};
use rustc_hash::FxHashMap;

/// Copies as late as possible in both directions.
const LATE: Mode = Mode {
    results: Return::Late,
    uploads: Upload::Late,
    updates: true,
    fill: false,
    piecemeal: false,
};

/// A parsed problem.
struct Text {
    text: String,
    tree: ScopeTree,
    graph: FlowGraph,
    names: Vec<String>,
    /// Counters with their loops.
    counters: Vec<(Sym, StmtId)>,
    loops: Vec<(LoopFacts, StmtId)>,
    block: StmtId,
}

impl Text {
    fn parse(body: &str) -> Text {
        let text = format!("void f(void)\n{{\n{body}\n}}\n");
        let tree = syntax::parse(text.as_bytes(), &[]);
        assert!(
            tree.functions[0].problems.is_empty(),
            "{:?}",
            tree.functions[0].problems
        );
        let graph = FlowGraph::build(&tree, 0, &Default::default()).expect("a graph");
        let top = &tree.stmt(tree.functions[0].body).children;
        let is_block = |s: &&StmtId| tree.stmt(**s).kind == StmtKind::Block;
        let block = *top.iter().find(is_block).expect("a block that is the residency");
        let mut found = Text {
            names: vec!["n".into()],
            counters: Vec::new(),
            loops: Vec::new(),
            text,
            block,
            graph,
            tree,
        };
        for id in (0..found.tree.stmts.len() as u32).map(StmtId) {
            let kind = found.tree.stmt(id).kind.clone();
            if !kind.is_loop() {
                continue;
            }
            if let StmtKind::For { declares, .. } = &kind {
                for name in declares {
                    let sym = found.symbol(&name.name);
                    found.counters.push((sym, id));
                }
            }
            let nodes = found.graph.ids();
            let inside = nodes.filter(|n| in_loop(&found.tree, found.graph.node(*n).kind, id));
            let facts = LoopFacts {
                header: merge_node(&found.tree, &found.graph, id).expect("a header"),
                nodes: inside.collect(),
                gap_before: found.graph.gap(Place::Before(id)),
                runs: matches!(kind, StmtKind::DoWhile { .. }),
            };
            found.loops.push((facts, id));
        }
        found
    }

    fn symbol(&mut self, name: &str) -> Sym {
        let at = self.names.iter().position(|n| n == name).unwrap_or_else(|| {
            self.names.push(name.into());
            self.names.len() - 1
        });
        Sym(at as u32)
    }

    fn expr(&mut self, text: &str) -> Expr {
        let spaced = text.replace('-', "+ -");
        let terms: Vec<&str> = spaced.split('+').map(str::trim).filter(|t| !t.is_empty()).collect();
        terms.iter().fold(Expr::zero(), |sum, term| {
            let (sign, term) = term.strip_prefix('-').map_or((1, *term), |rest| (-1, rest.trim()));
            let value = match term.parse::<i128>() {
                Ok(number) => Expr::constant(number),
                Err(_) => Expr::sym(self.symbol(term)),
            };
            sum.add(&value.scale(sign).expect("small")).expect("small")
        })
    }

    /// What a statement is called with, if it is a call.
    fn called(&mut self, node: NodeId) -> Option<(String, StmtId, Vec<Expr>)> {
        let NodeKind::Leaf(stmt) = self.graph.node(node).kind else {
            return None;
        };
        let span = self.tree.stmt(stmt).span;
        let text = self.text[span.start..span.end].to_owned();
        let (what, rest) = text.split_once('(')?;
        let bounds = rest.trim_end_matches([')', ';']).split(',').map(|b| self.expr(b));
        Some((what.to_owned(), stmt, bounds.collect()))
    }

    /// The event that a statement stands for.
    fn event(&mut self, node: NodeId) -> Option<EventKind> {
        let (what, _, bounds) = self.called(node)?;
        let section = |i: usize| Section::new(bounds[i].clone(), bounds[i + 1].clone());
        let launch = |must: Vec<Section>| EventKind::Launch {
            reads: one(section(0)),
            may: one(section(2)),
            must,
        };
        Some(match what.as_str() {
            "to" | "from" => return None,
            "reads" => EventKind::HostRead { may: one(section(0)) },
            "writes" => EventKind::HostWrite {
                may: one(section(0)),
                must: vec![section(0)],
            },
            "may_write" => EventKind::HostWrite {
                may: one(section(0)),
                must: Vec::new(),
            },
            "kernel" => launch(vec![section(2)]),
            "kernel_may" => launch(Vec::new()),
            other => panic!("`{other}` is no event"),
        })
    }

    fn span(&self) -> Span {
        let children = &self.tree.stmt(self.block).children;
        let gap = |place| self.graph.gap(place).expect("a gap");
        let inside = |n: &NodeId| {
            let stmt = self.graph.stmt_of(*n);
            stmt.is_some_and(|s| s != self.block && self.tree.encloses(self.block, s))
        };
        Span {
            entry: gap(Place::Before(children[0])),
            exits: vec![gap(Place::After(*children.last().expect("a statement")))],
            nodes: self.graph.ids().filter(inside).collect(),
        }
    }

    /// Does something with the problem.
    fn with<T>(&mut self, speculate: bool, work: impl FnOnce(&Problem<'_>, &Span) -> T) -> T {
        let nodes: Vec<NodeId> = self.graph.ids().collect();
        let mut events = NodeEvents::default();
        for n in nodes {
            events
                .at_mut(n)
                .extend(self.event(n).map(|kind| Event { cell: 0, kind }));
        }
        let mut header_edges = FxHashMap::default();
        for (index, (l, _)) in self.loops.iter().enumerate() {
            for &p in &self.graph.node(l.header).preds {
                let closes = l.nodes.contains(&p).then_some(index);
                let permutation = vec![0];
                header_edges.insert((p, l.header), HeaderEdge { closes, permutation });
            }
        }
        let extent = Section::whole(Expr::sym(Sym(0)));
        let problem = Problem {
            renamed: Renamed::default(),
            graph: &self.graph,
            cells: 1,
            events,
            header_edges,
            loops: self.loops.iter().map(|(l, _)| l.clone()).collect::<Vec<_>>().into(),
            extent,
            uniform: true,
            facts: self.facts(),
            live_out: SectionSet::Empty,
            speculate,
            kept_by_callers: false,
            current_on_host: false,
            hosted: rustc_hash::FxHashSet::default(),
            terms: &*self,
        };
        work(&problem, &self.span())
    }

    fn place(&mut self, mode: Mode, speculate: bool) -> Result<Placement, Conflict> {
        self.with(speculate, |problem, span| {
            place(problem, &Demand::solve(problem, span), span, mode)
        })
    }

    /// The copies that stand in the text.
    fn copies(&mut self) -> Vec<Copy> {
        let nodes: Vec<NodeId> = self.graph.ids().collect();
        let mut copies = Vec::new();
        for node in nodes {
            let Some((what, stmt, bounds)) = self.called(node) else {
                continue;
            };
            if what == "to" || what == "from" {
                copies.push(Copy {
                    gap: self.graph.gap(Place::Before(stmt)).expect("a gap"),
                    cell: 0,
                    up: what == "to",
                    section: Section::new(bounds[0].clone(), bounds[1].clone()),
                    ordered: true,
                });
            }
        }
        copies
    }

    /// Whether the copies in the text are right where all is copied in and out at the ends, or not.
    fn check(&mut self, (copies_in, copies_out): (bool, bool)) -> Result<(), Conflict> {
        let copies = self.copies();
        self.with(true, |problem, span| {
            let end = |copies| vec![Boundary { copies }];
            let given = Placement {
                entry: end(copies_in),
                exits: span.exits.iter().map(|gap| (*gap, end(copies_out))).collect(),
                copies,
            };
            check(problem, &Demand::solve(problem, span), span, &given)
        })
    }

    fn name(&self, section: &Section) -> String {
        let print = |e: &Expr| {
            let name = |s: Sym| self.names.get(s.0 as usize).cloned();
            print_expr(e, &name, Style::default()).expect("printable")
        };
        format!("[{}, {})", print(&section.lo), print(&section.hi))
    }

    fn gap(&self, gap: NodeId) -> String {
        let NodeKind::Gap(place) = self.graph.node(gap).kind else {
            panic!("no gap");
        };
        let (word, stmt) = match place {
            Place::Before(s) => ("before", s),
            Place::After(s) => ("after", s),
            Place::Else(s) => ("else of", s),
            Place::Start(s) => ("start", s),
        };
        let span = self.tree.stmt(stmt).span;
        let line = self.text[span.start..span.end].lines().next().unwrap_or_default();
        format!("{word} {line}")
    }

    /// Arrays are large, and names are of elements in them.
    fn facts(&self) -> Facts {
        let mut facts = Facts::new();
        let extent = Section::whole(Expr::sym(Sym(0)));
        facts.assume_le(&Expr::constant(8), &extent.hi);
        for name in (1..self.names.len() as u32).map(Sym) {
            if self.counters.iter().all(|(counter, _)| *counter != name) {
                facts.assume_le(&Expr::constant(1), &Expr::sym(name));
                facts.assume_le(&Expr::sym(name), &extent.hi.offset(-2).expect("small"));
            }
        }
        facts
    }

    /// The placement, a line for each copy.
    fn show(&self, placed: &Result<Placement, Conflict>) -> String {
        let placement = match placed {
            Ok(placement) => placement,
            Err(conflict) => return format!("conflict: {}\n", conflict.reason),
        };
        let mut lines = Vec::new();
        if placement.entry[0].copies {
            lines.push("in: all".to_owned());
        }
        for copy in &placement.copies {
            let way = if copy.up { "to" } else { "from" };
            lines.push(format!("{way} {} {}", self.name(&copy.section), self.gap(copy.gap)));
        }
        if placement.exits.iter().any(|(_, b)| b[0].copies) {
            lines.push("out: all".to_owned());
        }
        lines.iter().map(|l| format!("{l}\n")).collect()
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
        let own = |(sym, stmt): &(Sym, StmtId)| *stmt == self.loops[loop_index].1 && section.mentions(*sym);
        self.counters.iter().any(own)
    }
    fn defined_at(&self, section: &Section, node: NodeId) -> bool {
        let here = |(sym, stmt): &(Sym, StmtId)| {
            section.mentions(*sym) && self.graph.init_of(*stmt).or(self.graph.cond_of(*stmt)) == Some(node)
        };
        self.counters.iter().any(here)
    }
    fn ordered(&self, section: &Section) -> bool {
        self.facts().prove_le(&section.lo, &section.hi)
    }
    fn printable(&self, section: &Section, gap: NodeId) -> bool {
        self.counters
            .iter()
            .all(|(sym, stmt)| !section.mentions(*sym) || in_loop(&self.tree, self.graph.node(gap).kind, *stmt))
    }
}

/// What is placed for a problem.
fn placed(body: &str, mode: Mode, speculate: bool) -> String {
    let mut text = Text::parse(body);
    let placement = text.place(mode, speculate);
    text.show(&placement)
}

/// Where the copies in a problem are wrong, and why; nothing if they are right.
fn checked(body: &str, ends: (bool, bool)) -> String {
    let mut text = Text::parse(body);
    let Err(conflict) = text.check(ends) else {
        return String::new();
    };
    let stmt = text.graph.stmt_of(conflict.node).expect("a place in the text");
    let span = text.tree.stmt(stmt).span;
    let line = text.text[span.start..span.end].lines().next().unwrap_or_default();
    format!("{line} {}", conflict.reason)
}
