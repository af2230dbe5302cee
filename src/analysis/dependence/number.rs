//! What a number is: a polynomial, and what that is in relation to the bits.
//!
//! | [`NumberKind`] | the polynomial is |
//! |---|---|
//! | `Signed` | the value of the bits as a signed number |
//! | `Unsigned` | the value of the bits as an unsigned number |
//! | `Both` | either, because it is not negative and small enough |
//! | `Wrapped` | equal to the bits modulo two to the width, and no more |
//!
//! [`super::arithmetic`] reads operands as such numbers.

use super::slots::{SlotType, slot_types};
use crate::analysis::function::FunctionModel;
use crate::analysis::values::slots::SlotId;
use crate::analysis::values::version::Version;
use crate::program::in_loops::{in_loop, nodes_in_loop};
use crate::program::ir::InstId;
use crate::symbolic::{Expr, Facts};
use crate::syntax::StmtId;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What the steady variables of a loop are worth in it.
pub(super) type Steady = BTreeMap<SlotId, Version>;

/// How a polynomial relates to bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NumberKind {
    Signed,
    Unsigned,
    Both,
    Wrapped,
}

/// A number.
#[derive(Clone, Debug)]
pub(super) struct Num {
    pub poly: Expr,
    pub kind: NumberKind,
    /// What has to hold for that: `left <= right`, about values of the function's entry or what does not change.
    pub needs: Vec<(Expr, Expr)>,
}

/// Definitions are followed this deep.
pub(super) const MAX_DEPTH: u32 = 40;

/// Reads operands of one function.
pub(super) struct OperandReader<'a> {
    pub model: &'a FunctionModel<'a>,
    pub types: Rc<[SlotType]>,
    /// In this loop these variables have the values that they had when it began.
    steady: Option<(StmtId, Steady)>,
}

/// What is known where an operand is evaluated.
pub(super) struct OperandFacts<'k> {
    /// About values.
    pub facts: &'k Facts,
    /// Whether a value may be part of a condition: it is fixed before the loop in question begins.
    pub fixed: &'k dyn Fn(&Expr) -> bool,
}

impl<'a> OperandReader<'a> {
    pub fn new(model: &'a FunctionModel<'a>) -> OperandReader<'a> {
        OperandReader {
            model,
            types: slot_types(model).into(),
            steady: None,
        }
    }

    /// A reader for a loop in which some variables have the values that they had when it began.
    pub fn with_steady(&self, stmt: StmtId, steady: Steady) -> OperandReader<'a> {
        OperandReader {
            model: self.model,
            types: self.types.clone(),
            steady: Some((stmt, steady)),
        }
    }

    /// Whether an instruction is part of a loop.
    pub fn is_inside(&self, stmt: StmtId, inst: InstId) -> bool {
        let node = self.model.attachment.node_of[inst.0 as usize];
        node.is_some_and(|n| in_loop(self.model.tree, self.model.fine.node(n).kind, stmt))
    }

    /// The instructions that are part of a loop, in order.
    pub fn insts_inside(&self, stmt: StmtId) -> Vec<InstId> {
        let model = self.model;
        let nodes = nodes_in_loop(model.tree, model.fine, stmt).into_iter();
        let insts = nodes.flat_map(|n| &model.attachment.insts_of[n.0 as usize]);
        let mut insts: Vec<InstId> = insts.copied().collect();
        insts.sort_unstable();
        insts
    }

    /// The version of a variable that an instruction sees.
    pub fn version(&self, inst: InstId, slot: SlotId) -> Option<Version> {
        if let Some((stmt, steady)) = &self.steady
            && let Some(version) = steady.get(&slot)
            && self.is_inside(*stmt, inst)
        {
            return Some(*version);
        }
        let node = self.model.attachment.node_of[inst.0 as usize]?;
        Some(self.model.values.versions.at(node, inst, slot))
    }
}
