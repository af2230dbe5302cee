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
    let at = |small: bool| {
        length.eval(&|atom: &Atom| match atom {
            Atom::Sym(s) if small && taken_off.contains(s) && !added.contains(s) => Some(0),
            Atom::Sym(_) | Atom::Opaque(_) => Some(UNKNOWN_SIZE),
            _ => None,
        })
    };
    let value = at(false).filter(|v| *v > 0).or_else(|| at(true));
    value.map_or(UNKNOWN_SIZE as f64, |v| v.max(1) as f64)
}
