//! What branches ask that the loop does not change, and what surely happens where these come out one way.
//!
//! ```c
//! for (int i = 0; i < n; i++) {
//!     double s = i;
//!     if (w != NULL) s *= w[i];           /* in every iteration, where `w` is not null: w[0:n] exists then, and else   */
//!     if (x[i] > 0) a[i] = s;             /* perhaps nothing is there                                                  */
//!     else a[i] = -s;                     /* in every iteration, here or there                                         */
//! }
//! ```
//!
//! A branch whose condition is fixed in the loop goes the same way in all iterations. Where an access is only reached by
//! one of its ways, that way becomes a condition ([`BranchTest`]), which is asked before the arrays are mapped; with the other
//! ways left out the access must be on every path through an iteration.
//!
//! The question is asked where the loop stands, and not where the branch does. What a branch reads through a pointer may
//! not be there unless the branch is come to, so such questions are taken over only from branches that are in every
//! iteration themselves.

use super::body::{Body, insts_of};
use super::frame::Frame;
use super::guards::compared;
use super::index_range::range;
use super::number::{OperandFacts, OperandReader};
use super::touch::Touch;
use super::verdict::{BranchTest, Requirement};
use crate::analysis::function::FunctionModel;
use crate::analysis::values::slots::{SlotId, SlotKind};
use crate::analysis::values::table::{Base, SymKind};
use crate::program::graph::{NodeId, NodeKind};
use crate::program::ir::{BlockId, Cast, Function, InstId, IntComparison, Op, Operand, Pred, Type};
use crate::symbolic::{Expr, Facts, Sym};
use crate::syntax::StmtId;
use std::collections::BTreeSet;

/// An edge of the control flow.
type Edge = (BlockId, BlockId);

/// What has to hold so that one of these accesses, which move with the same loops, happens in every iteration of each of
/// them; `None` where that is not known.
pub(super) fn happens(frame: &Frame<'_, '_>, touches: &[&Touch]) -> Option<Vec<Requirement>> {
    on_the_way(frame, touches, None)
}

/// What has to hold so that an access happens in every iteration in which its indices are in the ranges that branches on
/// them leave (`if (i > 0) … a[i - 1]`).
pub(super) fn happens_in_range(frame: &Frame<'_, '_>, touch: &Touch) -> Option<Vec<Requirement>> {
    let mut facts = Facts::new();
    let known = touch.facts(frame);
    for l in touch.loops.iter().filter_map(|s| frame.loop_at(*s)) {
        let (lo, hi) = range(frame, touch, &known, l);
        facts.assume_le(&lo, &Expr::sym(l.sym));
        facts.assume_le(&Expr::sym(l.sym), &hi);
    }
    on_the_way(frame, &[touch], Some(&facts))
}

/// What has to hold, where these facts do, so that one of these accesses happens in every iteration.
fn on_the_way(frame: &Frame<'_, '_>, touches: &[&Touch], facts: Option<&Facts>) -> Option<Vec<Requirement>> {
    let first = touches.first()?;
    if touches.iter().any(|t| starts(frame, t)) {
        return Some(Vec::new());
    }
    if !touches.iter().all(|t| t.is_counted(frame) && t.ends_with_ranges(frame)) {
        return None;
    }
    let function = frame.model().function();
    let targets: Vec<BlockId> = touches.iter().map(|t| function.inst(t.inst).block).collect();
    if is_passed(frame, &first.loops, &targets, &[]) {
        return Some(Vec::new());
    }
    let mut when = Vec::new();
    let mut left_out: Vec<Edge> = Vec::new();
    for &block in &frame.body.blocks {
        let succs: BTreeSet<BlockId> = function.block(block).succs.iter().copied().collect();
        if succs.len() < 2 || block == frame.body.test {
            continue;
        }
        let Some(&taken) = succs.iter().find(|to| is_needed(frame, (block, **to), &targets)) else {
            continue;
        };
        let sure = facts.is_some_and(|facts| is_sure(frame, (block, taken), facts));
        let asked = if sure { None } else { asked(frame, block, taken) };
        if sure || asked.is_some() {
            when.extend(asked.map(Requirement::Branch));
            left_out.extend(succs.iter().filter(|to| **to != taken).map(|to| (block, *to)));
        }
    }
    is_passed(frame, &first.loops, &targets, &left_out).then_some(when)
}

