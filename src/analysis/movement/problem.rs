//! The movement problem of one object family: all that coherence and placement need to know, and nothing about C.
//!
//! A *family* is one object, or several whose pointers trade places from iteration to iteration (ping-pong buffers).
//! Each member is a *cell*; the cells of a family never overlap. On an edge into a loop header the cells may be
//! permuted: what was called `b` at the end of the iteration is called `a` in the next one.
//!
//! Nodes are those of the coarse statement graph: a kernel is one node, and so is a host loop in which no copy could
//! sensibly stand.

use super::flow::Flow;
use crate::analysis::movement::set_operations::{SetViews, one};
use crate::program::graph::NodeId;
use crate::symbolic::{Facts, Section, SectionSet};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

/// What a node does to one cell, in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Which cell of the family.
    pub cell: usize,
    /// What happens.
    pub kind: EventKind,
}

/// An event on a cell. `may` over-approximates, `must` under-approximates.
#[derive(Clone, Debug, PartialEq)]
pub enum EventKind {
    /// The host reads at most `may`.
    HostRead {
        /// What may be read.
        may: SectionSet,
    },
    /// The host writes at most `may`, at least `must`.
    HostWrite {
        /// What may be written.
        may: SectionSet,
        /// What surely is.
        must: Vec<Section>,
    },
    /// The object ends here: nobody reads it afterwards.
    Free,
    /// A kernel reads at most `reads` before writing it, writes at most `may` and at least `must`.
    Launch {
        /// Upward exposed reads.
        reads: SectionSet,
        /// What may be written.
        may: SectionSet,
        /// What surely is.
        must: Vec<Section>,
    },
}

impl EventKind {
    /// All sections that it says, whatever is done to them.
    pub fn sections(&self) -> impl Iterator<Item = &Section> {
        let (sets, must): ([Option<&SectionSet>; 2], &[Section]) = match self {
            EventKind::HostRead { may } => ([Some(may), None], &[]),
            EventKind::HostWrite { may, must } => ([Some(may), None], must),
            EventKind::Launch { reads, may, must } => ([Some(reads), Some(may)], must),
            EventKind::Free => ([None, None], &[]),
        };
        sets.into_iter()
            .flatten()
            .filter_map(SetViews::list)
            .flatten()
            .chain(must)
    }
}

/// Events by node that several problems share.
#[derive(Clone, Debug, Default)]
pub struct SharedEvents {
    by_node: FxHashMap<NodeId, Vec<Event>>,
    /// Nodes with launches in their order.
    launches: Vec<NodeId>,
}

impl SharedEvents {
    /// Events to be shared, by node.
    pub fn new(mut by_node: FxHashMap<NodeId, Vec<Event>>) -> SharedEvents {
        by_node.retain(|_, events| !events.is_empty());
        let launches = by_node.iter().filter(|(_, events)| has_launch(events));
        let mut launches: Vec<NodeId> = launches.map(|(node, _)| *node).collect();
        launches.sort_unstable();
        SharedEvents { by_node, launches }
    }
    /// Events of a node.
    pub fn at(&self, node: NodeId) -> &[Event] {
        self.by_node.get(&node).map_or(&[], Vec::as_slice)
    }
}

fn has_launch(events: &[Event]) -> bool {
    events.iter().any(|e| matches!(e.kind, EventKind::Launch { .. }))
}

/// Events of each node: what was found of it, or what is shared with other problems of the family.
#[derive(Clone, Debug, Default)]
pub struct NodeEvents {
    own: FxHashMap<NodeId, Vec<Event>>,
    shared: Rc<SharedEvents>,
    /// Nodes with launches in their order, once somebody has asked for them.
    launches: OnceCell<Vec<NodeId>>,
}

impl NodeEvents {
    /// Events that are shared, of which single nodes may come to have others.
    pub fn sharing(shared: &Rc<SharedEvents>) -> NodeEvents {
        NodeEvents {
            own: FxHashMap::default(),
            shared: Rc::clone(shared),
            launches: OnceCell::new(),
        }
    }
    /// Events of a node.
    pub fn at(&self, node: NodeId) -> &[Event] {
        self.own.get(&node).map_or_else(|| self.shared.at(node), Vec::as_slice)
    }
    /// Events of a node, to be changed.
    pub fn at_mut(&mut self, node: NodeId) -> &mut Vec<Event> {
        self.launches.take();
        let shared = &self.shared;
        self.own.entry(node).or_insert_with(|| shared.at(node).to_vec())
    }
    /// All events, of nodes in no order. Of nodes that have come to have others the shared ones are among them.
    pub fn all(&self) -> impl Iterator<Item = (NodeId, &[Event])> {
        let all = self.own.iter().chain(&self.shared.by_node);
        all.map(|(node, events)| (*node, events.as_slice()))
    }
    /// The nodes that have come to have others than the shared ones, with their events.
    pub fn changed(&self) -> impl Iterator<Item = (NodeId, &[Event])> {
        let own = self.own.iter().map(|(node, events)| (*node, events.as_slice()));
        own.filter(|(node, events)| self.shared.at(*node) != *events)
    }
    /// Forgets what happens at a node.
    pub fn clear(&mut self, node: NodeId) {
        self.launches.take();
        self.own.insert(node, Vec::new());
    }
    /// The nodes with launches, in their order.
    fn launches(&self) -> &[NodeId] {
        self.launches.get_or_init(|| {
            let shared = self.shared.launches.iter().filter(|n| !self.own.contains_key(n));
            let own = self.own.iter().filter(|(_, events)| has_launch(events));
            let mut all: Vec<NodeId> = shared.chain(own.map(|(node, _)| node)).copied().collect();
            all.sort_unstable();
            all
        })
    }
    /// The events that are not shared.
    pub fn into_own(self) -> FxHashMap<NodeId, Vec<Event>> {
        self.own
    }
}

