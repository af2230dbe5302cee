//! Whether what an update copies exists whenever it runs.
//!
//! ```c
//! void patch(double *v, int n, int mark)
//! {
//!     if (mark >= 0)
//!         v[mark] = 1.0;      /* `update to(v[mark:1])` belongs here, and not after the `if`: */
//! }                           /* for mark = -1 that element may be of another array            */
//! ```
//!
//! A residency maps what it copies, so that its updates lie in what is there. The updates of a function that callers enter
//! with and without its array on the device ([`super::coherent`]) have to be right in both cases: where nothing is there,
//! an update does nothing, provided that it is of elements of this array and not of a neighbour's.

use super::inputs::Inputs;
use super::model::Candidate;
use super::ways::may_end;
use crate::analysis::movement::placement::Copy;
use crate::program::graph::{NodeId, NodeKind};
use crate::symbolic::{Facts, Section};

/// What is known to exist in every call of the function.
pub(super) struct SurelyThere<'a> {
    inputs: &'a Inputs<'a>,
    candidate: &'a Candidate,
    facts: &'a Facts,
    known: Vec<Section>,
}

impl<'a> SurelyThere<'a> {
    /// For copies of a candidate of which kernels map `mapped` in every call and `object` is all, where that is known, and facts
    /// that are certain.
    pub fn new(
        inputs: &'a Inputs<'a>,
        candidate: &'a Candidate,
        facts: &'a Facts,
        mapped: &[Section],
        object: Option<&Section>,
    ) -> SurelyThere<'a> {
        let mut known: Vec<Section> = object.cloned().into_iter().collect();
        known.extend(mapped.iter().cloned());
        SurelyThere {
            inputs,
            candidate,
            facts,
            known,
        }
    }

    /// Whether the section of a copy lies in what kernels map in every call, or in the object, or is surely accessed on the
    /// host before or after the copy.
    pub fn holds(&self, copy: &Copy) -> bool {
        self.known.iter().any(|s| s.provably_covers(&copy.section, self.facts))
            || self.accessed_beside(&copy.section, copy.gap, copy.up)
    }

    /// Whether a section is surely accessed on the host before or after a gap, so that it lies in the object.
    pub fn is_accessed(&self, section: &Section, gap: NodeId) -> bool {
        [false, true]
            .into_iter()
            .any(|before| self.accessed_beside(section, gap, before))
    }

    /// Follows the only way from the gap, as long as there is only one: forward for what the host is about to read, backward
    /// for what it has written.
    fn accessed_beside(&self, section: &Section, gap: NodeId, before: bool) -> bool {
        let graph = self.inputs.model.coarse;
        let mut node = gap;
        for _ in 0..graph.nodes.len() {
            let next = match before {
                true => &graph.node(node).preds,
                false => &graph.node(node).succs,
            };
            let [only] = next.as_slice() else { return false };
            node = *only;
            if surely_accesses(self.inputs, self.candidate, self.facts, node, section) {
                return true;
            }
            if !before && may_end(self.inputs.model, node) {
                return false;
            }
        }
        false
    }
}

/// Whether a node surely accesses all of a section of a candidate on the host whenever it runs.
pub(super) fn surely_accesses(
    inputs: &Inputs<'_>,
    candidate: &Candidate,
    facts: &Facts,
    node: NodeId,
    section: &Section,
) -> bool {
    let model = inputs.model;
    let within = match model.coarse.node(node).kind {
        NodeKind::Whole(stmt) => Some(stmt),
        NodeKind::Leaf(_) | NodeKind::Cond(_) | NodeKind::Init(_) | NodeKind::Step(_) | NodeKind::Clauses(_) => None,
        NodeKind::Gap(_) | NodeKind::Region(_) | NodeKind::LeftOut(_) | NodeKind::Entry | NodeKind::Exit => {
            return false;
        }
    };
    let ours = |base| candidate.bases.contains(&base);
    let accesses = inputs.accesses.at(node).into_iter();
    let own = accesses.filter(|a| !a.partial && a.at.as_ref().is_some_and(|at| ours(at.base)));
    let mut own = own.filter_map(|a| inputs.accesses.footprint(model, a, candidate.element, within).must);
    let calls = inputs.accesses.calls(node).iter();
    let called = calls.flat_map(|inst| inputs.host_calls.iter().filter(move |c| c.inst == *inst));
    let called = called.flat_map(|c| &c.uses);
    let mut called = called.filter(|u| u.base.is_some_and(ours)).flat_map(|u| {
        let surely = u.must.iter().chain(&u.surely_read);
        surely.filter_map(|s| s.in_elements(u.element, candidate.element))
    });
    own.any(|s| s.provably_covers(section, facts)) || called.any(|s| s.provably_covers(section, facts))
}
