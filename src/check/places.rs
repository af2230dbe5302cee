//! Where the steps of all functions stand, by their numbers.

use super::stale::StepId;
use crate::openmp::map::Moment;
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
    /// How often it is met each time that the function runs, as far as anybody can guess.
    pub frequency: f64,
    /// The list item that it is a step of, if it is one.
    pub item: Option<PlacedItem>,
    /// In front of what a directive can be written that is met before it, and in which the object is called the same.
    pub insertion: Option<usize>,
}

/// A list item of a construct.
#[derive(Clone, Debug)]
pub struct PlacedItem {
    /// The construct's name.
    pub construct: Arc<str>,
    /// The item, as the text has it, or the array's name.
    pub text: Arc<str>,
    /// No clause names it.
    pub implied: bool,
    pub moment: Moment,
    /// Bytes per element.
    pub element: u64,
    /// The elements that it names, where their number is a constant.
    pub elements: Option<u64>,
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

    /// The places of all steps, by the numbers of these.
    pub fn all(&self) -> Vec<(StepId, StepPlace)> {
        let places = self.0.borrow();
        (0..).map(StepId).zip(places.iter().cloned()).collect()
    }

    /// Where a step stands.
    pub fn of(&self, step: StepId) -> Option<StepPlace> {
        self.0.borrow().get(step.0 as usize).cloned()
    }
}
