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
//! looks for that, and forbids more ([`super::Unwanted`]).

use super::decision_key::DecisionSubject;
use super::inputs::Inputs;
use super::model::Candidate;

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
