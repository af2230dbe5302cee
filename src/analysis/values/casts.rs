//! Numbers in another type than that of the variable that holds them.
//!
//! ```c
//! void half(double *v, int count) { … if(count > 0) map(tofrom: v[0:count]) … }
//! half(a, u);                     /* of an `unsigned u`: if((int)u > 0) map(tofrom: a[0:(int)u])              */
//! ```
//!
//! A number with a cast is a symbol of its own ([`super::table::SymKind::Cast`]), about which nothing is known but its
//! type. The number is written as the variable with a cast, wherever the variable can be, or by the name of a variable
//! that holds it. Callers know what a callee makes of its parameter so too
//! ([`crate::analysis::callee_term::CalleeTerm::Cast`]). Which number it is says `super::exact_numbers`.
//!
//! Non-goals: casts of sums and products, whose own type would have to be known; conversions to `bool`, which are tests.

use crate::program::ir::SourceType;
use std::cmp::Ordering;

/// An integer type of C.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct IntType {
    /// Size in bytes: 1, 2, 4 or 8.
    pub bytes: u8,
    /// Whether it has negative numbers.
    pub signed: bool,
}

impl IntType {
    /// `int`, in which C computes at least.
    pub const INT: IntType = IntType { bytes: 4, signed: true };
    /// `long`.
    pub const LONG: IntType = IntType { bytes: 8, signed: true };

    /// The type in which C computes with a number of this type and one of another: what is smaller than an `int` becomes one, and of two of
    /// one size the one without a sign prevails.
    #[must_use]
    pub fn common(self, other: IntType) -> IntType {
        let promoted = |ty: IntType| if ty.bytes < 4 { IntType::INT } else { ty };
        let (a, b) = (promoted(self), promoted(other));
        match a.bytes.cmp(&b.bytes) {
            Ordering::Less => b,
            Ordering::Greater => a,
            Ordering::Equal => IntType {
                bytes: a.bytes,
                signed: a.signed && b.signed,
            },
        }
    }

    /// The type, if it is one of these.
    pub fn of(ty: &SourceType) -> Option<IntType> {
        match *ty {
            SourceType::Int { bytes, signed } if [1, 2, 4, 8].contains(&bytes) => Some(IntType {
                bytes: bytes as u8,
                signed,
            }),
            _ => None,
        }
    }

    /// The type that the words of a cast mean.
    pub fn named(text: &str) -> Option<IntType> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let has = |word: &str| words.contains(&word);
        let fixed = words.iter().find_map(|w| w.strip_suffix("_t"));
        let bytes = match fixed {
            Some(name) => match name.trim_start_matches(['u', 'i', 'n', 't']) {
                "8" => 1,
                "16" => 2,
                "32" => 4,
                _ => 8,
            },
            None if has("char") => 1,
            None if has("short") => 2,
            None if has("long") => 8,
            None => 4,
        };
        // Whether a plain `char` is signed is up to the machine.
        let known = !has("char") || has("signed") || has("unsigned");
        let unsigned = has("unsigned") || fixed.is_some_and(|name| name.starts_with('u') || name == "size");
        known.then_some(IntType {
            bytes,
            signed: !unsigned,
        })
    }

    /// Whether C computes in it with no negative numbers: what is smaller than an `int` becomes one.
    pub fn stays_unsigned(self) -> bool {
        !self.signed && self.bytes >= 4
    }

    /// The type as the declarations have it.
    pub fn as_source(self) -> SourceType {
        SourceType::Int {
            bytes: u64::from(self.bytes),
            signed: self.signed,
        }
    }

    /// What a number becomes in it.
    pub fn wrapped(self, value: i128) -> i128 {
        let all = 1i128 << (8 * u32::from(self.bytes));
        let rest = value.rem_euclid(all);
        if self.signed && rest >= all / 2 {
            rest - all
        } else {
            rest
        }
    }

    /// The least and the greatest number of it.
    pub fn limits(self) -> (i128, i128) {
        let all = 1i128 << (8 * u32::from(self.bytes));
        match self.signed {
            true => (-all / 2, all / 2 - 1),
            false => (0, all - 1),
        }
    }

    /// How C calls it.
    pub fn name(self) -> &'static str {
        match (self.bytes, self.signed) {
            (1, true) => "signed char",
            (1, false) => "unsigned char",
            (2, true) => "short",
            (2, false) => "unsigned short",
            (4, true) => "int",
            (4, false) => "unsigned",
            (_, true) => "long",
            (_, false) => "unsigned long",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c_computes_in_the_common_type() {
        let ty = |bytes: u8, signed: bool| IntType { bytes, signed };
        let common = |a: IntType, b: IntType| a.common(b).name();
        assert_eq!(common(ty(1, false), ty(2, true)), "int");
        assert_eq!(common(ty(4, true), ty(4, false)), "unsigned");
        assert_eq!(common(ty(4, false), ty(8, true)), "long");
        assert_eq!(common(ty(8, false), ty(4, true)), "unsigned long");
    }
}
