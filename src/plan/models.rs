//! Every function of a program as a model, for what else wants to look at functions than plans of data movement.

use super::file::{FileFacts, FileText};
use super::prepare::with_model;
use super::program_facts::{DecisionScope, ProgramFacts, SharedFacts, Variant};
use crate::analysis::effects::Effects;
use crate::analysis::function::FunctionModel;
use crate::analysis::host_calls::HostSummaries;
use crate::analysis::module_pointers::ModulePointers;
use crate::reasons::Reason;
use crate::source::Span;

/// A function that could be looked at, or why not and where.
pub type Looked<T> = Result<T, (Span, Reason)>;

/// Runs `work` on every function of the files, which are the module's units in order. The results are by file, in text
/// order.
pub fn each_function<T>(
    files: &[FileText<'_>],
    pointers: &ModulePointers<'_>,
    work: impl FnMut(usize, &FileFacts<'_>, &FunctionModel<'_>) -> T,
) -> Vec<Vec<Looked<T>>> {
    each_function_of(files, pointers, |_| true, work)
}

/// [`each_function`] of the files that are `wanted`; of others there are no results.
pub(crate) fn each_function_of<T>(
    files: &[FileText<'_>],
    pointers: &ModulePointers<'_>,
    wanted: impl Fn(&FileText<'_>) -> bool,
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
        let functions = file.functions.iter().enumerate().filter(|_| wanted(&files[at]));
        let looked = functions.filter_map(|(f, id)| {
            let id = (*id)?;
            Some(with_model(&program, file, f, id, &none, |model| work(at, file, model)))
        });
        looked.collect()
    };
    facts.iter().enumerate().map(of_file).collect()
}
