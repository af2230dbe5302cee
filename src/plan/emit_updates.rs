//! Copies inside a residency, or inside a function for its callers, as `update` directives.

use super::coherent::Coherent;
use super::condition::{When, all_of};
use super::inputs::Inputs;
use super::model::Candidate;
use super::names::NamingPoint;
use super::struct_members::as_member;
use super::{Change, Decision, Direction, Note, RegionId};
use crate::analysis::movement::placement::Copy;
use crate::analysis::values::table::Base;
use crate::program::graph::{NodeKind, Place};

/// Where an update is written: at a place, and within a region if it belongs to one.
pub(super) struct UpdateSpot {
    pub place: Place,
    pub region: Option<RegionId>,
}

/// A copy as a directive, at a spot; `None` where it has no name there. `whole`: the section is all of the object.
pub(super) fn update(
    inputs: &Inputs<'_>,
    candidate: &Candidate,
    copy: &Copy,
    base: Base,
    whole: bool,
    when: &When,
    spot: UpdateSpot,
) -> Option<Change> {
    let at = NamingPoint::coarse(inputs.model, copy.gap)?.asking(when, inputs.file.options.speculate);
    let item = inputs.item(candidate, &at, base, &copy.section, whole)?;
    let when = inputs.left_to_ask(when, copy.gap);
    let mut conditions: Vec<String> = match when.is_empty() {
        true => Vec::new(),
        false => vec![inputs.said(&when, &at)?],
    };
    if !copy.ordered {
        conditions.push(copy.section.len().and_then(|l| at.positive(&l))?);
    }
    let condition = (!conditions.is_empty()).then(|| all_of(&conditions));
    Some(Change::Update {
        place: spot.place,
        direction: if copy.up { Direction::To } else { Direction::From },
        item,
        region: spot.region,
        condition,
    })
}

/// The updates that keep a candidate current in the function for callers that have it on the device; `None` where one of
/// them cannot be written.
pub(super) fn for_callers(inputs: &Inputs<'_>, candidate: &Candidate, coherent: &Coherent) -> Option<Decision> {
    let model = inputs.model;
    let candidate = &as_member(inputs, candidate);
    let changes = coherent.copies.iter().map(|copy| {
        let NodeKind::Gap(place) = model.coarse.node(copy.gap).kind else {
            return None;
        };
        let whole = coherent.object.as_ref() == Some(&copy.section);
        update(
            inputs,
            candidate,
            copy,
            coherent.base,
            whole,
            &When::default(),
            UpdateSpot { place, region: None },
        )
    });
    let changes: Vec<Change> = changes.collect::<Option<_>>()?;
    let function = &model.tree.functions[model.tree_function];
    let count = changes.len();
    let plural = if count == 1 { "" } else { "s" };
    let message = format!(
        "{} is used on the host here and kept on the device by callers: {count} update{plural}, which do{} nothing where \
         it is not",
        candidate.label,
        if count == 1 { "es" } else { "" },
    );
    Some(Decision {
        function: function.name.clone(),
        changes,
        reasons: vec![Note::new(function.name_span, message).of_array(&candidate.label)],
        structs: Vec::new(),
        for_callers: true,
    })
}
