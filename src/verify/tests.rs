//! Small programs with a mapping that is right, or wrong in one way, and what each mode must say of them.

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

use tempfile::TempDir;

use super::*;

static TOOLCHAIN: LazyLock<Toolchain> = LazyLock::new(|| Toolchain::find(None).expect("the verifier's toolchain"));

/// A program with `body` as its kernel and its surroundings: `a` is a heap array of `n` doubles holding 0, 1, 2, ...; all
/// of it is printed at the end.
fn program(body: &str) -> String {
    format!(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <omp.h>\n\
         double g[1000];\nstruct box {{ double *p; }};\n\
         int main(int argc, char **argv) {{\n  int n = 1000;\n  double *a = malloc(n * sizeof *a), local[1000];\n\
         for (int i = 0; i < n; i++) a[i] = g[i] = local[i] = i;\n{body}\n\
         for (int i = 0; i < n; i++) printf(\"%.17g\\n\", a[i]);\n  return 0;\n}}\n"
    )
}

struct Built {
    folder: TempDir,
}

impl Built {
    fn new(text: &str, kind: BuildKind) -> Built {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("program.c"), text).unwrap();
        let spec = BuildSpec {
            sources: vec![PathBuf::from("program.c")],
            flags: Vec::new(),
            kind,
            openmp_version: Some(52),
            folder: Some(folder.path().to_owned()),
            out: folder.path().join("program"),
        };
        TOOLCHAIN.build(&spec).unwrap();
        Built { folder }
    }

    fn run(&self, mode: Mode) -> RunOutcome {
        self.run_with(RunSpec {
            mode,
            counted: Counting::Totals,
            ..RunSpec::default()
        })
    }

    fn run_with(&self, spec: RunSpec) -> RunOutcome {
        TOOLCHAIN.run(&self.folder.path().join("program"), &spec).unwrap()
    }
}

fn outcomes(body: &str, modes: &[Mode]) -> (RunOutcome, Vec<RunOutcome>) {
    let text = program(body);
    let sequential = Built::new(&text, BuildKind::Sequential).run_with(RunSpec::default());
    assert_eq!(sequential.status, Status::Exited(0));
    let offload = Built::new(&text, BuildKind::Offload);
    (sequential, modes.iter().map(|&mode| offload.run(mode)).collect())
}

const ALL: [Mode; 4] = [Mode::Plain, Mode::Strict, Mode::Perturbed, Mode::StrictPerturbed];

#[test]
fn a_right_mapping_passes_every_mode_with_exact_counts() {
    let body = "#pragma omp target teams distribute parallel for map(tofrom: a[0:1000])\n\
                for (int i = 0; i < n; i++) a[i] = a[i] / 3 + 1;";
    let (sequential, runs) = outcomes(body, &ALL);
    let expected = Counts {
        h2d_bytes: 8000,
        h2d_calls: 1,
        d2h_bytes: 8000,
        d2h_calls: 1,
        alloc_bytes: 8000,
        allocs: 1,
        deletes: 1,
        launches: 1,
        ..Counts::default()
    };
    for (mode, run) in ALL.iter().zip(&runs) {
        assert_eq!(compare(&sequential, run), [], "{mode}");
        assert_eq!(run.counts, Some(expected), "{mode}");
    }
}

/// What strict mode must say of a kernel that reads `pointer`, which is not mapped.
fn assert_unmapped(setup: &str, pointer: &str, kind: &str) {
    let body = format!(
        "  {setup}\n  double *p = {pointer}, s = 0;\n#pragma omp target map(tofrom: s)\n  s += p[3];\n  a[0] = s > 0;"
    );
    let (sequential, runs) = outcomes(&body, &[Mode::Plain, Mode::Strict, Mode::StrictPerturbed]);
    assert_eq!(
        compare(&sequential, &runs[0]),
        [],
        "the host plugin lets {kind} pass: {pointer}"
    );
    for run in &runs[1..] {
        let message = run
            .strict_violation()
            .unwrap_or_else(|| panic!("{pointer} passed: {run:?}"));
        assert!(
            message.starts_with("kernel touched unmapped host memory at 0x"),
            "{message}"
        );
        assert!(message.ends_with(&format!("({kind}) in main at line 13")), "{message}");
        assert!(matches!(
            compare(&sequential, run)[..],
            [Difference::UnmappedAccess { .. }]
        ));
    }
}

#[test]
fn strict_catches_unmapped_heap() {
    assert_unmapped("", "a", "heap");
}

#[test]
fn strict_catches_unmapped_globals() {
    assert_unmapped("", "g", "global");
}

#[test]
fn strict_catches_an_unmapped_array_on_the_main_stack() {
    assert_unmapped("", "local", "stack");
}

#[test]
fn strict_catches_heap_that_the_c_library_allocates_for_the_program() {
    assert_unmapped(
        "char *text = strdup(\"a text of some forty characters, more or less\");",
        "(double *)text",
        "heap",
    );
}

#[test]
fn stale_data_shows_in_the_output() {
    let body = "#pragma omp target teams distribute parallel for map(to: a[0:1000])\n\
                for (int i = 0; i < n; i++) a[i] = a[i] / 3 + 1;";
    let (sequential, runs) = outcomes(body, &ALL);
    for run in &runs {
        let expected = Some("1".to_owned());
        let actual = Some("0".to_owned());
        assert_eq!(
            compare(&sequential, run),
            [Difference::Stdout {
                line: 1,
                expected,
                actual
            }]
        );
    }
}

#[test]
fn perturbing_catches_a_copy_back_of_what_was_not_written() {
    let body = "  memset(a, 0, n * sizeof *a);\n\
                #pragma omp target teams distribute parallel for map(from: a[0:1000])\n\
                for (int i = 0; i < n; i += 2) a[i] = i;";
    let (sequential, runs) = outcomes(body, &[Mode::Perturbed, Mode::StrictPerturbed]);
    for run in &runs {
        assert_eq!(run.status, Status::Exited(0));
        assert!(
            matches!(compare(&sequential, run)[..], [Difference::Stdout { line: 2, .. }]),
            "{run:?}"
        );
    }
}

#[test]
fn strict_leaves_host_threads_in_peace_while_kernels_run() {
    let body = "  double total = 0;\n\
        #pragma omp parallel for reduction(+: total)\n\
          for (int t = 0; t < 64; t++) {\n    double *b = malloc(n * sizeof *b);\n\
            for (int i = 0; i < n; i++) b[i] = t;\n\
        #pragma omp target teams distribute parallel for map(tofrom: b[0:n])\n\
            for (int i = 0; i < n; i++) b[i] += i;\n\
            for (int i = 0; i < n; i++) total += b[i];\n    free(b);\n  }\n\
        #pragma omp target teams distribute parallel for map(tofrom: a[0:n]) nowait\n\
          for (int i = 0; i < n; i++) for (int k = 0; k < 500; k++) a[i] += k;\n\
          for (int i = 0; i < n; i++) g[i] += i;\n\
        #pragma omp taskwait\n\
          a[0] = total + g[7];";
    let (sequential, runs) = outcomes(body, &[Mode::Strict, Mode::StrictPerturbed]);
    for run in &runs {
        assert_eq!(compare(&sequential, run), []);
        assert_eq!(run.counts.map(|counts| counts.launches), Some(65));
    }
}

#[test]
fn strict_passes_every_argument_of_a_kernel() {
    // More than fit into registers: the rest lies on the stack that the kernel does not run on.
    let names: Vec<String> = (0..24).map(|i| format!("v{i}")).collect();
    let declared: Vec<String> = names
        .iter()
        .enumerate()
        .map(|(i, name)| format!("{name} = argc + {i}"))
        .collect();
    let body = format!(
        "  double {};\n#pragma omp target teams distribute parallel for map(tofrom: a[0:n])\n\
         for (int i = 0; i < n; i++) a[i] += {};",
        declared.join(", "),
        names
            .iter()
            .enumerate()
            .map(|(i, name)| format!("{i} * {name}"))
            .collect::<Vec<_>>()
            .join(" + ")
    );
    let (sequential, runs) = outcomes(&body, &[Mode::StrictPerturbed]);
    assert_eq!(compare(&sequential, &runs[0]), []);
}

#[test]
fn strict_heap_behaves_like_malloc() {
    let body = "  unsigned seed = 1;\n  char *blocks[64] = {0};\n  size_t sizes[64] = {0};\n\
          for (int step = 0; step < 20000; step++) {\n\
            seed = seed * 1103515245u + 12345u;\n    int k = seed >> 26;\n    size_t size = (seed >> 8) % (k ? 3000 : 400000);\n\
            for (size_t i = 0; i < sizes[k]; i += 97) if (blocks[k][i] != (char)k) return 7;\n\
            if (step % 3 == 0) { free(blocks[k]); blocks[k] = calloc(1, size + 1);\n\
              for (size_t i = 0; i <= size; i += 61) if (blocks[k][i]) return 8; }\n\
            else if (step % 3 == 1) blocks[k] = realloc(blocks[k], size + 1);\n\
            else { free(blocks[k]); blocks[k] = aligned_alloc(256, (size / 256 + 1) * 256);\n\
              if ((size_t)blocks[k] % 256) return 9; }\n\
            memset(blocks[k], k, size); sizes[k] = size;\n  }";
    let (sequential, runs) = outcomes(body, &[Mode::Strict, Mode::StrictPerturbed]);
    for run in &runs {
        assert_eq!(compare(&sequential, run), []);
    }
}

#[test]
fn device_images_do_not_stay_in_the_temporary_folder() {
    let body = "#pragma omp target teams distribute parallel for map(tofrom: a[0:n])\n\
                  for (int i = 0; i < n; i++) a[i] += 1;\n\
                  char line[512];\n  FILE *maps = fopen(\"/proc/self/maps\", \"r\");\n\
                  while (fgets(line, sizeof line, maps))\n\
                    if (strstr(line, \"/tmp/tmpfile_\") && !strstr(line, \"(deleted)\")) a[0] = -1;\n\
                  fclose(maps);";
    let (sequential, runs) = outcomes(body, &ALL);
    for run in &runs {
        assert_eq!(compare(&sequential, run), []);
    }
}

#[test]
fn sections_split_the_counts() {
    let kernel = "#pragma omp target teams distribute parallel for map(tofrom: a[0:n])\n\
                  for (int i = 0; i < n; i++) a[i] += 1;\n";
    let update = "#pragma omp target enter data map(to: g[0:100])\n#pragma omp target update from(g[10:20])\n\
                  #pragma omp target exit data map(delete: g[0:100])\n";
    let body =
        format!("{kernel}  omp_control_tool(64, 3, NULL);\n{update}  omp_control_tool(64, 1, NULL);\n{kernel}{kernel}");
    let (_, runs) = outcomes(&body, &[Mode::Plain]);
    let summary: Vec<_> = runs[0]
        .sections
        .iter()
        .map(|section| {
            (
                section.index,
                section.counts.h2d_bytes,
                section.counts.d2h_bytes,
                section.counts.launches,
            )
        })
        .collect();
    assert_eq!(summary, [(3, 8000, 8000, 1), (1, 800, 160, 0)]);
    let total = runs[0].counts.unwrap();
    assert_eq!((total.h2d_bytes, total.d2h_bytes, total.launches), (24800, 24160, 3));
    assert_eq!((total.moved_bytes(), total.moved_calls()), (48960, 8));
}

#[test]
fn limits_end_a_program_and_all_it_started() {
    let hang = Built::new(
        "#include <unistd.h>\nint main(void) { fork(); for (;;) pause(); }\n",
        BuildKind::Sequential,
    );
    let run = hang.run_with(RunSpec {
        timeout: Duration::from_millis(300),
        ..RunSpec::default()
    });
    assert_eq!(run.status, Status::TimedOut);
    assert!(run.elapsed < Duration::from_secs(10), "{:?}", run.elapsed);
    let flood = Built::new(
        "#include <stdio.h>\nint main(void) { for (;;) puts(\"x\"); }\n",
        BuildKind::Sequential,
    );
    let run = flood.run_with(RunSpec {
        output_limit: 1000,
        ..RunSpec::default()
    });
    assert_eq!((run.status, run.stdout.len()), (Status::TooMuchOutput, 1000));
}

#[test]
fn input_arguments_and_status_pass_through() {
    let echo = "#include <stdio.h>\n#include <omp.h>\nint main(int c, char **v) {\n  int x;\n\
                while ((x = getchar()) != EOF) putchar(x);\n  puts(v[1]);\n\
                return 10 * omp_get_max_threads() + omp_is_initial_device();\n}\n";
    let spec = || RunSpec {
        args: vec!["last".into()],
        stdin: b"in\n".to_vec(),
        ..RunSpec::default()
    };
    let sequential = Built::new(echo, BuildKind::Sequential).run_with(spec());
    assert_eq!(
        (sequential.stdout.as_slice(), sequential.status),
        (&b"in\nlast\n"[..], Status::Exited(11))
    );
    let offload = Built::new(echo, BuildKind::Offload).run_with(RunSpec {
        threads: 3,
        counted: Counting::Totals,
        ..spec()
    });
    assert_eq!(
        (offload.stdout, offload.status),
        (sequential.stdout, Status::Exited(31))
    );
    assert_eq!(offload.counts, Some(Counts::default()));
}

#[test]
fn verifies_a_rewriting_and_reports_what_it_saved() {
    let folder = tempfile::tempdir().unwrap();
    let kernel = "#pragma omp target teams distribute parallel for{}\nfor (int i = 0; i < n; i++) a[i] += i;\n";
    let naive = program(&kernel.replace("{}", " map(tofrom: a[0:n])").repeat(2));
    let good = program(&format!(
        "#pragma omp target data map(tofrom: a[0:n])\n{{\n{}}}",
        kernel.replace("{}", "").repeat(2)
    ));
    let bad = good.replace("tofrom:", "to:");
    let [naive, good, bad] = [("naive.c", naive), ("good.c", good), ("bad.c", bad)].map(|(name, text)| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    });
    let verify = |rewritten: &PathBuf| {
        let spec = ProgramSpec {
            original: vec![naive.clone()],
            rewritten: vec![rewritten.clone()],
            ..ProgramSpec::default()
        };
        verify_program(&TOOLCHAIN, &spec, &VerifyOptions::default()).unwrap()
    };
    let report = verify(&good);
    assert!(
        report.is_verified() && report.original_agrees(),
        "{:?}",
        report.mismatches().collect::<Vec<_>>()
    );
    assert_eq!(report.runs.len(), 6);
    assert_eq!(
        report
            .before()
            .map(|counts| (counts.moved_bytes(), counts.moved_calls())),
        Some((32000, 4))
    );
    assert_eq!(
        report
            .after()
            .map(|counts| (counts.moved_bytes(), counts.moved_calls())),
        Some((16000, 2))
    );

    let report = verify(&bad);
    assert!(!report.is_verified() && report.original_agrees());
    let first = report.mismatches().next().unwrap().to_string();
    assert_eq!(
        first,
        "rewritten program, plain run: output line 2 is \"1\", expected \"3\""
    );
}

#[test]
fn a_program_that_does_not_compile_is_an_error_with_the_compilers_words() {
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("broken.c");
    fs::write(&broken, "int main(void) { return nothing; }\n").unwrap();
    let spec = ProgramSpec {
        original: vec![broken.clone()],
        rewritten: vec![broken],
        ..ProgramSpec::default()
    };
    let error = verify_program(&TOOLCHAIN, &spec, &VerifyOptions::default()).unwrap_err();
    assert!(
        error.to_string().contains("use of undeclared identifier 'nothing'"),
        "{error}"
    );
}
