//! The solver's memory: objects, their cells, copies between them, what comes from outside and what escapes.
//!
//! **Cells** are made on demand: an object has one per offset that is read or written, plus a pair for accesses of an
//! unknown member: what enters `any_in` is in every cell, what is in any cell is in `any_out`.
//!
//! **Copies** are pulled: a cell that is read from an object that something was copied into asks for its counterparts.
//!
//! **Incoming memory** ([`ObjectState::opaque`]): the first read of a pointer from it makes a further object for what that
//! pointer points to.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::fields::{self, FieldStep, StorageLayout};
use super::graph::{NodeIndex, PointerUse};
use super::state::{MemoryCell, Mirror, ObjectState, Precision, Solver};
use crate::analysis::known::KnownFunctions;
use crate::program::ir::{GlobalId, Module};
use crate::program::objects::{Field, MemLoc, Object, ObjectId, ObjectKind};

/// How many pointers are followed from an incoming pointer before the objects behind it are one.
const MAX_PATH: usize = 3;
/// How many objects behind incoming pointers a module gets; what would be further ones is memory outside.
const MAX_INCOMING: usize = 2000;
/// How many cells of one object are told apart.
const MAX_CELLS: usize = 512;

/// Ids from here on are of places in transit: what one copy has read and not yet written. With them a copy between `m`
/// and `n` objects takes `m + n` mirrors instead of `m * n`.
const TRANSIT: u32 = 1 << 31;

impl<'m> Solver<'m> {
    /// A module's functions and the memory outside.
    pub fn start(module: &'m Module, known: &'m Arc<KnownFunctions>, closed: bool, precision: Precision) -> Solver<'m> {
        let mut solver = Solver::new(module, known, closed, precision);
        let external = solver.object(ObjectKind::External, "memory outside".into(), None);
        solver.objects[external.0 as usize].escaped = true;
        solver.point(solver.unknown, MemLoc::whole(external));
        solver
    }
}

impl Solver<'_> {
    /// The object of this kind, made if need be.
    pub fn object(&mut self, kind: ObjectKind, name: String, layout: Option<StorageLayout>) -> ObjectId {
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

    fn new_state(&mut self, kind: ObjectKind, name: String, layout: Option<StorageLayout>) -> ObjectState {
        let (any_in, any_out) = (self.node(), self.node());
        self.edge(any_in, any_out);
        let opaque = matches!(kind, ObjectKind::Param { .. } | ObjectKind::Pointee { .. });
        let object = Object {
            kind,
            many: false,
            name,
        };
        ObjectState {
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

    pub fn state(&mut self, id: ObjectId) -> &mut ObjectState {
        match id.0.checked_sub(TRANSIT) {
            Some(n) => &mut self.transits[n as usize],
            None => &mut self.objects[id.0 as usize],
        }
    }

    fn state_ref(&self, id: ObjectId) -> &ObjectState {
        match id.0.checked_sub(TRANSIT) {
            Some(n) => &self.transits[n as usize],
            None => &self.objects[id.0 as usize],
        }
    }

    pub fn step(&mut self, loc: MemLoc, step: FieldStep) -> MemLoc {
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
            FieldStep::Member { bytes, indexed } => {
                let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
                let indexed = match (loc.field, indexed) {
                    (Field::Any, Some(_)) => Some((0, u64::MAX)),
                    (_, range) => range.map(|(lo, hi)| (base.saturating_add(lo), base.saturating_add(hi))),
                };
                (fields::add(module, layout, limit, loc.field, bytes), indexed)
            }
            FieldStep::Raw(bytes) => {
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
            FieldStep::Smear => (Field::Any, Some((0, u64::MAX))),
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

    pub fn read_cell(&mut self, loc: MemLoc, offset: u64, is_pointer: bool) -> Option<NodeIndex> {
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

    pub fn write_cell(&mut self, loc: MemLoc, offset: u64) -> Option<NodeIndex> {
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
    pub fn cell(&mut self, id: ObjectId, at: u64, wanted: bool) -> Option<NodeIndex> {
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
                state.cells.insert(at, MemoryCell { node, wanted });
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
        let wanted: Vec<(u64, NodeIndex)> = state
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
    fn populate(&mut self, id: ObjectId, field: Field, node: NodeIndex) {
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

    /// Copies memory between what two nodes point to.
    pub fn copy(&mut self, dst: NodeIndex, src: NodeIndex, bytes: Option<u64>) {
        let transit = self.transit();
        self.on(src, PointerUse::CopyTo { transit, bytes });
        self.on(dst, PointerUse::CopyFrom { transit, bytes });
    }

    pub fn copy_between(&mut self, dst: MemLoc, src: MemLoc, bytes: Option<u64>) {
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
        let cells: Vec<(u64, NodeIndex, bool)> = state.cells.iter().map(|(&k, c)| (k, c.node, c.wanted)).collect();
        self.edge(from, any_out);
        if wanted_any {
            self.want_any(src.object);
        }
        for (at, node, wanted) in cells {
            self.pull(mirror, at, node, wanted);
        }
    }

    /// Includes in the cell `node` at `at` what a copy brings there.
    fn pull(&mut self, mirror: Mirror, at: u64, node: NodeIndex, wanted: bool) {
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
            return self.reached.push(func);
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
