//! What operands are worth as polynomials, where their arithmetic surely does not wrap.
//!
//! [`crate::analysis::values::eval`] reads `i * n + j` as a polynomial whatever its type: good enough for how far an
//! access reaches, because an index that wrapped is out of bounds. It is not good enough to say that two accesses never
//! meet, so here the same expressions are read again, each with what the polynomial is in relation to the bits:
//!
//! | [`Kind`] | the polynomial is |
//! |---|---|
//! | `Signed` | the value of the bits as a signed number |
//! | `Unsigned` | the value of the bits as an unsigned number |
//! | `Both` | either, because it is not negative and small enough |
//! | `Wrapped` | equal to the bits modulo two to the width, and no more |
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

use super::slots::{SlotType, slot_types};
use super::steady::Steady;
use crate::analysis::function::FunctionModel;
use crate::analysis::values::eval::SymKind;
use crate::analysis::values::slots::{SlotId, SlotKind};
use crate::analysis::values::version::Version;
use crate::program::ir::{BinOp, Cast, InstId, Op, Operand, Type};
use crate::symbolic::{Expr, Facts, Sym};
use crate::syntax::StmtId;
use std::rc::Rc;

/// How a polynomial relates to bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Signed,
    Unsigned,
    Both,
    Wrapped,
}

/// A number.
#[derive(Clone, Debug)]
pub(super) struct Num {
    pub poly: Expr,
    pub kind: Kind,
    /// What has to hold for that: `left <= right`, about values of the function's entry or what does not change.
    pub needs: Vec<(Expr, Expr)>,
}

/// Definitions are followed this deep.
pub(super) const MAX_DEPTH: u32 = 40;

/// Reads operands of one function.
pub(super) struct Numbers<'a> {
    pub model: &'a FunctionModel<'a>,
    pub(super) types: Rc<[SlotType]>,
    /// In this loop these variables have the values that they had when it began.
    pub(super) steady: Option<(StmtId, Steady)>,
}

/// What is known where an operand is evaluated.
pub(super) struct Known<'k> {
    /// About values.
    pub facts: &'k Facts,
    /// Whether a value may be part of a condition: it is fixed before the loop in question begins.
    pub fixed: &'k dyn Fn(&Expr) -> bool,
}

impl<'a> Numbers<'a> {
    pub fn new(model: &'a FunctionModel<'a>) -> Numbers<'a> {
        Numbers {
            model,
            types: slot_types(model).into(),
            steady: None,
        }
    }

    /// The number that an operand is; `None` for what has no integer value at all.
    pub fn number(&self, operand: &Operand, known: &Known<'_>) -> Option<Num> {
        self.at(operand, known, 0)
    }

    pub(super) fn at(&self, operand: &Operand, known: &Known<'_>, depth: u32) -> Option<Num> {
        let constant = |v: i128| Num {
            poly: Expr::constant(v),
            kind: if v >= 0 { Kind::Both } else { Kind::Signed },
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
            kind: Kind::Signed,
            needs: Vec::new(),
        }
    }

    fn of_inst(&self, id: InstId, known: &Known<'_>, depth: u32) -> Option<Num> {
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
                    _ => self
                        .as_unsigned(inner, *from, known)
                        .map(|n| Num { kind: Kind::Both, ..n }),
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
                        kind: Kind::Wrapped,
                        ..inner
                    },
                    bits,
                ))
            }
            _ => None,
        }
    }

    fn of_slot(&self, slot: SlotId, version: Version, bits: u32, known: &Known<'_>, depth: u32) -> Option<Num> {
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
            Some(true) => Kind::Signed,
            Some(false) => Kind::Unsigned,
            None => Kind::Wrapped,
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

    fn binary(&self, op: BinOp, nsw: bool, l: Num, r: Num, bits: u32, known: &Known<'_>) -> Option<Num> {
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
                    Kind::Signed
                } else {
                    Kind::Wrapped
                };
                let needs = both(&l, &r);
                Some(self.settle(Num { poly, kind, needs }, bits))
            }
            BinOp::SDiv | BinOp::SRem => {
                let (l, r) = (self.as_signed(l, bits, known)?, self.as_signed(r, bits, known)?);
                let poly = if op == BinOp::SDiv {
                    l.poly.div(&r.poly)?
                } else {
                    l.poly.rem(&r.poly)?
                };
                let needs = both(&l, &r);
                Some(Num {
                    poly,
                    kind: Kind::Signed,
                    needs,
                })
            }
            BinOp::UDiv | BinOp::URem => {
                let (l, r) = (self.as_unsigned(l, bits, known)?, self.as_unsigned(r, bits, known)?);
                let poly = if op == BinOp::UDiv {
                    l.poly.div(&r.poly)?
                } else {
                    l.poly.rem(&r.poly)?
                };
                let needs = both(&l, &r);
                Some(Num {
                    poly,
                    kind: Kind::Unsigned,
                    needs,
                })
            }
            _ => None,
        }
    }
}
