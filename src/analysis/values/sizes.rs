//! Whether the numbers of a loop are sizes: whether it may be taken that none of them is the huge number that a negative one has become.
//!
//! ```c
//! for (size_t i = 0; i < n; i++)          /* int n: had it been negative, a[i] would have been far outside of any array            */
//!     a[i] = 0;
//! for (int t = k; t < w; t++) …           /* unsigned w, int k: with k == -2 there is no iteration; k is no size                    */
//! for (unsigned i = 0; i < w; i++)        /* w may have been -1: the loop takes its time, and writes n elements                     */
//!     if (i < n)
//!         a[i] = 0;
//! ```
//!
//! C compares a negative number with an unsigned one as the huge number that it becomes. A loop whose lower end surely is not negative has two
//! cases then. Either its upper end is not negative, and everything is what it seems. Or it has 2³¹ iterations at least: where each of them comes by an
//! element whose place the counter says, that is outside of any object; and where each of them starts a kernel, it does not end within days. Of
//! other loops nothing is taken: what they compare are the numbers that they are.

use super::table::Values;
use crate::openmp::Directive;
use crate::program::graph::{NodeId, NodeKind};
use crate::program::in_loops::nodes_in_loop;
use crate::program::ir::Op;
use crate::symbolic::{Expr, Sym};
use crate::syntax::{ScopeTree, StmtId, StmtKind};

/// In what range a loop counts if its numbers are sizes.
#[derive(Clone, Copy)]
pub(super) struct RangeOfSizes<'a> {
    pub lo: &'a Expr,
    pub hi: &'a Expr,
    pub counter: Sym,
    /// The comparison that ends the loop is one of numbers with a sign.
    pub signed: bool,
}

/// Whether the numbers of a loop that its condition alone ends are sizes.
pub(super) fn are_sizes(tree: &ScopeTree, values: &Values<'_>, stmt: StmtId, range: RangeOfSizes<'_>) -> bool {
    let RangeOfSizes {
        lo,
        hi,
        counter,
        signed,
    } = range;
    let counts_far = values.type_of(counter).is_none_or(|ty| ty.bytes >= 4);
    // As a number with a sign a huge one is a negative one: there the loop does not run.
    let has_sign = |e: &Expr| e.symbols().iter().all(|s| !values.is_unsigned(*s));
    let is_compared = !signed || has_sign(lo) && has_sign(hi);
    is_compared
        && values.range(lo).is_some_and(|range| range.lo >= 0)
        && counts_far
        && (starts_kernels(tree, stmt) || comes_by_elements(tree, values, stmt, counter))
}

/// Whether each iteration starts a kernel.
fn starts_kernels(tree: &ScopeTree, stmt: StmtId) -> bool {
    let is_inside = |kernel: &StmtId| tree.encloses(stmt, *kernel) && is_always_run(tree, *kernel, stmt);
    let kernels = tree.pragmas.iter().filter(|p| {
        let directive = Directive::parse(&p.text);
        directive.is_some_and(|d| d.is_launch())
    });
    kernels
        .filter_map(|p| p.before)
        .any(|kernel| kernel != stmt && is_inside(&kernel))
}

/// Whether each iteration that comes by any element at all comes by one whose place the counter says.
fn comes_by_elements(tree: &ScopeTree, values: &Values<'_>, stmt: StmtId, counter: Sym) -> bool {
    let function = values.function();
    let is_element = |op: &Op| match op {
        Op::Load { ptr, .. } | Op::Store { ptr, .. } => {
            values.ptr(ptr).is_some_and(|place| place.offset.mentions(counter))
        }
        _ => false,
    };
    let has_one = |node: &NodeId| {
        let insts = &values.attachment.insts_of[node.0 as usize];
        let branches = insts
            .iter()
            .filter(|i| matches!(function.inst(**i).op, Op::CondBr { .. }));
        // With more branches than a condition has of its own some of it may be skipped.
        branches.count() <= usize::from(matches!(values.graph.node(*node).kind, NodeKind::Cond(_)))
            && insts.iter().any(|i| is_element(&function.inst(*i).op))
    };
    let is_met = |node: &NodeId| {
        let at = values.graph.stmt_of(*node);
        at.is_some_and(|at| at == stmt || is_always_run(tree, at, stmt))
    };
    let mut nodes = nodes_in_loop(tree, values.graph, stmt).into_iter();
    nodes.any(|node| is_met(&node) && has_one(&node))
}

/// Whether each iteration of a loop runs a statement in it, but for loops around that without iterations.
fn is_always_run(tree: &ScopeTree, inner: StmtId, of_loop: StmtId) -> bool {
    let mut around = tree.ancestors(inner).skip(1).take_while(|s| *s != of_loop);
    let plain = |s: StmtId| {
        let kind = &tree.stmt(s).kind;
        kind.is_loop() || matches!(kind, StmtKind::Block)
    };
    let span = tree.stmt(of_loop).span;
    let jumps = |kind: &StmtKind| {
        matches!(
            kind,
            StmtKind::Continue | StmtKind::Goto { .. } | StmtKind::ComputedGoto
        )
    };
    let mut inside = tree.stmts.iter().filter(|s| span.encloses(s.span));
    around.all(plain) && !inside.any(|s| jumps(&s.kind))
}
