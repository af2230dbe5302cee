//! What a placement is expected to cost: bytes, weighted by how often each copy runs.
//!
//! The figures rank alternatives for one object, nothing else: unknown sizes count as 1024 elements and unknown loops as
//! 16 iterations, so a copy in a loop always loses against the same copy outside it. Correctness never depends on them.

use super::condition_frequency;
use crate::analysis::function::FunctionModel;
use crate::analysis::movement::estimate::average_elements;
use crate::analysis::movement::placement::{Boundary, Placement};
use crate::program::graph::{FlowGraph, NodeId, NodeKind, Place};
use crate::program::in_loops::in_loop;
use crate::symbolic::Section;
use crate::syntax::{StmtId, StmtKind};

/// Iterations that an unknown loop counts as.
pub(super) const UNKNOWN_TRIPS: f64 = 16.0;
/// Iterations that an unknown loop has at least where it is bet on: what is copied in on entry must have paid for itself by then.
pub(super) const FEW_TRIPS: f64 = 2.0;
/// What one more call costs, in elements: only to break ties between equal bytes.
const PER_CALL: f64 = 0.001;
/// What a call beyond those that the kernels make themselves costs, in elements: a copy of a few kilobytes takes as long
/// as the call itself. So small arrays are not copied in more pieces than before.
const PER_EXTRA_CALL: f64 = 512.0;

/// What one more `update` in the text costs, in elements, however often it runs: readers pay for it too.
pub(super) const PER_SITE: f64 = 0.5;

/// What allocating and releasing an object costs, in elements: between residencies that move as much, the one that is
/// entered less often is the better.
pub const PER_ENTRY: f64 = 0.000_1;

/// Expected number of times a node runs each time the function does.
pub fn frequency(model: &FunctionModel<'_>, graph: &FlowGraph, node: NodeId) -> f64 {
    frequency_if(model, graph, node, UNKNOWN_TRIPS)
}

/// [`frequency`] if unknown loops have so many iterations.
pub(super) fn frequency_if(model: &FunctionModel<'_>, graph: &FlowGraph, node: NodeId, unknown: f64) -> f64 {
    let kind: NodeKind = graph.node(node).kind;
    let Some(stmt) = graph.stmt_of(node) else { return 1.0 };
    let conditional: f64 = model
        .tree
        .ancestors(stmt)
        .map(|s| match &model.tree.stmt(s).kind {
            StmtKind::If { then, .. } if s == stmt => {
                let otherwise = matches!(kind, NodeKind::Gap(Place::Else(_))) && !leaves(model, *then);
                if otherwise {
                    condition_frequency::side(model, s, false)
                } else {
                    1.0
                }
            }
            // What the other side always jumps over runs as often as what follows.
            StmtKind::If { then, other, .. } => {
                let inside = model.tree.encloses(*then, stmt);
                let follows = match inside {
                    true => other.is_some_and(|other| leaves(model, other)),
                    false => leaves(model, *then),
                };
                if follows {
                    1.0
                } else {
                    condition_frequency::side(model, s, inside)
                }
            }
            StmtKind::Switch { .. } if s != stmt => condition_frequency::of_switch(),
            _ => 1.0,
        })
        .product();
    let loops: f64 = model
        .tree
        .ancestors(stmt)
        .filter(|s| model.tree.stmt(*s).kind.is_loop() && in_loop(model.tree, kind, *s))
        .map(|s| {
            let trips = model.loops.get(s).and_then(|l| l.induction.as_ref()).and_then(|i| {
                let span = i.hi.sub(&i.lo)?.as_constant()?;
                Some((span.max(0) as f64 / i.step.unsigned_abs() as f64).floor() + 1.0)
            });
            trips.unwrap_or(unknown)
        })
        .product();
    loops * conditional
}

/// Whether a statement ends in a jump.
fn leaves(model: &FunctionModel<'_>, stmt: StmtId) -> bool {
    condition_frequency::ends_in(model, stmt, &|kind| {
        matches!(
            kind,
            StmtKind::Return { .. } | StmtKind::Goto { .. } | StmtKind::Break | StmtKind::Continue
        )
    })
}

/// How many elements a section of a function is expected to have.
pub fn elements(model: &FunctionModel<'_>, section: &Section) -> f64 {
    average_elements(section, model.loops)
}

/// How much the copies of a placement are expected to copy, in how many calls.
struct Volume {
    elements: f64,
    calls: f64,
}

/// The volume of a placement if unknown loops have so many iterations.
fn volume(model: &FunctionModel<'_>, entry: NodeId, extent: &Section, placed: &Placement, unknown: f64) -> Volume {
    let whole = elements(model, extent);
    let at = |n: NodeId| frequency_if(model, model.coarse, n, unknown);
    // Of several exits one is taken.
    let share = 1.0 / placed.exits.len() as f64;
    let count = |boundaries: &[Boundary]| boundaries.iter().filter(|b| b.copies).count() as f64;
    let mut wholes = count(&placed.entry) * at(entry);
    for (gap, boundaries) in &placed.exits {
        wholes += count(boundaries) * at(*gap) * share;
    }
    let mut all = Volume {
        elements: wholes * whole,
        calls: wholes,
    };
    for c in &placed.copies {
        all.elements += elements(model, &c.section) * at(c.gap);
        all.calls += at(c.gap);
    }
    all
}

/// The elements that a placement copies if unknown loops have few iterations.
pub(super) fn least_elements(model: &FunctionModel<'_>, entry: NodeId, extent: &Section, placed: &Placement) -> f64 {
    volume(model, entry, extent, placed, FEW_TRIPS).elements
}

/// Expected cost of a placement, where kernels would make `own_calls` copies themselves.
pub fn placement(
    model: &FunctionModel<'_>,
    entry: NodeId,
    extent: &Section,
    placed: &Placement,
    own_calls: f64,
) -> f64 {
    let all = volume(model, entry, extent, placed, UNKNOWN_TRIPS);
    let once = PER_ENTRY * frequency(model, model.coarse, entry) + PER_SITE * placed.copies.len() as f64;
    once + all.elements + all.calls * PER_CALL + (all.calls - own_calls).max(0.0) * PER_EXTRA_CALL
}

/// Copies of an extent in a loop that speculation takes to run often enough.
pub(super) const PLENTY: i64 = 1 << 20;
