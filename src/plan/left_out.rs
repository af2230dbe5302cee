//! Branches of `#if` that this compilation leaves out (R12), and arrays that are left out of a plan.
//!
//! ```c
//! for (int t = 0; t < steps; t++) {
//!     kernel(a, n);
//! #ifdef TRACE
//!     printf("%g\n", a[0]);                /* in another build the host reads `a` here */
//! #endif
//! }
//! ```
//!
//! Nothing is known of what is left out but its words. A residency spans no branch that mentions the array by one of its names,
//! or that calls a function which is none of the C library's: it might use the array.

use super::EVERYTHING;
use super::by_hand::names_of;
use super::evaluate::{Candidate, Inputs};
use super::spans::Run;
use crate::analysis::libc;
use crate::source::Span;
use crate::syntax::identifiers;
use std::collections::BTreeSet;

/// Words before a parenthesis that call nothing.
const KEYWORDS: [&str; 8] = ["if", "for", "while", "switch", "return", "sizeof", "defined", "else"];

impl Inputs<'_> {
    /// Why a run of statements cannot be a residency: the line of a branch in it that is left out and may use the array.
    pub(super) fn in_left_out_branch(&self, candidate: &Candidate, run: Run) -> Option<String> {
        let (text, tree) = (self.file.text, self.file.tree);
        let (start, end) = (tree.stmt(run.first).span.start, tree.stmt(run.last).span.end);
        let inside: Vec<&Span> = tree
            .left_out
            .iter()
            .filter(|b| start <= b.start && b.end <= end)
            .collect();
        if inside.is_empty() {
            return None;
        }
        let names = names_of(self, candidate);
        let uses = |branch: &&Span| {
            let words = identifiers(text, **branch);
            words.iter().any(|(word, span)| {
                let behind = text[span.end..].iter().find(|b| !b.is_ascii_whitespace());
                let called = behind == Some(&b'(') && !KEYWORDS.contains(&word.as_str());
                names.contains(word) || called && libc::lookup(word).is_none()
            })
        };
        let branch = inside.into_iter().find(uses)?;
        let line = text[..branch.start].iter().filter(|b| **b == b'\n').count() + 1;
        Some(format!(
            "the branch of `#if` from line {line} on is left out here, and may use it"
        ))
    }

    /// Whether nothing is to be written about a candidate.
    pub(super) fn is_left_out(&self, candidate: &Candidate) -> bool {
        self.is_named_in(candidate, &self.file.options.left_out)
    }

    /// Whether only all of a candidate may be copied inside a residency, or parts that no numbers are said of.
    pub(super) fn is_whole_only(&self, candidate: &Candidate) -> bool {
        self.is_named_in(candidate, &self.file.options.whole_only)
    }

    fn is_named_in(&self, candidate: &Candidate, some: &BTreeSet<(String, String)>) -> bool {
        let mut here = some
            .iter()
            .filter(|(function, _)| *function == self.model.function().name);
        here.any(|(_, name)| name == EVERYTHING || candidate.label.contains(&format!("`{name}`")))
    }
}
