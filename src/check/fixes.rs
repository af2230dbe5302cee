//! What to write instead: another map type, an update in front of a statement, or nothing.
//!
//! ```c
//! #pragma omp target data map(to: a[0:n])           // map(tofrom: a[0:n])        the host reads behind it what a kernel in it writes
//! …
//!     #pragma omp target update from(a[0:n])        // in front of                what the host reads in it
//!     printf("%g", a[0]);
//! ```
//!
//! A fix changes one list item or one line, so that whoever reviews it sees what it does; a program with two bugs gets two. Where a fix would take more
//! than that, there is none: [`crate::rules`] says in words what to do.

use super::file_lines::FileLines;
use super::mapping_state::MappingProblem;
use super::places::{PlacedItem, StepPlace, StepPlaces};
use super::stale::{Loss, NewestValue, StepId};
use super::transfers::{TransferRecords, UselessTransfer};
use crate::openmp::map::Moment;
use crate::openmp::{
    ClauseKind, Construct, Directive, Item, MapClause, MapClauseText, MapType, detect_style, replace_map_clauses_styled,
};
use crate::rules::RuleFix;
use crate::source::Span;

/// Writes fixes.
pub struct FixWriter<'a> {
    pub places: &'a StepPlaces,
    pub lines: &'a FileLines<'a>,
    /// What becomes of copies.
    pub transfers: &'a TransferRecords,
}

/// What becomes of a list item.
#[derive(Clone, Copy)]
enum ItemChange {
    To(MapType),
    Gone,
}

/// How a directive names an array.
struct NamedItem {
    item: String,
    /// The clause with its device, behind a space; empty where there is none.
    device: String,
}

