//! The `_Pragma` operator, which makes a pragma of a string.
//!
//! `_Pragma("omp target map(to: a[0:n])")` is `#pragma omp target map(to: a[0:n])`, where a directive cannot stand.

use super::lex::{self, Token, TokenKind};
use crate::source::Span;

/// A pragma, before it is known which statement follows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawPragma {
    /// Whole text; see [`super::Pragma::span`].
    pub span: Span,
    /// Text after `#pragma`, or the contents of the operator's string; see [`super::Pragma::text`].
    pub text: String,
    /// The pragma is a `_Pragma` operator, or a macro that expands to one.
    pub operator: bool,
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
