//! Whether what a directive would evaluate may be evaluated where it stands (R11).
//!
//! ```c
//! if (p)
//!     printf("%g\n", v[p->at]);         /* `update from(v[p->at:1])` may stand here, and not before the `if`: p may be null */
//! s += k ? a[n / k - 1] : 0;            /* k may be 0: no directive before the statement may say `n / k`                 */
//! for (int i = 0; i < t; i++)
//!     a[7000 / t + i] = 0;              /* for t == 0 the division is never made                                        */
//! ```
//!
//! A member behind a pointer, and a quotient by what may be zero, may be evaluated at a place if the program itself evaluates as
//! much on every way from there, or has done so on every way to there: anticipability and availability of the textbook (Knoop,
//! Rüthing and Steffen 1994), of "something is accessed behind this pointer" and "something is divided by this number". Values
//! are symbols, so that another value of the same variable is another question. A way on which the program may end, or on which
//! the symbol gets its value, shows nothing more.
//!
//! What a statement does only under a condition of its own (`&&`, `?:`) it does not do on every way. A call does what the
//! function that it calls does on every way through it with a parameter (`surely_followed`).
//!
//! **Non-goals.** Bounds of what is behind a pointer: where something of an object is accessed, all of it exists. Overflow.

use super::evaluations::{EvaluatedOperand, Followed};
use super::function::FunctionModel;
use super::points_to::for_operands;
use crate::analysis::values::members::const_offset;
use crate::analysis::values::slots::SlotKind;
use crate::analysis::values::table::{Base, SymKind};
use crate::program::graph::{FlowGraph, NodeId};
use crate::program::in_loops::{in_loop, merge_node};
use crate::program::ir::{BinOp, FuncId, Function, InstId, Module, Op, Operand};
use crate::symbolic::{Expr, Facts, Sym};
use crate::syntax::StmtId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

