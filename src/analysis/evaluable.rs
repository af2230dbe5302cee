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

use super::function::FunctionModel;
use super::points_to::for_operands;
use super::values::eval::Base;
use super::values::loops::{in_loop, merge_node};
use crate::program::graph::{FlowGraph, NodeId};
use crate::program::ir::{BinOp, FuncId, Function, InstId, Op, Operand};
use crate::symbolic::{Expr, Facts, Sym};
use crate::syntax::StmtId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::rc::Rc;

/// What a directive would evaluate.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Evaluated {
    /// Something behind the pointer that a symbol stands for.
    Behind(Sym),
    /// A quotient or remainder by this.
    By(Expr),
}

/// What has been asked of one function, with the loops that were taken to run: by fine node, whether it may be evaluated there.
#[derive(Default)]
pub struct Evaluations {
    answers: RefCell<FxHashMap<(Evaluated, Vec<StmtId>), Rc<Vec<bool>>>>,
    followed: RefCell<FxHashMap<(FuncId, u32), bool>>,
}

impl FunctionModel<'_> {
    /// Whether something may be evaluated at a fine gap, where the `asked` numbers are known to be positive.
    pub fn may_evaluate(&self, what: &Evaluated, gap: NodeId, asked: &[Expr]) -> bool {
        let running = self.running_loops(asked);
        let question = (what.clone(), running);
        let known = self.evaluations.answers.borrow().get(&question).cloned();
        let answer = known.unwrap_or_else(|| {
            let answer = Rc::new(self.evaluable_at(what, &question.1));
            self.evaluations.answers.borrow_mut().insert(question, answer.clone());
            answer
        });
        answer[gap.0 as usize]
    }

    /// Loops that have an iteration wherever they are reached.
    fn running_loops(&self, asked: &[Expr]) -> Vec<StmtId> {
        let mut facts = Facts::new();
        for e in asked {
            facts.assume_le(&Expr::constant(1), e);
        }
        let own = (0..self.tree.stmts.len() as u32).map(StmtId);
        let own = own.filter(|s| self.tree.stmt(*s).function as usize == self.tree_function);
        own.filter(|s| {
            let index = self.loops.get(*s).and_then(|l| l.induction.as_ref());
            index.is_some_and(|i| facts.prove_le(&i.lo, &i.hi))
        })
        .collect()
    }

    /// By fine node, whether the program evaluates something on every way from there, or has done so on every way to there.
    fn evaluable_at(&self, what: &Evaluated, running: &[StmtId]) -> Vec<bool> {
        let graph = self.fine;
        let does: Vec<bool> = graph.ids().map(|n| self.evaluates(what, n)).collect();
        let loses = self.lost_at(what);
        let ends: Vec<bool> = graph.ids().map(|n| self.may_end(n)).collect();
        let later = self.anticipated(&does, &loses, &ends, running);
        let earlier = available(graph, &does, &loses);
        later.into_iter().zip(earlier).map(|(a, b)| a || b).collect()
    }

    /// Nodes at which the symbols of a question get their values.
    fn lost_at(&self, what: &Evaluated) -> FxHashSet<NodeId> {
        let symbols: Vec<Sym> = match what {
            Evaluated::Behind(sym) => vec![*sym],
            Evaluated::By(e) => e.symbols().into_iter().collect(),
        };
        symbols.into_iter().map(|s| self.values.defined_at(s)).collect()
    }

    fn may_end(&self, node: NodeId) -> bool {
        self.attachment.insts_of[node.0 as usize].iter().any(|i| {
            matches!(self.function().inst(*i).op, Op::Call { .. }) && self.effects.of_call(self.func, *i).may_not_return
        })
    }

    /// Whether a node evaluates something whenever it runs.
    fn evaluates(&self, what: &Evaluated, node: NodeId) -> bool {
        let function = self.function();
        let insts = &self.attachment.insts_of[node.0 as usize];
        let Some(first) = insts.first() else { return false };
        let always = function.inst(*first).block;
        let own = insts.iter().take_while(|i| {
            // What a call that may end the program stands before is not surely done.
            !matches!(function.inst(**i).op, Op::Call { .. }) || !self.effects.of_call(self.func, **i).may_not_return
        });
        own.filter(|i| function.inst(**i).block == always)
            .any(|i| self.does(what, *i))
    }

    fn does(&self, what: &Evaluated, inst: InstId) -> bool {
        let values = self.values;
        match (what, &self.function().inst(inst).op) {
            (Evaluated::Behind(sym), Op::Load { ptr, .. } | Op::Store { ptr, .. } | Op::Atomic { ptr, .. }) => {
                values.ptr(ptr).is_some_and(|at| at.base == Base::Value(*sym))
            }
            (Evaluated::Behind(sym), Op::Call { args, .. }) => {
                let (targets, unknown) = self.targets(inst);
                let follows = |at: usize| {
                    !unknown && !targets.is_empty() && targets.iter().all(|t| self.follows_parameter(*t, at as u32))
                };
                args.iter().enumerate().any(|(at, arg)| {
                    values
                        .ptr(arg)
                        .is_some_and(|p| p.base == Base::Value(*sym) && p.offset.is_zero())
                        && follows(at)
                })
            }
            (Evaluated::By(divisor), Op::Binary { op, rhs, .. }) => {
                matches!(op, BinOp::SDiv | BinOp::UDiv | BinOp::SRem | BinOp::URem) && values.int(rhs) == *divisor
            }
            _ => false,
        }
    }

    fn follows_parameter(&self, func: FuncId, parameter: u32) -> bool {
        let question = (func, parameter);
        if let Some(known) = self.evaluations.followed.borrow().get(&question) {
            return *known;
        }
        // A function that calls itself is asked what it does otherwise.
        self.evaluations.followed.borrow_mut().insert(question, false);
        let answer = self.surely_followed(func, parameter);
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

/// The addresses in a function that are a pointer parameter's, as clang writes them: the parameter is kept in a variable of its
/// own, and a pointer loaded from there is the parameter's as long as nothing else is stored there.
struct Parameter<'f> {
    function: &'f Function,
    index: u32,
    /// Its variable, where only loads and the first store use it.
    variable: Option<InstId>,
}

