//! Whether control surely comes to a statement each time a function is called, as far as the text says.
//!
//! ```c
//! void step(double *v, int n, int log)
//! {
//!     kernel(v, n);                       /* straight: under no condition, in no loop, behind no jump                   */
//!     if (log)
//!         return;
//! #ifdef TRACE
//!     trace(v);                           /* under a condition: another build may leave it out                          */
//! #endif
//!     for (int t = 0; t < 3; t++)         /* plain, with loops                                                          */
//!         kernel(v, n);                   /* and behind a jump                                                          */
//! }
//! ```

use super::inputs::Inputs;
use super::spans::Run;
use crate::analysis::call_graph::calls;
use crate::analysis::far_jumps::may_jump;
use crate::syntax::{StmtId, StmtKind};

/// Whether a statement stands under no condition, in no loop, and behind no jump.
pub(super) fn is_straight(inputs: &Inputs<'_>, stmt: StmtId) -> bool {
    is_plain(inputs, stmt, false, None) && !jumps_before(inputs, stmt)
}

/// Whether a statement stands under no condition, within a run or the whole function: in blocks alone, or also in `loops`.
pub(super) fn is_plain(inputs: &Inputs<'_>, stmt: StmtId, loops: bool, within: Option<Run>) -> bool {
    let tree = inputs.model.tree;
    let inside = |s: &StmtId| within.is_none_or(|run| run.encloses(inputs.model, *s));
    let plain = |s: StmtId| {
        let kind = &tree.stmt(s).kind;
        s == stmt || matches!(kind, StmtKind::Block) || (loops && kind.is_loop())
    };
    // Another build may leave out what stands within a conditional of the preprocessor.
    let at = tree.stmt(stmt).span.start;
    let conditional = tree.open_conditionals.iter().any(|group| {
        let from = group.lines[0].start;
        let whole = within.is_none_or(|run| tree.stmt(run.first).span.start < from);
        whole && from < at && group.lines.last().is_some_and(|last| at < last.start)
    });
    !conditional && tree.ancestors(stmt).take_while(inside).all(plain)
}

/// Whether control may have left the function before it comes to a statement.
pub(super) fn jumps_before(inputs: &Inputs<'_>, stmt: StmtId) -> bool {
    let tree = inputs.model.tree;
    let function = inputs.model.tree_function;
    far_before(inputs, stmt)
        || inputs.left_in_other_builds(stmt)
        || tree.stmts_of(function).map(|s| tree.stmt(s)).any(|s| {
            s.span.start < tree.stmt(stmt).span.start
                && matches!(
                    s.kind,
                    StmtKind::Return { .. } | StmtKind::Goto { .. } | StmtKind::ComputedGoto
                )
        })
}

/// Whether a `longjmp` may have left the function before the statement is reached for the first time.
pub(super) fn far_before(inputs: &Inputs<'_>, stmt: StmtId) -> bool {
    let model = inputs.model;
    if !model.points_to.jumps_far() {
        return false;
    }
    let before = |inst| {
        let at = model.function().inst(inst).loc.and_then(|l| model.offset(l));
        at.is_none_or(|at| at < model.tree.stmt(stmt).span.start)
    };
    let far = |inst| before(inst) && may_jump(model.points_to, model.effects, model.func, inst);
    calls(model.function()).any(far)
}
