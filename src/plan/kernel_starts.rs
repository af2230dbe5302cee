//! What starts kernels on a candidate: the function's own kernels, calls of functions that have a device summary, and
//! regions by hand, which do so where they hold it ([`super::hand_regions`]).
//!
//! All are numbered: kernels first, as [`crate::program::constructs::Constructs`] has them, then the calls, then the regions.

use super::inputs::Inputs;
use super::model::{Candidate, Refused};
use super::spans::Run;
use crate::analysis::device_calls::{CallUpdates, CallUse, DeviceCall};
use crate::analysis::movement::mapped::Mapped;
use crate::analysis::payment::count;
use crate::openmp::MapType;
use crate::program::graph::NodeId;
use crate::reasons::Sizes;
use crate::symbolic::Section;
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
    fn mapped_at(&self, start: usize) -> &[Mapped] {
        let of_region = || self.region(start).map_or(&[][..], |r| r.mapped.as_slice());
        self.mapped.get(start).map_or_else(of_region, Vec::as_slice)
    }

    /// What they map of the family.
    pub(super) fn items(&self, candidate: &Candidate, start: usize) -> Vec<&Mapped> {
        let ours = |m: &&Mapped| candidate.bases.contains(&m.base) && !m.pointer_itself;
        self.mapped_at(start).iter().filter(ours).collect()
    }

    /// What a kernel's clauses map that is the family if that was chosen.
    fn perhaps_items(&self, candidate: &Candidate, start: usize) -> Vec<(&Mapped, Option<&Section>)> {
        let items = self.mapped_at(start).iter();
        let others = items.filter(|m| !candidate.bases.contains(&m.base) && !m.pointer_itself);
        let ours = others.flat_map(|m| m.perhaps.iter().map(move |(base, section)| (m, base, section)));
        ours.filter(|(_, base, _)| candidate.bases.contains(base))
            .map(|(m, _, section)| (m, section.as_ref()))
            .collect()
    }

    /// Whether a kernel uses the family only if that was chosen.
    pub(super) fn is_perhaps(&self, candidate: &Candidate, start: usize) -> bool {
        self.items(candidate, start).is_empty() && !self.perhaps_items(candidate, start).is_empty()
    }

    /// Whether a kernel or call uses the family only if that was chosen.
    pub(super) fn may_be_another(&self, candidate: &Candidate, start: usize) -> bool {
        match self.call(start) {
            Some(_) => self.surely_used_by_call(candidate, start).is_empty(),
            None => self.is_perhaps(candidate, start),
        }
    }

    /// How many times a start copies an extent of the family, as written: at least; less what it copies where the family is
    /// present.
    pub(super) fn copies_of(&self, candidate: &Candidate, start: usize) -> i64 {
        if self.call(start).is_some() {
            let uses = self.used_by_call(candidate, start).into_iter();
            return uses
                .map(|u| u.updates.as_ref().map_or_else(|| count(&u.copies), |u| u.net))
                .sum();
        }
        match self.items(candidate, start).as_slice() {
            [] if self.is_perhaps(candidate, start) => 0,
            [] => 2,
            items => items.iter().map(|m| copies(m)).sum(),
        }
    }

    /// How many times a start is expected to copy an extent of the family.
    pub(super) fn expected_copies_of(&self, candidate: &Candidate, start: usize) -> f64 {
        if self.call(start).is_some() {
            let uses = self.surely_used_by_call(candidate, start);
            return uses.iter().map(|u| u.expected_copies).sum();
        }
        self.copies_of(candidate, start) as f64
    }

    /// The sections that the starts in a run map of the family, of which `object` is all, where that is known.
    pub(super) fn sections(
        &self,
        candidate: &Candidate,
        run: Run,
        object: Option<&Section>,
    ) -> Result<Vec<Section>, Refused> {
        let mut all: Vec<Section> = Vec::new();
        for &start in &candidate.launches {
            if run.encloses(self.model, self.start(start)) {
                all.extend(self.sections_of(candidate, start, object)?);
            }
        }
        Ok(all)
    }

    /// The sections that one of them maps, but for what it may map of another array instead ([`Inputs::perhaps_mapped`]).
    pub(super) fn sections_of(
        &self,
        candidate: &Candidate,
        start: usize,
        object: Option<&Section>,
    ) -> Result<Vec<Section>, Refused> {
        let stmt = self.start(start);
        let refuse = |reason: Sizes| Refused {
            stmt,
            reason: reason.into(),
        };
        let mut all: Vec<Section> = Vec::new();
        if let Some(call) = self.call(start) {
            for used in self.used_by_call(candidate, start).iter().filter(|u| !u.is_one_of) {
                let mapped = used.mapped.as_ref().ok_or_else(|| refuse(unclear(call)))?;
                all.extend(mapped.iter().cloned());
            }
            return Ok(all);
        }
        let items = self.items(candidate, start);
        for m in &items {
            all.push(match (&m.section, object) {
                (Some(s), _) => s.clone(),
                (None, Some(o)) if m.item.sections.is_empty() => o.clone(),
                _ => {
                    return Err(refuse(Sizes::NotEvaluated));
                }
            });
        }
        if items.is_empty() && !self.is_perhaps(candidate, start) {
            // A kernel that names no section maps all of an array, and may reach all that a pointer points to.
            all.push(object.cloned().ok_or_else(|| refuse(Sizes::Unknown))?);
        }
        Ok(all)
    }

    /// The sections that one of them maps if the family is what was chosen for it. Of an array that is not, so much may not
    /// exist.
    ///
    /// ```c
    /// halve(large ? b : a, n + 4);        /* `a` may have `n` elements */
    /// ```
    pub(super) fn perhaps_mapped(&self, candidate: &Candidate, start: usize) -> Result<Vec<Section>, Refused> {
        let mut all = Vec::new();
        let Some(call) = self.call(start) else {
            for (_, section) in self.perhaps_items(candidate, start) {
                all.push(section.cloned().ok_or_else(|| Refused {
                    stmt: self.start(start),
                    reason: Sizes::NotEvaluated.into(),
                })?);
            }
            return Ok(all);
        };
        for used in self.used_by_call(candidate, start).iter().filter(|u| u.is_one_of) {
            let refused = || Refused {
                stmt: call.stmt,
                reason: unclear(call).into(),
            };
            all.extend(used.mapped.as_ref().ok_or_else(refused)?.iter().cloned());
        }
        Ok(all)
    }
}

fn unclear(call: &DeviceCall) -> Sizes {
    let callee = call.callee.clone();
    Sizes::NotEvaluatedInCall { callee }
}

/// How many copies a map clause's item stands for.
pub(super) fn copies(item: &Mapped) -> i64 {
    match item.map_type {
        MapType::Tofrom => 2,
        MapType::To | MapType::From => 1,
        _ => 0,
    }
}
