//! From the solved constraint graph to sorted sets.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::hash::Hasher;
use std::sync::{Arc, OnceLock};

use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHasher};

use super::graph::{NodeIndex, SetIndex};
use super::operands::constant_location;
use super::state::{ObjectState, Solver, Targets};
use super::{ConstantBase, Later, PointsTo, ResultSet, fields, multiplicity, variables};
use crate::program::ir::{Callee, FuncId, GlobalId, Module, Op, Operand};
use crate::program::objects::{Field, MemLoc, ObjectId, ObjectKind, Site};
use crate::program::start::REGISTERING;

/// Global or function and byte offset that a constant operand names.
pub fn constant_base(operand: &Operand) -> Option<(ConstantBase, i64)> {
    match operand {
        Operand::Global(g) => Some((ConstantBase::Global(*g), 0)),
        Operand::Function(f) => Some((ConstantBase::Function(*f), 0)),
        Operand::ConstGep { base, bytes } => {
            let (base, more) = constant_base(base)?;
            Some((base, more.saturating_add(*bytes)))
        }
        _ => None,
    }
}

/// Reads the solution out.
pub fn extract(mut solver: Solver<'_>) -> PointsTo {
    let module = solver.module;
    let constants = constants(&mut solver);
    expect_unknown(&mut solver);
    expect_others(&mut solver);
    let graph = multiplicity::call_graph(&solver);
    multiplicity::mark(&mut solver, &graph);

    let offsets = used_offsets(&solver, constants.iter().map(|(_, loc)| *loc));
    let normal = |loc: MemLoc| {
        let flat = offsets[loc.object.0 as usize] == [0];
        if flat { MemLoc::start(loc.object) } else { loc }
    };
    let sets = SharedSets {
        solver: &solver,
        normal: &normal,
        found: RefCell::new(FoundSets {
            sets: vec![Box::new([])],
            of_set: FxHashMap::default(),
            alike: FxHashMap::default(),
        }),
    };
    let set = |node: NodeIndex| sets.of(node);
    let (escaped, restricted) = flags(&solver);
    let held = held(&solver);
    let later = later(&solver, &normal);
    let cells = |state: &ObjectState| {
        state
            .cells
            .iter()
            .map(|(&at, cell)| (at, set(cell.node)))
            .collect::<BTreeMap<_, _>>()
    };
    let cells = solver.objects.iter().map(cells).collect();
    let contents = solver.objects.iter().map(|state| set(state.any_out)).collect();
    let embedded = solver.objects.iter().map(|s| embedded(module, s)).collect();
    let of_nodes = |nodes: &Vec<NodeIndex>| nodes.iter().map(|&n| set(n)).collect::<Box<[ResultSet]>>();
    let insts = solver.insts.iter().map(of_nodes).collect();
    let args = solver.args.iter().map(of_nodes).collect();
    let names = |list: &[&str]| module.functions.iter().any(|f| list.contains(&f.name.as_str()));
    PointsTo {
        known: Arc::clone(solver.known),
        callers: callers(&solver),
        called_back: solver
            .targets
            .values()
            .flat_map(|t| t.callbacks.iter().copied())
            .collect(),
        separate: module.functions.iter().map(|_| OnceLock::new()).collect(),
        jumps_far: names(&[
            "longjmp",
            "_longjmp",
            "siglongjmp",
            "__longjmp_chk",
            "llvm.eh.sjlj.longjmp",
            "pthread_exit",
            "thrd_exit",
            "pthread_cancel",
        ]) || module.functions.iter().any(|f| f.attrs.returns_twice),
        runs_at_exit: names(&REGISTERING) || module.ending().next().is_some(),
        closed: solver.closed,
        precision: solver.precision,
        cells,
        contents,
        sets: sets.found.into_inner().sets,
        insts,
        args,
        constants: constants
            .into_iter()
            .map(|(key, loc)| (key, [normal(loc)]))
            .collect::<FxHashMap<_, _>>(),
        unknown: [MemLoc::whole(ObjectId::EXTERNAL)],
        later,
        escaped,
        held,
        restricted,
        address_taken: module
            .functions
            .iter()
            .map(|f| variables::all_address_taken(module, f))
            .collect(),
        nothing_called: Targets::default(),
        graph,
        wrappers: solver.wrappers,
        objects: solver.objects.iter().map(|s| s.object.clone()).collect(),
        index: solver.index,
        embedded,
        offsets,
        targets: solver.targets,
        entries: solver.entries,
    }
}

