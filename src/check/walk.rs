//! The states of an object at all places of a function, and what is found at its steps: what is wrong with them ([`MappingState`]), or which copies are
//! of no use ([`super::transfer_state`]).
//!
//! A forward walk over the statement graph, to a fixpoint; each step is judged by the last state that comes to it. A loop's
//! iterations meet at its header: what is stale in terms of the loop's own index is there what any iteration may have left ([`LoopEffects`]).
//!
//! ```c
//! for (int t = 0; t < n; t++) {       // second look: stale on the host [0, n) or nothing, as there may have been an iteration
//!     kernel writes a[0:n]
//! }
//! printf("%g", a[0]);                 // may read what is stale: on the way with iterations
//! ```
//!
//! A call is walked where it stands, from the state that comes to it: what is wrong in a function is wrong for some caller.
//!
//! **Loops that do not run.** Whether loops have something to do, a walk may take for granted or not ([`StepWalk::idle`]): what is sure must be so on
//! ways past loops, too, and what may be wrong on such ways alone is not worth a warning.
//!
//! **Widening.** A node whose state has changed [`WIDEN_AFTER`] times gets sets that hold everything, and nothing for sure.

use super::conditions::{AssumedOutcomes, answered};
use super::mapping_state::{Judge, MappingProblem, MappingState};
use super::stale::StepId;
use super::steps::{Step, StepAction, StepEdge, StepGraph, StepNode};
use crate::openmp::effects::MapEffect;
use crate::openmp::map::Semantics;
use crate::symbolic::{Facts, Section, SectionSet};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Changes of a node's state after which its sets are replaced by coarser ones, and after which the walk gives up.
const WIDEN_AFTER: usize = 6;
const MOST_CHANGES: usize = 40;

/// What a loop does to what is said of one of its iterations.
pub trait LoopEffects {
    /// The loop that an edge between nodes of the function's graph closes.
    fn closed(&self, from: usize, to: usize) -> Option<usize>;
    /// At least the elements that these stand for in any iteration.
    fn widened(&self, set: &SectionSet, of_loop: usize) -> SectionSet;
    /// Whether a section means something else in each iteration.
    fn varies(&self, section: &Section, of_loop: usize) -> bool;
}

/// What is said of the steps of a call means one thing throughout.
struct NoLoops;

impl LoopEffects for NoLoops {
    fn closed(&self, _: usize, _: usize) -> Option<usize> {
        None
    }
    fn widened(&self, set: &SectionSet, _: usize) -> SectionSet {
        set.clone()
    }
    fn varies(&self, _: &Section, _: usize) -> bool {
        false
    }
}

/// What is known of an object between two steps.
pub trait WalkState: Clone {
    /// What is found at a step: what is wrong with it, or what else there is to say.
    type Found;
    /// Carries out a step.
    fn step(&mut self, step: StepId, action: &StepAction, judge: &Judge<'_>) -> Vec<Self::Found>;
    /// Whether the program surely has stopped.
    fn is_over(&self) -> bool {
        false
    }
    /// What a list item may do that asks for something now.
    fn effects(&self, action: &StepAction, semantics: Semantics) -> Vec<MapEffect>;
    /// Joins the state of another way to the same place; says whether anything changed.
    fn join(&mut self, other: &Self, facts: &Facts) -> bool;
    /// The state with other sets of elements: what may be so by one function, and what surely is by another.
    #[must_use]
    fn mapped(&self, sets: &SetChange<'_>, facts: &Facts) -> Self;
}

/// What becomes of sets of elements.
pub struct SetChange<'a> {
    /// Of those that hold at least the elements that are meant.
    pub may: &'a dyn Fn(&SectionSet) -> SectionSet,
    /// Of those that hold at most these.
    pub must: &'a dyn Fn(&SectionSet) -> SectionSet,
}

/// What is found, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Met<F> {
    /// The step.
    pub at: StepId,
    /// The node of the graph that was walked: one step may stand at several nodes.
    pub node: usize,
    pub found: F,
}

impl WalkState for MappingState {
    type Found = MappingProblem;

