//! Division of polynomials.
//!
//! ```text
//! n*m + 30*n + 4  =  n * (m + 30) + 4          rows of m + 30 elements: row n, element 4
//! ```
//!
//! The algorithm is long division by the leading term in graded lexicographic order (Cox, Little, O'Shea: Ideals, Varieties, and
//! Algorithms, 2.3): what the leading term of the divisor does not divide goes to the remainder.

use super::expr::{Expr, Monomial, Summand};
use std::cmp::Ordering;

/// Polynomials with more terms than these are not divided.
const MOST_TERMS: usize = 64;

impl Expr {
    /// A quotient and a remainder, so that `self` is `quotient * divisor + remainder`; `None` where the divisor is zero or numbers
    /// become too large.
    pub fn split_by(&self, divisor: &Expr) -> Option<(Expr, Expr)> {
        let by = divisor.leading()?;
        let (mut quotient, mut remainder, mut rest) = (Vec::new(), Vec::new(), self.clone());
        while let Some(leading) = rest.leading() {
            if quotient.len() + remainder.len() > MOST_TERMS {
                return None;
            }
            let taken = match leading.divided_by(by) {
                Some(term) => {
                    let product = Expr::from_term(term.clone()).mul(divisor)?;
                    quotient.push(term);
                    product
                }
                None => {
                    remainder.push(leading.clone());
                    Expr::from_term(leading.clone())
                }
            };
            rest = rest.sub(&taken)?;
        }
        Some((Expr::from_terms(quotient)?, Expr::from_terms(remainder)?))
    }

    /// The first of its terms in an order that products keep.
    fn leading(&self) -> Option<&Summand> {
        self.terms().iter().max_by(|a, b| graded(&a.monomial, &b.monomial))
    }
}

impl Summand {
    fn divided_by(&self, by: &Summand) -> Option<Summand> {
        let exact = self.coeff.checked_rem(by.coeff)? == 0;
        Some(Summand {
            monomial: self.monomial.divided_by(&by.monomial)?,
            coeff: self.coeff.checked_div(by.coeff).filter(|_| exact)?,
        })
    }
}

/// The graded lexicographic order of two monomials.
fn graded(a: &Monomial, b: &Monomial) -> Ordering {
    let lexicographic = || {
        let first = a.factors().iter().zip(b.factors()).find(|(x, y)| x != y);
        // Factors are in the order of their atoms: who has the smaller atom, or more of it, is the greater one.
        first.map_or(Ordering::Equal, |((x, p), (y, q))| y.cmp(x).then(p.cmp(q)))
    };
    a.degree().cmp(&b.degree()).then_with(lexicographic)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbolic::testing::{exprs, sym};
    use proptest::prelude::*;

    fn product(a: &Expr, b: &Expr) -> Expr {
        a.mul(b).unwrap()
    }

    #[test]
    fn sums_divide_sums() {
        let (n, m) = (sym(0), sym(1));
        let rows = m.offset(30).unwrap();
        let section = product(&n.offset(20).unwrap(), &rows);
        let divided = section.split_by(&rows).unwrap();
        assert_eq!(divided, (n.offset(20).unwrap(), Expr::zero()));
        let (row, column) = section.offset(4).unwrap().split_by(&rows).unwrap();
        assert_eq!((row, column), (n.offset(20).unwrap(), Expr::constant(4)));
        assert_eq!(n.split_by(&Expr::zero()), None);
        assert_eq!(n.split_by(&rows).unwrap(), (Expr::zero(), n.clone()));
    }

    proptest! {
        #[test]
        fn quotients_and_remainders_make_up_the_whole(a in exprs(), b in exprs()) {
            if let Some((quotient, remainder)) = a.split_by(&b) {
                let whole = quotient.mul(&b).and_then(|p| p.add(&remainder));
                prop_assert!(whole.is_none() || whole == Some(a));
            }
        }

        #[test]
        fn products_divide_exactly(a in exprs(), b in exprs()) {
            if let Some(whole) = a.mul(&b).filter(|_| !b.is_zero())
                && let Some(divided) = whole.split_by(&b)
            {
                prop_assert_eq!(divided, (a, Expr::zero()));
            }
        }
    }
}