/// Sorted sets, one for all nodes that hold the same.
struct SharedSets<'a, 'm> {
    solver: &'a Solver<'m>,
    normal: &'a dyn Fn(MemLoc) -> MemLoc,
    found: RefCell<FoundSets>,
}

/// The sorted sets that were made so far.
struct FoundSets {
    /// The first one is empty.
    sets: Vec<Box<[MemLoc]>>,
    of_set: FxHashMap<SetIndex, ResultSet>,
    /// Sets of the solver by a hash of what they hold.
    alike: FxHashMap<u64, Vec<SetIndex>>,
}

impl SharedSets<'_, '_> {
    fn of(&self, node: NodeIndex) -> ResultSet {
        let graph = &self.solver.graph;
        let Some(set) = graph.found(node) else {
            return ResultSet(0);
        };
        let found = &mut *self.found.borrow_mut();
        if let Some(known) = found.of_set.get(&set) {
            return *known;
        }
        let held = graph.held_by(set);
        let mut hasher = FxHasher::default();
        held.iter().for_each(|loc| hasher.write_u32(loc));
        let others = found.alike.entry(hasher.finish()).or_default();
        let alike = others.iter().find(|other| graph.held_by(**other) == held);
        let result = match alike {
            Some(other) => found.of_set[other],
            None if held.is_empty() => ResultSet(0),
            None => {
                found
                    .sets
                    .push(sorted(self.solver.pointees(node).map(self.normal).collect()));
                ResultSet(found.sets.len() as u32 - 1)
            }
        };
        if alike.is_none() {
            others.push(set);
        }
        found.of_set.insert(set, result);
        result
    }
}

/// The constant operands of a module that name memory, and where they point.
fn constants(solver: &mut Solver<'_>) -> Vec<((ConstantBase, i64), MemLoc)> {
    let module = solver.module;
    let mut constants = Vec::new();
    let mut note = |operand: &Operand| {
        if let (Some(base), Some(loc)) = (constant_base(operand), constant_location(solver, operand)) {
            constants.push((base, loc));
        }
    };
    for inst in module.functions.iter().flat_map(|f| &f.insts) {
        variables::for_operands(&inst.op, &mut note);
    }
    for (_, value) in module.globals.iter().flat_map(|g| &g.init_pointers) {
        note(value);
    }
    for id in 0..module.globals.len() as u32 {
        note(&Operand::Global(GlobalId(id)));
    }
    constants
}

/// A pointer that nothing was seen to be stored in, and that is called all the same: expect the worst.
fn expect_unknown(solver: &mut Solver<'_>) {
    let module = solver.module;
    for (site, targets) in &mut solver.targets {
        let op = &module.function(site.func).inst(site.inst).op;
        let indirect = matches!(
            op,
            Op::Call {
                callee: Callee::Indirect(_),
                ..
            }
        );
        targets.unknown |= indirect && targets.known.is_empty();
    }
}

/// Where a program that runs unknown code gives others time: what that code was handed, threads of its own may use there.
fn expect_others(solver: &mut Solver<'_>) {
    if solver.closed && !solver.targets.values().any(|t| t.unknown) {
        return;
    }
    let module = solver.module;
    let synchronises = |id: FuncId| {
        let function = module.function(id);
        function.declaration && solver.known.of(id).is_some_and(|f| f.synchronises)
    };
    let synchronising: Vec<bool> = (0..module.functions.len() as u32)
        .map(|f| synchronises(FuncId(f)))
        .collect();
    for targets in solver.targets.values_mut() {
        targets.others = targets.known.iter().any(|f| synchronising[f.0 as usize]);
    }
    for (index, function) in module.functions.iter().enumerate() {
        let func = FuncId(index as u32);
        for inst in function.inst_ids().filter(|i| function.inst(*i).op.waits()) {
            solver.targets.entry(Site { func, inst }).or_default().others = true;
        }
    }
}

