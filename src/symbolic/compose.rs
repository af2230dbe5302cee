//! The operators that are not polynomial: division, remainder, minimum and maximum.
//!
//! Each constructor first simplifies as far as the mathematics allows *without knowing any fact*, so that the same value
//! tends to have the same form:
//!
//! * constants fold;
//! * `(4*x + 8*y) / 4` is `x + 2*y` and `n*m / m` is `n`: exact by coefficients, and equal wherever the quotient is
//!   defined at all;
//! * signs leave the quotient, because C truncates towards zero: `-a / b = a / -b = -(a / b)`;
//! * a minimum is flat, sorted, without duplicates, and of arguments that differ by a constant only the least stays;
//!   a constant that all arguments share leaves it.
//!
//! `(4*x + 2) / 4` is *not* simplified: it is `x` for `x >= 0` and may be `x + 1` below.

use super::expr::{Atom, Expr, Summand};

/// The most arguments of one minimum or maximum.
const MAX_ARGS: usize = 4;

/// Greatest common divisor of magnitudes; `gcd(0, b) = b`.
pub(super) fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Expr {
    /// C's quotient, truncating towards zero. `None` for a divisor that is the constant 0.
    pub fn div(&self, divisor: &Expr) -> Option<Expr> {
        if divisor.is_zero() {
            return None;
        }
        if let Some(exact) = self.divide_exactly(divisor) {
            return Some(exact);
        }
        if let (Some(a), Some(b)) = (self.as_constant(), divisor.as_constant()) {
            return Some(Expr::constant(a.checked_div(b)?));
        }
        let (a, negative_a) = self.without_sign()?;
        let (b, negative_b) = divisor.without_sign()?;
        let common = i128::try_from(gcd(a.content(), b.content())).ok()?;
        let (a, b) = (a.shrink(common), b.shrink(common));
        let quotient = Expr::checked_atom(Atom::Div(a, b))?;
        if negative_a == negative_b {
            Some(quotient)
        } else {
            quotient.neg()
        }
    }

    /// C's remainder, with the sign of the dividend. `None` for a divisor that is the constant 0.
    pub fn rem(&self, divisor: &Expr) -> Option<Expr> {
        if divisor.is_zero() {
            return None;
        }
        if self.divide_exactly(divisor).is_some() {
            return Some(Expr::zero());
        }
        if let (Some(a), Some(b)) = (self.as_constant(), divisor.as_constant()) {
            return Some(Expr::constant(a.checked_rem(b)?));
        }
        let (a, negative) = self.without_sign()?;
        let (b, _) = divisor.without_sign()?;
        let remainder = Expr::checked_atom(Atom::Rem(a, b))?;
        if negative { remainder.neg() } else { Some(remainder) }
    }

    /// The least of the arguments. `None` for no argument or too many.
    pub fn min_of(args: &[Expr]) -> Option<Expr> {
        Expr::extreme(args, true)
    }

    /// The greatest of the arguments. `None` for no argument or too many.
    pub fn max_of(args: &[Expr]) -> Option<Expr> {
        Expr::extreme(args, false)
    }

    fn extreme(args: &[Expr], least: bool) -> Option<Expr> {
        let mut kept: Vec<Expr> = Vec::new();
        for arg in args {
            match arg.as_atom() {
                Some(Atom::Min(inner)) if least => inner.iter().try_for_each(|e| keep(&mut kept, e, least))?,
                Some(Atom::Max(inner)) if !least => inner.iter().try_for_each(|e| keep(&mut kept, e, least))?,
                _ => keep(&mut kept, arg, least)?,
            }
        }
        kept.sort();
        match kept.as_slice() {
            [] => return None,
            [only] => return Some(only.clone()),
            _ if kept.len() > MAX_ARGS => return None,
            _ => {}
        }
        let shift = kept[0].constant_term();
        if shift != 0 && kept.iter().all(|e| e.constant_term() == shift) {
            let bare = kept
                .iter()
                .map(|e| e.offset(shift.checked_neg()?))
                .collect::<Option<Vec<_>>>()?;
            return Expr::extreme(&bare, least)?.offset(shift);
        }
        Expr::checked_atom(if least { Atom::Min(kept) } else { Atom::Max(kept) })
    }

    /// What is positive exactly where this is, without arguments of a maximum (or, subtracted, a minimum) that never make
    /// it so: `n` for `max(0, n)`, `n - 1` for `max(0, n) - 1`.
    pub fn plainly_positive(&self) -> Expr {
        self.without_idle_arguments().unwrap_or_else(|| self.clone())
    }

    fn without_idle_arguments(&self) -> Option<Expr> {
        let rest = self.constant_term();
        let single = self.offset(rest.checked_neg()?)?;
        let [term] = single.terms() else { return None };
        let args = match (term.monomial.factors(), term.coeff > 0) {
            ([(Atom::Max(args), 1)], true) | ([(Atom::Min(args), 1)], false) => args,
            _ => return None,
        };
        let with = |arg: &Expr| arg.scale(term.coeff)?.offset(rest);
        let idle = |arg: &Expr| with(arg).and_then(|e| e.as_constant()).is_some_and(|c| c <= 0);
        let mut kept = args.iter().filter(|arg| !idle(arg));
        match (kept.next(), kept.next()) {
            (Some(only), None) => Some(with(only)?.plainly_positive()),
            _ => None,
        }
    }

    /// The atom as an expression, if it is not too large.
    fn checked_atom(atom: Atom) -> Option<Expr> {
        Expr::from_terms(Expr::atom(atom).terms().to_vec())
    }

    /// The greatest common divisor of all coefficients; 0 for the expression 0.
    pub(super) fn content(&self) -> u128 {
        self.terms().iter().fold(0, |g, term| gcd(g, term.coeff.unsigned_abs()))
    }

    /// Divides every coefficient by a positive common divisor.
    fn shrink(&self, by: i128) -> Expr {
        if by <= 1 {
            return self.clone();
        }
        let terms = self.terms().iter().map(|t| Summand {
            monomial: t.monomial.clone(),
            coeff: t.coeff / by,
        });
        Expr::from_terms(terms.collect()).unwrap_or_else(|| self.clone())
    }

    /// The expression with a positive leading coefficient, and whether it was negated for that.
    fn without_sign(&self) -> Option<(Expr, bool)> {
        match self.terms().last() {
            Some(leading) if leading.coeff < 0 => Some((self.neg()?, true)),
            _ => Some((self.clone(), false)),
        }
    }

    /// The quotient by what divides the whole expression.
    pub(super) fn divide_exactly(&self, divisor: &Expr) -> Option<Expr> {
        let [by] = divisor.terms() else {
            let (quotient, remainder) = self.split_by(divisor)?;
            return remainder.is_zero().then_some(quotient);
        };
        let terms = self.terms().iter().map(|term| {
            let coeff = (term.coeff.checked_rem(by.coeff)? == 0).then_some(term.coeff.checked_div(by.coeff)?)?;
            Some(Summand {
                monomial: term.monomial.divided_by(&by.monomial)?,
                coeff,
            })
        });
        Expr::from_terms(terms.collect::<Option<Vec<_>>>()?)
    }
}

