//! Facts as files: `F.omps`.

use super::codec::{decode, encode};
use super::container;
use super::error::{FactsError, FactsProblem};
use super::unit::UnitFacts;
use rayon::prelude::*;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// What the names of summaries end in.
pub const EXTENSION: &str = "omps";

/// A summary that was found.
#[derive(Clone, Debug)]
pub struct FoundSummary {
    /// Where.
    pub path: PathBuf,
    /// The summary's content.
    pub facts: UnitFacts,
}

/// Writes a summary: whole or not at all, whoever else writes it.
///
/// # Errors
/// [`FactsProblem::Unwritable`].
pub fn write(path: &Path, facts: &UnitFacts) -> Result<(), FactsError> {
    replace(path, &encode(facts)).map_err(|cause| FactsProblem::Unwritable(cause).of(path))
}

/// Reads a summary.
///
/// # Errors
/// What is wrong with it.
pub fn read(path: &Path) -> Result<UnitFacts, FactsError> {
    let bytes = load(path).map_err(|problem| problem.of(path))?;
    decode(&bytes).map_err(|problem| problem.of(path))
}

/// Reads all summaries below a folder: those that can be used, and what is wrong with the others, both sorted by path.
/// Links are followed to files, not to folders.
pub fn read_dir(folder: &Path) -> (Vec<FoundSummary>, Vec<FactsError>) {
    let (mut paths, mut problems) = (Vec::new(), Vec::new());
    list(folder, &mut paths, &mut problems);
    paths.sort();
    let results: Vec<Result<FoundSummary, FactsError>> = paths
        .into_par_iter()
        .map(|path| read(&path).map(|facts| FoundSummary { path, facts }))
        .collect();
    let mut summaries = Vec::with_capacity(results.len());
    for result in results {
        match result {
            Ok(summary) => summaries.push(summary),
            Err(problem) => problems.push(problem),
        }
    }
    problems.sort_by(|a, b| a.path.cmp(&b.path));
    (summaries, problems)
}

fn list(folder: &Path, paths: &mut Vec<PathBuf>, problems: &mut Vec<FactsError>) {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = match std::fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(cause) => {
                problems.push(FactsProblem::Unreadable(cause).of(folder));
                continue;
            }
        };
        for entry in entries {
            match entry.and_then(|entry| Ok((entry.path(), entry.file_type()?))) {
                Ok((path, kind)) if kind.is_dir() => folders.push(path),
                Ok((path, _)) if path.extension().is_some_and(|e| e == EXTENSION) => paths.push(path),
                Ok(_) => {}
                Err(cause) => problems.push(FactsProblem::Unreadable(cause).of(&folder)),
            }
        }
    }
}

/// The bytes of a file; of one that starts with something else than facts, no more than that start.
pub(super) fn load(path: &Path) -> Result<Vec<u8>, FactsProblem> {
    let metadata = std::fs::metadata(path).map_err(FactsProblem::Unreadable)?;
    if !metadata.is_file() {
        return Err(FactsProblem::Foreign);
    }
    let file = std::fs::File::open(path).map_err(FactsProblem::Unreadable)?;
    let read = |most: u64, bytes: &mut Vec<u8>| (&file).take(most).read_to_end(bytes);
    let mut bytes = Vec::new();
    read(container::HEADER as u64, &mut bytes).map_err(FactsProblem::Unreadable)?;
    let length = container::check_start(&bytes)?;
    bytes.reserve_exact(length.min(metadata.len()) as usize + 1);
    read(length.saturating_add(1), &mut bytes).map_err(FactsProblem::Unreadable)?;
    Ok(bytes)
}

/// Puts `bytes` in the place of a file: readers see the old ones or the new ones.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let folder = path
        .parent()
        .filter(|p| !p.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let _section = crate::cleanup::section();
    // As any file that a compiler writes: for whom the user's mask allows it.
    let mut temporary = tempfile::Builder::new()
        .prefix(".ompmemopt-")
        .permissions(std::fs::Permissions::from_mode(0o666))
        .tempfile_in(folder)?;
    temporary.write_all(bytes)?;
    temporary.persist(path).map(drop).map_err(|error| error.error)
}
