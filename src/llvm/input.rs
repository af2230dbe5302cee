//! What clang is asked about: a text under a path, and how the user compiles it.

use super::LlvmError;
use crate::source::are_one_file;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Which builds of a file are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Debug)]
pub enum BuildScope {
    /// Other ones than that of the flags, too: they compile other branches of `#if`, and macros are something else in them. What is written has to be right in all.
    #[default]
    All,
    /// The one that the flags are for: what is wrong is wrong in this one.
    This,
}

/// What a text is read as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReadAs {
    /// C, with directives left aside.
    Sequential,
    /// C with the directives of OpenMP: bodies of parallel regions are functions.
    Threads,
    /// CUDA: what runs on the device.
    Cuda,
    /// C that was made of UPC ([`crate::upc`]).
    Upc,
}

/// How the user compiles the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClangOptions {
    /// The user's flags (`-I`, `-D`, `-std`, …). Flags about outputs, warnings, optimisation and OpenMP are ignored.
    pub flags: Vec<String>,
    /// Value of `_OPENMP`, a date `yyyymm`: 202011 for OpenMP 5.1.
    pub openmp_version: u32,
    /// Folder in which clang runs: relative paths in the flags and in [`Input::path`] start here. Empty: the current one.
    pub working_dir: PathBuf,
    /// Texts that clang is to see in the place of headers; where its library says no, the compiler is not asked. `None` where
    /// headers are what they are.
    pub instead: Option<Arc<Vec<Instead>>>,
    /// Texts that somebody has written and not saved yet, for the files that hold something else or are not there. Of these the compiler is asked, too.
    pub unsaved: Arc<Vec<Instead>>,
    /// The builds that are looked at.
    pub builds: BuildScope,
}

/// A header and the text that stands in for what it holds.
pub type Instead = (PathBuf, Vec<u8>);

impl ClangOptions {
    /// What a header holds, as clang sees it.
    pub fn header(&self, path: &Path) -> Option<Vec<u8>> {
        let mut instead = self.instead.iter().flat_map(|texts| texts.iter());
        if let Some((_, text)) = instead.find(|(header, _)| header == path) {
            return Some(text.clone());
        }
        match { self.unsaved.iter() }.find(|(header, _)| are_one_file(header, path)) {
            Some((_, text)) => Some(text.clone()),
            None => std::fs::read(path).ok(),
        }
    }

    /// All texts that stand in for what files hold, but for that of the file that is compiled: what stands in for another one comes last.
    pub(super) fn stand_ins<'o>(&'o self, compiled: &'o Path) -> impl Iterator<Item = &'o Instead> {
        let instead = || self.instead.iter().flat_map(|texts| texts.iter());
        let compiled = self.working_dir.join(compiled);
        let unsaved = self.unsaved.iter().filter(move |(file, _)| {
            !are_one_file(file, &compiled) && !instead().any(|(other, _)| are_one_file(file, other))
        });
        unsaved.chain(instead())
    }
}

impl Default for ClangOptions {
    fn default() -> Self {
        ClangOptions {
            flags: Vec::new(),
            openmp_version: 202_011,
            working_dir: PathBuf::new(),
            instead: None,
            unsaved: Arc::default(),
            builds: BuildScope::All,
        }
    }
}

/// A source file, or a text standing in for one.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// Where the text lives or would live.
    pub path: &'a Path,
    /// The text, when it is not (yet) what the file holds.
    pub text: Option<&'a [u8]>,
}

impl<'a> Input<'a> {
    /// The file as it is on disk.
    pub fn file(path: &'a Path) -> Input<'a> {
        Input { path, text: None }
    }

    /// `text` as if it were the content of `path`, which need not exist.
    pub fn text(path: &'a Path, text: &'a [u8]) -> Input<'a> {
        Input { path, text: Some(text) }
    }

    /// The text, read from disk when none was given. Errors: [`LlvmError::Unreadable`].
    pub(super) fn bytes(&self, options: &ClangOptions) -> Result<std::borrow::Cow<'a, [u8]>, LlvmError> {
        match self.text {
            Some(text) => Ok(text.into()),
            None => std::fs::read(options.working_dir.join(self.path))
                .map(Into::into)
                .map_err(|error| LlvmError::Unreadable {
                    file: self.path.to_owned(),
                    error,
                }),
        }
    }
}
