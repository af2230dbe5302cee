//! Minima and maxima: `if (x > m) m = x;`, `m = x > m ? x : m;`, `m = fmax(m, x)`.
//!
//! The value compared and the value stored are evaluated twice; they are the same when they are read in the same way and
//! nothing is written between. The comparison has to be that of the variable's own type, signed or not: where a narrow
//! variable is compared as an `int`, both sides have to be widened as its type is. (`unsigned short` values above 32767 are
//! negative once they are in a `short`: then the last of them counts, and not the greatest.)
//!
//! The comparison, too, sees what the variable is worth between. So nothing but the store may depend on it: no other store
//! beside (`{ m = x; at = i; }`), no other way (`else n++;`), no loop that asks again, and no value
//! (`n += x > m && (m = x, 1)`).

use super::body::insts_of;
use super::frame::Frame;
use super::header::matters;
use super::same::ReductionUpdate;
use super::same::{quiet, same_value, way_in};
use super::verdict::ReductionOp;
use crate::program::ir::{BlockId, Callee, Cast, Function, InstId, Op, Operand, Pred, SourceType, Type, VarId};

/// The update of a minimum or maximum that ends in a store.
pub(super) fn extreme(frame: &Frame<'_, '_>, var: VarId, home: InstId, store: InstId) -> Option<ReductionUpdate> {
    let function = frame.model().function();
    let Op::Store { value, .. } = &function.inst(store).op else {
        return None;
    };
    let here = function.inst(store).block;
    if let Operand::Inst(id) = value {
        match &function.inst(*id).op {
            Op::Phi { incoming } => return chosen(frame, var, home, store, incoming),
            Op::Call {
                callee: Callee::Direct(f),
                args,
            } => {
                let callee = frame.model().module.function(*f);
                return called(frame, home, store, *id, callee, args);
            }
            _ => {}
        }
    }
    // if (x > m) m = x;
    let (branch, taken) = way_in(frame, here)?;
    let compared = comparison(frame, var, home, branch)?;
    let same = same_value(frame, &compared.other, value, 0) && quiet(frame, branch, here, store);
    let alone = only_store(frame, here, store) && decides_nothing_else(frame, branch, here);
    let op = compared.op(taken)?;
    (same && alone && single(frame, compared.load)).then_some(ReductionUpdate {
        op,
        loads: vec![compared.load],
        store,
    })
}

/// Whether a block does nothing but one store.
fn only_store(frame: &Frame<'_, '_>, block: BlockId, store: InstId) -> bool {
    let function = frame.model().function();
    let mut effects = insts_of(function, block).filter(|i| matters(&function.inst(*i).op));
    effects.next() == Some(store) && effects.next().is_none()
}

/// Whether all that a branch decides is whether one block runs: behind it the ways are one, and no value tells which was taken.
fn decides_nothing_else(frame: &Frame<'_, '_>, branch: BlockId, block: BlockId) -> bool {
    let function = frame.model().function();
    let last = InstId(function.block(branch).end.0 - 1);
    let opposite = match &function.inst(last).op {
        Op::CondBr { then, other, .. } if *then == block => *other,
        Op::CondBr { then, other, .. } if *other == block => *then,
        _ => return false,
    };
    let Some(after) = only_way_out(function, block) else {
        return false;
    };
    let join = beyond(function, after);
    let mut phis = insts_of(function, join).filter(|i| matches!(function.inst(*i).op, Op::Phi { .. }));
    join == beyond(function, opposite) && phis.next().is_none()
}

/// Where a block goes, if it goes one way.
fn only_way_out(function: &Function, block: BlockId) -> Option<BlockId> {
    let last = InstId(function.block(block).end.0 - 1);
    match &function.inst(last).op {
        Op::Br { target, .. } => Some(*target),
        _ => None,
    }
}

/// The first block from here on in which there is anything.
fn beyond(function: &Function, start: BlockId) -> BlockId {
    let mut block = start;
    for _ in 0..function.blocks.len() {
        let is_empty = function.block(block).end.0 - function.block(block).first.0 == 1;
        match only_way_out(function, block) {
            Some(next) if is_empty => block = next,
            _ => break,
        }
    }
    block
}

struct ExtremeTest {
    /// With the variable on the right: `other PRED variable`.
    pred: Pred,
    other: Operand,
    load: InstId,
}

impl ExtremeTest {
    /// What it means that the other value is stored where the comparison is `truth`.
    fn op(&self, truth: bool) -> Option<ReductionOp> {
        match (self.pred, truth) {
            (Pred::Gt | Pred::Ge, true) | (Pred::Lt | Pred::Le, false) => Some(ReductionOp::Max),
            (Pred::Lt | Pred::Le, true) | (Pred::Gt | Pred::Ge, false) => Some(ReductionOp::Min),
            _ => None,
        }
    }
}

