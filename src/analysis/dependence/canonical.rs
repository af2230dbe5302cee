//! OpenMP's canonical loop form, and the range of the index.
//!
//! ```c
//! for (i = first; i < end; i += step)      /* also <=, >, >=, and != with a step of one; end on either side        */
//! ```
//!
//! What the index is worth in an iteration follows: `first + step * k` for `k = 0, 1, ...`, never past the end. The
//! bounds must not change in the loop, the index must change in the step alone, and nobody else may know where it is.
//!
//! **Wrap-around.** A signed index that overflows is undefined; one that is narrower than `int` is never undefined and
//! is refused, because its step is a conversion. An unsigned index that counts down past zero goes on with a huge number:
//! only steps of one that stop above zero are taken. One that counts up and wraps never ends, which a program may not do
//! silently. `!=` with the end on the wrong side is a condition.

use super::number::{Kind, Known, Num, Numbers};
use super::verdict::{Condition, NotCanonical, Refusal};
use crate::analysis::function::FunctionModel;
use crate::analysis::values::eval::SymKind;
use crate::analysis::values::loops::in_loop;
use crate::analysis::values::slots::{SlotId, SlotKind};
use crate::analysis::values::versions::Version;
use crate::program::graph::NodeId;
use crate::program::ir::{BinOp, InstId, Op, Operand, Pred, SourceType, Type, VarId};
use crate::symbolic::{Expr, Facts, Sym};
use crate::syntax::StmtId;

/// A loop in canonical form.
#[derive(Clone, Debug)]
pub struct Counted {
    /// The statement.
    pub stmt: StmtId,
    /// The index.
    pub var: VarId,
    /// Its value in the current iteration.
    pub sym: Sym,
    /// Its value in the first iteration.
    pub first: Expr,
    /// No iteration has a lesser value.
    pub lo: Expr,
    /// No iteration has a greater value.
    pub hi: Expr,
    /// What is added; never zero.
    pub step: i128,
    /// What has to hold for all this.
    pub needs: Vec<Condition>,
}

/// Whether a symbol may have another value in another iteration of a loop. What has no place may be anywhere.
pub(super) fn varies(model: &FunctionModel<'_>, sym: Sym, stmt: StmtId) -> bool {
    if let SymKind::Inst(id) = model.values.kind(sym)
        && model.attachment.node_of[id.0 as usize].is_none()
    {
        return true;
    }
    in_loop(model.tree, model.fine.node(model.values.defined_at(sym)).kind, stmt)
}

/// Whether an expression has the same value in all iterations of a loop.
pub(super) fn is_fixed(model: &FunctionModel<'_>, e: &Expr, stmt: StmtId) -> bool {
    !e.has_opaque() && e.symbols().iter().all(|s| !varies(model, *s, stmt))
}

