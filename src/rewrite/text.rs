//! Questions about a text's lines and trivia (blanks, comments, preprocessor lines), asked by byte offset.

use crate::source::LineIndex;

/// A text with its lines.
#[derive(Debug)]
pub struct Text<'a> {
    /// The bytes.
    pub bytes: &'a [u8],
    /// The text's lines.
    pub lines: LineIndex,
}

/// What follows a token on its line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rest {
    /// Blanks and whole comments only; the next line starts here.
    NextLine(usize),
    /// Something else: more code, or a comment that goes on over several lines, starts here.
    Code(usize),
}

impl<'a> Text<'a> {
    /// Indexes the lines of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Text<'a> {
        Text {
            bytes,
            lines: LineIndex::new(bytes),
        }
    }
    /// The first byte of the line that holds `offset`.
    pub fn line_start(&self, offset: usize) -> usize {
        self.lines.line_start(offset)
    }
    /// The first byte of the next line, or the end of the text.
    pub fn next_line(&self, offset: usize) -> usize {
        let rest = self.bytes[offset..].iter().position(|b| *b == b'\n');
        rest.map_or(self.bytes.len(), |at| offset + at + 1)
    }
    /// Number of the line that holds `offset`, from 1.
    pub fn line(&self, offset: usize) -> u32 {
        self.lines.position(offset).line
    }
    /// Whether only blanks stand before `offset` on its line.
    pub fn is_first(&self, offset: usize) -> bool {
        self.blanks_before(offset) == self.line_start(offset)
    }
    /// Where the run of blanks that ends at `offset` begins, on the same line.
    pub fn blanks_before(&self, offset: usize) -> usize {
        let start = self.line_start(offset);
        let kept = self.bytes[start..offset].iter().rposition(|b| !is_blank(*b));
        kept.map_or(start, |at| start + at + 1)
    }
    /// The blanks at the start of the line that holds `offset`.
    pub fn indentation(&self, offset: usize) -> &'a str {
        self.lines.indentation(self.bytes, offset)
    }
    /// Whether the line that starts at `start` continues the one before it, which then ends in a backslash.
    pub fn is_continued(&self, start: usize) -> bool {
        let before = &self.bytes[..start];
        let before = before.strip_suffix(b"\n").unwrap_or(before);
        let before = before.strip_suffix(b"\r").unwrap_or(before);
        start > 0 && before.ends_with(b"\\")
    }
    /// What follows a token that ends at `offset`, on the same line. A multi-line comment counts as code.
    pub fn rest_of_line(&self, mut offset: usize) -> Rest {
        let first = |at: usize| self.bytes[at..].first().copied();
        loop {
            while first(offset).is_some_and(|b| is_blank(b) || b == b'\r') {
                offset += 1;
            }
            match self.bytes[offset..] {
                [] | [b'\n', ..] => return Rest::NextLine((offset + 1).min(self.bytes.len())),
                [b'/', b'/', ..] => return Rest::NextLine(self.next_line(offset)),
                [b'/', b'*', ..] => {
                    let end = self.comment_end(offset);
                    if self.bytes[offset..end].contains(&b'\n') {
                        return Rest::Code(offset);
                    }
                    offset = end;
                }
                _ => return Rest::Code(offset),
            }
        }
    }
    /// Where the last token between `from`, a token's start, and `to` ends; `from` when there is none.
    pub fn last_token_end(&self, from: usize, to: usize) -> usize {
        let (mut at, mut last) = (from, from);
        loop {
            at = self.skip_trivia(at, to);
            if at >= to {
                return last;
            }
            at = self.skip_atom(at).min(to);
            last = at;
        }
    }
    /// The first token at or after `at` and before `to`, or `to`.
    pub fn skip_trivia(&self, mut at: usize, to: usize) -> usize {
        while at < to {
            at = match self.bytes[at..to] {
                [b'\\', b'\n', ..] => at + 2,
                [b'\\', b'\r', b'\n', ..] => at + 3,
                [b, ..] if b.is_ascii_whitespace() || b == 0x0b => at + 1,
                [b'/', b'/', ..] => self.logical_line_end(at),
                [b'/', b'*', ..] => self.comment_end(at),
                [b'#', ..] if self.is_first(at) => self.logical_line_end(at),
                _ => return at,
            };
        }
        to
    }
    /// Past a literal, a word, or one byte of anything else.
    fn skip_atom(&self, at: usize) -> usize {
        let quote = self.bytes[at];
        let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80;
        if quote == b'"' || quote == b'\'' {
            let mut end = at + 1;
            while end < self.bytes.len() && self.bytes[end] != quote && self.bytes[end] != b'\n' {
                end += if self.bytes[end] == b'\\' { 2 } else { 1 };
            }
            return (end + 1).min(self.bytes.len());
        }
        let run = self.bytes[at..].iter().take_while(|b| word(**b)).count();
        at + run.max(1)
    }
    fn comment_end(&self, at: usize) -> usize {
        let body = (at + 2).min(self.bytes.len());
        let close = self.bytes[body..].windows(2).position(|w| w == b"*/");
        close.map_or(self.bytes.len(), |found| body + found + 2)
    }
    /// The end of the line at `at`, backslash continuations included.
    fn logical_line_end(&self, at: usize) -> usize {
        let mut end = self.next_line(at);
        while end < self.bytes.len() && self.is_continued(end) {
            end = self.next_line(end);
        }
        end
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0x0c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_a_token() {
        let text = Text::new(b"x(); /* a */ // b\ny(); /* a */ z();\nw(); /* a\n */ v();\n");
        assert_eq!(text.rest_of_line(4), Rest::NextLine(18));
        assert_eq!(text.rest_of_line(22), Rest::Code(31));
        assert_eq!(text.rest_of_line(40), Rest::Code(41));
    }

    #[test]
    fn the_last_token_ignores_comments_directives_and_quotes() {
        let source = b"for (;;) // )\n# pragma x )\n  y = \"/*\";";
        let text = Text::new(source);
        let body = source.iter().position(|b| *b == b'y').unwrap_or(0);
        assert_eq!(text.last_token_end(0, body), 8);
        assert_eq!(text.last_token_end(body, source.len()), source.len());
    }

    #[test]
    fn continued_lines_are_seen_with_either_ending() {
        let text = Text::new(b"a \\\r\nb \\\nc\nd");
        assert!(text.is_continued(5) && text.is_continued(9));
        assert!(!text.is_continued(11) && !text.is_continued(0));
    }
}
