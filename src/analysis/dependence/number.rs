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
use crate::analysis::function::FunctionModel;
use crate::analysis::values::eval::{Base, SymKind};
use crate::analysis::values::slots::{SlotId, SlotKind};
use crate::analysis::values::versions::Version;
use crate::program::ir::{BinOp, Cast, InstId, Op, Operand, Type};
use crate::symbolic::{Atom, Expr, Facts, Sym};

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

/// A pointer: bytes from a base.
#[derive(Clone, Debug)]
pub(super) struct Address {
    pub base: Base,
    /// `None` where it is not understood.
    pub offset: Option<Num>,
}

/// Definitions are followed this deep.
const MAX_DEPTH: u32 = 40;

/// Reads operands of one function.
pub(super) struct Numbers<'a> {
    pub model: &'a FunctionModel<'a>,
    types: Vec<SlotType>,
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
            types: slot_types(model),
        }
    }

    /// The least and greatest value that a symbol's type allows.
    pub fn type_range(&self, sym: Sym) -> Option<(i128, i128)> {
        let range = |bits: u32, signed: bool| match (bits, signed) {
            (1..=64, true) => Some((-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)),
            (1..=64, false) => Some((0, (1i128 << bits) - 1)),
            _ => None,
        };
        match self.model.values.kind(sym) {
            SymKind::Slot(slot, _) => {
                let ty = self.types[slot.0 as usize];
                range(ty.bits?, ty.signed?)
            }
            SymKind::Inst(id) => match self.model.function().inst(id).ty {
                Type::Int(bits) => range(bits, true),
                _ => None,
            },
            SymKind::Arg(_) => None,
        }
    }

    /// Adds what the types of the symbols of an expression say.
    pub fn assume_types(&self, e: &Expr, facts: &mut Facts) {
        for sym in e.symbols() {
            if let Some((lo, hi)) = self.type_range(sym) {
                facts.assume_le(&Expr::constant(lo), &Expr::sym(sym));
                facts.assume_le(&Expr::sym(sym), &Expr::constant(hi));
            }
        }
    }

    /// The number that an operand is; `None` for what has no integer value at all.
    pub fn number(&self, operand: &Operand, known: &Known<'_>) -> Option<Num> {
        self.at(operand, known, 0)
    }

    fn at(&self, operand: &Operand, known: &Known<'_>, depth: u32) -> Option<Num> {
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
                let node = self.model.attachment.node_of[id.0 as usize]?;
                self.of_slot(slot, self.model.values.versions.at(node, id, slot), bits, known, depth)
            }
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

    /// The range of a polynomial by the types of its symbols alone.
    pub fn interval(&self, e: &Expr) -> Option<(i128, i128)> {
        let (mut lo, mut hi) = (0i128, 0i128);
        for term in e.terms() {
            let (mut a, mut b) = (term.coeff, term.coeff);
            for (atom, power) in term.monomial.factors() {
                let Atom::Sym(sym) = atom else { return None };
                let (l, h) = self.type_range(*sym)?;
                for _ in 0..*power {
                    let ends = [
                        a.checked_mul(l)?,
                        a.checked_mul(h)?,
                        b.checked_mul(l)?,
                        b.checked_mul(h)?,
                    ];
                    (a, b) = (*ends.iter().min()?, *ends.iter().max()?);
                }
            }
            (lo, hi) = (lo.checked_add(a)?, hi.checked_add(b)?);
        }
        Some((lo, hi))
    }

    /// Says more of the kind where the types alone show it.
    fn settle(&self, n: Num, bits: u32) -> Num {
        let Some((lo, hi)) = self.interval(&n.poly).filter(|_| n.kind == Kind::Wrapped && bits <= 64) else {
            return n;
        };
        let half = 1i128 << (bits - 1);
        let kind = match (lo >= -half && hi < half, lo >= 0 && hi < 2 * half) {
            (true, true) => Kind::Both,
            (true, false) => Kind::Signed,
            (false, true) => Kind::Unsigned,
            (false, false) => Kind::Wrapped,
        };
        Num { kind, ..n }
    }

    pub fn as_signed(&self, n: Num, bits: u32, known: &Known<'_>) -> Option<Num> {
        let half = 1i128 << (bits.clamp(1, 64) - 1);
        let n = match n.kind {
            Kind::Signed | Kind::Both => return Some(n),
            Kind::Unsigned => self.at_most(n, half - 1, known)?,
            Kind::Wrapped => self.at_most(self.at_least(n, -half, known)?, half - 1, known)?,
        };
        Some(Num {
            kind: Kind::Signed,
            ..n
        })
    }

    pub fn as_unsigned(&self, n: Num, bits: u32, known: &Known<'_>) -> Option<Num> {
        let whole = 1i128 << bits.clamp(1, 64);
        let n = match n.kind {
            Kind::Unsigned | Kind::Both => return Some(n),
            Kind::Signed => self.at_least(n, 0, known)?,
            Kind::Wrapped => self.at_most(self.at_least(n, 0, known)?, whole - 1, known)?,
        };
        Some(Num {
            kind: Kind::Unsigned,
            ..n
        })
    }

    fn at_least(&self, n: Num, bound: i128, known: &Known<'_>) -> Option<Num> {
        let (left, right) = (Expr::constant(bound), n.poly.clone());
        self.hold(n, left, right, known)
    }

    fn at_most(&self, n: Num, bound: i128, known: &Known<'_>) -> Option<Num> {
        let (left, right) = (n.poly.clone(), Expr::constant(bound));
        self.hold(n, left, right, known)
    }

    /// The number, if `left <= right` is known or may be asked for.
    fn hold(&self, mut n: Num, left: Expr, right: Expr, known: &Known<'_>) -> Option<Num> {
        let mut facts = known.facts.clone();
        self.assume_types(&n.poly, &mut facts);
        if facts.prove_le(&left, &right) {
            return Some(n);
        }
        // What is asked for is computed in 64 bits, where nothing is greater than that type's greatest.
        let testable = |e: &Expr| e.as_constant().is_none_or(|c| i64::try_from(c).is_ok());
        if (known.fixed)(&n.poly) && testable(&left) && testable(&right) {
            n.needs.push((left, right));
            return Some(n);
        }
        None
    }

    /// Where a pointer operand points.
    pub fn address(&self, operand: &Operand, known: &Known<'_>) -> Option<Address> {
        self.address_at(operand, known, 0)
    }

    fn address_at(&self, operand: &Operand, known: &Known<'_>, depth: u32) -> Option<Address> {
        let zero = || Num {
            poly: Expr::zero(),
            kind: Kind::Both,
            needs: Vec::new(),
        };
        let at = |base: Base| Address {
            base,
            offset: Some(zero()),
        };
        let values = self.model.values;
        Some(match operand {
            Operand::Global(g) => at(Base::Global(*g)),
            Operand::Arg(n) => at(Base::Value(values.sym(SymKind::Arg(*n)))),
            Operand::ConstGep { base, bytes } => {
                let inner = self.address_at(base, known, depth)?;
                let constant = Num {
                    poly: Expr::constant(i128::from(*bytes)),
                    kind: Kind::Signed,
                    needs: Vec::new(),
                };
                inner.moved(Some(constant))
            }
            Operand::Inst(id) => {
                let found = if depth < MAX_DEPTH {
                    self.address_of_inst(*id, known, depth + 1)
                } else {
                    None
                };
                found.unwrap_or_else(|| at(Base::Value(values.sym(SymKind::Inst(*id)))))
            }
            _ => return None,
        })
    }

    fn address_of_inst(&self, id: InstId, known: &Known<'_>, depth: u32) -> Option<Address> {
        let function = self.model.function();
        let values = self.model.values;
        match &function.inst(id).op {
            Op::Alloca { .. } => Some(Address {
                base: Base::Local(function.variable_of(id)?),
                offset: self.at(&Operand::Int(0), known, 0),
            }),
            Op::Load { ptr, volatile: false } if function.inst(id).ty == Type::Ptr => {
                let slot = values.slots.at(ptr, function)?;
                let node = self.model.attachment.node_of[id.0 as usize]?;
                Some(self.address_of_slot(slot, values.versions.at(node, id, slot), known, depth))
            }
            Op::Gep {
                base,
                source_ty,
                indices,
            } => {
                let inner = self.address_at(base, known, depth)?;
                let bytes = self.stepped(source_ty, indices, known, depth);
                Some(inner.moved(bytes))
            }
            _ => None,
        }
    }

    fn address_of_slot(&self, slot: SlotId, version: Version, known: &Known<'_>, depth: u32) -> Address {
        let values = self.model.values;
        if let Some((original, version)) = values.original(slot, version)
            && depth < MAX_DEPTH
        {
            return self.address_of_slot(original, version, known, depth + 1);
        }
        let itself = || Address {
            base: Base::Value(values.sym(SymKind::Slot(slot, version))),
            offset: self.at(&Operand::Int(0), known, 0),
        };
        let Version::Def(store) = version else { return itself() };
        match &self.model.function().inst(store).op {
            Op::Store { value, .. } if !matches!(value, Operand::Arg(_)) => {
                let found = self.address_at(value, known, depth + 1);
                let named = |a: &Address| match a.base {
                    Base::Value(s) => matches!(values.kind(s), SymKind::Slot(..)),
                    _ => true,
                };
                found.filter(named).unwrap_or_else(itself)
            }
            _ => itself(),
        }
    }

    /// The bytes that indices step over; `None` where one of them is not a number.
    fn stepped(&self, source_ty: &Type, indices: &[Operand], known: &Known<'_>, depth: u32) -> Option<Num> {
        let mut total = self.at(&Operand::Int(0), known, 0)?;
        let mut ty = source_ty.clone();
        for (i, index) in indices.iter().enumerate() {
            let size = if i == 0 {
                self.model.module.size_of(&ty)
            } else {
                match &ty {
                    Type::Array(elem, _) => {
                        let size = self.model.module.size_of(elem);
                        ty = (**elem).clone();
                        size
                    }
                    Type::Struct(id) => {
                        let Operand::Int(field) = index else { return None };
                        let layout = self.model.module.structure(*id);
                        let field = usize::try_from(*field).ok()?;
                        let offset = i128::from(*layout.offsets.get(field)?);
                        total.poly = total.poly.offset(offset)?;
                        ty = layout.fields.get(field)?.clone();
                        continue;
                    }
                    _ => return None,
                }
            };
            let index = self.at(index, known, depth)?;
            total.poly = total.poly.add(&index.poly.scale(i128::from(size))?)?;
            total.needs.extend(index.needs);
            if index.kind == Kind::Wrapped {
                total.kind = Kind::Wrapped;
            }
        }
        Some(total)
    }
}

impl Address {
    fn moved(self, bytes: Option<Num>) -> Address {
        let offset = self.offset.zip(bytes).and_then(|(a, b)| {
            let wrapped = a.kind == Kind::Wrapped || b.kind == Kind::Wrapped;
            Some(Num {
                poly: a.poly.add(&b.poly)?,
                kind: if wrapped { Kind::Wrapped } else { Kind::Signed },
                needs: a.needs.into_iter().chain(b.needs).collect(),
            })
        });
        Address { offset, ..self }
    }
}
