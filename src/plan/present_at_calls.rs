//! Which arrays are on the device already whenever a function is called.
//!
//! ```c
//! void step(double *u, int n) { … kernels on u … }
//! int main(void) { … #pragma omp target data map(tofrom: u[0:n])  for (…) step(u, n); … }
//! ```
//!
//! Here `step` needs no region of its own: its kernels find `u` present at every call. So functions are planned callers
//! first, and what all calls of a function hold is left alone in it. Nothing about correctness depends on this: the kernels
//! keep their maps, which are right wherever they are entered from.

use super::holdings::{Held, OnEntry};
use super::inputs::Inputs;
use super::model::widest;
use super::model::{Candidate, FeasibleResidency, Settled};
use super::terms::root_of;
use crate::analysis::arrays::locs_of;
use crate::analysis::callee_term::CalleeTerm;
use crate::analysis::device_calls::CallUse;
use crate::analysis::device_summary::OpaqueArray;
use crate::analysis::movement::family::Family;
use crate::analysis::movement::scope::NameScope;
use crate::analysis::points_to::PointsTo;
use crate::analysis::values::table::Base;
use crate::openmp::{ClauseKind, Construct};
use crate::program::ir::FuncId;
use crate::program::objects::{MemLoc, Site};
use crate::syntax::StmtId;
use rustc_hash::FxHashMap;

/// What callers of a function hold.
pub fn on_entry(points_to: &PointsTo, func: FuncId, held: &Held) -> OnEntry {
    OnEntry {
        always: always(points_to, func, &held.always),
        ever: held.ever(func),
    }
}

fn always(points_to: &PointsTo, func: FuncId, held: &FxHashMap<Site, Vec<CalleeTerm>>) -> Vec<CalleeTerm> {
    if points_to.has_unseen_callers(func) {
        return Vec::new();
    }
    let mut calls = points_to.callers(func).iter().map(|site| held.get(site));
    let Some(Some(first)) = calls.next() else {
        return Vec::new();
    };
    let mut common = first.clone();
    for terms in calls {
        match terms {
            Some(terms) => common.retain(|t| terms.contains(t)),
            None => return Vec::new(),
        }
    }
    common
}

/// Whether callers hold a candidate, given what they hold.
pub fn is_held(inputs: &Inputs<'_>, candidate: &Candidate, on_entry: &[CalleeTerm]) -> bool {
    let Family::Single(base) = candidate.family else {
        return false;
    };
    !on_entry.is_empty() && root_of(inputs, base).is_some_and(|root| on_entry.contains(&root))
}

/// What each call of a function holds: by what its callers hold, by what was decided, and by hand.
pub fn at_calls(inputs: &Inputs<'_>, settled: &[Settled], on_entry: &OnEntry) -> Held {
    let model = inputs.model;
    let mut found = Held::default();
    for call in &inputs.calls {
        let from_above =
            |base: Base, terms: &[CalleeTerm]| root_of(inputs, base).is_some_and(|root| terms.contains(&root));
        let held = |base: Base| {
            from_above(base, &on_entry.always)
                || holds(inputs, settled, base, call.stmt, false)
                || by_hand(inputs, base, call.stmt, false)
        };
        let perhaps = |base: Base| {
            from_above(base, &on_entry.ever)
                || holds(inputs, settled, base, call.stmt, true)
                || by_hand(inputs, base, call.stmt, true)
        };
        for used in call
            .uses
            .iter()
            .filter(|u| u.each().any(|u| u.base.is_some_and(perhaps)))
        {
            found.ever.entry(used.by).or_default().push(used.root.clone());
        }
        let always = |u: &CallUse| u.base.is_some_and(held);
        let each = |u: &CallUse| !u.perhaps.is_empty() && u.perhaps.iter().all(always);
        let uses = call.uses.iter().filter(|u| always(u) || each(u)).map(|u| &u.root);
        let is_held = |o: &OpaqueArray| {
            let mut alike = call.opaque.iter().filter(|(other, _)| other.root == o.root);
            alike.all(|(_, base)| base.is_some_and(held))
        };
        let opaque = call.opaque.iter().filter(|(o, _)| is_held(o));
        let terms = uses.chain(opaque.filter_map(|(o, _)| o.root.as_ref())).cloned();
        let site = Site {
            func: model.func,
            inst: call.inst,
        };
        found.always.insert(site, terms.collect());
    }
    found
}

/// Whether a residency holds an array at a statement: one whose directive's conditions hold there, or any.
fn holds(inputs: &Inputs<'_>, settled: &[Settled], base: Base, stmt: StmtId, any: bool) -> bool {
    let surely = |e: &FeasibleResidency| {
        let when = widest(settled.iter().flat_map(Settled::regions), e);
        e.conditions.is_empty() && when.follows(&inputs.known_within_loops(stmt))
    };
    let of_array = settled.iter().filter(|s| s.candidate.bases.contains(&base));
    let mut there = of_array
        .flat_map(Settled::regions)
        .filter(|e| e.run.encloses(inputs.model, stmt));
    there.any(|e| any || surely(e))
}

/// Whether a hand-written directive holds an array at a statement, one without a condition or any: all that the array may be
/// is among what it maps, under whatever names.
fn by_hand(inputs: &Inputs<'_>, base: Base, stmt: StmtId, any: bool) -> bool {
    let model = inputs.model;
    let wanted = locs_of(model, base);
    model.constructs.user_data.iter().any(|u| {
        let pragma = model.tree.pragma(u.pragma);
        let covers = match u.stmt {
            Some(region) => model.tree.encloses(region, stmt),
            None => u.directive.has(&Construct::TargetEnterData) && pragma.span.end <= model.tree.stmt(stmt).span.start,
        };
        let Some(at) = pragma.before.or(pragma.inside).filter(|_| covers) else {
            return false;
        };
        let mut conditions = u.directive.clauses.iter().filter_map(|c| match &c.kind {
            ClauseKind::If { expr, .. } => Some(expr),
            _ => None,
        });
        let Some(scope) = NameScope::before(model, &inputs.file.macros, at) else {
            return false;
        };
        let follows = |text: &String| {
            let read = inputs.reader().read(text, &scope);
            read.is_some_and(|condition| condition.follows(&inputs.known_within_loops(stmt)))
        };
        if !any && !conditions.all(follows) {
            return false;
        }
        let bases = u.items.iter().filter_map(|i| Some(scope.base(&i.path.to_string())?.0));
        let held: Vec<MemLoc> = bases.flat_map(|b| locs_of(model, b)).collect();
        !wanted.is_empty() && wanted.iter().all(|l| held.contains(l))
    })
}
