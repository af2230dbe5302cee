//! Which `#if` branches are active, asked of the real preprocessor.
//!
//! ```text
//! #if N > 3                 #if N > 3
//! a();                      #pragma ompmemopt_marker 0
//! #else             ──►     a();                           ──clang -E──►   #pragma ompmemopt_marker 1
//! b();                      #else                                          b();
//! #endif                    #pragma ompmemopt_marker 1
//!                           b();
//!                           #endif
//! ```
//!
//! A pragma that nobody knows survives preprocessing if and only if it stands in an active branch. So a copy of the
//! file gets one after each `#if`, `#elif` and `#else`, and those missing from the output name the inactive branches:
//! exact for any condition, without evaluating one. A marker after `#endif` would say nothing new.
//!
//! Limits: a conditional inside the arguments of a macro call is undefined behaviour in C, and its markers may be lost.

use super::directives::{PreprocessorDirective, directives};
use super::lex;
use crate::source::Span;
use std::collections::BTreeSet;

/// The word after `#pragma` that makes a marker.
const MARKER: &str = "ompmemopt_marker";

/// A branch of a preprocessor conditional.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The number its marker carries.
    pub id: u32,
    /// From the line after the one that opens the branch to the start of the line of the directive that ends it (the
    /// end of the text if none does).
    pub span: Span,
}

/// A copy of `text` with a numbered marker pragma at the start of each branch, and the branches in text order.
pub fn marked_text(text: &[u8]) -> (Vec<u8>, Vec<Branch>) {
    marked_text_from(text, 0)
}

/// As [`marked_text`], with numbers from `first` on: several texts that are read together can be told apart.
pub fn marked_text_from(text: &[u8], first: u32) -> (Vec<u8>, Vec<Branch>) {
    let newline: &[u8] = if text.windows(2).any(|pair| pair == b"\r\n") {
        b"\r\n"
    } else {
        b"\n"
    };
    let mut out = Vec::with_capacity(text.len() + 64);
    let mut copied = 0;
    let mut branches: Vec<Branch> = Vec::new();
    // Indices into `branches` of those not yet ended, outermost first.
    let mut open: Vec<usize> = Vec::new();
    for directive in directives(text) {
        let ends = directive.alternates() || directive.closes();
        if let Some(index) = open.pop_if(|_| ends) {
            let start = branches[index].span.start;
            branches[index].span.end = line_start(text, &directive).max(start);
        }
        if directive.opens() || directive.alternates() {
            let after = next_line(text, directive.span.end);
            out.extend_from_slice(&text[copied..after]);
            copied = after;
            if out.last() != Some(&b'\n') {
                out.extend_from_slice(newline);
            }
            let id = first + branches.len() as u32;
            out.extend_from_slice(format!("#pragma {MARKER} {id}").as_bytes());
            out.extend_from_slice(newline);
            open.push(branches.len());
            branches.push(Branch {
                id,
                span: Span::new(after, text.len()),
            });
        }
    }
    out.extend_from_slice(&text[copied..]);
    (out, branches)
}

/// The ranges of `branches` whose markers are not among the `surviving`: disjoint, sorted, nested ones merged away.
pub fn inactive_spans(branches: &[Branch], surviving: &BTreeSet<u32>) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for branch in branches.iter().filter(|branch| !surviving.contains(&branch.id)) {
        let nested = spans.last().is_some_and(|outer| outer.encloses(branch.span));
        if !nested && !branch.span.is_empty() {
            spans.push(branch.span);
        }
    }
    spans
}

/// The start of the line that a directive stands on.
fn line_start(text: &[u8], directive: &PreprocessorDirective) -> usize {
    text[..directive.span.start]
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |newline| newline + 1)
}

/// The first byte after the newline that ends the directive before `at`.
fn next_line(text: &[u8], mut at: usize) -> usize {
    while at < text.len() && text[at] != b'\n' {
        at += lex::splice(text, at).unwrap_or(1);
    }
    (at + 1).min(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn survivors(ids: &[u32]) -> BTreeSet<u32> {
        ids.iter().copied().collect()
    }

    const NESTED: &str = "#if A\na\n#ifdef B\nb\n#endif\n#elif C \\\n && D\nc\n#else\nd\n#endif\ne\n";

    #[test]
    fn each_branch_gets_a_marker_at_its_start() {
        let (text, branches) = marked_text(NESTED.as_bytes());
        insta::assert_snapshot!(String::from_utf8(text).unwrap(), @r"
        #if A
        #pragma ompmemopt_marker 0
        a
        #ifdef B
        #pragma ompmemopt_marker 1
        b
        #endif
        #elif C \
         && D
        #pragma ompmemopt_marker 2
        c
        #else
        #pragma ompmemopt_marker 3
        d
        #endif
        e
        ");
        let bodies: Vec<&str> = branches.iter().map(|b| &NESTED[b.span.start..b.span.end]).collect();
        assert_eq!(bodies, ["a\n#ifdef B\nb\n#endif\n", "b\n", "c\n", "d\n"]);
    }

    #[test]
    fn missing_markers_name_inactive_branches() {
        let (_, branches) = marked_text(NESTED.as_bytes());
        let dead = inactive_spans(&branches, &survivors(&[2]));
        let texts: Vec<&str> = dead.iter().map(|s| &NESTED[s.start..s.end]).collect();
        assert_eq!(texts, ["a\n#ifdef B\nb\n#endif\n", "d\n"]);
        assert_eq!(inactive_spans(&branches, &survivors(&[0, 1, 2, 3])), []);
    }

    #[test]
    fn a_conditional_on_the_last_line_is_closed_by_the_end() {
        let (text, branches) = marked_text(b"x\r\n#if 1");
        assert_eq!(text, b"x\r\n#if 1\r\n#pragma ompmemopt_marker 0\r\n");
        assert_eq!(branches[0].span, Span::new(8, 8));
    }
}
