//! What decides where copies go: the problem, the demand, how careful to be, and what the entry copies.

use super::coherence::Coherence;
use super::demand::Demand;
use super::placement::{PlacementMode, ResidencySpan};
use super::problem::Problem;

/// A walk over a residency that places copies.
pub(super) struct Walk<'a> {
    pub(super) problem: &'a Problem<'a>,
    pub(super) demand: &'a Demand,
    pub(super) span: &'a ResidencySpan,
    pub(super) mode: PlacementMode,
    /// By cell: the entry copies all of it.
    pub(super) entry: Vec<bool>,
}

impl<'a> Walk<'a> {
    /// A walk whose entry copies nothing yet.
    pub(super) fn new(
        problem: &'a Problem<'a>,
        demand: &'a Demand,
        span: &'a ResidencySpan,
        mode: PlacementMode,
    ) -> Walk<'a> {
        Walk {
            problem,
            demand,
            span,
            mode,
            entry: Vec::new(),
        }
    }

    pub(super) fn coherence(&self) -> Coherence<'a> {
        Coherence {
            problem: self.problem,
            span: self.span,
        }
    }
}
