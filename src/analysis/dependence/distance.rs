//! Two accesses in two iterations: what is known of both together, and whether they can meet.
//!
//! The first access runs in some iteration, the second `d >= 1` iterations further on. Every symbol that is not fixed in
//! the loop is renamed for the second access, but for the index itself, which is `i + d` there (`first + step * (t + d)`
//! where the step is not one: then `t` counts the iterations, and the equation carries what the GCD test asks about).
//!
//! ```c
//! for (i = 0; i < n; i++) for (j = 0; j < m; j++) c[i*s + j] = 0;       /* and m <= s is known                   */
//! /* can  s*i + j  ==  s*(i + d) + j'  with 0 <= j, j' < m and d >= 1?   s*d <= j - j' < m <= s: no              */
//! ```
//!
//! Two accesses cannot meet where one range of bytes provably ends before the other begins, or where the assumption
//! that the ranges overlap contradicts what is known: then even `d <= 0` follows from it.

use super::frame::Frame;
use super::touch::Touch;
use crate::symbolic::{Expr, Facts, Sym};

/// The number of iterations between the two.
pub(super) const D: Sym = Sym(u32::MAX);
/// Symbols of the second access.
const SECOND: u32 = 1 << 30;
/// Counters of iterations, for loops whose step is not one.
const COUNTER: u32 = 1 << 31;

/// Which of the two accesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WhichAccess {
    First,
    Second,
}

/// An expression of the loop's text as it is in the iteration of one of the accesses.
pub(super) fn placed(frame: &Frame<'_, '_>, touch: &Touch, place: WhichAccess, e: &Expr) -> Option<Expr> {
    placed_within(frame, touch, place, e, 8)
}

fn placed_within(frame: &Frame<'_, '_>, touch: &Touch, place: WhichAccess, e: &Expr, depth: u32) -> Option<Expr> {
    if depth == 0 {
        return None;
    }
    e.map_syms(&mut |sym| {
        if frame.is_fixed_sym(sym) {
            return Some(Expr::sym(sym));
        }
        let renamed = |sym: Sym| match place {
            WhichAccess::First => sym,
            WhichAccess::Second => Sym(sym.0 + SECOND),
        };
        let of = touch
            .loops
            .iter()
            .filter_map(|s| frame.loop_at(*s))
            .find(|l| l.sym == sym);
        let Some(l) = of else {
            return Some(Expr::sym(renamed(sym)));
        };
        let this_loop = l.stmt == frame.stmt;
        let later = |e: Expr| match place {
            WhichAccess::Second => e.add(&Expr::sym(D)),
            WhichAccess::First => Some(e),
        };
        if l.step.abs() == 1 {
            return if this_loop {
                later(Expr::sym(sym))
            } else {
                Some(Expr::sym(renamed(sym)))
            };
        }
        let counter = Sym(sym.0 + COUNTER);
        let counter = if this_loop {
            later(Expr::sym(counter))?
        } else {
            Expr::sym(renamed(counter))
        };
        let first = placed_within(frame, touch, place, &l.first, depth - 1)?;
        first.add(&counter.scale(l.step)?)
    })
}

/// What is known where the access runs, in its iteration.
fn assume(frame: &Frame<'_, '_>, touch: &Touch, place: WhichAccess, facts: &mut Facts) {
    let mut nonneg: Vec<Expr> = touch.guards.clone();
    let mut typed: Vec<Expr> = touch
        .guards
        .iter()
        .chain(&touch.offset)
        .chain(&touch.bytes)
        .cloned()
        .collect();
    for l in frame.loops_of(touch.node) {
        let index = Expr::sym(l.sym);
        nonneg.extend(index.sub(&l.lo));
        nonneg.extend(l.hi.sub(&index));
        // `hi - lo >= 0` follows, and is worth saying: products of it bound products of sizes.
        nonneg.extend(l.hi.sub(&l.lo));
        typed.extend([l.lo.clone(), l.hi.clone()]);
        if l.step.abs() != 1 && touch.loops.contains(&l.stmt) {
            // The counter is not negative: as an expression it is only known after renaming.
            let counter = Sym(l.sym.0 + COUNTER);
            let this_loop = l.stmt == frame.stmt;
            let counter = match place {
                WhichAccess::Second if !this_loop => Sym(counter.0.wrapping_add(SECOND)),
                _ => counter,
            };
            facts.assume_nonneg(&Expr::sym(counter));
        }
    }
    for sym in typed.iter().flat_map(Expr::symbols) {
        // Unsigned values are not negative; other limits of types are too far away to matter.
        if frame.numbers.type_range(sym).is_some_and(|(lo, _)| lo == 0) {
            nonneg.push(Expr::sym(sym));
        }
    }
    for e in nonneg {
        if let Some(e) = placed(frame, touch, place, &e) {
            facts.assume_nonneg(&e);
        }
    }
}

/// Two touches at some distance.
pub(super) struct Meeting<'m> {
    pub first: &'m Touch,
    pub second: &'m Touch,
    /// What is known of both.
    pub facts: Facts,
}

impl<'m> Meeting<'m> {
    pub fn new(frame: &Frame<'_, '_>, first: &'m Touch, second: &'m Touch) -> Meeting<'m> {
        let mut facts = Facts::new();
        facts.assume_le(&Expr::constant(1), &Expr::sym(D));
        assume(frame, first, WhichAccess::First, &mut facts);
        assume(frame, second, WhichAccess::Second, &mut facts);
        frame.assume_conditions(&mut facts);
        Meeting { first, second, facts }
    }

    /// A pair of expressions, one for each access, in their iterations.
    pub fn placed(&self, frame: &Frame<'_, '_>, a: &Expr, b: &Expr) -> Option<(Expr, Expr)> {
        Some((
            placed(frame, self.first, WhichAccess::First, a)?,
            placed(frame, self.second, WhichAccess::Second, b)?,
        ))
    }
}

/// A range of bytes.
#[derive(Clone, Debug)]
pub(super) struct ByteDistance {
    pub at: Expr,
    pub count: Expr,
}

impl ByteDistance {
    fn end(&self) -> Option<Expr> {
        self.at.add(&self.count)
    }
}

/// Whether ranges of two iterations provably share no byte.
pub(super) fn apart(facts: &Facts, a: &ByteDistance, b: &ByteDistance) -> bool {
    let (Some(a_end), Some(b_end)) = (a.end(), b.end()) else {
        return false;
    };
    if facts.prove_le(&a_end, &b.at) || facts.prove_le(&b_end, &a.at) {
        return true;
    }
    let mut meeting = facts.clone();
    meeting.assume_lt(&a.at, &b_end);
    meeting.assume_lt(&b.at, &a_end);
    impossible(&meeting)
}

/// Whether the facts, which say `d >= 1`, contradict each other.
pub(super) fn impossible(facts: &Facts) -> bool {
    facts.prove_le(&Expr::sym(D), &Expr::zero())
}
