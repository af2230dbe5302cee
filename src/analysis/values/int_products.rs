//! Products that the program itself computes in 32 bits.
//!
//! ```c
//! for (int i = 0; i < rows * cols; i++)                        /* `rows * cols` is no larger than an `int`         */
//! for (size_t i = 0; i < (size_t)rows * cols; i++)             /* it may be                                        */
//! ```
//!
//! What is written in directives may multiply such numbers in an `int`, too; others not.

use super::table::Values;
use crate::program::ir::{BinOp, Op, Operand, Type};
use crate::symbolic::Expr;

impl Values<'_> {
    /// The function's products in 32 bits, as numbers.
    pub fn int_products(&self) -> &[Expr] {
        self.int_products.get_or_init(|| {
            let function = self.function();
            let is_one = |op: &Op| matches!(op, Op::Binary { op: BinOp::Mul, .. });
            let of_32_bits = function.inst_ids().filter(|id| {
                let inst = function.inst(*id);
                inst.ty == Type::Int(32) && is_one(&inst.op)
            });
            of_32_bits.map(|id| self.int(&Operand::Inst(id))).collect()
        })
    }
}
