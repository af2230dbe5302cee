//! Blanking: an equal-length copy of the text without the preprocessor, for a parser that knows only C.
//!
//! ```text
//! for (int i = 0; i < n; i++)            for (int i = 0; i < n; i++)
//! #pragma omp atomic             ──►
//!   s += a[i];                             s += a[i];
//! ```
//!
//! tree-sitter-c accepts directives only where statements may stand, and a pragma between a loop header and its
//! unbraced body corrupts everything after it. So directives, `_Pragma` operators and branches that the preprocessor
//! drops are replaced by spaces before parsing. Newlines stay and no byte moves: a place in the copy is the same place
//! in the file. What was blanked and matters is recorded here and attached to statements later by its offset.

use super::directives::{directives, logical_text};
use super::lex::{self, Token, TokenKind};
use super::macros::Define;
use crate::source::Span;

/// A pragma, before it is known which statement follows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawPragma {
    /// Whole text; see [`super::Pragma::span`].
    pub span: Span,
    /// Text after `#pragma`, or the contents of the operator's string; see [`super::Pragma::text`].
    pub text: String,
    /// It is a `_Pragma` operator, or a macro that expands to one.
    pub operator: bool,
}

/// The copy and what was taken out of it.
#[derive(Clone, Debug)]
pub struct Blanked {
    /// As long as the original, with newlines in the same places.
    pub text: Vec<u8>,
    /// Pragmas in active code, in text order.
    pub pragmas: Vec<RawPragma>,
    /// Each line of a preprocessor conditional, those within inactive branches included, in text order.
    pub conditionals: Vec<Span>,
    /// Macros defined in active code, in text order.
    pub(super) defines: Vec<Define>,
}

/// Blanks the directives, the `_Pragma` operators and the `inactive` ranges of `text`.
///
/// `inactive` holds the branches that the preprocessor drops (see [`super::inactive_spans`]); ranges beyond the end of
/// the text are cut. With an empty `inactive` both branches of every conditional stay.
pub fn blank(text: &[u8], inactive: &[Span]) -> Blanked {
    let mut out = text.to_vec();
    let mut blanked = Blanked {
        text: Vec::new(),
        pragmas: Vec::new(),
        conditionals: Vec::new(),
        defines: Vec::new(),
    };
    for directive in directives(text) {
        wipe(&mut out, directive.span);
        if directive.opens() || directive.alternates() || directive.closes() {
            blanked.conditionals.push(directive.span);
        }
        if inactive.iter().any(|span| span.contains(directive.span.start)) {
            continue;
        }
        match directive.name.as_str() {
            "pragma" => blanked.pragmas.push(RawPragma {
                span: directive.span,
                text: logical_text(text, directive.rest),
                operator: false,
            }),
            "define" => blanked
                .defines
                .extend(Define::read(&logical_text(text, directive.rest))),
            _ => {}
        }
    }
    for &span in inactive {
        wipe(&mut out, span);
    }
    blanked.text = out;
    take_operators(&mut blanked);
    blanked.pragmas.sort_by_key(|pragma| pragma.span);
    blanked
}

/// Replaces everything in `span` but newlines by spaces.
pub(super) fn wipe(text: &mut [u8], span: Span) {
    let end = span.end.min(text.len());
    for byte in &mut text[span.start.min(end)..end] {
        if !matches!(*byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
}

/// Blanks and records each `_Pragma("…")`.
fn take_operators(blanked: &mut Blanked) {
    let tokens: Vec<Token> = lex::tokens(&blanked.text, Span::new(0, blanked.text.len())).collect();
    let mut found = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        if token.kind == TokenKind::Word && token.bytes(&blanked.text) == b"_Pragma" {
            found.extend(operator(&blanked.text, &tokens[index..]));
        }
    }
    for pragma in found {
        wipe(&mut blanked.text, pragma.span);
        blanked.pragmas.push(pragma);
    }
}

/// The operator that `tokens` starts with: `_Pragma ( L? "…" )`, or nothing if it is malformed.
pub(super) fn operator(text: &[u8], tokens: &[Token]) -> Option<RawPragma> {
    let [name, open, rest @ ..] = tokens else { return None };
    let prefixed = rest.first().is_some_and(|t| t.kind == TokenKind::Word);
    let [string, close, ..] = &rest[usize::from(prefixed)..] else {
        return None;
    };
    if !open.is(b'(') || string.kind != TokenKind::String || !close.is(b')') {
        return None;
    }
    Some(RawPragma {
        span: Span::new(name.span.start, close.span.end),
        text: destringize(string.bytes(text)),
        operator: true,
    })
}

/// The contents of a string literal as `_Pragma` sees them (C17 6.10.9): outer quotes gone, `\"` and `\\` undone.
fn destringize(literal: &[u8]) -> String {
    let inner = literal.strip_prefix(b"\"").unwrap_or(literal);
    let inner = inner.strip_suffix(b"\"").unwrap_or(inner);
    let mut out = Vec::with_capacity(inner.len());
    let mut at = 0;
    while at < inner.len() {
        if let Some(length) = lex::splice(inner, at) {
            at += length;
            continue;
        }
        if inner[at] == b'\\' && matches!(inner.get(at + 1), Some(b'"' | b'\\')) {
            at += 1;
        }
        out.push(inner[at]);
        at += 1;
    }
    String::from_utf8_lossy(&out).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(text: &str, inactive: &[Span]) -> String {
        let blanked = blank(text.as_bytes(), inactive);
        assert_eq!(blanked.text.len(), text.len());
        let lines: Vec<String> = String::from_utf8(blanked.text)
            .unwrap()
            .lines()
            .map(|l| l.trim_end().to_owned())
            .collect();
        lines.join("\n")
    }

    #[test]
    fn directives_vanish_and_lines_stay() {
        assert_eq!(
            show("#include <a.h>\nint x; // #if\n  #define A(b) \\\n   b\ny\n", &[]),
            "\nint x; // #if\n\n\ny"
        );
    }

    #[test]
    fn inactive_branches_vanish() {
        let text = "a\n#if X\n#pragma p\nb\n#else\nc\n#endif\n";
        let dead = Span::new(text.find("#pragma").unwrap(), text.find("#else").unwrap());
        assert_eq!(show(text, &[dead]), "a\n\n\n\n\nc\n");
        let blanked = blank(text.as_bytes(), &[dead]);
        assert_eq!(blanked.pragmas, []);
        assert_eq!(blanked.conditionals.len(), 3);
    }

    #[test]
    fn operators_are_read() {
        let blanked = blank(br#"a; _Pragma ("say \"hi\\\"") b; _Pragma(x) c;"#, &[]);
        assert_eq!(blanked.pragmas.len(), 1);
        assert_eq!(blanked.pragmas[0].text, r#"say "hi\""#);
        assert!(blanked.pragmas[0].operator);
        assert!(blanked.text.ends_with(b" b; _Pragma(x) c;"));
    }
}
