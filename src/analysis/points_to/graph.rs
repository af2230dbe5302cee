//! The constraint graph: nodes for pointer values and memory cells, edges for inclusion, and uses that add edges as the sets grow
//! (Andersen's analysis with difference propagation).
//!
//! ```text
//! p = &a;        a is added to p
//! q = p;         edge p -> q: q holds a, too
//! *q = r;        use of q: for each location that q comes to hold, an edge from r to its cell
//! ```
//!
//! The graph hands on what is new in a node ([`Graph::next_news`]); what a use means for a location is said above it
//! ([`super::solve`]).
//!
//! Nodes that edges lead to and fro between hold the same, and have one [`PointerSet`] once that is seen ([`super::cycles`]). A node
//! about which nothing has been said yet, as that of an instruction without pointers, has none.

use std::collections::VecDeque;
use std::rc::Rc;

use roaring::RoaringBitmap;
use rustc_hash::{FxHashMap, FxHashSet};

use super::fields::FieldStep;
use crate::program::objects::{MemLoc, ObjectId};

/// Index of a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeIndex(u32);

impl NodeIndex {
    /// Stands for a node where its set says all that matters of it.
    pub(super) const ANY: NodeIndex = NodeIndex(u32::MAX);
}

/// Index of a [`PointerSet`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct SetIndex(pub u32);

impl SetIndex {
    /// In the place of the set of a node that has none.
    const NONE: SetIndex = SetIndex(u32::MAX);
}

/// Where a value holds pointers: offset, and whether the type says so. See [`super::fields::slots`].
pub type PointerSlots = Rc<[(u64, bool)]>;

/// What is to be done for every location that a node points to.
#[derive(Clone, PartialEq, Eq, Hash)]
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

/// What one node, or several that hold the same, points to.
#[derive(Default)]
pub(super) struct PointerSet {
    /// Indices into [`Graph::locs`]: all, and those not yet handed on.
    pub points_to: RoaringBitmap,
    pub delta: Vec<u32>,
    pub succs: Vec<SetIndex>,
    pub uses: Rc<Vec<PointerUse>>,
    /// Uses of which no location has been told.
    pub new_uses: Vec<PointerUse>,
    pub queued: bool,
    /// The set that this one has become part of.
    pub merged: Option<SetIndex>,
    /// Sets that have become part of this one.
    pub others: u32,
}

/// Uses that are to be told of locations, all of them of all.
pub struct Due {
    pub uses: Rc<Vec<PointerUse>>,
    pub locs: Vec<MemLoc>,
}

/// What is new in a node.
pub struct News {
    set: SetIndex,
    /// Uses and the new locations.
    pub grown: Due,
    /// New uses and the locations that were there before.
    pub asked: Due,
}

/// The graph under construction.
pub struct Graph {
    /// By node.
    set_of: Vec<SetIndex>,
    pub(super) sets: Vec<PointerSet>,
    pub(super) edges: FxHashSet<(SetIndex, SetIndex)>,
    /// All locations that any node points to.
    locs: Vec<MemLoc>,
    loc_ids: FxHashMap<MemLoc, u32>,
    queue: VecDeque<SetIndex>,
    additions: usize,
    /// How many locations were handed along edges since cycles were last looked for, and after how many they are.
    pub(super) handed: usize,
    pub(super) patience: usize,
}

impl Graph {
    /// An empty graph in which cycles are looked for when this many locations have been handed along edges, and later when it takes no more
    /// time than what came before; with 0, whenever something was handed on.
    pub fn new(patience: usize) -> Graph {
        Graph {
            set_of: Vec::new(),
            sets: Vec::new(),
            edges: FxHashSet::default(),
            locs: Vec::new(),
            loc_ids: FxHashMap::default(),
            queue: VecDeque::new(),
            additions: 0,
            handed: 0,
            patience,
        }
    }

    /// A new node.
    pub fn node(&mut self) -> NodeIndex {
        self.set_of.push(SetIndex::NONE);
        NodeIndex(self.set_of.len() as u32 - 1)
    }

