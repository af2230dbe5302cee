//! Elements that are written in each branch of a condition: not by one store for sure, but by one of them.
//!
//! ```c
//! for (int i = 0; i < n; i++) {
//!     if (q[i] > 0)
//!         s[i] = q[i];            /* one of the two, in every iteration: s[0:n] is surely written */
//!     else
//!         s[i] = 0;
//! }
//! ```
//!
//! Two stores write the very element where their places are one expression of values that the same iteration has: where the
//! innermost loop around them is one. What a store covers that not always runs in full is left out.

use super::access::Access;
use super::function::FunctionModel;
use super::values::table::Base;
use crate::program::graph::NodeId;
use crate::symbolic::Expr;
use crate::syntax::StmtId;
use rustc_hash::FxHashMap;

/// What writes have in common that may stand for each other.
#[derive(PartialEq, Eq, Hash)]
struct WrittenPlace<'a> {
    kernel: Option<usize>,
    base: Base,
    offset: &'a Expr,
    bytes: &'a Expr,
    /// The innermost loop around it.
    within: Option<StmtId>,
}

/// Tells each write of the others that write the very element in the same iteration.
pub fn join_branches(model: &FunctionModel<'_>, list: &mut [Access]) {
    let mut found: FxHashMap<WrittenPlace<'_>, Vec<usize>> = FxHashMap::default();
    for (at, access) in list.iter().enumerate().filter(|(_, a)| a.writes && !a.partial) {
        let (Some(place), Some(bytes)) = (&access.at, &access.bytes) else {
            continue;
        };
        if place.offset.has_opaque() || bytes.as_constant().is_none() {
            continue;
        }
        let mut around = model.loops.of_node(model.tree, model.values, access.node);
        let place = WrittenPlace {
            kernel: access.kernel,
            base: place.base,
            offset: &place.offset,
            bytes,
            within: around.next().map(|l| l.stmt),
        };
        found.entry(place).or_default().push(at);
    }
    let shared: Vec<Vec<usize>> = found.into_values().filter(|of| of.len() > 1).collect();
    for of in shared {
        let nodes: Vec<NodeId> = of.iter().map(|at| list[*at].node).collect();
        for at in of {
            let own = list[at].node;
            list[at].also_written = nodes.iter().copied().filter(|n| *n != own).collect();
        }
    }
}
