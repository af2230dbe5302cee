//! What is known where a kernel does anything at all: each of its perfectly nested loops has an iteration.
//!
//! ```c
//! for (int i = 0; i < n; i++)
//!     for (int j = 1; j < m; j++)         /* n >= 1, m >= 2 */
//!         a[i][j] = 0;
//! ```
//!
//! Outside the innermost body there are only the heads of the loops. These must not look at arrays: on the host they
//! would look at the host's copy.

use crate::analysis::accesses::Accesses;
use crate::analysis::function::FunctionModel;
use crate::analysis::values::slots::SlotKind;
use crate::program::graph::NodeKind;
use crate::symbolic::{Expr, Facts};
use crate::syntax::{StmtId, StmtKind};

/// What holds where the statement of a kernel does anything.
pub(super) fn where_it_runs(model: &FunctionModel<'_>, accesses: &Accesses, stmt: StmtId) -> Facts {
    let mut facts = Facts::new();
    let mut at = Some(stmt);
    while let Some(stmt) = at {
        at = match &model.tree.stmt(stmt).kind {
            StmtKind::Block => match model.tree.stmt(stmt).children.as_slice() {
                [only] => Some(*only),
                _ => None,
            },
            StmtKind::For { body, .. } if has_plain_head(model, accesses, stmt) => {
                let induction = model.loops.get(stmt).and_then(|l| l.induction.as_ref());
                induction.map(|ind| {
                    let counter = Expr::sym(ind.sym);
                    facts.assume_le(&ind.lo, &ind.hi);
                    facts.assume_le(&ind.lo, &counter);
                    facts.assume_le(&counter, &ind.hi);
                    *body
                })
            }
            _ => None,
        };
    }
    facts
}

/// Whether the head of a loop uses nothing but plain variables.
fn has_plain_head(model: &FunctionModel<'_>, accesses: &Accesses, stmt: StmtId) -> bool {
    let in_head = |kind| match kind {
        NodeKind::Init(s) | NodeKind::Cond(s) | NodeKind::Step(s) => s == stmt,
        _ => false,
    };
    let slots = &model.values.slots;
    let is_variable = |slot| matches!(slots.get(slot).kind, SlotKind::Local(_) | SlotKind::Global(_));
    let mut heads = accesses.iter().filter(|a| in_head(model.fine.node(a.node).kind));
    heads.all(|a| slots.at(&a.address, model.function()).is_some_and(is_variable))
}
