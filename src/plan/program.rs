//! Decides everything about a program: prepares each function, callees first, plans it, and collects decisions and remarks
//! by file.

use super::file::{FileFacts, FileText};
use super::function::{inputs, plan_function};
use super::prepare::with_model;
use super::summary::summarise;
use super::{FilePlan, Note};
use crate::analysis::device_calls::Summaries;
use crate::analysis::effects::Effects;
use crate::analysis::function::launching_functions;
use crate::analysis::hidden;
use crate::analysis::known::Known;
use crate::analysis::points_to::PointsTo;
use crate::analysis::presence::Presence;
use crate::panics;
use crate::program::constructs::Constructs;
use crate::program::ir::{FuncId, Module};
use crate::program::objects::MemLoc;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
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
    /// What functions do on the device, as their callers see it.
    pub summaries: Summaries,
}

/// Decides everything about a program: a plan for each of its files, which are the module's units in order; or what went
/// wrong inside this tool. `known`: what is known of its functions from elsewhere.
pub fn plan_program(files: &[FileText<'_>], module: &Module, known: Known) -> Vec<Result<FilePlan, String>> {
    let facts: Vec<FileFacts<'_>> = files
        .par_iter()
        .enumerate()
        .map(|(unit, file)| FileFacts::new(file, module, unit as u32))
        .collect();
    let any = facts
        .iter()
        .any(|f| (0..f.tree.functions.len()).any(|i| f.has_constructs(i)));
    if !any {
        return vec![Ok(FilePlan::default()); files.len()];
    }
    let points_to = PointsTo::solve_knowing(module, known);
    let effects = Effects::solve(module, &points_to);
    let program = ProgramFacts::new(&facts, module, &points_to, &effects);
    facts
        .par_iter()
        .map(|file| panics::guarded(AssertUnwindSafe(|| plan_file(&program, file))))
        .collect()
}

/// Where a function stands in the texts.
type Places = FxHashMap<FuncId, (usize, usize)>;

impl<'a> ProgramFacts<'a> {
    fn new(
        files: &[FileFacts<'_>],
        module: &'a Module,
        points_to: &'a PointsTo,
        effects: &'a Effects<'a>,
    ) -> ProgramFacts<'a> {
        let mut places = Places::default();
        for (at, file) in files.iter().enumerate() {
            let emitted = file.functions.iter().enumerate();
            places.extend(emitted.filter_map(|(f, id)| Some(((*id)?, (at, f)))));
        }
        let has_constructs = |id: FuncId| match places.get(&id) {
            Some(&(at, f)) => files[at].has_constructs(f) || in_macros(&files[at], module, id, f),
            None => hidden::in_header(module.function(id)),
        };
        let launching = launching_functions(module, points_to, &has_constructs);
        let asynchronous = |(id, (at, f)): (&FuncId, &(usize, usize))| {
            let constructs = Constructs::find(files[*at].tree, *f);
            constructs.launches.iter().any(|l| l.asynchronous).then(|| {
                let touched = effects.of(*id);
                (*id, touched.reads.union(&touched.writes).copied().collect())
            })
        };
        let mut asynchronous: Vec<(FuncId, Vec<MemLoc>)> = places.iter().filter_map(asynchronous).collect();
        asynchronous.sort();
        let trees = files.iter().map(|f| (f.tree, f.functions.as_slice()));
        let mut program = ProgramFacts {
            module,
            points_to,
            effects,
            presence: Presence::new(trees, module, points_to),
            launching,
            asynchronous,
            summaries: Summaries::default(),
        };
        // Callees first: what they start on the device is part of what their callers do.
        for id in points_to.call_graph().callees_first() {
            let Some(&(at, f)) = places.get(&id) else { continue };
            let file = &files[at];
            if !program.launching.contains(&id) || module.function(id).name == "main" || in_macros(file, module, id, f)
            {
                continue;
            }
            let made = with_model(&program, file, (f, id), |model| {
                summarise(&inputs(&program, file, model))
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
}

fn in_macros(file: &FileFacts<'_>, module: &Module, id: FuncId, f: usize) -> bool {
    hidden::in_macros(file.text, file.tree, module, (id, f))
}

/// Decides everything about one file.
fn plan_file(program: &ProgramFacts<'_>, file: &FileFacts<'_>) -> FilePlan {
    let mut plan = FilePlan::default();
    for (f, function) in file.tree.functions.iter().enumerate() {
        let id = file.functions[f];
        if !file.has_constructs(f) && !id.is_some_and(|id| program.launching.contains(&id)) {
            continue;
        }
        let Some(id) = id else {
            plan.remarks.push(Note {
                span: function.name_span,
                message: format!("`{}` is left as it is: the compiler did not emit it", function.name),
            });
            continue;
        };
        let planned = with_model(program, file, (f, id), |model| {
            plan_function(&inputs(program, file, model))
        });
        match planned {
            Ok(part) => {
                plan.decisions.extend(part.decisions);
                plan.remarks.extend(part.remarks);
            }
            Err((span, message)) => plan.remarks.push(Note {
                span,
                message: format!("`{}` is left as it is: {message}", function.name),
            }),
        }
    }
    plan.remarks.sort();
    plan.remarks.dedup();
    plan
}
