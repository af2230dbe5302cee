//! Where the addresses in a test may be computed.
//!
//! ```c
//! for (long i = 0; i < *n; i++) a[i] = 0;         /* n == a + 5, *n == 1L << 61                                      */
//! ```
//!
//! What a loop touches exists, so that `a + n` is an address. A loop that writes its own bound may end long before it comes to
//! what that was: then `a + *n` is none, and may wrap around to one below `n`. So the test asks first that all numbers in it
//! are small enough for products of them to stay an address. No array is as long as this excludes.

use super::test::Extent;
use crate::analysis::dependence::Requirement;
use crate::annotate::spell::Speller;
use crate::symbolic::{Expr, Sym};
use std::collections::BTreeSet;

/// Bytes, in bits, within which no address and no `long` wraps around.
const FAR: u32 = 61;

/// What bounds the numbers in these sections; `None` where that cannot be said.
pub(in crate::annotate) fn limits<'e>(
    extents: impl Iterator<Item = &'e Extent>,
    speller: &Speller<'_>,
) -> Option<Vec<Requirement>> {
    let mut found: BTreeSet<Requirement> = BTreeSet::new();
    for extent in extents {
        for bound in [&extent.section.lo, &extent.section.hi] {
            let symbols = bound.symbols();
            if !bound.has_plain_symbols() {
                // A quotient, or the lesser of two: of one `int` it is no larger than that.
                let small = symbols.len() == 1 && symbols.iter().all(|s| speller.bytes_of(*s).is_some_and(|b| b <= 4));
                small.then_some(())?;
                continue;
            }
            let bits = fitting(bound, extent.element)?;
            for sym in symbols {
                if speller.bytes_of(sym)? * 8 > u64::from(bits) {
                    found.extend(within(sym, bits));
                }
            }
        }
    }
    Some(found.into_iter().collect())
}

/// How many bits all numbers in a bound may have.
fn fitting(bound: &Expr, element: u64) -> Option<u32> {
    let far = 1i128 << FAR;
    (8..=40u32).rev().find(|bits| {
        let largest = bound.terms().iter().try_fold(0i128, |sum, term| {
            let power = bits.checked_mul(term.monomial.degree())?;
            let number = 1i128.checked_shl(power).filter(|_| power < 100)?;
            term.coeff.abs().checked_mul(number)?.checked_add(sum)
        });
        let bytes = largest.and_then(|n| n.checked_mul(i128::from(element)));
        bytes.is_some_and(|b| b < far)
    })
}

/// `-2^bits <= sym <= 2^bits`.
fn within(sym: Sym, bits: u32) -> [Requirement; 2] {
    let most = 1i128 << bits;
    let number = Expr::sym(sym);
    [
        Requirement::AtMost {
            left: number.clone(),
            right: Expr::constant(most),
        },
        Requirement::AtMost {
            left: Expr::constant(-most),
            right: number,
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_take_smaller_numbers() {
        let (n, m) = (Expr::sym(Sym(0)), Expr::sym(Sym(1)));
        let product = n.mul(&m).unwrap();
        assert_eq!(fitting(&n, 8), Some(40));
        assert_eq!(fitting(&product, 4), Some(29));
        assert_eq!(fitting(&product.mul(&n).unwrap(), 8), Some(19));
        assert_eq!(fitting(&n.scale(1 << 40).unwrap(), 8), Some(17));
    }
}
