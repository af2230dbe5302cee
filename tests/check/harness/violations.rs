//! Programs that violate a rule, and programs beside them that do not.

use crate::checking::{Found, check, check_with_advice};
use crate::machine::{Machine, Program, Shared};
use libtest_mimic::{Failed, Trial};
use ompmemopt::inside::rules::Rule;
use ompmemopt::inside::source::{Edit, EditSet};
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
    let found = match rule.is_advice() {
        true => check_with_advice(&[file.to_owned()], &[], &machine.clang)?,
        false => check(&[file.to_owned()], &[], &machine.clang)?,
    };
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
    match (rule.is_advice(), differences.first()) {
        (false, None) => return Err("the program shows nothing of its bug".into()),
        (true, Some(difference)) => return Err(format!("a program that should be right is not: {difference}").into()),
        (false, Some(_)) | (true, None) => {}
    }
    if !found.iter().any(|f| f.rule == rule) {
        return Err(format!("the rule is not found; found is:\n{}", listed(&found)).into());
    }
    compared(&file.with_extension("expected"), &listed(&found))?;
    match fixed(rule, file, &found)? {
        Some(text) => examine_fixed(rule, file, &text, machine),
        None => Ok(()),
    }
}

/// The text with the fixes of all that violates a rule, if all of that has one.
fn fixed(rule: Rule, file: &Path, found: &[Found]) -> Result<Option<Vec<u8>>, Failed> {
    let violations = found.iter().filter(|f| f.rule == rule);
    let fixes: Option<Vec<_>> = violations.map(|f| f.fix.as_ref()).collect();
    let Some(fixes) = fixes else { return Ok(None) };
    let mut edits: Vec<_> = fixes.into_iter().flat_map(|fix| &fix.edits).collect();
    edits.sort();
    edits.dedup();
    let edits = edits.into_iter().map(|edit| match edit.span.is_empty() {
        true => Edit::insert(edit.span.start, 0, edit.text.as_str()),
        false => Edit::replace(edit.span, edit.text.as_str()),
    });
    let edits = EditSet::from_edits(edits).map_err(|overlap| format!("two fixes change one place: {overlap}"))?;
    Ok(Some(edits.apply(&std::fs::read(file)?)))
}

/// A program in which fixes were written does what it should, and violates the rule no longer.
fn examine_fixed(rule: Rule, file: &Path, text: &[u8], machine: &Machine) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let written = folder.path().join("fixed.c");
    std::fs::write(&written, text)?;
    let program = Program {
        source: file,
        flags: &[],
        runs: &[Vec::new()],
    };
    let shown = String::from_utf8_lossy(text);
    if let Some(difference) = machine.differences(&program, &written, &MODES)?.first() {
        return Err(format!("with the fix it is not right: {difference}\n{shown}").into());
    }
    let found = check_with_advice(&[written], &[], &machine.clang)?;
    match found.iter().find(|f| f.rule == rule) {
        Some(left) => Err(format!("with the fix there still is {left}\n{shown}").into()),
        None => Ok(()),
    }
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
