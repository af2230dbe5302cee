//! IR operands as symbolic expressions and pointer values.
//!
//! **Operational semantics.** An integer instruction evaluates to the polynomial that its operands make; a load of a
//! slot evaluates to the value of the slot's reaching definition, followed through copies (`int nm = n*m;` makes `nm`
//! equal `n*m`), and through calls whose summaries say what they leave there or return ([`super::calls`]), until a
//! symbol that has no expression: a parameter, a φ, another call's or an array element's result. A pointer evaluates to
//! a [`super::table::Base`] plus a byte offset.
//!
//! **What licenses following a copy**: the symbols of the copied expression denote values, not variables, so the equality
//! holds for as long as those values are the ones meant. Within a loop a symbol defined in it denotes the value of the
//! current iteration; whoever carries an expression over a back edge must widen it ([`super::loops`]).
//!
//! **Non-goals.** Wrap-around of unsigned sums and products is not modelled where they are indices: an index that wrapped is
//! out of bounds of the object, which is undefined in the source program already. That does not hold of what is divided:
//! `(t - 1u) % n` is a place in an array, whatever `t - 1u` has become. Operands of quotients and remainders, and what else must
//! not rest on it, are asked of `super::exact_numbers`; factors like that of a hash (`t * 2654435761u`) are no index at all.
//! Truncating casts, bit operations and floats are opaque.

use super::slots::SlotId;
use super::table::{Evaluate, PtrVal, Values};
use super::version::Version;
use crate::program::ir::Operand;
use crate::symbolic::Expr;

impl Evaluate for Values<'_> {
    fn int_at(&self, operand: &Operand, depth: u32) -> Expr {
        self.integer(operand, depth)
    }

    fn slot_int_at(&self, slot: SlotId, version: Version, depth: u32) -> Expr {
        self.slot_integer(slot, version, depth)
    }

    fn ptr_at(&self, operand: &Operand, depth: u32) -> Option<PtrVal> {
        self.pointer(operand, depth)
    }

    fn slot_ptr_at(&self, slot: SlotId, version: Version, depth: u32) -> PtrVal {
        self.slot_pointer(slot, version, depth)
    }

    fn exact_at(&self, operand: &Operand, depth: u32) -> Option<Expr> {
        self.exact_number(operand, depth)
    }

    fn exact_in_at(&self, slot: SlotId, version: Version, depth: u32) -> Expr {
        self.exact_held(slot, version, depth)
    }
}

impl Values<'_> {
    /// The integer value of an operand.
    pub fn int(&self, operand: &Operand) -> Expr {
        self.int_at(operand, 0)
    }

    /// The pointer value of an operand; `None` for null, functions and constants that are no object.
    pub fn ptr(&self, operand: &Operand) -> Option<PtrVal> {
        self.ptr_at(operand, 0)
    }

    /// The value of `slot` by `version`, as an integer.
    pub fn slot_int(&self, slot: SlotId, version: Version) -> Expr {
        self.slot_int_at(slot, version, 0)
    }

    /// The value of `slot` by `version`, as a pointer.
    pub fn slot_ptr(&self, slot: SlotId, version: Version) -> PtrVal {
        self.slot_ptr_at(slot, version, 0)
    }
}
