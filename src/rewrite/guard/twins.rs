//! Loops that were written twice, once again as they were.
//!
//! ```text
//! if (a_n_disjoint) {                 │
//!     #pragma omp target …            │  #pragma omp target …
//!     for (…) a[i] = 0;            ──►│  for (…) a[i] = 0;
//! } else {                            │
//!     for (…) a[i] = 0;               │
//! }                                   │
//! ```
//!
//! That is the same program where both branches hold the same tokens, and the condition is nothing but one of the names
//! that the rewriting has brought in: then it does not matter which of them runs.

use crate::source::Span;
use crate::syntax::{plain, token_spans};

/// A text without the second of each two loops and without the `if` around them; `names` are the conditions, once for each.
/// `None` where an `if` of these is not there so often, or has other branches than two alike.
pub fn without_twins(text: &[u8], names: &[&str]) -> Option<Vec<u8>> {
    let mut out = text.to_vec();
    if names.is_empty() {
        return Some(out);
    }
    // Directives and comments are blank here, everything else is in its place.
    let bare = plain(text).text;
    let spans = token_spans(&bare, Span::new(0, bare.len()));
    let tokens: Vec<&[u8]> = spans.iter().map(|s| &bare[s.start..s.end]).collect();
    let mut left: Vec<&str> = names.to_vec();
    for at in 0..tokens.len() {
        let Some(name) = condition(&tokens[at..]) else { continue };
        let Some(found) = left.iter().position(|n| n.as_bytes() == name) else {
            continue;
        };
        left.swap_remove(found);
        let begin = at + 5;
        let middle = begin + block(&tokens[begin..])?;
        let end = middle + 3 + block(tokens.get(middle + 3..)?)?;
        let other = tokens.get(middle..middle + 3)?;
        if !matches!(other, [b"}", b"else", b"{"]) || tokens[begin..middle] != tokens[middle + 3..end] {
            return None;
        }
        for span in spans[at..begin].iter().chain(&spans[middle..=end]) {
            out[span.start..span.end].fill(b' ');
        }
        // Comments of the second loop go with it, and keep their lines.
        for byte in &mut out[spans[middle].start..spans[end].end] {
            *byte = if *byte == b'\n' { b'\n' } else { b' ' };
        }
    }
    left.is_empty().then_some(out)
}

/// The name in `if (NAME) {`, which is what the tokens begin with.
fn condition<'t>(tokens: &[&'t [u8]]) -> Option<&'t [u8]> {
    match tokens {
        [b"if", b"(", name, b")", b"{", ..] => Some(name),
        _ => None,
    }
}

/// How many tokens there are before the brace that closes the block whose tokens these are.
fn block(tokens: &[&[u8]]) -> Option<usize> {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate() {
        match *token {
            b"{" => depth += 1,
            b"}" if depth == 0 => return Some(at),
            b"}" => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squeezed(text: &str, names: &[&str]) -> Option<String> {
        let text = without_twins(text.as_bytes(), names)?;
        let text = String::from_utf8(text).unwrap();
        Some(text.split_ascii_whitespace().collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn one_of_two_equal_loops_is_left() {
        let text =
            "if (c) {\n#pragma omp target\n  for (;;) { x(); } // a\n} else {\n  for (;;) { x(); /* b */ }\n}\ny();\n";
        let left = "#pragma omp target for (;;) { x(); } // a y();";
        assert_eq!(squeezed(text, &["c"]).as_deref(), Some(left));
        assert_eq!(squeezed(text, &["d"]), None, "the `if` is not there");
        assert_eq!(squeezed(text, &["c", "c"]), None, "it is there once only");
        assert_eq!(squeezed(&text.replace("x(); /", "z(); /"), &["c"]), None);
        assert_eq!(squeezed(&text.replace("(c)", "(!c)"), &["c"]), None);
        assert_eq!(squeezed(&text.replace("else", ""), &["c"]), None);
    }
}
