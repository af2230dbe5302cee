//! How many elements a section is expected to have, to rank alternatives; correctness never depends on it.

use crate::symbolic::{Atom, Expr, Section, Sym, Term};
use std::collections::BTreeSet;

/// Elements that an unknown size counts as when alternatives are ranked.
const UNKNOWN_SIZE: i128 = 1024;

fn term_symbols(term: &Term) -> BTreeSet<Sym> {
    Expr::from_term(term.clone()).symbols()
}

/// Expected number of elements of a section, to rank alternatives; correctness never depends on it.
pub fn expected_elements(section: &Section) -> f64 {
    let Some(length) = section.len() else {
        return UNKNOWN_SIZE as f64;
    };
    if let Some(length) = length.as_constant() {
        return length.max(1) as f64;
    }
    // A difference of two unknowns is taken to be large: `n - t` as `n`.
    let taken_off: BTreeSet<Sym> = length
        .terms()
        .iter()
        .filter(|t| t.coeff < 0)
        .flat_map(term_symbols)
        .collect();
    let added: BTreeSet<Sym> = length
        .terms()
        .iter()
        .filter(|t| t.coeff > 0)
        .flat_map(term_symbols)
        .collect();
    let is_small = |s: &Sym| taken_off.contains(s) && !added.contains(s);
    let at = |small: bool| expected(&length, &|s| small && is_small(s));
    let value = at(false).filter(|v| *v > 0).or_else(|| at(true));
    value.map_or(UNKNOWN_SIZE as f64, |v| v.max(1) as f64)
}

/// A number where unknown ones are large, but for those that are `small`, and remainders are anywhere below their divisors.
fn expected(e: &Expr, small: &dyn Fn(&Sym) -> bool) -> Option<i128> {
    e.eval(&|atom: &Atom| match atom {
        Atom::Sym(s) if small(s) => Some(0),
        Atom::Sym(_) | Atom::Opaque(_) => Some(UNKNOWN_SIZE),
        Atom::Rem(_, divisor) => Some(expected(divisor, small)? / 2),
        _ => None,
    })
}
