//! Which of two forms of a program is the better one: with directives that somebody wrote, or with others in their places.
//!
//! ```text
//! before     a in main 320000   b in main 160000
//! after      a in main  16000   b in main 160000      `a` gains, and `b` does not: its directives stay
//! ```

use super::FilePlan;
use super::replaceable::ArrayName;
use std::collections::{BTreeMap, BTreeSet};

/// What is expected to be copied has to become this much less, as a share of what it was.
const WORTH_IT: f64 = 0.95;

/// What a form of a program is expected to copy, array by array.
pub struct FormTraffic(BTreeMap<ArrayName, u64>);

impl FormTraffic {
    /// What the files of a program are expected to copy.
    pub fn of<'p>(plans: impl Iterator<Item = &'p FilePlan>) -> FormTraffic {
        let mut bytes: BTreeMap<ArrayName, u64> = BTreeMap::new();
        for copied in plans.flat_map(|plan| &plan.expected_traffic) {
            *bytes.entry(copied.of.clone()).or_default() += copied.bytes;
        }
        FormTraffic(bytes)
    }

    /// Whether enough less is copied of some arrays than in another form.
    pub fn gains(&self, before: &FormTraffic, arrays: &BTreeSet<&ArrayName>) -> bool {
        let sum = |form: &FormTraffic| -> u64 { arrays.iter().filter_map(|name| form.0.get(name)).sum() };
        (sum(self) as f64) < sum(before) as f64 * WORTH_IT
    }

    /// Whether the form is the better one. Where the other `changes` the program's text as well it is enough that not more is copied: directives that are of no use
    /// any more are gone in this one.
    pub fn is_better(&self, other: &FormTraffic, changes: bool) -> bool {
        let sum = |form: &FormTraffic| form.0.values().sum::<u64>() as f64;
        let share = if changes { 1.0 } else { WORTH_IT };
        sum(self) <= sum(other) * share
    }
}

#[cfg(test)]
mod tests {
    use super::super::replaceable::CopiedBytes;
    use super::*;

    fn name(array: &str) -> ArrayName {
        ArrayName {
            function: "main".to_owned(),
            array: array.to_owned(),
        }
    }

    fn form(a: u64, b: u64) -> FormTraffic {
        let of = |array: &str, bytes: u64| CopiedBytes { of: name(array), bytes };
        let plan = FilePlan {
            expected_traffic: vec![of("a", a), of("b", b)],
            ..FilePlan::default()
        };
        FormTraffic::of(std::iter::once(&plan))
    }

    #[test]
    fn arrays_gain_by_themselves() {
        let (before, after) = (form(100, 1000), form(10, 1000));
        let (a, b) = (name("a"), name("b"));
        assert!(after.gains(&before, &BTreeSet::from([&a])));
        assert!(!after.gains(&before, &BTreeSet::from([&b])));
        assert!(after.gains(&before, &BTreeSet::from([&a, &b])));
        assert!(!form(0, 0).gains(&form(0, 0), &BTreeSet::from([&a])));
    }

    #[test]
    fn what_copies_no_less_is_better_only_than_what_changes_the_text() {
        assert!(form(10, 10).is_better(&form(10, 10), true));
        assert!(!form(10, 10).is_better(&form(10, 10), false));
        assert!(form(9, 9).is_better(&form(10, 10), false));
        assert!(!form(11, 10).is_better(&form(10, 10), true));
    }
}
