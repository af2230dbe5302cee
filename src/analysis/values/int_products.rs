//! Products that the program itself computes in 32 bits.
//!
//! ```c
//! for (int i = 0; i < rows * cols; i++)                        /* `rows * cols` is no larger than an `int`         */
//! for (int i = 0; i < rows; i++) … a[i * cols + j] …           /* nor is it here, where `i` comes to `rows - 1`    */
//! for (size_t i = 0; i < (size_t)rows * cols; i++)             /* it may be                                        */
//! ```
//!
//! What is written in directives may multiply such numbers in an `int`, too; others not. A loop's counter stands for its bound as well.

use super::loop_info::Loops;
use super::table::Values;
use crate::program::ir::{BinOp, Op, Operand, Type};
use crate::symbolic::{Expr, Monomial, Summand};
use rustc_hash::FxHashMap;

impl Loops {
    /// Whether the function computes a product in 32 bits, in one place or another.
    pub fn computes_in_int(&self, values: &Values<'_>, product: &Summand) -> bool {
        let known = self.int_products.get_or_init(|| self.find_products(values));
        let most = known.get(&product.monomial);
        most.is_some_and(|most| *most >= product.coeff.unsigned_abs())
    }

    fn find_products(&self, values: &Values<'_>) -> FxHashMap<Monomial, u128> {
        let function = values.function();
        let of_32_bits = function.inst_ids().filter(|id| {
            let inst = function.inst(*id);
            inst.ty == Type::Int(32) && matches!(inst.op, Op::Binary { op: BinOp::Mul, .. })
        });
        let mut found = FxHashMap::<Monomial, u128>::default();
        for product in of_32_bits.map(|id| values.int(&Operand::Inst(id))) {
            let most = self.at_most(&product);
            for term in [Some(product), most].iter().flatten().flat_map(Expr::terms) {
                let factor = found.entry(term.monomial.clone()).or_default();
                *factor = (*factor).max(term.coeff.unsigned_abs());
            }
        }
        found
    }

    /// A product in the last iteration of the loops that count its factors, and one more.
    fn at_most(&self, product: &Expr) -> Option<Expr> {
        let mut most = product.clone();
        for s in product.symbols() {
            if let Some((_, counted)) = self.counting_by(s) {
                most = most.substitute(s, &counted.hi.offset(1)?)?;
            }
        }
        Some(most)
    }
}
