//! `rewrite` without `-i`: the patch, the other formats, and which files and lines are meant.

use super::{LOOP, Ran, Sandbox, ran};
use std::fs;
use std::process::{Command, Stdio};

#[test]
fn a_patch_on_standard_output_and_a_summary_beside_it() {
    let sandbox = Sandbox::new(&[("sub/a b.c", LOOP)]);
    let Ran { code, out, err } = sandbox.run(&["rewrite", "./sub"]);
    assert_eq!(code, 1);
    assert!(out.starts_with("--- a/sub/a b.c\t\n+++ b/sub/a b.c\t\n@@ "), "{out}");
    assert!(out.contains("+") && out.contains("#pragma omp target"));
    assert!(err.starts_with("1 file: 1 would change"), "{err}");
    assert_eq!(sandbox.read("sub/a b.c"), LOOP);
    // The patch is one, and what it gives is what -i writes.
    fs::write(sandbox.path().join("p.diff"), &out).unwrap();
    let applied = Command::new("patch")
        .args(["-p1", "-i", "p.diff"])
        .current_dir(sandbox.path())
        .output()
        .unwrap();
    assert!(applied.status.success());
    let patched = sandbox.read("sub/a b.c");
    fs::write(sandbox.path().join("sub/a b.c"), LOOP).unwrap();
    assert_eq!(sandbox.run(&["rewrite", "-i", "sub"]).code, 0);
    assert_eq!(sandbox.read("sub/a b.c"), patched);
}

#[test]
fn a_file_above_is_named_from_the_root_of_its_repository() {
    let sandbox = Sandbox::new(&[("repo/src/a.c", LOOP), ("repo/.git/HEAD", ""), ("repo/build/x", "")]);
    let mut command = sandbox.command(&["rewrite", "../src/a.c"]);
    let output = command.current_dir(sandbox.path().join("repo/build")).output().unwrap();
    let Ran { code, out, err } = ran(output);
    assert_eq!(code, 1, "{err}");
    assert!(out.starts_with("--- a/src/a.c\n+++ b/src/a.c\n"), "{out}");
}

#[test]
fn comments_in_latin_1_are_written_as_they_were() {
    let sandbox = Sandbox::new(&[]);
    let text = [b"/* \xe9 */\n", LOOP.as_bytes()].concat();
    fs::write(sandbox.path().join("a.c"), &text).unwrap();
    let patch = sandbox.command(&["rewrite", "a.c"]).output().unwrap().stdout;
    let has = |bytes: &[u8], what: &[u8]| bytes.windows(what.len()).any(|there| there == what);
    assert!(
        has(&patch, b" /* \xe9 */\n") || !has(&patch, b"/*"),
        "{}",
        String::from_utf8_lossy(&patch)
    );
    assert_eq!(sandbox.run(&["rewrite", "-i", "a.c"]).code, 0);
    let written = fs::read(sandbox.path().join("a.c")).unwrap();
    assert!(written.starts_with(b"/* \xe9 */\n") && has(&written, b"target data"));
}

#[test]
fn patches_have_colours_where_they_are_wanted() {
    let sandbox = Sandbox::new(&[("a.c", LOOP)]);
    let plain = sandbox.run(&["rewrite", "a.c"]).out;
    let coloured = sandbox.run(&["--color", "always", "rewrite", "a.c"]).out;
    assert!(
        coloured.contains("\x1b[32m+  #pragma omp target data map(tofrom: a[0:n])\x1b[0m\n"),
        "{coloured}"
    );
    let without: String = coloured
        .split("\x1b[")
        .enumerate()
        .map(|(at, part)| match (at, part.split_once('m')) {
            (1.., Some((_, rest))) => rest,
            _ => part,
        })
        .collect();
    assert_eq!(without, plain);
}

#[test]
fn nothing_to_do() {
    let sandbox = Sandbox::new(&[("a.c", "int main(void) { return 0; }\n")]);
    let Ran { code, out, err } = sandbox.run(&["rewrite", "a.c"]);
    assert_eq!(
        (code, out.as_str(), err.as_str()),
        (0, "", "1 file: nothing to change\n")
    );
}

#[test]
fn a_file_without_kernels_needs_no_compiler_flags() {
    let sandbox = Sandbox::new(&[("a.c", "#include \"nowhere.h\"\nint x;\n")]);
    assert_eq!(sandbox.run(&["rewrite", "a.c"]).code, 0);
}

#[test]
fn verbose_gives_reasons_and_quiet_nothing() {
    let sandbox = Sandbox::new(&[("a.c", LOOP)]);
    let verbose = sandbox.run(&["rewrite", "-v", "a.c"]);
    assert!(
        verbose
            .err
            .lines()
            .any(|l| l.starts_with("a.c:") && l.contains(": change: ")),
        "{}",
        verbose.err
    );
    let quiet = sandbox.run(&["rewrite", "-q", "a.c"]);
    assert_eq!((quiet.code, quiet.err.as_str()), (1, ""));
    assert_eq!(quiet.out, verbose.out);
}

#[test]
fn colour_only_where_asked_for() {
    let sandbox = Sandbox::new(&[("a.c", LOOP)]);
    let plain = sandbox.run(&["rewrite", "-v", "a.c"]);
    assert!(!plain.err.contains('\x1b') && !plain.out.contains('\x1b'));
    let coloured = sandbox.run(&["rewrite", "-v", "--color", "always", "a.c"]);
    assert!(coloured.err.contains("\x1b[") && coloured.out.contains("\x1b["));
    let json = sandbox.run(&["rewrite", "--color", "always", "--output-format", "json", "a.c"]);
    assert!(!json.out.contains('\x1b'));
}

