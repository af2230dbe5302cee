//! Which local variables are only ever read and written by name.

use crate::analysis::known::KnownFunctions;
use crate::analysis::libc;
use crate::program::ir::{Callee, FuncId, Function, InstId, Module, Op, Operand, Type, VarId};

/// Whether an `alloca`'s address is used other than to read or write the whole variable there and then. A variable
/// whose address is not taken changes only where its name is assigned.
pub fn address_taken(func: &Function, alloca: InstId) -> bool {
    let Op::Alloca { ty, count: None } = &func.inst(alloca).op else {
        return true;
    };
    let here = Operand::Inst(alloca);
    func.insts.iter().any(|inst| match &inst.op {
        Op::Load { ptr, .. } => *ptr == here && inst.ty != *ty,
        Op::Store {
            ptr, value, ty: stored, ..
        } => *value == here || (*ptr == here && stored != ty),
        op => mentions(op, &here),
    })
}

/// [`address_taken`] for every variable of a function; a variable without an `alloca` counts as taken.
pub fn all_address_taken(module: &Module, func: &Function) -> Vec<bool> {
    // One pass over the instructions for all variables together: a function may have thousands of both.
    let mut taken = vec![false; func.insts.len()];
    for inst in &func.insts {
        match &inst.op {
            Op::Load { ptr, .. } => mark_unless(&mut taken, ptr, alloca_type(func, ptr) == Some(&inst.ty)),
            Op::Store { ptr, value, ty, .. } => {
                mark_unless(&mut taken, value, false);
                mark_unless(&mut taken, ptr, alloca_type(func, ptr) == Some(ty));
            }
            Op::Call {
                callee: Callee::Direct(f),
                ..
            } if is_marker(&module.function(*f).name) => {}
            op => for_operands(op, &mut |o| mark_unless(&mut taken, o, false)),
        }
    }
    func.variables
        .iter()
        .map(|v| v.vla || v.alloca.is_none_or(|a| taken[a.0 as usize]))
        .collect()
}

/// The variables whose address is not taken, for [`super::PointsTo`].
pub fn is_taken(taken: &[bool], var: VarId) -> bool {
    taken.get(var.0 as usize).copied().unwrap_or(true)
}

/// Intrinsics that mention an address without using it.
fn is_marker(name: &str) -> bool {
    name.starts_with("llvm.lifetime.") || name.starts_with("llvm.dbg.")
}

fn alloca_type<'f>(func: &'f Function, ptr: &Operand) -> Option<&'f Type> {
    match ptr {
        Operand::Inst(id) => match &func.inst(*id).op {
            Op::Alloca { ty, count: None } => Some(ty),
            _ => None,
        },
        _ => None,
    }
}

fn mark_unless(taken: &mut [bool], operand: &Operand, harmless: bool) {
    if let (Operand::Inst(id), false) = (operand, harmless) {
        taken[id.0 as usize] = true;
    }
}

fn mentions(op: &Op, operand: &Operand) -> bool {
    let mut found = false;
    for_operands(op, &mut |o| found |= o == operand);
    found
}

/// Calls `visit` with every operand of an instruction, callees included.
pub fn for_operands<'o>(op: &'o Op, visit: &mut dyn FnMut(&'o Operand)) {
    match op {
        Op::Alloca { count, .. } => count.iter().for_each(visit),
        Op::Load { ptr, .. } => visit(ptr),
        Op::Store { ptr, value, .. } | Op::Atomic { ptr, value, .. } => [ptr, value].into_iter().for_each(visit),
        Op::Gep { base, indices, .. } => {
            visit(base);
            indices.iter().for_each(visit);
        }
        Op::Binary { lhs, rhs, .. } | Op::Cmp { lhs, rhs, .. } => [lhs, rhs].into_iter().for_each(visit),
        Op::Cast { value, .. } | Op::Switch { value, .. } => visit(value),
        Op::Phi { incoming } => incoming.iter().for_each(|(_, v)| visit(v)),
        Op::Select { cond, then, other } => [cond, then, other].into_iter().for_each(visit),
        Op::Call { callee, args } => {
            if let Callee::Indirect(f) = callee {
                visit(f);
            }
            args.iter().for_each(visit);
        }
        Op::CondBr { cond, .. } => visit(cond),
        Op::Ret(value) => value.iter().for_each(visit),
        Op::Other { operands, .. } => operands.iter().for_each(visit),
        Op::Br { .. } | Op::Unreachable => {}
    }
}

/// The function a constant operand names, through constant offsets.
pub fn named_function(operand: &Operand) -> Option<FuncId> {
    match operand {
        Operand::Function(f) => Some(*f),
        Operand::ConstGep { base, .. } => named_function(base),
        _ => None,
    }
}

/// Whether the module is closed: it has `main`, and of whatever runs apart from its own functions it is known what
/// it does.
pub fn is_closed(module: &Module, known: &KnownFunctions) -> bool {
    let main = module.functions.iter().any(|f| f.name == "main" && !f.declaration);
    let known = |id: FuncId| {
        let f = module.function(id);
        !f.declaration || known.of(id).is_some() || (f.attrs.memory_none && f.attrs.nocallback)
    };
    let uses_only_known = |op: &Op| {
        let mut all = true;
        for_operands(op, &mut |o| all &= named_function(o).is_none_or(known));
        all && match op {
            Op::Call {
                callee: Callee::Direct(f),
                ..
            } => known(*f),
            Op::Call {
                callee: Callee::Asm { .. },
                ..
            } => false,
            Op::Other { touches_memory, .. } => !touches_memory,
            _ => true,
        }
    };
    main && module.functions.iter().all(|f| f.unseen.is_none())
        && module
            .functions
            .iter()
            .flat_map(|f| &f.insts)
            .all(|i| uses_only_known(&i.op))
        && module.globals.iter().all(|g| {
            (!g.external || g.is_choice() || libc::is_library_global(&g.name))
                && g.init_pointers.iter().all(|(_, o)| named_function(o).is_none_or(known))
        })
}
