//! A half-open interval of element numbers, and comparisons between two of them.

use super::expr::{Expr, Sym};
use super::facts::Facts;

/// The elements `lo, lo + 1, ..., hi - 1` along the outermost dimension of an object.
///
/// A section with `hi <= lo` is empty, wherever its bounds lie; a loop that runs zero times leaves such sections behind
/// (`[0, n)` with `n == -3`), so nothing may conclude from a bound alone that an element is in the section.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Section {
    /// First element.
    pub lo: Expr,
    /// One past the last element.
    pub hi: Expr,
}

impl Section {
    /// The section `[lo, hi)`.
    pub fn new(lo: Expr, hi: Expr) -> Section {
        Section { lo, hi }
    }

    /// The single element `at`; `None` on overflow.
    pub fn element(at: Expr) -> Option<Section> {
        let hi = at.offset(1)?;
        Some(Section { lo: at, hi })
    }

    /// The elements `[0, count)`.
    pub fn whole(count: Expr) -> Section {
        Section {
            lo: Expr::zero(),
            hi: count,
        }
    }

    /// `hi - lo`, which is the number of elements when it is not negative; `None` on overflow.
    pub fn len(&self) -> Option<Expr> {
        self.hi.sub(&self.lo)
    }

    /// Whether it provably holds no element.
    pub fn is_empty(&self, facts: &Facts) -> bool {
        facts.prove_le(&self.hi, &self.lo)
    }

    /// Whether it provably holds every element of `other`.
    pub fn provably_covers(&self, other: &Section, facts: &Facts) -> bool {
        self == other
            || facts.prove_le(&self.lo, &other.lo) && facts.prove_le(&other.hi, &self.hi)
            || other.is_empty(facts)
    }

    /// Whether the two provably share no element.
    pub fn provably_disjoint(&self, other: &Section, facts: &Facts) -> bool {
        if self == other {
            return self.is_empty(facts);
        }
        facts.prove_le(&self.hi, &other.lo)
            || facts.prove_le(&other.hi, &self.lo)
            || self.is_empty(facts)
            || other.is_empty(facts)
    }

    /// The smallest section known to contain both. Bounds whose order is unknown become minima and maxima; `None` when
    /// those grow too large.
    pub fn hull(&self, other: &Section, facts: &Facts) -> Option<Section> {
        if self.is_empty(facts) {
            return Some(other.clone());
        }
        if other.is_empty(facts) {
            return Some(self.clone());
        }
        let lo =
            least(&self.lo, &other.lo, facts).map_or_else(|| Expr::min_of(&[self.lo.clone(), other.lo.clone()]), Some);
        let hi = greatest(&self.hi, &other.hi, facts)
            .map_or_else(|| Expr::max_of(&[self.hi.clone(), other.hi.clone()]), Some);
        Some(Section { lo: lo?, hi: hi? })
    }

    /// The elements of `to` bytes that lie within a section of elements of `from` bytes; `None` where their number has no exact
    /// quotient.
    pub fn in_elements(&self, from: u64, to: u64) -> Option<Section> {
        if from == to {
            return Some(self.clone());
        }
        let (from, to) = (i128::from(from), i128::from(to));
        if from <= 0 || to <= 0 {
            return None;
        }
        let (lo, hi) = (self.lo.scale(from)?, self.hi.scale(from)?);
        Some(Section {
            lo: lo.offset(to - 1)?.floor_of(to)?,
            hi: hi.floor_of(to)?,
        })
    }

    /// Whether it is said without numbers but 1: `a[t:1]`.
    pub fn has_no_numbers(&self) -> bool {
        let small = |e: &Expr| e.terms().iter().all(|t| t.coeff.abs() <= 1) && e.constant_term().abs() <= 1;
        small(&self.lo) && self.len().is_some_and(|len| small(&len))
    }

