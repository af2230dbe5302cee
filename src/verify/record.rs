//! What is kept of each run of a verification.

use super::{Difference, Mode, RunOutcome};
use std::fmt;

/// Which program a run was of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ProgramKind {
    Sequential,
    Original,
    Rewritten,
}

impl fmt::Display for ProgramKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ProgramKind::Sequential => "sequential",
            ProgramKind::Original => "original",
            ProgramKind::Rewritten => "rewritten",
        })
    }
}

/// One run that took place.
#[derive(Debug, Clone)]
pub struct RunRecord {
    pub program: ProgramKind,
    pub mode: Mode,
    pub outcome: RunOutcome,
    /// In what it differs from the reference; empty for the reference itself.
    pub differences: Vec<Difference>,
}

/// A run that differs from the reference.
#[derive(Debug, Clone, Copy)]
pub struct RunMismatch<'a> {
    pub program: ProgramKind,
    pub mode: Mode,
    pub difference: &'a Difference,
}

impl fmt::Display for RunMismatch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} program, {} run: {}", self.program, self.mode, self.difference)
    }
}
