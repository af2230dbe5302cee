//! Annotated texts in OpenACC: the last step.
//!
//! ```text
//! text ─► annotate ─► annotated text ─► rewrite ─► new text ─► here: the same in OpenACC
//! ```
//!
//! Everything before this step works on OpenMP, so that both dialects get the same kernels and the same copies. Loops
//! that OpenACC cannot say were left alone beforehand ([`crate::annotate`]), and functions that it wants marked have
//! been marked ([`super::routines`]).
//!
//! **Invariants.** Nothing but directives is touched, and of these only such as the tool wrote: programs that have
//! device directives of their own, in any branch of any `#if`, are not annotated in this dialect. A directive that has
//! no equivalent is an error, and the file is left as it is; so are those that must be changed together with it.

use super::unit::{FileError, Outcome, Rewritten, Unit};
use crate::facts::Dependency;
use crate::openmp::{Directive, detect_style, openacc};
use crate::plan::{Dialect, Note};
use crate::reasons::Serial;
use crate::source::{EditSet, LineIndex, Span};
use crate::syntax::{blank, plain};
use std::path::Path;

/// Exchanges the new directives of all files, where that was asked for.
pub(super) fn exchanged(units: &[(Unit<'_>, bool)], mut annotated: Rewritten) -> Rewritten {
    let mut failed = None;
    for ((unit, _), result) in units.iter().zip(&mut annotated.files) {
        let Ok(outcome) = result else { continue };
        let Some(text) = outcome.new_text.as_deref() else {
            continue;
        };
        if unit.options.plan.dialect == Dialect::OpenMp {
            continue;
        }
        match in_openacc(text) {
            Ok(new) => outcome.new_text = Some(new),
            Err(reason) => {
                if outcome.bound {
                    failed = Some(unit.path);
                }
                *result = Err(refused(unit, reason));
            }
        }
    }
    let Some(path) = failed else { return annotated };
    for ((unit, _), result) in units.iter().zip(&mut annotated.files) {
        if result.as_ref().is_ok_and(|o| o.bound) {
            *result = Err(refused(unit, format!("{} has to be changed with it", path.display())));
        }
    }
    annotated
}

fn refused(unit: &Unit<'_>, reason: String) -> FileError {
    FileError::Guard {
        path: unit.path.to_owned(),
        reason,
    }
}

/// A text with its device directives in OpenACC.
fn in_openacc(text: &[u8]) -> Result<Vec<u8>, String> {
    let lines = LineIndex::new(text);
    let pragmas = blank(text, &[]).pragmas.into_iter().filter(|p| !p.operator);
    let raw: Vec<(Span, String)> = pragmas
        .map(|p| {
            let raw = String::from_utf8_lossy(&text[p.span.start..p.span.end]).into_owned();
            (p.span, raw)
        })
        .collect();
    let mut style = detect_style(&raw.iter().map(|(_, raw)| raw.as_str()).collect::<Vec<_>>());
    style.line_ending = lines.ending().as_str().to_owned();
    let mut edits = EditSet::new();
    for (span, raw) in &raw {
        if !Directive::parse(raw).is_some_and(|d| d.is_on_device()) {
            continue;
        }
        let line = text[..span.start]
            .iter()
            .rposition(|b| *b == b'\n')
            .map_or(0, |at| at + 1);
        let indent = String::from_utf8_lossy(&text[line..span.start]);
        let new = openacc::translate(raw, &style, &indent)
            .map_err(|p| format!("line {}: {}", lines.position(span.start).line, p.message))?;
        let new = new.strip_prefix(&*indent).unwrap_or(&new);
        edits.replace(*span, new).map_err(|overlap| overlap.to_string())?;
    }
    Ok(edits.apply(text))
}

/// Leaves all files as they are where a header that they include has OpenACC directives: in what functions of headers
/// do with device memory nobody looks.
pub(super) fn beside_headers(annotated: &mut Rewritten, read: &[&Dependency]) {
    let annotates = |o: &Outcome| o.new_text.is_some();
    if !annotated.files.iter().flatten().any(annotates) {
        return;
    }
    let Some(header) = read.iter().find(|d| has_openacc(&d.path)) else {
        return;
    };
    for outcome in annotated.files.iter_mut().flatten().filter(|o| annotates(o)) {
        let header = header.path.display().to_string();
        let reason = Serial::OpenAccInHeader { header }.into();
        *outcome = Outcome {
            remarks: vec![Note::because(Span::default(), "all loops stay as they are: ", &reason)],
            ..Outcome::default()
        };
    }
}

fn has_openacc(path: &Path) -> bool {
    let has = |text: Vec<u8>| {
        let word = b"acc";
        let plausible = text.windows(word.len()).any(|w| w == word) && text.windows(6).any(|w| w == b"pragma");
        plausible && plain(&text).pragmas.iter().any(|p| openacc::is_openacc(p))
    };
    std::fs::read(path).is_ok_and(has)
}
