//! The constraint graph and its solution: nodes for pointer values and memory cells, edges for inclusion, and uses that
//! add edges as the sets grow (Andersen's analysis with difference propagation).
//!
//! **Cells** are made on demand: an object has one per offset that is read or written, plus a pair for accesses of an
//! unknown member: what enters `any_in` is in every cell, what is in any cell is in `any_out`.
//!
//! **Unknown code** is two nodes: what flows into `sink` escapes, and `unknown` holds the one location that stands for
//! what comes back. What came back *may* be any object that escaped; that is said by [`super::PointsTo::may_alias`] and
//! not by adding all of them to every set.
//!
//! **Incoming memory** ([`State::opaque`]): the first read of a pointer from it makes a further object for what that
//! pointer points to.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use super::allocators::Wrappers;
use super::calls::{Invocation, Targets};
use super::fields::{self, Layout, Step};
use crate::program::ir::{FuncId, GlobalId, Module};
use crate::program::objects::{Field, MemLoc, Object, ObjectId, ObjectKind, Site};

/// How many pointers are followed from an incoming pointer before the objects behind it are one.
const MAX_PATH: usize = 3;
/// How many objects behind incoming pointers a module gets; what would be further ones is memory outside.
const MAX_INCOMING: usize = 2000;
/// How many cells of one object are told apart.
const MAX_CELLS: usize = 512;

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

/// A memory cell.
pub struct Cell {
    pub node: Node,
    /// A pointer is read from it, so that incoming memory has to say what it points to.
    wanted: bool,
}

/// Memory copied into an object: its cell at `o` includes the one at `o - delta` of `src`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Mirror {
    src: ObjectId,
    delta: i64,
    /// Offsets that are written.
    lo: u64,
    hi: u64,
}

/// Ids from here on are of places in transit: what one copy has read and not yet written. With them a copy between `m`
/// and `n` objects takes `m + n` mirrors instead of `m * n`.
const TRANSIT: u32 = 1 << 31;

/// What the solver knows of an object.
pub struct State {
    pub object: Object,
    pub layout: Option<Layout>,
    /// Its contents may be set by code outside before anything in this file runs.
    pub opaque: bool,
    /// Nothing writes it after its initialisation.
    pub constant: bool,
    pub escaped: bool,
    pub cells: BTreeMap<u64, Cell>,
    pub any_in: Node,
    pub any_out: Node,
    wanted_any: bool,
    mirrors: Vec<Mirror>,
    /// Offsets at which address arithmetic moves between array elements.
    pub indexed: Vec<(u64, u64)>,
}

/// The analysis under way.
pub struct Solver<'m> {
    pub module: &'m Module,
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
    transits: Vec<State>,
    /// How many objects behind incoming pointers were made.
    incoming: usize,
    pub index: FxHashMap<ObjectKind, ObjectId>,
    pub locs: Vec<MemLoc>,
    loc_ids: FxHashMap<MemLoc, u32>,
    nodes: Vec<NodeState>,
    edges: FxHashSet<(Node, Node)>,
    known_mirrors: FxHashSet<(ObjectId, Mirror)>,
    queue: VecDeque<Node>,
    pub invocations: Vec<Rc<Invocation>>,
    pub targets: BTreeMap<Site, Targets>,
    pub entries: Vec<bool>,
    pub sink: Node,
    pub unknown: Node,
    limit: u64,
}

