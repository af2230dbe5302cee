//! The exit codes, all of them.

use std::process::ExitCode;

/// How a run ended. The worst of several is the largest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Exit {
    /// Nothing to do, or all done.
    #[default]
    Done = 0,
    /// There is a patch, files changed where that was to be told, or a verification found a difference.
    Findings = 1,
    /// Wrong usage or configuration, unreadable or uncompilable input, or an internal error.
    Failed = 2,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}
