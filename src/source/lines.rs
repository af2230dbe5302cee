//! Where the lines of a file begin and end.
//!
//! A line ends with `\n`; a `\r` directly before it belongs to the terminator, and a `\r` elsewhere is an ordinary byte,
//! as it is for `git` and `patch`. Lines and columns are counted from one and columns count bytes, as clang counts them.

use super::Span;

/// How the lines of a file end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LineEnding {
    /// Every terminator is `\n`, or there is none.
    Lf,
    /// Every terminator is `\r\n`.
    CrLf,
    /// Terminators of both kinds occur; the payload is the one that is met more often, `\n` on a tie.
    Mixed(Terminator),
}

/// One line terminator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Terminator {
    /// `\n`
    Lf,
    /// `\r\n`
    CrLf,
}

impl LineEnding {
    /// The terminator that a new line of this file should have.
    pub fn as_str(self) -> &'static str {
        match self {
            LineEnding::Lf | LineEnding::Mixed(Terminator::Lf) => "\n",
            LineEnding::CrLf | LineEnding::Mixed(Terminator::CrLf) => "\r\n",
        }
    }
}

/// A place in a file as people count: both numbers start at one, and the column counts bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    /// Line.
    pub line: u32,
    /// Column, in bytes.
    pub column: u32,
}

impl std::fmt::Display for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Translates byte offsets to lines and back, for one text.
#[derive(Clone, Debug)]
pub struct LineIndex {
    /// Offset of the first byte of every line; a text that ends in `\n` has an empty last line.
    starts: Vec<usize>,
    /// Offset of one past the last byte of every line without its terminator.
    content_ends: Vec<usize>,
    len: usize,
    ending: LineEnding,
}

impl LineIndex {
    /// Finds the lines of `text`.
    pub fn new(text: &[u8]) -> LineIndex {
        let (mut starts, mut content_ends) = (vec![0], Vec::new());
        let (mut lf, mut crlf) = (0usize, 0usize);
        for (at, _) in text.iter().enumerate().filter(|(_, byte)| **byte == b'\n') {
            let has_cr = at > *starts.last().unwrap_or(&0) && text[at - 1] == b'\r';
            if has_cr {
                crlf += 1
            } else {
                lf += 1
            }
            content_ends.push(if has_cr { at - 1 } else { at });
            starts.push(at + 1);
        }
        content_ends.push(text.len());
        let ending = match (lf, crlf) {
            (_, 0) => LineEnding::Lf,
            (0, _) => LineEnding::CrLf,
            _ if crlf > lf => LineEnding::Mixed(Terminator::CrLf),
            _ => LineEnding::Mixed(Terminator::Lf),
        };
        LineIndex {
            starts,
            content_ends,
            len: text.len(),
            ending,
        }
    }

    /// Number of lines, the empty one after a final newline included; at least one.
    pub fn count(&self) -> u32 {
        saturate(self.starts.len())
    }

    /// How lines end in this text.
    pub fn ending(&self) -> LineEnding {
        self.ending
    }

    /// The line and column of a byte offset; offsets past the end give the end of the text.
    pub fn position(&self, offset: usize) -> Position {
        let offset = offset.min(self.len);
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        Position {
            line: saturate(line + 1),
            column: saturate(offset - self.starts[line] + 1),
        }
    }

    /// The byte offset of a 1-based line and column, if the text has that place. The column may be one past the last
    /// byte of the line and its terminator only on the last line.
    pub fn offset(&self, position: Position) -> Option<usize> {
        let line = self.full_span(position.line)?;
        let offset = line.start + (position.column as usize).checked_sub(1)?;
        let inside = line.contains(offset) || (offset == self.len && line.end == self.len);
        inside.then_some(offset)
    }

    /// The bytes of a 1-based line without its terminator.
    pub fn content_span(&self, line: u32) -> Option<Span> {
        let index = (line as usize).checked_sub(1)?;
        Some(Span::new(*self.starts.get(index)?, self.content_ends[index]))
    }

    /// A 1-based line without its terminator, of the text given to [`LineIndex::new`]; empty where there is no such line.
    pub fn content(&self, text: &[u8], line: u32) -> String {
        let span = self.content_span(line).unwrap_or_default();
        String::from_utf8_lossy(text.get(span.start..span.end).unwrap_or_default()).into_owned()
    }

