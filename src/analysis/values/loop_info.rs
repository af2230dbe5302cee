//! What is known of the loops of a function, and how the tests of one are read ([`super::loops`] recognises them).
//!
//! ```c
//! for (int i = lo; i < hi; i += 2)       /* induction: from lo to hi - 1 by 2; exact: left by its test alone          */
//! while (left > 1) left--;               /* monotone: what only falls                                                 */
//! ```

use super::loop_test::DecidingBranch;
use super::slots::SlotId;
use super::table::Values;
use super::version::Version;
use crate::program::graph::NodeId;
use crate::program::in_loops::in_loop;
use crate::program::ir::{IntComparison, Operand, Pred};
use crate::symbolic::{Expr, Facts, Monomial, Section, Sym};
use crate::syntax::{ScopeTree, StmtId, StmtKind};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;

/// What the numbers of a loop are taken for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Numbers {
    /// The very numbers (`super::exact_numbers`).
    Exact,
    /// Sizes, of which none is the huge number that a negative one has become (`super::eval`).
    Sizes,
}

/// An induction variable of a loop.
#[derive(Clone, Debug)]
pub struct Induction {
    /// The variable.
    pub slot: SlotId,
    /// The variable's value in the current iteration.
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
    /// The loop's statement.
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
    /// The innermost loop that counts by each symbol.
    pub(super) by_index: FxHashMap<Sym, StmtId>,
    /// The function's products in 32 bits, each with the largest factor before it (`super::int_products`).
    pub(super) int_products: OnceCell<FxHashMap<Monomial, u128>>,
}

/// The comparison that a loop's condition is, if it is one: with `&&` the header has several branches, with `||` no bound
/// holds.
pub(super) fn comparison(
    tree: &ScopeTree,
    values: &Values<'_>,
    stmt: StmtId,
    header: NodeId,
    numbers: Numbers,
) -> Option<(Pred, Expr, Expr)> {
    let only = DecidingBranch::at(values, header).filter(|branch| branch.alone)?;
    compared(tree, values, stmt, only.cond, numbers)
}

/// What a part of a loop's condition compares.
pub(super) fn compared(
    tree: &ScopeTree,
    values: &Values<'_>,
    stmt: StmtId,
    part: &Operand,
    numbers: Numbers,
) -> Option<(Pred, Expr, Expr)> {
    let Operand::Inst(cmp) = part else { return None };
    let IntComparison { pred, lhs, rhs, signed } = values.function().int_comparison(*cmp)?;
    if matches!(tree.stmt(stmt).kind, StmtKind::DoWhile { .. }) {
        // The body runs before the condition is first tested: its range is not that of the condition.
        return None;
    }
    match numbers {
        Numbers::Sizes => Some((pred, values.int(lhs), values.int(rhs))),
        Numbers::Exact => {
            let sides = |signed: bool| values.exact_sides(lhs, rhs, signed);
            let (lhs, rhs) = match pred {
                // Two numbers of a type are equal however it is read.
                Pred::Eq | Pred::Ne => sides(true).or_else(|| sides(false))?,
                _ => sides(signed)?,
            };
            Some((pred, lhs, rhs))
        }
    }
}

/// Whether a part of a condition compares numbers with a sign, as far as it compares any.
pub(super) fn is_signed(values: &Values<'_>, part: &Operand) -> bool {
    match part {
        Operand::Inst(cmp) => values.function().int_comparison(*cmp).is_some_and(|c| c.signed),
        _ => false,
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
        (None, Some(k)) => (l.sub(&k)?, pred.flipped()),
        _ => return None,
    };
    let varies = bound.symbols().iter().any(|s| varies_in(tree, values, *s, stmt));
    (!varies && !bound.has_opaque()).then_some((pred, bound))
}

/// What a variable is where a loop begins.
pub(super) fn first(
    tree: &ScopeTree,
    values: &Values<'_>,
    stmt: StmtId,
    header: NodeId,
    slot: SlotId,
    numbers: Numbers,
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
        let value = match numbers {
            Numbers::Sizes => values.slot_int(slot, version),
            Numbers::Exact => values.exact_in(slot, version),
        };
        if common.as_ref().is_some_and(|c| *c != value) {
            return None;
        }
        common = Some(value);
    }
    common
}

/// `e - sym` when it does not mention `sym`.
pub(super) fn offset_from(e: &Expr, sym: Sym) -> Option<Expr> {
    let rest = e.sub(&Expr::sym(sym))?;
    (e.mentions(sym) && !rest.mentions(sym)).then_some(rest)
}

/// Whether a symbol may have another value in another iteration of the loop.
pub fn varies_in(tree: &ScopeTree, values: &Values<'_>, sym: Sym, stmt: StmtId) -> bool {
    in_loop(tree, values.graph.node(values.defined_at(sym)).kind, stmt)
}

/// A variable that goes one way from iteration to iteration, by steps of any length.
#[derive(Clone, Debug)]
pub struct Monotone {
    /// The variable's value in the current iteration.
    pub sym: Sym,
    /// Value in the first iteration.
    pub first: Expr,
    /// No smaller value in any iteration that runs the body.
    pub lo: Expr,
    /// No larger value in any iteration that runs the body.
    pub hi: Expr,
}

impl Monotone {
    /// A section that holds this one in every iteration.
    pub fn sweep(&self, section: &Section, facts: &Facts) -> Option<Section> {
        section.over_loop(self.sym, &self.lo, &self.hi, &Expr::constant(1), facts)
    }

    /// What a section is in the first iteration, if it is at most that in all others.
    pub fn at_first(&self, section: &Section, facts: &Facts) -> Option<Section> {
        let first = Section {
            lo: section.lo.substitute(self.sym, &self.first)?,
            hi: section.hi.substitute(self.sym, &self.first)?,
        };
        (self.sweep(section, facts)? == first).then_some(first)
    }
}
