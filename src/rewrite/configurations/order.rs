//! Samples in which macros are on the other side of what the source says, and of each other.
//!
//! Nobody gives a literal ([`super::literals`]) another value, but a build may give a macro one on the other side of it. Two samples ask what is
//! written then: one in which macros pass the literals ([`Shift::Past`]), one in which they are smaller ([`Shift::Turned`]).
//!
//! In the latter the larger one of two macros is the smaller one as well. Macros that lengths of arrays or trips of loops with kernels follow
//! are left as they are ([`super::lengths`]).
//!
//! **Limits.** Macros are smaller than all literals from [`LEAST_ABOVE`] on; of smaller literals some may be below some macro. Literals above
//! [`MOST_PASSED`] are only passed where a text says them.

use super::Planning;
use super::numbers::{LEAST, Root};
use super::program_texts::ProgramTexts;
use super::shifts::{Shift, Varied};
use std::collections::BTreeSet;

/// Literals that are larger than this are not passed, unless a text says them.
const MOST_PASSED: i128 = 256;
/// Macros are smaller than literals from this one on.
const LEAST_ABOVE: i128 = 8;

impl Planning<'_, '_> {
    /// The largest literal that some macro is not larger than, among those that may be compared with sizes. Numbers of variables are
    /// passed where a text says them: lengths follow many of these (`const int nx = 60;`).
    pub(super) fn to_pass(&self, names: &Varied, texts: &ProgramTexts<'_>) -> Option<i128> {
        let least = texts
            .roots()
            .filter(|r| !r.is_variable() && names.contains_key(&r.name))
            .map(|r| r.value)
            .min()?;
        let literals = texts.literals().filter(|l| l.compared && !l.named).map(|l| l.value);
        let largest = literals.filter(|n| (LEAST..=MOST_PASSED).contains(n)).max();
        largest.filter(|said| least <= *said)
    }

    /// How macros that neither lengths nor trips follow turn their order, below all literals and lengths, and the places that names have in
    /// that sample.
    pub(super) fn turned(&self, names: &Varied, texts: &ProgramTexts<'_>) -> Option<(Shift, Varied)> {
        let lengths = self.followed(texts);
        let literals = texts.literals().filter(|l| l.compared).map(|l| l.value);
        let least = literals.filter(|n| *n >= LEAST_ABOVE).min();
        let long = |r: &&Root| lengths.contains(&r.name) && r.value >= LEAST_ABOVE;
        let shortest = texts.roots().filter(long).map(|r| r.value).min();
        let limit = least.into_iter().chain(shortest).min().unwrap_or(MOST_PASSED);
        let variables: BTreeSet<&String> = texts.roots().filter(|r| r.is_variable()).map(|r| &r.name).collect();
        let stays = |name: &String| lengths.contains(name) || variables.contains(name);
        let mut in_order: Vec<(&String, i128)> = names.iter().map(|(name, at)| (name, *at)).collect();
        in_order.sort_by_key(|(name, at)| (stays(name), *at));
        let count = in_order.iter().filter(|(name, _)| !stays(name)).count();
        let places = in_order.into_iter().zip(0..).map(|((name, _), at)| (name.clone(), at));
        let names = i128::try_from(count).ok().filter(|count| *count > 0)?;
        Some((Shift::Turned { limit, names }, places.collect()))
    }
}
