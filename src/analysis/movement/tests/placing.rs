//! Where copies go, rule by rule.

use super::{LATE, PlacementMode, Return, Upload, placed};

/// The worked example of docs/architecture.md.
const RELAX: &str = "
    writes(0, n);
    {
        for (int t = 0; t < s; t++) {
            writes(0, 1);
            kernel(0, n, 0, n);
            if (c)
                reads(k, k + 1);
        }
    }
    reads(0, n);";

#[test]
fn narrow_host_accesses_cost_what_they_touch() {
    let expected = "in: all\nto [0, 1) before kernel(0, n, 0, n);\nfrom [k, k+1) before reads(k, k + 1);\nout: all\n";
    assert_eq!(placed(RELAX, LATE, true), expected);
}

#[test]
fn without_speculation_nothing_is_copied_for_a_loop_that_may_not_run() {
    let shown = placed(RELAX, LATE, false);
    assert!(!shown.starts_with("in: all"), "{shown}");
}

#[test]
fn a_loop_that_surely_runs_needs_no_bet() {
    let body = "
    writes(0, n);
    {
        do {
            kernel(0, n, 0, n);
        } while (c);
    }
    reads(0, n);";
    assert_eq!(placed(body, LATE, false), "in: all\nout: all\n");
}

#[test]
fn a_loop_before_that_does_nothing_does_not_hide_what_the_next_one_needs() {
    let body = "
    writes(0, n);
    {
        for (int u = 0; u < s; u++)
            ;
        for (int t = 0; t < s; t++)
            kernel(0, n, 0, n);
    }
    reads(0, n);";
    assert_eq!(placed(body, LATE, true), "in: all\nout: all\n");
}

#[test]
fn what_the_host_overwrites_first_is_not_copied_in() {
    let body = "
    writes(0, n);
    {
        kernel(0, 4, 0, 4);
        writes(4, n);
        kernel(0, n, 0, n);
    }
    reads(0, n);";
    let expected = "to [0, 4) before kernel(0, 4, 0, 4);\nto [4, n) before kernel(0, n, 0, n);\nout: all\n";
    assert_eq!(placed(body, LATE, true), expected);
}

#[test]
fn results_that_nobody_reads_stay() {
    let body = "
    writes(0, n);
    {
        kernel(0, n, 0, n);
        kernel(0, n, 0, n);
    }
    writes(0, n);
    reads(0, n);";
    assert_eq!(placed(body, LATE, true), "in: all\n");
}

#[test]
fn a_partial_write_needs_the_rest_or_comes_back_alone() {
    // R4: the borders are not written, so they must not come back unless they went in.
    let body = "
    writes(0, n);
    {
        kernel(0, 0, 1, n - 1);
    }
    reads(0, n);";
    assert_eq!(
        placed(body, LATE, true),
        "from [1, n-1) after kernel(0, 0, 1, n - 1);\n"
    );
}

#[test]
fn a_write_that_may_not_happen_needs_what_is_there() {
    let body = "
    writes(0, n);
    {
        kernel_may(0, 0, 0, n);
    }
    reads(0, n);";
    assert_eq!(placed(body, LATE, true), "in: all\nout: all\n");
}

#[test]
fn where_merges_disagree_the_copy_stands_on_the_branch() {
    // After the `if` neither direction would be right (`docs/architecture.md`, "How copies are placed").
    let body = "
    writes(0, n);
    {
        if (c)
            kernel(0, n, 0, n);
        else
            writes(0, n);
        kernel(0, n, 0, n);
    }
    reads(0, n);";
    let early = PlacementMode {
        uploads: Upload::Early,
        ..LATE
    };
    let expected = "to [0, n) after writes(0, n);\nto [0, n) before kernel(0, n, 0, n);\nout: all\n";
    assert_eq!(placed(body, early, true), expected);
    let late = placed(body, LATE, true);
    assert!(late.starts_with("conflict: "), "{late}");
}

#[test]
fn results_do_not_sink_below_a_path_without_kernels() {
    let body = "
    writes(0, n);
    {
        if (c)
            kernel(0, n, 0, n);
        reads(0, 1);
    }
    reads(0, n);";
    let shown = placed(body, LATE, false);
    assert!(shown.contains("after kernel(0, n, 0, n);"), "{shown}");
    assert!(!shown.contains("out: all"), "{shown}");
}

#[test]
fn after_each_kernel_everything_that_may_be_read_comes_back() {
    let body = "
    writes(0, n);
    {
        kernel(0, n, 0, n);
        reads(0, 1);
    }
    reads(0, n);";
    let eager = PlacementMode {
        results: Return::AfterEachKernel,
        ..LATE
    };
    assert_eq!(placed(body, eager, true), "in: all\nfrom [0, n) before reads(0, 1);\n");
}

#[test]
fn without_updates_the_host_cannot_look_inside() {
    let body = "
    writes(0, n);
    {
        kernel(0, n, 0, n);
        reads(0, 1);
    }
    reads(0, n);";
    let ends = PlacementMode { updates: false, ..LATE };
    let expected =
        "conflict: the host reads here what may be newer on the device, and no copy can be shown to be right\n";
    assert_eq!(placed(body, ends, true), expected);
}

#[test]
fn an_element_named_by_a_counter_is_copied_where_the_counter_is() {
    let body = "
    writes(0, n);
    {
        for (int t = 0; t < s; t++) {
            kernel(0, n, 0, n);
            writes(t, t + 1);
        }
    }
    reads(0, n);";
    // Before the next kernel `t` is another: too late.
    let late = placed(body, LATE, true);
    assert!(late.starts_with("conflict: "), "{late}");
    let early = PlacementMode {
        uploads: Upload::Early,
        ..LATE
    };
    assert_eq!(
        placed(body, early, true),
        "in: all\nto [t, t+1) after writes(t, t + 1);\nout: all\n"
    );
}

#[test]
fn what_two_parts_bring_together_is_not_brought_again() {
    // That `n` is 12 at least is not known, nor that `n` is `k` + 2.
    let body = "
    writes(0, n);
    {
        kernel(0, 0, 0, 3);
        kernel(0, 12, 0, 0);
    }
    reads(0, n);";
    assert_eq!(
        placed(body, LATE, false),
        "to [3, 12) before kernel(0, 0, 0, 3);\nfrom [0, 3) after kernel(0, 12, 0, 0);\n"
    );
    let body = body.replace("12", "k + 12").replace("3)", "k + 2)");
    assert_eq!(
        placed(&body, LATE, false),
        "to [k+2, k+12) before kernel(0, 0, 0, k + 2);\nfrom [0, k+2) after kernel(0, k + 12, 0, 0);\n"
    );
}
