//! What slots hold after calls, and what calls return, as expressions of the caller.

use super::casts::IntType;
use super::known_calls::{Here, KnownCall};
use super::slots::SlotId;
use super::table::{Base, Evaluate, PtrVal, SymKind, Values};
use super::types::Converted;
use super::version::Version;
use crate::analysis::value_summary::Worth;
use crate::program::ir::InstId;
use crate::symbolic::{Expr, Sym};

impl Values<'_> {
    /// The integer that a slot holds after a call that surely sets it.
    pub(super) fn left_int(&self, slot: SlotId, call: InstId, depth: u32) -> Option<Expr> {
        let known = self.calls.get(&call)?;
        self.worth_int(known, call, known.left_in(slot)?, depth)
    }

    /// The number that a slot of a type holds after a call that surely sets it. On its way through the callee it may have been
    /// one of another size and sign; it is the same in the end if it is no larger than it was at the beginning.
    pub(super) fn left_exact(&self, slot: SlotId, call: InstId, to: IntType, depth: u32) -> Option<Expr> {
        let known = self.calls.get(&call)?;
        let Worth::Int(e) = known.left_in(slot)? else {
            return None;
        };
        let number = e.map_syms(&mut |s| match known.atoms.get(s.0 as usize)? {
            Here::Argument(operand, ty) => self.fitted(&self.exact_at(operand, depth)?, IntType::of(ty)?, false),
            Here::Before(slot) => Some(self.exact_in_at(*slot, self.before_call(call, *slot)?, depth)),
            Here::After(slot) => Some(Expr::sym(self.after_call(call, *slot))),
            Here::Storage(_) | Here::Nameless => None,
        })?;
        match (number.as_constant(), number.as_sym()) {
            (Some(constant), _) => i32::try_from(constant).is_ok_and(|c| c >= 0).then_some(number),
            (_, Some(sym)) => (self.bytes(sym)? >= u64::from(to.bytes))
                .then(|| self.in_type(&number, to))
                .flatten(),
            _ => None,
        }
    }

    /// The pointer that a slot holds after a call that surely sets it.
    pub(super) fn left_ptr(&self, slot: SlotId, call: InstId, depth: u32) -> Option<PtrVal> {
        let known = self.calls.get(&call)?;
        self.worth_ptr(known, call, known.left_in(slot)?, depth)
    }

    /// The integer that a call returns.
    pub(super) fn returned_int(&self, call: InstId, depth: u32) -> Option<Expr> {
        let known = self.calls.get(&call)?;
        self.worth_int(known, call, known.returned.as_ref()?, depth)
    }

    /// The pointer that a call returns.
    pub(super) fn returned_ptr(&self, call: InstId, depth: u32) -> Option<PtrVal> {
        let known = self.calls.get(&call)?;
        self.worth_ptr(known, call, known.returned.as_ref()?, depth)
    }

    fn worth_int(&self, known: &KnownCall, call: InstId, worth: &Worth, depth: u32) -> Option<Expr> {
        let Worth::Int(e) = worth else { return None };
        e.map_syms(&mut |s| match known.atoms.get(s.0 as usize)? {
            Here::Argument(operand, ty) => {
                let value = self.int_at(operand, depth);
                Some(value).filter(|e| self.converted(e, ty) == Converted::Same)
            }
            Here::Before(slot) => Some(self.slot_int_at(*slot, self.before_call(call, *slot)?, depth)),
            Here::After(slot) => Some(Expr::sym(self.after_call(call, *slot))),
            Here::Storage(_) | Here::Nameless => None,
        })
    }

    fn worth_ptr(&self, known: &KnownCall, call: InstId, worth: &Worth, depth: u32) -> Option<PtrVal> {
        let Worth::Ptr { base, offset } = worth else {
            return None;
        };
        let whole = |base: Base| PtrVal {
            base,
            offset: Expr::zero(),
        };
        let from = match known.atoms.get(base.0 as usize)? {
            Here::Argument(operand, _) => self.ptr_at(operand, depth)?,
            Here::Before(slot) => self.slot_ptr_at(*slot, self.before_call(call, *slot)?, depth),
            Here::After(slot) => whole(Base::Value(self.after_call(call, *slot))),
            Here::Storage(g) => whole(Base::Global(*g)),
            Here::Nameless => return None,
        };
        let more = self.worth_int(known, call, &Worth::Int(offset.clone()), depth)?;
        Some(PtrVal {
            base: from.base,
            offset: from.offset.add(&more)?,
        })
    }

    fn before_call(&self, call: InstId, slot: SlotId) -> Option<Version> {
        let node = self.attachment.node_of[call.0 as usize]?;
        Some(self.versions.at(node, call, slot))
    }

    fn after_call(&self, call: InstId, slot: SlotId) -> Sym {
        self.sym(SymKind::Slot(slot, Version::Clobber(call)))
    }
}
