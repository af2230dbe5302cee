//! The blocks of a `for` loop in the IR: its natural loop, from the block that steps the index back to the condition.
//!
//! The statement graph says which places of the text are in the loop; questions about every path of an iteration
//! (is a variable set before it is read, what is known under a branch) need blocks, where `&&` and `?:` are branches too.

use super::verdict::{LoopRefusal, NotCanonical, Obstacle};
use crate::analysis::function::FunctionModel;
use crate::program::in_loops::{in_loop, nodes_in_loop};
use crate::program::ir::{BlockId, Function, InstId, Op};
use crate::syntax::{StmtId, StmtKind};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// A loop's blocks.
#[derive(Clone, Debug)]
pub(super) struct Body {
    /// The first block of the condition.
    pub header: BlockId,
    /// The block in which the condition decides; another than the first where the bound has branches of its own.
    pub test: BlockId,
    /// The block that steps the index.
    pub latch: BlockId,
    /// All blocks, ascending.
    pub blocks: Vec<BlockId>,
    inside: Vec<bool>,
    /// Blocks outside that the loop may go on to.
    pub exits: Vec<BlockId>,
}

/// Predecessors of all blocks of a function.
pub(super) fn predecessors(function: &Function) -> Vec<Vec<BlockId>> {
    let mut preds = vec![Vec::new(); function.blocks.len()];
    for (i, block) in function.blocks.iter().enumerate() {
        for succ in &block.succs {
            let list: &mut Vec<BlockId> = &mut preds[succ.0 as usize];
            if !list.contains(&BlockId(i as u32)) {
                list.push(BlockId(i as u32));
            }
        }
    }
    preds
}

/// The instructions of a block.
pub(super) fn insts_of(function: &Function, block: BlockId) -> impl DoubleEndedIterator<Item = InstId> + use<> {
    let block = function.block(block);
    (block.first.0..block.end.0).map(InstId)
}

impl Body {
    /// The body of a `for` statement.
    pub fn of(model: &FunctionModel<'_>, preds: &[Vec<BlockId>], stmt: StmtId) -> Result<Body, LoopRefusal> {
        let function = model.function();
        let refused = |what| LoopRefusal::form(what, stmt);
        if !matches!(model.tree.stmt(stmt).kind, StmtKind::For { .. }) {
            return Err(refused(NotCanonical::NoFor));
        }
        let insts =
            |node: Option<_>| node.map(|n: crate::program::graph::NodeId| &model.attachment.insts_of[n.0 as usize]);
        let test = insts(model.fine.cond_of(stmt)).filter(|i| !i.is_empty());
        let step = insts(model.fine.step_of(stmt)).filter(|i| !i.is_empty());
        let (Some(test), Some(step)) = (test, step) else {
            return Err(refused(if test.is_none() {
                NotCanonical::Test
            } else {
                NotCanonical::Step
            }));
        };
        let header = function.inst(test[0]).block;
        let latch = function.inst(step[0]).block;
        if function.block(latch).succs != [header] || step.iter().any(|i| function.inst(*i).block != latch) {
            return Err(refused(NotCanonical::Step));
        }
        let mut inside = vec![false; function.blocks.len()];
        inside[header.0 as usize] = true;
        let mut work = vec![latch];
        while let Some(block) = work.pop() {
            if !std::mem::replace(&mut inside[block.0 as usize], true) {
                work.extend(&preds[block.0 as usize]);
            }
        }
        let blocks: Vec<BlockId> = (0..inside.len() as u32)
            .map(BlockId)
            .filter(|b| inside[b.0 as usize])
            .collect();
        let succs = blocks
            .iter()
            .flat_map(|b| function.block(*b).succs.iter().map(move |s| (*b, *s)));
        let leaving: Vec<(BlockId, BlockId)> = succs.filter(|(_, s)| !inside[s.0 as usize]).collect();
        let body = Body {
            header,
            test: function.inst(test[test.len() - 1]).block,
            latch,
            exits: leaving.iter().map(|(_, to)| *to).collect(),
            blocks,
            inside,
        };
        body.check(model, preds, stmt, &leaving)?;
        Ok(body)
    }

    fn check(
        &self,
        model: &FunctionModel<'_>,
        preds: &[Vec<BlockId>],
        stmt: StmtId,
        leaving: &[(BlockId, BlockId)],
    ) -> Result<(), LoopRefusal> {
        let function = model.function();
        let exact = model.loops.get(stmt).is_some_and(|l| l.exact);
        let by_test = leaving.iter().all(|(from, _)| *from == self.test);
        if !exact {
            return Err(LoopRefusal::new(Obstacle::Leaves, stmt, []));
        }
        if !by_test {
            return Err(LoopRefusal::form(NotCanonical::Test, stmt));
        }
        // Reducible: nothing but the header is entered from outside, and each way back is a loop of the text.
        let mut heads: FxHashSet<BlockId> = FxHashSet::default();
        for block in &self.blocks {
            let from_outside = |p: &&BlockId| !self.inside[p.0 as usize];
            if *block != self.header && preds[block.0 as usize].iter().any(|p| from_outside(&p)) {
                return Err(LoopRefusal::new(Obstacle::HiddenLoop, stmt, []));
            }
            heads.extend(function.block(*block).succs.iter().filter(|s| **s <= *block));
        }
        let loops = model.tree.stmts.iter().enumerate();
        let loops = loops.filter(|(i, s)| s.kind.is_loop() && model.tree.encloses(stmt, StmtId(*i as u32)));
        if heads.len() != loops.count() {
            return Err(LoopRefusal::new(Obstacle::HiddenLoop, stmt, []));
        }
        // Every instruction of the text's loop is in these blocks, and the other way round.
        let nodes = nodes_in_loop(model.tree, model.fine, stmt);
        let in_text = nodes.iter().flat_map(|n| &model.attachment.insts_of[n.0 as usize]);
        let all: BTreeSet<InstId> = in_text.copied().chain(self.insts(function)).collect();
        for id in all {
            let Some(node) = model.attachment.node_of[id.0 as usize] else {
                continue;
            };
            let in_text = in_loop(model.tree, model.fine.node(node).kind, stmt);
            if in_text != self.holds(function, id) && !matches!(function.inst(id).op, Op::Br { .. }) {
                return Err(LoopRefusal::new(Obstacle::HiddenLoop, stmt, [id]));
            }
        }
        Ok(())
    }

    /// Whether a block belongs to the loop.
    pub fn contains(&self, block: BlockId) -> bool {
        self.inside[block.0 as usize]
    }

    /// Whether an instruction belongs to the loop.
    pub fn holds(&self, function: &Function, inst: InstId) -> bool {
        self.contains(function.inst(inst).block)
    }

    /// The loop's instructions, in order.
    pub fn insts<'f>(&'f self, function: &'f Function) -> impl Iterator<Item = InstId> + 'f {
        self.blocks.iter().flat_map(|b| insts_of(function, *b))
    }
}
