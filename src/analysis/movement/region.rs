//! What a hand-written `target data` does to the array that it holds, seen as one step (R10).
//!
//! ```c
//! #pragma omp target data map(tofrom: u[0:n])      /* needs of u what the kernel needs; leaves what it writes             */
//! {
//!     #pragma omp target …                         /* copies nothing: u is present                                        */
//! }
//! ```
//!
//! Within a residency of our own such a region copies nothing at its ends. Its kernels do as before if they find equal
//! copies in both memories of what it maps `to`. At its end it has copied what it maps `from`: so the host's copy of
//! what was written is as good as overwritten by the device's. Nothing of ours is placed inside. Where what is written
//! in a region is meant to be lost (`map(to:)`, `alloc`), no residency may contain that region.
//!
//! Non-goals: arrays that the host uses in the region, and regions with other clauses than `map`, which are left alone.

use super::family::Naming;
use super::kernel_events::KernelAt;
use super::placement::ResidencySpan;
use super::problem::{Event, EventKind};
use super::subject::{HandWrittenRegion, Subject};
use crate::analysis::movement::events::{Events, FamilyRefusal};
use crate::analysis::values::table::Base;
use crate::openmp::MapType;
use crate::program::graph::{NodeId, Place};
use crate::reasons::HandWritten;
use crate::symbolic::{Facts, Section, SectionSet};
use crate::syntax::{StmtId, StmtKind};

/// What is done in a region.
#[derive(Default)]
struct RegionUses {
    host_reads: SectionSet,
    device_writes: SectionSet,
    /// What kernels need of what there was before.
    device_reads: SectionSet,
    /// What kernels that stand in the region itself, so that they surely run, write for sure.
    device_must: Vec<Section>,
    /// Something more may look at the device's copy.
    unclear: bool,
}

