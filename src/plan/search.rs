//! The search for the best residencies of one candidate: outermost runs first, split where a rule forbids or where
//! nothing is gained.
//!
//! For a list of sibling statements the alternatives are: one residency over all of those that hold kernels on the
//! object, or the best for each of them separately (inside their own bodies). The cheaper by [`super::cost`] wins, and
//! among equals the one that writes less.

use super::cost;
use super::evaluate::{Candidate, Evaluated, Inputs, Refused};
use super::spans::Run;
use crate::analysis::movement::mapped::object_extent;
use crate::analysis::values::eval::Base;
use crate::openmp::MapType;
use crate::program::graph::Place;
use crate::syntax::{StmtId, StmtKind};

/// What is done about one kernel or a run of statements.
#[derive(Clone, Debug)]
pub enum Chosen {
    /// Resident over the run.
    Region(Box<Evaluated>),
    /// Mapped by the kernel itself; the evaluation says with which types.
    Kernel(usize, Box<Evaluated>),
}

/// The outcome for one candidate.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// What to do, in text order.
    pub chosen: Vec<Chosen>,
    /// Expected cost of all its kernels.
    pub cost: f64,
    /// Why larger residencies were not possible.
    pub refused: Vec<Refused>,
}

/// What a kernel costs whose pointer is not mapped at all.
const UNMAPPED: f64 = 1e15;

/// Costs closer than this are equal.
const SAME: f64 = 1e-9;

/// Searches the whole function body.
pub fn search(inputs: &Inputs<'_>, candidate: &Candidate) -> Found {
    let body = inputs.model.tree.functions[inputs.model.tree_function].body;
    siblings(inputs, candidate, &inputs.model.tree.stmt(body).children)
}

fn launches_in(inputs: &Inputs<'_>, candidate: &Candidate, stmt: StmtId) -> bool {
    candidate.launches.iter().any(|l| {
        inputs
            .model
            .tree
            .encloses(stmt, inputs.model.constructs.launches[*l].stmt)
    })
}

fn siblings(inputs: &Inputs<'_>, candidate: &Candidate, stmts: &[StmtId]) -> Found {
    let with: Vec<StmtId> = stmts
        .iter()
        .copied()
        .filter(|s| launches_in(inputs, candidate, *s))
        .collect();
    let (Some(&first), Some(&last)) = (with.first(), with.last()) else {
        return Found::default();
    };
    let mut apart = Found::default();
    for &s in &with {
        let part = one(inputs, candidate, s);
        apart.chosen.extend(part.chosen);
        apart.cost += part.cost;
        apart.refused.extend(part.refused);
    }
    let is_launch = |s: StmtId| inputs.model.constructs.launches.iter().any(|l| l.stmt == s);
    if with.len() == 1 && (is_launch(first) || inputs.model.tree.stmt(first).kind == StmtKind::Block) {
        return apart;
    }
    best_run(inputs, candidate, &with, first, last, apart)
}

/// One residency over all of `with`, or over the longest stretches that the rules allow, or none.
fn best_run(
    inputs: &Inputs<'_>,
    candidate: &Candidate,
    with: &[StmtId],
    first: StmtId,
    last: StmtId,
    mut apart: Found,
) -> Found {
    match inputs.evaluate(candidate, Run { first, last }) {
        Ok(e) if e.cost + SAME < apart.cost => Found {
            cost: e.cost,
            chosen: vec![Chosen::Region(Box::new(e))],
            refused: Vec::new(),
        },
        Ok(_) => apart,
        Err(refused) => {
            // What stands in the way splits the run: try the stretch before it and the one after it.
            let at = with.iter().position(|s| {
                inputs.model.tree.encloses(*s, refused.stmt)
                    || inputs.model.tree.stmt(*s).span.start > inputs.model.tree.stmt(refused.stmt).span.start
            });
            apart.refused.push(refused);
            let Some(at) = at.filter(|_| with.len() > 1) else {
                return apart;
            };
            let (left, right) = with.split_at(at);
            let (blocked, right) = match right.split_first() {
                Some((b, rest))
                    if inputs
                        .model
                        .tree
                        .encloses(*b, apart.refused.last().map_or(*b, |r| r.stmt)) =>
                {
                    (vec![*b], rest)
                }
                _ => (Vec::new(), right),
            };
            if left.is_empty() && blocked.is_empty() || right.is_empty() && blocked.is_empty() {
                return apart;
            }
            let mut split = Found {
                refused: apart.refused.clone(),
                ..Found::default()
            };
            for part in [left, &blocked[..], right] {
                let found = siblings(inputs, candidate, part);
                split.cost += found.cost;
                split.chosen.extend(found.chosen);
            }
            if split.cost + SAME < apart.cost { split } else { apart }
        }
    }
}

