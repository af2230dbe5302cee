//! Text scanning for pragmas: masking, brackets, separators.
//!
//! All parsing happens on a *masked* copy of the text that was given: the sentinel (`#pragma`, or `_Pragma("` and `")`),
//! comments and line continuations are replaced by as many blanks, so that offsets stay true to the original and the
//! parser meets nothing but directive text.

use crate::source::Span;

/// A copy of a pragma's text, of the same length, in which everything that is no directive text is blank.
pub(super) fn mask(raw: &str) -> String {
    let bytes = raw.as_bytes();
    let mut out = bytes.to_vec();
    let mut at = mask_sentinel(raw, &mut out);
    while at < out.len() {
        let next = match bytes[at] {
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                let end = raw[at + 2..].find("*/").map_or(out.len(), |found| at + 2 + found + 2);
                blank(&mut out, at, end)
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                let end = line_comment_end(bytes, at);
                blank(&mut out, at, end)
            }
            b'\\' => match continuation_end(bytes, at) {
                Some(end) => blank(&mut out, at, end),
                None => at + 1,
            },
            b'\n' | b'\r' => blank(&mut out, at, at + 1),
            b'"' | b'\'' if out[at] == bytes[at] => literal_end(&out, at, out.len()),
            _ => at + 1,
        };
        at = next;
    }
    // Only whole comments and ASCII bytes were blanked, so the copy is UTF-8 as the original was.
    String::from_utf8(out).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// Blanks `#pragma` or `_Pragma("` … `")` and returns where the directive's text may begin.
fn mask_sentinel(raw: &str, out: &mut [u8]) -> usize {
    let start = skip_blank(raw, 0);
    let rest = &raw[start..];
    if rest.starts_with('#') {
        let word = skip_blank(raw, start + 1);
        if raw[word..].starts_with("pragma") {
            return blank(out, start, word + "pragma".len());
        }
    } else if rest.starts_with("_Pragma")
        && let (Some(open), Some(close)) = (raw.find('"'), raw.rfind('"'))
        && open < close
    {
        blank(out, start, open + 1);
        blank(out, close, raw.len());
        // Destringising: \" stands for ", and \\ for \.
        let mut at = open + 1;
        while at + 1 < close {
            let escapes = out[at] == b'\\' && matches!(out[at + 1], b'"' | b'\\');
            if escapes {
                out[at] = b' ';
            }
            at += if escapes { 2 } else { 1 };
        }
        return open + 1;
    }
    start
}

fn blank(out: &mut [u8], from: usize, to: usize) -> usize {
    out[from..to].fill(b' ');
    to
}

/// One past the newline of a continuation whose backslash is at `at`; blanks after the backslash are allowed, as compilers
/// allow them.
pub(super) fn continuation_end(bytes: &[u8], at: usize) -> Option<usize> {
    let blanks = bytes[at + 1..]
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
        .count();
    (bytes.get(at + 1 + blanks) == Some(&b'\n')).then_some(at + 2 + blanks)
}

fn line_comment_end(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && bytes[at] != b'\n' {
        at = if bytes[at] == b'\\' {
            continuation_end(bytes, at).unwrap_or(at + 1)
        } else {
            at + 1
        };
    }
    at
}

/// One past the closing quote of the literal that opens at `open`, or `end` when it does not close.
fn literal_end(bytes: &[u8], open: usize, end: usize) -> usize {
    let mut at = open + 1;
    while at < end {
        match bytes[at] {
            b'\\' => at += 2,
            byte if byte == bytes[open] => return at + 1,
            _ => at += 1,
        }
    }
    end
}

/// The first offset from `at` on that is no blank.
pub(super) fn skip_blank(text: &str, at: usize) -> usize {
    at + text.as_bytes()[at..]
        .iter()
        .take_while(|byte| byte.is_ascii_whitespace())
        .count()
}

/// One past the identifier that starts at `at`, if one does. Bytes beyond ASCII count as letters.
pub(super) fn word_end(text: &str, at: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let letter = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80;
    letter(*bytes.get(at)?).then(|| {
        at + bytes[at..]
            .iter()
            .take_while(|byte| letter(**byte) || byte.is_ascii_digit())
            .count()
    })
}

