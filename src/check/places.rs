//! Where the steps of all functions stand, by their numbers.

use super::stale::StepId;
use crate::source::Span;
use std::cell::RefCell;
use std::sync::Arc;

/// Where a step stands.
#[derive(Clone, Debug)]
pub struct StepPlace {
    /// The file, by its place in the program.
    pub unit: usize,
    pub span: Span,
    /// The function.
    pub function: Arc<str>,
    /// What the object is called there.
    pub label: Arc<str>,
}

/// The places of all steps.
#[derive(Default)]
pub struct StepPlaces(RefCell<Vec<StepPlace>>);

impl StepPlaces {
    /// The number of a new step.
    pub fn number(&self, place: StepPlace) -> StepId {
        let mut all = self.0.borrow_mut();
        all.push(place);
        StepId((all.len() - 1) as u32)
    }

    /// Where a step stands.
    pub fn of(&self, step: StepId) -> Option<StepPlace> {
        self.0.borrow().get(step.0 as usize).cloned()
    }
}