/// Whether an access is made in any case where the loop starts.
fn starts(frame: &Frame<'_, '_>, touch: &Touch) -> bool {
    let model = frame.model();
    let block = |id: &InstId| model.function().inst(*id).block;
    let start = model.fine.init_of(frame.stmt).filter(|n| *n == touch.node);
    let first = start.and_then(|n| model.attachment.insts_of[n.0 as usize].first());
    first.is_some_and(|first| block(first) == block(&touch.inst))
}

/// The pointers that every iteration follows, or the loop's start, so that what they point to is there where the loop runs.
pub(super) fn followed(frame: &Frame<'_, '_>) -> BTreeSet<SlotId> {
    let model = frame.model();
    let function = model.function();
    let mut found = BTreeSet::new();
    let start = model.fine.init_of(frame.stmt);
    let start = start.map_or(&[][..], |n| &model.attachment.insts_of[n.0 as usize]);
    for id in start.iter().copied().chain(frame.body.insts(function)) {
        let Op::Load { ptr, .. } = &function.inst(id).op else {
            continue;
        };
        let Some(slot) = model.values.slots.at(ptr, function) else {
            continue;
        };
        let mut way = Vec::new();
        let mut at = slot;
        while let SlotKind::Behind(outer, _) = model.values.slots.get(at).kind {
            way.push(outer);
            at = outer;
        }
        if !way.is_empty()
            && !way.iter().all(|s| found.contains(s))
            && (start.contains(&id) || is_always_run(frame, id))
        {
            found.extend(way);
        }
    }
    found
}

/// Whether an instruction runs in every iteration, or in the loop's header.
fn is_always_run(frame: &Frame<'_, '_>, id: InstId) -> bool {
    let model = frame.model();
    let Some(node) = model.attachment.node_of[id.0 as usize] else {
        return false;
    };
    let loops: Vec<StmtId> = frame.moving_loops_of(node).iter().map(|l| l.stmt).collect();
    // Inside another loop it runs as often as that does, perhaps never.
    loops.len() <= 1 && is_counted(model, node, frame.stmt, loops.len()) && {
        let block = model.function().inst(id).block;
        is_passed(frame, &[frame.stmt], &[block], &[])
    }
}

/// Whether these are all the loops around a node, from a loop on.
fn is_counted(model: &FunctionModel<'_>, node: NodeId, stmt: StmtId, loops: usize) -> bool {
    let around = model
        .fine
        .stmt_of(node)
        .into_iter()
        .flat_map(|s| model.tree.ancestors(s));
    let around = around.filter(|s| model.tree.encloses(stmt, *s) && model.tree.stmt(*s).kind.is_loop());
    let tested = matches!(model.fine.node(node).kind, NodeKind::Cond(s) if model.tree.stmt(s).kind.is_loop());
    around.count() == loops + usize::from(tested)
}

/// Whether every iteration of these loops, given innermost first, comes by one of the blocks, if it takes none of the
/// edges that are left out.
fn is_passed(frame: &Frame<'_, '_>, loops: &[StmtId], targets: &[BlockId], left_out: &[Edge]) -> bool {
    let mut targets = targets.to_vec();
    for stmt in loops {
        let Ok(body) = Body::of(frame.model(), &frame.shared.preds, *stmt) else {
            return false;
        };
        if reaches(frame.model().function(), &body, body.header, &targets, left_out) {
            return false;
        }
        targets = vec![body.header];
    }
    true
}

