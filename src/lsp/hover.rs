//! What is shown of the place that the pointer is over: what the construct does to each object, and the documentation of what is found
//! there.
//!
//! ```text
//! **`target teams distribute parallel for`** in `main`
//!
//! | object | on entry | at the end | size |
//! |---|---|---|---|
//! | `a[0:n]` | copy in | copy out | 8 bytes each |
//! ```

use super::analyst::AnalysedFile;
use super::diagnostics::range_of;
use super::documentation;
use super::positions::{Encoding, PlacedText};
use crate::report::{ExplainedRow, Finding, effect_names, size_of};
use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position, Range};
use std::collections::BTreeSet;

/// What is shown of a place, by what is known of its file from `check` and from `rewrite`.
pub fn at(place: Position, known: &[&AnalysedFile], encoding: Encoding) -> Option<Hover> {
    let (mut parts, mut range) = (Vec::new(), None);
    let mut shown: BTreeSet<&str> = BTreeSet::new();
    for file in known {
        let text = PlacedText::new(&file.old, encoding);
        let line = text.for_tool(place).line;
        if let Some(rows) = innermost(&file.report.explained, line) {
            parts.push(construct(&rows));
        }
        for finding in &file.report.findings {
            let found_at = range_of(finding, &text);
            let id = finding.id.as_deref().filter(|_| covers(found_at, place));
            let Some(page) = id.and_then(documentation::page) else {
                continue;
            };
            range = range.or(Some(found_at));
            parts.push(said(finding));
            if id.is_some_and(|id| shown.insert(id)) {
                parts.push(page);
            }
        }
    }
    (!parts.is_empty()).then(|| Hover {
        contents: HoverContents::Markup(MarkupContent {
            kind: MarkupKind::Markdown,
            value: parts.join("\n\n---\n\n"),
        }),
        range,
    })
}

fn covers(range: Range, place: Position) -> bool {
    range.start <= place && place <= range.end
}

fn said(finding: &Finding) -> String {
    let id = finding.id.as_deref().unwrap_or_default();
    format!("{}: {} [{id}]", finding.level.as_str(), finding.message)
}

/// The rows of the innermost construct that a line is in.
fn innermost(rows: &[ExplainedRow], line: u32) -> Option<Vec<&ExplainedRow>> {
    let around = || rows.iter().filter(|row| (row.line..=row.end_line).contains(&line));
    let first = around().map(|row| (row.line, row.column)).max()?;
    Some(around().filter(|row| (row.line, row.column) == first).collect())
}

/// A table of what a construct does.
fn construct(rows: &[&ExplainedRow]) -> String {
    let mut out = format!(
        "**`{}`** in `{}`\n\n| object | on entry | at the end | size |\n|---|---|---|---|",
        rows[0].construct, rows[0].function
    );
    for row in rows {
        let implied = if row.implied { " (implied)" } else { "" };
        // In tables `|` parts cells, in code spans too.
        let item = row.item.replace('|', "\\|");
        let cell = |effects: String| {
            if effects.is_empty() {
                "nothing".to_owned()
            } else {
                effects
            }
        };
        out.push_str(&format!(
            "\n| `{item}`{implied} | {} | {} | {} |",
            cell(effect_names(&row.entry)),
            cell(effect_names(&row.exit)),
            size_of(row)
        ));
    }
    out
}
