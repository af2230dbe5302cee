//! From a function to the movement problem of one family: every access becomes an event on a cell.
//!
//! An access whose base is a cell's name at its node is *strong*: its section is known. An access that may touch the
//! family through anything else is *weak*: on the host it may read and write everything, which costs copies but is right;
//! in a kernel it means that one array may be mapped under two names, and the family is left alone (R8).

use super::family::{Family, Naming};
use super::kernel_events::KernelAt;
use super::outside::Outside;
use super::placement::Span;
use super::problem::{Event, EventKind, NodeEvents};
use super::subject::Subject;
use crate::analysis::access::Access;
use crate::analysis::thread_copies::may_be_of_copy;
use crate::analysis::values::eval::Base;
use crate::program::graph::{FlowGraph, NodeId, NodeKind};
use crate::symbolic::{Facts, Section, SectionSet};
use rustc_hash::{FxHashMap, FxHashSet};

/// Why a family cannot be handled in a span.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// Where, as a coarse node.
    pub node: Option<NodeId>,
    /// Why, for people.
    pub message: String,
}

const UNORDERED: &str = "calls in this statement use it in kernels and on the host, in an order that C does not say";

/// Events by coarse node, and the nodes that no residency of the family may contain, with the reason.
#[derive(Default)]
pub struct Events {
    /// Pairs of names taken to be different arrays only because one kernel maps both: to be checked at run time.
    pub apart: Vec<(Base, Base)>,
    /// Events of each node.
    pub events: NodeEvents,
    /// Barriers.
    pub barriers: FxHashMap<NodeId, String>,
    /// Nodes at which `longjmp` may leave the function. What it has on the device itself, and what it promises to have there
    /// when it ends, ends before; kernels with maps of their own do not mind.
    pub left: FxHashSet<NodeId>,
    /// Nodes at which the family, or what it may be, may be freed.
    pub freed: FxHashSet<NodeId>,
    /// Nodes at which the family may be read under a name that is none of its own, or in a part that is not known.
    pub others: FxHashSet<NodeId>,
    /// Nodes that control may come to after the residency, if somebody has asked.
    pub(super) later: Option<FxHashSet<NodeId>>,
}

const LEFT: &str = "the function called here may leave it by `longjmp`";

impl Events {
    /// The first node among those asked for that no residency may contain, and why.
    pub fn barrier(&self, among: impl Fn(NodeId) -> bool) -> Option<(NodeId, &str)> {
        let left = self.left.iter().map(|n| (*n, LEFT)).filter(|(n, _)| among(*n)).min();
        let barrier = self.barrier_to_kernels(&among);
        left.into_iter().chain(barrier).min_by_key(|(n, _)| *n)
    }

    /// The same, where nothing but kernels with maps of their own is among them.
    pub fn barrier_to_kernels(&self, among: impl Fn(NodeId) -> bool) -> Option<(NodeId, &str)> {
        let barriers = self.barriers.iter().filter(|(n, _)| among(**n));
        barriers.min().map(|(n, reason)| (*n, reason.as_str()))
    }

    /// Whether control may come to a node after the residency has ended.
    pub(super) fn comes_later(&mut self, graph: &FlowGraph, span: &Span, node: NodeId) -> bool {
        let later = self.later.get_or_insert_with(|| graph.reached_from(&span.exits));
        later.contains(&node)
    }
}

impl Subject<'_> {
    /// Collects all events of the family. `naming` covers the span; outside it a single array keeps its name.
    pub fn events(&self, family: &Family, naming: &Naming, span: &Span) -> Result<Events, Refusal> {
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
            self.node_events(node, (names, cells), span, &mut out)?;
        }
        Ok(out)
    }

    /// Collects the events of a single array for a residency, where it is known what they are outside of it.
    pub fn events_beside(&self, base: Base, span: &Span, outside: &Outside) -> Result<Events, Refusal> {
        let mut out = outside.beside(span);
        let mut nodes: Vec<NodeId> = span.nodes.iter().copied().collect();
        nodes.sort_unstable();
        for node in nodes {
            self.node_events(node, (&[base], 1), span, &mut out)?;
        }
        Ok(out)
    }

    /// Collects the events of one node, where the cells have these names.
    pub(super) fn node_events(
        &self,
        node: NodeId,
        (names, cells): (&[Base], usize),
        span: &Span,
        out: &mut Events,
    ) -> Result<(), Refusal> {
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
            out.barriers.entry(node).or_insert_with(|| UNORDERED.into());
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

    pub(super) fn clip(&self, set: SectionSet) -> SectionSet {
        if set.is_all() {
            SectionSet::Union(vec![self.extent.clone()])
        } else {
            set
        }
    }

    pub(super) fn host_events(
        &self,
        node: NodeId,
        names: &[Base],
        accesses: &[&Access],
        span: &Span,
        cells: usize,
        out: &mut Events,
    ) {
        let model = self.model;
        let within = match model.coarse.node(node).kind {
            NodeKind::Whole(s) => Some(s),
            _ => None,
        };
        let mut reads: Vec<SectionSet> = vec![SectionSet::Empty; cells];
        let mut writes: Vec<(SectionSet, Vec<Section>)> = vec![(SectionSet::Empty, Vec::new()); cells];
        let facts = Facts::new();
        for a in accesses {
            let strong = a.at.as_ref().and_then(|p| names.iter().position(|n| *n == p.base));
            let elsewhere = !self.may_touch(a) || self.is_newer(a, names);
            if strong.is_none() && (elsewhere || self.taken_apart(a, node, names, span, out)) {
                continue;
            }
            if strong.is_none() && a.reads {
                out.others.insert(node);
            }
            let copied = may_be_of_copy(model, a, accesses.iter().copied());
            let touched: Vec<(usize, SectionSet, Option<Section>)> = match strong {
                Some(cell) if copied => vec![(cell, self.clip(SectionSet::All), None)],
                Some(cell) => {
                    let f = self.accesses.footprint(model, a, self.element, within);
                    if f.may.is_all() && a.reads {
                        out.others.insert(node);
                    }
                    vec![(cell, self.clip(f.may), f.must)]
                }
                None => (0..cells).map(|c| (c, self.clip(SectionSet::All), None)).collect(),
            };
            for (cell, may, must) in touched {
                if a.reads || copied {
                    reads[cell] = reads[cell].union(&may, &facts);
                }
                if a.writes || copied {
                    writes[cell].0 = writes[cell].0.union(&may, &facts);
                    writes[cell].1.extend(must);
                }
            }
        }
        for cell in 0..cells {
            if reads[cell] != SectionSet::Empty {
                let may = self.clip(reads[cell].clone());
                out.events.at_mut(node).push(Event {
                    cell,
                    kind: EventKind::HostRead { may },
                });
            }
            if writes[cell].0 != SectionSet::Empty {
                let (may, must) = (self.clip(writes[cell].0.clone()), writes[cell].1.clone());
                out.events.at_mut(node).push(Event {
                    cell,
                    kind: EventKind::HostWrite { may, must },
                });
            }
        }
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
