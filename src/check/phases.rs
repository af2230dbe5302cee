//! Iterations of a loop that are told apart: the first one from the others, and those by the remainder of their number.
//!
//! ```c
//! for (int t = 0; t < steps; t++) {
//!     double *old = a, *new = b;
//!     if (t % 2 != 0) { old = b; new = a; }                   // no in the first iteration, yes in the second, no in the third
//!     kernel reads old[0:n], writes new[0:n]
//!     if (t > 0)                                              // no in the first iteration, yes in all others
//!         update …
//! ```
//!
//! Where branches or directives in a loop ask for its counter, the loop's nodes are there once for each *phase*: the first iteration, and then as
//! many as remainders ask for, in a circle. In each phase what is asked may have an answer: by the counter's first value, by the remainder that it has, or
//! because it is larger than in the first iteration.
//!
//! **Limits.** Remainders are followed of counters that rise, from a constant, by a constant.

use super::conditions::StepCondition;
use super::step_graph::{LoopCounter, StepLoop};
use super::steps::{Step, StepEdge, StepGraph, StepNode};
use super::unfolding::Unfolding;
use crate::symbolic::{Atom, Comparison, Expr, Facts, Sym};

/// Loops with more phases are left as they are.
const MOST_PHASES: i128 = 11;

/// The phases of a loop: 0 is the first iteration, and those from 1 on take turns.
struct LoopPhases<'a> {
    of_loop: &'a StepLoop,
    counter: &'a LoopCounter,
    /// How many take turns.
    period: i128,
}

/// Where control is: outside of the loop, or in an iteration of some phase.
type LoopPhase = Option<i128>;

impl StepGraph {
    /// The graph in which the iterations of each loop are told apart where something asks for its counter, the outer loops' first.
    #[must_use]
    pub fn with_phases(self, loops: &[StepLoop]) -> StepGraph {
        loops.iter().fold(self, |graph, of_loop| {
            let unfolded = LoopPhases::of(&graph, of_loop).and_then(|phases| graph.unfolded(&phases, None));
            unfolded.unwrap_or(graph)
        })
    }
}

