//! What kernels map as written: the measure that a residency must not exceed.

use super::evaluate::{Candidate, Inputs};
use super::search::launch_frequency;
use super::spans::Run;
use crate::analysis::movement::mapped::Mapped;
use crate::openmp;
use crate::program::graph::NodeId;

impl Inputs<'_> {
    /// Whether a kernel at this node copies the family in, as written.
    pub(super) fn copies_in(&self, candidate: &Candidate, node: NodeId) -> bool {
        let by_call = |l| self.used_by_call(candidate, l).iter().any(|u| u.copies_in);
        self.launches_at(candidate, node).any(by_call)
            || self.kernel_maps(candidate, node, &|m| {
                matches!(m.map_type, openmp::MapType::To | openmp::MapType::Tofrom)
            })
    }

    /// How many times the kernels at this node copy an extent of the family, as written.
    pub(super) fn pays(&self, candidate: &Candidate, node: NodeId) -> i64 {
        self.launches_at(candidate, node)
            .map(|l| self.copies_of(candidate, l))
            .sum()
    }

    /// How many copies the kernels of a run are expected to make of the family, as written.
    pub(super) fn own_calls(&self, candidate: &Candidate, run: Run) -> f64 {
        let inside = |l: &&usize| run.encloses(self.model, self.start(**l));
        let launches = candidate.launches.iter().filter(inside);
        launches
            .map(|l| self.expected_copies_of(candidate, *l) * launch_frequency(self, *l))
            .sum()
    }

    /// Whether a kernel at this node maps the family in such a way, or does not say how.
    pub(super) fn kernel_maps(&self, candidate: &Candidate, node: NodeId, such: &dyn Fn(&Mapped) -> bool) -> bool {
        self.launches_at(candidate, node).any(|l| {
            let items = self.items(candidate, l);
            self.call(l).is_none() && (items.is_empty() || items.into_iter().any(such))
        })
    }

    /// The family's kernels at a node.
    fn launches_at(&self, candidate: &Candidate, node: NodeId) -> impl Iterator<Item = usize> {
        let here = move |l: &usize| self.start_node(*l) == Some(node);
        candidate.launches.iter().copied().filter(here)
    }
}
