//! Subscripts that a program reads from memory.
//!
//! ```c
//! for (int e = first[v]; e < first[v + 1]; e++)      // `e` begins with what is read: which elements of `target` these are, nobody knows
//!     sum += weight[target[e]];                      // so it is with `weight`
//! ```

use super::access::Access;
use super::function::FunctionModel;
use super::values::table::SymKind;
use super::values::version::Version;
use crate::program::ir::{Function, Op, Operand};
use crate::symbolic::Sym;

/// Whether an access is to an element whose number is read from memory, or counted from one that is.
pub fn is_indirect(model: &FunctionModel<'_>, access: &Access) -> bool {
    let symbols = access.at.iter().flat_map(|at| at.offset.symbols());
    symbols
        .into_iter()
        .any(|sym| is_read(model, sym) || counts_from_read(model, sym))
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
    match &function.inst(*inst).op {
        Op::Load { .. } => true,
        Op::Cast { value, .. } => is_load(function, value),
        _ => false,
    }
}

/// Whether a variable gets what a load has brought on one of the ways that come together in front of its use.
fn counts_from_read(model: &FunctionModel<'_>, sym: Sym) -> bool {
    let values = model.values;
    let (slot, at) = match values.kind(sym) {
        SymKind::Slot(slot, Version::Phi(at)) => (slot, at),
        SymKind::Cast(of, _) => return counts_from_read(model, of),
        _ => return false,
    };
    model.fine.node(at).preds.iter().any(|before| {
        let arriving = match values.versions.after(*before, slot) {
            Version::Unreached => return false,
            version => values.slot_int(slot, version),
        };
        arriving.symbols().into_iter().any(|sym| is_read(model, sym))
    })
}