    fn step(&mut self, step: StepId, action: &StepAction, judge: &Judge<'_>) -> Vec<MappingProblem> {
        MappingState::step(self, step, action, judge)
    }
    fn is_over(&self) -> bool {
        MappingState::is_over(self)
    }
    fn effects(&self, action: &StepAction, semantics: Semantics) -> Vec<MapEffect> {
        MappingState::effects(self, action, semantics)
    }
    fn join(&mut self, other: &MappingState, facts: &Facts) -> bool {
        MappingState::join(self, other, facts)
    }
    fn mapped(&self, sets: &SetChange<'_>, facts: &Facts) -> MappingState {
        self.with_sets(|stale| stale.mapped(sets.may, sets.must, facts))
    }
}

/// The steps of an object in a function.
pub struct StepWalk<'a> {
    pub graph: &'a StepGraph,
    pub loops: &'a dyn LoopEffects,
    pub judge: Judge<'a>,
    /// How conditions of directives come out.
    pub assumed: &'a AssumedOutcomes,
    /// Control may pass loops that have nothing to do.
    pub idle: bool,
    /// So many steps may still be carried out; the walk gives up then.
    pub budget: &'a Cell<usize>,
    /// What list items have done, over all walks.
    pub observed: &'a RefCell<ObservedEffects>,
}

/// What list items have done, by the steps that ask for it.
pub type ObservedEffects = BTreeMap<StepId, BTreeSet<MapEffect>>;

/// What a walk finds.
pub struct Walked<S: WalkState> {
    /// All that is found, in the order of the steps.
    pub met: Vec<Met<S::Found>>,
    /// The state at the function's end, if control comes there.
    pub exit: Option<S>,
}

/// The nodes of a graph once no state changes any more.
struct SettledNodes<S: WalkState> {
    /// The state in which control comes to a node, if it does.
    states: Vec<Option<S>>,
    /// What is found at a node.
    met: Vec<Vec<Met<S::Found>>>,
}

