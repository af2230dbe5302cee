//! The lengths of a declared array, as they are written.

use super::lex;
use crate::source::Span;

/// What stands between the brackets behind a declared name: `["n", "m"]` for `double a[n][m]`, and whether it is a pointer
/// to such an array: `double (*a)[m]`. `None` where the declarator goes on in another way.
pub fn array_lengths(text: &[u8], name: Span) -> Option<(bool, Vec<String>)> {
    let mut tokens = lex::tokens(text, Span::new(name.end, text.len())).peekable();
    let mut pointer = false;
    while tokens.next_if(|t| t.is(b')')).is_some() {
        pointer = true;
    }
    let mut lengths = Vec::new();
    while let Some(open) = tokens.next_if(|t| t.is(b'[')) {
        let mut depth = 1;
        let close = tokens.find(|t| {
            depth += i32::from(t.is(b'[')) - i32::from(t.is(b']'));
            depth == 0
        })?;
        let inside = text.get(open.span.end..close.span.start)?;
        lengths.push(String::from_utf8_lossy(inside).trim().to_owned());
    }
    let ends = tokens
        .peek()
        .is_none_or(|t| [b',', b')', b';', b'='].iter().any(|b| t.is(*b)));
    (ends && !lengths.is_empty()).then_some((pointer, lengths))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(text: &str) -> Option<(bool, Vec<String>)> {
        let at = text.find('a').unwrap();
        array_lengths(text.as_bytes(), Span::new(at, at + 1))
    }

    #[test]
    fn what_the_brackets_hold() {
        let words = |list: &[&str]| list.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>();
        assert_eq!(
            lengths("int a[n][2 * m[0]], b;"),
            Some((false, words(&["n", "2 * m[0]"])))
        );
        assert_eq!(lengths("int (*a)[m] = p;"), Some((true, words(&["m"]))));
        assert_eq!(lengths("int *a;"), None);
        assert_eq!(lengths("int a(void);"), None);
    }
}
