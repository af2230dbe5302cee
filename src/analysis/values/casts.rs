//! Numbers in another type than that of the variable that holds them.
//!
//! ```c
//! void half(double *v, int count) { … if(count > 0) map(tofrom: v[0:count]) … }
//! half(a, u);                     /* of an `unsigned u`: if((int)u > 0) map(tofrom: a[0:(int)u])              */
//! ```
//!
//! Such a number is a symbol of its own ([`SymKind::Cast`]), about which nothing is known but its type. It is written as
//! the variable with a cast, wherever the variable can be.
//!
//! Non-goals: casts of sums and products, whose own type would have to be known; conversions to `bool`, which are tests.

use super::eval::{MAX_DEPTH, SymKind, Values};
use super::slots::SlotId;
use super::types::Converted;
use super::versions::Version;
use crate::program::ir::{Cast, Op, Operand, SourceType, Type};
use crate::symbolic::{Expr, Sym};

/// An integer type of C.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct IntType {
    /// Size in bytes: 1, 2, 4 or 8.
    pub bytes: u8,
    /// Whether it has negative numbers.
    pub signed: bool,
}

impl IntType {
    fn of(ty: &SourceType) -> Option<IntType> {
        match *ty {
            SourceType::Int { bytes, signed } if [1, 2, 4, 8].contains(&bytes) => Some(IntType {
                bytes: bytes as u8,
                signed,
            }),
            _ => None,
        }
    }

    /// The type that the words of a cast mean.
    pub(super) fn named(text: &str) -> Option<IntType> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let has = |word: &str| words.contains(&word);
        let fixed = words.iter().find_map(|w| w.strip_suffix("_t"));
        let bytes = match fixed {
            Some(name) => match name.trim_start_matches(['u', 'i', 'n', 't']) {
                "8" => 1,
                "16" => 2,
                "32" => 4,
                _ => 8,
            },
            None if has("char") => 1,
            None if has("short") => 2,
            None if has("long") => 8,
            None => 4,
        };
        // Whether a plain `char` is signed is up to the machine.
        let known = !has("char") || has("signed") || has("unsigned");
        let unsigned = has("unsigned") || fixed.is_some_and(|name| name.starts_with('u') || name == "size");
        known.then_some(IntType {
            bytes,
            signed: !unsigned,
        })
    }

    /// How C calls it.
    pub fn name(self) -> &'static str {
        match (self.bytes, self.signed) {
            (1, true) => "signed char",
            (1, false) => "unsigned char",
            (2, true) => "short",
            (2, false) => "unsigned short",
            (4, true) => "int",
            (4, false) => "unsigned",
            (_, true) => "long",
            (_, false) => "unsigned long",
        }
    }
}

impl Values<'_> {
    /// What the variable that an operand is read from is worth in a type in which the operand is kept as `kept`.
    pub fn cast(&self, operand: &Operand, to: &SourceType, kept: &Type) -> Option<Expr> {
        self.cast_at(operand, to, kept, 0)
    }

    pub(super) fn cast_at(&self, operand: &Operand, to: &SourceType, kept: &Type, depth: u32) -> Option<Expr> {
        let to = IntType::of(to)?;
        // A `bool` is kept in a bit where it is handed over.
        if *kept != Type::Int(8 * u32::from(to.bytes)) {
            return None;
        }
        let read = match operand {
            Operand::Inst(id) => match &self.function().inst(*id).op {
                Op::Cast {
                    kind: Cast::Trunc,
                    value,
                    ..
                } => value,
                _ => operand,
            },
            _ => return None,
        };
        self.is_exact_at(read, depth)
            .then(|| self.int_at(read, depth))
            .and_then(|e| self.of_variable(&e, to))
    }

    /// Whether an operand is the number that it evaluates to without anything being taken of sizes: no negative number became
    /// a huge one on the way.
    pub fn is_exact(&self, operand: &Operand) -> bool {
        self.is_exact_at(operand, 0)
    }

    /// The same, of what a variable holds.
    pub fn is_exact_in(&self, slot: SlotId, version: Version) -> bool {
        self.is_exact_in_at(slot, version, 0)
    }

    fn is_exact_at(&self, operand: &Operand, depth: u32) -> bool {
        let Operand::Inst(id) = operand else { return true };
        if depth > MAX_DEPTH {
            return false;
        }
        let function = self.function();
        match &function.inst(*id).op {
            Op::Load { ptr, .. } => {
                let slot = self.slots.value_at(ptr, &function.inst(*id).ty, function);
                slot.zip(self.attachment.node_of[id.0 as usize])
                    .is_none_or(|(slot, node)| self.is_exact_in_at(slot, self.versions.at(node, *id, slot), depth + 1))
            }
            Op::Cast {
                kind: kind @ (Cast::SExt | Cast::ZExt),
                value,
                from: Type::Int(bits @ 8..),
            } => {
                let ty = SourceType::Int {
                    bytes: u64::from(bits / 8),
                    signed: *kind == Cast::SExt,
                };
                self.stays(value, &ty, depth)
            }
            Op::Cast { value, .. } => self.is_exact_at(value, depth + 1),
            Op::Binary { lhs, rhs, .. } => self.is_exact_at(lhs, depth + 1) && self.is_exact_at(rhs, depth + 1),
            Op::Call { .. } => self.is_result(&self.int_at(operand, depth)),
            _ => true,
        }
    }

    fn is_exact_in_at(&self, slot: SlotId, version: Version, depth: u32) -> bool {
        let itself = Expr::sym(self.sym(SymKind::Slot(slot, version)));
        if self.slot_int_at(slot, version, depth) == itself {
            return true;
        }
        let Version::Def(store) = version else { return false };
        match (&self.function().inst(store).op, self.declared_type(slot)) {
            (Op::Store { value, .. }, Some(ty)) => self.stays(value, ty, depth),
            _ => false,
        }
    }

    fn stays(&self, value: &Operand, ty: &SourceType, depth: u32) -> bool {
        self.converted(&self.int_at(value, depth + 1), ty) == Converted::Same && self.is_exact_at(value, depth + 1)
    }

    /// What a number is in a type, if it is that of a variable.
    pub(super) fn of_variable(&self, e: &Expr, to: IntType) -> Option<Expr> {
        let sym = e.as_sym()?;
        let is_number = matches!(self.kind(sym), SymKind::Slot(slot, _)
            if self.declared_type(slot).is_some_and(|ty| IntType::of(ty).is_some()));
        is_number.then(|| Expr::sym(self.sym(SymKind::Cast(sym, to))))
    }

    /// Whether a number is the result of an instruction and nothing else.
    pub fn is_result(&self, e: &Expr) -> bool {
        e.as_sym().is_some_and(|s| matches!(self.kind(s), SymKind::Inst(_)))
    }

    /// Whether a number may be negative only because it is one of another type: no size is meant by it then.
    pub fn may_turn_negative(&self, e: &Expr) -> bool {
        let turns = |s: Sym| matches!(self.kind(s), SymKind::Cast(_, to) if to.signed);
        e.symbols().into_iter().any(turns)
    }
}
