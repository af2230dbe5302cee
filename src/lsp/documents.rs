//! The texts that are open in the editor, saved or not.
//!
//! ```text
//! didOpen sim.c (version 1) ─► didChange 4:8-4:9 "10" (version 2) ─► the text, as the editor has it
//! ```

use super::positions::{Encoding, TextLines};
use super::uris;
use lsp_types::{TextDocumentContentChangeEvent, TextDocumentItem, Uri};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A text that is open.
#[derive(Clone, Debug)]
pub struct OpenDocument {
    /// The file, as the editor names it.
    pub uri: Uri,
    /// The file that it is the text of.
    pub path: PathBuf,
    pub version: i32,
    pub text: String,
    /// The program that it is looked at with, by [`ProgramFiles::id`](super::analyst::ProgramFiles::id).
    pub program: Option<PathBuf>,
}

impl OpenDocument {
    /// Whether the disk has another text, or none.
    pub fn is_unsaved(&self) -> bool {
        std::fs::read(&self.path).map_or(true, |saved| saved != self.text.as_bytes())
    }

    /// Changes the text.
    fn change(&mut self, change: TextDocumentContentChangeEvent, encoding: Encoding) {
        let Some(range) = change.range else {
            self.text = change.text;
            return;
        };
        let lines = TextLines::new(&self.text);
        let start = lines.offset(&self.text, range.start, encoding);
        let end = lines.offset(&self.text, range.end, encoding).max(start);
        self.text.replace_range(start..end, &change.text);
    }
}

/// The texts that are open, by their files.
#[derive(Debug, Default)]
pub struct Documents(BTreeMap<PathBuf, OpenDocument>);

impl Documents {
    /// A text was opened; `None` where it is that of no file.
    pub fn open(&mut self, item: TextDocumentItem) -> Option<&mut OpenDocument> {
        let path = uris::path_of(item.uri.as_str())?;
        let document = OpenDocument {
            uri: item.uri,
            path: path.clone(),
            version: item.version,
            text: item.text,
            program: None,
        };
        self.0.insert(path.clone(), document);
        self.0.get_mut(&path)
    }

    /// A text was changed.
    pub fn change(
        &mut self,
        uri: &Uri,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: Encoding,
    ) -> Option<&OpenDocument> {
        let document = self.0.get_mut(&uris::path_of(uri.as_str())?)?;
        for change in changes {
            document.change(change, encoding);
        }
        document.version = version;
        Some(document)
    }

    /// A text was closed.
    pub fn close(&mut self, uri: &Uri) -> Option<OpenDocument> {
        self.0.remove(&uris::path_of(uri.as_str())?)
    }

    /// The text with a name.
    pub fn named(&self, uri: &Uri) -> Option<&OpenDocument> {
        self.0.get(&uris::path_of(uri.as_str())?)
    }

    /// The text of a file.
    pub fn of(&self, path: &Path) -> Option<&OpenDocument> {
        self.0.get(path)
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &OpenDocument> {
        self.0.values()
    }

    /// All of them.
    pub fn all_mut(&mut self) -> impl Iterator<Item = &mut OpenDocument> {
        self.0.values_mut()
    }

    /// The texts that nobody has saved, by their files.
    pub fn unsaved(&self) -> BTreeMap<PathBuf, String> {
        let unsaved = self.all().filter(|document| document.is_unsaved());
        unsaved.map(|d| (d.path.clone(), d.text.clone())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lsp_types::{Position, Range};

    fn opened(text: &str) -> (Documents, Uri) {
        let uri = uris::uri_of(Path::new("/nowhere/a.c")).unwrap();
        let mut documents = Documents::default();
        let item = TextDocumentItem::new(uri.clone(), "c".to_owned(), 1, text.to_owned());
        assert!(documents.open(item).is_some());
        (documents, uri)
    }

    fn edit(range: Option<(u32, u32, u32, u32)>, text: &str) -> TextDocumentContentChangeEvent {
        TextDocumentContentChangeEvent {
            range: range.map(|(a, b, c, d)| Range::new(Position::new(a, b), Position::new(c, d))),
            range_length: None,
            text: text.to_owned(),
        }
    }

    #[test]
    fn edits_are_made_one_after_the_other() {
        let (mut documents, uri) = opened("int é;\r\nint b;");
        let edits = vec![edit(Some((0, 4, 0, 5)), "x"), edit(Some((1, 4, 1, 6)), "c = 1;\n")];
        let document = documents.change(&uri, 2, edits, Encoding::Utf16).unwrap();
        assert_eq!(
            (document.text.as_str(), document.version),
            ("int x;\r\nint c = 1;\n", 2)
        );
        let document = documents
            .change(&uri, 3, vec![edit(None, "")], Encoding::Utf16)
            .unwrap();
        assert_eq!(document.text, "");
        assert!(document.is_unsaved());
    }

    #[test]
    fn edits_of_places_that_are_not_there_change_what_is() {
        let (mut documents, uri) = opened("int a;\n");
        let edits = vec![edit(Some((7, 0, 9, 3)), "x"), edit(Some((0, 6, 0, 2)), ";")];
        let document = documents.change(&uri, 2, edits, Encoding::Utf16).unwrap();
        assert_eq!(document.text, "int a;;\nx");
        assert_eq!(documents.unsaved().len(), 1);
        assert!(documents.close(&uri).is_some());
        assert!(documents.named(&uri).is_none());
    }
}