impl<'a> LoopPhases<'a> {
    /// The phases of a loop, if something in it asks for its counter.
    fn of(graph: &StepGraph, of_loop: &'a StepLoop) -> Option<LoopPhases<'a>> {
        let counter = of_loop.counter.as_ref()?;
        let inside = graph.nodes.iter().filter(|node| of_loop.has(node));
        let conditions = inside.flat_map(|node| node.asks.iter().chain(node.steps.iter().flat_map(|s| &s.when)));
        let asking = conditions.filter_map(|c| c.comparison().filter(|c| c.number.mentions(counter.sym)));
        let asking: Vec<&Comparison> = asking.collect();
        let divisors = asking
            .iter()
            .flat_map(|c| remainders(&c.number, counter.sym))
            .map(|(_, by)| by);
        let period = divisors.fold(1, |all, by| all / gcd(all, by) * by);
        let phases = LoopPhases {
            of_loop,
            counter,
            period,
        };
        let has_answer = |c: &&Comparison| (0..=period).any(|phase| phases.answer(c, phase).is_some());
        (period < MOST_PHASES && asking.iter().any(has_answer)).then_some(phases)
    }

    /// Whether a comparison holds in the iterations of a phase, if it is the same in all of them.
    fn answer(&self, comparison: &Comparison, phase: i128) -> Option<bool> {
        let LoopCounter { sym, first, step } = self.counter;
        let value = first.offset(step.checked_mul(phase)?)?;
        if phase == 0 || self.only_by_remainder(&comparison.number) {
            let there = comparison.map_syms(&mut |s| Some(if s == *sym { value.clone() } else { Expr::sym(s) }))?;
            return there.is_decided().or_else(|| there.decided_by(&Facts::new(), &[]));
        }
        let (mut facts, counter) = (Facts::new(), Expr::sym(*sym));
        match *step > 0 {
            true => facts.assume_le(&value, &counter),
            false => facts.assume_le(&counter, &value),
        }
        comparison.decided_by(&facts, &[])
    }

    /// Whether a number depends on the counter by remainders alone, each of which is the same in all iterations of a phase.
    fn only_by_remainder(&self, number: &Expr) -> bool {
        let LoopCounter { sym, first, step } = self.counter;
        let Some(first) = first.as_constant().filter(|_| *step > 0) else {
            return false;
        };
        let is_followed = |(of, by): (&Expr, i128)| {
            let beside = of.sub(&Expr::sym(*sym)).and_then(|rest| rest.as_constant());
            beside.is_some_and(|beside| first + beside >= 0) && step * self.period % by == 0
        };
        let followed = remainders(number, *sym);
        // The counter stands nowhere else.
        let by_terms = number
            .terms()
            .iter()
            .filter(|term| Expr::from_term((*term).clone()).mentions(*sym))
            .count();
        by_terms == followed.len() && followed.into_iter().all(is_followed)
    }

    /// What is left of conditions in a phase, or that they do not hold then.
    fn left(&self, conditions: &[StepCondition], phase: i128) -> Option<Vec<StepCondition>> {
        let mut left = Vec::new();
        for condition in conditions {
            match condition.comparison().and_then(|c| self.answer(c, phase)) {
                Some(true) => {}
                Some(false) => return None,
                None => left.push(condition.clone()),
            }
        }
        Some(left)
    }

    fn step(&self, step: &Step, phase: i128) -> Option<Step> {
        let (when, action) = match self.left(&step.when, phase) {
            Some(when) => (when, step.action.clone()),
            None => (Vec::new(), step.action.otherwise()?),
        };
        Some(Step {
            id: step.id,
            when,
            device: step.device.clone(),
            action,
        })
    }
}

impl Unfolding for LoopPhases<'_> {
    type Known = LoopPhase;

    fn across(&self, phase: LoopPhase, from: &StepNode, to: &StepNode) -> Option<LoopPhase> {
        let (comes, stays) = (self.of_loop.has(from), self.of_loop.has(to));
        match (stays, to.origin == self.of_loop.head) {
            (false, _) => Some(None),
            (true, true) if comes => Some(phase.map(|phase| phase % self.period + 1)),
            (true, true) => Some(Some(0)),
            // Control comes to the loop's middle, and nobody knows in which iteration.
            (true, false) => comes.then_some(phase),
        }
    }

    fn node(&self, _: usize, node: &StepNode, phase: LoopPhase) -> StepNode {
        let Some(phase) = phase else { return node.clone() };
        let left = self.left(&node.asks, phase);
        let is_answered = !node.asks.is_empty() && left.as_ref().is_none_or(Vec::is_empty);
        let goes = |edge: &&StepEdge| !is_answered || edge.holds.is_none_or(|holds| holds == left.is_some());
        StepNode {
            steps: node.steps.iter().filter_map(|step| self.step(step, phase)).collect(),
            asks: left.clone().unwrap_or_default(),
            succs: node.succs.iter().filter(goes).copied().collect(),
            origin: node.origin,
        }
    }
}

impl StepLoop {
    /// Whether a node is one of the loop's.
    pub fn has(&self, node: &StepNode) -> bool {
        self.nodes.binary_search(&node.origin).is_ok()
    }
}

/// The remainders of numbers with a counter in them, among the terms of a number: of what, by which positive constant.
fn remainders(number: &Expr, counter: Sym) -> Vec<(&Expr, i128)> {
    let plain = number.terms().iter().filter(|term| term.monomial.degree() == 1);
    let atoms = plain.flat_map(|term| term.monomial.factors());
    let found = atoms.filter_map(|(atom, _)| match atom {
        Atom::Rem(of, by) if of.mentions(counter) => Some((of, by.as_constant().filter(|by| *by > 0)?)),
        _ => None,
    });
    found.collect()
}

