//! One loop from beginning to end, and how many loops may become one.

use super::arrays::{aliases, uses};
use super::frame::{Frame, Shared};
use super::scalars::{Scalars, classify, declared_inside};
use super::touch::{Touch, on_device, touches};
use super::verdict::{Around, LoopRefusal, LoopVerdict, Obstacle, Parallel, Requirement};
use super::{branches, calls, pairs, pointers, scratch};
use crate::analysis::function::FunctionModel;
use crate::analysis::values::table::Base;
use crate::program::graph::NodeKind;
use crate::program::ir::{Op, Type};
use crate::symbolic::{Expr, Facts};
use crate::syntax::{StmtId, StmtKind};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The verdicts on all loops of a function, by statement, in text order.
pub fn verdicts(model: &FunctionModel<'_>) -> BTreeMap<StmtId, LoopVerdict> {
    let shared = Shared::new(model);
    let loops = model.tree.loops_of(model.tree_function);
    let mut found: BTreeMap<StmtId, LoopVerdict> = loops
        .into_iter()
        .map(|s| {
            let verdict = examine(&shared, s);
            (s, verdict.unwrap_or_else(LoopVerdict::Refused))
        })
        .collect();
    let mut around: BTreeMap<StmtId, Option<Rc<Around>>> = BTreeMap::new();
    for (stmt, verdict) in &mut found {
        let LoopVerdict::Parallel(p) = verdict else { continue };
        let outer = model.tree.ancestors(*stmt).skip(1);
        for outer in outer.filter(|s| model.tree.stmt(*s).kind.is_loop()) {
            let known = around
                .entry(outer)
                .or_insert_with(|| uses_around(&shared, outer).map(Rc::new));
            p.around.extend(known.clone());
        }
    }
    // From the inside out: how deep a nest collapses depends on how deep the nest inside it does.
    let order: Vec<StmtId> = found.keys().rev().copied().collect();
    for stmt in order {
        let depth = collapse(model, &found, stmt);
        if let Some(LoopVerdict::Parallel(p)) = found.get_mut(&stmt) {
            p.collapse = depth;
        }
    }
    found
}

fn examine(shared: &Shared<'_>, stmt: StmtId) -> Result<LoopVerdict, LoopRefusal> {
    let model = shared.model;
    if annotated(model, stmt) {
        return Err(LoopRefusal::new(Obstacle::Annotated, stmt, []));
    }
    let frame = Frame::new(shared, stmt)?;
    calls::check(&frame)?;
    let Scalars {
        mut private,
        firstprivate,
        lastprivate,
        reductions,
    } = classify(&frame)?;
    let mut touches = touches(&frame)?;
    // What is declared inside is new in every iteration.
    touches.retain(|t| !matches!(t.base, Base::Local(v) if declared_inside(&frame, v)));
    let own = scratch::scratch(&frame, &touches);
    touches.retain(|t| !matches!(t.base, Base::Local(v) if own.contains(&v)));
    private.extend(own);
    moving(&frame, &touches)?;
    pointers::check(&frame, &touches, &private)?;
    pairs::check(&frame, &touches)?;
    let mut facts = super::frame::facts_of(&shared.numbers, std::iter::empty());
    frame.assume_conditions(&mut facts);
    if !lastprivate.is_empty() && !pairs::runs(&frame, &facts) {
        frame.need(&frame.counted.lo, &frame.counted.hi);
    }
    let arrays = uses(&frame, &touches);
    let mut conditions = frame.conditions();
    conditions.extend(aliases(&frame, &arrays));
    let header = in_header(&frame, &touches);
    Ok(LoopVerdict::Parallel(Box::new(Parallel {
        counted: frame.counted.clone(),
        inner: frame.inner(),
        private,
        firstprivate,
        lastprivate,
        reductions,
        collapse: 1,
        conditions,
        arrays,
        header,
        followed: branches::followed(&frame),
        around: Vec::new(),
    })))
}

/// What the loop's own header reads of memory that the loop may write, if arrays overlap. Numbers of another type are not
/// written over it: what is read as an `int` has not been stored as a `float` (C11, 6.5).
fn in_header(frame: &Frame<'_, '_>, touches: &[Touch]) -> BTreeSet<Base> {
    let model = frame.model();
    let own = |t: &&Touch| match model.fine.node(t.node).kind {
        NodeKind::Init(s) | NodeKind::Cond(s) | NodeKind::Step(s) => s == frame.stmt,
        _ => false,
    };
    let type_of = |t: &Touch| match &model.function().inst(t.inst).op {
        Op::Store { ty, .. } => Some(ty.clone()),
        Op::Load { .. } => Some(model.function().inst(t.inst).ty.clone()),
        _ => None,
    };
    let bytes = |ty: &Option<Type>| matches!(ty, None | Some(Type::Int(8)));
    let written: Vec<(Base, Option<Type>)> = touches
        .iter()
        .filter(|t| t.writes)
        .map(|t| (t.base, type_of(t)))
        .collect();
    let read = touches.iter().filter(own).filter(|t| {
        let ty = type_of(t);
        let over = |w: &(Base, Option<Type>)| w.0 != t.base && (w.1 == ty || bytes(&w.1) || bytes(&ty));
        written.iter().any(over)
    });
    read.map(|t| t.base).collect()
}

