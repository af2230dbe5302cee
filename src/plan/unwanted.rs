//! Decisions that a plan may not make, because the user does not want them.
//!
//! ```text
//! decided:   main/u   `u` stays on the device over the time loop          unwanted: (main, array `u`)
//!            main/v   `v` stays there, too
//! decided then:       `v` stays on the device over the time loop, alone
//! ```
//!
//! What is decided about one array in one function is one decision: where it stays, what is copied in there, and what kernels beside that
//! map of it ([`DecisionSubject::Array`]). A plan is not cut into pieces where some of it is unwanted: it is made anew, knowing
//! from the start that nothing may be decided there. So callers count on no updates that nobody writes, and a region has what is left in it.
//!
//! **Invariant.** No plan has a decision whose key is unwanted, but for what callers count on where the plan cannot be made otherwise; who asks
//! looks for that, and forbids more ([`Unwanted::forbid_all_of`], [`Unwanted::no_updates`]).

use super::decision_key::{DecisionKey, DecisionSubject};
use super::inputs::Inputs;
use super::model::Candidate;
use crate::syntax::StmtId;
use serde::Serialize;
use std::collections::BTreeSet;

/// Decisions about a file that are not to be made.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Unwanted {
    keys: BTreeSet<DecisionKey>,
    /// Functions about which nothing is to be decided.
    functions: BTreeSet<String>,
    /// No function does anything for its callers: these keep nothing on the device over calls that need it.
    pub no_updates: bool,
}

impl Unwanted {
    /// Forbids a decision; whether that is new.
    pub fn forbid(&mut self, key: DecisionKey) -> bool {
        self.keys.insert(key)
    }

    /// Forbids all decisions about a function.
    pub fn forbid_all_of(&mut self, function: String) {
        self.functions.insert(function);
    }

    /// Whether a loop of a function is to stay a loop.
    pub fn has_kernel(&self, function: &str, stmt: StmtId) -> bool {
        self.has(function, |subject| *subject == DecisionSubject::Kernel(stmt))
    }

    /// Whether the directives in a function that somebody wrote are to stay.
    pub fn has_directives(&self, function: &str) -> bool {
        self.has(function, |subject| *subject == DecisionSubject::Directives)
    }

    fn has(&self, function: &str, is_it: impl Fn(&DecisionSubject) -> bool) -> bool {
        let mut here = self.keys.iter().filter(|key| key.function == function);
        self.functions.contains(function) || here.any(|key| is_it(&key.subject))
    }
}

impl Inputs<'_> {
    /// Whether the user wants nothing decided about a candidate.
    pub(super) fn is_unwanted(&self, candidate: &Candidate) -> bool {
        self.unwanted_here(|subject| matches!(subject, DecisionSubject::Array(label) if *label == candidate.label))
    }

    /// Whether the user wants nothing done in the function for who has a candidate on the device.
    pub(super) fn is_unwanted_for_callers(&self, candidate: &Candidate) -> bool {
        self.unwanted_here(|subject| matches!(subject, DecisionSubject::Callers(label) if *label == candidate.label))
    }

    /// Whether the user wants no directive that takes what an item says from the device.
    pub(super) fn is_unwanted_item(&self, item: &str) -> bool {
        let said = format!("`{item}`");
        self.unwanted_here(|subject| matches!(subject, DecisionSubject::Callers(label) if *label == said))
    }

    fn unwanted_here(&self, is_it: impl Fn(&DecisionSubject) -> bool) -> bool {
        let unwanted = &self.file.options.unwanted;
        unwanted.has(&self.model.tree.functions[self.model.tree_function].name, is_it)
    }
}
