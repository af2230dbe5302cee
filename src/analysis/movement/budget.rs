//! Whether a placement can ever copy more than the kernels would for themselves.
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
//! update to(a[3:9])                     /* costs one of a[0:n]: what is copied lies in the array, and that is all of it */
//! ```
//!
//! The balance of a coin ([`super::balance`]) is what kernels have paid in it minus what copies have cost. At no exit may it be negative
//! on any path. Copies take the smallest coin that
//! covers them while there is enough of it, and then larger ones. Where copies of one cell at one gap in one direction provably
//! share no element, a coin that covers them all pays for them all. A coin is divided where it and what it pays for have numbers of elements.
//!
//! The rule is the safety criterion of partial redundancy elimination (Knoop/Rüthing/Steffen 1994: on no path more
//! computations than before), asked of a finished placement.

use super::balance::{Amounts, SpannedGraph};
use super::placement::{Boundary, Placement, ResidencySpan};
use super::problem::Problem;
use crate::analysis::payment::Payment;
use crate::program::graph::NodeId;
use crate::symbolic::Section;
use std::cmp::Reverse;
use std::collections::BTreeMap;

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
pub fn is_paid(
    problem: &Problem<'_>,
    span: &ResidencySpan,
    placement: &Placement,
    more: i64,
    measure: &Measure<'_>,
) -> bool {
    let ways = SpannedGraph::through(problem, span);
    let bill = Bill::of(problem, ways.nodes(), measure);
    let mut unpaid = bill.costs(span, placement, more);
    for (at, coin) in bill.coins.iter().enumerate() {
        let (own, larger): (Vec<CopyCost>, Vec<CopyCost>) =
            unpaid.into_iter().partition(|cost| cost.coins.contains(&at));
        unpaid = larger;
        if !own.is_empty() {
            unpaid.extend(coin.too_much(&ways, own).into_iter().map(|cost| cost.without(at)));
        }
    }
    unpaid.is_empty()
}

/// A section that kernels map, in which they pay.
struct Coin {
    section: Section,
    /// How many elements it has, where that is a number; else it is not divided.
    elements: Option<i64>,
    /// What kernels pay in it.
    paid: Amounts,
}

impl Coin {
    fn of(section: Section) -> Coin {
        Coin {
            elements: number_of_elements(&section),
            section,
            paid: Amounts::default(),
        }
    }

    /// Kernels of a node copy the section so often.
    fn pay(&mut self, node: NodeId, copies: i64) {
        let paid = self.paid.entry(node).or_default();
        *paid = paid.saturating_add(copies.saturating_mul(self.elements.unwrap_or(1)));
    }

    /// What copies of sections that share no element cost in this coin, which covers them.
    fn cost_of(&self, sections: &[&Section]) -> i64 {
        let Some(whole) = self.elements else { return 1 };
        let numbers: Option<i64> = sections.iter().map(|s| number_of_elements(s)).sum();
        numbers.map_or(whole, |sum| sum.min(whole))
    }

