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
//! cases then. Either its upper end is not negative, and everything is what it seems. Or it counts up to 2³¹ at least: where each iteration comes by an
//! element whose place the counter says, that is outside of any object; where each starts a kernel, it does not end within days, if the counter goes
//! by small steps; and a counter with a sign (`int i < w`) overflows, which C forbids, unless something called ends the program before. A third case is ruled out before: an end such as `w + 5` that has wrapped around to a small number. Of
//! other loops nothing is taken: what they compare are the numbers that they are.

use super::table::Values;
use crate::openmp::Directive;
use crate::program::graph::{NodeId, NodeKind};
use crate::program::in_loops::nodes_in_loop;
use crate::program::ir::{InstId, Op};
use crate::symbolic::{Atom, Expr, Summand, Sym};
use crate::syntax::{ScopeTree, StmtId, StmtKind};

/// With larger steps kernels are started so rarely that 2³¹ may be come to.
const MOST_STEP: u128 = 16;

/// Whether a place moves by a number of bytes with each step of a counter: of quotients and remainders of it no object is too small.
fn is_linear(e: &Expr, counter: Sym) -> bool {
    let is_it = |t: &&Summand| matches!(t.monomial.factors(), [(Atom::Sym(s), 1)] if *s == counter);
    let moved = e.terms().iter().find(is_it);
    let rest = moved.and_then(|t| e.sub(&Expr::sym(counter).mul(&Expr::constant(t.coeff))?));
    rest.is_some_and(|rest| !rest.mentions(counter))
}

/// In what range a loop counts.
#[derive(Clone, Copy)]
pub(super) struct CountedRange<'a> {
    pub lo: &'a Expr,
    pub hi: &'a Expr,
    pub counter: Sym,
    /// What the counter grows by, if that is a number.
    pub step: Option<i128>,
}

/// A loop that its condition alone ends.
#[derive(Clone, Copy)]
pub(super) struct EndedLoop<'a> {
    pub tree: &'a ScopeTree,
    pub values: &'a Values<'a>,
    pub stmt: StmtId,
    /// The comparison that ends the loop is one of numbers with a sign.
    pub signed: bool,
    /// What that compares has surely not wrapped around over the top of the types that it is computed in (`super::below_top`).
    pub below_top: bool,
}