fn one(inputs: &Inputs<'_>, candidate: &Candidate, stmt: StmtId) -> Found {
    let model = inputs.model;
    if let Some(l) = model.constructs.launches.iter().position(|l| l.stmt == stmt) {
        return kernel(inputs, candidate, l);
    }
    match &model.tree.stmt(stmt).kind {
        StmtKind::Block => siblings(inputs, candidate, &model.tree.stmt(stmt).children),
        StmtKind::If { then, other, .. } => {
            let mut found = siblings(inputs, candidate, &[*then]);
            if let Some(other) = other {
                let more = siblings(inputs, candidate, &[*other]);
                found.chosen.extend(more.chosen);
                found.cost += more.cost;
                found.refused.extend(more.refused);
            }
            found
        }
        StmtKind::For { body, .. }
        | StmtKind::While { body, .. }
        | StmtKind::DoWhile { body, .. }
        | StmtKind::Switch { body, .. } => siblings(inputs, candidate, &[*body]),
        _ => Found::default(),
    }
}

fn kernel(inputs: &Inputs<'_>, candidate: &Candidate, launch: usize) -> Found {
    let naive = naive_cost(inputs, candidate, launch);
    let stmt = inputs.model.constructs.launches[launch].stmt;
    match inputs.evaluate(candidate, Run::single(stmt)) {
        Ok(e) if !e.conditions.is_empty() => {
            // A map clause has no condition of its own.
            let message = "it may overlap another array of the kernel".to_owned();
            Found {
                cost: naive,
                chosen: Vec::new(),
                refused: vec![Refused { stmt, message }],
            }
        }
        Ok(e) => {
            // Copies inside a kernel's own span stand at its edges: they widen to the whole section.
            let cost = kernel_cost(inputs, candidate, launch, &e).min(naive);
            Found {
                cost,
                chosen: vec![Chosen::Kernel(launch, Box::new(e))],
                refused: Vec::new(),
            }
        }
        Err(refused) => Found {
            cost: naive,
            chosen: Vec::new(),
            refused: vec![refused],
        },
    }
}

/// Whether the kernel alone needs a copy in, and out.
pub fn kernel_needs(e: &Evaluated) -> (bool, bool) {
    let up = e.placement.entry.iter().any(|b| b.copies) || e.placement.copies.iter().any(|c| c.up);
    let down_whole = e.placement.exits.iter().any(|(_, b)| b.iter().any(|b| b.copies));
    let down_part = e.placement.copies.iter().any(|c| !c.up);
    // A part that comes back as the whole section must have gone in as the whole section.
    (up || down_part, down_whole || down_part)
}

fn kernel_cost(inputs: &Inputs<'_>, _: &Candidate, launch: usize, e: &Evaluated) -> f64 {
    let (up, down) = kernel_needs(e);
    let each = cost::elements(&e.extent);
    let count = f64::from(u8::from(up) + u8::from(down));
    (count * each + cost::PER_ENTRY) * launch_frequency(inputs, launch)
}

fn launch_frequency(inputs: &Inputs<'_>, launch: usize) -> f64 {
    let stmt = inputs.model.constructs.launches[launch].stmt;
    let gap = inputs.model.coarse.gap(Place::Before(stmt));
    gap.map_or(1.0, |g| cost::frequency(inputs.model, inputs.model.coarse, g))
}

/// What the kernel's maps cost as written; what is not mapped counts as copied both ways.
pub fn naive_cost(inputs: &Inputs<'_>, candidate: &Candidate, launch: usize) -> f64 {
    let items: Vec<_> = inputs.mapped[launch]
        .iter()
        .filter(|m| candidate.bases.contains(&m.base))
        .collect();
    let frequency = launch_frequency(inputs, launch);
    if items.is_empty() {
        let whole = candidate.bases.first().and_then(|b| match b {
            Base::Value(_) => None,
            _ => object_extent(inputs.model, *b, candidate.element),
        });
        // An array is copied both ways; a pointer that nobody maps makes the kernel wrong: any residency is better.
        return whole.map_or(UNMAPPED, |w| 2.0 * cost::elements(&w)) * frequency;
    }
    items
        .iter()
        .map(|m| {
            let each = m.section.as_ref().map_or(1024.0, cost::elements);
            let count = match m.map_type {
                MapType::Tofrom => 2.0,
                MapType::To | MapType::From => 1.0,
                _ => 0.0,
            };
            each * count * frequency
        })
        .sum()
}
