//! `summarize`: what it writes and where, and what it says of files that it cannot read.

use super::{CLANG, LOOP, Ran, Sandbox};
use std::fs;
use std::path::Path;

fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn the_summary_is_in_the_current_folder() {
    let sandbox = Sandbox::new(&[("src/a.c", LOOP), ("src/b.c", "int b;\n")]);
    let Ran { code, out, err } = sandbox.run(&["summarize", "src/a.c", "src/b.c", "src/../src/a.c"]);
    assert_eq!((code, out.as_str(), err.as_str()), (0, "", ""));
    assert_eq!(files(sandbox.path()), ["a.omps", "b.omps", "src"]);
    assert!(
        fs::read(sandbox.path().join("a.omps"))
            .unwrap()
            .starts_with(b"\x89OMPS")
    );
}

#[test]
fn it_goes_where_it_is_told() {
    let sandbox = Sandbox::new(&[("src/a.c", LOOP), ("src/sub/a.c", "int b;\n")]);
    assert_eq!(sandbox.run(&["summarize", "src/a.c", "-o", "x.omps"]).code, 0);
    assert_eq!(sandbox.run(&["summarize", "src", "--output-dir", "out"]).code, 0);
    let inside = sandbox.path().join("src/sub/a.c");
    let again = sandbox.run(&["summarize", inside.to_str().unwrap(), "--output-dir", "other"]);
    assert_eq!(again.code, 0);
    let read = |name: &str| fs::read(sandbox.path().join(name)).unwrap();
    assert_eq!(read("x.omps"), read("out/src/a.omps"));
    assert_ne!(read("x.omps"), read("out/src/sub/a.omps"));
    assert!(sandbox.path().join("other/src/sub/a.omps").exists());
}

#[test]
fn equal_runs_write_equal_bytes_with_and_without_a_cache() {
    let sandbox = Sandbox::new(&[("a.c", LOOP)]);
    let mut results = Vec::new();
    for more in [&["--no-cache"][..], &[], &[], &["--cache-dir", "kept"]] {
        let ran = sandbox.run(&[&["summarize", "a.c"], more].concat());
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        results.push(fs::read(sandbox.path().join("a.omps")).unwrap());
    }
    assert!(results.iter().all(|bytes| *bytes == results[0]));
    assert!(sandbox.path().join("kept/CACHEDIR.TAG").exists());
    assert!(sandbox.cache.path().join("ompmemopt/CACHEDIR.TAG").exists());
}

#[test]
fn a_second_run_needs_no_clang() {
    let sandbox = Sandbox::new(&[("a.c", "#include \"h.h\"\nint a;\n"), ("h.h", "")]);
    let slow = format!("#!/bin/sh\necho clang >> calls\nexec {CLANG} \"$@\"\n");
    let clang = sandbox.path().join("clang");
    fs::write(&clang, slow).unwrap();
    fs::set_permissions(&clang, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let calls = || {
        let run = sandbox
            .command(&["summarize", "a.c", "--", "-DN=3", "-mp=gpu"])
            .env("OMPMEMOPT_CLANG", &clang)
            .output()
            .unwrap();
        assert_eq!(run.status.code(), Some(0));
        let err = String::from_utf8(run.stderr).unwrap();
        assert_eq!(err, "note: `-mp=gpu` is not a flag of clang and was ignored\n");
        let calls = sandbox.read("calls").lines().count();
        fs::remove_file(sandbox.path().join("calls")).unwrap();
        calls
    };
    // A compiler that the user names is asked for its version each time.
    assert!(calls() > 1);
    assert_eq!(calls(), 1);
    fs::write(sandbox.path().join("h.h"), "int h;\n").unwrap();
    assert!(calls() > 1);
    assert_eq!(calls(), 1);
}

#[test]
fn a_rule_names_the_headers() {
    let sandbox = Sandbox::new(&[("a.c", "#include \"h.h\"\n"), ("h.h", "int h;\n")]);
    assert_eq!(sandbox.run(&["summarize", "a.c", "--depfile"]).code, 0);
    let here = sandbox.path().canonicalize().unwrap();
    let here = here.display();
    let rule = format!("a.omps: \\\n  {here}/a.c \\\n  {here}/h.h\n{here}/h.h:\n");
    assert_eq!(sandbox.read("a.omps.d"), rule);
}

#[test]
fn one_bad_file_does_not_stop_the_others() {
    let sandbox = Sandbox::new(&[("bad.c", "int f(\n"), ("empty.c", ""), ("good.c", LOOP)]);
    let Ran { code, out, err } = sandbox.run(&["summarize", "missing.c", "bad.c", "empty.c", "good.c"]);
    assert_eq!((code, out.as_str()), (2, ""));
    let errors: Vec<&str> = err.lines().filter(|line| line.starts_with("error: ")).collect();
    assert_eq!(errors.len(), 3, "{err}");
    assert!(errors[0].contains("missing.c") && errors[1].contains("bad.c") && errors[2].contains("empty.c"));
    assert_eq!(files(sandbox.path()), ["bad.c", "empty.c", "good.c", "good.omps"]);
}

#[test]
fn summaries_do_not_overwrite_each_other() {
    let sandbox = Sandbox::new(&[("a.c", LOOP), ("sub/a.c", "int b;\n")]);
    let ran = sandbox.run(&["summarize", "a.c", "sub/a.c"]);
    assert_eq!(ran.code, 2);
    insta::assert_snapshot!(ran.err, @"error: sub/a.c: its summary would overwrite that of a.c (a.omps); use --output-dir, or -o for each");
    assert!(sandbox.path().join("a.omps").exists());
    let ran = sandbox.run(&["summarize", ".", "-o", "x.omps"]);
    assert_eq!(ran.code, 2);
    insta::assert_snapshot!(ran.err, @"error: -o names one summary and there are 2 files; use --output-dir");
}

#[test]
fn a_place_that_cannot_be_written_is_named() {
    let sandbox = Sandbox::new(&[("a.c", LOOP), ("file", "")]);
    let ran = sandbox.run(&["summarize", "a.c", "-o", "missing/a.omps"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.starts_with("error: missing/a.omps: cannot be written ("),
        "{}",
        ran.err
    );
    let ran = sandbox.run(&["summarize", "a.c", "--cache-dir", "file/sub"]);
    assert_eq!(ran.code, 0);
    assert!(
        ran.err.starts_with("note: file/sub: results cannot be kept there ("),
        "{}",
        ran.err
    );
    assert!(sandbox.path().join("a.omps").exists());
}
