//! Programs with collectives of MPI, or barriers of OpenMP, CUDA (`.cu`) and UPC (`.upc`). The first line of each says what is found in it: `/* expects: error OMM302 */`, or `nothing`.
//!
//! With three processes of Open MPI a program in which nothing is found ends, and one with an error hangs or fails; what a run
//! does not show says the second line. What might be right all the same (by the elements of an array, by what another branch makes up
//! for, by the iteration of a loop) is a warning.
//!
//! Besides, programs of [`generator`] are judged, of which it is known by how they are made what is wrong with them ([`seeds`]).

mod generator;
mod runs;
mod seeds;
mod tally;

use crate::checking::check;
use crate::machine::Shared;
use crate::violations::listed;
use libtest_mimic::{Failed, Trial};
use std::path::Path;
use std::sync::Arc;

/// A trial for each program, and those of the generator.
pub fn trials(root: &Path, shared: &Arc<Shared>) -> Vec<Trial> {
    let folder = root.join("tests/check/collectives");
    let mut files: Vec<_> = { folder.read_dir().into_iter().flatten() }
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    files.sort();
    let trial = |path: std::path::PathBuf| {
        let shared = Arc::clone(shared);
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Trial::test(format!("collectives/{name}"), move || examine(&path, &shared))
    };
    let mut trials: Vec<Trial> = files.into_iter().map(trial).collect();
    trials.extend(seeds::trials(shared));
    trials
}

fn examine(path: &Path, shared: &Shared) -> Result<(), Failed> {
    let text = std::fs::read_to_string(path)?;
    let expected = text.lines().next().unwrap_or_default();
    let expected = expected.trim_start_matches("/* expects: ").trim_end_matches(" */");
    let found = check(&[path.to_owned()], &[], &shared.machine()?.clang)?;
    let level = |surely: bool| if surely { "error" } else { "warning" };
    let mut said: Vec<String> = found
        .iter()
        .map(|f| format!("{} {}", level(f.surely), f.rule.text().code))
        .collect();
    said.sort();
    said.dedup();
    let worst = said.first().map_or("nothing", String::as_str);
    match worst == expected {
        true => Ok(()),
        false => Err(format!("expected: {expected}; found is:\n{}", listed(&found)).into()),
    }
}
