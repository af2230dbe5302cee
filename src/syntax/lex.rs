//! A minimal C lexer: enough to skip comments and literals and to see identifiers, brackets and punctuation.
//!
//! The lexer never fails. An unterminated literal ends at the end of its line and an unterminated comment at the end of
//! the text, as in clang. Backslash-newline (also with CRLF, also with blanks between, as compilers accept it) is white
//! space between tokens.

use crate::source::Span;

/// What a [`Token`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TokenKind {
    /// Identifier or keyword.
    Word,
    /// A preprocessing number.
    Number,
    /// A string literal, without its encoding prefix.
    String,
    /// A character constant, without its encoding prefix.
    Char,
    /// `&&`, which may take the address of a label.
    AndAnd,
    /// `...`
    Ellipsis,
    /// Any other single byte.
    Punct(u8),
}

/// A token with its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

impl Token {
    /// The token's bytes.
    pub fn bytes(self, text: &[u8]) -> &[u8] {
        &text[self.span.start..self.span.end]
    }
    /// Whether it is this punctuation byte.
    pub fn is(self, byte: u8) -> bool {
        self.kind == TokenKind::Punct(byte)
    }
}

/// The length of a backslash-newline at `at`, if there is one.
pub(super) fn splice(text: &[u8], at: usize) -> Option<usize> {
    if text.get(at) != Some(&b'\\') {
        return None;
    }
    let mut end = at + 1;
    while matches!(text.get(end), Some(b' ' | b'\t' | b'\r')) {
        end += 1;
    }
    (text.get(end) == Some(&b'\n')).then(|| end + 1 - at)
}

/// The end of the comment that starts at `at`, if one does. A line comment ends before its newline, and goes on after
/// a backslash-newline.
pub(super) fn comment(text: &[u8], at: usize) -> Option<usize> {
    if text.get(at) != Some(&b'/') {
        return None;
    }
    let mut end = at + 2;
    match text.get(at + 1)? {
        b'*' => {
            while end < text.len() {
                if text[end..].starts_with(b"*/") {
                    return Some(end + 2);
                }
                end += 1;
            }
        }
        b'/' => {
            while end < text.len() && text[end] != b'\n' {
                end += splice(text, end).unwrap_or(1);
            }
        }
        _ => return None,
    }
    Some(end.min(text.len()))
}

/// The end of the string or character literal whose opening quote is at `at`.
pub(super) fn literal(text: &[u8], at: usize) -> usize {
    let quote = text[at];
    let mut end = at + 1;
    while end < text.len() {
        match text[end] {
            b'\n' => return end,
            b'\\' => end += splice(text, end).unwrap_or(if text.get(end + 1) == Some(&b'\n') { 1 } else { 2 }),
            byte => {
                end += 1;
                if byte == quote {
                    return end;
                }
            }
        }
    }
    text.len()
}

/// Whether `byte` can start an identifier (bytes of UTF-8 sequences included).
pub(super) fn starts_word(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// The end of the identifier or number whose first byte is at `at`.
pub(super) fn word(text: &[u8], at: usize) -> usize {
    let number = text[at].is_ascii_digit() || text[at] == b'.';
    let mut end = at + 1;
    while end < text.len() {
        let byte = text[end];
        let separator = number && byte == b'\'' && text.get(end + 1).is_some_and(u8::is_ascii_hexdigit);
        let exponent = number && matches!(byte, b'+' | b'-') && matches!(text[end - 1], b'e' | b'E' | b'p' | b'P');
        // `0x1e+2` would lex as one number; C says so too.
        if !(starts_word(byte) || byte.is_ascii_digit() || number && byte == b'.' || separator || exponent) {
            break;
        }
        end += 1;
    }
    end
}

/// The tokens of `text` within `span`, in order.
pub(super) fn tokens(text: &[u8], span: Span) -> impl Iterator<Item = Token> + '_ {
    let text = &text[..span.end.min(text.len())];
    let mut at = span.start;
    std::iter::from_fn(move || {
        while at < text.len() {
            let start = at;
            let byte = text[at];
            if let Some(end) = comment(text, at) {
                at = end;
                continue;
            }
            if let Some(length) = splice(text, at) {
                at += length;
                continue;
            }
            if byte.is_ascii_whitespace() || byte == 0x0b {
                at += 1;
                continue;
            }
            let fraction = byte == b'.' && text.get(at + 1).is_some_and(u8::is_ascii_digit);
            let kind = match byte {
                b'"' => TokenKind::String,
                b'\'' => TokenKind::Char,
                b'&' if text.get(at + 1) == Some(&b'&') => TokenKind::AndAnd,
                b'.' if text[at..].starts_with(b"...") => TokenKind::Ellipsis,
                _ if byte.is_ascii_digit() || fraction => TokenKind::Number,
                _ if starts_word(byte) => TokenKind::Word,
                _ => TokenKind::Punct(byte),
            };
            at = match kind {
                TokenKind::String | TokenKind::Char => literal(text, at),
                TokenKind::Word | TokenKind::Number => word(text, at),
                TokenKind::AndAnd => at + 2,
                TokenKind::Ellipsis => at + 3,
                TokenKind::Punct(_) => at + 1,
            };
            at = at.min(text.len());
            return Some(Token {
                kind,
                span: Span::new(start, at),
            });
        }
        None
    })
}

