//! The loops of a function as residencies see them: which run, and what kernels in them map over all iterations.
//!
//! ```c
//! for (int t = 0; t < 9; t++)            /* runs                                                                      */
//!     for (int i = 0; i < m; i++)        /* runs where `m` is positive, which a residency may ask: if(m > 0)          */
//!         kernel map(to: f[i:1])         /* over both loops: f[0:m]                                                   */
//! ```

use super::condition::When;
use super::inputs::Inputs;
use super::spans::Run;
use crate::analysis::movement::loop_symbols::loops_of;
use crate::analysis::movement::problem::{ExpandedLoops, LoopFacts};
use crate::program::graph::NodeId;
use crate::program::in_loops::{in_loop, merge_node};
use crate::symbolic::{Expr, Facts, Section};
use crate::syntax::StmtId;
use rustc_hash::FxHashSet;

impl Inputs<'_> {
    /// The number of iterations of a counting loop, less one: it runs where that is not negative.
    pub(super) fn trips_less_one(&self, stmt: StmtId) -> Option<Expr> {
        self.model.loops.get(stmt)?.trips_less_one()
    }

    /// What parameters are worth in every call of this build. Sections may be compared by it, because samples of other builds
    /// compare them again ([`crate::rewrite`]). Nothing that runs does so because of it: in a build with `-DSTEPS=0` no loop of
    /// `relax(STEPS)` does.
    pub(super) fn known_on_entry(&self) -> Facts {
        let mut facts = Facts::new();
        for (sym, value) in &self.parameters {
            facts.assume_eq(sym, &Expr::constant(*value));
        }
        facts
    }

    /// Loops of the function, with their headers and statements; those that run in every call are marked.
    pub(super) fn loops(&self) -> (ExpandedLoops, Vec<(NodeId, StmtId)>) {
        let known = self.loops.get_or_init(|| {
            let (mut loops, headers) = loops_of(self.model);
            self.mark_running(&mut loops, &headers, &Facts::new());
            (loops, headers)
        });
        known.clone()
    }

    /// Marks the loops that run where facts hold.
    pub(super) fn mark_running(&self, loops: &mut [LoopFacts], headers: &[(NodeId, StmtId)], facts: &Facts) {
        for (l, (_, stmt)) in loops.iter_mut().zip(headers) {
            l.runs |= self.runs_where(*stmt, facts);
        }
    }

    /// Whether a loop runs where facts hold.
    pub(super) fn runs_where(&self, stmt: StmtId, facts: &Facts) -> bool {
        let by_range = |e: &Expr| self.model.values.range(e).is_some_and(|r| r.lo >= 0);
        let trips = self.trips_less_one(stmt);
        trips.is_some_and(|e| facts.prove_nonneg(&e) || by_range(&e))
    }

    /// What holds wherever control comes to a statement: loops around it run.
    ///
    /// ```c
    /// #pragma omp target data map(tofrom: v[0:n]) if(steps > 0)
    /// for (int t = 0; t < steps; t++)
    ///     step(v, n);                                     /* here it is true */
    /// ```
    pub(super) fn known_within_loops(&self, stmt: StmtId) -> Facts {
        let around = self.model.tree.ancestors(stmt).skip(1);
        let mut facts = Facts::new();
        for trips in around.filter_map(|s| self.trips_less_one(s)) {
            facts.assume_nonneg(&trips);
        }
        facts
    }

    /// Takes loops of a run for loops that run where the residency's conditions say so.
    pub(super) fn enter(&self, loops: &mut [LoopFacts], headers: &[(NodeId, StmtId)], run: Run, when: &When) {
        let mut facts = Facts::new();
        when.assume(&mut facts);
        for (l, (_, stmt)) in loops.iter_mut().zip(headers) {
            l.runs |= run.encloses(self.model, *stmt) && self.runs_where(*stmt, &facts);
        }
    }

    /// What a kernel's section is over all iterations of the loops around it in a run, if each of them maps its part.
    pub(super) fn over_loops(&self, section: Section, start: usize, run: Run, when: &When) -> Section {
        let model = self.model;
        let mut facts = Facts::new();
        when.assume(&mut facts);
        let around = model.tree.ancestors(self.start(start)).skip(1);
        let mut whole = section;
        for stmt in around.take_while(|s| run.encloses(model, *s)) {
            let Some((l, ind)) = model.loops.get(stmt).and_then(|l| Some((l, l.induction.as_ref()?))) else {
                continue;
            };
            if !whole.mentions(ind.sym) {
                continue;
            }
            let each = l.exact && l.runs(&facts) && self.each_iteration(stmt, start);
            let step = Expr::constant(ind.step.abs());
            let swept = whole.over_loop(ind.sym, &ind.lo, &ind.hi, &step, &facts);
            match swept.filter(|_| each) {
                Some(swept) => whole = swept,
                None => return whole,
            }
        }
        whole
    }

    /// Whether no iteration of a loop passes by what starts a kernel in it.
    pub(super) fn each_iteration(&self, stmt: StmtId, start: usize) -> bool {
        let graph = self.model.coarse;
        let (Some(header), Some(node)) = (merge_node(self.model.tree, graph, stmt), self.start_node(start)) else {
            return false;
        };
        let inside = |n: NodeId| in_loop(self.model.tree, graph.node(n).kind, stmt);
        let mut seen: FxHashSet<NodeId> = FxHashSet::default();
        let mut work = vec![header];
        while let Some(at) = work.pop() {
            for &next in graph.node(at).succs.iter().filter(|n| inside(**n) && **n != node) {
                if next == header {
                    return false;
                }
                if seen.insert(next) {
                    work.push(next);
                }
            }
        }
        true
    }
}
