//! Nodes at which the program ends: control does not come back from there to whoever called the function.
//!
//! ```c
//! double *a = malloc(n * sizeof *a);
//! if (!a) exit(1);                                // not on the way on which `a` is returned without being on the device
//! #pragma omp target enter data map(to: a[0:n])
//! return a;
//! ```

use crate::analysis::function::FunctionModel;
use crate::program::graph::{FlowGraph, NodeId, NodeKind};
use crate::program::ir::{InstId, Op};
use crate::syntax::StmtKind;
use rustc_hash::FxHashSet;

/// The nodes of the coarse graph from which control goes nowhere but out of the function, and never returns.
pub fn endings(model: &FunctionModel<'_>) -> FxHashSet<NodeId> {
    let function = model.function();
    let never_returns = |inst: &InstId| {
        let calls = matches!(function.inst(*inst).op, Op::Call { .. });
        calls && model.effects.of_call(model.func, *inst).never_returns
    };
    let calls = function.inst_ids().filter(never_returns);
    let node = |inst: InstId| model.coarse_of(model.attachment.node_of[inst.0 as usize]?);
    let is_ending = |node: &NodeId| {
        let NodeKind::Leaf(stmt) = model.coarse.node(*node).kind else {
            return false;
        };
        let returns = matches!(model.tree.stmt(stmt).kind, StmtKind::Return { .. });
        model.coarse.node(*node).succs == [FlowGraph::EXIT] && !returns
    };
    calls.filter_map(node).filter(is_ending).collect()
}
