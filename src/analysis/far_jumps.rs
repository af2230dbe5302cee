//! Where `longjmp` leads to in a function that calls `setjmp`.
//!
//! `setjmp` returns once when it is called, with 0, and again for each jump, with another value. Written as the condition of
//! an `if`, it says which branch is which:
//!
//! ```c
//! if (setjmp(out) == 0)
//!     iterate(v, n);              /* may jump: a way from here ...                                              */
//! else
//!     printf("jumped");           /* ... to the gap before this, which nothing else leads to                    */
//! show(v, n);
//! ```
//!
//! So every call that may jump gets an edge to that gap, and the condition loses its own. All analyses then see jumps as what
//! they are; what a call that may jump surely does is not sure there, and left out.
//!
//! **Locals.** Of the function's own variables those that are not `volatile` and are changed between `setjmp` and the jump have
//! no value afterwards (C11 7.13.2.1). They are no slots of the function: nothing is known of them anywhere, and no directive
//! names them. Variables that are declared in a block without `setjmp` are gone when it returns again.
//!
//! Non-goals: more than one `setjmp` in a function, other forms of conditions, jumps that make loops, jumps out of handlers of
//! signals. Such functions are left alone.

use super::effects::Effects;
use super::points_to::PointsTo;
use super::values::loops::{in_loop, merge_node};
use crate::program::attach::{Attachment, Offsets};
use crate::program::constructs::Constructs;
use crate::program::graph::{FlowGraph, NodeId, NodeKind};
use crate::program::ir::{BlockId, Callee, FuncId, Function, InstId, Module, Op, Operand, Pred, VarId};
use crate::program::objects::{MemLoc, ObjectId, ObjectKind};
use crate::syntax::{ScopeTree, StmtId, StmtKind};
use rustc_hash::FxHashSet;

const SETJMP: [&str; 4] = ["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp"];
/// Handlers of signals may jump out of anything.
const HANDLERS: [&str; 7] = [
    "signal",
    "sigaction",
    "bsd_signal",
    "sysv_signal",
    "__sysv_signal",
    "ssignal",
    "sigset",
];

/// The jumps that come back to a function.
#[derive(Clone, Debug, Default)]
pub struct FarJumps {
    /// The calls that may jump.
    pub calls: FxHashSet<InstId>,
    /// Local variables that have no value after a jump.
    pub lost: FxHashSet<VarId>,
}

/// A function with the text and the facts that are needed to follow its jumps.
pub struct Jumper<'a> {
    /// The file's scope tree.
    pub tree: &'a ScopeTree,
    /// Index of the function in the tree.
    pub tree_function: usize,
    /// The IR.
    pub module: &'a Module,
    /// The function in the IR.
    pub func: FuncId,
    /// Its instructions on the fine graph.
    pub attachment: &'a Attachment,
    /// Its kernels.
    pub constructs: &'a Constructs,
    /// Points-to sets.
    pub points_to: &'a PointsTo,
    /// Effects.
    pub effects: &'a Effects<'a>,
    /// Positions to byte offsets.
    pub offsets: &'a dyn Offsets,
}

/// Where `setjmp` stands, and the two ways on from there.
struct Returns {
    node: NodeId,
    /// What follows when it is called.
    first: NodeId,
    /// What follows a jump.
    again: NodeId,
}

/// Whether a call may end in a `longjmp`.
pub fn may_jump(points_to: &PointsTo, effects: &Effects<'_>, func: FuncId, inst: InstId) -> bool {
    points_to.jumps_far() && effects.of_call(func, inst).may_jump
}

/// Whether no `longjmp` can go past a function: what is above it on the stack has called no `setjmp`.
pub fn is_confined(module: &Module, points_to: &PointsTo, func: FuncId) -> bool {
    if module.function(func).name == "main" && points_to.callers(func).is_empty() {
        return true;
    }
    let all = (0..module.functions.len() as u32).map(FuncId);
    let mut returning = all.filter(|f| calls_that_return_twice(module, *f).next().is_some());
    points_to.closed()
        && !points_to.call_graph().recursive(func)
        && returning.next() == Some(func)
        && returning.next().is_none()
}

