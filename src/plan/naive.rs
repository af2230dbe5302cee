//! What kernels map as written: the measure that a residency must not exceed.

use super::evaluate::{Candidate, Inputs};
use super::names::At;
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
        self.kernel_maps(candidate, node, &|m| {
            matches!(m.map_type, openmp::MapType::To | openmp::MapType::Tofrom)
        })
    }

    /// Whether a kernel at this node maps the family in such a way, or does not say how.
    fn kernel_maps(&self, candidate: &Candidate, node: NodeId, such: &dyn Fn(&Mapped) -> bool) -> bool {
        let NodeKind::Whole(stmt) = self.model.coarse.node(node).kind else {
            return false;
        };
        let launch = |l: &&usize| self.model.constructs.launches[**l].stmt == stmt;
        candidate.launches.iter().filter(launch).any(|l| {
            let items = self.items(candidate, *l);
            items.is_empty() || items.into_iter().any(such)
        })
    }

    /// What a kernel's clauses map of the family.
    pub(super) fn items(&self, candidate: &Candidate, launch: usize) -> Vec<&Mapped> {
        self.mapped[launch]
            .iter()
            .filter(|m| candidate.bases.contains(&m.base) && !m.pointer_itself)
            .collect()
    }
}
