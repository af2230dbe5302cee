//! Loops that OpenACC cannot have, and what it wants to know of others.
//!
//! ```c
//! for (int i = 0; i != n; i++)        // OpenACC's loops compare with <, <=, > or >=
//! ```
//!
//! Kernels are decided alike for both dialects, and written as OpenMP until the last step; see
//! [`mod@crate::openmp::openacc`], which also says what has no equivalent. Functions that a kernel calls have to be marked.

use super::clauses::Kernel;
use super::surroundings::called_in;
use crate::analysis::dependence::verdict::Parallel;
use crate::analysis::function::FunctionModel;
use crate::openmp::{MapEntry, MapType, Style, group_maps, openacc, print};
use crate::plan::{Dialect, file::FileFacts};
use crate::syntax::{StmtId, StmtKind};

/// Why a kernel cannot be written in the dialect, if so.
pub(super) fn cannot(file: &FileFacts<'_>, model: &FunctionModel<'_>, kernel: &Kernel, p: &Parallel) -> Option<String> {
    if file.options.dialect == Dialect::OpenMp {
        return None;
    }
    let mut stmt = Some(kernel.stmt);
    for _ in 0..p.collapse.max(1) {
        let found = stmt?;
        if !compares(file, model, found) {
            return Some("OpenACC takes only loops whose condition is written with `<`, `<=`, `>` or `>=`".into());
        }
        stmt = inner(model, found);
    }
    let entries = kernel.maps.iter().map(|m| MapEntry::new(MapType::Tofrom, &*m.text));
    let maps = group_maps(&entries.collect::<Vec<_>>());
    let clauses: Vec<&str> = kernel.clauses.iter().map(String::as_str).collect();
    let style = Style::default();
    let directive = print::target_loop(&style, "", &clauses, &maps);
    openacc::translate(&directive, &style, "").err().map(|p| p.message)
}

/// Whether a loop's condition is a comparison that orders, as the text has it.
fn compares(file: &FileFacts<'_>, model: &FunctionModel<'_>, stmt: StmtId) -> bool {
    let StmtKind::For { cond: Some(cond), .. } = &model.tree.stmt(stmt).kind else {
        return false;
    };
    let text = &file.text[cond.start..cond.end];
    text.iter().any(|b| b"<>".contains(b)) && !text.windows(2).any(|w| w == b"!=")
}

/// The loop that is all there is in a loop.
fn inner(model: &FunctionModel<'_>, stmt: StmtId) -> Option<StmtId> {
    let StmtKind::For { body, .. } = model.tree.stmt(stmt).kind else {
        return None;
    };
    let mut at = body;
    while let (StmtKind::Block, [only]) = (&model.tree.stmt(at).kind, model.tree.stmt(at).children.as_slice()) {
        at = *only;
    }
    matches!(model.tree.stmt(at).kind, StmtKind::For { .. }).then_some(at)
}

/// The functions of the file that have to be marked for a kernel.
pub(super) fn routines(file: &FileFacts<'_>, model: &FunctionModel<'_>, kernel: &Kernel) -> Vec<String> {
    if file.options.dialect == Dialect::OpenMp {
        return Vec::new();
    }
    let called = called_in(model, &[kernel.stmt]);
    let functions = called.into_iter().map(|f| model.module.function(f));
    let defined = functions.filter(|f| !f.declaration);
    defined.map(|f| f.name.clone()).collect()
}
