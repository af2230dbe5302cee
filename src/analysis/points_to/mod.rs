//! Points-to analysis: which objects a pointer may point into, field by field.
//!
//! Andersen's inclusion-based analysis over the whole module: flow-insensitive (a variable has one set for the whole
//! function), context-insensitive except for allocation wrappers, field-sensitive with array elements collapsed.
//!
//! ```c
//! double *a = malloc(n), *b = malloc(n);          /* a -> {A}, b -> {B}                           */
//! for (...) { step(a, b); double *t = a; a = b; b = t; }   /* now a -> {A, B}, b -> {A, B}        */
//! struct sim s; s.x = a; s.y = b;                 /* (s, 0) -> {A, B}, (s, 8) -> {A, B}           */
//! ```
//!
//! **The world.** A file is *closed* ([`PointsTo::closed`]) when it has `main` and calls nothing but its own functions
//! and such as are [known](crate::analysis::known), like the C library's: then every caller is known. Otherwise functions that are not `static` may be called by anyone
//! with anything; what their pointer parameters point to are objects of their own ([`ObjectKind::Param`]), as are the
//! pointees of global pointers ([`ObjectKind::Pointee`]). Such objects are kept apart by name and may still be the same
//! memory: [`PointsTo::may_alias`] says so. **Never compare locations from different objects by `==` alone.**
//!
//! **Escape.** What unknown code can reach escapes: it may be read, written and pointed to by anything outside, and be
//! what an incoming pointer points to.
//!
//! Files: `fields` (types to offsets), `allocators` (wrappers), `variables` (address taken, closed world), `graph` (nodes,
//! edges, what is new), `cycles` (nodes that hold the same), `state` (what the solver knows), `memory` (objects and cells), `calls` (calls), `operands`, `numbering` (instructions that give the same), `generate` (constraints of instructions), `unseen` (code that the instructions do not
//! show), `solve` (the fixpoint), `multiplicity` (one instance or many), `later` (what is used at any time), `result` (sorted sets).
//!
//! Non-goals: flow and path sensitivity; array elements; `int` members overlaid by pointers at other offsets; memory
//! allocated through an out parameter told apart by caller. Pointers written as bytes are followed only where the bytes
//! are copied in the same places (`memcpy`, or integer loads and stores at the pointer's own offset), or go through files and
//! texts of the library; not where they are put together bit by bit, by control flow, or from the distance of other pointers.

mod allocators;
mod calls;
mod cycles;
mod fields;
mod generate;
mod graph;
mod later;
mod memory;
mod multiplicity;
mod numbering;
mod operands;
mod result;
mod separate;
mod solve;
mod state;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_c;
mod unseen;
mod variables;

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::call_graph::CallGraph;
use crate::analysis::known::KnownFunctions;
use crate::program::ir::{FuncId, GlobalId, InstId, Module, Operand, SourceType, VarId};
use crate::program::objects::{Field, MemLoc, Object, ObjectId, ObjectKind, Site};

use allocators::Wrappers;
pub use calls::constant_extent;
use later::Later;
use state::Solver;
pub use state::{Precision, Targets};
pub use variables::{address_taken, all_address_taken, for_operands, named_function};

/// The result of the analysis.
#[derive(Debug)]
pub struct PointsTo {
    known: Arc<KnownFunctions>,
    closed: bool,
    precision: Precision,
    objects: Vec<Object>,
    index: FxHashMap<ObjectKind, ObjectId>,
    /// Collapsed offsets used in each object, sorted; `[0]` for a flat one.
    offsets: Vec<Vec<u64>>,
    /// Of objects with a declared type, the collapsed offsets of the arrays of numbers or pointers that are members of it,
    /// sorted.
    embedded: Vec<Vec<u64>>,
    escaped: FixedBitSet,
    /// Objects that this file's globals and heap lead to.
    held: FixedBitSet,
    /// Incoming objects reached through a `restrict` parameter directly.
    restricted: FixedBitSet,
    /// All sets that something points to: [`ResultSet`] is an index into these.
    sets: Vec<Box<[MemLoc]>>,
    insts: Vec<Box<[ResultSet]>>,
    args: Vec<Box<[ResultSet]>>,
    constants: FxHashMap<(ConstantBase, i64), [MemLoc; 1]>,
    unknown: [MemLoc; 1],
    /// What the cells of each object point to, by offset, and all of an object together.
    cells: Vec<BTreeMap<u64, ResultSet>>,
    contents: Vec<ResultSet>,
    targets: BTreeMap<Site, Targets>,
    nothing_called: Targets,
    /// The calls that may call each function, sorted.
    callers: Vec<Vec<Site>>,
    /// Pairs of parameters that never point into the same memory, by function; made when asked for.
    separate: Vec<OnceLock<Vec<(u32, u32)>>>,
    jumps_far: bool,
    runs_at_exit: bool,
    later: Later,
    address_taken: Vec<Vec<bool>>,
    entries: Vec<bool>,
    /// Functions that the library calls back.
    called_back: FxHashSet<FuncId>,
    graph: CallGraph,
    wrappers: Wrappers,
}

