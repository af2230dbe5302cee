//! What tells decisions apart, whatever else is decided: the parts of a plan that a user takes or leaves; and those that a user does not want.
//!
//! ```text
//! decision in relax                                             (relax, array `u`)
//!   because 4:5: `u` stays on the device over 2 kernels …       ┘
//!   because 9:9: `v` is mapped `to` instead of `tofrom` …       (relax, array `v`)
//! ```
//!
//! A plan's [`Decision`] holds all arrays of a function that share directives. A user chooses among arrays, so each has a key: of the function and
//! what it is about there, by name and not by place. That is the same in all texts that one run looks at, with directives in them or without.
//! Loops that become kernels have no name: they are told apart by their place in the text that is annotated.

use super::{Change, Decision, Note};
use crate::syntax::StmtId;
use serde::Serialize;
use std::collections::BTreeSet;

/// What tells the decisions about one file apart.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct DecisionKey {
    /// The function.
    pub function: String,
    /// What of it.
    pub subject: DecisionSubject,
}

/// What a decision is about.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub enum DecisionSubject {
    /// An array, as people know it, or several that trade places: `` `u` ``, `` `a`, `b` ``.
    Array(String),
    /// What the function does for callers, or for the whole program, that have an array on the device.
    Callers(String),
    /// A loop that becomes a kernel.
    Kernel(StmtId),
    /// Directives that somebody wrote, and that are planned anew.
    Directives,
}

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

    pub(super) fn has(&self, function: &str, is_it: impl Fn(&DecisionSubject) -> bool) -> bool {
        let mut here = self.keys.iter().filter(|key| key.function == function);
        self.functions.contains(function) || here.any(|key| is_it(&key.subject))
    }
}

impl Decision {
    /// What it says, each with the key of what that is about.
    pub fn notes_by_key(&self) -> Vec<(DecisionKey, &Note)> {
        let kernels = self.changes.iter().filter_map(|change| match change {
            Change::Kernel { stmt, .. } => Some(*stmt),
            _ => None,
        });
        let kernels: Vec<StmtId> = kernels.collect();
        let subject = |(at, note): (usize, &Note)| match &note.array {
            // Of each kernel there is one note, in the order of the kernels.
            _ if !kernels.is_empty() => DecisionSubject::Kernel(kernels[at.min(kernels.len() - 1)]),
            Some(label) if self.for_callers => DecisionSubject::Callers(label.clone()),
            Some(label) => DecisionSubject::Array(label.clone()),
            None => DecisionSubject::Directives,
        };
        let keyed = self.reasons.iter().enumerate().map(|(at, note)| {
            let key = DecisionKey {
                function: self.function.clone(),
                subject: subject((at, note)),
            };
            (key, note)
        });
        keyed.collect()
    }
}
