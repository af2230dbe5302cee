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
//! Nothing is known of what is left out but its words ([`Mentions`]). A residency spans no branch that mentions the array by one of
//! its names, that calls a function which is none of the C library's, which might use the array, or that jumps. To what is planned
//! around a branch, here and in callers, the branch is a call that reads and writes all that it mentions
//! ([`crate::program::left_out`]).

use super::by_hand::names_of;
use super::inputs::Inputs;
use super::model::Candidate;
use super::spans::Run;
use super::{EVERYTHING, kept_array};
use crate::analysis::libc;
use crate::reasons::Builds;
use crate::source::Span;
use crate::syntax::{Mentions, StmtId};
use std::collections::BTreeSet;

impl Inputs<'_> {
    /// Why a run of statements cannot be a residency: the line of a branch in it that is left out and may use the array.
    pub(super) fn in_left_out_branch(&self, candidate: &Candidate, run: Run) -> Option<Builds> {
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
        let body = |name: &str| -> Vec<(&str, bool)> {
            let macros = tree.constants.iter().filter(|(own, _)| own == name);
            macros.map(|(_, body)| (body.as_str(), false)).collect()
        };
        let why = |branch: &&Span| {
            let said = Mentions::of(text, **branch, &body);
            let without = &self.file.options.config.without_libraries;
            let calls = |name: &String| libc::lookup_without(name, without).is_none();
            let uses = said.launches || said.includes || said.calls.iter().any(calls);
            if uses || names.iter().any(|name| said.names.contains(name)) {
                return Some(false);
            }
            (!said.jumps.is_empty()).then_some(true)
        };
        let (branch, jumps) = inside.into_iter().find_map(|branch| Some((branch, why(&branch)?)))?;
        let line = text[..branch.start].iter().filter(|b| **b == b'\n').count() + 1;
        Some(match jumps {
            true => Builds::MayJump { line },
            false => Builds::MayUse { line },
        })
    }

    /// Whether a branch in front of a statement that is left out may leave the function.
    pub(super) fn left_in_other_builds(&self, stmt: StmtId) -> bool {
        let (text, tree) = (self.file.text, self.file.tree);
        let function = tree.functions[self.model.tree_function].span;
        let before = tree.left_out.iter().filter(|b| function.encloses(**b));
        let mut before = before.filter(|b| b.start < tree.stmt(stmt).span.start);
        before.any(|branch| {
            let said = Mentions::of(text, *branch, &|_| Vec::new());
            ["return", "goto"].iter().any(|jump| said.jumps.contains(*jump))
        })
    }

    /// Whether nothing is to be written about a candidate.
    pub(super) fn is_left_out(&self, candidate: &Candidate) -> bool {
        self.is_named_in(candidate, &self.file.options.left_out)
    }

    /// Whether callers may not keep a candidate on the device over calls of the function: in another build it would need updates for
    /// that, and in this one none.
    pub(super) fn is_not_kept(&self, candidate: &Candidate) -> bool {
        let mut kept = self.named_here(&self.file.options.left_out).filter_map(kept_array);
        kept.any(|name| names(candidate, name))
    }

    /// Whether only all of a candidate may be copied inside a residency, or parts that no numbers are said of.
    pub(super) fn is_whole_only(&self, candidate: &Candidate) -> bool {
        self.is_named_in(candidate, &self.file.options.whole_only)
    }

    fn is_named_in(&self, candidate: &Candidate, some: &BTreeSet<(String, String)>) -> bool {
        let mut here = self.named_here(some);
        here.any(|name| name == EVERYTHING || names(candidate, name))
    }

    /// What is said of the function.
    fn named_here<'s>(&self, some: &'s BTreeSet<(String, String)>) -> impl Iterator<Item = &'s str> {
        let function = &self.model.function().name;
        let here = some.iter().filter(move |(of, _)| of == function);
        here.map(|(_, name)| name.as_str())
    }
}

/// Whether a candidate is the array of a name, or one of several.
fn names(candidate: &Candidate, name: &str) -> bool {
    candidate.label.contains(&format!("`{name}`"))
}
