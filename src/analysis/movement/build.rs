//! From a function to the movement problem of one family: every access becomes an event on a cell.
//!
//! An access whose base is a cell's name at its node is *strong*: its section is known. An access that may touch the
//! family through anything else is *weak*: on the host it may read and write everything, which costs copies but is right;
//! in a kernel it means that one array may be mapped under two names, and the family is left alone (R8).

use super::events::{Events, FamilyRefusal};
use super::family::{Family, Naming};
use super::kernel_events::KernelAt;
use super::placement::ResidencySpan;
use super::problem::{Event, EventKind};
use super::subject::Subject;
use crate::analysis::access::Access;
use crate::analysis::values::table::Base;
use crate::program::graph::{FlowGraph, NodeId, NodeKind};
use crate::reasons::Calls;
use rustc_hash::FxHashSet;

impl Subject<'_> {
    /// Collects the events of some arrays, each of which has one name throughout, with a cell for each: what a residency says of none of them.
    pub fn events_by_name(&self, names: &[Base]) -> Result<Events, FamilyRefusal> {
        let nowhere = ResidencySpan {
            entry: FlowGraph::ENTRY,
            exits: Vec::new(),
            nodes: FxHashSet::default(),
        };
        let mut out = Events::default();
        for node in self.model.coarse.ids() {
            self.node_events(node, names, names.len(), &nowhere, &mut out)?;
        }
        Ok(out)
    }

    /// Collects all events of the family. `naming` covers the span; outside it a single array keeps its name.
    pub fn events(&self, family: &Family, naming: &Naming, span: &ResidencySpan) -> Result<Events, FamilyRefusal> {
        let model = self.model;
        let cells = naming.at(span.entry).len();
        let mut out = Events::default();
        let fallback: Vec<Base> = match family {
            Family::Single(base) => vec![*base],
            Family::PingPong(_) => Vec::new(),
        };
        for region in &self.regions {
            self.region_events(region, naming, span, &mut out)?;
        }
        self.closed_events(cells, &mut out);
        for node in model.coarse.ids().filter(|n| self.region_of(*n).is_none()) {
            let within = span.nodes.contains(&node);
            let names = if within { naming.at(node) } else { &fallback };
            self.node_events(node, names, cells, span, &mut out)?;
        }
        Ok(out)
    }

    /// Collects the events of one node, where the cells have these names.
    pub(super) fn node_events(
        &self,
        node: NodeId,
        names: &[Base],
        cells: usize,
        span: &ResidencySpan,
        out: &mut Events,
    ) -> Result<(), FamilyRefusal> {
        // A gap, as most nodes are, or a condition that looks at variables alone.
        let is_statement = matches!(self.model.coarse.node(node).kind, NodeKind::Whole(_));
        if !is_statement && self.accesses.is_quiet(node) && out.events.at(node).is_empty() {
            return Ok(());
        }
        let accesses = &self.accesses.at(node);
        let launch = self.launch_at(node, accesses);
        match launch {
            Some(launch) => {
                let kernel = KernelAt {
                    launch,
                    node,
                    names,
                    cells,
                    span,
                };
                self.launch_events(&kernel, accesses, out)?;
            }
            None => self.host_events(node, names, accesses, span, cells, out),
        }
        self.call_events(node, launch, names, cells, span, out)?;
        if launch.is_none() && !in_any_order(out.events.at_mut(node)) {
            out.barriers.entry(node).or_insert_with(|| Calls::Unordered.into());
        }
        Ok(())
    }

    /// The kernel at a node.
    pub(super) fn launch_at(&self, node: NodeId, accesses: &[&Access]) -> Option<usize> {
        let by_access = accesses.first().and_then(|a| self.model.launch_of(a.node));
        if by_access.is_some() {
            return by_access;
        }
        let NodeKind::Whole(stmt) = self.model.coarse.node(node).kind else {
            return None;
        };
        self.model.constructs.launch_at(stmt)
    }
}

/// What is done at one node may happen in any order: in a collapsed loop one iteration's writes come before what a call reads in
/// the next, and C does not say which call of a statement comes first. So the host reads before it writes, and no kernel
/// overwrites what another one reads. `false` if kernels and the host use one cell: what is between them is not known.
fn in_any_order(events: &mut [Event]) -> bool {
    let is_launch = |e: &Event| matches!(e.kind, EventKind::Launch { .. });
    events.sort_by_key(|e| !matches!(e.kind, EventKind::HostRead { .. }));
    let cells: Vec<(usize, bool)> = events.iter().map(|e| (e.cell, is_launch(e))).collect();
    for event in events.iter_mut() {
        let alone = cells.iter().filter(|(cell, _)| *cell == event.cell).count() == 1;
        if let EventKind::Launch { must, .. } = &mut event.kind
            && !alone
        {
            must.clear();
        }
    }
    !cells
        .iter()
        .any(|(cell, launch)| *launch && cells.contains(&(*cell, false)))
}
