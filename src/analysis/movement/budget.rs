//! Whether a placement can ever copy more than the kernels would for themselves: the balance of copies on every path.
//!
//! A kernel that stands alone copies what its map clauses say. That is what it *pays* for; every copy of a residency must
//! be paid for by a kernel on the same path, or the rewritten program moves more than before whenever that path is taken.
//! The balance is the least, over all paths from the entry, of what kernels have paid minus what copies have cost, in
//! units of one whole extent. At no exit may it be negative, and no iteration of a loop may lower it without end.
//!
//! What part of an extent a copy is, nobody knows in general: it counts as a whole one. Copies of one cell at one gap in
//! one direction do not overlap: together they are a whole one at most. When speculating, a loop with kernels is taken to
//! run often enough, and its conditions to hold often enough, to pay for what stands in and around it.
//!
//! This is the safety criterion of partial redundancy elimination (Knoop/Rüthing/Steffen 1994: on no path more
//! computations than before), asked of a finished placement.

use super::placement::{Placement, Span};
use super::problem::Problem;
use crate::program::graph::NodeId;
use rustc_hash::{FxHashMap, FxHashSet};

/// A balance that nothing later can use up.
const PLENTY: i64 = 1 << 40;
/// Sweeps after which a balance that still falls is taken to fall without end.
const MAX_SWEEPS: usize = 24;

/// Whether kernels pay for all copies of `placement` on every path; `pays` is what the kernels of a node copy as written.
pub fn is_paid(problem: &Problem<'_>, span: &Span, placement: &Placement, pays: &dyn Fn(NodeId) -> i64) -> bool {
    let costs = costs(span, placement);
    let mut order = problem.graph.reverse_post_order();
    order.retain(|n| span.nodes.contains(n));
    let mut balance = Balance {
        problem,
        before: FxHashMap::default(),
        closing: FxHashMap::default(),
    };
    balance.before.insert(span.entry, 0);
    for _ in 0..MAX_SWEEPS {
        let mut changed = false;
        for &n in &order {
            let Some(&before) = balance.before.get(&n) else {
                continue;
            };
            let own = pays(n) - costs.get(&n).copied().unwrap_or(0);
            if span.exits.contains(&n) {
                if before + own < 0 {
                    return false;
                }
                continue;
            }
            for &s in &problem.graph.node(n).succs {
                if span.nodes.contains(&s) && s != span.entry {
                    changed |= balance.arrive(n, s, before + own, own);
                }
            }
        }
        if !changed {
            return true;
        }
    }
    false
}

/// What the copies at each gap cost.
fn costs(span: &Span, placement: &Placement) -> FxHashMap<NodeId, i64> {
    let mut at: FxHashSet<(NodeId, usize, bool)> = placement.copies.iter().map(|c| (c.gap, c.cell, c.up)).collect();
    for (cell, _) in placement.entry.iter().enumerate().filter(|(_, b)| b.copies) {
        at.insert((span.entry, cell, true));
    }
    for (gap, boundaries) in &placement.exits {
        for (cell, _) in boundaries.iter().enumerate().filter(|(_, b)| b.copies) {
            at.insert((*gap, cell, false));
        }
    }
    let mut costs = FxHashMap::default();
    for (gap, ..) in at {
        *costs.entry(gap).or_default() += 1;
    }
    costs
}

struct Balance<'a> {
    problem: &'a Problem<'a>,
    /// The least balance on entry to a node.
    before: FxHashMap<NodeId, i64>,
    /// The least with which an iteration of a loop, by its header, ends.
    closing: FxHashMap<NodeId, i64>,
}

impl Balance<'_> {
    /// Takes `value` along an edge; `own` is what its source itself contributes. Whether that changed anything.
    fn arrive(&mut self, from: NodeId, to: NodeId, mut value: i64, own: i64) -> bool {
        let problem = self.problem;
        let mut changed = false;
        if problem.closes(from, to).is_some() {
            changed |= lower(&mut self.closing, to, value);
        }
        if let Some(l) = problem.loops.iter().find(|l| l.header == from) {
            let stays = l.nodes.binary_search(&to).is_ok();
            if problem.speculate && l.nodes.iter().any(|n| problem.launches(*n)) {
                value = PLENTY;
            } else if l.runs && !stays {
                // Left after an iteration, not before the first.
                let Some(closing) = self.closing.get(&from) else {
                    return changed;
                };
                value = closing + own;
            }
        }
        changed | lower(&mut self.before, to, value)
    }
}

/// Lowers an entry to `value`; whether that changed it.
fn lower(map: &mut FxHashMap<NodeId, i64>, key: NodeId, value: i64) -> bool {
    match map.get_mut(&key) {
        Some(known) if value < *known => {
            *known = value;
            true
        }
        Some(_) => false,
        None => {
            map.insert(key, value);
            true
        }
    }
}
