//! Hand-written `target data` regions of a function that could be starts ([`super::hand_regions`] says for which arrays they are).
//!
//! ```c
//! #pragma omp target data map(tofrom: u[0:n])        /* could be: `map` clauses alone, kernels that run at once       */
//! #pragma omp target data map(tofrom: u[0:n]) if(g)  /* is none                                                       */
//! ```

use super::model::Candidate;
use crate::analysis::cexpr::Macros;
use crate::analysis::function::FunctionModel;
use crate::analysis::movement::mapped::{Mapped, mapped_before};
use crate::openmp::{ClauseKind, Construct, Item, MapModifier, MapType};
use crate::program::constructs::{Launch, UserData};
use crate::program::graph::NodeId;
use crate::syntax::StmtId;

/// A hand-written `target data` that could be a start.
#[derive(Clone, Debug)]
pub struct HandRegion {
    /// The statement that it governs.
    pub stmt: StmtId,
    /// Where that begins.
    pub node: NodeId,
    /// Which of the function's data directives it is.
    pub directive: usize,
    /// What it maps.
    pub mapped: Vec<Mapped>,
}

/// The regions of a function that could be starts, in text order.
pub(super) fn find(model: &FunctionModel<'_>, macros: &Macros) -> Vec<HandRegion> {
    let found = model.constructs.user_data.iter().enumerate();
    let found = found.filter_map(|(directive, user)| {
        let stmt = user.stmt?;
        let items = plain_maps(user)?;
        let launches = &model.constructs.launches;
        let mut inside = launches.iter().filter(|l| model.tree.encloses(stmt, l.stmt));
        if launches.iter().any(|l| l.stmt == stmt) || !inside.all(runs_at_once) {
            return None;
        }
        Some(HandRegion {
            stmt,
            node: model.coarse.region(stmt)?,
            directive,
            mapped: mapped_before(model, macros, stmt, &items),
        })
    });
    found.collect()
}

/// Whether a kernel surely runs on the device, and the host waits for it.
pub(super) fn runs_at_once(launch: &Launch) -> bool {
    launch.condition.is_none() && launch.special.is_none() && !launch.asynchronous
}

/// What a directive maps that has nothing but `map` clauses of types that every version knows.
pub(super) fn plain_maps(user: &UserData) -> Option<Vec<(MapType, Item)>> {
    if !user.directive.is(&Construct::TargetData) {
        return None;
    }
    let mut found = Vec::new();
    for clause in &user.directive.clauses {
        let ClauseKind::Map(map) = &clause.kind else {
            return None;
        };
        let kind = map.effective_type();
        let known = matches!(kind, MapType::To | MapType::From | MapType::Tofrom | MapType::Alloc);
        let modified = map.modifiers.iter().any(|m| *m != MapModifier::Close);
        if !known || modified || map.items.iter().any(|i| i.unparsed) {
            return None;
        }
        found.extend(map.items.iter().map(|i| (kind, i.clone())));
    }
    Some(found)
}

/// How a region holds an array, where it does so by one item under a name of its own.
pub(super) fn held<'r>(region: &'r HandRegion, candidate: &Candidate) -> Option<&'r Mapped> {
    let mut items = region.mapped.iter().filter(|m| candidate.bases.contains(&m.base));
    let only = items.next().filter(|_| items.next().is_none())?;
    let plain = only.is_array && !only.pointer_itself && only.perhaps.is_empty() && only.item.path.steps.is_empty();
    (plain && only.section.is_some()).then_some(only)
}
