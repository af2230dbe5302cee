//! How often loops run: by what the compiler knows, but for what only the build at hand knows.
//!
//! ```c
//! #define STEPS 4
//! for (int t = 0; t < 4; t++)          /* 4 iterations                                                       */
//! for (int t = 0; t < n; t++)          /* n                                                                  */
//! for (int t = 0; t < STEPS; t++)      /* the symbol that is called `STEPS`, of which nothing is known, not 4 */
//! ```
//!
//! `syntax::trips` says which loops of a file are of the last kind. Their indices keep the ranges that they have in
//! this build: other builds are compared with it number by number (`rewrite::configurations`), but in none of these a loop
//! has no iteration.

use super::loop_info::{LoopInfo, Loops};
use super::table::{SymKind, Values};
use crate::symbolic::{Expr, Facts};
use crate::syntax::{Bound, ScopeTree, StmtId};
use rustc_hash::FxHashMap;

impl LoopInfo {
    /// How many iterations the loop has in any build, less one: it runs where that is not negative.
    pub fn trips_less_one(&self) -> Option<Expr> {
        let index = self.induction.as_ref()?;
        match &self.named {
            Some(trips) => trips.offset(-1),
            None => index.hi.sub(&index.lo),
        }
    }

    /// Whether the loop runs where facts hold, in any build.
    pub fn runs(&self, facts: &Facts) -> bool {
        self.trips_less_one().is_some_and(|trips| facts.prove_nonneg(&trips))
    }
}

impl Loops {
    /// Gives a symbol for their number of iterations to loops that this build alone knows to run. Bounds in the same words are one
    /// symbol, unless there are variables in them, which may change in between.
    pub(super) fn name_trips(&mut self, tree: &ScopeTree, values: &Values<'_>) {
        let mut known: FxHashMap<&str, StmtId> = FxHashMap::default();
        for (stmt, bound) in &tree.trips {
            let Some(info) = self.list.get_mut(stmt) else { continue };
            let range = info.trips_less_one().and_then(|trips| values.range(&trips));
            if range.is_none_or(|range| range.lo < 0) {
                continue;
            }
            let steady = bound.as_ref().filter(|bound| !has_variables(bound, values));
            let first = steady.map_or(*stmt, |bound| *known.entry(&bound.words).or_insert(*stmt));
            let number = Expr::sym(values.sym(SymKind::Bound(first)));
            let less = bound.as_ref().map_or(0, |bound| bound.less);
            info.named = Some(number.offset(-less).unwrap_or(number));
        }
    }
}

/// Whether a name of a bound may be that of a variable.
fn has_variables(bound: &Bound, values: &Values<'_>) -> bool {
    let function = values.function();
    let is_variable = |name: &String| {
        let mut locals = function.variables.iter();
        locals.any(|v| v.name == *name)
            || !values
                .module
                .globals_named(function.unit, &function.name, name)
                .is_empty()
    };
    bound.names.iter().any(is_variable)
}
