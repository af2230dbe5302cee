//! How many elements a section is expected to have, to rank alternatives; correctness never depends on it.

use crate::analysis::values::loop_info::{Induction, Loops};
use crate::symbolic::{Atom, Expr, Section, Summand, Sym};
use std::collections::BTreeSet;

/// Elements that an unknown size counts as when alternatives are ranked.
pub const UNKNOWN_SIZE: i128 = 1024;
/// Indices of loops over which a section is averaged.
const MOST_INDICES: u32 = 4;

/// Expected number of elements of a section, to rank alternatives; correctness never depends on it.
pub fn expected_elements(section: &Section) -> f64 {
    let Some(length) = section.len() else {
        return UNKNOWN_SIZE as f64;
    };
    if let Some(length) = length.as_constant() {
        return length.max(1) as f64;
    }
    // A difference of two unknowns is taken to be large: `n - t` as `n`.
    let of_terms = |is_it: &dyn Fn(&Summand) -> bool| -> BTreeSet<Sym> {
        let terms = length.terms().iter().filter(|t| is_it(t));
        terms.flat_map(|t| Expr::from_term(t.clone()).symbols()).collect()
    };
    let with_small_ones = || {
        let (taken_off, added) = (of_terms(&|t| t.coeff < 0), of_terms(&|t| t.coeff > 0));
        expected(&length, &|s| taken_off.contains(s) && !added.contains(s))
    };
    let value = expected(&length, &|_| false)
        .filter(|v| *v > 0)
        .or_else(with_small_ones);
    value.map_or(UNKNOWN_SIZE as f64, |v| v.max(1) as f64)
}

/// How many elements a section has in a function with loops: one that moves with a loop's index has as many elements as it has on
/// average, between the first iteration and the last.
///
/// ```c
/// for (int i = 0; i < n; i++)
///     #pragma omp target … map(tofrom: a[0:i + 1])     /* one element, then two, in the end n: half of n            */
/// ```
pub fn average_elements(section: &Section, loops: &Loops) -> f64 {
    average(section, loops, MOST_INDICES)
}

fn average(section: &Section, loops: &Loops, more: u32) -> f64 {
    // Loops within loops first: their ends may be indices of those around them.
    let symbols = section.lo.symbols().into_iter().chain(section.hi.symbols());
    let moving = symbols.filter_map(|sym| loops.counting_by(sym));
    let Some((_, index)) = moving.max_by_key(|(stmt, _)| *stmt).filter(|_| more > 0) else {
        return expected_elements(section);
    };
    let at = |end: &Expr| Some(average(&moved(section, index, end)?, loops, more - 1));
    match (at(&index.lo), at(&index.hi)) {
        (Some(least), Some(most)) => (least + most) / 2.0,
        _ => expected_elements(section),
    }
}

/// A section in the iteration in which a loop's index has a value.
fn moved(section: &Section, index: &Induction, value: &Expr) -> Option<Section> {
    section.map_syms(&mut |sym| {
        Some(match sym == index.sym {
            true => value.clone(),
            false => Expr::sym(sym),
        })
    })
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
