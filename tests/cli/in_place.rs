//! `rewrite -i`: what is written, and that once is enough.

use super::{LOOP, Sandbox};
use std::fs;
use std::os::unix::fs::PermissionsExt;

#[test]
fn a_second_run_changes_nothing() {
    let sandbox = Sandbox::new(&[("a.c", LOOP)]);
    let first = sandbox.run(&["rewrite", "-i", "a.c"]);
    assert_eq!((first.code, first.out.as_str()), (0, ""), "{}", first.err);
    assert!(first.err.starts_with("1 file: 1 changed"));
    let written = sandbox.read("a.c");
    assert_ne!(written, LOOP);
    let second = sandbox.run(&["rewrite", "-i", "a.c"]);
    assert_eq!(second.code, 0);
    assert!(second.err.starts_with("1 file: nothing to change"), "{}", second.err);
    assert_eq!(sandbox.read("a.c"), written);
}

#[test]
fn changes_can_be_told_by_the_exit_code() {
    let sandbox = Sandbox::new(&[("a.c", LOOP)]);
    assert_eq!(
        sandbox.run(&["rewrite", "-i", "--exit-non-zero-on-change", "a.c"]).code,
        1
    );
    assert_eq!(
        sandbox.run(&["rewrite", "-i", "--exit-non-zero-on-change", "a.c"]).code,
        0
    );
}

#[test]
fn mode_and_line_endings_stay() {
    let text = LOOP.replace('\n', "\r\n");
    let sandbox = Sandbox::new(&[("a.c", &text)]);
    let path = sandbox.path().join("a.c");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    assert_eq!(sandbox.run(&["rewrite", "-i", "a.c"]).code, 0);
    let written = sandbox.read("a.c");
    assert_ne!(written, text);
    assert_eq!(written.matches('\n').count(), written.matches("\r\n").count());
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
}

#[test]
fn styles_are_kept() {
    for (style, expected, excluded) in [
        ("structured", "target data", "enter data"),
        ("unstructured", "target enter data", "target data"),
    ] {
        let sandbox = Sandbox::new(&[("a.c", LOOP)]);
        assert_eq!(sandbox.run(&["rewrite", "-i", "--style", style, "a.c"]).code, 0);
        let written = sandbox.read("a.c");
        assert!(
            written.contains(expected) && !written.contains(excluded),
            "{style}: {written}"
        );
    }
}
