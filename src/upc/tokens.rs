//! The tokens of a text of UPC, and how far brackets and statements go.

use crate::source::Span;
use crate::syntax::token_spans;

/// The tokens of a text.
pub(super) struct UpcTokens<'t> {
    text: &'t [u8],
    spans: Vec<Span>,
    /// By token: the end of the preprocessor's line that it is in.
    directives: Vec<Option<usize>>,
}

impl<'t> UpcTokens<'t> {
    pub fn of(text: &'t [u8]) -> UpcTokens<'t> {
        let spans = token_spans(text, Span::new(0, text.len()));
        let mut directives = Vec::with_capacity(spans.len());
        let mut current: Option<usize> = None;
        for span in &spans {
            current = current.filter(|end| span.start < *end);
            if current.is_none() && text[span.start] == b'#' && begins_line(text, span.start) {
                current = Some(line_end(text, span.start));
            }
            directives.push(current);
        }
        UpcTokens {
            text,
            spans,
            directives,
        }
    }

    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// A token; nothing behind the last one.
    pub fn get(&self, at: usize) -> &'t [u8] {
        self.spans.get(at).map_or(b"", |span| &self.text[span.start..span.end])
    }

    pub fn span(&self, at: usize) -> Span {
        self.spans[at]
    }

    /// The end of the preprocessor's line that a token is in.
    pub fn directive(&self, at: usize) -> Option<usize> {
        self.directives.get(at).copied().flatten()
    }

    pub fn is(&self, at: usize, token: &str) -> bool {
        self.get(at) == token.as_bytes()
    }

    /// Whether a token is a name or a keyword.
    pub fn is_word(&self, at: usize) -> bool {
        let first = self.get(at).first();
        first.is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
    }

    /// The bracket that closes one, or the last token.
    pub fn closing(&self, open: usize) -> usize {
        let mut depth = 0_usize;
        for at in open..self.len() {
            match self.get(at) {
                b"(" | b"[" | b"{" => depth += 1,
                b")" | b"]" | b"}" => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return at;
                    }
                }
                _ => {}
            }
        }
        self.len().saturating_sub(1)
    }

    /// The first token at or behind one, brackets skipped, that is one of these.
    pub fn next_of(&self, from: usize, wanted: &[&str]) -> Option<usize> {
        let mut at = from;
        while at < self.len() {
            if wanted.iter().any(|token| self.is(at, token)) {
                return Some(at);
            }
            match self.get(at) {
                b"(" | b"[" | b"{" => at = self.closing(at) + 1,
                b")" | b"]" | b"}" => return None,
                _ => at += 1,
            }
        }
        None
    }

    /// The last token of the statement that begins at a token.
    pub fn statement_end(&self, from: usize) -> usize {
        let mut at = from;
        loop {
            match self.get(at) {
                b"{" => return self.closing(at),
                b"if" => {
                    let then = self.statement_end(self.closing(at + 1) + 1);
                    if !self.is(then + 1, "else") {
                        return then;
                    }
                    at = then + 2;
                }
                b"for" | b"while" | b"switch" | b"upc_forall" => at = self.closing(at + 1) + 1,
                b"" => return self.len().saturating_sub(1),
                _ => return self.next_of(at, &[";"]).unwrap_or(self.len().saturating_sub(1)),
            }
        }
    }
}

/// Whether only blanks stand in front of a place in its line.
fn begins_line(text: &[u8], at: usize) -> bool {
    let before = text[..at].iter().rev().take_while(|byte| **byte != b'\n');
    before.into_iter().all(u8::is_ascii_whitespace)
}

/// The end of the line that a place is in, with those that it goes on in.
fn line_end(text: &[u8], from: usize) -> usize {
    let mut at = from;
    while at < text.len() {
        let goes_on = text[..at].trim_ascii_end().ends_with(b"\\") && text[at] == b'\n';
        if text[at] == b'\n' && !goes_on {
            return at;
        }
        at += 1;
    }
    text.len()
}
