//! Whether a counter stays in its type: whether what it counts up to is what it seems.
//!
//! ```c
//! for (uint8_t c = 5; c >= 0; c--) …          /* c is 255 behind 0                                          */
//! for (unsigned i = 7; i >= 1; i -= 3) …      /* i is 4294967294 behind 1                                   */
//! for (size_t i = s; i != e; i++) …           /* comes to e by way of 0, if s is larger                     */
//! for (unsigned i = 0; i < n; i++) …          /* of an `unsigned n`: comes to n, and no further             */
//! ```
//!
//! A counter with a sign, of 32 bits or more, may not overflow. Any other one wraps around, unless what it is in the last iteration
//! leaves room for a step. Where a step is one and nothing but the comparison ends the loop, wrapping around means that all
//! numbers of the type pass it: the loop does not end. Of counters of less than 32 bits that is not taken: a call may end them.

use super::range::Range;
use super::table::{SymKind, Values};
use crate::program::ir::{Pred, SourceType};
use crate::symbolic::{Expr, Sym};

/// A variable that a loop counts by.
pub(super) struct Counter<'a> {
    pub values: &'a Values<'a>,
    /// Its value in the current iteration.
    pub sym: Sym,
    /// What is added to it between two iterations.
    pub step: i128,
    /// Control leaves the loop only where the comparison fails.
    pub ends: bool,
}

impl Counter<'_> {
    /// Whether it wraps around in no iteration that begins while it is `pred` than `bound`.
    pub fn stays_in_type(&self, first: &Expr, pred: Pred, bound: &Expr) -> bool {
        let Some(all) = self.values.wrapping_range(self.sym) else {
            return true;
        };
        let Some(range) = self.values.range(bound) else {
            return false;
        };
        let (rises, step) = (self.step > 0, self.step);
        let next = match (pred, rises) {
            (Pred::Lt, true) => range.hi - 1 + step,
            (Pred::Le, true) => range.hi + step,
            (Pred::Gt, false) => range.lo + 1 + step,
            (Pred::Ge, false) => range.lo + step,
            (Pred::Ne, _) => {
                let way = if rises { bound.sub(first) } else { first.sub(bound) };
                let is_ahead = way.is_some_and(|way| self.values.range(&way).is_some_and(|r| r.lo >= 0));
                return is_ahead && range.within(all);
            }
            _ => return false,
        };
        let is_wide = all.hi >= i128::from(u32::MAX);
        all.has(next) || is_wide && step.unsigned_abs() == 1 && self.ends
    }
}

impl Values<'_> {
    /// The range of a variable's type, if numbers of it wrap around.
    fn wrapping_range(&self, sym: Sym) -> Option<Range> {
        let SymKind::Slot(slot, _) = self.kind(sym) else {
            return None;
        };
        match self.declared_type(slot) {
            Some(SourceType::Int {
                bytes: 4..,
                signed: true,
            }) => None,
            Some(SourceType::Int { bytes, signed }) => {
                let half = 1i128 << (8 * (*bytes).min(8) - 1);
                Some(match signed {
                    true => Range {
                        lo: -half,
                        hi: half - 1,
                    },
                    false => Range {
                        lo: 0,
                        hi: 2 * half - 1,
                    },
                })
            }
            _ => None,
        }
    }

    /// Whether what a variable becomes is surely a number of its type. In 64 bits nothing is taken to wrap around.
    pub(super) fn stays_in_type(&self, sym: Sym, next: &Expr) -> bool {
        let Some(all) = self.wrapping_range(sym) else {
            return true;
        };
        all.hi > i128::from(u32::MAX) || self.range(next).is_some_and(|range| range.within(all))
    }
}
