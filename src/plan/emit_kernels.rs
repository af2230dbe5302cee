//! Map clauses of kernels outside all residencies of an object: each copies only what it needs for itself.

use super::inputs::Inputs;
use super::model::Settled;
use super::model::{Chosen, kernel_needs};
use super::names::NamingPoint;
use super::residency::Residency;
use super::{Change, Decision, MapItem, Note};
use crate::analysis::values::table::Base;
use crate::openmp::MapType;

/// Map clauses of kernels that are not within a residency of the object.
pub(super) fn kernels(
    inputs: &Inputs<'_>,
    settled: &[Settled],
    residencies: &[Residency<'_>],
    decision: &mut Decision,
) {
    let model = inputs.model;
    for (l, launch) in model.constructs.launches.iter().enumerate() {
        if !launch.takes_other_maps() {
            continue;
        }
        let maps = launch.maps.iter();
        let mut maps: Vec<MapItem> = maps
            .map(|(map_type, item)| MapItem::new(*map_type, item.text.clone()))
            .collect();
        let mut changed = false;
        for s in settled {
            let covered = residencies
                .iter()
                .any(|r| std::ptr::eq(r.settled, s) && r.e.run.encloses(model, launch.stmt));
            if covered {
                continue;
            }
            for c in &s.found.chosen {
                let Chosen::Kernel(at, e) = c else { continue };
                if *at != l {
                    continue;
                }
                let base = e.naming.at(e.span.entry)[0];
                let (up, down) = kernel_needs(e);
                let wanted = match (up, down) {
                    (true, true) => MapType::Tofrom,
                    (true, false) => MapType::To,
                    (false, true) => MapType::From,
                    (false, false) => MapType::Alloc,
                };
                let index = inputs.mapped[l]
                    .iter()
                    .find(|m| m.base == base && !m.pointer_itself)
                    .and_then(|m| launch.maps.iter().position(|(_, i)| i.span == m.item.span));
                match index {
                    Some(i) => {
                        if less(wanted, maps[i].map_type) {
                            let message = format!(
                                "{} is mapped `{}` instead of `{}`: {}",
                                s.candidate.label,
                                wanted.as_str(),
                                maps[i].map_type.as_str(),
                                why(up, down)
                            );
                            let note = Note::new(model.tree.pragma(launch.pragma).span, message);
                            decision.reasons.push(note.of_array(&s.candidate.label));
                            maps[i].map_type = wanted;
                            changed = true;
                        }
                    }
                    None => {
                        let whole = crate::analysis::arrays::object_extent(model, base, s.candidate.element).as_ref()
                            == Some(&e.extent);
                        let implicit_copies = !matches!(base, Base::Value(_)) && wanted == MapType::Tofrom;
                        let text = NamingPoint::coarse(model, e.span.entry)
                            .map(|at| at.asking(&e.when, inputs.file.options.speculate))
                            .and_then(|at| inputs.item(&s.candidate, &at, base, &e.extent, whole));
                        if let (false, Some(text)) = (implicit_copies, text) {
                            let message = format!(
                                "{} is mapped `{}`: {}",
                                s.candidate.label,
                                wanted.as_str(),
                                why(up, down)
                            );
                            let note = Note::new(model.tree.pragma(launch.pragma).span, message);
                            decision.reasons.push(note.of_array(&s.candidate.label));
                            maps.push(MapItem::new(wanted, text));
                            changed = true;
                        }
                    }
                }
            }
        }
        if changed {
            decision.changes.push(Change::Remap {
                pragma: launch.pragma,
                maps,
            });
        }
    }
}

fn why(up: bool, down: bool) -> &'static str {
    match (up, down) {
        (true, true) => "the kernel needs its values and the host reads the results",
        (true, false) => "the kernel only reads it, or nobody reads what it writes",
        (false, true) => "the kernel overwrites all of it before reading",
        (false, false) => "neither its old values nor its results are used outside the kernel",
    }
}

/// Whether `a` copies strictly less than `b`.
fn less(a: MapType, b: MapType) -> bool {
    matches!(
        (a, b),
        (MapType::To | MapType::From | MapType::Alloc, MapType::Tofrom) | (MapType::Alloc, MapType::To | MapType::From)
    )
}
