//! All loops of a program: the outermost parallel ones become kernels, and each has its line.
//!
//! A function that a kernel calls runs on the device: its own loops stay as they are. So do those of functions that host
//! threads run.

use super::clauses::kernel;
use super::describe::describe;
use super::surroundings::{called_in, obstacle, threaded};
use crate::analysis::dependence::{Verdict, verdicts};
use crate::analysis::function::FunctionModel;
use crate::analysis::known::Known;
use crate::plan::file::FileFacts;
use crate::plan::models::each_function;
use crate::plan::{Change, Decision, FilePlan, FileText, Note, Scope};
use crate::program::ir::{FuncId, Module};
use crate::syntax::StmtId;
use rustc_hash::FxHashSet;

/// What is to become of a function.
struct Found {
    id: FuncId,
    decisions: Vec<Decision>,
    remarks: Vec<Note>,
    /// Functions that kernels and host threads of it call, and what these call.
    elsewhere: Vec<FuncId>,
}

/// Decides which loops become kernels: a plan for each file; see [`crate::plan::plan_program`].
pub fn annotate_program(
    files: &[FileText<'_>],
    module: &Module,
    known: Known,
    _: Scope,
) -> Vec<Result<FilePlan, String>> {
    let obstacle = obstacle(files, module);
    let found = each_function(files, module, known, |_, file, model| function(file, model));
    let elsewhere: FxHashSet<FuncId> = found
        .iter()
        .flatten()
        .flatten()
        .flat_map(|f| f.elsewhere.iter().copied())
        .collect();
    let plans = found.into_iter().map(|functions| {
        let mut plan = FilePlan::default();
        for looked in functions {
            match looked {
                Ok(f) if obstacle.is_some() || elsewhere.contains(&f.id) => {
                    let spans = f.decisions.iter().flat_map(|d| d.reasons.first()).map(|r| r.span);
                    let why = obstacle.unwrap_or("kernels or host threads call the function that it is in");
                    let message = format!("this loop stays as it is: {why}");
                    plan.remarks.extend(spans.map(|span| Note {
                        span,
                        message: message.clone(),
                    }));
                    plan.remarks.extend(f.remarks);
                }
                Ok(f) => {
                    plan.decisions.extend(f.decisions);
                    plan.remarks.extend(f.remarks);
                }
                Err((span, message)) => plan.remarks.push(Note {
                    span,
                    message: format!("the function here stays as it is: {message}"),
                }),
            }
        }
        plan.remarks.sort();
        plan.remarks.dedup();
        Ok(plan)
    });
    plans.collect()
}

fn function(file: &FileFacts<'_>, model: &FunctionModel<'_>) -> Found {
    let mut found = Found {
        id: model.func,
        decisions: Vec::new(),
        remarks: Vec::new(),
        elsewhere: Vec::new(),
    };
    let mut kernels: Vec<StmtId> = model.constructs.launches.iter().map(|l| l.stmt).collect();
    for (stmt, verdict) in verdicts(model) {
        let span = model.tree.stmt(stmt).span;
        let note = |message: String| Note { span, message };
        if kernels.iter().any(|k| model.tree.encloses(*k, stmt)) {
            continue;
        }
        let change = match &verdict {
            Verdict::Parallel(p) => kernel(model, &file.macros, stmt, p),
            Verdict::Refused(_) => Err(describe(model, &verdict)),
        };
        match change {
            Ok(change @ Change::Kernel { .. }) => {
                kernels.push(stmt);
                found.decisions.push(Decision {
                    function: model.function().name.clone(),
                    changes: vec![change],
                    reasons: vec![note("this loop runs on the device: no iteration needs another".into())],
                    structs: Vec::new(),
                    for_callers: false,
                });
            }
            Ok(_) => {}
            Err(why) => {
                let why = why.strip_prefix("refused: ").unwrap_or(&why);
                found.remarks.push(note(format!("this loop stays as it is: {why}")));
            }
        }
    }
    kernels.extend(threaded(model));
    found.elsewhere = called_in(model, &kernels);
    found
}
