//! Whether a placement can ever copy more than the kernels would for themselves: the balance of copies on every path.
//!
//! A kernel that stands alone copies what its map clauses say. That is what it *pays*; every copy of a residency must
//! be paid for by a kernel on the same path, or the rewritten program moves more than before whenever that path is taken.
//!
//! **Coins.** How many elements a section has, nobody knows in general, but what kernels map covers some of what is copied, and
//! that can be proved. So each section that kernels map is a coin of its own, and each copy costs one coin that covers it:
//!
//! ```c
//! #pragma omp … map(tofrom: a[0:k])     /* pays two of a[0:k] */
//! #pragma omp … map(to: a[0:n])         /* pays one of a[0:n] */
//! update from(a[0:k])                   /* costs one of a[0:k] */
//! update to(a[3:9])                     /* costs one of a[0:n], if 12 <= n, and else cannot be paid */
//! ```
//!
//! The balance of a coin is the least, over all paths from the entry, of what kernels have paid in it minus what copies have cost.
//! At no exit may it be negative, and no iteration of a loop may lower it without end. Copies take the smallest coin that
//! covers them while there is enough of it, and then larger ones. Where copies of one cell at one gap in one direction provably
//! share no element, a coin that covers them all pays for them all. A coin is divided where it and what it pays for have numbers of elements.
//!
//! When speculating, a loop with kernels is taken to run often enough, and its conditions to hold often enough, to pay for
//! what stands in and around it.
//!
//! This is the safety criterion of partial redundancy elimination (Knoop/Rüthing/Steffen 1994: on no path more
//! computations than before), asked of a finished placement.

use super::placement::{Boundary, Placement, Span};
use super::problem::Problem;
use crate::analysis::payment::Payment;
use crate::dataflow::{Analysis, Forward, Graph, JoinSemiLattice, Node, solve};
use crate::program::graph::NodeId;
use crate::symbolic::Section;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A balance that nothing later can use up.
const PLENTY: i64 = 1 << 60;
/// Visits of a node after which a balance that still falls is taken to fall without end.
const PATIENCE: u32 = 24;

/// Sections with more elements than this are not divided.
const MOST_ELEMENTS: i64 = 1 << 30;

/// What copies are measured by.
pub struct Measure<'a> {
    /// What the kernels of a node copy as written.
    pub pays: &'a dyn Fn(NodeId) -> Vec<Payment>,
    /// How many elements sections are expected to have: small coins are tried first.
    pub elements: &'a dyn Fn(&Section) -> f64,
}

/// Whether kernels pay for all copies of `placement` on every path, and for `more` copies of all of it on entry.
pub fn is_paid(problem: &Problem<'_>, span: &Span, placement: &Placement, more: i64, measure: &Measure<'_>) -> bool {
    let mut nodes: Vec<NodeId> = span.nodes.iter().copied().collect();
    nodes.sort_unstable();
    let payments = nodes
        .into_iter()
        .flat_map(|n| (measure.pays)(n).into_iter().map(move |paid| (n, paid)));
    let bill = Bill::of(problem, payments.collect(), measure);
    let mut unpaid = bill.costs(span, placement, more);
    for (at, coin) in bill.coins.iter().enumerate() {
        let (own, larger): (Vec<Cost>, Vec<Cost>) = unpaid.into_iter().partition(|cost| cost.coins.contains(&at));
        unpaid = larger;
        if own.is_empty() {
            continue;
        }
        let purse = Purse {
            problem,
            span,
            coin,
            paid: bill.paid_in(coin),
        };
        unpaid.extend(purse.too_much(own).into_iter().map(|cost| cost.without(at)));
    }
    unpaid.is_empty()
}

/// A section that kernels map, in which they pay.
struct Coin {
    section: Section,
    /// How many elements it has, where that is a number; else it is not divided, and this is 1.
    whole: i64,
}

impl Coin {
    fn of(section: Section) -> Coin {
        Coin {
            whole: number_of_elements(&section).unwrap_or(1),
            section,
        }
    }

    /// What copies of sections that share no element cost in this coin, which covers them.
    fn cost_of(&self, sections: &[&Section]) -> i64 {
        let numbers: Option<i64> = sections.iter().map(|s| number_of_elements(s)).sum();
        match number_of_elements(&self.section) {
            Some(whole) => numbers.map_or(whole, |sum| sum.min(whole)),
            None => self.whole,
        }
    }
}