/// The comparison with the variable that a block ends in.
fn comparison(frame: &Frame<'_, '_>, var: VarId, home: InstId, block: BlockId) -> Option<ExtremeTest> {
    let function = frame.model().function();
    let last = InstId(function.block(block).end.0 - 1);
    let Op::CondBr {
        cond: Operand::Inst(cmp),
        ..
    } = &function.inst(last).op
    else {
        return None;
    };
    let Op::Cmp {
        pred,
        lhs,
        rhs,
        signed,
        float,
    } = &function.inst(*cmp).op
    else {
        return None;
    };
    let fits = match function.variables[var.0 as usize].source_type {
        // A narrow unsigned one is not negative as an `int`.
        SourceType::Int { signed: s, bytes } => !float && (s == *signed || bytes < 4 && !s),
        SourceType::Float { .. } => *float,
        _ => false,
    };
    let is_load = |o: &Operand| {
        let id = widened_from(frame, var, o)?;
        matches!(&function.inst(id).op, Op::Load { ptr, volatile: false } if *ptr == Operand::Inst(home)).then_some(id)
    };
    if !fits || frame.shared.users[cmp.0 as usize].len() != 1 {
        return None;
    }
    // What is stored is compared as it will be read.
    let as_read = |o: &Operand| {
        let Operand::Inst(id) = o else { return true };
        match &function.inst(*id).op {
            Op::Cast {
                kind: kind @ (Cast::SExt | Cast::ZExt),
                from,
                ..
            } => *kind == widening(frame, var) || width_of(function, home) != Some(from),
            _ => true,
        }
    };
    if ![lhs, rhs].into_iter().all(as_read) {
        return None;
    }
    match (is_load(lhs), is_load(rhs)) {
        (None, Some(load)) => Some(ExtremeTest {
            pred: *pred,
            other: lhs.clone(),
            load,
        }),
        (Some(load), None) => {
            let pred = match pred {
                Pred::Lt => Pred::Gt,
                Pred::Le => Pred::Ge,
                Pred::Gt => Pred::Lt,
                Pred::Ge => Pred::Le,
                _ => return None,
            };
            Some(ExtremeTest {
                pred,
                other: rhs.clone(),
                load,
            })
        }
        _ => None,
    }
}

/// How a variable is widened.
fn widening(frame: &Frame<'_, '_>, var: VarId) -> Cast {
    match frame.model().function().variables[var.0 as usize].source_type {
        SourceType::Int { signed: false, .. } => Cast::ZExt,
        _ => Cast::SExt,
    }
}

/// The type that a variable has in memory.
fn width_of(function: &Function, home: InstId) -> Option<&Type> {
    match &function.inst(home).op {
        Op::Alloca { ty, .. } => Some(ty),
        _ => None,
    }
}

/// What an operand is widened from as a variable is, or itself.
fn widened_from(frame: &Frame<'_, '_>, var: VarId, operand: &Operand) -> Option<InstId> {
    let function = frame.model().function();
    let Operand::Inst(id) = operand else { return None };
    match &function.inst(*id).op {
        Op::Cast { kind, value, .. }
            if *kind == widening(frame, var) && frame.shared.users[id.0 as usize].len() == 1 =>
        {
            widened_from(frame, var, value)
        }
        _ => Some(*id),
    }
}

/// Whether a load is used once.
fn single(frame: &Frame<'_, '_>, load: InstId) -> bool {
    frame.shared.users[load.0 as usize].len() == 1
}

/// `m = x > m ? x : m;`
fn chosen(
    frame: &Frame<'_, '_>,
    var: VarId,
    home: InstId,
    store: InstId,
    incoming: &[(BlockId, Operand)],
) -> Option<ReductionUpdate> {
    let function = frame.model().function();
    let [(b1, v1), (b2, v2)] = incoming else { return None };
    let load_of = |v: &Operand| match v {
        Operand::Inst(id) => {
            let is = matches!(&function.inst(*id).op, Op::Load { ptr, volatile: false } if *ptr == Operand::Inst(home));
            (is && single(frame, *id)).then_some(*id)
        }
        _ => None,
    };
    let (kept, new, from) = match (load_of(v1), load_of(v2)) {
        (Some(kept), None) => (kept, v2, *b2),
        (None, Some(kept)) => (kept, v1, *b1),
        _ => return None,
    };
    let other = if from == *b1 { *b2 } else { *b1 };
    let (branch, taken) = way_in(frame, from)?;
    let (same_branch, not_taken) = way_in(frame, other)?;
    if branch != same_branch || taken == not_taken {
        return None;
    }
    let compared = comparison(frame, var, home, branch)?;
    let nothing = |block: BlockId| {
        let writes = |i: InstId| {
            matches!(
                function.inst(i).op,
                Op::Store { .. } | Op::Atomic { .. } | Op::Call { .. }
            )
        };
        !insts_of(function, block).any(writes)
    };
    let join = function.inst(store).block;
    let at_once = [from, other].iter().all(|b| only_way_out(function, *b) == Some(join));
    let phi_used_once = match &function.inst(store).op {
        Op::Store {
            value: Operand::Inst(phi),
            ..
        } => single(frame, *phi),
        _ => false,
    };
    let same = same_value(frame, &compared.other, new, 0) && [branch, from, other].into_iter().all(nothing);
    let op = compared.op(taken)?;
    (same && at_once && phi_used_once && single(frame, compared.load)).then_some(ReductionUpdate {
        op,
        loads: vec![compared.load, kept],
        store,
    })
}

/// `m = fmax(m, x);`
fn called(
    frame: &Frame<'_, '_>,
    home: InstId,
    store: InstId,
    call: InstId,
    callee: &Function,
    args: &[Operand],
) -> Option<ReductionUpdate> {
    let function = frame.model().function();
    if !callee.declaration || !matches!(callee.ret, Type::Float(_)) {
        return None;
    }
    let op = match callee.name.as_str() {
        "fmax" | "fmaxf" | "llvm.maxnum" => ReductionOp::Max,
        "fmin" | "fminf" | "llvm.minnum" => ReductionOp::Min,
        _ => return None,
    };
    let of_home = |o: &&Operand| {
        matches!(o, Operand::Inst(id) if single(frame, *id)
            && matches!(&function.inst(*id).op, Op::Load { ptr, volatile: false } if *ptr == Operand::Inst(home)))
    };
    let mut loads = args.iter().filter(of_home);
    let load = loads.next().filter(|_| loads.next().is_none() && single(frame, call))?;
    match load {
        Operand::Inst(load) => Some(ReductionUpdate {
            op,
            loads: vec![*load],
            store,
        }),
        _ => None,
    }
}
