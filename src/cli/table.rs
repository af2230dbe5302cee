//! What a verification found, as a table and as JSON.

use crate::verify::{Counts, Mode, ProgramKind, RunRecord, Status, Verdict, VerifyReport};
use serde_json::{Value, json};
use std::fmt::Write;

/// The runs as a table, their differences below it, what was saved, and what all of it proves.
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
            "note: on the device, the original itself does not do what the reference does: it has a bug, or its result \
             depends on the number of threads; the rewritten program was compared with the reference, not with it \
             (--reference original does that)"
        );
    }
    if let (Some(before), Some(after)) = (report.before(), report.after()) {
        let _ = writeln!(out, "moved: {} before, {} after", total(before), total(after));
    }
    let _ = writeln!(out, "verdict: {}: {}", report.verdict().word(), reason(report));
    if let Verdict::Inconclusive(doubt) = report.verdict() {
        let _ = writeln!(out, "nothing was proved; {}", doubt.advice());
    }
    out
}

/// What the verdict rests on, in words.
fn reason(report: &VerifyReport) -> String {
    match report.verdict() {
        Verdict::Same => {
            let runs = report
                .runs
                .iter()
                .filter(|run| run.program == ProgramKind::Rewritten)
                .count();
            let ended = match report.runs.first().map(|reference| reference.outcome.status) {
                Some(Status::Exited(0)) | None => "successfully".to_owned(),
                Some(status) => format!("with {status}"),
            };
            format!(
                "in {runs} runs the rewritten program printed what the reference printed, and ended as it did, {ended}"
            )
        }
        Verdict::Different => {
            let mut of_rewritten = report.mismatches().filter(|m| m.program == ProgramKind::Rewritten);
            of_rewritten.next().map_or_else(String::new, |first| first.to_string())
        }
        Verdict::Inconclusive(doubt) => doubt.to_string(),
    }
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
    let proved = !matches!(report.verdict(), Verdict::Inconclusive(_));
    match (reference, run.differences.is_empty()) {
        (true, _) => "reference",
        (_, false) => "DIFFERENT",
        (_, true) if proved => "OK",
        (_, true) => "no proof",
    }
}

/// The runs as one JSON object.
pub fn json(report: &VerifyReport) -> String {
    let program = |p: ProgramKind| p.to_string();
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
        "verdict": report.verdict().word(),
        "reason": reason(report),
        "advice": match report.verdict() {
            Verdict::Inconclusive(doubt) => Some(doubt.advice()),
            _ => None,
        },
        "verified": report.is_verified(),
        "original_agrees": report.original_agrees(),
        "before": report.before(),
        "after": report.after(),
        "runs": runs,
    });
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}
