//! What a verification found, as a table and as JSON.

use crate::verify::{Counts, Mode, Program, RunRecord, VerifyReport};
use serde_json::{Value, json};
use std::fmt::Write;

/// The runs as a table, their differences below it, and what was saved.
pub fn human(report: &VerifyReport) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{:<11} {:<21} {:<10} {:>24} {:>24}",
        "program", "run", "result", "to device", "from device"
    );
    for run in &report.runs {
        let counts = run.outcome.counts;
        let to = counts.map_or_else(|| "-".into(), |c| moved(c.h2d_bytes, c.h2d_calls));
        let from = counts.map_or_else(|| "-".into(), |c| moved(c.d2h_bytes, c.d2h_calls));
        let row = format!(
            "{:<11} {:<21} {:<10} {to:>24} {from:>24}",
            run.program.to_string(),
            run.mode.to_string(),
            result(report, run)
        );
        let _ = writeln!(out, "{}", row.trim_end());
    }
    for mismatch in report.mismatches() {
        let _ = writeln!(out, "{mismatch}");
    }
    if !report.original_agrees() {
        let _ = writeln!(
            out,
            "the original differs from the reference itself; the rewritten program is compared with the reference"
        );
    }
    if let (Some(before), Some(after)) = (report.before(), report.after()) {
        let _ = writeln!(out, "moved: {} before, {} after", total(before), total(after));
    }
    out
}

fn moved(bytes: u64, calls: u64) -> String {
    format!("{bytes} B in {calls}")
}

fn total(counts: Counts) -> String {
    format!("{} B in {} copies", counts.moved_bytes(), counts.moved_calls())
}

fn result(report: &VerifyReport, run: &RunRecord) -> &'static str {
    let reference = report
        .runs
        .first()
        .is_some_and(|r| (r.program, r.mode) == (run.program, run.mode));
    match (reference, run.differences.is_empty()) {
        (true, _) => "reference",
        (_, true) => "OK",
        (_, false) => "DIFFERENT",
    }
}

/// The runs as one JSON object.
pub fn json(report: &VerifyReport) -> String {
    let program = |p: Program| p.to_string();
    let mode = |m: Mode| m.to_string();
    let runs: Vec<Value> = report
        .runs
        .iter()
        .map(|run| {
            json!({
                "program": program(run.program),
                "mode": mode(run.mode),
                "status": run.outcome.status.to_string(),
                "counts": run.outcome.counts,
                "differences": run.differences.iter().map(ToString::to_string).collect::<Vec<_>>(),
            })
        })
        .collect();
    let document = json!({
        "version": 1,
        "verified": report.is_verified(),
        "original_agrees": report.original_agrees(),
        "before": report.before(),
        "after": report.after(),
        "runs": runs,
    });
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}
