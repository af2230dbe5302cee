//! The control flow of a function as blocks, with what ends in `exit` or `abort` cut off, and where the ways from a branch meet.
//!
//! ```text
//!        0: if (rank)          ways from 0 meet at 3; the region of 0 is {1, 2}
//!       /            \
//!  1: a = 1      2: abort()    2 is a dead end: nothing behind it has to match
//!       \
//!        3: use(a)
//! ```
//!
//! A function that never returns by itself ends where it calls `exit`, and where it only fails, there; where it does neither, it ends anywhere.
//!
//! Source: Cooper, Harvey and Kennedy 2001, on the reversed graph.

use crate::program::ir::{BlockId, Function, InstId, Op};
use std::collections::BTreeSet;

/// What a block that is left by no edge does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlockEnd {
    /// Goes on.
    GoesOn,
    /// Returns to the caller.
    Returns,
    /// The program ends, or control never comes there.
    DeadEnd,
}

/// How a call ends the program that never returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProgramEnd {
    /// As `exit(0)` does.
    InOrder,
    /// As `abort()` and `exit(1)` do: what others do does not matter any more.
    Failing,
}

/// The flow of one function.
#[derive(Clone, Debug)]
pub struct BlockFlow {
    /// By block: where control goes on, in the order of the terminator.
    pub succs: Vec<Vec<usize>>,
    /// By block: where control comes from.
    pub preds: Vec<Vec<usize>>,
    /// By block: how it ends.
    pub ends: Vec<BlockEnd>,
    /// By block: the first instruction that is not run, as the call before it never returns.
    pub cut: Vec<Option<InstId>>,
    /// Blocks that control comes to, each before those that it leads to but by ways back.
    pub order: Vec<usize>,
    /// By block: its place in that order.
    pub place: Vec<usize>,
    /// By block: where all ways from it meet; `None` at the end of the function.
    pub meeting: Vec<Option<usize>>,
    /// By block with more than one way out: the blocks on these ways before they meet.
    pub regions: Vec<BTreeSet<usize>>,
    /// By block, and last for the end of the function: the branches whose ways meet there, in order.
    parting: Vec<Vec<usize>>,
    /// By block: the branches on whose ways it lies, in order.
    pub within: Vec<Vec<usize>>,
}

impl BlockFlow {
    /// Finds it; `ends` says how a call ends the program that never returns.
    pub fn of(function: &Function, ends: &dyn Fn(InstId) -> Option<ProgramEnd>) -> BlockFlow {
        let count = function.blocks.len();
        let mut cut = vec![None; count];
        let mut fails = vec![false; count];
        let mut succs: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut block_ends = vec![BlockEnd::DeadEnd; count];
        for (at, block) in function.blocks.iter().enumerate() {
            let insts = (block.first.0..block.end.0).map(InstId);
            let calls = { insts.clone() }.filter(|i| matches!(function.inst(*i).op, Op::Call { .. }));
            let mut last = calls.filter_map(|call| Some((call, ends(call)?)));
            if let Some((call, end)) = last.next() {
                cut[at] = Some(InstId(call.0 + 1));
                fails[at] = end == ProgramEnd::Failing;
                continue;
            }
            let terminator = InstId(block.end.0.saturating_sub(1));
            if block.end.0 > block.first.0 && matches!(function.inst(terminator).op, Op::Ret(_)) {
                block_ends[at] = BlockEnd::Returns;
            } else {
                succs[at] = block.succs.iter().map(|b: &BlockId| b.0 as usize).collect();
            }
            if !succs[at].is_empty() {
                block_ends[at] = BlockEnd::GoesOn;
            }
        }
        let order = reverse_post_order(&succs);
        let mut place = vec![usize::MAX; count];
        order.iter().enumerate().for_each(|(at, block)| place[*block] = at);
        let mut preds = vec![Vec::new(); count];
        for &block in &order {
            for &next in &succs[block] {
                preds[next].push(block);
            }
        }
        // Without a return the program ends in it: where it calls what never returns.
        if !order.iter().any(|b| block_ends[*b] == BlockEnd::Returns) {
            let last: Vec<usize> = order.iter().copied().filter(|b| succs[*b].is_empty()).collect();
            let only_fails = last.iter().all(|b| fails[*b]);
            let ends = last.into_iter().filter(|b| only_fails || !fails[*b]);
            ends.for_each(|b| block_ends[b] = BlockEnd::Returns);
        }
        let mut flow = BlockFlow {
            succs,
            preds,
            ends: block_ends,
            cut,
            order,
            place,
            meeting: vec![None; count],
            regions: vec![BTreeSet::new(); count],
            parting: vec![Vec::new(); count + 1],
            within: vec![Vec::new(); count],
        };
        flow.meet();
        flow
    }

