//! Programs whose copies are counted by array, and how many bytes each of them has to move: known by hand.

use super::objects::{Floor, ObjectTraffic};
use super::*;
use std::fs;
use std::sync::LazyLock;

static TOOLCHAIN: LazyLock<Toolchain> = LazyLock::new(|| Toolchain::find(None).expect("the verifier's toolchain"));

/// Every array is of 100 doubles; `bump` is a kernel that changes all of them.
fn program(body: &str) -> String {
    format!(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <omp.h>\n\
         enum {{ N = 100 }};\ndouble shared[N];\n\
         static void bump(double *v) {{\n\
         #pragma omp target map(tofrom: v[0:N])\n  for (int i = 0; i < N; i++) v[i] += 1;\n}}\n\
         static double sum(const double *v, int n) {{\n  double s = 0;\n\
         for (int i = 0; i < n; i++) s += v[i];\n  return s;\n}}\n\
         int main(void) {{\n  double s = 0;\n{body}\n  printf(\"%g\\n\", s);\n}}\n"
    )
}

fn traced(text: &str) -> Vec<ObjectTraffic> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("program.c");
    fs::write(&file, text).unwrap();
    let out = folder.path().join("program");
    let spec = BuildSpec {
        sources: vec![file],
        flags: Vec::new(),
        kind: BuildKind::Traced,
        openmp_version: None,
        folder: None,
        out: out.clone(),
    };
    TOOLCHAIN.build(&spec).unwrap();
    let run = RunSpec {
        counted: Counting::Objects,
        ..RunSpec::default()
    };
    let outcome = TOOLCHAIN.run(&out, &run).unwrap();
    assert_eq!(outcome.status, Status::Exited(0), "{outcome:?}");
    outcome.objects
}

/// What has to move of all that has one name in directives: up, and down.
fn floor(objects: &[ObjectTraffic], name: &str) -> (u64, u64) {
    let named = objects.iter().filter(|o| o.names.iter().any(|n| n == name));
    let mut sum = Floor::default();
    named.for_each(|object| sum += object.floor);
    (sum.h2d, sum.d2h)
}

/// Most that the body has to move, up and down, of what `bump` gets.
fn of_body(body: &str) -> (u64, u64) {
    floor(&traced(&program(body)), "v")
}

#[test]
fn objects_are_told_apart_and_have_their_names() {
    let objects = traced(&program(
        "double *a = malloc(N * sizeof *a), local[N];\n\
         for (int i = 0; i < N; i++) a[i] = shared[i] = local[i] = i;\n\
         for (int t = 0; t < 5; t++) { bump(a); bump(shared); bump(local); }\n\
         #pragma omp target enter data map(to: a[10:20])\n\
         #pragma omp target exit data map(delete: a[10:20])\n\
         s = sum(a, 10) + sum(shared, 20) + sum(local, 30);",
    ));
    let mut rows: Vec<String> = objects
        .iter()
        .filter(|object| object.traffic.moved_calls() > 0)
        .map(|o| format!("{} {} {:?} {:?}", o.place, o.names.join(","), o.traffic, o.floor))
        .collect();
    rows.sort();
    let row = |place: &str, names: &str, up: (u64, u64), down: u64| {
        let (bytes, copies) = up;
        format!(
            "{place} {names} Traffic {{ h2d_bytes: {bytes}, h2d_calls: {copies}, d2h_bytes: 4000, d2h_calls: 5 }} \
             Floor {{ h2d: 800, d2h: {down} }}"
        )
    };
    let expected = [
        row("heap 0", "v,a", (4160, 6), 80),
        row("other", "v", (4000, 5), 240),
        row("static shared", "v", (4000, 5), 160),
    ];
    assert_eq!(rows, expected);
}

#[test]
fn what_is_written_anew_does_not_come() {
    let body = "double *a = malloc(N * sizeof *a);\nmemset(a, 0, N * sizeof *a);\nbump(a);\n\
                memset(a, 0, N * sizeof *a);\ns = sum(a, N);\nfree(a);";
    assert_eq!(of_body(body), (800, 0));
}

#[test]
fn memory_that_is_given_out_again_is_another_array() {
    let body = "double *a = calloc(N, sizeof *a);\nbump(a);\nfree(a);\n\
                double *b = calloc(N, sizeof *b);\ns = sum(b, N);\nbump(b);\nfree(b);";
    assert_eq!(of_body(body), (1600, 0));
}

#[test]
fn what_comes_from_a_file_does_not_come_from_the_device() {
    let body = "double *a = calloc(N, sizeof *a);\nFILE *f = tmpfile();\n\
                for (int i = 0; i < N; i++) { double x = i + 0.25; fwrite(&x, sizeof x, 1, f); }\nrewind(f);\n\
                bump(a);\nif (fread(a, sizeof *a, N, f) != N) return 1;\ns = sum(a, N);\nbump(a);\n\
                fwrite(a, sizeof *a, 10, f);";
    assert_eq!(of_body(body), (1600, 80));
}

#[test]
fn what_another_library_function_writes_is_seen_by_its_value() {
    let body = "double a[N];\nfor (int i = 0; i < N; i++) a[i] = 1.0 / (i + 3);\nbump(a);\n\
                for (int i = 0; i < N; i++) sscanf(\"-7.123456789e-99\", \"%lf\", &a[i]);\ns = sum(a, N);";
    assert_eq!(of_body(body).0, 800);
    // Bytes that happen to be what they were are taken for read.
    assert!(of_body(body).1 < 40, "{:?}", of_body(body));
}

#[test]
fn stacks_members_and_globals_on_the_device_are_followed() {
    let text = program(
        "s = deep(3);\nstruct pair { double *x, y[N]; } p;\np.x = calloc(N, sizeof(double));\n\
         for (int i = 0; i < N; i++) p.y[i] = table[i] = i;\n\
         #pragma omp target update to(table)\n\
         #pragma omp target map(tofrom: p.x[0:N], p.y)\n\
         for (int i = 0; i < N / 2; i++) p.x[i] += p.y[i] * table[i];\ns += sum(p.x, 5) + p.y[3];",
    )
    .replace(
        "int main",
        "#pragma omp declare target\ndouble table[N];\n#pragma omp end declare target\n\
         static double deep(int k) {\n  double own[N];\n  for (int i = 0; i < N; i++) own[i] = k;\n  bump(own);\n\
         return own[k] + (k ? deep(k - 1) : 0);\n}\nint main",
    );
    let objects = traced(&text);
    assert_eq!(floor(&objects, "v"), (3200, 32));
    assert_eq!(floor(&objects, "table"), (400, 0));
    assert_eq!(floor(&objects, "p.y"), (400, 0));
    assert_eq!(floor(&objects, "p.x"), (400, 40));
}

#[test]
fn threads_that_read_one_element_need_it_once() {
    let text = program(
        "for (int i = 0; i < N; i++) shared[i] = 1;\n\
         #pragma omp target teams distribute parallel for reduction(+: s) map(tofrom: s, shared)\n\
         for (int i = 0; i < 100000; i++) s += shared[i % 7];\n\
         #pragma omp target map(tofrom: shared)\nshared[3] = 5;\n\
         #pragma omp parallel for reduction(+: s)\n\
         for (int i = 0; i < 1000; i++) s += shared[i % 7];",
    );
    assert_eq!(floor(&traced(&text), "shared"), (56, 8));
}
