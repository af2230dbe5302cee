//! What is said about a run, in one form, and the formats it can be written in.
//!
//! A [`Report`] holds, file by file, what was changed and why, what was not and why not, and what went wrong. Each format
//! is a function from a report to text; none of them looks at anything else, so all formats say the same.
//!
//! | format | for |
//! |---|---|
//! | [`human()`] | people at a terminal: `path:line:column: level: message [identifier]` |
//! | [`json()`] | scripts |
//! | [`sarif()`] | code scanning services and editors |
//! | [`github()`] | annotations of a GitHub workflow |

mod github;
mod human;
mod json;
mod sarif;

#[cfg(test)]
mod tests;

pub use github::github;
pub use human::{Verbosity, human};
pub use json::json;
pub use sarif::sarif;

use crate::plan::{Decision, Note};
use crate::source::LineIndex;
use serde::Serialize;
use std::borrow::Cow;

/// How grave a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// The file could not be dealt with.
    Error,
    /// Something was changed, and this is why.
    Change,
    /// Something was not changed, and this is why.
    Remark,
    /// Something to know, of which nothing is missed.
    Note,
}

impl Level {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Level::Error => "error",
            Level::Change => "change",
            Level::Remark => "remark",
            Level::Note => "note",
        }
    }
}

/// One thing to say about a place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Finding {
    /// How grave.
    pub level: Level,
    /// Line, from 1; 0 when it is about the file.
    pub line: u32,
    /// Column in bytes, from 1; 0 when it is about the file.
    pub column: u32,
    /// Line where the place ends.
    pub end_line: u32,
    /// Column one past its last byte.
    pub end_column: u32,
    /// The function it is in, where known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// The array that it is about, as people know it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub array: Option<String>,
    /// Which reason a remark gives ([`crate::reasons::ReasonKind::id`]).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What, in one or more lines.
    pub message: String,
}

impl Finding {
    /// A finding about a place in the text that `lines` was made of.
    pub fn at(level: Level, lines: &LineIndex, note: &Note, function: Option<&str>) -> Finding {
        let finding = Finding {
            function: note.function.clone().or(function.map(str::to_owned)),
            array: note.array.as_ref().map(|label| label.trim_matches('`').to_owned()),
            id: note.id.clone().map(Cow::into_owned),
            ..Finding::about_file(level, &*note.message)
        };
        if note.span.end == 0 {
            return finding;
        }
        let (start, end) = (lines.position(note.span.start), lines.position(note.span.end));
        Finding {
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            ..finding
        }
    }

    /// A finding about a file as a whole.
    pub fn about_file(level: Level, message: impl Into<String>) -> Finding {
        let message = message.into();
        Finding {
            level,
            line: 0,
            column: 0,
            end_line: 0,
            end_column: 0,
            function: None,
            array: None,
            id: None,
            message,
        }
    }
}

/// What came of one file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FileReport {
    /// The file's name, relative to the current folder, with `/`.
    pub path: String,
    /// The patch; empty when nothing is to be changed.
    pub diff: Vec<u8>,
    /// The file was written.
    pub written: bool,
    /// Number of decisions in the patch.
    pub decisions: usize,
    /// Errors, changes and remarks, by place.
    pub findings: Vec<Finding>,
}

impl FileReport {
    /// Adds what was decided about a text.
    pub fn add(&mut self, lines: &LineIndex, decisions: &[Decision], remarks: &[Note]) {
        self.decisions += decisions.len();
        for decision in decisions {
            let reasons = decision.reasons.iter();
            self.findings
                .extend(reasons.map(|n| Finding::at(Level::Change, lines, n, Some(&decision.function))));
        }
        // What gives no reason says that nothing is missed.
        let level = |note: &Note| if note.id.is_some() { Level::Remark } else { Level::Note };
        self.findings
            .extend(remarks.iter().map(|n| Finding::at(level(n), lines, n, None)));
        self.findings.sort_by_key(|f| (f.line, f.column, f.level));
    }

    /// Whether something went wrong.
    pub fn failed(&self) -> bool {
        self.findings.iter().any(|f| f.level == Level::Error)
    }
}

/// What came of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Files, sorted by name.
    pub files: Vec<FileReport>,
    /// What concerns no file.
    pub notes: Vec<String>,
}

/// Numbers about a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct RunSummary {
    /// Files looked at.
    pub files: usize,
    /// Files with a patch.
    pub changed: usize,
    /// Remarks.
    pub remarks: usize,
    /// Files that could not be dealt with.
    pub errors: usize,
}

impl Report {
    /// Counts.
    pub fn summary(&self) -> RunSummary {
        let remarks = |f: &FileReport| f.findings.iter().filter(|f| f.level == Level::Remark).count();
        RunSummary {
            files: self.files.len(),
            changed: self.files.iter().filter(|f| !f.diff.is_empty()).count(),
            remarks: self.files.iter().map(remarks).sum(),
            errors: self.files.iter().filter(|f| f.failed()).count(),
        }
    }
}
