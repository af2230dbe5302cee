//! What a run leaves to the next one: less work for clang, and the same output.

use super::{CLANG, LOOP, Ran, Sandbox, ran};
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// A sandbox with a compiler that counts how often it is called.
struct Counted(Sandbox);

impl Counted {
    fn new(files: &[(&str, &str)]) -> Counted {
        let sandbox = Sandbox::new(files);
        let clang = sandbox.cache.path().join("clang");
        let script = format!(
            "#!/bin/sh\necho clang >> {}/calls\nexec {CLANG} \"$@\"\n",
            sandbox.cache.path().display()
        );
        fs::write(&clang, script).unwrap();
        fs::set_permissions(&clang, fs::Permissions::from_mode(0o755)).unwrap();
        Counted(sandbox)
    }

    /// What a run did, and how often it called clang. A compiler that the user names is asked for its version each time.
    fn run(&self, args: &[&str]) -> (Ran, usize) {
        let mut command = self.0.command(args);
        command.env("OMPMEMOPT_CLANG", self.0.cache.path().join("clang"));
        let done = ran(command.output().unwrap());
        let calls = self.0.cache.path().join("calls");
        let count = fs::read_to_string(&calls).unwrap_or_default().lines().count();
        fs::remove_file(calls).unwrap();
        (done, count - 1)
    }
}

#[test]
fn a_second_run_needs_no_clang_and_says_the_same() {
    let other = LOOP.replace("10", "11");
    let counted = Counted::new(&[("a.c", LOOP), ("b.c", &other), ("c.c", "int c;\n")]);
    let args = [
        "rewrite",
        "-v",
        "--output-format",
        "json",
        ".",
        "--",
        "-DX=1",
        "-mp=gpu",
    ];
    let (fresh, _) = counted.run(&[&args[..2], &["--no-cache"], &args[2..]].concat());
    let (cold, calls) = counted.run(&args);
    assert!(calls > 5, "{calls}");
    let (warm, none) = counted.run(&args);
    assert_eq!(none, 0);
    for again in [&cold, &warm] {
        assert_eq!((again.code, &again.out, &again.err), (1, &fresh.out, &fresh.err));
    }
    // One file costs what it costs alone.
    fs::write(counted.0.path().join("b.c"), LOOP.replace("10", "12")).unwrap();
    let (_, one) = counted.run(&args);
    assert!(0 < one && one < calls, "{one} of {calls}");
}

#[test]
fn a_second_check_needs_no_clang_either() {
    // Barriers: clang reads the file once more, with its directives.
    let barrier = "int omp_get_thread_num(void);\nint x;\nvoid work(void)\n{\n  #pragma omp parallel\n  {\n    if (omp_get_thread_num() == 0) {\n      #pragma omp barrier\n    }\n    x = 1;\n  }\n}\nint main(void) { work(); return x - 1; }\n";
    let counted = Counted::new(&[("a.c", barrier), ("b.c", LOOP)]);
    for file in ["a.c", "b.c"] {
        let args = ["check", "--output-format", "json", file];
        let (fresh, _) = counted.run(&[&args[..], &["--no-cache"]].concat());
        let (cold, calls) = counted.run(&args);
        let (warm, none) = counted.run(&args);
        assert!(calls > 0 && none == 0, "{calls}, then {none}");
        assert_eq!([&cold.out, &warm.out], [&fresh.out; 2]);
        assert_eq!(fresh.out.contains("OMM301"), file == "a.c", "{}", fresh.out);
        let with_directive = format!("#pragma once\n{}", counted.0.read(file));
        fs::write(counted.0.path().join(file), with_directive).unwrap();
        assert!(counted.run(&args).1 > 0);
    }
}

#[test]
fn files_written_in_place_are_kept_too() {
    let counted = Counted::new(&[("a.c", LOOP)]);
    let (_, first) = counted.run(&["rewrite", "-i", "a.c"]);
    let text = counted.0.read("a.c");
    assert!(first > 0 && text != LOOP);
    counted.run(&["rewrite", "-i", "a.c"]);
    let (again, calls) = counted.run(&["rewrite", "-i", "a.c"]);
    assert_eq!((again.code, calls), (0, 0));
    fs::write(counted.0.path().join("a.c"), LOOP).unwrap();
    let (_, calls) = counted.run(&["rewrite", "-i", "a.c"]);
    assert_eq!((counted.0.read("a.c"), calls), (text, 0));
}

#[test]
fn a_damaged_cache_is_as_good_as_none() {
    let sandbox = Sandbox::new(&[("a.c", LOOP)]);
    let first = sandbox.run(&["rewrite", "a.c"]);
    let mut folders = vec![sandbox.cache.path().join("ompmemopt")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => fs::write(path, "damaged").unwrap(),
            }
        }
    }
    let again = sandbox.run(&["rewrite", "a.c"]);
    assert_eq!((again.code, again.out, again.err), (first.code, first.out, first.err));
}