/// For each token, the index of the bracket that it pairs with; `None` for other tokens and unpaired brackets.
///
/// A closing bracket pairs with the innermost open bracket of its own kind, so a stray `)` does not undo the braces
/// around it; brackets opened in between stay unpaired.
pub(super) fn brackets(tokens: &[Token]) -> Vec<Option<usize>> {
    let mut mate = vec![None; tokens.len()];
    let mut open: Vec<(u8, usize)> = Vec::new();
    // How many `(` and `[` are open within each open brace: a stray closing bracket then costs no search.
    let mut levels = vec![[0usize; 2]];
    for (index, token) in tokens.iter().enumerate() {
        let TokenKind::Punct(byte) = token.kind else { continue };
        let opener = match byte {
            b'(' | b'[' | b'{' => {
                open.push((byte, index));
                match byte {
                    b'{' => levels.push([0; 2]),
                    _ => *count(&mut levels, byte) += 1,
                }
                continue;
            }
            b')' => b'(',
            b']' => b'[',
            b'}' => b'{',
            _ => continue,
        };
        if opener == b'{' && levels.len() > 1 {
            levels.pop();
        } else if opener == b'{' || *count(&mut levels, opener) == 0 {
            continue;
        }
        while let Some((byte, at)) = open.pop() {
            if opener != b'{' {
                *count(&mut levels, byte) -= 1;
            }
            if byte == opener {
                mate[at] = Some(index);
                mate[index] = Some(at);
                break;
            }
        }
    }
    mate
}

/// The counter for `(` or `[` in the innermost brace.
fn count(levels: &mut [[usize; 2]], opener: u8) -> &mut usize {
    let innermost = levels.len() - 1;
    &mut levels[innermost][usize::from(opener == b'[')]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        tokens(text.as_bytes(), Span::new(0, text.len()))
            .map(|t| &text[t.span.start..t.span.end])
            .collect()
    }

    #[test]
    fn comments_literals_and_splices_are_one_step() {
        assert_eq!(
            words("a/*b*/ c // d \\\n e\n\"f\\\"g\" '\\'' h\\\r\n i"),
            ["a", "c", "\"f\\\"g\"", "'\\''", "h", "i"]
        );
    }

    #[test]
    fn numbers_keep_signs_dots_and_separators() {
        assert_eq!(
            words("1.5e-3+x .5 1'000 a...b&&c"),
            ["1.5e-3", "+", "x", ".5", "1'000", "a", "...", "b", "&&", "c"]
        );
    }

    #[test]
    fn unterminated_literals_end_at_the_line() {
        assert_eq!(words("don't\nx"), ["don", "'t", "x"]);
        assert_eq!(words("\"a\\"), ["\"a\\"]);
        assert_eq!(words("a /* b"), ["a"]);
    }

    #[test]
    fn a_stray_parenthesis_leaves_the_braces_paired() {
        let text = b"{ ( { ) } [ ] }";
        let all: Vec<Token> = tokens(text, Span::new(0, text.len())).collect();
        assert_eq!(
            brackets(&all),
            [Some(7), None, Some(4), None, Some(2), Some(6), Some(5), Some(0)]
        );
    }
}
