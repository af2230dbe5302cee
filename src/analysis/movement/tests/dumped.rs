//! Problems of real programs (`--dump problem`), with what is placed for them.
//!
//! A file in `problems/` has the problem, and behind it, in comments, the copies that each way of placing finds, with and without
//! speculation. `BLESS=1 cargo test problems` writes these anew; every placement is checked besides ([`super::check`]).

use super::{PlacementMode, Return, Text, Upload};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The ways to place that are shown.
const MODES: [(&str, PlacementMode); 4] = [
    ("late", PlacementMode::new(Return::Late, Upload::Late)),
    ("early", PlacementMode::new(Return::Late, Upload::Early)),
    ("eager", PlacementMode::new(Return::Late, Upload::Eager)),
    (
        "after each kernel",
        PlacementMode::new(Return::AfterEachKernel, Upload::Late),
    ),
];

/// What stands between a problem and what is placed for it.
const PLACED: &str = "\n/* placed";

fn problems() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/analysis/movement/tests/problems");
    let entries = folder.read_dir().expect("the folder of problems");
    let mut files: Vec<PathBuf> = entries.map(|e| e.expect("a file").path()).collect();
    files.sort();
    files
}

/// The placements of a problem, those that are alike together.
fn placements(body: &str) -> String {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, mode) in MODES {
        for speculate in [true, false] {
            let text = Text::parse(body);
            let placement = text.place(mode, speculate);
            let bet = if speculate { "" } else { ", no speculation" };
            found
                .entry(text.show(&placement))
                .or_default()
                .push(format!("{name}{bet}"));
        }
    }
    let mut out = String::new();
    let mut groups: Vec<(String, Vec<String>)> = found.into_iter().collect();
    groups.sort_by(|a, b| b.1.len().cmp(&a.1.len()).then(a.1.cmp(&b.1)));
    for (placement, modes) in groups {
        let _ = write!(out, "{PLACED}: {}\n{placement}*/\n", modes.join("; "));
    }
    out
}

#[test]
fn problems_of_programs_are_placed_as_before() {
    let mut wrong = Vec::new();
    for path in problems() {
        let file = std::fs::read_to_string(&path).expect("a problem");
        let body = file.split(PLACED).next().unwrap_or_default().trim_end();
        let now = format!("{body}\n{}", placements(body));
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, &now).expect("a problem that can be written");
        } else if now != file {
            wrong.push(format!("{}:\n{now}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn there_are_problems_of_many_kinds() {
    let texts = problems()
        .into_iter()
        .map(|p| std::fs::read_to_string(p).expect("a problem"));
    let texts: Vec<String> = texts.collect();
    for word in [
        "parts()",
        "defines(",
        "surely",
        "may_write(",
        "launch(",
        "switch (",
        "break;",
        "return;",
        "else",
        "free()",
    ] {
        assert!(texts.iter().any(|t| t.contains(word)), "no problem has `{word}`");
    }
}
