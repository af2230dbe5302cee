//! Integer instructions as operations on symbolic expressions.

use crate::program::ir::BinOp;
use crate::symbolic::Expr;

/// What an integer instruction makes of its operands: sums, products and shifts to the left by a constant, of which
/// the bits are the same for numbers with and without a sign. `None` where the result is no expression of theirs: bit operations, or
/// more terms than an expression may have; and quotients and remainders, which depend on what the operands are as numbers.
pub fn arithmetic(op: BinOp, lhs: &Expr, rhs: &Expr) -> Option<Expr> {
    match op {
        BinOp::Add => lhs.add(rhs),
        BinOp::Sub => lhs.sub(rhs),
        BinOp::Mul => lhs.mul(rhs),
        BinOp::Shl => match rhs.as_constant() {
            Some(k @ 0..=62) => lhs.mul(&Expr::constant(1 << k)),
            _ => None,
        },
        _ => None,
    }
}
