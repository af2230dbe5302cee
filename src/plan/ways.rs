//! The ways through a function, as far as what is known decides which are taken.
//!
//! ```c
//! if (direction == 0)                     /* where `direction` is 0, every way comes by the kernel on `u` */
//!     kernel(u);
//! for (int t = 0; t < 3; t++)             /* and every way comes by the one on `v`: the loop surely runs   */
//!     kernel(v);
//! ```
//!
//! A loop is left only after an iteration if it surely runs: because of the number of its iterations, or because of what is
//! known. A branch is decided if its condition is one comparison that what is known decides. Nothing is taken to be so because it is
//! likely: what is asked of ways is whether something exists ([`super::map_existence`]).

use super::inputs::Inputs;
use crate::analysis::function::FunctionModel;
use crate::analysis::movement::problem::ExpandedLoops;
use crate::analysis::values::if_test::IfTest;
use crate::analysis::values::table::SymKind;
use crate::program::graph::{FlowGraph, NodeId, NodeKind};
use crate::program::ir::{IntComparison, Pred};
use crate::symbolic::{Comparison, Expr, Facts, Sym};
use crate::syntax::{StmtId, StmtKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// The ways through a function, and where they end.
pub(super) struct Ways<'a> {
    inputs: &'a Inputs<'a>,
    /// Loops, with those that surely run marked.
    loops: &'a ExpandedLoops,
    /// Where a condition is decided: the node that comes next.
    decided: FxHashMap<NodeId, NodeId>,
}

impl<'a> Ways<'a> {
    /// The ways through the function that `inputs` are of.
    pub fn new(inputs: &'a Inputs<'a>, loops: &'a ExpandedLoops) -> Ways<'a> {
        Ways {
            inputs,
            loops,
            decided: FxHashMap::default(),
        }
    }

    /// The ways that are left where something is known: those that branches on comparisons leave.
    ///
    /// ```c
    /// if (count > 0)
    ///     #pragma omp target teams distribute parallel for map(tofrom: v[0:count])      /* all ways, where `count` is positive */
    /// ```
    pub fn knowing(mut self, facts: &Facts, known: &[Comparison]) -> Ways<'a> {
        let model = self.inputs.model;
        for node in model.coarse.ids() {
            let NodeKind::Cond(stmt) = model.coarse.node(node).kind else {
                continue;
            };
            let Some((then, said)) = branch(model, stmt) else {
                continue;
            };
            let inside = |s: &NodeId| model.coarse.stmt_of(*s).is_some_and(|s| model.tree.encloses(then, s));
            let (taken, other): (Vec<NodeId>, Vec<NodeId>) =
                model.coarse.node(node).succs.iter().partition(|s| inside(s));
            let facts = with_types(model, facts, &said.number);
            let next = match said.negated() {
                _ if said.holds(&facts, known) => taken.as_slice(),
                Some(not) if not.holds(&facts, known) => other.as_slice(),
                _ => continue,
            };
            if let [next] = next {
                self.decided.insert(node, *next);
            }
        }
        self
    }

    /// Whether every way from a node on comes by one that is wanted before the program ends and before a node at which ways
    /// `lose` what is asked about.
    pub fn come_by(&self, from: NodeId, wanted: &dyn Fn(NodeId) -> bool, lose: &FxHashSet<NodeId>) -> bool {
        let graph = self.inputs.model.coarse;
        let (on_the_way, mut passes) = self.until(from, wanted, lose);
        let mut order = graph.in_order(on_the_way);
        order.reverse();
        // A loop that runs is left only after an iteration.
        let enters = |header: NodeId, passes: &FxHashSet<NodeId>| {
            let Some(l) = self.loops.headed_by(header).find(|l| l.runs) else {
                return false;
            };
            let succs = graph.node(header).succs.iter();
            let mut body = succs.filter(|s| l.nodes.binary_search(s).is_ok());
            body.clone().next().is_some() && body.all(|s| passes.contains(s))
        };
        let closes = |from: NodeId, header: NodeId| {
            let of_header = self.loops.headed_by(header).next();
            of_header.is_some_and(|l| l.nodes.binary_search(&from).is_ok())
        };
        loop {
            let before = passes.len();
            for &n in &order {
                let succs = self.next(n);
                let after = |s: &NodeId| passes.contains(s) || (!closes(n, *s) && enters(*s, &passes));
                if !succs.is_empty() && !passes.contains(&n) && succs.iter().all(after) {
                    passes.insert(n);
                }
            }
            if passes.len() == before {
                return passes.contains(&from) || enters(from, &passes);
            }
        }
    }

