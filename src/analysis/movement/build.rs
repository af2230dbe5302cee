//! From a function to the movement problem of one family: every access becomes an event on a cell.
//!
//! An access whose base is a cell's name at its node is *strong*: its section is known. An access that may touch the
//! family through anything else is *weak*: on the host it may read and write everything, which costs copies but is right;
//! in a kernel it means that one array may be mapped under two names, and the family is left alone (R8).

use super::family::{Family, Naming};
use super::outside::Outside;
use super::placement::Span;
use super::problem::{Event, EventKind, NodeEvents};
use super::promised::how_to_promise;
use super::subject::{Subject, mapped_apart, may_overlap};
use crate::analysis::access::{Access, comes_before, part};
use crate::analysis::thread_copies::may_be_of_copy;
use crate::analysis::values::eval::{Base, PtrVal, SymKind};
use crate::openmp::MapType;
use crate::program::graph::{FlowGraph, NodeId, NodeKind};
use crate::symbolic::{Expr, Facts, Section, SectionSet};
use rustc_hash::{FxHashMap, FxHashSet};

/// Why a family cannot be handled in a span.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// Where, as a coarse node.
    pub node: Option<NodeId>,
    /// Why, for people.
    pub message: String,
}

/// What is said of a kernel whose condition is not followed.
const ANYWHERE: &str =
    "with an `if` clause the kernel may run on the host instead, and what its condition says is not known";

