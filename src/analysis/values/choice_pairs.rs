//! Pointers that are chosen together: of which each is what the other is not.
//!
//! ```c
//! double *src = t % 2 ? b : a, *dst = t % 2 ? a : b;      /* one test, asked twice: never one array           */
//! if (t % 2) { src = b; dst = a; }                        /* two values that meet at one place, way by way   */
//! else { src = a; dst = b; }
//! ```
//!
//! Two tests are one where they compare the same numbers in the same way: numbers of one name are equal where nothing was assigned
//! in between, which their versions say.

use super::table::{Base, PtrVal, SymKind, Values};
use super::version::Version;
use crate::program::graph::NodeId;
use crate::program::ir::{BlockId, InstId, Op, Operand};
use crate::symbolic::Expr;

/// Operands of a test nest at most so deep.
const MOST_NESTED: u32 = 6;

/// More cases than these are not told apart.
const MOST_CASES: usize = 64;

/// So many blocks are looked at within one conditional expression.
const MOST_BLOCKS: usize = 32;

/// On what it depends which of several pointers one is.
enum Chooser<'f> {
    /// On a test: where that holds, it is the first one.
    Test(&'f Operand),
    /// On the way by which control came to a place where branches meet; in the order of these.
    Way(NodeId),
}

impl Values<'_> {
    /// Whether two pointers, one or both of them chosen among several, may both be `array` at a time.
    pub fn may_both_be(&self, one: Base, other: Base, array: Base) -> bool {
        let all_array = |case: &Vec<Base>| case.iter().all(|base| *base == array);
        self.cases(&[one, other])
            .is_none_or(|cases| cases.iter().any(all_array))
    }

    /// What pointers are in each case of the choices that they depend on: in all that occur, and perhaps in some that do not.
    pub fn cases(&self, pointers: &[Base]) -> Option<Vec<Vec<Base>>> {
        let mut found = Vec::new();
        let mut open = vec![pointers.to_vec()];
        while let Some(case) = open.pop() {
            if found.len() + open.len() > MOST_CASES {
                return None;
            }
            let choice = case.iter().find_map(|base| Some((*base, self.parts_of(*base)?)));
            let Some((first, parts)) = choice else {
                found.push(case);
                continue;
            };
            // What depends on the same choice, with what it is in the same case.
            let mut together: Vec<(Base, Vec<PtrVal>)> = vec![(first, parts)];
            for &other in case.iter().filter(|base| **base != first) {
                let chosen = self.parts_of(other).filter(|_| self.is_one_choice(first, other));
                together.extend(chosen.map(|parts| (other, parts)));
            }
            let cases = together[0].1.len();
            together.retain(|(_, parts)| parts.len() == cases);
            for at in (0..cases).rev() {
                let chosen = |base: &Base| {
                    let known = together.iter().find(|(choice, _)| choice == base);
                    known.map_or(*base, |(_, parts)| parts[at].base)
                };
                open.push(case.iter().map(chosen).collect());
            }
        }
        Some(found)
    }

    /// What a pointer is directly chosen among.
    fn parts_of(&self, base: Base) -> Option<Vec<PtrVal>> {
        let offset = Expr::zero();
        self.taken_apart(&PtrVal { base, offset })
    }

    /// Whether two pointers are chosen together.
    fn is_one_choice(&self, one: Base, other: Base) -> bool {
        match (self.chooser(one), self.chooser(other)) {
            (Some(Chooser::Test(first)), Some(Chooser::Test(second))) => self.is_one_test(first, second, 0),
            (Some(Chooser::Way(first)), Some(Chooser::Way(second))) => first == second,
            _ => false,
        }
    }

    fn chooser(&self, base: Base) -> Option<Chooser<'_>> {
        let Base::Value(sym) = base else { return None };
        let inst = match self.kind(sym) {
            SymKind::Inst(inst) => inst,
            SymKind::Slot(_, Version::Def(store)) => self.stored_choice(store)?.1,
            SymKind::Slot(slot, Version::Phi(node)) => {
                // Ways on which the variable is never read are left out, and then the others have no common order.
                let mut ways = self.graph.node(node).preds.iter();
                let all = ways.all(|p| self.versions.after(*p, slot) != Version::Unreached);
                return all.then_some(Chooser::Way(node));
            }
            _ => return None,
        };
        match &self.function().inst(inst).op {
            Op::Select { cond, then, other } => {
                let plain = *then != Operand::Null && *other != Operand::Null;
                plain.then_some(Chooser::Test(cond))
            }
            Op::Phi { incoming } => match incoming.as_slice() {
                [(first, a), (second, b)] if *a != Operand::Null && *b != Operand::Null => {
                    self.test_between(*first, *second).map(Chooser::Test)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// What is tested where control comes to a place by the first of two blocks, and otherwise by the second.
    ///
    /// ```text
    /// from ──► first ─────────► merge          c ? a : b, and c ? a : (d ? e : f)
    ///      └─► … ──► second ────┘
    /// ```
    fn test_between(&self, first: BlockId, second: BlockId) -> Option<&Operand> {
        let function = self.function();
        let from = match (self.only_before(first), self.only_before(second)) {
            (Some(one), Some(other)) if one == other => one,
            (Some(one), _) if self.all_come_by(second, one, first) => one,
            (_, Some(other)) if self.all_come_by(first, other, second) => other,
            _ => return None,
        };
        let block = &function.blocks[from.0 as usize];
        (block.first.0..block.end.0).find_map(|i| match &function.inst(InstId(i)).op {
            Op::CondBr { cond, then, other, .. } => {
                let is_first = *then == first || (*other == second && then != other);
                is_first.then_some(cond)
            }
            _ => None,
        })
    }

    /// The block that alone leads to another.
    fn only_before(&self, to: BlockId) -> Option<BlockId> {
        match self.before(to).as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    fn before(&self, to: BlockId) -> Vec<BlockId> {
        let blocks = (0u32..).zip(&self.function().blocks);
        let leading = blocks.filter(|(_, b)| b.succs.contains(&to));
        leading.map(|(at, _)| BlockId(at)).collect()
    }

    /// Whether control comes to a block only from another one, by ways that do not lead past a third.
    fn all_come_by(&self, to: BlockId, from: BlockId, past: BlockId) -> bool {
        let mut seen = vec![to];
        let mut work = vec![to];
        while let Some(at) = work.pop() {
            let before = self.before(at);
            if before.is_empty() || seen.len() > MOST_BLOCKS {
                return false;
            }
            for block in before {
                if block == past {
                    return false;
                }
                if block != from && !seen.contains(&block) {
                    seen.push(block);
                    work.push(block);
                }
            }
        }
        true
    }

    /// Whether two tests are the same one, or two operands of such the same number.
    fn is_one_test(&self, one: &Operand, other: &Operand, depth: u32) -> bool {
        if one == other {
            return true;
        }
        let (Operand::Inst(one_id), Operand::Inst(other_id)) = (one, other) else {
            return false;
        };
        let function = self.function();
        let (first, second) = (function.inst(*one_id), function.inst(*other_id));
        if first.ty != second.ty {
            return false;
        }
        let same = |a: &Operand, b: &Operand| depth < MOST_NESTED && self.is_one_test(a, b, depth + 1);
        if let (Some(a), Some(b)) = (function.int_comparison(*one_id), function.int_comparison(*other_id)) {
            return a.pred == b.pred && a.signed == b.signed && same(a.lhs, b.lhs) && same(a.rhs, b.rhs);
        }
        match (&first.op, &second.op) {
            (
                Op::Binary { op, lhs, rhs, .. },
                Op::Binary {
                    op: other_op,
                    lhs: left,
                    rhs: right,
                    ..
                },
            ) => op == other_op && same(lhs, left) && same(rhs, right),
            (
                Op::Cast { kind, value, from },
                Op::Cast {
                    kind: other_kind,
                    value: other_value,
                    from: other_from,
                },
            ) => kind == other_kind && from == other_from && same(value, other_value),
            (Op::Load { volatile: false, .. }, Op::Load { volatile: false, .. }) => {
                let (a, b) = (self.int(one), self.int(other));
                a == b && !a.has_opaque()
            }
            _ => false,
        }
    }
}