/// What an edge into a loop header does.
#[derive(Clone, Debug)]
pub struct HeaderEdge {
    /// The loop it closes (an index into [`Problem::loops`]), `None` for the edge that enters the loop.
    pub closes: Option<usize>,
    /// `permutation[i]` is the cell at the edge's source that is called `i` at its target.
    pub permutation: Vec<usize>,
}

/// One expanded loop of the coarse graph.
#[derive(Clone, Debug)]
pub struct LoopFacts {
    /// The loop's header node.
    pub header: NodeId,
    /// Nodes of its iterations, sorted.
    pub nodes: Rc<[NodeId]>,
    /// The gap before it, if its statement stands in a block.
    pub gap_before: Option<NodeId>,
    /// The loop surely runs at least once when control reaches it.
    pub runs: bool,
}

/// The expanded loops of a graph, outermost first, and where to find them.
#[derive(Clone, Debug, Default)]
pub struct ExpandedLoops {
    list: Vec<LoopFacts>,
    /// Places in the list by header.
    headed: Rc<FxHashMap<NodeId, Vec<usize>>>,
    /// Places in the list by the gap before the loop.
    behind: Rc<FxHashMap<NodeId, Vec<usize>>>,
}

impl From<Vec<LoopFacts>> for ExpandedLoops {
    fn from(list: Vec<LoopFacts>) -> ExpandedLoops {
        let (mut headed, mut behind) = (FxHashMap::default(), FxHashMap::default());
        for (place, l) in list.iter().enumerate() {
            headed.entry(l.header).or_insert_with(Vec::new).push(place);
            if let Some(gap) = l.gap_before {
                behind.entry(gap).or_insert_with(Vec::new).push(place);
            }
        }
        ExpandedLoops {
            list,
            headed: Rc::new(headed),
            behind: Rc::new(behind),
        }
    }
}

impl ExpandedLoops {
    /// The loops that a node is the header of, outermost first: a `do` may begin with another one.
    pub fn headed_by(&self, node: NodeId) -> impl Iterator<Item = &LoopFacts> {
        self.headed.get(&node).into_iter().flatten().map(|at| &self.list[*at])
    }
    /// The place of the outermost loop that a node is the header of.
    pub fn place_of(&self, node: NodeId) -> Option<usize> {
        self.headed.get(&node)?.first().copied()
    }
    /// The loops right behind a gap, with their places.
    pub fn behind(&self, gap: NodeId) -> impl Iterator<Item = (usize, &LoopFacts)> {
        let places = self.behind.get(&gap).into_iter().flatten();
        places.map(|at| (*at, &self.list[*at]))
    }
}

impl Deref for ExpandedLoops {
    type Target = [LoopFacts];

    fn deref(&self) -> &[LoopFacts] {
        &self.list
    }
}

impl DerefMut for ExpandedLoops {
    fn deref_mut(&mut self) -> &mut [LoopFacts] {
        &mut self.list
    }
}

/// Where a family's name or extent comes to mean something else after its residency, so that it may be entered again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Renamed {
    /// The nodes where that happens.
    pub at: Vec<NodeId>,
    /// What it meant before may be read from there on by other names, or beside what is mapped.
    pub is_read: bool,
}

impl Renamed {
    /// What is read of what the name meant before a node, if `after` is read of what it means after it.
    pub fn before(&self, node: NodeId, after: SectionSet, extent: &Section) -> SectionSet {
        let is_needed = self.at.contains(&node) && (self.is_read || after != SectionSet::Empty);
        match is_needed {
            true => SectionSet::Union(vec![extent.clone()]),
            false => after,
        }
    }
}

/// How symbols behave when time passes; answered by whoever knows what the symbols are.
pub trait Terms {
    /// `set` without the values that differ between iterations of the loop: the hull over its iterations.
    fn widen(&self, set: &SectionSet, loop_index: usize) -> SectionSet;
    /// Whether any symbol of `section` varies in the loop.
    fn varies(&self, section: &Section, loop_index: usize) -> bool;
    /// What the section is in the first iteration of the loop, if it is at most that in all others (`a[0:n]` where `n` only
    /// falls).
    fn at_first(&self, section: &Section, loop_index: usize) -> Option<Section>;
    /// Whether any symbol of `section` gets its value at `node`, so that before it the section means nothing.
    fn defined_at(&self, section: &Section, node: NodeId) -> bool;
    /// Whether the section surely has no negative length.
    fn ordered(&self, section: &Section) -> bool;
    /// Whether the section can be written as C at this gap, and all of it is mapped or nothing.
    fn printable(&self, section: &Section, gap: NodeId) -> bool;
}