#[test]
fn files_come_sorted_and_once() {
    let sandbox = Sandbox::new(&[("b.c", LOOP), ("a.c", LOOP)]);
    let Ran { out, err, .. } = sandbox.run(&["rewrite", "b.c", ".", "./a.c"]);
    let names: Vec<&str> = out.lines().filter(|l| l.starts_with("+++ ")).collect();
    assert_eq!(names, ["+++ b/a.c", "+++ b/b.c"]);
    assert!(err.starts_with("2 files:"));
}

#[test]
fn lines_limit_what_is_rewritten() {
    let sandbox = Sandbox::new(&[("a.c", LOOP)]);
    assert_eq!(sandbox.run(&["rewrite", "a.c:1-3"]).code, 0);
    assert_eq!(sandbox.run(&["rewrite", "a.c:11"]).code, 1);
    assert_eq!(sandbox.run(&["rewrite", "a.c:1", "a.c:10-12"]).code, 1);
    assert_eq!(sandbox.run(&["rewrite", "a.c:1", "a.c"]).code, 1);
}

#[test]
fn flags_after_two_dashes_and_from_the_nearest_database() {
    let text = LOOP.replace("int n = 1000;", "int n = COUNT;");
    let sandbox = Sandbox::new(&[("sub/a.c", &text)]);
    assert_eq!(sandbox.run(&["rewrite", "sub/a.c"]).code, 2);
    let given = sandbox.run(&["rewrite", "sub/a.c", "--", "-DCOUNT=1000"]);
    assert_eq!(given.code, 1, "{}", given.err);
    let database =
        r#"[{"directory": ".", "file": "sub/a.c", "command": "nvc -mp=gpu -gpu=cc80 -DCOUNT=1000 -c sub/a.c -o a.o"}]"#;
    fs::write(sandbox.path().join("compile_commands.json"), database).unwrap();
    let found = sandbox.run(&["rewrite", "sub/a.c"]);
    assert_eq!((found.code, &found.out), (1, &given.out), "{}", found.err);
    assert!(
        found
            .err
            .contains("note: `-mp=gpu` is not a flag of clang and was ignored"),
        "{}",
        found.err
    );
    let named = sandbox.run(&["rewrite", "-p", ".", "sub/a.c"]);
    assert_eq!((named.code, &named.out), (1, &given.out));
}

#[test]
fn conditional_code_is_read_as_the_flags_say() {
    let text = LOOP.replace(
        "  double sum",
        "#ifdef ODD\n  for (;;) { {\n#else\n  {\n#endif\n  }\n  double sum",
    );
    let sandbox = Sandbox::new(&[("a.c", &text)]);
    let ran = sandbox.run(&["rewrite", "a.c"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
}

#[test]
fn machine_formats_replace_the_patch() {
    let sandbox = Sandbox::new(&[("a.c", LOOP), ("bad.c", "#pragma omp target\nint f(\n")]);
    let patch = sandbox.run(&["rewrite", "a.c"]).out;
    let json: serde_json::Value =
        serde_json::from_str(&sandbox.run(&["rewrite", "--output-format", "json", "."]).out).unwrap();
    assert_eq!(json["files"][0]["path"], "a.c");
    assert_eq!(json["files"][0]["diff"], patch);
    assert_eq!(json["files"][1]["findings"][0]["level"], "error");
    assert_eq!(json["summary"]["errors"], 1);
    let sarif: serde_json::Value =
        serde_json::from_str(&sandbox.run(&["rewrite", "--output-format", "sarif", "."]).out).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
    let github = sandbox.run(&["rewrite", "--output-format", "github", "."]);
    assert!(github.code == 2 && github.err.is_empty());
    assert!(
        github.out.lines().all(|l| l.starts_with("::")) && github.out.contains("::error "),
        "{}",
        github.out
    );
}

#[test]
fn dumps_replace_the_patch() {
    let sandbox = Sandbox::new(&[("a.c", LOOP)]);
    for (what, part) in [
        ("scopes", "function main() 4:1-21:2"),
        ("ir", "define i32 main"),
        ("program", "kernel 11:5-"),
        ("problem", "{ /* residency */"),
        ("plan", "decision in main"),
    ] {
        let ran = sandbox.run(&["rewrite", "--dump", what, "a.c"]);
        assert!(ran.code == 0 && ran.out.contains(part), "{what}: {}", ran.out);
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let sandbox = Sandbox::new(&[("a.c", LOOP)]);
    let mut child = sandbox
        .command(&["rewrite", "a.c"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(!String::from_utf8_lossy(&output.stderr).contains("error"));
}

#[test]
fn a_file_outside_the_folder_is_named_from_the_root() {
    let sandbox = Sandbox::new(&[("a.c", LOOP), ("elsewhere/b.c", "")]);
    let path = sandbox.path().join("a.c").display().to_string();
    let mut command = sandbox.command(&["rewrite", &path]);
    let ran = ran(command.current_dir(sandbox.path().join("elsewhere")).output().unwrap());
    assert_eq!(ran.code, 1, "{}", ran.err);
    let names = format!("--- a{path}\n+++ b{path}\n");
    assert!(ran.out.starts_with(&names), "{}", ran.out);
}