/// Whether control can come to the end of an iteration without one of the blocks.
fn reaches(function: &Function, body: &Body, from: BlockId, avoided: &[BlockId], left_out: &[Edge]) -> bool {
    let mut seen: BTreeSet<BlockId> = BTreeSet::new();
    let mut work = vec![from];
    while let Some(block) = work.pop() {
        if avoided.contains(&block) || !seen.insert(block) {
            continue;
        }
        if block == body.latch {
            return true;
        }
        let goes = |to: &&BlockId| body.contains(**to) && **to != body.header && !left_out.contains(&(block, **to));
        work.extend(function.block(block).succs.iter().filter(goes));
    }
    false
}

/// Whether no block of these is come to in an iteration but by this edge.
fn is_needed(frame: &Frame<'_, '_>, edge: Edge, targets: &[BlockId]) -> bool {
    let function = frame.model().function();
    let mut seen: BTreeSet<BlockId> = BTreeSet::new();
    let mut work = vec![frame.body.header];
    while let Some(block) = work.pop() {
        if !seen.insert(block) {
            continue;
        }
        let goes = |to: &&BlockId| frame.body.contains(**to) && **to != frame.body.header && (block, **to) != edge;
        work.extend(function.block(block).succs.iter().filter(goes));
    }
    !targets.iter().any(|t| seen.contains(t))
}

/// Whether a comparison, where these facts hold, surely sends control from a block to another.
fn is_sure(frame: &Frame<'_, '_>, (block, taken): Edge, facts: &Facts) -> bool {
    let function = frame.model().function();
    let last = insts_of(function, block).next_back();
    let Some(Op::CondBr {
        cond: Operand::Inst(cond),
        then,
        ..
    }) = last.map(|id| &function.inst(id).op)
    else {
        return false;
    };
    let said = compared(frame, *cond, *then == taken);
    !said.is_empty() && said.iter().all(|e| facts.prove_nonneg(e))
}

/// What has to hold for a block to go on to another, where that is fixed in the loop and can be asked before it.
fn asked(frame: &Frame<'_, '_>, block: BlockId, taken: BlockId) -> Option<BranchTest> {
    let function = frame.model().function();
    let last = insts_of(function, block).next_back()?;
    let asked = match &function.inst(last).op {
        Op::CondBr {
            cond: Operand::Inst(cond),
            then,
            ..
        } => said(frame, *cond, *then == taken)?,
        Op::Switch { value, default, cases } => {
            let mut mine = cases.iter().filter(|(_, to)| *to == taken);
            let (case, _) = mine.next().filter(|_| mine.next().is_none() && *default != taken)?;
            BranchTest::Equal {
                left: number(frame, last, value, &Operand::Int(*case))?.0,
                right: Expr::constant(*case),
            }
        }
        _ => return None,
    };
    let plain = |sym: &Sym| match frame.model().values.kind(*sym) {
        SymKind::Slot(slot, _) => !matches!(frame.model().values.slots.get(slot).kind, SlotKind::Behind(..)),
        _ => false,
    };
    let plain = match &asked {
        BranchTest::Present { base: Base::Value(sym) } => plain(sym),
        BranchTest::Present { .. } => return None,
        BranchTest::Equal { left, right }
        | BranchTest::Differs { left, right }
        | BranchTest::AtMost { left, right } => left.symbols().iter().chain(&right.symbols()).all(plain),
    };
    (plain || is_always_run(frame, last)).then_some(asked)
}

