//! Whether numbers stay below the top of the types that they are computed in.
//!
//! ```c
//! unsigned w; size_t n; int k;
//! w + 5                       /* may have wrapped around to a small number                                     */
//! n - 1                       /* may have become a huge one, and no small one                                   */
//! (size_t)k * 8               /* of a negative k a huge one                                                     */
//! ```
//!
//! What is huge is no size (`super::sizes`); what has wrapped around over the top may be any number.

use super::range::Range;
use super::table::{Evaluate, MAX_DEPTH, Values};
use super::version::Version;
use crate::program::ir::{BinOp, Cast, InstId, IntComparison, Op, Operand, Type};
use crate::symbolic::Expr;

/// The tops of which types count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tops {
    All,
    /// Of those with less than 64 bits.
    Below64,
}

impl Values<'_> {
    /// Whether both sides of a comparison stay below the top.
    pub(super) fn compares_below_top(&self, part: &Operand) -> bool {
        let Operand::Inst(cmp) = part else { return false };
        let Some(IntComparison { lhs, rhs, .. }) = self.function().int_comparison(*cmp) else {
            return false;
        };
        let is_below = |side: &Operand| self.below_top(side, Tops::All, 0).is_some();
        is_below(lhs) && is_below(rhs)
    }

    /// A number of bytes that memory is asked for. In 64 bits nothing is taken to wrap around: so much memory there is not.
    pub fn memory_size(&self, operand: &Operand) -> Option<Expr> {
        let size = self.int(operand);
        let is_there = size.as_sym().is_some() || size.as_constant().is_some();
        (is_there || self.below_top(operand, Tops::Below64, 0).is_some()).then_some(size)
    }

    /// The range of a number that has wrapped around below zero at most, as if it had not.
    fn below_top(&self, operand: &Operand, tops: Tops, depth: u32) -> Option<Range> {
        if depth > MAX_DEPTH {
            return None;
        }
        let Operand::Inst(id) = operand else {
            return self.range(&self.int_at(operand, 0));
        };
        let function = self.function();
        let bits = |ty: &Type| match ty {
            Type::Int(bits) => Some(*bits),
            _ => None,
        };
        match &function.inst(*id).op {
            Op::Load { .. } => self.loaded_below_top(*id, tops, depth),
            Op::Cast { kind, value, from } => {
                let range = self.below_top(value, tops, depth + 1)?;
                let most = match kind {
                    Cast::SExt => Range::unsigned(bits(from)?).hi / 2,
                    Cast::ZExt => Range::unsigned(bits(from)?).hi,
                    Cast::Trunc => Range::unsigned(bits(&function.inst(*id).ty)?).hi,
                    _ => return None,
                };
                (range.hi <= most).then_some(range)
            }
            Op::Binary {
                op: op @ (BinOp::Add | BinOp::Sub | BinOp::Mul),
                lhs,
                rhs,
                nsw,
            } => {
                let (lhs, rhs) = (
                    self.below_top(lhs, tops, depth + 1)?,
                    self.below_top(rhs, tops, depth + 1)?,
                );
                let range = match op {
                    BinOp::Add => lhs.add(rhs)?,
                    BinOp::Sub => lhs.add(rhs.mul(Range::only(-1))?)?,
                    _ => lhs.mul(rhs)?,
                };
                let bits = bits(&function.inst(*id).ty)?;
                let all = Range::unsigned(bits);
                // Where the program computes with a sign it may not overflow.
                match nsw {
                    true => Some(Range {
                        lo: range.lo.max(-1 - all.hi / 2),
                        hi: range.hi.min(all.hi / 2),
                    }),
                    false => (range.hi <= all.hi || bits == 64 && tops == Tops::Below64).then_some(range),
                }
            }
            _ => self.range(&self.int_at(operand, 0)),
        }
    }

    /// The range of what is loaded, which may be known by what it has been computed from.
    fn loaded_below_top(&self, load: InstId, tops: Tops, depth: u32) -> Option<Range> {
        let value = self.int_at(&Operand::Inst(load), 0);
        if value.as_sym().is_some() || value.as_constant().is_some() {
            return self.range(&value);
        }
        let (slot, version) = self.read_from(load)?;
        if let Version::Def(store) = version
            && let Op::Store { value, .. } = &self.function().inst(store).op
        {
            return self.below_top(value, tops, depth + 1);
        }
        let declared = self.declared_type(slot).and_then(super::casts::IntType::of)?;
        self.range(&value).filter(|range| range.hi <= declared.limits().1)
    }
}
