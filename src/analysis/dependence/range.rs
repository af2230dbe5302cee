//! What a number is known to be in relation to its bits: by its type, by facts, or because it is asked for.

use super::number::{Num, NumberKind, OperandFacts, OperandReader};
use crate::analysis::values::table::SymKind;
use crate::program::ir::Type;
use crate::symbolic::{Atom, Expr, Facts, Sym};

impl OperandReader<'_> {
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
            SymKind::Cast(_, to) => range(8 * u32::from(to.bytes), to.signed),
            SymKind::Arg(_) | SymKind::Bound(_) => None,
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
    pub fn settle(&self, n: Num, bits: u32) -> Num {
        let Some((lo, hi)) = self
            .interval(&n.poly)
            .filter(|_| n.kind == NumberKind::Wrapped && bits <= 64)
        else {
            return n;
        };
        let half = 1i128 << (bits - 1);
        let kind = match (lo >= -half && hi < half, lo >= 0 && hi < 2 * half) {
            (true, true) => NumberKind::Both,
            (true, false) => NumberKind::Signed,
            (false, true) => NumberKind::Unsigned,
            (false, false) => NumberKind::Wrapped,
        };
        Num { kind, ..n }
    }

    pub fn as_signed(&self, n: Num, bits: u32, known: &OperandFacts<'_>) -> Option<Num> {
        let half = 1i128 << (bits.clamp(1, 64) - 1);
        let n = match n.kind {
            NumberKind::Signed | NumberKind::Both => return Some(n),
            NumberKind::Unsigned => self.at_most(n, half - 1, known)?,
            NumberKind::Wrapped => self.at_most(self.at_least(n, -half, known)?, half - 1, known)?,
        };
        Some(Num {
            kind: NumberKind::Signed,
            ..n
        })
    }

    pub fn as_unsigned(&self, n: Num, bits: u32, known: &OperandFacts<'_>) -> Option<Num> {
        let whole = 1i128 << bits.clamp(1, 64);
        let n = match n.kind {
            NumberKind::Unsigned | NumberKind::Both => return Some(n),
            NumberKind::Signed => self.at_least(n, 0, known)?,
            NumberKind::Wrapped => self.at_most(self.at_least(n, 0, known)?, whole - 1, known)?,
        };
        Some(Num {
            kind: NumberKind::Unsigned,
            ..n
        })
    }

    fn at_least(&self, n: Num, bound: i128, known: &OperandFacts<'_>) -> Option<Num> {
        let (left, right) = (Expr::constant(bound), n.poly.clone());
        self.hold(n, left, right, known)
    }

    fn at_most(&self, n: Num, bound: i128, known: &OperandFacts<'_>) -> Option<Num> {
        let (left, right) = (n.poly.clone(), Expr::constant(bound));
        self.hold(n, left, right, known)
    }

    /// The number, if `left <= right` is known or may be asked for.
    fn hold(&self, mut n: Num, left: Expr, right: Expr, known: &OperandFacts<'_>) -> Option<Num> {
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

    /// The number read as one of a type.
    pub fn converted(&self, n: Num, bits: u32, signed: bool, known: &OperandFacts<'_>) -> Option<Num> {
        if signed {
            self.as_signed(n, bits, known)
        } else {
            self.as_unsigned(n, bits, known).map(|n| match n.kind {
                NumberKind::Both => n,
                _ => Num {
                    kind: NumberKind::Unsigned,
                    ..n
                },
            })
        }
    }
}