    /// The union, when it is one section with bounds of a known order: the two provably overlap or touch.
    pub fn merge(&self, other: &Section, facts: &Facts) -> Option<Section> {
        if self.provably_covers(other, facts) {
            return Some(self.clone());
        }
        if other.provably_covers(self, facts) {
            return Some(other.clone());
        }
        // With `a.lo <= b.lo <= a.hi` the union is `[a.lo, max(a.hi, b.hi))`, also when `b` is empty.
        [(self, other), (other, self)].into_iter().find_map(|(a, b)| {
            let touch = facts.prove_le(&a.lo, &b.lo) && facts.prove_le(&b.lo, &a.hi);
            let hi = touch.then(|| greatest(&a.hi, &b.hi, facts))??;
            Some(Section { lo: a.lo.clone(), hi })
        })
    }

    /// The common elements, exactly. Bounds whose order is unknown become minima and maxima.
    pub fn intersection(&self, other: &Section, facts: &Facts) -> Option<Section> {
        let lo = greatest(&self.lo, &other.lo, facts)
            .map_or_else(|| Expr::max_of(&[self.lo.clone(), other.lo.clone()]), Some);
        let hi =
            least(&self.hi, &other.hi, facts).map_or_else(|| Expr::min_of(&[self.hi.clone(), other.hi.clone()]), Some);
        Some(Section { lo: lo?, hi: hi? })
    }

    /// The section with every symbol replaced at once; `None` when one has no counterpart or a bound overflows.
    pub fn map_syms(&self, map: &mut dyn FnMut(Sym) -> Option<Expr>) -> Option<Section> {
        Some(Section {
            lo: self.lo.map_syms(map)?,
            hi: self.hi.map_syms(map)?,
        })
    }

    /// Whether a bound mentions `sym`.
    pub fn mentions(&self, sym: Sym) -> bool {
        self.lo.mentions(sym) || self.hi.mentions(sym)
    }
}

/// The lesser of two expressions when their order is provable.
pub(super) fn least(a: &Expr, b: &Expr, facts: &Facts) -> Option<Expr> {
    if facts.prove_le(a, b) {
        Some(a.clone())
    } else {
        facts.prove_le(b, a).then(|| b.clone())
    }
}

/// The greater of two expressions when their order is provable.
pub(super) fn greatest(a: &Expr, b: &Expr, facts: &Facts) -> Option<Expr> {
    if facts.prove_le(a, b) {
        Some(b.clone())
    } else {
        facts.prove_le(b, a).then(|| a.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbolic::testing::sym;

    fn c(value: i128) -> Expr {
        Expr::constant(value)
    }

    #[test]
    fn halo_rows_are_disjoint_from_the_interior() {
        let n = sym(0);
        let interior = Section::new(c(1), n.offset(-1).unwrap());
        let first = Section::element(c(0)).unwrap();
        let last = Section::element(n.offset(-1).unwrap()).unwrap();
        let facts = Facts::new();
        assert!(interior.provably_disjoint(&first, &facts));
        assert!(interior.provably_disjoint(&last, &facts));
        assert!(!first.provably_disjoint(&last, &facts));
        assert!(Section::whole(n).provably_covers(&interior, &facts));
    }

    #[test]
    fn touching_sections_merge_only_when_they_touch() {
        let (n, m) = (sym(0), sym(1));
        let left = Section::whole(n.clone());
        let right = Section::new(n.clone(), m.clone());
        let mut facts = Facts::new();
        assert_eq!(left.merge(&right, &facts), None);
        facts.assume_le(&c(0), &n);
        facts.assume_le(&n, &m);
        assert_eq!(left.merge(&right, &facts), Some(Section::whole(m)));
        assert_eq!(right.merge(&Section::element(c(-3)).unwrap(), &facts), None);
    }

    #[test]
    fn an_empty_section_is_covered_by_anything() {
        let n = sym(0);
        let mut facts = Facts::new();
        facts.assume_le(&n, &c(0));
        let empty = Section::whole(n);
        assert!(empty.is_empty(&facts));
        let far = Section::element(c(100)).unwrap();
        assert!(far.provably_covers(&empty, &facts));
        assert_eq!(far.hull(&empty, &facts), Some(far));
    }
}
