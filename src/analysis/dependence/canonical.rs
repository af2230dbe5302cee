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
//! silently. `!=` with the end on the wrong side is undefined for a signed index and a condition; an unsigned one gets there by
//! way of zero, and is refused unless the end is surely on the right side.
//!
//! **clang 19** makes wrong code of `for (unsigned i = 0; i < n; i += 2)` under any worksharing directive where the bound is
//! wider than the unsigned index: iterations far outside of the range are run.

use super::header::{Compared, amount, comparison, index, matters};
use super::number::{Known, Num, Numbers};
use super::verdict::{Condition, NotCanonical, Refusal};
use crate::analysis::function::FunctionModel;
use crate::analysis::values::eval::SymKind;
use crate::analysis::values::loops::in_loop;
use crate::analysis::values::versions::Version;
use crate::program::graph::NodeId;
use crate::program::ir::{InstId, Op, Pred, SourceType, VarId};
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
pub fn is_fixed(model: &FunctionModel<'_>, e: &Expr, stmt: StmtId) -> bool {
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

    // The start: one store, to the index, and nothing else that matters; `i += 1` and `i = i + 1` are no starts.
    let from_itself = |id: &InstId| matches!(&function.inst(*id).op, Op::Load { ptr, .. } if model.values.slots.at(ptr, function) == Some(slot));
    if init.iter().any(from_itself) {
        return Err(refused(NotCanonical::Init));
    }
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
    if !signed && width > bits && by > 1 {
        return Err(refused(NotCanonical::Miscounted));
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
    let in_order = sure.prove_le(&lo, &less(&hi, 1)?);
    if pred == Pred::Ne && !signed && !(in_order && needs.is_empty()) {
        // On its way the index may start again at zero, which it does in no worksharing loop, wherever that runs.
        return Err(refused(NotCanonical::MayWrap));
    }
    if pred == Pred::Ne && !in_order {
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
