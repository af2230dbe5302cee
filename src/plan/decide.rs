//! Decides everything about a program: plans each function, callers first, in several ways where there are several, and
//! collects decisions and remarks by file.

use super::file::{FileFacts, FileText};
use super::function::{PlannedFunction, plan_function};
use super::holdings::{Held, OnEntry};
use super::inputs::inputs;
use super::members::set_apart;
use super::model::Planned;
use super::openacc::beside_openacc;
use super::prepare::with_model;
use super::present_at_calls::{at_calls, on_entry};
use super::program_facts::{DecisionScope, ProgramFacts, SharedFacts, Variant};
use super::resident_costs::Tally;
use super::{FilePlan, Note, RegionStyle, host, levels, present_in_recursion};
use crate::analysis::callee_term::CalleeTerm;
use crate::analysis::effects::Effects;
use crate::analysis::module_pointers::ModulePointers;
use crate::panics;
use crate::program::ir::FuncId;
use crate::program::objects::MemLoc;
use crate::reasons::{Functions, Reason};
use crate::source::Span;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::panic::AssertUnwindSafe;

/// How often arrays that cannot stay on the device are left out and the rest tried again.
const MOST_ROUNDS: usize = 4;
/// Costs closer than this are equal.
const SAME: f64 = 1e-6;

