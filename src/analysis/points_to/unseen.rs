//! Code that the instructions do not show: what it may name escapes.
//!
//! ```c
//! static double a[64];
//! void clear(void) { __asm__ volatile("movq $0, a+40(%%rip)" ::: "memory"); }     /* writes a[5] */
//! ```
//!
//! Unseen are statements of an assembler that may touch memory (a `memory` clobber), functions whose place another one
//! may take (`declare variant`), and directives that evaluate what stands nowhere ([`Function::unseen`]). All that
//! their file can name is within their reach: its variables and functions, and the locals of a function of which not
//! all is seen.
//!
//! And a linker makes arrays of what lies in sections of their own (`__start_s`, `__stop_s`), which programs run through.
//!
//! [`Function::unseen`]: crate::program::ir::Function::unseen

use super::operands::function_object;
use super::state::Solver;
use crate::program::ir::{Callee, FuncId, GlobalId, InstId, Op};
use crate::program::objects::{ObjectKind, Site};
use rustc_hash::FxHashSet;

/// Lets escape what unseen code may name.
pub(super) fn generate(solver: &mut Solver<'_>) {
    let module = solver.module;
    let mut units: FxHashSet<u32> = FxHashSet::default();
    for (index, function) in module.functions.iter().enumerate() {
        if function.declaration {
            continue;
        }
        if function.unseen.is_some() {
            units.insert(function.unit);
            locals(solver, FuncId(index as u32));
        }
        if function.insts.iter().any(|i| names_memory(&i.op)) {
            units.insert(function.unit);
        }
    }
    let inside = module.functions.iter().filter(|f| units.contains(&f.unit));
    let names: FxHashSet<&str> = inside.map(|f| f.name.as_str()).collect();
    for (index, global) in module.globals.iter().enumerate() {
        let id = GlobalId(index as u32);
        let named = || units.iter().any(|unit| module.seen(*unit, id).is_some());
        let of_function = || global.in_function.as_deref().is_some_and(|f| names.contains(f));
        if (global.in_section || of_function() || named())
            && let Some(object) = solver.global(id)
        {
            solver.escape(object);
        }
    }
    for (index, function) in module.functions.iter().enumerate() {
        if !function.declaration && units.contains(&function.unit) {
            let object = function_object(solver, FuncId(index as u32));
            solver.escape(object);
        }
    }
}

/// Lets the locals of a function escape, and it call anything.
fn locals(solver: &mut Solver<'_>, func: FuncId) {
    let function = solver.module.function(func);
    solver
        .targets
        .entry(Site { func, inst: InstId(0) })
        .or_default()
        .unknown = true;
    for alloca in function.inst_ids() {
        if let Some(object) = solver.index.get(&ObjectKind::Local { func, alloca }).copied() {
            solver.escape(object);
        }
    }
}

/// Whether an instruction is assembly that may use variables by their names.
fn names_memory(op: &Op) -> bool {
    matches!(
        op,
        Op::Call {
            callee: Callee::Asm { names_memory: true },
            ..
        }
    )
}
