//! What a verification found, as a table and as JSON.

use crate::verify::{ArrayTraffic, ByArray, Counts, Mode, ProgramKind, RunRecord, Status, Verdict, VerifyReport};
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
    out.push_str(&by_array(&report.by_array));
    let _ = writeln!(out, "verdict: {}: {}", report.verdict().word(), reason(report));
    if let Verdict::Inconclusive(doubt) = report.verdict() {
        let _ = writeln!(out, "nothing was proved; {}", doubt.advice());
    }
    out
}

/// Copies by array, one row for each way, and what all of them have to move at least.
fn by_array(counted: &ByArray) -> String {
    let arrays = match counted {
        ByArray::NotAsked => return String::new(),
        ByArray::NotMeasured(reason) => return format!("not counted by array: {reason}\n"),
        ByArray::Measured(arrays) => arrays,
    };
    let names: Vec<String> = arrays.iter().map(label).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(5);
    let mut out = String::new();
    let mut row = |cells: [&str; 5]| {
        let [name, way, before, after, floor] = cells;
        let _ = writeln!(out, "{name:<width$} {way:<11} {before:>24} {after:>24} {floor:>16}");
    };
    row(["array", "way", "before", "after", "at least"]);
    for (name, array) in names.iter().zip(arrays) {
        let (before, after, floor) = (array.before, array.after, array.floor);
        let up = [
            moved(before.h2d_bytes, before.h2d_calls),
            moved(after.h2d_bytes, after.h2d_calls),
        ];
        let down = [
            moved(before.d2h_bytes, before.d2h_calls),
            moved(after.d2h_bytes, after.d2h_calls),
        ];
        let ways = [
            ("to device", up, before.h2d_calls + after.h2d_calls, floor.h2d),
            ("from device", down, before.d2h_calls + after.d2h_calls, floor.d2h),
        ];
        let used = ways.iter().filter(|(_, _, copies, _)| *copies > 0);
        for (at, (way, [before, after], _, floor)) in used.enumerate() {
            let name = if at == 0 { name } else { "" };
            row([name, way, before, after, &format!("{floor} B")]);
        }
    }
    let sum = |bytes: fn(&ArrayTraffic) -> u64| arrays.iter().map(bytes).sum::<u64>();
    let floor = sum(|array| array.floor.bytes());
    let (before, after) = (
        sum(|array| array.before.moved_bytes()),
        sum(|array| array.after.moved_bytes()),
    );
    let _ = writeln!(
        out,
        "any placement moves at least {floor} B{}",
        match (times(before, floor), times(after, floor)) {
            (Some(before), Some(after)) =>
                format!("; it was {before} times that before, and is {after} times that after"),
            _ => String::new(),
        }
    );
    out
}

fn label(array: &ArrayTraffic) -> String {
    let names = match array.names.as_slice() {
        [] => "(no name)".to_owned(),
        names => names.join(", "),
    };
    match array.objects {
        0 | 1 => names,
        several => format!("{names} ({several} objects)"),
    }
}

/// How often `floor` goes into some bytes, in words. Nothing is no multiple of nothing.
fn times(bytes: u64, floor: u64) -> Option<String> {
    // Both are far below 2^52.
    #[allow(clippy::cast_precision_loss)]
    (floor > 0).then(|| format!("{:.2}", bytes as f64 / floor as f64))
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

/// Copies by array as JSON: `null` where they were not counted.
fn arrays(counted: &ByArray) -> Option<Vec<Value>> {
    let ByArray::Measured(arrays) = counted else {
        return None;
    };
    let one = |array: &ArrayTraffic| {
        json!({
            "names": array.names,
            "objects": array.objects,
            "before": array.before,
            "after": array.after,
            "floor": array.floor,
        })
    };
    Some(arrays.iter().map(one).collect())
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
        "arrays": arrays(&report.by_array),
    });
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}
