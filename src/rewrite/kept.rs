//! Results of earlier runs: of all files given, and of one linked program.
//!
//! ```text
//! texts, flags, options ─► key of the run ─► outcomes, and the files that clang read with their hashes
//!                                            (nothing has changed: no clang, no facts, no analysis)
//! linked IR, texts, …   ─► key of a program ─► its outcomes
//!                                            (another program of the run has changed: no analysis of this one)
//! ```
//!
//! **Invariant.** What is found is what would be made: keys are made of all that bears on a result. Where a file failed,
//! nothing is kept, so that its messages come from the compiler that the user has.

use super::limit::LineRange;
use super::member::Member;
use super::unit::{GivenUnit, Outcome, Rewritten, ToolOptions, Unit};
use crate::analysis::known::KnownFunctions;
use crate::config::Unknown;
use crate::facts::{Dependency, Store, StoreKey};
use crate::plan::PlanOptions;
use crate::program::ir::Module;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What came of a run.
#[derive(Serialize, Deserialize)]
struct KeptRun {
    outcomes: Vec<Outcome>,
    problems: Vec<String>,
    unknown: Vec<Unknown>,
    notes: Vec<String>,
    /// All files that clang read for it.
    dependencies: Vec<Dependency>,
}

/// The key of a run over these files. What they include is not in it.
pub(super) fn key_of_run(given: &[GivenUnit<'_>]) -> StoreKey {
    let mut parts: Vec<Vec<u8>> = Vec::new();
    for GivenUnit { unit, facts, context } in given {
        parts.push(unit.source(&unit.file()).hash().as_bytes().to_vec());
        parts.push(
            facts
                .as_ref()
                .map_or_else(Vec::new, |f| f.identity().as_bytes().to_vec()),
        );
        parts.push(vec![u8::from(*context)]);
        parts.push(bytes_of(&Wishes::of(unit)));
    }
    StoreKey::new("run", parts.iter().map(Vec::as_slice))
}

/// What the run under this key gave, if all that clang read for it is what it was.
pub(super) fn find_run(store: &Store, key: &StoreKey, units: usize) -> Option<Rewritten> {
    let kept: KeptRun = postcard::from_bytes(&store.get_bytes(key)?).ok()?;
    let holds = |d: &Dependency| d.hash.is_some() && store.disk().hash(&d.path) == d.hash;
    (kept.outcomes.len() == units && kept.dependencies.iter().all(holds)).then(|| Rewritten {
        files: kept.outcomes.into_iter().map(Ok).collect(),
        problems: kept.problems,
        unknown: kept.unknown,
        notes: kept.notes,
    })
}

/// Keeps a run in which no file failed.
pub(super) fn keep_run<'a>(
    store: &Store,
    key: &StoreKey,
    rewritten: &Rewritten,
    dependencies: impl Iterator<Item = &'a Dependency>,
) {
    let outcomes: Result<Vec<Outcome>, ()> = rewritten
        .files
        .iter()
        .map(|f| f.as_ref().cloned().map_err(drop))
        .collect();
    let Ok(outcomes) = outcomes else { return };
    let mut all: BTreeMap<PathBuf, Dependency> = BTreeMap::new();
    for dependency in dependencies {
        let known = all.entry(dependency.path.clone()).or_insert_with(|| dependency.clone());
        // What two files saw differently is out of date for one of them.
        if known.hash != dependency.hash || dependency.hash.is_none() {
            return;
        }
    }
    let kept = KeptRun {
        outcomes,
        problems: rewritten.problems.clone(),
        unknown: rewritten.unknown.clone(),
        notes: rewritten.notes.clone(),
        dependencies: all.into_values().collect(),
    };
    store.put_bytes(key, &bytes_of(&kept));
}

/// The key of a linked program.
pub(super) fn key_of_program(module: &Module, known: &KnownFunctions, members: &[Member<'_>]) -> StoreKey {
    let mut parts = vec![bytes_of(module), bytes_of(&known.told())];
    for Member {
        unit, read, context, ..
    } in members
    {
        parts.push(read.identity.as_bytes().to_vec());
        let inactive: Vec<(usize, usize)> = read.inactive.iter().map(|s| (s.start, s.end)).collect();
        parts.push(bytes_of(&(*context, Wishes::of(unit), &read.notes, inactive)));
    }
    StoreKey::new("program", parts.iter().map(Vec::as_slice))
}

/// What came of the program under this key.
pub(super) fn find_program(store: &Store, key: &StoreKey, members: usize) -> Option<Vec<Outcome>> {
    let outcomes: Vec<Outcome> = postcard::from_bytes(&store.get_bytes(key)?).ok()?;
    (outcomes.len() == members).then_some(outcomes)
}

/// Keeps what came of a program.
pub(super) fn keep_program(store: &Store, key: &StoreKey, outcomes: &[&Outcome]) {
    store.put_bytes(key, &bytes_of(&outcomes));
}

/// What is wanted of a file, apart from how it is compiled.
#[derive(Serialize)]
struct Wishes<'a> {
    plan: &'a PlanOptions,
    self_check: bool,
    limits: &'a [LineRange],
}

impl<'a> Wishes<'a> {
    fn of(unit: &Unit<'a>) -> Wishes<'a> {
        // Where something of it is dumped nothing is kept.
        let ToolOptions {
            clang: _,
            compile: _,
            plan,
            self_check,
            limits,
            dumps: _,
        } = unit.options;
        Wishes {
            plan,
            self_check: *self_check,
            limits,
        }
    }
}

fn bytes_of(value: &impl Serialize) -> Vec<u8> {
    // Every type here has a known length and every number a form, so that there is nothing to fail at.
    postcard::to_stdvec(value).unwrap_or_default()
}

#[cfg(test)]
mod tests;
