//! In which range a number surely lies, by its type and by the loop that counts with it.
//!
//! ```c
//! for (unsigned t = 1; t < 100; t++)
//!     x[(t - 1u) % 7000u] = t;     /* `t` is in [1, 100], so `t - 1u` does not wrap around: it is the number t - 1    */
//! ```
//!
//! The bits of a sum or product are those of the mathematical one, whatever its type. Which number the bits are is another
//! question as soon as they are divided, shifted right or widened: that of the sum, where the sum's range fits the type.
//!
//! Non-goals: branches, and loops with several tests.

use super::casts::IntType;
use super::loop_test::DecidingBranch;
use super::range::Range;
use super::slots::SlotId;
use super::table::{Evaluate, SymKind, Values};
use super::types::Converted;
use super::version::Version;
use crate::program::graph::{NodeId, NodeKind};
use crate::program::ir::{IntComparison, Operand, Pred, SourceType, Type};
use crate::symbolic::{Atom, Expr, Sym};

/// Constants and coefficients of this size, in sums that may wrap around, mean residues rather than places in an array.
const LARGE: u128 = 1 << 28;

impl Values<'_> {
    /// The range of an expression; `None` where nothing is known of a part of it.
    pub fn range(&self, e: &Expr) -> Option<Range> {
        let mut sum = Range::only(0);
        for term in e.terms() {
            let mut product = Range::only(term.coeff);
            for (atom, power) in term.monomial.factors() {
                let factor = self.range_of_atom(atom)?;
                for _ in 0..*power {
                    product = product.mul(factor)?;
                }
            }
            sum = sum.add(product)?;
        }
        Some(sum)
    }

    /// How large what is computed on the way to an expression may be: all its parts have one sign.
    pub fn most_on_the_way(&self, e: &Expr) -> Option<u128> {
        let mut sum = 0u128;
        for term in e.terms() {
            let mut product = term.coeff.unsigned_abs();
            for (atom, power) in term.monomial.factors() {
                // Factors may be taken out, so that each counts for one at least.
                let factor = self.range_of_atom(atom)?.magnitude().max(1);
                for _ in 0..*power {
                    product = product.checked_mul(factor)?;
                }
            }
            sum = sum.checked_add(product)?;
        }
        Some(sum)
    }

    /// Whether an expression lies in the range of a type.
    pub fn fits(&self, e: &Expr, ty: IntType) -> bool {
        self.range(e).is_some_and(|r| r.within(Range::of_type(ty)))
    }

    /// Whether an unsigned sum of so many bits, if it is not known to be what it is as numbers, is at least a place in an array
    /// wherever it is used as one: it has no such factors and summands as only make sense modulo a power of two. What wraps around in
    /// less than 32 bits may well be a place.
    pub(super) fn is_place(&self, e: &Expr, bits: u32) -> bool {
        let small = e.terms().iter().all(|t| t.coeff.unsigned_abs() < LARGE);
        match bits {
            ..8 => true,
            8..32 => {
                let signed = e.symbols().iter().any(|s| self.type_of(*s).is_none_or(|ty| ty.signed));
                let ty = IntType {
                    bytes: (bits / 8) as u8,
                    signed,
                };
                self.fits(e, ty)
            }
            _ => small || self.range(e).is_some_and(|r| r.within(Range::unsigned(bits))),
        }
    }

    /// Whether C's quotient of two numbers of a text is that of the numbers, where what is computed in the text is `unsigned` by
    /// its literals and casts alone or by its variables. Sums of sizes in 64 bits are taken not to wrap around.
    pub fn divides(&self, left: &Expr, right: &Expr, unsigned: bool) -> bool {
        let symbols: Vec<Sym> = [left, right].into_iter().flat_map(Expr::symbols).collect();
        if !unsigned && !symbols.iter().any(|s| self.is_unsigned(*s)) {
            return true;
        }
        let bytes = self.width(left).max(self.width(right)) as u8;
        let ty = IntType { bytes, signed: false };
        let is_size = |s: &Sym| self.type_of(*s).is_some_and(|ty| !ty.signed);
        let sum = |e: &Expr| {
            let mut terms = e.terms().iter();
            bytes == 8 && e.symbols().iter().all(is_size) && terms.all(|t| (0..1 << 16).contains(&t.coeff))
        };
        [left, right].into_iter().all(|e| sum(e) || self.fits(e, ty))
    }

    /// Whether a quotient's operands, computed in the text from the variables that they are made of, are the numbers that they are
    /// taken to be; in 64 bits with a sign, if they are written so. Where all have signs nothing is taken to overflow.
    pub fn computes_as_is(&self, operands: &[&Expr], wide: bool) -> bool {
        let symbols: Vec<Sym> = operands.iter().flat_map(|e| e.symbols()).collect();
        if !wide && !symbols.iter().any(|s| self.is_unsigned(*s)) {
            return true;
        }
        let width = operands.iter().map(|e| self.width(e)).max().unwrap_or(4);
        let is_there = |e: &Expr| e.as_sym().is_some() || e.as_constant().is_some();
        // A part in 32 bits wraps around before it becomes one of 64.
        let narrow = |s: &Sym| self.bytes(*s).is_some_and(|bytes| bytes < width);
        if !wide && width == 8 && symbols.iter().any(narrow) && !operands.iter().all(|e| is_there(e)) {
            return false;
        }
        let unsigned_long = |s: &Sym| self.is_unsigned(*s) && self.bytes(*s) == Some(8);
        let ty = IntType {
            bytes: if wide { 8 } else { width as u8 },
            signed: wide || width == 8 && !symbols.iter().any(unsigned_long),
        };
        let most = Range::of_type(ty).hi.unsigned_abs();
        operands.iter().all(|e| {
            // What has no sign is computed modulo a power of two: only the result has to be there.
            let on_the_way = || self.most_on_the_way(e).is_some_and(|m| m <= most);
            self.fits(e, ty) && (is_there(e) || !ty.signed || on_the_way())
        })
    }

    /// A number in a type of as many bits as it has been computed in, or of fewer if it is then `cut`.
    pub(super) fn fitted(&self, e: &Expr, to: IntType, cut: bool) -> Option<Expr> {
        if e.as_constant().is_some() || e.as_sym().is_some() {
            return self.in_type(e, to);
        }
        // Signed numbers do not overflow: a sum of them is what it is in the type that it has been computed in.
        let fits = !cut
            && to.signed
            && self.converted(e, &to.as_source()) == Converted::Same
            && !self.nameless(e)
            && !self.may_wrap(e);
        (fits || self.fits(e, to)).then(|| e.clone())
    }

    /// The numbers that a comparison compares: those of its operands in its own type.
    pub(crate) fn exact_sides(&self, lhs: &Operand, rhs: &Operand, signed: bool) -> Option<(Expr, Expr)> {
        let bytes = |operand: &&Operand| match operand {
            Operand::Inst(id) => match self.function().inst(*id).ty {
                Type::Int(bits) => Some(u64::from(bits / 8)),
                _ => None,
            },
            _ => None,
        };
        let bytes = [lhs, rhs].iter().find_map(bytes)?;
        let ty = IntType::of(&SourceType::Int { bytes, signed })?;
        let side = |operand: &Operand| self.fitted(&self.exact_at(operand, 0)?, ty, false);
        Some((side(lhs)?, side(rhs)?))
    }

    fn range_of_atom(&self, atom: &Atom) -> Option<Range> {
        match atom {
            Atom::Sym(sym) => self.range_of(*sym),
            Atom::Opaque(_) => None,
            Atom::Div(a, b) => {
                let (a, b) = (self.range(a)?, self.range(b)?);
                let least = if b.lo > 0 { b.lo } else { 1 };
                Some(a.shrunk(i128::try_from(a.magnitude()).ok()? / least))
            }
            Atom::Rem(a, b) => {
                let most = i128::try_from(self.range(b)?.magnitude()).ok()?;
                Some(self.range(a)?.shrunk((most - 1).max(0)))
            }
            Atom::Min(args) | Atom::Max(args) => {
                let mut ranges = args.iter().map(|e| self.range(e));
                let first = ranges.next()??;
                ranges.try_fold(first, |all, r| Some(all.both(r?)))
            }
        }
    }

    fn range_of(&self, sym: Sym) -> Option<Range> {
        if let SymKind::Inst(id) = self.kind(sym) {
            return match self.function().inst(id).ty {
                Type::Int(bits @ 8..=64) => Some(Range {
                    lo: Range::unsigned(bits).lo - (1i128 << (bits - 1)),
                    hi: Range::unsigned(bits).hi,
                }),
                _ => None,
            };
        }
        let ty = self.type_of(sym)?;
        let all = Range::of_type(ty);
        let SymKind::Slot(slot, Version::Phi(header)) = self.kind(sym) else {
            return Some(all);
        };
        let counted = self.counting(sym, &|| self.counted(sym, slot, header, ty));
        Some(counted.filter(|r| r.within(all)).unwrap_or(all))
    }

    /// The range of a variable in a loop whose only test bounds it, also behind the last iteration.
    fn counted(&self, sym: Sym, slot: SlotId, header: NodeId, ty: IntType) -> Option<Range> {
        let (mut first, mut steps) = (None::<Range>, None::<Range>);
        let mut behind = Vec::new();
        for &p in &self.graph.node(header).preds {
            let version = self.versions.after(p, slot);
            if version == Version::Unreached {
                continue;
            }
            if let Some(step) = self.step_to(slot, version, header) {
                let step = Range::only(step);
                steps = Some(steps.map_or(step, |s| s.both(step)));
                behind.push(p);
            } else {
                let range = self
                    .range(&self.exact_in_at(slot, version, 0))
                    .filter(|r| r.within(Range::of_type(ty)))?;
                first = Some(first.map_or(range, |f| f.both(range)));
            }
        }
        let (first, Some(steps)) = (first?, steps) else {
            return first;
        };
        let (pred, bound) = self.tested(sym, header, &behind)?;
        let all = Range::of_type(ty);
        match pred {
            Pred::Lt | Pred::Le if steps.lo > 0 => {
                let last = bound.hi - i128::from(pred == Pred::Lt) + steps.hi;
                let hi = if ty.signed { last.min(all.hi) } else { last };
                Some(Range {
                    lo: first.lo,
                    hi: first.hi.max(hi),
                })
            }
            Pred::Gt | Pred::Ge if steps.hi < 0 => {
                let last = bound.lo + i128::from(pred == Pred::Gt) + steps.lo;
                let lo = if ty.signed { last.max(all.lo) } else { last };
                Some(Range {
                    lo: first.lo.min(lo),
                    hi: first.hi,
                })
            }
            _ => None,
        }
    }

    /// What the only test of a loop compares a variable with, without which control does not come to the ends of the body.
    fn tested(&self, sym: Sym, header: NodeId, ends: &[NodeId]) -> Option<(Pred, Range)> {
        let function = self.function();
        if !matches!(self.graph.node(header).kind, NodeKind::Cond(_)) {
            return None;
        }
        let DecidingBranch {
            cond: Operand::Inst(cmp),
            other,
            alone: true,
            ..
        } = DecidingBranch::at(self, header)?
        else {
            return None;
        };
        let IntComparison { pred, lhs, rhs, signed } = function.int_comparison(*cmp)?;
        // Where the test fails control does not come back.
        let first = function.blocks[other.0 as usize].first;
        let mut stack = vec![self.attachment.node_of[first.0 as usize]?];
        let mut seen = vec![false; self.graph.nodes.len()];
        while let Some(n) = stack.pop() {
            if ends.contains(&n) {
                return None;
            }
            if n != header && !std::mem::replace(&mut seen[n.0 as usize], true) {
                stack.extend(&self.graph.node(n).succs);
            }
        }
        let (l, r) = self.exact_sides(lhs, rhs, signed)?;
        let (pred, bound) = match (l == Expr::sym(sym), r == Expr::sym(sym)) {
            (true, false) => (pred, r),
            (false, true) => (pred.flipped(), l),
            _ => return None,
        };
        Some((pred, self.range(&bound)?))
    }
}
