//! The constraint graph and its solution: nodes for pointer values and memory cells, edges for inclusion, and uses that
//! add edges as the sets grow (Andersen's analysis with difference propagation).
//!
//! **Unknown code** is two nodes: what flows into `sink` escapes, and `unknown` holds the one location that stands for
//! what comes back. What came back *may* be any object that escaped; that is said by [`super::PointsTo::may_alias`] and
//! not by adding all of them to every set.
//!
//! **Time.** Files that are large and tangled are analysed more coarsely: see [`Precision`].

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use super::allocators::Wrappers;
use super::calls::{Invocation, Targets};
use super::fields::{self, Step};
use super::memory::{Mirror, State};
use crate::analysis::known::Known;
use crate::program::ir::{FuncId, Module};
use crate::program::objects::{Field, MemLoc, ObjectId, ObjectKind, Site};

/// How many times a location may be added to a node before a coarser analysis is tried: seconds of work.
const MAX_ADDITIONS: usize = 8_000_000;

/// How finely memory is told apart. Each level is tried when the one before it takes too long.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Precision {
    /// Objects and the members of structs.
    Members,
    /// Objects: each is one location.
    Objects,
    /// Objects, but not what is stored in them: every pointer read from memory may be any.
    Addresses,
}

impl Precision {
    /// The next coarser level; the coarsest has no limit and never needs one.
    pub fn coarser(self) -> Precision {
        match self {
            Precision::Members => Precision::Objects,
            Precision::Objects | Precision::Addresses => Precision::Addresses,
        }
    }
}

/// Index of a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Node(u32);

/// Where a value holds pointers: offset, and whether the type says so. See [`fields::slots`].
pub type Slots = Rc<[(u64, bool)]>;

/// What is to be done for every location that a node points to.
#[derive(Clone)]
pub enum Use {
    /// A value is read from there.
    Load { to: Node, slots: Slots },
    /// A value is written there.
    Store { from: Node, slots: Slots },
    /// Address arithmetic starts there.
    Step { to: Node, step: Step },
    /// Memory is copied to there from a place in transit.
    CopyFrom { transit: ObjectId, bytes: Option<u64> },
    /// Memory is copied from there to a place in transit.
    CopyTo { transit: ObjectId, bytes: Option<u64> },
    /// Any pointer of unknown origin is written somewhere in there.
    Fill,
    /// It is called: index into [`Solver::invocations`].
    Invoke(usize),
}

#[derive(Default)]
struct NodeState {
    /// Indices into [`Solver::locs`]: all, and those not yet handed on.
    points_to: FixedBitSet,
    delta: Vec<u32>,
    succs: Vec<Node>,
    uses: Vec<Use>,
}

/// The analysis under way.
pub struct Solver<'m> {
    pub module: &'m Module,
    pub known: &'m Arc<Known>,
    pub closed: bool,
    pub precision: Precision,
    additions: usize,
    pub wrappers: Wrappers,
    /// Nodes of instructions, arguments and results of each function.
    pub insts: Vec<Vec<Node>>,
    pub args: Vec<Vec<Node>>,
    pub rets: Vec<Node>,
    /// Parameters that arrive as a copy in memory.
    pub byval: FxHashMap<(FuncId, u32), ObjectId>,
    pub constants: FxHashMap<(ObjectId, Field), Node>,
    pub objects: Vec<State>,
    pub transits: Vec<State>,
    /// How many objects behind incoming pointers were made.
    pub incoming: usize,
    pub index: FxHashMap<ObjectKind, ObjectId>,
    pub locs: Vec<MemLoc>,
    loc_ids: FxHashMap<MemLoc, u32>,
    nodes: Vec<NodeState>,
    edges: FxHashSet<(Node, Node)>,
    pub known_mirrors: FxHashSet<(ObjectId, Mirror)>,
    queue: VecDeque<Node>,
    pub invocations: Vec<Rc<Invocation>>,
    pub targets: BTreeMap<Site, Targets>,
    pub entries: Vec<bool>,
    pub sink: Node,
    pub unknown: Node,
    /// What others may use at any time.
    pub shared: Node,
    /// What the library keeps, by name.
    pub kept: BTreeMap<String, Node>,
    /// Functions that run at any time once the program has handed them over, and whether unknown ones do.
    pub later: BTreeSet<FuncId>,
    pub unknown_later: bool,
    pub limit: u64,
}

