//! Every two accesses to one array, one of them writing: can they meet in different iterations?

use super::frame::Frame;
use super::known_pairs::KnownPairs;
use super::touch::Touch;
use super::verdict::{Counted, LoopRefusal, Obstacle, Requirement};
use crate::symbolic::{Expr, Facts};

/// The most pairs of accesses that one loop may have.
const MAX_PAIRS: usize = 2000;

/// Refuses a loop of which iterations depend on one another through memory. Asks the frame for what the answer rests on.
pub(super) fn check(frame: &Frame<'_, '_>, touches: &[Touch]) -> Result<(), LoopRefusal> {
    let touches = distinct(touches);
    let mut pairs: Vec<(&Touch, &Touch)> = Vec::new();
    for (i, a) in touches.iter().enumerate() {
        let with = touches[i..]
            .iter()
            .filter(|b| a.base == b.base && (a.writes || b.writes));
        pairs.extend(with.map(|b| (*a, *b)));
    }
    if pairs.len() > MAX_PAIRS {
        return Err(LoopRefusal::new(Obstacle::TooLarge, frame.stmt, []));
    }
    // What needs no condition first: a condition that another pair asks for may then be all that the rest needs.
    let mut known = KnownPairs::new(frame);
    pairs.retain(|(a, b)| !settled(&mut known, a, b, false));
    for (a, b) in pairs {
        if !settled(&mut known, a, b, true) {
            return Err(refusal(frame, a, b));
        }
    }
    Ok(())
}

fn refusal(frame: &Frame<'_, '_>, a: &Touch, b: &Touch) -> LoopRefusal {
    let understood = a.offset.is_some() && b.offset.is_some();
    let reason = if understood {
        Obstacle::Dependence { base: a.base }
    } else {
        Obstacle::Unknown
    };
    let mut at = vec![a.inst, b.inst];
    at.dedup();
    LoopRefusal::new(reason, frame.stmt, at)
}

/// One of the touches that differ in nothing that matters here; what is not understood stands for itself alone.
fn distinct(touches: &[Touch]) -> Vec<&Touch> {
    let mut kept: Vec<&Touch> = Vec::new();
    for touch in touches {
        let same = |k: &&Touch| {
            (k.base, &k.offset, &k.bytes, k.writes, &k.loops, &k.guards)
                == (
                    touch.base,
                    &touch.offset,
                    &touch.bytes,
                    touch.writes,
                    &touch.loops,
                    &touch.guards,
                )
                && k.offset.is_some()
                && k.bytes.is_some()
        };
        if !kept.iter().any(same) {
            kept.push(touch);
        }
    }
    kept
}

/// Whether the two never meet in different iterations. With `ask` this may come to rest on conditions.
fn settled(known: &mut KnownPairs<'_, '_, '_>, a: &Touch, b: &Touch, ask: bool) -> bool {
    let frame = known.frame;
    let mut asked = Vec::new();
    let orders: &[(&Touch, &Touch)] = if std::ptr::eq(a, b) {
        &[(a, b)]
    } else {
        &[(a, b), (b, a)]
    };
    for (first, second) in orders {
        match known.apart_when(first, second) {
            Some(needs) if ask || needs.is_empty() => asked.extend(needs),
            _ => return ask && clear(frame, a, b),
        }
    }
    for (left, right) in &asked {
        frame.need(left, right);
    }
    true
}

/// A symbolic distance: `a[i]` and `a[i + k]` never meet in different iterations if `k` is zero or large.
fn clear(frame: &Frame<'_, '_>, a: &Touch, b: &Touch) -> bool {
    let found = || -> Option<Requirement> {
        let here: &Counted = &frame.counted;
        let (at_a, at_b) = (a.offset.as_ref()?, b.offset.as_ref()?);
        let (coeff, _) = at_a.coefficient_of(here.sym)?;
        let (coeff_b, _) = at_b.coefficient_of(here.sym)?;
        let step = coeff.as_constant().filter(|c| *c != 0)?.abs();
        let width = a.width()?.max(b.width()?);
        let distance = at_b.sub(at_a)?;
        let rows = at_a.sub(&Expr::sym(here.sym).mul(&coeff)?)?;
        let apart = step.checked_mul(here.step.abs())? >= width && coeff == coeff_b;
        if !apart || !frame.is_fixed(&distance) || !frame.is_fixed(&rows) || distance.as_constant().is_some() {
            return None;
        }
        let reach = here.hi.sub(&here.lo)?.scale(step)?.offset(width)?;
        Some(Requirement::Clear { distance, reach })
    };
    match found() {
        Some(condition) => {
            frame.ask(condition);
            true
        }
        None => false,
    }
}

/// Whether the loop provably runs.
pub(super) fn runs(frame: &Frame<'_, '_>, facts: &Facts) -> bool {
    facts.prove_le(&frame.counted.lo, &frame.counted.hi)
}
