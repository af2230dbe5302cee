//! The search for the best residencies of one candidate: outermost runs first.
//!
//! For a list of sibling statements the first alternative is one residency over all of those that hold kernels on the
//! object. Where a rule forbids it or nothing is gained, they are cut into stretches, each resident as a whole or taken
//! statement by statement (inside their own bodies), as is cheapest by [`super::cost`].

use super::cost;
use super::evaluate::{Candidate, Evaluated, Inputs, MOVES_NO_LESS, Refused};
use super::spans::Run;
use crate::analysis::device_calls::CallUse;
use crate::analysis::movement::family::Family;
use crate::analysis::movement::mapped::object_extent;
use crate::analysis::movement::promised::how_to_promise;
use crate::analysis::movement::subject::may_overlap;
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

/// Stretches of siblings that are tried, about, and the length up to which all are.
const MOST_STRETCHES: usize = 256;
const LONGEST: usize = 8;

/// Costs closer than this are equal.
const SAME: f64 = 1e-9;

/// Searches the whole function body.
pub fn search(inputs: &Inputs<'_>, candidate: &Candidate) -> Found {
    let body = inputs.model.tree.functions[inputs.model.tree_function].body;
    siblings(inputs, candidate, &inputs.model.tree.stmt(body).children)
}

fn launches_in(inputs: &Inputs<'_>, candidate: &Candidate, stmt: StmtId) -> bool {
    // What is used on the host alone is no reason to begin a residency, or to end it later.
    let tree = inputs.model.tree;
    let kernels = candidate.launches.iter().filter(|l| !inputs.is_hosted(candidate, **l));
    kernels.copied().any(|l| tree.encloses(stmt, inputs.start(l)))
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
    let apart: Vec<Found> = with.iter().map(|s| one(inputs, candidate, *s)).collect();
    if with.len() == 1 && !is_run(inputs, first) {
        return joined(apart);
    }
    match inputs.evaluate(candidate, Run { first, last }) {
        Ok(e) if e.cost + SAME < apart.iter().map(|f| f.cost).sum() => region(e),
        Ok(_) => {
            let mut found = partition(inputs, candidate, &with, apart);
            found.refused.push(Refused {
                stmt: first,
                message: MOVES_NO_LESS.into(),
            });
            found
        }
        Err(refused) => {
            let mut found = partition(inputs, candidate, &with, apart);
            found.refused.push(refused);
            found
        }
    }
}

fn region(e: Evaluated) -> Found {
    Found {
        cost: e.cost,
        chosen: vec![Chosen::Region(Box::new(e))],
        refused: Vec::new(),
    }
}

fn joined(parts: Vec<Found>) -> Found {
    let mut all = Found::default();
    for part in parts {
        all.chosen.extend(part.chosen);
        all.cost += part.cost;
        all.refused.extend(part.refused);
    }
    all
}

/// The cheapest way to cut `with` into stretches, each resident as a whole or taken statement by statement (`apart`):
/// dynamic programming over where the last stretch begins. All of `with` as one stretch has been tried.
///
/// Every stretch that a second run could find inside a region that the first has written is looked at here, so the
/// result does not depend on which regions are there already.
fn partition(inputs: &Inputs<'_>, candidate: &Candidate, with: &[StmtId], apart: Vec<Found>) -> Found {
    let count = with.len();
    let longest = LONGEST.max(MOST_STRETCHES / count.max(1));
    // Per prefix: its cost, where its last stretch begins, and that stretch if it is resident.
    let mut best: Vec<(f64, usize, Option<Evaluated>)> = vec![(0.0, 0, None)];
    for end in 1..=count {
        let mut choice = (best[end - 1].0 + apart[end - 1].cost, end - 1, None);
        for start in (end.saturating_sub(longest)..end).rev() {
            let alone = end - start == 1;
            if end - start == count || (alone && !is_run(inputs, with[start])) {
                continue;
            }
            let run = Run {
                first: with[start],
                last: with[end - 1],
            };
            if let Ok(e) = inputs.evaluate(candidate, run)
                && best[start].0 + e.cost + SAME < choice.0
            {
                choice = (best[start].0 + e.cost, start, Some(e));
            }
        }
        best.push(choice);
    }
    let mut parts = Vec::new();
    let mut apart: Vec<Option<Found>> = apart.into_iter().map(Some).collect();
    let mut end = count;
    while end > 0 {
        let (_, start, resident) = std::mem::replace(&mut best[end], (0.0, 0, None));
        parts.push(match resident {
            Some(e) => region(e),
            None => apart[end - 1].take().unwrap_or_default(),
        });
        end = start;
    }
    parts.reverse();
    joined(parts)
}

