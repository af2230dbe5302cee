//! Movement problems as text ([`super::text`]), and what is placed for them as text.
//!
//! `to(0, 1)` and `from(0, 1)` are copies that stand there, for problems whose copies are given. Where nothing is said of the extent,
//! it is `[0, n)`, `n` is at least 8, and names other than counters lie in `[1, n - 2]`. The residency is the block with the comment, or else the
//! first block.

mod budget;
mod checking;
mod dumped;
mod kept;
mod placing;
mod reading;

use super::check::check;
use super::demand::Demand;
use super::place::place;
use super::placement::{Boundary, Conflict, Copy, Placement, PlacementMode, Return, Upload};
use crate::program::graph::{NodeId, NodeKind, Place};
use crate::symbolic::{Expr, Section, SpacingStyle, Sym, print_expr};
use reading::Text;

/// Copies as late as possible in both directions.
const LATE: PlacementMode = PlacementMode::new(Return::Late, Upload::Late);

impl Text {
    fn place(&self, mode: PlacementMode, speculate: bool) -> Result<Placement, Conflict> {
        self.with(speculate, |problem, span| {
            place(problem, &Demand::solve(problem, span), span, mode)
        })
    }

    /// The copies that stand in the text.
    fn copies(&self) -> Vec<Copy> {
        let mut copies = Vec::new();
        for node in self.graph.ids() {
            for call in self.calls(node).iter().filter(|c| c.what == "to" || c.what == "from") {
                let stmt = self.graph.stmt_of(node).expect("a statement");
                copies.push(Copy {
                    gap: self.graph.gap(Place::Before(stmt)).expect("a gap"),
                    cell: 0,
                    up: call.what == "to",
                    section: self.section(&call.arguments),
                    ordered: true,
                });
            }
        }
        copies
    }

    /// Whether the copies in the text are right where all is copied in and out at the ends, or not.
    fn check(&self, copies_in: bool, copies_out: bool) -> Result<(), Conflict> {
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
            let name = |s: Sym| self.names.borrow().get(s.0 as usize).cloned();
            print_expr(e, &name, SpacingStyle::default()).expect("printable")
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

/// What is placed for a problem.
fn placed(body: &str, mode: PlacementMode, speculate: bool) -> String {
    let text = Text::parse(body);
    let placement = text.place(mode, speculate);
    text.show(&placement)
}

/// Where the copies in a problem are wrong, and why; nothing if they are right.
fn checked(body: &str, ends: (bool, bool)) -> String {
    let text = Text::parse(body);
    let Err(conflict) = text.check(ends.0, ends.1) else {
        return String::new();
    };
    let stmt = text.graph.stmt_of(conflict.node).expect("a place in the text");
    let span = text.tree.stmt(stmt).span;
    let line = text.text[span.start..span.end].lines().next().unwrap_or_default();
    format!("{line} {}", conflict.reason)
}
