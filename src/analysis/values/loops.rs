//! Loops of the text: which nodes they hold, their induction variables, and the ranges of these.
//!
//! **Worked example.** `for (int i = 1; i < n - 1; i++)` has the header node `Cond(for)`. There `i` is a φ of `1` and
//! `φ + 1`, and the condition compares it with `n - 1`, whose symbols are defined outside the loop: inside the body,
//! `1 <= i` and `i < n - 1`; the loop is *exact* when nothing else leaves it, so each of these values occurs.
//!
//! A range rests on the very numbers that the loop starts from and is compared with (`super::exact_numbers`): from `k`, which is negative, to an
//! `unsigned w` a loop does not run, and one to a huge number that a negative `n` has become may run a few times and be left otherwise. Where that
//! cannot be, its numbers are sizes (`super::sizes`).
//!
//! Only constant steps count as inductions; count-down loops do. A variable that the condition bounds and that only grows,
//! or only shrinks, by other steps (`n = n - n / 2`) has a range too, of which not every value occurs. Everything else has
//! none, and a section that depends on it becomes the whole object.

use super::conjuncts::conjuncts;
use super::counter::Counter;
use super::loop_info::{Induction, LoopInfo, Loops, Numbers, bound, compared, first, is_signed};
use super::loop_test::DecidingBranch;
use super::monotone::monotone;
use super::outlives::{Loads, outlives};
use super::sizes::{CountedRange, EndedLoop};
use super::slots::SlotId;
use super::table::{SymKind, Values};
use super::version::Version;
use crate::analysis::points_to::PointsTo;
use crate::program::graph::NodeId;
use crate::program::in_loops::{in_loop, merge_node, nodes_in_loop};
use crate::program::ir::{Operand, Pred};
use crate::symbolic::{Expr, Sym};
use crate::syntax::{ScopeTree, StmtId};
use rustc_hash::FxHashMap;

impl Loops {
    /// Recognises the loops of a function.
    pub fn find(tree: &ScopeTree, tree_function: usize, values: &Values<'_>, points_to: &PointsTo) -> Loops {
        let mut list = FxHashMap::default();
        let loads = Loads::of(tree, tree_function, values);
        for id in tree.loops_of(tree_function) {
            let Some(header) = merge_node(tree, values.graph, id) else {
                continue;
            };
            let exact = exact(tree, values, id);
            let mut limits = limits(tree, values, id, header, exact);
            // The condition must be one comparison: with `||` no bound holds.
            let is_one_test = DecidingBranch::at(values, header).is_some_and(|branch| branch.alone);
            let induction = match is_one_test {
                true => limits.pop(),
                false => None,
            };
            let monotone = match induction {
                None => monotone(tree, values, id, header, exact),
                Some(_) => None,
            };
            let index = induction.as_ref();
            let outlives = index.is_some_and(|index| outlives(tree, values, points_to, id, header, index, &loads));
            list.insert(
                id,
                LoopInfo {
                    stmt: id,
                    header,
                    induction,
                    limits,
                    monotone,
                    named: None,
                    exact,
                    outlives,
                },
            );
        }
        let mut by_index: FxHashMap<Sym, StmtId> = FxHashMap::default();
        for (stmt, index) in list.iter().filter_map(|(stmt, l)| Some((*stmt, l.induction.as_ref()?))) {
            let innermost = by_index.entry(index.sym).or_insert(stmt);
            *innermost = stmt.max(*innermost);
        }
        let mut loops = Loops {
            list,
            by_index,
            ..Loops::default()
        };
        loops.name_trips(tree, values);
        loops
    }

    /// The loop of this statement.
    pub fn get(&self, stmt: StmtId) -> Option<&LoopInfo> {
        self.list.get(&stmt)
    }

    /// The innermost loop that counts by a symbol, and how.
    pub fn counting_by(&self, index: Sym) -> Option<(StmtId, &Induction)> {
        let stmt = *self.by_index.get(&index)?;
        Some((stmt, self.list.get(&stmt)?.induction.as_ref()?))
    }

    /// The loops around `stmt` (itself included when it is one), innermost first.
    pub fn around<'t>(&'t self, tree: &'t ScopeTree, stmt: StmtId) -> impl Iterator<Item = &'t LoopInfo> + 't {
        tree.ancestors(stmt).filter_map(|s| self.list.get(&s))
    }

    /// The loops whose iterations run the node, innermost first.
    pub fn of_node<'t>(
        &'t self,
        tree: &'t ScopeTree,
        values: &'t Values<'_>,
        node: NodeId,
    ) -> impl Iterator<Item = &'t LoopInfo> + 't {
        let kind = values.graph.node(node).kind;
        values
            .graph
            .stmt_of(node)
            .into_iter()
            .flat_map(|s| tree.ancestors(s))
            .filter_map(|s| self.list.get(&s))
            .filter(move |l| in_loop(tree, kind, l.stmt))
    }
}

