//! Numbers that the source says itself, on whose two sides macros may be.
//!
//! ```c
//! #define ROWS 40
//! for (int i = 0; i < 12; i++) a[i] = t;        /* 12 is compared: as long as ROWS is 12 or more, */
//! #pragma omp target …                          /* this kernel reads nothing that the loop writes */
//! for (int i = ROWS; i < n; i++) b[i] += a[i];
//! h = h / 7 << 3;                               /* 7 and 3 are not: no size is compared with them */
//! ```
//!
//! Nobody gives such a *literal* another value, but a build may give a macro one on the other side of it. Two samples ask what is
//! written then: one in which macros pass the literals ([`Shift::Past`]), one in which they are smaller ([`Shift::Turned`]).
//!
//! In the latter the larger one of two macros is the smaller one as well. Macros that lengths of arrays or trips of loops with kernels follow
//! are left as they are ([`super::lengths`]).
//!
//! **Limits.** Macros are smaller than all literals from [`LEAST_ABOVE`] on; of smaller literals some may be below some macro. Literals above
//! [`MOST_PASSED`] are only passed where a text says them.

use super::Planning;
use super::numbers::{LEAST, number};
use super::roots::{self, Root, Shift, Varied};
use crate::llvm::Instead;
use crate::source::Span;
use crate::syntax::token_spans;
use std::collections::BTreeSet;

/// Literals that are larger than this are not passed, unless a text says them.
const MOST_PASSED: i128 = 256;
/// Macros are smaller than literals from this one on.
const LEAST_ABOVE: i128 = 8;

/// The numbers of a text that have no names.
pub(super) fn nameless(text: &[u8]) -> BTreeSet<i128> {
    let literals = literals(text).into_iter();
    literals.filter(|l| !l.named).map(|l| l.value).collect()
}

/// The literals of a text that may be compared with sizes, with those of variables (`int k = 12;`) or without.
fn compared(text: &[u8], named: bool) -> impl Iterator<Item = i128> {
    let literals = literals(text).into_iter();
    literals
        .filter(move |l| l.compared && (named || !l.named))
        .map(|l| l.value)
}

/// A number of a text that no macro gives.
struct Literal {
    value: i128,
    /// Whether a variable has it.
    named: bool,
    /// Whether it may be compared with a size: what is divided or shifted by it is not.
    compared: bool,
}

/// The literals of a text, in text order.
fn literals(text: &[u8]) -> Vec<Literal> {
    let roots = roots::roots(text);
    let tokens = token_spans(text, Span::new(0, text.len()));
    let bytes = |at: usize| &text[tokens[at].start..tokens[at].end];
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let Some(value) = number(bytes(at)) else { continue };
        // The last root that begins before a token is the one that it may be a part of.
        let before = roots.partition_point(|r| r.digits.start <= token.start);
        let root = before.checked_sub(1).map(|last| &roots[last]);
        let root = root.filter(|r| token.start < r.digits.end);
        if root.is_some_and(|r| !r.is_variable()) {
            continue;
        }
        let divides = at > 0 && matches!(bytes(at - 1), b"/" | b"<<" | b">>" | b"<" | b">") && {
            // `<` compares, and two of them shift.
            !matches!(bytes(at - 1), b"<" | b">") || at > 1 && bytes(at - 2) == bytes(at - 1)
        };
        found.push(Literal {
            value,
            named: root.is_some(),
            compared: !divides,
        });
    }
    found
}

impl Planning<'_, '_> {
    /// The largest literal that some macro is not larger than, among those that may be compared with sizes. Numbers of variables are
    /// passed where a text says them: lengths follow many of these (`const int nx = 60;`).
    pub(super) fn to_pass(&self, names: &Varied, headers: &[Instead]) -> Option<i128> {
        let roots = self.texts(headers).flat_map(roots::roots);
        let least = roots
            .filter(|r| !r.is_variable() && names.contains_key(&r.name))
            .map(|r| r.value)
            .min()?;
        let literals = self.texts(headers).flat_map(|text| compared(text, false));
        let largest = literals.filter(|n| (LEAST..=MOST_PASSED).contains(n)).max();
        largest.filter(|said| least <= *said)
    }

    /// How macros that neither lengths nor trips follow turn their order, below all literals and lengths, and the places that names have in
    /// that sample.
    pub(super) fn turned(&self, names: &Varied, headers: &[Instead]) -> Option<(Shift, Varied)> {
        let lengths = self.followed(headers);
        let literals = self.texts(headers).flat_map(|text| compared(text, true));
        let least = literals.filter(|n| *n >= LEAST_ABOVE).min();
        let roots: Vec<Root> = self.texts(headers).flat_map(roots::roots).collect();
        let long = |r: &&Root| lengths.contains(&r.name) && r.value >= LEAST_ABOVE;
        let shortest = roots.iter().filter(long).map(|r| r.value).min();
        let limit = least.into_iter().chain(shortest).min().unwrap_or(MOST_PASSED);
        let variables: BTreeSet<&String> = roots.iter().filter(|r| r.is_variable()).map(|r| &r.name).collect();
        let stays = |name: &String| lengths.contains(name) || variables.contains(name);
        let mut in_order: Vec<(&String, i128)> = names.iter().map(|(name, at)| (name, *at)).collect();
        in_order.sort_by_key(|(name, at)| (stays(name), *at));
        let count = in_order.iter().filter(|(name, _)| !stays(name)).count();
        let places = in_order.into_iter().zip(0..).map(|((name, _), at)| (name.clone(), at));
        let names = i128::try_from(count).ok().filter(|count| *count > 0)?;
        Some((Shift::Turned { limit, names }, places.collect()))
    }

    /// The texts of the program's files and of its headers.
    pub(super) fn texts<'t>(&'t self, headers: &'t [Instead]) -> impl Iterator<Item = &'t [u8]> {
        let own = self.members.iter().map(|m| m.unit.text);
        own.chain(headers.iter().map(|(_, text)| text.as_slice()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_no_macros_numbers() {
        let text = b"#define N 1000\n#define M (N * 9)\nvoid f(void) { int k = 12, j = 13; j++;\n\
                     for (int i = k; i < 20 && 21 > i; i++) a[22 * i] = i % 23 / 24 << 25 >> 26 + 2.7; }\n";
        assert_eq!(
            nameless(text).into_iter().collect::<Vec<_>>(),
            [9, 13, 20, 21, 22, 23, 24, 25, 26]
        );
        assert_eq!(compared(text, true).collect::<Vec<_>>(), [9, 12, 13, 20, 21, 22, 23]);
        assert_eq!(compared(text, false).collect::<Vec<_>>(), [9, 13, 20, 21, 22, 23]);
    }
}
