//! What a function maps that is none of its candidates: callers are told where it may be, and keep no part of it on the device over a call.
//!
//! ```c
//! static double *stock;
//! void count(double *v, int n)
//! {
//!     #pragma omp target map(to: stock[0:2 * n]) map(tofrom: v[0:n])      /* `v` is a candidate; `stock`, which nothing reads, is not */
//!     …
//! }
//! ```

use super::inputs::Inputs;
use super::model::Candidate;
use crate::analysis::device_summary::OpaqueArray;
use crate::analysis::movement::mapped::Mapped;
use crate::analysis::values::table::Base;
use crate::openmp::Item;
use crate::reasons::{Aliases, Promise};

/// What kernels and regions of a function map beside its candidates.
pub(super) fn mapped_beside(inputs: &Inputs<'_>, candidates: &[Candidate]) -> Vec<OpaqueArray> {
    let constructs = inputs.model.constructs;
    let is_candidate = |m: &Mapped| candidates.iter().any(|c| c.bases.contains(&m.base));
    let known = |m: &Mapped| matches!(m.base, Base::Local(_)) || !m.is_array || is_candidate(m);
    let is_told = |resolved: &[Mapped], item: &Item| resolved.iter().any(|m| m.item.span == item.span && known(m));
    let kernels = constructs.launches.iter().zip(&inputs.mapped);
    let on_kernels = kernels.flat_map(|(l, resolved)| l.maps.iter().map(move |(_, item)| (item, &resolved[..])));
    let regions = constructs.user_data.iter().enumerate();
    let on_regions = regions.filter(|(_, u)| u.stmt.is_some()).flat_map(|(directive, u)| {
        let region = inputs.regions.iter().find(|r| r.directive == directive);
        let resolved = region.map_or(&[][..], |r| &r.mapped);
        u.items.iter().map(move |item| (item, resolved))
    });
    let names = inputs.model.item_scope(&inputs.file.macros);
    let beside = on_kernels
        .chain(on_regions)
        .filter(|(item, resolved)| !is_told(resolved, item));
    let opaque = beside.map(|(item, _)| OpaqueArray {
        root: None,
        // Of what may be anywhere there are no places.
        locs: names.mapped(item).unwrap_or_default(),
        reason: Aliases::OtherMap {
            name: item.path.to_string(),
            promise: Promise::default(),
        }
        .into(),
        by_hand: false,
    });
    opaque.collect()
}
