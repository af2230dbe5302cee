use super::*;
use crate::symbolic::testing::{assignment, exprs, leaf, sym};
use proptest::prelude::*;

#[test]
fn equal_polynomials_are_the_same_value() {
    let (n, m) = (sym(0), sym(1));
    let square = n.add(&m).unwrap().mul(&n.sub(&m).unwrap()).unwrap();
    assert_eq!(square, n.mul(&n).unwrap().sub(&m.mul(&m).unwrap()).unwrap());
    assert!(n.sub(&n).unwrap().is_zero());
    assert_eq!(n.sub(&n).unwrap().as_constant(), Some(0));
    assert_eq!(n.offset(3).unwrap().constant_term(), 3);
}

#[test]
fn what_grows_too_far_is_unknown() {
    assert_eq!(Expr::constant(i128::MAX).offset(1), None);
    assert_eq!(Expr::constant(i128::MIN).neg(), None);
    let wide = (0..10).try_fold(Expr::zero(), |sum, i| sum.add(&sym(i))).unwrap();
    let square = wide.mul(&wide).unwrap();
    assert_eq!(square.terms().len(), 55);
    assert_eq!(square.mul(&wide), None);
    let mut power = sym(0);
    for _ in 1..MAX_DEGREE {
        power = power.mul(&sym(0)).unwrap();
    }
    assert_eq!(power.mul(&sym(0)), None);
}

#[test]
fn mentions_look_inside_atoms() {
    let half = sym(3).div(&Expr::constant(2)).unwrap();
    assert!(half.mentions(Sym(3)) && !half.mentions(Sym(2)));
    assert!(!half.has_opaque());
    assert!(half.add(&Expr::opaque(1)).unwrap().has_opaque());
    assert_eq!(sym(3).as_sym(), Some(Sym(3)));
    assert_eq!(half.as_sym(), None);
}

proptest! {
    #[test]
    fn operations_agree_with_arithmetic(a in exprs(), b in exprs(), k in -5i128..5, values in assignment()) {
        let leaf = leaf(&values);
        let of = |e: &Expr| e.eval(&leaf);
        if let (Some(x), Some(y)) = (of(&a), of(&b)) {
            prop_assert_eq!(a.add(&b).map(|e| of(&e)), Some(Some(x + y)));
            prop_assert_eq!(a.sub(&b).map(|e| of(&e)), Some(Some(x - y)));
            prop_assert_eq!(a.scale(k).map(|e| of(&e)), Some(Some(x * k)));
            if let Some(product) = a.mul(&b) {
                prop_assert_eq!(of(&product), Some(x * y));
            }
        }
    }
}