const LOST: &str = "this kernel writes it but maps it `to`: what it writes is meant to be lost";
const UNORDERED: &str = "calls in this statement use it in kernels and on the host, in an order that C does not say";
const EITHER: &str = "a pointer in this kernel may lead to the copy that the kernel has of it";
const SCRATCH: &str = "this kernel maps it without copies, as scratch memory";

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
            Some(l) => self.launch_events(l, node, names, accesses, span, cells, out)?,
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

    fn host_events(
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

    /// A kernel's events, after what the host reads because the kernel gets copies of it.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn launch_events(
        &self,
        launch: usize,
        node: NodeId,
        names: &[Base],
        accesses: &[&Access],
        span: &Span,
        cells: usize,
        out: &mut Events,
    ) -> Result<(), Refusal> {
        let (accesses, passed): (Vec<&Access>, Vec<&Access>) = accesses.iter().partition(|a| a.kernel.is_some());
        if !passed.is_empty() {
            self.host_events(node, names, &passed, span, cells, out);
        }
        let model = self.model;
        let l = &model.constructs.launches[launch];
        let facts = Facts::new();
        let refuse = |message: String| Refusal {
            node: Some(node),
            message,
        };
        // A kernel reaches no more than it maps.
        let reach: Vec<Section> = (0..cells).map(|c| self.reach(launch, names.get(c).copied())).collect();
        let clip = |cell: usize, set: SectionSet| {
            let all = SectionSet::Union(vec![reach[cell].clone()]);
            if set.is_all() || set.provably_covers(&all, &facts) {
                all
            } else {
                set
            }
        };
        let mut touched = vec![false; cells];
        let mut reads = vec![SectionSet::Empty; cells];
        let mut may = vec![SectionSet::Empty; cells];
        let mut must: Vec<Vec<Section>> = vec![Vec::new(); cells];
        let mut parts: Vec<Vec<(Section, std::ops::Range<u64>)>> = vec![Vec::new(); cells];
        for a in &accesses {
            if let Some(Base::Local(v)) = a.at.as_ref().map(|p| p.base)
                && model.is_declared_in(l.stmt, v)
            {
                continue;
            }
            let strong = a.at.as_ref().and_then(|p| names.iter().position(|n| *n == p.base));
            let chosen = a.at.as_ref().filter(|_| strong.is_none());
            // Of a kernel that reads other arrays it is taken that these may be the family after it was renamed.
            if strong.is_none() && a.reads {
                out.others.insert(node);
            }
            if let Some(chosen) = chosen.and_then(|at| self.choice(at, names)) {
                for (cell, at) in chosen {
                    let all = self.footprint_as(a, at, l.stmt);
                    touched[cell] = true;
                    if a.reads {
                        reads[cell] = reads[cell].union(&clip(cell, all.clone()), &facts);
                    }
                    if a.writes {
                        may[cell] = may[cell].union(&clip(cell, all), &facts);
                    }
                }
                continue;
            }
            if a.perhaps_copy && (strong.is_some() || self.may_touch(a)) {
                out.barriers.insert(node, EITHER.into());
            }
            let Some(cell) = strong else {
                if !self.may_touch(a) || self.taken_apart(a, node, names, span, out) {
                    continue;
                }
                let base = a.at.as_ref().map(|p| p.base);
                if base.is_some_and(|b| self.told.contains(&b)) {
                    continue;
                }
                // A pointer computed inside the kernel from a mapped one stays within what is mapped.
                let local = base.is_some_and(|b| match b {
                    Base::Value(s) => {
                        let at = model.values.defined_at(s);
                        model.launch_of(at) == Some(launch)
                    }
                    _ => false,
                });
                if !local && span.nodes.contains(&node) {
                    let pairs = base.into_iter().flat_map(|b| names.iter().map(move |n| (b, *n)));
                    return Err(refuse(format!(
                        "a kernel here may reach the same array under another name{}",
                        how_to_promise(model, pairs)
                    )));
                }
                for cell in 0..cells {
                    touched[cell] = true;
                    if a.reads {
                        reads[cell] = clip(cell, SectionSet::All);
                    }
                    if a.writes {
                        may[cell] = clip(cell, SectionSet::All);
                    }
                }
                continue;
            };
            touched[cell] = true;
            let f = self.accesses.footprint(model, a, self.element, Some(l.stmt));
            if f.may.is_all() && a.reads {
                out.others.insert(node);
            }
            if a.reads && !self.covered(a, &accesses, names) {
                reads[cell] = reads[cell].union(&clip(cell, f.may.clone()), &facts);
            }
            if a.writes {
                may[cell] = may[cell].union(&clip(cell, f.may), &facts);
                match f.must {
                    _ if self.copied_in(launch, names[cell]) => {}
                    Some(section) => must[cell].push(section),
                    None => parts[cell].extend(part(model, a, self.element, Some(l.stmt))),
                }
            }
        }
        if span.nodes.contains(&node) {
            self.other_maps(launch, names, out).map_err(refuse)?;
        }
        for (cell, parts) in parts.iter().enumerate() {
            must[cell].extend(filled(parts, self.element));
        }
        for (cell, map_type, section) in self.chosen_items(launch, names) {
            match map_type {
                MapType::To if !may[cell].is_empty(&facts) => {
                    out.barriers.insert(node, LOST.into());
                }
                // The host would have all of it from the device, whatever that was.
                MapType::From => {
                    let all = section.map_or(SectionSet::All, |s| SectionSet::Union(vec![s]));
                    touched[cell] = true;
                    may[cell] = may[cell].union(&clip(cell, all), &facts);
                }
                MapType::To | MapType::Tofrom => {}
                _ => {
                    out.barriers.insert(node, SCRATCH.into());
                }
            }
        }
        for (cell, name) in names.iter().enumerate().take(cells) {
            let item = self.mapped[launch].iter().find(|m| m.base == *name);
            if !touched[cell] && item.is_none() {
                continue;
            }
            if self.mapped[launch].iter().any(|m| m.base == *name && m.pointer_itself) {
                let reason = "a map clause of this kernel maps the pointer itself, not what it points to";
                out.barriers.insert(node, reason.into());
            }
            if let Some(reason) = &l.special {
                out.barriers.insert(node, reason.clone());
            } else if self.conditions[launch].is_none() {
                out.barriers.insert(node, ANYWHERE.into());
            }
            if let Some(item) = item {
                match item.map_type {
                    MapType::To if !may[cell].is_empty(&facts) => {
                        out.barriers.insert(node, LOST.into());
                    }
                    // A residency holds only where its kernels run on the device; elsewhere this one may not.
                    MapType::From if l.condition.is_some() && !span.nodes.contains(&node) => {}
                    MapType::From => {
                        // After it the host has what the device had, all of the section: the user said so.
                        if let Some(section) = &item.section {
                            reads[cell] = SectionSet::Empty;
                            may[cell] = SectionSet::Union(vec![section.clone()]);
                            must[cell] = vec![section.clone()];
                        }
                    }
                    MapType::To | MapType::Tofrom => {}
                    _ => {
                        out.barriers.insert(node, SCRATCH.into());
                    }
                }
            }
            if !touched[cell] {
                continue;
            }
            out.events.at_mut(node).push(Event {
                cell,
                kind: EventKind::Launch {
                    reads: clip(cell, reads[cell].clone()),
                    may: clip(cell, may[cell].clone()),
                    must: must[cell].clone(),
                },
            });
        }
        Ok(())
    }

    /// What a kernel maps of a cell, where one clause says it; else all of the extent.
    fn reach(&self, launch: usize, name: Option<Base>) -> Section {
        let mut items = self.mapped[launch]
            .iter()
            .filter(|m| Some(m.base) == name && !m.pointer_itself);
        match (items.next(), items.next()) {
            (Some(only), None) => only.section.clone().unwrap_or_else(|| self.extent.clone()),
            _ => self.extent.clone(),
        }
    }

    /// What a kernel maps under other names must not be a part of the family: the runtime would find it present, or
    /// refuse to map more than is.
    fn other_maps(&self, launch: usize, names: &[Base], out: &mut Events) -> Result<(), String> {
        for m in self.mapped[launch].iter().filter(|m| !names.contains(&m.base)) {
            if !m.is_array {
                continue;
            }
            let whole = PtrVal {
                base: m.base,
                offset: Expr::zero(),
            };
            if self.choice(&whole, names).is_some() {
                continue;
            }
            for name in names.iter().filter(|n| may_overlap(self.model, **n, m.base)) {
                if !mapped_apart(self.mapped, *name, m.base) {
                    if self.told.contains(&m.base) {
                        continue;
                    }
                    return Err(format!(
                        "a kernel here maps `{}`, which may be the same array{}",
                        m.item.path,
                        how_to_promise(self.model, [(*name, m.base)])
                    ));
                }
                if !out.apart.contains(&(*name, m.base)) {
                    out.apart.push((*name, m.base));
                }
            }
        }
        Ok(())
    }

    /// A read in a kernel that an earlier write of the very same elements in the same iteration feeds.
    fn covered(&self, read: &Access, accesses: &[&Access], names: &[Base]) -> bool {
        let Some(at) = &read.at else { return false };
        accesses.iter().any(|w| {
            w.writes
                && !w.reads
                && w.at.as_ref() == Some(at)
                && w.bytes == read.bytes
                && names.contains(&at.base)
                && !at.offset.has_opaque()
                && comes_before(self.model, w, read)
        })
    }

    /// Whether directives inside the kernel may give threads or tasks copies of what the base is named by: what they
    /// write is then not surely written to the array.
    fn copied_in(&self, launch: usize, base: Base) -> bool {
        let copies = &self.model.constructs.launches[launch].copies;
        let name = match base {
            Base::Local(v) => Some(self.model.function().variables[v.0 as usize].name.clone()),
            Base::Global(g) => Some(self.model.module.global(g).name.clone()),
            Base::Value(sym) => match self.model.values.kind(sym) {
                SymKind::Slot(slot, _) => self.model.values.slots.get(slot).name.clone(),
                _ => None,
            },
        };
        copies.any || name.is_some_and(|n| copies.may_be(&n))
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

/// Sections whose elements are written member by member, all of them.
fn filled(parts: &[(Section, std::ops::Range<u64>)], element: u64) -> Vec<Section> {
    let mut full: Vec<Section> = Vec::new();
    for (section, _) in parts {
        let mut bytes: Vec<_> = parts
            .iter()
            .filter(|(s, _)| s == section)
            .map(|(_, b)| b.clone())
            .collect();
        bytes.sort_by_key(|b| b.start);
        let end = bytes
            .iter()
            .fold(0, |end, b| if b.start <= end { end.max(b.end) } else { end });
        if end >= element && !full.contains(section) {
            full.push(section.clone());
        }
    }
    full
}
