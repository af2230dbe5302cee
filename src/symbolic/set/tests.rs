use super::*;
use crate::symbolic::testing::{all_assignments, facts_of, leaf, linear, satisfies, sym};
use proptest::prelude::*;

fn c(value: i128) -> Expr {
    Expr::constant(value)
}

fn set(lo: Expr, hi: Expr) -> SectionSet {
    SectionSet::of(Section::new(lo, hi), &Facts::new())
}

#[test]
fn taking_the_first_element_away() {
    let n = sym(0);
    let rest = set(c(0), n.clone()).subtract_must(&Section::element(c(0)).unwrap(), &Facts::new());
    assert_eq!(rest, set(c(1), n.clone()));
    let both = rest.subtract_must(&Section::new(n.offset(-1).unwrap(), n.clone()), &Facts::new());
    assert_eq!(both, set(c(1), n.offset(-1).unwrap()));
    let unknown = set(c(0), n.clone()).subtract_must(&Section::element(sym(1)).unwrap(), &Facts::new());
    assert_eq!(unknown, set(c(0), n.clone()));
    // The element may lie beyond the end, and what remains must not reach there.
    let mut facts = Facts::new();
    facts.assume_le(&c(0), &sym(1));
    let beyond = set(c(0), n.clone()).subtract_must(&Section::element(sym(1)).unwrap(), &facts);
    assert_eq!(beyond, set(c(0), n));
}

#[test]
fn taking_the_middle_away_leaves_two() {
    let n = sym(0);
    let mut facts = Facts::new();
    facts.assume_le(&c(3), &n);
    let rest = set(c(0), n.clone()).subtract_must(&Section::new(c(1), n.offset(-1).unwrap()), &facts);
    assert_eq!(rest.sections().len(), 2);
    let back = rest.union(&set(c(1), n.offset(-1).unwrap()), &facts);
    assert_eq!(back, set(c(0), n));
}

#[test]
fn a_union_beyond_the_cap_becomes_its_hull() {
    let far = |i: i128| set(c(10 * i), c(10 * i + 1));
    let facts = Facts::new();
    let may = (0..6).fold(SectionSet::Empty, |all, i| all.union(&far(i), &facts));
    assert!(may.provably_covers(&set(c(0), c(1)), &facts) && may.provably_covers(&far(5), &facts));
    let must = (0..6).fold(SectionSet::Empty, |all, i| all.union_must(&far(i), &facts));
    assert_eq!(must.sections().len(), MAX_SECTIONS);
}

#[test]
fn the_whole_object_absorbs() {
    let facts = Facts::new();
    let some = set(c(0), sym(0));
    assert_eq!(some.union(&SectionSet::All, &facts), SectionSet::All);
    assert_eq!(some.intersect(&SectionSet::All, &facts), some);
    assert_eq!(
        SectionSet::All.subtract_must(&some.sections()[0], &facts),
        SectionSet::All
    );
    assert_eq!(some.subtract_must_set(&SectionSet::All, &facts), SectionSet::Empty);
    assert_eq!(some.subtract_may(&SectionSet::All, &facts), SectionSet::Empty);
    assert!(!some.provably_disjoint(&SectionSet::All, &facts));
    assert!(SectionSet::Empty.provably_disjoint(&SectionSet::All, &facts));
    assert!(!some.provably_covers(&SectionSet::All, &facts));
    assert_eq!(some.map_syms(&mut |_| None), SectionSet::All);
    assert_eq!(some.map_syms_must(&mut |_| None), SectionSet::Empty);
}

#[test]
fn the_whole_object_is_swept_only_by_a_loop_that_runs() {
    let (i, n) = (Sym(1), sym(0));
    let mut facts = Facts::new();
    let must = |facts: &Facts| SectionSet::All.over_loop_must(i, &c(0), &n.offset(-1).unwrap(), &c(1), facts);
    assert_eq!(must(&facts), SectionSet::Empty);
    facts.assume_le(&c(1), &n);
    assert_eq!(must(&facts), SectionSet::All);
}

#[derive(Clone, Debug)]
struct Sample {
    assumed: Vec<(Expr, bool)>,
    sections: Vec<Section>,
}

fn sample() -> impl Strategy<Value = Sample> {
    let section = prop_oneof![
        (linear(), linear()).prop_map(|(lo, hi)| Section::new(lo, hi)),
        (linear(), 0i128..3).prop_map(|(lo, len)| Section::new(lo.clone(), lo.offset(len).unwrap())),
        (-2i128..4, 0i128..4).prop_map(|(lo, len)| Section::new(c(lo), c(lo + len))),
    ];
    let assumed = proptest::collection::vec((linear(), Just(false)), 0..4);
    (assumed, proptest::collection::vec(section, 4)).prop_map(|(assumed, sections)| Sample { assumed, sections })
}

fn holds(set: &SectionSet, at: i128, values: &[i128]) -> bool {
    let value = |e: &Expr| e.eval(&leaf(values)).unwrap();
    set.is_all() || set.sections().iter().any(|s| value(&s.lo) <= at && at < value(&s.hi))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
    #[test]
    fn operations_round_the_right_way(sample in sample()) {
        let facts = facts_of(&sample.assumed);
        let one = |i: usize| SectionSet::of(sample.sections[i].clone(), &facts);
        let (a, b) = (one(0).union_must(&one(1), &facts), one(2).union_must(&one(3), &facts));
        let (up, down) = (a.union(&b, &facts), a.union_must(&b, &facts));
        let (both, surely_both) = (a.intersect(&b, &facts), a.intersect_must(&b, &facts));
        let (rest, sure_rest) = (a.subtract_must_set(&b, &facts), a.subtract_may(&b, &facts));
        let (disjoint, covers) = (a.provably_disjoint(&b, &facts), a.provably_covers(&b, &facts));
        let hull = a.hull(&facts).map(|h| SectionSet::Union(vec![h]));
        for values in all_assignments().step_by(7).filter(|values| satisfies(&sample.assumed, values)) {
            for at in -8..12 {
                let raw = |i: usize| holds(&SectionSet::Union(vec![sample.sections[i].clone()]), at, &values);
                let (in_a, in_b) = (holds(&a, at, &values), holds(&b, at, &values));
                let check = |set: &SectionSet, exact: bool| (holds(set, at, &values), exact);
                prop_assert_eq!(in_a, raw(0) || raw(1));
                let (got, exact) = check(&up, in_a || in_b);
                prop_assert!(got || !exact, "union {:?} {}", values, at);
                let (got, exact) = check(&down, in_a || in_b);
                prop_assert!(!got || exact, "union_must {:?} {}", values, at);
                let (got, exact) = check(&both, in_a && in_b);
                prop_assert!(got || !exact, "intersect {:?} {}", values, at);
                let (got, exact) = check(&surely_both, in_a && in_b);
                prop_assert!(!got || exact, "intersect_must {:?} {}", values, at);
                let (got, exact) = check(&rest, in_a && !in_b);
                prop_assert!(got || !exact, "subtract_must {:?} {}", values, at);
                let (got, exact) = check(&sure_rest, in_a && !in_b);
                prop_assert!(!got || exact, "subtract_may {:?} {}", values, at);
                prop_assert!(!(disjoint && in_a && in_b), "disjoint {:?} {}", values, at);
                prop_assert!(!covers || in_a || !in_b, "covers {:?} {}", values, at);
                if let Some(hull) = &hull {
                    prop_assert!(!in_a || holds(hull, at, &values), "hull {:?} {}", values, at);
                }
            }
        }
    }
}
