//! The names of a condition with the numbers that they are, where nothing may be taken of sizes.

use crate::analysis::cexpr::Names;
use crate::analysis::movement::scope::Scope;
use crate::analysis::values::casts::IntType;
use crate::symbolic::Expr;
use std::cell::Cell;

/// A scope, and whether an expression that was looked at in it has parts of unsigned types: C makes all that it compares or
/// computes with them unsigned. A constant does not tell any more.
pub(super) struct Exact<'s, 'a> {
    scope: &'s Scope<'a>,
    unsigned: Cell<bool>,
}

impl<'s, 'a> Exact<'s, 'a> {
    pub fn new(scope: &'s Scope<'a>) -> Exact<'s, 'a> {
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

impl Names for Exact<'_, '_> {
    fn value(&self, path: &str) -> Option<Expr> {
        let slot = self.scope.slot(path)?;
        let ty = IntType::of(self.scope.declared_type(slot)?)?;
        self.note(ty.stays_unsigned());
        Some(self.scope.exact(slot))
    }

    fn macro_body(&self, name: &str) -> Option<String> {
        let body = self.scope.macro_body(name)?;
        self.note(has_unsigned_number(&body));
        Some(body)
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