/// What is pointed to from one place or several, by its place among [`PointsTo::sets`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct ResultSet(u32);

/// What a constant address is counted from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum ConstantBase {
    Global(GlobalId),
    Function(FuncId),
}

impl PointsTo {
    /// Analyses a module of which the user says nothing.
    pub fn solve(module: &Module) -> PointsTo {
        PointsTo::solve_knowing(module, KnownFunctions::of_library(module))
    }

    /// Analyses a module.
    pub fn solve_knowing(module: &Module, known: KnownFunctions) -> PointsTo {
        PointsTo::solve_no_finer(module, known, Precision::Members)
    }

    /// Analyses a module, trying no finer precision than `finest`.
    pub fn solve_no_finer(module: &Module, known: KnownFunctions, finest: Precision) -> PointsTo {
        let known = &Arc::new(known);
        let closed = variables::is_closed(module, known);
        let mut precision = finest;
        loop {
            let mut solver = Solver::start(module, known, closed, precision);
            generate::generate(&mut solver);
            if solver.run() {
                return result::extract(solver);
            }
            precision = precision.coarser();
        }
    }

    /// What is known of functions from other sources than the module.
    pub fn known(&self) -> &KnownFunctions {
        &self.known
    }

    /// How finely memory is told apart: less than [`Precision::Members`] only for files that are very large and tangled.
    pub fn precision(&self) -> Precision {
        self.precision
    }

    /// Whether all callers and all callees are known: see the module's description.
    pub fn closed(&self) -> bool {
        self.closed
    }

    /// All objects; an [`ObjectId`] is an index. The first is [`ObjectId::EXTERNAL`].
    pub fn objects(&self) -> &[Object] {
        &self.objects
    }

    /// The object with this id.
    pub fn object(&self, id: ObjectId) -> &Object {
        &self.objects[id.0 as usize]
    }

    /// The object of this kind, if the module has it.
    pub fn find(&self, kind: &ObjectKind) -> Option<ObjectId> {
        self.index.get(kind).copied()
    }

    /// The object of a local variable or temporary.
    pub fn local(&self, func: FuncId, alloca: InstId) -> Option<ObjectId> {
        self.find(&ObjectKind::Local { func, alloca })
    }

    /// The object of a global variable or string literal.
    pub fn global(&self, id: GlobalId) -> Option<ObjectId> {
        self.find(&ObjectKind::Global(id))
            .or_else(|| self.find(&ObjectKind::Literal(id)))
    }

    fn set(&self, set: ResultSet) -> &[MemLoc] {
        &self.sets[set.0 as usize]
    }

    /// Where an operand of an instruction of `func` may point, sorted; empty for what is no pointer, for null and for
    /// what is never assigned. The operand has to be one of the analysed module's.
    pub fn of_operand(&self, func: FuncId, operand: &Operand) -> &[MemLoc] {
        let (base, bytes) = match operand {
            Operand::Inst(id) => return self.set(self.insts[func.0 as usize][id.0 as usize]),
            Operand::Arg(n) => {
                let set = self.args[func.0 as usize].get(*n as usize);
                return set.map_or(&[], |set| self.set(*set));
            }
            Operand::OtherConst => return &self.unknown,
            _ => match result::constant_base(operand) {
                Some(found) => found,
                None => return &[],
            },
        };
        // A constant address that the module does not contain: nothing is known of it, so anything may be there.
        self.constants.get(&(base, bytes)).map_or(&self.unknown, |s| s)
    }

    /// Where the pointers stored at a location may point, sorted. Of incoming memory that the program never reads a
    /// pointer from, no more is known than that it holds pointers to memory outside.
    pub fn contents(&self, loc: MemLoc) -> &[MemLoc] {
        let id = loc.object.0 as usize;
        let exact = match loc.field {
            Field::Offset(at) => self.cells[id].get(&at).copied(),
            Field::Any => None,
        };
        let set = self.set(exact.unwrap_or(self.contents[id]));
        if set.is_empty() && self.objects[id].kind.is_incoming() {
            &self.unknown
        } else {
            set
        }
    }

