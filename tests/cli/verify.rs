//! `verify`: right and wrong rewritings, programs that prove nothing, and such that do not build.

use super::{LOOP, Ran, Sandbox};

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

/// A program that does `before` its kernel and `after` it, and prints what the kernel made.
fn around(before: &str, after: &str) -> String {
    format!(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n#include <omp.h>\n\
         int main(int argc, char **argv)\n{{\n  int a[4] = {{1, 2, 3, 4}};\n  {before}\n  \
         #pragma omp target map(tofrom: a)\n  a[0] += 5;\n  printf(\"%d\\n\", a[0]);\n  {after}\n  return 0;\n}}\n"
    )
}

/// What `verify` says of a program in words.
fn said(text: &str, more: &[&str]) -> Ran {
    let sandbox = Sandbox::new(&[("a.c", text)]);
    sandbox.run(&[&["verify", "a.c"], more].concat())
}

/// What it says in JSON, and its exit code.
fn said_in_json(text: &str) -> (i32, serde_json::Value) {
    let ran = said(text, &["--output-format", "json"]);
    (ran.code, serde_json::from_str(&ran.out).expect(&ran.err))
}

/// Asserts that nothing is proved, with these words for the reason and in the advice.
fn assert_inconclusive(text: &str, more: &[&str], reason: &str, advice: &str) {
    let ran = said(text, more);
    assert_eq!(ran.code, 2, "{}{}", ran.out, ran.err);
    let verdict = format!("verdict: inconclusive: {reason}\n");
    assert!(ran.out.contains(&verdict), "{}", ran.out);
    let last = ran.out.lines().last().unwrap_or_default();
    assert!(
        last.starts_with("nothing was proved; ") && last.contains(advice),
        "{last}"
    );
    assert!(!ran.out.contains(" OK "), "{}", ran.out);
}

#[test]
fn machines_are_told_the_verdict_too() {
    let (code, json) = said_in_json(&around("", ""));
    assert_eq!(
        (code, &json["verdict"], &json["verified"]),
        (0, &"same".into(), &true.into())
    );
    assert!(json["advice"].is_null(), "{json}");
    let (code, json) = said_in_json(&around("abort();", ""));
    assert_eq!(
        (code, &json["verdict"], &json["verified"]),
        (2, &"inconclusive".into(), &false.into())
    );
    assert_eq!(json["reason"], "the sequential program was ended by signal 6");
    assert!(json["advice"].as_str().unwrap().contains("--args"), "{json}");
}

#[test]
fn a_proof_is_said_in_words() {
    let ran = said(&around("", ""), &[]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(
        ran.out.ends_with(
            "verdict: same: in 3 runs the rewritten program printed what the reference printed, and ended as it did, \
             successfully\n"
        ),
        "{}",
        ran.out
    );
}

#[test]
fn an_endless_program_proves_nothing() {
    let reason = "the sequential program did not end within 1 s";
    assert_inconclusive(
        &around("for (;;) pause();", ""),
        &["--timeout", "1"],
        reason,
        "--timeout",
    );
}

#[test]
fn a_program_that_sleeps_too_long_proves_nothing() {
    let reason = "the sequential program did not end within 1 s";
    assert_inconclusive(&around("", "sleep(30);"), &["--timeout", "1"], reason, "--timeout");
}

#[test]
fn a_program_that_says_how_to_call_it_proves_nothing() {
    let usage = around("if (argc < 2) { fprintf(stderr, \"usage: a N\\n\"); return 3; }", "");
    let reason = "the program ended with exit status 3 before its first kernel";
    assert_inconclusive(&usage, &[], reason, "--args");
    let ran = said(&usage, &["--args", "1"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
}

#[test]
fn a_program_that_crashes_either_way_proves_nothing() {
    let reason = "the sequential program was ended by signal 6";
    assert_inconclusive(&around("abort();", ""), &[], reason, "--args");
    assert_inconclusive(&around("", "fflush(stdout); abort();"), &[], reason, "--stdin");
}

#[test]
fn a_program_without_kernels_proves_nothing() {
    let none = "#include <stdio.h>\nint main(void) { puts(\"1\"); return 0; }\n";
    assert_inconclusive(none, &[], "no kernel was launched", "--args");
    let skipped = around("if (argc < 2) { puts(\"nothing to do\"); return 0; }", "");
    assert_inconclusive(&skipped, &[], "no kernel was launched", "--args");
}

#[test]
fn a_program_that_prints_nothing_proves_nothing() {
    let silent = around("", "").replace("printf", "(void)snprintf(0, 0, ");
    let silent = silent.replace("snprintf(0, 0, (", "snprintf(0, 0, ");
    let reason = "the sequential program printed nothing, so there was nothing to compare";
    assert_inconclusive(&silent, &[], reason, "print its results");
}

#[test]
fn a_program_that_cannot_be_counted_proves_nothing() {
    let reason = "whether a kernel ran is not known, because the program ended with _exit()";
    assert_inconclusive(&around("", "fflush(stdout); _exit(0);"), &[], reason, "exit()");
}

#[test]
fn an_exit_status_is_compared_and_said() {
    let ran = said(&around("", "return 4;"), &[]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(
        ran.out.contains("and ended as it did, with exit status 4\n"),
        "{}",
        ran.out
    );
    let sandbox = Sandbox::new(&[("a.c", &around("", "return 4;")), ("b.c", &around("", "return 5;"))]);
    let other = sandbox.run(&["verify", "a.c", "--rewritten", "b.c"]);
    assert_eq!(other.code, 1, "{}{}", other.out, other.err);
    let words = "verdict: different: rewritten program, plain run: ended with exit status 5, expected exit status 4";
    assert!(other.out.contains(words), "{}", other.out);
}

#[test]
fn what_crashes_or_hangs_only_when_rewritten_is_different() {
    for (rewritten, limit, words) in [
        (around("abort();", ""), "60", "ended with signal 6"),
        (around("for (;;) pause();", ""), "5", "ended with time-out"),
        (
            around("", "puts(\"more\");"),
            "60",
            "output line 2 is \"more\", expected nothing",
        ),
    ] {
        let sandbox = Sandbox::new(&[("a.c", &around("", "")), ("b.c", &rewritten)]);
        let args = ["verify", "a.c", "--rewritten", "b.c", "--timeout", limit];
        let ran = sandbox.run(&args);
        assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
        let verdict = format!("verdict: different: rewritten program, plain run: {words}");
        assert!(ran.out.contains(&verdict), "{}", ran.out);
    }
}

#[test]
fn an_original_that_is_wrong_itself_is_said() {
    let wrong = LOOP.replace("map(tofrom: a[0:n])", "map(to: a[0:n])");
    let sandbox = Sandbox::new(&[("a.c", &wrong), ("new/a.c", LOOP)]);
    let ran = sandbox.run(&["verify", "a.c", "--rewritten", "new/a.c"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(
        ran.out
            .contains("note: on the device, the original itself does not do what the reference does"),
        "{}",
        ran.out
    );
}

#[test]
fn copies_are_counted_by_array_where_that_is_asked_for() {
    let sandbox = Sandbox::new(&[("a.c", LOOP)]);
    let ran = sandbox.run(&["verify", "a.c", "--by-array"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let rows: Vec<&str> = ran.out.lines().skip_while(|line| !line.starts_with("array")).collect();
    insta::assert_snapshot!(rows.join("\n"));
    let ran = sandbox.run(&["verify", "a.c", "--by-array", "--output-format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let array = &report["arrays"][0];
    assert_eq!(
        (&array["names"][0], &array["before"]["h2d_calls"]),
        (&"a".into(), &10.into())
    );
    assert_eq!(array["after"]["d2h_bytes"], array["floor"]["d2h_floor"]);
}

#[test]
fn a_program_that_proves_nothing_is_not_counted_by_array() {
    let ran = said("int main(void) { return 3; }\n", &["--by-array"]);
    assert_eq!(ran.code, 2, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("not counted by array: "), "{}", ran.out);
}
