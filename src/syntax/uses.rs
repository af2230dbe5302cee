//! A name at the start of a statement: what it is when it is a macro.
//!
//! Decided in this order: the definition, if the file has one ([`super::macros`]); a `;` right after it, which makes any
//! call an ordinary statement; and else what follows. `NAME(x)` before a `}`, a keyword or a line that starts with a
//! name cannot be the start of a longer expression, so it is a whole statement or, worse, the header of one. Nothing
//! in the text tells these two apart, and that is said as a problem.

use super::blank::wipe;
use super::lex::TokenKind;
use super::macros::PragmaPart;
use super::opaque::{OpaqueStatement, Scanner};
use super::pragma_operator::RawPragma;
use super::words::{STATEMENT_WORDS, among};
use crate::source::Span;

impl Scanner {
    /// Handles a name that starts a statement and is no keyword: perhaps a macro.
    pub(super) fn name(&mut self, at: usize) -> (usize, bool) {
        let name = String::from_utf8_lossy(self.bytes(at)).into_owned();
        let call = if self.is(at + 1, b'(') { self.mate[at + 1] } else { None };
        let shape = self.out.shapes.get(&name).cloned();
        // A function-like macro without arguments is not a use of it, and `(` may belong to an object-like one.
        let shape = shape.filter(|shape| !shape.function_like || call.is_some());
        let last = match (&shape, call) {
            (Some(shape), _) if !shape.function_like => at,
            (_, Some(close)) => close,
            (_, None) => at,
        };
        let next = last + 1;
        let span = Span::new(self.tokens[at].span.start, self.tokens[last].span.end);
        let ends = self.is(next, b';');

        if let Some(shape) = &shape {
            if let Some(parts) = &shape.parts {
                self.pragmas(parts, at, last);
                return (next, true);
            }
            if shape.empty && !ends {
                wipe(&mut self.out.text, span);
                return (next, true);
            }
            if shape.pragma {
                self.problem(span, format!("the macro `{name}` hides a pragma"));
            }
            if shape.jump {
                self.problem(span, format!("the macro `{name}` hides a jump"));
            }
            if shape.open {
                self.problem(span, format!("the macro `{name}` hides control flow"));
            }
            if shape.open && self.is(next, b'{') {
                return self.wrap(at, next, name);
            }
            if shape.statement || shape.empty {
                let end = next + usize::from(ends);
                self.opaque(at, end, Some(name));
                return (end, true);
            }
        }
        if ends || !self.is_lone(last, shape.is_some()) {
            return (at + 1, false);
        }
        if self.is(next, b'{') {
            self.problem(
                span,
                format!("`{name}` before a block is a macro that hides control flow"),
            );
            return self.wrap(at, next, name);
        }
        if shape.is_none() && !self.is(next, b'}') && self.bytes(next) != b"else" {
            let message = format!("`{name}` without a `;` may be a macro that hides a loop or a branch");
            self.problem(span, message);
        }
        self.opaque(at, next, Some(name));
        (next, true)
    }

    /// Whether what ends at token `last` cannot be the start of a longer expression or declaration.
    fn is_lone(&self, last: usize, known_expression: bool) -> bool {
        let next = last + 1;
        let Some(&token) = self.tokens.get(next) else {
            return true;
        };
        let new_line = self.out.text[self.tokens[last].span.end..token.span.start].contains(&b'\n');
        let call = self.is(last, b')');
        match token.kind {
            TokenKind::Punct(b'{' | b'}') => true,
            TokenKind::Word if among(token.bytes(&self.out.text), &STATEMENT_WORDS) => true,
            // `TYPE(T) x;` on one line, `T x;` anywhere.
            TokenKind::Word => call && new_line && !known_expression,
            _ => false,
        }
    }

    /// Records the macro from token `at` together with the block that token `open` starts.
    fn wrap(&mut self, at: usize, open: usize, name: String) -> (usize, bool) {
        let header = Span::new(self.tokens[at].span.start, self.tokens[open - 1].span.end);
        match self.mate[open] {
            Some(close) => {
                let span = Span::new(header.start, self.tokens[close].span.end);
                wipe(&mut self.out.text, header);
                self.out.opaque.push(OpaqueStatement {
                    span,
                    macro_name: Some(name),
                    wraps: true,
                });
            }
            None => self.opaque(at, open, Some(name)),
        }
        (open, true)
    }

    /// Turns the macro in tokens `at..=last` into the pragmas it expands to.
    fn pragmas(&mut self, parts: &[PragmaPart], at: usize, last: usize) {
        let span = Span::new(self.tokens[at].span.start, self.tokens[last].span.end);
        let argument = if last > at + 1 {
            let inside = Span::new(self.tokens[at + 1].span.end, self.tokens[last].span.start);
            let words = String::from_utf8_lossy(&self.out.text[inside.start..inside.end]).into_owned();
            words.split_whitespace().collect::<Vec<_>>().join(" ")
        } else {
            String::new()
        };
        for part in parts {
            let text = match part {
                PragmaPart::Text(text) => text.clone(),
                PragmaPart::Argument(_) => argument.clone(),
            };
            self.out.pragmas.push(RawPragma {
                span,
                text,
                operator: true,
            });
        }
        wipe(&mut self.out.text, span);
    }
}
