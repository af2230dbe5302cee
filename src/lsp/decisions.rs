//! One decision of `rewrite` at a time: what is offered under the cursor, and what it comes to.
//!
//! ```text
//! codeAction ──────────► "main/u: `u` stays on the device …", without edits: each is a plan of its own
//! codeAction/resolve ──► run: rewrite with main/u and what that needs ─► the action, with its edits in several files
//! ```
//!
//! What one decision comes to is planned only when somebody picks it, and kept until a text changes.

use super::analyst::{AnalysedFile, ProgramAnalysis};
use super::diagnostics::range_of;
use super::offers::{ActionContext, LaterEdits, OfferedDecision};
use super::positions::PlacedText;
use crate::report::Finding;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What decisions come to, by their names: what has been asked for since a text has changed.
pub type KnownDecisions = BTreeMap<String, Result<ProgramAnalysis, String>>;

/// The decisions that are made where the cursor is. Where `rewrite` makes one alone, that is what it writes in the file.
pub fn under_cursor(context: &ActionContext<'_>) -> Vec<LaterEdits> {
    let Some(all) = context.rewritten else {
        return Vec::new();
    };
    let Some(own) = all.of(context.path) else {
        return Vec::new();
    };
    if ids(all.files.iter()).len() < 2 {
        return Vec::new();
    }
    let text = PlacedText::new(&own.old, context.diagnostics.encoding);
    let touches = |finding: &&Finding| {
        let made_at = range_of(finding, &text);
        made_at.start.line <= context.range.end.line && context.range.start.line <= made_at.end.line
    };
    let mut offered: BTreeMap<&str, &Finding> = BTreeMap::new();
    for finding in own.report.findings.iter().filter(touches) {
        if let Some(id) = &finding.decision {
            offered.entry(id).or_insert(finding);
        }
    }
    let offer = |(id, finding): (&str, &Finding)| LaterEdits {
        title: format!("Apply only {id}: {}", finding.message),
        offered: OfferedDecision {
            file: context.path.to_owned(),
            decision: id.to_owned(),
        },
    };
    offered.into_iter().map(offer).collect()
}

/// The files that a decision changes; `None` where it changes none.
pub fn changed<'a>(analysis: &'a ProgramAnalysis, path: &Path) -> Option<Vec<&'a AnalysedFile>> {
    analysis.of(path)?;
    let changed = analysis.files.iter().filter(|file| file.new.is_some());
    let changed: Vec<&AnalysedFile> = changed.collect();
    (!changed.is_empty()).then_some(changed)
}

/// The names of decisions about some files.
fn ids<'a>(files: impl Iterator<Item = &'a AnalysedFile>) -> BTreeSet<&'a str> {
    let findings = files.flat_map(|file| &file.report.findings);
    findings.filter_map(|finding| finding.decision.as_deref()).collect()
}
