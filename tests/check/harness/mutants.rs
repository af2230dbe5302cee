//! Right programs, spoiled, run and checked: `make mutants MUTANTS=2000 [FIRST_MUTANT=N] [KEEP=FOLDER]`.
//!
//! Every mutant whose run is not that of the right program has to be flagged, and none that still runs right may get an error. What comes out is a table:
//!
//! ```text
//!                error  warning  nothing
//! runs wrong       812       97       41
//! runs right         0      150      880
//! ```
//!
//! Mutants are drawn from all there are, in an order that only the number of the first one decides. Mutants that do not build are left out.

use crate::checking::check;
use crate::machine::{Program, Shared};
use crate::mutation::{Mutant, mutants};
use crate::right::{RightProgram, programs};
use crate::violations::sorted;
use ompmemopt::inside::verify::Mode;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Where what is not on the device shows, and what was never copied.
const MODES: [Mode; 2] = [Mode::Plain, Mode::StrictPerturbed];

/// A spoiled program.
struct Spoiled {
    program: RightProgram,
    file: PathBuf,
    number: usize,
    mutant: Mutant,
}

/// What came of one.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Verdict {
    wrong: bool,
    found: Flag,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Flag {
    Error,
    Warning,
    Nothing,
}

/// Spoils so many programs, and prints what came of them.
pub fn run(root: &Path, shared: &Shared, count: usize) -> ExitCode {
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<usize>().ok());
    let keep = std::env::var_os("KEEP").map(PathBuf::from);
    let all = spoiled(root);
    let first = number("FIRST_MUTANT").unwrap_or(0);
    let drawn: Vec<&Spoiled> = (first..first + count).map(|n| &all[scattered(n, all.len())]).collect();
    let runs = runs_of(&drawn, shared);
    let judged = |s: &&Spoiled| judged(s, &runs[&s.file], shared, keep.as_deref());
    let verdicts: Vec<Option<Verdict>> = drawn.par_iter().map(judged).collect();
    let of = |wrong: bool, found: Flag| {
        verdicts
            .iter()
            .flatten()
            .filter(|v| **v == Verdict { wrong, found })
            .count()
    };
    println!(
        "{} mutants of {}, {} do not build",
        count,
        all.len(),
        verdicts.iter().filter(|v| v.is_none()).count()
    );
    println!("{:<12} {:>8} {:>8} {:>8}", "", "error", "warning", "nothing");
    for (title, wrong) in [("runs wrong", true), ("runs right", false)] {
        let each = [Flag::Error, Flag::Warning, Flag::Nothing].map(|flag| of(wrong, flag));
        println!("{title:<12} {:>8} {:>8} {:>8}", each[0], each[1], each[2]);
    }
    match of(true, Flag::Nothing) + of(false, Flag::Error) {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// A number below `of` for each number, each once.
fn scattered(n: usize, of: usize) -> usize {
    // A step that has no divisor in common with the number of mutants comes by all of them.
    let gcd = |mut a: usize, mut b: usize| {
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let step = (of * 618 / 1000..).find(|step| gcd(*step, of) == 1).unwrap_or(1);
    n * step % of
}

/// All mutants of programs in one file whose mapping is somebody's own: the expert versions, and those beside violations.
fn spoiled(root: &Path) -> Vec<Spoiled> {
    let is_expert = |p: &RightProgram| p.files.len() == 1 && p.name.ends_with("/expert");
    let mut all: Vec<RightProgram> = programs(root).into_iter().filter(is_expert).collect();
    let near = sorted(&root.join("tests/check"))
        .into_iter()
        .flat_map(|folder| sorted(&folder));
    let is_near = |f: &PathBuf| f.extension().is_some_and(|e| e == "c") && f.to_string_lossy().contains("near-");
    all.extend(near.filter(is_near).map(|file| {
        RightProgram {
            name: file
                .with_extension("")
                .iter()
                .rev()
                .take(2)
                .map(|p| p.to_string_lossy())
                .collect::<Vec<_>>()
                .join("-"),
            folder: file.parent().map(Path::to_owned).unwrap_or_default(),
            files: vec![file],
            flags: Vec::new(),
            runs: vec![Vec::new()],
        }
    }));
    let of = |program: RightProgram| {
        let file = program.files[0].clone();
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let each = mutants(&text).into_iter().enumerate();
        each.map(|(number, mutant)| Spoiled {
            program: program.clone(),
            file: file.clone(),
            number,
            mutant,
        })
        .collect::<Vec<_>>()
    };
    all.into_iter().flat_map(of).collect()
}

/// The runs of each program, by its file. Near misses are right without arguments, and many with one, too: then both count.
fn runs_of(drawn: &[&Spoiled], shared: &Shared) -> BTreeMap<PathBuf, Vec<Vec<String>>> {
    let programs: BTreeMap<&PathBuf, &RightProgram> = drawn.iter().map(|s| (&s.file, &s.program)).collect();
    let of = |(file, program): (&PathBuf, &RightProgram)| {
        let mut runs = program.runs.clone();
        let asks = std::fs::read_to_string(file).is_ok_and(|text| text.contains("argc"));
        if asks && runs == [Vec::<String>::new()] {
            let with_one = [vec!["3".to_owned()]];
            if is_right(file, program, &with_one, shared) {
                runs.extend(with_one);
            }
        }
        (file.clone(), runs)
    };
    programs.into_par_iter().map(of).collect()
}

/// Whether a program on the device does what it does without one, in some runs.
fn is_right(file: &Path, program: &RightProgram, runs: &[Vec<String>], shared: &Shared) -> bool {
    let reference = Program {
        source: file,
        flags: &program.flags,
        runs,
    };
    let differences = shared
        .machine()
        .and_then(|machine| machine.differences(&reference, file, &MODES));
    differences.is_ok_and(|differences| differences.is_empty())
}

/// Runs and checks one; `None` where it does not build, or the right program says nothing.
fn judged(spoiled: &Spoiled, runs: &[Vec<String>], shared: &Shared, keep: Option<&Path>) -> Option<Verdict> {
    let machine = shared.machine().ok()?;
    let folder = tempfile::tempdir().ok()?;
    let path = folder.path().join("mutant.c");
    std::fs::write(&path, &spoiled.mutant.text).ok()?;
    let mut flags = spoiled.program.flags.clone();
    flags.push(format!("-I{}", spoiled.program.folder.display()));
    let program = Program {
        source: &spoiled.file,
        flags: &flags,
        runs,
    };
    let wrong = !machine.differences(&program, &path, &MODES).ok()?.is_empty();
    let found = check(std::slice::from_ref(&path), &flags, &machine.clang).ok()?;
    let found = match (found.iter().any(|f| f.surely), found.is_empty()) {
        (true, _) => Flag::Error,
        (false, false) => Flag::Warning,
        (false, true) => Flag::Nothing,
    };
    let verdict = Verdict { wrong, found };
    let title = format!("{}-{}", spoiled.program.name.replace('/', "-"), spoiled.number);
    match (wrong, found) {
        (true, Flag::Nothing) => println!("not flagged: {title}: {}", spoiled.mutant.kind),
        (false, Flag::Error) => println!("an error in what runs right: {title}: {}", spoiled.mutant.kind),
        _ => return Some(verdict),
    }
    if let Some(keep) = keep {
        let kept = std::fs::create_dir_all(keep).and_then(|()| std::fs::copy(&path, keep.join(format!("{title}.c"))));
        if let Err(error) = kept {
            println!("{}: {error}", keep.display());
        }
    }
    Some(verdict)
}