    /// The nodes that control comes to from one on before any that is wanted, those at which it stops apart; and the wanted ones
    /// that it then comes to.
    fn until(
        &self,
        from: NodeId,
        wanted: &dyn Fn(NodeId) -> bool,
        lose: &FxHashSet<NodeId>,
    ) -> (Vec<NodeId>, FxHashSet<NodeId>) {
        let (mut on_the_way, mut found) = (Vec::new(), FxHashSet::default());
        let mut seen: FxHashSet<NodeId> = std::iter::once(from).collect();
        let mut work = vec![from];
        while let Some(n) = work.pop() {
            if wanted(n) {
                found.insert(n);
                continue;
            }
            if may_end(self.inputs.model, n) || (n != from && lose.contains(&n)) {
                continue;
            }
            on_the_way.push(n);
            work.extend(self.next(n).iter().filter(|s| seen.insert(**s)));
        }
        (on_the_way, found)
    }

    /// What control may come to after a node.
    fn next(&self, node: NodeId) -> &[NodeId] {
        let decided = self.decided.get(&node).map(std::slice::from_ref);
        decided.unwrap_or_else(|| &self.inputs.model.coarse.node(node).succs)
    }

    /// Whether every way to a node has come by one that is wanted, and by none that loses since.
    pub fn have_come_by(&self, to: NodeId, wanted: &dyn Fn(NodeId) -> bool, lose: &FxHashSet<NodeId>) -> bool {
        let graph = self.inputs.model.coarse;
        let mut seen: FxHashSet<NodeId> = FxHashSet::default();
        let mut work = vec![to];
        while let Some(node) = work.pop() {
            if node == FlowGraph::ENTRY || (node != to && lose.contains(&node)) {
                return false;
            }
            let before = graph.node(node).preds.iter();
            work.extend(before.filter(|p| seen.insert(**p) && !wanted(**p)));
        }
        true
    }
}

/// What an `if` does where its condition holds, and the comparison that the condition is, if it is one: with `&&` or `||` there
/// are several.
pub(crate) fn branch(model: &FunctionModel<'_>, stmt: StmtId) -> Option<(StmtId, Comparison)> {
    let StmtKind::If { then, .. } = model.tree.stmt(stmt).kind else {
        return None;
    };
    let test = IfTest::at(model.values, model.fine.cond_of(stmt)?)?;
    let IntComparison { pred, lhs, rhs, signed } = model.function().int_comparison(test.tested)?;
    let sides = |signed: bool| model.values.exact_sides(lhs, rhs, signed);
    let ordered = || sides(signed);
    // Two numbers of a type are equal however it is read.
    let either = || sides(true).or_else(|| sides(false));
    let said = match pred {
        Pred::Lt => ordered().and_then(|(a, b)| Comparison::less(&a, &b)),
        Pred::Le => ordered().and_then(|(a, b)| Comparison::at_most(&a, &b)),
        Pred::Gt => ordered().and_then(|(a, b)| Comparison::less(&b, &a)),
        Pred::Ge => ordered().and_then(|(a, b)| Comparison::at_most(&b, &a)),
        Pred::Eq => either().and_then(|(a, b)| Comparison::equal(&a, &b)),
        Pred::Ne => either().and_then(|(a, b)| Comparison::equal(&a, &b)?.negated()),
        Pred::Other => None,
    };
    let said = said.and_then(|said| if test.holds { Some(said) } else { said.negated() });
    Some((then, said?))
}

/// Facts, with what types say of a number: the ranges of its symbols, and of casts that these change nothing where the facts
/// hold: `(unsigned short)s` is `s` where that is a `signed char` and positive.
fn with_types(model: &FunctionModel<'_>, facts: &Facts, number: &Expr) -> Facts {
    let mut facts = facts.clone();
    let bound = |facts: &mut Facts, sym: Sym| {
        let e = Expr::sym(sym);
        let range = model.values.range(&e)?;
        facts.assume_le(&Expr::constant(range.lo), &e);
        facts.assume_le(&e, &Expr::constant(range.hi));
        Some(e)
    };
    for sym in number.symbols() {
        bound(&mut facts, sym);
        if let SymKind::Cast(of, to) = model.values.kind(sym)
            && let Some(of) = bound(&mut facts, of)
        {
            let (least, greatest) = to.limits();
            if facts.prove_le(&Expr::constant(least), &of) && facts.prove_le(&of, &Expr::constant(greatest)) {
                facts.assume_eq(&Expr::sym(sym), &of);
            }
        }
    }
    facts
}

/// Whether the program may end, or leave the function, within a node of the coarse graph.
pub(super) fn may_end(model: &FunctionModel<'_>, node: NodeId) -> bool {
    model.fine_of(node).iter().any(|n| model.may_end(*n))
}
