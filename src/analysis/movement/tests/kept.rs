//! Copies in a function whose callers have the array on the device: it is current there when the function begins, and has
//! to be when it ends.

use super::super::budget::least_balance;
use super::super::problem::EventKind;
use super::{PlacementMode, Return, Text, Upload};
use crate::analysis::movement::demand::Demand;
use crate::analysis::movement::place::place;
use crate::analysis::movement::placement::{Placement, ResidencySpan};
use crate::analysis::movement::problem::Renamed;
use crate::analysis::movement::problem::{Event, Problem};
use crate::analysis::movement::set_operations::one;
use crate::program::graph::FlowGraph;
use crate::symbolic::SectionSet;

const EARLY: PlacementMode = PlacementMode {
    results: Return::Late,
    uploads: Upload::Early,
    updates: true,
    fill: false,
    piecemeal: false,
};

/// The copies, and the least balance of copies when each kernel pays for two.
fn kept(body: &str, mode: PlacementMode) -> (String, Option<i64>) {
    let text = Text::parse(body);
    let made = text.with(true, |problem, span| {
        let mut events = problem.events.clone();
        events.at_mut(FlowGraph::EXIT).push(Event {
            cell: 0,
            kind: EventKind::Launch {
                reads: one(problem.extent.clone()),
                may: SectionSet::Empty,
                must: Vec::new(),
            },
        });
        let problem = Problem {
            renamed: Renamed::default(),
            flow: problem.flow.clone(),
            cells: 1,
            events,
            header_edges: problem.header_edges.clone(),
            loops: problem.loops.clone(),
            extent: problem.extent.clone(),
            vouched: true,
            uniform: false,
            facts: problem.facts.clone(),
            live_out: SectionSet::Empty,
            speculate: true,
            kept_by_callers: true,
            current_on_host: false,
            hosted: Default::default(),
            terms: problem.terms,
        };
        let all = |exits| ResidencySpan {
            entry: span.entry,
            exits,
            nodes: problem.flow.graph.ids().collect(),
        };
        let placed = place(
            &problem,
            &Demand::solve(&problem, &all(Vec::new())),
            &all(Vec::new()),
            mode,
        );
        let pays = |n| {
            if problem.launches(n) && n != FlowGraph::EXIT {
                2
            } else {
                0
            }
        };
        let nothing = Placement::default();
        let placement = placed.as_ref().unwrap_or(&nothing);
        let balance = least_balance(&problem, &all(vec![FlowGraph::EXIT]), placement, 0, &pays);
        (placed, balance)
    });
    (text.show(&made.0), made.1)
}

#[test]
fn what_the_host_stores_goes_up_and_nothing_else() {
    let body = "{ kernel(0, n, 0, n); writes(0, 1); }";
    let (copies, balance) = kept(body, EARLY);
    assert_eq!(copies, "to [0, 1) after writes(0, 1);\n");
    assert_eq!(balance, Some(1));
}

#[test]
fn what_the_host_reads_comes_down_even_without_a_kernel() {
    let (copies, balance) = kept("{ reads(k, k + 1); }", EARLY);
    assert_eq!(copies, "from [k, k+1) before reads(k, k + 1);\n");
    assert_eq!(balance, Some(-1));
}

#[test]
fn copies_stand_under_the_conditions_of_what_they_are_for() {
    let body = "{ if (c) { reads(2, 3); writes(2, 3); } kernel(0, n, 0, n); }";
    let (copies, balance) = kept(body, EARLY);
    assert_eq!(
        copies,
        "from [2, 3) before reads(2, 3);\nto [2, 3) after writes(2, 3);\n"
    );
    assert_eq!(balance, Some(0));
}

#[test]
fn what_may_be_written_in_part_comes_down_first() {
    let (copies, _) = kept("{ may_write(1, 4); }", EARLY);
    assert_eq!(
        copies,
        "from [1, 4) before may_write(1, 4);\nto [1, 4) after may_write(1, 4);\n"
    );
}

#[test]
fn kernels_alone_need_nothing() {
    let (copies, balance) = kept("{ kernel(0, n, 1, n); kernel_may(1, n, 0, n); }", EARLY);
    assert_eq!((copies.as_str(), balance), ("", Some(4)));
}
