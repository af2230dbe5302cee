//! What the search is about, and what comes of a part of it: one candidate alone, or members of one struct that share a
//! directive (`super::joint`) and are told apart by their index.

use super::inputs::Inputs;
use super::model::{Candidate, CandidatePlan, Chosen, Refused};
use super::spans::Run;
use crate::syntax::StmtId;

/// What is searched for.
#[derive(Clone, Copy)]
pub(super) struct Sought<'a> {
    /// One candidate, or members of one struct that are resident together.
    pub together: &'a [Candidate],
    /// The members of `together` as they are resident one by one; of a single candidate, itself.
    pub each: &'a [Candidate],
    /// Residencies of other arrays: one of what is searched for may last until they end.
    pub beside: &'a [Run],
}

impl<'a> Sought<'a> {
    /// One candidate, or members of a struct that share no directive.
    pub fn one_by_one(each: &'a [Candidate]) -> Sought<'a> {
        Sought {
            together: each,
            each,
            beside: &[],
        }
    }

    pub fn is_joint(self) -> bool {
        self.together.iter().any(|c| c.joint.is_some())
    }

    /// The run that lasts until those of other arrays end that its last statement is in. A call alone lasts no longer: the function
    /// that is called has residencies of its own.
    pub fn lasting(self, inputs: &Inputs<'_>, run: Run) -> Run {
        let tree = inputs.model.tree;
        if self.beside.is_empty() {
            return run;
        }
        let mut launches = self.each.iter().flat_map(|c| &c.launches);
        let is_call = launches.any(|l| inputs.start(*l) == run.first && inputs.call(*l).is_some());
        if run.first == run.last && is_call {
            return run;
        }
        let end = |s: StmtId| tree.stmt(s).span.end;
        let parent = tree.stmt(run.last).parent;
        let beside = self.beside.iter().filter(|r| tree.stmt(r.last).parent == parent);
        beside.fold(run, |run, other| {
            let longer = other.encloses(inputs.model, run.last) && end(run.last) < end(other.last);
            Run {
                first: run.first,
                last: if longer { other.last } else { run.last },
            }
        })
    }
}

/// What was found for all that is searched for, by its index; what was refused to all of them has none.
#[derive(Default)]
pub(super) struct SearchOutcome {
    pub chosen: Vec<(usize, Chosen)>,
    pub costs: Vec<(usize, f64)>,
    pub refused: Vec<(Option<usize>, Refused)>,
}

impl SearchOutcome {
    pub fn cost(&self) -> f64 {
        self.costs.iter().map(|c| c.1).sum()
    }

    pub fn extend(&mut self, more: SearchOutcome) {
        self.chosen.extend(more.chosen);
        self.costs.extend(more.costs);
        self.refused.extend(more.refused);
    }

    pub fn is_resident(&self) -> bool {
        self.chosen.iter().any(|(_, c)| matches!(c, Chosen::Region(_)))
    }

    pub fn of(i: usize, found: CandidatePlan) -> SearchOutcome {
        SearchOutcome {
            costs: vec![(i, found.cost)],
            chosen: found.chosen.into_iter().map(|c| (i, c)).collect(),
            refused: found.refused.into_iter().map(|r| (Some(i), r)).collect(),
        }
    }
}
