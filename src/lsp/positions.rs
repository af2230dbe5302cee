//! Places as editors count them, in texts as this tool counts them.
//!
//! ```text
//! /* Größe 😀 */ use(a);     `use` begins at byte 20; in UTF-16 at character 15, in UTF-8 at character 20 of line 0
//! ```
//!
//! A line ends with `\n`, `\r\n` or `\r`, says the protocol (for the rest of the tool a lone `\r` ends none). Places that a text has not
//! are taken for the nearest that it has: the end of the line, or of the text.

use crate::source::LineIndex;
use lsp_types::{Position, Range};

/// In what characters of a line are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// What every editor knows.
    Utf16,
}

impl Encoding {
    /// How long a part of a line is.
    pub fn units(self, text: &str) -> u32 {
        let units = match self {
            Encoding::Utf8 => text.len(),
            Encoding::Utf16 => text.encode_utf16().count(),
        };
        u32::try_from(units).unwrap_or(u32::MAX)
    }

    /// The bytes of a line in front of so many units; all of them where it has fewer.
    fn bytes(self, line: &str, units: u32) -> usize {
        let mut counted = 0;
        for (at, c) in line.char_indices() {
            let length = match self {
                Encoding::Utf8 => c.len_utf8(),
                Encoding::Utf16 => c.len_utf16(),
            };
            counted += length as u64;
            // A place within a character is that in front of it.
            if counted > u64::from(units) {
                return at;
            }
        }
        line.len()
    }
}

/// The lines of a text, as the protocol has them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextLines {
    starts: Vec<usize>,
}

impl TextLines {
    /// The lines of a text.
    pub fn new(text: &str) -> TextLines {
        let bytes = text.as_bytes();
        let ends = |at: &usize| match bytes[*at] {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        let starts = (0..bytes.len()).filter(ends).map(|at| at + 1);
        TextLines {
            starts: std::iter::once(0).chain(starts).collect(),
        }
    }

    /// The byte of a place; `text` is what the lines were made of.
    pub fn offset(&self, text: &str, place: Position, encoding: Encoding) -> usize {
        let Some(start) = self.starts.get(place.line as usize) else {
            return text.len();
        };
        let end = self.starts.get(place.line as usize + 1).copied();
        let line = text.get(*start..end.unwrap_or(text.len())).unwrap_or_default();
        let line = line.trim_end_matches(['\n', '\r']);
        start + encoding.bytes(line, place.character)
    }

    /// The place of a byte; `text` is what the lines were made of.
    pub fn place(&self, text: &str, offset: usize, encoding: Encoding) -> Position {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        let before = text.get(self.starts[line]..offset).unwrap_or_default();
        Position {
            line: u32::try_from(line).unwrap_or(u32::MAX),
            character: encoding.units(before),
        }
    }
}

/// A text in which places are said in the terms of editors and of the tool.
#[derive(Debug)]
pub struct PlacedText<'t> {
    text: &'t str,
    lines: TextLines,
    tool: LineIndex,
    encoding: Encoding,
}

/// A place as the tool says it: line and column from 1, the column in bytes.
pub type ToolPlace = crate::source::Position;

impl<'t> PlacedText<'t> {
    /// A text.
    pub fn new(text: &'t str, encoding: Encoding) -> PlacedText<'t> {
        PlacedText {
            text,
            lines: TextLines::new(text),
            tool: LineIndex::new(text.as_bytes()),
            encoding,
        }
    }

    /// What an editor calls a place; the nearest, where the text has none there.
    pub fn for_editor(&self, place: ToolPlace) -> Position {
        let end_of_line = || { self.tool.content_span(place.line) }.map(|line| line.end);
        let offset = self.tool.offset(place).or_else(end_of_line).unwrap_or(self.text.len());
        self.lines.place(self.text, offset, self.encoding)
    }

    /// From one place to another.
    pub fn range(&self, from: ToolPlace, to: ToolPlace) -> Range {
        let start = self.for_editor(from);
        Range::new(start, self.for_editor(to).max(start))
    }

    /// From one place to another, and not past the end of the line that it begins in.
    pub fn range_in_line(&self, from: ToolPlace, to: ToolPlace) -> Range {
        let in_line = match self.tool.content_span(from.line) {
            Some(line) if to.line > from.line => self.tool.position(line.end),
            _ => to,
        };
        self.range(from, in_line)
    }

    /// The range of a part of the text, by its bytes.
    pub fn range_of(&self, start: usize, end: usize) -> Range {
        let place = |offset| self.lines.place(self.text, offset, self.encoding);
        Range::new(place(start), place(end))
    }

    /// What the tool calls a place.
    pub fn for_tool(&self, place: Position) -> ToolPlace {
        self.tool.position(self.lines.offset(self.text, place, self.encoding))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TEXT: &str = "int a;\r\n/* Größe 😀 */ use(a);\rx\n";

    #[test]
    fn characters_are_counted_in_two_ways() {
        let lines = TextLines::new(TEXT);
        let at = TEXT.find("use").unwrap();
        assert_eq!(lines.place(TEXT, at, Encoding::Utf16), Position::new(1, 15));
        assert_eq!(lines.place(TEXT, at, Encoding::Utf8), Position::new(1, 19));
        assert_eq!(lines.offset(TEXT, Position::new(1, 15), Encoding::Utf16), at);
        assert_eq!(
            lines.offset(TEXT, Position::new(2, 0), Encoding::Utf16),
            TEXT.find('x').unwrap()
        );
    }

    #[test]
    fn places_that_are_not_there_are_the_nearest_that_are() {
        let lines = TextLines::new(TEXT);
        let offset = |line, character| lines.offset(TEXT, Position::new(line, character), Encoding::Utf16);
        assert_eq!(offset(0, 99), 6);
        assert_eq!(offset(99, 0), TEXT.len());
        // Within the pair of units that the smiling face is.
        assert_eq!(offset(1, 10), TEXT.find('😀').unwrap());
    }

    #[test]
    fn places_of_the_tool_are_those_of_editors() {
        let placed = PlacedText::new(TEXT, Encoding::Utf16);
        let place = ToolPlace { line: 2, column: 20 };
        assert_eq!(placed.for_editor(place), Position::new(1, 15));
        assert_eq!(placed.for_tool(Position::new(1, 15)), place);
        // For the tool the lone `\r` ends no line.
        assert_eq!(
            placed.for_editor(ToolPlace { line: 2, column: 28 }),
            Position::new(2, 0)
        );
        let range = placed.range_in_line(ToolPlace { line: 1, column: 5 }, place);
        assert_eq!((range.start, range.end), (Position::new(0, 4), Position::new(0, 6)));
    }

    proptest! {
        #[test]
        fn every_byte_has_a_place(text in "[aé😀\r\n]{0,30}") {
            let lines = TextLines::new(&text);
            for (at, _) in text.char_indices() {
                // Between the two characters that end a line no place lies.
                if text[..at].ends_with('\r') && text[at..].starts_with('\n') {
                    continue;
                }
                for encoding in [Encoding::Utf8, Encoding::Utf16] {
                    prop_assert_eq!(lines.offset(&text, lines.place(&text, at, encoding), encoding), at);
                }
            }
        }
    }
}
