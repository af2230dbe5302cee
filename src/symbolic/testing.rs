//! Random expressions and assignments for the property tests of this room.

use super::{Atom, Expr, Facts, Sym};
use proptest::prelude::*;

/// Symbols that random expressions use.
pub const SYMBOLS: usize = 3;

/// The symbol with this number.
pub fn sym(number: u32) -> Expr {
    Expr::sym(Sym(number))
}

/// Small expressions with every kind of atom.
pub fn exprs() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![(-4i128..6).prop_map(Expr::constant), (0..SYMBOLS as u32).prop_map(sym)];
    leaf.prop_recursive(3, 10, 2, |inner| {
        (inner.clone(), inner, 0..9u8).prop_map(|(a, b, op)| {
            let pair = [a.clone(), b.clone()];
            let result = match op {
                0 | 1 => a.add(&b),
                2 | 3 => a.sub(&b),
                4 | 5 => a.mul(&b),
                6 => a.div(&b),
                7 => Expr::min_of(&pair),
                _ => a.rem(&Expr::constant(3)).and_then(|r| Expr::max_of(&[r, b])),
            };
            result.unwrap_or(a)
        })
    })
}

/// Small linear expressions.
pub fn linear() -> impl Strategy<Value = Expr> {
    (proptest::collection::vec(-2i128..3, SYMBOLS), -3i128..4).prop_map(|(coeffs, constant)| {
        coeffs
            .iter()
            .enumerate()
            .fold(Expr::constant(constant), |sum, (i, coeff)| {
                sum.add(&sym(i as u32).scale(*coeff).unwrap()).unwrap()
            })
    })
}

/// Values of the symbols.
pub fn assignment() -> impl Strategy<Value = Vec<i128>> {
    proptest::collection::vec(-6i128..9, SYMBOLS)
}

/// An assignment as [`Expr::eval`] wants it.
pub fn leaf(values: &[i128]) -> impl Fn(&Atom) -> Option<i128> + '_ {
    |atom| match atom {
        Atom::Sym(sym) => values.get(sym.0 as usize).copied(),
        _ => None,
    }
}

/// All assignments of small values to the symbols.
pub fn all_assignments() -> impl Iterator<Item = Vec<i128>> {
    let range = -4i128..7;
    range.clone().flat_map(move |a| {
        let range = range.clone();
        range
            .clone()
            .flat_map(move |b| range.clone().map(move |c| vec![a, b, c]))
    })
}

/// Facts `e >= 0` for each expression, with equalities where the flag says so.
pub fn facts_of(assumed: &[(Expr, bool)]) -> Facts {
    let mut facts = Facts::new();
    for (e, equal) in assumed {
        if *equal {
            facts.assume_eq(e, &Expr::zero());
        } else {
            facts.assume_nonneg(e);
        }
    }
    facts
}

/// Whether the assignment satisfies what [`facts_of`] was given.
pub fn satisfies(assumed: &[(Expr, bool)], values: &[i128]) -> bool {
    assumed.iter().all(|(e, equal)| {
        let value = e.eval(&leaf(values));
        value.is_some_and(|v| if *equal { v == 0 } else { v >= 0 })
    })
}
