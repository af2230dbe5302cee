//! Every message says what, where, why, and what to do; the exit code is 2, and nothing is written.

use super::{LOOP, Ran, Sandbox, ran};
use std::fs;
use std::os::unix::fs::PermissionsExt;

fn fails(sandbox: &Sandbox, args: &[&str]) -> String {
    let Ran { code, out, err } = sandbox.run(args);
    assert_eq!((code, out.as_str()), (2, ""), "{err}");
    err
}

#[test]
fn a_missing_file() {
    insta::assert_snapshot!(fails(&Sandbox::new(&[]), &["rewrite", "no.c"]), @"error: no.c: no such file or folder; check the spelling and the current folder");
}

#[test]
fn a_folder_without_c_files() {
    let sandbox = Sandbox::new(&[("sub/a.h", "")]);
    insta::assert_snapshot!(fails(&sandbox, &["rewrite", "sub"]), @"error: sub: no C files in this folder; name `*.c` files, or check what `.gitignore` excludes");
}

#[test]
fn an_empty_file() {
    let sandbox = Sandbox::new(&[("a.c", "")]);
    insta::assert_snapshot!(fails(&sandbox, &["rewrite", "-q", "a.c"]), @"error: a.c: is empty; there is nothing to rewrite");
}

#[test]
fn a_device() {
    insta::assert_snapshot!(fails(&Sandbox::new(&[]), &["rewrite", "-q", "/dev/null"]), @"error: /dev/null: is not a regular file; copy its contents to one first");
}

#[test]
fn bytes_that_are_no_utf8() {
    let sandbox = Sandbox::new(&[]);
    fs::write(sandbox.path().join("a.c"), b"int a;\nchar c = '\xff';\n").unwrap();
    insta::assert_snapshot!(fails(&sandbox, &["rewrite", "-q", "a.c"]), @"error: a.c:2:11: byte 0xff at offset 17 is not UTF-8, and stands neither in a comment nor in a string; convert the file, e.g. with `iconv -t UTF-8`");
}

#[test]
fn a_line_that_the_file_has_not() {
    let sandbox = Sandbox::new(&[("a.c", LOOP)]);
    insta::assert_snapshot!(fails(&sandbox, &["rewrite", "-q", "a.c:9999"]), @"error: a.c:9999: the file has 21 lines; name one of them");
}

#[test]
fn another_language() {
    let sandbox = Sandbox::new(&[("a.cpp", LOOP), ("a.h", LOOP)]);
    insta::assert_snapshot!(fails(&sandbox, &["rewrite", "-q", "a.cpp"]), @"error: a.cpp: is C++, and this tool reads C; name C files");
    let header = sandbox.run(&["rewrite", "a.h"]);
    assert_eq!(header.code, 1);
    assert!(
        header.err.starts_with("note: a.h: is read as a C file of its own;"),
        "{}",
        header.err
    );
}

#[test]
fn text_that_clang_does_not_compile() {
    let sandbox = Sandbox::new(&[("a.c", &LOOP.replace("sum += a[i]", "sum += b[i]"))]);
    let err = fails(&sandbox, &["rewrite", "-i", "a.c"]);
    assert!(
        err.contains("clang does not accept a.c") && err.contains("a.c:17:12: error: use of undeclared identifier 'b'")
    );
    assert!(err.ends_with("1 file: nothing to change, 1 failed\n"));
}

#[test]
fn a_missing_header_comes_with_a_hint() {
    let sandbox = Sandbox::new(&[("a.c", &format!("#include \"missing.h\"\n{LOOP}"))]);
    let err = fails(&sandbox, &["rewrite", "a.c"]);
    assert!(
        err.contains("'missing.h' file not found") && err.contains("after `--`"),
        "{err}"
    );
}

#[test]
fn a_directive_that_clang_rejects() {
    let sandbox = Sandbox::new(&[("a.c", &LOOP.replace("map(tofrom: a[0:n])", "map(tofrom: nothing[0:n])"))]);
    let err = fails(&sandbox, &["rewrite", "-i", "a.c"]);
    assert!(err.contains("undeclared identifier 'nothing'"), "{err}");
}

