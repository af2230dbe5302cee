//! No path pays for more than its kernels would copy.

use super::super::budget::{Measure, is_paid};
use super::super::estimate::expected_elements;
use super::{LATE, PlacementMode, Return, Text};
use crate::analysis::payment::Payment;
use crate::program::graph::NodeId;
use crate::symbolic::Section;

/// Places in this mode, then asks whether kernels that copy in and out for themselves pay for it.
fn paid(body: &str, mode: PlacementMode, speculate: bool) -> bool {
    let text = Text::parse(body);
    let placement = text.place(mode, speculate).expect("a placement");
    text.with(speculate, |problem, span| {
        let pays = |n: NodeId| match problem.launches(n) {
            true => vec![Payment::whole(2)],
            false => Vec::new(),
        };
        let measure = Measure {
            pays: &pays,
            elements: &expected_elements,
        };
        is_paid(problem, span, &placement, 0, &measure)
    })
}

/// Places `body`, and asks whether kernels pay for it that each copy a section as often as given, in their order.
fn paid_in(body: &str, mode: PlacementMode, sections: &[(&str, &str, i64)]) -> bool {
    let text = Text::parse(body);
    let placement = text.place(mode, false).expect("a placement");
    let payments: Vec<Payment> = sections
        .iter()
        .map(|(lo, hi, copies)| Payment {
            section: Some(Section::new(text.expr(lo), text.expr(hi))),
            copies: *copies,
        })
        .collect();
    text.with(false, |problem, span| {
        let nodes = problem.flow.graph.in_order(span.nodes.iter().copied());
        let kernels: Vec<NodeId> = nodes.into_iter().filter(|n| problem.launches(*n)).collect();
        assert_eq!(kernels.len(), payments.len());
        let pays = |n: NodeId| {
            let at = kernels.iter().position(|k| *k == n);
            at.map(|at| payments[at].clone()).into_iter().collect()
        };
        let measure = Measure {
            pays: &pays,
            elements: &expected_elements,
        };
        is_paid(problem, span, &placement, 0, &measure)
    })
}

#[test]
fn a_copy_is_paid_by_what_covers_it() {
    let body = "
    writes(0, n);
    {
        kernel(0, 0, 0, k);
        kernel(0, k + 3, 0, 0);
    }
    reads(0, n);";
    // What the second kernel reads beyond `k` goes up once, what the first one wrote comes down once.
    assert!(paid_in(body, LATE, &[("0", "k", 2), ("0", "k + 3", 1)]));
    assert!(!paid_in(body, LATE, &[("0", "k", 2), ("0", "k", 1)]));
    assert!(!paid_in(body, LATE, &[("0", "1", 2), ("0", "k + 3", 1)]));
}

#[test]
fn two_parts_pay_for_what_they_are_together() {
    let body = "
    writes(0, n);
    {
        kernel(0, k, 0, 0);
        kernel(k, n, 0, 0);
        kernel(0, n, 0, 0);
    }
    reads(0, n);";
    assert!(paid_in(body, LATE, &[("0", "k", 1), ("k", "n", 1), ("0", "0", 0)]));
    assert!(!paid_in(body, LATE, &[("0", "k", 1), ("k + 1", "n", 1), ("0", "0", 0)]));
}

#[test]
fn known_numbers_of_elements_are_counted() {
    let body = "
    {
        writes(0, 1);
        kernel(0, 1, 0, 0);
        writes(1, 2);
        kernel(1, 2, 0, 0);
        writes(2, 3);
        kernel(2, 3, 0, 0);
    }";
    let none = ("0", "0", 0);
    assert!(paid_in(body, LATE, &[("0", "4", 1), none, none]));
    assert!(!paid_in(body, LATE, &[("0", "2", 1), none, none]));
}

const SECOND_MAY_NOT_RUN: &str = "
    writes(0, n);
    {
        kernel(0, n, 0, n);
        reads(k, k + 1);
        if (c)
            kernel(0, n, 1, n - 1);
    }
    reads(0, n);";

#[test]
fn an_element_and_then_all_again_is_too_much_for_one_kernel() {
    assert!(!paid(SECOND_MAY_NOT_RUN, LATE, true));
    let at_once = PlacementMode {
        results: Return::AfterEachKernel,
        ..LATE
    };
    assert!(paid(SECOND_MAY_NOT_RUN, at_once, true));
}

#[test]
fn two_kernels_pay_for_a_look_in_between() {
    let body = "
    writes(0, n);
    {
        kernel(0, n, 0, n);
        reads(k, k + 1);
        kernel(0, n, 1, n - 1);
    }
    reads(0, n);";
    assert!(paid(body, LATE, false));
}

#[test]
fn a_loop_pays_when_betting_and_not_otherwise() {
    let body = "
    writes(0, n);
    {
        do {
            kernel(0, n, 0, n);
            reads(k, k + 1);
        } while (c);
    }
    reads(0, n);";
    assert!(paid(body, LATE, true));
    assert!(
        !paid(body, LATE, false),
        "one iteration copies the element and everything"
    );
}

#[test]
fn iterations_that_only_cost_are_never_paid_for() {
    // The kernel stands before the loop: each iteration brings back another element.
    let body = "
    writes(0, n);
    {
        kernel(0, n, 0, n);
        for (int t = 0; t < s; t++) {
            reads(t, t + 1);
            kernel(0, 1, 0, 0);
        }
    }";
    let text = Text::parse(body);
    let placement = text.place(LATE, false).expect("a placement");
    let nothing = |_: NodeId| Vec::new();
    assert!(!text.with(false, |problem, span| {
        let measure = Measure {
            pays: &nothing,
            elements: &expected_elements,
        };
        is_paid(problem, span, &placement, 0, &measure)
    }));
}
