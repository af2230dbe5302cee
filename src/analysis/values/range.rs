//! Ranges of integers, and what sums, products and quotients make of them.

use super::casts::IntType;

/// The least and the largest number that something may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// The least.
    pub lo: i128,
    /// The largest.
    pub hi: i128,
}

impl Range {
    /// One number.
    pub fn only(value: i128) -> Range {
        Range { lo: value, hi: value }
    }

    /// All numbers of a type.
    pub fn of_type(ty: IntType) -> Range {
        let all = 1i128 << (8 * u32::from(ty.bytes));
        match ty.signed {
            true => Range {
                lo: -(all / 2),
                hi: all / 2 - 1,
            },
            false => Range { lo: 0, hi: all - 1 },
        }
    }

    /// The numbers of so many bits without a sign.
    pub fn unsigned(bits: u32) -> Range {
        Range {
            lo: 0,
            hi: (1i128 << bits.min(64)) - 1,
        }
    }

    /// Whether a number lies in it.
    pub fn has(self, value: i128) -> bool {
        (self.lo..=self.hi).contains(&value)
    }

    /// Whether all of it lies in another one.
    pub fn within(self, other: Range) -> bool {
        other.lo <= self.lo && self.hi <= other.hi
    }

    /// The least range that has both in it.
    pub fn both(self, other: Range) -> Range {
        Range {
            lo: self.lo.min(other.lo),
            hi: self.hi.max(other.hi),
        }
    }

    /// The range of a sum.
    pub fn add(self, other: Range) -> Option<Range> {
        Some(Range {
            lo: self.lo.checked_add(other.lo)?,
            hi: self.hi.checked_add(other.hi)?,
        })
    }

    /// The range of a product.
    pub fn mul(self, other: Range) -> Option<Range> {
        let mut corners = [0; 4];
        let pairs = [
            (self.lo, other.lo),
            (self.lo, other.hi),
            (self.hi, other.lo),
            (self.hi, other.hi),
        ];
        for (corner, (a, b)) in corners.iter_mut().zip(pairs) {
            *corner = a.checked_mul(b)?;
        }
        Some(Range {
            lo: *corners.iter().min()?,
            hi: *corners.iter().max()?,
        })
    }

    /// The largest distance from zero.
    pub fn magnitude(self) -> u128 {
        self.lo.unsigned_abs().max(self.hi.unsigned_abs())
    }

    /// What is left where no quotient or remainder exceeds `most` and none has another sign than the dividend.
    pub fn shrunk(self, most: i128) -> Range {
        Range {
            lo: if self.lo < 0 { (-most).max(self.lo) } else { 0 },
            hi: if self.hi > 0 { most.min(self.hi) } else { 0 },
        }
    }
}
