//! Squares that are filled by a triangle and its mirror image.
//!
//! ```c
//! for (int i = 0; i < n; i++) {
//!     c[i * n + i] = 1;                                             /* the diagonal, unless j begins with i            */
//!     for (int j = i + 1; j < n; j++) {
//!         c[i * n + j] = …;                                         /* above it                                        */
//!         c[j * n + i] = c[i * n + j];                              /* below it                                        */
//!     }
//! }
//! ```
//!
//! None of these writes fills a part without gaps, all together fill `c[0:n*n]`: no part of it has to be copied in. So are
//! symmetric matrices computed: covariances, distances, forces between pairs.
//!
//! For `p < q`, both at least the first `i` and at most the last `j`, the elements `(p, q)` and `(q, p)` are written where `i`
//! is `p` and `j` is `q`: `i` must come as far as the `j` before the last. `(p, p)` is written where `i` is `p`: where `i` comes no
//! further than that, the last element of the square is missing. Rows must be as long as the square, or there are gaps.

use super::frame::Frame;
use super::touch::Touch;
use super::verdict::Counted;
use crate::analysis::access::{is_unconditional, split};
use crate::program::ir::Op;
use crate::symbolic::{Expr, Facts, Section};

/// The elements of the square that these surely fill, if they do.
pub(super) fn filled(frame: &Frame<'_, '_>, touches: &[&Touch], element: u64, facts: &Facts) -> Option<Section> {
    let mut writes = touches.iter().copied().filter(|t| is_sure(frame, t, element));
    writes.find_map(|above| square(frame, touches, above, element, facts))
}

/// Whether every read of these is of what a sure write has put there before, in the same iteration of all loops around it.
pub(super) fn reads_its_own(frame: &Frame<'_, '_>, touches: &[&Touch], element: u64) -> bool {
    let tree = frame.model().tree;
    let stmt = |t: &Touch| frame.model().fine.stmt_of(t.node);
    let before = |w: &Touch, r: &Touch| {
        let (Some(at), Some(read)) = (stmt(w), stmt(r)) else {
            return false;
        };
        w.offset.is_some()
            && w.offset == r.offset
            && w.bytes == r.bytes
            && w.loops.iter().all(|l| r.loops.contains(l))
            && tree.stmt(at).span.end <= tree.stmt(read).span.start
            && is_sure(frame, w, element)
    };
    let mut reads = touches.iter().filter(|t| t.reads);
    reads.all(|r| touches.iter().any(|w| before(w, r)))
}

/// A store of one element in each iteration of its loops, all of which take every value of their ranges.
fn is_sure(frame: &Frame<'_, '_>, touch: &Touch, element: u64) -> bool {
    let model = frame.model();
    let access = frame.shared.accesses.of_inst(touch.inst).find(|a| a.writes);
    let unconditional = |a| is_unconditional(model, a, frame.stmt);
    let exact = |l: &Counted| l.step.abs() == 1 && model.loops.get(l.stmt).is_some_and(|i| i.exact);
    let plain = matches!(model.function().inst(touch.inst).op, Op::Store { .. });
    plain
        && touch.writes
        && touch.is_counted(frame)
        && touch.width() == Some(i128::from(element))
        && access.is_some_and(|a| !a.partial && unconditional(a))
        && touch.loops.iter().all(|s| frame.loop_at(*s).is_some_and(exact))
}

/// The square of which `above` writes one triangle.
fn square(frame: &Frame<'_, '_>, touches: &[&Touch], above: &Touch, element: u64, facts: &Facts) -> Option<Section> {
    let [inner, outer] = above.loops.as_slice() else {
        return None;
    };
    let (inner, outer) = (frame.loop_at(*inner)?, frame.loop_at(*outer)?);
    let (i, j) = (Expr::sym(outer.sym), Expr::sym(inner.sym));
    let fixed = |e: &Expr| frame.is_fixed(e);
    // above = stride * i + width * j + start
    let offset = above.offset.as_ref()?;
    let (stride, rest) = offset.coefficient_of(outer.sym)?;
    let (width, start) = rest.coefficient_of(inner.sym)?;
    let bounds = [&stride, &start, &outer.lo, &outer.hi, &inner.hi];
    if outer.stmt != frame.stmt || width != Expr::constant(i128::from(element)) || !bounds.into_iter().all(fixed) {
        return None;
    }
    let writes = |at: &Expr, loops: &[_]| {
        let same = |t: &&&Touch| t.offset.as_ref() == Some(at) && t.loops == loops;
        touches.iter().filter(same).any(|t| is_sure(frame, t, element))
    };
    let below = stride.mul(&j)?.add(&width.mul(&i)?)?.add(&start)?;
    let diagonal = stride.add(&width)?.mul(&i)?.add(&start)?;
    let begins = inner.lo.sub(&i)?.as_constant()?;
    let whole = begins == 0 || begins == 1 && writes(&diagonal, &[outer.stmt]);
    if !whole || !writes(&below, &above.loops) {
        return None;
    }
    let side = inner.hi.sub(&outer.lo)?.offset(1)?;
    if !facts.prove_eq(&stride, &side.mul(&width)?) {
        return None;
    }
    let missing = match facts.prove_eq(&inner.hi, &outer.hi) {
        true => 0,
        false if facts.prove_eq(&inner.hi, &outer.hi.offset(1)?) => -1,
        false => return None,
    };
    let first = stride.add(&width)?.mul(&outer.lo)?.add(&start)?;
    let (first, rest) = split(&first, element)?;
    let all = side.mul(&side)?.offset(missing)?;
    Some(Section::new(first.clone(), first.add(&all)?)).filter(|_| rest == 0)
}