    /// The locations a node points to, in no useful order.
    pub fn pointees(&self, node: NodeIndex) -> impl Iterator<Item = MemLoc> + '_ {
        let set = self.found(node).map(|set| &self.sets[set.0 as usize]);
        let ids = set.into_iter().flat_map(|set| set.points_to.iter());
        ids.map(|id| self.locs[id as usize])
    }

    /// What a set holds, by places in [`Graph::locs`].
    pub(super) fn held_by(&self, set: SetIndex) -> &RoaringBitmap {
        &self.sets[set.0 as usize].points_to
    }

    /// What is the same for nodes that are known to hold the same; `None` for one about which nothing has been said.
    pub(super) fn found(&self, node: NodeIndex) -> Option<SetIndex> {
        let set = self.set_of[node.0 as usize];
        (set != SetIndex::NONE).then(|| self.whole(set))
    }

    /// The set that this one is part of.
    pub(super) fn whole(&self, mut set: SetIndex) -> SetIndex {
        while let Some(into) = self.sets[set.0 as usize].merged {
            set = into;
        }
        set
    }

    /// The set of a node, made if need be.
    fn set(&mut self, node: NodeIndex) -> SetIndex {
        let known = self.set_of[node.0 as usize];
        let set = match known {
            SetIndex::NONE => {
                self.sets.push(PointerSet::default());
                SetIndex(self.sets.len() as u32 - 1)
            }
            _ => self.whole(known),
        };
        self.set_of[node.0 as usize] = set;
        set
    }

    /// All locations that any node points to.
    pub fn locs(&self) -> &[MemLoc] {
        &self.locs
    }

    /// How many times a location was added to a set.
    pub fn additions(&self) -> usize {
        self.additions
    }

    /// How many locations all nodes hold, each counted for itself.
    pub fn held(&self) -> usize {
        let mut held = 0;
        for set in &self.sets {
            held += set.points_to.len() as usize * (1 + set.others as usize);
        }
        held
    }

    /// Whether the news are of this node.
    pub fn is_of(&self, news: &News, node: NodeIndex) -> bool {
        self.found(node) == Some(news.set)
    }

    /// Adds a location to a node.
    pub fn point(&mut self, node: NodeIndex, loc: MemLoc) {
        let next = self.locs.len() as u32;
        let id = *self.loc_ids.entry(loc).or_insert(next);
        if id == next {
            self.locs.push(loc);
        }
        let set = self.set(node);
        self.point_id(set, id);
    }

    fn point_id(&mut self, set: SetIndex, loc: u32) {
        let state = &mut self.sets[set.0 as usize];
        if state.points_to.insert(loc) {
            state.delta.push(loc);
            self.additions += 1;
            self.enqueue(set);
        }
    }

    pub(super) fn enqueue(&mut self, set: SetIndex) {
        if !std::mem::replace(&mut self.sets[set.0 as usize].queued, true) {
            self.queue.push_back(set);
        }
    }

    /// Includes `from` in `to`.
    pub fn edge(&mut self, from: NodeIndex, to: NodeIndex) {
        let (from, to) = (self.set(from), self.set(to));
        if from == to || !self.edges.insert((from, to)) {
            return;
        }
        self.sets[from.0 as usize].succs.push(to);
        let (source, target) = (&self.sets[from.0 as usize], &self.sets[to.0 as usize]);
        if source.points_to.is_empty() {
            return;
        }
        let missing = &source.points_to - &target.points_to;
        for loc in missing {
            self.point_id(to, loc);
        }
    }

    /// Has something done for every location that `node` will ever point to.
    pub fn on(&mut self, node: NodeIndex, what: PointerUse) {
        let set = self.set(node);
        self.sets[set.0 as usize].new_uses.push(what);
        self.enqueue(set);
    }

    /// Hands on what is new in some node as the graph stands, without a look for cycles; `None` where nothing is new anywhere.
    pub(super) fn hand_on(&mut self) -> Option<News> {
        let set = loop {
            let set = self.queue.pop_front()?;
            if self.sets[set.0 as usize].merged.is_none() {
                break set;
            }
        };
        let state = &mut self.sets[set.0 as usize];
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
        if !asked.is_empty() {
            Rc::make_mut(&mut state.uses).extend(asked.iter().cloned());
        }
        let news = News {
            set,
            grown: Due {
                uses: Rc::clone(&state.uses),
                locs: locs(&mut delta.iter().copied()),
            },
            asked: Due {
                uses: Rc::new(asked),
                locs: before,
            },
        };
        let succs = std::mem::take(&mut state.succs);
        self.handed += delta.len() * succs.len();
        for &succ in &succs {
            for &loc in &delta {
                self.point_id(succ, loc);
            }
        }
        self.sets[set.0 as usize].succs = succs;
        Some(news)
    }
}
