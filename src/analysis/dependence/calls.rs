//! What else instructions of a loop may do: calls, volatile accesses, assembly, types that devices lack.
//!
//! A call is harmless when it only computes: a function of the mathematical library that devices have too, or a function
//! of the program that touches no memory but its own variables and calls nothing else but such. On a device `sqrt` does not
//! set `errno`, so in a program that may look at `errno` these calls stay where they are: one that asks for its address, calls
//! `perror` or `warn`, prints with `%m`, or is not known as a whole. `memset` and `memcpy` are accesses like any other.

use super::frame::Frame;
use super::pointers::has_addresses;
use super::touch::on_device;
use super::verdict::{CallTrouble, LoopRefusal, Obstacle};
use crate::analysis::effects::EffectSet;
use crate::analysis::function::FunctionModel;
use crate::program::ir::{BinOp, Callee, FuncId, Function, InstId, Module, Op, Operand, Type};

/// Mathematical functions on doubles that devices have, each also as `...f`.
const DEVICE_MATH: [&str; 51] = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "ceil",
    "copysign",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "exp2",
    "expm1",
    "fabs",
    "fdim",
    "floor",
    "fma",
    "fmax",
    "fmin",
    "fmod",
    "hypot",
    "ilogb",
    "ldexp",
    "llrint",
    "llround",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "lrint",
    "lround",
    "nearbyint",
    "nextafter",
    "pow",
    "remainder",
    "rint",
    "round",
    "scalbln",
    "scalbn",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "tgamma",
    "trunc",
];
/// Mathematical functions on devices that never set `errno`.
const NO_ERRNO: [&str; 11] = [
    "ceil",
    "copysign",
    "fabs",
    "floor",
    "fmax",
    "fmin",
    "nearbyint",
    "rint",
    "round",
    "trunc",
    "cbrt",
];
/// Others that only compute.
const DEVICE_OTHER: [&str; 14] = [
    "abs",
    "labs",
    "llabs",
    "llvm.fmuladd",
    "llvm.smax",
    "llvm.smin",
    "llvm.umax",
    "llvm.umin",
    "llvm.bswap",
    "llvm.ctpop",
    "llvm.expect",
    "llvm.lifetime.start",
    "llvm.maxnum",
    "llvm.minnum",
];

/// Refuses what is neither computation nor memory access.
pub(super) fn check(frame: &Frame<'_, '_>) -> Result<(), LoopRefusal> {
    let model = frame.model();
    let function = model.function();
    for id in frame.body.insts(function) {
        let inst = function.inst(id);
        let refused = |reason| Err(LoopRefusal::new(reason, frame.stmt, [id]));
        if uses_shared(model, id) {
            return refused(Obstacle::Special);
        }
        match &inst.op {
            Op::Load { volatile: true, .. } | Op::Store { volatile: true, .. } | Op::Atomic { .. } => {
                return refused(Obstacle::Special);
            }
            Op::Other {
                touches_memory: true, ..
            } => return refused(Obstacle::Special),
            Op::Call {
                callee: Callee::Asm { .. },
                ..
            } => return refused(Obstacle::Special),
            Op::Call { .. } if model.copies_bytes(id) && is_in_line(model, id) => {}
            Op::Call { callee, .. } => {
                if let Some((callee, why)) = trouble(frame, id, callee) {
                    return refused(Obstacle::Call { callee, why });
                }
            }
            Op::Alloca { .. } => return refused(Obstacle::VariableLength),
            op if is_fmod(op) => {
                if let Some(why) = frame.shared.errno {
                    return refused(Obstacle::Call { callee: None, why });
                }
            }
            _ => {}
        }
        if !on_device(&inst.ty) || stores_host_type(&inst.op) {
            return refused(Obstacle::HostType);
        }
    }
    Ok(())
}

/// Whether an instruction uses memory that may have several addresses, or that others use at any time: comparing addresses says
/// nothing of two mappings of one file.
fn uses_shared(model: &FunctionModel<'_>, inst: InstId) -> bool {
    let points_to = model.points_to;
    let shared = |address: &Operand| {
        let mut locs = points_to.of_operand(model.func, address).iter();
        locs.any(|l| points_to.is_shared(l.object))
    };
    match &model.function().inst(inst).op {
        Op::Load { ptr, .. } | Op::Store { ptr, .. } => shared(ptr),
        Op::Call { args, .. } => args.iter().any(shared),
        _ => false,
    }
}

