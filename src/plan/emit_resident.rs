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
use super::evaluate::{Candidate, Inputs};
use super::names::At;
use super::resident::{candidate, of_main};
use super::{Change, Decision, FilePlan, MapItem, MapType, Note};
use crate::analysis::movement::mapped::object_extent;
use crate::analysis::values::eval::Base;
use crate::openmp;
use crate::program::graph::Place;
use crate::syntax::StmtId;

/// Enters resident arrays before the function's kernels, and keeps them current in `main`. Those of them that it names.
pub(super) fn enter(inputs: &Inputs<'_>, candidates: &[Candidate], plan: &mut FilePlan) -> Vec<Base> {
    let mut found = Vec::new();
    for &array in &inputs.program.resident {
        let Some(candidate) = candidate(inputs, candidates, array) else {
            continue;
        };
        found.push(Base::Global(array));
        if inputs.model.function().name == "main" {
            match of_main(inputs, array).map(|made| (made.copies.is_empty(), for_callers(inputs, &candidate, &made))) {
                Some((true, _)) => {}
                Some((false, Some(decision))) => plan.decisions.push(decision),
                Some((false, None)) | None => plan.broken = true,
            }
        }
        match entered(inputs, &candidate) {
            Some(decision) if decision.changes.is_empty() => {}
            Some(decision) => plan.decisions.push(decision),
            None => plan.broken = true,
        }
    }
    found
}

/// The `enter data` of the function's own kernels; `None` where the array has no name.
fn entered(inputs: &Inputs<'_>, candidate: &Candidate) -> Option<Decision> {
    let model = inputs.model;
    let function = &model.tree.functions[model.tree_function];
    let mut decision = Decision {
        function: function.name.clone(),
        changes: Vec::new(),
        reasons: Vec::new(),
        structs: Vec::new(),
        for_callers: true,
    };
    let base = candidate.bases[0];
    let whole = object_extent(model, base, candidate.element)?;
    for before in places(inputs, candidate) {
        let place = Place::Before(before);
        let at = At::coarse(model, model.coarse.gap(place)?)?;
        let item = inputs.item(candidate, &at, base, &whole, true)?;
        let map_type = match is_overwritten(inputs, candidate, before) {
            true => MapType::Alloc,
            false => MapType::To,
        };
        decision.changes.push(Change::Enter {
            place,
            maps: vec![MapItem::new(map_type, item)],
            condition: None,
        });
        decision.reasons.push(Note {
            span: model.tree.stmt(before).span,
            message: format!(
                "{} stays on the device from its first kernel to the end of the program: entered here, and kept \
                 current wherever the host uses it",
                candidate.label
            ),
        });
    }
    Some(decision)
}

/// The statements before which the array is entered: kernels, or the loops around them that are taken to run, but for those
/// that come after another one of the same block.
fn places(inputs: &Inputs<'_>, candidate: &Candidate) -> Vec<StmtId> {
    let (tree, launches) = (inputs.model.tree, &inputs.model.constructs.launches);
    let mut found: Vec<StmtId> = Vec::new();
    let own = candidate.launches.iter().filter_map(|l| launches.get(*l));
    for launch in own {
        let is_loop = |s: &StmtId| inputs.file.options.speculate && tree.stmt(*s).kind.is_loop();
        let outermost = tree.ancestors(launch.stmt).filter(is_loop).last();
        let at = outermost.unwrap_or(launch.stmt);
        let comes_first = |first: &StmtId| {
            let block = tree.stmt(*first).parent;
            let start = tree.stmt(*first).span.start;
            tree.ancestors(at).any(|s| tree.stmt(s).parent == block && start <= tree.stmt(s).span.start)
        };
        if !found.iter().any(comes_first) {
            found.push(at);
        }
    }
    found
}

/// Whether a kernel is entered for by itself and brings back all of the array, whatever was in it.
fn is_overwritten(inputs: &Inputs<'_>, candidate: &Candidate, before: StmtId) -> bool {
    let launches = &inputs.model.constructs.launches;
    let own = candidate.launches.iter().find(|l| launches.get(**l).is_some_and(|k| k.stmt == before));
    own.is_some_and(|l| {
        let items = inputs.items(candidate, *l);
        !items.is_empty() && items.iter().all(|m| m.map_type == openmp::MapType::From)
    })
}
