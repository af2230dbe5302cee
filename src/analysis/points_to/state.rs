//! What the solver knows while it runs: objects and their cells, calls through pointers, and the constraint graph over all of them.
//!
//! **Unknown code** is two nodes: what flows into `sink` escapes, and `unknown` holds the one location that stands for
//! what comes back. What came back *may* be any object that escaped; that is said by [`super::PointsTo::may_alias`] and
//! not by adding all of them to every set.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::allocators::Wrappers;
use super::fields::{self, StorageLayout};
use super::graph::{Graph, NodeIndex, PointerUse};
use crate::analysis::known::KnownFunctions;
use crate::program::ir::{FuncId, Module};
use crate::program::objects::{MemLoc, Object, ObjectId, ObjectKind, Site};

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

/// After how many locations that were handed along edges cycles are looked for at first.
const PATIENCE: usize = 200_000;

/// A memory cell.
pub struct MemoryCell {
    pub node: NodeIndex,
    /// A pointer is read from it, so that incoming memory has to say what it points to.
    pub wanted: bool,
}

/// Memory copied into an object: its cell at `o` includes the one at `o - delta` of `src`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Mirror {
    pub src: ObjectId,
    pub delta: i64,
    /// Offsets that are written.
    pub lo: u64,
    pub hi: u64,
}

/// What the solver knows of an object.
pub struct ObjectState {
    pub object: Object,
    pub layout: Option<StorageLayout>,
    /// The object's contents may be set by code outside before anything in this file runs.
    pub opaque: bool,
    /// Nothing writes it after its initialisation.
    pub constant: bool,
    pub escaped: bool,
    pub cells: BTreeMap<u64, MemoryCell>,
    pub any_in: NodeIndex,
    pub any_out: NodeIndex,
    /// A pointer is read from an unknown member.
    pub wanted_any: bool,
    pub mirrors: Vec<Mirror>,
    /// Offsets at which address arithmetic moves between array elements.
    pub indexed: Vec<(u64, u64)>,
}

/// What a call may call.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Targets {
    /// Functions called, declared ones included; sorted.
    pub known: BTreeSet<FuncId>,
    /// Functions that a library function called here calls back (`qsort`'s comparison).
    pub callbacks: BTreeSet<FuncId>,
    /// Code outside that nothing is [known](crate::analysis::known) of: a declared function, a pointer that came from
    /// outside, inline assembly. It may call every function that escapes.
    pub unknown: bool,
    /// Code outside may have run when the instruction is over, in a thread of its own or in a handler: the program has handed
    /// it something before, and gives it time here.
    pub others: bool,
}

impl Targets {
    /// The functions of the program, and of the library, that are called or called back.
    pub fn functions(&self) -> impl Iterator<Item = FuncId> + '_ {
        self.known.iter().chain(&self.callbacks).copied()
    }
}

/// A call through a pointer, by the program or by the library.
pub struct Invocation {
    pub site: Site,
    /// `None` where an argument holds no pointers.
    pub args: Vec<Option<NodeIndex>>,
    /// Arguments that are integer constants.
    pub ints: Vec<Option<u64>>,
    pub ret: Option<NodeIndex>,
    pub callback: bool,
    /// The call comes at any time from then on.
    pub later: bool,
}

impl Invocation {
    /// The pointer that is passed in this place.
    pub fn arg(&self, n: u32) -> Option<NodeIndex> {
        self.args.get(n as usize).copied().flatten()
    }
}

