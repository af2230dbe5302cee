//! What an editor is offered: edits that are known, and those that are planned when somebody picks them.

use super::analyst::ProgramAnalysis;
use super::diagnostics::DiagnosticWriter;
use super::edits::FileEdits;
use lsp_types::{CodeAction, CodeActionKind, Diagnostic, Range};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Edits under one title.
#[derive(Clone, Debug)]
pub struct TitledEdits {
    pub title: String,
    pub kinds: Vec<CodeActionKind>,
    /// What is mended by them.
    pub mends: Option<Diagnostic>,
    pub files: Vec<FileEdits>,
}

/// What can be changed, and is planned when somebody picks it.
#[derive(Clone, Debug)]
pub struct LaterEdits {
    pub title: String,
    pub offered: OfferedDecision,
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

/// What an action without edits carries to be known again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OfferedDecision {
    /// The file that the cursor was in.
    pub file: PathBuf,
    /// The decision, as users name it.
    pub decision: String,
}

impl OfferedDecision {
    /// What an action was offered for.
    ///
    /// # Errors
    /// Somebody else has offered the action.
    pub fn of(action: &CodeAction) -> Result<OfferedDecision, String> {
        let data = action.data.clone().unwrap_or_default();
        serde_json::from_value(data).map_err(|_| "no such action was offered".to_owned())
    }
}
