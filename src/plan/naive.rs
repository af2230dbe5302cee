//! What kernels map as written: the measure that a residency must not exceed.

use super::evaluate::{Candidate, Inputs};
use super::names::At;
use super::search::launch_frequency;
use super::spans::Run;
use crate::analysis::movement::demand::surely_passes;
use crate::analysis::movement::family::Naming;
use crate::analysis::movement::mapped::Mapped;
use crate::analysis::movement::placement::Span;
use crate::analysis::movement::problem::Problem;
use crate::openmp;
use crate::program::graph::{NodeId, NodeKind};

impl Inputs<'_> {
    /// Mapping `s->x[0:n]` copies the pointer `s->x` too. Where kernels do that themselves, a residency saves it; where
    /// they name the array otherwise, or may not run at all, it would only add it.
    pub(super) fn members(
        &self,
        candidate: &Candidate,
        problem: &Problem<'_>,
        span: &Span,
        naming: &Naming,
    ) -> Result<(), String> {
        let model = self.model;
        let is_member = |text: &str| text.split('[').next().is_some_and(|path| path.contains(['.', '-']));
        let spelled = naming.at(span.entry).iter().filter_map(|base| {
            let at = At::coarse(model, span.entry)?;
            self.item(candidate, &at, *base, &problem.extent, false)
        });
        let Some(name) = spelled.into_iter().find(|text| is_member(text)) else {
            return Ok(());
        };
        let maps_member = |n: NodeId| self.kernel_maps(candidate, n, &|m| is_member(&m.item.text));
        if surely_passes(problem, span, &maps_member) {
            Ok(())
        } else {
            Err(format!(
                "mapping `{name}` copies the pointer too, which kernels here do not, or do only if they run"
            ))
        }
    }

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
    fn kernel_maps(&self, candidate: &Candidate, node: NodeId, such: &dyn Fn(&Mapped) -> bool) -> bool {
        self.launches_at(candidate, node).any(|l| {
            let items = self.items(candidate, l);
            self.call(l).is_none() && (items.is_empty() || items.into_iter().any(such))
        })
    }

    /// The family's kernels at a node.
    fn launches_at(&self, candidate: &Candidate, node: NodeId) -> impl Iterator<Item = usize> {
        let stmt = match self.model.coarse.node(node).kind {
            NodeKind::Whole(stmt) | NodeKind::Leaf(stmt) => Some(stmt),
            _ => None,
        };
        let here = move |l: &usize| Some(self.start(*l)) == stmt;
        candidate.launches.iter().copied().filter(here)
    }
}