    /// Where a pointer variable may point at any time, sorted; empty for a variable without an `alloca`.
    pub fn of_variable(&self, module: &Module, func: FuncId, var: VarId) -> &[MemLoc] {
        let alloca = module.function(func).variables[var.0 as usize].alloca;
        let object = alloca.and_then(|a| self.local(func, a));
        object.map_or(&[], |o| self.contents(MemLoc::start(o)))
    }

    /// The locations that `bytes` bytes from `loc` on cover; `None`: an unknown number, up to the end of the object.
    pub fn range(&self, loc: MemLoc, bytes: Option<u64>) -> Vec<MemLoc> {
        let offsets = &self.offsets[loc.object.0 as usize];
        let whole = MemLoc {
            object: loc.object,
            field: self.normal(loc.object, Field::Any),
        };
        match (loc.field, bytes) {
            (Field::Any, _) | (_, None) => vec![whole],
            (Field::Offset(at), Some(bytes)) => {
                let end = at.saturating_add(bytes);
                let mut fields: Vec<u64> = offsets.iter().copied().filter(|o| (at..end).contains(o)).collect();
                if fields.is_empty() {
                    fields.push(at);
                }
                fields
                    .into_iter()
                    .map(|o| MemLoc {
                        object: loc.object,
                        field: Field::Offset(o),
                    })
                    .collect()
            }
        }
    }

    /// The locations that the elements of an array may be at of which one is at `loc`. Elements collapse, members of them do
    /// not: an array of structs is at the offsets of all members, whichever one a pointer was made for. Only an array of
    /// `numbers` (or pointers) that is itself a member of a declared type is no more than that member.
    pub fn array_around(&self, loc: MemLoc, numbers: bool) -> MemLoc {
        let id = loc.object.0 as usize;
        let is_member = |at: u64| numbers && self.embedded[id].binary_search(&at).is_ok();
        match loc.field {
            Field::Offset(at) if is_member(at) => loc,
            _ => MemLoc {
                object: loc.object,
                field: self.normal(loc.object, Field::Any),
            },
        }
    }

    /// A flat object, of which no member is ever told apart, has one location.
    fn normal(&self, object: ObjectId, field: Field) -> Field {
        if self.offsets[object.0 as usize] == [0] {
            Field::Offset(0)
        } else {
            field
        }
    }

    /// Whether the two locations may share a byte.
    ///
    /// Objects made in this file are distinct. Incoming memory may be any other incoming memory, and anything that
    /// escapes, unless it is reached through a `restrict` parameter that the function does not store anywhere, and is
    /// compared with what other pointers of that function reach.
    pub fn may_alias(&self, a: MemLoc, b: MemLoc) -> bool {
        if a.object == b.object {
            return a.field.overlaps(b.field);
        }
        self.objects_may_alias(a.object, b.object)
    }

    /// [`PointsTo::may_alias`] for whole objects.
    pub fn objects_may_alias(&self, a: ObjectId, b: ObjectId) -> bool {
        if a == b {
            return true;
        }
        let (first, second) = (&self.object(a).kind, &self.object(b).kind);
        let code = |k: &ObjectKind| matches!(k, ObjectKind::Function(_));
        if code(first) || code(second) {
            return false;
        }
        match (first.is_incoming(), second.is_incoming()) {
            // Two mappings of one file are one memory.
            (false, false) => self.later.is_shared(a) && self.later.is_shared(b),
            (true, false) => self.escapes(b) && !self.kept_apart(a, b),
            (false, true) => self.escapes(a) && !self.kept_apart(b, a),
            (true, true) => !self.kept_apart(a, b) && !self.kept_apart(b, a),
        }
    }

    /// Whether an object may be memory that another object stands for, too.
    pub fn may_have_other_names(&self, id: ObjectId) -> bool {
        self.object(id).kind.is_incoming() || self.later.is_shared(id)
    }

    /// Whether `restrict` on the parameter that `a` is reached by rules out that it is `b`.
    fn kept_apart(&self, a: ObjectId, b: ObjectId) -> bool {
        let restricted = |id: ObjectId| self.restricted.contains(id.0 as usize) && !self.retained(id);
        let ObjectKind::Param { func, .. } = &self.object(a).kind else {
            return false;
        };
        restricted(a)
            && match &self.object(b).kind {
                ObjectKind::External => false,
                // Activations of different functions have their own promises.
                ObjectKind::Param { func: other, .. } => func == other,
                _ => true,
            }
    }

