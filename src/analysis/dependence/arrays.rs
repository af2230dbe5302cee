//! What the loop, all of its iterations together, does with each array, and which arrays may be one.

use super::branches::happens;
use super::corners::ends_exist;
use super::frame::Frame;
use super::index_range::range;
use super::mirror::{filled, reads_its_own};
use super::touch::Touch;
use super::verdict::{ArrayUse, Requirement};
use crate::analysis::access::split;
use crate::analysis::arrays::{element_of, may_overlap};
use crate::analysis::values::table::Base;
use crate::symbolic::{Expr, Section};
use crate::syntax::StmtId;
use std::collections::BTreeSet;

/// The bytes that an access may touch in all iterations together, given those of one; fixed bounds, or unknown. `known`
/// are not negative either.
pub(super) fn swept(frame: &Frame<'_, '_>, touch: &Touch, section: &Section, known: &[Expr]) -> Option<Section> {
    let mut facts = touch.facts(frame);
    known.iter().for_each(|e| facts.assume_nonneg(e));
    let one = Expr::constant(1);
    let mut swept = section.clone();
    for l in touch.loops.iter().filter_map(|s| frame.loop_at(*s)) {
        if swept.mentions(l.sym) {
            let (lo, hi) = range(frame, touch, &facts, l);
            swept = swept.over_loop(l.sym, &lo, &hi, &one, &facts)?;
        }
    }
    (frame.is_fixed(&swept.lo) && frame.is_fixed(&swept.hi)).then_some(swept)
}

/// All arrays of the loop, in a fixed order.
pub(super) fn uses(frame: &Frame<'_, '_>, touches: &[Touch]) -> Vec<ArrayUse> {
    let bases: BTreeSet<Base> = touches.iter().map(|t| t.base).collect();
    bases.into_iter().map(|base| of_base(frame, touches, base)).collect()
}

fn of_base(frame: &Frame<'_, '_>, touches: &[Touch], base: Base) -> ArrayUse {
    let model = frame.model();
    let mine: Vec<&Touch> = touches.iter().filter(|t| t.base == base).collect();
    let widest = mine
        .iter()
        .filter_map(|t| t.width())
        .max()
        .and_then(|w| u64::try_from(w).ok());
    let element = element_of(model, base).or(widest).unwrap_or(1).max(1);
    let mut facts = frame.facts_around(frame.stmt);
    facts.assume_le(&frame.counted.lo, &frame.counted.hi);
    frame.assume_conditions(&mut facts);
    // Where a loop does not run that all of the accesses are in, nothing is touched.
    let shared = |s: &&StmtId| mine.iter().all(|t| t.loops.contains(s));
    let around = mine.first().into_iter().flat_map(|t| t.loops.iter().filter(shared));
    for l in around.filter_map(|s| frame.loop_at(*s)) {
        if frame.is_fixed(&l.lo) && frame.is_fixed(&l.hi) {
            facts.assume_le(&l.lo, &l.hi);
        }
    }
    let together = |wanted: &dyn Fn(&Touch) -> bool| {
        let mut all: Option<Option<Section>> = None;
        for touch in mine.iter().filter(|t| wanted(t)) {
            let section = of_touch(frame, touch, element);
            all = Some(match all {
                None => section,
                Some(so_far) => so_far.zip(section).and_then(|(a, b)| a.hull(&b, &facts)),
            });
        }
        all
    };
    let every = every_corner(frame, &mine);
    let all = together(&|_: &Touch| true).flatten();
    let ends = || ends_exist(frame, &mine, all.as_ref()?, element, &facts);
    let square = filled(frame, &mine, element, &facts);
    let own = square.is_some() && reads_its_own(frame, &mine, element);
    ArrayUse {
        base,
        element,
        loops: moved_by(frame, &mine),
        read: together(&|t: &Touch| t.reads && !own),
        written: together(&|t: &Touch| t.writes),
        surely_written: every
            .is_some()
            .then(|| surely(frame, &mine, element).or_else(|| one_by_one(frame, &mine, element)))
            .flatten()
            .or(square),
        ends_exist: every.clone().or_else(ends),
    }
}

/// The loops on whose indices the offsets of some of these depend.
fn moved_by(frame: &Frame<'_, '_>, touches: &[&Touch]) -> Vec<StmtId> {
    let moves = |touch: &Touch, stmt: &StmtId| {
        let index = frame.loop_at(*stmt).map(|l| l.sym);
        index.is_some_and(|i| touch.offset.as_ref().is_some_and(|o| o.mentions(i)))
    };
    let all = touches.iter().flat_map(|t| t.loops.iter().filter(|s| moves(t, s)));
    let all: BTreeSet<StmtId> = all.copied().collect();
    all.into_iter().collect()
}

