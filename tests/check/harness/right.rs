//! Fixtures and examples: programs that are right, in which nothing is an error.
//!
//! `tests/check/warnings.txt` has the warnings that there are, a line each, and behind two spaces what a reader would say of it: `true` where it is worth one, `false`
//! where it is not. A new one is one too many.

use crate::checking::{Found, check};
use crate::machine::Shared;
use crate::violations::sorted;
use libtest_mimic::{Failed, Trial};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is wrong in it is what it shows: kernels without maps, which the tool is to write.
const WITHOUT_MAPS: &str = "naive_nomap";

/// A trial for each program.
pub fn trials(root: &Path, shared: &Arc<Shared>) -> Vec<Trial> {
    let warnings = Arc::new(std::fs::read_to_string(root.join("tests/check/warnings.txt")).unwrap_or_default());
    let trial = |program: RightProgram| {
        let (shared, warnings) = (Arc::clone(shared), Arc::clone(&warnings));
        Trial::test(format!("right/{}", program.name), move || {
            examine(&program, &warnings, &shared)
        })
    };
    programs(root).into_iter().map(trial).collect()
}

/// A program that is right.
#[derive(Clone, Debug)]
pub struct RightProgram {
    /// `FOLDER/FILE`.
    pub name: String,
    /// The program's folder.
    pub folder: PathBuf,
    /// Its C files.
    pub files: Vec<PathBuf>,
    /// Flags of its first variant.
    pub flags: Vec<String>,
    /// Arguments of that variant's runs; never empty.
    pub runs: Vec<Vec<String>>,
}

/// All of them, by name.
pub fn programs(root: &Path) -> Vec<RightProgram> {
    let folders = ["tests/fixtures", "examples"]
        .into_iter()
        .flat_map(|f| sorted(&root.join(f)));
    folders
        .filter(|f| f.is_dir() && !f.ends_with("harness"))
        .flat_map(|folder| of_folder(&folder))
        .collect()
}

fn of_folder(folder: &Path) -> Vec<RightProgram> {
    let is_c = |path: &PathBuf| path.extension().is_some_and(|e| e == "c");
    let title = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (flags, runs) = variant(folder);
    let program = |files: Vec<PathBuf>, form: &str| RightProgram {
        name: format!("{title}/{form}"),
        folder: folder.to_owned(),
        files,
        flags: flags.clone(),
        runs: runs.clone(),
    };
    let mut found = Vec::new();
    for path in sorted(folder) {
        let form = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let is_program = ["input", "expert", "naive"].contains(&form.as_str());
        if is_c(&path) && is_program && !form.contains(WITHOUT_MAPS) {
            found.push(program(vec![path], &form));
        } else if path.is_dir() && is_program {
            let inside = sorted(&path).into_iter().chain(sorted(&path.join("outside")));
            found.push(program(inside.filter(is_c).collect(), &form));
        }
    }
    found
}

/// The first variant of the file `runs`: the flags for the compiler, and the arguments of each run with these.
fn variant(folder: &Path) -> (Vec<String>, Vec<Vec<String>>) {
    let text = std::fs::read_to_string(folder.join("runs")).unwrap_or_default();
    let lines = text
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<String>>();
    let split = |line: &str| {
        let all = words(line);
        let at = all.iter().position(|word| word == "--").unwrap_or(all.len());
        (all[..at].to_vec(), all.get(at + 1..).unwrap_or_default().to_vec())
    };
    let all: Vec<(Vec<String>, Vec<String>)> = lines.map(split).collect();
    let compiler = |flags: &[String]| {
        flags
            .iter()
            .filter(|f| !f.starts_with("--"))
            .cloned()
            .collect::<Vec<String>>()
    };
    let first = all.first().map(|(flags, _)| compiler(flags)).unwrap_or_default();
    let runs: Vec<Vec<String>> = all
        .iter()
        .filter(|(flags, _)| compiler(flags) == first)
        .map(|(_, arguments)| arguments.clone())
        .collect();
    (first, if runs.is_empty() { vec![Vec::new()] } else { runs })
}

fn examine(program: &RightProgram, warnings: &str, shared: &Shared) -> Result<(), Failed> {
    let found = check(&program.files, &program.flags, &shared.machine()?.clang)?;
    if let Some(error) = found.iter().find(|f| f.surely) {
        return Err(format!("an error in a program that is right: {}:{error}", error.file).into());
    }
    let line = |f: &Found| {
        let without_fix = Found { fix: None, ..f.clone() };
        format!("{}:{without_fix}", program.name)
    };
    let known = |f: &Found| warnings.lines().any(|known| known.split("  ").next() == Some(&line(f)));
    match found.iter().find(|f| !known(f)) {
        Some(warning) => Err(format!("a warning that is not in warnings.txt: {}", line(warning)).into()),
        None => Ok(()),
    }
}
