//! Which values the index of a loop has where an array is touched: in `for (i < n) if (i > 0) a[i - 1] = …` from 1 to `n - 1`.

use super::frame::Frame;
use super::touch::Touch;
use super::verdict::Counted;
use crate::symbolic::{Expr, Facts};

/// The range of an index where the access runs: branches may leave out its ends, and so may loops inside that do not run.
pub(super) fn range(frame: &Frame<'_, '_>, touch: &Touch, facts: &Facts, l: &Counted) -> (Expr, Expr) {
    let (mut lo, mut hi) = (l.lo.clone(), l.hi.clone());
    let inner = touch.loops.iter().take_while(|s| **s != l.stmt);
    let runs = inner.filter_map(|s| frame.loop_at(*s)).filter_map(|i| i.hi.sub(&i.lo));
    let around = |bound: &Expr| frame.is_fixed(bound) || !bound.mentions(l.sym) && touch_outer(frame, touch, l, bound);
    for guard in touch.guards.iter().cloned().chain(runs) {
        let Some((coeff, rest)) = guard.coefficient_of(l.sym) else {
            continue;
        };
        match (coeff.as_constant(), rest.neg()) {
            // sym >= -rest
            (Some(1), Some(bound)) if around(&bound) && facts.without(l.sym).prove_le(&lo, &bound) => lo = bound,
            (Some(-1), _) if around(&rest) && facts.without(l.sym).prove_le(&rest, &hi) => hi = rest,
            _ => {}
        }
    }
    // Longer steps may pass by the bound; the first value they begin with.
    let whole = lo == l.lo && hi == l.hi;
    if let Some(exact) = exactly(l).filter(|_| whole) {
        return exact;
    }
    (lo, hi)
}

/// The least and the greatest value of an index, if it has any.
pub(super) fn exactly(l: &Counted) -> Option<(Expr, Expr)> {
    let begins = if l.step > 0 { &l.lo } else { &l.hi };
    let step = Expr::constant(l.step.abs());
    let way = l.hi.sub(&l.lo)?.div(&step)?.mul(&step)?;
    Some(match l.step > 0 {
        true => (l.lo.clone(), l.lo.add(&way)?),
        false => (l.hi.sub(&way)?, l.hi.clone()),
    })
    .filter(|_| l.first == *begins)
}

/// Whether an expression is said by what is fixed and by indices of loops further out than this one.
pub(super) fn touch_outer(frame: &Frame<'_, '_>, touch: &Touch, l: &Counted, e: &Expr) -> bool {
    let outer = touch.loops.iter().skip_while(|s| **s != l.stmt).skip(1);
    let indices: Vec<_> = outer.filter_map(|s| frame.loop_at(*s)).map(|o| o.sym).collect();
    !e.has_opaque()
        && e.symbols()
            .iter()
            .all(|s| frame.is_fixed_sym(*s) || indices.contains(s))
}
