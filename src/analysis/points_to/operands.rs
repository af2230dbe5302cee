//! Nodes and locations of operands.

use super::fields;
use super::graph::NodeIndex;
use super::state::{Precision, Solver};
use crate::program::ir::{FuncId, Operand};
use crate::program::objects::{Field, MemLoc, ObjectId, ObjectKind, Site};

/// The object of a function's code.
pub fn function_object(solver: &mut Solver<'_>, func: FuncId) -> ObjectId {
    let name = solver.module.function(func).name.clone();
    solver.object(ObjectKind::Function(func), name, None)
}

/// The location that a constant operand names; `None` for numbers and null.
pub fn constant_location(solver: &mut Solver<'_>, operand: &Operand) -> Option<MemLoc> {
    match operand {
        Operand::Global(g) => solver.global(*g).map(MemLoc::start),
        Operand::Function(f) => Some(MemLoc::start(function_object(solver, *f))),
        Operand::ConstGep { base, bytes } => {
            let loc = constant_location(solver, base)?;
            let module = solver.module;
            let layout = solver.state(loc.object).layout.clone();
            let field = match (&layout, loc.field) {
                _ if *bytes == 0 || solver.precision != Precision::Members => loc.field,
                // A constant address is exact, so it need not be added to an already collapsed offset.
                (Some(layout), Field::Offset(_)) => {
                    fields::add(module, Some(layout), 0, Field::Offset(0), total(operand))
                }
                _ => Field::Any,
            };
            Some(MemLoc {
                object: loc.object,
                field,
            })
        }
        Operand::OtherConst => Some(MemLoc::whole(ObjectId::EXTERNAL)),
        _ => None,
    }
}

/// Bytes from the innermost base.
fn total(operand: &Operand) -> i64 {
    match operand {
        Operand::ConstGep { base, bytes } => total(base).saturating_add(*bytes),
        _ => 0,
    }
}

/// The node of a constant operand; `None` for numbers and null.
pub fn constant(solver: &mut Solver<'_>, operand: &Operand) -> Option<NodeIndex> {
    let loc = constant_location(solver, operand)?;
    Some(solver.place(loc))
}

/// The node of any operand of `func`; `None` for numbers and null.
pub fn operand_node(solver: &mut Solver<'_>, func: FuncId, operand: &Operand) -> Option<NodeIndex> {
    match operand {
        Operand::Inst(inst) => Some(solver.asked(Site { func, inst: *inst })),
        Operand::Arg(n) => solver.args[func.0 as usize].get(*n as usize).copied(),
        _ => constant(solver, operand),
    }
}
