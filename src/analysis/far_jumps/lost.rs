//! Local variables that have no value where a jump leads to.

use super::jumper::{Jumper, reachable};
use super::returns::Returns;
use crate::program::graph::{FlowGraph, NodeId};
use crate::program::ir::{Function, InstId, Op, Operand, VarId};
use crate::program::objects::{MemLoc, ObjectId, ObjectKind};
use crate::syntax::StmtKind;
use rustc_hash::FxHashSet;

impl Jumper<'_> {
    /// The variables that may be changed between `setjmp` and a jump, and are there when it returns again.
    pub(super) fn lost(&self, graph: &FlowGraph, returns: &Returns, from: &[NodeId]) -> FxHashSet<VarId> {
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

    /// All but those that are `volatile`.
    pub(super) fn all_variables(&self) -> FxHashSet<VarId> {
        let function = self.function();
        let steady = function
            .variables
            .iter()
            .map(|v| v.alloca.is_some_and(|a| is_volatile(function, a)));
        let ids = (0..).map(VarId).zip(steady);
        ids.filter(|(_, volatile)| !volatile).map(|(id, _)| id).collect()
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