/// The calls of a function that may return twice.
pub fn calls_that_return_twice(module: &Module, func: FuncId) -> impl Iterator<Item = InstId> + '_ {
    let function = module.function(func);
    function.inst_ids().filter(|i| {
        matches!(&function.inst(*i).op, Op::Call { callee: Callee::Direct(f), .. }
            if module.function(*f).attrs.returns_twice)
    })
}

impl Jumper<'_> {
    /// Adds the ways that jumps take to the fine graph. `Err`: a call that may return twice in a way that is not followed.
    pub fn follow(&self, graph: &mut FlowGraph) -> Result<FarJumps, InstId> {
        let mut calls = calls_that_return_twice(self.module, self.func);
        let Some(setjmp) = calls.next() else {
            return Ok(FarJumps::default());
        };
        let handled = || {
            self.module
                .functions
                .iter()
                .any(|f| HANDLERS.contains(&f.name.as_str()))
        };
        if calls.next().is_some() || handled() {
            return Err(setjmp);
        }
        let returns = self.returns(graph, setjmp).ok_or(setjmp)?;
        self.link(graph, &returns).ok_or(setjmp)
    }

    fn function(&self) -> &Function {
        self.module.function(self.func)
    }

    /// Reads the `if` whose condition is the call and nothing else.
    fn returns(&self, graph: &FlowGraph, setjmp: InstId) -> Option<Returns> {
        let function = self.function();
        let Op::Call {
            callee: Callee::Direct(callee),
            ..
        } = &function.inst(setjmp).op
        else {
            return None;
        };
        let callee = self.module.function(*callee);
        if !callee.declaration || !SETJMP.contains(&callee.name.as_str()) {
            return None;
        }
        let node = self.attachment.node_of[setjmp.0 as usize]?;
        let NodeKind::Cond(at) = graph.node(node).kind else {
            return None;
        };
        let StmtKind::If { then, .. } = self.tree.stmt(at).kind else {
            return None;
        };
        let insts = &self.attachment.insts_of[node.0 as usize];
        let block = function.inst(setjmp).block;
        // What stands before the call is not run again; behind it only the result is compared.
        let plain = |i: &InstId| {
            let acts = matches!(
                function.inst(*i).op,
                Op::Store { .. } | Op::Atomic { .. } | Op::Call { .. } | Op::Other { .. }
            );
            function.inst(*i).block == block && !(acts && *i > setjmp)
        };
        if !insts.iter().all(plain) {
            return None;
        }
        let (tested, on_true, on_false) = insts.iter().find_map(|i| match &function.inst(*i).op {
            Op::CondBr {
                cond: Operand::Inst(cond),
                then,
                other,
                ..
            } => Some((*cond, *then, *other)),
            _ => None,
        })?;
        let Op::Cmp { pred, lhs, rhs, .. } = &function.inst(tested).op else {
            return None;
        };
        let is_it = |o: &Operand| matches!(o, Operand::Inst(i) if *i == setjmp);
        let is_zero = |o: &Operand| matches!(o, Operand::Int(0));
        if !(is_it(lhs) && is_zero(rhs) || is_it(rhs) && is_zero(lhs)) {
            return None;
        }
        let after_jump = match pred {
            Pred::Ne => on_true,
            Pred::Eq => on_false,
            _ => return None,
        };
        // Clang writes the first branch of an `if` right behind its condition, whichever value leads there.
        let first_branch = on_true.min(on_false);
        if !self.may_begin(first_branch, graph, then) {
            return None;
        }
        let &[to_then, to_other] = graph.node(node).succs.as_slice() else {
            return None;
        };
        let inside = |n: NodeId| graph.stmt_of(n).is_some_and(|s| self.tree.encloses(then, s));
        if !inside(to_then) || inside(to_other) {
            return None;
        }
        let (first, again) = match after_jump == first_branch {
            true => (to_other, to_then),
            false => (to_then, to_other),
        };
        let of_its_own = matches!(graph.node(again).kind, NodeKind::Gap(_)) && graph.node(again).preds == [node];
        of_its_own.then_some(Returns { node, first, again })
    }

    /// Whether a block may be the first of a statement: it is, as far as it has a place in the text.
    fn may_begin(&self, block: BlockId, graph: &FlowGraph, stmt: StmtId) -> bool {
        let block = self.function().block(block);
        let mut nodes = (block.first.0..block.end.0).filter_map(|i| self.attachment.node_of[i as usize]);
        let first = nodes.next().and_then(|n| graph.stmt_of(n));
        first.is_none_or(|s| self.tree.encloses(stmt, s))
    }

    /// Puts the jumps in, of all calls that may run after `setjmp`; `None` where one cannot be followed.
    fn link(&self, graph: &mut FlowGraph, returns: &Returns) -> Option<FarJumps> {
        let function = self.function();
        let mut calls: Vec<(InstId, NodeId)> = Vec::new();
        for inst in function.inst_ids() {
            let is_call = matches!(function.inst(inst).op, Op::Call { .. });
            if is_call && may_jump(self.points_to, self.effects, self.func, inst) {
                calls.push((inst, self.attachment.node_of[inst.0 as usize]?));
            }
        }
        let from_first = reachable(graph, &[returns.first], None);
        if calls.iter().all(|(_, n)| !from_first.contains(n)) {
            // What follows a jump never runs, and is looked at as if it did.
            return Some(FarJumps::default());
        }
        graph.cut(returns.node, returns.again);
        let after = reachable(graph, &[returns.first, returns.again], None);
        calls.retain(|(_, n)| after.contains(n));
        for &(_, node) in &calls {
            if !self.may_leave(graph, node, returns.again) {
                return None;
            }
            graph.jump_far(node, returns.again);
        }
        let nodes: Vec<NodeId> = calls.iter().map(|(_, n)| *n).collect();
        (!self.makes_loops(graph)).then(|| FarJumps {
            calls: calls.iter().map(|(inst, _)| *inst).collect(),
            lost: self.lost(graph, returns, &nodes),
        })
    }

    /// Whether a jump from a node is one that analyses can follow: out of no kernel, into no loop, and not where loops are
    /// tested.
    fn may_leave(&self, graph: &FlowGraph, from: NodeId, to: NodeId) -> bool {
        let (Some(stmt), Some(target)) = (graph.stmt_of(from), graph.stmt_of(to)) else {
            return false;
        };
        let kind = |n: NodeId| graph.node(n).kind;
        let tests = matches!(kind(from), NodeKind::Cond(s) if self.tree.stmt(s).kind.is_loop());
        let mut around = self
            .tree
            .ancestors(target)
            .filter(|s| self.tree.stmt(*s).kind.is_loop());
        let stays = around.all(|l| !in_loop(self.tree, kind(to), l) || in_loop(self.tree, kind(from), l));
        !tests && stays && self.constructs.launch_around(self.tree, stmt).is_none()
    }

    /// Whether there is a way round that is none of the text's loops.
    fn makes_loops(&self, graph: &FlowGraph) -> bool {
        let loops: Vec<(StmtId, NodeId)> = (0..self.tree.stmts.len() as u32)
            .map(StmtId)
            .filter(|s| {
                let stmt = self.tree.stmt(*s);
                stmt.function as usize == self.tree_function && stmt.kind.is_loop()
            })
            .filter_map(|s| Some((s, merge_node(self.tree, graph, s)?)))
            .collect();
        let closes = |from: NodeId, to: NodeId| {
            let mut own = loops.iter().filter(|(_, header)| *header == to);
            own.any(|(stmt, _)| in_loop(self.tree, graph.node(from).kind, *stmt))
        };
        // What is left when nothing more is without a predecessor goes round.
        let mut left: Vec<usize> = vec![0; graph.nodes.len()];
        let inner = |n: NodeId| graph.node(n).succs.iter().copied().filter(move |to| !closes(n, *to));
        for n in graph.ids() {
            inner(n).for_each(|to| left[to.0 as usize] += 1);
        }
        let mut work: Vec<NodeId> = graph.ids().filter(|n| left[n.0 as usize] == 0).collect();
        let mut done = 0;
        while let Some(n) = work.pop() {
            done += 1;
            for to in inner(n) {
                left[to.0 as usize] -= 1;
                if left[to.0 as usize] == 0 {
                    work.push(to);
                }
            }
        }
        done < graph.nodes.len()
    }

    /// The variables that may be changed between `setjmp` and a jump, and are there when it returns again.
    fn lost(&self, graph: &FlowGraph, returns: &Returns, from: &[NodeId]) -> FxHashSet<VarId> {
        let function = self.function();
        let forth = reachable(graph, &[returns.first, returns.again], Some(returns.node));
        let between: Vec<InstId> = forth
            .iter()
            .filter(|n| {
                reachable(graph, &[**n], Some(returns.node))
                    .iter()
                    .any(|m| from.contains(m))
            })
            .flat_map(|n| &self.attachment.insts_of[n.0 as usize])
            .copied()
            .collect();
        let setjmp = graph.stmt_of(returns.node);
        let mut lost = FxHashSet::default();
        for (index, variable) in function.variables.iter().enumerate() {
            let gone = variable.decl.and_then(|l| self.offsets.offset(l)).is_some_and(|at| {
                let around = self.tree.innermost(at).map(|s| match self.tree.stmt(s).kind {
                    StmtKind::For { .. } => Some(s),
                    _ => self.tree.stmt(s).parent,
                });
                around
                    .flatten()
                    .is_some_and(|s| setjmp.is_some_and(|j| !self.tree.encloses(s, j)))
            });
            if gone || variable.vla || variable.alloca.is_some_and(|a| is_volatile(function, a)) {
                continue;
            }
            let objects: Vec<ObjectId> = self.objects_of(variable.alloca, variable.arg);
            let changes = |i: &InstId| {
                let effects = self.effects.of_inst(self.func, *i);
                let at = |o: &ObjectId| MemLoc::whole(*o);
                objects.iter().any(|o| effects.may_write(self.points_to, at(o)))
            };
            if objects.is_empty() || between.iter().any(changes) {
                lost.insert(VarId(index as u32));
            }
        }
        lost
    }

    fn objects_of(&self, alloca: Option<InstId>, arg: Option<u32>) -> Vec<ObjectId> {
        let local = alloca.and_then(|a| self.points_to.local(self.func, a));
        let copy = arg
            .filter(|_| alloca.is_none())
            .and_then(|index| self.points_to.find(&ObjectKind::ByVal { func: self.func, index }));
        local.into_iter().chain(copy).collect()
    }
}

/// Whether a number or pointer is declared `volatile`: all that the function does with it by name is.
fn is_volatile(function: &Function, alloca: InstId) -> bool {
    let mut accesses = function.insts.iter().filter_map(|i| match &i.op {
        Op::Load { ptr, volatile } | Op::Store { ptr, volatile, .. } if *ptr == Operand::Inst(alloca) => {
            Some(*volatile)
        }
        _ => None,
    });
    accesses.next() == Some(true) && accesses.all(|volatile| volatile)
}

/// The nodes that can be reached from some, themselves included, without running `avoided`.
fn reachable(graph: &FlowGraph, from: &[NodeId], avoided: Option<NodeId>) -> FxHashSet<NodeId> {
    let mut seen = FxHashSet::default();
    let mut work = from.to_vec();
    while let Some(n) = work.pop() {
        if Some(n) != avoided && seen.insert(n) {
            work.extend(&graph.node(n).succs);
        }
    }
    seen
}
