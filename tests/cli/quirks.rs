//! What clang gets wrong, and the tool steers clear of: a program each in `quirks/`, which says of which clang it is known. A clang that
//! has learned it, or one of which nobody has said anything, fails here: then `docs/compilers.md` is to be mended.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the programs.
const PROGRAMS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/quirks");
const PAGE: &str = include_str!("../../docs/compilers.md");

/// The installed compilers that can offload to the host, with the folders of their runtime libraries.
fn compilers() -> Vec<(String, PathBuf)> {
    let library = |version: &str| {
        let mut ask = Command::new(format!("clang-{version}"));
        let answer = ask.arg("-print-file-name=libomptarget.so").output().ok()?;
        // The compiler answers with the bare name where there is no such file.
        let file = PathBuf::from(String::from_utf8(answer.stdout).ok()?.trim());
        let folder = file.canonicalize().ok()?.parent()?.to_owned();
        file.is_absolute().then_some((version.to_owned(), folder))
    };
    env!("OMPMEMOPT_LLVM_VERSIONS").split(' ').filter_map(library).collect()
}

/// `right`, `wrong` or `crashes`.
fn comes_out(program: &Path, version: &str, libraries: &Path) -> &'static str {
    let folder = tempfile::tempdir().unwrap();
    let binary = folder.path().join("program");
    let mut build = Command::new(format!("clang-{version}"));
    build
        .args(["-w", "-O1", "-fopenmp", "-fopenmp-targets=x86_64-pc-linux-gnu"])
        .arg(format!("-Wl,-rpath,{}", libraries.display()))
        .arg(program)
        .arg("-o")
        .arg(&binary)
        // Reports of crashes go where the compiler puts its other files.
        .env("TMPDIR", folder.path());
    if !build.output().unwrap().status.success() {
        return "crashes";
    }
    let mut run = Command::new(&binary);
    let settings = [
        ("OMP_TARGET_OFFLOAD", "MANDATORY"),
        ("MALLOC_PERTURB_", "165"),
        ("OMP_NUM_TEAMS", "2"),
    ];
    let out = run.envs(settings).output().unwrap();
    match out.status.success() && out.stdout == b"right\n" {
        true => "right",
        false => "wrong",
    }
}

#[test]
fn clang_gets_wrong_what_it_is_known_for() {
    let mut programs: Vec<PathBuf> = fs::read_dir(PROGRAMS)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    programs.sort();
    let compilers = compilers();
    assert!(!programs.is_empty() && !compilers.is_empty());
    for program in &programs {
        let name = program.file_stem().unwrap().to_str().unwrap();
        assert!(
            PAGE.contains(&format!("| `{name}` |")),
            "docs/compilers.md has no {name}"
        );
        let text = fs::read_to_string(program).unwrap();
        for (version, libraries) in &compilers {
            let known = format!("clang {version}: {}.", comes_out(program, version, libraries));
            assert!(text.lines().next().unwrap().contains(&known), "{name}: {known}");
        }
    }
    let rows = PAGE.lines().filter(|line| line.starts_with("| `")).count();
    assert_eq!(rows, programs.len(), "docs/compilers.md has rows without a program");
}