    /// The blocks from which control comes to the end, and with an endless loop all.
    fn living(&self) -> Vec<bool> {
        let mut living = vec![false; self.succs.len()];
        let mut next: Vec<usize> = Vec::new();
        next.extend(
            self.order
                .iter()
                .copied()
                .filter(|b| self.ends[*b] == BlockEnd::Returns),
        );
        if next.is_empty() {
            next.extend(self.order.iter().copied());
        }
        while let Some(block) = next.pop() {
            if !std::mem::replace(&mut living[block], true) {
                next.extend(self.preds[block].iter().copied());
            }
        }
        living
    }

    /// The branches of which one way comes to a dead end, and another does not.
    pub fn ending(&self) -> impl Iterator<Item = usize> + '_ {
        let living = self.living();
        let ends = move |block: &usize| living[*block] && self.succs[*block].iter().any(|next| !living[*next]);
        self.order.iter().copied().filter(ends)
    }

    /// Finds where ways meet, and what lies on them.
    fn meet(&mut self) {
        let living = self.living();
        let end = self.succs.len();
        let after = |block: usize| -> Vec<usize> {
            let mut after: Vec<usize> = self.succs[block].iter().copied().filter(|s| living[*s]).collect();
            if self.ends[block] == BlockEnd::Returns || after.is_empty() {
                after.push(end);
            }
            after
        };
        // Higher numbers are nearer to the end.
        let mut meeting: Vec<Option<usize>> = vec![None; end + 1];
        meeting[end] = Some(end);
        let post_order = post_order_backwards(end, &self.order, &after);
        let number: Vec<usize> = {
            let mut number = vec![0; end + 1];
            post_order
                .iter()
                .enumerate()
                .for_each(|(at, block)| number[*block] = at);
            number
        };
        let mut changed = true;
        while changed {
            changed = false;
            for &block in post_order.iter().rev().filter(|b| **b != end) {
                let mut found: Option<usize> = None;
                for next in after(block).into_iter().filter(|n| meeting[*n].is_some()) {
                    found = Some(found.map_or(next, |f| intersection(&meeting, &number, f, next)));
                }
                if found.is_some() && meeting[block] != found {
                    meeting[block] = found;
                    changed = true;
                }
            }
        }
        for &block in &self.order {
            self.meeting[block] = meeting[block].filter(|m| *m != end);
        }
        for &block in self.order.iter().filter(|b| self.succs[**b].len() > 1) {
            let mut region = BTreeSet::new();
            let mut next: Vec<usize> = self.succs[block].clone();
            while let Some(at) = next.pop() {
                if Some(at) != self.meeting[block] && living[at] && region.insert(at) {
                    next.extend(self.succs[at].iter().copied());
                }
            }
            self.regions[block] = region;
        }
        for &block in &self.order {
            self.parting[self.meeting[block].unwrap_or(end)].push(block);
            for inside in &self.regions[block] {
                self.within[*inside].push(block);
            }
        }
    }

    /// The branches whose ways meet at a block, or at the end of the function.
    pub fn parting(&self, at: Option<usize>) -> &[usize] {
        &self.parting[at.unwrap_or(self.succs.len())]
    }
}

/// Where the ways from two blocks meet, as far as is known.
fn intersection(meeting: &[Option<usize>], number: &[usize], one: usize, other: usize) -> usize {
    let (mut one, mut other) = (one, other);
    while one != other {
        let lower = if number[one] < number[other] {
            &mut one
        } else {
            &mut other
        };
        match meeting[*lower] {
            Some(next) => *lower = next,
            None => return one.max(other),
        }
    }
    one
}

/// Blocks in reverse post-order from the entry.
fn reverse_post_order(succs: &[Vec<usize>]) -> Vec<usize> {
    let mut order = post_order(succs.len(), 0, &|block| succs[block].clone());
    order.reverse();
    order
}

/// The graph turned round, in post-order from the end.
fn post_order_backwards(end: usize, blocks: &[usize], after: &dyn Fn(usize) -> Vec<usize>) -> Vec<usize> {
    let mut before = vec![Vec::new(); end + 1];
    for &block in blocks {
        for next in after(block) {
            before[next].push(block);
        }
    }
    post_order(end + 1, end, &|block| before[block].clone())
}

/// Nodes in post-order from one, with a stack of our own.
fn post_order(count: usize, from: usize, after: &dyn Fn(usize) -> Vec<usize>) -> Vec<usize> {
    let mut seen = vec![false; count];
    let mut order = Vec::new();
    if count == 0 {
        return order;
    }
    seen[from] = true;
    let mut stack = vec![(from, after(from))];
    while let Some((node, left)) = stack.last_mut() {
        match left.pop() {
            Some(next) => {
                if !std::mem::replace(&mut seen[next], true) {
                    stack.push((next, after(next)));
                }
            }
            None => {
                order.push(*node);
                stack.pop();
            }
        }
    }
    order
}
