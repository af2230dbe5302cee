//! Decides everything about a program: prepares each function, callees first, plans it, and collects decisions and remarks
//! by file.

use super::file::{FileFacts, FileText};
use super::function::{inputs, plan_function};
use super::held::{HeldAtCalls, on_entry};
use super::host;
use super::members::{mapped_by_hand, names_member, set_apart};
use super::prepare::with_model;
use super::summary::summarise;
use super::{FilePlan, Note};
use crate::analysis::device_calls::Summaries;
use crate::analysis::effects::Effects;
use crate::analysis::function::launching_functions;
use crate::analysis::hidden;
use crate::analysis::host_calls::HostSummaries;
use crate::analysis::known::Known;
use crate::analysis::points_to::PointsTo;
use crate::analysis::presence::Presence;
use crate::panics;
use crate::program::constructs::Constructs;
use crate::program::ir::{FuncId, Module};
use crate::program::objects::{MemLoc, ObjectId};
use crate::source::Span;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

/// What all functions of a program have in common.
pub struct ProgramFacts<'a> {
    /// The IR.
    pub module: &'a Module,
    /// Points-to sets.
    pub points_to: &'a PointsTo,
    /// Effects.
    pub effects: &'a Effects<'a>,
    /// Functions that launch kernels or manage device data, directly or through calls.
    pub launching: FxHashSet<FuncId>,
    /// Which functions may find data on the device.
    pub presence: Presence,
    /// Functions with kernels that the host does not wait for, and what these functions may touch.
    pub asynchronous: Vec<(FuncId, Vec<MemLoc>)>,
    /// Where the pointers may lie that data directives of the text map as members of structs; `None`: anywhere.
    pub members_by_hand: Option<Vec<MemLoc>>,
    /// What functions do on the device, as their callers see it.
    pub summaries: Summaries,
    /// Objects that kernels use.
    pub(super) on_device: FxHashSet<ObjectId>,
    /// What functions do on the host, as far as somebody asked.
    pub(super) host: host::Made,
    /// Functions that may run.
    live: FxHashSet<FuncId>,
    /// Where functions stand in the texts: the file, and which of its functions.
    pub(super) places: FxHashMap<FuncId, (usize, usize)>,
}

/// Decides everything about a program: a plan for each of its files, which are the module's units in order; or what went
/// wrong inside this tool. `known`: what is known of its functions from elsewhere. With `together`, what callers keep on the
/// device is left alone in callees.
pub fn plan_program(
    files: &[FileText<'_>],
    module: &Module,
    known: Known,
    together: bool,
) -> Vec<Result<FilePlan, String>> {
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
    let points_to = PointsTo::solve_knowing(module, known);
    let effects = Effects::solve(module, &points_to);
    let program = ProgramFacts::new(&facts, module, &points_to, &effects);
    let mut planned = FxHashMap::default();
    let mut held = HeldAtCalls::default();
    for level in levels(&program, &facts[..files.len()]) {
        let level: Vec<_> = level
            .into_par_iter()
            .map(|id| {
                let on_entry = if together {
                    on_entry(&points_to, id, &held)
                } else {
                    Vec::new()
                };
                let (at, f) = program.places[&id];
                if !program.live.contains(&id) {
                    // Nobody says what its parameters point to.
                    let span = facts[at].tree.functions[f].name_span;
                    return (id, Ok(Err((span, "nothing in the program calls it".to_owned()))));
                }
                let plan = || {
                    let host = host::of_callees(&program, &facts, id, 0);
                    with_model(&program, &facts[at], (f, id), &host, |model| {
                        plan_function(&inputs(&program, &facts[at], model, &host), &on_entry)
                    })
                };
                (id, panics::guarded(AssertUnwindSafe(plan)))
            })
            .collect();
        for (id, plan) in level {
            planned.insert(
                id,
                plan.map(|plan| {
                    plan.map(|(plan, calls)| {
                        held.extend(calls);
                        plan
                    })
                }),
            );
        }
    }
    set_apart(&program, &mut planned);
    facts[..files.len()]
        .iter()
        .map(|file| collect(file, &mut planned))
        .collect()
}

/// The functions to plan, callers before what they call; those of a level do not call each other, unless in a circle.
fn levels(program: &ProgramFacts<'_>, files: &[FileFacts<'_>]) -> Vec<Vec<FuncId>> {
    let wanted = |id: &FuncId| {
        program
            .places
            .get(id)
            .is_some_and(|&(at, f)| files[at].has_constructs(f))
            || program.launching.contains(id)
    };
    let mut levels: Vec<Vec<FuncId>> = Vec::new();
    let mut level_of: FxHashMap<FuncId, usize> = FxHashMap::default();
    let mut order = program.points_to.call_graph().callees_first();
    order.reverse();
    let straight: FxHashSet<FuncId> = order.iter().copied().collect();
    let mut circular: Vec<FuncId> = program
        .places
        .keys()
        .filter(|id| !straight.contains(id))
        .copied()
        .collect();
    circular.sort();
    for id in circular.into_iter().chain(order) {
        let callers = program.points_to.callers(id).iter();
        let level = callers
            .filter_map(|site| level_of.get(&site.func))
            .max()
            .map_or(0, |l| l + 1);
        level_of.insert(id, level);
        // Functions of headers are understood and not rewritten.
        if program.places.get(&id).is_some_and(|(at, _)| *at < files.len()) && wanted(&id) {
            if levels.len() <= level {
                levels.resize_with(level + 1, Vec::new);
            }
            levels[level].push(id);
        }
    }
    levels
}

