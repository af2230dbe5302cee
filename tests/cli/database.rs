//! `compile_commands.json`: the files of a build, and what may be wrong with the list of them.

use super::{LOOP, Ran, Sandbox};
use std::fs;

fn entry(file: &str, command: &str) -> String {
    serde_json::json!({"directory": "../src", "file": file, "command": command}).to_string()
}

/// Sources in `src`, the database in `build`.
fn project(files: &[(&str, &str)], entries: &[String]) -> Sandbox {
    let sandbox = Sandbox::new(files);
    fs::create_dir(sandbox.path().join("build")).unwrap();
    let text = format!("[{}]", entries.join(",\n"));
    fs::write(sandbox.path().join("build/compile_commands.json"), text).unwrap();
    sandbox
}

fn errors(err: &str) -> Vec<&str> {
    err.lines().filter(|line| line.starts_with("error: ")).collect()
}

#[test]
fn without_paths_all_files_of_the_database_are_rewritten() {
    let sized = LOOP.replace("1000", "SIZE");
    let files = [("src/a.c", LOOP), ("src/b.c", sized.as_str()), ("src/not.c", LOOP)];
    let entries = [
        entry("a.c", "cc -c a.c"),
        entry("b.c", "cc -DSIZE=1000 -c b.c"),
        entry("x.cpp", "c++ x.cpp"),
    ];
    let sandbox = project(&files, &entries);
    let Ran { code, out, err } = sandbox.run(&["rewrite", "-p", "build"]);
    assert_eq!(code, 1, "{err}");
    assert!(out.contains("+++ b/src/a.c") && out.contains("+++ b/src/b.c") && !out.contains("not.c"));
    assert!(
        err.contains("1 files of the compilation database are not named *.c"),
        "{err}"
    );
    let named = sandbox.run(&["rewrite", "-p", "build/compile_commands.json", "src/b.c"]);
    assert_eq!(named.code, 1);
    assert!(!named.out.contains("a.c"));
    assert_eq!(sandbox.run(&["rewrite"]).code, 2);
}

#[test]
fn entries_that_cannot_be_used_are_named_and_the_rest_is_done() {
    let entries = [
        entry("gone.c", "cc -c gone.c"),
        entry("a.c", "cc 'a.c"),
        r#"{"directory": "../src"}"#.to_owned(),
        entry("a.c", "cc -c a.c"),
        entry("a.c", "cc -DX -c a.c"),
    ];
    let sandbox = project(&[("src/a.c", LOOP)], &entries);
    let Ran { code, out, err } = sandbox.run(&["rewrite", "-p", "build"]);
    assert_eq!(code, 2);
    assert!(out.contains("+++ b/src/a.c"), "{err}");
    let errors = errors(&err);
    assert_eq!(errors.len(), 3, "{err}");
    assert!(errors[0].contains("src/gone.c: in the compilation database, but there is no such file"));
    assert!(errors[1].contains("entry 2 is left out: a quote in its command is not closed"));
    assert!(errors[2].contains("entry 3 is left out: missing field `file`"));
}

/// What one of the ways prints, the other does not look at.
const LOOK: &str = r#"
#include <stdio.h>
static double v[8000];
static void quiet(int t) { (void)t; }
static void loud(int t) { printf("%g\n", v[t]); }
void run(void)
{
    for (int t = 0; t < 9; t++) {
        LOOK(t);
#pragma omp target teams distribute parallel for map(tofrom: v)
        for (int i = 0; i < 8000; i++)
            v[i] += 1;
    }
}
"#;

#[test]
fn what_is_right_in_one_way_only_is_not_written() {
    let entries = [
        entry("look.c", "cc -DLOOK=quiet -c look.c -o two.o"),
        entry("look.c", "cc -DLOOK=loud -c look.c -o one.o"),
        entry("a.c", "cc -g -c a.c"),
        entry("a.c", "cc -DNDEBUG -c a.c"),
    ];
    let sandbox = project(&[("src/look.c", LOOK), ("src/a.c", LOOP)], &entries);
    let Ran { out, err, .. } = sandbox.run(&["rewrite", "-v", "-p", "build"]);
    assert!(!out.contains("look.c"), "{out}");
    assert!(
        err.contains("look.c") && err.contains("several ways (`-DLOOK=quiet` and `-DLOOK=loud`)"),
        "{err}"
    );
    // The ways of the other file agree.
    assert!(out.contains("+++ b/src/a.c"), "{out}{err}");
}

/// What happens between the kernels is said by a header that each way finds elsewhere.
const BETWEEN: &str = r#"
#include "between.h"
static int v[700];
int run(void)
{
    for (int t = 0; t < 6; t++) {
        BETWEEN(v, t);
#pragma omp target teams distribute parallel for map(tofrom: v)
        for (int i = 0; i < 700; i++)
            v[i] += i % 5;
    }
    return v[3];
}
"#;

/// The elements have another size in the last way, and the host asks for it.
const ELEMENTS: &str = r#"
#ifndef REAL
#define REAL double
#endif
static REAL v[500];
REAL run_reals(void)
{
    for (int t = 0; t < 6; t++) {
#pragma omp target teams distribute parallel for map(tofrom: v)
        for (int i = 0; i < 500; i++)
            v[i] += i;
        if (sizeof(REAL) == 4)
            v[t] = t;
    }
    return v[3];
}
"#;

