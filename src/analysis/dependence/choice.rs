//! `n < m ? n : m`: the choice of the lesser or greater of two numbers.

use super::number::{Kind, Known, Num, Numbers};
use crate::program::ir::{BlockId, InstId, IntComparison, Op, Operand, Pred};
use crate::symbolic::Expr;

impl Numbers<'_> {
    /// The value that control brings along, where a comparison of the two candidates decides.
    pub(super) fn choice(
        &self,
        incoming: &[(BlockId, Operand)],
        bits: u32,
        known: &Known<'_>,
        depth: u32,
    ) -> Option<Num> {
        let function = self.model.function();
        let [(b1, v1), (b2, v2)] = incoming else { return None };
        let last = |block: BlockId| &function.inst(InstId(function.block(block).end.0 - 1)).op;
        // Both ways come straight from one branch.
        let goes_to = |block: BlockId, to: BlockId| matches!(last(block), Op::CondBr { then, other, .. } if *then == to || *other == to);
        let blocks = (0..function.blocks.len() as u32).map(BlockId);
        let mut branches = blocks.filter(|b| function.block(*b).succs.iter().any(|s| s == b1 || s == b2));
        let branch = branches
            .next()
            .filter(|b| branches.next().is_none() && goes_to(*b, *b1) && goes_to(*b, *b2))?;
        let Op::CondBr {
            cond: Operand::Inst(cmp),
            then,
            other,
            ..
        } = last(branch)
        else {
            return None;
        };
        let (yes, no) = match (then, other) {
            (t, o) if t == b1 && o == b2 => (v1, v2),
            (t, o) if t == b2 && o == b1 => (v2, v1),
            _ => return None,
        };
        let IntComparison { pred, lhs, rhs, signed } = function.int_comparison(*cmp)?;
        let number = |o: &Operand| self.converted(self.at(o, known, depth)?, bits, signed, known);
        let (l, r, yes, no) = (number(lhs)?, number(rhs)?, number(yes)?, number(no)?);
        let straight = l.poly == yes.poly && r.poly == no.poly;
        let crossed = l.poly == no.poly && r.poly == yes.poly;
        let both = [yes.poly.clone(), no.poly.clone()];
        let poly = match (pred, straight, crossed) {
            (Pred::Lt | Pred::Le, true, _) | (Pred::Gt | Pred::Ge, _, true) => Expr::min_of(&both)?,
            (Pred::Gt | Pred::Ge, true, _) | (Pred::Lt | Pred::Le, _, true) => Expr::max_of(&both)?,
            _ => return None,
        };
        let needs = [l, r, yes, no].into_iter().flat_map(|n| n.needs).collect();
        let kind = if signed { Kind::Signed } else { Kind::Unsigned };
        Some(Num { poly, kind, needs })
    }
}
