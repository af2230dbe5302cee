//! Who follows `longjmp` in a function, and what comes of it.

use crate::analysis::effects::Effects;
use crate::analysis::points_to::PointsTo;
use crate::program::attach::{Attachment, Offsets};
use crate::program::constructs::Constructs;
use crate::program::graph::{FlowGraph, NodeId};
use crate::program::ir::{FuncId, Function, InstId, Module, VarId};
use crate::syntax::ScopeTree;
use rustc_hash::FxHashSet;

/// The jumps that come back to a function.
#[derive(Clone, Debug, Default)]
pub struct FarJumps {
    /// The calls that may jump.
    pub calls: FxHashSet<InstId>,
    /// Local variables that have no value after a jump.
    pub lost: FxHashSet<VarId>,
    /// Local variables of which nothing is known anywhere.
    pub unfollowed: FxHashSet<VarId>,
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
    /// The function's instructions on the fine graph.
    pub attachment: &'a Attachment,
    /// The function's kernels.
    pub constructs: &'a Constructs,
    /// Points-to sets.
    pub points_to: &'a PointsTo,
    /// Effects.
    pub effects: &'a Effects<'a>,
    /// Positions to byte offsets.
    pub offsets: &'a dyn Offsets,
}

/// The nodes that can be reached from some, themselves included, without running `avoided`.
pub(super) fn reachable(graph: &FlowGraph, from: &[NodeId], avoided: Option<NodeId>) -> FxHashSet<NodeId> {
    let mut seen = FxHashSet::default();
    let mut work = from.to_vec();
    while let Some(n) = work.pop() {
        if Some(n) != avoided && seen.insert(n) {
            work.extend(&graph.node(n).succs);
        }
    }
    seen
}

impl Jumper<'_> {
    pub(super) fn function(&self) -> &Function {
        self.module.function(self.func)
    }
}
