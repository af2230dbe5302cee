//! Loops of the text: which nodes they hold, their induction variables, and the ranges of these.
//!
//! **Worked example.** `for (int i = 1; i < n - 1; i++)` has the header node `Cond(for)`. There `i` is a φ of `1` and
//! `φ + 1`, and the condition compares it with `n - 1`, whose symbols are defined outside the loop: inside the body,
//! `1 <= i` and `i < n - 1`; the loop is *exact* when nothing else leaves it, so each of these values occurs.
//!
//! Where a loop may be left otherwise, too, its range rests on the very numbers that it starts from and is compared with
//! (`super::exact`): one to a huge number that a negative `n` has become may run a few times all the same.
//!
//! Only constant steps count as inductions; count-down loops do. A variable that the condition bounds and that only grows,
//! or only shrinks, by other steps (`n = n - n / 2`) has a range too, of which not every value occurs. Everything else has
//! none, and a section that depends on it becomes the whole object.

use super::conjuncts::conjuncts;
use super::eval::{SymKind, Values};
use super::monotone::{Monotone, monotone};
use super::outlives::{Loads, outlives};
use super::slots::SlotId;
use super::versions::Version;
use crate::analysis::points_to::PointsTo;
use crate::program::graph::{FlowGraph, NodeId, NodeKind, Place};
use crate::program::ir::{IntComparison, Op, Operand, Pred};
use crate::symbolic::{Expr, Facts, Sym};
use crate::syntax::{ScopeTree, StmtId, StmtKind};
use rustc_hash::FxHashMap;

/// An induction variable of a loop.
#[derive(Clone, Debug)]
pub struct Induction {
    /// The variable.
    pub slot: SlotId,
    /// Its value in the current iteration.
    pub sym: Sym,
    /// Value in the first iteration.
    pub first: Expr,
    /// Smallest value in any iteration that runs the body.
    pub lo: Expr,
    /// Largest value in any iteration that runs the body.
    pub hi: Expr,
    /// What is added per iteration; never zero.
    pub step: i128,
}

/// A loop.
#[derive(Clone, Debug)]
pub struct LoopInfo {
    /// Its statement.
    pub stmt: StmtId,
    /// Where its iterations begin: the condition, or for `do … while` the first node of the body.
    pub header: NodeId,
    /// The variable that its condition bounds, if there is one.
    pub induction: Option<Induction>,
    /// The ranges in which the parts of a condition with `&&` keep a variable in the body.
    pub limits: Vec<Induction>,
    /// The variable that the condition bounds, where its steps are not constant.
    pub monotone: Option<Monotone>,
    /// A number that is positive where the loop runs, if this build alone knows that (`super::trips`).
    pub named: Option<Expr>,
    /// Control leaves it only where the condition fails, so every value of the range occurs.
    pub exact: bool,
    /// The index may be looked at behind the loop, or in its condition: there it may lie one step outside of its range
    /// (`super::outlives`).
    pub outlives: bool,
}

impl LoopInfo {
    /// Adds what is known of the index wherever it has a value. That there is a value in its range, so that the loop runs, is
    /// known only to who `is_inside`.
    pub fn know_index(&self, is_inside: bool, facts: &mut Facts) {
        let Some(index) = &self.induction else { return };
        let value = Expr::sym(index.sym);
        // Of a loop that does not run nothing is known.
        if facts.prove_lt(&index.hi, &index.lo) {
            return;
        }
        if is_inside {
            facts.assume_le(&index.lo, &index.hi);
        }
        // What the first iteration begins with bounds it behind the loop, too.
        let (rises, falls) = (index.step > 0, index.step < 0);
        if rises || !self.outlives {
            facts.assume_of(index.sym, &index.lo, &value);
        }
        if falls || !self.outlives {
            facts.assume_of(index.sym, &value, &index.hi);
        }
    }
}

/// All loops of a function.
#[derive(Clone, Debug, Default)]
pub struct Loops {
    pub(super) list: FxHashMap<StmtId, LoopInfo>,
}

/// Whether a node lies in the loop `stmt`: its condition, step and body, not its init or the gaps beside it.
pub fn in_loop(tree: &ScopeTree, kind: NodeKind, stmt: StmtId) -> bool {
    match kind {
        NodeKind::Entry | NodeKind::Exit => false,
        NodeKind::Cond(s) | NodeKind::Step(s) if s == stmt => true,
        NodeKind::Init(s)
        | NodeKind::Whole(s)
        | NodeKind::Clauses(s)
        | NodeKind::Region(s)
        | NodeKind::Gap(Place::Before(s) | Place::After(s) | Place::Else(s))
            if s == stmt =>
        {
            false
        }
        NodeKind::Gap(Place::Before(s) | Place::After(s) | Place::Else(s))
        | NodeKind::Leaf(s)
        | NodeKind::Cond(s)
        | NodeKind::Init(s)
        | NodeKind::Step(s)
        | NodeKind::Whole(s)
        | NodeKind::Clauses(s)
        | NodeKind::Region(s) => s != stmt && tree.encloses(stmt, s),
        NodeKind::LeftOut(place) => tree.encloses(stmt, place.block),
        NodeKind::Gap(Place::Start(block)) => tree.encloses(stmt, block),
    }
}

