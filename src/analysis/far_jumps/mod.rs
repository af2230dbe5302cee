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
//! **What may stay on the device.** A jump that leaves a function would leave there what the function has on the device:
//! no residency of it, and no updates for its callers' sake, come by such a call. Kernels with their maps do not mind.
//! Around the `if` a residency is written with `enter data` and `exit data`, and ends where the ways have met.
//!
//! **Locals.** Of the function's own variables those that are not `volatile` and are changed between `setjmp` and the jump have
//! no value afterwards (C11 7.13.2.1): from there until they are assigned nothing is known of them, and no directive names
//! them. Variables that are declared in a block without `setjmp` are gone when it returns again. `__builtin_setjmp` says
//! nothing of variables at all; there they are no slots of the function.
//!
//! Non-goals: more than one `setjmp` in a function, other forms of conditions, jumps that make loops, jumps out of handlers of
//! signals. Such functions are left alone.

mod jumper;
mod lost;
mod returns;

use super::effects::Effects;
use super::points_to::PointsTo;
use crate::program::graph::{FlowGraph, NodeId, NodeKind};
use crate::program::in_loops::{in_loop, merge_node};
use crate::program::ir::{Callee, FuncId, InstId, Module, Op};
use crate::syntax::StmtId;
use jumper::reachable;
pub use jumper::{FarJumps, Jumper};
use returns::Returns;
use rustc_hash::FxHashSet;

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

/// Whether a call may end in a `longjmp`.
pub fn may_jump(points_to: &PointsTo, effects: &Effects<'_>, func: FuncId, inst: InstId) -> bool {
    points_to.jumps_far() && effects.may_jump(func, inst)
}

/// Whether no `longjmp` can go past a function: what is above it on the stack has called no `setjmp`.
pub fn is_confined(module: &Module, points_to: &PointsTo, func: FuncId) -> bool {
    if module.function(func).name == "main" && points_to.callers(func).is_empty() {
        return true;
    }
    let returns = |f: &FuncId| calls_that_return_twice(module, *f).next().is_some();
    // First what is seen in the function alone: all others are looked at for few.
    if !returns(&func) || !points_to.closed() || points_to.call_graph().recursive(func) {
        return false;
    }
    let mut all = (0..module.functions.len() as u32).map(FuncId);
    all.all(|f| f == func || !returns(&f))
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
        let (lost, unfollowed) = match returns.restores {
            true => (self.lost(graph, returns, &nodes), FxHashSet::default()),
            false => (FxHashSet::default(), self.all_variables()),
        };
        (!self.makes_loops(graph)).then(|| FarJumps {
            calls: calls.iter().map(|(inst, _)| *inst).collect(),
            lost,
            unfollowed,
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
        let loops = self.tree.loops_of(self.tree_function).into_iter();
        let loops: Vec<(StmtId, NodeId)> = loops
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
}
