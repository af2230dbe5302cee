//! The constraint graph: nodes for pointer values and memory cells, edges for inclusion, and uses that add edges as the sets grow
//! (Andersen's analysis with difference propagation).
//!
//! ```text
//! p = &a;        a is added to p
//! q = p;         edge p -> q: q holds a, too
//! *q = r;        use of q: for each location that q comes to hold, an edge from r to its cell
//! ```
//!
//! The graph hands on what is new in a node ([`Graph::next`]); what a use means for a location is said above it
//! ([`super::solve`]).

use std::collections::VecDeque;
use std::rc::Rc;

use roaring::RoaringBitmap;
use rustc_hash::{FxHashMap, FxHashSet};

use super::fields::FieldStep;
use crate::program::objects::{MemLoc, ObjectId};

/// Index of a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeIndex(u32);

/// Where a value holds pointers: offset, and whether the type says so. See [`super::fields::slots`].
pub type PointerSlots = Rc<[(u64, bool)]>;

/// What is to be done for every location that a node points to.
#[derive(Clone)]
pub enum PointerUse {
    /// A value is read from there.
    Load { to: NodeIndex, slots: PointerSlots },
    /// A value is written there.
    Store { from: NodeIndex, slots: PointerSlots },
    /// Address arithmetic starts there.
    Step { to: NodeIndex, step: FieldStep },
    /// Memory is copied to there from a place in transit.
    CopyFrom { transit: ObjectId, bytes: Option<u64> },
    /// Memory is copied from there to a place in transit.
    CopyTo { transit: ObjectId, bytes: Option<u64> },
    /// Any pointer of unknown origin is written somewhere in there.
    Fill,
    /// A function there is called, by the registered call of this index.
    Invoke(usize),
}

#[derive(Default)]
struct NodeState {
    /// Indices into [`Graph::locs`]: all, and those not yet handed on.
    points_to: RoaringBitmap,
    delta: Vec<u32>,
    succs: Vec<NodeIndex>,
    uses: Vec<PointerUse>,
    /// Uses of which no location has been told.
    new_uses: Vec<PointerUse>,
    queued: bool,
}

/// Uses that are to be told of locations, all of them of all.
pub struct Due {
    pub uses: Vec<PointerUse>,
    pub locs: Vec<MemLoc>,
}

/// What is new in a node.
pub struct News {
    pub node: NodeIndex,
    /// Uses and the new locations.
    pub grown: Due,
    /// New uses and the locations that were there before.
    pub asked: Due,
}

/// The graph under construction.
#[derive(Default)]
pub struct Graph {
    nodes: Vec<NodeState>,
    edges: FxHashSet<(NodeIndex, NodeIndex)>,
    /// All locations that any node points to.
    locs: Vec<MemLoc>,
    loc_ids: FxHashMap<MemLoc, u32>,
    queue: VecDeque<NodeIndex>,
    additions: usize,
}

impl Graph {
    /// A new node.
    pub fn node(&mut self) -> NodeIndex {
        self.nodes.push(NodeState::default());
        NodeIndex(self.nodes.len() as u32 - 1)
    }

    /// The locations a node points to, in no useful order.
    pub fn pointees(&self, node: NodeIndex) -> impl Iterator<Item = MemLoc> + '_ {
        let ids = self.nodes[node.0 as usize].points_to.iter();
        ids.map(|id| self.locs[id as usize])
    }

    /// All locations that any node points to.
    pub fn locs(&self) -> &[MemLoc] {
        &self.locs
    }

    /// How many times a location was added to a node.
    pub fn additions(&self) -> usize {
        self.additions
    }

    /// Adds a location to a node.
    pub fn point(&mut self, node: NodeIndex, loc: MemLoc) {
        let next = self.locs.len() as u32;
        let id = *self.loc_ids.entry(loc).or_insert(next);
        if id == next {
            self.locs.push(loc);
        }
        self.point_id(node, id);
    }

    fn point_id(&mut self, node: NodeIndex, loc: u32) {
        let state = &mut self.nodes[node.0 as usize];
        if state.points_to.insert(loc) {
            state.delta.push(loc);
            self.additions += 1;
            self.enqueue(node);
        }
    }

    fn enqueue(&mut self, node: NodeIndex) {
        if !std::mem::replace(&mut self.nodes[node.0 as usize].queued, true) {
            self.queue.push_back(node);
        }
    }

    /// Includes `from` in `to`.
    pub fn edge(&mut self, from: NodeIndex, to: NodeIndex) {
        if from == to || !self.edges.insert((from, to)) {
            return;
        }
        self.nodes[from.0 as usize].succs.push(to);
        let (source, target) = (&self.nodes[from.0 as usize], &self.nodes[to.0 as usize]);
        let missing = &source.points_to - &target.points_to;
        for loc in missing {
            self.point_id(to, loc);
        }
    }

    /// Has something done for every location that `node` will ever point to.
    pub fn on(&mut self, node: NodeIndex, what: PointerUse) {
        self.nodes[node.0 as usize].new_uses.push(what);
        self.enqueue(node);
    }

    /// Hands on what is new in some node; `None` where nothing is new anywhere.
    pub fn next(&mut self) -> Option<News> {
        let node = self.queue.pop_front()?;
        let state = &mut self.nodes[node.0 as usize];
        state.queued = false;
        let delta = std::mem::take(&mut state.delta);
        let asked = std::mem::take(&mut state.new_uses);
        let locs = |ids: &mut dyn Iterator<Item = u32>| ids.map(|id| self.locs[id as usize]).collect();
        let before = match asked.is_empty() {
            true => Vec::new(),
            false => {
                let mut old = state.points_to.clone();
                delta.iter().for_each(|id| {
                    old.remove(*id);
                });
                locs(&mut old.iter())
            }
        };
        state.uses.extend(asked.iter().cloned());
        let news = News {
            node,
            grown: Due {
                uses: state.uses.clone(),
                locs: locs(&mut delta.iter().copied()),
            },
            asked: Due {
                uses: asked,
                locs: before,
            },
        };
        for succ in state.succs.clone() {
            for &loc in &delta {
                self.point_id(succ, loc);
            }
        }
        Some(news)
    }
}
