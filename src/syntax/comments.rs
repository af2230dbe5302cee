//! The comments of a text, and what they stand before.

use super::lex::{self, Token, TokenKind};
use crate::source::Span;

/// Words before a parenthesis that are no names of functions.
const NO_FUNCTIONS: [&str; 16] = [
    "if",
    "for",
    "while",
    "switch",
    "return",
    "sizeof",
    "_Alignof",
    "_Alignas",
    "alignas",
    "alignof",
    "typeof",
    "__typeof__",
    "__attribute__",
    "__attribute",
    "__declspec",
    "_Pragma",
];

/// A comment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Comment {
    /// All of it.
    pub span: Span,
    /// What stands between its signs.
    pub inside: Span,
    /// There is nothing else on its lines.
    pub alone: bool,
}

/// What a comment begins with that tells this tool something.
pub(super) const MARK: &str = "ompmemopt:";

impl Comment {
    /// What the comment tells this tool, up to its end; `None` where it is none of its business.
    pub fn told(&self, text: &[u8]) -> Option<String> {
        let inside = String::from_utf8_lossy(&text[self.inside.start..self.inside.end]);
        inside.trim_start().strip_prefix(MARK).map(str::to_owned)
    }
}

/// All comments, in text order. Never fails: one that is not closed ends with the text.
pub fn comments(text: &[u8]) -> Vec<Comment> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        if let Some(end) = lex::comment(text, at) {
            let body = end.min(text.len());
            let closed = text[at + 1] == b'*' && text[..body].ends_with(b"*/") && body >= at + 4;
            let inside = Span::new((at + 2).min(body), if closed { body - 2 } else { body });
            let before = text[..at].iter().rev().take_while(|b| **b != b'\n');
            let after = text[body..].iter().take_while(|b| **b != b'\n');
            let alone = before.chain(after).all(u8::is_ascii_whitespace);
            found.push(Comment {
                span: Span::new(at, body),
                inside,
                alone,
            });
            at = body;
        } else {
            at = match text[at] {
                b'"' | b'\'' => lex::literal(text, at),
                byte if lex::starts_word(byte) || byte.is_ascii_digit() => lex::word(text, at),
                _ => at + 1,
            };
        }
    }
    found
}

/// The first function that is declared, defined or called after `from`, before the end of the statement or block, or the
/// end of the text. Lines of the preprocessor do not count.
pub fn function_after(text: &[u8], from: usize) -> Option<String> {
    let mut last: Option<Token> = None;
    let mut at = from;
    while let Some(token) = lex::tokens(text, Span::new(at, text.len())).next() {
        at = token.span.end;
        match token.kind {
            TokenKind::Punct(b';' | b'}') => return None,
            TokenKind::Punct(b'#') => {
                while at < text.len() && text[at] != b'\n' {
                    at += lex::splice(text, at).unwrap_or(1);
                }
            }
            TokenKind::Punct(b'(') => {
                let name = last.map(|word| String::from_utf8_lossy(word.bytes(text)).into_owned());
                if let Some(name) = name.filter(|name| !NO_FUNCTIONS.contains(&name.as_str())) {
                    return Some(name);
                }
            }
            _ => {}
        }
        last = (token.kind == TokenKind::Word).then_some(token);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_with_their_insides() {
        let text = b"int a; // b\n  /* c\n d */  \nchar *e = \"/* f */\"; /* g */ /**/\nx = 1'000; '\\''; /*";
        let found: Vec<(&[u8], bool)> = comments(text)
            .iter()
            .map(|c| (&text[c.inside.start..c.inside.end], c.alone))
            .collect();
        let expected: [(&[u8], bool); 5] = [
            (b" b", false),
            (b" c\n d ", true),
            (b" g ", false),
            (b"", false),
            (b"", false),
        ];
        assert_eq!(found, expected);
    }
    #[test]
    fn the_function_that_follows() {
        for (text, expected) in [
            ("extern void /* g(x); */\n log(int);", Some("log")),
            ("\n#pragma omp declare target(a)\nvoid step(int *a) {}", Some("step")),
            ("if (norm(u) > 1) {}", Some("norm")),
            ("int a; f();", None),
            ("__attribute__((pure)) double norm(int);", Some("norm")),
            ("int a", None),
        ] {
            assert_eq!(function_after(text.as_bytes(), 0).as_deref(), expected, "{text}");
        }
    }
}