/// The analysis under way.
pub struct Solver<'m> {
    pub module: &'m Module,
    pub known: &'m Arc<KnownFunctions>,
    pub closed: bool,
    pub precision: Precision,
    pub graph: Graph,
    pub wrappers: Wrappers,
    /// Nodes of instructions, arguments and results of each function.
    pub insts: Vec<Vec<NodeIndex>>,
    pub args: Vec<Vec<NodeIndex>>,
    pub rets: Vec<NodeIndex>,
    /// Parameters that arrive as a copy in memory.
    pub byval: FxHashMap<(FuncId, u32), ObjectId>,
    /// By place: the node that holds it and nothing else.
    pub of_place: FxHashMap<MemLoc, NodeIndex>,
    /// By such a node: its place.
    pub places: FxHashMap<NodeIndex, MemLoc>,
    /// By node and use: the node that what comes of the use comes to. See [`super::numbering`].
    pub computed: FxHashMap<(NodeIndex, PointerUse), NodeIndex>,
    /// Nodes of instructions that others have asked for.
    pub asked: FxHashSet<NodeIndex>,
    pub objects: Vec<ObjectState>,
    pub transits: Vec<ObjectState>,
    /// How many objects behind incoming pointers were made.
    pub incoming: usize,
    pub index: FxHashMap<ObjectKind, ObjectId>,
    pub known_mirrors: FxHashSet<(ObjectId, Mirror)>,
    pub invocations: Vec<Rc<Invocation>>,
    /// Calls with the functions that they were found to call: what is known of such a pair already is not said again.
    pub invoked: FxHashSet<(usize, ObjectId)>,
    pub targets: BTreeMap<Site, Targets>,
    /// Functions that code outside may call.
    pub entries: Vec<bool>,
    /// Functions that code outside turned out to reach, and that are not among the entries yet.
    pub reached: Vec<FuncId>,
    pub sink: NodeIndex,
    pub unknown: NodeIndex,
    /// What others may use at any time.
    pub shared: NodeIndex,
    /// What the library keeps, by name.
    pub kept: BTreeMap<String, NodeIndex>,
    /// Functions that run at any time once the program has handed them over, and whether unknown ones do.
    pub later: BTreeSet<FuncId>,
    pub unknown_later: bool,
    /// Functions of the program may be handed what it prints.
    pub prints_by_itself: bool,
    pub limit: u64,
}

impl<'m> Solver<'m> {
    /// An empty graph over a module's functions, with no object but the memory outside.
    pub fn new(module: &'m Module, known: &'m Arc<KnownFunctions>, closed: bool, precision: Precision) -> Solver<'m> {
        let mut graph = Graph::new(PATIENCE);
        let [sink, unknown, shared] = [(); 3].map(|()| graph.node());
        let mut solver = Solver {
            module,
            known,
            closed,
            precision,
            graph,
            wrappers: Wrappers::find(module, known),
            insts: Vec::new(),
            args: Vec::new(),
            rets: Vec::new(),
            byval: FxHashMap::default(),
            of_place: FxHashMap::default(),
            places: FxHashMap::default(),
            computed: FxHashMap::default(),
            asked: FxHashSet::default(),
            objects: Vec::new(),
            transits: Vec::new(),
            incoming: 0,
            index: FxHashMap::default(),
            known_mirrors: FxHashSet::default(),
            invocations: Vec::new(),
            invoked: FxHashSet::default(),
            targets: BTreeMap::new(),
            entries: vec![false; module.functions.len()],
            reached: Vec::new(),
            sink,
            unknown,
            shared,
            kept: BTreeMap::new(),
            later: BTreeSet::new(),
            unknown_later: false,
            prints_by_itself: module.functions.iter().enumerate().any(|(index, function)| {
                let known = known.of(FuncId(index as u32));
                function.declaration && known.is_some_and(|f| f.anytime)
            }),
            limit: fields::largest_struct(module),
        };
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
    pub fn node(&mut self) -> NodeIndex {
        self.graph.node()
    }

    /// The locations a node points to, in no useful order.
    pub fn pointees(&self, node: NodeIndex) -> impl Iterator<Item = MemLoc> + '_ {
        self.graph.pointees(node)
    }

    /// How many locations all nodes hold: each set for itself, and once more for each instruction that has it.
    pub fn held(&self) -> usize {
        let of_instruction =
            |node: &NodeIndex| { self.graph.found(*node) }.map_or(0, |set| self.graph.held_by(set).len());
        let held: u64 = self.insts.iter().flatten().map(of_instruction).sum();
        self.graph.held() + held as usize
    }

    /// Adds a location to a node.
    pub fn point(&mut self, node: NodeIndex, loc: MemLoc) {
        self.graph.point(node, loc);
    }

    /// Includes `from` in `to`.
    pub fn edge(&mut self, from: NodeIndex, to: NodeIndex) {
        self.graph.edge(from, to);
    }

    /// Has something done for every location that `node` will ever point to.
    pub fn on(&mut self, node: NodeIndex, what: PointerUse) {
        self.graph.on(node, what);
    }
}
