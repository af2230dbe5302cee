//! What sizes and trip counts are taken to be.

use crate::analysis::function::FunctionModel;
use crate::analysis::values::loop_info::Induction;
use crate::symbolic::{Atom, Expr, Sym};
use crate::syntax::StmtId;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Indices within indices that are followed: `for j = i + 1` in `for i = k + 1` ...
pub(super) const DEPTH: usize = 4;

/// The loops of a function by their indices.
pub(in crate::annotate) struct Indices<'m> {
    of: FxHashMap<Sym, &'m Induction>,
}

impl<'m> Indices<'m> {
    pub fn new(model: &FunctionModel<'m>) -> Indices<'m> {
        let stmts = (0..model.tree.stmts.len() as u32).map(StmtId);
        let inductions = stmts.filter_map(|s| model.loops.get(s)?.induction.as_ref());
        Indices {
            of: inductions.map(|i| (i.sym, i)).collect(),
        }
    }

    /// Adds the sizes that an expression comes from: its symbols, and for the index of a loop those of its bounds.
    pub(super) fn sizes(&self, e: &Expr, depth: usize, out: &mut BTreeSet<Sym>) {
        for sym in e.symbols() {
            match (self.of.get(&sym), depth.checked_sub(1)) {
                (Some(i), Some(depth)) => [&i.lo, &i.hi].into_iter().for_each(|e| self.sizes(e, depth, out)),
                _ => {
                    out.insert(sym);
                }
            }
        }
    }
}

/// What sizes are taken to be.
pub(super) struct Sizes<'a, 'm> {
    pub model: &'a FunctionModel<'m>,
    pub indices: &'a Indices<'m>,
    /// What an unknown one counts as; `None`: nothing.
    pub unknown: Option<i128>,
    /// One that is not unknown.
    pub size: Option<(Sym, i128)>,
}

impl Sizes<'_, '_> {
    /// How often the body of a loop runs.
    pub fn trips(&self, stmt: StmtId) -> Option<f64> {
        let i = self.model.loops.get(stmt).and_then(|l| l.induction.as_ref());
        let Some(i) = i else {
            return self.unknown.map(|n| n as f64);
        };
        let span = self.value(&i.hi.sub(&i.lo)?)?;
        Some((span.max(-1) as f64 / i.step.unsigned_abs() as f64).floor() + 1.0)
    }

    /// How often the body of a loop runs, for who takes an unknown size for something.
    pub fn of_loop(&self, stmt: StmtId) -> f64 {
        self.trips(stmt).unwrap_or(1.0)
    }

    /// What an expression is worth.
    pub fn value(&self, e: &Expr) -> Option<i128> {
        self.value_within(e, DEPTH)
    }

    fn value_within(&self, e: &Expr, depth: usize) -> Option<i128> {
        let value = e.eval(&|atom| match atom {
            Atom::Sym(sym) => self.middle(*sym, depth).or(self.unknown),
            Atom::Opaque(_) => self.unknown,
            _ => None,
        });
        // The difference of two unknown sizes is one.
        match (value, e.as_constant()) {
            (None, None) => self.unknown,
            (Some(v), None) if v <= 0 && !self.is_known(e) => self.unknown.or(value),
            _ => value,
        }
    }

    /// Whether all of an expression is known.
    fn is_known(&self, e: &Expr) -> bool {
        let mut sizes = BTreeSet::new();
        self.indices.sizes(e, DEPTH, &mut sizes);
        let known = |sym: &Sym| self.size.is_some_and(|(size, _)| size == *sym);
        !e.has_opaque() && sizes.iter().all(known)
    }

    /// The middle of the range of a loop's index, or the size that is known.
    fn middle(&self, sym: Sym, depth: usize) -> Option<i128> {
        if let Some((_, value)) = self.size.filter(|(size, _)| *size == sym) {
            return Some(value);
        }
        let depth = depth.checked_sub(1)?;
        let i = self.indices.of.get(&sym)?;
        let (lo, hi) = (self.value_within(&i.lo, depth)?, self.value_within(&i.hi, depth)?);
        lo.checked_add(hi).map(|sum| sum / 2)
    }
}
