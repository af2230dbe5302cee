//! From instructions to constraints.

use std::rc::Rc;

use super::fields::{self, FieldStep};
use super::graph::{NodeIndex, PointerSlots, PointerUse};
use super::operands::{constant, function_object, operand_node};
use super::state::{Invocation, Precision, Solver};
use super::variables::{for_operands, named_function};
use crate::program::ir::{
    BinOp, Callee, Cast, FuncId, Function, GlobalId, InstId, Module, Op, Operand, SourceType, Type,
};
use crate::program::objects::{MemLoc, ObjectKind, Site};
use crate::program::start::AT_START;

/// How far an address computed in integers is followed back to the pointer it was made from.
const MAX_INTEGER_DEPTH: usize = 8;

/// Adds the constraints of a whole module.
pub fn generate(solver: &mut Solver<'_>) {
    let module = solver.module;
    for index in 0..module.globals.len() {
        global_object(solver, index);
    }
    for (index, function) in module.functions.iter().enumerate() {
        let func = FuncId(index as u32);
        for variable in &function.variables {
            if let (None, Some(param), SourceType::Record { .. }) =
                (variable.alloca, variable.arg, &variable.source_type)
            {
                let copy = solver.object(ObjectKind::ByVal { func, index: param }, variable.name.clone(), None);
                solver.byval.insert((func, param), copy);
                if let Some(&node) = solver.args[index].get(param as usize) {
                    solver.point(node, MemLoc::start(copy));
                }
            }
        }
    }
    initialisers(solver);
    let standalone = standalone_functions(solver);
    for (index, function) in module.functions.iter().enumerate() {
        let func = FuncId(index as u32);
        allocations(solver, func, standalone[index]);
        for id in function.inst_ids() {
            instruction(solver, func, function, id);
        }
    }
    super::unseen::generate(solver);
    for func in module.listed(AT_START).chain(module.ending()) {
        solver.enter(func);
    }
    for (index, function) in module.functions.iter().enumerate() {
        if function.declaration {
            continue;
        }
        if function.name == "main" {
            solver.enter(FuncId(index as u32));
        } else if !function.internal && !solver.closed {
            let object = function_object(solver, FuncId(index as u32));
            solver.escape(object);
        }
    }
}

fn global_object(solver: &mut Solver<'_>, index: usize) {
    let global = &solver.module.globals[index];
    let id = GlobalId(index as u32);
    let nameless = global.constant && global.source_type.is_none();
    let kind = if nameless {
        ObjectKind::Literal(id)
    } else {
        ObjectKind::Global(id)
    };
    let layout = (global.size > 0).then(|| fields::StorageLayout {
        ty: global.ty.clone(),
        repeated: false,
    });
    let object = solver.object(kind, global.name.clone(), layout);
    solver.state(object).constant = global.constant;
    let visible = (global.external || (!global.internal && !solver.closed)) && !global.is_choice();
    if visible {
        // Constant data that is defined here holds what its initialiser says, whoever sees it.
        if global.external || !global.constant {
            solver.make_opaque(object);
        }
        solver.escape(object);
    }
}

fn initialisers(solver: &mut Solver<'_>) {
    for (index, global) in solver.module.globals.iter().enumerate() {
        let Some(object) = solver.global(GlobalId(index as u32)) else {
            continue;
        };
        for (offset, value) in &global.init_pointers {
            let Some(value) = constant(solver, value) else { continue };
            let cell = match fields::collapse(solver.module, &global.ty, *offset) {
                _ if solver.precision != Precision::Members => solver.cell(object, 0, false),
                Some(at) if !fields::contains_union(solver.module, &global.ty) => solver.cell(object, at, false),
                _ => None,
            };
            let into = cell.unwrap_or(solver.state(object).any_in);
            solver.edge(value, into);
            if solver.precision == Precision::Addresses {
                solver.edge(value, solver.sink);
            }
        }
    }
}

