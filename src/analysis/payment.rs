//! What kernels copy as written: the measure of what others may copy in their place.
//!
//! ```c
//! #pragma omp target … map(tofrom: a[0:k]) map(to: b)     /* a: a[0:k] two times; b: all of it once */
//! ```

use crate::symbolic::Section;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// How often a section is copied where nothing is present.
#[derive(Clone, PartialEq, Debug)]
pub struct Payment {
    /// The section; `None` for all of the array, whatever that is.
    pub section: Option<Section>,
    /// How many times: at least. Negative where so much more is copied than that.
    pub copies: i64,
}

impl Payment {
    /// Copies of all of an array.
    pub fn whole(copies: i64) -> Payment {
        Payment { section: None, copies }
    }

    /// The copies where sections are said otherwise; `None` where this one is not said there.
    pub fn translated(&self, section: impl FnOnce(&Section) -> Option<Section>) -> Option<Payment> {
        let section = match &self.section {
            Some(own) => Some(section(own)?),
            None => None,
        };
        Some(Payment { section, ..*self })
    }
}

/// Payments of one kind together, in the order in which each is met first: where a function is called on many ways, each way
/// pays. So many copies count as `most`.
pub fn together(payments: Vec<Payment>, most: i64) -> Vec<Payment> {
    let mut kept: Vec<Payment> = Vec::new();
    let mut places: FxHashMap<(Option<Section>, bool), usize> = FxHashMap::default();
    for paid in payments {
        match places.entry((paid.section.clone(), paid.copies > 0)) {
            Entry::Occupied(place) => {
                let known = &mut kept[*place.get()];
                known.copies = known.copies.saturating_add(paid.copies).min(most);
            }
            Entry::Vacant(place) => {
                place.insert(kept.len());
                kept.push(paid);
            }
        }
    }
    kept
}

/// How many copies payments come to, whatever they are of.
pub fn count(payments: &[Payment]) -> i64 {
    payments.iter().fold(0, |sum, p| sum.saturating_add(p.copies))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbolic::Expr;

    #[test]
    fn payments_of_one_kind_are_one() {
        let part = |copies| Payment {
            section: Some(Section::new(Expr::constant(0), Expr::constant(4))),
            copies,
        };
        let all = vec![
            part(2),
            Payment::whole(1),
            part(-1),
            part(3),
            Payment::whole(1),
            part(-4),
        ];
        let kept = together(all, 100);
        assert_eq!(kept, [part(5), Payment::whole(2), part(-5)]);
        assert_eq!(count(&kept), 2);
        // Ways multiply with each call: numbers that large are as good as any.
        let doubled = |paid: Vec<Payment>| together([paid.clone(), paid].concat(), 100);
        let many = (0..200).fold(vec![Payment::whole(2)], |paid, _| doubled(paid));
        assert_eq!(many, [Payment::whole(100)]);
    }
}
