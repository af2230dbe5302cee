//! Comparisons as they can be written at a gap (R7): of numbers with each other, and of the ends of arrays.
//!
//! Comparisons are computed in the types of the variables that stand there, in which a sum may be another number than
//! it is meant to be. Numbers are written by names that hold the very number: what is asked decides where kernels work.

use super::names::NamingPoint;
use crate::analysis::values::table::Base;
use crate::program::ir::SourceType;
use crate::symbolic::{Expr, Facts, Section, Summand};

impl NamingPoint<'_> {
    /// One side of a comparison: by the variable that holds it where there is one.
    fn side(&self, e: &Expr) -> Option<String> {
        self.shorter_number(e).or_else(|| self.computed(e, &|s| self.number(s)))
    }

    /// Whether a directive can say here that it copies a section: where that may be of negative length, it asks.
    pub(super) fn can_ask(&self, section: &Section, certain: &Facts) -> bool {
        let asked = || section.len().and_then(|length| self.positive(&length));
        certain.prove_le(&section.lo, &section.hi) || asked().is_some()
    }

    /// How `e` is positive where it is about one number: `n > 2` for `3 * n - 6`, because `3 * n` may overflow.
    fn compared(&self, e: &Expr) -> Option<Option<String>> {
        let constant = e.constant_term();
        let mut symbols = e.terms().iter().filter(|t| !t.monomial.is_one());
        let (Some(term), None) = (symbols.next(), symbols.next()) else {
            return None;
        };
        let unit = Expr::from_term(Summand {
            coeff: 1,
            ..term.clone()
        });
        let sym = unit.as_sym()?;
        let bound = match term.coeff > 0 {
            true => constant.checked_neg()?.div_euclid(term.coeff),
            false => -(-constant).div_euclid(term.coeff.checked_neg()?),
        };
        // There is no negative number to compare an unsigned one with.
        let compares = bound >= 0 || !self.model.values.is_unsigned(sym);
        let operator = if term.coeff > 0 { ">" } else { "<" };
        let said = || Some(format!("{} {operator} {bound}", self.side(&unit)?));
        Some(compares.then(said).flatten())
    }

    /// C that is true when `e` is positive: `n > 2` for `n - 2`.
    pub fn positive(&self, e: &Expr) -> Option<String> {
        if let Some(one) = self.compared(e) {
            return one;
        }
        if let Some(held) = self.shorter(e) {
            return Some(format!("{held} > 0"));
        }
        // Sizes are not negative: a product is positive where its factor is, or empty whatever the condition says.
        let common = e.symbols().into_iter().find_map(|s| {
            e.div(&Expr::sym(s))
                .filter(|q| !q.symbols().is_empty() && q.mul(&Expr::sym(s)).as_ref() == Some(e))
        });
        if let Some(rest) = common {
            return self.positive(&rest);
        }
        let (mut plus, mut minus) = (Expr::constant(0), Expr::constant(0));
        for term in e.terms().iter().filter(|t| !t.monomial.is_one()) {
            let single = Expr::from_term(term.clone());
            if term.coeff > 0 {
                plus = plus.add(&single)?;
            } else {
                minus = minus.sub(&single)?;
            }
        }
        // A side without symbols compares to the constant as it stands; else the constant stays on the side where it is
        // not negative.
        let constant = e.constant_term();
        if plus.is_zero() {
            return Some(format!("{} < {constant}", self.side(&minus)?));
        }
        if minus.is_zero() {
            return Some(format!("{} > {}", self.side(&plus)?, -constant));
        }
        if constant >= 0 {
            plus = plus.offset(constant)?;
        } else {
            minus = minus.offset(-constant)?;
        }
        Some(format!("{} > {}", self.side(&plus)?, self.side(&minus)?))
    }

    /// C that is true when two sections do not overlap.
    pub fn disjoint(&self, a: Base, sa: &Section, b: Base, sb: &Section) -> Option<String> {
        let (a, b) = (self.named(a)?, self.named(b)?);
        let same = a.1.map(strip) == b.1.map(strip);
        let edge = |(name, ty): &(String, Option<&SourceType>), bound: &Expr| {
            // Of an array of rows, the first element.
            let name = format!("{}{name}", "*".repeat(rows_in(*ty)));
            let text = if bound.is_zero() {
                name
            } else {
                format!("{name} + {}", self.bound(bound)?)
            };
            Some(if same {
                text
            } else if bound.is_zero() {
                format!("(const char *){text}")
            } else {
                format!("(const char *)({text})")
            })
        };
        Some(format!(
            "{} <= {} || {} <= {}",
            edge(&a, &sa.hi)?,
            edge(&b, &sb.lo)?,
            edge(&b, &sb.hi)?,
            edge(&a, &sa.lo)?
        ))
    }
}

/// How many steps lead from what a name points to, to an element: one of `double (*a)[m]`.
fn rows_in(ty: Option<&SourceType>) -> usize {
    match ty {
        Some(SourceType::Array { dims, .. }) => dims.len().saturating_sub(1),
        Some(SourceType::Pointer { to, .. }) => match &**to {
            SourceType::Array { dims, .. } => dims.len(),
            _ => 0,
        },
        _ => 0,
    }
}

/// A pointer type without what does not matter for comparing pointers.
fn strip(ty: &SourceType) -> &SourceType {
    match ty {
        SourceType::Pointer { to, .. } => to,
        SourceType::Array { elem, .. } => elem,
        other => other,
    }
}