/// Reads a `for` statement. `facts` hold where it stands; `fixed` values may be part of conditions.
pub(super) fn counted(
    numbers: &Numbers<'_>,
    stmt: StmtId,
    facts: &Facts,
    fixed: &dyn Fn(&Expr) -> bool,
) -> Result<Counted, Refusal> {
    let model = numbers.model;
    let function = model.function();
    let refused = |what| Refusal::form(what, stmt);
    let insts = |node: Option<NodeId>| node.map_or(&[][..], |n| &model.attachment.insts_of[n.0 as usize]);
    let header = model.fine.cond_of(stmt).ok_or_else(|| refused(NotCanonical::Test))?;
    let (init, test, step) = (
        insts(model.fine.init_of(stmt)),
        insts(model.fine.cond_of(stmt)),
        insts(model.fine.step_of(stmt)),
    );

    // The step: one store, to the index.
    let (slot, var, store) = index(model, step).ok_or_else(|| refused(NotCanonical::Step))?;
    let by = amount(numbers, slot, &store).ok_or_else(|| refused(NotCanonical::Step))?;
    let variable = &function.variables[var.0 as usize];
    let SourceType::Int {
        bytes: bytes @ 4..=8,
        signed,
    } = variable.source_type
    else {
        return Err(refused(NotCanonical::IndexType));
    };
    if model.points_to.address_taken(model.func, var) {
        return Err(refused(NotCanonical::IndexEscapes));
    }
    let writes = |id: &InstId| matches!(&function.inst(*id).op, Op::Store { ptr, .. } if model.values.slots.at(ptr, function) == Some(slot));
    let in_loop_at = |id: &InstId| {
        let node = model.attachment.node_of[id.0 as usize];
        node.is_some_and(|n| in_loop(model.tree, model.fine.node(n).kind, stmt))
    };
    if function.inst_ids().filter(|id| writes(id) && in_loop_at(id)).count() != 1 {
        return Err(refused(NotCanonical::IndexModified));
    }

    // The start: one store, to the index, and nothing else that matters.
    let mut starts = init.iter().filter(|id| matters(&function.inst(**id).op));
    let first = match (starts.next(), starts.next()) {
        (Some(id), None) if writes(id) => match &function.inst(*id).op {
            Op::Store { value, .. } => value,
            _ => return Err(refused(NotCanonical::Init)),
        },
        _ => return Err(refused(NotCanonical::Init)),
    };
    let known = Known { facts, fixed };
    let bits = bytes as u32 * 8;
    let convert = |n: Num| numbers.converted(n, bits, signed, &known);
    let first = numbers
        .number(first, &known)
        .and_then(convert)
        .ok_or_else(|| refused(NotCanonical::MayWrap))?;

    // The test: one comparison of the index itself with something fixed.
    if test.iter().any(|id| matters(&function.inst(*id).op)) {
        return Err(refused(NotCanonical::Test));
    }
    let sym = model.values.sym(SymKind::Slot(slot, Version::Phi(header)));
    let compared = comparison(model, test, slot).ok_or_else(|| refused(NotCanonical::Test))?;
    let Compared {
        pred,
        end,
        unsigned,
        bits: width,
    } = compared;
    let end = numbers.number(end, &known).ok_or_else(|| refused(NotCanonical::Test))?;
    if !is_fixed(model, &end.poly, stmt) || !is_fixed(model, &first.poly, stmt) {
        return Err(refused(NotCanonical::BoundVaries));
    }
    let end = numbers
        .converted(end, width, !unsigned, &known)
        .ok_or_else(|| refused(NotCanonical::MayWrap))?;
    let mut sure = facts.clone();
    numbers.assume_types(&first.poly, &mut sure);
    numbers.assume_types(&end.poly, &mut sure);
    if unsigned && signed && !(by > 0 && sure.prove_nonneg(&first.poly)) {
        // A negative index would count as a huge one.
        return Err(refused(NotCanonical::MayWrap));
    }
    if !unsigned && !signed && width == bits {
        return Err(refused(NotCanonical::MayWrap));
    }
    let one = Expr::constant(1);
    let needs = first.needs.iter().chain(&end.needs).cloned();
    let mut needs: Vec<Condition> = needs.map(|(left, right)| Condition::AtMost { left, right }).collect();
    let (first, end) = (first.poly, end.poly);
    let less = |e: &Expr, by: i128| e.offset(by).ok_or_else(|| refused(NotCanonical::Test));
    let (lo, hi) = match (pred, by) {
        (Pred::Lt, 1..) => (first.clone(), less(&end, -1)?),
        (Pred::Le, 1..) => (first.clone(), end),
        (Pred::Ne, 1) => (first.clone(), less(&end, -1)?),
        (Pred::Gt, ..=-1) => (less(&end, 1)?, first.clone()),
        (Pred::Ge, ..=-1) => (end, first.clone()),
        (Pred::Ne, -1) => (less(&end, 1)?, first.clone()),
        _ => return Err(refused(NotCanonical::Test)),
    };
    if pred == Pred::Ne && !sure.prove_le(&lo, &less(&hi, 1)?) {
        needs.push(Condition::AtMost {
            left: lo.clone(),
            right: less(&hi, 1)?,
        });
    }
    if !signed && by < 0 && (by != -1 || !sure.prove_le(&one, &lo)) {
        return Err(refused(NotCanonical::MayWrap));
    }
    Ok(Counted {
        stmt,
        var,
        sym,
        first,
        lo,
        hi,
        step: by,
        needs,
    })
}

/// Whether an instruction does more than compute.
fn matters(op: &Op) -> bool {
    match op {
        Op::Store { .. } | Op::Atomic { .. } | Op::Call { .. } => true,
        Op::Load { volatile, .. } => *volatile,
        Op::Other { touches_memory, .. } => *touches_memory,
        _ => false,
    }
}

/// The local variable that the only store of a step changes, and the value stored.
fn index(model: &FunctionModel<'_>, step: &[InstId]) -> Option<(SlotId, VarId, Operand)> {
    let function = model.function();
    let mut stores = step.iter().filter(|id| matters(&function.inst(**id).op));
    let only = stores.next().filter(|_| stores.next().is_none())?;
    let Op::Store {
        ptr,
        value,
        volatile: false,
        ty: Type::Int(_),
    } = &function.inst(*only).op
    else {
        return None;
    };
    let slot = model.values.slots.at(ptr, function)?;
    let SlotKind::Local(var) = model.values.slots.get(slot).kind else {
        return None;
    };
    Some((slot, var, value.clone()))
}

