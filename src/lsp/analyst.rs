//! What the server asks about programs, and whom: the commands of the command line, which `cli` puts together.
//!
//! ```text
//! sim.c is open ─► program_of: sim.c, grid.c of build/compile_commands.json ─► check, rewrite ─► what to say of each file
//! ```

use crate::patience::Patience;
use crate::report::FileReport;
use crate::rewrite::Progress;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The files that are looked at together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramFiles {
    /// What it is known by: the compilation database, or the only file.
    pub id: PathBuf,
    /// The files, links resolved, sorted.
    pub files: Vec<PathBuf>,
}

/// What is asked about a program.
pub struct ProgramQuestion<'a> {
    pub files: &'a [PathBuf],
    /// The texts that somebody has written and not saved, by their files: of the program, and others that it may include.
    pub unsaved: &'a BTreeMap<PathBuf, String>,
    pub progress: &'a dyn Progress,
    /// Who waits for the answer.
    pub patience: &'a Patience,
}

/// What came of a file.
#[derive(Clone, Debug)]
pub struct AnalysedFile {
    /// The file, links resolved.
    pub path: PathBuf,
    pub report: FileReport,
    /// The text that was looked at; empty where it could not be read.
    pub old: String,
    /// What is to be there instead, if anything.
    pub new: Option<String>,
    /// The file may be changed only together with all others that say this.
    pub bound: bool,
}

/// What came of a program.
#[derive(Clone, Debug, Default)]
pub struct ProgramAnalysis {
    pub files: Vec<AnalysedFile>,
    /// What is wrong and concerns no file: sentences.
    pub problems: Vec<String>,
}

impl ProgramAnalysis {
    /// What came of a file.
    pub fn of(&self, path: &Path) -> Option<&AnalysedFile> {
        self.files.iter().find(|file| file.path == path)
    }
}

/// Who knows about programs.
pub trait Analyst: Send + Sync {
    /// From now on relative names are seen from this folder.
    fn enter(&self, folder: &Path);

    /// The files that a file is looked at with; `None` where it is not looked at.
    ///
    /// # Errors
    /// Why nobody knows.
    fn program_of(&self, file: &Path) -> Result<Option<ProgramFiles>, String>;

    /// What is wrong with a program, and what its constructs do.
    ///
    /// # Errors
    /// Why nobody knows.
    fn check(&self, question: &ProgramQuestion<'_>) -> Result<ProgramAnalysis, String>;

    /// What could be written so that it moves less, and what could not; `None` where nobody wants to know.
    ///
    /// # Errors
    /// Why nobody knows.
    fn rewrite(&self, question: &ProgramQuestion<'_>) -> Option<Result<ProgramAnalysis, String>>;

    /// What could be written of one decision alone, named as [`Analyst::rewrite`] names it, with those that it needs.
    ///
    /// # Errors
    /// Why it cannot be made, or nobody knows.
    fn decide(&self, question: &ProgramQuestion<'_>, decision: &str) -> Result<ProgramAnalysis, String>;
}
