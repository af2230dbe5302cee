//! What the editor can be asked to change: lists of edits, each with a title.
//!
//! | for | kinds | edits |
//! |---|---|---|
//! | a finding of `check` that has a fix, under the cursor | `quickfix` | the fix, in all files that it is about |
//! | the file, where `rewrite` changes it | `source.fixAll.ompmemopt`, `refactor.rewrite` | all that `rewrite` writes in it |
//! | its program, where `rewrite` changes several files | `refactor.rewrite` | all that `rewrite` writes |
//!
//! Another source of edits is one more function that gives [`TitledEdits`], named in [`titled`].

use super::analyst::{AnalysedFile, ProgramAnalysis};
use super::diagnostics::{DiagnosticWriter, range_of};
use super::edits::{self, EditWriter, FileEdits};
use super::positions::{PlacedText, ToolPlace};
use crate::report::{Finding, Fix};
use lsp_types::{CodeAction, CodeActionKind, CodeActionOrCommand, Diagnostic, Range, TextEdit};
use std::path::{Path, PathBuf};

/// The kind of changes that editors make of a whole file, when it is saved for example.
pub const FIX_ALL: CodeActionKind = CodeActionKind::new("source.fixAll.ompmemopt");

/// Edits under one title.
#[derive(Clone, Debug)]
pub struct TitledEdits {
    pub title: String,
    pub kinds: Vec<CodeActionKind>,
    /// What is mended by them.
    pub mends: Option<Diagnostic>,
    pub files: Vec<FileEdits>,
}

/// What is known where actions are asked for.
pub struct ActionContext<'a> {
    /// The file that the cursor is in.
    pub path: &'a Path,
    /// What is marked, or where the cursor is.
    pub range: Range,
    pub checked: Option<&'a ProgramAnalysis>,
    pub rewritten: Option<&'a ProgramAnalysis>,
    pub diagnostics: DiagnosticWriter<'a>,
}

/// All that can be offered.
pub fn titled(context: &ActionContext<'_>) -> Vec<TitledEdits> {
    let mut all = of_findings(context);
    all.extend(of_file(context));
    all.extend(of_program(context));
    all
}

/// The actions that were asked for: those of some kinds, or all but those that are for a whole file and asked for by name.
pub fn wanted(
    offered: Vec<TitledEdits>,
    only: Option<&[CodeActionKind]>,
    writer: &EditWriter<'_>,
) -> Vec<CodeActionOrCommand> {
    let is_wanted = |kind: &CodeActionKind| match only {
        Some(asked) => asked.iter().any(|asked| is_below(kind, asked)),
        None => !is_below(kind, &CodeActionKind::SOURCE),
    };
    let mut actions = Vec::new();
    for offer in offered {
        let Some(edit) = writer.written(&offer.files) else {
            continue;
        };
        for kind in offer.kinds.iter().filter(|kind| is_wanted(kind)) {
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
    let files = changed(all.files.iter().filter(with_it), context);
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
    let files = changed(all.files.iter(), context);
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
fn changed<'f>(files: impl Iterator<Item = &'f AnalysedFile>, context: &ActionContext<'_>) -> Vec<FileEdits> {
    let changed = files.filter_map(|file| {
        let new = file.new.as_ref()?;
        Some(FileEdits {
            path: file.path.clone(),
            edits: edits::between(&file.old, new, context.diagnostics.encoding),
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