impl<'a> ProgramFacts<'a> {
    pub(super) fn new(
        files: &[FileFacts<'_>],
        module: &'a Module,
        points_to: &'a PointsTo,
        effects: &'a Effects<'a>,
    ) -> ProgramFacts<'a> {
        let mut places: FxHashMap<FuncId, (usize, usize)> = FxHashMap::default();
        for (at, file) in files.iter().enumerate() {
            let emitted = file.functions.iter().enumerate();
            places.extend(emitted.filter_map(|(f, id)| Some(((*id)?, (at, f)))));
        }
        let has_constructs = |id: FuncId| match places.get(&id) {
            Some(&(at, f)) => files[at].has_constructs(f) || in_macros(&files[at], module, id, f),
            None => hidden::in_header(module.function(id)),
        };
        let launching = launching_functions(module, points_to, &has_constructs);
        let constructs: BTreeMap<FuncId, Constructs> = places
            .iter()
            .map(|(id, (at, f))| (*id, Constructs::find(files[*at].tree, *f)))
            .collect();
        let does_not_wait = constructs
            .iter()
            .filter(|(_, c)| c.launches.iter().any(|l| l.asynchronous));
        let asynchronous = does_not_wait.map(|(id, _)| {
            let touched = effects.of(*id);
            (*id, touched.reads.union(&touched.writes).copied().collect())
        });
        let asynchronous: Vec<(FuncId, Vec<MemLoc>)> = asynchronous.collect();
        let trees = files.iter().map(|f| (f.tree, f.functions.as_slice()));
        let mut program = ProgramFacts {
            places,
            live: live(module, points_to),
            on_device: FxHashSet::default(),
            host: host::Made::default(),
            module,
            points_to,
            effects,
            presence: Presence::new(trees, module, points_to),
            launching,
            asynchronous,
            members_by_hand: None,
            summaries: Summaries::default(),
        };
        program.on_device = host::on_device(files, &program, &constructs);
        program.members_by_hand = program.find_members_by_hand(files, &constructs);
        // Callees first: what they start on the device is part of what their callers do.
        for id in points_to.call_graph().callees_first() {
            let Some(&(at, f)) = program.places.get(&id) else {
                continue;
            };
            let file = &files[at];
            if !program.launching.contains(&id) || module.function(id).name == "main" || in_macros(file, module, id, f)
            {
                continue;
            }
            let host = host::of_callees(&program, files, id, 0);
            let made = with_model(&program, file, (f, id), &host, |model| {
                summarise(&inputs(&program, file, model, &host))
            });
            if let Ok(Some(summary)) = made {
                program.summaries.insert(id, Arc::new(summary));
            }
        }
        for (id, summary) in &program.summaries {
            program.presence.add(*id, summary.uses.iter().flat_map(|u| &u.locs));
        }
        program
    }

    /// Where pointers may lie that data directives of the text map as members of structs; `None`: anywhere.
    fn find_members_by_hand(
        &self,
        files: &[FileFacts<'_>],
        constructs: &BTreeMap<FuncId, Constructs>,
    ) -> Option<Vec<MemLoc>> {
        let mut found: Vec<MemLoc> = Vec::new();
        let by_path = |c: &Constructs| c.user_data.iter().flat_map(|d| &d.items).any(names_member);
        for (id, _) in constructs.iter().filter(|(_, c)| by_path(c)) {
            let (at, f) = self.places[id];
            let none = HostSummaries::default();
            // What is not understood is left alone, and maps what it maps all the same.
            found.extend(with_model(self, &files[at], (f, *id), &none, mapped_by_hand).ok()??);
        }
        found.sort_unstable();
        found.dedup();
        Some(found)
    }
}

/// What starts by itself or is called by code outside, and all that this may call.
fn live(module: &Module, points_to: &PointsTo) -> FxHashSet<FuncId> {
    let all = (0..module.functions.len() as u32).map(FuncId);
    let entries: Vec<FuncId> = all.filter(|f| points_to.is_entry(*f)).collect();
    points_to.call_graph().reachable_from(&entries)
}

fn in_macros(file: &FileFacts<'_>, module: &Module, id: FuncId, f: usize) -> bool {
    hidden::in_macros(file.text, file.tree, module, (id, f))
}

/// What was planned for a function: the plan, or why the function is left alone and where, or what went wrong.
pub(super) type Planned = Result<Result<FilePlan, (Span, String)>, String>;

/// Everything decided about one file.
fn collect(file: &FileFacts<'_>, planned: &mut FxHashMap<FuncId, Planned>) -> Result<FilePlan, String> {
    let mut plan = FilePlan::default();
    for (f, function) in file.tree.functions.iter().enumerate() {
        let left = |span, message: &str| Note {
            span,
            message: format!("`{}` is left as it is: {message}", function.name),
        };
        match file.functions[f].map(|id| planned.remove(&id)) {
            None if file.has_constructs(f) => {
                plan.remarks
                    .push(left(function.name_span, "the compiler did not emit it"));
            }
            None | Some(None) => {}
            Some(Some(Ok(Ok(part)))) => {
                plan.decisions.extend(part.decisions);
                plan.remarks.extend(part.remarks);
            }
            Some(Some(Ok(Err((span, message))))) => plan.remarks.push(left(span, &message)),
            Some(Some(Err(bug))) => return Err(bug),
        }
    }
    plan.remarks.sort();
    plan.remarks.dedup();
    Ok(plan)
}
