//! What can be wrong with a file of facts, as messages that say what to do about it.

use super::format::{FORMAT, TOOL};
use std::io;
use std::path::PathBuf;

/// A file of facts that cannot be used or made.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", .path.display())]
pub struct FactsError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    #[source]
    pub problem: FactsProblem,
}

/// What is wrong with bytes that should be facts.
#[derive(Debug, thiserror::Error)]
pub enum FactsProblem {
    #[error("cannot be read ({0}); check its name and its permissions")]
    Unreadable(io::Error),
    #[error("cannot be written ({0}); check the folder's permissions and free space")]
    Unwritable(io::Error),
    #[error("is no summary; name what `ompmemopt summarize` wrote")]
    Foreign,
    #[error(
        "is a summary in format {found}, and ompmemopt {TOOL} reads format {FORMAT}; make it again with this version"
    )]
    OtherFormat { found: u32 },
    #[error("is a summary made by ompmemopt {found}, and this is {TOOL}; make it again with this version")]
    OtherTool { found: String },
    #[error("holds something else than the summary of a file; name what `ompmemopt summarize` wrote")]
    OtherKind,
    #[error("is cut off after {have} bytes of {want}; make the summary again")]
    Truncated { have: u64, want: u64 },
    #[error("is damaged ({0}); make the summary again")]
    Damaged(&'static str),
}

impl FactsProblem {
    /// The problem, of this file.
    pub(super) fn of(self, path: impl Into<PathBuf>) -> FactsError {
        FactsError {
            path: path.into(),
            problem: self,
        }
    }
}
