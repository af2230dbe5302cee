//! Valid C that tree-sitter-c does not know, replaced by something of equal length that it does.
//!
//! | source | becomes | because |
//! |---|---|---|
//! | `double _Complex z` | `double const    z` | the qualifier is unknown |
//! | `__typeof__(*p) q` | `int            q` | an expression is no type to it |
//! | `int a[4] __attribute__((aligned(8)))` | `int a[4]` | attributes are known in some places only |
//! | `va_arg(ap, unsigned int *)` | `va_arg(ap,          int  )` | a type is no argument to it |
//!
//! None of this changes which statements there are, where they start and end, or what they declare.

use super::blank::wipe;
use super::lex::{self, Token, TokenKind};
use super::words::{OPERATOR_WORDS, among};
use crate::source::Span;

/// Replaces what can be recognised without knowing the context.
pub(super) fn simplify(text: &mut [u8]) {
    let tokens: Vec<Token> = lex::tokens(text, Span::new(0, text.len())).collect();
    let mate = lex::brackets(&tokens);
    let floating = |index: usize, text: &[u8]| {
        tokens
            .get(index)
            .is_some_and(|t| among(t.bytes(text), &["float", "double", "long"]))
    };
    let mut edits: Vec<(Span, &[u8])> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        if token.kind != TokenKind::Word {
            continue;
        }
        let close = mate
            .get(index + 1)
            .copied()
            .flatten()
            .filter(|_| tokens[index + 1].is(b'('));
        let whole = close.map(|close| Span::new(token.span.start, tokens[close].span.end));
        match token.bytes(text) {
            b"_Complex" | b"_Imaginary" | b"__complex__" => edits.push((token.span, b"const")),
            b"complex" if floating(index + 1, text) || index > 0 && floating(index - 1, text) => {
                edits.push((token.span, b"const"));
            }
            b"typeof" | b"__typeof__" | b"__typeof" | b"typeof_unqual" => {
                edits.extend(whole.map(|span| (span, b"int".as_slice())));
            }
            b"__attribute__" | b"__attribute" => {
                // One that starts a declaration stays, because the declaration starts there.
                let inside = index > 0 && ![b';', b'{', b'}'].iter().any(|byte| tokens[index - 1].is(*byte));
                let alone = close.is_some_and(|close| tokens.get(close + 1).is_some_and(|t| t.is(b';')));
                edits.extend(whole.filter(|_| inside || alone).map(|span| (span, b"".as_slice())));
            }
            _ => {}
        }
    }
    for (span, word) in edits {
        wipe(text, span);
        text[span.start..span.start + word.len()].copy_from_slice(word);
    }
}

/// Cuts the types among the arguments of the call whose `(` is token `open` down to one name each.
pub(super) fn type_arguments(text: &mut [u8], tokens: &[Token], mate: &[Option<usize>], open: usize) {
    let Some(close) = mate[open] else { return };
    let mut at = open;
    while at < close {
        // `at` is the `(` or a `,`: a run of words after it is a type, unless it starts with an operator.
        let first = at + 1;
        let words = tokens[first..close]
            .iter()
            .take_while(|t| t.kind == TokenKind::Word)
            .count();
        let stars = tokens[first + words..close].iter().take_while(|t| t.is(b'*')).count();
        let end = first + words + stars;
        let is_type = words > 0 && (tokens[end].is(b',') || end == close);
        if is_type && !among(tokens[first].bytes(text), &OPERATOR_WORDS) {
            for token in tokens[first..first + words - 1]
                .iter()
                .chain(&tokens[first + words..end])
            {
                wipe(text, token.span);
            }
        }
        at = end;
        while at < close && !tokens[at].is(b',') {
            at = mate[at].filter(|mate| *mate > at).unwrap_or(at) + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn simplified(text: &str) -> String {
        let mut bytes = text.as_bytes().to_vec();
        simplify(&mut bytes);
        assert_eq!(bytes.len(), text.len());
        String::from_utf8(bytes)
            .unwrap()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn qualifiers_types_and_attributes() {
        assert_eq!(
            simplified("double complex a; _Complex float b; int complex;"),
            "double const a; const float b; int complex;"
        );
        assert_eq!(
            simplified("__typeof__(*p) q = (typeof(a[(1)])) r;"),
            "int q = (int ) r;"
        );
        assert_eq!(
            simplified("__attribute__((x)) int f(void) __attribute__((y)); __attribute__((fallthrough));"),
            "__attribute__((x)) int f(void) ; ;"
        );
    }

    #[test]
    fn types_as_arguments_become_names() {
        let mut text = b"M(unsigned long, g(a, b * c), const char **, struct s *, sizeof x, d)".to_vec();
        let tokens: Vec<Token> = lex::tokens(&text, Span::new(0, text.len())).collect();
        let mate = lex::brackets(&tokens);
        type_arguments(&mut text, &tokens, &mate, 1);
        let words: Vec<&str> = std::str::from_utf8(&text).unwrap().split_whitespace().collect();
        assert_eq!(words.join(" "), "M( long, g(a, b * c), char , s , sizeof x, d)");
    }
}
