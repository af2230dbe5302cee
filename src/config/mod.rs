//! What the user says of a program that its text does not show: in `ompmemopt.toml`, and in comments.
//!
//! ```text
//! ompmemopt.toml ──► file ─────┐
//!                              ├─► Entry for each function ─► assumptions ─► analysis::known, by function of a module
//! comments in C ───► comments ─┘         (words: what both can say)
//! ```
//!
//! An entry says *all* that a function does: what it does not list, the function does not do. So one with a mistake in it
//! is dropped whole and its function stays unknown code, which costs copies and never a result.
//!
//! | file | has |
//! |---|---|
//! | `words` | the vocabulary: keys, items, and what they mean |
//! | `file` | `ompmemopt.toml` |
//! | `settings` | what it says of runs: options, rules, files that are left out |
//! | `comments` | `/* ompmemopt: … */` |
//! | `merge` | several entries for one function |
//! | `fit` | whether an entry fits the function's declaration |
//! | `assumptions` | entries to functions of linked programs; entries without effect, and names that nothing has |
//! | `suggest` | "did you mean" |
//!
//! **Invariant.** Nothing here reads the disk: [`crate::cli`] finds the files.
//!
//! Non-goals: checking that what the user says is true; functions that touch the program's global variables by name (there
//! is no word for them).

mod assumptions;
mod comments;
mod file;
mod fit;
mod merge;
pub mod settings;
mod suggest;
mod words;

pub use assumptions::{Assumptions, Speaker, Unknown};
pub use file::parse;
pub use settings::Settings;

use crate::analysis::libc::LibFn;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The name of the configuration file.
pub const FILE_NAME: &str = "ompmemopt.toml";

/// What one configuration file says.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Config {
    /// Functions by name.
    pub functions: BTreeMap<String, FunctionEntry>,
    /// The pointer parameters of no function overlap.
    pub noalias_everywhere: bool,
    /// Libraries whose functions are unknown code.
    pub without_libraries: BTreeSet<String>,
    /// What it says of runs: no plan rests on that.
    #[serde(skip)]
    pub settings: Settings,
}

/// What is said of one function.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FunctionEntry {
    /// All that it does; `None` where that is not said.
    pub effects: Option<LibFn>,
    /// The function's pointer parameters overlap neither each other nor variables.
    pub noalias: bool,
    /// Where this is said.
    pub place: EntryPlace,
}

/// A place in a configuration file or a source file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct EntryPlace {
    /// The file's name, for people.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
}

impl fmt::Display for EntryPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// Something wrong in what the user says.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ConfigProblem {
    /// Where.
    pub place: EntryPlace,
    /// What, and what to do.
    pub message: String,
}

impl fmt::Display for ConfigProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}
