//! What operands are worth as polynomials, where their arithmetic surely does not wrap.
//!
//! `values::eval` reads `i * n + j` as a polynomial whatever its type: good enough for how far an
//! access reaches, because an index that wrapped is out of bounds. It is not good enough to say that two accesses never
//! meet, so here expressions are read again, each with what the polynomial is in relation to the bits ([`NumberKind`]):
//!
//! ```c
//! int i; unsigned u;
//! a[i + 1]            /* i + 1: Signed, overflow is undefined                                                */
//! a[u - 1]            /* u - 1: Wrapped in 32 bits; widening it to 64 needs 1 <= u, from a loop's bounds ... */
//! for (u = 0; u < n - 1; u++)      /* ... or as a condition, where the expression does not change in the loop */
//! ```
//!
//! Signed operators are those with `nsw`. A value that cannot be read so is a symbol of its own: nothing is wrong with
//! it but that nothing is known of it.

use super::number::{MAX_DEPTH, Num, NumberKind, OperandFacts, OperandReader};
use crate::analysis::values::slots::{SlotId, SlotKind};
use crate::analysis::values::table::SymKind;
use crate::analysis::values::version::Version;
use crate::program::ir::{BinOp, BlockId, Cast, InstId, IntComparison, Op, Operand, Pred, Type};
use crate::symbolic::{Expr, Sym};

impl OperandReader<'_> {
    /// The number that an operand is; `None` for what has no integer value at all.
    pub fn number(&self, operand: &Operand, known: &OperandFacts<'_>) -> Option<Num> {
        self.at(operand, known, 0)
    }

    pub(super) fn at(&self, operand: &Operand, known: &OperandFacts<'_>, depth: u32) -> Option<Num> {
        let constant = |v: i128| Num {
            poly: Expr::constant(v),
            kind: if v >= 0 { NumberKind::Both } else { NumberKind::Signed },
            needs: Vec::new(),
        };
        match operand {
            Operand::Int(v) => Some(constant(*v)),
            Operand::Null => Some(constant(0)),
            Operand::Inst(id) => {
                let found = if depth < MAX_DEPTH {
                    self.of_inst(*id, known, depth + 1)
                } else {
                    None
                };
                Some(found.unwrap_or_else(|| self.opaque(*id)))
            }
            _ => None,
        }
    }

    /// The symbol for a result of which nothing is known.
    fn opaque(&self, id: InstId) -> Num {
        Num {
            poly: Expr::sym(self.model.values.sym(SymKind::Inst(id))),
            kind: NumberKind::Signed,
            needs: Vec::new(),
        }
    }

    fn of_inst(&self, id: InstId, known: &OperandFacts<'_>, depth: u32) -> Option<Num> {
        let inst = self.model.function().inst(id);
        let Type::Int(bits) = inst.ty else { return None };
        match &inst.op {
            Op::Load { ptr, volatile: false } => {
                let slot = self.model.values.slots.at(ptr, self.model.function())?;
                self.of_slot(slot, self.version(id, slot)?, bits, known, depth)
            }
            Op::Phi { incoming } => self.choice(incoming, bits, known, depth),
            Op::Binary { op, lhs, rhs, nsw } => {
                let (l, r) = (self.at(lhs, known, depth)?, self.at(rhs, known, depth)?);
                self.binary(*op, *nsw, l, r, bits, known)
            }
            Op::Cast {
                kind: kind @ (Cast::SExt | Cast::ZExt),
                value,
                from: Type::Int(from),
            } => {
                let inner = self.at(value, known, depth)?;
                match kind {
                    Cast::SExt => self.as_signed(inner, *from, known),
                    _ => self.as_unsigned(inner, *from, known).map(|n| Num {
                        kind: NumberKind::Both,
                        ..n
                    }),
                }
            }
            Op::Cast {
                kind: Cast::Trunc,
                value,
                ..
            } => {
                let inner = self.at(value, known, depth)?;
                Some(self.settle(
                    Num {
                        kind: NumberKind::Wrapped,
                        ..inner
                    },
                    bits,
                ))
            }
            _ => None,
        }
    }

    fn of_slot(&self, slot: SlotId, version: Version, bits: u32, known: &OperandFacts<'_>, depth: u32) -> Option<Num> {
        let values = self.model.values;
        let ty = self.types[slot.0 as usize];
        if ty.bits != Some(bits) {
            return None;
        }
        if let Some((original, version)) = values.original(slot, version)
            && depth < MAX_DEPTH
        {
            return self.of_slot(original, version, bits, known, depth + 1);
        }
        let kind = match ty.signed {
            Some(true) => NumberKind::Signed,
            Some(false) => NumberKind::Unsigned,
            None => NumberKind::Wrapped,
        };
        let itself = Num {
            poly: Expr::sym(values.sym(SymKind::Slot(slot, version))),
            kind,
            needs: Vec::new(),
        };
        let stored = match version {
            Version::Def(store) => match &self.model.function().inst(store).op {
                Op::Store { value, .. } if !matches!(value, Operand::Arg(_)) => self.at(value, known, depth + 1),
                _ => None,
            },
            Version::Entry => match values.slots.get(slot).kind {
                SlotKind::Global(g) if self.model.module.global(g).constant => {
                    let value = self.model.module.global(g).init_int;
                    value.and_then(|v| self.at(&Operand::Int(v), known, depth))
                }
                _ => None,
            },
            _ => None,
        };
        let converted = stored
            .filter(|n| !self.nameless(&n.poly))
            .and_then(|n| match ty.signed {
                Some(true) => self.as_signed(n, bits, known),
                Some(false) => self.as_unsigned(n, bits, known),
                None => None,
            });
        Some(converted.unwrap_or(itself))
    }

    /// Whether a result is part of it that no variable names.
    fn nameless(&self, e: &Expr) -> bool {
        let unnamed = |s: &Sym| !matches!(self.model.values.kind(*s), SymKind::Slot(..));
        e.has_opaque() || e.symbols().iter().any(unnamed)
    }

    fn binary(&self, op: BinOp, nsw: bool, l: Num, r: Num, bits: u32, known: &OperandFacts<'_>) -> Option<Num> {
        let both = |l: &Num, r: &Num| l.needs.iter().chain(&r.needs).cloned().collect::<Vec<_>>();
        match op {
            BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl => {
                let (l, r) = if nsw {
                    (self.as_signed(l, bits, known)?, self.as_signed(r, bits, known)?)
                } else {
                    (l, r)
                };
                let poly = match op {
                    BinOp::Add => l.poly.add(&r.poly)?,
                    BinOp::Sub => l.poly.sub(&r.poly)?,
                    BinOp::Mul => l.poly.mul(&r.poly)?,
                    _ => match r.poly.as_constant() {
                        Some(k @ 0..=30) => l.poly.scale(1 << k)?,
                        _ => return None,
                    },
                };
                // A shift has no `nsw` at -O0, and overflow of a signed one is undefined only in part.
                let kind = if nsw && op != BinOp::Shl {
                    NumberKind::Signed
                } else {
                    NumberKind::Wrapped
                };
                let needs = both(&l, &r);
                Some(self.settle(Num { poly, kind, needs }, bits))
            }
            BinOp::SDiv | BinOp::SRem | BinOp::UDiv | BinOp::URem => {
                let signed = matches!(op, BinOp::SDiv | BinOp::SRem);
                let side = |n: Num| match signed {
                    true => self.as_signed(n, bits, known),
                    false => self.as_unsigned(n, bits, known),
                };
                let (l, r) = (side(l)?, side(r)?);
                let poly = match op {
                    BinOp::SDiv | BinOp::UDiv => l.poly.div(&r.poly)?,
                    _ => l.poly.rem(&r.poly)?,
                };
                let needs = both(&l, &r);
                let kind = if signed {
                    NumberKind::Signed
                } else {
                    NumberKind::Unsigned
                };
                Some(Num { poly, kind, needs })
            }
            _ => None,
        }
    }
}