/// For each function, whether it may be called other than by name from this file.
fn standalone_functions(solver: &Solver<'_>) -> Vec<bool> {
    let module = solver.module;
    let mut called = vec![false; module.functions.len()];
    let mut standalone: Vec<bool> = module
        .functions
        .iter()
        .map(|f| f.name == "main" || (!f.internal && !solver.closed))
        .collect();
    for inst in module.functions.iter().flat_map(|f| &f.insts) {
        for_operands(&inst.op, &mut |o| {
            if let Some(f) = named_function(o) {
                standalone[f.0 as usize] = true;
            }
        });
        if let Op::Call {
            callee: Callee::Direct(f),
            ..
        } = &inst.op
        {
            called[f.0 as usize] = true;
        }
    }
    for (_, value) in module.globals.iter().flat_map(|g| &g.init_pointers) {
        if let Some(f) = named_function(value) {
            standalone[f.0 as usize] = true;
        }
    }
    standalone
        .iter()
        .zip(called)
        .map(|(&alone, called)| alone || !called)
        .collect()
}

/// Makes the objects of the allocations whose outermost call is in this function.
fn allocations(solver: &mut Solver<'_>, func: FuncId, standalone: bool) {
    let module = solver.module;
    let returned: Vec<InstId> = solver.wrappers.sites(func).unwrap_or_default().to_vec();
    for inst in crate::analysis::call_graph::calls(module.function(func)) {
        let in_callers_name = returned.contains(&inst);
        if in_callers_name && !standalone {
            continue;
        }
        for chain in solver.wrappers.chains(module, Site { func, inst }) {
            let object = solver.heap(chain.clone());
            for site in chain {
                let node = solver.insts[site.func.0 as usize][site.inst.0 as usize];
                solver.point(node, object);
            }
            if in_callers_name {
                solver.point(solver.rets[func.0 as usize], object);
            }
        }
    }
}

fn slots(module: &Module, ty: &Type) -> PointerSlots {
    Rc::from(fields::slots(module, ty))
}

fn instruction(solver: &mut Solver<'_>, func: FuncId, function: &Function, id: InstId) {
    let inst = function.inst(id);
    let here = solver.insts[func.0 as usize][id.0 as usize];
    let site = Site { func, inst: id };
    let flow = |solver: &mut Solver<'_>, operand: &Operand| flow(solver, func, operand, here);
    match &inst.op {
        op @ Op::Alloca { .. } => {
            let variable = function.variables.iter().find(|v| v.alloca == Some(id));
            let name = variable.map_or_else(|| "a temporary".into(), |v| v.name.clone());
            let object = solver.object(ObjectKind::Local { func, alloca: id }, name, fields::layout_of(op));
            let place = solver.place(MemLoc::start(object));
            solver.gives(site, place);
        }
        Op::Load { ptr, .. } if fields::carries_pointers(&inst.ty) => {
            if let Some(ptr) = operand_node(solver, func, ptr) {
                let slots = slots(solver.module, &inst.ty);
                solver.reads(site, ptr, slots);
            }
        }
        Op::Store { ptr, value, ty, .. } | Op::Atomic { ptr, value, ty } => {
            let Some(ptr) = operand_node(solver, func, ptr) else {
                return;
            };
            let slots = slots(solver.module, ty);
            if let Some(from) = operand_node(solver, func, value).filter(|_| !slots.is_empty()) {
                solver.writes(ptr, from, Rc::clone(&slots));
            }
            if matches!(inst.op, Op::Atomic { .. }) && !slots.is_empty() {
                solver.on(ptr, PointerUse::Load { to: here, slots });
            }
        }
        Op::Gep {
            base,
            source_ty,
            indices,
        } => {
            if let Some(base) = operand_node(solver, func, base) {
                let step = fields::step(solver.module, source_ty, indices);
                solver.steps(site, base, step);
            }
        }
        Op::Binary { op, lhs, rhs, .. } if may_compute_address(*op) => {
            // The distance between two pointers is no pointer.
            let distance = *op == BinOp::Sub && is_cast(function, rhs, Cast::PtrToInt);
            let operands = [lhs, rhs].into_iter().filter(|_| !distance);
            let from: Vec<NodeIndex> = operands.filter_map(|o| operand_node(solver, func, o)).collect();
            let step = FieldStep::Raw(None);
            match from.as_slice() {
                &[one] => solver.steps(site, one, step),
                several => several
                    .iter()
                    .for_each(|from| solver.on(*from, PointerUse::Step { to: here, step })),
            }
        }
        Op::Cast { kind, value, .. } if *kind != Cast::Float => {
            if *kind == Cast::IntToPtr && !made_from_pointer(function, value, MAX_INTEGER_DEPTH) {
                flow(solver, value);
                solver.edge(solver.unknown, here);
            } else if let Some(from) = operand_node(solver, func, value) {
                solver.gives(site, from);
            }
        }
        Op::Phi { incoming } => incoming.iter().for_each(|(_, v)| flow(solver, v)),
        Op::Select { then, other, .. } => [then, other].into_iter().for_each(|v| flow(solver, v)),
        Op::Call { callee, args } => call(solver, func, id, callee, args),
        Op::Ret(Some(value)) if fields::carries_pointers(&function.ret) && solver.wrappers.sites(func).is_none() => {
            if let Some(from) = operand_node(solver, func, value) {
                solver.edge(from, solver.rets[func.0 as usize]);
            }
        }
        Op::Other {
            operands,
            touches_memory,
            ..
        } => opaque(solver, Site { func, inst: id }, operands, *touches_memory),
        _ => {}
    }
}