/// Adds an argument of a minimum (or maximum) unless one that differs by a constant makes it redundant.
fn keep(kept: &mut Vec<Expr>, arg: &Expr, least: bool) -> Option<()> {
    for other in kept.iter_mut() {
        if let Some(difference) = arg.sub(other).and_then(|d| d.as_constant()) {
            if (difference < 0) == least && difference != 0 {
                *other = arg.clone();
            }
            return Some(());
        }
    }
    kept.push(arg.clone());
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbolic::testing::{assignment, exprs, leaf, sym};
    use proptest::prelude::*;

    fn c(value: i128) -> Expr {
        Expr::constant(value)
    }

    #[test]
    fn exact_quotients_disappear() {
        let (x, y) = (sym(0), sym(1));
        let sum = x.scale(4).unwrap().add(&y.scale(8).unwrap()).unwrap();
        assert_eq!(sum.div(&c(4)).unwrap(), x.add(&y.scale(2).unwrap()).unwrap());
        assert_eq!(x.mul(&y).unwrap().div(&y).unwrap(), x);
        assert!(sum.rem(&c(4)).unwrap().is_zero());
        let inexact = x.scale(4).unwrap().offset(2).unwrap();
        assert_ne!(inexact.div(&c(4)).unwrap(), x);
        assert_eq!(c(-7).div(&c(2)).unwrap(), c(-3));
        assert_eq!(c(-7).rem(&c(2)).unwrap(), c(-1));
        assert_eq!(x.div(&c(0)), None);
        assert_eq!(x.rem(&c(0)), None);
    }

    #[test]
    fn signs_leave_the_quotient() {
        let x = sym(0);
        let half = x.div(&c(2)).unwrap();
        assert_eq!(x.neg().unwrap().div(&c(2)).unwrap(), half.neg().unwrap());
        assert_eq!(x.div(&c(-2)).unwrap(), half.neg().unwrap());
        assert_eq!(x.scale(3).unwrap().div(&c(6)).unwrap(), half);
    }

    #[test]
    fn minima_are_canonical() {
        let (x, y) = (sym(0), sym(1));
        let pair = Expr::min_of(&[x.clone(), y.clone()]).unwrap();
        assert_eq!(Expr::min_of(&[y.clone(), x.clone(), x.clone()]).unwrap(), pair);
        assert_eq!(Expr::min_of(&[pair.clone(), x.offset(1).unwrap()]).unwrap(), pair);
        assert_eq!(
            Expr::min_of(&[x.clone(), x.offset(-1).unwrap()]).unwrap(),
            x.offset(-1).unwrap()
        );
        let shifted = Expr::min_of(&[x.offset(2).unwrap(), y.offset(2).unwrap()]).unwrap();
        assert_eq!(shifted, pair.offset(2).unwrap());
        assert_eq!(Expr::max_of(&[c(2), c(5)]).unwrap(), c(5));
        assert_eq!(Expr::min_of(&[]), None);
        assert_eq!(Expr::min_of(&[sym(0), sym(1), sym(2), sym(3), sym(4)]), None);
    }

    #[test]
    fn what_never_makes_it_positive_is_left_out() {
        let (n, m) = (sym(0), sym(1));
        let size = Expr::max_of(&[c(0), n.clone()]).unwrap();
        assert_eq!(size.plainly_positive(), n);
        assert_eq!(size.offset(-3).unwrap().plainly_positive(), n.offset(-3).unwrap());
        assert_eq!(size.offset(1).unwrap().plainly_positive(), size.offset(1).unwrap());
        assert_eq!(size.neg().unwrap().plainly_positive(), size.neg().unwrap());
        let least = Expr::min_of(&[c(4), n.clone()]).unwrap();
        assert_eq!(c(2).sub(&least).unwrap().plainly_positive(), c(2).sub(&n).unwrap());
        let both = Expr::max_of(&[c(0), n.clone(), m.clone()]).unwrap();
        assert_eq!(both.plainly_positive(), both);
    }

    proptest! {
        #[test]
        fn what_is_plainly_positive_is_so_in_the_same_places(
            a in exprs(), k in -4i128..4, by in -3i128..4, more in -4i128..4, values in assignment()
        ) {
            let leaf = leaf(&values);
            let pair = [a, Expr::constant(k)];
            for e in [Expr::max_of(&pair), Expr::min_of(&pair)] {
                let Some(e) = e.and_then(|e| e.scale(by)?.offset(more)) else { continue };
                let plain = e.plainly_positive();
                if let (Some(x), Some(y)) = (e.eval(&leaf), plain.eval(&leaf)) {
                    prop_assert_eq!(x > 0, y > 0);
                }
            }
        }

        #[test]
        fn composites_agree_with_arithmetic(a in exprs(), b in exprs(), values in assignment()) {
            let leaf = leaf(&values);
            if let (Some(x), Some(y)) = (a.eval(&leaf), b.eval(&leaf)) {
                let pair = [a.clone(), b.clone()];
                if let Some(e) = Expr::min_of(&pair) {
                    prop_assert_eq!(e.eval(&leaf), Some(x.min(y)));
                }
                if let Some(e) = Expr::max_of(&pair) {
                    prop_assert_eq!(e.eval(&leaf), Some(x.max(y)));
                }
                if y != 0 {
                    if let Some(e) = a.div(&b) {
                        prop_assert_eq!(e.eval(&leaf), Some(x / y));
                    }
                    if let Some(e) = a.rem(&b) {
                        prop_assert_eq!(e.eval(&leaf), Some(x % y));
                    }
                }
            }
        }
    }
}
