//! Data directives that somebody wrote: when `rewrite` plans them anew, and when it leaves them as they are.

use super::{LOOP, Ran, Sandbox};

/// [`LOOP`] with a region in its loop.
fn region(maps: &str) -> String {
    LOOP.replace(
        "    #pragma omp target teams distribute parallel for map(tofrom: a[0:n])\n",
        &format!("    #pragma omp target data {maps}\n    #pragma omp target teams distribute parallel for\n"),
    )
}

#[test]
fn a_region_leaves_the_loop_unless_it_is_to_stay() {
    let toml = "[options]\nkeep-directives = true\n";
    let sandbox = Sandbox::new(&[
        ("a.c", &region("map(tofrom: a[0:n])")),
        ("kept/a.c", &region("map(tofrom: a[0:n])")),
        ("kept/ompmemopt.toml", toml),
    ]);
    let Ran { code, out, err } = sandbox.run(&["rewrite", "-v", "a.c"]);
    assert_eq!(code, 1, "{err}");
    assert!(
        out.contains("+  #pragma omp target data map(tofrom: a[0:n])\n   for (int t"),
        "{out}"
    );
    assert!(
        out.contains("-    #pragma omp target data map(tofrom: a[0:n])\n"),
        "{out}"
    );
    insta::assert_snapshot!(err, @"
    a.c:10:3: change: `a` stays on the device over 1 kernel: copied in on entry, copied out at the end, 0 updates inside [main/a]
    a.c:11:5: change: `#pragma omp target data map(tofrom: a[0:n])` is planned anew: less is copied [main/directives]
    1 file: 1 would change
    ");
    for args in [
        &["rewrite", "--keep-directives", "-v", "a.c"][..],
        &["rewrite", "-v", "kept/a.c"],
        &["rewrite", "--no-speculation", "-v", "a.c"],
    ] {
        let Ran { code, out, err } = sandbox.run(args);
        assert_eq!((code, out.as_str()), (0, ""), "{args:?}");
        assert!(err.contains("[managed-by-hand]"), "{args:?}: {err}");
    }
}

#[test]
fn what_the_result_depends_on_stays() {
    // A step on trial: the host goes on from what it has.
    let trial = region("map(to: a[0:n])");
    let sandbox = Sandbox::new(&[("a.c", &trial)]);
    let Ran { code, out, err } = sandbox.run(&["rewrite", "-v", "a.c"]);
    assert_eq!((code, out.as_str()), (0, ""));
    insta::assert_snapshot!(err, @"
    a.c:12:5: remark: `a` is left as it is: the directive `#pragma omp target data map(to: a[0:n])` manages it by hand, and it is not sure that the program does the same without it [hand-may-matter]
    1 file: nothing to change, 1 remark
    ");
}

#[test]
fn what_is_best_already_stays() {
    let best = LOOP.replace(
        "  for (int t",
        "  #pragma omp target data map(tofrom: a[0:n])\n  for (int t",
    );
    let sandbox = Sandbox::new(&[("a.c", &best)]);
    let Ran { code, out, err } = sandbox.run(&["rewrite", "-v", "a.c"]);
    assert_eq!((code, out.as_str()), (0, ""));
    insta::assert_snapshot!(err, @"
    a.c:12:5: remark: `a` is left as it is: the directive `#pragma omp target data map(tofrom: a[0:n])` manages it by hand, and no other plan is expected to copy less [hand-copies-least]
    1 file: nothing to change, 1 remark
    ");
}

#[test]
fn new_directives_name_the_device_that_all_name() {
    let on = |device: &str| LOOP.replace("parallel for map", &format!("parallel for device({device}) map"));
    let sandbox = Sandbox::new(&[("a.c", &on("n - 1000")), ("b.c", &on("n % (t + 1)"))]);
    let one = sandbox.run(&["rewrite", "a.c"]);
    assert!(
        one.out
            .contains("+  #pragma omp target data map(tofrom: a[0:n]) device(n - 1000)\n"),
        "{}",
        one.out
    );
    let several = sandbox.run(&["rewrite", "-v", "b.c"]);
    assert_eq!((several.code, several.out.as_str()), (0, ""));
    assert!(several.err.contains("[device-clause]"), "{}", several.err);
}