/// The bracket that closes the one at `open`; `None` when brackets do not match up.
pub(super) fn closing(text: &str, open: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut expected = Vec::new();
    let mut at = open;
    while at < bytes.len() {
        match bytes[at] {
            b'(' => expected.push(b')'),
            b'[' => expected.push(b']'),
            b'{' => expected.push(b'}'),
            byte @ (b')' | b']' | b'}') => {
                if expected.pop() != Some(byte) {
                    return None;
                }
                if expected.is_empty() {
                    return Some(at);
                }
            }
            b'"' | b'\'' => {
                at = literal_end(bytes, at, bytes.len());
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// Offsets of `separator` in `span`, outside brackets and literals; a `:` that belongs to a `?` or a `::` is none.
pub(super) fn separators(text: &str, span: Span, separator: u8) -> Vec<usize> {
    let bytes = text.as_bytes();
    let (mut found, mut depth, mut conditionals) = (Vec::new(), 0usize, 0usize);
    let mut at = span.start;
    while at < span.end {
        match bytes[at] {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b'"' | b'\'' => {
                at = literal_end(bytes, at, span.end);
                continue;
            }
            b'?' if depth == 0 => conditionals += 1,
            b':' if depth == 0 && separator == b':' && bytes.get(at + 1) == Some(&b':') => at += 1,
            b':' if depth == 0 && conditionals > 0 => conditionals -= 1,
            byte if depth == 0 && byte == separator => found.push(at),
            _ => {}
        }
        at += 1;
    }
    found
}

/// The parts of `span` between the separators, trimmed; one (perhaps empty) part when there is no separator.
pub(super) fn split(text: &str, span: Span, separator: u8) -> Vec<Span> {
    let mut parts = Vec::new();
    let mut start = span.start;
    for at in separators(text, span, separator) {
        parts.push(trim(text, Span::new(start, at)));
        start = at + 1;
    }
    parts.push(trim(text, Span::new(start, span.end)));
    parts
}

/// `span` without blanks at its ends; a blank span shrinks to its start.
pub(super) fn trim(text: &str, span: Span) -> Span {
    let inside = &text[span.start..span.end];
    let trimmed = inside.trim_ascii();
    let start = span.start
        + if trimmed.is_empty() {
            0
        } else {
            inside.len() - inside.trim_ascii_start().len()
        };
    Span::new(start, start + trimmed.len())
}

/// The text of a span, each run of blanks as one space, none at the ends.
pub(super) fn tidy(text: &str, span: Span) -> String {
    text[span.start..span.end]
        .split_ascii_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_sentinels_comments_and_continuations_in_place() {
        let raw = "#pragma omp /* é */ target \\\r\n  map(to: a) // map(b)";
        let masked = mask(raw);
        assert_eq!(masked.len(), raw.len());
        assert_eq!(
            masked.split_whitespace().collect::<Vec<_>>().join(" "),
            "omp target map(to: a)"
        );
        assert_eq!(masked.find("map(to"), raw.find("map(to"));
    }

    #[test]
    fn masks_the_pragma_operator() {
        let masked = mask(r#"_Pragma("omp error message(\"a // b\")")"#);
        assert_eq!(
            masked.split_whitespace().collect::<Vec<_>>().join(" "),
            r#"omp error message( "a // b ")"#
        );
    }

    #[test]
    fn separators_mind_brackets_literals_and_conditionals() {
        let whole = |text: &str| Span::new(0, text.len());
        let text = "a[0:n], f(x, y), ',', \"q,\\\",\"";
        assert_eq!(split(text, whole(text), b',').len(), 4);
        let text = "c ? x : y : z";
        assert_eq!(separators(text, whole(text), b':'), [10]);
        assert_eq!(separators("a::b:c", Span::new(0, 6), b':'), [4]);
        assert_eq!(split("", Span::new(0, 0), b','), [Span::new(0, 0)]);
    }

    #[test]
    fn closing_brackets() {
        assert_eq!(closing("(a[0] + f(')'))", 0), Some(14));
        assert_eq!(closing("(a]", 0), None);
        assert_eq!(closing("((a)", 0), None);
    }
}