fn exact(tree: &ScopeTree, values: &Values<'_>, stmt: StmtId) -> bool {
    let graph = values.graph;
    let test = graph.cond_of(stmt);
    let stays = |n: NodeId| {
        let mut next = graph.node(n).succs.iter();
        next.all(|s| in_loop(tree, graph.node(*s).kind, stmt))
    };
    let mut nodes = nodes_in_loop(tree, graph, stmt).into_iter();
    nodes.all(|n| Some(n) == test || stays(n))
}

/// The ranges that the parts of a loop's condition give variables.
fn limits(tree: &ScopeTree, values: &Values<'_>, stmt: StmtId, header: NodeId, exact: bool) -> Vec<Induction> {
    let Some(branch) = DecidingBranch::at(values, header) else {
        return Vec::new();
    };
    let insts = &values.attachment.insts_of[header.0 as usize];
    let parts = conjuncts(values.function(), insts, branch.cond);
    let tested = TestedLoop {
        tree,
        values,
        stmt,
        header,
        alone: branch.alone && exact,
    };
    parts.into_iter().filter_map(|part| tested.limit(part)).collect()
}

/// A loop with a condition.
struct TestedLoop<'a> {
    tree: &'a ScopeTree,
    values: &'a Values<'a>,
    stmt: StmtId,
    /// The condition.
    header: NodeId,
    /// Control leaves the loop only where one comparison fails.
    alone: bool,
}

impl TestedLoop<'_> {
    /// The range that a part of the condition gives a variable.
    fn limit(&self, part: &Operand) -> Option<Induction> {
        let exact = self.limit_of(part, Numbers::Exact);
        if !self.alone {
            return exact;
        }
        let ended = EndedLoop {
            tree: self.tree,
            values: self.values,
            stmt: self.stmt,
            signed: is_signed(self.values, part),
            below_top: self.values.compares_below_top(part),
        };
        ended.chosen(exact, self.limit_of(part, Numbers::Sizes), counted)
    }

    fn limit_of(&self, part: &Operand, numbers: Numbers) -> Option<Induction> {
        let TestedLoop {
            tree,
            values,
            stmt,
            header,
            alone,
        } = *self;
        let compared = compared(tree, values, stmt, part, numbers)?;
        for &slot in values.versions.phis_at(header) {
            let sym = values.sym(SymKind::Slot(slot, Version::Phi(header)));
            let Some(step) = step(tree, values, stmt, header, slot) else {
                continue;
            };
            let Some(first) = first(tree, values, stmt, header, slot, numbers) else {
                continue;
            };
            let Some((pred, bound)) = bound(tree, values, stmt, sym, &compared) else {
                continue;
            };
            let one = Expr::constant(1);
            let counter = Counter {
                values,
                sym,
                step,
                ends: alone,
            };
            if !counter.stays_in_type(&first, pred, &bound) {
                continue;
            }
            let (lo, hi) = match (pred, step) {
                (Pred::Lt, 1..) => (first.clone(), bound.sub(&one)?),
                (Pred::Le, 1..) => (first.clone(), bound),
                // What starts behind the bound never meets it: that loop would have to end elsewhere.
                (Pred::Ne, 1) if alone => (first.clone(), bound.sub(&one)?),
                (Pred::Gt, ..=-1) => (bound.add(&one)?, first.clone()),
                (Pred::Ge, ..=-1) => (bound, first.clone()),
                (Pred::Ne, -1) if alone => (bound.add(&one)?, first.clone()),
                _ => continue,
            };
            return Some(Induction {
                slot,
                sym,
                first,
                lo,
                hi,
                step,
            });
        }
        None
    }
}

fn counted(index: &Induction) -> CountedRange<'_> {
    CountedRange {
        lo: &index.lo,
        hi: &index.hi,
        counter: index.sym,
        step: Some(index.step),
    }
}

fn step(tree: &ScopeTree, values: &Values<'_>, stmt: StmtId, header: NodeId, slot: SlotId) -> Option<i128> {
    let mut common = None;
    for &p in &values.graph.node(header).preds {
        if !in_loop(tree, values.graph.node(p).kind, stmt) {
            continue;
        }
        let version = values.versions.after(p, slot);
        if version == Version::Unreached {
            continue;
        }
        let step = values.step_to(slot, version, header)?;
        if step == 0 || common.is_some_and(|c| c != step) {
            return None;
        }
        common = Some(step);
    }
    common
}
