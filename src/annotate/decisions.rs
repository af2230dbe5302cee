//! From kernels to decisions: loops that share a test at run time are one.

use super::clauses::Kernel;
use super::dialect::routines;
use super::guard::{Guard, Guarded, guard};
use crate::analysis::function::FunctionModel;
use crate::plan::file::FileFacts;
use crate::plan::{Change, Decision, Note};
use crate::syntax::StmtId;
use std::collections::BTreeSet;

/// Teams of a kernel where its test holds: enough for any device, each with more iterations of its own where there are more.
const TEAMS: u32 = 1024;

/// What is written for the kernels of a function, given in text order.
pub(super) fn decisions(file: &FileFacts<'_>, model: &FunctionModel<'_>, kernels: Vec<Kernel>) -> Vec<Decision> {
    if kernels.is_empty() {
        return Vec::new();
    }
    let asked: Vec<Guarded> = kernels
        .iter()
        .map(|k| Guarded {
            stmt: k.stmt,
            test: k.test.clone(),
            needed: k.guarded,
            arrays: k.arrays.clone(),
            written: k.written.clone(),
            constants: k.constants.clone(),
        })
        .collect();
    let needed = asked.iter().any(|k: &Guarded| k.needed);
    let guards = match needed {
        true => guard(model, &asked, taken(file, model)),
        false => Vec::new(),
    };
    let mut decided: Vec<(StmtId, Decision)> = Vec::new();
    let by_threads = |stmt: StmtId| file.threaded(stmt).is_some();
    let decision = |changes, reasons| Decision {
        function: model.function().name.clone(),
        changes,
        reasons,
        structs: Vec::new(),
        for_callers: false,
    };
    for guard in &guards {
        let mut changes = vec![Change::Test {
            before: guard.before,
            name: guard.name.clone(),
            text: guard.text.clone(),
        }];
        let mut reasons = Vec::new();
        for (stmt, dependence) in &guard.loops {
            let Some(kernel) = kernels.iter().find(|k| k.stmt == *stmt) else {
                continue;
            };
            // What its threads did where iterations may need one another, they do there still.
            let alone = *dependence && !by_threads(*stmt);
            changes.push(written(kernel, Some((guard, alone)), routines(file, model, kernel)));
            let why = match dependence {
                _ if kernel.twin => "elsewhere it may write its own bound, and runs as it is written",
                true if !alone => "elsewhere iterations may need one another, and threads run them as before",
                true => "elsewhere iterations may need one another, and run as they are written",
                false => "elsewhere its data could not be mapped",
            };
            let message = format!("this loop runs on the device where `{}` is true: {why}", guard.name);
            reasons.push(Note::new(model.tree.stmt(*stmt).span, message));
        }
        decided.push((guard.before, decision(changes, reasons)));
    }
    let tested = |k: &Kernel| guards.iter().any(|g| g.loops.iter().any(|(s, _)| *s == k.stmt));
    for kernel in kernels.iter().filter(|k| !k.guarded && !tested(k)) {
        let message = "this loop runs on the device: no iteration needs another";
        let reason = Note::new(model.tree.stmt(kernel.stmt).span, message);
        decided.push((
            kernel.stmt,
            decision(vec![written(kernel, None, routines(file, model, kernel))], vec![reason]),
        ));
    }
    decided.sort_by_key(|(stmt, _)| *stmt);
    decided.into_iter().map(|(_, d)| d).collect()
}

/// Names that a new one must not be, for who says it would mean that: those of the text, and those that only macros make of it.
fn taken(file: &FileFacts<'_>, model: &FunctionModel<'_>) -> BTreeSet<String> {
    let mut names = file.words().clone();
    names.extend(model.module.globals.iter().map(|g| g.name.clone()));
    names.extend(model.module.functions.iter().map(|f| f.name.clone()));
    names.extend(model.function().variables.iter().map(|v| v.name.clone()));
    names
}

/// A kernel's directive, with what is asked at run time.
fn written(kernel: &Kernel, guard: Option<(&Guard, bool)>, routines: Vec<String>) -> Change {
    let said = guard.map(|(g, _)| &g.runs);
    let own = kernel.runs.iter().filter(|(c, _)| said.is_none_or(|s| !s.contains(c)));
    let twin = guard.filter(|_| kernel.twin).map(|(g, _)| g.name.clone());
    let guard = guard.filter(|_| twin.is_none());
    let mut asked: Vec<&str> = guard.iter().map(|(g, _)| g.name.as_str()).collect();
    asked.extend(own.map(|(_, text)| text.as_str()));
    let mut clauses = kernel.clauses.clone();
    let at = clauses.iter().take_while(|c| c.starts_with("collapse")).count();
    let dependent = guard.filter(|(_, dependence)| *dependence);
    if let Some((guard, _)) = dependent {
        clauses.insert(at, format!("num_teams({} ? {TEAMS} : 1)", guard.name));
    }
    if !asked.is_empty() {
        let of = if dependent.is_some() { "" } else { "target: " };
        clauses.insert(at, format!("if({of}{})", asked.join(" && ")));
    }
    Change::Kernel {
        stmt: kernel.stmt,
        clauses,
        maps: kernel.maps.clone(),
        routines,
        threshold: kernel.threshold,
        twin,
    }
}