impl StepWalk<'_> {
    /// All that is found, if the object is in this state at the function's begin; `None` where the states do not settle.
    pub fn walked<S: WalkState>(&self, entry: S) -> Option<Walked<S>> {
        let SettledNodes { mut states, met } = self.settled(entry)?;
        let numbered = met.into_iter().enumerate();
        let mut met: Vec<Met<S::Found>> = numbered
            .flat_map(|(node, here)| here.into_iter().map(move |found| Met { node, ..found }))
            .collect();
        met.sort_by_key(|found| (found.at, found.node));
        Some(Walked {
            met,
            exit: states[StepGraph::EXIT].take(),
        })
    }

    /// The state behind the steps of a node, if control comes there; and what is found at them. `None` where nobody can say.
    fn through<S: WalkState>(&self, steps: &[Step], state: S, met: &mut Vec<Met<S::Found>>) -> Option<Option<S>> {
        let mut state = state;
        for step in steps {
            self.budget.set(self.budget.get().checked_sub(1)?);
            if let StepAction::Call(graphs) = &step.action {
                match self.called(graphs, &state, met)? {
                    Some(after) => state = after,
                    None => return Some(None),
                }
                continue;
            }
            let holds = self.assumed.directive_holds(&step.when);
            let otherwise = (holds != Some(true)).then(|| state.clone());
            if holds != Some(false) {
                self.act(step.id, &step.action, &mut state, met);
            }
            if let Some(mut otherwise) = otherwise {
                if let Some(action) = step.action.otherwise() {
                    self.act(step.id, &action, &mut otherwise, met);
                }
                match holds {
                    None if otherwise.is_over() => {}
                    None if !state.is_over() => drop(state.join(&otherwise, self.judge.facts)),
                    _ => state = otherwise,
                }
            }
            if state.is_over() {
                return Some(None);
            }
        }
        Some(Some(state))
    }

    /// Carries out what is done at a step, and collects what is found there.
    fn act<S: WalkState>(&self, step: StepId, action: &StepAction, state: &mut S, met: &mut Vec<Met<S::Found>>) {
        let effects = state.effects(action, self.judge.semantics);
        if !effects.is_empty() {
            self.observed.borrow_mut().entry(step).or_default().extend(effects);
        }
        let found = state.step(step, action, &self.judge);
        met.extend(found.into_iter().map(|found| Met {
            at: step,
            node: 0,
            found,
        }));
    }

    /// The state behind a call of one of some functions, if one of them returns.
    fn called<S: WalkState>(
        &self,
        graphs: &[impl AsRef<StepGraph>],
        state: &S,
        met: &mut Vec<Met<S::Found>>,
    ) -> Option<Option<S>> {
        let mut after: Option<S> = None;
        for graph in graphs {
            let walk = StepWalk {
                graph: graph.as_ref(),
                loops: &NoLoops,
                ..*self
            };
            let walked = walk.walked(state.clone())?;
            met.extend(walked.met);
            match (&mut after, walked.exit) {
                (Some(after), Some(exit)) => drop(after.join(&exit, self.judge.facts)),
                (after, exit) => *after = after.take().or(exit),
            }
        }
        Some(after)
    }

    /// The states in which control comes to nodes, and what is found at these; `None` if they do not settle. A node is looked at whenever its state
    /// has changed, so that what was found there last is what there is to say.
    fn settled<S: WalkState>(&self, entry: S) -> Option<SettledNodes<S>> {
        let facts = self.judge.facts;
        let mut before: Vec<Option<S>> = vec![None; self.graph.nodes.len()];
        let mut met: Vec<Vec<Met<S::Found>>> = before.iter().map(|_| Vec::new()).collect();
        before[StepGraph::ENTRY] = Some(entry);
        let mut changes = vec![0; before.len()];
        let (mut waiting, mut queued) = (VecDeque::from([StepGraph::ENTRY]), BTreeSet::from([StepGraph::ENTRY]));
        while let Some(at) = waiting.pop_front() {
            queued.remove(&at);
            let node = &self.graph.nodes[at];
            let (state, mut here) = (before[at].clone()?, Vec::new());
            let behind = self.through(&node.steps, state, &mut here)?;
            met[at] = here;
            let Some(state) = behind else {
                continue;
            };
            for edge in node.succs.iter().filter(|e| node.takes(**e, self.assumed, self.idle)) {
                let next = edge.to;
                let arriving = self.across(at, next, &self.where_answered(node, *edge, &state));
                let changed = match &mut before[next] {
                    Some(known) => known.join(&arriving, facts),
                    unreached => {
                        *unreached = Some(arriving);
                        true
                    }
                };
                if !changed {
                    continue;
                }
                changes[next] += 1;
                if changes[next] > MOST_CHANGES {
                    return None;
                }
                if changes[next] > WIDEN_AFTER
                    && let Some(known) = &mut before[next]
                {
                    let all = |set: &SectionSet| match set.is_empty(facts) {
                        true => SectionSet::Empty,
                        false => SectionSet::All,
                    };
                    let none = |_: &SectionSet| SectionSet::Empty;
                    let coarser = SetChange { may: &all, must: &none };
                    *known = known.mapped(&coarser, facts);
                }
                if queued.insert(next) {
                    waiting.push_back(next);
                }
            }
        }
        Some(SettledNodes { states: before, met })
    }

    /// The state where a node's conditions were answered as an edge says: elements that there are none of then are not stale.
    fn where_answered<S: WalkState>(&self, node: &StepNode, edge: StepEdge, state: &S) -> S {
        let Some(facts) = edge
            .holds
            .and_then(|holds| answered(&node.asks, holds, self.judge.facts))
        else {
            return state.clone();
        };
        let may = |set: &SectionSet| match set {
            SectionSet::Union(list) => {
                let there = list.iter().filter(|s| !facts.prove_le(&s.hi, &s.lo));
                SectionSet::Union(there.cloned().collect())
            }
            other => other.clone(),
        };
        let change = SetChange {
            may: &may,
            must: &SectionSet::clone,
        };
        state.mapped(&change, self.judge.facts)
    }

    /// The state behind an edge.
    fn across<S: WalkState>(&self, from: usize, to: usize, state: &S) -> S {
        let origin = |at: usize| self.graph.nodes[at].origin;
        let Some(closed) = self.loops.closed(origin(from), origin(to)) else {
            return state.clone();
        };
        let facts = self.judge.facts;
        let may = |set: &SectionSet| match set.sections().iter().any(|s| self.loops.varies(s, closed)) {
            true => self.loops.widened(set, closed),
            false => set.clone(),
        };
        let must = |set: &SectionSet| {
            let stay = set.sections().iter().filter(|s| !self.loops.varies(s, closed));
            let stay: Vec<Section> = stay.cloned().collect();
            match set {
                SectionSet::Union(_) if stay.is_empty() => SectionSet::Empty,
                SectionSet::Union(_) => SectionSet::Union(stay),
                _ => set.clone(),
            }
        };
        let change = SetChange { may: &may, must: &must };
        state.mapped(&change, facts)
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
