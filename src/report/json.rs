//! For scripts: one JSON object. Fields are only ever added; `version` changes when one changes its meaning.

use super::{Finding, Report, RunSummary};
use serde::Serialize;

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    files: Vec<JsonFile<'a>>,
    notes: &'a [String],
    summary: RunSummary,
}

#[derive(Serialize)]
struct JsonFile<'a> {
    path: &'a str,
    changed: bool,
    written: bool,
    decisions: usize,
    diff: String,
    findings: &'a [Finding],
}

/// The report as JSON, with a newline at the end.
pub fn json(report: &Report) -> String {
    let files = report.files.iter().map(|f| JsonFile {
        path: &f.path,
        changed: !f.diff.is_empty(),
        written: f.written,
        decisions: f.decisions,
        diff: String::from_utf8_lossy(&f.diff).into_owned(),
        findings: &f.findings,
    });
    let document = Document {
        version: 1,
        files: files.collect(),
        notes: &report.notes,
        summary: report.summary(),
    };
    // Nothing in the document can fail to be written: it has string keys only.
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}
