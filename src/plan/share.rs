//! Lets arrays of one function share directives: residencies that overlap widen to one another, one begins and ends where others
//! do, and all ask alike whether loops run.
//!
//! ```c
//! kernel that reads a                        a alone: copied in for the kernel, copied out after it: what kernels do already
//! kernel that fills a and reads b      ─┐
//! if (verbose) print(a);                │    b stays; where b ends, a can end too: it is copied only if it is printed
//! kernel that reads b                  ─┘
//! ```
//!
//! The residencies that are written are statements of the text, and a second run looks at them as such. What it would find there
//! is looked for here, so that it finds nothing new.

use super::blocks::overlap;
use super::condition::When;
use super::inputs::Inputs;
use super::model::{Chosen, Settled};
use super::search::{SAME, search_beside};
use super::spans::Run;
use crate::analysis::movement::family::Family;
use crate::syntax::StmtId;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Lets residencies widen to those of other arrays, or end where they do, as long as something changes. `joint`: the members of
/// structs that it was settled for together.
pub(super) fn regions(inputs: &Inputs<'_>, settled: &mut [Settled], joint: &BTreeSet<usize>) {
    let mut tried = FxHashMap::default();
    for _ in 0..settled.len() {
        widen(inputs, settled);
        if !end_with_others(inputs, settled, joint, &mut tried) {
            return;
        }
    }
}

/// Looks again for residencies of arrays that have kernels within those of other arrays and no residency there; whether one was
/// found that costs less. `tried`: beside which residencies it was looked before.
fn end_with_others(
    inputs: &Inputs<'_>,
    settled: &mut [Settled],
    joint: &BTreeSet<usize>,
    tried: &mut FxHashMap<usize, Vec<Run>>,
) -> bool {
    let model = inputs.model;
    let all: BTreeSet<Run> = settled.iter().flat_map(runs_of).collect();
    let mut changed = false;
    for (index, s) in settled.iter_mut().enumerate() {
        let is_single = matches!(s.candidate.family, Family::Single(_)) && !joint.contains(&index);
        let own = runs_of(s);
        let starts = s.candidate.launches.iter().map(|l| inputs.start(*l));
        let alone: Vec<StmtId> = starts
            .filter(|start| !own.iter().any(|r| r.encloses(model, *start)))
            .collect();
        // None of its own is among them.
        let holds = |r: &&Run| alone.iter().any(|s| r.encloses(model, *s));
        let beside: Vec<Run> = all.iter().filter(holds).copied().collect();
        if !is_single || beside.is_empty() || tried.get(&index) == Some(&beside) {
            continue;
        }
        let found = search_beside(inputs, &s.candidate, &beside);
        if found.cost + SAME < s.found.cost {
            s.found = found;
            changed = true;
        }
        tried.insert(index, beside);
    }
    changed
}

/// Residencies that overlap in one block widen to their union where that costs nothing, so that one directive serves all.
fn widen(inputs: &Inputs<'_>, settled: &mut [Settled]) {
    // What each candidate costs over a run that was tried; `None` where it cannot be resident there.
    let mut known: FxHashMap<(usize, Run), Option<f64>> = FxHashMap::default();
    for _ in 0..settled.len() {
        let runs: Vec<Run> = settled.iter().flat_map(runs_of).collect();
        let mut changed = false;
        for (index, s) in settled.iter_mut().enumerate() {
            // Members that stay together do so over the same statements.
            let joint = |c: &Chosen| matches!(c, Chosen::Region(e) if e.joint.is_some());
            if s.found.chosen.iter().any(joint) {
                continue;
            }
            let mut own = runs_of(s);
            for c in &mut s.found.chosen {
                let Chosen::Region(e) = c else { continue };
                let pays = |cost: f64| cost <= e.cost + SAME;
                let mut unions = unions(inputs, e.run, &runs, &own).into_iter();
                let wider = unions.find_map(|union| {
                    if known.get(&(index, union)).is_some_and(|cost| !cost.is_some_and(pays)) {
                        return None;
                    }
                    let found = inputs.evaluate(&s.candidate, union).ok();
                    known.insert((index, union), found.as_ref().map(|w| w.cost));
                    found.filter(|w| pays(w.cost))
                });
                if let Some(w) = wider {
                    own.iter_mut().filter(|o| **o == e.run).for_each(|o| *o = w.run);
                    **e = w;
                    changed = true;
                }
            }
            merge_covered(inputs, s);
        }
        if !changed {
            return;
        }
    }
}

