//! Integer instructions as operations on symbolic expressions.

use crate::program::ir::BinOp;
use crate::symbolic::Expr;

/// What an integer instruction makes of its operands: sums, products, shifts by a constant, quotients and remainders.
/// `None` where the result is no expression of theirs: bit operations, or more terms than an expression may have.
pub fn arithmetic(op: BinOp, lhs: &Expr, rhs: &Expr) -> Option<Expr> {
    match op {
        BinOp::Add => lhs.add(rhs),
        BinOp::Sub => lhs.sub(rhs),
        BinOp::Mul => lhs.mul(rhs),
        BinOp::Shl => match rhs.as_constant() {
            Some(k @ 0..=62) => lhs.mul(&Expr::constant(1 << k)),
            _ => None,
        },
        BinOp::SDiv | BinOp::UDiv => lhs.div(rhs),
        BinOp::SRem | BinOp::URem => lhs.rem(rhs),
        _ => None,
    }
}
