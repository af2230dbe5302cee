//! What starts kernels on a candidate: the function's own kernels, calls of functions that have a device summary, and
//! regions by hand, which do so where they hold it ([`super::hand_regions`]).
//!
//! All are numbered: kernels first, as [`crate::program::constructs::Constructs`] has them, then the calls, then the regions.

use super::inputs::Inputs;
use super::model::Candidate;
use super::spans::Run;
use crate::analysis::device_calls::{CallUpdates, CallUse, DeviceCall};
use crate::analysis::movement::mapped::Mapped;
use crate::openmp::MapType;
use crate::program::graph::NodeId;
use crate::syntax::StmtId;
use rustc_hash::FxHashMap;

impl Inputs<'_> {
    /// How many starts there are.
    pub(super) fn starts(&self) -> usize {
        self.model.constructs.launches.len() + self.calls.len() + self.regions.len()
    }

    /// The statement that is, or calls, the kernel, or that a region governs.
    pub(super) fn start(&self, start: usize) -> StmtId {
        let others = || match self.region(start) {
            Some(region) => region.stmt,
            None => self.calls[start - self.model.constructs.launches.len()].stmt,
        };
        self.model
            .constructs
            .launches
            .get(start)
            .map_or_else(others, |l| l.stmt)
    }

    /// The start's node in the coarse graph.
    pub(super) fn start_node(&self, start: usize) -> Option<NodeId> {
        match (self.call(start), self.region(start)) {
            (Some(call), _) => Some(call.node),
            (_, Some(region)) => Some(region.node),
            _ => self.model.coarse.of_stmt(self.start(start)),
        }
    }

    /// The starts at a node of the coarse graph, in order.
    pub(super) fn starts_at(&self, node: NodeId) -> &[usize] {
        let table = self.starts_by_node.get_or_init(|| {
            let mut found: FxHashMap<NodeId, Vec<usize>> = FxHashMap::default();
            for start in 0..self.starts() {
                if let Some(node) = self.start_node(start) {
                    found.entry(node).or_default().push(start);
                }
            }
            found
        });
        table.get(&node).map_or(&[], Vec::as_slice)
    }

    /// The call, if it is one.
    pub(super) fn call(&self, start: usize) -> Option<&DeviceCall> {
        self.calls.get(start.checked_sub(self.model.constructs.launches.len())?)
    }

    /// What a call's kernels use of the family.
    pub(super) fn used_by_call(&self, candidate: &Candidate, start: usize) -> Vec<&CallUse> {
        let uses = self.call(start).map_or(&[][..], |c| c.uses.as_slice());
        let ours = |u: &&CallUse| u.base.is_some_and(|b| candidate.bases.contains(&b));
        uses.iter().flat_map(CallUse::each).filter(ours).collect()
    }

    /// What a call's kernels use of the family, but for what may be another array as well: then nobody would copy any
    /// of the family for it.
    pub(super) fn surely_used_by_call(&self, candidate: &Candidate, start: usize) -> Vec<&CallUse> {
        let uses = self.call(start).map_or(&[][..], |c| c.uses.as_slice());
        let ours = |u: &CallUse| u.base.is_some_and(|b| candidate.bases.contains(&b));
        let all = |u: &&CallUse| ours(u) || (!u.perhaps.is_empty() && u.perhaps.iter().all(ours));
        let named = uses.iter().filter(all).flat_map(CallUse::each);
        named.filter(|u| ours(u)).collect()
    }

    /// The copies that calls in a run, or anywhere, make of the family where it is present, and where they are called.
    pub(super) fn updates_at_calls(&self, candidate: &Candidate, run: Option<Run>) -> Vec<(NodeId, &CallUpdates)> {
        let inside = |l: &&usize| run.is_none_or(|run| run.encloses(self.model, self.start(**l)));
        let starts = candidate.launches.iter().filter(inside);
        let updates = starts.filter_map(|l| {
            let uses = self.used_by_call(candidate, *l).into_iter();
            let node = self.start_node(*l)?;
            Some(uses.filter_map(move |u| Some((node, u.updates.as_ref()?))))
        });
        updates.flatten().collect()
    }

    /// What the clauses of a kernel, or region, map.
    pub(super) fn mapped_at(&self, start: usize) -> &[Mapped] {
        let of_region = || self.region(start).map_or(&[][..], |r| r.mapped.as_slice());
        self.mapped.get(start).map_or_else(of_region, Vec::as_slice)
    }

    /// What they map of the family.
    pub(super) fn items(&self, candidate: &Candidate, start: usize) -> Vec<&Mapped> {
        let ours = |m: &&Mapped| candidate.bases.contains(&m.base) && !m.pointer_itself;
        self.mapped_at(start).iter().filter(ours).collect()
    }
}

/// How many copies a map clause's item stands for.
pub(super) fn copies(item: &Mapped) -> i64 {
    match item.map_type {
        MapType::Tofrom => 2,
        MapType::To | MapType::From => 1,
        _ => 0,
    }
}