fn gcd(a: i128, b: i128) -> i128 {
    match b {
        0 => a,
        _ => gcd(b, a % b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::stale::StepId;
    use crate::check::step_device::StepDevice;
    use crate::check::steps::StepAction;

    const T: Sym = Sym(0);

    /// `for (t = first; ; t += step) if (asked) 7 else 8`: the steps, iteration by iteration, as far as it is known which there are.
    fn iterations(asked: Comparison, first: i128, step: i128, count: usize) -> Vec<Option<u32>> {
        let node = |origin: usize, id: Option<u32>, succs: Vec<StepEdge>| StepNode {
            steps: id.into_iter().map(|id| freed(StepId(id))).collect(),
            succs,
            origin,
            ..StepNode::default()
        };
        let to = |to: usize| vec![StepEdge::to(to)];
        let edge = |to, holds| StepEdge {
            holds: Some(holds),
            ..StepEdge::to(to)
        };
        let mut asks = node(3, None, vec![edge(4, true), edge(5, false)]);
        asks.asks = vec![StepCondition::of(asked)];
        let graph = StepGraph {
            nodes: vec![
                node(0, None, to(2)),
                node(1, None, Vec::new()),
                node(2, None, to(3)),
                asks,
                node(4, Some(7), to(2)),
                node(5, Some(8), to(2)),
            ],
        };
        let of_loop = StepLoop {
            head: 2,
            nodes: vec![2, 3, 4, 5],
            runs: true,
            asks: None,
            counter: Some(LoopCounter {
                sym: T,
                first: Expr::constant(first),
                step,
            }),
        };
        let graph = graph.with_phases(&[of_loop]);
        let (mut at, mut found) = (StepGraph::ENTRY, Vec::new());
        while found.len() < count {
            let ways = &graph.nodes[at].succs;
            if graph.nodes[at].origin == 3 {
                let known = <&[StepEdge; 1]>::try_from(ways.as_slice()).ok();
                found.push(known.map(|[only]| graph.nodes[only.to].steps[0].id.0));
            }
            at = ways[0].to;
        }
        found
    }

    fn freed(id: StepId) -> Step {
        Step {
            id,
            when: Vec::new(),
            device: StepDevice::Default,
            action: StepAction::Free,
        }
    }

    fn number(value: i128) -> Expr {
        Expr::constant(value)
    }

    #[test]
    fn remainders_take_turns() {
        let t = Expr::sym(T);
        let rem = |of: &Expr, by: i128| {
            Expr::from_term(crate::symbolic::Summand {
                monomial: crate::symbolic::Monomial::of(Atom::Rem(of.clone(), number(by))),
                coeff: 1,
            })
        };
        let third = || Comparison::equal(&rem(&t, 3), &Expr::zero()).expect("a number");
        let (yes, no) = (Some(7), Some(8));
        assert_eq!(iterations(third(), 0, 1, 7), [yes, no, no, yes, no, no, yes]);
        assert_eq!(iterations(third(), 1, 1, 4), [no, no, yes, no]);
        assert_eq!(iterations(third(), 0, 2, 4), [yes, no, no, yes]);
        // The remainder of what is negative is another one.
        assert_eq!(iterations(third(), -3, 1, 3), [yes, None, None]);
        let large = Comparison::equal(&rem(&t, 50), &Expr::zero()).expect("a number");
        assert_eq!(iterations(large, 0, 1, 2), [None, None]);
    }

    #[test]
    fn the_first_iteration_is_told_apart() {
        let t = Expr::sym(T);
        let later = || Comparison::less(&Expr::zero(), &t).expect("a number");
        assert_eq!(iterations(later(), 0, 1, 3), [Some(8), Some(7), Some(7)]);
        assert_eq!(iterations(later(), 1, 1, 2), [Some(7), Some(7)]);
        // A counter that falls comes to other answers.
        assert_eq!(iterations(later(), 5, -1, 2), [Some(7), None]);
    }
}
