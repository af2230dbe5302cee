//! The one form of asking `setjmp` that is followed: an `if` whose condition is the call, compared with 0 at most.

use super::jumper::Jumper;
use crate::program::graph::{FlowGraph, NodeId, NodeKind};
use crate::program::ir::{BlockId, Callee, InstId, Op, Operand, Pred};
use crate::syntax::{StmtId, StmtKind};

const SETJMP: [&str; 4] = ["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp"];

/// `__builtin_setjmp`. A jump to it restores no register, and that is all that is said of it.
const BUILTIN: &str = "llvm.eh.sjlj.setjmp";

/// Where `setjmp` stands, and the two ways on from there.
pub(super) struct Returns {
    /// The condition.
    pub node: NodeId,
    /// What follows when it is called.
    pub first: NodeId,
    /// What follows a jump.
    pub again: NodeId,
    /// Variables that are not changed before the jump have their values after it.
    pub restores: bool,
}

impl Jumper<'_> {
    /// Reads the `if` whose condition is the call and nothing else.
    pub(super) fn returns(&self, graph: &FlowGraph, setjmp: InstId) -> Option<Returns> {
        let function = self.function();
        let Op::Call {
            callee: Callee::Direct(callee),
            ..
        } = &function.inst(setjmp).op
        else {
            return None;
        };
        let callee = self.module.function(*callee);
        let restores = SETJMP.contains(&callee.name.as_str());
        if !callee.declaration || !(restores || callee.name == BUILTIN) {
            return None;
        }
        let node = self.attachment.node_of[setjmp.0 as usize]?;
        let NodeKind::Cond(at) = graph.node(node).kind else {
            return None;
        };
        let StmtKind::If { then, .. } = self.tree.stmt(at).kind else {
            return None;
        };
        let insts = &self.attachment.insts_of[node.0 as usize];
        let block = function.inst(setjmp).block;
        // What stands before the call is not run again; behind it only the result is compared.
        let plain = |i: &InstId| {
            let acts = matches!(
                function.inst(*i).op,
                Op::Store { .. } | Op::Atomic { .. } | Op::Call { .. } | Op::Other { .. }
            );
            function.inst(*i).block == block && !(acts && *i > setjmp)
        };
        if !insts.iter().all(plain) {
            return None;
        }
        let (tested, on_true, on_false) = insts.iter().find_map(|i| match &function.inst(*i).op {
            Op::CondBr {
                cond: Operand::Inst(cond),
                then,
                other,
                ..
            } => Some((*cond, *then, *other)),
            _ => None,
        })?;
        let Op::Cmp { pred, lhs, rhs, .. } = &function.inst(tested).op else {
            return None;
        };
        let is_it = |o: &Operand| matches!(o, Operand::Inst(i) if *i == setjmp);
        let is_zero = |o: &Operand| matches!(o, Operand::Int(0));
        if !(is_it(lhs) && is_zero(rhs) || is_it(rhs) && is_zero(lhs)) {
            return None;
        }
        let after_jump = match pred {
            Pred::Ne => on_true,
            Pred::Eq => on_false,
            _ => return None,
        };
        let first_branch = BlockId::of_first_branch(on_true, on_false);
        if !self.may_begin(first_branch, graph, then) {
            return None;
        }
        let &[to_then, to_other] = graph.node(node).succs.as_slice() else {
            return None;
        };
        let inside = |n: NodeId| graph.stmt_of(n).is_some_and(|s| self.tree.encloses(then, s));
        if !inside(to_then) || inside(to_other) {
            return None;
        }
        let (first, again) = match after_jump == first_branch {
            true => (to_other, to_then),
            false => (to_then, to_other),
        };
        let of_its_own = matches!(graph.node(again).kind, NodeKind::Gap(_)) && graph.node(again).preds == [node];
        of_its_own.then_some(Returns {
            node,
            first,
            again,
            restores,
        })
    }

    /// Whether a block may be the first of a statement: it is, as far as it has a place in the text.
    fn may_begin(&self, block: BlockId, graph: &FlowGraph, stmt: StmtId) -> bool {
        let block = self.function().block(block);
        let mut nodes = (block.first.0..block.end.0).filter_map(|i| self.attachment.node_of[i as usize]);
        let first = nodes.next().and_then(|n| graph.stmt_of(n));
        first.is_none_or(|s| self.tree.encloses(stmt, s))
    }
}