impl Loops {
    /// Recognises the loops of a function.
    pub fn find(tree: &ScopeTree, tree_function: usize, values: &Values<'_>, points_to: &PointsTo) -> Loops {
        let mut list = FxHashMap::default();
        let loads = Loads::of(tree, values);
        for (i, stmt) in tree.stmts.iter().enumerate() {
            let id = StmtId(i as u32);
            if stmt.function as usize != tree_function || !stmt.kind.is_loop() {
                continue;
            }
            let Some(header) = merge_node(tree, values.graph, id) else {
                continue;
            };
            let exact = exact(tree, values, id);
            let mut limits = limits(tree, values, (id, header), exact);
            // The condition must be one comparison: with `||` no bound holds.
            let induction = match is_one_test(values, header) {
                true => limits.pop(),
                false => None,
            };
            let monotone = match induction {
                None => monotone(tree, values, (id, header), exact),
                Some(_) => None,
            };
            let index = induction.as_ref();
            let outlives = index.is_some_and(|index| outlives(tree, values, points_to, (id, header), index, &loads));
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
        let mut loops = Loops { list };
        loops.name_trips(tree, values);
        loops
    }

    /// The loop of this statement.
    pub fn get(&self, stmt: StmtId) -> Option<&LoopInfo> {
        self.list.get(&stmt)
    }

    /// The loops that have an index, and this, in no order.
    pub fn indices(&self) -> impl Iterator<Item = (StmtId, &Induction)> {
        let loops = self.list.iter();
        loops.filter_map(|(stmt, l)| Some((*stmt, l.induction.as_ref()?)))
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

/// The node at which control enters the loop and comes back to: its condition, or the start of a `do … while`'s body.
pub fn merge_node(tree: &ScopeTree, graph: &FlowGraph, stmt: StmtId) -> Option<NodeId> {
    let cond = graph.cond_of(stmt)?;
    match tree.stmt(stmt).kind {
        StmtKind::DoWhile { .. } => graph
            .node(cond)
            .succs
            .iter()
            .copied()
            .find(|s| in_loop(tree, graph.node(*s).kind, stmt)),
        _ => Some(cond),
    }
}

fn exact(tree: &ScopeTree, values: &Values<'_>, stmt: StmtId) -> bool {
    let test = values.graph.cond_of(stmt);
    values
        .graph
        .ids()
        .filter(|n| in_loop(tree, values.graph.node(*n).kind, stmt))
        .all(|n| {
            Some(n) == test
                || values
                    .graph
                    .node(n)
                    .succs
                    .iter()
                    .all(|s| in_loop(tree, values.graph.node(*s).kind, stmt))
        })
}

/// Whether a symbol may have another value in another iteration of the loop.
pub fn varies_in(tree: &ScopeTree, values: &Values<'_>, sym: Sym, stmt: StmtId) -> bool {
    in_loop(tree, values.graph.node(values.defined_at(sym)).kind, stmt)
}

/// The conditions of the branches in a loop's header, in their order.
fn branches<'v>(values: &'v Values<'_>, header: NodeId) -> impl DoubleEndedIterator<Item = &'v Operand> {
    let function = values.function();
    let insts = &values.attachment.insts_of[header.0 as usize];
    insts.iter().filter_map(|i| match &function.inst(*i).op {
        Op::CondBr { cond, .. } => Some(cond),
        _ => None,
    })
}

/// The condition of a node that has one branch.
pub fn only_test<'v>(values: &'v Values<'_>, node: NodeId) -> Option<&'v Operand> {
    let mut tests = branches(values, node);
    tests.next().filter(|_| tests.next().is_none())
}

fn is_one_test(values: &Values<'_>, header: NodeId) -> bool {
    only_test(values, header).is_some()
}

/// The comparison that a loop's condition is, if it is one: with `&&` the header has several branches, with `||` no bound
/// holds.
pub(super) fn comparison(
    tree: &ScopeTree,
    values: &Values<'_>,
    (stmt, header): (StmtId, NodeId),
    alone: bool,
) -> Option<(Pred, Expr, Expr)> {
    let mut tests = branches(values, header);
    let (only, None) = (tests.next()?, tests.next()) else {
        return None;
    };
    compared(tree, values, stmt, (only, alone))
}

/// What a part of a loop's condition compares, which alone ends the loop or not.
fn compared(
    tree: &ScopeTree,
    values: &Values<'_>,
    stmt: StmtId,
    (part, alone): (&Operand, bool),
) -> Option<(Pred, Expr, Expr)> {
    let Operand::Inst(cmp) = part else { return None };
    let IntComparison { pred, lhs, rhs, signed } = values.function().int_comparison(*cmp)?;
    if matches!(tree.stmt(stmt).kind, StmtKind::DoWhile { .. }) {
        // The body runs before the condition is first tested: its range is not that of the condition.
        return None;
    }
    match alone {
        true => Some((pred, values.int(lhs), values.int(rhs))),
        false => {
            let (lhs, rhs) = values.exact_sides(lhs, rhs, signed)?;
            Some((pred, lhs, rhs))
        }
    }
}

/// What the condition says of a variable's value in the current iteration, as `sym PRED bound`.
pub(super) fn bound(
    tree: &ScopeTree,
    values: &Values<'_>,
    stmt: StmtId,
    sym: Sym,
    (pred, l, r): &(Pred, Expr, Expr),
) -> Option<(Pred, Expr)> {
    let (bound, pred) = match (offset_from(l, sym), offset_from(r, sym)) {
        (Some(k), None) => (r.sub(&k)?, *pred),
        (None, Some(k)) => (l.sub(&k)?, flip(*pred)),
        _ => return None,
    };
    let varies = bound.symbols().iter().any(|s| varies_in(tree, values, *s, stmt));
    (!varies && !bound.has_opaque()).then_some((pred, bound))
}

/// The ranges that the parts of a loop's condition give variables.
fn limits(tree: &ScopeTree, values: &Values<'_>, (stmt, header): (StmtId, NodeId), exact: bool) -> Vec<Induction> {
    let Some(cond) = branches(values, header).next_back() else {
        return Vec::new();
    };
    let insts = &values.attachment.insts_of[header.0 as usize];
    let parts = conjuncts(values.function(), insts, cond);
    let alone = (is_one_test(values, header), exact);
    parts
        .into_iter()
        .filter_map(|part| limit(tree, values, (stmt, header), (part, alone)))
        .collect()
}

fn limit(
    tree: &ScopeTree,
    values: &Values<'_>,
    (stmt, header): (StmtId, NodeId),
    (part, (alone, exact)): (&Operand, (bool, bool)),
) -> Option<Induction> {
    let compared = compared(tree, values, stmt, (part, alone && exact))?;
    for slot in values.slots.ids() {
        if values.versions.before(header, slot) != Version::Phi(header) {
            continue;
        }
        let sym = values.sym(SymKind::Slot(slot, Version::Phi(header)));
        let Some(step) = step(tree, values, stmt, header, slot, sym) else {
            continue;
        };
        let Some(first) = first(tree, values, (stmt, header), slot, alone && exact) else {
            continue;
        };
        let Some((pred, bound)) = bound(tree, values, stmt, sym, &compared) else {
            continue;
        };
        let one = Expr::constant(1);
        let (lo, hi) = match (pred, step) {
            (Pred::Lt, 1..) => (first.clone(), bound.sub(&one)?),
            (Pred::Le, 1..) => (first.clone(), bound),
            // What starts behind the bound never meets it: that loop would have to end elsewhere.
            (Pred::Ne, 1) if alone && exact => (first.clone(), bound.sub(&one)?),
            (Pred::Gt, ..=-1) => (bound.add(&one)?, first.clone()),
            (Pred::Ge, ..=-1) => (bound, first.clone()),
            (Pred::Ne, -1) if alone && exact => (bound.add(&one)?, first.clone()),
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

/// `e - sym` when it does not mention `sym`.
fn offset_from(e: &Expr, sym: Sym) -> Option<Expr> {
    let rest = e.sub(&Expr::sym(sym))?;
    (e.mentions(sym) && !rest.mentions(sym)).then_some(rest)
}

/// The relation that the right side of a comparison has to the left one.
pub(super) fn flip(pred: Pred) -> Pred {
    match pred {
        Pred::Lt => Pred::Gt,
        Pred::Le => Pred::Ge,
        Pred::Gt => Pred::Lt,
        Pred::Ge => Pred::Le,
        same => same,
    }
}

fn step(tree: &ScopeTree, values: &Values<'_>, stmt: StmtId, header: NodeId, slot: SlotId, sym: Sym) -> Option<i128> {
    let mut common = None;
    for &p in &values.graph.node(header).preds {
        if !in_loop(tree, values.graph.node(p).kind, stmt) {
            continue;
        }
        let version = values.versions.after(p, slot);
        if version == Version::Unreached {
            continue;
        }
        let step = values.slot_int(slot, version).sub(&Expr::sym(sym))?.as_constant()?;
        if step == 0 || common.is_some_and(|c| c != step) {
            return None;
        }
        common = Some(step);
    }
    common
}

/// What a variable is where a loop begins, which its condition alone ends or not.
pub(super) fn first(
    tree: &ScopeTree,
    values: &Values<'_>,
    (stmt, header): (StmtId, NodeId),
    slot: SlotId,
    alone: bool,
) -> Option<Expr> {
    let mut common: Option<Expr> = None;
    for &p in &values.graph.node(header).preds {
        if in_loop(tree, values.graph.node(p).kind, stmt) {
            continue;
        }
        let version = values.versions.after(p, slot);
        if version == Version::Unreached {
            continue;
        }
        let value = match alone {
            true => values.slot_int(slot, version),
            false => values.exact_in(slot, version),
        };
        if common.as_ref().is_some_and(|c| *c != value) {
            return None;
        }
        common = Some(value);
    }
    common
}