/// How many elements a section has, where that is a number.
fn number_of_elements(section: &Section) -> Option<i64> {
    let number = section.len()?.as_constant()?;
    i64::try_from(number).ok().filter(|n| (1..=MOST_ELEMENTS).contains(n))
}

/// What kernels of a residency pay, and the coins that they pay in.
struct Bill<'a> {
    problem: &'a Problem<'a>,
    payments: Vec<(NodeId, Payment)>,
    /// Small ones first.
    coins: Vec<Coin>,
}

impl<'a> Bill<'a> {
    fn of(problem: &'a Problem<'a>, payments: Vec<(NodeId, Payment)>, measure: &Measure<'_>) -> Bill<'a> {
        let mapped = payments.iter().filter_map(|(_, paid)| paid.section.clone());
        let mut coins: Vec<Section> = mapped.chain([problem.extent.clone()]).collect();
        coins.sort_unstable();
        coins.dedup();
        coins.sort_by(|a, b| (measure.elements)(a).total_cmp(&(measure.elements)(b)));
        Bill {
            problem,
            payments,
            coins: coins.into_iter().map(Coin::of).collect(),
        }
    }

    /// What kernels of each node pay in a coin.
    fn paid_in(&self, coin: &Coin) -> FxHashMap<NodeId, i64> {
        let mut paid: FxHashMap<NodeId, i64> = FxHashMap::default();
        for (node, payment) in &self.payments {
            let section = payment.section.as_ref().unwrap_or(&self.problem.extent);
            if *section == coin.section && payment.copies > 0 {
                let all = paid.entry(*node).or_default();
                *all = i64::saturating_add(*all, payment.copies.saturating_mul(coin.whole));
            }
        }
        paid
    }

    /// What copies of a placement cost, and what may pay for it.
    fn costs<'c>(&'c self, span: &Span, placement: &'c Placement, more: i64) -> Vec<Cost<'c>> {
        let extent = &self.problem.extent;
        let mut costs: Vec<Cost<'_>> = Vec::new();
        for (node, copied) in copied(self.problem, span, placement) {
            let is_coin = |s: &&Section| self.coins.iter().any(|coin| coin.section == **s);
            let facts = &self.problem.facts;
            let shares = |(at, s): (usize, &&Section)| copied[..at].iter().any(|t| !t.provably_disjoint(s, facts));
            match copied.iter().all(is_coin) || copied.iter().enumerate().any(shares) {
                true => copied.iter().for_each(|s| costs.extend(self.cost(node, vec![s]))),
                false => costs.extend(self.cost(node, copied)),
            }
        }
        // What a node copies beyond what it pays may be all of it.
        let lacks = self.payments.iter().filter(|(_, paid)| paid.copies < 0);
        let all = lacks
            .map(|(node, paid)| (*node, -paid.copies))
            .chain([(span.entry, more)]);
        for (node, copies) in all.filter(|(_, copies)| *copies > 0) {
            let cost = self.cost(node, vec![extent]).into_iter();
            costs.extend(cost.map(|cost| Cost { copies, ..cost }));
        }
        costs
    }

    /// What copies of sections cost at a node: one coin that covers them, or two where none that is paid does.
    fn cost<'c>(&'c self, node: NodeId, sections: Vec<&'c Section>) -> Vec<Cost<'c>> {
        let facts = &self.problem.facts;
        let extent = &self.problem.extent;
        // Sections lie within the extent: a coin that goes as far as that goes as far as they do.
        let covers = |s: &Section| {
            let begins = |copied: &Section| facts.prove_le(&s.lo, &copied.lo) || facts.prove_le(&s.lo, &extent.lo);
            let ends = |copied: &Section| facts.prove_le(&copied.hi, &s.hi) || facts.prove_le(&extent.hi, &s.hi);
            sections.iter().all(|copied| begins(copied) && ends(copied))
        };
        let places = || self.coins.iter().enumerate();
        let coins: Vec<usize> = places().filter(|(_, c)| covers(&c.section)).map(|(at, _)| at).collect();
        let paid = |at: usize| !self.paid_in(&self.coins[at]).is_empty();
        let cost = |coins| Cost {
            node,
            copies: 1,
            sections: sections.clone(),
            coins,
        };
        if coins.iter().any(|at| paid(*at)) {
            return vec![cost(coins)];
        }
        let pairs = places().flat_map(|(i, a)| places().skip(i + 1).map(move |(j, b)| ((i, a), (j, b))));
        let mut paid_pairs = pairs.filter(|((i, _), (j, _))| paid(*i) && paid(*j));
        let both = paid_pairs.find(|((_, a), (_, b))| {
            let both = a.section.merge(&b.section, facts);
            both.is_some_and(|both| covers(&both))
        });
        match both {
            Some(((i, _), (j, _))) => vec![cost(vec![i]), cost(vec![j])],
            None => vec![cost(coins)],
        }
    }
}

/// What copies cost at a node.
#[derive(Clone)]
struct Cost<'a> {
    node: NodeId,
    copies: i64,
    sections: Vec<&'a Section>,
    /// The coins that may pay, by their places.
    coins: Vec<usize>,
}

