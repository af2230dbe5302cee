use super::*;
use crate::symbolic::testing::{leaf, linear, sym};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn c(value: i128) -> Expr {
    Expr::constant(value)
}

fn minus(e: &Expr, by: i128) -> Expr {
    e.offset(-by).unwrap()
}

#[test]
fn a_row_per_iteration_is_the_whole_matrix() {
    let (i, n, m) = (Sym(0), sym(1), sym(2));
    let row = sym(0).mul(&m).unwrap();
    let section = Section::new(row.clone(), row.add(&m).unwrap());
    let mut facts = Facts::new();
    assert_eq!(section.over_loop(i, &c(0), &minus(&n, 1), &c(1), &facts), None);
    facts.assume_le(&c(1), &m);
    let whole = Some(Section::whole(n.mul(&m).unwrap()));
    assert_eq!(section.over_loop(i, &c(0), &minus(&n, 1), &c(1), &facts), whole);
    assert_eq!(section.over_loop(i, &minus(&n, 1), &c(0), &c(-1), &facts), whole);
    assert_eq!(section.over_loop_exact(i, &c(0), &minus(&n, 1), &c(1), &facts), whole);
    assert_eq!(section.over_loop_exact(i, &minus(&n, 1), &c(0), &c(-1), &facts), whole);
}

#[test]
fn gaps_are_not_covered() {
    let (i, n) = (Sym(0), sym(1));
    let even = Section::element(sym(0).scale(2).unwrap()).unwrap();
    let facts = Facts::new();
    let hull = even.over_loop(i, &c(0), &minus(&n, 1), &c(1), &facts).unwrap();
    assert_eq!(hull, Section::whole(minus(&n.scale(2).unwrap(), 1)));
    assert_eq!(even.over_loop_exact(i, &c(0), &minus(&n, 1), &c(1), &facts), None);
}

#[test]
fn blocks_touch() {
    let (i, n, bs) = (Sym(0), sym(1), sym(2));
    let block = Section::new(sym(0), sym(0).add(&bs).unwrap());
    let last = n.sub(&bs).unwrap();
    let mut facts = Facts::new();
    facts.assume_le(&c(1), &bs);
    let whole = Some(Section::whole(n.clone()));
    assert_eq!(block.over_loop(i, &c(0), &last, &bs, &facts), whole);
    assert_eq!(block.over_loop_exact(i, &c(0), &last, &bs, &facts), None);
    facts.assume_le(&bs, &n);
    assert_eq!(block.over_loop_exact(i, &c(0), &last, &bs, &facts), whole);
}

#[test]
fn a_clipped_tile_is_monotone() {
    let (i, n) = (Sym(0), sym(1));
    let end = Expr::min_of(&[sym(0).offset(16).unwrap(), n.clone()]).unwrap();
    let tile = Section::new(sym(0), end);
    let hull = tile.over_loop(i, &c(0), &minus(&n, 1), &c(16), &Facts::new()).unwrap();
    assert_eq!(hull, Section::whole(n));
    let scattered = Section::element(sym(0).rem(&c(4)).unwrap()).unwrap();
    assert_eq!(scattered.over_loop(i, &c(0), &c(9), &c(1), &Facts::new()), None);
}

#[test]
fn a_fixed_element_is_written_only_if_the_loop_runs() {
    let (i, n) = (Sym(0), sym(1));
    let first = Section::element(c(0)).unwrap();
    let mut facts = Facts::new();
    // A fact about the counter holds in the body only, so it does not say that the loop runs.
    facts.assume_le(&c(0), &sym(0));
    facts.assume_lt(&sym(0), &n);
    assert_eq!(first.over_loop_exact(i, &c(0), &minus(&n, 1), &c(1), &facts), None);
    facts.assume_le(&c(1), &n);
    assert_eq!(
        first.over_loop_exact(i, &c(0), &minus(&n, 1), &c(1), &facts),
        Some(first.clone())
    );
}

fn elements(section: &Section, values: &[i128]) -> Vec<i128> {
    (section.lo.eval(&leaf(values)).unwrap()..section.hi.eval(&leaf(values)).unwrap()).collect()
}

proptest! {
    #[test]
    fn sweeps_bracket_the_union(
        lo in linear(), len in linear(), n in -2i128..6, m in -2i128..6, trips in 0i128..5, step in -3i128..4,
        known in any::<bool>(),
    ) {
        let section = Section::new(lo.clone(), lo.add(&len).unwrap());
        let (first, step_expr) = (sym(1), c(step));
        let last = first.offset((trips - 1) * step).unwrap();
        let mut facts = Facts::new();
        if known {
            facts.assume_eq(&sym(2), &c(m));
        }
        let mut covered = BTreeSet::new();
        for trip in 0..trips {
            covered.extend(elements(&section, &[n + trip * step, n, m]));
        }
        if let Some(may) = section.over_loop(Sym(0), &first, &last, &step_expr, &facts) {
            let may: BTreeSet<_> = elements(&may, &[0, n, m]).into_iter().collect();
            prop_assert!(covered.is_subset(&may), "{covered:?} {may:?}");
        }
        if let Some(must) = section.over_loop_exact(Sym(0), &first, &last, &step_expr, &facts) {
            let must: BTreeSet<_> = elements(&must, &[0, n, m]).into_iter().collect();
            prop_assert!(must.is_subset(&covered), "{must:?} {covered:?}");
        }
    }
}
