//! The identifiers in a piece of text.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_identifiers_are_found() {
        let text = b"skip a[i] + L\"b\" /* c */ + s->n * 0x1f // d\n + 'e'";
        let found = identifiers(text, Span::new(5, 1000));
        let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a", "i", "s", "n"]);
        assert_eq!(found[1].1, Span::new(7, 8));
    }
}