/// Whether a statement alone can be a residency that its kernel or the statements in it are not already.
fn is_run(inputs: &Inputs<'_>, stmt: StmtId) -> bool {
    let launch = (0..inputs.starts()).any(|l| inputs.start(l) == stmt);
    !launch && inputs.model.tree.stmt(stmt).kind != StmtKind::Block
}

fn one(inputs: &Inputs<'_>, candidate: &Candidate, stmt: StmtId) -> Found {
    let model = inputs.model;
    if let Some(l) = model.constructs.launches.iter().position(|l| l.stmt == stmt) {
        return kernel(inputs, candidate, l);
    }
    if let Some(l) = candidate.launches.iter().find(|l| inputs.start(**l) == stmt) {
        // A call maps for itself, in the function that it calls.
        return Found {
            cost: naive_cost(inputs, candidate, *l),
            ..Found::default()
        };
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
    if matches!(candidate.family, Family::PingPong(_)) {
        // Outside their residency the buffers are arrays like others, each a candidate of its own.
        return Found {
            cost: naive,
            ..Found::default()
        };
    }
    match inputs.evaluate(candidate, Run::single(stmt)) {
        Ok(e) if !e.conditions.is_empty() => {
            // A map clause has no condition of its own.
            let model = inputs.model;
            let others = inputs.mapped[launch].iter().map(|m| m.base);
            let pairs = others.flat_map(|other| candidate.bases.iter().map(move |own| (*own, other)));
            let pairs = pairs.filter(|(own, other)| own != other && may_overlap(model, *own, *other));
            let promise = how_to_promise(model, pairs);
            let message = format!("it may overlap another array of the kernel{promise}");
            Found {
                cost: naive,
                chosen: Vec::new(),
                refused: vec![Refused { stmt, message }],
            }
        }
        Ok(e) => {
            // Copies inside a kernel's own span stand at its edges: they widen to the whole section.
            let cost = kernel_cost(inputs, launch, &e).min(naive);
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

fn kernel_cost(inputs: &Inputs<'_>, launch: usize, e: &Evaluated) -> f64 {
    let (up, down) = kernel_needs(e);
    let each = cost::elements(&e.extent);
    let count = f64::from(u8::from(up) + u8::from(down));
    (count * each + cost::PER_ENTRY) * launch_frequency(inputs, launch)
}

/// How often a kernel is expected to start each time the function runs.
pub fn launch_frequency(inputs: &Inputs<'_>, launch: usize) -> f64 {
    let stmt = inputs.start(launch);
    let gap = inputs.model.coarse.gap(Place::Before(stmt));
    gap.map_or(1.0, |g| cost::frequency(inputs.model, inputs.model.coarse, g))
}

/// What the kernel's maps cost as written; what is not mapped counts as copied both ways.
pub fn naive_cost(inputs: &Inputs<'_>, candidate: &Candidate, launch: usize) -> f64 {
    let frequency = launch_frequency(inputs, launch);
    if inputs.call(launch).is_some() {
        let each = |u: &&CallUse| {
            u.mapped
                .as_deref()
                .and_then(|m| m.first())
                .map_or(1024.0, cost::elements)
        };
        let uses = inputs.used_by_call(candidate, launch);
        return uses.iter().map(|u| each(u) * u.copies.1).sum::<f64>() * frequency;
    }
    let items = inputs.items(candidate, launch);
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
