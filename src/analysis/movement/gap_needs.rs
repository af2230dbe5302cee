//! What comes after a gap: which kernels and host statements, what they need, and which paths join.

use super::merges::writes;
use super::problem::{EventKind, LoopFacts};
use super::walk::Walk;
use crate::analysis::movement::set_operations::{SetViews, inexact, launch_needs, one};
use crate::program::graph::NodeId;
use crate::symbolic::SectionSet;
use rustc_hash::FxHashSet;

impl Walk<'_> {
    /// What kernels need before another gap is passed, and what is anticipated before a following loop with kernels.
    pub(super) fn needed_next(&self, gap: NodeId, cell: usize) -> SectionSet {
        let facts = &self.problem.facts;
        let flow = &self.problem.flow;
        let mut needed = SectionSet::Empty;
        let mut seen = FxHashSet::default();
        let mut stack = flow.succs(gap).to_vec();
        while let Some(n) = stack.pop() {
            if !self.span.nodes.contains(&n) || !seen.insert(n) || flow.is_gap(n) {
                continue;
            }
            for event in self.problem.events(n).iter().filter(|e| e.cell == cell) {
                if let EventKind::Launch { reads, may, must } = &event.kind {
                    needed = needed.union(&launch_needs(reads, may, must, facts), facts);
                }
            }
            stack.extend(flow.succs(n));
        }
        let loops = self.problem.loops.behind(gap);
        for (_, l) in loops.filter(|(index, _)| self.problem.launches_in(*index)) {
            needed = needed.union(&self.demand.device(l.header, cell), facts);
        }
        needed
    }

    /// What the host reads before another gap is passed, and what a following loop without device writes reads.
    pub(super) fn immediate(&self, gap: NodeId, cell: usize) -> SectionSet {
        let facts = &self.problem.facts;
        let flow = &self.problem.flow;
        let mut needed = SectionSet::Empty;
        let mut seen = FxHashSet::default();
        let mut stack = flow.succs(gap).to_vec();
        while let Some(n) = stack.pop() {
            if !self.span.nodes.contains(&n) || !seen.insert(n) {
                continue;
            }
            if flow.is_gap(n) {
                continue;
            }
            needed = needed.union(&self.reads_at(n, cell), facts);
            // A kernel on the way has gaps on both sides; host statements may follow one another without.
            stack.extend(flow.succs(n));
        }
        for (index, l) in self.problem.loops.behind(gap) {
            if self.problem.device_writes_in(index) {
                continue;
            }
            for &n in l.nodes.iter() {
                let reads = self.reads_at(n, cell);
                let varies = reads
                    .list()
                    .is_none_or(|list| list.iter().any(|s| self.problem.terms.varies(s, index)));
                let reads = if varies {
                    self.problem.clip(self.problem.terms.widen(&reads, index))
                } else {
                    reads
                };
                needed = needed.union(&self.worth_fetching(gap, reads), facts);
            }
        }
        needed
    }

    /// What of `reads` is fetched at a gap though it is read later: all of it, or what has a name there.
    pub(super) fn worth_fetching(&self, gap: NodeId, reads: SectionSet) -> SectionSet {
        match reads.list() {
            Some(list) if self.mode.piecemeal => {
                let named = list.iter().filter(|s| self.problem.terms.printable(s, gap));
                named.fold(SectionSet::Empty, |all, s| {
                    all.union(&one(s.clone()), &self.problem.facts)
                })
            }
            None if self.mode.piecemeal => SectionSet::Empty,
            _ => reads,
        }
    }

    pub(super) fn reads_at(&self, node: NodeId, cell: usize) -> SectionSet {
        let facts = &self.problem.facts;
        let mut reads = SectionSet::Empty;
        for event in self.problem.events(node).iter().filter(|e| e.cell == cell) {
            match &event.kind {
                EventKind::HostRead { may } => reads = reads.union(may, facts),
                EventKind::HostWrite { may, must } => {
                    reads = reads.union(&inexact(may, must, facts), facts);
                }
                EventKind::Launch { .. } | EventKind::Free => {}
            }
        }
        reads
    }

    /// Behind this gap a path joins on which no kernel wrote the cell, so the copy must not sink further.
    pub(super) fn stops_sinking(&self, gap: NodeId, cell: usize) -> bool {
        let flow = &self.problem.flow;
        if !self.demand.merges.get(&gap).is_some_and(|m| m[cell]) {
            return false;
        }
        // Follow to the next gaps; nodes between them cannot hold a copy.
        let mut seen = FxHashSet::default();
        let mut stack: Vec<NodeId> = flow.succs(gap).to_vec();
        while let Some(n) = stack.pop() {
            if !self.span.nodes.contains(&n) || !seen.insert(n) {
                continue;
            }
            // From the end of an iteration that has run a kernel, the copy may sink out of the loop: a further iteration
            // runs one too.
            let round = self.problem.loops.headed_by(n).find(|l| l.runs);
            if let Some(l) = round.filter(|l| l.nodes.binary_search(&gap).is_ok() && self.rounds(l, cell)) {
                stack.extend(flow.succs(n).iter().filter(|s| l.nodes.binary_search(s).is_err()));
                continue;
            }
            if !self.demand.merges.get(&n).is_some_and(|m| m[cell]) {
                return true;
            }
            if !flow.is_gap(n) {
                stack.extend(flow.succs(n));
            }
        }
        false
    }

    /// Every iteration of a loop runs a kernel that writes the cell.
    pub(super) fn rounds(&self, l: &LoopFacts, cell: usize) -> bool {
        let back = |b: &&NodeId| l.nodes.binary_search(b).is_ok();
        self.problem.flow.preds(l.header).iter().filter(back).all(|b| {
            let cell = self.problem.source_cell(*b, l.header, cell);
            self.demand.merges.get(b).is_some_and(|m| m[cell]) || writes(self.problem, *b, cell)
        })
    }
}
