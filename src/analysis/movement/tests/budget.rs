//! No path pays for more than its kernels would copy.

use super::super::budget::{Measure, WHOLE, is_paid};
use super::super::estimate::expected_elements;
use super::{LATE, Mode, Return, Text};
use crate::program::graph::NodeId;

/// Places in this mode, then asks whether kernels that copy in and out for themselves pay for it.
fn paid(body: &str, mode: Mode, speculate: bool) -> bool {
    let mut text = Text::parse(body);
    let placement = text.place(mode, speculate).expect("a placement");
    text.with(speculate, |problem, span| {
        let pays = |n: NodeId| if problem.launches(n) { 2 * WHOLE } else { 0 };
        let measure = Measure {
            pays: &pays,
            elements: &expected_elements,
        };
        is_paid(problem, span, &placement, 0, &measure)
    })
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
    let at_once = Mode {
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
    let mut text = Text::parse(body);
    let placement = text.place(LATE, false).expect("a placement");
    let nothing = |_: NodeId| 0;
    assert!(!text.with(false, |problem, span| {
        let measure = Measure {
            pays: &nothing,
            elements: &expected_elements,
        };
        is_paid(problem, span, &placement, 0, &measure)
    }));
}
