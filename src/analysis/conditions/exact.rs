//! What conditions say of numbers where nothing may be taken of sizes.
//!
//! ```c
//! size_t count = n;
//! #pragma omp target … if(count < 100)            /* says of a negative `n` that it is not, where `n < 100` says that it is */
//! ```

use super::tokens::ConditionToken;
use crate::analysis::cexpr::{NameResolver, evaluate};
use crate::analysis::conditions::reader::{ConditionReader, comparison};
use crate::analysis::movement::scope::NameScope;
use crate::analysis::values::casts::IntType;
use crate::symbolic::{Expr, Summand};
use std::cell::Cell;

impl ConditionReader<'_> {
    /// Whether a number that is larger than taken makes a condition true, if anything: no other variable could be a size that is a
    /// huge number.
    pub(super) fn grows(&self, token: &ConditionToken, scope: &NameScope<'_>, positive: &Expr) -> bool {
        let ConditionToken::Int(slot, number) = token else {
            return true;
        };
        let taken = self.model.values.slot_int(*slot, scope.version(*slot));
        let mentions = |t: &&Summand| {
            taken
                .as_sym()
                .is_some_and(|s| Expr::from_term((*t).clone()).mentions(s))
        };
        let mut terms = positive.terms().iter().filter(mentions);
        *number == taken || taken.as_sym().is_some() && terms.all(|t| t.coeff > 0 && t.monomial.degree() == 1)
    }

    /// The number that is positive where a comparison of integers holds and nowhere else, with nothing taken of sizes.
    pub(super) fn said(&self, part: &str, scope: &NameScope<'_>) -> Option<Expr> {
        let (left, comparison, right) = comparison(part)??;
        let values = self.model.values;
        let names = Exact::new(scope);
        let (left, right) = (evaluate(left, &names)?, evaluate(right, &names)?);
        let difference = left.sub(&right)?;
        let said = match comparison {
            ">" => difference,
            ">=" => difference.offset(1)?,
            "<" => difference.neg()?,
            "<=" => difference.neg()?.offset(1)?,
            _ => return None,
        };
        // C compares as numbers what is signed, and what is unsigned unless it is computed or compared with a negative number.
        let alike = match names.has_unsigned() || has_unsigned_number(part) {
            true => {
                let is_unsigned = |s| values.is_unsigned(s);
                let is_there = |e: &Expr| match (e.as_sym(), e.as_constant()) {
                    (Some(s), _) => is_unsigned(s),
                    (_, constant) => constant.is_some_and(|c| c >= 0),
                };
                is_there(&left) && is_there(&right)
            }
            false => !values.may_wrap(&left) && !values.may_wrap(&right),
        };
        (alike && said.has_plain_symbols()).then(|| said.plainly_positive())
    }
}

/// A scope, and whether an expression that was looked at in it has parts of unsigned types: C makes all that it compares or
/// computes with them unsigned. A constant does not tell any more.
pub(super) struct Exact<'s, 'a> {
    scope: &'s NameScope<'a>,
    unsigned: Cell<bool>,
}

impl<'s, 'a> Exact<'s, 'a> {
    pub fn new(scope: &'s NameScope<'a>) -> Exact<'s, 'a> {
        Exact {
            scope,
            unsigned: Cell::new(false),
        }
    }

    /// Whether anything looked at so far was unsigned, and no less than an `int`.
    pub fn has_unsigned(&self) -> bool {
        self.unsigned.get()
    }

    fn note(&self, unsigned: bool) {
        self.unsigned.set(self.unsigned.get() || unsigned);
    }
}

impl NameResolver for Exact<'_, '_> {
    fn value(&self, path: &str) -> Option<Expr> {
        let slot = self.scope.slot(path)?;
        let ty = IntType::of(self.scope.declared_type(slot)?)?;
        self.note(ty.stays_unsigned());
        Some(self.scope.exact(slot))
    }

    fn type_of(&self, path: &str) -> Option<IntType> {
        self.scope.type_of(path)
    }

    fn macro_body(&self, name: &str) -> Option<String> {
        let body = self.scope.macro_body(name)?;
        self.note(has_unsigned_number(&body));
        Some(body)
    }

    fn divides(&self, left: &Expr, right: &Expr, unsigned: bool) -> bool {
        self.scope.divides(left, right, unsigned || self.has_unsigned())
    }

    fn cast(&self, value: Expr, to: &str) -> Option<Expr> {
        self.note(IntType::named(to)?.stays_unsigned());
        self.scope.exact_cast(value, to)
    }

    fn size_of(&self, text: &str) -> Option<i128> {
        self.note(true);
        self.scope.size_of(text)
    }
}

/// Whether a number in an expression may be an unsigned one: it is written so (`100u`), or is not decimal.
pub(super) fn has_unsigned_number(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.any(|word| {
        let is_number = word.starts_with(|c: char| c.is_ascii_digit());
        let is_decimal = word.trim_end_matches(['l', 'L']).bytes().all(|b| b.is_ascii_digit());
        is_number && !(is_decimal && (word.len() == 1 || !word.starts_with('0')))
    })
}
