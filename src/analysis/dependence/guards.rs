//! What is known where an access runs, from the branches that lead to it.
//!
//! ```c
//! if (i > 0 && a[i - 1] > 0) ...           /* the load runs only where i >= 1: it does not reach a[-1]        */
//! ```
//!
//! From the access's block control is followed backward as long as there is one way to come (the ways back of inner
//! loops do not count: what held before the loop holds of the same values inside it). Each branch on the way that
//! compares two integers says something.

use super::frame::Frame;
use crate::program::graph::NodeId;
use crate::program::ir::{BlockId, InstId, IntComparison, Op, Operand, Pred};
use crate::symbolic::Expr;

/// Branches looked at on the way.
const MAX_STEPS: usize = 32;

/// Expressions that are not negative where the block runs.
pub(super) fn guards(frame: &Frame<'_, '_>, block: BlockId) -> Vec<Expr> {
    let function = frame.model().function();
    let mut found = Vec::new();
    let mut at = block;
    for _ in 0..MAX_STEPS {
        if at == frame.body.header {
            break;
        }
        let mut forward = frame.shared.preds[at.0 as usize].iter().filter(|p| **p < at);
        let Some(&from) = forward.next().filter(|_| forward.next().is_none()) else {
            break;
        };
        let last = InstId(function.block(from).end.0 - 1);
        if let Op::CondBr {
            cond: Operand::Inst(cmp),
            then,
            other,
            ..
        } = &function.inst(last).op
            && then != other
        {
            found.extend(compared(frame, *cmp, *then == at));
        }
        at = from;
    }
    found
}

/// What a comparison says where it came out as `truth`: expressions that are not negative then. All of it, or nothing.
pub(super) fn compared(frame: &Frame<'_, '_>, cmp: InstId, truth: bool) -> Vec<Expr> {
    let node: Option<NodeId> = frame.model().attachment.node_of[cmp.0 as usize];
    let Some(IntComparison { pred, lhs, rhs, signed }) = frame.model().function().int_comparison(cmp) else {
        return Vec::new();
    };
    let Some(node) = node else { return Vec::new() };
    let read = || {
        let bits = [lhs, rhs].into_iter().find_map(|o| match o {
            Operand::Inst(id) => match frame.model().function().inst(*id).ty {
                crate::program::ir::Type::Int(bits) => Some(bits),
                _ => None,
            },
            _ => None,
        })?;
        let facts = frame.facts_at(node);
        // Nothing is asked for to know a little more.
        let known = super::number::OperandFacts {
            facts: &facts,
            fixed: &|_| false,
        };
        let numbers = &frame.numbers;
        let number = |o: &Operand| numbers.converted(numbers.number(o, &known)?, bits, signed, &known);
        Some((number(lhs)?.poly, number(rhs)?.poly))
    };
    let Some((l, r)) = read() else { return Vec::new() };
    let less = |a: &Expr, b: &Expr| b.sub(a).and_then(|d| d.offset(-1));
    let at_most = |a: &Expr, b: &Expr| b.sub(a);
    let facts = match (pred, truth) {
        (Pred::Lt, true) | (Pred::Ge, false) => vec![less(&l, &r)],
        (Pred::Le, true) | (Pred::Gt, false) => vec![at_most(&l, &r)],
        (Pred::Gt, true) | (Pred::Le, false) => vec![less(&r, &l)],
        (Pred::Ge, true) | (Pred::Lt, false) => vec![at_most(&r, &l)],
        // Of equality it does not matter how the bits are read.
        (Pred::Eq, true) | (Pred::Ne, false) => vec![at_most(&l, &r), at_most(&r, &l)],
        _ => Vec::new(),
    };
    facts.into_iter().flatten().collect()
}
