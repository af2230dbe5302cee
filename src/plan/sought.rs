//! What the search is about, and what comes of a part of it: one candidate alone, or members of one struct that share a
//! directive (`super::joint`) and are told apart by their index.

use super::model::{Candidate, Refused};
use super::model::{Chosen, Found};

/// What is searched for.
#[derive(Clone, Copy)]
pub(super) struct Sought<'a> {
    /// One candidate, or members of one struct that are resident together.
    pub together: &'a [Candidate],
    /// The same members as they are resident one by one; of a single candidate, itself.
    pub each: &'a [Candidate],
}

impl Sought<'_> {
    pub fn is_joint(self) -> bool {
        self.together.iter().any(|c| c.joint.is_some())
    }
}

/// What was found for all that is searched for, by its index; what was refused to all of them has none.
#[derive(Default)]
pub(super) struct Outcome {
    pub chosen: Vec<(usize, Chosen)>,
    pub costs: Vec<(usize, f64)>,
    pub refused: Vec<(Option<usize>, Refused)>,
}

impl Outcome {
    pub fn cost(&self) -> f64 {
        self.costs.iter().map(|c| c.1).sum()
    }

    pub fn extend(&mut self, more: Outcome) {
        self.chosen.extend(more.chosen);
        self.costs.extend(more.costs);
        self.refused.extend(more.refused);
    }

    pub fn is_resident(&self) -> bool {
        self.chosen.iter().any(|(_, c)| matches!(c, Chosen::Region(_)))
    }

    pub fn of(i: usize, found: Found) -> Outcome {
        Outcome {
            costs: vec![(i, found.cost)],
            chosen: found.chosen.into_iter().map(|c| (i, c)).collect(),
            refused: found.refused.into_iter().map(|r| (Some(i), r)).collect(),
        }
    }
}