#[test]
fn ways_differ_by_headers_types_and_the_last_of_three() {
    let between = [
        ("src/between.c", BETWEEN),
        ("src/one/between.h", "#define BETWEEN(v, t) ((void)0)\n"),
        (
            "src/two/between.h",
            "#define BETWEEN(v, t) ((v)[(t) + 1] = (v)[2] * 3)\n",
        ),
    ];
    for (name, files, ways) in [
        ("between.c", &between[..], ["-Ione", "-Ione -g", "-Itwo"]),
        (
            "real.c",
            &[("src/real.c", ELEMENTS)],
            ["-DREAL=double", "-O2", "-DREAL=float"],
        ),
        (
            "look.c",
            &[("src/look.c", LOOK)],
            ["-DLOOK=quiet", "-DLOOK=quiet -g", "-DLOOK=loud"],
        ),
    ] {
        let entries = ways.map(|way| entry(name, &format!("cc {way} -c {name}")));
        for (count, written) in [(2, true), (3, false)] {
            let sandbox = project(files, &entries[..count]);
            for mode in [
                &["rewrite"][..],
                &["rewrite", "--no-speculation"],
                &["rewrite", "--style", "unstructured"],
            ] {
                let Ran { out, err, .. } = sandbox.run(&[mode, &["-v", "-p", "build"]].concat());
                assert_eq!(
                    out.contains(&format!("+++ b/src/{name}")),
                    written,
                    "{mode:?} {out}{err}"
                );
                assert_eq!(err.contains("several ways"), !written, "{mode:?} {err}");
            }
        }
    }
}

#[test]
fn a_database_is_missing_or_makes_no_sense() {
    let sandbox = Sandbox::new(&[("a.c", LOOP), ("sub/b.c", LOOP), ("sub/compile_commands.json", "[{")]);
    let Ran { code, out, err } = sandbox.run(&["rewrite", "."]);
    assert_eq!(code, 2);
    assert!(out.contains("+++ b/a.c") && !out.contains("b.c"), "{out}");
    assert!(
        err.contains("sub/compile_commands.json: is no compilation database"),
        "{err}"
    );
    for (named, words) in [
        ("sub", "is no compilation database"),
        ("no", "cannot be read"),
        (".", "cannot be read"),
    ] {
        let ran = sandbox.run(&["rewrite", "-p", named]);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""));
        assert!(errors(&ran.err)[0].contains(words), "{}", ran.err);
    }
    fs::write(sandbox.path().join("sub/compile_commands.json"), "[]").unwrap();
    let ran = sandbox.run(&["rewrite", "-p", "sub"]);
    assert_eq!(ran.code, 2);
    insta::assert_snapshot!(ran.err, @"error: the compilation database has no C files; name files or folders");
}

#[test]
fn flags_for_other_compilers_are_dropped() {
    let flags = "-mp=gpu -gpu=cc90,managed -acc -Minfo=all -fast -qsmp=omp -qoffload -foffload=nvptx-none -fopenacc \
                 -xHost -qopenmp -fiopenmp -fopenmp-targets=spir64 -hlist=m -Kopenmp -tp=zen4 -march=sapphire-falls \
                 -mcpu=a64fx --gcc-only --diag_suppress=177 -homp";
    let sized = LOOP.replace("1000", "SIZE");
    let entries = [entry("a.c", &format!("nvc {flags} -DSIZE=1000 -c a.c -o a.o"))];
    let sandbox = project(&[("src/a.c", &sized)], &entries);
    let Ran { code, out, err } = sandbox.run(&["rewrite", "-p", "build"]);
    assert_eq!(code, 1, "{err}");
    assert!(out.contains("+++ b/src/a.c"));
    assert!(
        err.contains("note: `-mp=gpu` is not a flag of clang and was ignored"),
        "{err}"
    );
}

#[test]
fn a_program_is_verified_as_the_database_says() {
    let sized = LOOP
        .replace("#include <stdio.h>", "#include <stdio.h>\n#include \"size.h\"")
        .replace("1000", "SIZE");
    let files = [("src/a.c", sized.as_str()), ("inc/size.h", "#define SIZE -1\n")];
    let command = "nvc -O2 -I ../inc -fopenmp -fopenmp-targets=nvptx64 -Xopenmp-target -march=sm_90 -MD -c a.c";
    let sandbox = project(&files, &[entry("a.c", command)]);
    fs::write(sandbox.path().join("inc/size.h"), "#define SIZE 10\n").unwrap();
    for how in [&["-p", "build", "src/a.c"][..], &["-p", "build", "src"]] {
        let ran = sandbox.run(&[&["verify"], how].concat());
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
        assert!(ran.out.contains("moved: 1600 B in 20 copies before"), "{}", ran.out);
    }
    sandbox.run(&["rewrite", "-p", "build", "-i"]);
    let again = ["verify", "-p", "build", "src/a.c", "--rewritten", "src/a.c"];
    assert_eq!(sandbox.run(&again).code, 0);
}