impl FixWriter<'_> {
    /// What to write where something is wrong.
    pub fn of_problem(&self, at: StepId, problem: &MappingProblem) -> Option<RuleFix> {
        match problem {
            MappingProblem::KernelReads(read) => match (read.cause.newest, read.cause.lost) {
                (NewestValue::NeverCopied(begun), None) => self.with_values(begun),
                (NewestValue::WrittenOnHost(_), None) => self.update(at, "to"),
                _ => None,
            },
            MappingProblem::HostReads(read) => match (read.cause.newest, read.cause.lost) {
                (NewestValue::WrittenOnDevice(_), Some(Loss::Freed(ended))) => self.with_results(ended),
                (NewestValue::WrittenOnDevice(_), None) if read.cause.passed_by.is_none() => self.update(at, "from"),
                (NewestValue::NeverCopied(begun), Some(Loss::Garbage(_))) => self.with_values(begun),
                _ => None,
            },
            _ => None,
        }
    }

    /// What to write where something is of no use.
    pub fn of_transfer(&self, at: StepId, useless: &UselessTransfer) -> Option<RuleFix> {
        let place = self.places.of(at)?;
        let moment = place.item.as_ref()?.moment;
        let to = |was: MapType| match (moment, was) {
            (Moment::RegionEntry, MapType::Tofrom) => Some(MapType::From),
            (Moment::RegionEntry | Moment::EnterData, MapType::To) => Some(MapType::Alloc),
            (Moment::RegionExit, MapType::Tofrom) => Some(MapType::To),
            (Moment::RegionExit, MapType::From) => Some(MapType::Alloc),
            (Moment::ExitData, MapType::From) => Some(MapType::Release),
            _ => None,
        };
        let change = |was: MapType| match useless {
            // What is entered for nothing has to be left out where it is left, too.
            UselessTransfer::UnusedMap => (moment == Moment::RegionEntry).then_some(ItemChange::Gone),
            // Which way the copy goes follows from the moment.
            UselessTransfer::NoNews(_) | UselessTransfer::NeverUsed(_) => to(was).map(ItemChange::To),
            _ => None,
        };
        self.changed(&place, &change)
    }

    /// The object gets the host's values where it comes to the device.
    fn with_values(&self, begun: StepId) -> Option<RuleFix> {
        self.changed(&self.places.of(begun)?, &|was| match was {
            MapType::Alloc => Some(ItemChange::To(MapType::To)),
            MapType::From => Some(ItemChange::To(MapType::Tofrom)),
            _ => None,
        })
    }

    /// The host gets the object's values where it leaves the device.
    fn with_results(&self, ended: StepId) -> Option<RuleFix> {
        let place = self.places.of(ended)?;
        let at_exit = place.item.as_ref()?.moment == Moment::ExitData;
        self.changed(&place, &|was| match was {
            MapType::To => Some(ItemChange::To(MapType::Tofrom)),
            MapType::Alloc => Some(ItemChange::To(MapType::From)),
            MapType::Release | MapType::Delete if at_exit => Some(ItemChange::To(MapType::From)),
            _ => None,
        })
    }

    /// A list item with another map type, or without it.
    fn changed(&self, place: &StepPlace, change: &dyn Fn(MapType) -> Option<ItemChange>) -> Option<RuleFix> {
        let placed = place.item.as_ref().filter(|item| !item.implied)?;
        let file = self.lines.of(place.unit);
        let raw = std::str::from_utf8(file.text.get(place.span.start..place.span.end)?).ok()?;
        let directive = Directive::parse(raw)?;
        let is_it = |item: &&Item| item.text == *placed.text;
        let (clause, item) = directive
            .maps()
            .find_map(|(_, clause)| Some((clause, clause.items.iter().find(is_it)?)))?;
        if !clause.modifiers.is_empty() {
            return None;
        }
        let change = change(clause.effective_type())?;
        let clauses = with_change(&directive, item, change);
        if directive.is(&Construct::TargetData) && clauses.iter().all(|clause| clause.items.is_empty()) {
            // A region that maps nothing is none.
            return None;
        }
        let style = detect_style(&[raw]);
        let indent = file.lines.indentation(file.text, place.span.start);
        let text = replace_map_clauses_styled(raw, &clauses, &style, indent).ok()?;
        let was = clause.effective_type().as_str();
        let says = match change {
            ItemChange::To(to) => format!(
                "`map({}: {})` in the place of `map({was}: {})`",
                to.as_str(),
                item.text,
                item.text
            ),
            ItemChange::Gone => format!("no `map({was}: {})`", item.text),
        };
        Some(RuleFix {
            says,
            edits: vec![file.edit(place.span, text)],
        })
    }

    /// An update in front of what is at a step, if all that it copies is the newest.
    fn update(&self, at: StepId, direction: &str) -> Option<RuleFix> {
        let place = self.places.of(at).filter(|_| self.transfers.may_copy_before(at))?;
        let (file, at) = (self.lines.of(place.unit), place.insertion?);
        let (line, indent) = (file.lines.line_start(at), file.lines.indentation(file.text, at));
        if line + indent.len() != at {
            // Something else stands in that line.
            return None;
        }
        let NamedItem { item, device } = self.item_of(&place)?;
        let directive = format!("#pragma omp target update {direction}({item}){device}");
        let end = file.lines.ending().as_str();
        Some(RuleFix {
            says: format!("`{directive}` in front of it"),
            edits: vec![file.edit(Span::new(line, line), format!("{indent}{directive}{end}"))],
        })
    }

    /// What the function calls the elements of an array in the list item of a clause that stands before, or else behind, a place.
    fn item_of(&self, place: &StepPlace) -> Option<NamedItem> {
        let same = |other: &StepPlace| {
            other.unit == place.unit && other.function == place.function && other.label == place.label
        };
        let all = self.places.all();
        let items = all.iter().filter(|(_, other)| same(other));
        let items = items.filter_map(|(_, other)| Some((other.span, other.item.as_ref().filter(|i| !i.implied)?)));
        let named: Vec<(Span, &PlacedItem)> = items.collect();
        let before = named
            .iter()
            .filter(|(at, _)| at.start < place.span.start)
            .max_by_key(|(at, _)| at.start);
        let (at, found) = before.or_else(|| named.iter().min_by_key(|(at, _)| at.start))?;
        let directive = std::str::from_utf8(self.lines.of(place.unit).text.get(at.start..at.end)?).ok()?;
        let clauses = Directive::parse(directive)?.clauses.into_iter();
        let device = clauses.filter(|clause| matches!(clause.kind, ClauseKind::Device { .. }));
        Some(NamedItem {
            item: found.text.to_string(),
            device: device
                .map(|clause| format!(" {}", &directive[clause.span.start..clause.span.end]))
                .collect(),
        })
    }
}

/// The `map` clauses of a directive with one item changed.
fn with_change(directive: &Directive, changed: &Item, change: ItemChange) -> Vec<MapClauseText> {
    let clause_of = |clause: &MapClause, items: Vec<String>| MapClauseText {
        modifiers: clause.modifiers.clone(),
        map_type: clause.map_type,
        items,
    };
    let mut found = Vec::new();
    for clause in &directive.clauses {
        let ClauseKind::Map(map) = &clause.kind else { continue };
        let (own, others): (Vec<&Item>, Vec<&Item>) = map.items.iter().partition(|item| item.span == changed.span);
        found.push(clause_of(map, others.iter().map(|item| item.text.clone()).collect()));
        if let (Some(item), ItemChange::To(to)) = (own.first(), change) {
            found.push(MapClauseText {
                map_type: Some(to),
                ..clause_of(map, vec![item.text.clone()])
            });
        }
    }
    found
}