/// The elements that an access may touch.
fn of_touch(frame: &Frame<'_, '_>, touch: &Touch, element: u64) -> Option<Section> {
    let at = touch.offset.clone()?;
    let end = at.add(touch.bytes.as_ref()?)?;
    let bytes = swept(frame, touch, &Section::new(at, end), &[])?;
    let (lo, _) = split(&bytes.lo, element)?;
    let (hi, rest) = split(&bytes.hi, element)?;
    let hi = if rest > 0 { hi.offset(1)? } else { hi };
    Some(Section::new(lo, hi))
}

/// The elements that one of the accesses surely writes.
fn surely(frame: &Frame<'_, '_>, touches: &[&Touch], element: u64) -> Option<Section> {
    let shared = frame.shared;
    let model = frame.model();
    touches
        .iter()
        .filter(|t| t.writes && t.is_counted(frame))
        .find_map(|touch| {
            let access = shared.accesses.of_inst(touch.inst).find(|a| a.writes)?;
            // The other reading of the subscript must be this one.
            let same = access
                .at
                .as_ref()
                .is_some_and(|at| Some(&at.offset) == touch.offset.as_ref() && at.base == touch.base);
            let found = shared
                .accesses
                .footprint(model, access, element, Some(frame.stmt))
                .must?;
            same.then_some(found)
                .filter(|s| frame.is_fixed(&s.lo) && frame.is_fixed(&s.hi))
        })
}

/// The elements that the loop writes one after the other, an iteration each; where variables in memory are steady, they bound
/// it here and are unknown in [`surely`].
fn one_by_one(frame: &Frame<'_, '_>, touches: &[&Touch], element: u64) -> Option<Section> {
    let mut sure = touches.iter().filter(|t| t.writes && t.is_sure(frame));
    sure.find_map(|touch| {
        let [only] = touch.loops.as_slice() else { return None };
        let index = frame.loop_at(*only).filter(|l| l.step.abs() == 1)?;
        let (stride, _) = touch.offset.as_ref()?.coefficient_of(index.sym)?;
        let bytes = touch.bytes.as_ref()?.as_constant()?;
        let dense = stride.as_constant()?.abs() == bytes && bytes == i128::from(element);
        dense.then(|| of_touch(frame, touch, element)).flatten()
    })
}

/// What has to hold so that all corners of what the accesses together touch are touched: each access, or another one of the
/// same place, happens in every iteration of loops that all run, and moves with each index in one direction.
fn every_corner(frame: &Frame<'_, '_>, touches: &[&Touch]) -> Option<Vec<Requirement>> {
    let mut when: BTreeSet<Requirement> = BTreeSet::new();
    let (sure, perhaps): (Vec<&Touch>, Vec<&Touch>) = touches.iter().copied().partition(|t| t.is_sure(frame));
    // What happens under a condition does no harm where the same happens without, or on the other ways.
    let alike = |a: &Touch, b: &Touch| (&a.offset, &a.bytes, &a.loops) == (&b.offset, &b.bytes, &b.loops);
    let mut covered = sure;
    for touch in perhaps {
        if !covered.iter().any(|s| alike(touch, s)) {
            let same: Vec<&Touch> = touches.iter().copied().filter(|t| alike(touch, t)).collect();
            when.extend(happens(frame, &same)?);
            covered.push(touch);
        }
    }
    for touch in covered {
        let offset = touch.offset.as_ref()?;
        for l in touch.loops.iter().filter_map(|s| frame.loop_at(*s)) {
            if l.step.abs() != 1 || offset.coefficient_of(l.sym).is_none() {
                return None;
            }
            if frame.is_fixed(&l.lo) && frame.is_fixed(&l.hi) {
                when.insert(Requirement::AtMost {
                    left: l.lo.clone(),
                    right: l.hi.clone(),
                });
            } else if !frame.facts_around(l.stmt).prove_le(&l.lo, &l.hi) {
                return None;
            }
        }
    }
    Some(when.into_iter().collect())
}

/// Conditions for the pairs that may be one array.
pub(super) fn aliases(frame: &Frame<'_, '_>, arrays: &[ArrayUse]) -> Vec<Requirement> {
    let mut found = Vec::new();
    for (i, x) in arrays.iter().enumerate() {
        for y in &arrays[i + 1..] {
            if may_overlap(frame.model(), x.base, y.base) {
                found.push(Requirement::Apart {
                    a: x.base.min(y.base),
                    b: x.base.max(y.base),
                    written: x.written.is_some() || y.written.is_some(),
                });
            }
        }
    }
    found
}