impl<'m> Solver<'m> {
    /// An empty graph over a module's functions.
    pub fn new(module: &'m Module, known: &'m Arc<Known>, closed: bool, precision: Precision) -> Solver<'m> {
        let mut solver = Solver {
            module,
            known,
            closed,
            precision,
            additions: 0,
            wrappers: Wrappers::find(module, known),
            insts: Vec::new(),
            args: Vec::new(),
            rets: Vec::new(),
            byval: FxHashMap::default(),
            constants: FxHashMap::default(),
            objects: Vec::new(),
            transits: Vec::new(),
            incoming: 0,
            index: FxHashMap::default(),
            locs: Vec::new(),
            loc_ids: FxHashMap::default(),
            nodes: Vec::new(),
            edges: FxHashSet::default(),
            known_mirrors: FxHashSet::default(),
            queue: VecDeque::new(),
            invocations: Vec::new(),
            targets: BTreeMap::new(),
            entries: vec![false; module.functions.len()],
            sink: Node(0),
            unknown: Node(1),
            shared: Node(2),
            kept: BTreeMap::new(),
            later: BTreeSet::new(),
            unknown_later: false,
            limit: fields::largest_struct(module),
        };
        (0..3).for_each(|_| {
            solver.node();
        });
        let external = solver.object(ObjectKind::External, "memory outside".into(), None);
        solver.objects[external.0 as usize].escaped = true;
        solver.point(solver.unknown, MemLoc::whole(external));
        for func in &module.functions {
            let insts = func.insts.iter().map(|_| solver.node()).collect();
            let args = func.params.iter().map(|_| solver.node()).collect();
            let ret = solver.node();
            solver.insts.push(insts);
            solver.args.push(args);
            solver.rets.push(ret);
        }
        solver
    }

    /// A new node.
    pub fn node(&mut self) -> Node {
        self.nodes.push(NodeState::default());
        Node(self.nodes.len() as u32 - 1)
    }

    /// The locations a node points to, in no useful order.
    pub fn pointees(&self, node: Node) -> impl Iterator<Item = MemLoc> + '_ {
        self.nodes[node.0 as usize].points_to.ones().map(|i| self.locs[i])
    }

    /// Adds a location to a node.
    pub fn point(&mut self, node: Node, loc: MemLoc) {
        let next = self.locs.len() as u32;
        let id = *self.loc_ids.entry(loc).or_insert(next);
        if id == next {
            self.locs.push(loc);
        }
        self.point_id(node, id);
    }

    fn point_id(&mut self, node: Node, loc: u32) {
        let state = &mut self.nodes[node.0 as usize];
        if !state.points_to.contains(loc as usize) {
            state.points_to.grow_and_insert(loc as usize);
            self.additions += 1;
            if state.delta.is_empty() {
                self.queue.push_back(node);
            }
            state.delta.push(loc);
        }
    }

    /// Includes `from` in `to`.
    pub fn edge(&mut self, from: Node, to: Node) {
        if from == to || !self.edges.insert((from, to)) {
            return;
        }
        self.nodes[from.0 as usize].succs.push(to);
        let (source, target) = (&self.nodes[from.0 as usize], &self.nodes[to.0 as usize]);
        let missing: Vec<u32> = source
            .points_to
            .difference(&target.points_to)
            .map(|i| i as u32)
            .collect();
        for loc in missing {
            self.point_id(to, loc);
        }
    }

    /// Has something done for every location that `node` will ever point to.
    pub fn on(&mut self, node: Node, what: Use) {
        self.nodes[node.0 as usize].uses.push(what.clone());
        let locs: Vec<MemLoc> = self.pointees(node).collect();
        for loc in locs {
            self.apply(&what, loc);
        }
    }

    /// Copies memory between what two nodes point to.
    pub fn copy(&mut self, dst: Node, src: Node, bytes: Option<u64>) {
        let transit = self.transit();
        self.on(src, Use::CopyTo { transit, bytes });
        self.on(dst, Use::CopyFrom { transit, bytes });
    }

    /// Propagates until nothing changes; `false` when that takes too long. The coarsest precision has no limit, because
    /// its sets do not grow with what is stored where.
    pub fn run(&mut self) -> bool {
        while let Some(node) = self.queue.pop_front() {
            if self.additions > MAX_ADDITIONS && self.precision != Precision::Addresses {
                return false;
            }
            let delta = std::mem::take(&mut self.nodes[node.0 as usize].delta);
            let succs = self.nodes[node.0 as usize].succs.clone();
            for succ in succs {
                for &loc in &delta {
                    self.point_id(succ, loc);
                }
            }
            let uses = self.nodes[node.0 as usize].uses.clone();
            for &loc in &delta {
                let loc = self.locs[loc as usize];
                if node == self.sink {
                    self.escape(loc.object);
                }
                for what in &uses {
                    self.apply(what, loc);
                }
            }
        }
        true
    }

    fn apply(&mut self, what: &Use, loc: MemLoc) {
        if self.precision == Precision::Addresses {
            // All objects have escaped: what is stored in them is known outside, what is read comes from there.
            match what {
                Use::Load { to, .. } => return self.edge(self.unknown, *to),
                Use::Store { from, .. } => return self.edge(*from, self.sink),
                Use::CopyFrom { .. } | Use::CopyTo { .. } | Use::Fill => return,
                Use::Step { .. } | Use::Invoke(_) => {}
            }
        }
        match what {
            Use::Load { to, slots } => {
                for &(offset, is_pointer) in slots.iter() {
                    if let Some(cell) = self.read_cell(loc, offset, is_pointer) {
                        self.edge(cell, *to);
                    }
                }
            }
            Use::Store { from, slots } => {
                for &(offset, _) in slots.iter() {
                    if let Some(cell) = self.write_cell(loc, offset) {
                        self.edge(*from, cell);
                    }
                }
            }
            Use::Step { to, step } => {
                let moved = self.step(loc, *step);
                self.point(*to, moved);
            }
            Use::CopyFrom { transit, bytes } => self.copy_between(loc, MemLoc::start(*transit), *bytes),
            Use::CopyTo { transit, bytes } => self.copy_between(MemLoc::start(*transit), loc, *bytes),
            Use::Fill => {
                let to = self.state(loc.object).any_in;
                self.edge(self.unknown, to);
            }
            Use::Invoke(call) => self.invoke(*call, loc),
        }
    }
}