impl OperandReader<'_> {
    /// The value that control brings along, where a comparison of the two candidates decides.
    pub(super) fn choice(
        &self,
        incoming: &[(BlockId, Operand)],
        bits: u32,
        known: &OperandFacts<'_>,
        depth: u32,
    ) -> Option<Num> {
        let function = self.model.function();
        let [(b1, v1), (b2, v2)] = incoming else { return None };
        let last = |block: BlockId| &function.inst(InstId(function.block(block).end.0 - 1)).op;
        // The two ways come straight from one branch.
        let goes_to = |block: BlockId, to: BlockId| matches!(last(block), Op::CondBr { then, other, .. } if *then == to || *other == to);
        let blocks = (0..function.blocks.len() as u32).map(BlockId);
        let mut branches = blocks.filter(|b| function.block(*b).succs.iter().any(|s| s == b1 || s == b2));
        let branch = branches
            .next()
            .filter(|b| branches.next().is_none() && goes_to(*b, *b1) && goes_to(*b, *b2))?;
        let Op::CondBr {
            cond: Operand::Inst(cmp),
            then,
            other,
            ..
        } = last(branch)
        else {
            return None;
        };
        let (yes, no) = match (then, other) {
            (t, o) if t == b1 && o == b2 => (v1, v2),
            (t, o) if t == b2 && o == b1 => (v2, v1),
            _ => return None,
        };
        let IntComparison { pred, lhs, rhs, signed } = function.int_comparison(*cmp)?;
        let number = |o: &Operand| self.converted(self.at(o, known, depth)?, bits, signed, known);
        let (l, r, yes, no) = (number(lhs)?, number(rhs)?, number(yes)?, number(no)?);
        let straight = l.poly == yes.poly && r.poly == no.poly;
        let crossed = l.poly == no.poly && r.poly == yes.poly;
        let both = [yes.poly.clone(), no.poly.clone()];
        let poly = match (pred, straight, crossed) {
            (Pred::Lt | Pred::Le, true, _) | (Pred::Gt | Pred::Ge, _, true) => Expr::min_of(&both)?,
            (Pred::Gt | Pred::Ge, true, _) | (Pred::Lt | Pred::Le, _, true) => Expr::max_of(&both)?,
            _ => return None,
        };
        let needs = [l, r, yes, no].into_iter().flat_map(|n| n.needs).collect();
        let kind = if signed {
            NumberKind::Signed
        } else {
            NumberKind::Unsigned
        };
        Some(Num { poly, kind, needs })
    }
}
