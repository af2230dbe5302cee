//! Numbers as they are, without anything being taken of sizes.
//!
//! ```c
//! size_t count = n;               /* as a size, `n`; as a number, `(unsigned long)n`                       */
//! ```
//!
//! What is used as a size is no huge number that a negative one has become ([`super::eval`], non-goals). A condition, or a loop
//! that may be left early, says nothing of the kind of its numbers, and asks here.
//!
//! Every variable has an exact number, if only the one under its own name: a symbol for what it holds there. An expression
//! has none where unsigned numbers are computed with and the result may have wrapped around ([`super::ranges`]).

use super::arithmetic::arithmetic;
use super::casts::IntType;
use super::slots::{SlotId, SlotKind};
use super::table::{Evaluate, MAX_DEPTH, SymKind, Values};
use super::version::Version;
use crate::program::ir::{BinOp, Cast, InstId, Op, Operand, SourceType, Type};
use crate::symbolic::Expr;

impl Values<'_> {
    /// The number that an operand is.
    pub fn exact(&self, operand: &Operand) -> Option<Expr> {
        self.exact_at(operand, 0)
    }

    /// The number that a variable holds.
    pub fn exact_in(&self, slot: SlotId, version: Version) -> Expr {
        self.exact_in_at(slot, version, 0)
    }

    /// The number that a variable of a type gets where an operand, kept as `kept`, is assigned to it or handed over to it.
    pub fn cast(&self, operand: &Operand, to: &SourceType, kept: &Type) -> Option<Expr> {
        self.cast_at(operand, to, kept, 0)
    }

    /// The number of the variable that an operand is read from, under the variable's own name.
    pub fn own_number(&self, operand: &Operand) -> Option<Expr> {
        let Operand::Inst(load) = operand else { return None };
        let (slot, version) = self.read_from(*load)?;
        Some(Expr::sym(self.sym(SymKind::Slot(slot, version))))
    }

    pub(super) fn cast_at(&self, operand: &Operand, to: &SourceType, kept: &Type, depth: u32) -> Option<Expr> {
        let to = IntType::of(to)?;
        // A `bool` is kept in a bit where it is handed over.
        if *kept != Type::Int(8 * u32::from(to.bytes)) {
            return None;
        }
        let (read, cut) = self.uncut(operand);
        self.fitted(&self.exact_at(read, depth)?, to, cut)
    }

    /// What an operand is cut down from, and whether it is.
    fn uncut<'o>(&self, operand: &'o Operand) -> (&'o Operand, bool)
    where
        Self: 'o,
    {
        match operand {
            Operand::Inst(id) => match &self.function().inst(*id).op {
                Op::Cast {
                    kind: Cast::Trunc,
                    value,
                    ..
                } => (value, true),
                _ => (operand, false),
            },
            _ => (operand, false),
        }
    }

    /// The number that an operand is.
    pub(super) fn exact_number(&self, operand: &Operand, depth: u32) -> Option<Expr> {
        let Operand::Inst(id) = operand else {
            return Some(self.int_at(operand, depth));
        };
        if depth > MAX_DEPTH {
            return None;
        }
        if let Some(known) = self.known_exact(*id) {
            return known;
        }
        let found = self.exact_result(*id, depth + 1);
        self.keep_exact(*id, found.clone());
        found
    }

    fn exact_result(&self, id: InstId, depth: u32) -> Option<Expr> {
        let function = self.function();
        let believed = || self.int_at(&Operand::Inst(id), depth);
        match &function.inst(id).op {
            Op::Load { .. } => match self.read_from(id) {
                Some((slot, version)) => Some(self.exact_in_at(slot, version, depth)),
                None => Some(believed()),
            },
            Op::Cast {
                kind: kind @ (Cast::SExt | Cast::ZExt),
                value,
                from: Type::Int(bits @ 8..),
            } => {
                let ty = IntType::of(&SourceType::Int {
                    bytes: u64::from(bits / 8),
                    signed: *kind == Cast::SExt,
                })?;
                let (read, cut) = self.uncut(value);
                self.fitted(&self.exact_at(read, depth)?, ty, cut)
            }
            Op::Cast {
                kind: Cast::SExt | Cast::ZExt,
                value,
                ..
            } => self.exact_at(value, depth),
            Op::Cast {
                kind: Cast::Trunc,
                value: Operand::Inst(inner),
                ..
            } => match &function.inst(*inner).op {
                Op::Cast {
                    kind: Cast::SExt | Cast::ZExt,
                    value,
                    from,
                } if *from == function.inst(id).ty => self.exact_at(value, depth),
                _ => Some(believed()),
            },
            Op::Binary {
                op: BinOp::SDiv | BinOp::UDiv | BinOp::SRem | BinOp::URem,
                ..
            } => Some(believed()),
            Op::Binary { op, lhs, rhs, nsw } => {
                let (lhs, rhs) = (self.exact_at(lhs, depth)?, self.exact_at(rhs, depth)?);
                let Some(e) = arithmetic(*op, &lhs, &rhs) else {
                    return Some(self.result(id));
                };
                let ty = self.result_type(id)?;
                // Where the program computes with a sign it may not overflow.
                (*nsw && !self.may_wrap(&e) || self.fits(&e, ty)).then_some(e)
            }
            Op::Call { .. } => Some(believed()).filter(|e| self.is_result(e)),
            _ => Some(believed()),
        }
    }

    /// The result of an instruction, of which nothing is known.
    fn result(&self, id: InstId) -> Expr {
        Expr::sym(self.sym(SymKind::Inst(id)))
    }

    /// The type of a result if it is to be the same number with a sign and without.
    fn result_type(&self, id: InstId) -> Option<IntType> {
        match self.function().inst(id).ty {
            Type::Int(bits) => IntType::of(&SourceType::Int {
                bytes: u64::from(bits / 8),
                signed: true,
            }),
            _ => None,
        }
    }

    /// The number that a slot holds.
    pub(super) fn exact_held(&self, slot: SlotId, version: Version, depth: u32) -> Expr {
        let itself = || Expr::sym(self.sym(SymKind::Slot(slot, version)));
        if depth > MAX_DEPTH {
            return itself();
        }
        if let Some((original, version)) = self.original(slot, version) {
            return self.exact_in_at(original, version, depth + 1);
        }
        match version {
            Version::Def(store) => match &self.function().inst(store).op {
                Op::Store {
                    value: Operand::Arg(_), ..
                } => itself(),
                Op::Store { value, ty, .. } => {
                    let declared = self.declared_type(slot);
                    let held = declared.and_then(|to| self.cast_at(value, to, ty, depth + 1));
                    held.filter(|e| !self.nameless(e)).unwrap_or_else(itself)
                }
                _ => itself(),
            },
            Version::Call(call) => {
                let to = self.declared_type(slot).and_then(IntType::of);
                let left = to.and_then(|to| self.left_exact(slot, call, to, depth + 1));
                left.filter(|e| !self.nameless(e)).unwrap_or_else(itself)
            }
            Version::Entry => match self.slots.get(slot).kind {
                SlotKind::Global(_) => self.slot_int_at(slot, version, depth),
                _ => itself(),
            },
            _ => itself(),
        }
    }

    /// The quotient or remainder of two operands as C has it: of the numbers that they are in its type.
    pub(super) fn quotient(&self, op: BinOp, lhs: &Operand, rhs: &Operand, ty: &Type, depth: u32) -> Option<Expr> {
        let Type::Int(bits @ 8..=64) = *ty else { return None };
        let signed = matches!(op, BinOp::SDiv | BinOp::SRem);
        let ty = IntType::of(&SourceType::Int {
            bytes: u64::from(bits / 8),
            signed,
        })?;
        let side = |operand: &Operand| self.fitted(&self.exact_at(operand, depth)?, ty, false);
        let (lhs, rhs) = (side(lhs)?, side(rhs)?);
        match op {
            BinOp::SDiv | BinOp::UDiv => lhs.div(&rhs),
            _ => lhs.rem(&rhs),
        }
    }
}
