//! Variables that a loop's condition bounds and that go one way by steps of any length.
//!
//! ```c
//! int n = total;
//! while (n > 1) {                         /* 2 <= n <= total in the body                    */
//!     int half = n / 2;
//!     #pragma omp target … map(tofrom: a[0:n])
//!     …
//!     n = n - half;                       /* no more than n, since n is positive            */
//! }
//! ```
//!
//! That each iteration leaves no more than it found follows from the condition, and that the first value is the largest from
//! that. What a section is over the loop is then known as with a counter, except that not every value occurs: it is at
//! most that. Where the first iteration has all of it, `a[0:n]` here, a residency over the loop maps what the first kernel
//! maps.

use super::loop_info::{Monotone, Numbers, bound, comparison, first, is_signed};
use super::loop_test::DecidingBranch;
use super::sizes::{CountedRange, EndedLoop};
use super::table::{SymKind, Values};
use super::version::Version;
use crate::program::graph::NodeId;
use crate::program::in_loops::in_loop;
use crate::program::ir::Pred;
use crate::symbolic::{Expr, Facts};
use crate::syntax::{ScopeTree, StmtId};

/// A variable that the condition keeps from falling below a bound, and that never grows; or the other way round. `exact`: the condition alone ends
/// the loop.
pub(super) fn monotone(
    tree: &ScopeTree,
    values: &Values<'_>,
    stmt: StmtId,
    header: NodeId,
    exact: bool,
) -> Option<Monotone> {
    let very = monotone_of(tree, values, stmt, header, Numbers::Exact);
    if !exact {
        return very;
    }
    let ended = EndedLoop {
        tree,
        values,
        stmt,
        signed: DecidingBranch::at(values, header).is_some_and(|branch| is_signed(values, branch.cond)),
        below_top: DecidingBranch::at(values, header).is_some_and(|branch| values.compares_below_top(branch.cond)),
    };
    ended.chosen(very, monotone_of(tree, values, stmt, header, Numbers::Sizes), counted)
}

fn counted(monotone: &Monotone) -> CountedRange<'_> {
    CountedRange {
        lo: &monotone.lo,
        hi: &monotone.hi,
        counter: monotone.sym,
        step: None,
    }
}

fn monotone_of(
    tree: &ScopeTree,
    values: &Values<'_>,
    stmt: StmtId,
    header: NodeId,
    numbers: Numbers,
) -> Option<Monotone> {
    let compared = comparison(tree, values, stmt, header, numbers)?;
    values.versions.phis_at(header).iter().find_map(|&slot| {
        let sym = values.sym(SymKind::Slot(slot, Version::Phi(header)));
        let (pred, bound) = bound(tree, values, stmt, sym, &compared)?;
        let first = first(tree, values, stmt, header, slot, numbers).filter(|e| !e.has_opaque())?;
        let falls = matches!(pred, Pred::Gt | Pred::Ge);
        let (lo, hi) = match pred {
            Pred::Gt => (bound.offset(1)?, first.clone()),
            Pred::Ge => (bound, first.clone()),
            Pred::Lt => (first.clone(), bound.offset(-1)?),
            Pred::Le => (first.clone(), bound),
            _ => return None,
        };
        let now = Expr::sym(sym);
        let mut facts = Facts::new();
        facts.assume_le(&lo, &now);
        facts.assume_le(&now, &hi);
        let graph = values.graph;
        let round = |p: &&NodeId| in_loop(tree, graph.node(**p).kind, stmt);
        let goes_on = graph.node(header).preds.iter().filter(round).all(|p| {
            let version = values.versions.after(*p, slot);
            let next = values.slot_int(slot, version);
            version == Version::Unreached
                || values.stays_in_type(sym, &next)
                    && match falls {
                        true => facts.prove_le(&next, &now),
                        false => facts.prove_le(&now, &next),
                    }
        });
        goes_on.then_some(Monotone { sym, first, lo, hi })
    })
}
