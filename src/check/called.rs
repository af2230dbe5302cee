//! What functions do with the objects of their callers, at a call.
//!
//! ```c
//! smooth(a + 1, m);           // the steps of `smooth` on parameter 0, v[0:n], as steps on a[1:m]
//! ```
//!
//! **Limits.** An array that a call reaches by two names has no such steps.

use super::conditions::StepCondition;
use super::function_steps::{FunctionSteps, Unlisted};
use super::step_graph::{Translation, UsingSide};
use super::steps::StepGraph;
use crate::analysis::arrays::may_overlap;
use crate::analysis::at_call::{AtCall, ReachedArray};
use crate::analysis::function::FunctionModel;
use crate::analysis::values::table::Base;
use crate::program::objects::MemLoc;
use crate::symbolic::{Expr, Section};
use std::sync::Arc;

/// A summary with more steps than this is as good as none.
const MOST_STEPS: usize = 2_000;

/// What a callee says, in the terms of a caller.
struct InCaller<'a> {
    at: &'a AtCall<'a>,
    reached: &'a ReachedArray,
}

impl Translation for InCaller<'_> {
    fn covering(&self, section: &Section, side: UsingSide) -> Option<Section> {
        self.exact(section, side)
    }
    fn exact(&self, section: &Section, side: UsingSide) -> Option<Section> {
        match side {
            UsingSide::Host => self.at.section(section, self.reached),
            UsingSide::Device => self.at.mapped(section, self.reached),
        }
    }
    fn condition(&self, condition: &StepCondition) -> StepCondition {
        condition.in_terms(&|c| self.at.comparison(c))
    }
    fn number(&self, number: &Expr) -> Option<Expr> {
        self.at.number(number)
    }
}

/// An array of a caller, as a call is asked about it.
pub struct AskedArray<'a> {
    pub base: Base,
    pub element: u64,
    pub locs: &'a [MemLoc],
    /// Names of which it is known in other ways when they are the array's.
    pub others: &'a [Base],
}

/// A call, and the steps of one of the functions that it may run.
pub struct CalledSteps<'a> {
    pub at: AtCall<'a>,
    steps: &'a FunctionSteps,
    /// The callee's arrays as the caller names them, in their order.
    reached: Vec<Option<ReachedArray>>,
}

impl<'a> CalledSteps<'a> {
    pub fn of(at: AtCall<'a>, steps: &'a FunctionSteps) -> CalledSteps<'a> {
        let arrays = steps.arrays.iter();
        let reached = arrays.map(|array| at.reached(&array.root, array.element)).collect();
        CalledSteps { at, steps, reached }
    }
}

/// What the callee of a call does with an array of the caller; `None` where its steps do not say it, and an empty graph where it leaves it alone.
pub fn at_call(model: &FunctionModel<'_>, called: &CalledSteps<'_>, asked: &AskedArray<'_>) -> Option<Arc<StepGraph>> {
    let CalledSteps { at, steps, reached } = called;
    let mut found: Option<Arc<StepGraph>> = None;
    for (array, reached) in steps.arrays.iter().zip(reached) {
        let Some(reached) = reached else {
            if meet(model, &array.locs, asked.locs) {
                return None;
            }
            continue;
        };
        if reached.base != asked.base {
            if !asked.others.contains(&reached.base) && may_overlap(model, reached.base, asked.base) {
                return None;
            }
            continue;
        }
        if found.is_some() || array.element != asked.element || array.graph.len() > MOST_STEPS {
            return None;
        }
        let graph = array.graph.mapped(&InCaller { at, reached });
        found = Some(Arc::new(graph));
    }
    match found {
        Some(graph) => Some(graph),
        None if !is_unlisted(model, steps, asked) || is_left_alone(model, at, asked) => {
            Some(Arc::new(StepGraph::nothing()))
        }
        None => None,
    }
}

/// Whether some locations may share bytes; those that are not known may be anywhere.
pub fn meet(model: &FunctionModel<'_>, a: &[MemLoc], b: &[MemLoc]) -> bool {
    let alias = |x: &MemLoc| b.iter().any(|y| model.points_to.may_alias(*x, *y));
    a.is_empty() || b.is_empty() || a.iter().any(alias)
}

/// Whether a function may use an array beside those of which its steps tell.
fn is_unlisted(model: &FunctionModel<'_>, steps: &FunctionSteps, asked: &AskedArray<'_>) -> bool {
    let Unlisted { anywhere, locs } = &steps.unlisted;
    *anywhere || (!locs.is_empty() && meet(model, locs, asked.locs))
}

/// Whether what the callee of a call does leaves an array alone.
fn is_left_alone(model: &FunctionModel<'_>, at: &AtCall<'_>, asked: &AskedArray<'_>) -> bool {
    let effects = model.effects.of(at.callee);
    let by_hand = match model.by_hand.get(&at.callee) {
        Some(Some(locs)) => meet(model, locs, asked.locs),
        Some(None) => true,
        None => false,
    };
    let touched = |l: &MemLoc| {
        effects
            .reads
            .union(&effects.writes)
            .any(|e| model.points_to.may_alias(*e, *l))
            || effects.may_free(model.points_to, l.object)
    };
    !by_hand && !effects.unknown && !asked.locs.is_empty() && !asked.locs.iter().any(touched)
}
