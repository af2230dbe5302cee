//! What is said about a run, in one form, and the formats it can be written in.
//!
//! A [`Report`] holds, file by file, what was changed and why, what was not and why not, and what went wrong. Each format
//! is a function from a report to text; none of them looks at anything else, so all formats say the same.
//!
//! | format | for |
//! |---|---|
//! | [`human()`] | people at a terminal: `path:line:column: level: message [identifier]` |
//! | [`checked()`] | people who check a program: with the lines of the text |
//! | [`explained()`], [`explained_json()`] | what constructs do to which arrays, for people and scripts |
//! | [`page()`] | what constructs do before and after a rewriting, in a browser |
//! | [`json()`] | scripts |
//! | [`sarif()`] | code scanning services and editors |
//! | [`github()`] | annotations of a GitHub workflow |

mod checked;
mod explained;
mod github;
mod human;
mod json;
mod page;
mod sarif;
mod wide_lines;

#[cfg(test)]
mod tests;

pub use checked::{checked, not_followed};
pub use explained::{ExplainedRow, effect_names, explained, explained_json, size_of};
pub use github::github;
pub use human::{Verbosity, coloured_diff, human};
pub use json::json;
pub use page::{PageFile, PageSide, page};
pub use sarif::sarif;
pub use wide_lines::WideLines;

use crate::plan::{Decision, DecisionKey, ExplainedItem, Note};
use crate::rules::{FindingWay, FixEdit, RelatedPlace, RuleFinding, RuleFix};
use crate::source::LineIndex;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

/// How grave a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// The file could not be dealt with.
    Error,
    /// The program violates a rule whenever control comes there.
    Violation,
    /// The program may violate a rule, or does so without harm.
    Warning,
    /// The program is right, and does more than it has to.
    Advice,
    /// Something was changed, and this is why.
    Change,
    /// Something was not changed, and this is why.
    Remark,
    /// Something to know, of which nothing is missed.
    Note,
}

impl Level {
    /// Whether it is what `check` gives to what its rules find.
    pub fn is_of_rule(self) -> bool {
        matches!(self, Level::Violation | Level::Warning | Level::Advice)
    }

    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Level::Error | Level::Violation => "error",
            Level::Warning => "warning",
            Level::Advice => "advice",
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
    /// The decision that it is part of, as users name it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<String>,
    /// What, in one or more lines.
    pub message: String,
    /// The line of the text that the place begins in.
    #[serde(skip)]
    pub excerpt: String,
    /// Other places that it has to do with.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related: Vec<Related>,
    /// What to write instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<Fix>,
}

/// What to write instead.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Fix {
    /// In words.
    pub message: String,
    /// All that is to be changed for it.
    pub edits: Vec<FixReplacement>,
}

/// A part of a file that is to be replaced.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FixReplacement {
    /// The file's name, relative to the current folder, with `/`.
    pub path: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
    /// Line where it ends.
    pub end_line: u32,
    /// Column one past its last byte; the begin where nothing is taken out.
    pub end_column: u32,
    /// What stands there then.
    pub text: String,
}

/// A place that a finding has to do with.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Related {
    /// The file's name, relative to the current folder, with `/`.
    pub path: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
    /// Line where the place ends.
    pub end_line: u32,
    /// Column one past its last byte.
    pub end_column: u32,
    /// What is there.
    pub message: String,
    /// The place is a step on one of two ways that are compared, in their order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub way: Option<FindingWay>,
    /// The line of the text that the place begins in.
    #[serde(skip)]
    pub excerpt: String,
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
            decision: None,
            message,
            excerpt: String::new(),
            related: Vec::new(),
            fix: None,
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
    /// What constructs do, by place.
    pub explained: Vec<ExplainedRow>,
    /// The lines of the text whose columns are not the same in bytes and in characters.
    pub wide_lines: WideLines,
}

impl FileReport {
    /// Adds what was decided about a text. `ids` are what users call the decisions.
    pub fn add(
        &mut self,
        lines: &LineIndex,
        decisions: &[Decision],
        remarks: &[Note],
        ids: &BTreeMap<DecisionKey, String>,
    ) {
        self.decisions += decisions.len();
        for decision in decisions {
            let notes = decision.notes_by_key().into_iter();
            self.findings.extend(notes.map(|(key, note)| Finding {
                decision: ids.get(&key).cloned(),
                ..Finding::at(Level::Change, lines, note, Some(&decision.function))
            }));
        }
        // What gives no reason says that nothing is missed.
        let level = |note: &Note| if note.id.is_some() { Level::Remark } else { Level::Note };
        self.findings
            .extend(remarks.iter().map(|n| Finding::at(level(n), lines, n, None)));
        self.findings.sort_by_key(|f| (f.line, f.column, f.level));
    }

    /// Adds violations of rules that were found in a text. `shown` says what a file is called.
    pub fn add_violations(
        &mut self,
        text: &[u8],
        lines: &LineIndex,
        found: &[RuleFinding],
        shown: &dyn Fn(&Path) -> String,
    ) {
        let related = |place: &RelatedPlace| Related {
            path: shown(&place.path),
            line: place.start.line,
            column: place.start.column,
            end_line: place.end.line,
            end_column: place.end.column,
            message: place.message.clone(),
            way: place.way,
            excerpt: place.line.clone(),
        };
        let replacement = |edit: &FixEdit| FixReplacement {
            path: shown(&edit.path),
            line: edit.start.line,
            column: edit.start.column,
            end_line: edit.end.line,
            end_column: edit.end.column,
            text: edit.text.clone(),
        };
        let fix = |fix: &RuleFix| Fix {
            message: fix.says.clone(),
            edits: fix.edits.iter().map(replacement).collect(),
        };
        let finding = |f: &RuleFinding| {
            let level = match f.surely {
                _ if f.rule.is_advice() => Level::Advice,
                true => Level::Violation,
                false => Level::Warning,
            };
            let note = Note {
                id: Some(f.rule.text().code.into()),
                array: Some(f.array.clone()).filter(|array| !array.is_empty()),
                function: Some(f.function.clone()).filter(|function| !function.is_empty()),
                ..Note::new(f.span, &*f.message)
            };
            Finding {
                excerpt: lines.content(text, lines.position(f.span.start).line),
                related: f.related.iter().map(related).collect(),
                fix: f.fix.as_ref().map(fix),
                ..Finding::at(level, lines, &note, None)
            }
        };
        self.findings.extend(found.iter().map(finding));
        self.findings.sort_by_key(|f| (f.line, f.column, f.level));
    }

    /// Adds what constructs do.
    pub fn explain(&mut self, lines: &LineIndex, items: &[ExplainedItem]) {
        self.explained
            .extend(items.iter().map(|item| ExplainedRow::of(lines, item)));
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
    /// Violations of rules.
    #[serde(skip_serializing_if = "is_zero")]
    pub violations: usize,
    /// What may be one.
    #[serde(skip_serializing_if = "is_zero")]
    pub warnings: usize,
    /// What could be done with less.
    #[serde(skip_serializing_if = "is_zero")]
    pub advice: usize,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl Report {
    /// Counts.
    pub fn summary(&self) -> RunSummary {
        let all = || self.files.iter().flat_map(|f| &f.findings);
        let count = |level: Level| all().filter(|f| f.level == level).count();
        RunSummary {
            files: self.files.len(),
            changed: self.files.iter().filter(|f| !f.diff.is_empty()).count(),
            remarks: count(Level::Remark),
            errors: self.files.iter().filter(|f| f.failed()).count(),
            violations: count(Level::Violation),
            warnings: count(Level::Warning),
            advice: count(Level::Advice),
        }
    }
}
