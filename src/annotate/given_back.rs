//! Whether memory may have been given back before a loop comes to it.
//!
//! ```c
//! double *w = malloc(n * sizeof *w);
//! if (!use) free(w);
//! for (int i = 0; i < n; i++) if (on[i]) a[i] += w[i];            /* w[0:n] was there once                           */
//! ```

use crate::analysis::function::FunctionModel;
use crate::analysis::values::table::{Base, SymKind};
use crate::analysis::values::version::Version;
use crate::program::graph::{NodeId, Place};
use crate::program::ir::{InstId, Op, Operand};
use crate::syntax::StmtId;

/// Whether something may free what an allocation in this function made, on some way from there to a statement.
pub(super) fn given_back(model: &FunctionModel<'_>, base: Base, stmt: StmtId) -> bool {
    let Base::Value(sym) = base else { return false };
    let SymKind::Slot(_, Version::Def(store)) = model.values.kind(sym) else {
        return true;
    };
    let function = model.function();
    let Op::Store {
        value: Operand::Inst(made),
        ..
    } = &function.inst(store).op
    else {
        return true;
    };
    let node = |id: InstId| model.attachment.node_of[id.0 as usize];
    let (Some(begins), Some(ends)) = (node(store), model.fine.gap(Place::Before(stmt))) else {
        return true;
    };
    let objects = model.points_to.of_operand(model.func, &Operand::Inst(*made));
    let frees = |id: &InstId| {
        let calls = matches!(function.inst(*id).op, Op::Call { .. }) && *id != *made;
        calls && {
            let effects = model.effects.of_call(model.func, *id);
            effects.unknown || objects.iter().any(|o| effects.frees.contains(o.object))
        }
    };
    let mut starts = function.inst_ids().filter(frees);
    starts.any(|id| node(id).is_none_or(|from| leads(model, from, ends, begins)))
}

/// Whether control may come from one node to another without passing a third.
fn leads(model: &FunctionModel<'_>, from: NodeId, to: NodeId, without: NodeId) -> bool {
    let mut seen = vec![false; model.fine.nodes.len()];
    let mut work = vec![from];
    while let Some(node) = work.pop() {
        if node == to {
            return true;
        }
        if node == without || std::mem::replace(&mut seen[node.0 as usize], true) {
            continue;
        }
        work.extend(&model.fine.node(node).succs);
    }
    false
}