fn flow(solver: &mut Solver<'_>, func: FuncId, operand: &Operand, to: NodeIndex) {
    if let Some(from) = operand_node(solver, func, operand) {
        solver.edge(from, to);
    }
}

/// An instruction whose result may be any of its operands. If it touches memory it may do what unknown code does.
fn opaque(solver: &mut Solver<'_>, site: Site, operands: &[Operand], touches_memory: bool) {
    let here = solver.insts[site.func.0 as usize][site.inst.0 as usize];
    for operand in operands {
        flow(solver, site.func, operand, here);
        if let (true, Some(from)) = (touches_memory, operand_node(solver, site.func, operand)) {
            solver.edge(from, solver.sink);
        }
    }
    if touches_memory {
        solver.edge(solver.unknown, here);
        solver.targets.entry(site).or_default().unknown = true;
    }
}

fn call(solver: &mut Solver<'_>, func: FuncId, id: InstId, callee: &Callee, args: &[Operand]) {
    let site = Site { func, inst: id };
    let ty = &solver.module.function(func).inst(id).ty;
    let ret = fields::carries_pointers(ty).then(|| solver.insts[func.0 as usize][id.0 as usize]);
    let int = |o: &Operand| {
        if let Operand::Int(n) = o {
            u64::try_from(*n).ok()
        } else {
            None
        }
    };
    let call = Invocation {
        site,
        args: args.iter().map(|a| operand_node(solver, func, a)).collect(),
        ints: args.iter().map(int).collect(),
        ret,
        callback: false,
        later: false,
    };
    // A site is listed even where nothing is known to be called through it.
    solver.targets.entry(site).or_default();
    match callee {
        Callee::Direct(f) => solver.call(*f, &call, true),
        Callee::Asm { .. } => solver.call_unknown(&call),
        Callee::Indirect(pointer) => {
            if let Some(pointer) = operand_node(solver, func, pointer) {
                solver.call_pointer(pointer, call);
            }
        }
    }
}

fn may_compute_address(op: BinOp) -> bool {
    use BinOp::{AShr, Add, And, LShr, Or, Shl, Sub, Xor};
    matches!(op, Add | Sub | And | Or | Xor | Shl | LShr | AShr)
}

fn is_cast(function: &Function, operand: &Operand, wanted: Cast) -> bool {
    matches!(operand, Operand::Inst(id) if matches!(function.inst(*id).op, Op::Cast { kind, .. } if kind == wanted))
}

/// Whether an integer is computed, in the same expression, from a pointer; or is a constant, which points nowhere.
fn made_from_pointer(function: &Function, operand: &Operand, depth: usize) -> bool {
    let Operand::Inst(id) = operand else {
        return matches!(operand, Operand::Int(_) | Operand::Null);
    };
    match &function.inst(*id).op {
        Op::Cast {
            kind: Cast::PtrToInt, ..
        } => true,
        Op::Cast { value, .. } if depth > 0 => made_from_pointer(function, value, depth - 1),
        Op::Binary { lhs, rhs, .. } if depth > 0 => {
            let from = |o| !matches!(o, &Operand::Int(_)) && made_from_pointer(function, o, depth - 1);
            from(lhs) || from(rhs)
        }
        _ => false,
    }
}