impl FunctionModel<'_> {
    /// Whether something may be evaluated at a fine gap, where the `asked` numbers are known to be positive, and loops with
    /// kernels are taken to run by who `speculates`.
    pub fn may_evaluate(&self, what: &EvaluatedOperand, gap: NodeId, asked: &[Expr], speculates: bool) -> bool {
        let question = (what.clone(), self.running_loops(asked, speculates));
        let known = self.evaluations.answers.borrow().get(&question).cloned();
        let answer = known.unwrap_or_else(|| {
            let answer = Rc::new(self.evaluable_at(what, &question.1));
            self.evaluations.answers.borrow_mut().insert(question, answer.clone());
            answer
        });
        answer[gap.0 as usize]
    }

    /// Loops that have an iteration wherever they are reached.
    fn running_loops(&self, asked: &[Expr], speculates: bool) -> Rc<[StmtId]> {
        let question = (asked.to_vec(), speculates);
        let known = self.evaluations.running.borrow().get(&question).cloned();
        known.unwrap_or_else(|| {
            let running = self.loops_that_run(asked, speculates);
            self.evaluations.running.borrow_mut().insert(question, running.clone());
            running
        })
    }

    fn loops_that_run(&self, asked: &[Expr], speculates: bool) -> Rc<[StmtId]> {
        let mut facts = Facts::new();
        for e in asked {
            facts.assume_le(&Expr::constant(1), e);
        }
        let runs =
            |s: &StmtId| self.loops.get(*s).is_some_and(|l| l.runs(&facts)) || speculates && self.is_expanded(*s);
        self.tree
            .loops_of(self.tree_function)
            .into_iter()
            .filter(runs)
            .collect()
    }

    /// Whether a statement is a loop with kernels, or calls that start some.
    fn is_expanded(&self, stmt: StmtId) -> bool {
        self.tree.stmt(stmt).kind.is_loop()
            && self.coarse.cond_of(stmt).is_some()
            && !self
                .constructs
                .launches
                .iter()
                .any(|l| self.tree.encloses(l.stmt, stmt))
    }

    /// By fine node, whether the program evaluates something on every way from there, or has done so on every way to there.
    fn evaluable_at(&self, what: &EvaluatedOperand, running: &[StmtId]) -> Vec<bool> {
        let graph = self.fine;
        let does: Vec<bool> = graph.ids().map(|n| self.evaluates(what, n)).collect();
        let loses = self.lost_at(what);
        let ends: Vec<bool> = graph.ids().map(|n| self.may_end(n)).collect();
        let later = self.anticipated(&does, &loses, &ends, running);
        let earlier = available(graph, &does, &loses);
        later.into_iter().zip(earlier).map(|(a, b)| a || b).collect()
    }

    /// Nodes at which the symbols of a question get their values.
    fn lost_at(&self, what: &EvaluatedOperand) -> FxHashSet<NodeId> {
        let symbols: Vec<Sym> = match what {
            EvaluatedOperand::Behind(sym) => vec![*sym],
            EvaluatedOperand::By(e) => e.symbols().into_iter().collect(),
        };
        symbols.into_iter().map(|s| self.values.defined_at(s)).collect()
    }

    /// Whether the program may end, or leave the function, within a node of the fine graph.
    pub fn may_end(&self, node: NodeId) -> bool {
        let mut insts = self.attachment.insts_of[node.0 as usize].iter();
        insts.any(|i| self.may_end_at(*i))
    }

    /// Whether an instruction is a call that may end the program, or leave the function.
    pub fn may_end_at(&self, inst: InstId) -> bool {
        matches!(self.function().inst(inst).op, Op::Call { .. }) && self.effects.of_call(self.func, inst).may_not_return
    }

    /// Whether a node evaluates something whenever it runs.
    fn evaluates(&self, what: &EvaluatedOperand, node: NodeId) -> bool {
        let function = self.function();
        let insts = &self.attachment.insts_of[node.0 as usize];
        let Some(first) = insts.first() else { return false };
        let always = function.inst(*first).block;
        let own = insts.iter().take_while(|i| {
            // What a call that may end the program stands before is not surely done.
            !self.may_end_at(**i)
        });
        own.filter(|i| function.inst(**i).block == always)
            .any(|i| self.does(what, *i))
    }

    fn does(&self, what: &EvaluatedOperand, inst: InstId) -> bool {
        let values = self.values;
        match (what, &self.function().inst(inst).op) {
            (EvaluatedOperand::Behind(sym), Op::Load { ptr, .. } | Op::Store { ptr, .. } | Op::Atomic { ptr, .. }) => {
                values.ptr(ptr).is_some_and(|at| at.base == Base::Value(*sym))
            }
            (EvaluatedOperand::Behind(sym), Op::Call { args, .. }) => self.call_follows(*sym, inst, args),
            (EvaluatedOperand::By(divisor), Op::Binary { op, rhs, .. }) => {
                matches!(op, BinOp::SDiv | BinOp::UDiv | BinOp::SRem | BinOp::URem) && values.int(rhs) == *divisor
            }
            _ => false,
        }
    }

    /// Whether a call surely accesses something behind a pointer: one that it is handed, or a member of what it is handed a
    /// pointer to.
    fn call_follows(&self, sym: Sym, inst: InstId, args: &[Operand]) -> bool {
        let values = self.values;
        let (targets, unknown) = self.targets(inst);
        let all = |at: u32, member: Option<u64>| {
            let follows = |t: &FuncId| self.follows_parameter((*t, at, member));
            !unknown && !targets.is_empty() && targets.iter().all(follows)
        };
        let is = |arg: &Operand, base: Base| values.ptr(arg).is_some_and(|p| p.base == base && p.offset.is_zero());
        let mut handed = (0..).zip(args);
        if handed.any(|(at, arg)| is(arg, Base::Value(sym)) && all(at, None)) {
            return true;
        }
        let Some(node) = self.attachment.node_of[inst.0 as usize] else {
            return false;
        };
        // A member that the call may set is another one in it.
        let SymKind::Slot(slot, version) = values.kind(sym) else {
            return false;
        };
        let SlotKind::Behind(outer, bytes) = values.slots.get(slot).kind else {
            return false;
        };
        let kept = values.versions.before(node, slot) == version && values.versions.after(node, slot) == version;
        let struct_at = values.slot_ptr(outer, values.versions.before(node, outer));
        kept && struct_at.offset.is_zero()
            && (0..)
                .zip(args)
                .any(|(at, arg)| is(arg, struct_at.base) && all(at, Some(bytes)))
    }

    fn follows_parameter(&self, question: Followed) -> bool {
        if let Some(known) = self.evaluations.followed.borrow().get(&question) {
            return *known;
        }
        // A function that calls itself is asked what it does otherwise.
        self.evaluations.followed.borrow_mut().insert(question, false);
        let answer = self.surely_followed(question);
        self.evaluations.followed.borrow_mut().insert(question, answer);
        answer
    }

    /// Nodes from which every way comes by one of those that do something.
    fn anticipated(&self, does: &[bool], loses: &FxHashSet<NodeId>, ends: &[bool], running: &[StmtId]) -> Vec<bool> {
        let graph = self.fine;
        let headers: FxHashMap<NodeId, StmtId> = running
            .iter()
            .filter_map(|l| Some((merge_node(self.tree, graph, *l)?, *l)))
            .collect();
        let inside = |l: StmtId, n: NodeId| in_loop(self.tree, graph.node(n).kind, l);
        let mut order = graph.reverse_post_order();
        order.reverse();
        let mut passes = does.to_vec();
        loop {
            let mut changed = false;
            for &n in &order {
                let succs = &graph.node(n).succs;
                if passes[n.0 as usize] || ends[n.0 as usize] || succs.is_empty() {
                    continue;
                }
                // Where a loop that runs is entered, its body comes first.
                let enters = |s: &NodeId| {
                    let Some(l) = headers.get(s).filter(|l| !inside(**l, n)) else {
                        return false;
                    };
                    let mut body = graph.node(*s).succs.iter().filter(|b| inside(*l, **b));
                    body.clone().next().is_some() && body.all(|b| passes[b.0 as usize])
                };
                let after = |s: &NodeId| !loses.contains(s) && (passes[s.0 as usize] || enters(s));
                if succs.iter().all(after) {
                    passes[n.0 as usize] = true;
                    changed = true;
                }
            }
            if !changed {
                return passes;
            }
        }
    }
}

