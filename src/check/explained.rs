//! What each list item of a program does, as the walks have seen it.
//!
//! ```text
//! 12  target enter data         a[0:n]   copy in
//! 15  target teams distribute   a[0:n]   persistent in   persistent out
//! ```
//!
//! An item is there once, whatever calls come by it: what it does in one and in another are both said. Of what no walk has come by, as in functions
//! that nobody calls, it is not known what it does.

use super::places::{PlacedItem, StepPlace, StepPlaces};
use super::walk::ObservedEffects;
use crate::openmp::effects::MapEffect;
use crate::openmp::map::Moment;
use crate::plan::ExplainedItem;
use crate::source::Span;
use std::collections::BTreeMap;

/// The items of a program with what they do, by file, in text order. `ends` says where in a file the construct of a directive ends.
pub fn explained(
    places: &StepPlaces,
    observed: &ObservedEffects,
    ends: &dyn Fn(usize, Span) -> usize,
) -> Vec<(usize, ExplainedItem)> {
    let mut items: BTreeMap<(usize, usize, String), ExplainedItem> = BTreeMap::new();
    for (step, place) in places.all() {
        let StepPlace {
            unit,
            span,
            function,
            item: Some(placed),
            ..
        } = place
        else {
            continue;
        };
        let PlacedItem {
            construct,
            text,
            implied,
            moment,
            element,
            elements,
        } = placed;
        let key = (unit, span.start, text.to_string());
        let item = items.entry(key).or_insert_with(|| ExplainedItem {
            span,
            end: ends(unit, span),
            construct: construct.to_string(),
            function: function.to_string(),
            item: text.to_string(),
            implied,
            element,
            bytes: elements.and_then(|count| count.checked_mul(element)),
            entry: Vec::new(),
            exit: Vec::new(),
        });
        let at = match moment {
            Moment::RegionEntry | Moment::EnterData | Moment::UpdateTo => &mut item.entry,
            Moment::RegionExit | Moment::ExitData | Moment::UpdateFrom => &mut item.exit,
        };
        match observed.get(&step) {
            Some(effects) => at.extend(effects),
            None => at.push(MapEffect::Unknown),
        }
        at.sort_unstable();
        at.dedup();
    }
    // What is there for a kernel that maps nothing itself is there behind it.
    let by_pointer = items.values_mut().filter(|item| item.implied && item.exit.is_empty());
    for item in by_pointer.filter(|item| item.entry.contains(&MapEffect::PersistentIn)) {
        item.exit.push(MapEffect::PersistentOut);
    }
    items.into_iter().map(|((unit, ..), item)| (unit, item)).collect()
}