impl EndedLoop<'_> {
    /// What is known of the loop: by sizes, where its numbers are such or the exact ones say the same; else by the exact ones.
    pub fn chosen<T>(&self, exact: Option<T>, of_sizes: Option<T>, counted: fn(&T) -> CountedRange<'_>) -> Option<T> {
        let is_exact = |range: CountedRange<'_>| {
            let exact = exact.as_ref().map(counted);
            exact.is_some_and(|exact| exact.lo == range.lo && exact.hi == range.hi)
        };
        let may_be_taken = |known: &T| is_exact(counted(known)) || self.counts_sizes(counted(known));
        of_sizes.filter(may_be_taken).or(exact)
    }

    /// Whether the loop's numbers are sizes, if this is its range then.
    fn counts_sizes(&self, range: CountedRange<'_>) -> bool {
        let CountedRange { lo, hi, counter, step } = range;
        let values = self.values;
        let ty = values.type_of(counter);
        let counts_far = ty.is_none_or(|ty| ty.bytes >= 4);
        // What starts behind the top of the type starts somewhere else.
        let most = ty.map_or(i128::MAX, |ty| ty.limits().1);
        let starts_there = values.range(lo).is_some_and(|range| range.lo >= 0 && range.hi <= most);
        let small_steps = step.is_some_and(|step| step.unsigned_abs() <= MOST_STEP);
        // As a number with a sign a huge one is a negative one: there the loop does not run.
        let has_sign = |e: &Expr| e.symbols().iter().all(|s| !values.is_unsigned(*s));
        let is_compared = !self.signed || has_sign(lo) && has_sign(hi);
        is_compared
            && self.below_top
            && counts_far
            && starts_there
            && !self.jumps()
            && (small_steps && self.starts_kernels()
                || self.comes_by_elements(counter)
                || step.is_some_and(|step| step > 0) && self.comes_to_overflow(counter))
    }

    /// Whether a counter that rises to 2³¹ comes by a number that its type has not: it has a sign, and nothing in the loop ends the program before.
    fn comes_to_overflow(&self, counter: Sym) -> bool {
        let EndedLoop { tree, values, stmt, .. } = *self;
        let may_not_overflow = values.type_of(counter).is_some_and(|ty| ty.signed && ty.bytes == 4);
        let may_end = |inst: &InstId| {
            let is_call = matches!(values.function().inst(*inst).op, Op::Call { .. } | Op::Other { .. });
            if !is_call {
                return false;
            }
            let effects = values.effects.of_call(values.func, *inst);
            effects.unknown || effects.may_not_return || effects.may_jump
        };
        let ends = |node: &NodeId| values.attachment.insts_of[node.0 as usize].iter().any(may_end);
        may_not_overflow && !nodes_in_loop(tree, values.graph, stmt).iter().any(ends)
    }

    /// Whether jumps in the loop may pass a part of an iteration by.
    fn jumps(&self) -> bool {
        let EndedLoop { tree, stmt, .. } = *self;
        let span = tree.stmt(stmt).span;
        // Statements are in text order, and those of the loop follow it.
        let mut inside = tree.stmts[stmt.0 as usize..]
            .iter()
            .take_while(|s| span.encloses(s.span));
        inside.any(|s| {
            matches!(
                s.kind,
                StmtKind::Continue | StmtKind::Goto { .. } | StmtKind::ComputedGoto
            )
        })
    }

    /// Whether each iteration starts a kernel.
    fn starts_kernels(&self) -> bool {
        let EndedLoop { tree, stmt, .. } = *self;
        let span = tree.stmt(stmt).span;
        let first = tree.pragmas.partition_point(|p| p.span.start < span.start);
        let mut inside = tree.pragmas[first..].iter().take_while(|p| span.encloses(p.span));
        inside.any(|p| {
            let is_launch = || Directive::parse(&p.text).is_some_and(|d| d.is_launch());
            p.before.is_some_and(|kernel| self.always_runs(kernel)) && is_launch()
        })
    }

    /// Whether each iteration that comes by any element at all comes by one whose place the counter says.
    fn comes_by_elements(&self, counter: Sym) -> bool {
        let EndedLoop { tree, values, stmt, .. } = *self;
        let function = values.function();
        let is_element = |op: &Op| match op {
            Op::Load { ptr, .. } | Op::Store { ptr, .. } => {
                values.ptr(ptr).is_some_and(|place| is_linear(&place.offset, counter))
            }
            _ => false,
        };
        let has_one = |node: &NodeId| {
            let insts = &values.attachment.insts_of[node.0 as usize];
            let is_branch = |op: &Op| matches!(op, Op::CondBr { .. });
            let branches = insts.iter().filter(|i| is_branch(&function.inst(**i).op));
            // With more branches than a condition has of its own some of it may be skipped.
            branches.count() <= usize::from(matches!(values.graph.node(*node).kind, NodeKind::Cond(_)))
                && insts.iter().any(|i| is_element(&function.inst(*i).op))
        };
        let is_met = |node: &NodeId| {
            let at = values.graph.stmt_of(*node);
            at.is_some_and(|at| at == stmt || self.always_runs(at))
        };
        let mut nodes = nodes_in_loop(tree, values.graph, stmt).into_iter();
        nodes.any(|node| is_met(&node) && has_one(&node))
    }

    /// Whether each iteration runs a statement of the loop, but for loops around that without iterations. Jumps are another question.
    fn always_runs(&self, inner: StmtId) -> bool {
        let kind = |s: StmtId| &self.tree.stmt(s).kind;
        let mut around = self.tree.ancestors(inner).skip(1).take_while(|s| *s != self.stmt);
        around.all(|s| kind(s).is_loop() || matches!(kind(s), StmtKind::Block))
    }
}