impl<'m> Solver<'m> {
    /// An empty graph over a module's functions.
    pub fn new(module: &'m Module, closed: bool, precision: Precision) -> Solver<'m> {
        let mut solver = Solver {
            module,
            closed,
            precision,
            additions: 0,
            wrappers: Wrappers::find(module),
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
            limit: fields::largest_struct(module),
        };
        solver.node();
        solver.node();
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

    /// The object of this kind, made if need be.
    pub fn object(&mut self, kind: ObjectKind, name: String, layout: Option<Layout>) -> ObjectId {
        if let Some(&id) = self.index.get(&kind) {
            return id;
        }
        let id = ObjectId(self.objects.len() as u32);
        self.index.insert(kind.clone(), id);
        let state = self.new_state(kind, name, layout);
        let code = matches!(state.object.kind, ObjectKind::Function(_));
        self.objects.push(state);
        if self.precision == Precision::Addresses && !code {
            self.escape(id);
        }
        id
    }

    /// A place for a copy to pass through.
    fn transit(&mut self) -> ObjectId {
        let id = ObjectId(TRANSIT + self.transits.len() as u32);
        let state = self.new_state(ObjectKind::External, String::new(), None);
        self.transits.push(state);
        id
    }

    fn new_state(&mut self, kind: ObjectKind, name: String, layout: Option<Layout>) -> State {
        let (any_in, any_out) = (self.node(), self.node());
        self.edge(any_in, any_out);
        let opaque = matches!(kind, ObjectKind::Param { .. } | ObjectKind::Pointee { .. });
        let object = Object {
            kind,
            many: false,
            name,
        };
        State {
            object,
            layout,
            opaque,
            constant: false,
            escaped: false,
            cells: BTreeMap::new(),
            any_in,
            any_out,
            wanted_any: false,
            mirrors: Vec::new(),
            indexed: Vec::new(),
        }
    }

    pub fn state(&mut self, id: ObjectId) -> &mut State {
        match id.0.checked_sub(TRANSIT) {
            Some(n) => &mut self.transits[n as usize],
            None => &mut self.objects[id.0 as usize],
        }
    }

    fn state_ref(&self, id: ObjectId) -> &State {
        match id.0.checked_sub(TRANSIT) {
            Some(n) => &self.transits[n as usize],
            None => &self.objects[id.0 as usize],
        }
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

    fn step(&mut self, loc: MemLoc, step: Step) -> MemLoc {
        let module = self.module;
        if loc.object == ObjectId::EXTERNAL {
            return loc;
        }
        let limit = self.limit;
        let members = self.precision == Precision::Members;
        let state = self.state(loc.object);
        let layout = state.layout.as_ref();
        let base = if let Field::Offset(o) = loc.field { o } else { 0 };
        let (field, indexed) = match step {
            Step::Member { bytes, indexed } => {
                let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
                let indexed = match (loc.field, indexed) {
                    (Field::Any, Some(_)) => Some((0, u64::MAX)),
                    (_, range) => range.map(|(lo, hi)| (base.saturating_add(lo), base.saturating_add(hi))),
                };
                (fields::add(module, layout, limit, loc.field, bytes), indexed)
            }
            Step::Raw(bytes) => {
                let inside = matches!(loc.field, Field::Offset(o)
                    if layout.is_some_and(|l| fields::is_bytes(&l.ty, o)));
                let field = match bytes {
                    _ if inside => loc.field,
                    Some(bytes) if layout.is_some() => fields::add(module, layout, limit, loc.field, bytes),
                    // In an object of unknown type even a known number of bytes may be that many elements of a byte
                    // array, or a way to another member.
                    _ => Field::Any,
                };
                (field, Some((0, u64::MAX)))
            }
            Step::Smear => (Field::Any, Some((0, u64::MAX))),
        };
        let field = if members { field } else { Field::Offset(0) };
        if let Some(range) = indexed
            && !state.indexed.contains(&range)
        {
            state.indexed.push(range);
        }
        MemLoc {
            object: loc.object,
            field,
        }
    }

    fn add_field(&self, id: ObjectId, field: Field, bytes: u64) -> Field {
        if self.precision != Precision::Members {
            return Field::Offset(0);
        }
        let layout = self.state_ref(id).layout.as_ref();
        fields::add(
            self.module,
            layout,
            self.limit,
            field,
            i64::try_from(bytes).unwrap_or(i64::MAX),
        )
    }

    fn holds_no_pointers(&self, id: ObjectId) -> bool {
        matches!(self.state_ref(id).object.kind, ObjectKind::Function(_))
    }

    fn read_cell(&mut self, loc: MemLoc, offset: u64, is_pointer: bool) -> Option<Node> {
        if loc.object == ObjectId::EXTERNAL {
            return Some(self.unknown);
        }
        if self.holds_no_pointers(loc.object) {
            return None;
        }
        if let Field::Offset(at) = self.add_field(loc.object, loc.field, offset)
            && let Some(cell) = self.cell(loc.object, at, is_pointer)
        {
            return Some(cell);
        }
        if is_pointer {
            self.want_any(loc.object);
        }
        Some(self.state(loc.object).any_out)
    }

    fn write_cell(&mut self, loc: MemLoc, offset: u64) -> Option<Node> {
        if loc.object == ObjectId::EXTERNAL {
            return Some(self.sink);
        }
        if self.holds_no_pointers(loc.object) {
            return None;
        }
        if let Field::Offset(at) = self.add_field(loc.object, loc.field, offset)
            && let Some(cell) = self.cell(loc.object, at, false)
        {
            return Some(cell);
        }
        Some(self.state(loc.object).any_in)
    }

    /// The cell of an object at an offset, made if need be; `None` when the object has too many.
    pub fn cell(&mut self, id: ObjectId, at: u64, wanted: bool) -> Option<Node> {
        let state = self.state(id);
        let (any_in, any_out, count) = (state.any_in, state.any_out, state.cells.len());
        let mirrors = match state.cells.get_mut(&at) {
            Some(cell) if cell.wanted || !wanted => return Some(cell.node),
            Some(cell) => {
                cell.wanted = true;
                state.mirrors.clone()
            }
            None if count >= MAX_CELLS => return None,
            None => {
                let node = self.node();
                let state = self.state(id);
                state.cells.insert(at, Cell { node, wanted });
                let mirrors = state.mirrors.clone();
                self.edge(any_in, node);
                self.edge(node, any_out);
                mirrors
            }
        };
        let node = self.state(id).cells[&at].node;
        if wanted && self.state(id).opaque {
            self.populate(id, Field::Offset(at), node);
        }
        for mirror in mirrors {
            self.pull(mirror, at, node, wanted);
        }
        Some(node)
    }

    /// A pointer is read from an unknown member.
    fn want_any(&mut self, id: ObjectId) {
        let state = self.state(id);
        if id == ObjectId::EXTERNAL || std::mem::replace(&mut state.wanted_any, true) {
            return;
        }
        let (opaque, any_out, mirrors) = (state.opaque, state.any_out, state.mirrors.clone());
        if opaque {
            self.populate(id, Field::Any, any_out);
        }
        for mirror in mirrors {
            self.want_any(mirror.src);
        }
    }

    /// Declares an object's contents to be set from outside.
    pub fn make_opaque(&mut self, id: ObjectId) {
        let state = self.state(id);
        if std::mem::replace(&mut state.opaque, true) {
            return;
        }
        let wanted: Vec<(u64, Node)> = state
            .cells
            .iter()
            .filter(|(_, c)| c.wanted)
            .map(|(&k, c)| (k, c.node))
            .collect();
        let any = state.wanted_any.then_some(state.any_out);
        for (at, node) in wanted {
            self.populate(id, Field::Offset(at), node);
        }
        if let Some(any_out) = any {
            self.populate(id, Field::Any, any_out);
        }
    }

    /// Gives a cell of incoming memory the object behind it.
    fn populate(&mut self, id: ObjectId, field: Field, node: Node) {
        let step = match field {
            Field::Offset(0) => String::new(),
            Field::Offset(at) => format!("+{at}"),
            Field::Any => "+?".into(),
        };
        let state = self.state(id);
        let name = format!("*({}{step})", state.object.name);
        let extend = |path: &[Field]| [path, &[field]].concat();
        let kind = match &state.object.kind {
            ObjectKind::Param { path, .. } | ObjectKind::Pointee { path, .. } if path.len() >= MAX_PATH => {
                state.object.kind.clone()
            }
            ObjectKind::Param { func, index, path } => ObjectKind::Param {
                func: *func,
                index: *index,
                path: extend(path),
            },
            ObjectKind::ByVal { func, index } => ObjectKind::Param {
                func: *func,
                index: *index,
                path: vec![field],
            },
            ObjectKind::Pointee { global, path } => ObjectKind::Pointee {
                global: *global,
                path: extend(path),
            },
            ObjectKind::Global(global) => ObjectKind::Pointee {
                global: *global,
                path: vec![field],
            },
            _ => return,
        };
        if !self.index.contains_key(&kind) {
            if self.incoming >= MAX_INCOMING {
                return self.point(node, MemLoc::whole(ObjectId::EXTERNAL));
            }
            self.incoming += 1;
        }
        let behind = self.object(kind, name, None);
        self.point(node, MemLoc::start(behind));
        self.escape(behind);
    }

    fn copy_between(&mut self, dst: MemLoc, src: MemLoc, bytes: Option<u64>) {
        if self.holds_no_pointers(dst.object) || self.holds_no_pointers(src.object) {
            return;
        }
        if src.object == ObjectId::EXTERNAL {
            let to = if dst.object == ObjectId::EXTERNAL {
                self.sink
            } else {
                self.state(dst.object).any_in
            };
            return self.edge(self.unknown, to);
        }
        let from = self.state(src.object).any_out;
        if dst.object == ObjectId::EXTERNAL {
            return self.edge(from, self.sink);
        }
        // A copy of unknown length that starts inside an element may reach members of the next that lie before it.
        let start = |loc: MemLoc| match loc.field {
            Field::Offset(at) if at == 0 || bytes.is_some() => Some(at),
            _ => None,
        };
        let (Some(to), Some(at)) = (start(dst), start(src)) else {
            self.want_any(src.object);
            let into = self.state(dst.object).any_in;
            return self.edge(from, into);
        };
        let mirror = Mirror {
            src: src.object,
            delta: to as i64 - at as i64,
            lo: to,
            hi: bytes.map_or(u64::MAX, |n| to.saturating_add(n)),
        };
        if !self.known_mirrors.insert((dst.object, mirror)) {
            return;
        }
        let state = self.state(dst.object);
        state.mirrors.push(mirror);
        let (any_out, wanted_any) = (state.any_out, state.wanted_any);
        let cells: Vec<(u64, Node, bool)> = state.cells.iter().map(|(&k, c)| (k, c.node, c.wanted)).collect();
        self.edge(from, any_out);
        if wanted_any {
            self.want_any(src.object);
        }
        for (at, node, wanted) in cells {
            self.pull(mirror, at, node, wanted);
        }
    }

    /// Includes in the cell `node` at `at` what a copy brings there.
    fn pull(&mut self, mirror: Mirror, at: u64, node: Node, wanted: bool) {
        if (mirror.lo..mirror.hi).contains(&at)
            && let Some(there) = at.checked_add_signed(-mirror.delta)
            && let Some(cell) = self.read_cell(MemLoc::start(mirror.src), there, wanted)
        {
            self.edge(cell, node);
        }
    }

    /// Unknown code can reach the object from now on.
    pub fn escape(&mut self, id: ObjectId) {
        let coarsest = self.precision == Precision::Addresses;
        let state = self.state(id);
        if std::mem::replace(&mut state.escaped, true) {
            return;
        }
        if let ObjectKind::Function(func) = state.object.kind {
            return self.enter(func);
        }
        let (any_in, any_out) = (state.any_in, state.any_out);
        let settable = (!state.constant || coarsest) && !state.opaque;
        self.edge(any_out, self.sink);
        if settable {
            self.edge(self.unknown, any_in);
        }
    }

    /// The object of a global variable.
    pub fn global(&self, id: GlobalId) -> Option<ObjectId> {
        let (variable, literal) = (ObjectKind::Global(id), ObjectKind::Literal(id));
        self.index.get(&variable).or_else(|| self.index.get(&literal)).copied()
    }
}
