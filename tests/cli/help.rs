//! Help, version, completions and the manual page.

use super::{LOOP, Ran, Sandbox};

#[test]
fn help_lists_the_subcommands() {
    let ran = Sandbox::new(&[]).run(&["--help"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    insta::assert_snapshot!(ran.out);
}

#[test]
fn help_of_rewrite() {
    insta::assert_snapshot!(Sandbox::new(&[]).run(&["rewrite", "--help"]).out);
}

#[test]
fn help_of_annotate() {
    insta::assert_snapshot!(Sandbox::new(&[]).run(&["annotate", "--help"]).out);
}

#[test]
fn help_of_verify() {
    insta::assert_snapshot!(Sandbox::new(&[]).run(&["verify", "--help"]).out);
}

#[test]
fn help_of_summarize() {
    insta::assert_snapshot!(Sandbox::new(&[]).run(&["summarize", "--help"]).out);
}

#[test]
fn help_of_lsp() {
    insta::assert_snapshot!(Sandbox::new(&[]).run(&["lsp", "--help"]).out);
}

#[test]
fn wrong_usage_exits_with_two() {
    let sandbox = Sandbox::new(&[]);
    for args in [
        &[][..],
        &["rewrite"],
        &["frobnicate"],
        &["rewrite", "-v", "-q", "a.c"],
        &["verify", "a.c", "--threads", "0"],
        &["summarize"],
        &["summarize", "a.c", "-o", "x.omps", "--output-dir", "x"],
        &["summarize", "a.c", "--cache-dir", "x", "--no-cache"],
    ] {
        let ran = sandbox.run(args);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}");
        assert!(ran.err.contains("Usage") || ran.err.contains("--help"), "{}", ran.err);
    }
}

#[test]
fn hooks_run_commands_that_there_are() {
    let hooks = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/.pre-commit-hooks.yaml")).unwrap();
    let entries = hooks
        .lines()
        .filter_map(|line| line.trim().strip_prefix("entry: ompmemopt "));
    let entries: Vec<Vec<&str>> = entries.map(|entry| entry.split(' ').collect()).collect();
    assert_eq!(
        entries.iter().map(|entry| entry[0]).collect::<Vec<_>>(),
        ["check", "rewrite"]
    );
    assert_eq!(hooks.matches("args: [.]").count(), 2);
    for entry in entries {
        let sandbox = Sandbox::new(&[("a.c", LOOP)]);
        let args = [&entry[..], &["."]].concat();
        let changes = i32::from(entry[0] == "rewrite");
        assert_eq!(sandbox.run(&args).code, changes, "{args:?}");
        // A second run has nothing to do, so that what was changed can be committed.
        assert_eq!(sandbox.run(&args).code, 0, "{args:?}");
    }
}

#[test]
fn completions_and_manual() {
    let sandbox = Sandbox::new(&[]);
    for (shell, part) in [
        ("bash", "_ompmemopt()"),
        ("zsh", "#compdef ompmemopt"),
        ("fish", "complete -c ompmemopt"),
    ] {
        let ran = sandbox.run(&["completions", shell]);
        assert!(ran.code == 0 && ran.out.contains(part), "{shell}");
    }
    assert!(sandbox.run(&["man"]).out.contains(".TH ompmemopt 1"));
    let page = sandbox.run(&["man", "check"]).out;
    assert!(
        page.contains(".TH ompmemopt-check 1") && page.contains("baseline"),
        "{page}"
    );
    let Ran { code, err, .. } = sandbox.run(&["man", "chek"]);
    assert!(
        code == 2 && err.contains("there is no command `chek`; `ompmemopt help` lists them"),
        "{err}"
    );
    assert_eq!(sandbox.run(&["man", "--output-dir", "."]).code, 0);
    assert_eq!(sandbox.read("ompmemopt-check.1"), page);
    assert!(sandbox.read("ompmemopt.1").contains(".TH ompmemopt 1"));
    let version = sandbox.run(&["version"]).out;
    assert!(
        version.starts_with(concat!(
            "ompmemopt ",
            env!("CARGO_PKG_VERSION"),
            "\ncompiler: clang ",
            env!("OMPMEMOPT_LLVM_MAJOR")
        )),
        "{version}"
    );
}

#[test]
fn licenses_are_told_of_every_crate() {
    let told = Sandbox::new(&[]).run(&["version", "--licenses"]).out;
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let tree = [
        "tree",
        "--locked",
        "--offline",
        "--edges",
        "normal",
        "--prefix",
        "none",
        "--target",
        "x86_64-unknown-linux-gnu",
    ];
    let mut command = std::process::Command::new(cargo);
    let tree = command
        .args(tree)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let tree = String::from_utf8(tree.stdout).unwrap();
    let crates: Vec<&str> = tree.lines().skip(1).collect();
    assert!(crates.len() > 100, "{tree}");
    for line in crates {
        let [name, version] = line.splitn(3, ' ').take(2).collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let entry = format!("\n  {name} {}: ", version.trim_start_matches('v'));
        assert!(told.contains(&entry), "{line}: run scripts/licenses.py");
    }
    for part in ["LLVM Exceptions", "GCC RUNTIME LIBRARY EXCEPTION"] {
        assert!(told.to_lowercase().contains(&part.to_lowercase()), "{part}");
    }
}
