//! Changes of files as an editor makes them.
//!
//! ```text
//! sim.c: lines 4 to 6 by others ─┐   documentChanges: sim.c (version 3, as it is open), grid.c (no version: it is not open)
//! grid.c: a line in front of 9  ─┴►  changes:         the same without versions, for editors that know no other way
//! ```

use super::documents::Documents;
use super::positions::{Encoding, PlacedText};
use super::uris;
use crate::source::{ChangedLines, changed_lines};
use lsp_types::{
    DocumentChanges, OneOf, OptionalVersionedTextDocumentIdentifier, TextDocumentEdit, TextEdit, WorkspaceEdit,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Changes of one file.
#[derive(Clone, Debug)]
pub struct FileEdits {
    pub path: PathBuf,
    pub edits: Vec<TextEdit>,
}

/// The changes that make one text of another.
pub fn between(old: &str, new: &str, encoding: Encoding) -> Vec<TextEdit> {
    let text = PlacedText::new(old, encoding);
    let changes = changed_lines(old.as_bytes(), new.as_bytes());
    let edit = |change: &ChangedLines<'_>| TextEdit {
        range: text.range_of(change.old.start, change.old.end),
        new_text: String::from_utf8_lossy(change.new).into_owned(),
    };
    changes.iter().map(edit).collect()
}

/// The files that are open, and what the editor knows.
pub struct EditWriter<'a> {
    pub documents: &'a Documents,
    /// The editor takes changes with versions of texts.
    pub with_versions: bool,
}

impl EditWriter<'_> {
    /// All changes as one; `None` where a file has no name for the editor.
    pub fn written(&self, files: &[FileEdits]) -> Option<WorkspaceEdit> {
        let named: Option<Vec<TextDocumentEdit>> = files.iter().map(|file| self.of_file(file)).collect();
        let edits = named?;
        if self.with_versions {
            return Some(WorkspaceEdit {
                document_changes: Some(DocumentChanges::Edits(edits)),
                ..WorkspaceEdit::default()
            });
        }
        let changes = edits.into_iter().map(|of_file| {
            let edits = of_file.edits.into_iter().filter_map(|edit| match edit {
                OneOf::Left(edit) => Some(edit),
                OneOf::Right(_) => None,
            });
            (of_file.text_document.uri, edits.collect())
        });
        Some(WorkspaceEdit {
            changes: Some(changes.collect()),
            ..WorkspaceEdit::default()
        })
    }

    fn of_file(&self, file: &FileEdits) -> Option<TextDocumentEdit> {
        let open = self.documents.of(&file.path);
        let uri = open.map(|d| d.uri.clone()).or_else(|| uris::uri_of(&file.path))?;
        let version = open.map(|d| d.version);
        Some(TextDocumentEdit {
            text_document: OptionalVersionedTextDocumentIdentifier { uri, version },
            edits: file.edits.iter().cloned().map(OneOf::Left).collect(),
        })
    }

    /// Whether a file holds a text: in the editor, or on the disk.
    pub fn holds(&self, path: &Path, text: &str) -> bool {
        match self.documents.of(path) {
            Some(open) => open.text == text,
            None => std::fs::read(path).is_ok_and(|bytes| bytes == text.as_bytes()),
        }
    }
}

/// Edits of several files, each file once, sorted by name, and by place within each.
pub fn by_file(edits: Vec<(PathBuf, TextEdit)>) -> Vec<FileEdits> {
    let mut files: BTreeMap<PathBuf, Vec<TextEdit>> = BTreeMap::new();
    for (path, edit) in edits {
        files.entry(path).or_default().push(edit);
    }
    let sorted = files.into_iter().map(|(path, mut edits)| {
        edits.sort_by_key(|edit| edit.range.start);
        FileEdits { path, edits }
    });
    sorted.collect()
}
