//! What kernels are in OpenACC: as in OpenMP, but for what it cannot say and what compilers get wrong.
//!
//! ```c
//! for (int i = 0; i != n; i++)        // no kernel: loops compare with <, <=, > or >=
//!
//! #pragma acc parallel loop if(n > 0 && m > 0)        // without collapse(2)
//! for (int i = 0; i < n; i++)
//!     for (int j = 0; j < m; j++)
//! ```
//!
//! Kernels are decided alike for both dialects, and written as OpenMP until the last step; see
//! [`mod@crate::openmp::openacc`], which also says what has no equivalent. Functions that a kernel calls have to be
//! marked.
//!
//! **How often a loop runs.** Where an `if` clause is false the host goes through the loop as the construct has it, not
//! as C has it. gcc 12 counts the iterations of collapsed loops by multiplying, in `int` if that is what their indices
//! are: for `n = m = -3` it makes nine, for `n = m = 70000` too few. It counts those of one loop in the signed type of
//! its index, so that with an `unsigned` index none are left of three billion. So loops are collapsed only where the
//! counts are constants with a product that fits, and an `unsigned` index must not get that far. (An `int` index that
//! takes more values than an `int` can count would have to start far below zero; nobody's array is that long on that
//! side.)

use super::clauses::Kernel;
use super::surroundings::called_in;
use crate::analysis::dependence::verdict::Parallel;
use crate::analysis::function::FunctionModel;
use crate::openmp::{MapEntry, MapType, Style, group_maps, openacc, print};
use crate::plan::{Dialect, file::FileFacts};
use crate::program::ir::SourceType;
use crate::reasons::Serial;
use crate::symbolic::{Expr, Facts};
use crate::syntax::{StmtId, StmtKind};

/// What compilers count iterations in.
const MOST: i128 = i32::MAX as i128;

/// The kernel as the dialect can have it, or why it cannot.
pub(super) fn adapted(
    file: &FileFacts<'_>,
    model: &FunctionModel<'_>,
    mut kernel: Kernel,
    p: &Parallel,
) -> Result<Kernel, Serial> {
    if file.options.dialect == Dialect::OpenMp {
        return Ok(kernel);
    }
    let mut nest = vec![kernel.stmt];
    while nest.len() < p.collapse {
        nest.extend(Some(inner(model, nest[nest.len() - 1]).ok_or(Serial::InnerHidden)?));
    }
    if nest.len() > 1 && !counted(model, &nest) {
        kernel.clauses.retain(|c| !c.starts_with("collapse"));
        let indices: Vec<Option<String>> = nest.drain(1..).map(|s| index(model, s)).collect::<Result<_, _>>()?;
        private(&mut kernel.clauses, indices.into_iter().flatten());
    }
    if !nest.iter().all(|stmt| compares(file, model, *stmt)) {
        return Err(Serial::OpenAccCondition);
    }
    let unsigned = matches!(
        model.function().variables[p.counted.var.0 as usize].source_type,
        SourceType::Int {
            bytes: ..=4,
            signed: false
        }
    );
    if unsigned && !Facts::new().prove_le(&p.counted.hi, &Expr::constant(MOST)) {
        return Err(Serial::OpenAccUnsigned);
    }
    let entries = kernel.maps.iter().map(|m| MapEntry::new(MapType::Tofrom, &*m.text));
    let maps = group_maps(&entries.collect::<Vec<_>>());
    let clauses: Vec<&str> = kernel.clauses.iter().map(String::as_str).collect();
    let style = Style::default();
    let directive = print::target_loop(&style, "", &clauses, &maps);
    openacc::translate(&directive, &style, "").map_err(|p| Serial::OpenAccUntold { why: p.message })?;
    Ok(kernel)
}

/// Whether the counts of nested loops are constants, and so many iterations can be counted.
fn counted(model: &FunctionModel<'_>, nest: &[StmtId]) -> bool {
    let count = |stmt: &StmtId| {
        let index = model.loops.get(*stmt)?.induction.as_ref()?;
        let count = index.hi.sub(&index.lo)?.offset(1)?.as_constant()?;
        (count >= 0).then_some(count)
    };
    let all: Option<Vec<i128>> = nest.iter().map(count).collect();
    all.and_then(|all| all.into_iter().try_fold(1i128, i128::checked_mul))
        .is_some_and(|product| product <= MOST)
}

/// The index of an inner loop, where it is declared outside: each iteration of the outer one needs its own.
fn index(model: &FunctionModel<'_>, stmt: StmtId) -> Result<Option<String>, Serial> {
    if let StmtKind::For { declares, .. } = &model.tree.stmt(stmt).kind
        && !declares.is_empty()
    {
        return Ok(None);
    }
    let slot = model.loops.get(stmt).and_then(|l| l.induction.as_ref()).map(|i| i.slot);
    let name = slot.and_then(|s| model.values.slots.get(s).name.clone());
    name.map(Some).ok_or(Serial::InnerIndex)
}

/// Adds variables to the `private` clause.
fn private(clauses: &mut Vec<String>, names: impl Iterator<Item = String>) {
    const START: &str = "private(";
    let at = clauses.iter().position(|c| c.starts_with(START));
    let list = at.map(|at| clauses.remove(at));
    let list = list.as_deref().and_then(|c| c.strip_prefix(START)?.strip_suffix(')'));
    let mut all: Vec<String> = list.iter().flat_map(|l| l.split(", ")).map(str::to_owned).collect();
    for name in names {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    if !all.is_empty() {
        clauses.insert(at.unwrap_or(0), format!("{START}{})", all.join(", ")));
    }
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
