//! For code scanning: SARIF 2.1.0, one run, one result per finding.

use super::{Finding, Level, Report};
use serde_json::{Value, json};

/// Rule of each level: id, name, description.
const RULES: [(Level, &str, &str, &str); 3] = [
    (
        Level::Error,
        "OMM900",
        "file-skipped",
        "The file could not be analysed or rewritten.",
    ),
    (
        Level::Change,
        "OMM200",
        "data-movement",
        "Data movement between host and device can be reduced.",
    ),
    (
        Level::Remark,
        "OMM901",
        "missed-optimisation",
        "Data movement was left as it is, for the reason given.",
    ),
];

/// The report as a SARIF log, with a newline at the end.
pub fn sarif(report: &Report) -> String {
    let rules: Vec<Value> = RULES
        .iter()
        .map(|(_, id, name, text)| json!({ "id": id, "name": name, "shortDescription": { "text": text } }))
        .collect();
    let results: Vec<Value> = report
        .files
        .iter()
        .flat_map(|file| file.findings.iter().map(|f| result(&file.path, f)))
        .collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "ompmemopt",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "results": results,
        }],
    });
    serde_json::to_string_pretty(&log).unwrap_or_default() + "\n"
}

fn result(path: &str, finding: &Finding) -> Value {
    let id = RULES.iter().find(|r| r.0 == finding.level).map_or("OMM900", |r| r.1);
    let level = match finding.level {
        Level::Error => "error",
        Level::Change => "warning",
        Level::Remark => "note",
    };
    let mut place = json!({ "artifactLocation": { "uri": uri(path) } });
    if finding.line > 0 {
        place["region"] = json!({
            "startLine": finding.line,
            "startColumn": finding.column,
            "endLine": finding.end_line,
            "endColumn": finding.end_column,
        });
    }
    json!({
        "ruleId": id,
        "level": level,
        "message": { "text": finding.message },
        "locations": [{ "physicalLocation": place }],
    })
}

/// The path as a relative reference: bytes outside the unreserved set and `/` are escaped.
fn uri(path: &str) -> String {
    let keep = |b: u8| b.is_ascii_alphanumeric() || b"-._~/".contains(&b);
    path.bytes()
        .map(|b| {
            if keep(b) {
                char::from(b).to_string()
            } else {
                format!("%{b:02X}")
            }
        })
        .collect()
}
