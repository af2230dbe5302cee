//! Delinearisation: reads `s*i + j` as row `i` and column `j`.
//!
//! For a stride `s` an offset is split into `s * row + rest`. If the rests of both accesses lie within one stride of each
//! other, wherever the loops are, then the accesses meet only where rows are equal and rests overlap; and whether that can
//! be is two smaller questions. If the rests are not known to fit, that they do becomes a condition:
//!
//! ```c
//! for (i ...) for (j = 0; j < m; j++) c[i*s + j] += 1;         /* rests lie in [0, m): parallel if m <= s       */
//! ```
//!
//! Splits repeat, for arrays of more dimensions. Source: Maslov 1992.

use super::arrays::swept;
use super::distance::{ByteDistance, Meeting, apart, impossible};
use super::frame::Frame;
use super::touch::Touch;
use crate::symbolic::{Expr, Facts, Section};

/// A plan: strides from the largest on.
type Plan = Vec<Expr>;

/// Strides tried at most.
const MAX_STRIDES: usize = 4;

/// Whether the two provably never meet, and what has to hold for that.
pub(super) fn apart_when(frame: &Frame<'_, '_>, meeting: &Meeting<'_>) -> Option<Vec<(Expr, Expr)>> {
    let (a, b) = (bytes(meeting.first)?, bytes(meeting.second)?);
    let (at_a, at_b) = meeting.placed(frame, &a.at, &b.at)?;
    let (count_a, count_b) = meeting.placed(frame, &a.count, &b.count)?;
    let whole = (
        ByteDistance {
            at: at_a,
            count: count_a,
        },
        ByteDistance {
            at: at_b,
            count: count_b,
        },
    );
    if apart(&meeting.facts, &whole.0, &whole.1) {
        return Some(Vec::new());
    }
    let strides = strides(frame, meeting);
    let mut plans: Vec<Plan> = strides.iter().map(|s| vec![s.clone()]).collect();
    if strides.len() > 1 {
        plans.push(strides);
    }
    let found = plans.iter().filter_map(|plan| carry_out(frame, meeting, plan, false));
    found.min_by_key(Vec::len).or_else(|| {
        // What is left of a coefficient moves on with its index: conditions on such rests would bound the iterations.
        let mut found = plans.iter().filter_map(|plan| carry_out(frame, meeting, plan, true));
        found.find(Vec::is_empty)
    })
}

fn bytes(touch: &Touch) -> Option<ByteDistance> {
    Some(ByteDistance {
        at: touch.offset.clone()?,
        count: touch.bytes.clone()?,
    })
}

/// What indices are multiplied with, the largest first.
fn strides(frame: &Frame<'_, '_>, meeting: &Meeting<'_>) -> Vec<Expr> {
    let mut found: Vec<Expr> = Vec::new();
    for touch in [meeting.first, meeting.second] {
        let Some(offset) = &touch.offset else { continue };
        for l in touch.loops.iter().filter_map(|s| frame.loop_at(*s)) {
            let Some((coeff, _)) = offset.coefficient_of(l.sym) else {
                continue;
            };
            if coeff.is_zero() || !frame.is_fixed(&coeff) {
                continue;
            }
            let negative = coeff.terms().last().is_some_and(|t| t.coeff < 0);
            let stride = if negative { coeff.neg() } else { Some(coeff) };
            if let Some(stride) = stride.filter(|s| !found.contains(s)) {
                found.push(stride);
            }
        }
    }
    // Of strides that look alike the one of the outer loop is the larger.
    found.reverse();
    let degree = |e: &Expr| e.terms().iter().map(|t| t.monomial.degree()).max().unwrap_or(0);
    found.sort_by_key(|e| {
        (
            std::cmp::Reverse(degree(e)),
            std::cmp::Reverse(e.as_constant().unwrap_or(0)),
        )
    });
    found.truncate(MAX_STRIDES);
    found
}

/// Splits by the strides of a plan, and asks whether the rows and rests can meet; `parts`: also coefficients of which a
/// stride is only a part.
fn carry_out(frame: &Frame<'_, '_>, meeting: &Meeting<'_>, plan: &Plan, parts: bool) -> Option<Vec<(Expr, Expr)>> {
    let (mut a, mut b) = (bytes(meeting.first)?, bytes(meeting.second)?);
    let mut facts = meeting.facts.clone();
    let mut asked = Vec::new();
    // How far a rest reaches depends on the signs of the strides in it.
    let one = Expr::constant(1);
    let mut positive = Vec::new();
    for stride in &plan[1..] {
        if !facts.prove_le(&one, stride) {
            if !is_plain(stride) || facts.prove_lt(stride, &one) {
                return None;
            }
            facts.assume_le(&one, stride);
            asked.push(simplified(&one, stride)?);
        }
        positive.extend(stride.offset(-1));
    }
    for stride in plan {
        let (row_a, rest_a) = split(frame, meeting.first, &a.at, stride, parts)?;
        let (row_b, rest_b) = split(frame, meeting.second, &b.at, stride, parts)?;
        let moves = |e: &Expr| e.symbols().iter().any(|s| !frame.is_fixed_sym(*s));
        // Rows that are only constants, or rests that only lie at some distance, would bound the number of iterations.
        let meant = moves(&row_a) && moves(&row_b);
        let meant = meant && (moves(&rest_a) || moves(&rest_b) || rest_a.sub(&rest_b)?.as_constant().is_some());
        (a.at, b.at) = (rest_a, rest_b);
        let width = width(frame, meeting, &a, &b, &positive, &facts)?;
        if !facts.prove_le(&width, stride) {
            if !meant || facts.prove_lt(stride, &width) || !is_plain(&width) || !is_plain(stride) {
                return None;
            }
            facts.assume_le(&width, stride);
            asked.push(simplified(&width, stride)?);
        }
        // A rest has at least one byte, so a stride has.
        if facts.prove_le(&one, &width) || facts.prove_le(&one, stride) {
            facts.assume_le(&one, stride);
        } else {
            return None;
        }
        let (row_a, row_b) = meeting.placed(frame, &row_a, &row_b)?;
        facts.assume_eq(&row_a, &row_b);
    }
    let (at_a, at_b) = meeting.placed(frame, &a.at, &b.at)?;
    let (count_a, count_b) = meeting.placed(frame, &a.count, &b.count)?;
    let (a, b) = (
        ByteDistance {
            at: at_a,
            count: count_a,
        },
        ByteDistance {
            at: at_b,
            count: count_b,
        },
    );
    (impossible(&facts) || apart(&facts, &a, &b)).then_some(asked)
}

