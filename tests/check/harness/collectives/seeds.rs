//! Programs that a generator makes with their verdict ([`super::generator`]), judged by the tool: the trial `collectives-seeds`.
//!
//! | a program is | found has to be |
//! |---|---|
//! | `Right` | nothing of OMM301 and OMM302 |
//! | `Mismatch` | an error or a warning |
//! | `Unaligned` | a warning: the standard forbids it, and it works |
//!
//! ```text
//! make collectives SEEDS=3000                      1500 programs of each of two kinds, or 3000 of one
//!     KIND=mpi|openmp                              one kind, whether the tool judges it or not
//!     FIRST_SEED=N                                 not from 0 on
//!     KEEP=FOLDER                                  programs that are not judged so are written there: mpi-17.c
//!     RUN=1                                        programs are run as well, with Open MPI or four threads of OpenMP ([`super::runs`])
//! ```
//!
//! With `SEEDS` tables are printed of what was found, by verdict and by what programs have ([`super::tally`]).

use super::generator::features::{defects_of_kind, of_kind};
use super::generator::{GeneratedProgram, Kind, Verdict, generate};
use super::runs::Launcher;
use super::tally::Tally;
use crate::checking::check;
use crate::machine::{Machine, Shared};
use libtest_mimic::{Failed, Trial};
use ompmemopt::inside::rules::Rule;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The kinds that the tool judges, which are tested where `KIND` names none.
const JUDGED: &[Kind] = &[Kind::Mpi, Kind::OpenMp];
/// Seeds where `SEEDS` names no number.
const USUAL: u64 = 60;
/// Among so many programs each feature has to be met.
const CENSUS: u64 = 1000;

/// What the tool says of a program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Flag {
    Error,
    Warning,
    Nothing,
}

/// A program, judged.
pub struct Judged {
    pub kind: Kind,
    pub seed: u64,
    pub program: GeneratedProgram,
    pub found: Flag,
    /// What is wrong with the judgement, or with the generator's verdict.
    pub complaint: Option<String>,
}

/// The trials.
pub fn trials(shared: &Arc<Shared>) -> Vec<Trial> {
    let shared = Arc::clone(shared);
    vec![
        Trial::test("collectives-generator", makes_all),
        Trial::test("collectives-seeds", move || judges_all(&shared)),
    ]
}

/// Each feature and each shape of a defect is made; a seed names one program for ever.
fn makes_all() -> Result<(), Failed> {
    for kind in [Kind::Mpi, Kind::OpenMp] {
        let programs: Vec<GeneratedProgram> = (0..CENSUS).map(|seed| generate(kind, seed)).collect();
        let features: BTreeSet<_> = programs.iter().flat_map(|program| &program.features).collect();
        let defects: BTreeSet<_> = programs.iter().filter_map(|program| program.defect).collect();
        let wanted = of_kind(kind);
        let wanted = wanted.iter().filter(|feature| !features.contains(feature));
        let mut missing: Vec<String> = wanted.map(|feature| format!("{feature:?}")).collect();
        let wanted = defects_of_kind(kind);
        let wanted = wanted.iter().filter(|defect| !defects.contains(defect));
        missing.extend(wanted.map(|defect| format!("{defect:?}")));
        if !missing.is_empty() {
            return Err(format!("no program of {kind:?} has {}", missing.join(", ")).into());
        }
        if generate(kind, 7).text != programs[7].text {
            return Err("seed 7 gives two programs".into());
        }
    }
    Ok(())
}

/// The kinds that `KIND` asks for.
fn kinds() -> Result<Vec<Kind>, Failed> {
    match std::env::var("KIND").as_deref() {
        Ok("mpi") => Ok(vec![Kind::Mpi]),
        Ok("openmp") => Ok(vec![Kind::OpenMp]),
        Ok(other) => Err(format!("KIND is mpi or openmp, and not {other}").into()),
        Err(_) => Ok(JUDGED.to_vec()),
    }
}

fn judges_all(shared: &Shared) -> Result<(), Failed> {
    let machine = shared.machine()?;
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let keep = std::env::var_os("KEEP").map(PathBuf::from);
    let launcher = std::env::var_os("RUN").map(|_| Launcher::new(&machine.clang));
    let kinds = kinds()?;
    let count = number("SEEDS").unwrap_or(USUAL).div_ceil(kinds.len() as u64);
    let first = number("FIRST_SEED").unwrap_or(0);
    let mut tally = Tally::default();
    let mut complaints = Vec::new();
    for kind in kinds {
        let seeds = (first..first + count).into_par_iter();
        let judged: Result<Vec<Judged>, String> = seeds
            .map(|seed| judge(kind, seed, machine, launcher.as_ref(), keep.as_deref()))
            .collect();
        for one in judged? {
            tally.count(&one);
            let complaint = one.complaint.as_ref();
            complaints.extend(complaint.map(|text| format!("{}-{}: {text}", name(one.kind), one.seed)));
        }
    }
    if number("SEEDS").is_some() {
        println!("{tally}");
    }
    match complaints.is_empty() {
        true => Ok(()),
        false => Err(complaints.join("\n").into()),
    }
}

/// What `KIND` and files call a kind.
fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::Mpi => "mpi",
        Kind::OpenMp => "openmp",
    }
}

fn judge(
    kind: Kind,
    seed: u64,
    machine: &Machine,
    launcher: Option<&Launcher>,
    keep: Option<&Path>,
) -> Result<Judged, String> {
    let program = generate(kind, seed);
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let path = folder.path().join(format!("{}-{seed}.c", name(kind)));
    std::fs::write(&path, &program.text).map_err(|e| e.to_string())?;
    let found = check(std::slice::from_ref(&path), &[], &machine.clang).map_err(|e| format!("{kind:?} {seed}: {e}"))?;
    let found: Vec<bool> = { found.iter() }
        .filter(|f| is_of_collectives(f.rule))
        .map(|f| f.surely)
        .collect();
    let found = match (found.contains(&true), found.is_empty()) {
        (true, _) => Flag::Error,
        (false, false) => Flag::Warning,
        (false, true) => Flag::Nothing,
    };
    let fits = match program.verdict {
        Verdict::Right => found == Flag::Nothing,
        Verdict::Mismatch => found != Flag::Nothing,
        Verdict::Unaligned => found == Flag::Warning,
    };
    let mut complaint = (!fits).then(|| format!("{:?} by {:?}: found is {found:?}", program.verdict, program.defect));
    if let Some(other) = launcher.and_then(|launcher| launcher.contradiction(kind, &program, &path)) {
        complaint = Some(format!("{:?} by {:?}: {other}", program.verdict, program.defect));
    }
    if let (Some(_), Some(keep)) = (&complaint, keep) {
        let to = keep.join(path.file_name().unwrap_or_default());
        std::fs::create_dir_all(keep)
            .and_then(|()| std::fs::copy(&path, to))
            .map_err(|e| format!("{}: {e}", keep.display()))?;
    }
    Ok(Judged {
        kind,
        seed,
        program,
        found,
        complaint,
    })
}

/// Whether a rule is about what not all processes, or not all threads, come to.
fn is_of_collectives(rule: Rule) -> bool {
    rule.text().code.starts_with("OMM30")
}
