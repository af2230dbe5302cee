//! The directives with which an array comes to the device for good, in front of the first kernels of `main` that use it.
//!
//! ```c
//! init(grid);
//! #pragma omp target enter data map(to: grid)        /* and no `exit data`: it stays                                  */
//! for (…) step();
//! ```

use super::inputs::Inputs;
use super::members::maps_pointer;
use super::model::Candidate;
use super::names::NamingPoint;
use super::spans::whole_body;
use super::{Change, Decision, MapItem, Note};
use crate::analysis::arrays::object_extent;
use crate::openmp::MapType;
use crate::program::graph::Place;
use crate::syntax::StmtId;

/// The `enter data` of the function's own kernels; `None` where the array has no name, or only that of a member, whose pointer
/// would stay on the device too. Around loops it may have none, and still have one in there.
pub(super) fn entered(inputs: &Inputs<'_>, candidate: &Candidate) -> Option<Decision> {
    let outside = inputs.file.options.speculate;
    let around = outside.then(|| entered_at(inputs, candidate, &places(inputs, candidate, true)));
    around
        .flatten()
        .or_else(|| entered_at(inputs, candidate, &places(inputs, candidate, false)))
}

pub(super) fn entered_at(inputs: &Inputs<'_>, candidate: &Candidate, places: &[StmtId]) -> Option<Decision> {
    let model = inputs.model;
    let mut decision = nothing(inputs);
    if places.is_empty() {
        return Some(decision);
    }
    let base = *candidate.bases.first()?;
    let (run, _) = whole_body(inputs.model)?;
    let whole = object_extent(model, base, candidate.element);
    // All kernels of all functions map the same.
    let section = inputs.sections(candidate, run, whole.as_ref()).ok()?.first()?.clone();
    for &before in places {
        let place = Place::Before(before);
        let at = NamingPoint::coarse(model, model.coarse.gap(place)?)?;
        let item = inputs.item(candidate, &at, base, &section, whole.as_ref() == Some(&section))?;
        let map_type = match is_overwritten(inputs, candidate, before) {
            true => MapType::Alloc,
            false => MapType::To,
        };
        let maps = vec![MapItem::new(map_type, item)];
        if maps[0].is_member() || maps_pointer(&maps[0].text) {
            return None;
        }
        decision.changes.push(Change::Enter {
            place,
            maps,
            condition: None,
        });
        let message = format!(
            "{} stays on the device from its first kernel on: entered here, and kept current wherever the host uses it",
            candidate.label
        );
        decision
            .reasons
            .push(Note::new(model.tree.stmt(before).span, message).of_array(&candidate.label));
    }
    Some(decision)
}

/// The statements before which the array is entered: kernels, or the loops around them that are taken to run, but for those
/// that come after another one of the same block.
pub(super) fn places(inputs: &Inputs<'_>, candidate: &Candidate, outside: bool) -> Vec<StmtId> {
    let (tree, launches) = (inputs.model.tree, &inputs.model.constructs.launches);
    let mut found: Vec<StmtId> = Vec::new();
    let own = candidate.launches.iter().filter_map(|l| launches.get(*l));
    for launch in own {
        let is_loop = |s: &StmtId| *s != launch.stmt && outside && tree.stmt(*s).kind.is_loop();
        let outermost = tree.ancestors(launch.stmt).filter(is_loop).last();
        let at = outermost.unwrap_or(launch.stmt);
        let comes_first = |first: &StmtId| {
            let block = tree.stmt(*first).parent;
            let start = tree.stmt(*first).span.start;
            let mut around = tree.ancestors(at);
            around.any(|s| tree.stmt(s).parent == block && start <= tree.stmt(s).span.start)
        };
        if !found.iter().any(comes_first) {
            found.push(at);
        }
    }
    found
}

/// Whether a kernel is entered for by itself and brings back all of the array, whatever was in it.
pub(super) fn is_overwritten(inputs: &Inputs<'_>, candidate: &Candidate, before: StmtId) -> bool {
    let launches = &inputs.model.constructs.launches;
    let own = candidate
        .launches
        .iter()
        .find(|l| launches.get(**l).is_some_and(|k| k.stmt == before));
    own.is_some_and(|l| {
        let items = inputs.items(candidate, *l);
        !items.is_empty() && items.iter().all(|m| m.map_type == MapType::From)
    })
}

pub(super) fn nothing(inputs: &Inputs<'_>) -> Decision {
    Decision {
        function: inputs.model.tree.functions[inputs.model.tree_function].name.clone(),
        changes: Vec::new(),
        reasons: Vec::new(),
        structs: Vec::new(),
        for_callers: true,
    }
}