/// The constant that a step adds: `i + c`, `c + i`, `i - c`.
fn amount(numbers: &Numbers<'_>, slot: SlotId, value: &Operand) -> Option<i128> {
    let model = numbers.model;
    let function = model.function();
    let Operand::Inst(id) = value else { return None };
    let Op::Binary {
        op: op @ (BinOp::Add | BinOp::Sub),
        lhs,
        rhs,
        ..
    } = &function.inst(*id).op
    else {
        return None;
    };
    let constant = |operand: &Operand| match operand {
        Operand::Int(v) => Some(*v),
        _ => numbers
            .number(
                operand,
                &Known {
                    facts: &Facts::new(),
                    fixed: &|_| false,
                },
            )?
            .poly
            .as_constant(),
    };
    let by = match (is_index(model, lhs, slot), is_index(model, rhs, slot), op) {
        (true, false, BinOp::Add) => constant(rhs)?,
        (false, true, BinOp::Add) => constant(lhs)?,
        (true, false, BinOp::Sub) => constant(rhs)?.checked_neg()?,
        _ => return None,
    };
    (by != 0 && by.abs() <= 1 << 20).then_some(by)
}

/// Whether an operand is the index, perhaps widened.
fn is_index(model: &FunctionModel<'_>, operand: &Operand, slot: SlotId) -> bool {
    let function = model.function();
    let Operand::Inst(id) = operand else { return false };
    matches!(&function.inst(*id).op, Op::Load { ptr, volatile: false } if model.values.slots.at(ptr, function) == Some(slot))
}

struct Compared<'o> {
    /// With the index on the left.
    pred: Pred,
    end: &'o Operand,
    /// The comparison is one of unsigned numbers.
    unsigned: bool,
    /// Its width.
    bits: u32,
}

/// The comparison that a test consists of.
fn comparison<'o>(model: &FunctionModel<'o>, test: &[InstId], slot: SlotId) -> Option<Compared<'o>> {
    use crate::program::ir::Cast;
    let function = model.function();
    let mut branches = test.iter().filter_map(|i| match &function.inst(*i).op {
        Op::CondBr { cond, .. } => Some(cond),
        _ => None,
    });
    let Operand::Inst(cmp) = branches.next().filter(|_| branches.next().is_none())? else {
        return None;
    };
    let Op::Cmp {
        pred,
        lhs,
        rhs,
        signed,
        float: false,
    } = &function.inst(*cmp).op
    else {
        return None;
    };
    // The index may be widened: as what it is for a signed one, with zeros for an unsigned one.
    let index = |operand: &Operand| -> bool {
        if is_index(model, operand, slot) {
            return true;
        }
        let Operand::Inst(id) = operand else { return false };
        match &function.inst(*id).op {
            Op::Cast {
                kind: Cast::SExt | Cast::ZExt,
                value,
                ..
            } => is_index(model, value, slot),
            _ => false,
        }
    };
    let (pred, itself, end) = match (index(lhs), index(rhs)) {
        (true, false) => (*pred, lhs, rhs),
        (false, true) => (flip(*pred), rhs, lhs),
        _ => return None,
    };
    let bits = match itself {
        Operand::Inst(id) => match function.inst(*id).ty {
            Type::Int(bits) => bits,
            _ => return None,
        },
        _ => return None,
    };
    let widened = !is_index(model, itself, slot);
    let index_signed = match model.values.slots.get(slot).kind {
        SlotKind::Local(v) => match function.variables[v.0 as usize].source_type {
            SourceType::Int { signed, .. } => signed,
            _ => return None,
        },
        _ => return None,
    };
    let unsigned = match pred {
        // Equality has no order: it is that of the index's type.
        Pred::Eq | Pred::Ne => !index_signed && !widened,
        _ => !*signed,
    };
    Some(Compared {
        pred,
        end,
        unsigned,
        bits,
    })
}

fn flip(pred: Pred) -> Pred {
    match pred {
        Pred::Lt => Pred::Gt,
        Pred::Le => Pred::Ge,
        Pred::Gt => Pred::Lt,
        Pred::Ge => Pred::Le,
        same => same,
    }
}

impl Numbers<'_> {
    /// The number read as one of a type.
    pub fn converted(&self, n: Num, bits: u32, signed: bool, known: &Known<'_>) -> Option<Num> {
        if signed {
            self.as_signed(n, bits, known)
        } else {
            self.as_unsigned(n, bits, known).map(|n| match n.kind {
                Kind::Both => n,
                _ => Num {
                    kind: Kind::Unsigned,
                    ..n
                },
            })
        }
    }
}
