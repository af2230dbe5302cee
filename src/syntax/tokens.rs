//! The tokens in a piece of text, and the identifiers among them.

use super::lex::{self, TokenKind};
use crate::source::Span;

/// The identifiers (keywords included) within `span`, in text order, with their places in `text`. Comments and literals
/// are skipped; encoding prefixes such as the `L` of `L"x"` are not identifiers. `span` may reach beyond the text.
pub fn identifiers(text: &[u8], span: Span) -> Vec<(String, Span)> {
    let mut found: Vec<(String, Span)> = Vec::new();
    for token in lex::tokens(text, span) {
        match token.kind {
            TokenKind::Word => {
                found.push((String::from_utf8_lossy(token.bytes(text)).into_owned(), token.span));
            }
            TokenKind::String | TokenKind::Char => {
                found
                    .pop_if(|(name, at)| at.end == token.span.start && matches!(name.as_str(), "L" | "u" | "U" | "u8"));
            }
            _ => {}
        }
    }
    found
}

/// The places of all tokens within `span`, in text order; what is no token is a comment or blank.
pub fn token_spans(text: &[u8], span: Span) -> Vec<Span> {
    lex::tokens(text, span).map(|token| token.span).collect()
}

/// Whether two pieces of a text have the same tokens.
pub fn same_tokens(text: &[u8], one: Span, other: Span) -> bool {
    let bytes = |span| lex::tokens(text, span).map(|token| token.bytes(text));
    bytes(one).eq(bytes(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layout_and_comments_make_no_other_tokens() {
        let text = b"a+b; a /* c */ + b ; a+ +b;";
        let (one, same, other) = (Span::new(0, 4), Span::new(5, 20), Span::new(21, 27));
        assert!(same_tokens(text, one, same));
        assert!(!same_tokens(text, one, other));
        assert_eq!(
            token_spans(text, Span::new(5, 17)),
            [Span::new(5, 6), Span::new(15, 16)]
        );
    }

    #[test]
    fn only_identifiers_are_found() {
        let text = b"skip a[i] + L\"b\" /* c */ + s->n * 0x1f // d\n + 'e'";
        let found = identifiers(text, Span::new(5, 1000));
        let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a", "i", "s", "n"]);
        assert_eq!(found[1].1, Span::new(7, 8));
    }
}