/// Whether compilers replace a call by instructions, on devices too.
fn is_in_line(model: &FunctionModel<'_>, inst: InstId) -> bool {
    let Op::Call {
        callee: Callee::Direct(f),
        ..
    } = &model.function().inst(inst).op
    else {
        return false;
    };
    model.points_to.known().of(*f).is_some_and(|known| known.inline)
}

fn stores_host_type(op: &Op) -> bool {
    match op {
        Op::Store { ty, .. } => !on_device(ty),
        Op::Cast { from, .. } => !on_device(from),
        _ => false,
    }
}

fn trouble(frame: &Frame<'_, '_>, call: InstId, callee: &Callee) -> Option<(Option<FuncId>, CallTrouble)> {
    let model = frame.model();
    let Callee::Direct(f) = callee else {
        return Some((None, CallTrouble::Unknown));
    };
    if is_device_math(model.module, *f) {
        return errno(frame, *f).map(|why| (Some(*f), why));
    }
    let effects = model.effects.of_call(model.func, call);
    let why = by_effects(&effects).or_else(|| not_on_device(frame, *f, &mut Vec::new()));
    why.map(|why| (Some(*f), why))
}

/// Whether clang has made an instruction of a call of `fmod`: without `errno` there is no difference. No operator of C is one.
fn is_fmod(op: &Op) -> bool {
    matches!(op, Op::Binary { op: BinOp::FRem, .. })
}

/// Why a mathematical function must set `errno`, if it does and somebody may look at that afterwards.
fn errno(frame: &Frame<'_, '_>, f: FuncId) -> Option<CallTrouble> {
    let function = frame.model().module.function(f);
    let name = function.name.as_str();
    let silent = |n: &str| NO_ERRNO.contains(&n) || DEVICE_OTHER.contains(&n);
    let silent = silent(name) || name.strip_suffix('f').is_some_and(silent);
    frame.shared.errno.filter(|_| !silent)
}

/// Whether a function is declared here and is one that devices have.
fn is_device_math(module: &Module, f: FuncId) -> bool {
    let function: &Function = module.function(f);
    let name = function.name.as_str();
    let long = function.ret == Type::Float(80) || function.params.contains(&Type::Float(80));
    let listed = |name: &str| DEVICE_MATH.contains(&name) || DEVICE_OTHER.contains(&name);
    function.declaration && !long && (listed(name) || name.strip_suffix('f').is_some_and(|n| DEVICE_MATH.contains(&n)))
}

fn by_effects(effects: &EffectSet) -> Option<CallTrouble> {
    if effects.unknown {
        return Some(CallTrouble::Unknown);
    }
    if effects.io {
        return Some(CallTrouble::InputOutput);
    }
    if effects.state || effects.device_api {
        return Some(CallTrouble::State);
    }
    if effects.may_not_return {
        return Some(CallTrouble::MayNotReturn);
    }
    let memory = [effects.reads.is_empty(), effects.writes.is_empty()];
    let objects = [effects.frees.is_empty(), effects.allocates.is_empty()];
    (memory.contains(&false) || objects.contains(&false)).then_some(CallTrouble::Memory)
}

/// What keeps a function of the program, with all that it calls, from being compiled for the device.
fn not_on_device(frame: &Frame<'_, '_>, f: FuncId, active: &mut Vec<FuncId>) -> Option<CallTrouble> {
    let module = frame.model().module;
    let function = module.function(f);
    if active.contains(&f) {
        return Some(CallTrouble::Recursive);
    }
    let own = function.unit == frame.model().function().unit;
    if function.declaration || function.variadic || function.replaceable || !own || function.in_header {
        return Some(CallTrouble::NotOnDevice);
    }
    if has_addresses(function) {
        return Some(CallTrouble::NotOnDevice);
    }
    active.push(f);
    let found = function.inst_ids().find_map(|id| {
        let inst = function.inst(id);
        match &inst.op {
            Op::Call {
                callee: Callee::Direct(g),
                ..
            } if is_device_math(module, *g) => errno(frame, *g),
            Op::Call {
                callee: Callee::Direct(g),
                ..
            } => not_on_device(frame, *g, active),
            Op::Call { .. }
            | Op::Atomic { .. }
            | Op::Other {
                touches_memory: true, ..
            } => Some(CallTrouble::NotOnDevice),
            Op::Load { volatile: true, .. } | Op::Store { volatile: true, .. } => Some(CallTrouble::NotOnDevice),
            _ if !on_device(&inst.ty) || stores_host_type(&inst.op) => Some(CallTrouble::NotOnDevice),
            op if is_fmod(op) => frame.shared.errno,
            _ => None,
        }
    });
    active.pop();
    found
}