    /// Whether unknown code can reach the object, during the run or after a function that is called from outside
    /// returns.
    pub fn escapes(&self, id: ObjectId) -> bool {
        self.escaped.contains(id.0 as usize)
    }

    /// Whether this file's globals and heap may lead to an object, so that functions can reach it which were not handed it.
    pub fn is_held(&self, id: ObjectId) -> bool {
        self.held.contains(id.0 as usize)
    }

    /// Whether this file's globals and heap may lead to an incoming object, so that it can be reached again after the
    /// function it came into has returned.
    pub fn retained(&self, id: ObjectId) -> bool {
        self.object(id).kind.is_incoming() && self.is_held(id)
    }

    /// Whether a local variable may change other than by assignments to its name: its address is used for more than to
    /// read or write the whole variable at once.
    pub fn address_taken(&self, func: FuncId, var: VarId) -> bool {
        variables::is_taken(&self.address_taken[func.0 as usize], var)
    }

    /// What a call may call. Empty for an instruction that is no call, and for a call through a pointer that never
    /// points to a function.
    pub fn call_targets(&self, func: FuncId, inst: InstId) -> &Targets {
        self.targets.get(&Site { func, inst }).unwrap_or(&self.nothing_called)
    }

    /// The calls that may call a function, sorted; calls back from the C library are not among them.
    pub fn callers(&self, func: FuncId) -> &[Site] {
        &self.callers[func.0 as usize]
    }

    /// Whether the program may leave functions by `longjmp`: it names it, or code outside may jump to where it called `setjmp`, or
    /// it ends threads, which leave all of theirs.
    pub fn jumps_far(&self) -> bool {
        self.jumps_far
    }

    /// Whether the program registers code to run when it ends.
    pub fn runs_at_exit(&self) -> bool {
        self.runs_at_exit
    }

    /// Functions that may run at any time once the program has handed them over: bodies of threads, handlers of signals.
    pub fn later(&self) -> impl Iterator<Item = FuncId> + '_ {
        self.later.functions.iter().copied()
    }

    /// Whether functions of which nothing is known may run at any time.
    pub fn unknown_runs_later(&self) -> bool {
        self.later.unknown
    }

    /// Whether others may use an object at any time.
    pub fn is_shared(&self, id: ObjectId) -> bool {
        self.later.is_shared(id)
    }

    /// The objects that others may use at any time: shared mappings, buffers of streams.
    pub fn shared(&self) -> impl Iterator<Item = ObjectId> + '_ {
        self.later.shared.ones().map(|index| ObjectId(index as u32))
    }

    /// What the library keeps under a name, sorted.
    pub fn kept(&self, name: &str) -> &[MemLoc] {
        self.later.kept.get(name).map_or(&[], |locs| locs)
    }

    /// Whether code outside may call the function: it is visible in a world that is not closed, or its address escapes;
    /// or it is `main`.
    pub fn is_entry(&self, func: FuncId) -> bool {
        self.entries[func.0 as usize]
    }

    /// Whether there are calls of the function that are not among its [`PointsTo::callers`]: by code outside, or by the library that
    /// calls it back.
    pub fn has_unseen_callers(&self, func: FuncId) -> bool {
        self.is_entry(func) || self.called_back.contains(&func)
    }

    /// Whether the function is an allocation wrapper: what it returns is named by the calls of it.
    pub fn is_allocator(&self, func: FuncId) -> bool {
        self.wrappers.sites(func).is_some()
    }

    /// The allocating calls whose results an allocation wrapper returns.
    pub fn allocations(&self, func: FuncId) -> Option<&[InstId]> {
        self.wrappers.sites(func)
    }

    /// Whether an address in `func` can only lie in memory that the same activation of it has allocated, and that nothing was
    /// moved to: `realloc` may return what was there before.
    pub fn is_new(&self, module: &Module, func: FuncId, address: &Operand) -> bool {
        self.wrappers.is_new(module, func, address)
    }

    /// Whether an address in `func` can only lie in memory that the same activation of it has allocated.
    pub fn is_fresh(&self, module: &Module, func: FuncId, address: &Operand) -> bool {
        self.wrappers.is_fresh(module, func, address)
    }

    /// The call graph with indirect calls resolved.
    pub fn call_graph(&self) -> &CallGraph {
        &self.graph
    }
}

/// Whether a parameter is declared `restrict`.
fn is_restrict(module: &Module, func: FuncId, index: u32) -> bool {
    let variables = &module.function(func).variables;
    variables
        .iter()
        .any(|v| v.arg == Some(index) && matches!(v.source_type, SourceType::Pointer { restrict: true, .. }))
}
