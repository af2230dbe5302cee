//! Every function of a program as a model, for what else wants to look at functions than plans of data movement.

use super::file::{FileFacts, FileText};
use super::inputs::{Inputs, inputs};
use super::levels;
use super::prepare::with_model;
use super::program_facts::{DecisionScope, ProgramFacts, SharedFacts, Variant};
use crate::analysis::effects::Effects;
use crate::analysis::function::FunctionModel;
use crate::analysis::host_calls::HostSummaries;
use crate::analysis::module_pointers::ModulePointers;
use crate::program::ir::FuncId;
use crate::program::objects::MemLoc;
use crate::reasons::Reason;
use crate::source::Span;
use rustc_hash::FxHashSet;

/// A function that could be looked at, or why not and where.
pub type Looked<T> = Result<T, (Span, Reason)>;

impl LookedAt<'_> {
    /// Whether somebody may use what lies at some places where nothing in the text shows it: handlers of signals, threads, whoever shares the memory.
    pub fn may_be_used_unseen(&self, locs: &[MemLoc]) -> bool {
        let points_to = self.inputs.model.points_to;
        let mut unseen = self.inputs.program.used_later.iter().flat_map(|(_, unseen)| unseen);
        unseen.any(|u| locs.iter().any(|l| points_to.may_alias(*u, *l)))
    }
}

/// Runs `work` on every function of the files, which are the module's units in order. The results are by file, in text
/// order.
pub fn each_function<T>(
    files: &[FileText<'_>],
    pointers: &ModulePointers<'_>,
    work: impl FnMut(usize, &FileFacts<'_>, &FunctionModel<'_>) -> T,
) -> Vec<Vec<Looked<T>>> {
    each_function_of(files, pointers, |_, _| true, work)
}

/// [`each_function`] of the files that are `wanted`; of others there are no results.
pub(crate) fn each_function_of<T>(
    files: &[FileText<'_>],
    pointers: &ModulePointers<'_>,
    wanted: impl Fn(&FileFacts<'_>, usize) -> bool,
    mut work: impl FnMut(usize, &FileFacts<'_>, &FunctionModel<'_>) -> T,
) -> Vec<Vec<Looked<T>>> {
    let module = pointers.module();
    let facts: Vec<FileFacts<'_>> = files
        .iter()
        .enumerate()
        .map(|(unit, file)| FileFacts::new(file, module, unit as u32))
        .collect();
    let points_to = pointers.points_to();
    let effects = Effects::solve(module, points_to);
    let alone = DecisionScope {
        together: false,
        updates: false,
    };
    let shared = SharedFacts::new(module, points_to, &effects);
    let program = ProgramFacts::new(&facts, files, alone, &Variant::default(), &shared);
    let none = HostSummaries::default();
    let of_file = |(at, file): (usize, &FileFacts<'_>)| {
        let functions = file.functions.iter().enumerate();
        let looked = functions.filter_map(|(f, id)| {
            let id = id.filter(|_| wanted(file, f))?;
            Some(with_model(&program, file, f, id, &none, |model| work(at, file, model)))
        });
        looked.collect()
    };
    facts.iter().enumerate().map(of_file).collect()
}

/// A function of a program that is looked at.
pub struct LookedAt<'a> {
    pub id: FuncId,
    /// The file, by its place.
    pub unit: usize,
    /// The function may call itself, by way of others too.
    pub recursive: bool,
    /// Functions that run before `main` and never later.
    pub before_main: &'a FxHashSet<FuncId>,
    pub inputs: &'a Inputs<'a>,
}

/// Runs `work` on every function of the files, which are the module's units in order, those that it calls before it. Directives in blocks without statements
/// have gaps in these models. Functions that could not be
/// looked at are returned, with the files that they are in.
pub fn each_function_callees_first(
    files: &[FileText<'_>],
    pointers: &ModulePointers<'_>,
    mut work: impl FnMut(LookedAt<'_>),
) -> Vec<(usize, Span, Reason)> {
    let module = pointers.module();
    let numbered = files.iter().enumerate();
    let facts: Vec<FileFacts<'_>> = numbered
        .map(|(unit, file)| FileFacts::new(file, module, unit as u32))
        .collect();
    let points_to = pointers.points_to();
    let effects = Effects::solve(module, points_to);
    let alone = DecisionScope {
        together: false,
        updates: false,
    };
    let shared = SharedFacts::new(module, points_to, &effects);
    let mut program = ProgramFacts::new(&facts, files, alone, &Variant::default(), &shared);
    program.directives_alone = true;
    let none = HostSummaries::default();
    let graph = points_to.call_graph();
    let mut failed = Vec::new();
    for id in levels::callees_first(points_to).into_iter().flatten().flatten() {
        let Some(&(unit, f)) = program.places.get(id) else {
            continue;
        };
        let file = &facts[unit];
        let looked = with_model(&program, file, f, *id, &none, |model| {
            work(LookedAt {
                id: *id,
                unit,
                recursive: graph.recursive_inside(*id),
                before_main: &program.before_main,
                inputs: &inputs(&program, file, model, &none),
            });
        });
        failed.extend(looked.err().map(|(span, reason)| (unit, span, reason)));
    }
    failed
}
