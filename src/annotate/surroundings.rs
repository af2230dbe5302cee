//! What of a program keeps loops from becoming kernels, wherever they are.
//!
//! A kernel's maps copy nothing where its arrays are on the device already, and a host loop that becomes a kernel would
//! then work on the other copy. So where anything manages device data by hand, nothing is annotated. Threads that start
//! kernels at a time may map parts of one array that overlap; so functions that run in host threads are left alone. A program
//! that blocks signals counts on having one thread, and kernels start others.
//!
//! OpenMP and OpenACC know nothing of each other's data. A program that has directives of the one gets none of the
//! other, and none of OpenACC's beside such as it has: what those do is not understood here.

use crate::analysis::function::FunctionModel;
use crate::openmp::{Directive, openacc};
use crate::plan::{Dialect, FileText};
use crate::program::ir::{FuncId, Module, Op};
use crate::reasons::Serial;
use crate::syntax::{RawPragma, StmtId, blank};

/// Why nothing of the program may be annotated, if so.
pub(super) fn obstacle(files: &[FileText<'_>], module: &Module) -> Option<Serial> {
    // In all branches of `#if`: who has some for another compiler has thought of them.
    let written: Vec<RawPragma> = files.iter().flat_map(|f| blank(f.text, &[]).pragmas).collect();
    let mut declared = module.functions.iter().filter(|f| f.declaration);
    if written.iter().any(|p| openacc::is_openacc(&p.text)) || declared.any(|f| f.name.starts_with("acc_")) {
        return Some(Serial::OwnOpenAcc);
    }
    let mut offloading = written.iter().filter_map(|p| Directive::parse(&p.text));
    if files.iter().any(|f| f.options.dialect == Dialect::OpenAcc) && offloading.any(|d| d.is_on_device()) {
        return Some(Serial::OwnTarget);
    }
    let by_hand = |d: Directive| d.is_on_device() && !d.is_launch();
    let pragmas = files.iter().flat_map(|f| &f.tree.pragmas);
    let in_text = pragmas.filter_map(|p| Directive::parse(&p.text)).any(by_hand);
    let in_headers = files.iter().any(|f| !f.headers.is_empty());
    let through_api = module.functions.iter().any(|f| f.name.starts_with("omp_target_"));
    if in_text || in_headers || through_api || module.globals.iter().any(|g| g.on_device) {
        return Some(Serial::OwnMemory);
    }
    let calls = |names: &[&str]| module.functions.iter().any(|f| names.contains(&f.name.as_str()));
    if calls(&["pthread_create", "thrd_create"]) {
        return Some(Serial::OwnThreads);
    }
    // A signal that this thread does not take another one takes, at any time: those of the OpenMP runtime are there to.
    calls(&["sigprocmask", "pthread_sigmask", "sigblock", "sighold"]).then_some(Serial::OwnSignals)
}

/// The statements that host threads run: those with an OpenMP directive that is no kernel's.
pub(super) fn threaded(model: &FunctionModel<'_>) -> Vec<StmtId> {
    let function = Some(model.tree_function as u32);
    let pragmas = model.tree.pragmas.iter().filter(|p| p.function == function);
    let host = pragmas.filter(|p| Directive::parse(&p.text).is_some_and(|d| !d.is_on_device()));
    host.filter_map(|p| p.before.or(p.inside)).collect()
}

/// The functions that statements call, with all that these call.
pub(super) fn called_in(model: &FunctionModel<'_>, stmts: &[StmtId]) -> Vec<FuncId> {
    let function = model.function();
    let mut called = Vec::new();
    for id in function
        .inst_ids()
        .filter(|id| matches!(function.inst(*id).op, Op::Call { .. }))
    {
        let stmt = model.attachment.node_of[id.0 as usize].and_then(|n| model.fine.stmt_of(n));
        if stmt.is_some_and(|s| stmts.iter().any(|k| model.tree.encloses(*k, s))) {
            called.extend(model.targets(id).0);
        }
    }
    let mut all: Vec<FuncId> = model
        .points_to
        .call_graph()
        .reachable_from(&called)
        .into_iter()
        .collect();
    all.sort_unstable();
    all
}
