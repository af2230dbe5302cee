//! The loop in question with the loops around and inside it: what is known where, and what may be asked for.
//!
//! Facts are about *values*, not variables: `lo <= i <= hi` holds of the symbol that stands for the index in the current
//! iteration, and so only for accesses inside that loop. (After the loop the same symbol stands for the last value; no
//! access outside is given the fact.)

use super::body::Body;
use super::canonical::{counted, is_fixed};
use super::number::OperandReader;
use super::verdict::{CallTrouble, Counted, LoopRefusal, Requirement};
use crate::analysis::accesses::Accesses;
use crate::analysis::function::FunctionModel;
use crate::program::graph::{NodeId, NodeKind};
use crate::program::in_loops::in_loop;
use crate::program::ir::{BlockId, InstId};
use crate::symbolic::{Expr, Facts, Sym};
use crate::syntax::StmtId;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// What the loops of a function have in common.
pub(super) struct Shared<'a> {
    pub model: &'a FunctionModel<'a>,
    pub numbers: OperandReader<'a>,
    pub preds: Vec<Vec<BlockId>>,
    pub accesses: Accesses,
    /// By instruction: it is the storage of a scalar that only loads and stores of the function know.
    pub tracked: Vec<bool>,
    /// How the program may look at `errno`.
    pub errno: Option<CallTrouble>,
    /// By instruction: what uses its result.
    pub users: Vec<Vec<InstId>>,
}

impl<'a> Shared<'a> {
    pub fn new(model: &'a FunctionModel<'a>) -> Shared<'a> {
        let users = super::tracked::users(model.function());
        Shared {
            tracked: super::tracked::tracked(model.function(), &users),
            users,
            errno: super::library::errno_readers(model),
            model,
            numbers: OperandReader::new(model),
            preds: super::body::predecessors(model.function()),
            accesses: Accesses::of(model),
        }
    }
}

/// One loop, taken as the one whose iterations are to run in parallel.
pub(super) struct Frame<'s, 'a> {
    pub shared: &'s Shared<'a>,
    pub stmt: StmtId,
    /// Numbers, with what is steady in the loop.
    pub numbers: OperandReader<'a>,
    pub body: Body,
    pub counted: Counted,
    /// The loops around it and inside it that are in canonical form.
    others: BTreeMap<StmtId, Counted>,
    /// What the verdict comes to rest on.
    conditions: RefCell<BTreeSet<Requirement>>,
}

impl<'s, 'a> Frame<'s, 'a> {
    pub fn new(shared: &'s Shared<'a>, stmt: StmtId) -> Result<Frame<'s, 'a>, LoopRefusal> {
        let model = shared.model;
        let body = Body::of(model, &shared.preds, stmt)?;
        let steady = super::steady::steady(&shared.numbers, stmt);
        let numbers = shared.numbers.with_steady(stmt, steady);
        let mut others = BTreeMap::new();
        let fixed = |e: &Expr| is_fixed(model, e, stmt);
        let outside: Vec<StmtId> = model.tree.ancestors(stmt).skip(1).collect();
        for outer in outside.into_iter().rev().filter(|s| model.tree.stmt(*s).kind.is_loop()) {
            // What needs a condition is not worth knowing of a loop around.
            let facts = facts_of(&numbers, others.values());
            let found = counted(&shared.numbers, outer, &facts, &|_| false).ok();
            if let Some(c) = found.filter(|c| c.needs.is_empty()) {
                others.insert(outer, c);
            }
        }
        let counted_here = counted(&numbers, stmt, &facts_of(&numbers, others.values()), &fixed)?;
        let mut frame = Frame {
            shared,
            stmt,
            numbers,
            body,
            conditions: RefCell::new(counted_here.needs.iter().cloned().collect()),
            counted: counted_here,
            others,
        };
        for i in 0..model.tree.stmts.len() as u32 {
            let inner = StmtId(i);
            if inner != stmt && model.tree.stmt(inner).kind.is_loop() && model.tree.encloses(stmt, inner) {
                let around = frame.loops_around(inner);
                let facts = facts_of(&frame.numbers, around.into_iter());
                if let Ok(c) = counted(&frame.numbers, inner, &facts, &fixed) {
                    frame.conditions.borrow_mut().extend(c.needs.iter().cloned());
                    frame.others.insert(inner, c);
                }
            }
        }
        Ok(frame)
    }

