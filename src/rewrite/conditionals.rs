//! Preprocessor conditionals in the way: what may be put around or between their lines.

use super::text::Text;
use crate::source::Span;

/// The conditional lines of a file.
#[derive(Debug)]
pub struct Conditionals {
    lines: Vec<(usize, ConditionalLine)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ConditionalLine {
    Open,
    Alternate,
    Close,
}

impl Conditionals {
    /// Reads the directives at `spans`, sorted.
    pub fn new(text: &Text<'_>, spans: &[Span]) -> Conditionals {
        let kind = |span: &Span| {
            let line = &text.bytes[span.start..span.end.min(text.bytes.len())];
            let word: Vec<u8> = line
                .iter()
                .copied()
                .skip_while(|b| !b.is_ascii_alphabetic())
                .take_while(u8::is_ascii_alphabetic)
                .collect();
            match word.as_slice() {
                b"endif" => ConditionalLine::Close,
                b"else" | b"elif" | b"elifdef" | b"elifndef" => ConditionalLine::Alternate,
                _ => ConditionalLine::Open,
            }
        };
        Conditionals {
            lines: spans.iter().map(|s| (s.start, kind(s))).collect(),
        }
    }

    fn within(&self, from: usize, to: usize) -> impl Iterator<Item = ConditionalLine> + '_ {
        self.lines
            .iter()
            .filter(move |(at, _)| from <= *at && *at < to)
            .map(|(_, kind)| *kind)
    }

    /// How much deeper in conditionals `to` is than `from`.
    pub fn descent(&self, from: usize, to: usize) -> i64 {
        self.within(from, to)
            .map(|kind| match kind {
                ConditionalLine::Open => 1,
                ConditionalLine::Close => -1,
                ConditionalLine::Alternate => 0,
            })
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax;

    #[test]
    fn descent() {
        let source = b"#ifdef A\nint a;\n#  else\nint b;\n#endif\nint c;\n";
        let text = Text::new(source);
        let tree = syntax::parse(source, &[]);
        let c = Conditionals::new(&text, &tree.conditionals);
        let at = |needle: &str| String::from_utf8_lossy(source).find(needle).unwrap_or(0);
        assert_eq!(c.descent(0, at("int a")), 1);
        assert_eq!(c.descent(at("int b"), at("int c")), -1);
    }
}