/// Nodes to which every way has come by one of those that do something.
fn available(graph: &FlowGraph, does: &[bool], loses: &FxHashSet<NodeId>) -> Vec<bool> {
    let mut before = vec![true; graph.nodes.len()];
    before[FlowGraph::ENTRY.0 as usize] = false;
    let order = graph.reverse_post_order();
    loop {
        let mut changed = false;
        for &n in &order {
            let after = |p: &NodeId| does[p.0 as usize] || (before[p.0 as usize] && !loses.contains(p));
            let now = n != FlowGraph::ENTRY && graph.node(n).preds.iter().all(after);
            if before[n.0 as usize] && !now {
                before[n.0 as usize] = false;
                changed = true;
            }
        }
        if !changed {
            return before;
        }
    }
}

/// The pointers in a function that are a parameter, or a member behind one, as clang writes them: each is kept in a variable of
/// its own, and a pointer loaded from there is the same as long as nothing else is stored there.
struct Parameter<'f> {
    module: &'f Module,
    function: &'f Function,
    index: u32,
    /// How many bytes behind the parameter the pointer lies that is meant; itself for `None`.
    member: Option<u64>,
    /// Variables that hold one value for good, which is stored there once.
    variables: FxHashMap<InstId, &'f Operand>,
}

/// Copies of pointers are followed this deep.
const MAX_COPIES: u32 = 8;

