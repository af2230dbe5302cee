//! What the editor can be asked to change: lists of edits, each with a title.
//!
//! | for | kinds | edits |
//! |---|---|---|
//! | a finding of `check` that has a fix, under the cursor | `quickfix` | the fix, in all files that it is about |
//! | the file, where `rewrite` changes it | `source.fixAll.ompmemopt`, `refactor.rewrite` | all that `rewrite` writes in it |
//! | its program, where `rewrite` changes several files | `refactor.rewrite` | all that `rewrite` writes |
//! | a decision of `rewrite` under the cursor, where there are others | `refactor.rewrite` | it and what it needs, [when it is picked](super::decisions) |
//!
//! Another source of edits is one more function that gives [`TitledEdits`], named in [`titled`].

use super::analyst::{AnalysedFile, ProgramAnalysis};
use super::decisions;
use super::diagnostics::range_of;
use super::edits::{self, EditWriter, FileEdits};
use super::offers::{ActionContext, LaterEdits, OfferedDecision, TitledEdits};
use super::positions::{Encoding, PlacedText, ToolPlace};
use crate::report::{Finding, Fix};
use lsp_types::{CodeAction, CodeActionKind, CodeActionOrCommand, TextEdit};
use std::path::PathBuf;

/// The kind of changes that editors make of a whole file, when it is saved for example.
pub const FIX_ALL: CodeActionKind = CodeActionKind::new("source.fixAll.ompmemopt");

/// All that can be offered.
pub fn titled(context: &ActionContext<'_>) -> Vec<TitledEdits> {
    let mut all = of_findings(context);
    all.extend(of_file(context));
    all.extend(of_program(context));
    all
}

/// The edits that a decision comes to, as the editor makes them; `None` where it comes to nothing.
pub fn of_decision(
    offered: &OfferedDecision,
    analysis: &ProgramAnalysis,
    encoding: Encoding,
) -> Option<Vec<FileEdits>> {
    let files = decisions::changed(analysis, &offered.file)?;
    Some(changed(files.into_iter(), encoding))
}

/// Actions without edits, if they were asked for.
pub fn later(context: &ActionContext<'_>, only: Option<&[CodeActionKind]>) -> Vec<CodeActionOrCommand> {
    let kind = CodeActionKind::REFACTOR_REWRITE;
    let offered = match is_wanted(&kind, only) {
        true => decisions::under_cursor(context),
        false => Vec::new(),
    };
    let action = |later: LaterEdits| CodeAction {
        title: later.title,
        kind: Some(kind.clone()),
        data: serde_json::to_value(later.offered).ok(),
        ..CodeAction::default()
    };
    offered
        .into_iter()
        .map(action)
        .map(CodeActionOrCommand::CodeAction)
        .collect()
}

/// Whether actions of a kind were asked for: those of some kinds, or all but those that are for a whole file and asked for by name.
fn is_wanted(kind: &CodeActionKind, only: Option<&[CodeActionKind]>) -> bool {
    match only {
        Some(asked) => asked.iter().any(|asked| is_below(kind, asked)),
        None => !is_below(kind, &CodeActionKind::SOURCE),
    }
}

/// The actions that were asked for.
pub fn wanted(
    offered: Vec<TitledEdits>,
    only: Option<&[CodeActionKind]>,
    writer: &EditWriter<'_>,
) -> Vec<CodeActionOrCommand> {
    let mut actions = Vec::new();
    for offer in offered {
        let Some(edit) = writer.written(&offer.files) else {
            continue;
        };
        for kind in offer.kinds.iter().filter(|kind| is_wanted(kind, only)) {
            actions.push(CodeActionOrCommand::CodeAction(CodeAction {
                title: offer.title.clone(),
                kind: Some(kind.clone()),
                diagnostics: offer.mends.clone().map(|mended| vec![mended]),
                edit: Some(edit.clone()),
                is_preferred: offer.mends.is_some().then_some(true),
                ..CodeAction::default()
            }));
        }
    }
    actions
}

/// Whether a kind is another one, or a part of that: `source.fixAll.ompmemopt` of `source`.
fn is_below(kind: &CodeActionKind, other: &CodeActionKind) -> bool {
    let rest = kind.as_str().strip_prefix(other.as_str());
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.') || other.as_str().is_empty())
}