impl<'f> Parameter<'f> {
    fn new(function: &'f Function, index: u32) -> Parameter<'f> {
        let mut variable = None;
        for inst in &function.insts {
            if let Op::Store {
                ptr: Operand::Inst(at),
                value: Operand::Arg(arg),
                ..
            } = &inst.op
                && *arg == index
            {
                variable = Some(*at);
            }
        }
        let changes = |at: InstId| {
            let stores = |op: &Op| matches!(op, Op::Store { value: Operand::Arg(arg), .. } if *arg == index);
            function
                .insts
                .iter()
                .filter(|i| !stores(&i.op) && !matches!(i.op, Op::Load { .. }))
                .any(|i| {
                    let mut uses = false;
                    for_operands(&i.op, &mut |o| uses |= *o == Operand::Inst(at));
                    uses
                })
        };
        Parameter {
            function,
            index,
            variable: variable.filter(|at| !changes(*at)),
        }
    }

    /// Whether a pointer is the parameter's.
    fn is(&self, pointer: &Operand) -> bool {
        match pointer {
            Operand::Arg(arg) => *arg == self.index,
            Operand::Inst(inst) => match &self.function.inst(*inst).op {
                Op::Load {
                    ptr: Operand::Inst(at), ..
                } => Some(*at) == self.variable,
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether an address lies behind it.
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
    fn surely_followed(&self, func: FuncId, parameter: u32) -> bool {
        let function = self.module.function(func);
        let own = Parameter::new(function, parameter);
        let does = |inst: InstId| match &function.inst(inst).op {
            Op::Load { ptr, .. } | Op::Store { ptr, .. } | Op::Atomic { ptr, .. } => own.leads_to(ptr),
            Op::Call { args, .. } => {
                let targets = self.points_to.call_targets(func, inst);
                let mut own_args = (0..).zip(args).filter(|(_, arg)| own.is(arg));
                let known = !targets.unknown && !targets.known.is_empty();
                known && own_args.any(|(at, _)| targets.known.iter().all(|t| self.follows_parameter(*t, at)))
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