/// Memory that others may use, and functions that they may call, at any time.
fn later(solver: &Solver<'_>, normal: &dyn Fn(MemLoc) -> MemLoc) -> Later {
    let mut shared = FixedBitSet::with_capacity(solver.objects.len());
    shared.extend(solver.pointees(solver.shared).map(|loc| loc.object.0 as usize));
    let kept = solver.kept.iter();
    Later {
        functions: solver.later.clone(),
        unknown: solver.unknown_later,
        shared,
        kept: kept
            .map(|(name, node)| {
                (
                    name.clone(),
                    sorted(solver.pointees(*node).map(normal).collect()).into_vec(),
                )
            })
            .collect(),
    }
}

/// Where the arrays of numbers are that are members of an object, by its type.
fn embedded(module: &Module, state: &ObjectState) -> Vec<u64> {
    let ty = state.layout.as_ref().map(|l| &l.ty);
    ty.map_or_else(Vec::new, |ty| fields::embedded(module, ty))
}

fn callers(solver: &Solver<'_>) -> Vec<Vec<Site>> {
    let mut callers = vec![Vec::new(); solver.module.functions.len()];
    for (site, targets) in &solver.targets {
        for target in &targets.known {
            callers[target.0 as usize].push(*site);
        }
    }
    callers
}

/// Sorts a set; a location of an unknown member stands for the object's others as well.
fn sorted(mut locs: Vec<MemLoc>) -> Box<[MemLoc]> {
    locs.sort_unstable();
    locs.dedup();
    // `Field::Any` sorts last among an object's fields.
    let whole: Vec<ObjectId> = locs
        .iter()
        .filter(|l| l.field == Field::Any)
        .map(|l| l.object)
        .collect();
    locs.retain(|l| l.field == Field::Any || whole.binary_search(&l.object).is_err());
    locs.into()
}

/// Offsets at which each object is ever pointed into, read or written.
fn used_offsets(solver: &Solver<'_>, constants: impl Iterator<Item = MemLoc>) -> Vec<Vec<u64>> {
    let mut offsets: Vec<Vec<u64>> = solver
        .objects
        .iter()
        .map(|state| state.cells.keys().copied().chain([0]).collect())
        .collect();
    for loc in solver.graph.locs().iter().copied().chain(constants) {
        if let Field::Offset(at) = loc.field {
            offsets[loc.object.0 as usize].push(at);
        }
    }
    // Memory outside is nothing but its whole.
    offsets[0].clear();
    for list in &mut offsets {
        list.sort_unstable();
        list.dedup();
    }
    offsets
}

/// The objects that globals and the heap lead to. What is handed outside comes back as memory outside, and what incoming memory holds
/// as that memory's pointees; both may be the same storage, which `may_alias` knows. Only this file's own memory keeps an
/// object's name.
fn held(solver: &Solver<'_>) -> FixedBitSet {
    let mut found = FixedBitSet::with_capacity(solver.objects.len());
    let led_to = |state: &ObjectState| {
        let pointees = solver.pointees(state.any_out);
        pointees.map(|loc| loc.object.0 as usize).collect::<Vec<_>>()
    };
    let roots = solver.objects.iter().filter(|s| {
        let kind = &s.object.kind;
        matches!(kind, ObjectKind::Global(_) | ObjectKind::Heap { .. })
    });
    let mut work: Vec<usize> = roots.flat_map(led_to).collect();
    while let Some(id) = work.pop() {
        if !found.put(id) {
            work.extend(led_to(&solver.objects[id]));
        }
    }
    found
}

fn flags(solver: &Solver<'_>) -> (FixedBitSet, FixedBitSet) {
    let n = solver.objects.len();
    let [mut escaped, mut restricted] = [0; 2].map(|_| FixedBitSet::with_capacity(n));
    for (id, state) in solver.objects.iter().enumerate() {
        escaped.set(id, state.escaped);
        if let ObjectKind::Param { func, index, path } = &state.object.kind
            && path.is_empty()
        {
            restricted.set(
                id,
                super::is_restrict(solver.module, *func, *index) || solver.known.is_noalias(*func),
            );
        }
    }
    (escaped, restricted)
}
