//! Programs that violate a rule, and programs beside them that do not.

use crate::checking::{Found, check};
use crate::machine::{Program, Shared};
use libtest_mimic::{Failed, Trial};
use ompmemopt::inside::rules::Rule;
use ompmemopt::inside::verify::Mode;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// In these a program is right, or in one of them it is not.
pub const MODES: [Mode; 4] = [Mode::Plain, Mode::Strict, Mode::Perturbed, Mode::StrictPerturbed];

/// A trial for each program, by rule.
pub fn trials(root: &Path, shared: &Arc<Shared>) -> Vec<Trial> {
    let mut trials = Vec::new();
    for folder in sorted(&root.join("tests/check")) {
        let Some(rule) = Rule::named(&name(&folder)) else {
            continue;
        };
        for file in sorted(&folder)
            .into_iter()
            .filter(|f| f.extension().is_some_and(|e| e == "c"))
        {
            let (title, shared) = (format!("{}/{}", rule.text().code, name(&file)), Arc::clone(shared));
            trials.push(Trial::test(title, move || examine(rule, &file, &shared)));
        }
    }
    trials
}

fn examine(rule: Rule, file: &Path, shared: &Shared) -> Result<(), Failed> {
    let machine = shared.machine()?;
    let found = check(&[file.to_owned()], &[], &machine.clang)?;
    let program = Program {
        source: file,
        flags: &[],
        runs: &[Vec::new()],
    };
    let differences = machine.differences(&program, file, &MODES)?;
    if name(file).starts_with("near-") {
        return match (found.first(), differences.first()) {
            (Some(found), _) => Err(format!("something is found in a program that is right: {found}").into()),
            (None, Some(difference)) => Err(format!("a program that should be right is not: {difference}").into()),
            (None, None) => Ok(()),
        };
    }
    if differences.is_empty() {
        return Err("the program shows nothing of its bug".into());
    }
    if !found.iter().any(|f| f.rule == rule) {
        return Err(format!("the rule is not found; found is:\n{}", listed(&found)).into());
    }
    compared(&file.with_extension("expected"), &listed(&found))
}

/// A line for each finding.
pub fn listed(found: &[Found]) -> String {
    found.iter().map(|f| format!("{f}\n")).collect()
}

/// Compares with what a file has, or writes it where that is asked for.
pub fn compared(path: &Path, actual: &str) -> Result<(), Failed> {
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, actual)?;
        return Ok(());
    }
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    match expected == actual {
        true => Ok(()),
        false => Err(format!("expected:\n{expected}\nfound:\n{actual}").into()),
    }
}

/// What is in a folder, by name.
pub fn sorted(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// A file's name without its ending.
pub fn name(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
