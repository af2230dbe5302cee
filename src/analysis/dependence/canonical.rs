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

use super::header::{HeaderTest, amount, comparison, index, matters};
use super::number::{Num, OperandFacts, OperandReader};
use super::verdict::{Counted, LoopRefusal, NotCanonical, Requirement};
use crate::analysis::function::FunctionModel;
use crate::analysis::values::slots::SlotId;
use crate::analysis::values::table::SymKind;
use crate::analysis::values::version::Version;
use crate::program::graph::NodeId;
use crate::program::in_loops::in_loop;
use crate::program::ir::{InstId, Op, Pred, SourceType, VarId};
use crate::symbolic::{Expr, Facts, Sym};
use crate::syntax::StmtId;
use std::collections::BTreeSet;

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
    numbers: &OperandReader<'_>,
    stmt: StmtId,
    facts: &Facts,
    fixed: &dyn Fn(&Expr) -> bool,
) -> Result<Counted, LoopRefusal> {
    let model = numbers.model;
    let known = OperandFacts { facts, fixed };
    let header = ForHeader { numbers, stmt, known };
    let cond = model.fine.cond_of(stmt);
    let cond = cond.ok_or_else(|| header.refused(NotCanonical::Test))?;
    let index = header.index()?;
    let first = header.first_value(&index, cond)?;
    let test = header.insts(Some(cond));
    if test.iter().any(|id| matters(&model.function().inst(*id).op)) {
        return Err(header.refused(NotCanonical::Test));
    }
    let sym = model.values.sym(SymKind::Slot(index.slot, Version::Phi(cond)));
    let end = header.end(cond, &index, &first)?;
    header.range(&index, sym, first, end)
}

/// The header of a `for` statement, with what is known before it.
struct ForHeader<'a> {
    numbers: &'a OperandReader<'a>,
    stmt: StmtId,
    known: OperandFacts<'a>,
}

/// The index of a loop, with what its step adds.
struct Index {
    slot: SlotId,
    var: VarId,
    bits: u32,
    signed: bool,
    by: i128,
}

/// The end of a loop, which the index is compared with as so many bits.
struct End {
    pred: Pred,
    value: Num,
    unsigned: bool,
    bits: u32,
}

