//! Programs of several files with something wrong between them or in one of them.

use super::{LOOP, Ran, Sandbox};
use std::fs;
use std::os::unix::fs::PermissionsExt;

const STEP: &str = "void step(double *a, int n) {\n\
#pragma omp target teams distribute parallel for map(tofrom: a[0:n])\n  for (int i = 0; i < n; i++)\n    a[i] += 1.0;\n}\n";
pub const MAIN: &str = "void step(double *, int);\n\
int main(void) {\n  static double a[100];\n  for (int t = 0; t < 9; t++)\n    step(a, 100);\n  return (int)a[1];\n}\n";

#[test]
fn two_definitions_of_a_function() {
    let sandbox = Sandbox::new(&[("a.c", LOOP), ("main.c", MAIN), ("one.c", STEP), ("two.c", STEP)]);
    // The second run finds what the first one made.
    for _ in 0..2 {
        let Ran { code, out, err } = sandbox.run(&["rewrite", "main.c", "one.c", "two.c", "a.c"]);
        assert_eq!(code, 2, "{err}");
        assert!(
            err.starts_with("error: `step` is defined in one.c and in two.c; "),
            "{err}"
        );
        assert!(out.contains("+++ b/a.c") && !out.contains("main.c"), "{out}");
    }
}

#[test]
fn a_file_of_the_program_that_does_not_compile() {
    let broken = STEP.replace("1.0;", "1.0");
    let sandbox = Sandbox::new(&[("a.c", LOOP), ("main.c", MAIN), ("step.c", &broken)]);
    for _ in 0..2 {
        let Ran { code, out, err } = sandbox.run(&["rewrite", "."]);
        assert_eq!(code, 2);
        assert!(err.contains("step.c:4:16: error: expected ';'"), "{err}");
        // What `step` does is not known now.
        assert!(out.contains("+++ b/a.c") && !out.contains("main.c"), "{out}");
    }
}

#[test]
fn headers_that_include_each_other() {
    let (once, twice) = (
        "#ifndef A_H\n#define A_H\n#include \"b.h\"\n#endif\n",
        "#include \"a.h\"\n",
    );
    let text = format!("#include \"a.h\"\n{LOOP}");
    let sandbox = Sandbox::new(&[("a.c", &text), ("a.h", once), ("b.h", twice)]);
    let ran = sandbox.run(&["rewrite", "a.c"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let endless = Sandbox::new(&[
        ("a.c", &text),
        ("a.h", "#include \"b.h\"\n"),
        ("b.h", twice),
        ("c.c", LOOP),
    ]);
    let Ran { code, out, err } = endless.run(&["rewrite", "."]);
    assert_eq!(code, 2);
    assert!(err.contains("nested too deeply") && out.contains("+++ b/c.c"), "{err}");
}

/// As [`STEP`], with a store on the host that a caller has to know of.
pub fn mixed_step() -> String {
    STEP.replace("    a[i] += 1.0;\n", "    a[i] += 1.0;\n  a[2] = 0.5;\n")
}

#[test]
fn files_that_change_together_or_not_at_all() {
    let step = mixed_step();
    let sandbox = Sandbox::new(&[("main.c", MAIN), ("step.c", &step)]);
    let shown = sandbox.run(&["rewrite", "."]);
    assert_eq!(shown.code, 1, "{}", shown.err);
    assert!(shown.out.contains("+++ b/main.c"), "{}", shown.out);
    assert!(shown.out.contains("update to(a[2:1])"), "{}", shown.out);
    // With lines asked for, and with one of the two not to be written, nothing may rest on the other.
    let lines = sandbox.run(&["rewrite", "main.c:1-9", "step.c"]);
    assert!(!lines.out.contains("update"), "{}", lines.out);
    let mode = |mode| fs::set_permissions(sandbox.path().join("step.c"), fs::Permissions::from_mode(mode)).unwrap();
    mode(0o444);
    // The second run finds what the first one made.
    for _ in 0..2 {
        let Ran { code, err, .. } = sandbox.run(&["rewrite", "-q", "-i", "."]);
        assert_eq!(code, 2, "{err}");
        assert!(
            err.contains("main.c: not changed, because a file that it has to be changed with was not: "),
            "{err}"
        );
        assert!(err.contains("step.c: is read-only"), "{err}");
        assert_eq!(sandbox.read("main.c"), MAIN);
        assert_eq!(sandbox.read("step.c"), step);
    }
    mode(0o644);
    let Ran { code, err, .. } = sandbox.run(&["rewrite", "-q", "-i", "."]);
    assert_eq!(code, 0, "{err}");
    assert!(sandbox.read("main.c").contains("target data"));
    assert!(sandbox.read("step.c").contains("target update"));
    let again = sandbox.run(&["rewrite", "."]);
    assert_eq!((again.code, again.out.as_str()), (0, ""), "{}", again.err);
}
