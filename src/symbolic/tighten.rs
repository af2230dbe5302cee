//! Inequalities over the integers, as tight as they are: `2*x - 5 >= 0` is `x - 3 >= 0`.

use super::compose::gcd;
use super::expr::Expr;

/// The greatest common divisor of all coefficients but the constant's.
pub(super) fn variable_content(e: &Expr) -> u128 {
    e.terms()
        .iter()
        .filter(|t| !t.monomial.is_one())
        .fold(0, |g, t| gcd(g, t.coeff.unsigned_abs()))
}

/// An equivalent of `e >= 0` over the integers with coprime coefficients: `g*x + c >= 0` iff `x + floor(c/g) >= 0`.
pub fn tighten(e: &Expr) -> Expr {
    let Ok(common) = i128::try_from(variable_content(e)) else {
        return e.clone();
    };
    if common <= 1 {
        return e.clone();
    }
    let constant = e.constant_term();
    let divided = || {
        let variable = e
            .offset(constant.checked_neg()?)?
            .divide_exactly(&Expr::constant(common))?;
        variable.offset(constant.div_euclid(common))
    };
    divided().unwrap_or_else(|| e.clone())
}
