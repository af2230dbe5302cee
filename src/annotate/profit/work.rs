//! How much a statement computes, and how much of it at a time.

use super::sizes::Sizes;
use crate::analysis::function::FunctionModel;
use crate::program::in_loops::in_loop;
use crate::program::ir::{Callee, FuncId, InstId, Op, Operand};
use crate::syntax::{StmtId, StmtKind};
use rustc_hash::FxHashMap;

/// Operations of a call of a function whose text is elsewhere.
const FOREIGN: f64 = 16.0;
/// Iterations of a loop in a called function.
const CALLED: f64 = 64.0;
/// Calls that are followed inwards.
const DEPTH: usize = 2;

/// What one run of a statement costs on the host.
pub(super) fn operations(sizes: &Sizes<'_, '_>, stmt: StmtId) -> f64 {
    let model = sizes.model;
    let mut trips: FxHashMap<StmtId, f64> = FxHashMap::default();
    let mut of_inst = |id: InstId| {
        let node = model.attachment.node_of[id.0 as usize]?;
        let kind = model.fine.node(node).kind;
        let loops = model.tree.ancestors(model.fine.stmt_of(node)?);
        let within = loops.filter(|s| {
            model.tree.stmt(*s).kind.is_loop() && model.tree.encloses(stmt, *s) && in_loop(model.tree, kind, *s)
        });
        let times: f64 = within
            .map(|s| *trips.entry(s).or_insert_with(|| sizes.of_loop(s)))
            .product();
        Some(times * cost(model, model.func, id, DEPTH))
    };
    model.insts_within(stmt).into_iter().filter_map(&mut of_inst).sum()
}

/// What an instruction costs: variables are in registers, and addresses come with the access.
fn cost(model: &FunctionModel<'_>, func: FuncId, id: InstId, depth: usize) -> f64 {
    let function = model.module.function(func);
    let in_memory = |ptr: &Operand| match ptr {
        Operand::Inst(at) => !matches!(function.inst(*at).op, Op::Alloca { .. }),
        Operand::Global(_) => false,
        _ => true,
    };
    match &function.inst(id).op {
        Op::Load { ptr, .. } | Op::Store { ptr, .. } if in_memory(ptr) => 1.0,
        Op::Binary { .. } => 1.0,
        Op::Call {
            callee: Callee::Direct(callee),
            ..
        } => {
            let called = model.module.function(*callee);
            if called.insts.is_empty() || depth == 0 {
                return FOREIGN;
            }
            let inside = called.inst_ids().map(|i| cost(model, *callee, i, depth - 1));
            let loops = called.inst_ids().any(|i| {
                let op = &called.inst(i).op;
                matches!(op, Op::Br { latch: Some(_), .. } | Op::CondBr { latch: Some(_), .. })
            });
            inside.sum::<f64>() * if loops { CALLED } else { 1.0 }
        }
        Op::Call { .. } => FOREIGN,
        _ => 0.0,
    }
}

/// How many iterations of the nest may run at a time.
pub(super) fn at_a_time(sizes: &Sizes<'_, '_>, stmt: StmtId, collapse: usize) -> f64 {
    let tree = sizes.model.tree;
    let mut at = Some(stmt);
    let mut product = 1.0;
    for _ in 0..collapse.max(1) {
        let Some(level) = at else { break };
        product *= sizes.of_loop(level);
        let StmtKind::For { body, .. } = tree.stmt(level).kind else {
            break;
        };
        let mut inner = Some(body);
        while let Some(block) = inner.filter(|s| tree.stmt(*s).kind == StmtKind::Block) {
            inner = tree.stmt(block).children.first().copied();
        }
        at = inner;
    }
    product
}