    /// The bytes of a 1-based line with its terminator.
    pub fn full_span(&self, line: u32) -> Option<Span> {
        let index = (line as usize).checked_sub(1)?;
        let start = *self.starts.get(index)?;
        Some(Span::new(
            start,
            self.starts.get(index + 1).copied().unwrap_or(self.len),
        ))
    }

    /// Offset of the first byte of the line that contains `offset`.
    pub fn line_start(&self, offset: usize) -> usize {
        let offset = offset.min(self.len);
        self.starts[self.starts.partition_point(|start| *start <= offset) - 1]
    }

    /// The spaces and tabs at the start of the line that contains `offset`; `text` is the text given to
    /// [`LineIndex::new`].
    pub fn indentation<'t>(&self, text: &'t [u8], offset: usize) -> &'t str {
        let start = self.line_start(offset).min(text.len());
        let blanks = text[start..]
            .iter()
            .take_while(|byte| matches!(byte, b' ' | b'\t'))
            .count();
        std::str::from_utf8(&text[start..start + blanks]).unwrap_or_default()
    }
}

/// Line and column numbers are 32 bits wide; a file that needs more has long been refused by every compiler.
fn saturate(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn positions_of_a_small_text() {
        let index = LineIndex::new(b"ab\n\ncd");
        assert_eq!(index.count(), 3);
        assert_eq!(index.position(0), Position { line: 1, column: 1 });
        assert_eq!(index.position(2), Position { line: 1, column: 3 });
        assert_eq!(index.position(3), Position { line: 2, column: 1 });
        assert_eq!(index.position(6), Position { line: 3, column: 3 });
        assert_eq!(index.position(99), Position { line: 3, column: 3 });
        assert_eq!(index.offset(Position { line: 3, column: 2 }), Some(5));
        assert_eq!(index.offset(Position { line: 3, column: 3 }), Some(6));
        assert_eq!(index.offset(Position { line: 3, column: 4 }), None);
        assert_eq!(index.offset(Position { line: 0, column: 1 }), None);
        assert_eq!(index.offset(Position { line: 1, column: 0 }), None);
        assert_eq!(index.offset(Position { line: 4, column: 1 }), None);
    }

    #[test]
    fn spans_with_and_without_terminator() {
        let index = LineIndex::new(b"a\r\nbc\n\r\r\nd");
        assert_eq!(index.content_span(1), Some(Span::new(0, 1)));
        assert_eq!(index.full_span(1), Some(Span::new(0, 3)));
        assert_eq!(index.content_span(2), Some(Span::new(3, 5)));
        assert_eq!(
            index.content_span(3),
            Some(Span::new(6, 7)),
            "only the last CR belongs to the terminator"
        );
        assert_eq!(index.full_span(4), Some(Span::new(9, 10)));
        assert_eq!(index.full_span(5), None);
    }

    #[test]
    fn endings() {
        assert_eq!(LineIndex::new(b"").ending(), LineEnding::Lf);
        assert_eq!(LineIndex::new(b"a\rb").ending(), LineEnding::Lf);
        assert_eq!(LineIndex::new(b"a\nb\n").ending(), LineEnding::Lf);
        assert_eq!(LineIndex::new(b"a\r\nb\r\n").ending(), LineEnding::CrLf);
        assert_eq!(LineIndex::new(b"a\r\nb\n").ending().as_str(), "\n");
        assert_eq!(
            LineIndex::new(b"a\r\nb\nc\r\n").ending(),
            LineEnding::Mixed(Terminator::CrLf)
        );
    }

    #[test]
    fn indentation_of_a_line() {
        let text = b"int x;\n \t y;\n";
        let index = LineIndex::new(text);
        assert_eq!(index.indentation(text, 3), "");
        assert_eq!(index.indentation(text, 10), " \t ");
        assert_eq!(index.indentation(text, text.len()), "");
    }

    proptest! {
        #[test]
        fn offset_is_the_inverse_of_position(text in "[ab\r\n]{0,40}") {
            let index = LineIndex::new(text.as_bytes());
            for offset in 0..=text.len() {
                prop_assert_eq!(index.offset(index.position(offset)), Some(offset));
            }
        }

        #[test]
        fn lines_tile_the_text(text in "[ab\r\n]{0,40}") {
            let index = LineIndex::new(text.as_bytes());
            let joined: String = (1..=index.count())
                .map(|line| index.full_span(line).unwrap())
                .map(|span| &text[span.start..span.end])
                .collect();
            prop_assert_eq!(joined, text);
        }
    }
}