/// The wider runs that a residency may share with those of other arrays, beside others of its `own`: at once as far as one after
/// the other would lead, then step by step.
fn unions(inputs: &Inputs<'_>, run: Run, others: &[Run], own: &[Run]) -> Vec<Run> {
    let model = inputs.model;
    let all = others.iter().fold(run, |all, o| union(inputs, all, *o).unwrap_or(all));
    let steps = others.iter().filter_map(|o| union(inputs, run, *o));
    let mut unions: Vec<Run> = std::iter::once(all).chain(steps).collect();
    // Two residencies of one array must not overlap in part.
    let clashes = |union: Run, o: &Run| *o != run && overlap(model, union, *o) && !union.covers(model, *o);
    unions.retain(|union| *union != run && !own.iter().any(|o| clashes(*union, o)));
    unions
}

/// Residencies over one run where some ask whether its loops run and others do not: all ask, where that costs nothing.
pub(super) fn conditions(inputs: &Inputs<'_>, settled: &mut [Settled]) {
    let regions = settled.iter().flat_map(|s| &s.found.chosen);
    let asking = regions.filter_map(|c| match c {
        Chosen::Region(e) if !e.when.is_empty() => Some((e.run, e.when.clone())),
        _ => None,
    });
    let asking: Vec<(Run, When)> = asking.collect();
    for s in settled.iter_mut() {
        for c in &mut s.found.chosen {
            let Chosen::Region(e) = c else { continue };
            // Members that stay together ask alike already.
            if e.joint.is_some() {
                continue;
            }
            let mut others = asking.iter().filter(|(run, _)| *run == e.run);
            if let Some(asking) = others.find_map(|(_, when)| inputs.asking_too(&s.candidate, e, when)) {
                **e = asking;
            }
        }
    }
}

fn runs_of(s: &Settled) -> Vec<Run> {
    s.regions().map(|e| e.run).collect()
}

/// After widening, residencies and kernels of the same candidate inside a wider one are part of it.
fn merge_covered(inputs: &Inputs<'_>, s: &mut Settled) {
    let runs = runs_of(s);
    let mut kept: Vec<Run> = Vec::new();
    s.found.chosen.retain(|c| match c {
        Chosen::Region(e) => {
            let covered = runs.iter().any(|r| *r != e.run && r.covers(inputs.model, e.run)) || kept.contains(&e.run);
            if !covered {
                kept.push(e.run);
            }
            !covered
        }
        Chosen::Kernel(l, _) => {
            let stmt = inputs.model.constructs.launches[*l].stmt;
            !runs.iter().any(|r| r.encloses(inputs.model, stmt))
        }
    });
}

/// The smallest run of one block that covers both, if they stand in one block and overlap.
fn union(inputs: &Inputs<'_>, a: Run, b: Run) -> Option<Run> {
    let tree = inputs.model.tree;
    if tree.stmt(a.first).parent != tree.stmt(b.first).parent {
        return None;
    }
    let start = |s| tree.stmt(s).span.start;
    let overlap = start(a.first) <= start(b.last) && start(b.first) <= start(a.last);
    overlap.then(|| Run {
        first: if start(a.first) <= start(b.first) {
            a.first
        } else {
            b.first
        },
        last: if start(a.last) >= start(b.last) { a.last } else { b.last },
    })
}
