//! Given copies: which are right, and what is wrong with the others.

use super::checked;

/// Ends that copy in, out.
const NONE: (bool, bool) = (false, false);
const IN: (bool, bool) = (true, false);
const OUT: (bool, bool) = (false, true);
const BOTH: (bool, bool) = (true, true);

const HOST_READS: &str = "the host reads here what may be newer on the device, and no copy can be shown to be right";
const HOST_WRITES: &str = "the host may write part of what is newer on the device here";
const KERNEL_NEEDS: &str = "the kernel needs here what may be newer on the host, and no copy can be shown to be right";
const OVERWRITES: &str = "a copy here may overwrite something newer";
const LOST: &str = "results that the host may read are lost at the end";

fn is_right(body: &str, ends: (bool, bool)) {
    assert_eq!(checked(body, ends), "");
}

fn is_wrong(body: &str, ends: (bool, bool), at: &str, why: &str) {
    assert_eq!(checked(body, ends), format!("{at} {why}"));
}

#[test]
fn copies_at_the_ends_are_enough_for_kernels() {
    let body = "
    writes(0, n);
    {
        kernel(0, n, 0, n);
        kernel(0, n, 1, n - 1);
    }
    reads(0, n);";
    is_right(body, BOTH);
    is_wrong(body, OUT, "kernel(0, n, 0, n);", KERNEL_NEEDS);
    is_wrong(body, IN, "kernel(0, n, 1, n - 1);", LOST);
}

#[test]
fn what_kernels_write_in_full_need_not_come_in() {
    let body = "
    writes(0, n);
    {
        kernel(0, 0, 0, n);
    }
    reads(0, n);";
    is_right(body, OUT);
}

#[test]
fn what_kernels_write_in_part_must_come_in_if_all_comes_back() {
    let body = |copy: &str| {
        format!(
            "
    writes(0, n);
    {{
        kernel(0, 0, 1, n - 1);
        {copy}
        ;
    }}
    reads(0, n);"
        )
    };
    is_right(&body(""), BOTH);
    is_right(&body("from(1, n - 1);"), NONE);
    assert_eq!(
        checked(&body(""), OUT),
        "; the copy out at the end may overwrite something newer"
    );
    is_wrong(&body("from(0, n);"), NONE, "from(0, n);", OVERWRITES);
    is_wrong(&body("from(1, n - 2);"), NONE, ";", LOST);
}

#[test]
fn results_that_nobody_reads_may_stay() {
    let body = "
    writes(0, n);
    {
        kernel(0, n, 0, n);
    }
    writes(0, n);
    reads(0, n);";
    is_right(body, IN);
}

#[test]
fn host_reads_between_kernels_need_what_they_read() {
    let body = |copy: &str| {
        format!(
            "
    writes(0, n);
    {{
        kernel(0, n, 0, n);
        {copy}
        reads(k, k + 1);
        kernel(0, n, 0, n);
    }}
    reads(0, n);"
        )
    };
    is_right(&body("from(k, k + 1);"), BOTH);
    is_right(&body("from(0, n);"), BOTH);
    is_wrong(&body(""), BOTH, "reads(k, k + 1);", HOST_READS);
    is_wrong(&body("from(k + 1, k + 2);"), BOTH, "reads(k, k + 1);", HOST_READS);
}

#[test]
fn host_writes_between_kernels_must_go_up() {
    let body = |copy: &str| {
        format!(
            "
    writes(0, n);
    {{
        kernel(0, n, 0, n);
        writes(0, 1);
        {copy}
        kernel(0, n, 0, n);
    }}
    reads(0, n);"
        )
    };
    is_right(&body("to(0, 1);"), BOTH);
    is_wrong(&body(""), BOTH, "kernel(0, n, 0, n);", KERNEL_NEEDS);
    is_wrong(&body("to(0, n);"), BOTH, "to(0, n);", OVERWRITES);
    is_wrong(&body("from(0, n);"), BOTH, "from(0, n);", OVERWRITES);
    is_right(&body("from(1, n); to(0, n);"), BOTH);
}

#[test]
fn a_host_write_that_may_not_happen_needs_what_is_there() {
    let body = |copy: &str| {
        format!(
            "
    writes(0, n);
    {{
        kernel(0, n, 0, n);
        {copy}
        may_write(k, k + 1);
        to(k, k + 1);
        kernel(0, n, 0, n);
    }}
    reads(0, n);"
        )
    };
    is_right(&body("from(k, k + 1);"), BOTH);
    is_wrong(&body(""), BOTH, "may_write(k, k + 1);", HOST_WRITES);
}

#[test]
fn a_kernel_that_may_not_write_needs_what_is_there() {
    let body = "
    writes(0, n);
    {
        kernel_may(0, 0, 0, n);
    }
    reads(0, n);";
    is_right(body, BOTH);
    is_wrong(body, OUT, "kernel_may(0, 0, 0, n);", KERNEL_NEEDS);
}

#[test]
fn a_loop_that_may_not_run_leaves_what_was_there() {
    let body = "
    writes(0, n);
    {
        for (int t = 0; t < s; t++)
            kernel(0, 0, 0, n);
    }
    reads(0, n);";
    is_right(body, BOTH);
    assert!(checked(body, OUT).ends_with("the copy out at the end may overwrite something newer"));
    let runs = "
    writes(0, n);
    {
        do {
            kernel(0, 0, 0, n);
        } while (c);
    }
    reads(0, n);";
    is_right(runs, OUT);
}

#[test]
fn copies_in_a_loop_serve_the_next_iteration() {
    let body = |copy: &str| {
        format!(
            "
    writes(0, n);
    {{
        for (int t = 0; t < s; t++) {{
            kernel(0, n, 0, n);
            writes(t, t + 1);
            {copy}
            ;
        }}
    }}
    reads(0, n);"
        )
    };
    is_right(&body("to(t, t + 1);"), BOTH);
    // Where the loop is left, too, something newer is on the host.
    is_wrong(
        &body(""),
        BOTH,
        "for (int t = 0; t < s; t++) {",
        "the copy out at the end may overwrite something newer",
    );
}

#[test]
fn both_branches_must_leave_the_same() {
    let body = |copy: &str| {
        format!(
            "
    writes(0, n);
    {{
        if (c) {{
            kernel(0, n, 0, n);
        }} else {{
            writes(0, n);
            {copy}
            ;
        }}
        kernel(0, n, 0, n);
    }}
    reads(0, n);"
        )
    };
    is_right(&body("to(0, n);"), BOTH);
    is_wrong(&body(""), BOTH, "kernel(0, n, 0, n);", KERNEL_NEEDS);
}

#[test]
fn a_counter_has_no_name_outside_of_its_loop() {
    let body = "
    writes(0, n);
    {
        kernel(0, n, 0, n);
        from(t, t + 1);
        for (int t = 1; t < s; t++)
            ;
        kernel(0, n, 0, n);
    }
    reads(0, n);";
    is_wrong(body, BOTH, "from(t, t + 1);", "what a copy here is of has no name");
}

#[test]
fn what_came_back_is_an_exception_wherever_the_rest_ends() {
    // Whether `k` elements are more than what follows `a[3]`, nobody knows; but `a[2]` alone is newer on the device behind the copy,
    // and that is overwritten.
    let body = "
    writes(0, n);
    {
        kernel(0, n, 2, k);
        from(3, k);
        writes(2, 3);
        ;
    }
    reads(3, n);";
    is_right(body, IN);
}