    /// The costs that there is not enough of this coin for.
    fn too_much<'c>(&self, ways: &SpannedGraph<'_>, mut costs: Vec<CopyCost<'c>>) -> Vec<CopyCost<'c>> {
        let mut left = Vec::new();
        let mut balance = self.balance(ways, &costs);
        while balance < 0 {
            let without = |at: usize| {
                let others = costs.iter().enumerate().filter(|(other, _)| *other != at);
                self.balance(ways, others.map(|(_, cost)| cost))
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
    fn balance<'c>(&self, ways: &SpannedGraph<'_>, costs: impl IntoIterator<Item = &'c CopyCost<'c>>) -> i64 {
        let mut spent = Amounts::default();
        for cost in costs {
            let all = spent.entry(cost.node).or_default();
            *all = all.saturating_add(cost.copies.saturating_mul(self.cost_of(&cost.sections)));
        }
        let pays = |n| self.paid.get(&n).copied().unwrap_or(0);
        ways.least(&spent, &pays).unwrap_or(0)
    }
}

/// How many elements a section has, where that is a number.
fn number_of_elements(section: &Section) -> Option<i64> {
    let number = section.len()?.as_constant()?;
    i64::try_from(number).ok().filter(|n| (1..=MOST_ELEMENTS).contains(n))
}

/// The coins of a residency, and what has to be paid in them.
struct Bill<'a> {
    problem: &'a Problem<'a>,
    /// Small ones first.
    coins: Vec<Coin>,
    /// How many copies nodes make beyond what they pay.
    lacks: Vec<(NodeId, i64)>,
}

impl<'a> Bill<'a> {
    fn of(problem: &'a Problem<'a>, nodes: &[NodeId], measure: &Measure<'_>) -> Bill<'a> {
        let pays = |n: &NodeId| {
            (measure.pays)(*n)
                .into_iter()
                .map(|paid| (*n, paid))
                .collect::<Vec<_>>()
        };
        let payments: Vec<(NodeId, Payment)> = nodes.iter().flat_map(pays).collect();
        let mapped = payments.iter().filter_map(|(_, paid)| paid.section.clone());
        let mut sections: Vec<Section> = mapped.chain([problem.extent.clone()]).collect();
        sections.sort_unstable();
        sections.dedup();
        sections.sort_by(|a, b| (measure.elements)(a).total_cmp(&(measure.elements)(b)));
        let mut coins: Vec<Coin> = sections.into_iter().map(Coin::of).collect();
        let mut lacks = Vec::new();
        for (node, paid) in payments {
            let section = paid.section.as_ref().unwrap_or(&problem.extent);
            match coins.iter_mut().find(|coin| coin.section == *section) {
                Some(coin) if paid.copies > 0 => coin.pay(node, paid.copies),
                _ => lacks.push((node, -paid.copies)),
            }
        }
        Bill { problem, coins, lacks }
    }

    /// What copies of a placement cost, and what may pay for it.
    fn costs<'c>(&'c self, span: &ResidencySpan, placement: &'c Placement, more: i64) -> Vec<CopyCost<'c>> {
        let extent = &self.problem.extent;
        let mut costs: Vec<CopyCost<'_>> = Vec::new();
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
        let all = self.lacks.iter().copied().chain([(span.entry, more)]);
        for (node, copies) in all.filter(|(_, copies)| *copies > 0) {
            let cost = self.cost(node, vec![extent]).into_iter();
            costs.extend(cost.map(|cost| CopyCost { copies, ..cost }));
        }
        costs
    }

    /// What copies of sections cost at a node: one coin that covers them, or two where none that is paid does.
    fn cost<'c>(&'c self, node: NodeId, sections: Vec<&'c Section>) -> Vec<CopyCost<'c>> {
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
        let paid = |at: usize| !self.coins[at].paid.is_empty();
        let cost = |coins| CopyCost {
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
struct CopyCost<'a> {
    node: NodeId,
    copies: i64,
    sections: Vec<&'a Section>,
    /// The coins that may pay, by their places.
    coins: Vec<usize>,
}

impl CopyCost<'_> {
    /// What is to be paid by other coins.
    fn without(mut self, coin: usize) -> Self {
        self.coins.retain(|at| *at != coin);
        self
    }
}

/// The sections that a placement copies at each node, apart for each cell and direction.
fn copied<'p>(
    problem: &'p Problem<'_>,
    span: &ResidencySpan,
    placement: &'p Placement,
) -> Vec<(NodeId, Vec<&'p Section>)> {
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

/// The least balance at the span's exits over all paths, in copies of whole extents; `None` where no path leads to any.
pub fn least_balance(
    problem: &Problem<'_>,
    span: &ResidencySpan,
    placement: &Placement,
    more: i64,
    pays: &dyn Fn(NodeId) -> i64,
) -> Option<i64> {
    let mut costs = Amounts::default();
    for (node, _) in copied(problem, span, placement) {
        *costs.entry(node).or_default() += 1;
    }
    *costs.entry(span.entry).or_default() += more;
    SpannedGraph::through(problem, span).least(&costs, pays)
}
