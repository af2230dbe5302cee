//! `verify`: right and wrong rewritings, and programs that do not build.

use super::{LOOP, Sandbox};

#[test]
fn a_rewritten_program_is_verified_and_counted() {
    let sandbox = Sandbox::new(&[("a.c", LOOP)]);
    let ran = sandbox.run(&["verify", "a.c", "--output-format", "json"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let report: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(report["before"]["h2d_bytes"], 80000);
    assert!(report["after"]["h2d_bytes"].as_u64().unwrap() <= 8000, "{report}");
    assert_eq!(report["runs"].as_array().unwrap().len(), 6);
}

#[test]
fn a_wrong_rewriting_is_found() {
    let wrong = LOOP.replace("map(tofrom: a[0:n])", "map(to: a[0:n])");
    let sandbox = Sandbox::new(&[("a.c", LOOP), ("new/a.c", &wrong)]);
    let ran = sandbox.run(&["verify", "a.c", "--rewritten", "new/a.c"]);
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(
        ran.out.contains("DIFFERENT") && ran.out.contains("rewritten program, plain run"),
        "{}",
        ran.out
    );
    assert!(
        ran.out
            .contains("moved: 160000 B in 20 copies before, 80000 B in 10 copies after"),
        "{}",
        ran.out
    );
}

#[test]
fn headers_and_arguments_reach_the_program() {
    let text = LOOP
        .replace("#include <stdio.h>", "#include <stdio.h>\n#include \"size.h\"")
        .replace("int main(void)", "int main(int argc, char **argv)")
        .replace("int n = 1000;", "int n = argc > 2 ? atoi(argv[2]) : SIZE;");
    let sandbox = Sandbox::new(&[("sub/a.c", &text), ("sub/size.h", "#define SIZE -1\n")]);
    let ran = sandbox.run(&["verify", "sub/a.c", "--args", "'an argument' 10"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("moved: 1600 B in 20 copies before"), "{}", ran.out);
}

#[test]
fn what_does_not_build_or_fit_exits_with_two() {
    let sandbox = Sandbox::new(&[("a.c", LOOP), ("half.c", "int helper(void) { return 1; }\n")]);
    let unlinked = sandbox.run(&["verify", "half.c"]);
    assert!(
        unlinked.code == 2 && unlinked.err.contains("does not compile"),
        "{}",
        unlinked.err
    );
    let uneven = sandbox.run(&["verify", "a.c", "half.c", "--rewritten", "a.c"]);
    assert!(
        uneven.code == 2 && uneven.err.contains("--rewritten names 1 files"),
        "{}",
        uneven.err
    );
    let quote = sandbox.run(&["verify", "a.c", "--args", "'x"]);
    assert!(quote.code == 2 && quote.err.contains("a quote is not closed"));
    assert_eq!(sandbox.run(&["verify", "none.c"]).code, 2);
}