    pub fn model(&self) -> &'a FunctionModel<'a> {
        self.shared.model
    }

    /// A loop in canonical form.
    pub fn loop_at(&self, stmt: StmtId) -> Option<&Counted> {
        if stmt == self.stmt {
            return Some(&self.counted);
        }
        self.others.get(&stmt)
    }

    /// The loops in canonical form inside it, in text order.
    pub fn inner(&self) -> Vec<Counted> {
        let tree = self.model().tree;
        let inside = self.others.values().filter(|l| tree.encloses(self.stmt, l.stmt));
        inside.cloned().collect()
    }

    /// The loops in canonical form around a statement, itself left out, innermost first.
    fn loops_around(&self, stmt: StmtId) -> Vec<&Counted> {
        let around = self.model().tree.ancestors(stmt).skip(1);
        around.filter_map(|s| self.loop_at(s)).collect()
    }

    /// The loops in canonical form whose bodies a node is in, innermost first.
    pub fn loops_of(&self, node: NodeId) -> Vec<&Counted> {
        let model = self.model();
        let kind = model.fine.node(node).kind;
        let Some(stmt) = model.fine.stmt_of(node) else {
            return Vec::new();
        };
        let in_body = |l: StmtId| {
            in_loop(model.tree, kind, l) && !matches!(kind, NodeKind::Cond(s) | NodeKind::Step(s) if s == l)
        };
        let around = model.tree.ancestors(stmt).filter(|s| in_body(*s));
        around.filter_map(|s| self.loop_at(s)).collect()
    }

    /// The loops around a node with an index that is not fixed in the loop in question: itself and those inside,
    /// innermost first.
    pub fn moving_loops_of(&self, node: NodeId) -> Vec<&Counted> {
        let tree = self.model().tree;
        let loops = self.loops_of(node).into_iter();
        loops.filter(|l| tree.encloses(self.stmt, l.stmt)).collect()
    }

    /// What is known in the bodies around a node.
    pub fn facts_at(&self, node: NodeId) -> Facts {
        facts_of(&self.numbers, self.loops_of(node).into_iter())
    }

    /// What is known where a loop stands, whether it runs or not.
    pub fn facts_around(&self, stmt: StmtId) -> Facts {
        facts_of(&self.numbers, self.loops_around(stmt).into_iter())
    }

    /// Whether an expression has one value for the whole loop.
    pub fn is_fixed(&self, e: &Expr) -> bool {
        is_fixed(self.model(), e, self.stmt)
    }

    /// Whether a symbol has one value for the whole loop.
    pub fn is_fixed_sym(&self, sym: Sym) -> bool {
        !super::canonical::varies(self.model(), sym, self.stmt)
    }

    /// The verdict rests on `left <= right`.
    pub fn need(&self, left: &Expr, right: &Expr) {
        self.ask(Requirement::AtMost {
            left: left.clone(),
            right: right.clone(),
        });
    }

    /// The verdict rests on this.
    pub fn ask(&self, condition: Requirement) {
        self.conditions.borrow_mut().insert(condition);
    }

    /// How many conditions have been asked for.
    pub fn count_conditions(&self) -> usize {
        self.conditions.borrow().len()
    }

    /// What has been asked for.
    pub fn conditions(&self) -> Vec<Requirement> {
        self.conditions.borrow().iter().cloned().collect()
    }

    /// Adds what has been asked for as facts.
    pub fn assume_conditions(&self, facts: &mut Facts) {
        for condition in self.conditions.borrow().iter() {
            if let Requirement::AtMost { left, right } = condition {
                facts.assume_le(left, right);
            }
        }
    }
}

/// The ranges of indices, and of the types of what bounds them.
pub(super) fn facts_of<'c>(numbers: &OperandReader<'_>, loops: impl Iterator<Item = &'c Counted>) -> Facts {
    let mut facts = Facts::new();
    for l in loops {
        let index = Expr::sym(l.sym);
        for e in [&l.lo, &l.hi] {
            numbers.assume_types(e, &mut facts);
        }
        facts.assume_le(&l.lo, &index);
        facts.assume_le(&index, &l.hi);
        facts.assume_le(&l.lo, &l.hi);
        for need in &l.needs {
            if let Requirement::AtMost { left, right } = need {
                facts.assume_le(left, right);
            }
        }
    }
    facts
}