impl ForHeader<'_> {
    fn refused(&self, what: NotCanonical) -> LoopRefusal {
        LoopRefusal::form(what, self.stmt)
    }

    fn insts(&self, node: Option<NodeId>) -> &[InstId] {
        node.map_or(&[], |n| &self.numbers.model.attachment.insts_of[n.0 as usize])
    }

    /// Whether an instruction stores to a slot.
    fn writes(&self, id: InstId, slot: SlotId) -> bool {
        let model = self.numbers.model;
        let function = model.function();
        matches!(&function.inst(id).op, Op::Store { ptr, .. } if model.values.slots.at(ptr, function) == Some(slot))
    }

    /// The step: one store, to the index.
    fn index(&self) -> Result<Index, LoopRefusal> {
        let model = self.numbers.model;
        let function = model.function();
        let step = self.insts(model.fine.step_of(self.stmt));
        let (slot, var, store) = index(model, step).ok_or_else(|| self.refused(NotCanonical::Step))?;
        let by = amount(self.numbers, slot, &store).ok_or_else(|| self.refused(NotCanonical::Step))?;
        let variable = &function.variables[var.0 as usize];
        let SourceType::Int {
            bytes: bytes @ 4..=8,
            signed,
        } = variable.source_type
        else {
            return Err(self.refused(NotCanonical::IndexType));
        };
        if model.points_to.address_taken(model.func, var) {
            return Err(self.refused(NotCanonical::IndexEscapes));
        }
        let inside = self.numbers.insts_inside(self.stmt);
        if inside.iter().filter(|id| self.writes(**id, slot)).count() != 1 {
            return Err(self.refused(NotCanonical::IndexModified));
        }
        let bits = bytes as u32 * 8;
        Ok(Index {
            slot,
            var,
            bits,
            signed,
            by,
        })
    }

    /// The start: one store, to the index, on every way to the test `cond`, and nothing else that matters; `i += 1` and
    /// `i = i + 1` are no starts.
    fn first_value(&self, index: &Index, cond: NodeId) -> Result<Num, LoopRefusal> {
        let (numbers, model) = (self.numbers, self.numbers.model);
        let function = model.function();
        let init = self.insts(model.fine.init_of(self.stmt));
        let from_itself = |id: &InstId| matches!(&function.inst(*id).op, Op::Load { ptr, .. } if model.values.slots.at(ptr, function) == Some(index.slot));
        if init.iter().any(from_itself) {
            return Err(self.refused(NotCanonical::Init));
        }
        let mut starts = init.iter().filter(|id| matters(&function.inst(**id).op));
        let first = match (starts.next(), starts.next()) {
            (Some(id), None) if self.writes(*id, index.slot) && self.is_on_every_way(*id, init, cond) => {
                match &function.inst(*id).op {
                    Op::Store { value, .. } => value,
                    _ => return Err(self.refused(NotCanonical::Init)),
                }
            }
            _ => return Err(self.refused(NotCanonical::Init)),
        };
        numbers
            .number(first, &self.known)
            .and_then(|n| numbers.converted(n, index.bits, index.signed, &self.known))
            .ok_or_else(|| self.refused(NotCanonical::MayWrap))
    }

    /// Whether control comes from the start to the test only by way of an instruction: it does not in `k && (i = 0)`.
    fn is_on_every_way(&self, id: InstId, init: &[InstId], cond: NodeId) -> bool {
        let function = self.numbers.model.function();
        let (Some(first), Some(test)) = (init.first(), self.insts(Some(cond)).first()) else {
            return false;
        };
        let block = |id: InstId| function.inst(id).block;
        let (own, test) = (block(id), block(*test));
        let mut seen = BTreeSet::from([own]);
        let mut open = vec![block(*first)];
        while let Some(at) = open.pop() {
            if at == test {
                return false;
            }
            if seen.insert(at) {
                open.extend(&function.block(at).succs);
            }
        }
        true
    }

    /// The test: one comparison of the index itself with something fixed.
    fn end(&self, test: NodeId, index: &Index, first: &Num) -> Result<End, LoopRefusal> {
        let (numbers, model) = (self.numbers, self.numbers.model);
        let compared = comparison(model, test, index.slot).ok_or_else(|| self.refused(NotCanonical::Test))?;
        let HeaderTest {
            pred,
            end,
            unsigned,
            bits,
        } = compared;
        let end = numbers.number(end, &self.known);
        let end = end.ok_or_else(|| self.refused(NotCanonical::Test))?;
        if !is_fixed(model, &end.poly, self.stmt) || !is_fixed(model, &first.poly, self.stmt) {
            return Err(self.refused(NotCanonical::BoundVaries));
        }
        let value = numbers.converted(end, bits, !unsigned, &self.known);
        Ok(End {
            pred,
            value: value.ok_or_else(|| self.refused(NotCanonical::MayWrap))?,
            unsigned,
            bits,
        })
    }

    /// Comparisons of numbers that may have wrapped are refused, and one that clang compiles wrongly.
    fn check_comparison(&self, index: &Index, first: &Num, end: &End, sure: &Facts) -> Result<(), LoopRefusal> {
        let &Index { bits, signed, by, .. } = index;
        if end.unsigned && signed && !(by > 0 && sure.prove_nonneg(&first.poly)) {
            // A negative index would count as a huge one.
            return Err(self.refused(NotCanonical::MayWrap));
        }
        if !end.unsigned && !signed && end.bits == bits {
            return Err(self.refused(NotCanonical::MayWrap));
        }
        if !signed && end.bits > bits && by > 1 {
            return Err(self.refused(NotCanonical::Miscounted));
        }
        Ok(())
    }

    /// The loop, from its parts, where its index surely stays between its bounds.
    fn range(&self, index: &Index, sym: Sym, first: Num, end: End) -> Result<Counted, LoopRefusal> {
        let &Index { var, signed, by, .. } = index;
        let pred = end.pred;
        let mut sure = self.known.facts.clone();
        self.numbers.assume_types(&first.poly, &mut sure);
        self.numbers.assume_types(&end.value.poly, &mut sure);
        self.check_comparison(index, &first, &end, &sure)?;
        let needs = first.needs.iter().chain(&end.value.needs).cloned();
        let mut needs: Vec<Requirement> = needs.map(|(left, right)| Requirement::AtMost { left, right }).collect();
        let (first, end) = (first.poly, end.value.poly);
        let less = |e: &Expr, by: i128| e.offset(by).ok_or_else(|| self.refused(NotCanonical::Test));
        let (lo, hi) = match (pred, by) {
            (Pred::Lt, 1..) => (first.clone(), less(&end, -1)?),
            (Pred::Le, 1..) => (first.clone(), end),
            (Pred::Ne, 1) => (first.clone(), less(&end, -1)?),
            (Pred::Gt, ..=-1) => (less(&end, 1)?, first.clone()),
            (Pred::Ge, ..=-1) => (end, first.clone()),
            (Pred::Ne, -1) => (less(&end, 1)?, first.clone()),
            _ => return Err(self.refused(NotCanonical::Test)),
        };
        let in_order = sure.prove_le(&lo, &less(&hi, 1)?);
        if pred == Pred::Ne && !signed && !(in_order && needs.is_empty()) {
            // On its way the index may start again at zero, which it does in no worksharing loop, wherever that runs.
            return Err(self.refused(NotCanonical::MayWrap));
        }
        if pred == Pred::Ne && !in_order {
            needs.push(Requirement::AtMost {
                left: lo.clone(),
                right: less(&hi, 1)?,
            });
        }
        if !signed && by < 0 && (by != -1 || !sure.prove_le(&Expr::constant(1), &lo)) {
            return Err(self.refused(NotCanonical::MayWrap));
        }
        Ok(Counted {
            stmt: self.stmt,
            var,
            sym,
            first,
            lo,
            hi,
            step: by,
            needs,
        })
    }
}
