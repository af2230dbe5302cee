//! What is not planned, because what would be written about it depends on numbers that have no name, or on a branch of `#if`.
//!
//! Of an array first only parts are no longer copied, then it is left out, in the end everything of its function is. A loop
//! that would become a kernel first maps all of its arrays, then it stays a loop.

use super::texts::{TextOwner, is_kernel, kernels};
use crate::plan::{EVERYTHING, FilePlan, Note, kept_array};
use crate::reasons::Builds;
use std::collections::BTreeSet;

/// What is left out of each file's plan.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct LeftOutPlans {
    /// Arrays about which nothing is written, and loops that stay loops.
    pub owners: Vec<BTreeSet<TextOwner>>,
    /// Arrays of which only all is copied, and loops that map all of arrays.
    pub whole: Vec<BTreeSet<TextOwner>>,
    /// Constants are not named by `annotate`.
    pub plain: bool,
}

impl LeftOutPlans {
    /// Nothing is left out of so many files.
    pub fn nothing(files: usize) -> LeftOutPlans {
        LeftOutPlans {
            owners: vec![BTreeSet::new(); files],
            whole: vec![BTreeSet::new(); files],
            plain: false,
        }
    }

    /// Whether nothing is left out.
    pub fn is_nothing(&self) -> bool {
        self.owners.iter().chain(&self.whole).all(BTreeSet::is_empty)
    }

    /// Leaves out whatever mentions names that other builds may not have.
    pub fn add_undeclared(&mut self, undeclared: Vec<BTreeSet<TextOwner>>) {
        let both = self.whole.iter_mut().zip(&undeclared);
        both.for_each(|(whole, more)| whole.extend(more.iter().cloned()));
        self.add(undeclared, false);
    }

    /// Copies all of an array instead of parts; then leaves it out; in the end, where `functions` says so, all of the function.
    /// Kernels of `annotate` map all of what they use; then they stay loops.
    pub fn add(&mut self, refused: Vec<BTreeSet<TextOwner>>, functions: bool) {
        let left = self.owners.iter_mut().zip(&mut self.whole);
        for ((left, whole), more) in left.zip(refused) {
            for (function, of) in more {
                if kept_array(&of).is_some() {
                    left.insert((function, of));
                    continue;
                }
                let first = whole.insert((function.clone(), of.clone()));
                if is_kernel(&of) {
                    if !first {
                        left.insert((function, of));
                    }
                    continue;
                }
                if first && !functions {
                    continue;
                }
                let again = !left.insert((function.clone(), of));
                if functions || again {
                    left.insert((function, EVERYTHING.to_owned()));
                }
            }
        }
    }
}

/// Takes decisions with kernels that are left out from what `annotate` planned.
pub(super) fn without_kernels(plan: &mut FilePlan, left_out: &BTreeSet<TextOwner>) {
    let mut remarks = Vec::new();
    plan.decisions.retain(|decision| {
        let stays = !kernels(decision).any(|owner| left_out.contains(&owner));
        if !stays {
            let spans = decision.reasons.iter().map(|reason| reason.span);
            let reason = Builds::NotEverywhere.into();
            remarks.extend(spans.map(|span| Note::because(span, "this loop stays as it is: ", &reason)));
        }
        stays
    });
    plan.remarks.extend(remarks);
    plan.remarks.sort();
}
