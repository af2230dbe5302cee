//! What is wrong with an array, and which copies of it are of no use, over all ways in which the conditions of a program may come out together.
//!
//! ```c
//! #pragma omp target update to(a[0:n]) if(use)        // use: a is current on the device;  !use: the kernel runs on the host
//! #pragma omp target if(use)
//! …
//! ```
//!
//! Each way is walked by itself. *Sure* is what is wrong on all of them, past loops that may have nothing to do as well, and what control surely comes
//! to; what is wrong on some way with all loops running may be wrong.

use super::conditions::AssumedOutcomes;
use super::deciding_branches::deciding;
use super::mapping_state::{Judge, MappingProblem, MappingState};
use super::stale::StepId;
use super::steps::StepGraph;
use super::transfer_state::TransferState;
use super::transfers::TransferRecords;
use super::unavoidable::Way;
use super::walk::{LoopEffects, Met, ObservedEffects, StepWalk, WalkState, Walked};
use crate::openmp::map::Semantics;
use crate::symbolic::Section;
use std::cell::{Cell, RefCell};

/// So many steps are carried out for one array on one way at most.
const MOST_STEPS: usize = 200_000;

/// What is wrong, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The step that is wrong.
    pub at: StepId,
    /// What is.
    pub problem: MappingProblem,
}

impl Violation {
    /// The violation as one that may be there.
    fn perhaps(&self) -> Violation {
        Violation {
            at: self.at,
            problem: self.problem.perhaps(),
        }
    }

    fn is(&self, met: &Met<MappingProblem>) -> bool {
        met.at == self.at && met.found == self.problem
    }
}

impl From<&Met<MappingProblem>> for Violation {
    fn from(met: &Met<MappingProblem>) -> Violation {
        Violation {
            at: met.at,
            problem: met.found.clone(),
        }
    }
}

/// A violation, and how sure it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JudgedViolation {
    pub violation: Violation,
    /// It is one in every run.
    pub surely: bool,
}

/// How a way is walked.
#[derive(Clone, Copy)]
struct WalkWish {
    /// Control may pass loops that have nothing to do.
    idle: bool,
    /// See [`Judge::strict`].
    strict: bool,
}

/// An array, for whoever walks its steps.
#[derive(Clone, Copy)]
pub struct ArrayWalks<'a> {
    pub graph: &'a StepGraph,
    pub loops: &'a dyn LoopEffects,
    pub semantics: Semantics,
    /// The elements that the array has, if they are known.
    pub extent: Option<&'a Section>,
    /// What list items have done, over all walks.
    pub observed: &'a RefCell<ObservedEffects>,
}