impl<'f> Parameter<'f> {
    fn new(module: &'f Module, function: &'f Function, index: u32, member: Option<u64>) -> Parameter<'f> {
        let mut stored: FxHashMap<InstId, Option<&Operand>> = FxHashMap::default();
        let lose = |operand: &Operand, stored: &mut FxHashMap<InstId, Option<&'f Operand>>| {
            if let Operand::Inst(at) = operand {
                stored.insert(*at, None);
            }
        };
        for inst in &function.insts {
            match &inst.op {
                Op::Load { .. } => {}
                Op::Store {
                    ptr: Operand::Inst(at),
                    value,
                    ..
                } => {
                    stored.entry(*at).and_modify(|v| *v = None).or_insert(Some(value));
                    lose(value, &mut stored);
                }
                op => for_operands(op, &mut |operand| lose(operand, &mut stored)),
            }
        }
        let is_variable = |at: &InstId| matches!(function.inst(*at).op, Op::Alloca { .. });
        let once = stored.into_iter().filter_map(|(at, value)| Some((at, value?)));
        Parameter {
            module,
            function,
            index,
            member,
            variables: once.filter(|(at, _)| is_variable(at)).collect(),
        }
    }

    /// Whether a pointer is the one that is meant.
    fn is(&self, pointer: &Operand) -> bool {
        match self.member {
            None => self.is_parameter(pointer),
            Some(bytes) => self.is_member(pointer, bytes, MAX_COPIES),
        }
    }

    fn is_parameter(&self, pointer: &Operand) -> bool {
        match pointer {
            Operand::Arg(arg) => *arg == self.index,
            _ => matches!(self.held(pointer), Some(Operand::Arg(arg)) if *arg == self.index),
        }
    }

    fn is_member(&self, pointer: &Operand, bytes: u64, depth: u32) -> bool {
        if let Some(held) = self.held(pointer) {
            return depth > 0 && self.is_member(held, bytes, depth - 1);
        }
        let Operand::Inst(inst) = pointer else { return false };
        let Op::Load { ptr, .. } = &self.function.inst(*inst).op else {
            return false;
        };
        match ptr {
            Operand::Inst(at) => match &self.function.inst(*at).op {
                Op::Gep {
                    base,
                    source_ty,
                    indices,
                } => self.is_parameter(base) && const_offset(self.module, source_ty, indices) == Some(bytes),
                _ => bytes == 0 && self.is_parameter(ptr),
            },
            _ => false,
        }
    }

    /// What the variable holds that a pointer is loaded from.
    fn held(&self, pointer: &Operand) -> Option<&'f Operand> {
        let Operand::Inst(inst) = pointer else { return None };
        match &self.function.inst(*inst).op {
            Op::Load {
                ptr: Operand::Inst(at), ..
            } => self.variables.get(at).copied(),
            _ => None,
        }
    }

    /// Whether an address lies behind the pointer that is meant.
    fn leads_to(&self, address: &Operand) -> bool {
        self.is(address)
            || match address {
                Operand::Inst(inst) => match &self.function.inst(*inst).op {
                    Op::Gep { base, .. } => self.leads_to(base),
                    _ => false,
                },
                _ => false,
            }
    }
}

impl FunctionModel<'_> {
    /// Whether a function accesses something behind a pointer parameter on every way through it.
    fn surely_followed(&self, (func, parameter, member): Followed) -> bool {
        let function = self.module.function(func);
        let own = Parameter::new(self.module, function, parameter, member);
        let does = |inst: InstId| match &function.inst(inst).op {
            Op::Load { ptr, .. } | Op::Store { ptr, .. } | Op::Atomic { ptr, .. } => own.leads_to(ptr),
            Op::Call { args, .. } => {
                let targets = self.points_to.call_targets(func, inst);
                let known = !targets.unknown && !targets.known.is_empty();
                let follows = |at, member| {
                    let mut all = targets.known.iter();
                    known && all.all(|t| self.follows_parameter((*t, at, member)))
                };
                (0..).zip(args).any(|(at, arg)| {
                    own.is(arg) && follows(at, None) || member.is_some() && own.is_parameter(arg) && follows(at, member)
                })
            }
            _ => false,
        };
        // Blocks from whose beginning every way to a return does it. What stands behind a call that may end the program is not
        // surely done.
        let blocks = function.blocks.len();
        let (mut surely, mut stops) = (vec![false; blocks], vec![false; blocks]);
        for (at, block) in function.blocks.iter().enumerate() {
            for inst in (block.first.0..block.end.0).map(InstId) {
                if does(inst) {
                    surely[at] = true;
                    break;
                }
                let is_call = matches!(function.inst(inst).op, Op::Call { .. });
                if is_call && self.effects.of_call(func, inst).may_not_return {
                    stops[at] = true;
                    break;
                }
            }
        }
        loop {
            let mut changed = false;
            for (at, block) in function.blocks.iter().enumerate() {
                let after = || !block.succs.is_empty() && block.succs.iter().all(|s| surely[s.0 as usize]);
                if !surely[at] && !stops[at] && after() {
                    surely[at] = true;
                    changed = true;
                }
            }
            if !changed {
                return surely.first().copied().unwrap_or(false);
            }
        }
    }
}
