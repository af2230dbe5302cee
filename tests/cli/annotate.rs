//! `annotate`: which loops become kernels, and what is said of the others.

use super::Sandbox;

/// A hot loop of eight iterations, and one whose size is not known.
const HOT: &str = "\
#include <stdlib.h>
int main(int argc, char **argv) {
    int n = atoi(argv[argc - 1]);
    long bins[8] = {0}, *big = malloc((n > 0 ? n : 1) * sizeof *big), sum = 0;
    for (int t = 0; t < 1000; t++) {
        for (int b = 0; b < 8; b++) bins[b] = bins[b] * 3;
        bins[t % 8] ^= t;
    }
    for (int i = 0; i < n; i++) big[i] = i;
    for (int i = 0; i < n; i++) sum += big[i];
    return (int)(sum ^ bins[3]) & 1;
}
";

#[test]
fn small_loops_stay_on_the_host_and_say_why() {
    let ran = Sandbox::new(&[("hot.c", HOT)]).run(&["annotate", "-v", "hot.c"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert_eq!(ran.out.matches("#pragma omp target teams").count(), 2, "{}", ran.out);
    let line = "hot.c:6:9: remark: this loop stays as it is: about 32 operations per launch, 8 bytes copied for each, 1,000 \
                launches: not worth it; --all offloads it nonetheless [not-worth-it]";
    assert!(ran.err.contains(line), "{}", ran.err);
    for at in ["hot.c:5:5: ", "hot.c:6:9: ", "hot.c:9:5: ", "hot.c:10:5: "] {
        let of_loop = |line: &&str| line.starts_with(at) && line.contains(": this loop ");
        assert_eq!(ran.err.lines().filter(of_loop).count(), 1, "{at} in {}", ran.err);
    }
}

#[test]
fn comments_keep_loops_as_they_are() {
    let off = HOT.replace(
        "    for (int i = 0; i < n; i++) big[i]",
        "    // ompmemopt: ignore[annotate]\n    for (int i = 0; i < n; i++) big[i]",
    );
    let ran = Sandbox::new(&[("hot.c", &off)]).run(&["annotate", "-v", "hot.c"]);
    assert_eq!(ran.out.matches("#pragma omp target teams").count(), 1, "{}", ran.out);
    let line =
        "hot.c:10:5: remark: this loop stays as it is: a comment switches `annotate` off here [loop-switched-off]";
    assert!(ran.err.contains(line), "{}", ran.err);
    let mistaken = off.replace("ignore[annotate]", "ignore[anotate]");
    let ran = Sandbox::new(&[("hot.c", &mistaken)]).run(&["annotate", "hot.c"]);
    assert_eq!(ran.out.matches("#pragma omp target teams").count(), 2, "{}", ran.out);
    let line = "note: hot.c:9:5: no rule has the code or name `anotate`";
    assert_eq!(ran.err.matches(line).count(), 1, "{}", ran.err);
}

#[test]
fn all_offloads_small_loops_too() {
    let ran = Sandbox::new(&[("hot.c", HOT)]).run(&["annotate", "--all", "hot.c"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert_eq!(ran.out.matches("#pragma omp target teams").count(), 3, "{}", ran.out);
}

/// Two kernels that share `mid`, in a function of another file than `main`.
const STAGES: &str = "\
#define N 4096
double in[N], mid[N], out[N];
void stages(void) {
    for (int i = 0; i < N; i++) mid[i] = in[i] * in[i] + in[i] / 3;
    for (int i = 0; i < N; i++) out[i] = mid[i] * mid[N - 1 - i] + 4 * mid[i] / 7;
}
";
const DRIVER: &str = "\
#include <stdio.h>
#define N 4096
extern double in[N], mid[N], out[N];
void stages(void);
int main(void) {
    for (int i = 0; i < N; i++) in[i] = (i % 7) * 0.5 + (i % 5) * 3 + i / 9;
    stages();
    printf(\"%g %g\\n\", out[3], out[N - 1]);
    return 0;
}
";

#[test]
fn copies_are_joined_over_the_kernels() {
    let sandbox = Sandbox::new(&[("stages.c", STAGES)]);
    let ran = sandbox.run(&["annotate", "-v", "stages.c"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.out.contains("+    #pragma omp target data map("), "{}", ran.out);
    // The two steps speak of the lines of the original.
    let places = [
        "stages.c:4:5: change: this loop runs",
        "stages.c:4:5: change: `mid` stays on",
    ];
    assert!(places.iter().all(|p| ran.err.contains(p)), "{}", ran.err);
    for line in ran.err.lines().filter(|l| l.starts_with("stages.c:")) {
        assert!(
            line.starts_with("stages.c:4:") || line.starts_with("stages.c:5:"),
            "{line}"
        );
    }
}

/// Loops that perhaps do not run, in a function and around a call of it.
const SIZED: &str = "\
#include <stdio.h>
#include <stdlib.h>
static void halve(double *restrict to, const double *restrict from, int count) {
    for (int i = 0; i < count; i++) to[i] = from[i] * 0.5;
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 100;
    double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
    for (int i = 0; i < n; i++) a[i] = i;
    halve(b, a, n);
    for (int i = 1; i < n - 1; i++) b[i] += a[i - 1] * a[i + 1];
    for (int i = 0; i < n; i++) printf(\"%g\\n\", b[i]);
    free(a);
    free(b);
    return 0;
}
";

#[test]
fn copies_are_joined_where_the_loops_run() {
    let sandbox = Sandbox::new(&[("sized.c", SIZED)]);
    let ran = sandbox.run(&["annotate", "--all", "-v", "sized.c"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let joined = "+    #pragma omp target data map(from: b[0:n]) map(alloc: a[0:n]) if(n > 2)\n";
    assert!(ran.out.contains(joined), "{}", ran.out);
    assert_eq!(ran.out.matches("#pragma omp target teams").count(), 3, "{}", ran.out);
}

#[test]
fn a_second_run_changes_nothing() {
    let sandbox = Sandbox::new(&[("stages.c", STAGES), ("driver.c", DRIVER)]);
    let files = ["annotate", "--all", "-i", "stages.c", "driver.c"];
    let ran = sandbox.run(&files);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
    let written = [sandbox.read("stages.c"), sandbox.read("driver.c")];
    assert!(written.concat().contains("target data"), "{}", written.concat());
    assert_eq!(sandbox.run(&files).code, 0);
    assert_eq!([sandbox.read("stages.c"), sandbox.read("driver.c")], written);
    let ran = sandbox.run(&["annotate", "stages.c", "driver.c"]);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""));
}

#[test]
fn files_whose_copies_are_joined_are_written_together() {
    let sandbox = Sandbox::new(&[("stages.c", STAGES), ("driver.c", DRIVER)]);
    let ran = sandbox.run(&["annotate", "stages.c", "driver.c"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(
        ran.out.contains("--- a/stages.c") && ran.out.contains("--- a/driver.c"),
        "{}",
        ran.out
    );
}

#[test]
fn lines_limit_both_steps() {
    let sandbox = Sandbox::new(&[("stages.c", STAGES)]);
    let one = sandbox.run(&["annotate", "stages.c:5"]);
    assert_eq!(
        one.out.matches("+    #pragma omp target teams").count(),
        1,
        "{}",
        one.out
    );
    assert!(!one.out.contains("target data"), "{}", one.out);
    let both = sandbox.run(&["annotate", "stages.c:4-5"]);
    assert!(both.out.contains("target data"), "{}", both.out);
}

#[test]
fn formats_and_dumps() {
    let sandbox = Sandbox::new(&[("stages.c", STAGES)]);
    let json = sandbox.run(&["annotate", "--output-format", "json", "stages.c"]);
    assert_eq!(json.code, 1);
    assert!(
        json.out.contains("stays on the device") && json.out.contains("\"line\": 4"),
        "{}",
        json.out
    );
    let dump = sandbox.run(&["annotate", "--dump", "plan", "stages.c"]);
    assert!(dump.code == 0 && !dump.out.is_empty(), "{}", dump.out);
}

#[test]
fn kernels_in_included_files_copy_for_themselves() {
    let parts = "\
#define N 4096
static double a[N], b[N];
static void twice(void) {
    for (int i = 0; i < N; i++) b[i] = a[i] * 2 + a[i] / 3 - 1;
}
";
    let whole = "\
#include <stdio.h>
#include \"parts.h\"
int main(void) {
    for (int i = 0; i < N; i++) a[i] = (i % 7) * 0.5 + (i % 5) * 3 + i / 9;
    twice();
    for (int i = 0; i < N; i++) a[i] = b[i] * b[i] + b[N - 1 - i] / 7;
    printf(\"%g\\n\", a[17]);
    return 0;
}
";
    let sandbox = Sandbox::new(&[("parts.h", parts), ("whole.c", whole)]);
    let files = ["annotate", "-v", "-i", "parts.h", "whole.c"];
    let ran = sandbox.run(&files);
    let texts = || [sandbox.read("parts.h"), sandbox.read("whole.c")];
    let written = texts();
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(written[1].contains("target teams"), "{written:?}");
    // What `whole.c` includes is read from the disk, where it has no kernels yet.
    assert_eq!(
        written[0].contains("target teams"),
        !written[1].contains("target data"),
        "{written:?}"
    );
    sandbox.run(&files);
    assert_eq!(texts(), written);
}

#[test]
fn in_openacc_the_same_loops_become_kernels() {
    let ran = Sandbox::new(&[("hot.c", HOT)]).run(&["annotate", "--dialect", "openacc", "hot.c"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(!ran.out.contains("omp"), "{}", ran.out);
    let lines: Vec<&str> = ran
        .out
        .lines()
        .filter(|l| l.starts_with('+') && l.contains("#pragma"))
        .collect();
    assert_eq!(
        lines,
        [
            "+    #pragma acc data create(big[0:n]) if(n > 0)",
            "+        #pragma acc parallel loop if(n > 0) copyout(big[0:n])",
            "+        #pragma acc parallel loop if(n > 0) reduction(+: sum) copyin(big[0:n])",
        ]
    );
}

#[test]
fn files_that_share_data_get_openacc_together() {
    let sandbox = Sandbox::new(&[("stages.c", STAGES), ("driver.c", DRIVER)]);
    let ran = sandbox.run(&[
        "annotate",
        "--all",
        "-i",
        "--dialect",
        "openacc",
        "stages.c",
        "driver.c",
    ]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let stages = sandbox.read("stages.c");
    let data = ["#pragma acc data ", "#pragma acc enter data "];
    assert!(data.iter().any(|d| stages.contains(d)), "{stages}");
    let driver = sandbox.read("driver.c");
    assert!(driver.contains("#pragma acc parallel loop "), "{driver}");
    assert!(!stages.contains("omp") && !driver.contains("omp"), "{stages}{driver}");
    for dialect in ["openacc", "openmp"] {
        let again = sandbox.run(&["annotate", "--all", "-v", "--dialect", dialect, "stages.c", "driver.c"]);
        assert_eq!((again.code, again.out.as_str()), (0, ""), "{}", again.err);
        let line = "this loop stays as it is: it has a pragma already";
        assert!(again.err.contains(line), "{}", again.err);
    }
}

#[test]
fn openacc_and_openmp_are_not_mixed() {
    let offloading = "\
double a[4096], b[4096];
void f(void) {
    #pragma omp target teams distribute parallel for map(tofrom: a)
    for (int i = 0; i < 4096; i++) a[i] = a[i] * a[i];
    for (int i = 0; i < 4096; i++) b[i] = b[i] * b[i];
}
";
    let sandbox = Sandbox::new(&[
        ("offloading.c", offloading),
        (
            "header.h",
            "static inline void g(double *a) {\n#pragma acc update self(a[0:4])\n}\n",
        ),
        ("includes.c", &format!("#include \"header.h\"\n{HOT}")),
        (
            "branch.c",
            &format!("#ifdef _OPENACC\n#pragma acc routine(exp) seq\n#endif\n{HOT}"),
        ),
    ]);
    let ran = sandbox.run(&["annotate", "--all", "-v", "--dialect", "openacc", "offloading.c"]);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
    assert!(
        ran.err.contains("the program has OpenMP `target` directives"),
        "{}",
        ran.err
    );
    for dialect in ["openacc", "openmp"] {
        let ran = sandbox.run(&["annotate", "-v", "--dialect", dialect, "includes.c"]);
        assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
        assert!(ran.err.contains("header.h has OpenACC directives"), "{}", ran.err);
        let ran = sandbox.run(&["annotate", "-v", "--dialect", dialect, "branch.c"]);
        assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
        assert!(
            ran.err.contains("the program has OpenACC directives of its own"),
            "{}",
            ran.err
        );
    }
}

#[test]
fn rewrite_leaves_programs_with_openacc_alone() {
    // The update of `a` would come after `enter data`, which reads it.
    let both = "\
int a[100], b[100], done;
int main(void) {
    for (int t = 0; t < 5; t++) {
        #pragma omp target teams distribute parallel for map(tofrom: a)
        for (int i = 0; i < 100; i++) a[i] += i;
        #pragma acc enter data copyin(a)
        done++;
        #pragma acc parallel loop present(a) copy(b)
        for (int i = 0; i < 100; i++) b[i] += a[i];
        #pragma acc exit data delete(a)
    }
    return b[7] & 1;
}
";
    let ran = Sandbox::new(&[("both.c", both)]).run(&["rewrite", "-v", "both.c"]);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
    let line = "both.c:6:9: remark: data movement of this program was not changed: what OpenACC directives do";
    assert!(ran.err.contains(line), "{}", ran.err);
}

#[test]
fn dialects_are_two_and_for_annotate_only() {
    let sandbox = Sandbox::new(&[("hot.c", HOT)]);
    let ran = sandbox.run(&["annotate", "--dialect", "opencl", "hot.c"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("[possible values: openmp, openacc]"), "{}", ran.err);
    let ran = sandbox.run(&["rewrite", "--dialect", "openacc", "hot.c"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("unexpected argument '--dialect'"), "{}", ran.err);
}

/// Loops that may write their own bounds.
const BOUND: &str = "\
void fill(int *n, int *a) {
    a[0] = 1;
    for (int i = 0; i < *n; i++)
        a[i] = 4;
    for (int i = 0; i < *n; i++)
        a[i] += 2;
    a[1] = 1;
}
";

#[test]
fn a_loop_that_may_write_its_bound_is_there_twice() {
    let sandbox = Sandbox::new(&[("bound.c", BOUND)]);
    // Lines of one loop bring in both its branches, and nothing of the other.
    for (lines, value) in [("bound.c:3", "a[i] = 4;"), ("bound.c:5-6", "a[i] += 2;")] {
        let ran = sandbox.run(&["annotate", "--all", lines]);
        let count = |what: &str| {
            ran.out
                .lines()
                .filter(|l| l.starts_with('+') && l.contains(what))
                .count()
        };
        assert_eq!(
            (count("target teams"), count("} else {"), count(value)),
            (1, 1, 2),
            "{}",
            ran.out
        );
    }
    assert_eq!(sandbox.run(&["annotate", "--all", "bound.c:7"]).out, "");
    sandbox.run(&["annotate", "--all", "-i", "bound.c"]);
    // What the host runs in the place of a kernel is known again.
    let again = sandbox.run(&["annotate", "--all", "-v", "bound.c"]);
    assert_eq!(again.out, "");
    let line = "this loop stays as it is: it is what runs where another branch has it as a kernel";
    assert_eq!(again.err.matches(line).count(), 2, "{}", again.err);
    assert_eq!(sandbox.run(&["rewrite", "bound.c"]).out, "");
}