/// Decides everything about a program: a plan for each of its files, which are the module's units in order; or what went
/// wrong inside this tool.
pub fn plan_program(
    files: &[FileText<'_>],
    pointers: &ModulePointers<'_>,
    scope: DecisionScope,
) -> Vec<Result<FilePlan, String>> {
    let module = pointers.module();
    let mut facts: Vec<FileFacts<'_>> = files
        .par_iter()
        .enumerate()
        .map(|(unit, file)| FileFacts::new(file, module, unit as u32))
        .collect();
    let headers = files.iter().enumerate();
    let headers: Vec<FileFacts<'_>> = headers
        .flat_map(|(unit, file)| FileFacts::of_headers(file, module, unit as u32))
        .collect();
    facts.extend(headers);
    let any = facts
        .iter()
        .any(|f| (0..f.tree.functions.len()).any(|i| f.has_constructs(i)));
    if !any {
        return vec![Ok(FilePlan::default()); files.len()];
    }
    if let Some(plans) = beside_openacc(&facts, files.len()) {
        return plans;
    }
    let points_to = pointers.points_to();
    let effects = Effects::solve(module, points_to);
    let mut variant = Variant {
        host_only: true,
        ..Variant::default()
    };
    let shared = SharedFacts::new(module, points_to, &effects);
    let facts_of = |variant: &Variant| ProgramFacts::new(&facts, files, scope, variant, &shared);
    let mut program = facts_of(&variant);
    let mut planned = plan_all(&program, &facts, files, scope);
    if program.has_host_only {
        let without = facts_of(&Variant::default());
        let other = plan_all(&without, &facts, files, scope);
        if other.cost <= planned.cost {
            (program, planned) = (without, other);
            variant.host_only = false;
        }
    }
    // What an update in a callee costs, each residency around its calls has to pay: copies around them may be better.
    let unused = program.unused_updates(&planned.held);
    if !unused.is_empty() {
        let without = |some: FxHashSet<(FuncId, CalleeTerm)>| {
            let variant = Variant {
                without_updates: some,
                ..variant.clone()
            };
            let planned = plan_all(&facts_of(&variant), &facts, files, scope);
            (planned, variant)
        };
        let mut others = vec![without(unused.keys().cloned().collect())];
        let gains = |locs: &[MemLoc]| others[0].0.tally.cost_at(locs) + SAME < planned.tally.cost_at(locs);
        let better: FxHashSet<_> = unused.iter().filter(|u| gains(u.1)).map(|u| u.0.clone()).collect();
        if !better.is_empty() && better.len() < unused.len() {
            others.push(without(better));
        }
        for (other, without) in others {
            if other.tally.cost_of_own() + SAME < planned.tally.cost_of_own() {
                (planned, variant) = (other, without);
            }
        }
    }
    let mut wanted = program.worth_keeping(&planned.tally);
    if files.iter().any(|f| f.options.style == RegionStyle::Structured) {
        wanted.clear();
    }
    for _ in 0..MOST_ROUNDS {
        if wanted.is_empty() {
            break;
        }
        variant.resident = wanted.clone();
        let program = facts_of(&variant);
        wanted = program.staying(&facts, &wanted, &planned.tally);
        if wanted.len() == variant.resident.len() {
            let other = plan_all(&program, &facts, files, scope);
            if other.tally.cost_of_others(&wanted) <= planned.tally.cost_of_others(&wanted) + SAME {
                planned = other;
            }
            break;
        }
    }
    let mut functions = planned.functions;
    facts[..files.len()]
        .iter()
        .map(|file| collect(file, &mut functions))
        .collect()
}

/// Plans one function, of a file that is one of the first `own` or a header, given what is held at calls of it.
fn plan_one(
    program: &ProgramFacts<'_>,
    facts: &[FileFacts<'_>],
    own: usize,
    id: FuncId,
    scope: DecisionScope,
    held: &Held,
) -> Result<Result<PlannedFunction, (Span, Reason)>, String> {
    let points_to = program.points_to;
    let mut on_entry = match levels::circle_of(points_to, id) {
        _ if !scope.together => OnEntry::default(),
        Some(circle) => OnEntry {
            always: present_in_recursion::on_entry(program.module, points_to, circle, id, held),
            ever: held.ever(id),
        },
        None => on_entry(points_to, id, held),
    };
    let resident = program.resident_roots(id);
    on_entry.always.extend(resident.iter().cloned());
    on_entry.ever.extend(resident);
    let (at, f) = program.places[&id];
    if !program.live.contains(&id) {
        // Nobody says what its parameters point to.
        let span = facts[at].tree.functions[f].name_span;
        return Ok(Err((span, Functions::NotCalled.into())));
    }
    if program.after_device.contains(&id) {
        let span = facts[at].tree.functions[f].name_span;
        return Ok(Err((span, Functions::AfterDevice.into())));
    }
    let plan = || {
        let host = host::of_callees(program, facts, id);
        with_model(program, &facts[at], f, id, &host, |model| {
            let inputs = inputs(program, &facts[at], model, &host);
            match at < own {
                true => plan_function(&inputs, &on_entry),
                // Functions of headers are understood and not rewritten: what callers hold they only hand on.
                false => PlannedFunction {
                    held: at_calls(&inputs, &[], &on_entry),
                    ..PlannedFunction::default()
                },
            }
        })
    };
    panics::guarded(AssertUnwindSafe(plan))
}

/// Plans for all functions of a program.
struct PlannedProgram {
    functions: FxHashMap<FuncId, Planned>,
    /// What they are expected to cost, to compare them with others for the same program.
    cost: f64,
    /// The expected cost by array.
    tally: Tally,
    /// What calls hold.
    held: Held,
}

fn plan_all(
    program: &ProgramFacts<'_>,
    facts: &[FileFacts<'_>],
    files: &[FileText<'_>],
    scope: DecisionScope,
) -> PlannedProgram {
    let points_to = program.points_to;
    let mut planned = FxHashMap::default();
    let mut held = Held::default();
    let mut cost = 0.0;
    let mut tally = Tally::default();
    let matters = |id: FuncId| program.launching.contains(&id) || program.freeing.contains(&id);
    let ours = |id: FuncId| program.places.contains_key(&id) && matters(id);
    for level in levels::callers_first(points_to, ours) {
        // In a circle what one function holds another may have to know: as long as that is more, all are planned again.
        let mut plans;
        loop {
            plans = level
                .par_iter()
                .map(|id| (*id, plan_one(program, facts, files.len(), *id, scope, &held)))
                .collect::<Vec<_>>();
            let made = plans.iter().flat_map(|(_, plan)| plan.iter().flatten());
            let news = made.map(|made| held.extend(&made.held));
            if !news.fold(false, |any, new| any | new)
                || !level.iter().any(|id| levels::circle_of(points_to, *id).is_some())
            {
                break;
            }
        }
        for (id, plan) in plans {
            planned.insert(
                id,
                plan.map(|plan| {
                    plan.map(|made| {
                        cost += made.cost;
                        tally.add(id, made.copied, made.calls, made.cost);
                        made.plan
                    })
                }),
            );
        }
    }
    set_apart(program, &mut planned);
    PlannedProgram {
        functions: planned,
        cost,
        tally,
        held,
    }
}

/// Everything decided about one file.
fn collect(file: &FileFacts<'_>, planned: &mut FxHashMap<FuncId, Planned>) -> Result<FilePlan, String> {
    let mut plan = FilePlan::default();
    for (f, function) in file.tree.functions.iter().enumerate() {
        let left = |span, reason: &Reason| {
            let about = format!("`{}` is left as it is: ", function.name);
            Note::because(span, &about, reason).in_function(&function.name)
        };
        match file.functions[f].map(|id| planned.remove(&id)) {
            None if file.elsewhere.contains(&function.name.as_str()) => {
                let reason = Functions::PartElsewhere.into();
                plan.remarks.push(left(function.name_span, &reason));
            }
            None if file.has_constructs(f) => {
                let reason = Functions::NotEmitted.into();
                plan.remarks.push(left(function.name_span, &reason));
            }
            None | Some(None) => {}
            Some(Some(Ok(Ok(part)))) => {
                plan.decisions.extend(part.decisions);
                plan.remarks.extend(part.remarks);
                plan.problems.extend(part.problems);
                plan.residencies.extend(part.residencies);
                plan.broken |= part.broken;
            }
            Some(Some(Ok(Err((span, reason))))) => plan.remarks.push(left(span, &reason)),
            Some(Some(Err(bug))) => return Err(bug),
        }
    }
    plan.remarks.sort();
    plan.remarks.dedup();
    Ok(plan)
}
