//! Where the preprocessor directives of a file are, and what they say.
//!
//! A directive starts with a `#` that is first on its line (comments aside) and ends before the first newline that is
//! neither continued by a backslash nor inside a block comment. This is translation phases 2 to 4 of the C standard,
//! done on the text as it stands, so that every part keeps its place.

use super::lex;
use crate::source::Span;

/// One directive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PreprocessorDirective {
    /// From `#` to the last byte before the final newline, trailing white space excluded.
    pub span: Span,
    /// The word after `#`; empty for the null directive and line markers.
    pub name: String,
    /// What follows the name, to the end of the span.
    pub rest: Span,
}

impl PreprocessorDirective {
    /// `#if`, `#ifdef`, `#ifndef`.
    pub fn opens(&self) -> bool {
        matches!(self.name.as_str(), "if" | "ifdef" | "ifndef")
    }
    /// `#elif` and its relatives, `#else`.
    pub fn alternates(&self) -> bool {
        matches!(self.name.as_str(), "elif" | "elifdef" | "elifndef" | "else")
    }
    /// `#endif`.
    pub fn closes(&self) -> bool {
        self.name == "endif"
    }
}

/// All directives of `text`, those in inactive branches included, in order.
pub(super) fn directives(text: &[u8]) -> Vec<PreprocessorDirective> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut first_on_line = true;
    while at < text.len() {
        let byte = text[at];
        if let Some(end) = lex::comment(text, at) {
            at = end;
        } else if let Some(length) = lex::splice(text, at) {
            at += length;
        } else if byte == b'\n' {
            first_on_line = true;
            at += 1;
        } else if byte.is_ascii_whitespace() {
            at += 1;
        } else if first_on_line && (byte == b'#' || text[at..].starts_with(b"%:")) {
            let directive = read(text, at, if byte == b'#' { 1 } else { 2 });
            at = directive.span.end;
            found.push(directive);
            first_on_line = false;
        } else {
            first_on_line = false;
            at = match byte {
                b'"' | b'\'' => lex::literal(text, at),
                _ if lex::starts_word(byte) || byte.is_ascii_digit() => lex::word(text, at),
                _ => at + 1,
            };
        }
    }
    found
}

/// The directive at `start`, whose `#` takes `hash` bytes.
fn read(text: &[u8], start: usize, hash: usize) -> PreprocessorDirective {
    let mut name_start = start + hash;
    loop {
        if let Some(end) = lex::comment(text, name_start) {
            name_start = end;
        } else if let Some(length) = lex::splice(text, name_start) {
            name_start += length;
        } else if matches!(text.get(name_start), Some(b' ' | b'\t')) {
            name_start += 1;
        } else {
            break;
        }
    }
    let has_name = text.get(name_start).copied().is_some_and(lex::starts_word);
    let name_end = if has_name {
        lex::word(text, name_start)
    } else {
        name_start
    };
    let mut end = name_end;
    while end < text.len() && text[end] != b'\n' {
        end = match text[end] {
            b'"' | b'\'' => lex::literal(text, end),
            b'/' => lex::comment(text, end).unwrap_or(end + 1),
            b'\\' => end + lex::splice(text, end).unwrap_or(1),
            byte if lex::starts_word(byte) || byte.is_ascii_digit() => lex::word(text, end),
            _ => end + 1,
        };
    }
    // A continuation by blanks alone continues nothing.
    while end > name_end && (text[end - 1].is_ascii_whitespace() || lex::splice(text, end - 1).is_some()) {
        end -= 1;
    }
    PreprocessorDirective {
        span: Span::new(start, end),
        name: String::from_utf8_lossy(&text[name_start..name_end]).into_owned(),
        rest: Span::new(name_end, end),
    }
}

/// The logical text of part of a directive: continuations joined, comments replaced by a space, ends trimmed.
pub(super) fn logical_text(text: &[u8], span: Span) -> String {
    let text = &text[..span.end];
    let mut joined = Vec::with_capacity(span.len());
    let mut at = span.start;
    while at < span.end {
        if let Some(length) = lex::splice(text, at) {
            at += length;
        } else if let Some(end) = lex::comment(text, at) {
            joined.push(b' ');
            at = end;
        } else {
            let end = match text[at] {
                b'"' | b'\'' => lex::literal(text, at).min(span.end),
                _ => at + 1,
            };
            joined.extend_from_slice(&text[at..end]);
            at = end;
        }
    }
    String::from_utf8_lossy(&joined).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(text: &str) -> Vec<(String, String)> {
        let all = directives(text.as_bytes());
        all.iter()
            .map(|d| (d.name.clone(), logical_text(text.as_bytes(), d.rest)))
            .collect()
    }

    #[test]
    fn only_the_first_hash_of_a_line_counts() {
        let text = "x # if\n/* # if\n*/ # /* y */ define A 1 // c\n\"\\\n#if\"\n%: endif";
        assert_eq!(
            seen(text),
            [("define".into(), "A 1".into()), ("endif".into(), String::new())]
        );
    }

    #[test]
    fn continuations_and_comments_join() {
        let text = "#pragma omp target /* a\n b */ \\\r\n  map(to: a) // c \\\n d\nx;";
        assert_eq!(seen(text), [("pragma".into(), "omp target     map(to: a)".into())]);
        assert_eq!(directives(text.as_bytes())[0].span.end, text.find("\nx;").unwrap());
    }

    #[test]
    fn crlf_is_not_part_of_a_directive() {
        let text = b"#pragma a\r\n#else\r\n";
        assert_eq!(directives(text)[0].span, Span::new(0, 9));
        assert_eq!(directives(text)[1].span, Span::new(11, 16));
    }
}
