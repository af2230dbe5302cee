//! `rewrite --summaries`: the same patch as without, and what is said of summaries that do not fit.

use super::{LOOP, Ran, Sandbox};
use std::fs;

const MAIN: &str = "#include \"step.h\"\n\
int main(void) {\n  static double a[N];\n  for (int t = 0; t < 9; t++)\n    step(a, N);\n  return (int)a[1];\n}\n";
const STEP: &str = "#include \"step.h\"\n\
void step(double *a, int n) {\n  #pragma omp target teams distribute parallel for map(tofrom: a[0:n])\n\
  for (int i = 0; i < n; i++)\n    a[i] += 1.0;\n}\n";
const HEADER: &str = "#define N 100\nvoid step(double *, int);\n";

/// A program of two files, one in a folder, with summaries in `omps`.
fn summarized() -> Sandbox {
    let sandbox = Sandbox::new(&[("src/main.c", MAIN), ("src/step.c", STEP), ("src/step.h", HEADER)]);
    let ran = sandbox.run(&["summarize", "src", "--output-dir", "omps"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    sandbox
}

const REWRITE: [&str; 3] = ["rewrite", "--summaries", "omps"];

#[test]
fn the_patch_is_the_one_without_summaries() {
    let sandbox = summarized();
    let plain = sandbox.run(&["rewrite", "src"]);
    for extra in [&[][..], &["--no-cache"], &[]] {
        let ran = sandbox.run(&[&REWRITE[..], extra].concat());
        assert_eq!((ran.code, &ran.out, &ran.err), (1, &plain.out, &plain.err));
    }
    assert!(plain.out.contains("+++ b/src/main.c"), "{}", plain.out);
}

#[test]
fn paths_say_which_files_are_written() {
    let sandbox = summarized();
    let alone = sandbox.run(&["rewrite", "src/main.c"]);
    assert_eq!((alone.code, alone.out.as_str()), (0, ""));
    let ran = sandbox.run(&[&REWRITE[..], &["src/main.c"]].concat());
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(
        ran.out.contains("+++ b/src/main.c") && ran.err.contains("1 file"),
        "{}",
        ran.err
    );
    let none = sandbox.run(&[&REWRITE[..], &["-i", "src/step.c"]].concat());
    assert_eq!((none.code, sandbox.read("src/main.c").as_str()), (0, MAIN));
    // A path without a summary is read, and is part of the program.
    fs::remove_file(sandbox.path().join("omps/src/main.omps")).unwrap();
    let read = sandbox.run(&[&REWRITE[..], &["src/main.c"]].concat());
    assert_eq!((read.code, read.out), (1, ran.out));
}

#[test]
fn a_summary_that_is_out_of_date_is_made_again_for_the_run() {
    let sandbox = summarized();
    let before = fs::read(sandbox.path().join("omps/src/main.omps")).unwrap();
    fs::write(sandbox.path().join("src/step.h"), HEADER.replace("100", "50")).unwrap();
    let plain = sandbox.run(&["rewrite", "src"]);
    let ran = sandbox.run(&REWRITE);
    assert_eq!((ran.code, &ran.out), (1, &plain.out));
    let here = sandbox.path().canonicalize().unwrap();
    let note = format!(
        "omps/src/main.omps: is out of date and was not used: {}, which it includes, has changed",
        here.join("src/step.h").display()
    );
    assert!(ran.err.contains(&note), "{}", ran.err);
    assert_eq!(fs::read(sandbox.path().join("omps/src/main.omps")).unwrap(), before);
}

#[test]
fn what_is_no_summary_is_named_and_the_rest_is_done() {
    let sandbox = summarized();
    let plain = sandbox.run(&["rewrite", "src"]);
    let good = fs::read(sandbox.path().join("omps/src/main.omps")).unwrap();
    let put = |name: &str, bytes: &[u8]| fs::write(sandbox.path().join("omps").join(name), bytes).unwrap();
    put("cut.omps", &good[..good.len() / 2]);
    put("foreign.omps", b"something else");
    let mut newer = good.clone();
    newer[8] = 99;
    put("newer.omps", &newer);
    let mut damaged = good.clone();
    *damaged.last_mut().unwrap() ^= 1;
    put("damaged.omps", &damaged);
    let Ran { code, out, err } = sandbox.run(&REWRITE);
    assert_eq!((code, &out), (2, &plain.out));
    let errors: Vec<&str> = err.lines().filter(|line| line.starts_with("error: ")).collect();
    assert_eq!(errors.len(), 4, "{err}");
    for (error, words) in errors.iter().zip([
        "cut.omps: is cut off",
        "damaged.omps: is damaged",
        "foreign.omps: is no summary",
        "newer.omps: is a summary in format 99",
    ]) {
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn two_summaries_of_one_file() {
    let sandbox = summarized();
    let plain = sandbox.run(&["rewrite", "src"]);
    let twice = sandbox.path().join("omps/twice.omps");
    fs::copy(sandbox.path().join("omps/src/step.omps"), &twice).unwrap();
    let ran = sandbox.run(&REWRITE);
    assert_eq!((ran.code, &ran.out), (1, &plain.out));
    assert!(ran.err.contains("note: omps/twice.omps: says of"), "{}", ran.err);
    sandbox.run(&["summarize", "src/step.c", "-o", "omps/twice.omps", "--", "-DOTHER"]);
    let ran = sandbox.run(&REWRITE);
    assert_eq!((ran.code, &ran.out), (2, &plain.out));
    assert!(ran.err.starts_with("error: omps/twice.omps: is about "), "{}", ran.err);
}

#[test]
fn files_and_folders_that_are_gone() {
    let sandbox = summarized();
    fs::remove_file(sandbox.path().join("src/main.c")).unwrap();
    let ran = sandbox.run(&REWRITE);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("src/main.c: no such file"), "{}", ran.err);
    let ran = sandbox.run(&["rewrite", "--summaries", "nothing"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.starts_with("error: nothing: cannot be read ("), "{}", ran.err);
    let ran = sandbox.run(&["rewrite", "--summaries", "src"]);
    assert_eq!(ran.code, 2);
    insta::assert_snapshot!(ran.err, @"error: src: no summaries in this folder; make them with `ompmemopt summarize --output-dir src`");
}

#[test]
fn all_files_of_a_summary_may_be_fine_and_alone() {
    let sandbox = Sandbox::new(&[("a.c", LOOP)]);
    assert_eq!(sandbox.run(&["summarize", "a.c"]).code, 0);
    let ran = sandbox.run(&["rewrite", "--summaries", ".", "-i"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_ne!(sandbox.read("a.c"), LOOP);
}
