//! The facts of one file, and whether they still hold.

use super::disk::Disk;
use super::fields;
use crate::llvm::ClangOptions;
use crate::program::ir::Module;
use crate::source::Span;
use blake3::Hash;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// What the per-file part knows of one file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct UnitFacts {
    /// The file on disk, absolute.
    #[serde(with = "fields::path")]
    pub file: PathBuf,
    /// The file's name for the compiler, relative to [`ClangOptions::working_dir`] of `options` where not absolute.
    #[serde(with = "fields::path")]
    pub name: PathBuf,
    /// How it is compiled. The working folder is absolute.
    #[serde(with = "fields::options")]
    pub options: ClangOptions,
    /// Hash of all that the facts were made of but for the dependencies: text, names, options, compiler.
    pub inputs: Hash,
    /// Hash of the text.
    pub text: Hash,
    /// The other files that clang read, sorted by name.
    pub dependencies: Vec<Dependency>,
    /// The branches of `#if` that do not count: disjoint, sorted. With the text they give the scope tree again
    /// ([`crate::syntax::parse`]).
    #[serde(with = "fields::spans")]
    pub inactive: Vec<Span>,
    /// What the file does.
    pub module: Module,
}

/// A file that the facts depend on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Dependency {
    /// The file's name, absolute.
    #[serde(with = "fields::path")]
    pub path: PathBuf,
    /// The hash of what clang read; `None` if it may have changed meanwhile, so that the facts are out of date at once.
    pub hash: Option<Hash>,
}

impl UnitFacts {
    /// A hash that is equal for equal facts, without looking at the module: of all that it is made of.
    pub fn identity(&self) -> Hash {
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.inputs.as_bytes());
        for dependency in &self.dependencies {
            let path = dependency.path.as_os_str().as_bytes();
            let hash = dependency.hash.map_or([0; 32], |hash| *hash.as_bytes());
            hasher.update(&(path.len() as u64).to_le_bytes());
            hasher.update(path).update(&hash);
        }
        hasher.finalize()
    }

    /// Why the facts do not hold of what is on the disk now; `None` if they do.
    pub fn stale(&self, disk: &Disk) -> Option<Stale> {
        match disk.hash(&self.file) {
            Some(now) if now == self.text => self.stale_dependency(disk),
            now => Some(Stale::new(&self.file, &self.file, now.is_some())),
        }
    }

    /// As [`stale`](UnitFacts::stale), for a text that is known to be the right one.
    pub fn stale_dependency(&self, disk: &Disk) -> Option<Stale> {
        self.dependencies.iter().find_map(|dependency| {
            let now = disk.hash(&dependency.path);
            let holds = now.is_some() && now == dependency.hash;
            (!holds).then(|| Stale::new(&self.file, &dependency.path, now.is_some()))
        })
    }
}

/// That facts are out of date, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stale {
    /// The file that the facts are about.
    pub file: PathBuf,
    /// The file that has changed: the same, or one that it includes.
    pub changed: PathBuf,
    /// Whether that is still there.
    pub exists: bool,
}

impl Stale {
    fn new(file: &Path, changed: &Path, exists: bool) -> Stale {
        Stale {
            file: file.to_owned(),
            changed: changed.to_owned(),
            exists,
        }
    }

    /// The file itself has another text.
    pub(super) fn of_text(facts: &UnitFacts) -> Stale {
        Stale::new(&facts.file, &facts.file, true)
    }
}

impl fmt::Display for Stale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.exists {
            true => "has changed",
            false => "is no longer there or cannot be read",
        };
        match self.changed == self.file {
            true => write!(f, "the file {what}"),
            false => write!(f, "{}, which it includes, {what}", self.changed.display()),
        }
    }
}
