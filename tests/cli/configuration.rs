//! What users say in `ompmemopt.toml` and in comments: what it changes, and how mistakes in it are told.

use super::{LOOP, Ran, Sandbox};

/// [`LOOP`] with a call of unknown code between kernels.
fn watched(comment: &str) -> String {
    let declared = LOOP.replace(
        "int main(void)",
        &format!("{comment}void log_state(const double *, int);\n\nint main(void)"),
    );
    declared.replace(
        "      a[i] = a[i] + 1.0;\n",
        "      a[i] = a[i] + 1.0;\n    log_state(a, n);\n",
    )
}

const READS: &str = "[functions.log_state]\nreads = [\"0\"]\nwrites = []\nio = true\n";

/// Whether the array stays on the device.
fn stays(diff: &str) -> bool {
    diff.contains("+  #pragma omp target data")
}

#[test]
fn a_function_that_is_described_is_no_obstacle() {
    let sandbox = Sandbox::new(&[("a.c", &watched(""))]);
    let Ran { code, out, err } = sandbox.run(&["rewrite", "-v", "a.c"]);
    assert_eq!(code, 0, "{out}");
    assert!(
        err.contains("nothing is known of `log_state`, called here: it may start kernels on it; `[functions.log_state]` in ompmemopt.toml can say what it reads and writes"),
        "{err}"
    );
    let sandbox = Sandbox::new(&[("a.c", &watched("")), ("ompmemopt.toml", READS)]);
    let Ran { code, out, err } = sandbox.run(&["rewrite", "a.c"]);
    assert_eq!(code, 1, "{err}");
    assert!(stays(&out) && out.contains("target update from(a[0:n])"), "{out}");
    let sandbox = Sandbox::new(&[("a.c", &watched("/* ompmemopt: reads(0) writes() io */\n"))]);
    assert!(stays(&sandbox.run(&["rewrite", "a.c"]).out));
}

#[test]
fn the_nearest_file_counts_alone() {
    let files = [
        ("ompmemopt.toml", READS),
        ("sub/ompmemopt.toml", "[functions.other]\npure = true\n"),
        ("a.c", &watched("double other(double);\n")),
        ("sub/a.c", &watched("double other(double);\n")),
    ];
    let sandbox = Sandbox::new(&files);
    assert!(stays(&sandbox.run(&["rewrite", "a.c"]).out));
    let below = sandbox.run(&["rewrite", "sub/a.c"]);
    assert_eq!((below.code, below.out.as_str()), (0, ""), "{}", below.err);
    assert!(stays(
        &sandbox.run(&["rewrite", "sub/a.c", "--config", "ompmemopt.toml"]).out
    ));
}

#[test]
fn a_wrong_key_is_an_error_and_the_rest_is_done() {
    let sandbox = Sandbox::new(&[
        ("a.c", LOOP),
        ("ompmemopt.toml", "[functions.printf]\nread = [\"0\"]\n"),
    ]);
    let Ran { code, out, err } = sandbox.run(&["rewrite", "-q", "a.c"]);
    assert_eq!(code, 2);
    assert!(stays(&out));
    insta::assert_snapshot!(err, @"error: ompmemopt.toml:2:1: there is no key `read`; did you mean `reads`?");
}

#[test]
fn a_value_of_the_wrong_type_is_an_error() {
    let sandbox = Sandbox::new(&[
        ("src/a.c", LOOP),
        ("ompmemopt.toml", "[functions.printf]\nio = 1\n[assume]\nnoalias = 3\n"),
    ]);
    let Ran { code, err, .. } = sandbox.run(&["rewrite", "-q", "src"]);
    assert_eq!(code, 2);
    insta::assert_snapshot!(err, @r#"
    error: ompmemopt.toml:2:6: `io` takes true or false, and this is of type integer
    error: ompmemopt.toml:4:11: `noalias` takes names of functions, as ["step"], or true for all, and this is of type integer
    "#);
}

#[test]
fn a_function_that_nothing_names_is_an_error() {
    let said = READS.replace("log_state", "log_sate");
    let sandbox = Sandbox::new(&[("a.c", &watched("")), ("ompmemopt.toml", &said)]);
    let Ran { code, err, .. } = sandbox.run(&["rewrite", "-q", "a.c"]);
    assert_eq!(code, 2);
    insta::assert_snapshot!(err, @"error: ompmemopt.toml:1:12: no function `log_sate` is declared or called in the program; did you mean `log_state`?");
}

#[test]
fn a_run_over_a_part_of_a_project_does_not_miss_the_functions_of_the_rest() {
    let files = [
        ("a.c", LOOP),
        ("lib/log.h", "void log_state(double *, int);\n"),
        ("ompmemopt.toml", READS),
    ];
    let Ran { code, err, .. } = Sandbox::new(&files).run(&["rewrite", "a.c"]);
    assert_eq!(code, 1, "{err}");
}

#[test]
fn a_definition_goes_before_what_is_said_of_it() {
    let defined = format!(
        "{}\nvoid log_state(const double *u, int n) {{ printf(\"%g\\n\", u[n / 2]); }}\n",
        watched("")
    );
    let sandbox = Sandbox::new(&[
        ("a.c", &defined),
        ("ompmemopt.toml", "[functions.log_state]\npure = true\n"),
    ]);
    let Ran { code, out, err } = sandbox.run(&["rewrite", "a.c"]);
    assert_eq!(code, 1);
    assert!(out.contains("update from"), "{out}");
    assert!(
        err.contains(
            "note: ompmemopt.toml:1:12: `log_state` is defined in the program, so what is said of it here has no effect"
        ),
        "{err}"
    );
}

#[test]
fn mistakes_in_comments_have_a_place() {
    let sandbox = Sandbox::new(&[("a.c", &watched("// ompmemopt: pur\n"))]);
    let Ran { code, err, .. } = sandbox.run(&["rewrite", "-q", "a.c"]);
    assert_eq!(code, 2);
    insta::assert_snapshot!(err, @"error: a.c:4:15: there is no key `pur`; did you mean `pure`?");
}

#[test]
fn a_configuration_that_is_named_has_to_be_there() {
    let sandbox = Sandbox::new(&[("a.c", LOOP)]);
    let Ran { code, err, .. } = sandbox.run(&["rewrite", "--config", "no.toml", "a.c"]);
    assert_eq!(code, 2);
    insta::assert_snapshot!(err, @"error: no.toml: cannot be read (No such file or directory (os error 2))");
}
