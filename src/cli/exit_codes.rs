//! The exit codes, all of them but that of a run that a signal ended: 128 and the signal's number ([`crate::cleanup`]).

use std::process::ExitCode;

/// How a run ended. The worst of several is the largest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Exit {
    /// Nothing to do, or all done.
    #[default]
    Done = 0,
    /// There is a patch, files changed where that was to be told, or a verification found a difference.
    Findings = 1,
    /// Wrong usage or configuration, unreadable or uncompilable input, an internal error, or a verification that proves
    /// nothing.
    Failed = 2,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}