impl ArrayWalks<'_> {
    /// The ways in which conditions may come out together, and whether these are all.
    fn ways(&self) -> (Vec<AssumedOutcomes>, bool) {
        let conditions = self.graph.conditions();
        let (ways, complete) = AssumedOutcomes::ways(&conditions, &self.graph.branches(), &deciding(self.graph));
        let with_lengths = |way: &AssumedOutcomes| {
            let mut way = way.clone();
            way.facts = self.graph.with_lengths(&way.facts)?;
            Some(way)
        };
        let possible: Vec<AssumedOutcomes> = ways.iter().filter_map(with_lengths).collect();
        (if possible.is_empty() { ways } else { possible }, complete)
    }

    /// What is found on one way; `idle`: control may pass loops that have nothing to do. `None` where the states do not settle.
    fn walked<S: WalkState>(&self, entry: S, assumed: &AssumedOutcomes, idle: bool) -> Option<Walked<S>> {
        self.walked_by(entry, assumed, WalkWish { idle, strict: false })
    }

    fn walked_by<S: WalkState>(&self, entry: S, assumed: &AssumedOutcomes, wish: WalkWish) -> Option<Walked<S>> {
        let walk = StepWalk {
            graph: self.graph,
            loops: self.loops,
            judge: Judge {
                semantics: self.semantics,
                facts: &assumed.facts,
                extent: self.extent,
                strict: wish.strict,
            },
            assumed,
            idle: wish.idle,
            budget: &Cell::new(MOST_STEPS),
            observed: self.observed,
        };
        walk.walked(entry)
    }

    /// Whether host and device surely read the newest values wherever they read, on all ways, of an array that is not on the device where control
    /// enters. `read_outside`: somebody may read it where control leaves, and finds all values in the host's memory then, and nothing on the device.
    pub fn is_coherent(&self, read_outside: bool) -> bool {
        let (ways, complete) = self.ways();
        let unclear = (!complete).then(AssumedOutcomes::nothing);
        let is_right = |assumed: &AssumedOutcomes, idle: bool| {
            let wish = WalkWish { idle, strict: true };
            let walked = self.walked_by(MappingState::absent(), assumed, wish);
            walked.is_some_and(|walked| {
                let is_left = walked.exit.is_none_or(|exit| !read_outside || exit.is_settled());
                walked.met.is_empty() && is_left
            })
        };
        let mut each = ways.iter().chain(&unclear);
        self.graph.is_followed() && each.all(|assumed| is_right(assumed, true) && is_right(assumed, false))
    }

    /// What surely is wrong whether the array is on the device where control enters or not.
    pub fn violations_anyway(&self) -> Option<Vec<JudgedViolation>> {
        let absent = self.violations(&MappingState::absent())?;
        let present = self.violations(&MappingState::present())?;
        let is_common = |found: &JudgedViolation| {
            let is_like = |other: &JudgedViolation| {
                let (one, other) = (&found.violation, &other.violation);
                one.at == other.at && std::mem::discriminant(&one.problem) == std::mem::discriminant(&other.problem)
            };
            found.surely && present.iter().any(|other| other.surely && is_like(other))
        };
        Some(absent.into_iter().filter(is_common).collect())
    }

    /// What is wrong, the sure ones first, where the array is in some state when control enters; `None` where the states of some way do not settle.
    pub fn violations(&self, entry: &MappingState) -> Option<Vec<JudgedViolation>> {
        let met = |assumed: &AssumedOutcomes, idle: bool| {
            let walked = self.walked(entry.clone(), assumed, idle)?;
            Some(walked.met)
        };
        let (ways, complete) = self.ways();
        let past_loops = ways.iter().map(|way| met(way, true));
        let unclear = (!complete).then(|| met(&AssumedOutcomes::nothing(), true));
        let past_loops = past_loops.chain(unclear).collect::<Option<Vec<_>>>()?;
        let with_loops = ways.iter().map(|way| met(way, false));
        let with_loops = with_loops.collect::<Option<Vec<_>>>()?;
        let nodes = |found: &[Met<MappingProblem>], v: &Violation| -> Vec<usize> {
            let here = found.iter().filter(|met| v.is(met));
            here.map(|met| met.node).collect()
        };
        let comes = |v: &Violation| {
            let mut each = ways.iter().zip(&past_loops);
            each.all(|(assumed, found)| {
                let way = Way {
                    graph: self.graph,
                    assumed,
                };
                way.comes_to(v.at, &nodes(found, v), v.problem.cause())
            })
        };
        let is_sure =
            |v: &Violation| v.problem.is_sure() && past_loops.iter().all(|each| !nodes(each, v).is_empty()) && comes(v);
        let mut sure: Vec<Violation> = Vec::new();
        for violation in past_loops.iter().take(1).flatten().map(Violation::from) {
            if !sure.contains(&violation) && is_sure(&violation) {
                sure.push(violation);
            }
        }
        let mut perhaps: Vec<Violation> = Vec::new();
        let others = with_loops.iter().flatten().map(Violation::from);
        // What ends what a branch has begun may stand behind both of its ways: where there is nothing it does nothing.
        let is_idle = |v: &Violation| {
            v.problem == MappingProblem::NothingThere && !with_loops.iter().all(|found| !nodes(found, v).is_empty())
        };
        for violation in others.filter(|v| !sure.contains(v) && !is_idle(v)) {
            let perhaps_only = violation.perhaps();
            if !perhaps.contains(&perhaps_only) && !sure.iter().any(|s| s.perhaps() == perhaps_only) {
                perhaps.push(perhaps_only);
            }
        }
        let judged = |surely: bool| move |violation: Violation| JudgedViolation { violation, surely };
        let sure = sure.into_iter().map(judged(true));
        Some(sure.chain(perhaps.into_iter().map(judged(false))).collect())
    }

    /// What becomes of copies. `read_outside`: somebody may read the array where control leaves the function.
    pub fn transfers(&self, read_outside: bool, records: &mut TransferRecords) {
        let (ways, complete) = self.ways();
        let unclear = (!complete).then(AssumedOutcomes::nothing);
        for assumed in ways.iter().chain(&unclear) {
            let Some(walked) = self.walked(TransferState::absent(), assumed, true) else {
                self.graph.items().into_iter().for_each(|item| records.give_up(item));
                return;
            };
            let ended = walked.exit.map(|mut exit| exit.ended(read_outside));
            let met = walked.met.into_iter().map(|met| met.found);
            for met in met.chain(ended.into_iter().flatten()) {
                records.add(&met, &assumed.facts);
            }
        }
    }
}