/// What a condition says where it comes out as `truth`.
fn said(frame: &Frame<'_, '_>, cond: InstId, truth: bool) -> Option<BranchTest> {
    let function = frame.model().function();
    if let Some(IntComparison { pred, lhs, rhs, signed }) = function.int_comparison(cond) {
        let pred = if truth { pred } else { opposite(pred)? };
        if let (pointer, Operand::Null) = (lhs, rhs)
            && is_pointer(function, pointer)
        {
            return (pred == Pred::Ne).then(|| present(frame, pointer)).flatten();
        }
        let order = |l: &Operand, r: &Operand, less: i128| {
            let (left, right) = numbers(frame, cond, l, r, signed)?;
            Some(BranchTest::AtMost {
                left: left.offset(less)?,
                right,
            })
        };
        return match pred {
            Pred::Eq | Pred::Ne => {
                let (left, right) = number(frame, cond, lhs, rhs)?;
                Some(match pred {
                    Pred::Eq => BranchTest::Equal { left, right },
                    _ => BranchTest::Differs { left, right },
                })
            }
            Pred::Lt => order(lhs, rhs, 1),
            Pred::Le => order(lhs, rhs, 0),
            Pred::Gt => order(rhs, lhs, 1),
            Pred::Ge => order(rhs, lhs, 0),
            Pred::Other => None,
        };
    }
    match &function.inst(cond).op {
        // A `bool` in memory is 0 or 1.
        Op::Cast {
            kind: Cast::Trunc,
            value,
            ..
        } if function.inst(cond).ty == Type::Int(1) => {
            let (left, right) = number(frame, cond, value, &Operand::Int(0))?;
            Some(match truth {
                true => BranchTest::Differs { left, right },
                false => BranchTest::Equal { left, right },
            })
        }
        _ => None,
    }
}

fn opposite(pred: Pred) -> Option<Pred> {
    Some(match pred {
        Pred::Eq => Pred::Ne,
        Pred::Ne => Pred::Eq,
        Pred::Lt => Pred::Ge,
        Pred::Le => Pred::Gt,
        Pred::Gt => Pred::Le,
        Pred::Ge => Pred::Lt,
        Pred::Other => return None,
    })
}

fn is_pointer(function: &Function, operand: &Operand) -> bool {
    matches!(operand, Operand::Inst(id) if function.inst(*id).ty == Type::Ptr)
}

/// That a pointer is not null, where it is the same in all iterations.
fn present(frame: &Frame<'_, '_>, pointer: &Operand) -> Option<BranchTest> {
    let facts = Facts::new();
    let known = OperandFacts {
        facts: &facts,
        fixed: &|_| false,
    };
    let address = frame.numbers.address(pointer, &known)?;
    let Base::Value(sym) = address.base else { return None };
    let starts = address.offset.is_some_and(|o| o.poly.is_zero());
    (starts && frame.is_fixed_sym(sym)).then_some(BranchTest::Present { base: address.base })
}

/// Two operands as numbers of which it can be said whether they are equal, whatever their type: read as signed or unsigned.
fn number(frame: &Frame<'_, '_>, at: InstId, l: &Operand, r: &Operand) -> Option<(Expr, Expr)> {
    let signed = numbers(frame, at, l, r, true);
    signed.or_else(|| numbers(frame, at, l, r, false))
}

/// Two operands as numbers that are fixed in the loop.
fn numbers(frame: &Frame<'_, '_>, at: InstId, l: &Operand, r: &Operand, signed: bool) -> Option<(Expr, Expr)> {
    let model = frame.model();
    let node: NodeId = model.attachment.node_of[at.0 as usize]?;
    let bits = [l, r].into_iter().find_map(|o| match o {
        Operand::Inst(id) => match model.function().inst(*id).ty {
            Type::Int(bits) => Some(bits),
            _ => None,
        },
        _ => None,
    })?;
    let facts = frame.facts_at(node);
    let known = OperandFacts {
        facts: &facts,
        fixed: &|_| false,
    };
    let read = |o: &Operand| {
        let numbers: &OperandReader<'_> = &frame.numbers;
        let found = numbers.converted(numbers.number(o, &known)?, bits, signed, &known)?;
        (found.needs.is_empty() && frame.is_fixed(&found.poly)).then_some(found.poly)
    };
    Some((read(l)?, read(r)?))
}
