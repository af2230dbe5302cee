//! IR operands as integers: the rules for each instruction, as [`super::eval`] describes them.

use super::arithmetic::arithmetic;
use super::slots::{SlotId, SlotKind};
use super::table::{Evaluate, MAX_DEPTH, SymKind, Values};
use super::version::Version;
use crate::program::ir::{BinOp, Cast, InstId, Op, Operand, SourceType, Type};
use crate::symbolic::Expr;

impl Values<'_> {
    /// The integer that an operand is.
    pub(super) fn integer(&self, operand: &Operand, depth: u32) -> Expr {
        match operand {
            Operand::Int(v) => Expr::constant(*v),
            Operand::Null => Expr::constant(0),
            Operand::Arg(n) => Expr::sym(self.sym(SymKind::Arg(*n))),
            Operand::Inst(id) => {
                if let Some(known) = self.known_int(*id) {
                    return known;
                }
                let value = if depth > MAX_DEPTH {
                    None
                } else {
                    self.inst_int(*id, depth + 1)
                };
                let value = value.unwrap_or_else(|| Expr::sym(self.sym(SymKind::Inst(*id))));
                self.keep_int(*id, value.clone());
                value
            }
            // Any other constant has a value, but not one worth naming; each mention is its own unknown.
            _ => self.fresh_opaque(),
        }
    }

    fn inst_int(&self, id: InstId, depth: u32) -> Option<Expr> {
        let function = self.function();
        match &function.inst(id).op {
            Op::Load { ptr, volatile: false } => {
                let slot = self.slots.value_at(ptr, &function.inst(id).ty, function)?;
                let node = self.attachment.node_of[id.0 as usize]?;
                Some(self.slot_int_at(slot, self.versions.at(node, id, slot), depth))
            }
            Op::Call { .. } => self.returned_int(id, depth),
            Op::Binary {
                op: op @ (BinOp::SDiv | BinOp::UDiv | BinOp::SRem | BinOp::URem),
                lhs,
                rhs,
                ..
            } => self.quotient(*op, lhs, rhs, &function.inst(id).ty, depth),
            Op::Binary { op, lhs, rhs, nsw } => {
                let e = arithmetic(*op, &self.int_at(lhs, depth), &self.int_at(rhs, depth))?;
                match function.inst(id).ty {
                    Type::Int(bits) if !nsw => Some(e).filter(|e| self.is_place(e, bits)),
                    _ => Some(e),
                }
            }
            Op::Cast {
                kind: kind @ (Cast::SExt | Cast::ZExt),
                value,
                from,
            } => {
                let e = self.int_at(value, depth);
                // `(unsigned char)l`, of a variable.
                let cut = || self.exact_at(&Operand::Inst(id), depth).filter(|e| !self.nameless(e));
                let cut = if self.is_result(&e) { cut() } else { None };
                cut.or_else(|| Some(e).filter(|e| self.widens(*kind, from, e)))
            }
            // A size computed in 64 bits and stored to an `int` keeps its value in every program that then uses it
            // as a size; but that is a belief, so only constants and variables that were widened before pass.
            Op::Cast {
                kind: Cast::Trunc,
                value: Operand::Inst(inner),
                from: _,
            } => match &function.inst(*inner).op {
                Op::Cast {
                    kind: Cast::SExt | Cast::ZExt,
                    value,
                    from,
                } if *from == function.inst(id).ty => Some(self.int_at(value, depth)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The integer that a slot holds.
    pub(super) fn slot_integer(&self, slot: SlotId, version: Version, depth: u32) -> Expr {
        if let Some((original, version)) = self.original(slot, version)
            && depth <= MAX_DEPTH
        {
            return self.slot_int_at(original, version, depth + 1);
        }
        let itself = || Expr::sym(self.sym(SymKind::Slot(slot, version)));
        match version {
            Version::Def(id) if depth <= MAX_DEPTH => match &self.function().inst(id).op {
                Op::Store {
                    value: Operand::Arg(_), ..
                } => itself(),
                Op::Store { value, ty, .. } => {
                    let e = self.int_at(value, depth + 1);
                    // A result that cannot be named is better named by the variable that holds it.
                    if !self.nameless(&e) && self.holds(slot, &e) {
                        return e;
                    }
                    let declared = self.declared_type(slot);
                    let cast = declared.and_then(|to| self.cast_at(value, to, ty, depth + 1));
                    cast.filter(|e| !self.nameless(e)).unwrap_or_else(itself)
                }
                _ => itself(),
            },
            Version::Call(id) if depth <= MAX_DEPTH => {
                let left = self.left_int(slot, id, depth + 1);
                let is_copy = |e: &Expr| !self.nameless(e) && self.holds(slot, e);
                left.filter(is_copy).unwrap_or_else(itself)
            }
            Version::Entry => match self.slots.get(slot).kind {
                // A constant global is its initialiser for ever.
                SlotKind::Global(g) if self.module.global(g).constant => {
                    self.module.global(g).init_int.map_or_else(itself, Expr::constant)
                }
                _ => itself(),
            },
            _ => itself(),
        }
    }

    /// Whether a variable that `e` is assigned to holds that number then. It is taken to where only a negative number would be
    /// another one, as a size that is a huge one is none: see the non-goals.
    fn holds(&self, slot: SlotId, e: &Expr) -> bool {
        let ty = self.declared_type(slot);
        ty.is_none_or(|ty| self.is_kept(e, ty))
    }

    /// Whether widening leaves the number `e` what it is. One that is taken for an unsigned one is an index or a size (also of
    /// an array of variable length): see the non-goals.
    fn widens(&self, kind: Cast, from: &Type, e: &Expr) -> bool {
        let Type::Int(bits @ 8..) = *from else { return true };
        let ty = SourceType::Int {
            bytes: u64::from(bits / 8),
            signed: kind == Cast::SExt,
        };
        self.is_kept(e, &ty)
    }
}
