//! For code scanning: SARIF 2.1.0, one run, one result per finding.

use super::{Finding, Fix, Level, Related, Report, WideLines};
use crate::reasons;
use crate::rules::{self, Rule};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Rule of each level: id, name, description. Remarks that say which reason they give have that as a rule.
const RULES: [(Level, &str, &str, &str); 4] = [
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
        "OMM903",
        "missed-optimisation",
        "Data movement was left as it is, for the reason given.",
    ),
    (
        Level::Note,
        "OMM902",
        "note",
        "Something to know, of which nothing is missed.",
    ),
];

/// The report as a SARIF log, with a newline at the end.
pub fn sarif(report: &Report) -> String {
    let findings = || report.files.iter().flat_map(|file| &file.findings);
    let of_level = |(_, id, name, text): &(Level, &str, &str, &str)| json!({ "id": id, "name": name, "shortDescription": { "text": text } });
    let given: BTreeSet<&str> = findings().filter_map(|f| f.id.as_deref()).collect();
    let reasons = reasons::all()
        .map(|(_, kind)| kind)
        .filter(|kind| given.contains(kind.id));
    let violated = rules::RULES.iter().filter(|rule| given.contains(rule.text().code));
    let rules: Vec<Value> = RULES
        .iter()
        .map(of_level)
        .chain(reasons.map(reason_rule))
        .chain(violated.map(|rule| mapping_rule(*rule)))
        .collect();
    let texts: TextsByPath<'_> = report.files.iter().map(|f| (f.path.as_str(), &f.wide_lines)).collect();
    let results: Vec<Value> = report
        .files
        .iter()
        .flat_map(|file| file.findings.iter().map(|f| result(&file.path, f, &texts)))
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
            "columnKind": "utf16CodeUnits",
            "results": results,
        }],
    });
    serde_json::to_string_pretty(&log).unwrap_or_default() + "\n"
}

/// A rule about mappings.
fn mapping_rule(rule: Rule) -> Value {
    let text = rule.text();
    json!({
        "id": text.code,
        "name": text.name,
        "shortDescription": { "text": text.says },
        "fullDescription": { "text": text.why },
        "help": { "text": text.fix, "markdown": rule.documentation() },
    })
}

/// The rule of a reason.
fn reason_rule(kind: &reasons::ReasonKind) -> Value {
    let mut rule = json!({ "id": kind.id, "name": kind.id, "shortDescription": { "text": kind.sentence } });
    if !kind.helps.is_empty() {
        rule["help"] = json!({ "text": kind.helps });
    }
    rule
}

/// What is known of the columns of files.
type TextsByPath<'a> = BTreeMap<&'a str, &'a WideLines>;

fn result(path: &str, finding: &Finding, texts: &TextsByPath<'_>) -> Value {
    let of_level = || RULES.iter().find(|r| r.0 == finding.level).map_or("OMM900", |r| r.1);
    let id = finding.id.as_deref().unwrap_or_else(of_level);
    let level = match finding.level {
        Level::Error | Level::Violation => "error",
        Level::Change | Level::Warning => "warning",
        Level::Advice | Level::Remark => "note",
        Level::Note => "none",
    };
    let mut place = json!({ "artifactLocation": { "uri": uri(path) } });
    if finding.line > 0 {
        place["region"] = region(
            texts.get(path),
            (finding.line, finding.column),
            (finding.end_line, finding.end_column),
        );
    }
    let mut result = json!({
        "ruleId": id,
        "level": level,
        "message": { "text": finding.message },
        "locations": [{ "physicalLocation": place }],
    });
    if !finding.related.is_empty() {
        result["relatedLocations"] = finding.related.iter().map(|r| related(r, texts)).collect();
    }
    if let Some(fix) = &finding.fix {
        result["fixes"] = json!([fixed(fix, texts)]);
    }
    if let Some(decision) = &finding.decision {
        result["properties"] = json!({ "decision": decision });
    }
    if finding.level.is_of_rule() {
        result["partialFingerprints"] = json!({ "ompmemopt/v1": fingerprint(path, finding) });
    }
    result
}

/// From one line and column in bytes to another.
fn region(lines: Option<&&WideLines>, (line, column): (u32, u32), (end_line, end_column): (u32, u32)) -> Value {
    let units = |line, column| lines.map_or(column, |wide| wide.utf16_column(line, column));
    json!({
        "startLine": line,
        "startColumn": units(line, column),
        "endLine": end_line,
        "endColumn": units(end_line, end_column),
    })
}

/// What a finding is known by, wherever in its file the lines move; several of one kind have one.
fn fingerprint(path: &str, finding: &Finding) -> String {
    let Finding {
        id,
        function,
        array,
        message,
        excerpt,
        ..
    } = finding;
    let known = [
        id.as_deref(),
        function.as_deref(),
        array.as_deref(),
        Some(message),
        Some(excerpt.trim()),
        Some(path),
    ];
    let known: Vec<&str> = known.into_iter().map(Option::unwrap_or_default).collect();
    blake3::hash(known.join("\0").as_bytes()).to_hex()[..16].to_owned()
}

/// A fix, with all changes of one file together.
fn fixed(fix: &Fix, texts: &TextsByPath<'_>) -> Value {
    let mut files: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for edit in &fix.edits {
        files.entry(&edit.path).or_default().push(json!({
            "deletedRegion": region(
                texts.get(edit.path.as_str()),
                (edit.line, edit.column),
                (edit.end_line, edit.end_column),
            ),
            "insertedContent": { "text": edit.text },
        }));
    }
    let changes = files
        .into_iter()
        .map(|(path, replacements)| json!({ "artifactLocation": { "uri": uri(path) }, "replacements": replacements }));
    json!({
        "description": { "text": format!("write {}", fix.message) },
        "artifactChanges": changes.collect::<Vec<Value>>(),
    })
}

fn related(related: &Related, texts: &TextsByPath<'_>) -> Value {
    json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(&related.path) },
            "region": region(
                texts.get(related.path.as_str()),
                (related.line, related.column),
                (related.end_line, related.end_column),
            ),
        },
        "message": { "text": related.message },
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