impl Subject<'_> {
    /// What the region governs that a node lies in.
    pub fn region_of(&self, node: NodeId) -> Option<StmtId> {
        let graph = self.model.coarse;
        let stmt = graph.stmt_of(node)?;
        let is_beside = |r: StmtId| {
            let gaps = [Place::Before(r), Place::After(r)];
            gaps.into_iter().any(|p| graph.gap(p) == Some(node))
        };
        let mut regions = self.regions.iter().map(|r| r.stmt).chain(self.closed.iter().copied());
        regions.find(|r| self.model.tree.encloses(*r, stmt) && !is_beside(*r))
    }

    /// Regions that no residency spans: to what is outside they read all that there is, on the host, and may write it; or, where
    /// that is asked, they read nothing and write all.
    pub(super) fn closed_events(&self, cells: usize, out: &mut Events) {
        let graph = self.model.coarse;
        let all = || self.clip(SectionSet::All);
        for node in self.closed.iter().filter_map(|stmt| graph.region(*stmt)) {
            for cell in 0..cells {
                let read = (!self.unread).then(|| EventKind::HostRead { may: all() });
                let write = EventKind::HostWrite {
                    may: all(),
                    must: Some(self.extent.clone()).filter(|_| self.unread).into_iter().collect(),
                };
                let both = read.into_iter().chain([write]).map(|kind| Event { cell, kind });
                out.events.at_mut(node).extend(both);
            }
            if !self.unread {
                out.others.insert(node);
            }
            out.barriers.insert(node, HandWritten::Closed.into());
        }
    }

    /// What a region does, as events where it begins.
    pub(super) fn region_events(
        &self,
        region: &HandWrittenRegion,
        naming: &Naming,
        span: &ResidencySpan,
        out: &mut Events,
    ) -> Result<(), FamilyRefusal> {
        let names = match span.nodes.contains(&region.node) {
            true => naming.at(region.node).to_vec(),
            false => vec![region.base],
        };
        let nodes = self.model.coarse.ids();
        let nodes: Vec<NodeId> = nodes.filter(|n| self.region_of(*n) == Some(region.stmt)).collect();
        let inside = self.inside(region, &nodes, &names, span, out)?;
        let node = region.node;
        let section = || SectionSet::Union(vec![region.section.clone()]);
        let mut push = |kind| out.events.at_mut(node).push(Event { cell: 0, kind });
        let comes_in = matches!(region.map_type, MapType::To | MapType::Tofrom);
        let comes_out = matches!(region.map_type, MapType::From | MapType::Tofrom);
        if inside.host_reads != SectionSet::Empty {
            push(EventKind::HostRead {
                may: self.clip(inside.host_reads.clone()),
            });
        }
        let all = |set: SectionSet| if set.is_all() { section() } else { set };
        let reads = if !comes_in {
            SectionSet::Empty
        } else if inside.unclear || !comes_out {
            section()
        } else {
            all(inside.device_reads)
        };
        let (may, must) = if !comes_out {
            (SectionSet::Empty, Vec::new())
        } else if !comes_in {
            // What the device has of it in the end, all of the section, the host has then: the user said so.
            (section(), vec![region.section.clone()])
        } else if inside.unclear {
            (section(), Vec::new())
        } else {
            (all(inside.device_writes.clone()), inside.device_must)
        };
        push(EventKind::Launch { reads, may, must });
        if !comes_out && !comes_in {
            out.barriers.insert(node, HandWritten::Scratch.into());
        } else if !comes_out && inside.device_writes != SectionSet::Empty {
            out.barriers.insert(node, HandWritten::Lost.into());
        }
        Ok(())
    }

    /// What is done at the nodes of a region; what no residency may contain is added to `out`.
    fn inside(
        &self,
        region: &HandWrittenRegion,
        nodes: &[NodeId],
        names: &[Base],
        span: &ResidencySpan,
        out: &mut Events,
    ) -> Result<RegionUses, FamilyRefusal> {
        let model = self.model;
        let facts = Facts::new();
        let mut inside = RegionUses::default();
        let (mut kernels, mut others) = (Events::default(), Events::default());
        for &node in nodes {
            let accesses = &self.accesses.at(node);
            let launch = self.launch_at(node, accesses);
            // What is mapped there is present, under whatever name.
            if let Some(launch) = launch {
                let kernel = KernelAt {
                    launch,
                    node,
                    names,
                    cells: 1,
                    span,
                };
                let told = self.launch_events(&kernel, accesses, &mut kernels);
                let is_told = told.is_ok() && !kernels.barriers.contains_key(&node);
                inside.unclear |= !is_told;
                if !is_told && accesses.iter().any(|a| a.writes && self.may_touch(a)) {
                    inside.device_writes = SectionSet::All;
                }
            }
            self.call_events(node, launch, names, 1, span, &mut others)?;
            let surely = launch.is_some_and(|l| self.runs_with(region, model.constructs.launches[l].stmt));
            let here = |all: &mut Events| std::mem::take(all.events.at_mut(node));
            for event in here(&mut kernels).into_iter().chain(here(&mut others)) {
                match event.kind {
                    EventKind::HostRead { may } => {
                        inside.host_reads = inside.host_reads.union(&self.told_outside(region, may), &facts);
                    }
                    EventKind::Launch { reads, may, must } => {
                        inside.device_reads = inside.device_reads.union(&self.told_outside(region, reads), &facts);
                        inside.device_writes = inside.device_writes.union(&self.told_outside(region, may), &facts);
                        let must = must.into_iter().filter(|s| surely && self.is_from_outside(region, s));
                        inside.device_must.extend(must);
                    }
                    EventKind::HostWrite { .. } | EventKind::Free => {
                        out.barriers.insert(node, HandWritten::HostInRegion.into());
                    }
                }
            }
        }
        out.barriers.extend(others.barriers);
        out.left.extend(others.left);
        if !others.others.is_empty() || !kernels.others.is_empty() {
            out.others.insert(region.node);
        }
        for pair in others.apart.into_iter().chain(kernels.apart) {
            if !out.apart.contains(&pair) {
                out.apart.push(pair);
            }
        }
        Ok(inside)
    }

    /// What can be told where a region begins: all, if it is in terms of what has its value in there alone.
    fn told_outside(&self, region: &HandWrittenRegion, set: SectionSet) -> SectionSet {
        match set.sections().iter().all(|s| self.is_from_outside(region, s)) {
            true => set,
            false => SectionSet::All,
        }
    }

    fn is_from_outside(&self, region: &HandWrittenRegion, section: &Section) -> bool {
        let mut symbols = section.lo.symbols().into_iter().chain(section.hi.symbols());
        symbols.all(|sym| !self.model.gets_value_in(sym, region.stmt))
    }

    /// Whether a kernel runs whenever a region does, and once: it stands in the region's block.
    fn runs_with(&self, region: &HandWrittenRegion, kernel: StmtId) -> bool {
        let tree = self.model.tree;
        tree.stmt(region.stmt).kind == StmtKind::Block && tree.stmt(kernel).parent == Some(region.stmt)
    }
}