#[test]
fn one_bad_file_does_not_stop_the_others() {
    let sandbox = Sandbox::new(&[("bad.c", "#pragma omp target\nint f(\n"), ("good.c", LOOP)]);
    let Ran { code, out, err } = sandbox.run(&["rewrite", "."]);
    assert_eq!(code, 2);
    assert!(out.contains("+++ b/good.c") && err.contains("bad.c:"), "{out}{err}");
}

#[test]
fn no_compiler() {
    let sandbox = Sandbox::new(&[("a.c", LOOP)]);
    let mut command = sandbox.command(&["rewrite", "a.c"]);
    let Ran { code, err, .. } = ran(command.env("OMPMEMOPT_CLANG", "/no/such/clang").output().unwrap());
    assert_eq!(code, 2);
    assert!(err.starts_with("error: cannot run /no/such/clang: "), "{err}");
}

#[test]
fn a_read_only_file_is_not_written() {
    let sandbox = Sandbox::new(&[("a.c", LOOP)]);
    let path = sandbox.path().join("a.c");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    insta::assert_snapshot!(fails(&sandbox, &["rewrite", "-q", "-i", "a.c"]), @"error: a.c: is read-only; make it writable, e.g. with `chmod u+w`, or ask for a patch instead");
    assert_eq!(sandbox.read("a.c"), LOOP);
}

#[test]
fn line_numbers_that_are_none() {
    let sandbox = Sandbox::new(&[("a.c", LOOP)]);
    insta::assert_snapshot!(fails(&sandbox, &["rewrite", "-q", "a.c:9-3"]), @"error: a.c:9-3: lines are written as FILE:LINE or FILE:FIRST-LAST, numbers from 1, in order");
}

#[test]
fn a_compilation_database_that_is_none() {
    let sandbox = Sandbox::new(&[("a.c", LOOP), ("compile_commands.json", "{}")]);
    let err = fails(&sandbox, &["rewrite", "a.c"]);
    assert!(
        err.contains("compile_commands.json: is no compilation database"),
        "{err}"
    );
    assert!(fails(&sandbox, &["rewrite", "-p", "none", "a.c"]).contains("cannot be read"));
}

#[test]
fn a_line_of_a_megabyte_is_no_problem() {
    let long = format!("static const char long_line[] = \"{}\";\n{LOOP}", "x".repeat(1 << 20));
    let sandbox = Sandbox::new(&[("a.c", &long)]);
    let Ran { code, out, err } = sandbox.run(&["rewrite", "a.c"]);
    assert_eq!(code, 1, "{err}");
    assert!(out.contains("+++ b/a.c"));
}

#[test]
fn deep_nesting_is_no_crash() {
    let deep = LOOP.replace(
        "sum += a[i];",
        &format!("sum += {}a[i]{};", "(".repeat(3000), ")".repeat(3000)),
    );
    let Ran { code, err, .. } = Sandbox::new(&[("a.c", &deep)]).run(&["rewrite", "a.c"]);
    assert!((0..=2).contains(&code) && !err.contains("internal error"), "{err}");
}

#[test]
fn clang_may_crash() {
    for how in ["crash", "llvm_fatal_error"] {
        let sandbox = Sandbox::new(&[("a.c", &format!("#pragma clang __debug {how}\n{LOOP}")), ("b.c", LOOP)]);
        let Ran { code, out, err } = sandbox.run(&["rewrite", "a.c", "b.c", "--", "-fno-crash-diagnostics"]);
        assert_eq!(code, 2, "{err}");
        assert!(err.contains("clang does not accept a.c"), "{err}");
        assert!(out.contains("+++ b/b.c"), "{out}");
    }
}

#[test]
fn old_c_is_read_with_the_flags_that_make_clang_accept_it() {
    let old = format!("half(x) int x; {{ return x / 2; }}\n{LOOP}");
    let sandbox = Sandbox::new(&[("a.c", &old)]);
    let Ran { code, err, .. } = sandbox.run(&["rewrite", "a.c"]);
    assert_eq!(code, 2, "{err}");
    assert!(err.contains("clang does not accept"), "{err}");
    let Ran { code, out, err } = sandbox.run(&["rewrite", "a.c", "--", "-Werror", "-Wno-implicit-int"]);
    assert_eq!(code, 1, "{err}");
    assert!(out.contains("+++ b/a.c"), "{out}");
}
