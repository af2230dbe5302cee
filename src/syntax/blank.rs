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
use super::pragma_operator::{RawPragma, operator};
use crate::source::Span;

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
