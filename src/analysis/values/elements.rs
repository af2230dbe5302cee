//! Small arrays of whole numbers whose elements are followed like variables.
//!
//! ```c
//! static int points[3];                              /* followed: points[0] is a name for a number, as n is                         */
//! points[0] = 64; read_input(points);                /* by constant indices, in functions without directives, or not seen           */
//! for (int i = 1; i < points[0] - 1; i++) …
//!
//! static int marks[8];                               /* not followed: a kernel writes it, and may have the only copy                */
//! #pragma omp target teams distribute parallel for
//! for (int i = 0; i < 8; i++) marks[i] = i;
//! ```
//!
//! An element is a place of its own in memory ([`SlotKind::GlobalField`](super::slots::SlotKind)), and what is stored to an index that is not
//! a constant may be any of them. Other than variables, arrays may stay on a device: where directives name an element, the host has to have
//! its newest value. So none is followed that anything but functions without directives may write, be it by a pointer that is handed on.

use crate::analysis::points_to::for_operands;
use crate::program::ir::{Callee, Function, Global, GlobalId, InstId, Module, Op, Operand, Type};
use rustc_hash::{FxHashMap, FxHashSet};

/// Arrays of more elements are tables.
const MOST_ELEMENTS: u64 = 16;

/// The arrays of a program that are followed.
pub fn followed_arrays(module: &Module) -> FxHashSet<GlobalId> {
    let all = (0..module.globals.len()).map(|g| GlobalId(g as u32));
    let mut followed: FxHashSet<GlobalId> = all.filter(|g| may_be_followed(module.global(*g))).collect();
    let held = module.globals.iter().flat_map(|g| &g.init_pointers);
    for (_, address) in held {
        followed.retain(|g| named(address) != Some(*g));
    }
    for function in module.functions.iter().filter(|f| !f.declaration) {
        if followed.is_empty() {
            break;
        }
        let addresses = addresses(function, &followed);
        for id in function.inst_ids() {
            let op = &function.inst(id).op;
            for_operands(op, &mut |operand| {
                let array = addresses.array(operand);
                if let Some(array) = array.filter(|_| !is_followed_use(module, function, op, operand)) {
                    followed.remove(&array);
                }
            });
        }
    }
    followed
}

fn may_be_followed(global: &Global) -> bool {
    let Type::Array(element, count) = &global.ty else {
        return false;
    };
    let is_plain = !global.external && !global.replaceable && !global.on_device && !global.in_section;
    matches!(**element, Type::Int(16 | 32 | 64)) && *count <= MOST_ELEMENTS && is_plain
}

/// The array that an operand is, or an element of.
fn named(operand: &Operand) -> Option<GlobalId> {
    match operand {
        Operand::Global(g) => Some(*g),
        Operand::ConstGep { base, .. } => named(base),
        _ => None,
    }
}

/// The instructions of a function that compute addresses in followed arrays, with these.
struct ArrayAddresses(FxHashMap<InstId, GlobalId>);

impl ArrayAddresses {
    fn array(&self, operand: &Operand) -> Option<GlobalId> {
        match operand {
            Operand::Inst(id) => self.0.get(id).copied(),
            _ => named(operand),
        }
    }
}

fn addresses(function: &Function, followed: &FxHashSet<GlobalId>) -> ArrayAddresses {
    let mut found = ArrayAddresses(FxHashMap::default());
    for id in function.inst_ids() {
        if let Op::Gep { base, .. } = &function.inst(id).op
            && let Some(array) = found.array(base).filter(|array| followed.contains(array))
        {
            found.0.insert(id, array);
        }
    }
    found
}

/// Whether an instruction does with an address in an array what leaves the host's copy the newest one.
fn is_followed_use(module: &Module, function: &Function, op: &Op, address: &Operand) -> bool {
    let has_directives = function.directives > 0 || function.host_directives > 0;
    match op {
        Op::Load { .. } | Op::Gep { .. } => true,
        Op::Store { ptr, value, .. } => ptr == address && value != address && !has_directives,
        Op::Call {
            callee: Callee::Direct(callee),
            ..
        } => module.function(*callee).declaration && !has_directives,
        _ => false,
    }
}