impl Cost<'_> {
    /// What is to be paid by other coins.
    fn without(mut self, coin: usize) -> Self {
        self.coins.retain(|at| *at != coin);
        self
    }
}

/// The sections that a placement copies at each node, apart for each cell and direction.
fn copied<'p>(problem: &'p Problem<'_>, span: &Span, placement: &'p Placement) -> Vec<(NodeId, Vec<&'p Section>)> {
    let mut at: BTreeMap<(NodeId, usize, bool), Vec<&Section>> = BTreeMap::new();
    for c in &placement.copies {
        at.entry((c.gap, c.cell, c.up)).or_default().push(&c.section);
    }
    let copies = |(cell, boundary): (usize, &Boundary)| boundary.copies.then_some(cell);
    for cell in placement.entry.iter().enumerate().filter_map(copies) {
        at.insert((span.entry, cell, true), vec![&problem.extent]);
    }
    for (gap, boundaries) in &placement.exits {
        for cell in boundaries.iter().enumerate().filter_map(copies) {
            at.insert((*gap, cell, false), vec![&problem.extent]);
        }
    }
    at.into_iter().map(|((node, ..), copied)| (node, copied)).collect()
}

/// What kernels of a residency pay in one coin.
struct Purse<'a> {
    problem: &'a Problem<'a>,
    span: &'a Span,
    coin: &'a Coin,
    paid: FxHashMap<NodeId, i64>,
}

impl Purse<'_> {
    /// Those of some costs that there is not enough for.
    fn too_much<'c>(&self, mut costs: Vec<Cost<'c>>) -> Vec<Cost<'c>> {
        let mut left = Vec::new();
        let mut balance = self.balance(&costs);
        while balance < 0 {
            let without = |at: usize| {
                let others = costs.iter().enumerate().filter(|(other, _)| *other != at);
                self.balance(others.map(|(_, cost)| cost))
            };
            let best = (0..costs.len()).map(|at| (without(at), Reverse(at))).max();
            match best {
                Some((better, Reverse(at))) if better > balance => {
                    left.push(costs.remove(at));
                    balance = better;
                }
                _ => {
                    left.append(&mut costs);
                    break;
                }
            }
        }
        left
    }

    /// The least balance at the exits if these costs are to be paid.
    fn balance<'c>(&self, costs: impl IntoIterator<Item = &'c Cost<'c>>) -> i64 {
        let mut at: FxHashMap<NodeId, i64> = FxHashMap::default();
        for cost in costs {
            let copies = cost.copies.saturating_mul(self.coin.cost_of(&cost.sections));
            let all = at.entry(cost.node).or_default();
            *all = all.saturating_add(copies);
        }
        let pays = |n| self.paid.get(&n).copied().unwrap_or(0);
        least(self.problem, self.span, at, &pays).unwrap_or(0)
    }
}

/// The least balance at the span's exits over all paths, in copies of whole extents; `None` where no path leads to any.
pub fn least_balance(
    problem: &Problem<'_>,
    span: &Span,
    placement: &Placement,
    more: i64,
    pays: &dyn Fn(NodeId) -> i64,
) -> Option<i64> {
    let mut costs: FxHashMap<NodeId, i64> = FxHashMap::default();
    for (node, _) in copied(problem, span, placement) {
        *costs.entry(node).or_default() += 1;
    }
    *costs.entry(span.entry).or_default() += more;
    least(problem, span, costs, pays)
}

fn least(
    problem: &Problem<'_>,
    span: &Span,
    costs: FxHashMap<NodeId, i64>,
    pays: &dyn Fn(NodeId) -> i64,
) -> Option<i64> {
    let nodes = problem.graph.in_order(span.nodes.iter().copied());
    let budget = Budget {
        problem,
        nodes: &nodes,
        costs,
        pays,
    };
    let graph = SpanGraph {
        problem,
        span,
        nodes: &nodes,
        place: nodes.iter().copied().zip(0..).collect(),
    };
    let Ok(balances) = solve(&graph, &budget) else {
        return Some(-PLENTY);
    };
    let exits = graph.exits();
    exits.filter_map(|n| balances.after(n).least()).min()
}