/// What all iterations of a loop use, whether or not they may run at the same time.
fn uses_around(shared: &Shared<'_>, stmt: StmtId) -> Option<Around> {
    let frame = Frame::new(shared, stmt).ok()?;
    calls::check(&frame).ok()?;
    let mut touches = touches(&frame).ok()?;
    touches.retain(|t| match t.base {
        Base::Local(v) => !declared_inside(&frame, v),
        Base::Value(sym) => frame.is_fixed_sym(sym),
        Base::Global(_) => true,
    });
    let arrays = uses(&frame, &touches);
    Some(Around {
        stmt,
        when: frame.conditions(),
        arrays,
    })
}

/// Refuses pointers that change in the loop, and arrays of what devices lack.
fn moving(frame: &Frame<'_, '_>, touches: &[Touch]) -> Result<(), LoopRefusal> {
    for touch in touches {
        if let Base::Value(sym) = touch.base
            && !frame.is_fixed_sym(sym)
        {
            return Err(LoopRefusal::new(Obstacle::MovingPointer, frame.stmt, [touch.inst]));
        }
        let ty: &Type = &frame.model().function().inst(touch.inst).ty;
        if !on_device(ty) {
            return Err(LoopRefusal::new(Obstacle::HostType, frame.stmt, [touch.inst]));
        }
    }
    Ok(())
}

/// Whether a pragma stands before the loop, or before a statement around it or in it. Loops of kernels are looked at as if
/// there were none: nothing is written there, but other loops are weighed beside them.
fn annotated(model: &FunctionModel<'_>, stmt: StmtId) -> bool {
    let tree = model.tree;
    if model.constructs.launches.iter().any(|l| tree.encloses(l.stmt, stmt)) {
        return false;
    }
    tree.pragmas_of(model.tree_function).any(|p| {
        let before = p
            .before
            .is_some_and(|s| tree.encloses(s, stmt) || tree.encloses(stmt, s));
        before || p.inside.is_some_and(|s| tree.encloses(stmt, s))
    })
}

/// How many loops, from this one inwards, may become one: perfectly nested, rectangular, all parallel.
fn collapse(model: &FunctionModel<'_>, found: &BTreeMap<StmtId, LoopVerdict>, stmt: StmtId) -> usize {
    let Some(outer) = found.get(&stmt).and_then(LoopVerdict::parallel) else {
        return 1;
    };
    let Some(next) = only_loop_in(model, stmt) else {
        return 1;
    };
    let Some(inner) = found.get(&next).and_then(LoopVerdict::parallel) else {
        return 1;
    };
    let rectangular = [&inner.counted.first, &inner.counted.lo, &inner.counted.hi]
        .into_iter()
        .all(|e: &Expr| super::canonical::is_fixed(model, e, stmt));
    // Where the conditions fail the inner loop may write its bound, and as a part of the outer one would not see that; unless
    // the conditions hold wherever there is one loop of the two.
    let steady = outer.may_write_bound() || !outer.conditions.iter().any(|c| c.protects(&inner.header));
    let plain = steady
        && inner.lastprivate.is_empty()
        && outer.lastprivate.is_empty()
        && inner.reductions.iter().all(|r| outer.reductions.contains(r))
        && implied(outer, inner);
    if rectangular && plain { 1 + inner.collapse } else { 1 }
}

/// Whether the outer loop's conditions say all that the inner loop's do, in every iteration of the outer loop.
fn implied(outer: &Parallel, inner: &Parallel) -> bool {
    let mut facts = Facts::new();
    let index = Expr::sym(outer.counted.sym);
    facts.assume_le(&outer.counted.lo, &index);
    facts.assume_le(&index, &outer.counted.hi);
    // Where the inner loop does not run, nothing depends on it.
    facts.assume_le(&inner.counted.lo, &inner.counted.hi);
    for condition in &outer.conditions {
        if let Requirement::AtMost { left, right } = condition {
            facts.assume_le(left, right);
        }
    }
    inner.conditions.iter().all(|c| match c {
        Requirement::AtMost { left, right } => facts.prove_le(left, right),
        Requirement::Clear { .. } | Requirement::Branch(_) => outer.conditions.contains(c),
        Requirement::Apart { a, b, .. } => {
            let same = |o: &Requirement| matches!(o, Requirement::Apart { a: x, b: y, .. } if x == a && y == b);
            outer.conditions.iter().any(same)
        }
    })
}

/// The loop that is all there is in a loop's body.
fn only_loop_in(model: &FunctionModel<'_>, stmt: StmtId) -> Option<StmtId> {
    let tree = model.tree;
    let StmtKind::For { mut body, .. } = tree.stmt(stmt).kind else {
        return None;
    };
    while tree.stmt(body).kind == StmtKind::Block {
        let [only] = tree.stmt(body).children.as_slice() else {
            return None;
        };
        body = *only;
    }
    matches!(tree.stmt(body).kind, StmtKind::For { .. }).then_some(body)
}
