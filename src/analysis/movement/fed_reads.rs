//! What host code reads in a loop that counts as one statement, although the loop itself has written it shortly before.
//!
//! ```c
//! for (int t = 0; t < steps; t++) {                    // no copy is placed in here: one statement
//!     for (int i = 0; i < n; i++) tmp[i] = f(x, i);    // written whole in each iteration,
//!     for (int i = 0; i < n; i++) y[i] += tmp[i];      // so this reads nothing that was there before the loop
//! }
//! ```
//!
//! Of a statement it is said what it reads and what it writes, as if it read first. A read is fed if statements before it, of the same block,
//! surely write all that it reads, in the same iteration of all loops around both: these begin before it on all ways, and end before it, as
//! they surely write what they write. All is compared in the numbers of that iteration: what gets another value in between is another symbol.

use super::subject::Subject;
use crate::analysis::access::Access;
use crate::analysis::values::table::Base;
use crate::program::graph::{NodeId, Place};
use crate::program::ir::InstId;
use crate::symbolic::{Facts, Section, SectionSet};
use crate::syntax::{StmtId, StmtKind};

/// A read of an array in a collapsed loop.
struct LoopRead<'r> {
    /// The fine node at which it is.
    node: NodeId,
    base: Base,
    /// What it reads at most, as one run of a statement around it does.
    within: &'r dyn Fn(StmtId) -> SectionSet,
}

impl Subject<'_> {
    /// Whether an access reads at a node what the node's statement has surely written before.
    pub(super) fn is_fed(&self, node: NodeId, read: &Access) -> bool {
        let Some(at) = &read.at else { return false };
        let within = |stmt| self.accesses.footprint(self.model, read, self.element, Some(stmt)).may;
        self.is_fed_at(
            node,
            &LoopRead {
                node: read.node,
                base: at.base,
                within: &within,
            },
        )
    }

    /// Whether what a call reads at most is what the statement of its node has surely written before.
    pub(super) fn is_call_fed(&self, node: NodeId, call: InstId, base: Base, reads: &SectionSet) -> bool {
        let Some(fine) = self.model.attachment.node_of[call.0 as usize] else {
            return false;
        };
        // Beyond one statement it is not known what other runs of it read.
        let is_alone = |stmt: StmtId| self.model.fine.stmt_of(fine) == Some(stmt);
        let within = |stmt| if is_alone(stmt) { reads.clone() } else { SectionSet::All };
        self.is_fed_at(
            node,
            &LoopRead {
                node: fine,
                base,
                within: &within,
            },
        )
    }

    fn is_fed_at(&self, node: NodeId, read: &LoopRead<'_>) -> bool {
        let (model, tree) = (self.model, self.model.tree);
        let Some(all) = model.collapsed_loop(node) else {
            return false;
        };
        let around = model.fine.stmt_of(read.node).into_iter();
        let mut around = around.flat_map(|s| tree.ancestors(s)).take_while(|s| *s != all);
        around.any(|stmt| {
            let before = self.surely_before(node, stmt, read);
            if before.is_empty() {
                return false;
            }
            let reads = (read.within)(stmt);
            !reads.is_all() && SectionSet::Union(before).provably_covers(&reads, &Facts::new())
        })
    }

    /// What the statements of a statement's block that run before it surely write of a read's array.
    fn surely_before(&self, node: NodeId, stmt: StmtId, read: &LoopRead<'_>) -> Vec<Section> {
        let (model, tree) = (self.model, self.model.tree);
        let block = tree.stmt(stmt).parent;
        let Some(block) = block.filter(|p| matches!(tree.stmt(*p).kind, StmtKind::Block)) else {
            return Vec::new();
        };
        let earlier = |fine: NodeId| {
            let within = tree.ancestors(model.fine.stmt_of(fine)?);
            let own = within.into_iter().find(|s| tree.stmt(*s).parent == Some(block))?;
            let is_before = tree.stmt(own).span.end <= tree.stmt(stmt).span.start;
            let begins = model.fine.gap(Place::Before(own))?;
            (is_before && model.values.versions.leads_by(begins, read.node)).then_some(own)
        };
        let accesses = self.accesses.at(node);
        let writes = accesses.into_iter().filter(|a| {
            let is_it = a.at.as_ref().is_some_and(|at| at.base == read.base);
            a.writes && !a.perhaps_copy && is_it
        });
        let by_accesses = writes.filter_map(|a| {
            let own = earlier(a.node)?;
            self.accesses.footprint(model, a, self.element, Some(own)).must
        });
        let calls = self.accesses.calls(node).iter();
        let by_calls = calls.filter_map(|inst| {
            let fine = model.attachment.node_of[inst.0 as usize]?;
            let called = self.host_calls.iter().find(|c| c.inst == *inst)?;
            (earlier(fine) == model.fine.stmt_of(fine)).then_some(&called.uses)
        });
        let by_calls = by_calls
            .flatten()
            .filter(|used| used.base == Some(read.base) && used.element == self.element);
        by_accesses
            .chain(by_calls.flat_map(|used| used.each_time.clone()))
            .collect()
    }
}
