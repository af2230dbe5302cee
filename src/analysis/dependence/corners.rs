//! Whether the ends of what a loop touches exist: some iteration surely touches them.
//!
//! ```c
//! for (int i = 0; i < n; i++)
//!     for (int j = i + 1; j < n; j++) c[j * n + i] = a[i];        /* a[0:n-1], c[n:(n-1)*n-1]                        */
//! ```
//!
//! The subscripts are linear in each index, so the first and the last element are touched where every index is at an end
//! of its range: at a *corner* of the iteration space. Here the last of `c` is at `i = n - 2`, `j = n - 1`: `i` ends where
//! the inner loop still runs. A corner is an iteration if each loop runs there, which is a condition on what is fixed
//! (`2 <= n`), and if nothing between the loops is conditional. Then what is touched there exists, in whatever memory it
//! is.

use super::branches::happens_in_range;
use super::frame::Frame;
use super::index_range::{exactly, range};
use super::touch::Touch;
use super::verdict::Requirement;
use crate::analysis::access::split;
use crate::symbolic::{Expr, Facts, Section, Sym};
use std::collections::BTreeSet;

/// Corners of one access that are looked at.
const MAX_CORNERS: usize = 64;

/// An iteration: the values of the indices, innermost first, and where it is one.
#[derive(Clone, Default)]
struct Corner {
    at: Vec<(Sym, Expr)>,
    when: Vec<(Expr, Expr)>,
}

impl Corner {
    /// An expression there.
    fn worth(&self, e: &Expr) -> Option<Expr> {
        self.at
            .iter()
            .try_fold(e.clone(), |e, (sym, value)| e.substitute(*sym, value))
    }
}

/// Where these conditions hold, the first and the last element of a section are touched.
pub(super) fn ends_exist(
    frame: &Frame<'_, '_>,
    touches: &[&Touch],
    section: &Section,
    element: u64,
    facts: &Facts,
) -> Option<Vec<Requirement>> {
    let mut sure: Vec<(&Touch, Vec<Corner>, Vec<Requirement>)> = Vec::new();
    for touch in touches {
        let asked = if touch.is_sure(frame) {
            Some(Vec::new())
        } else {
            happens_in_range(frame, touch)
        };
        if let Some(asked) = asked {
            sure.push((touch, corners(frame, touch).unwrap_or_default(), asked));
        }
    }
    // Rather what happens in any case.
    sure.sort_by_key(|(_, _, asked)| asked.len());
    let find = |wanted: &Expr, end: &dyn Fn(&Touch, &Corner) -> Option<Expr>| {
        sure.iter().find_map(|(touch, corners, asked)| {
            corners.iter().find_map(|corner| {
                let there = end(touch, corner)?;
                let mut known = facts.clone();
                corner.when.iter().for_each(|(lo, hi)| known.assume_le(lo, hi));
                let runs = corner.when.iter().cloned();
                let runs = runs.map(|(left, right)| Requirement::AtMost { left, right });
                known
                    .prove_eq(&there, wanted)
                    .then(|| runs.chain(asked.iter().cloned()).collect::<Vec<_>>())
            })
        })
    };
    let mut when = find(&section.lo, &|touch, corner| {
        let (first, _) = split(&corner.worth(touch.offset.as_ref()?)?, element)?;
        Some(first)
    })?;
    when.extend(find(&section.hi, &|touch, corner| {
        let end = touch.offset.as_ref()?.add(touch.bytes.as_ref()?)?;
        let (end, rest) = split(&corner.worth(&end)?, element)?;
        if rest > 0 { end.offset(1) } else { Some(end) }
    })?);
    let when: BTreeSet<Requirement> = when.into_iter().collect();
    Some(when.into_iter().collect())
}

/// The corners of an access's iterations; all that they are said by is fixed in the loop in question.
fn corners(frame: &Frame<'_, '_>, touch: &Touch) -> Option<Vec<Corner>> {
    let mut found = vec![Corner::default()];
    for stmt in &touch.loops {
        let l = frame.loop_at(*stmt)?;
        let facts = touch.facts(frame);
        let (lo, hi) = range(frame, touch, &facts, l);
        // Where steps are longer and the range is narrowed, a bound of it may be passed by.
        let sharp = l.step.abs() == 1 || exactly(l).is_some_and(|(a, b)| (&a, &b) == (&lo, &hi));
        // What branches leave of a range may be nothing.
        let narrowed = ((&lo, &hi) != (&l.lo, &l.hi)).then(|| (lo.clone(), hi.clone()));
        let mut ends = if sharp { vec![lo, hi] } else { Vec::new() };
        ends.dedup();
        let mut next = Vec::new();
        for corner in &found {
            for end in &ends {
                let mut more = corner.clone();
                // The last of longer steps lies between the bounds where there is one.
                let end_side = if l.step.abs() == 1 { end } else { &l.lo };
                let sides = [(l.lo.clone(), end_side.clone()), (end_side.clone(), l.hi.clone())];
                more.when.extend(sides.into_iter().filter(|(a, b)| a != b));
                more.when.extend(narrowed.clone());
                let put = |e: &Expr| e.substitute(l.sym, end);
                let when: Option<Vec<(Expr, Expr)>> = more.when.iter().map(|(a, b)| Some((put(a)?, put(b)?))).collect();
                more.when = when?;
                more.at.push((l.sym, end.clone()));
                next.push(more);
            }
        }
        found = next;
        if found.len() > MAX_CORNERS {
            return None;
        }
    }
    for corner in &mut found {
        corner.when.retain(|(a, b)| !Facts::new().prove_le(a, b));
        corner.when.sort();
        corner.when.dedup();
    }
    found.retain(|c| c.when.iter().all(|(a, b)| frame.is_fixed(a) && frame.is_fixed(b)));
    Some(found)
}
