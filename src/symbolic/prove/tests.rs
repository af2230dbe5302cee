use crate::symbolic::testing::{all_assignments, exprs, facts_of, leaf, linear, satisfies, sym};
use crate::symbolic::{Expr, Facts};
use proptest::prelude::*;

fn c(value: i128) -> Expr {
    Expr::constant(value)
}

/// `1 <= n`, `1 <= m`, `0 <= i < n`, `0 <= j < m`.
fn nest() -> (Facts, [Expr; 4]) {
    let [n, m, i, j] = [sym(0), sym(1), sym(2), sym(3)];
    let mut facts = Facts::new();
    facts.assume_le(&c(1), &n);
    facts.assume_le(&c(1), &m);
    facts.assume_le(&c(0), &i);
    facts.assume_lt(&i, &n);
    facts.assume_le(&c(0), &j);
    facts.assume_lt(&j, &m);
    (facts, [n, m, i, j])
}

#[test]
fn products_of_positive_values() {
    let (facts, [n, m, ..]) = nest();
    let area = n.mul(&m).unwrap();
    assert!(facts.prove_le(&c(1), &area));
    assert!(facts.prove_le(&m, &area));
    assert!(!facts.prove_lt(&m, &area));
    assert!(facts.prove_nonneg(&n.mul(&n).unwrap()));
    let volume = area.mul(&sym(4)).unwrap();
    let mut facts = facts;
    facts.assume_le(&c(1), &sym(4));
    assert!(facts.prove_le(&sym(4), &volume));
    assert!(facts.prove_le(&c(1), &volume));
}

#[test]
fn a_flattened_index_stays_inside() {
    let (facts, [n, m, i, j]) = nest();
    let index = i.mul(&m).unwrap().add(&j).unwrap();
    assert!(facts.prove_lt(&index, &n.mul(&m).unwrap()));
    assert!(facts.prove_nonneg(&index));
    assert!(!facts.prove_lt(&index.offset(1).unwrap(), &n.mul(&m).unwrap()));
}

#[test]
fn quotients_are_bounded() {
    let (facts, [n, ..]) = nest();
    let half = n.div(&c(2)).unwrap();
    assert!(facts.prove_le(&half.scale(2).unwrap(), &n));
    assert!(facts.prove_le(&half, &n));
    assert!(facts.prove_le(&n, &half.scale(2).unwrap().offset(1).unwrap()));
    assert!(!facts.prove_lt(&c(0), &half));
    assert!(Facts::new().prove_le(&half.scale(2).unwrap(), &n.offset(1).unwrap()));
    assert!(!Facts::new().prove_le(&half.scale(2).unwrap(), &n));
    let rest = n.rem(&c(8)).unwrap();
    assert!(facts.prove_nonneg(&rest) && facts.prove_le(&rest, &c(7)));
    assert!(!facts.prove_le(&rest, &c(6)));
    let rounded = n.div(&c(8)).unwrap().scale(8).unwrap().add(&rest).unwrap();
    assert!(facts.prove_eq(&rounded, &n));
}

#[test]
fn minima_split_into_cases() {
    let (facts, [n, m, i, _]) = nest();
    let least = Expr::min_of(&[n.clone(), m.clone()]).unwrap();
    let most = Expr::max_of(&[n.clone(), m.clone()]).unwrap();
    assert!(facts.prove_le(&least, &most));
    assert!(facts.prove_le(&c(1), &least));
    assert!(facts.prove_eq(&least.add(&most).unwrap(), &n.add(&m).unwrap()));
    assert!(!facts.prove_lt(&least, &most));
    let mut within = facts.clone();
    within.assume_le(&i, &least);
    assert!(within.prove_le(&i, &m));
    let mut tile = Facts::new();
    tile.assume_lt(&i, &n);
    assert!(tile.prove_lt(&i, &Expr::min_of(&[i.offset(16).unwrap(), n]).unwrap()));
}

fn assumptions() -> impl Strategy<Value = Vec<(Expr, bool)>> {
    let one = prop_oneof![
        (linear(), any::<bool>()),
        (exprs(), any::<bool>()),
        (exprs(), Just(false))
    ];
    proptest::collection::vec(one, 0..4)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 160, ..ProptestConfig::default() })]
    #[test]
    fn what_is_proved_holds(assumed in assumptions(), a in exprs(), b in exprs()) {
        let facts = facts_of(&assumed);
        let (le, lt) = (facts.prove_le(&a, &b), facts.prove_lt(&a, &b));
        let (eq, ne) = (facts.prove_eq(&a, &b), facts.prove_ne(&a, &b));
        if le || lt || eq || ne {
            for values in all_assignments().filter(|values| satisfies(&assumed, values)) {
                if let (Some(x), Some(y)) = (a.eval(&leaf(&values)), b.eval(&leaf(&values))) {
                    prop_assert!(!le || x <= y, "{values:?}: {x} <= {y}");
                    prop_assert!(!lt || x < y, "{values:?}: {x} < {y}");
                    prop_assert!(!eq || x == y, "{values:?}: {x} == {y}");
                    prop_assert!(!ne || x != y, "{values:?}: {x} != {y}");
                }
            }
        }
    }
}

#[test]
fn near_facts_come_before_far_ones() {
    let mut facts = Facts::new();
    for i in 10..60 {
        facts.assume_le(&sym(i), &sym(i + 1));
    }
    facts.assume_le(&sym(60), &sym(0));
    facts.assume_le(&sym(10), &sym(1));
    facts.assume_le(&sym(0), &sym(2));
    assert!(facts.prove_le(&sym(60), &sym(2)));
}
