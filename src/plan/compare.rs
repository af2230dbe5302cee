//! Comparisons as they can be written at a gap (R7): of numbers with each other, and of the ends of arrays.
//!
//! Comparisons are computed in the types of the variables that stand there, in which a sum may be another number than
//! it is meant to be. Numbers are written by names that hold the very number: what is asked decides where kernels work.

use super::names::NamingPoint;
use crate::analysis::values::casts::IntType;
use crate::analysis::values::range::Range;
use crate::analysis::values::table::Base;
use crate::program::ir::SourceType;
use crate::symbolic::{Expr, Facts, Section, Summand, tighten};

/// One side of a comparison, as it stands in the text.
struct ComparedSide {
    text: String,
    /// The type in which C has it.
    ty: IntType,
    /// Whether the number surely is not negative.
    counts: bool,
}

impl ComparedSide {
    /// Whether C compares the two as numbers: an `unsigned` and a negative `int` it does not.
    fn compares_with(&self, other: &ComparedSide) -> bool {
        self.ty.common(other.ty).signed || self.counts && other.counts
    }
}

impl NamingPoint<'_> {
    /// One side of a comparison: by the variable that holds it where there is one.
    fn side(&self, e: &Expr) -> Option<String> {
        self.shorter_number(e).or_else(|| self.computed(e, &|s| self.number(s)))
    }

    /// One side of a comparison if what is computed there is the very number, in `long` where that is asked for.
    fn compared_side(&self, e: &Expr, wide: bool) -> Option<ComparedSide> {
        let values = self.model.values;
        let counts = values.range(e).is_some_and(|range| range.lo >= 0);
        if let Some((text, Some(ty))) = self.shorter_with_type(e).filter(|_| !wide) {
            return Some(ComparedSide { text, ty, counts });
        }
        let types = e.symbols().into_iter().map(|s| values.type_of(s));
        let types: Vec<IntType> = types.collect::<Option<_>>()?;
        let ty = types.iter().fold(IntType::INT, |all, ty| all.common(*ty));
        let number = |s| self.number(s);
        if !e.has_plain_symbols() {
            // What is divided looks after itself.
            let text = self.computed(e, &number).filter(|_| !wide)?;
            return Some(ComparedSide { text, ty, counts });
        }
        let fits_in_long = ty.signed || ty.bytes < IntType::LONG.bytes;
        let ty = match wide {
            true if !fits_in_long => return None,
            true => IntType::LONG,
            false => ty,
        };
        let all = Range::of_type(ty);
        let is_there = e.as_sym().is_some() || e.as_constant().is_some_and(|value| all.has(value));
        let computes = match ty.signed {
            true => values.most_on_the_way(e).is_some_and(|m| m <= all.hi.unsigned_abs()),
            false => values.fits(e, ty),
        };
        let text = (is_there || computes).then(|| self.printed(e, &number, wide))??;
        Some(ComparedSide { text, ty, counts })
    }

    /// Two numbers compared, with as few casts as make it the comparison of these numbers.
    fn comparison(&self, left: &Expr, operator: &str, right: &Expr) -> Option<String> {
        [(false, false), (false, true), (true, false), (true, true)]
            .into_iter()
            .find_map(|(wide_left, wide_right)| {
                let (a, b) = (
                    self.compared_side(left, wide_left)?,
                    self.compared_side(right, wide_right)?,
                );
                a.compares_with(&b).then(|| format!("{} {operator} {}", a.text, b.text))
            })
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
        let e = &in_lowest_terms(e)?;
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
            return self.comparison(&minus, "<", &Expr::constant(constant));
        }
        if minus.is_zero() {
            return self.comparison(&plus, ">", &Expr::constant(constant.checked_neg()?));
        }
        match constant {
            1 => return self.comparison(&plus, ">=", &minus),
            0.. => plus = plus.offset(constant)?,
            _ => minus = minus.offset(constant.checked_neg()?)?,
        }
        self.comparison(&plus, ">", &minus)
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

/// An expression that is positive where another one is: one without factors that all its symbols have.
fn in_lowest_terms(e: &Expr) -> Option<Expr> {
    tighten(&e.offset(-1)?).offset(1)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbolic::Sym;

    fn sum(a: i128, b: i128, constant: i128) -> Expr {
        let times = |coeff: i128, sym: u32| Expr::sym(Sym(sym)).mul(&Expr::constant(coeff)).expect("a product");
        let both = times(a, 0).add(&times(b, 1)).expect("a sum");
        both.offset(constant).expect("a sum")
    }

    #[test]
    fn lowest_terms_are_positive_where_the_terms_are() {
        let of = |a, b, constant| in_lowest_terms(&sum(a, b, constant)).expect("terms");
        assert_eq!(of(2, -2, 0), sum(1, -1, 0));
        assert_eq!(of(2, -4, 3), sum(1, -2, 2));
        assert_eq!(of(2, -4, -3), sum(1, -2, -1));
        assert_eq!(of(3, -2, 1), sum(3, -2, 1));
        for (a, b) in [(-3, 1), (0, 0), (1, 2), (5, -4)] {
            for constant in -5..6 {
                let is_positive = |x: i128, y: i128, c: i128| x * a + y * b + c > 0;
                let low = of(4, -6, constant).constant_term();
                assert_eq!(
                    is_positive(4, -6, constant),
                    is_positive(2, -3, low),
                    "{a} {b} {constant}"
                );
            }
        }
    }

    #[test]
    fn a_negative_number_compares_with_smaller_unsigned_ones_only() {
        let side = |bytes: u8, signed: bool, counts: bool| ComparedSide {
            text: String::new(),
            ty: IntType { bytes, signed },
            counts,
        };
        assert!(side(4, true, false).compares_with(&side(4, true, false)));
        assert!(!side(4, true, false).compares_with(&side(4, false, true)));
        assert!(side(4, true, true).compares_with(&side(4, false, true)));
        assert!(side(8, true, false).compares_with(&side(4, false, true)));
        assert!(side(4, true, false).compares_with(&side(2, false, true)));
    }
}