/// The fixes of what is found where the cursor is.
fn of_findings(context: &ActionContext<'_>) -> Vec<TitledEdits> {
    let Some((all, file)) = context.checked.and_then(|all| Some((all, all.of(context.path)?))) else {
        return Vec::new();
    };
    let text = PlacedText::new(&file.old, context.diagnostics.encoding);
    let touches = |finding: &&Finding| {
        let found_at = range_of(finding, &text);
        found_at.start <= context.range.end && context.range.start <= found_at.end
    };
    let offer = |finding: &Finding| {
        let fix = finding.fix.as_ref()?;
        Some(TitledEdits {
            title: fix.message.clone(),
            kinds: vec![CodeActionKind::QUICKFIX],
            mends: Some(context.diagnostics.of_finding(finding, &text)),
            files: of_fix(fix, all, context)?,
        })
    };
    { file.report.findings.iter() }
        .filter(touches)
        .filter_map(offer)
        .collect()
}

/// The edits of a fix; `None` where it changes a file that nobody has read.
fn of_fix(fix: &Fix, all: &ProgramAnalysis, context: &ActionContext<'_>) -> Option<Vec<FileEdits>> {
    let edits: Option<Vec<(PathBuf, TextEdit)>> = fix
        .edits
        .iter()
        .map(|edit| {
            let file = { all.files.iter() }.find(|file| file.report.path == edit.path)?;
            let text = PlacedText::new(&file.old, context.diagnostics.encoding);
            let place = |line, column| ToolPlace { line, column };
            let range = text.range(place(edit.line, edit.column), place(edit.end_line, edit.end_column));
            let new_text = edit.text.clone();
            Some((file.path.clone(), TextEdit { range, new_text }))
        })
        .collect();
    Some(edits::by_file(edits?))
}

/// All that `rewrite` writes in a file, and in those that can be changed only together with it.
fn of_file(context: &ActionContext<'_>) -> Option<TitledEdits> {
    let all = context.rewritten?;
    let own = all.of(context.path)?;
    own.new.as_ref()?;
    let with_it = |file: &&AnalysedFile| file.path == own.path || (own.bound && file.bound);
    let files = changed(all.files.iter().filter(with_it), context.diagnostics.encoding);
    let others = match files.len() {
        0 | 1 => String::new(),
        2 => " and the one that it rests on".to_owned(),
        n => format!(" and the {} that it rests on", n - 1),
    };
    Some(TitledEdits {
        title: format!("Apply all of ompmemopt's data movement in this file{others}"),
        kinds: vec![FIX_ALL, CodeActionKind::REFACTOR_REWRITE],
        mends: None,
        files,
    })
}

/// All that `rewrite` writes in a program.
fn of_program(context: &ActionContext<'_>) -> Option<TitledEdits> {
    let all = context.rewritten?;
    all.of(context.path)?;
    let files = changed(all.files.iter(), context.diagnostics.encoding);
    (files.len() > 1).then(|| TitledEdits {
        title: format!(
            "Apply all of ompmemopt's data movement in the program ({} files)",
            files.len()
        ),
        kinds: vec![CodeActionKind::REFACTOR_REWRITE],
        mends: None,
        files,
    })
}

/// The changes of those files that `rewrite` changes.
fn changed<'f>(files: impl Iterator<Item = &'f AnalysedFile>, encoding: Encoding) -> Vec<FileEdits> {
    let changed = files.filter_map(|file| {
        let new = file.new.as_ref()?;
        Some(FileEdits {
            path: file.path.clone(),
            edits: edits::between(&file.old, new, encoding),
        })
    });
    changed.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_parts_of_others() {
        assert!(is_below(&FIX_ALL, &CodeActionKind::SOURCE));
        assert!(is_below(&FIX_ALL, &CodeActionKind::SOURCE_FIX_ALL));
        assert!(is_below(&FIX_ALL, &FIX_ALL));
        assert!(is_below(&FIX_ALL, &CodeActionKind::EMPTY));
        assert!(!is_below(&FIX_ALL, &CodeActionKind::new("source.fix")));
        assert!(!is_below(&CodeActionKind::QUICKFIX, &FIX_ALL));
    }
}