/// A movement problem.
pub struct Problem<'a> {
    /// The coarse graph.
    pub flow: Flow<'a>,
    /// Number of cells.
    pub cells: usize,
    /// Events of each node.
    pub events: NodeEvents,
    /// Edges into loop headers, by (source, target).
    pub header_edges: FxHashMap<(NodeId, NodeId), HeaderEdge>,
    /// Expanded loops.
    pub loops: ExpandedLoops,
    /// Elements that the family's objects have where all kernels' sections agree; cells are mapped in full.
    pub extent: Section,
    /// The extent surely has no negative length: an object or a map clause vouches for it.
    pub vouched: bool,
    /// Every kernel maps all of the extent for itself. Then copying all of it where part is wanted moves no more than
    /// the program as written does; otherwise copies keep to what is wanted, or to what kernels wrote.
    pub uniform: bool,
    /// What is known of the symbols.
    pub facts: Facts,
    /// What the world outside the function may still read at its end, per cell.
    pub live_out: SectionSet,
    /// Copies may be placed where they are needed only if a loop runs or a condition holds.
    pub speculate: bool,
    /// Callers have the family on the device already, current there and perhaps nowhere else, and expect it so at the end.
    pub kept_by_callers: bool,
    /// No kernel of the program writes the family: what is on the device, the host has too.
    pub current_on_host: bool,
    /// Nodes whose launches are calls of functions that bring up to date themselves what they use on the host: to the
    /// family they are kernels, but none runs there that would copy anything for itself.
    pub hosted: FxHashSet<NodeId>,
    /// Where the family's name or extent comes to mean something else.
    pub renamed: Renamed,
    /// Symbol behaviour.
    pub terms: &'a dyn Terms,
}

impl Problem<'_> {
    /// "The whole object" is the extent: what lies outside it is never copied and does not matter here.
    pub fn clip(&self, set: SectionSet) -> SectionSet {
        if set.list().is_none() {
            one(self.extent.clone())
        } else {
            set
        }
    }
    /// `set` without sections that lie outside the extent.
    pub fn within(&self, set: SectionSet) -> SectionSet {
        let outside = |s: &Section| s.provably_disjoint(&self.extent, &self.facts);
        match set.list() {
            Some(list) if list.iter().any(outside) => {
                let inside = list.iter().filter(|s| !outside(s));
                inside.fold(SectionSet::Empty, |all, s| all.union(&one(s.clone()), &self.facts))
            }
            _ => set,
        }
    }
    /// The cell at `from` that is called `cell` at `to`.
    pub fn source_cell(&self, from: NodeId, to: NodeId, cell: usize) -> usize {
        self.header_edges.get(&(from, to)).map_or(cell, |e| e.permutation[cell])
    }
    /// What the cell at `from` is called at `to`.
    pub fn target_cell(&self, from: NodeId, to: NodeId, cell: usize) -> usize {
        let edge = self.header_edges.get(&(from, to));
        edge.map_or(cell, |e| e.permutation.iter().position(|p| *p == cell).unwrap_or(cell))
    }
    /// The loop that an edge closes.
    pub fn closes(&self, from: NodeId, to: NodeId) -> Option<usize> {
        self.header_edges.get(&(from, to)).and_then(|e| e.closes)
    }
    /// Events of a node.
    pub fn events(&self, node: NodeId) -> &[Event] {
        self.events.at(node)
    }
    /// Whether a node launches a kernel on the family.
    pub fn launches(&self, node: NodeId) -> bool {
        let launch = |e: &Event| matches!(e.kind, EventKind::Launch { .. });
        self.events(node).iter().any(launch) && !self.hosted.contains(&node)
    }
    /// Whether a kernel on the family is launched in a loop.
    pub fn launches_in(&self, loop_index: usize) -> bool {
        self.launched_in(loop_index).any(|n| !self.hosted.contains(n))
    }
    /// Whether kernels that are launched in a loop may write the family.
    pub fn device_writes_in(&self, loop_index: usize) -> bool {
        self.launched_in(loop_index).any(|n| self.device_writes(*n))
    }
    fn launched_in(&self, loop_index: usize) -> impl Iterator<Item = &NodeId> {
        let nodes = &self.loops[loop_index].nodes;
        let launches = self.events.launches();
        // Most loops have none of them: those that lie between the loop's nodes are few.
        let begin = launches.partition_point(|n| Some(n) < nodes.first());
        let end = launches.partition_point(|n| Some(n) <= nodes.last());
        let inside = |n: &&NodeId| nodes.binary_search(n).is_ok();
        launches[begin..end.max(begin)].iter().filter(inside)
    }
    /// Whether a node's kernels may write the family.
    pub fn device_writes(&self, node: NodeId) -> bool {
        self.events(node).iter().any(|e| match &e.kind {
            EventKind::Launch { may, .. } => !may.is_empty(&self.facts),
            _ => false,
        })
    }
}
