//! The directives of arrays that stay on the device from their first kernel on ([`super::resident`]).
//!
//! ```c
//! void step(void)
//! {
//!     #pragma omp target enter data map(to: field)        /* before the loops around the kernel            */
//!     for (int k = 0; k < 4; k++) {
//!         #pragma omp target … map(tofrom: field)
//!         …
//!     }
//! }
//! ```

use super::emit_updates::for_callers;
use super::entering::{entered, nothing};
use super::inputs::Inputs;
use super::model::Candidate;
use super::on_host::on_host;
use super::resident::of_main;
use super::resident_members::given_up;
use super::residents::{By, Resident};
use super::{Change, Decision, FilePlan, MapItem, Note};
use crate::analysis::values::table::Base;
use crate::openmp::MapType;
use crate::program::graph::Place;

/// Enters resident arrays before the function's kernels, keeps them current in `main`, and takes them from the device where
/// they are freed. Those of them that the function names.
pub(super) fn enter(inputs: &Inputs<'_>, candidates: &[Candidate], plan: &mut FilePlan) -> Vec<Base> {
    let mut found = Vec::new();
    let mut decisions: Vec<Option<Decision>> = Vec::new();
    for candidate in candidates.iter().chain(&on_host(inputs, candidates)) {
        let Some(resident) = inputs.resident(candidate) else {
            continue;
        };
        found.extend(candidate.bases.iter().copied());
        if let By::Name(array) = resident.by
            && inputs.program.is_main(inputs.model.func)
        {
            let made = of_main(inputs, array);
            match made {
                Some(made) if made.copies.is_empty() => {}
                made => decisions.push(made.and_then(|made| for_callers(inputs, candidate, &made))),
            }
        }
        decisions.push(entered(inputs, candidate));
    }
    let freed = inputs.program.resident.iter();
    let freed = freed.filter(|r| !matches!(r.by, By::Name(_)));
    decisions.extend(freed.map(|r| left(inputs, r)));
    for decision in decisions {
        match decision {
            Some(decision) if decision.changes.is_empty() => {}
            Some(decision) => plan.decisions.push(decision),
            None => plan.broken = true,
        }
    }
    found
}

/// The `exit data` before what frees an array; `None` where it has no name.
fn left(inputs: &Inputs<'_>, array: &Resident) -> Option<Decision> {
    let mut decision = nothing(inputs);
    for (stmt, item) in given_up(inputs, array)? {
        let message = format!("`{item}` leaves the device before it is freed or moved here");
        let span = inputs.model.tree.stmt(stmt).span;
        let label = format!("`{item}`");
        decision.reasons.push(Note::new(span, message).of_array(&label));
        decision.changes.push(Change::Exit {
            place: Place::Before(stmt),
            maps: vec![MapItem {
                alone: true,
                ..MapItem::new(MapType::Delete, item)
            }],
            condition: None,
        });
    }
    Some(decision)
}
