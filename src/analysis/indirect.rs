//! Subscripts that a program reads from memory.
//!
//! ```c
//! for (int e = first[v]; e < first[v + 1]; e++)      // `e` begins and ends with what is read: which elements of `target` these are, nobody knows
//!     sum += weight[target[e]];                      // so it is with `weight`
//!     sum += table[byte[e]];                         // of what is read in a small type it is known how large it can be
//! ```

use super::access::Access;
use super::function::FunctionModel;
use super::values::table::SymKind;
use super::values::version::Version;
use crate::program::graph::NodeId;
use crate::program::ir::{Function, Op, Operand, Type};
use crate::symbolic::{Expr, Sym};

/// Types with fewer bits say how large a subscript can be.
const LARGE: u32 = 32;

/// Whether an access is to an element whose number is read from memory, or counts from what is read to what is read.
pub fn is_indirect(model: &FunctionModel<'_>, access: &Access) -> bool {
    let symbols = access.at.iter().flat_map(|at| at.offset.symbols());
    symbols
        .into_iter()
        .any(|sym| is_read(model, sym) || counts_between_read(model, access, sym))
}

/// Whether a symbol is what a load has brought, of an element or of a number that a variable was given.
fn is_read(model: &FunctionModel<'_>, sym: Sym) -> bool {
    let function = model.function();
    match model.values.kind(sym) {
        SymKind::Inst(inst) => is_load(function, &Operand::Inst(inst)),
        SymKind::Cast(of, _) => is_read(model, of),
        SymKind::Slot(_, Version::Def(store)) => match &function.inst(store).op {
            Op::Store { value, .. } => is_load(function, value),
            _ => false,
        },
        SymKind::Slot(..) | SymKind::Arg(_) | SymKind::Bound(_) => false,
    }
}

fn is_load(function: &Function, operand: &Operand) -> bool {
    let Operand::Inst(inst) = operand else { return false };
    let inst = function.inst(*inst);
    match &inst.op {
        Op::Load { .. } => matches!(inst.ty, Type::Int(bits) if bits >= LARGE),
        Op::Cast { value, .. } => is_load(function, value),
        _ => false,
    }
}

/// Whether a loop around an access counts from what a load has brought, and no bound that is known ends it.
fn counts_between_read(model: &FunctionModel<'_>, access: &Access, sym: Sym) -> bool {
    let values = model.values;
    let (slot, at) = match values.kind(sym) {
        SymKind::Slot(slot, Version::Phi(at)) => (slot, at),
        SymKind::Cast(of, _) => return counts_between_read(model, access, of),
        _ => return false,
    };
    let has_read = |e: &Expr| e.symbols().into_iter().any(|sym| is_read(model, sym));
    let mut loops = model.loops.of_node(model.tree, values, access.node);
    let Some(counting) = loops.find(|l| l.header == at) else {
        return false;
    };
    let mut bounds = counting.induction.iter().chain(&counting.limits);
    let begins = |before: &NodeId| match values.versions.after(*before, slot) {
        Version::Unreached => false,
        version => has_read(&values.slot_int(slot, version)),
    };
    bounds.all(|bound| bound.sym != sym || has_read(&bound.lo) && has_read(&bound.hi))
        && model.fine.node(at).preds.iter().any(begins)
}
