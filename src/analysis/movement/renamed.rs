//! Names that come to mean something else after a residency has ended.
//!
//! ```c
//! for (t = 0; ; t++) {
//!     u = t % 2 ? a : b;                 /* here */
//!     fill(u, n);                        /* overwrites one of the two */
//!     if (t == steps) break;
//!     …                                  /* a residency of `u[0:n]`: the host needs its results */
//! }
//! use(a, n); use(b, n);
//! ```
//!
//! A residency is about an array by one name (`u`) and the elements that it maps (`0..n`). Where the pointer or a number among
//! the bounds gets another value, the same words mean another array, or other elements of it. Of what the words meant before:
//! what is written from there on under the new meaning is no reason to take it for overwritten. Whether it is read:
//!
//! - Under other names it may be. So it may under the new meaning, by what is read before it is written ([`Renamed`]).
//! - What is read after it was written under the new meaning is what was written then.

use super::family::Family;
use super::loop_symbols::symbols;
use super::placement::ResidencySpan;
use super::problem::{Event, EventKind, Renamed};
use super::set_operations::{inexact, launch_needs};
use super::subject::Subject;
use crate::analysis::function::FunctionModel;
use crate::analysis::movement::events::Events;
use crate::analysis::values::table::Base;
use crate::program::graph::{FlowGraph, NodeId};
use crate::symbolic::{Facts, Section, SectionSet, Sym};
use rustc_hash::FxHashSet;

/// Where a symbol gets its value; nowhere if it has had it from the function's beginning.
fn set_at(model: &FunctionModel<'_>, sym: Sym) -> Vec<NodeId> {
    let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
    let mut stack = vec![model.values.defined_at(sym)];
    stack.retain(|n| *n != FlowGraph::ENTRY);
    // A place that the coarse graph does not have lies before those that follow.
    while let Some(n) = stack.pop() {
        match model.coarse_of(n) {
            _ if !seen.insert(n) => {}
            Some(at) => found.push(at),
            None => stack.extend(&model.fine.node(n).succs),
        }
    }
    found
}

/// Where a base by its pointer, or sections by their bounds, come to mean what they do.
fn meant_at<'s>(model: &FunctionModel<'_>, base: Base, sections: impl Iterator<Item = &'s Section>) -> Vec<NodeId> {
    let pointer = match base {
        Base::Value(sym) => Some(sym),
        Base::Local(_) | Base::Global(_) => None,
    };
    let all = sections.flat_map(symbols).chain(pointer);
    all.flat_map(|sym| set_at(model, sym)).collect()
}

impl Subject<'_> {
    /// Whether the name of another array, or the bounds by which kernels map it, mean something else at some time after the
    /// residency has ended.
    pub(super) fn is_renamed_later(&self, base: Base, span: &ResidencySpan, out: &mut Events) -> bool {
        let sections = self.mapped.iter().flatten().filter(|m| m.base == base);
        let at = meant_at(self.model, base, sections.filter_map(|m| m.section.as_ref()));
        at.into_iter().any(|n| out.comes_later(self.model.coarse, span, n))
    }

    /// Where the family is renamed after its residency. `is_seen_outside`: the world outside of the function may read it.
    pub fn renamed(
        &self,
        family: &Family,
        span: &ResidencySpan,
        events: &mut Events,
        is_seen_outside: bool,
    ) -> Renamed {
        // Buffers that trade places have no names outside of their residency.
        let Family::Single(base) = family else {
            return Renamed::default();
        };
        let graph = self.model.coarse;
        let mut at = meant_at(self.model, *base, std::iter::once(&self.extent));
        at.retain(|n| events.comes_later(graph, span, *n));
        at.sort_unstable();
        at.dedup();
        let after = || graph.reached_from(&at);
        let beside = |n: &NodeId| events.events.at(*n).iter().any(|e| self.reads_beside(e));
        let by_others = |n: &NodeId| events.others.contains(n);
        Renamed {
            is_read: is_seen_outside || after().iter().any(|n| by_others(n) || beside(n)),
            at,
        }
    }

    /// Whether what is not mapped is read: under another meaning that may be what is.
    fn reads_beside(&self, event: &Event) -> bool {
        let facts = Facts::new();
        let read = match &event.kind {
            EventKind::HostRead { may } => may.clone(),
            EventKind::HostWrite { may, must } => inexact(may, must, &facts),
            EventKind::Launch { reads, may, must } => launch_needs(reads, may, must, &facts),
            EventKind::Free => return false,
        };
        !SectionSet::Union(vec![self.extent.clone()]).provably_covers(&read, &facts)
    }
}
