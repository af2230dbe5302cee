//! The files of the program, for who says where something is, or what is to be changed there.

use crate::openmp::Directive;
use crate::plan::FileText;
use crate::rules::{FixEdit, RelatedPlace};
use crate::source::{LineIndex, Span};

/// A file, with its lines.
pub struct FileWithLines<'a> {
    pub text: &'a [u8],
    pub lines: LineIndex,
    file: &'a FileText<'a>,
}

/// The files, by their places in the program.
pub struct FileLines<'a>(Vec<FileWithLines<'a>>);

impl<'a> FileLines<'a> {
    /// The files, with their lines.
    pub fn new(files: &'a [FileText<'a>]) -> FileLines<'a> {
        let with_lines = |file: &'a FileText<'a>| FileWithLines {
            text: file.text,
            lines: LineIndex::new(file.text),
            file,
        };
        FileLines(files.iter().map(with_lines).collect())
    }

    /// A file of the program.
    pub fn of(&self, unit: usize) -> &FileWithLines<'a> {
        &self.0[unit]
    }
}

impl FileWithLines<'_> {
    /// A place that something has to do with.
    pub fn related(&self, span: Span, message: &str) -> RelatedPlace {
        let start = self.lines.position(span.start);
        RelatedPlace {
            path: self.file.path.to_owned(),
            start,
            end: self.lines.position(span.end),
            line: self.lines.content(self.text, start.line),
            message: message.to_owned(),
            way: None,
        }
    }

    /// The directive that a place is in.
    pub fn directive_at(&self, place: usize) -> Option<Span> {
        let spans = self.file.tree.pragmas.iter().map(|pragma| pragma.span);
        { spans }.find(|span| (span.start..span.end).contains(&place))
    }

    /// Where a construct ends whose directive stands somewhere, with the statement that it is about.
    pub fn construct_end(&self, directive: Span) -> usize {
        let tree = self.file.tree;
        let pragma = tree.pragmas.iter().find(|pragma| pragma.span == directive);
        let statement = pragma.and_then(|pragma| {
            let is_alone = Directive::parse(&pragma.text).is_some_and(|d| d.is_standalone());
            pragma.before.filter(|_| !is_alone)
        });
        statement.map_or(directive.end, |statement| tree.stmt(statement).span.end)
    }

    /// A change of the text.
    pub fn edit(&self, span: Span, text: String) -> FixEdit {
        FixEdit {
            path: self.file.path.to_owned(),
            span,
            start: self.lines.position(span.start),
            end: self.lines.position(span.end),
            text,
        }
    }
}