/// Whether it is a polynomial, as a person would test it.
fn is_plain(e: &Expr) -> bool {
    let mut plain = true;
    e.for_each_atom(&mut |atom| plain &= atom.operands().is_empty());
    plain
}

/// `stride * row + rest`.
fn split(frame: &Frame<'_, '_>, touch: &Touch, e: &Expr, stride: &Expr, parts: bool) -> Option<(Expr, Expr)> {
    let mut row = Expr::zero();
    for l in touch.loops.iter().filter_map(|s| frame.loop_at(*s)) {
        let Some((coeff, _)) = e.coefficient_of(l.sym) else {
            continue;
        };
        let part = || partly(&coeff, stride).filter(|_| parts);
        if let Some(times) = exactly(&coeff, stride).or_else(part) {
            row = row.add(&Expr::sym(l.sym).mul(&times)?)?;
        }
    }
    let mut rest = e.sub(&row.mul(stride)?)?;
    // Whole rows that do not depend on an index, too: `c[(i + 1)*s + j]`.
    for term in rest.clone().terms() {
        let term = Expr::from_term(term.clone());
        let times = match (term.as_constant(), stride.as_constant()) {
            (Some(c), Some(s)) => Some(Expr::constant((2 * c + s).div_euclid(2 * s))),
            (None, None) => exactly(&term, stride).filter(|t| frame.is_fixed(t)),
            _ => None,
        };
        if let Some(times) = times {
            row = row.add(&times)?;
            rest = rest.sub(&times.mul(stride)?)?;
        }
    }
    Some((row, rest))
}

/// The quotient, where there is no remainder.
fn exactly(e: &Expr, by: &Expr) -> Option<Expr> {
    if e.is_zero() {
        return None;
    }
    let quotient = e.div(by)?;
    (quotient.mul(by)? == *e && is_plain(&quotient)).then_some(quotient)
}

/// How many whole strides there are in a coefficient that is more than that: one in that of `c[i*s + i]`, which is `s + 1`.
fn partly(coeff: &Expr, stride: &Expr) -> Option<Expr> {
    let mut times = Expr::zero();
    for term in coeff.terms() {
        let term = Expr::from_term(term.clone());
        let whole = match (term.as_constant(), stride.as_constant()) {
            (Some(c), Some(s)) if s != 0 => Some(Expr::constant(c / s)),
            (None, None) => exactly(&term, stride),
            _ => None,
        };
        times = times.add(&whole.unwrap_or_else(Expr::zero))?;
    }
    (!times.is_zero()).then_some(times)
}

/// How many bytes the rests of both accesses span, over all iterations; fixed. `known` are not negative.
fn width(
    frame: &Frame<'_, '_>,
    meeting: &Meeting<'_>,
    a: &ByteDistance,
    b: &ByteDistance,
    known: &[Expr],
    facts: &Facts,
) -> Option<Expr> {
    let sweep = |touch: &Touch, bytes: &ByteDistance| {
        let section = Section::new(bytes.at.clone(), bytes.at.add(&bytes.count)?);
        swept(frame, touch, &section, known)
    };
    let (a, b) = (sweep(meeting.first, a)?, sweep(meeting.second, b)?);
    a.hull(&b, facts)?.len()
}

/// `left <= right` without what both sides are multiples of.
fn simplified(left: &Expr, right: &Expr) -> Option<(Expr, Expr)> {
    let coefficients = left.terms().iter().chain(right.terms()).map(|t| t.coeff.unsigned_abs());
    let common = coefficients.fold(0u128, |mut a, mut b| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    });
    let by = Expr::constant(i128::try_from(common.max(1)).ok()?);
    // Over integers `1 <= 4*s` is `1 <= s`.
    let content = right.terms().iter().map(|t| t.coeff.unsigned_abs()).min();
    if left.as_constant() == Some(1) && content.is_some_and(|c| right.terms().len() == 1 && c > 0) {
        let unit = Expr::constant(i128::try_from(content?).ok()?);
        return Some((left.clone(), right.div(&unit)?));
    }
    Some((left.div(&by)?, right.div(&by)?))
}