/// The least balance with which control arrives at a node, over all paths; `None` if on none. Apart for the edges that
/// close a loop: one that surely runs is left by these alone.
///
/// ```text
///  (None, None) < … < (3, None) < (2, None) < …        less is more allowed: join is the minimum of either part
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Balance {
    entered: Option<i64>,
    closed: Option<i64>,
}

impl Balance {
    fn least(self) -> Option<i64> {
        self.entered.into_iter().chain(self.closed).min()
    }

    fn parts(&mut self) -> [&mut Option<i64>; 2] {
        [&mut self.entered, &mut self.closed]
    }
}

impl JoinSemiLattice for Balance {
    fn join(&mut self, other: &Self) -> bool {
        let before = *self;
        self.entered = self.entered.into_iter().chain(other.entered).min();
        self.closed = self.closed.into_iter().chain(other.closed).min();
        *self != before
    }
}

struct Budget<'a> {
    problem: &'a Problem<'a>,
    /// Nodes of the residency by their numbers in the analysis.
    nodes: &'a [NodeId],
    costs: FxHashMap<NodeId, i64>,
    pays: &'a dyn Fn(NodeId) -> i64,
}

impl Analysis for Budget<'_> {
    type Domain = Balance;
    type Direction = Forward;

    fn bottom(&self) -> Balance {
        Balance::default()
    }

    fn boundary(&self, _: Node) -> Balance {
        Balance {
            entered: Some(0),
            closed: None,
        }
    }

    fn transfer(&self, node: Node, state: &mut Balance) {
        let node = self.nodes[node];
        let own = (self.pays)(node).saturating_sub(self.costs.get(&node).copied().unwrap_or(0));
        let own = own.clamp(-PLENTY, PLENTY);
        let parts = state.parts().into_iter().flatten();
        parts.for_each(|balance| *balance = (*balance + own).clamp(-PLENTY, PLENTY));
    }

    fn edge(&self, from: Node, to: Node, state: &mut Balance) {
        let problem = self.problem;
        let (from, to) = (self.nodes[from], self.nodes[to]);
        let mut value = state.least();
        if let Some(index) = problem.loops.place_of(from) {
            let l = &problem.loops[index];
            let leaves = l.nodes.binary_search(&to).is_err();
            if problem.speculate && problem.launches_in(index) {
                value = value.map(|_| PLENTY);
            } else if l.runs && leaves {
                // After an iteration, not before the first.
                value = state.closed;
            }
        }
        *state = match problem.closes(from, to) {
            Some(_) => Balance {
                entered: None,
                closed: value,
            },
            None => Balance {
                entered: value,
                closed: None,
            },
        };
    }

    fn widen(&self, _: Node, visits: u32, previous: &Balance, state: &mut Balance) {
        let before = [previous.entered, previous.closed];
        for (part, before) in state.parts().into_iter().zip(before) {
            if visits > PATIENCE && *part != before {
                *part = Some(-PLENTY);
            }
        }
    }
}

/// The part of the graph that a residency spans, its nodes numbered in their order.
struct SpanGraph<'a> {
    problem: &'a Problem<'a>,
    span: &'a Span,
    nodes: &'a [NodeId],
    place: FxHashMap<NodeId, Node>,
}

impl Graph for SpanGraph<'_> {
    fn node_count(&self) -> usize {
        self.nodes.len()
    }

    fn entry(&self) -> Node {
        self.place[&self.span.entry]
    }

    fn exits(&self) -> impl Iterator<Item = Node> {
        self.span.exits.iter().filter_map(|n| self.place.get(n).copied())
    }

    fn succs(&self, node: Node) -> impl Iterator<Item = Node> {
        let from = self.nodes[node];
        let inside = !self.span.exits.contains(&from);
        let succs = self.problem.graph.node(from).succs.iter();
        let within = succs.filter(move |s| inside && **s != self.span.entry);
        within.filter_map(|s| self.place.get(s).copied())
    }

    fn preds(&self, node: Node) -> impl Iterator<Item = Node> {
        let to = self.nodes[node];
        let inside = to != self.span.entry;
        let preds = self.problem.graph.node(to).preds.iter();
        let within = preds.filter(move |p| inside && !self.span.exits.contains(p));
        within.filter_map(|p| self.place.get(p).copied())
    }
}
